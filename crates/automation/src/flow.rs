//! What the parameters of steps are made of. Templates name what they read, so it is known value by value; what a model writes is
//! made of everything that it was given.

mod found;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use catalog::{Action, template};
pub use found::FoundFlow;
use model::{ActionDefinition, ChosenBy, Labels, OrgId, TriggerType};
use pipeline::{Provenance, given_labels};
use serde_json::{Map, Value};

use crate::{
    AgentTask, Automations, Definition, Error, Step, StepKind, Trigger, definition::is_for,
    plan::AFTER_FAILURE,
};

/// What a value was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) untrusted: BTreeSet<String>,
    pub(crate) private: BTreeSet<String>,
    pub(crate) chosen_by: ChosenBy,
}

impl Default for Label {
    /// Of what stands in the definition.
    fn default() -> Self {
        Self { untrusted: BTreeSet::new(), private: BTreeSet::new(), chosen_by: ChosenBy::Definition }
    }
}

impl Label {
    fn of(origin: &str, labels: Labels, chosen_by: ChosenBy) -> Self {
        let set = |is_on: bool| is_on.then(|| origin.to_owned()).into_iter().collect();
        Self { untrusted: set(labels.reads_untrusted), private: set(labels.reads_private), chosen_by }
    }

    fn join(&mut self, other: &Self) {
        self.untrusted.extend(other.untrusted.iter().cloned());
        self.private.extend(other.private.iter().cloned());
        self.chosen_by = self.chosen_by.max(other.chosen_by);
    }
}

/// The action whose parts are other actions.
const BATCH: &str = "batch.run";
const ANYTHING: Labels = Labels { reads_untrusted: true, reads_private: true, sends_out: false };

/// The actions that a definition may name, by address.
pub(crate) type Actions = HashMap<String, Arc<Action>>;

impl Automations {
    /// Every action of an organization, by address.
    pub(crate) async fn actions(&self, org: OrgId) -> Result<Actions, Error> {
        let actions = self.parts.pipeline.reader().actions(org).await?;
        Ok(actions.into_iter().map(|action| (action.definition.address.to_string(), action)).collect())
    }
}

/// What a step is made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Traced {
    /// All of its parameters; of a model, what it is given at first.
    pub(crate) all: Label,
    /// The parameters that say where it goes.
    to: Label,
}

impl Traced {
    /// Of a request that the step makes.
    pub(crate) fn provenance(&self) -> Provenance {
        Provenance {
            untrusted: self.all.untrusted.clone(),
            private: self.all.private.clone(),
            chosen_by: self.to.chosen_by,
            steered_by: self.to.untrusted.clone(),
            by_model: self.all.chosen_by == ChosenBy::Model,
        }
    }

    /// The same after a person trusted what was read.
    pub(crate) fn trusted(mut self) -> Self {
        self.all.untrusted.clear();
        self
    }

    /// Of a request that its model makes, after these actions gave something back.
    pub(crate) fn of_model<'a>(&self, given: impl Iterator<Item = (&'a str, Labels)>) -> Provenance {
        let mut all = self.all.clone();
        for (address, labels) in given {
            all.join(&Label::of(address, labels, ChosenBy::Model));
        }
        Provenance::of_model(all.untrusted, all.private)
    }
}

/// What an action gives back, if it succeeds and if it fails.
pub(crate) fn given(actions: &Actions, address: &str, failed: bool) -> Labels {
    match actions.get(address) {
        Some(action) if !failed => given_labels(&action.definition),
        _ => ANYTHING,
    }
}

/// What started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Started {
    By(TriggerType),
    /// A program with a token of its own: where its inputs are from, nobody knows.
    ByProgram,
}

/// What every step of a definition is made of, by ordinal. `started` is what started the run; before there is one, everything
/// that could.
pub(crate) fn trace(
    definition: &Definition,
    started: Option<Started>,
    actions: &Actions,
) -> BTreeMap<i16, Traced> {
    let mut outputs = definition.steps().filter_map(|step| step.output_as.as_deref());
    let is_hidden = outputs.any(template::hides);
    let mut names = Names { inputs: inputs(definition, started), outputs: HashMap::new(), is_hidden };
    let mut found = BTreeMap::new();
    let late = (AFTER_FAILURE..).zip(&definition.execution.on_failure);
    for (ordinal, step) in (0..).zip(&definition.plan).chain(late) {
        let traced = names.step(step, actions);
        if let Some(name) = &step.output_as {
            names.outputs.insert(name, Output { label: output(step, &traced, actions), step });
        }
        found.insert(ordinal, traced);
    }
    found
}

/// What the inputs are made of, by name. A person chose those that are not named.
fn inputs(definition: &Definition, started: Option<Started>) -> BTreeMap<String, Label> {
    let mut found: BTreeMap<String, Label> = BTreeMap::new();
    if started == Some(Started::ByProgram) {
        let label = Label::of("inputs of a program", ANYTHING, ChosenBy::Data);
        let names = definition.inputs.schema.get("properties").and_then(Value::as_object);
        let names = names.into_iter().flat_map(Map::keys);
        return names.map(|name| (name.clone(), label.clone())).collect();
    }
    for trigger in &definition.triggers {
        let (kind, mapping) = match trigger {
            Trigger::Schedule { .. } => continue,
            Trigger::Webhook { input_mapping, .. } => (TriggerType::Webhook, input_mapping),
            Trigger::Event { input_mapping, .. } => (TriggerType::Event, input_mapping),
        };
        if started.is_none_or(|started| started == Started::By(kind)) {
            // With a space, it is no source that somebody could trust.
            let label = Label::of(&format!("{} data", kind.as_str()), ANYTHING, ChosenBy::Data);
            for name in mapping.keys() {
                found.entry(name.clone()).or_default().join(&label);
            }
        }
    }
    found
}

/// What the result of a step is made of: what its action reads, and what it was given, which it may give back.
fn output(step: &Step, traced: &Traced, actions: &Actions) -> Label {
    let mut label = traced.all.clone();
    match AgentTask::of(step).filter(|_| step.kind == StepKind::AgentTask) {
        Some(task) => {
            label.chosen_by = ChosenBy::Model;
            for tool in &task.tools {
                let mut found = actions.iter().filter(|(address, _)| is_for(tool, address)).peekable();
                // One that is gone may have given anything.
                if found.peek().is_none() {
                    label.join(&Label::of(tool, ANYTHING, ChosenBy::Model));
                }
                for (address, action) in found {
                    // Its error is told to the model too.
                    let labels = Labels { reads_untrusted: true, ..given_labels(&action.definition) };
                    label.join(&Label::of(address, labels, ChosenBy::Model));
                }
            }
        }
        None => label.join(&given_by(step.kind.as_str(), &step.config, actions)),
    }
    label
}

/// What an action gives back; a batch, what its parts do.
fn given_by(address: &str, config: &Map<String, Value>, actions: &Actions) -> Label {
    if address != BATCH {
        return Label::of(address, given(actions, address, false), ChosenBy::Data);
    }
    let mut label = Label { chosen_by: ChosenBy::Data, ..Label::default() };
    let Some(Value::Array(parts)) = config.get("parts") else {
        return Label::of(BATCH, ANYTHING, ChosenBy::Data);
    };
    for part in parts {
        let address = part["action"].as_str().unwrap_or_default();
        label.join(&Label::of(address, given(actions, address, false), ChosenBy::Data));
    }
    label
}

struct Output<'a> {
    label: Label,
    step: &'a Step,
}

/// What templates can read, and what it was made of.
struct Names<'a> {
    /// Whether a result has a name that templates do not tell; an earlier version let that be saved.
    is_hidden: bool,
    inputs: BTreeMap<String, Label>,
    outputs: HashMap<&'a String, Output<'a>>,
}

impl Names<'_> {
    fn step(&self, step: &Step, actions: &Actions) -> Traced {
        let all = self.value(&Value::Object(step.config.clone()), false);
        Traced { all, to: self.to(step.kind.as_str(), &step.config, actions) }
    }

    /// What the parameters are made of that say where an action, or each part of a batch, sends to.
    fn to(&self, address: &str, config: &Map<String, Value>, actions: &Actions) -> Label {
        let mut to = Label::default();
        if address == BATCH {
            let Some(Value::Array(parts)) = config.get("parts") else {
                return self.value(&Value::Object(config.clone()), true);
            };
            for part in parts {
                to.join(&self.value(&part["action"], true));
                match (part["action"].as_str(), part["params"].as_object()) {
                    (Some(address), Some(params)) if address != BATCH => {
                        to.join(&self.to(address, params, actions))
                    }
                    _ => to.join(&self.value(part, true)),
                }
            }
            return to;
        }
        match actions.get(address).map(|action| &action.definition) {
            Some(ActionDefinition { recipients, .. }) if !recipients.is_empty() => {
                for path in recipients {
                    let names: Vec<&str> = path.strip_prefix("input.").unwrap_or(path).split('.').collect();
                    to.join(&self.at(config, &names));
                }
            }
            Some(ActionDefinition { labels: Labels { sends_out: false, .. }, .. }) => {}
            // Nobody says which parameter names the place, so each may.
            _ => to = self.value(&Value::Object(config.clone()), true),
        }
        to
    }

    /// What is at a path of the parameters. What is not there is chosen by the target, which the definition names.
    fn at(&self, config: &Map<String, Value>, names: &[&str]) -> Label {
        let [first, rest @ ..] = names else { return Label::default() };
        config.get(*first).map(|value| self.inside(value, rest)).unwrap_or_default()
    }

    fn inside(&self, value: &Value, names: &[&str]) -> Label {
        match (value, names) {
            (Value::Object(fields), [_, ..]) => self.at(fields, names),
            (Value::Array(items), _) => {
                let mut label = Label::default();
                for item in items {
                    label.join(&self.inside(item, names));
                }
                label
            }
            (value, _) => self.value(value, true),
        }
    }

    fn value(&self, value: &Value, is_place: bool) -> Label {
        let mut label = Label::default();
        match value {
            Value::String(text) => {
                if self.is_hidden && template::has_marks(text) {
                    label.join(&Label::of("hidden name", ANYTHING, ChosenBy::Data));
                }
                // What cannot be read is not saved; if it is there all the same, it may read anything.
                let names = template::check(text).map(|checked| checked.names);
                for name in names.unwrap_or_else(|_| ["inputs".to_owned()].into()) {
                    label.join(&self.name(&name, is_place));
                }
            }
            Value::Array(items) => items.iter().for_each(|item| label.join(&self.value(item, is_place))),
            Value::Object(fields) => {
                fields.values().for_each(|field| label.join(&self.value(field, is_place)))
            }
            _ => {}
        }
        label
    }

    /// What a name that a template reads stands for.
    fn name(&self, path: &str, is_place: bool) -> Label {
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let rest: Vec<&str> = names.collect();
        match (first, rest.as_slice()) {
            ("inputs", [input, ..]) => {
                let person = || Label { chosen_by: ChosenBy::Person, ..Label::default() };
                self.inputs.get(*input).cloned().unwrap_or_else(person)
            }
            ("inputs", []) => {
                let mut all = Label { chosen_by: ChosenBy::Person, ..Label::default() };
                self.inputs.values().for_each(|label| all.join(label));
                all
            }
            // Our own words.
            ("run", ["error", "class" | "step_id"]) => Label::default(),
            // What a target said why it failed.
            ("run", [] | ["error", ..]) => Label::of("error text", ANYTHING, ChosenBy::Data),
            ("run", _) => Label::default(),
            (output, rest) => match self.outputs.iter().find(|(name, _)| **name == output) {
                Some((_, found)) => found.at(rest, is_place),
                None => Label::of(output, ANYTHING, ChosenBy::Data),
            },
        }
    }
}

impl Output<'_> {
    /// What is at a path of the result. A form that the answer of a model has to have says what no text of strangers can be: a
    /// value of a list that stands in the definition, yes or no; and a number, which tells nobody what to do, but may be a place.
    fn at(&self, names: &[&str], is_place: bool) -> Label {
        let mut label = self.label.clone();
        let schema = self.step.output_schema.as_ref().filter(|_| self.step.kind == StepKind::AgentTask);
        let mut at = schema.cloned().map(Value::Object);
        for name in names {
            at = at.and_then(|schema| schema.get("properties")?.get(name).cloned());
        }
        let Some(schema) = at else { return label };
        let is_listed = schema.get("enum").is_some() || schema.get("const").is_some();
        let kind = schema.get("type").and_then(Value::as_str);
        let is_number = matches!(kind, Some("integer" | "number"));
        if is_listed || kind == Some("boolean") || (is_number && !is_place) {
            label.untrusted.clear();
        }
        label
    }
}
