//! `gates` and `consents`: what gates ask for, and who agreed to what.

use std::path::{Path, PathBuf};

use api::{ConsentRequest, ConsentView, FlowMode, FlowSettings, GatesRequest, GatesView};
use clap::Subcommand;
use jiff::Timestamp;
use model::ConsentId;
use reqwest::Method;
use serde_json::{Value, json};

use super::flows;
use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// Fields of the answer that no request has.
const ANSWERED: [&str; 3] = ["set_by", "set_by_name", "updated_at"];

/// Show and replace the gate settings
#[derive(Debug, Subcommand)]
pub enum Gates {
    /// Show the gate settings
    #[command(after_help = "Examples:
  countersign gates show
  countersign gates show --json > gates.json")]
    Show,
    /// Replace the gate settings with those of a file
    #[command(after_help = "Examples:
  countersign gates show --json > gates.json
  countersign gates apply gates.json --why 'mail goes to customers in the list only'
  jq '.homes += [{\"source\": \"billing\", \"space\": \"finance\"}]' gates.json | countersign gates apply -

A file with a `version` is saved only if nobody saved another one since; without one, it replaces whatever is there. What
is not in the file is removed. The exit code is 4 if a change waits for a second owner.")]
    Apply {
        /// File with the settings as JSON; - for stdin
        file: PathBuf,
    },
    /// Report what was held because of the flow of data, or would have been
    #[command(after_help = "Examples:
  countersign gates report
  countersign gates report --days 30 --json")]
    Report {
        /// Number of days, from 1 to 30
        #[arg(long, default_value_t = 14)]
        days: u32,
    },
}

/// List, store and revoke consents
#[derive(Debug, Subcommand)]
pub enum Consents {
    /// List the consents, newest first
    #[command(after_help = "Examples:
  countersign consents list --purpose newsletter
  countersign consents list --subject ada@example.com
  countersign consents list --all --json")]
    List {
        /// Only consents to this purpose
        #[arg(long)]
        purpose: Option<String>,
        /// Only consents of this subject
        #[arg(long)]
        subject: Option<String>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Store that somebody agreed to a purpose
    #[command(after_help = "Examples:
  countersign consents give newsletter ada@example.com --note 'form on the website'
  countersign consents give newsletter ada@example.com --until 2027-11-19T00:00:00Z

The subject is written as parameters of actions name it. It is stored as a hash alone, so the note and --why must not
contain it.")]
    Give {
        purpose: String,
        /// Who agreed
        subject: String,
        /// When the consent ends [default: when it is revoked]
        #[arg(long, value_name = "TIME")]
        until: Option<Timestamp>,
        /// Where the consent is from
        #[arg(long, default_value = "", hide_default_value = true)]
        note: String,
    },
    /// Revoke a consent, with effect from the next request on
    #[command(after_help = "Examples:
  countersign consents list --subject ada@example.com
  countersign consents revoke cns_0199… --why 'unsubscribed'")]
    Revoke { id: ConsentId },
}

pub(crate) async fn run_gates(command: Gates, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Gates::Show => {
            let answer = cx.client()?.get(&["v1", "gates"])?.send().await?;
            cx.show(&answer, details)
        }
        Gates::Apply { file } => apply(cx, &file).await,
        Gates::Report { days } => flows::report(cx, days).await,
    }
}

async fn apply(cx: &mut Context<'_>, path: &Path) -> Result<Exit, Error> {
    let mut document = input::document(path, cx.console)?;
    let client = cx.client()?;
    if let Value::Object(fields) = &mut document {
        for field in ANSWERED {
            fields.remove(field);
        }
        if !fields.contains_key("version") {
            let present: GatesView = client.get(&["v1", "gates"])?.send().await?.parse()?;
            fields.insert("version".to_owned(), json!(present.version));
        }
    }
    let request: GatesRequest = serde_json::from_value(document)
        .map_err(|error| Error::usage(format!("{}: {error}", path.display())))?;
    let answer = client.send_body(Method::PUT, &["v1", "gates"], &request)?.send().await?;
    let saved: GatesView = answer.parse()?;
    cx.done(&answer, &format!("saved gate settings as version {}", saved.version))
}

fn details(gates: GatesView, wide: bool) -> String {
    let recipients = gates.recipients.map_or_else(
        || "everybody".to_owned(),
        |list| if list.allow.is_empty() { "nobody".to_owned() } else { list.allow.join(", ") },
    );
    let mut pairs = vec![("version", Some(gates.version.to_string())), ("recipients", Some(recipients))];
    for one in gates.detectors {
        let of = if one.of.is_empty() { "all actions".to_owned() } else { one.of.join(", ") };
        pairs.push(("detector", Some(format!("{}: {} in {of}: {}", one.name, one.pattern, one.why))));
    }
    for one in gates.purposes {
        pairs.push((
            "purpose",
            Some(format!("{} needs consent to {} of {}", one.action, one.purpose, one.subject)),
        ));
    }
    for one in gates.homes {
        pairs.push(("home", Some(format!("{} belongs to {}", one.source, one.space))));
    }
    for one in gates.crossings {
        let only = one.source.map(|source| format!(" with {source}")).unwrap_or_default();
        pairs.push(("crossing", Some(format!("{} to {}{only}", one.from, one.to))));
    }
    pairs.extend(flow(gates.flow));
    let by = gates.set_by_name.or_else(|| gates.set_by.map(|user| user.to_string()));
    pairs.push(("set by", by));
    pairs.push(("updated", gates.updated_at.map(table::moment)));
    table::pairs(pairs, wide)
}

fn flow(flow: FlowSettings) -> Vec<(&'static str, Option<String>)> {
    let mode = match flow.mode {
        FlowMode::Observe => "observed",
        FlowMode::Hold => "held",
    };
    let listed = |entries: Vec<String>| (!entries.is_empty()).then(|| entries.join(", "));
    let mut pairs = vec![
        ("flows", Some(mode.to_owned())),
        ("trusted", listed(flow.trusted)),
        ("public", listed(flow.public)),
        ("hosts", listed(flow.hosts)),
    ];
    for one in flow.audiences {
        pairs.push(("audience", Some(format!("{} {} is {}", one.source, one.destination, one.audience))));
    }
    for one in flow.consents {
        let from = one.from.join(", ");
        pairs.push((
            "flow",
            Some(format!(
                "{} may send data of {from} to {} with {}",
                one.automation, one.destination, one.action
            )),
        ));
    }
    pairs
}

pub(crate) async fn run_consents(command: Consents, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Consents::List { purpose, subject, page } => {
            let filters = [("purpose", purpose), ("subject", subject)];
            let query = filters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
            let header = &["ID", "PURPOSE", "STATE", "EXPIRES", "STORED BY", "STORED", "NOTE"];
            List { path: &["v1", "consents"], query, page: &page, header }.print(cx, row).await
        }
        Consents::Give { purpose, subject, until, note } => {
            let request = ConsentRequest { purpose, subject, expires_at: until, note };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "consents"], &request)?.send().await?;
            let stored: ConsentView = answer.parse()?;
            cx.done(&answer, &format!("stored consent {}", stored.id))
        }
        Consents::Revoke { id } => {
            let answer = cx.client()?.delete(&["v1", "consents", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("revoked {id}"))
        }
    }
}

fn row(consent: ConsentView) -> Vec<String> {
    vec![
        consent.id.to_string(),
        consent.purpose,
        consent.state,
        table::maybe(consent.expires_at),
        consent.given_by_name.unwrap_or_else(|| consent.given_by.to_string()),
        table::moment(consent.created_at),
        consent.note,
    ]
}
