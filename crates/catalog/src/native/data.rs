//! The source `data`: computing on data that the caller has, and showing messages to people in the app.

use model::{EffectClass, ErrorClass, Labels, Risk};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    Announcement, Outcome, Preview, SourceError,
    declared::DeclaredSource,
    define::{At, Define},
    limits,
    registry::Error,
    template, wire,
};

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

/// The urgency of a message.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Level {
    /// Good to know.
    #[default]
    Info,
    /// A person should look at it.
    Warning,
    /// A person should look at it now.
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
pub(crate) fn source() -> Result<DeclaredSource<()>, Error> {
    let nothing = Labels { reads_untrusted: false, reads_private: false, sends_out: false };
    DeclaredSource::new("data", ())?
        .guide(include_str!("data.md"))
        .with(
            Define::read("transform", "Fills a template with data and gives back the result.")
                .risk(Risk::R0)
                .labels(nothing)
                .capability(None)
                .native()
                .takes::<Transform>()
                .execute(transform),
        )?
        // Keyed, because the message is published in the same transaction that settles the invocation.
        .with(
            Define::write("notify", EffectClass::Keyed, "Shows a message to people of the org, in the app.")
                .native()
                .takes::<Notify>()
                .execute(notify)
                .describe(describe_message),
        )
}

async fn transform(_: At<'_, ()>, wanted: Transform) -> Result<Outcome, SourceError> {
    // Rendering may use the whole time limit, which is too long for a thread that serves other tasks.
    let work = move || template::render(&wanted.template, &wanted.data, limits::TRANSFORM);
    let rendered = tokio::task::spawn_blocking(work).await;
    let rendered = rendered
        .map_err(|_| SourceError::not_sent(ErrorClass::Permanent, "the template could not be filled"))?;
    let result = rendered.map_err(|error| SourceError::invalid(error.to_string()))?;
    Ok(Outcome::new(json!({"result": result})))
}

async fn notify(_: At<'_, ()>, wanted: Notify) -> Result<Outcome, SourceError> {
    let level = match wanted.level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Critical => "critical",
    };
    let announce = Announcement { title: wanted.title, body: wanted.body, level };
    Ok(Outcome { announce: Some(announce), ..Outcome::new(json!({"announced": true})) })
}

fn describe_message(wanted: &Notify) -> Preview {
    let summary = format!("Shows “{}” to people of the org", wire::line(&wanted.title));
    Preview::of(summary)
}
