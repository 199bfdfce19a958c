//! `members`: people of the organization.

use api::{MemberRequest, MemberView};
use clap::Subcommand;
use model::Role;
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// List and add members
#[derive(Debug, Subcommand)]
pub enum Members {
    /// List the members
    #[command(after_help = "Examples:
  countersign members list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a member
    #[command(after_help = "Examples:
  countersign members add ada@example.com --name 'Ada L.' --role admin
  countersign tokens create laptop --user usr_0199…   # a token for the new member")]
    Add {
        /// E-mail address
        email: String,
        /// Full name
        #[arg(long)]
        name: String,
        /// Role: a member opens sessions, an admin sets policy, an owner has all permissions
        #[arg(long, default_value = "member", value_parser = input::role())]
        role: Role,
    },
}

pub(crate) async fn run(command: Members, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Members::List { page } => {
            let header = &["USER", "EMAIL", "NAME", "ROLE"];
            let list = List { path: &["v1", "members"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Members::Add { email, name, role } => {
            let request = MemberRequest { email, name, role };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "members"], &request)?.send().await?;
            cx.show(&answer, |member: MemberView, wide| {
                let pairs = vec![
                    ("user", Some(member.user.to_string())),
                    ("email", Some(member.email)),
                    ("name", Some(member.name)),
                    ("role", Some(member.role.as_str().to_owned())),
                ];
                table::pairs(pairs, wide)
            })
        }
    }
}

fn row(member: MemberView) -> Vec<String> {
    vec![member.user.to_string(), member.email, member.name, member.role.as_str().to_owned()]
}
