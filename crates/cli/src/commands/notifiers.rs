//! `notifiers` and `slack`: where people are told what waits for them, and who they are there.

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

/// Where people are told.
#[derive(Debug, Subcommand)]
pub enum Notifiers {
    /// List where people are told
    #[command(after_help = "Examples:
  countersign notifiers list")]
    List,
    /// Tell people in a Slack channel, or by mail
    #[command(after_help = "Examples:
  countersign notifiers add --slack C024BE91L
  countersign notifiers add --email ops@example.com --space spc_0199…")]
    Add {
        #[command(flatten)]
        place: Place,
        /// Only news of this space
        #[arg(long)]
        space: Option<SpaceId>,
    },
    /// Stop telling people there
    #[command(after_help = "Examples:
  countersign notifiers remove ntf_0199…")]
    Remove { notifier: NotifierId },
    /// Send a test there now
    #[command(after_help = "Examples:
  countersign notifiers test ntf_0199…")]
    Test { notifier: NotifierId },
}

/// One of the two.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Place {
    /// A Slack channel's id
    #[arg(long, value_name = "CHANNEL")]
    slack: Option<String>,
    /// An e-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
}

/// Who is who in Slack.
#[derive(Debug, Subcommand)]
pub enum Slack {
    /// List which users of Slack are linked
    #[command(after_help = "Examples:
  countersign slack people")]
    People,
    /// Say which user a user of Slack is: what they click counts as that user's word
    #[command(after_help = "Examples:
  countersign slack link U024BE7LH usr_0199…")]
    Link { slack_user: String, user: UserId },
    /// Forget who a user of Slack is
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
            let said = match &tested.error {
                None => "it was delivered".to_owned(),
                Some(error) => format!("it was not delivered: {}", inline(error)),
            };
            cx.done(&answer, &said)?;
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
    let space = notifier.space.map_or_else(|| "every".to_owned(), |space| space.to_string());
    vec![notifier.id.to_string(), kind.to_owned(), notifier.target, space, table::moment(notifier.created_at)]
}

fn person_row(person: SlackPersonView) -> Vec<String> {
    vec![person.slack_user, person.user.to_string()]
}
