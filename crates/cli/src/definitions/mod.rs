//! Definitions in files: read, validated by the gateway, saved, and compared with saved versions.
//!
//! `Draft` is one file; `find` finds automations by name; `apply` saves; `pretty` and `diff` print a definition and its
//! changes.
//!
//! INVARIANT: if one of several files is invalid, none is saved.

mod apply;
pub(crate) mod diff;
pub(crate) mod find;
mod pretty;
mod propose;
mod tokens;

use std::{collections::BTreeSet, path::PathBuf};

use api::{DefinitionProblem, ValidateRequest, ValidationView};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    input, table,
    visible::inline,
};
pub(crate) use apply::{apply, diff};
pub(crate) use pretty::pretty;
pub(crate) use propose::Propose;
pub(crate) use propose::propose;
pub(crate) use tokens::{print_tokens, rotated};

/// Bounds the memory: all files are read before the first is saved.
const MOST_FILES: usize = 200;

/// A definition in a file.
struct Draft {
    /// File name, safe to print.
    file: String,
    definition: Value,
}

impl Draft {
    fn name(&self) -> Result<&str, Error> {
        let name = self.definition.get("name").and_then(Value::as_str);
        name.ok_or_else(|| Error::usage(format!("{} has no `name`", self.file)))
    }
}

/// A draft with the gateway's validation of it.
struct Checked {
    draft: Draft,
    answer: Answer,
    view: ValidationView,
}

/// Reads all files before any request is sent.
fn read(paths: &[PathBuf], cx: &mut Context<'_>) -> Result<Vec<Draft>, Error> {
    if paths.len() > MOST_FILES {
        return Err(Error::usage(format!("too many files. Save at most {MOST_FILES} at once")));
    }
    let mut seen = BTreeSet::new();
    let mut drafts = Vec::with_capacity(paths.len());
    for path in paths {
        let file = if path.as_os_str() == "-" { "stdin".to_owned() } else { path.display().to_string() };
        if !seen.insert(path) {
            return Err(Error::usage(format!("{file} is given twice")));
        }
        drafts.push(Draft { definition: input::document(path, cx.console)?, file: inline(&file) });
    }
    Ok(drafts)
}

/// Validates the drafts at the gateway.
async fn check(client: &Client, drafts: Vec<Draft>) -> Result<Vec<Checked>, Error> {
    let mut checked = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let request = ValidateRequest { definition: draft.definition.clone(), space: None, automation: None };
        let path = ["v1", "automations", "validate"];
        let answer = client.send_body(Method::POST, &path, &request)?.send().await?;
        let view = answer.parse()?;
        checked.push(Checked { draft, answer, view });
    }
    Ok(checked)
}

/// The problems of a file, one per line.
fn problems(checked: &Checked) -> String {
    let file = &checked.draft.file;
    if checked.view.problems.is_empty() {
        return format!("{file}  is invalid; the gateway gave no reason\n");
    }
    checked.view.problems.iter().map(|problem| format!("{}\n", line(file, problem))).collect()
}

fn line(file: &str, problem: &DefinitionProblem) -> String {
    // The empty pointer is the whole document.
    let colon = if problem.pointer.is_empty() { "" } else { ":" };
    let guess = problem.suggestion.as_deref().map(|guess| format!(" (did you mean `{}`?)", inline(guess)));
    format!(
        "{file}{colon}{}  {}{}",
        inline(&problem.pointer),
        inline(&problem.message),
        guess.unwrap_or_default()
    )
}

/// The validations of all files as one document.
fn as_json(cx: &mut Context<'_>, checked: &[Checked]) -> Result<(), Error> {
    let mut items = Vec::with_capacity(checked.len());
    for one in checked {
        items.push(json!({ "file": one.draft.file, "validation": one.answer.parse::<Value>()? }));
    }
    cx.console.json_value(&json!({ "items": items }))
}

/// Prints the problems of all invalid files.
fn refused(cx: &mut Context<'_>, checked: &[Checked]) -> Result<Exit, Error> {
    if cx.json() {
        as_json(cx, checked)?;
    }
    for one in checked.iter().filter(|one| !one.view.valid) {
        cx.console.note(&problems(one))?;
    }
    Ok(Exit::Usage)
}

/// `validate`: the problems of each file, or the decisions of policy about its steps.
pub(crate) async fn validate(cx: &mut Context<'_>, files: &[PathBuf]) -> Result<Exit, Error> {
    let drafts = read(files, cx)?;
    let checked = check(&cx.client()?, drafts).await?;
    let valid = checked.iter().all(|one| one.view.valid);
    if cx.json() {
        as_json(cx, &checked)?;
    } else {
        for one in &checked {
            report(cx, one)?;
        }
    }
    Ok(if valid { Exit::Done } else { Exit::Usage })
}

fn report(cx: &mut Context<'_>, one: &Checked) -> Result<(), Error> {
    if !one.view.valid {
        return cx.console.data(&problems(one));
    }
    cx.console.note(&format!("{}: valid", one.draft.file))?;
    let steps =
        one.view.steps.iter().map(|step| {
            vec![step.step_id.clone(), step.action.clone(), step.mode.clone(), step.reason.clone()]
        });
    let rows: Vec<_> = steps.collect();
    let wide = cx.console.out_is_terminal;
    if !rows.is_empty() {
        let header = &["STEP", "ACTION", "MODE", "REASON"];
        cx.console.data(&table::rows(header, rows, wide))?;
    }
    let worth =
        one.view.worth_checking.iter().map(|worth| vec![worth.pointer.clone(), worth.message.clone()]);
    let worth: Vec<_> = worth.collect();
    if worth.is_empty() {
        return Ok(());
    }
    cx.console.note("worth checking:")?;
    cx.console.data(&table::rows(&["PLACE", "WHAT"], worth, wide))
}
