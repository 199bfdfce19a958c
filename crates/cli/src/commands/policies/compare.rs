//! `compare`: whether a new text lets anything through that the saved policies stop. `suggestions`: what could be changed.

use std::path::PathBuf;

use api::{CompareRequest, ComparedAction, Comparison, Page, PolicySuggestion};
use clap::Args;
use reqwest::Method;

use super::folder::Sources;
use crate::{Context, error::Error, exit::Exit, table};

#[derive(Debug, Args)]
pub struct Compare {
    /// File with one policy
    #[arg(required_unless_present = "remove")]
    path: Option<PathBuf>,
    /// Compare with the policies without this one
    #[arg(long, value_name = "NAME", conflicts_with = "path")]
    remove: Option<String>,
}

pub(super) async fn compare(cx: &mut Context<'_>, arguments: &Compare) -> Result<Exit, Error> {
    let text = match &arguments.path {
        Some(path) => match Sources::of_paths(std::slice::from_ref(path), cx)?.texts().as_slice() {
            [only] => only.text.clone(),
            _ => return Err(Error::usage("compare one file with one policy at a time")),
        },
        None => String::new(),
    };
    let request = CompareRequest { text, remove: arguments.remove.clone() };
    let client = cx.client()?;
    let answer = client.send_body(Method::POST, &["v1", "policies", "compare"], &request)?.send().await?;
    let loosened = answer.parse::<Comparison>()?.loosened;
    cx.show(&answer, details)?;
    // A script that must not loosen stops also where it cannot be told.
    Ok(if loosened == Some(false) { Exit::Done } else { Exit::Failed })
}

fn details(found: Comparison, wide: bool) -> String {
    if let Some(missing) = found.missing {
        return format!("Nothing was compared: {missing}.");
    }
    let said = match found.loosened {
        Some(true) => "The change lets through what the saved policies stop.",
        Some(false) => "The change lets nothing through that the saved policies stop.",
        None => "The solver found nothing that the change lets through, and could not tell for all actions.",
    };
    let mut text = format!("{said} ({})", found.solver.unwrap_or_default());
    if !found.actions.is_empty() {
        let header = &["ACTION", "LOOSENED", "WHY", "EXAMPLE"];
        let rows = found.actions.into_iter().map(row).collect();
        text.push_str(&format!("\n\n{}", table::rows(header, rows, wide)));
    }
    text
}

fn row(found: ComparedAction) -> Vec<String> {
    let others = match found.alike {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let loosened = found.loosened.map_or("unknown", |loosened| if loosened { "yes" } else { "no" });
    let (why, example) = match found.example {
        Some(example) => {
            let reads_history = example.history.as_object().is_some_and(|facts| !facts.is_empty());
            let mut request = example.params.to_string();
            if reads_history {
                request.push_str(&format!(", history {}", example.history));
            }
            (example.words, request)
        }
        None => (found.note.unwrap_or_default(), String::new()),
    };
    vec![format!("{}{others}", found.action), loosened.to_owned(), why, example]
}

pub(super) async fn suggestions(cx: &mut Context<'_>, days: u32) -> Result<Exit, Error> {
    let answer =
        cx.client()?.get(&["v1", "policy-suggestions"])?.query("days", &days.to_string()).send().await?;
    if answer.parse::<Page<PolicySuggestion>>()?.items.is_empty() && !cx.json() {
        cx.console.note("no suggestions")?;
        return Ok(Exit::Done);
    }
    cx.show(&answer, |page: Page<PolicySuggestion>, wide| {
        let row = |one: PolicySuggestion| {
            let rule = one.rule.map(|rule| rule.to_string()).unwrap_or_default();
            vec![one.kind, one.action, one.where_words.unwrap_or_default(), rule, one.words]
        };
        table::rows(
            &["CHANGE", "ACTION", "WHERE", "RULE", "WHY"],
            page.items.into_iter().map(row).collect(),
            wide,
        )
    })
}
