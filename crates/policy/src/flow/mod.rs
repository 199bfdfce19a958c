//! The flow of data: who may see what a request sends, and who chose where it goes.
//!
//! This file holds the verdict; `settings` is what an organization sets. What a request was made of is found where the request
//! is made: for plans value by value, for models and sessions from everything that they were given.

mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use model::{ActionDefinition, Audience, AutomationId, ChosenBy, Flow, Labels, Mode, RiskBand};
use serde_json::Value;

pub(crate) use settings::Flows;
pub use settings::{EVERYWHERE, FlowConsent, FlowMode, FlowSettings, Place, source_of};

use crate::{Gates, cedar, gates::paths, limits::flow as limit};

/// What the parameters of a request were made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// What may hold text of strangers: addresses of actions, and names such as `webhook data`.
    pub untrusted: BTreeSet<String>,
    /// What is not public.
    pub private: BTreeSet<String>,
    /// Who chose where it goes.
    pub chosen_by: ChosenBy,
    /// What may hold text of strangers, of what the destination was chosen by.
    pub steered_by: BTreeSet<String>,
    /// Whether a model wrote the parameters.
    pub by_model: bool,
}

impl Default for Provenance {
    fn default() -> Self {
        Self {
            untrusted: BTreeSet::new(),
            private: BTreeSet::new(),
            chosen_by: ChosenBy::Definition,
            steered_by: BTreeSet::new(),
            by_model: false,
        }
    }
}

impl Provenance {
    /// Of a request that a model wrote, who was given this.
    pub fn of_model(untrusted: BTreeSet<String>, private: BTreeSet<String>) -> Self {
        let steered_by = untrusted.clone();
        Self { untrusted, private, steered_by, chosen_by: ChosenBy::Model, by_model: true }
    }

    /// As it was recorded with an earlier decision.
    pub fn recorded(flow: &Flow) -> Self {
        let set = |names: &[String]| names.iter().cloned().collect();
        Self {
            untrusted: set(&flow.untrusted),
            private: set(&flow.private),
            chosen_by: flow.chosen_by,
            steered_by: set(&flow.steered_by),
            by_model: flow.by_model,
        }
    }

    /// Adds what an action gives back.
    pub fn add(&mut self, origin: &str, labels: Labels) {
        if labels.reads_untrusted {
            self.untrusted.insert(origin.to_owned());
        }
        if labels.reads_private {
            self.private.insert(origin.to_owned());
        }
    }
}

/// What is asked about the flow of a request.
pub(crate) struct Asked<'a> {
    pub(crate) flows: &'a Flows,
    pub(crate) definition: &'a ActionDefinition,
    pub(crate) params: &'a Value,
    pub(crate) automation: Option<AutomationId>,
    pub(crate) band: RiskBand,
    pub(crate) provenance: &'a Provenance,
}

/// The verdict about an action that sends data out; `None` for others, and where nothing that was read matters.
pub(crate) fn verdict(asked: &Asked<'_>) -> Option<Flow> {
    let Asked { flows, definition, params, provenance, .. } = asked;
    if !definition.labels.sends_out {
        return None;
    }
    let kept = |origins: &BTreeSet<String>, is_left_out: &dyn Fn(&str) -> bool| -> Vec<String> {
        origins.iter().filter(|origin| !is_left_out(origin)).cloned().collect()
    };
    let is_trusted = |origin: &str| flows.is_trusted(origin);
    let untrusted = kept(&provenance.untrusted, &is_trusted);
    let private = kept(&provenance.private, &|origin| flows.is_public(origin));
    let steered_by = kept(&provenance.steered_by, &is_trusted);
    if untrusted.is_empty() && private.is_empty() && steered_by.is_empty() {
        return None;
    }
    let to = destinations(definition, params);
    let source = &definition.address.source;
    let wide = to.iter().map(|place| flows.audience(source, place)).max();
    let audience = wide.unwrap_or_else(|| flows.audience(source, EVERYWHERE));
    let mut flow = Flow {
        mode: Mode::Allow,
        why: String::new(),
        observing: flows.settings.mode == FlowMode::Observe,
        consented: false,
        audience,
        chosen_by: provenance.chosen_by,
        by_model: provenance.by_model,
        untrusted,
        private,
        steered_by,
    };
    if let Some((mode, why)) = floor(asked, &flow, &to) {
        if mode == Mode::RequireApproval && flow.steered_by.is_empty() && is_consented(asked, &flow, &to) {
            flow.consented = true;
        } else {
            (flow.mode, flow.why) = (mode, why);
        }
    }
    flow.observing &= flow.mode != Mode::Allow;
    Some(flow)
}

/// The verdict about a request as a definition says it, and where it would go.
pub fn foresee_flow(
    gates: &Gates,
    definition: &ActionDefinition,
    params: &Value,
    automation: Option<AutomationId>,
    provenance: &Provenance,
) -> Option<(Flow, Vec<String>)> {
    let (flows, band) = (gates.flows(), RiskBand::Green);
    let flow = verdict(&Asked { flows, definition, params, automation, band, provenance })?;
    Some((flow, destinations(definition, params)))
}

/// The most permissive mode that is acceptable, and why.
fn floor(asked: &Asked<'_>, flow: &Flow, to: &[String]) -> Option<(Mode, String)> {
    if asked.definition.address.is_model() {
        let from = named(&flow.private)?;
        return Some((
            Mode::Deny,
            format!(
                "this model provider may not see data that is not public, and it would see that of {from}"
            ),
        ));
    }
    let steered = named(&flow.steered_by);
    let is_elsewhere = has_foreign_host(asked, flow);
    if let (Some(from), true) = (&steered, flow.audience != Audience::Internal) {
        let mode = if asked.band >= RiskBand::Red { Mode::Deny } else { Mode::RequireApproval };
        let who = flow.chosen_by.words();
        return Some((
            mode,
            format!("the destination was chosen by {who}, after reading untrusted text from {from}"),
        ));
    }
    if let (true, Some(from)) = (is_elsewhere, named(&flow.untrusted)) {
        return Some((
            Mode::RequireApproval,
            format!(
                "the text contains a host that is not allowed, and the model had read untrusted text from {from}"
            ),
        ));
    }
    let from = named(&flow.private)?;
    let whom = match (flow.audience, to.is_empty()) {
        (Audience::Internal, _) => return None,
        (Audience::Partner, _) => "partners",
        (Audience::Public, false) => "a place where anybody may see it",
        (Audience::Public, true) => "an unknown destination",
    };
    Some((Mode::RequireApproval, format!("the action sends private data from {from} to {whom}")))
}

/// A host in the parameters that nobody but the model chose: who opens the address tells that host what stands in it.
fn has_foreign_host(Asked { flows, params, .. }: &Asked<'_>, flow: &Flow) -> bool {
    let is_foreign = |host: &String| !flows.hosts.covers_host(host);
    flow.by_model && !flow.untrusted.is_empty() && cedar::domains_of(params).iter().any(is_foreign)
}

fn is_consented(Asked { flows, definition, automation, .. }: &Asked<'_>, flow: &Flow, to: &[String]) -> bool {
    let covers = |consent: &&FlowConsent| {
        Some(consent.automation) == *automation
            && consent.action == definition.address
            && flow.private.iter().all(|origin| consent.from.iter().any(|from| from == source_of(origin)))
    };
    let consents: Vec<&FlowConsent> = flows.settings.consents.iter().filter(covers).collect();
    let named = flow.chosen_by <= ChosenBy::Person;
    let is_to = |place: &str| {
        let covers = |wanted: &str| paths::plain(wanted) == place || (named && wanted == EVERYWHERE);
        consents.iter().any(|consent| covers(&consent.destination))
    };
    match to {
        [] => is_to(EVERYWHERE),
        to => to.iter().all(|place| is_to(place)),
    }
}

/// What an action gives back, by its labels. A server that is sent data and gives back what others wrote is a foreign one: what it
/// knows is not public either.
pub fn given_labels(definition: &ActionDefinition) -> Labels {
    let labels = definition.labels;
    let is_foreign = labels.reads_untrusted && labels.sends_out && !definition.address.is_model();
    Labels { reads_private: labels.reads_private || is_foreign, ..labels }
}

/// Where an action sends to, as its parameters say it.
pub fn destinations(definition: &ActionDefinition, params: &Value) -> Vec<String> {
    let values = definition.recipients.iter().flat_map(|path| paths::at(params, path).values);
    let text = |value: &Value| match value {
        Value::String(text) => paths::plain(text),
        other => other.to_string(),
    };
    let found: BTreeSet<String> = values.map(text).collect();
    found.into_iter().collect()
}

/// The first origins, in words; `None` if there are none.
fn named(origins: &[String]) -> Option<String> {
    let (first, rest) = origins.split_at(origins.len().min(limit::MOST_NAMED));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let first: Vec<String> = first.iter().map(|origin| format!("`{origin}`")).collect();
    (!first.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}
