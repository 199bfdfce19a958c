//! The gate settings of an organization: one document, checked when it is saved and made ready when it is loaded.

use std::collections::BTreeSet;

use model::{ActionAddress, ActionDefinition, SourceSlug};
use regex::RegexBuilder;
use serde::{Deserialize, Serialize};

use super::{detectors::Pattern, recipients::Allowlist};
use crate::{
    Error, FlowSettings, cedar, facts,
    flow::Flows,
    limits::{self, gates as limit, policies::LONGEST_WHY},
};

/// The document, as people write it. An empty one asks nothing of anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// Who may get what is sent out; `None` if that is not limited.
    pub recipients: Option<AllowedRecipients>,
    pub detectors: Vec<OwnDetector>,
    pub purposes: Vec<Purpose>,
    pub homes: Vec<Home>,
    pub crossings: Vec<Crossing>,
    /// Who may see what is sent where.
    #[serde(skip_serializing_if = "is_default")]
    pub flow: FlowSettings,
}

fn is_default(flow: &FlowSettings) -> bool {
    *flow == FlowSettings::default()
}

/// The only recipients of actions that send out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRecipients {
    /// Exact values, domains, and `*.domain` for all domains below it.
    pub allow: Vec<String>,
}

/// A pattern that must not be in the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnDetector {
    pub name: String,
    /// A regular expression.
    pub pattern: String,
    /// Actions (`source.action`, `source.*`) and groups (`does:sends_out`); all actions if empty.
    #[serde(default)]
    pub of: Vec<String>,
    /// Why, for people who look at what was found.
    pub why: String,
}

/// An action that needs the consent of those whom it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purpose {
    pub action: ActionAddress,
    pub purpose: String,
    /// The parameter that names them: `input.to`.
    pub subject: String,
}

/// The space that a source belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    pub source: SourceSlug,
    /// Slug of the space.
    pub space: String,
}

/// Leave for sessions of one space to have effects in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossing {
    pub from: String,
    pub to: String,
    /// With this source only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceSlug>,
}

/// Settings that were checked, ready for decisions.
#[derive(Debug, Clone, Default)]
pub struct Gates {
    settings: GateSettings,
    pub(super) allowed: Option<Allowlist>,
    pub(super) patterns: Vec<Pattern>,
    flows: Flows,
}

impl Gates {
    /// Checks settings, and compiles their patterns.
    pub fn new(settings: GateSettings) -> Result<Self, Error> {
        let size = serde_json::to_string(&settings).map_or(usize::MAX, |text| text.len());
        if size > limit::LONGEST_SETTINGS {
            return wrong(format!("all of them together have at most {} bytes", limit::LONGEST_SETTINGS));
        }
        let allowed = settings.recipients.as_ref().map(|given| Allowlist::new(&given.allow)).transpose()?;
        let patterns = patterns(&settings.detectors)?;
        check_purposes(&settings.purposes)?;
        check_places(&settings)?;
        let flows = Flows::new(settings.flow.clone())?;
        Ok(Self { settings, allowed, patterns, flows })
    }

    pub const fn settings(&self) -> &GateSettings {
        &self.settings
    }

    /// What is set about the flow of data.
    pub(crate) const fn flows(&self) -> &Flows {
        &self.flows
    }

    /// What the settings ask of an action in terms of consent.
    pub(super) fn purposes_of(&self, definition: &ActionDefinition) -> impl Iterator<Item = &Purpose> {
        self.settings.purposes.iter().filter(|one| one.action == definition.address)
    }

    /// Whether any action needs a consent.
    pub const fn has_purposes(&self) -> bool {
        !self.settings.purposes.is_empty()
    }

    /// Whether decisions depend on the space of the session.
    pub const fn has_homes(&self) -> bool {
        !self.settings.homes.is_empty()
    }

    /// The space that a source belongs to, if to one.
    pub(super) fn home(&self, source: &SourceSlug) -> Option<&str> {
        self.settings.homes.iter().find(|home| home.source == *source).map(|home| home.space.as_str())
    }

    /// Whether sessions of one space may have effects in another one with this source.
    pub(super) fn may_cross(&self, (from, to): (&str, &str), source: &SourceSlug) -> bool {
        self.settings.crossings.iter().any(|crossing| {
            let is_of = crossing.source.as_ref().is_none_or(|only| only == source);
            is_of && crossing.from == from && crossing.to == to
        })
    }
}

pub(crate) fn wrong<T>(message: String) -> Result<T, Error> {
    Err(Error::Gates(message))
}

fn patterns(detectors: &[OwnDetector]) -> Result<Vec<Pattern>, Error> {
    if detectors.len() > limit::MOST_DETECTORS {
        return wrong(format!("there are at most {} detectors", limit::MOST_DETECTORS));
    }
    let mut names = BTreeSet::new();
    let mut patterns = Vec::with_capacity(detectors.len());
    for detector in detectors {
        let name = &detector.name;
        if !cedar::is_name(name) {
            return wrong(
                "the name of a detector has 1 to 64 of a-z, 0-9, `_` and `-`, and starts with a letter"
                    .to_owned(),
            );
        }
        if !names.insert(name) {
            return wrong(format!("there are two detectors `{name}`"));
        }
        let of = |problem: String| wrong(format!("detector `{name}`: {problem}"));
        if detector.of.len() > limits::facts::MOST_OF {
            return of(format!("`of` may name at most {} actions", limits::facts::MOST_OF));
        }
        if let Some(unknown) = detector.of.iter().find(|key| !facts::is_key(key)) {
            return of(format!(
                "`{unknown}` is no action: write `source.action`, `source.*` or a group such as `does:sends_out`"
            ));
        }
        if detector.why.trim().is_empty() || !is_text(&detector.why, LONGEST_WHY) {
            return of(format!("`why` must have 1 to {LONGEST_WHY} characters on one line"));
        }
        if detector.pattern.chars().count() > limit::LONGEST_PATTERN {
            return of(format!("a pattern has at most {} characters", limit::LONGEST_PATTERN));
        }
        // This engine takes time in proportion to the text, whatever the pattern is.
        let built = RegexBuilder::new(&detector.pattern).size_limit(limit::LARGEST_PATTERN).build();
        let pattern = match built {
            Ok(pattern) if pattern.is_match("") => return of("the pattern matches every text".to_owned()),
            Ok(pattern) => pattern,
            Err(error) => return of(format!("the pattern is no regular expression: {}", last_line(&error))),
        };
        patterns.push(Pattern { detector: detector.clone(), pattern });
    }
    Ok(patterns)
}

/// The message without the drawing of the pattern above it.
fn last_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

fn check_purposes(purposes: &[Purpose]) -> Result<(), Error> {
    if purposes.len() > limit::MOST_PURPOSES {
        return wrong(format!("there are at most {} purposes", limit::MOST_PURPOSES));
    }
    for Purpose { action, purpose, subject } in purposes {
        if !cedar::is_name(purpose) {
            return wrong(format!("the purpose of `{action}` {IS_NAME}"));
        }
        let names = subject.strip_prefix("input.").map(|path| path.split('.'));
        if !names.is_some_and(|mut names| names.all(|name| !name.is_empty())) {
            return wrong(format!("the subject of `{action}` is no parameter: write `input.NAME`"));
        }
    }
    Ok(())
}

/// What names must look like.
pub(super) const IS_NAME: &str = "must have 1 to 64 of a-z, 0-9, `_` and `-`, and start with a letter";

fn check_places(settings: &GateSettings) -> Result<(), Error> {
    if settings.homes.len() > limit::MOST_PLACES || settings.crossings.len() > limit::MOST_PLACES {
        return wrong(format!("there are at most {} homes and as many crossings", limit::MOST_PLACES));
    }
    let mut sources = BTreeSet::new();
    if let Some(twice) = settings.homes.iter().find(|home| !sources.insert(&home.source)) {
        return wrong(format!("the source `{}` has two homes", twice.source));
    }
    if let Some(none) = settings.crossings.iter().find(|crossing| crossing.from == crossing.to) {
        return wrong(format!("a crossing from `{}` to itself is not needed", none.from));
    }
    Ok(())
}

/// Whether a text has at most so many characters, and is one line.
pub(crate) fn is_text(text: &str, most: usize) -> bool {
    text.chars().count() <= most && !text.chars().any(char::is_control)
}
