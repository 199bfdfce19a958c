//! `automations`: definitions, their triggers, and starting runs.

use std::path::PathBuf;

use api::{AutomationDetail, AutomationPatch, AutomationView, RunRequest, TriggerView, VersionView};
use clap::{Args, Subcommand};
use model::{AutomationStatus, IdempotencyKey, SpaceId, TriggerId, TriggerType};
use reqwest::Method;
use serde_json::{Value, json};

use super::{flows, runs};
use crate::{
    Context, definitions,
    definitions::find,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::{inline, visible_json},
    watch::Show,
};

/// Changes of a version that a list names.
const MOST_CHANGES: usize = 3;

/// Save, run and manage automations
#[derive(Debug, Subcommand)]
pub enum Automations {
    /// List the automations, with their triggers and the status of the last run
    #[command(after_help = "Examples:
  countersign automations list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show an automation with its triggers and its definition
    #[command(after_help = "Examples:
  countersign automations show 'Morning digest'")]
    Show {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// Save definitions from files; an existing automation with the same name gets a new version
    #[command(after_help = "Examples:
  countersign automations apply digest.json
  countersign automations apply automations/*.json
  cat digest.json | countersign automations apply -

All files are validated first; if one is invalid, nothing is saved. The token of a new webhook trigger is printed to
stdout and shown only once.")]
    Apply {
        /// Files with definitions as JSON; - for stdin
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Space of new automations [default: the first space of the organization]
        #[arg(long, value_name = "ID")]
        space: Option<SpaceId>,
    },
    /// Write a definition to a file or stdout; `apply` accepts it unchanged
    #[command(after_help = "Examples:
  countersign automations export 'Morning digest' --output digest.json")]
    Export {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
        /// Output file; - for stdout
        #[arg(long, short, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    /// Validate definitions without saving them, and show what policy would decide about each step
    #[command(after_help = "Examples:
  countersign automations validate digest.json
  countersign automations validate automations/*.json --json")]
    Validate {
        /// Files with definitions as JSON; - for stdin
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Let a language model propose a definition from words, or changes of one; nothing is saved
    #[command(after_help = "Examples:
  countersign automations propose 'every weekday at nine, what is still to do in Linear, to Slack' --out proposed.json
  countersign automations propose 'half past eight instead' --change 'Morning digest' --out proposed.json

The definition is one that can be saved. Read it, and save it with `countersign automations apply`. It costs at most 0.25
USD. The exit code is 1 if nothing is proposed.")]
    Propose(definitions::Propose),
    /// Show what `apply` would change
    #[command(after_help = "Examples:
  countersign automations diff digest.json")]
    Diff {
        /// File with a definition as JSON; - for stdin
        file: PathBuf,
    },
    /// Start a run and print its id
    #[command(after_help = "Examples:
  countersign automations run 'Morning digest' --watch
  countersign automations run 'Morning digest' --input state=Todo --input limit:=5
  countersign automations run aut_0199… --inputs @inputs.json --wait --json

Without --wait or --watch, the exit code is 0 as soon as the run is accepted. With one of them, the exit code is that of
`countersign runs watch`.")]
    Run(Run),
    /// Pause an automation: only a person can start it
    #[command(after_help = "Examples:
  countersign automations pause 'Morning digest'")]
    Pause {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// Resume an automation: its triggers start it again
    #[command(after_help = "Examples:
  countersign automations resume 'Morning digest'")]
    Resume {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// Archive an automation: nothing starts it, its name can be reused, its runs stay
    #[command(after_help = "Examples:
  countersign automations archive 'Morning digest'")]
    Archive {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// List the versions of a definition with their changes, newest first
    #[command(after_help = "Examples:
  countersign automations versions 'Morning digest'")]
    Versions {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show what its steps send where, and whether somebody is asked
    #[command(after_help = "Examples:
  countersign automations flows 'Morning digest'

Flows are held once `flow.mode` of the gate settings is `hold`; before, what would be asked is recorded.")]
    Flows {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// Consent to the flows of an automation, so that nobody is asked about them in each run
    #[command(after_help = "Examples:
  countersign automations consent 'Morning digest' --why 'the channel is ours'

Only for flows to places that its definition or the person who starts it chooses. The consents become a part of the gate
settings. It holds as long as the data comes from no other source. The exit code is 4 if it waits for a second owner.")]
    Consent {
        /// Name or id of the automation
        #[arg(value_name = "NAME|ID")]
        automation: String,
    },
    /// Replace the token of a webhook trigger; the new token is printed once, the old one stops working
    #[command(after_help = "Examples:
  countersign automations rotate trg_0199… > webhook.token")]
    Rotate {
        /// Id of the trigger
        trigger: TriggerId,
    },
}

#[derive(Debug, Args)]
pub struct Run {
    /// Name or id of the automation
    #[arg(value_name = "NAME|ID")]
    automation: String,
    /// One input: name=text, or name:=json for numbers, booleans, lists and objects
    #[arg(long = "input", value_name = "NAME=VALUE")]
    input: Vec<String>,
    /// All inputs as one JSON object: the JSON itself, @FILE, or - for stdin
    #[arg(long, value_name = "JSON")]
    inputs: Option<String>,
    /// Idempotency key: the same request with the same key starts one run
    #[arg(long, value_name = "IDEMPOTENCY_KEY")]
    key: Option<IdempotencyKey>,
    /// Wait until the run has ended, then print it
    #[arg(long, conflicts_with = "watch")]
    wait: bool,
    /// Follow the run until it has ended, as `runs watch` does
    #[arg(long)]
    watch: bool,
}

pub(crate) async fn run(command: Automations, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Automations::List { page } => {
            let header = &["ID", "NAME", "STATUS", "VERSION", "STARTED BY", "NEXT", "RUNS", "LAST RUN"];
            List { path: &["v1", "automations"], query: vec![], page: &page, header }.print(cx, row).await
        }
        Automations::Show { automation } => {
            let client = cx.client()?;
            let id = find::id(&client, &automation).await?;
            let answer = client.get(&["v1", "automations", &id])?.send().await?;
            cx.show(&answer, shown)
        }
        Automations::Apply { files, space } => definitions::apply(cx, &files, space).await,
        Automations::Export { automation, output } => {
            let client = cx.client()?;
            let id = find::id(&client, &automation).await?;
            let answer = client.get(&["v1", "automations", &id])?.send().await?;
            let text = definitions::pretty(&answer.parse::<AutomationDetail>()?.definition);
            if output.as_os_str() == "-" {
                cx.console.json_text(&text)?;
            } else {
                input::write_path(&output, text.as_bytes(), cx.console)?;
                cx.console.note(&format!("wrote {}", inline(&output.display().to_string())))?;
            }
            Ok(Exit::Done)
        }
        Automations::Validate { files } => definitions::validate(cx, &files).await,
        Automations::Propose(asked) => definitions::propose(cx, asked).await,
        Automations::Diff { file } => definitions::diff(cx, &file).await,
        Automations::Run(arguments) => start(cx, &arguments).await,
        Automations::Pause { automation } => set(cx, &automation, AutomationStatus::Paused).await,
        Automations::Resume { automation } => set(cx, &automation, AutomationStatus::Active).await,
        Automations::Archive { automation } => set(cx, &automation, AutomationStatus::Archived).await,
        Automations::Versions { automation, page } => {
            let id = find::id(&cx.client()?, &automation).await?;
            let path = ["v1", "automations", &id, "versions"];
            let header = &["VERSION", "SAVED", "BY", "CHANGES"];
            List { path: &path, query: vec![], page: &page, header }.print(cx, version_row).await
        }
        Automations::Flows { automation } => flows::list(cx, &automation).await,
        Automations::Consent { automation } => flows::consent(cx, &automation).await,
        Automations::Rotate { trigger } => {
            let client = cx.client()?;
            let path = ["v1", "triggers", &trigger.to_string(), "rotate"];
            let answer = client.send_body(Method::POST, &path, &json!({}))?.send().await?;
            definitions::rotated(cx, &client, &answer)
        }
    }
}

async fn start(cx: &mut Context<'_>, arguments: &Run) -> Result<Exit, Error> {
    let inputs = input::INPUTS.read(arguments.inputs.as_deref(), &arguments.input, cx.console)?;
    let client = cx.client()?;
    let id = find::id(&client, &arguments.automation).await?;
    let path = ["v1", "automations", &id, "runs"];
    let call = client.send_body(Method::POST, &path, &RunRequest { inputs })?;
    let sent = call.key(arguments.key.as_ref().map(IdempotencyKey::as_str)).send().await;
    let answer = sent.and_then(runs::is_run).map_err(|error| error.in_doubt(runs::CHECK_FIRST))?;
    let show = match (arguments.watch, arguments.wait) {
        (true, _) => Some(Show::fitting(cx)),
        (false, true) => Some(Show::End { json: cx.json() }),
        (false, false) => None,
    };
    runs::started(cx, &client, &answer, show).await
}

async fn set(cx: &mut Context<'_>, named: &str, status: AutomationStatus) -> Result<Exit, Error> {
    let client = cx.client()?;
    let id = find::id(&client, named).await?;
    let patch = AutomationPatch { status: Some(status), ..AutomationPatch::default() };
    let answer = client.send_body(Method::PATCH, &["v1", "automations", &id], &patch)?.send().await?;
    cx.done(&answer, &format!("{} is {}", inline(named), status.as_str()))
}

fn row(automation: AutomationView) -> Vec<String> {
    let starts: Vec<String> = automation.triggers.iter().map(starts).collect();
    let next =
        automation.triggers.iter().filter(|trigger| trigger.enabled).filter_map(|trigger| trigger.next_at);
    vec![
        automation.id.to_string(),
        automation.name,
        automation.status.as_str().to_owned(),
        automation.version.to_string(),
        if starts.is_empty() { "a person".to_owned() } else { starts.join("; ") },
        table::maybe(next.min()),
        automation.runs.to_string(),
        automation.last_run.map(|run| run.status.as_str().to_owned()).unwrap_or_default(),
    ]
}

/// What starts the automation, in a few words.
fn starts(trigger: &TriggerView) -> String {
    let text = |name: &str| trigger.config.get(name).and_then(Value::as_str).unwrap_or_default();
    match trigger.trigger_type {
        TriggerType::Schedule => format!("{} {}", text("cron"), text("timezone")),
        TriggerType::Event => format!("event {}", text("event_type")),
        other => other.as_str().to_owned(),
    }
}

fn shown(found: AutomationDetail, wide: bool) -> String {
    let automation = found.automation;
    let last = automation.last_run.map(|run| format!("{} ({})", run.status.as_str(), run.id));
    let pairs = vec![
        ("name", Some(inline(&automation.name))),
        ("id", Some(automation.id.to_string())),
        ("goal", Some(inline(&automation.goal)).filter(|goal| !goal.is_empty())),
        ("status", Some(automation.status.as_str().to_owned())),
        ("version", Some(automation.version.to_string())),
        ("space", Some(automation.space.to_string())),
        ("runs", Some(automation.runs.to_string())),
        ("last run", last),
        ("created by", Some(automation.created_by.to_string())),
        ("created", Some(table::moment(automation.created_at))),
        ("updated", Some(table::moment(automation.updated_at))),
    ];
    let mut text = table::pairs(pairs, wide);
    if !automation.triggers.is_empty() {
        let header = &["TRIGGER", "STARTED BY", "ENABLED", "NEXT", "LAST", "ADDRESS"];
        let rows = automation.triggers.iter().map(trigger_row).collect();
        text.push_str(&format!("\n\n{}", table::rows(header, rows, wide)));
    }
    text + "\n\n" + &visible_json(&definitions::pretty(&found.definition))
}

fn trigger_row(trigger: &TriggerView) -> Vec<String> {
    let bare = if trigger.has_token == Some(false) { " (no token)" } else { "" };
    vec![
        trigger.id.to_string(),
        starts(trigger),
        trigger.enabled.to_string(),
        table::maybe(trigger.next_at),
        table::maybe(trigger.last_fired_at),
        trigger.path.as_ref().map(|path| format!("{path}{bare}")).unwrap_or_default(),
    ]
}

fn version_row(version: VersionView) -> Vec<String> {
    let word =
        |change: &Value, name: &str| change.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let named = version.changes.iter().take(MOST_CHANGES);
    let mut changes: Vec<String> =
        named.map(|change| format!("{} {}", word(change, "op"), word(change, "path"))).collect();
    if version.changes.len() > MOST_CHANGES {
        changes.push(format!("and {} more", version.changes.len() - MOST_CHANGES));
    }
    vec![
        version.version.to_string(),
        table::moment(version.saved_at),
        version.saved_by.to_string(),
        changes.join(", "),
    ]
}
