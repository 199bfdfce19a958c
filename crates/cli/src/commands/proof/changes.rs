//! `changes`: who changed what anyone may do.

use std::path::PathBuf;

use api::ChangeView;
use clap::{Args, Subcommand};
use model::{ChangeId, ProposedChangeId, UserId};
use serde_json::Value;

use super::{
    proposed,
    receipts::{Export, envelope, export, proven},
};
use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// List, save and export change records
#[derive(Debug, Subcommand)]
pub enum Changes {
    /// List the change records, newest first
    #[command(after_help = "Examples:
  countersign changes list
  countersign changes list --change rule.
  countersign changes list --change member.removed --user usr_0199… --all --json")]
    List {
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a change record, or save it as a file
    #[command(after_help = "Examples:
  countersign changes show chg_0199…
  countersign changes show chg_0199… --proof --out change.json

On a terminal, the content of the record is shown. A file or a pipe gets the signed DSSE envelope; with --proof, it gets
a bundle: the envelope with the proof of its place in the ledger. Both can be verified with `countersign receipts verify`.")]
    Show {
        /// ID of the record
        id: ChangeId,
        /// Include the proof of its place in the ledger
        #[arg(long)]
        proof: bool,
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// List the changes that wait for a second owner, and those of the last 30 days that did
    #[command(after_help = "Examples:
  countersign changes proposed
  countersign changes proposed --waiting --json")]
    Proposed {
        /// Only those that wait
        #[arg(long)]
        waiting: bool,
    },
    /// Show a change that waits for a second owner, and agree to it; for another owner than the one who proposed it
    #[command(after_help = "Examples:
  countersign changes approve pch_0199… --reason 'agreed in the meeting'")]
    Approve {
        id: ProposedChangeId,
        #[arg(long)]
        reason: Option<String>,
    },
    /// Deny a change that waits for a second owner
    #[command(after_help = "Examples:
  countersign changes deny pch_0199… --reason 'ask again after the freeze'")]
    Deny {
        id: ProposedChangeId,
        #[arg(long)]
        reason: Option<String>,
    },
    /// Withdraw a change that you proposed
    #[command(after_help = "Examples:
  countersign changes withdraw pch_0199…")]
    Withdraw { id: ProposedChangeId },
    /// Save change records with their proofs, one bundle per line
    #[command(after_help = "Examples:
  countersign changes export --out changes.ndjson
  countersign changes export --change token. | countersign receipts verify - --keys keys.json

Each line can be verified offline with the public keys; see docs/verify.md.")]
    Export {
        #[command(flatten)]
        filter: Filter,
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE", default_value = "-")]
        out: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Filter {
    /// Only this kind of change, or those that begin with this, such as `rule.`
    #[arg(long, value_name = "KIND")]
    change: Option<String>,
    /// Only changes of the thing with this ID
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Only changes by this person
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,
}

impl Filter {
    fn query(self) -> Vec<(&'static str, String)> {
        let user = self.user.map(|user| user.to_string());
        let all = [("change", self.change), ("subject", self.subject), ("user", user)];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

pub(crate) async fn run(command: Changes, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Changes::List { filter, page } => {
            let header = &["ID", "CHANGE", "NAME", "BY", "AT", "REASON"];
            let list = List { path: &["v1", "changes"], query: filter.query(), page: &page, header };
            list.print(cx, row).await
        }
        Changes::Show { id, proof, out } => show(cx, id, proof, out).await,
        Changes::Proposed { waiting } => proposed::list(cx, waiting).await,
        Changes::Approve { id, reason } => proposed::approve(cx, id, reason).await,
        Changes::Deny { id, reason } => proposed::deny(cx, id, reason).await,
        Changes::Withdraw { id } => proposed::withdraw(cx, id).await,
        Changes::Export { filter, out } => {
            let path = &["v1", "ledger", "changes"];
            export(cx, Export { path, query: filter.query(), what: "change records" }, out).await
        }
    }
}

async fn show(cx: &mut Context<'_>, id: ChangeId, proof: bool, out: Option<PathBuf>) -> Result<Exit, Error> {
    let text = id.to_string();
    let path = ["v1", "changes", &text];
    let (saved, answer) = if proof {
        let answer = proven(&cx.client()?, &path).await?;
        (answer.text.clone(), answer)
    } else {
        let answer = cx.client()?.get(&path)?.send().await?;
        (envelope(&answer)?, answer)
    };
    match out {
        Some(path) => {
            input::write_path(&path, saved.as_bytes(), cx.console)?;
            cx.console.note(&format!("wrote {id} to {}", path.display()))?;
        }
        None if cx.json() => cx.console.json_text(&answer.text)?,
        None if cx.console.out_is_terminal && !proof => {
            let text = table::pairs(details(&answer.parse()?), true);
            cx.console.data(&text)?;
            cx.console.note(
                "not verified; save the record with --out and verify it with `countersign receipts verify`",
            )?;
        }
        None => cx.console.json_text(&saved)?,
    }
    Ok(Exit::Done)
}

fn row(change: ChangeView) -> Vec<String> {
    let by = by(&change);
    vec![
        change.id.to_string(),
        inline(&change.change),
        inline(&change.name),
        by,
        table::moment(change.at),
        inline(&change.reason.unwrap_or_default()),
    ]
}

fn by(change: &ChangeView) -> String {
    let method = inline(&change.by.method);
    change.by.user.map_or(method, |user| user.to_string())
}

fn details(change: &ChangeView) -> Vec<(&'static str, Option<String>)> {
    let json = |value: &Option<Value>| value.as_ref().map(|value| inline(&value.to_string()));
    let from = change.address.as_deref().map(|address| format!(" from {address}")).unwrap_or_default();
    vec![
        ("change", Some(inline(&format!("{} {} ({})", change.change, change.name, change.subject)))),
        ("id", Some(change.id.to_string())),
        ("by", Some(inline(&format!("{}, known by {}{from}", by(change), change.by.method)))),
        ("at", Some(table::moment(change.at))),
        ("reason", change.reason.as_deref().map(inline)),
        ("before", json(&change.before)),
        ("after", json(&change.after)),
    ]
}
