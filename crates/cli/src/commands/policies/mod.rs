//! `policies` and `facts`: policies as text, what they read of the past, and their cases.
//!
//! `folder` reads files; `check` shows what the gateway says about them; `diff` compares them with what is saved; `apply`
//! and `save` save them; `backtest` decides past requests again; `compare` asks a solver; `starters` writes shipped policies into a folder.

mod apply;
mod backtest;
mod check;
mod compare;
mod diff;
mod facts;
mod folder;
mod reports;
mod save;
mod starters;

use std::path::PathBuf;

use api::{Page, PolicyView};
use clap::Subcommand;
use serde_json::value::RawValue;

pub(super) use self::facts::{Facts, run as run_facts};
use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::{inline, visible},
};

/// Check, test, backtest and save policies
#[derive(Debug, Subcommand)]
pub enum Policies {
    /// List the policies
    #[command(after_help = "Examples:
  countersign policies list
  countersign policies list --json")]
    List,
    /// Print the text of a policy
    #[command(after_help = "Examples:
  countersign policies show message-cap
  countersign policies show message-cap > message-cap.cedar
  countersign policies show message-cap --json")]
    Show { name: String },
    /// Delete a policy
    #[command(after_help = "Examples:
  countersign policies delete message-cap --why 'replaced by daily-writes'")]
    Delete { name: String },
    /// Show the problems of policies with their places; nothing is saved
    #[command(after_help = "Examples:
  countersign policies check my-policies/message-cap.cedar
  countersign policies check my-policies

The facts are those of the organization and of facts.json beside each file. The exit code is 2 if there are errors. With
--json, the `index` of a problem counts the files from 0: in the order of the arguments, within a folder by name.")]
    Check {
        /// Files with policies, or folders with *.cedar
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Run the cases of a folder against its policies; nothing is saved
    #[command(after_help = "Examples:
  countersign policies test my-policies
  countersign policies test my-policies --json

Only what is in the folder counts: *.cedar, facts.json, cases.json, and actions.json for actions that the organization
does not have. The exit code is 1 if a case fails, and 2 if a policy is invalid.")]
    Test {
        /// Folder with *.cedar, facts.json and cases.json
        dir: PathBuf,
    },
    /// Show what `apply` would change
    #[command(after_help = "Examples:
  countersign policies diff my-policies")]
    Diff {
        /// Folder with *.cedar, facts.json and cases.json
        dir: PathBuf,
    },
    /// Save the facts, policies and cases of a folder; nothing is deleted
    #[command(after_help = "Examples:
  countersign policies apply my-policies --state observing --why 'an agent flooded #general'
  countersign policies apply my-policies --state enforced

Everything is checked first; if a policy is invalid or a case of the folder fails, nothing is saved. The exit code is 4 if
a change waits for a second owner.")]
    Apply(apply::Apply),
    /// Decide the requests of the last days again, with a change and without it
    #[command(after_help = "Examples:
  countersign policies backtest my-policies
  countersign policies backtest my-policies/message-cap.cedar --days 7
  countersign policies backtest --remove message-cap --json")]
    Backtest(backtest::Backtest),
    /// Search for a request that a new text lets through and the saved policies stop
    #[command(after_help = "Examples:
  countersign policies compare my-policies/message-cap.cedar
  countersign policies compare --remove message-cap --json

A solver looks at all requests, not only at those of the past; facts can have any value. It needs cvc5 where the gateway
runs. The exit code is 1 if the change loosens, or if that cannot be told.")]
    Compare(compare::Compare),
    /// Suggest grants, rules to remove and denials, judging by what people answered
    #[command(after_help = "Examples:
  countersign policies suggestions
  countersign policies suggestions --days 7 --json

Nothing is changed. The `backtest` of each suggestion, with --json, is the body for POST /v1/policies/backtest.")]
    Suggestions {
        /// Days to look at (1 to 30)
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=30))]
        days: u32,
    },
    /// Show what observing policies would have done
    #[command(after_help = "Examples:
  countersign policies reports
  countersign policies reports --days 30")]
    Reports {
        /// Days to look at (1 to 30)
        #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=30))]
        days: u32,
    },
    /// List the shipped policies, show one, or write one into a folder
    #[command(after_help = "Examples:
  countersign policies starters
  countersign policies starters spending-cap
  countersign policies starters spending-cap --into spending-cap --set action=bank.transfer --set limit=250000
  countersign policies starters only-these-channels --into channels --set channels=C024BE91L,C0GENERAL")]
    Starters(starters::Starters),
}

pub(crate) async fn run(command: Policies, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Policies::List => {
            let header = &["NAME", "MODE", "STATE", "READS", "WHY", "UPDATED"];
            let page = PageArgs::default();
            List { path: &["v1", "policies"], query: vec![], page: &page, header }.print(cx, row).await
        }
        Policies::Show { name } => show(cx, &name).await,
        Policies::Delete { name } => {
            let answer = cx.client()?.delete(&["v1", "policies", &name])?.send().await?;
            cx.done(&answer, &format!("deleted policy {}", inline(&name)))
        }
        Policies::Check { paths } => check::check(cx, &paths).await,
        Policies::Test { dir } => check::test(cx, &dir).await,
        Policies::Diff { dir } => diff::diff(cx, &dir).await,
        Policies::Apply(arguments) => apply::apply(cx, &arguments).await,
        Policies::Backtest(arguments) => backtest::backtest(cx, &arguments).await,
        Policies::Compare(arguments) => compare::compare(cx, &arguments).await,
        Policies::Suggestions { days } => compare::suggestions(cx, days).await,
        Policies::Reports { days } => reports::reports(cx, days).await,
        Policies::Starters(arguments) => starters::starters(cx, &arguments).await,
    }
}

async fn show(cx: &mut Context<'_>, name: &str) -> Result<Exit, Error> {
    let answer = cx.client()?.get(&["v1", "policies"])?.send().await?;
    let invalid = |error: serde_json::Error| Error::InvalidResponse {
        status: answer.status,
        detail: error.to_string(),
    };
    for item in answer.parse::<Page<Box<RawValue>>>()?.items {
        let view: PolicyView = serde_json::from_str(item.get()).map_err(invalid)?;
        if view.name == name {
            if cx.json() {
                cx.console.json_text(item.get())?;
            } else {
                cx.console.data(&visible(&view.text))?;
            }
            return Ok(Exit::Done);
        }
    }
    Err(Error::Absent(format!("policy `{name}` not found; list them with `countersign policies list`")))
}

fn row(policy: PolicyView) -> Vec<String> {
    let facts = policy.facts.iter().map(|fact| format!("history.{fact}"));
    let others = policy.reads.iter().filter(|read| *read != "history" || policy.facts.is_empty()).cloned();
    let reads: Vec<String> = others.chain(facts).collect();
    vec![
        policy.name,
        mode(policy.mode, policy.approvers),
        policy.state,
        reads.join(", "),
        policy.why,
        table::moment(policy.updated_at),
    ]
}

/// The mode, with the number of people if the policy says it.
fn mode(mode: model::Mode, approvers: Option<u32>) -> String {
    match approvers {
        Some(1) => format!("{} (1 person)", mode.as_str()),
        Some(people) => format!("{} ({people} people)", mode.as_str()),
        None => mode.as_str().to_owned(),
    }
}

/// A number with a noun, for example `1 action` and `1,234 actions`.
fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_234, "1,234"), (12_345_678, "12,345,678")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((counted(1, "action"), counted(2, "action")), ("1 action".into(), "2 actions".into()));
    }
}
