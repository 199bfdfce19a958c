//! `org`: how the org approves what is hard to undo, and how long it keeps what receipts say.

use api::{OrgPatch, OrgView};
use clap::{Args, Subcommand};
use reqwest::Method;

use crate::{Context, error::Error, exit::Exit, table};

/// How the org approves what is hard to undo, and how long it keeps what receipts say.
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Show the org, and how it approves
    #[command(after_help = "Examples:
  countersign org show")]
    Show,
    /// Change how the org approves, and how long it keeps what receipts say; owners only
    #[command(after_help = "Examples:
  countersign org set --quorum 2
  countersign org set --four-eyes true --json
  countersign org set --passkey true
  countersign org set --keep-receipts-days 365")]
    Set(Change),
}

/// What to change.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Change {
    /// How many people must say yes to R3 and R4 (1 to 10)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    quorum: Option<u32>,
    /// Whether the one who opened a session may not approve its R3 and R4
    #[arg(long, value_name = "BOOL")]
    four_eyes: Option<bool>,
    /// Whether each yes to R3 and R4 must be signed with a passkey
    #[arg(long, value_name = "BOOL")]
    passkey: Option<bool>,
    /// How many days the bodies of receipts are kept; the facts and the proof stay (1 to 36500)
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    keep_receipts_days: Option<u32>,
}

pub(crate) async fn run(command: Org, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let client = cx.client()?;
    let answer = match command {
        Org::Show => client.get(&["v1", "org"])?.send().await?,
        Org::Set(change) => {
            let patch = OrgPatch {
                approval_quorum: change.quorum,
                approval_four_eyes: change.four_eyes,
                approval_passkey: change.passkey,
                receipts_kept_days: change.keep_receipts_days,
            };
            client.send_body(Method::PATCH, &["v1", "org"], &patch)?.send().await?
        }
    };
    cx.show(&answer, details)
}

fn details(org: OrgView, wide: bool) -> String {
    let four_eyes = if org.approval_four_eyes { "yes" } else { "no" };
    let passkey = if org.approval_passkey { "yes" } else { "no" };
    let pairs = vec![
        ("org", Some(org.slug)),
        ("name", Some(org.name)),
        ("quorum", Some(format!("{} (people who must say yes to R3 and R4)", org.approval_quorum))),
        (
            "four eyes",
            Some(format!("{four_eyes} (whether a session's opener may not approve its R3 and R4)")),
        ),
        ("passkey", Some(format!("{passkey} (whether each yes to R3 and R4 must be signed with a passkey)"))),
        ("receipts", Some(format!("bodies are kept {} days; facts and proof stay", org.receipts_kept_days))),
    ];
    table::pairs(pairs, wide)
}
