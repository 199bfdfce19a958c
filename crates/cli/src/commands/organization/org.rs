//! `org`: settings of the organization for approvals and receipts.

use api::{ModelBudget, OrgPatch, OrgView};
use clap::{Args, Subcommand};
use reqwest::Method;

use crate::{Context, error::Error, exit::Exit, table};

/// Show and change the settings of the organization
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Show the settings
    #[command(after_help = "Examples:
  countersign org show")]
    Show,
    /// Change the settings; owners only
    #[command(after_help = "Examples:
  countersign org set --quorum 2
  countersign org set --four-eyes true --json
  countersign org set --passkey true
  countersign org set --keep-receipts-days 365
  countersign org set --legal-hold true
  countersign org set --time-zone Europe/Berlin
  countersign org set --model-budget 25")]
    Set(Change),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Change {
    /// Approvals required for R3 and R4 (1 to 10)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    quorum: Option<u32>,
    /// Four eyes: the person who opened a session cannot approve its R3 and R4 actions
    #[arg(long, value_name = "BOOL")]
    four_eyes: Option<bool>,
    /// Require a passkey signature for each approval of R3 and R4
    #[arg(long, value_name = "BOOL")]
    passkey: Option<bool>,
    /// Days to keep the bodies of receipts, parameters and results (1 to 36500); facts and proofs stay forever
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    keep_receipts_days: Option<u32>,
    /// Legal hold: erase nothing, however old it is
    #[arg(long, value_name = "BOOL")]
    legal_hold: Option<bool>,
    /// Who may loosen what protects the organization: one person, or two
    #[arg(long, value_name = "WHO", value_parser = ["one", "two_people"])]
    loosening: Option<String>,
    /// IANA time zone in which policies see the time
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// USD that model calls may cost in a day (UTC), or `none` for no limit
    #[arg(long, value_name = "USD", value_parser = usd)]
    model_budget: Option<Usd>,
}

/// An amount, or no limit.
#[derive(Debug, Clone, Copy)]
struct Usd(Option<f64>);

fn usd(text: &str) -> Result<Usd, String> {
    let amount = || text.parse::<f64>().ok().filter(|usd| (0.0..=1e6).contains(usd));
    match text {
        "none" => Ok(Usd(None)),
        _ => amount()
            .map(|usd| Usd(Some(usd)))
            .ok_or_else(|| "expected an amount such as 25, or none".to_owned()),
    }
}

pub(crate) async fn run(command: Org, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let client = cx.client()?;
    let answer = match command {
        Org::Show => client.get(&["v1", "org"])?.send().await?,
        Org::Set(change) => {
            let model_budget = match change.model_budget {
                None => None,
                // The limit of tokens stays as it is.
                Some(Usd(usd_per_day)) => {
                    let now: OrgView = client.get(&["v1", "org"])?.send().await?.parse()?;
                    Some(ModelBudget { usd_per_day, ..now.model_budget })
                }
            };
            let patch = OrgPatch {
                model_budget,
                approval_quorum: change.quorum,
                approval_four_eyes: change.four_eyes,
                approval_passkey: change.passkey,
                receipts_kept_days: change.keep_receipts_days,
                legal_hold: change.legal_hold,
                loosening: change.loosening,
                time_zone: change.time_zone,
                // Only a browser can ask a passkey.
                signed: None,
            };
            client.send_body(Method::PATCH, &["v1", "org"], &patch)?.send().await?
        }
    };
    cx.show(&answer, details)
}

fn models(budget: ModelBudget) -> String {
    let money =
        budget.usd_per_day.map_or_else(|| "no limit in USD".to_owned(), |usd| format!("{usd} USD a day"));
    match budget.tokens_per_day {
        Some(tokens) => format!("{money}, {tokens} tokens a day"),
        None => money,
    }
}

fn details(org: OrgView, wide: bool) -> String {
    let four_eyes = if org.approval_four_eyes { "yes" } else { "no" };
    let passkey = if org.approval_passkey { "yes" } else { "no" };
    let days = org.receipts_kept_days;
    let retention = match (org.legal_hold, org.receipts_kept_days_before, org.receipts_shorter_at) {
        (true, ..) => format!("kept: legal hold, nothing is erased (otherwise {days} days)"),
        (false, Some(before), Some(until)) => format!(
            "bodies, parameters and results kept for {before} days until {until}, then for {days} days; facts and proofs stay"
        ),
        _ => format!("bodies, parameters and results kept for {days} days; facts and proofs stay"),
    };
    let pairs = vec![
        ("org", Some(org.slug)),
        ("name", Some(org.name)),
        ("quorum", Some(format!("{} (approvals required for R3 and R4)", org.approval_quorum))),
        (
            "four eyes",
            Some(format!("{four_eyes} (the opener of a session cannot approve its R3 and R4 actions)")),
        ),
        ("passkey", Some(format!("{passkey} (approvals of R3 and R4 require a passkey signature)"))),
        (
            "loosening",
            Some(match org.loosening.as_str() {
                "two_people" => "needs two people: a second owner must agree".to_owned(),
                _ => "needs one person".to_owned(),
            }),
        ),
        ("receipts", Some(retention)),
        ("models", Some(models(org.model_budget))),
        ("time zone", Some(format!("{} (in which policies see the time)", org.time_zone))),
    ];
    table::pairs(pairs, wide)
}
