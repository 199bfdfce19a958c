//! `facts`: what happened before, as declared numbers that policies read.

use std::path::{Path, PathBuf};

use api::{FactRequest, FactView};
use clap::Subcommand;
use serde_json::Value;

use super::{
    apply::fact_value,
    folder::{item_of, named},
    save::{self, Kind, Part},
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

/// List, save and delete facts
#[derive(Debug, Subcommand)]
pub enum Facts {
    /// List the facts in words, since when they see everything, and who reads them
    #[command(after_help = "Examples:
  countersign facts list
  countersign facts list --json")]
    List,
    /// Save the facts of a file; a fact that is changed is filled again
    #[command(after_help = "Examples:
  countersign facts set fact.json
  countersign facts set my-policies/facts.json
  cat fact.json | countersign facts set -

The exit code is 4 if a change waits for a second owner.")]
    Set {
        /// File with one fact or a list of facts as JSON; - for stdin
        file: PathBuf,
    },
    /// Delete a fact that no policy reads
    #[command(after_help = "Examples:
  countersign facts delete messages_sent")]
    Delete { name: String },
}

pub(crate) async fn run(command: Facts, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Facts::List => {
            let header = &["NAME", "FACT", "SEES SINCE", "COMPLETE", "READ BY", "UPDATED"];
            let page = PageArgs::default();
            List { path: &["v1", "facts"], query: vec![], page: &page, header }.print(cx, row).await
        }
        Facts::Set { file } => set(cx, &file).await,
        Facts::Delete { name } => {
            let answer = cx.client()?.delete(&["v1", "facts", &name])?.send().await?;
            cx.done(&answer, &format!("deleted fact {}", inline(&name)))
        }
    }
}

async fn set(cx: &mut Context<'_>, path: &Path) -> Result<Exit, Error> {
    let items = match input::document(path, cx.console)? {
        Value::Array(items) => items,
        one => vec![one],
    };
    let mut facts: Vec<FactRequest> = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        facts.push(item_of(item, &format!("{}: item {}", path.display(), index + 1))?);
    }
    named("fact", facts.iter().map(|fact| fact.name.as_str()))?;
    let mut parts = Vec::with_capacity(facts.len());
    for fact in facts {
        let body = fact_value(&fact)?;
        parts.push(Part { kind: Kind::Fact, name: fact.name, body, is_saved: false });
    }
    save::save(cx, parts).await
}

fn row(fact: FactView) -> Vec<String> {
    vec![
        fact.fact.name,
        fact.words,
        table::moment(fact.sees_since),
        if fact.complete { "yes" } else { "no" }.to_owned(),
        fact.used_by.join(", "),
        table::moment(fact.updated_at),
    ]
}
