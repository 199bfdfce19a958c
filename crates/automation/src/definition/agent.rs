//! The config of a step that a model performs.

use std::sync::LazyLock;

use catalog::{Checker, template};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Step,
    check::{Found, Known, escaped},
    names::nearest,
};
use crate::limits::agent::{MOST_OUTPUT_TOKENS, MOST_TOOLS, MOST_TURNS, USUAL_BUDGET_USD};

/// The source whose actions ask models.
const MODELS: &str = "model";
/// What a model cannot use: models, and batches, whose parts could be anything.
const NO_TOOLS: [&str; 2] = ["model.", "batch."];
/// What stands for all actions of a source.
const ALL: &str = ".*";

/// What a model is to do in a step, and what it may use and cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentTask {
    /// What the model is to do. A template may read `run` only: whoever writes the goal decides what happens, and data of
    /// others goes into the context.
    #[schemars(length(min = 1, max = 8000))]
    pub goal: String,
    /// Data for the model. Every text may be a template.
    #[serde(default)]
    pub context: Value,
    /// Actions that the model may use: addresses, or `source.*` for all actions of a source.
    #[serde(default)]
    #[schemars(length(max = 64), inner(length(min = 3, max = 130)))]
    pub tools: Vec<String>,
    /// Model provider, as in `model.<provider>`.
    #[schemars(length(min = 1, max = 64))]
    pub provider: String,
    /// Name of the model at the provider.
    #[schemars(length(min = 1, max = 200))]
    pub model: String,
    /// How often the model may be asked.
    #[serde(default = "usual_turns")]
    #[schemars(range(min = 1, max = MOST_TURNS))]
    pub max_turns: u8,
    /// How many tokens one answer may have.
    #[serde(default = "usual_output")]
    #[schemars(range(min = 64, max = MOST_OUTPUT_TOKENS))]
    pub max_output_tokens: u32,
    /// The most that the step may cost. `null` for no limit of its own.
    #[serde(default = "usual_budget")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub budget_usd: Option<f64>,
}

const fn usual_turns() -> u8 {
    12
}

const fn usual_output() -> u32 {
    4_000
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an optional field")]
const fn usual_budget() -> Option<f64> {
    Some(USUAL_BUDGET_USD)
}

static STRUCTURE: LazyLock<Option<Checker>> = LazyLock::new(|| Checker::compile(&schema()).ok());

/// The JSON Schema (2020-12) of the config.
pub(super) fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<AgentTask>().to_value()
}

impl AgentTask {
    /// The task in the config of a checked step.
    pub fn of(step: &Step) -> Option<Self> {
        serde_json::from_value(Value::Object(step.config.clone())).ok()
    }

    /// The action that asks the model.
    pub fn action(&self) -> String {
        format!("{MODELS}.{}", self.provider)
    }

    /// Whether an action is among the tools.
    pub fn has_tool(&self, address: &str) -> bool {
        self.tools.iter().any(|tool| is_for(tool, address))
    }

    /// The sources of its tools, and the models, as capabilities.
    pub(crate) fn capabilities(&self) -> impl Iterator<Item = String> {
        let sources = self.tools.iter().filter_map(|tool| tool.split_once('.'));
        sources.map(|(source, _)| format!("{source}:*")).chain([format!("{MODELS}:use")])
    }
}

/// Whether `tool` names this action, alone or with all of its source.
pub(crate) fn is_for(tool: &str, address: &str) -> bool {
    match tool.strip_suffix(ALL) {
        Some(source) => address.split_once('.').is_some_and(|(of, _)| of == source),
        None => tool == address,
    }
}

impl Found {
    /// Checks the config of a step that a model performs; templates are checked with those of other steps.
    pub(super) fn agent_task(&mut self, step: &Step, at: &str, known: &dyn Known) {
        let at = format!("{at}/config");
        let config = Value::Object(step.config.clone());
        if let Some(Err(errors)) = STRUCTURE.as_ref().map(|structure| structure.check(&config)) {
            for error in errors {
                self.add(&format!("{at}{}", error.pointer), error.message, None);
            }
            return;
        }
        let task = match serde_json::from_value::<AgentTask>(config) {
            Ok(task) => task,
            Err(error) => return self.add(&at, error.to_string(), None),
        };
        self.goal(&task.goal, &at);
        self.model(&task, &at, known);
        let addresses = known.addresses();
        let usable: Vec<&str> = addresses
            .iter()
            .map(String::as_str)
            .filter(|address| !NO_TOOLS.iter().any(|no| address.starts_with(no)))
            .collect();
        let mut count = 0;
        for (index, tool) in task.tools.iter().enumerate() {
            let found = usable.iter().filter(|address| is_for(tool, address)).count();
            count += found;
            if found == 0 {
                let near = nearest(tool, usable.iter().copied());
                self.add(&format!("{at}/tools/{index}"), format!("no action is named by `{tool}`"), near);
            }
        }
        if count > MOST_TOOLS {
            let message = format!("a model can have at most {MOST_TOOLS} tools; these are {count}");
            self.add(&format!("{at}/tools"), message, None);
        }
    }

    /// What strangers wrote must not become an order.
    fn goal(&mut self, goal: &str, at: &str) {
        let Ok(checked) = template::check(goal) else { return };
        let is_trusted = |path: &&String| {
            let mut parts = path.split('.');
            // `run` as a whole holds its error too.
            parts.next() == Some("run") && parts.next().is_some_and(|field| field != "error")
        };
        for path in checked.names.iter().filter(|path| !is_trusted(path)) {
            let message = format!(
                "the goal cannot read `{path}`, which others may have written; put it into `context`"
            );
            self.add(&format!("{at}/goal"), message, None);
        }
    }

    fn model(&mut self, task: &AgentTask, at: &str, known: &dyn Known) {
        let Some(schema) = known.input_schema(&task.action()) else {
            let all = known.addresses();
            let providers = all.iter().filter_map(|address| address.strip_prefix("model."));
            let near = nearest(&task.provider, providers);
            let message = format!("`{}` is not a model provider of this organization", task.provider);
            return self.add(&format!("{at}/provider"), message, near);
        };
        let models = schema.pointer("/properties/model/enum").and_then(Value::as_array);
        let models: Vec<&str> = models.into_iter().flatten().filter_map(Value::as_str).collect();
        if !models.contains(&task.model.as_str()) {
            let message = format!("`{}` has no model `{}`", task.provider, task.model);
            self.add(&format!("{at}/model"), message, nearest(&task.model, models.into_iter()));
        }
    }

    /// Only the goal and the context are filled in when the step begins: who is asked, and for how much, stays as it was saved.
    pub(super) fn no_templates(&mut self, config: &Map<String, Value>, at: &str) {
        for (name, value) in config.iter().filter(|(name, _)| !matches!(name.as_str(), "goal" | "context")) {
            if template::has_marks(&value.to_string()) {
                self.add(&format!("{at}/config/{}", escaped(name)), "this cannot be a template", None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_named_alone_or_with_their_source() {
        for (tool, address, expected) in [
            ("linear.create_issue", "linear.create_issue", true),
            ("linear.create_issue", "linear.create_issue2", false),
            ("linear.*", "linear.create_issue", true),
            ("linear.*", "linear2.create_issue", false),
            ("*", "linear.create_issue", false),
        ] {
            assert_eq!(is_for(tool, address), expected, "{tool} {address}");
        }
    }
}
