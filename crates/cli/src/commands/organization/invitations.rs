//! `invitations` and `join`: how people join.

use api::{InvitationRequest, InvitationView, JoinRequest, JoinedView, NewInvitationView, Plain};
use clap::{Args, Subcommand};
use model::{InvitationId, Role};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input::{self, ValueSource},
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// Invite people, and list and withdraw invitations
#[derive(Debug, Subcommand)]
pub enum Invitations {
    /// List the invitations
    #[command(after_help = "Examples:
  countersign invitations list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Invite a person and print the link with which they join, once; for a member, it is a new link
    #[command(after_help = "Examples:
  countersign invitations create ada@example.com --name 'Ada L.' --role admin

Needs a sign-in of the last ten minutes. Give the link to the person yourself.")]
    Create {
        /// E-mail address
        email: String,
        /// Full name
        #[arg(long)]
        name: String,
        /// Role: a member opens sessions, an admin sets policy, an owner has all permissions
        #[arg(long, default_value = "member", value_parser = input::role())]
        role: Role,
    },
    /// Print a new link for an invitation of yours; the earlier one stops working
    #[command(after_help = "Examples:
  countersign invitations link ivt_0199…")]
    Link { id: InvitationId },
    /// Withdraw an invitation; its link stops working
    #[command(after_help = "Examples:
  countersign invitations withdraw ivt_0199…")]
    Withdraw { id: InvitationId },
}

/// Join an organization with an invitation, and print your first token
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  countersign join --from-file link.txt
  countersign join --name 'Ada L.' < link.txt

The link is a secret, so it is read from stdin, a file or an environment variable. Where an identity provider is
configured, open the link in a browser instead.")]
pub struct Join {
    #[command(flatten)]
    link: ValueSource,
    /// Your name [default: the name in the invitation]
    #[arg(long)]
    name: Option<String>,
}

pub(crate) async fn run(command: Invitations, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Invitations::List { page } => {
            let header = &["ID", "EMAIL", "NAME", "ROLE", "STATUS", "EXPIRES"];
            let list = List { path: &["v1", "invitations"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Invitations::Create { email, name, role } => {
            let request = InvitationRequest { email, name, role };
            let path = ["v1", "invitations"];
            let answer = cx.client()?.send_body(Method::POST, &path, &request)?.send().await?;
            show(cx, &answer)
        }
        Invitations::Link { id } => {
            let path = ["v1", "invitations", &id.to_string(), "link"];
            let answer = cx.client()?.post(&path)?.send().await?;
            show(cx, &answer)
        }
        Invitations::Withdraw { id } => {
            let answer = cx.client()?.delete(&["v1", "invitations", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("withdrew {id}"))
        }
    }
}

pub(crate) async fn join(Join { link, name }: Join, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let link = link.read(cx.console)?;
    let token = link.0.rsplit_once('#').map_or(link.0.as_str(), |(_, token)| token).to_owned();
    let request = JoinRequest { token: Plain(token), name };
    let answer = cx.anonymous()?.send_body(Method::POST, &["v1", "join"], &request)?.send().await?;
    if !cx.json() {
        let joined: JoinedView = answer.parse()?;
        let org = joined.me.org_name.unwrap_or_default();
        cx.console.note(&format!("joined {org}; token, shown only once, valid for 90 days:"))?;
    }
    cx.show(&answer, |joined: JoinedView, _| inline(&joined.token.token.0))
}

/// Prints the link of an invitation, or its token where the gateway does not know its public address.
fn show(cx: &mut Context<'_>, answer: &crate::client::Answer) -> Result<Exit, Error> {
    if !cx.json() {
        let new: NewInvitationView = answer.parse()?;
        let InvitationView { id, name, expires_at, .. } = new.invitation;
        let until = table::moment(expires_at);
        cx.console.note(&format!("created {id} for {name}, valid until {until}; link, shown only once:"))?;
    }
    cx.show(answer, |new: NewInvitationView, _| inline(&new.link.unwrap_or(new.token).0))
}

fn row(invitation: InvitationView) -> Vec<String> {
    vec![
        invitation.id.to_string(),
        invitation.email,
        invitation.name,
        invitation.role.as_str().to_owned(),
        invitation.status,
        table::moment(invitation.expires_at),
    ]
}
