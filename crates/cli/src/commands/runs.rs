//! `runs`: list, watch, cancel and rerun runs of automations.

use api::{AgentTurnView, RerunRequest, RunDetail, RunStepView, RunView, TranscriptView};
use clap::Subcommand;
use model::{RunId, RunStatus};
use reqwest::Method;
use serde_json::json;

use crate::{
    Context,
    client::{Answer, Client},
    definitions::find,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::{inline, visible_json},
    watch::{self, Show, Watch},
};

/// Printed when it is unknown whether a run was started.
pub(crate) const CHECK_FIRST: &str =
    "hint:  check `countersign runs list`; the same request with the same --key starts one run\n";
const CHECK_RERUN: &str = "hint:  check `countersign runs list` before you repeat it\n";

/// List, watch, cancel and rerun runs
#[derive(Debug, Subcommand)]
pub enum Runs {
    /// List the runs, newest first
    #[command(after_help = "Examples:
  countersign runs list --automation 'Morning digest'
  countersign runs list --status waiting --json")]
    List {
        /// Only runs of this automation (name or id)
        #[arg(long, value_name = "NAME|ID")]
        automation: Option<String>,
        /// Only runs with this status
        #[arg(long, value_parser = input::run_status())]
        status: Option<RunStatus>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a run with its inputs, its steps and their durations
    #[command(after_help = "Examples:
  countersign runs show run_0199…")]
    Show { run: RunId },
    /// Show what was said in a step that a model performs, redacted
    #[command(after_help = "Examples:
  countersign runs transcript run_0199… sort")]
    Transcript {
        run: RunId,
        /// ID of the step
        step: String,
        /// Number of the attempt [default: the last one]
        #[arg(long)]
        attempt: Option<i16>,
    },
    /// Follow a run until it has ended; the exit code is its result
    #[command(after_help = "Examples:
  countersign runs watch run_0199…
  countersign runs watch run_0199… --json      # one JSON document per change

A terminal shows a live timeline; a pipe gets one line per change. Ctrl-C stops watching, the run continues. Exit codes:
0 succeeded, 3 cancelled or denied, 8 failed or timed out, 9 outcome of a step unknown.")]
    Watch { run: RunId },
    /// Cancel a run; no further step is started
    #[command(after_help = "Examples:
  countersign runs cancel run_0199…")]
    Cancel { run: RunId },
    /// Rerun a run from the failed step, and print the id of the new run
    #[command(after_help = "Examples:
  countersign runs rerun run_0199…
  countersign runs rerun run_0199… --from-start --watch")]
    Rerun {
        run: RunId,
        /// Start from the first step, without the results of earlier steps
        #[arg(long)]
        from_start: bool,
        /// Follow the new run until it has ended, as `runs watch` does
        #[arg(long)]
        watch: bool,
    },
}

pub(crate) async fn run(command: Runs, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Runs::List { automation, status, page } => list(cx, automation, status, &page).await,
        Runs::Show { run } => {
            let answer = cx.client()?.get(&["v1", "runs", &run.to_string()])?.send().await?;
            if cx.json() {
                return cx.show(&answer, |_: RunDetail, _| String::new());
            }
            let found: RunDetail = answer.parse()?;
            cx.console.data(&format!("{}\n\n{}", watch::page(&found, cx.console), facts(&found)))?;
            Ok(Exit::Done)
        }
        Runs::Transcript { run, step, attempt } => {
            let client = cx.client()?;
            let request = client.get(&["v1", "runs", &run.to_string(), "steps", &step, "transcript"])?;
            let request = match attempt {
                Some(attempt) => request.query("attempt", &attempt.to_string()),
                None => request,
            };
            let answer = request.send().await?;
            cx.show(&answer, |found: TranscriptView, _| transcript(&found))
        }
        Runs::Watch { run } => {
            let (client, show) = (cx.client()?, Show::fitting(cx));
            Watch::new(&client, run, show).follow(cx).await
        }
        Runs::Cancel { run } => {
            let path = ["v1", "runs", &run.to_string(), "cancel"];
            let answer = cx.client()?.send_body(Method::POST, &path, &json!({}))?.send().await?;
            let view: RunView = answer.parse()?;
            let is_over = view.status.is_terminal();
            let what = if is_over { view.status.as_str() } else { "cancelling" };
            cx.done(&answer, &format!("{run}: {what}"))
        }
        Runs::Rerun { run, from_start, watch } => {
            let client = cx.client()?;
            let path = ["v1", "runs", &run.to_string(), "rerun"];
            let request = RerunRequest { from_start };
            let sent = client.send_body(Method::POST, &path, &request)?.send().await.and_then(is_run);
            let answer = sent.map_err(|error| error.in_doubt(CHECK_RERUN))?;
            let show = watch.then(|| Show::fitting(cx));
            started(cx, &client, &answer, show).await
        }
    }
}

/// The response, if it is a run; otherwise it is unknown whether one was started.
pub(crate) fn is_run(answer: Answer) -> Result<Answer, Error> {
    answer.parse::<RunView>()?;
    Ok(answer)
}

/// Prints the id of a started run, or follows it.
pub(crate) async fn started(
    cx: &mut Context<'_>,
    client: &Client,
    answer: &Answer,
    show: Option<Show>,
) -> Result<Exit, Error> {
    let view: RunView = answer.parse()?;
    if let Some(show) = show {
        return Watch::new(client, view.id, show).follow(cx).await;
    }
    if !cx.json() {
        cx.console
            .note(&format!("started run #{}; follow it with `countersign runs watch`:", view.number))?;
    }
    cx.show(answer, |view: RunView, _| view.id.to_string())
}

async fn list(
    cx: &mut Context<'_>,
    automation: Option<String>,
    status: Option<RunStatus>,
    page: &PageArgs,
) -> Result<Exit, Error> {
    let mut query = Vec::new();
    if let Some(named) = automation {
        query.push(("automation", find::id(&cx.client()?, &named).await?));
    }
    if let Some(status) = status {
        query.push(("status", status.as_str().to_owned()));
    }
    let header = &["ID", "AUTOMATION", "RUN", "VERSION", "STATUS", "TRIGGER", "STARTED", "FINISHED", "ERROR"];
    List { path: &["v1", "runs"], query, page, header }.print(cx, row).await
}

fn row(run: RunView) -> Vec<String> {
    vec![
        run.id.to_string(),
        run.automation_name,
        run.number.to_string(),
        run.version.to_string(),
        run.status.as_str().to_owned(),
        run.trigger_type.as_str().to_owned(),
        table::moment(run.started_at.unwrap_or(run.created_at)),
        table::maybe(run.finished_at),
        run.error.map(|error| format!("{}: {}", error.class, error.message)).unwrap_or_default(),
    ]
}

/// Fields that the timeline does not show.
fn facts(found: &RunDetail) -> String {
    let run = &found.run;
    let steps = found.steps.iter().filter(|step| step.invocation.is_some());
    let invocations = steps.map(|step| {
        let id = step.invocation.map(|id| id.to_string()).unwrap_or_default();
        vec![step.step_id.clone(), step.attempt.to_string(), step.status.as_str().to_owned(), id]
    });
    let invocations: Vec<_> = invocations.collect();
    let pairs = vec![
        ("automation", Some(run.automation.to_string())),
        ("trigger", run.trigger.map(|trigger| trigger.to_string())),
        ("session", run.session.map(|session| session.to_string())),
        ("lane", Some(run.lane.as_str().to_owned())),
        ("cost", Some(run.cost_usd).filter(|usd| *usd > 0.0).map(|usd| format!("{usd:.6} USD"))),
        ("created", Some(table::moment(run.created_at))),
        ("finished", run.finished_at.map(table::moment)),
        ("inputs", Some(visible_json(&found.inputs.to_string()))),
    ];
    let mut text = table::pairs(pairs, false);
    if !invocations.is_empty() {
        let header = &["STEP", "ATTEMPT", "STATUS", "INVOCATION"];
        text.push_str(&format!("\n\n{}", table::rows(header, invocations, false)));
    }
    let turns: Vec<_> = found.steps.iter().flat_map(turns).collect();
    if !turns.is_empty() {
        let header = &["STEP", "TURN", "ENDED", "CALLS", "TOKENS IN", "TOKENS OUT", "USD"];
        text.push_str(&format!("\n\n{}", table::rows(header, turns, false)));
    }
    text
}

/// The turns of a step, as rows.
fn turns(step: &RunStepView) -> Vec<Vec<String>> {
    let of_turn = |turn: &AgentTurnView| {
        let ended = match (&turn.stop, &turn.error) {
            (Some(stop), _) => stop.clone(),
            (None, Some(error)) => error.class.clone(),
            (None, None) => "asking".to_owned(),
        };
        let calls = turn.calls.iter().map(|call| {
            let name = call.action.as_ref().unwrap_or(&call.name);
            format!("{} {}", inline(name), call.class.as_ref().unwrap_or(&call.status))
        });
        vec![
            step.step_id.clone(),
            if turn.ask > 1 { format!("{}.{}", turn.turn, turn.ask) } else { turn.turn.to_string() },
            ended,
            calls.collect::<Vec<_>>().join(", "),
            turn.input_tokens.to_string(),
            turn.output_tokens.to_string(),
            turn.cost_usd.map(|usd| format!("{usd:.6}")).unwrap_or_default(),
        ]
    };
    step.turns.iter().flatten().map(of_turn).collect()
}

/// A transcript as text. Every line that is not ours is indented, so that none can imitate one of ours.
fn transcript(found: &TranscriptView) -> String {
    let quoted = |text: &str| text.lines().map(|line| format!("    {}\n", inline(line))).collect::<String>();
    let mut text = format!("told:\n{}\ncontext:\n{}", quoted(&found.system), quoted(&found.context));
    for turn in &found.turns {
        text.push_str(&format!("\nturn {}, the model:\n{}", turn.turn, quoted(&turn.text)));
        for call in &turn.calls {
            let params = inline(&call.params.to_string());
            text.push_str(&format!("  call of {}: {params}\n", inline(&call.name)));
            text.push_str(&quoted(call.result.as_deref().unwrap_or("(no result yet)")));
        }
        for problem in &turn.problems {
            text.push_str(&format!("  does not fit: {}\n", inline(problem)));
        }
    }
    if !found.is_whole {
        text.push_str("\nSome of it is not stored any more.\n");
    }
    text
}
