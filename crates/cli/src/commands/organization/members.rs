//! `members`: people of the organization, and the accounts of programs.

use api::{MemberView, ServiceAccountRequest};
use clap::Subcommand;
use model::{Role, UserId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// List and remove members, and add service accounts
#[derive(Debug, Subcommand)]
pub enum Members {
    /// List the members
    #[command(after_help = "Examples:
  countersign members list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a service account: a program with tokens and without a vote
    #[command(after_help = "Examples:
  countersign members add-service 'deploy pipeline'
  countersign tokens create ci --user usr_0199…   # a token for it

People are invited: countersign invitations create")]
    AddService {
        /// Name of the program
        name: String,
        /// Role: a member opens sessions, an admin sets policy
        #[arg(long, default_value = "member", value_parser = input::role())]
        role: Role,
    },
    /// Remove a member; their tokens, sessions and passkeys end at once
    #[command(after_help = "Examples:
  countersign members remove usr_0199…")]
    Remove { user: UserId },
}

pub(crate) async fn run(command: Members, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Members::List { page } => {
            let header = &["USER", "EMAIL", "NAME", "ROLE", "KIND", "JOINED"];
            let list = List { path: &["v1", "members"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Members::AddService { name, role } => {
            let request = ServiceAccountRequest { name, role };
            let path = ["v1", "service-accounts"];
            let answer = cx.client()?.send_body(Method::POST, &path, &request)?.send().await?;
            cx.show(&answer, |member: MemberView, wide| {
                let pairs = vec![
                    ("user", Some(member.user.to_string())),
                    ("name", Some(member.name)),
                    ("role", Some(member.role.as_str().to_owned())),
                ];
                table::pairs(pairs, wide)
            })
        }
        Members::Remove { user } => {
            let answer = cx.client()?.delete(&["v1", "members", &user.to_string()])?.send().await?;
            cx.done(&answer, &format!("removed {user}"))
        }
    }
}

fn row(member: MemberView) -> Vec<String> {
    vec![
        member.user.to_string(),
        member.email.unwrap_or_default(),
        member.name,
        member.role.as_str().to_owned(),
        member.kind.as_str().to_owned(),
        table::moment(member.joined_at),
    ]
}
