//! Conduct: whether something acts, is in a dry run, or is stopped.

use serde::{Deserialize, Serialize};

use crate::{AutomationId, SourceSlug, SpaceId};

/// How an organization, or a part of it, conducts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conduct {
    /// It acts.
    Normal,
    /// It reads, and for everything else it says what it would do.
    DryRun,
    /// It is stopped: nothing begins, reads included.
    Halted,
}

impl Conduct {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::DryRun => "dry_run",
            Self::Halted => "halted",
        }
    }

    /// The stored word.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Normal, Self::DryRun, Self::Halted].into_iter().find(|known| known.as_str() == text)
    }
}

/// What a conduct is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConductScope {
    Org,
    Space(SpaceId),
    Source(SourceSlug),
    /// Every session of the agent with this name.
    Agent(String),
    Automation(AutomationId),
}

impl ConductScope {
    /// The kind of scope.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Org => "org",
            Self::Space(_) => "space",
            Self::Source(_) => "source",
            Self::Agent(_) => "agent",
            Self::Automation(_) => "automation",
        }
    }

    /// Which one; empty for the org.
    pub fn subject(&self) -> String {
        match self {
            Self::Org => String::new(),
            Self::Space(space) => space.to_string(),
            Self::Source(source) => source.to_string(),
            Self::Agent(agent) => agent.clone(),
            Self::Automation(automation) => automation.to_string(),
        }
    }

    /// Kind and subject, as they are stored.
    pub fn parse(kind: &str, subject: &str) -> Option<Self> {
        match kind {
            "org" => subject.is_empty().then_some(Self::Org),
            "space" => subject.parse().ok().map(Self::Space),
            "source" => subject.parse().ok().map(Self::Source),
            "agent" => (!subject.is_empty()).then(|| Self::Agent(subject.to_owned())),
            "automation" => subject.parse().ok().map(Self::Automation),
            _ => None,
        }
    }
}
