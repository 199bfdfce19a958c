//! A definition from words, proposed by a model of the organization. Nothing is saved.

use std::{fs, path::PathBuf};

use api::{ProposeRequest, ProposedAutomation};
use clap::Args;
use reqwest::Method;

use super::find;
use crate::{Context, error::Error, eval::PATIENCE, exit::Exit, visible::inline};

#[derive(Debug, Args)]
pub struct Propose {
    /// What is wanted, in words
    words: String,
    /// Name or id of an automation to change
    #[arg(long, value_name = "NAME|ID")]
    change: Option<String>,
    /// File for the definition [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Provider of language models [default: the only one]
    #[arg(long)]
    provider: Option<String>,
    /// Model of the provider [default: its first one]
    #[arg(long)]
    model: Option<String>,
    /// Your time zone [default: that of the organization]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
}

pub(crate) async fn propose(cx: &mut Context<'_>, asked: Propose) -> Result<Exit, Error> {
    let Propose { words, change, out, provider, model, time_zone } = asked;
    let client = cx.client()?;
    let automation = match change {
        Some(name) => {
            Some(find::id(&client, &name).await?.parse().map_err(|_| Error::usage("no such automation"))?)
        }
        None => None,
    };
    let request =
        ProposeRequest { words, definition: None, automation, space: None, provider, model, time_zone };
    cx.console.note("asking the model; this takes up to some minutes")?;
    let call = client.send_body(Method::POST, &["v1", "automations", "propose"], &request)?;
    let answer = call.timeout(PATIENCE).send().await?;
    let proposed: ProposedAutomation = answer.parse()?;
    let found = proposed.definition.is_some();
    if cx.json() {
        cx.console.json_text(&answer.text)?;
        return Ok(if found { Exit::Done } else { Exit::Failed });
    }
    for line in said(&proposed) {
        cx.console.note(&line)?;
    }
    let Some(definition) = &proposed.definition else { return Ok(Exit::Failed) };
    let text = serde_json::to_string_pretty(definition).unwrap_or_default();
    match out {
        Some(path) => {
            fs::write(&path, format!("{text}\n"))
                .map_err(|error| Error::usage(format!("{}: {error}", path.display())))?;
            let path = path.display();
            cx.console.note(&format!(
                "wrote {path}; read it, check it with `countersign automations validate {path}`, and save it with \
                 `countersign automations apply {path}`"
            ))?;
        }
        None => cx.console.data(&text)?,
    }
    Ok(Exit::Done)
}

/// What the model says, and what it cost.
fn said(proposed: &ProposedAutomation) -> Vec<String> {
    let mut lines = Vec::new();
    if !proposed.notes.is_empty() {
        lines.push(format!("the model says: {}", inline(&proposed.notes)));
    }
    lines.extend(proposed.questions.iter().map(|text| format!("question: {}", inline(text))));
    lines.extend(proposed.gaps.iter().map(|text| format!("cannot be done: {}", inline(text))));
    lines.extend(
        proposed
            .problems
            .iter()
            .map(|problem| format!("problem: {}: {}", inline(&problem.pointer), inline(&problem.message))),
    );
    lines.extend(proposed.failure.iter().map(|why| format!("the model did not answer: {}", inline(why))));
    let cost =
        proposed.cost_usd.map_or_else(|| "an unknown amount".to_owned(), |usd| format!("{usd:.4} USD"));
    let s = if proposed.turns == 1 { "" } else { "s" };
    lines.push(format!("the model answered {} time{s}, for {cost}; nothing is saved", proposed.turns));
    lines
}
