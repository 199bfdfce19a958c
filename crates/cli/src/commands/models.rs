//! `models`: providers of language models.

use api::{ConnectorAuth, ModelProviderRequest, ModelProviderView, ModelRequest, ModelWire, SpendingView};
use clap::{Args, Subcommand, ValueEnum};
use model::ActionName;
use reqwest::Method;
use serde_json::json;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// Add and test providers of language models
#[derive(Debug, Subcommand)]
pub enum Models {
    /// Add or change a provider, and test it
    #[command(after_help = "Examples:
  countersign models add anthropic --secret anthropic-key --model claude-sonnet-5-5
  countersign models add local --preset ollama --model qwen3:8b --context 32000 --private
  countersign models add azure --base-url https://acme.openai.azure.com/openai/v1 --secret azure-key --model gpt-5.5

Credentials are never arguments: --secret names a secret (`countersign secrets set NAME`). A provider whose name is that of a
preset (`countersign models presets`) needs no more than its secret and a model. The test costs a few tokens; if the provider
does not answer, it is saved anyway, stderr gives the reason, and the exit code is 0.")]
    Add(Add),
    /// Test a provider: one call of a tool and one answer in a schema
    #[command(after_help = "Examples:
  countersign models test anthropic

The exit code is 8 if the provider cannot be asked.")]
    Test { provider: ActionName },
    /// List the providers
    #[command(after_help = "Examples:
  countersign models list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show what models cost on the last days
    #[command(after_help = "Examples:
  countersign models spending
  countersign models spending --days 7

A day begins at midnight UTC. `countersign org set --model-budget` sets the limit.")]
    Spending {
        /// Number of days, with today
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=400))]
        days: u16,
    },
    /// List the servers whose settings are known
    #[command(after_help = "Examples:
  countersign models presets")]
    Presets {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Enable a provider and test it
    #[command(after_help = "Examples:
  countersign models enable anthropic")]
    Enable { provider: ActionName },
    /// Disable a provider; steps that ask it fail
    #[command(after_help = "Examples:
  countersign models disable anthropic")]
    Disable { provider: ActionName },
    /// Remove a provider; rules for it stay
    #[command(after_help = "Examples:
  countersign models remove anthropic")]
    Remove { provider: ActionName },
}

#[derive(Debug, Args)]
pub struct Add {
    /// Name of the provider: the second part of its address, as in model.anthropic; cannot be changed later
    provider: ActionName,
    /// Server whose settings are used [default: the one with the name of the provider]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Form of requests, without a preset
    #[arg(long, value_enum)]
    wire: Option<Wire>,
    /// URL below which the paths of the wire are
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Name of the secret that holds the key
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    /// Header to send the key in [default: as the preset says, or `Authorization: Bearer`]
    #[arg(long, value_name = "NAME", requires = "secret")]
    header: Option<String>,
    /// Model to use; repeat for more
    #[arg(long = "model", value_name = "NAME", required = true)]
    models: Vec<String>,
    /// Tokens that each of these models can read and write together [default: from the bundled table]
    #[arg(long, value_name = "TOKENS")]
    context: Option<u64>,
    /// Data that is not public may be sent to this provider
    #[arg(long)]
    private: bool,
    /// Its tokens cost nothing
    #[arg(long)]
    free: bool,
}

/// The form of requests.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Wire {
    /// Anthropic's Messages API
    Messages,
    /// Chat Completions
    Chat,
    /// OpenAI's Responses API
    Responses,
}

impl Add {
    /// The request; `presets` are the names and headers of those that the gateway knows.
    fn request(self, presets: &[(String, Option<String>)]) -> ModelProviderRequest {
        let wanted = self.preset.unwrap_or_else(|| self.provider.to_string());
        let preset = presets.iter().find(|(name, _)| *name == wanted);
        let header = self.header.or_else(|| preset.and_then(|(_, header)| header.clone()));
        let auth = match (self.secret, header) {
            (None, _) => None,
            (Some(secret), None) => Some(ConnectorAuth::Bearer { secret }),
            (Some(secret), Some(header)) => Some(ConnectorAuth::Header { header, secret }),
        };
        let context = self.context;
        let model = |name| ModelRequest { name, context, max_output: None, price: None };
        // A preset that nobody asked for by name and that does not exist is none.
        let is_named = wanted != self.provider.as_str();
        ModelProviderRequest {
            preset: (preset.is_some() || is_named).then_some(wanted),
            wire: self.wire.map(|wire| match wire {
                Wire::Messages => ModelWire::AnthropicMessages,
                Wire::Chat => ModelWire::OpenaiChat,
                Wire::Responses => ModelWire::OpenaiResponses,
            }),
            base_url: self.base_url,
            auth,
            models: Some(self.models.into_iter().map(model).collect()),
            may_see_private: self.private.then_some(true),
            is_free: self.free.then_some(true),
            enabled: None,
        }
    }
}

pub(crate) async fn run(command: Models, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Models::Add(arguments) => {
            let answer = cx.client()?.get(&["v1", "model-presets"])?.send().await?;
            let known: api::Page<api::ModelPresetView> = answer.parse()?;
            let known: Vec<_> = known.items.into_iter().map(|one| (one.name, one.header)).collect();
            let provider = arguments.provider.clone();
            put(cx, &provider, &arguments.request(&known)).await
        }
        Models::Test { provider } => {
            let path = ["v1", "models", provider.as_str(), "test"];
            let answer = cx.client()?.send_body(Method::POST, &path, &json!({}))?.send().await?;
            let exit = cx.show(&answer, details)?;
            let found: ModelProviderView = answer.parse()?;
            let is_answered = found.tested.is_some_and(|test| test.problem.is_none());
            Ok(if is_answered { exit } else { Exit::ActionFailed })
        }
        Models::List { page } => {
            let header = &["PROVIDER", "ADDRESS", "MODELS", "SEES PRIVATE DATA", "STATE"];
            let list = List { path: &["v1", "models"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Models::Presets { page } => {
            let header = &["PRESET", "SERVER", "ADDRESS", "NOTE"];
            let list = List { path: &["v1", "model-presets"], query: vec![], page: &page, header };
            list.print(cx, preset_row).await
        }
        Models::Spending { days } => {
            let client = cx.client()?;
            let request = client.get(&["v1", "models", "spending"])?.query("days", &days.to_string());
            let answer = request.send().await?;
            cx.show(&answer, spending)
        }
        Models::Enable { provider } => switch(cx, &provider, true).await,
        Models::Disable { provider } => switch(cx, &provider, false).await,
        Models::Remove { provider } => {
            let answer = cx.client()?.delete(&["v1", "models", provider.as_str()])?.send().await?;
            cx.done(&answer, &format!("removed {provider}"))
        }
    }
}

async fn switch(cx: &mut Context<'_>, provider: &ActionName, enabled: bool) -> Result<Exit, Error> {
    put(cx, provider, &ModelProviderRequest { enabled: Some(enabled), ..ModelProviderRequest::default() })
        .await
}

async fn put(
    cx: &mut Context<'_>,
    provider: &ActionName,
    request: &ModelProviderRequest,
) -> Result<Exit, Error> {
    let path = ["v1", "models", provider.as_str()];
    let answer = cx.client()?.send_body(Method::PUT, &path, request)?.send().await?;
    let exit = cx.show(&answer, details)?;
    let found: ModelProviderView = answer.parse()?;
    let problem = found.tested.as_ref().and_then(|test| test.problem.clone());
    if let Some(problem) = problem.filter(|_| found.enabled) {
        let next = format!("countersign models test {provider}");
        cx.console.note(&format!(
            "saved, but it could not be asked: {}\nMend it, then: {next}",
            inline(&problem)
        ))?;
    }
    Ok(exit)
}

fn state(found: &ModelProviderView) -> String {
    match &found.tested {
        _ if !found.enabled => "disabled".to_owned(),
        _ if !found.has_credential => "no credential".to_owned(),
        None => "not tested".to_owned(),
        Some(test) if test.problem.is_some() => "does not answer".to_owned(),
        Some(test) => match (test.calls_tools, test.answers_in_schema) {
            (true, true) => "ready".to_owned(),
            (false, _) => "calls no tools".to_owned(),
            (true, false) => "answers in no schema".to_owned(),
        },
    }
}

fn names(found: &ModelProviderView) -> String {
    let names: Vec<&str> = found.models.iter().map(|model| model.name.as_str()).collect();
    names.join(", ")
}

fn row(found: ModelProviderView) -> Vec<String> {
    let private = if found.may_see_private { "yes" } else { "no" };
    vec![found.provider.clone(), found.base_url.clone(), names(&found), private.to_owned(), state(&found)]
}

fn preset_row(preset: api::ModelPresetView) -> Vec<String> {
    let url = preset.base_url.unwrap_or_else(|| "yours".to_owned());
    vec![preset.name, preset.title, url, preset.hint]
}

fn spending(found: SpendingView, wide: bool) -> String {
    let rows = found.days.iter().map(|day| {
        let reserved =
            if day.reserved_usd > 0.0 { format!("{:.4}", day.reserved_usd) } else { String::new() };
        vec![day.day.to_string(), format!("{:.4}", day.spent_usd), reserved, day.tokens.to_string()]
    });
    let table = table::rows(&["DAY", "USD", "UNDER WAY", "TOKENS"], rows.collect(), wide);
    let limit = found.budget.usd_per_day.map_or_else(|| "none".to_owned(), |usd| format!("{usd} USD a day"));
    format!("limit: {limit}\n\n{table}")
}

/// USD per million tokens, from nano-USD per token.
fn per_million(nano: u64) -> String {
    format!("{}.{:03}", nano / 1_000, nano % 1_000)
}

fn details(found: ModelProviderView, wide: bool) -> String {
    let rows = found.models.iter().map(|model| {
        let price = model.price.as_ref().map_or_else(
            || "unknown".to_owned(),
            |price| format!("{} / {}", per_million(price.input), per_million(price.output)),
        );
        vec![model.name.clone(), model.context.to_string(), model.max_output.to_string(), price]
    });
    let header = &["MODEL", "CONTEXT", "OUTPUT", "USD PER MILLION TOKENS (IN / OUT)"];
    let models = table::rows(header, rows.collect(), wide);
    let private =
        if found.may_see_private { "may see data that is not public" } else { "sees public data only" };
    format!("{}: {} · {} · {private}\n\n{models}", found.action, found.base_url, state(&found))
}
