//! `notifiers` and `slack`: where notifications are sent, and which member a Slack user is.

use api::{NotifierKind, NotifierRequest, NotifierTest, NotifierView, SlackPersonRequest, SlackPersonView};
use clap::Subcommand;
use model::{NotifierId, SpaceId, UserId, visible::inline};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
};

/// Send notifications about pending approvals
#[derive(Debug, Subcommand)]
pub enum Notifiers {
    /// List the notifiers
    #[command(after_help = "Examples:
  countersign notifiers list")]
    List,
    /// Add a notifier: a Slack channel or an e-mail address
    #[command(after_help = "Examples:
  countersign notifiers add --slack C024BE91L
  countersign notifiers add --email ops@example.com --space spc_0199…")]
    Add {
        #[command(flatten)]
        place: Place,
        /// Only notifications of this space
        #[arg(long)]
        space: Option<SpaceId>,
    },
    /// Remove a notifier
    #[command(after_help = "Examples:
  countersign notifiers remove ntf_0199…")]
    Remove { notifier: NotifierId },
    /// Send a test notification
    #[command(after_help = "Examples:
  countersign notifiers test ntf_0199…")]
    Test { notifier: NotifierId },
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Place {
    /// Id of a Slack channel
    #[arg(long, value_name = "CHANNEL")]
    slack: Option<String>,
    /// E-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
}

/// Link Slack users to members
#[derive(Debug, Subcommand)]
pub enum Slack {
    /// List the linked Slack users
    #[command(after_help = "Examples:
  countersign slack people")]
    People,
    /// Link a Slack user to a member: their clicks in Slack count as answers of that member
    #[command(after_help = "Examples:
  countersign slack link U024BE7LH usr_0199…")]
    Link { slack_user: String, user: UserId },
    /// Remove the link of a Slack user
    #[command(after_help = "Examples:
  countersign slack unlink U024BE7LH")]
    Unlink { slack_user: String },
}

pub(crate) async fn run_notifiers(command: Notifiers, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Notifiers::List => {
            let (header, page) = (&["ID", "KIND", "TARGET", "SPACE", "CREATED"], PageArgs::default());
            let list = List { path: &["v1", "notifiers"], query: vec![], page: &page, header };
            list.print(cx, notifier_row).await
        }
        Notifiers::Add { place, space } => {
            let (kind, target) = match (place.slack, place.email) {
                (Some(channel), _) => (NotifierKind::Slack, channel),
                (None, address) => (NotifierKind::Email, address.unwrap_or_default()),
            };
            let request = NotifierRequest { kind, target, space };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "notifiers"], &request)?.send().await?;
            cx.show(&answer, |added: NotifierView, _| added.id.to_string())
        }
        Notifiers::Remove { notifier } => {
            let answer = cx.client()?.delete(&["v1", "notifiers", &notifier.to_string()])?.send().await?;
            cx.done(&answer, &format!("removed {notifier}"))
        }
        Notifiers::Test { notifier } => {
            let path = ["v1", "notifiers", &notifier.to_string(), "test"];
            let answer = cx.client()?.send_body(Method::POST, &path, &serde_json::json!({}))?.send().await?;
            let tested: NotifierTest = answer.parse()?;
            let result = match &tested.error {
                None => "test notification delivered".to_owned(),
                Some(error) => format!("test notification not delivered: {}", inline(error)),
            };
            cx.done(&answer, &result)?;
            Ok(if tested.delivered { Exit::Done } else { Exit::Failed })
        }
    }
}

pub(crate) async fn run_slack(command: Slack, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Slack::People => {
            let (header, page) = (&["SLACK USER", "USER"], PageArgs::default());
            let list = List { path: &["v1", "slack", "people"], query: vec![], page: &page, header };
            list.print(cx, person_row).await
        }
        Slack::Link { slack_user, user } => {
            let path = ["v1", "slack", "people", slack_user.as_str()];
            let request = SlackPersonRequest { user };
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("linked {} to {user}", inline(&slack_user)))
        }
        Slack::Unlink { slack_user } => {
            let answer = cx.client()?.delete(&["v1", "slack", "people", &slack_user])?.send().await?;
            cx.done(&answer, &format!("unlinked {}", inline(&slack_user)))
        }
    }
}

fn notifier_row(notifier: NotifierView) -> Vec<String> {
    let kind = match notifier.kind {
        NotifierKind::Slack => "slack",
        NotifierKind::Email => "email",
    };
    let space = notifier.space.map_or_else(|| "all".to_owned(), |space| space.to_string());
    vec![notifier.id.to_string(), kind.to_owned(), notifier.target, space, table::moment(notifier.created_at)]
}

fn person_row(person: SlackPersonView) -> Vec<String> {
    vec![person.slack_user, person.user.to_string()]
}
