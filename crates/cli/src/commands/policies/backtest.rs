//! `backtest`: the requests of the last days are decided again, with a change and without it.

use std::path::PathBuf;

use api::{BacktestProgress, BacktestRequest, BacktestResult, Problem};
use clap::Args;
use reqwest::Method;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{counted, folder::Sources, grouped};
use crate::{Context, error::Error, exit::Exit, table};

#[derive(Debug, Args)]
pub struct Backtest {
    /// File with policies, or folder with *.cedar; facts.json beside it is sent along
    #[arg(required_unless_present = "remove")]
    path: Option<PathBuf>,
    /// Days to decide again (1 to 30)
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=30))]
    days: u32,
    /// Decide without this policy; can be repeated
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
}

/// A line of the response. Its result stays as it came, for `--json`.
#[derive(Deserialize)]
struct Line {
    progress: Option<BacktestProgress>,
    result: Option<Box<RawValue>>,
    problem: Option<Box<RawValue>>,
}

pub(super) async fn backtest(cx: &mut Context<'_>, arguments: &Backtest) -> Result<Exit, Error> {
    let sources = match &arguments.path {
        Some(path) => Sources::of_paths(std::slice::from_ref(path), cx)?,
        None => Sources::default(),
    };
    let request = BacktestRequest {
        days: arguments.days,
        policies: sources.texts(),
        remove: arguments.remove.clone(),
        facts: sources.facts,
        ..BacktestRequest::default()
    };
    if request.policies.is_empty() && request.facts.is_empty() && request.remove.is_empty() {
        return Err(Error::usage("no *.cedar found, so there is no change to backtest"));
    }
    let client = cx.client()?;
    let call = client.send_body(Method::POST, &["v1", "policies", "backtest"], &request)?;
    let mut result: Option<Box<RawValue>> = None;
    let console = &mut *cx.console;
    let ended = call
        .send_for_lines(|text| {
            let line: Line = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
            if let Some(BacktestProgress { done, of }) = line.progress {
                let of = counted(of, "invocation");
                console.progress(&format!("{} of {of} decided again", grouped(done)))?;
            }
            if let Some(problem) = line.problem {
                return Err(failed(&problem));
            }
            if line.result.is_some() {
                result = line.result;
            }
            Ok(())
        })
        .await;
    cx.console.progress("")?;
    ended?;
    let result = result.ok_or_else(|| invalid("the backtest ended without a result".to_owned()))?;
    let read: BacktestResult =
        serde_json::from_str(result.get()).map_err(|error| invalid(error.to_string()))?;
    if cx.json() {
        cx.console.json_text(result.get())?;
    } else {
        let text = details(read, arguments.days, cx.console.out_is_terminal);
        cx.console.data(&text)?;
    }
    Ok(Exit::Done)
}

fn invalid(detail: String) -> Error {
    Error::InvalidResponse { status: 200, detail }
}

fn failed(problem: &RawValue) -> Error {
    let text = problem.get().to_owned();
    match serde_json::from_str::<Problem>(&text) {
        Ok(problem) => Error::Problem { problem: Box::new(problem), text },
        Err(error) => invalid(error.to_string()),
    }
}

fn details(result: BacktestResult, days: u32, wide: bool) -> String {
    let period = if days == 1 { "day".to_owned() } else { format!("{days} days") };
    let mut text = format!(
        "In the last {period} this would have let {} run without asking, asked about {} more, and denied {} more (of {}).",
        grouped(result.newly_allowed),
        grouped(result.newly_asked),
        grouped(result.newly_denied),
        counted(result.invocations, "invocation"),
    );
    if result.incomplete > 0 {
        text.push_str(&format!(
            "\nThe result is not exact for {}: parameters are hidden or erased, or a fact does not see that far back.",
            counted(result.incomplete, "invocation")
        ));
    }
    let (mut actions, mut examples) = (Vec::new(), Vec::new());
    for one in result.actions {
        let counts = [one.newly_allowed, one.newly_asked, one.newly_denied];
        let mut row = vec![one.action.clone()];
        row.extend(counts.map(|count| count.to_string()));
        actions.push(row);
        examples.extend(one.examples.into_iter().map(|example| {
            let (before, after) = (example.before.as_str().to_owned(), example.after.as_str().to_owned());
            vec![example.invocation, one.action.clone(), before, after, example.policies.join(", ")]
        }));
    }
    let tables: [(&[&str], Vec<Vec<String>>); 2] = [
        (&["ACTION", "NEWLY ALLOWED", "NEWLY ASKED", "NEWLY DENIED"], actions),
        (&["EXAMPLE", "ACTION", "BEFORE", "AFTER", "POLICIES"], examples),
    ];
    for (header, rows) in tables.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        text.push_str(&format!("\n\n{}", table::rows(header, rows, wide)));
    }
    text
}
