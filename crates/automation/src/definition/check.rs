//! Checks a definition and reports every problem with its place and a suggestion. The same check is used when a
//! definition is saved, imported or proposed by a model, and before a run.

use std::sync::LazyLock;

use catalog::{Checker, template};
use jiff::Timestamp;
use model::ActionAddress;
use platform::filter::Filter;
use serde_json::{Map, Value};

use super::{
    Definition, Step, StepKind, Trigger,
    names::{Names, nearest},
    schema,
};
use crate::{
    Schedule,
    limits::definition::{DEEPEST, LONGEST_TOLD, MOST_BYTES, MOST_PROBLEMS},
    mapping,
};

/// The placeholders that the default of an input may use.
const DEFAULTS: [&str; 3] = ["$creator", "$last_fired_at", "$space_default"];

static STRUCTURE: LazyLock<Option<Checker>> = LazyLock::new(|| Checker::compile(&schema()).ok());

/// One problem of a definition.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The place, as a JSON pointer.
    pub pointer: String,
    pub message: String,
    /// A suggested replacement, where one can be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// The actions of an org that a definition can use, with their input schemas.
pub trait Known {
    /// The input schema of an action, if the action exists.
    fn input_schema(&self, address: &str) -> Option<Value>;
    /// The addresses of all actions.
    fn addresses(&self) -> Vec<String>;
}

/// Parses a definition; returns every problem if it is invalid.
pub fn check(source: &Value, known: &dyn Known, now: Timestamp) -> Result<Definition, Vec<Problem>> {
    let mut found = Found::default();
    if source.to_string().len() > MOST_BYTES {
        found.add("", format!("a definition must have at most {MOST_BYTES} bytes"), None);
        return Err(found.0);
    }
    // The schema reports its own violations with their places; the other checks apply only to a definition that matches
    // it.
    if let Some(Err(errors)) = STRUCTURE.as_ref().map(|structure| structure.check(source)) {
        errors.into_iter().for_each(|error| found.add(&error.pointer, error.message, None));
        return Err(found.0);
    }
    let definition: Definition = match serde_json::from_value(source.clone()) {
        Ok(definition) => definition,
        Err(error) => {
            found.add("", error.to_string(), None);
            return Err(found.0);
        }
    };
    found.inputs(&definition.inputs.schema);
    for (index, trigger) in definition.triggers.iter().enumerate() {
        found.trigger(trigger, &format!("/triggers/{index}/config"), &definition.inputs.schema, now);
    }
    let mut taken = Taken { names: Names::at_the_start(&definition.inputs.schema), ids: Vec::new() };
    for (index, step) in definition.plan.iter().enumerate() {
        found.step(step, &format!("/plan/{index}"), &mut taken, known);
    }
    taken.names = taken.names.after_a_failure();
    for (index, step) in definition.execution.on_failure.iter().enumerate() {
        found.step(step, &format!("/execution/on_failure/{index}"), &mut taken, known);
    }
    if found.0.is_empty() { Ok(definition) } else { Err(found.0) }
}

/// The names that a step can refer to, and the ids of the steps before it.
struct Taken<'a> {
    names: Names,
    ids: Vec<&'a str>,
}

#[derive(Default)]
pub(super) struct Found(Vec<Problem>);

impl Found {
    pub(super) fn add(&mut self, pointer: &str, message: impl Into<String>, suggestion: Option<String>) {
        if !self.is_full() {
            let suggestion = suggestion.map(|near| plain(&near));
            self.0.push(Problem { pointer: plain(pointer), message: plain(&message.into()), suggestion });
        }
    }

    /// Whether no more problems will be reported, so that the search can stop.
    fn is_full(&self) -> bool {
        self.0.len() >= MOST_PROBLEMS
    }

    fn inputs(&mut self, schema: &Map<String, Value>) {
        if schema.get("type") != Some(&Value::from("object")) {
            self.add(
                "/inputs/schema/type",
                "the type of the inputs must be `object`",
                Some("object".to_owned()),
            );
        }
        if let Err(why) = Checker::compile(&Value::Object(schema.clone())) {
            self.add("/inputs/schema", format!("invalid JSON Schema: {why}"), None);
        }
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        for (name, property) in properties {
            let default = property.get("default").and_then(Value::as_str);
            if let Some(default) =
                default.filter(|default| default.starts_with('$') && !DEFAULTS.contains(default))
            {
                if self.is_full() {
                    return;
                }
                let message =
                    format!("a default that begins with `$` must be one of {}", DEFAULTS.join(", "));
                let near = nearest(default, DEFAULTS.into_iter());
                self.add(&format!("/inputs/schema/properties/{}/default", escaped(name)), message, near);
            }
        }
    }

    fn trigger(&mut self, trigger: &Trigger, at: &str, inputs: &Map<String, Value>, now: Timestamp) {
        match trigger {
            Trigger::Schedule { cron, timezone, .. } => {
                let next = Schedule::parse(cron, timezone).and_then(|schedule| schedule.next_after(now));
                if let Err(error) = next {
                    let field =
                        if matches!(error, crate::ScheduleError::Zone(_)) { "timezone" } else { "cron" };
                    self.add(&format!("{at}/{field}"), error.to_string(), None);
                }
            }
            Trigger::Webhook { input_mapping, .. } => self.mapping(input_mapping, at, inputs),
            Trigger::Event { event_type, filter, input_mapping } => {
                if !events::types::is_type(event_type) {
                    let message =
                        "a type must be lowercase words separated by dots, such as `drive.file_added`";
                    self.add(&format!("{at}/event_type"), message, None);
                }
                let filter = filter.as_ref().map(|filter| Filter::parse(&Value::Object(filter.clone())));
                for wrong in filter.and_then(Result::err).unwrap_or_default() {
                    self.add(&format!("{at}/filter{}", wrong.pointer), wrong.message, None);
                }
                self.mapping(input_mapping, at, inputs);
            }
        }
    }

    /// Checks that every mapped input exists and that its path is valid.
    fn mapping(&mut self, mapping: &Map<String, Value>, at: &str, inputs: &Map<String, Value>) {
        let names = Names::at_the_start(inputs);
        for (name, path) in mapping {
            if self.is_full() {
                return;
            }
            let here = format!("{at}/input_mapping/{}", escaped(name));
            if let Some((message, near)) = names.complaint(&format!("inputs.{name}")) {
                self.add(&here, message, near.map(|near| near.trim_start_matches("inputs.").to_owned()));
            }
            if let Err(message) = mapping::path(path.as_str().unwrap_or_default()) {
                self.add(&here, message, None);
            }
        }
    }

    fn step<'a>(
        &mut self,
        step: &'a Step,
        at: &str,
        Taken { names, ids }: &mut Taken<'a>,
        known: &dyn Known,
    ) {
        if ids.contains(&step.step_id.as_str()) {
            self.add(&format!("{at}/step_id"), "another step has the same ID", None);
        }
        ids.push(&step.step_id);
        self.action(step, at, known);
        if let Some(when) = &step.when {
            match template::check(when) {
                Ok(checked) if !checked.typed => {
                    self.add(&format!("{at}/when"), "must be a single expression: `{{ … }}`", None);
                }
                _ => self.template(when, &format!("{at}/when"), names),
            }
        }
        self.config(&Value::Object(step.config.clone()), &format!("{at}/config"), names, 0);
        if let Some(name) = step.output_as.as_deref().filter(|name| template::hides(name)) {
            let message = format!("the name `{name}` means something else in templates");
            self.add(&format!("{at}/output_as"), message, None);
        }
        if let Some(name) = &step.output_as
            && (names.contains(name) || !names.add(name))
        {
            self.add(&format!("{at}/output_as"), format!("the name `{name}` is already in use"), None);
        }
    }

    /// Checks that the action exists and accepts the parameters in the config.
    fn action(&mut self, step: &Step, at: &str, known: &dyn Known) {
        if let Some(schema) = &step.output_schema
            && let Err(why) = Checker::compile(&Value::Object(schema.clone()))
        {
            self.add(&format!("{at}/output_schema"), format!("invalid JSON Schema: {why}"), None);
        }
        let address = match &step.kind {
            StepKind::Action(address) => address,
            StepKind::AgentTask => {
                self.agent_task(step, at, known);
                return self.no_templates(&step.config, at);
            }
        };
        let is_model = address.parse::<ActionAddress>().is_ok_and(|address| address.is_model());
        if is_model {
            return self.add(&format!("{at}/action"), "a step asks a model as `agent_task`", None);
        }
        let Some(schema) = known.input_schema(address) else {
            let near = nearest(address, known.addresses().iter().map(String::as_str));
            return self.add(&format!("{at}/action"), format!("unknown action `{address}`"), near);
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let names = || properties.into_iter().flatten().map(|(name, _)| name.as_str());
        let unknown = |name: &&String| closed && !names().any(|known| known == name.as_str());
        for name in step.config.keys().filter(unknown).take(MOST_PROBLEMS) {
            let message = format!("`{address}` has no parameter `{name}`");
            self.add(&format!("{at}/config/{}", escaped(name)), message, nearest(name, names()));
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str).filter(|name| !step.config.contains_key(*name)) {
            self.add(&format!("{at}/config"), format!("`{address}` needs `{name}`"), None);
        }
    }

    /// Checks a config, in which every string may be a template.
    fn config(&mut self, value: &Value, at: &str, names: &Names, depth: usize) {
        if depth > DEEPEST {
            return self.add(at, format!("at most {DEEPEST} levels"), None);
        }
        if self.is_full() {
            return;
        }
        match value {
            Value::String(text) => self.template(text, at, names),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.config(item, &format!("{at}/{index}"), names, depth + 1);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.config(field, &format!("{at}/{}", escaped(name)), names, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn template(&mut self, text: &str, at: &str, names: &Names) {
        match template::check(text) {
            Err(error) => self.add(at, error.to_string(), None),
            Ok(checked) => {
                for path in &checked.names {
                    if self.is_full() {
                        return;
                    }
                    if let Some((message, near)) = names.complaint(path) {
                        self.add(at, message, near);
                    }
                }
            }
        }
    }
}

/// Truncates a text that may contain input of strangers, and replaces characters that could mislead a terminal or a
/// reader.
fn plain(text: &str) -> String {
    let misleads = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut plain: String =
        text.chars().take(LONGEST_TOLD).map(|c| if misleads(c) { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST_TOLD).is_some() {
        plain.push('…');
    }
    plain
}

/// Escapes a name for use in a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
