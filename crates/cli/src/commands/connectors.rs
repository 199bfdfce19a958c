//! `connectors`: servers of the organization, and the review of their tools.

use api::{
    AuthorizeView, ConnectorAuth, ConnectorDetail, ConnectorKind, ConnectorPatch, ConnectorRequest,
    ConnectorView, HarvestView,
};
use clap::{Args, Subcommand};
use model::SourceSlug;
use reqwest::Method;
use serde_json::Value;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    review::{self, Review},
    table,
    visible::inline,
};

/// Connect servers and review their tools
#[derive(Debug, Subcommand)]
pub enum Connectors {
    /// Connect a server and fetch its tools
    #[command(after_help = "Examples:
  countersign connectors add docs --mcp https://mcp.example.com/mcp --bearer docs-token
  countersign connectors add search --stdio search          # a command that the operator declared
  countersign connectors add billing --openapi https://billing.example/openapi.json --header X-Api-Key=billing-key

Credentials are never arguments: --bearer, --header and --oauth name a secret (`countersign secrets set NAME`). If the
server does not answer, the connector is added anyway, stderr gives the reason, and the exit code is 0.")]
    Add(Add),
    /// List the connectors
    #[command(after_help = "Examples:
  countersign connectors list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a connector with its tools, or one tool in full
    #[command(after_help = "Examples:
  countersign connectors show docs
  countersign connectors show docs search")]
    Show {
        source: SourceSlug,
        /// Name of the tool, as the server names it
        tool: Option<String>,
    },
    /// Fetch the tools of a connector now, and show what changed
    #[command(after_help = "Examples:
  countersign connectors harvest docs

The exit code is 8 if the server cannot be reached; its tools then stay as they were last seen.")]
    Harvest { source: SourceSlug },
    /// Compare new and changed tools with the accepted versions, and accept or deny them
    #[command(after_help = "Examples:
  countersign connectors review docs                    # on a terminal: one tool after the other
  countersign connectors review docs search --accept --risk R1 --effect read
  countersign connectors review docs wipe --deny --note 'not needed'
  countersign connectors review docs --accept --all

A review applies to the version that was printed; if the tool changed in the meantime, the review is refused. Without a
terminal, the command prints the tools and does not ask. Exit codes: 0 nothing is left to review, 4 tools are left to
review, 5 no such connector or tool, 6 the tool changed in the meantime.")]
    Review(Review),
    /// Print the URL where a person authorizes a connector in a browser
    #[command(after_help = "Examples:
  countersign connectors authorize docs

For connectors with --oauth. The URL can be used once, within ten minutes. The tokens are stored as the secret of the
connector, and its tools are fetched.")]
    Authorize { source: SourceSlug },
    /// Enable a connector and fetch its tools
    #[command(after_help = "Examples:
  countersign connectors enable docs")]
    Enable { source: SourceSlug },
    /// Disable a connector; its tools and reviews are kept
    #[command(after_help = "Examples:
  countersign connectors disable docs")]
    Disable { source: SourceSlug },
    /// Remove a connector and its tools; rules for it stay
    #[command(after_help = "Examples:
  countersign connectors remove docs")]
    Remove { source: SourceSlug },
}

#[derive(Debug, Args)]
pub struct Add {
    /// Source name: the first part of each action, as in docs.search; cannot be changed later
    source: SourceSlug,
    #[command(flatten)]
    place: Where,
    /// With --openapi: base URL of the operations [default: from the document]
    #[arg(long, value_name = "URL", requires = "openapi")]
    base_url: Option<String>,
    #[command(flatten)]
    auth: With,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Where {
    /// URL of an MCP server (Streamable HTTP)
    #[arg(long, value_name = "URL")]
    mcp: Option<String>,
    /// Name of a command, declared by the operator, that is an MCP server on stdio
    #[arg(long, value_name = "NAME")]
    stdio: Option<String>,
    /// URL of the OpenAPI document of an HTTP service
    #[arg(long, value_name = "URL")]
    openapi: Option<String>,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct With {
    /// Name of the secret to send as `Authorization: Bearer …`
    #[arg(long, value_name = "SECRET")]
    bearer: Option<String>,
    /// Header name and name of the secret to send in it
    #[arg(long, value_name = "NAME=SECRET", value_parser = header)]
    header: Option<(String, String)>,
    /// Name of the secret that stores the OAuth tokens
    #[arg(long, value_name = "SECRET")]
    oauth: Option<String>,
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, secret)) if !name.is_empty() && !secret.is_empty() => {
            Ok((name.to_owned(), secret.to_owned()))
        }
        _ => Err("expected HEADER=SECRET, for example X-Api-Key=docs-key".to_owned()),
    }
}

impl Add {
    fn request(self) -> ConnectorRequest {
        let Where { mcp, stdio, openapi } = self.place;
        let (kind, place) = match (mcp, stdio, openapi) {
            (Some(url), ..) => (ConnectorKind::Mcp, url),
            (_, Some(name), _) => (ConnectorKind::Stdio, name),
            (.., url) => (ConnectorKind::OpenApi, url.unwrap_or_default()),
        };
        let With { bearer, header, oauth } = self.auth;
        let auth = match (bearer, header, oauth) {
            (Some(secret), ..) => ConnectorAuth::Bearer { secret },
            (_, Some((header, secret)), _) => ConnectorAuth::Header { header, secret },
            (.., Some(secret)) => ConnectorAuth::OAuth { secret },
            _ => ConnectorAuth::None,
        };
        ConnectorRequest { source: self.source.to_string(), kind, place, base_url: self.base_url, auth }
    }
}

pub(crate) async fn run(command: Connectors, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Connectors::Add(arguments) => {
            let request = arguments.request();
            let path = ["v1", "connectors"];
            let answer = cx.client()?.send_body(Method::POST, &path, &request)?.send().await?;
            let exit = cx.show(&answer, details)?;
            next_step(cx, &answer.parse()?)?;
            Ok(exit)
        }
        Connectors::List { page } => {
            let header = &["SOURCE", "KIND", "ADDRESS", "AUTH", "STATE", "TOOLS", "TO REVIEW", "FETCHED"];
            let list = List { path: &["v1", "connectors"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Connectors::Show { source, tool } => show(cx, &source, tool.as_deref()).await,
        Connectors::Harvest { source } => harvest(cx, &source).await,
        Connectors::Review(arguments) => review::run(arguments, cx).await,
        Connectors::Authorize { source } => authorize(cx, &source).await,
        Connectors::Enable { source } => switch(cx, &source, true).await,
        Connectors::Disable { source } => switch(cx, &source, false).await,
        Connectors::Remove { source } => {
            let answer = cx.client()?.delete(&["v1", "connectors", source.as_str()])?.send().await?;
            cx.done(&answer, &format!("removed {source}"))
        }
    }
}

async fn show(cx: &mut Context<'_>, source: &SourceSlug, tool: Option<&str>) -> Result<Exit, Error> {
    let answer = cx.client()?.get(&["v1", "connectors", source.as_str()])?.send().await?;
    let Some(name) = tool else {
        return cx.show(&answer, |found: ConnectorDetail, wide| {
            let header = &["TOOL", "STATE", "RISK", "EFFECT", "NOTE"];
            let rows = found.tools.iter().map(|tool| {
                let why = tool.problem.clone().unwrap_or_else(|| tool.note.clone());
                vec![
                    review::name(tool),
                    review::state_name(tool.state).to_owned(),
                    tool.risk.as_str().to_owned(),
                    tool.effect.as_str().to_owned(),
                    why,
                ]
            });
            let tools = table::rows(header, rows.collect(), wide);
            format!("{}\n\n{tools}", details(found.connector, wide))
        });
    };
    let detail: ConnectorDetail = answer.parse()?;
    let found = review::find(detail.tools, source, name)?;
    if cx.json() {
        let whole: Value = answer.parse()?;
        let tools = whole["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        cx.console.json_value(&tools.iter().find(|tool| tool["tool"] == found.tool.as_str()))?;
    } else {
        let page = review::page(&found, cx.console.width());
        cx.console.data(&page)?;
    }
    Ok(Exit::Done)
}

async fn harvest(cx: &mut Context<'_>, source: &SourceSlug) -> Result<Exit, Error> {
    let path = ["v1", "connectors", source.as_str(), "harvest"];
    let answer = cx.client()?.send_body(Method::POST, &path, &serde_json::json!({}))?.send().await?;
    cx.show(&answer, |found: HarvestView, wide| {
        let news = found.news.into_iter().map(|news| vec![news.what, news.tool]).collect::<Vec<_>>();
        let connector = details(found.connector, wide);
        if news.is_empty() {
            connector
        } else {
            format!("{connector}\n\n{}", table::rows(&["CHANGE", "TOOL"], news, wide))
        }
    })?;
    let found: HarvestView = answer.parse()?;
    next_step(cx, &found.connector)?;
    Ok(if found.connector.problem.is_some() { Exit::ActionFailed } else { Exit::Done })
}

async fn authorize(cx: &mut Context<'_>, source: &SourceSlug) -> Result<Exit, Error> {
    let path = ["v1", "connectors", source.as_str(), "authorize"];
    let answer = cx.client()?.send_body(Method::POST, &path, &serde_json::json!({}))?.send().await?;
    if !cx.json() {
        cx.console.note("open this URL in a browser within ten minutes:")?;
    }
    cx.show(&answer, |begun: AuthorizeView, _| inline(&begun.authorize_url))
}

async fn switch(cx: &mut Context<'_>, source: &SourceSlug, enabled: bool) -> Result<Exit, Error> {
    let patch = ConnectorPatch { enabled: Some(enabled), ..ConnectorPatch::default() };
    let path = ["v1", "connectors", source.as_str()];
    let answer = cx.client()?.send_body(Method::PATCH, &path, &patch)?.send().await?;
    let exit = cx.show(&answer, details)?;
    next_step(cx, &answer.parse()?)?;
    Ok(exit)
}

/// Prints what to do next: why a server cannot be reached, or that its tools need a review.
fn next_step(cx: &mut Context<'_>, connector: &ConnectorView) -> Result<(), Error> {
    let source = inline(&connector.source);
    if let Some(problem) = &connector.problem {
        cx.console.note(&format!("{source} cannot be reached: {}", inline(problem)))?;
    }
    if connector.to_review > 0 && connector.enabled {
        cx.console.note(&format!("review its tools with `countersign connectors review {source}`"))?;
    }
    Ok(())
}

fn auth(auth: &ConnectorAuth) -> String {
    match auth {
        ConnectorAuth::None => "none".to_owned(),
        ConnectorAuth::Bearer { secret } => format!("bearer {secret}"),
        ConnectorAuth::Header { header, secret } => format!("{header} {secret}"),
        ConnectorAuth::OAuth { secret } => format!("oauth {secret}"),
    }
}

fn state(connector: &ConnectorView) -> &'static str {
    match (connector.enabled, &connector.problem) {
        (false, _) => "disabled",
        (true, Some(_)) => "unreachable",
        (true, None) => "enabled",
    }
}

fn row(connector: ConnectorView) -> Vec<String> {
    vec![
        connector.source.clone(),
        connector.kind.as_str().to_owned(),
        connector.place.clone(),
        auth(&connector.auth),
        state(&connector).to_owned(),
        connector.tools.to_string(),
        connector.to_review.to_string(),
        table::maybe(connector.last_harvested_at),
    ]
}

fn details(connector: ConnectorView, wide: bool) -> String {
    let pairs = vec![
        ("source", Some(inline(&connector.source))),
        ("id", Some(connector.id.to_string())),
        ("kind", Some(connector.kind.as_str().to_owned())),
        ("address", Some(inline(&connector.place))),
        ("base URL", connector.base_url.as_deref().map(inline)),
        ("auth", Some(inline(&auth(&connector.auth)))),
        ("state", Some(state(&connector).to_owned())),
        ("server", connector.server.as_deref().map(inline)),
        ("fetched", connector.last_harvested_at.map(table::moment)),
        ("problem", connector.problem.as_deref().map(inline)),
        ("tools", Some(format!("{}, {} to review", connector.tools, connector.to_review))),
    ];
    table::pairs(pairs, wide)
}
