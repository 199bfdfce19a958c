//! The source `data`: computing on what a caller already has, and telling people in the app.

use std::{borrow::Cow, time::Duration};

use async_trait::async_trait;
use model::{ActionDefinition, EffectClass, ErrorClass, Labels, Risk, SourceSlug};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    ActionSource, Announcement, Call, CallContext, Outcome, Preview, SourceError,
    define::{self, Define},
    registry::Error,
    template, wire,
};

/// How much one filling may take.
const BOUNDS: template::Bounds =
    template::Bounds { data: 256 * 1024, output: 64 * 1024, time: Duration::from_secs(1) };

/// The template and what it is filled with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Transform {
    /// The template. If it is one expression and nothing else, the result keeps its type.
    #[schemars(length(min = 1, max = 8192))]
    template: String,
    /// The values the template may use, by name.
    #[serde(default)]
    #[schemars(extend("maxProperties" = 100))]
    data: Map<String, Value>,
}

/// How loud a message is.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Level {
    /// Good to know.
    #[default]
    Info,
    /// Somebody should look.
    Warning,
    /// Somebody should look now.
    Critical,
}

/// The message to show.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Notify {
    /// One line.
    #[schemars(length(min = 1, max = 200))]
    title: String,
    /// The rest.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    body: String,
    /// `info` if left out.
    #[serde(default)]
    level: Level,
}

/// The source `data`.
pub struct Data {
    slug: SourceSlug,
    definitions: Vec<ActionDefinition>,
}

impl Data {
    /// The source.
    pub fn new() -> Result<Self, Error> {
        let slug: SourceSlug = "data".parse().map_err(Error::Slug)?;
        let nothing = Labels { reads_untrusted: false, reads_private: false, sends_out: false };
        let definitions = vec![
            Define::read("transform", "Fills a template with data and gives back the result.")
                .risk(Risk::R0)
                .labels(nothing)
                .capability(None)
                .native()
                .takes::<Transform>(&slug)?,
            // Keyed, because the message is published in the very transaction that settles the invocation.
            Define::write("notify", EffectClass::Keyed, "Shows a message to people of the org, in the app.")
                .native()
                .previews()
                .takes::<Notify>(&slug)?,
        ];
        Ok(Self { slug, definitions })
    }
}

#[async_trait]
impl ActionSource for Data {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn guide(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(include_str!("data.md")))
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, call: &Call, _: &CallContext) -> Result<Outcome, SourceError> {
        match call.action.as_str() {
            "transform" => {
                let wanted: Transform = define::params(call)?;
                // A template may use all of its time limit, which is too long for a thread that serves others.
                let work = move || template::render(&wanted.template, &wanted.data, BOUNDS);
                let rendered = tokio::task::spawn_blocking(work).await.map_err(|_| {
                    SourceError::not_sent(ErrorClass::Permanent, "the template could not be filled")
                })?;
                let result = rendered.map_err(|error| SourceError::invalid(error.to_string()))?;
                Ok(Outcome::new(json!({"result": result})))
            }
            "notify" => {
                let wanted: Notify = define::params(call)?;
                let level = match wanted.level {
                    Level::Info => "info",
                    Level::Warning => "warning",
                    Level::Critical => "critical",
                };
                let announce = Announcement { title: wanted.title, body: wanted.body, level };
                Ok(Outcome { announce: Some(announce), ..Outcome::new(json!({"announced": true})) })
            }
            _ => Err(define::unknown(call)),
        }
    }

    async fn preview(&self, call: &Call, _: &CallContext) -> Result<Option<Preview>, SourceError> {
        if call.action.as_str() != "notify" {
            return Ok(None);
        }
        let wanted: Notify = define::params(call)?;
        let summary = format!("Shows “{}” to people of the org", wire::line(&wanted.title));
        Ok(Some(Preview { summary, changes: Vec::new() }))
    }
}
