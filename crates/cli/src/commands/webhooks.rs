//! `webhooks`: URLs that events are sent to.

use std::path::{Path, PathBuf};

use api::{DeliveryView, NewWebhookSecretView, WebhookPatch, WebhookRequest, WebhookView};
use clap::Subcommand;
use model::{DeliveryId, WebhookId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    Context,
    client::Answer,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::inline,
};

const MOST_FILTER_BYTES: usize = 64 << 10;

/// Send signed events to URLs
#[derive(Debug, Subcommand)]
pub enum Webhooks {
    /// List the webhooks, without their secrets
    #[command(after_help = "Examples:
  countersign webhooks list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a webhook and print its signing secret, which is shown only once
    #[command(after_help = "Examples:
  countersign webhooks add https://hooks.example.com/countersign > webhook.secret
  countersign webhooks add https://hooks.example.com/failures --type action.executed --filter ./failed.json")]
    Add {
        // Not `url`, which is the global argument for the gateway.
        /// URL that receives the events
        #[arg(value_name = "URL")]
        address: String,
        /// Only events of this type; can be repeated
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<String>,
        /// File with a filter as JSON; - for stdin
        #[arg(long, value_name = "FILE")]
        filter: Option<PathBuf>,
    },
    /// Show a webhook and its delivery status
    #[command(after_help = "Examples:
  countersign webhooks show whk_0199…")]
    Show { id: WebhookId },
    /// Enable a webhook
    #[command(after_help = "Examples:
  countersign webhooks enable whk_0199…")]
    Enable { id: WebhookId },
    /// Disable a webhook and cancel its pending deliveries
    #[command(after_help = "Examples:
  countersign webhooks disable whk_0199…")]
    Disable { id: WebhookId },
    /// Delete a webhook and its deliveries
    #[command(after_help = "Examples:
  countersign webhooks remove whk_0199…")]
    Remove { id: WebhookId },
    /// Replace the signing secret and print the new one; the old one stays valid for a day
    #[command(after_help = "Examples:
  countersign webhooks rotate whk_0199… > webhook.secret")]
    Rotate { id: WebhookId },
    /// Send a test event to this webhook
    #[command(after_help = "Examples:
  countersign webhooks test whk_0199…")]
    Test { id: WebhookId },
    /// List the deliveries of a webhook, newest first
    #[command(after_help = "Examples:
  countersign webhooks deliveries whk_0199… --limit 20")]
    Deliveries {
        id: WebhookId,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Send a delivery again
    #[command(after_help = "Examples:
  countersign webhooks resend whk_0199… dlv_0199…")]
    Resend { id: WebhookId, delivery: DeliveryId },
}

pub(crate) async fn run(command: Webhooks, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Webhooks::List { page } => {
            let header = &["ID", "URL", "TYPES", "ENABLED", "FAILING SINCE", "CREATED"];
            let list = List { path: &["v1", "webhooks"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Webhooks::Add { address, types, filter } => {
            let filter = filter.map(|path| read_filter(&path, cx)).transpose()?;
            let request = WebhookRequest { url: address, types, filter };
            let path = ["v1", "webhooks"];
            let answer = cx.client()?.send_body(Method::POST, &path, &request)?.send().await?;
            secret(cx, &answer)
        }
        Webhooks::Show { id } => {
            let answer = cx.client()?.get(&["v1", "webhooks", &id.to_string()])?.send().await?;
            cx.show(&answer, shown)
        }
        Webhooks::Enable { id } => set_enabled(cx, id, true).await,
        Webhooks::Disable { id } => set_enabled(cx, id, false).await,
        Webhooks::Remove { id } => {
            let answer = cx.client()?.delete(&["v1", "webhooks", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("deleted {id}"))
        }
        Webhooks::Rotate { id } => {
            let answer = post(cx, &["v1", "webhooks", &id.to_string(), "rotate"]).await?;
            secret(cx, &answer)
        }
        Webhooks::Test { id } => {
            let answer = post(cx, &["v1", "webhooks", &id.to_string(), "test"]).await?;
            cx.show(&answer, sent)
        }
        Webhooks::Deliveries { id, page } => {
            let header = &["ID", "EVENT", "STATUS", "ATTEMPTS", "RESPONSE", "NEXT", "ERROR"];
            let id = id.to_string();
            let path = &["v1", "webhooks", id.as_str(), "deliveries"];
            List { path, query: vec![], page: &page, header }.print(cx, delivery_row).await
        }
        Webhooks::Resend { id, delivery } => {
            let (id, delivery) = (id.to_string(), delivery.to_string());
            let path = ["v1", "webhooks", &id, "deliveries", &delivery, "resend"];
            let answer = post(cx, &path).await?;
            cx.show(&answer, sent)
        }
    }
}

async fn post(cx: &mut Context<'_>, path: &[&str]) -> Result<Answer, Error> {
    cx.client()?.send_body(Method::POST, path, &json!({}))?.send().await
}

async fn set_enabled(cx: &mut Context<'_>, id: WebhookId, enabled: bool) -> Result<Exit, Error> {
    let patch = WebhookPatch { enabled: Some(enabled), ..WebhookPatch::default() };
    let path = ["v1", "webhooks", &id.to_string()];
    let answer = cx.client()?.send_body(Method::PATCH, &path, &patch)?.send().await?;
    cx.done(&answer, &format!("{} {id}", if enabled { "enabled" } else { "disabled" }))
}

fn read_filter(path: &Path, cx: &mut Context<'_>) -> Result<Value, Error> {
    let bytes = input::read_path(path, MOST_FILTER_BYTES, cx.console)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Error::usage(format!("the filter is not valid JSON: {error}")))
}

/// Prints a new secret to stdout and its webhook to stderr.
fn secret(cx: &mut Context<'_>, answer: &Answer) -> Result<Exit, Error> {
    if !cx.json() {
        let new: NewWebhookSecretView = answer.parse()?;
        cx.console.note(&format!("signing secret of {}, shown only once:", new.webhook.id))?;
    }
    cx.show(answer, |new: NewWebhookSecretView, _| inline(&new.secret.0))
}

fn types(webhook: &WebhookView) -> String {
    if webhook.types.is_empty() { "all".to_owned() } else { webhook.types.join(" ") }
}

fn row(webhook: WebhookView) -> Vec<String> {
    vec![
        webhook.id.to_string(),
        webhook.url.clone(),
        types(&webhook),
        webhook.enabled.to_string(),
        table::maybe(webhook.failing_since),
        table::moment(webhook.created_at),
    ]
}

fn shown(webhook: WebhookView, wide: bool) -> String {
    let types = types(&webhook);
    let pairs = vec![
        ("id", Some(webhook.id.to_string())),
        ("url", Some(webhook.url)),
        ("types", Some(types)),
        ("filter", webhook.filter.map(|filter| filter.to_string())),
        ("enabled", Some(webhook.enabled.to_string())),
        ("disabled reason", webhook.disabled_reason),
        ("failing since", webhook.failing_since.map(table::moment)),
        ("old secret expires", webhook.previous_secret_until.map(table::moment)),
        ("created by", Some(webhook.created_by.to_string())),
        ("created", Some(table::moment(webhook.created_at))),
    ];
    table::pairs(pairs, wide)
}

fn sent(delivery: DeliveryView, wide: bool) -> String {
    let pairs = vec![
        ("delivery", Some(delivery.id.to_string())),
        ("event", Some(delivery.event.to_string())),
        ("status", Some(delivery.status.as_str().to_owned())),
    ];
    table::pairs(pairs, wide)
}

fn delivery_row(delivery: DeliveryView) -> Vec<String> {
    vec![
        delivery.id.to_string(),
        delivery.event.to_string(),
        delivery.status.as_str().to_owned(),
        delivery.attempts.to_string(),
        delivery.last_status.map(|status| status.to_string()).unwrap_or_default(),
        table::maybe(delivery.next_at),
        delivery.last_error.unwrap_or_default(),
    ]
}
