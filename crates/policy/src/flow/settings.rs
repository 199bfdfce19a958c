//! What an organization sets about the flow of data. It is a part of its gate settings.

use std::collections::BTreeSet;

use model::{ActionAddress, Audience, AutomationId, SourceSlug};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    gates::{Allowlist, is_text, paths, wrong},
    limits::{flow as limit, gates::LONGEST_PERSON},
};

/// Stands for every destination of a source.
pub const EVERYWHERE: &str = "*";

/// Whether flows are held, or only recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlowMode {
    /// What would be held is recorded and not applied.
    #[default]
    Observe,
    /// It is applied.
    Hold,
}

/// The settings, as people write them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowSettings {
    pub mode: FlowMode,
    /// Sources whose texts nobody writes but people of the organization.
    pub trusted: Vec<SourceSlug>,
    /// Sources that hold nothing but what is public.
    pub public: Vec<SourceSlug>,
    /// Who may see what is sent where. Whatever is not named is public.
    pub audiences: Vec<Place>,
    /// Hosts that may stand in what models send: `acme.example`, `*.acme.example`.
    pub hosts: Vec<String>,
    /// Flows that an admin agreed to.
    pub consents: Vec<FlowConsent>,
}

/// A destination and its audience.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub source: SourceSlug,
    /// As parameters name it; `*` for all of the source.
    pub destination: String,
    pub audience: Audience,
}

/// Data of these sources may go to this destination, in runs of this automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowConsent {
    pub automation: AutomationId,
    /// The sources that the data is from.
    pub from: Vec<String>,
    pub action: ActionAddress,
    /// As parameters name it; `*` for whatever the definition or the person who starts the run says.
    pub destination: String,
}

/// Settings that were checked, ready for decisions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flows {
    pub(super) settings: FlowSettings,
    pub(super) hosts: Allowlist,
}

impl Flows {
    pub(crate) fn new(settings: FlowSettings) -> Result<Self, Error> {
        let FlowSettings { trusted, public, audiences, hosts, consents, .. } = &settings;
        let most = [trusted.len(), public.len(), audiences.len(), hosts.len()].into_iter().max();
        if most > Some(limit::MOST_ENTRIES) {
            return wrong(format!(
                "there are at most {0} trusted and as many public sources, {0} audiences and {0} hosts",
                limit::MOST_ENTRIES
            ));
        }
        if consents.len() > limit::MOST_CONSENTS {
            return wrong(format!("there are at most {} consents to flows", limit::MOST_CONSENTS));
        }
        let mut places = BTreeSet::new();
        for place in audiences {
            if !is_destination(&place.destination) {
                return wrong(format!(
                    "a destination of `{}` has 1 to {LONGEST_PERSON} characters on one line",
                    place.source
                ));
            }
            if !places.insert((&place.source, &place.destination)) {
                return wrong(format!(
                    "the destination `{}` of `{}` has two audiences",
                    place.destination, place.source
                ));
            }
        }
        for consent in consents {
            if !is_destination(&consent.destination) || consent.from.len() > limit::MOST_ENTRIES {
                return wrong(format!(
                    "a consent for `{}` needs a destination on one line, and at most {} sources",
                    consent.action,
                    limit::MOST_ENTRIES
                ));
            }
        }
        Ok(Self { hosts: Allowlist::new(hosts)?, settings })
    }

    pub(super) fn is_trusted(&self, origin: &str) -> bool {
        self.settings.trusted.iter().any(|source| source.as_str() == source_of(origin))
    }

    pub(super) fn is_public(&self, origin: &str) -> bool {
        self.settings.public.iter().any(|source| source.as_str() == source_of(origin))
    }

    /// Who may see what is sent to a destination: one that is named comes before all of its source.
    pub(super) fn audience(&self, source: &SourceSlug, destination: &str) -> Audience {
        let of = |wanted: &str| {
            let mut places = self.settings.audiences.iter();
            places.find(|place| place.source == *source && paths::plain(&place.destination) == wanted)
        };
        let several = |c: char| c.is_whitespace() || [',', ';'].contains(&c);
        if destination.contains(several) {
            // A service could read it as several places.
            return of(destination).map_or(Audience::Public, |place| place.audience);
        }
        of(destination).or_else(|| of(EVERYWHERE)).map_or(Audience::Public, |place| place.audience)
    }
}

/// The source of an origin: of `linear.get_issue` it is `linear`, and `event data` has none but itself.
pub fn source_of(origin: &str) -> &str {
    origin.split_once('.').map_or(origin, |(source, _)| source)
}

fn is_destination(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && is_text(text, LONGEST_PERSON)
}
