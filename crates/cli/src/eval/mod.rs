//! `eval`: how well a model of the organization does a task that Countersign gives it, judged by checks and not by a model.

mod check;

use std::time::{Duration, Instant};

use api::{ProposeRequest, ProposedAutomation};
use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::json;

use self::check::Sentence;
use crate::{Context, client::Client, error::Error, exit::Exit, table, visible::inline};

const SENTENCES: &str = include_str!("sentences.json");
/// Longer than the gateway lets a model work on a definition.
pub(crate) const PATIENCE: Duration = Duration::from_secs(280);

/// Measure how well a model does a task
#[derive(Debug, Subcommand)]
pub enum Eval {
    /// Let a model write automations from 25 sentences, and check what it proposes; nothing is saved
    #[command(after_help = "Examples:
  countersign eval authoring --provider anthropic
  countersign eval authoring --provider anthropic --only weekday-digest,first-monday --runs 3 --json

It costs what the model costs: at most 0.25 USD for each sentence and run. The checks expect the sources that every
organization has, and no others. The exit code is 1 if a sentence failed.")]
    Authoring(Authoring),
}

#[derive(Debug, Args)]
pub struct Authoring {
    /// Provider of language models [default: the only one]
    #[arg(long)]
    provider: Option<String>,
    /// Model of the provider [default: its first one]
    #[arg(long)]
    model: Option<String>,
    /// How often each sentence is asked
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    runs: u8,
    /// Only the sentences with these names
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
}

/// What came of one sentence.
struct Done {
    name: String,
    wrong: Vec<String>,
    proposed: ProposedAutomation,
    seconds: f64,
}

pub(crate) async fn run(command: Eval, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let Eval::Authoring(asked) = command;
    let client = cx.client()?;
    let sentences = chosen(&asked.only)?;
    let of = sentences.len() * usize::from(asked.runs);
    let mut all = Vec::with_capacity(of);
    for _ in 0..asked.runs {
        for sentence in &sentences {
            cx.console.progress(&format!("{} of {of}: {}", all.len() + 1, sentence.name))?;
            let begun = Instant::now();
            let proposed = ask(&client, &asked, sentence).await?;
            let (name, wrong) = (sentence.name.clone(), sentence.judge(&proposed));
            all.push(Done { name, wrong, proposed, seconds: begun.elapsed().as_secs_f64() });
        }
    }
    let passed = all.iter().filter(|done| done.wrong.is_empty()).count();
    if cx.json() {
        let items: Vec<_> = all.iter().map(Done::as_json).collect();
        cx.console.json_value(&json!({ "passed": passed, "of": of, "items": items }))?;
    } else {
        let rows = all.iter().map(Done::row).collect();
        let header = &["SENTENCE", "RESULT", "TURNS", "REFUSED", "USD", "SECONDS", "WHY"];
        let text = table::rows(header, rows, cx.console.out_is_terminal);
        cx.console.data(&text)?;
        cx.console.note(&summary(&all, passed))?;
    }
    Ok(if passed == of { Exit::Done } else { Exit::Failed })
}

/// The sentences with these names; all without a name.
fn chosen(only: &[String]) -> Result<Vec<Sentence>, Error> {
    let mut sentences: Vec<Sentence> =
        serde_json::from_str(SENTENCES).map_err(|error| Error::usage(format!("sentences.json: {error}")))?;
    for name in only {
        if !sentences.iter().any(|sentence| sentence.name == *name) {
            let known: Vec<&str> = sentences.iter().map(|sentence| sentence.name.as_str()).collect();
            return Err(Error::usage(format!(
                "no sentence has the name `{name}`. There are: {}",
                known.join(", ")
            )));
        }
    }
    sentences.retain(|sentence| only.is_empty() || only.contains(&sentence.name));
    Ok(sentences)
}

async fn ask(client: &Client, asked: &Authoring, sentence: &Sentence) -> Result<ProposedAutomation, Error> {
    let request = ProposeRequest {
        words: sentence.words.clone(),
        definition: sentence.change.clone(),
        automation: None,
        space: None,
        provider: asked.provider.clone(),
        model: asked.model.clone(),
        time_zone: Some(sentence.time_zone.clone()),
    };
    let call = client.send_body(Method::POST, &["v1", "automations", "propose"], &request)?;
    call.timeout(PATIENCE).send().await?.parse()
}

impl Done {
    fn row(&self) -> Vec<String> {
        let Self { name, wrong, proposed, seconds } = self;
        vec![
            name.clone(),
            if wrong.is_empty() { "passed" } else { "failed" }.to_owned(),
            proposed.turns.to_string(),
            proposed.refused.to_string(),
            proposed.cost_usd.map_or_else(|| "unknown".to_owned(), |usd| format!("{usd:.4}")),
            format!("{seconds:.1}"),
            inline(&wrong.join("; ")),
        ]
    }

    fn as_json(&self) -> serde_json::Value {
        let Self { name, wrong, proposed, seconds } = self;
        json!({ "sentence": name, "passed": wrong.is_empty(), "why": wrong, "seconds": seconds, "proposed": proposed })
    }
}

fn summary(all: &[Done], passed: usize) -> String {
    let proposed = all.iter().filter(|done| done.proposed.definition.is_some());
    let (definitions, at_once) = proposed
        .fold((0, 0), |(all, at_once), done| (all + 1, at_once + i32::from(done.proposed.refused == 0)));
    let seconds: f64 = all.iter().map(|done| done.seconds).sum();
    let usd: Option<f64> = all.iter().map(|done| done.proposed.cost_usd).sum();
    let cost = usd.map_or_else(|| "an unknown amount".to_owned(), |usd| format!("{usd:.2} USD"));
    format!(
        "{passed} of {} passed. {definitions} definitions were proposed, {at_once} of them at the first try. \
         {seconds:.0} s, {cost}; nothing is saved",
        all.len()
    )
}
