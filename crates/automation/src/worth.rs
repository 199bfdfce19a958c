//! Things worth checking in a definition that could be saved: what a person would want to look at twice. Found by rules, without a
//! model, and none of them prevents saving.

use std::{collections::HashMap, sync::Arc};

use catalog::{Action, Checker, template};
use jiff::{SignedDuration, Timestamp};
use model::{AutomationId, OrgId};
use serde_json::{Map, Value};

use crate::{
    AgentTask, Automations, Definition, Error, Schedule, Step, StepKind, Trigger,
    limits::worth::{MOST_FOUND, OFTEN},
};

/// One thing worth checking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worth {
    pub kind: WorthKind,
    /// Its place in the definition, as a JSON pointer.
    pub pointer: String,
    pub message: String,
}

/// The kinds of things worth checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorthKind {
    /// A schedule starts it often.
    Often,
    /// What starts it does not give a required input.
    Inputs,
    /// A step sends data out.
    SendsOut,
    /// Data goes to somebody who may not see it, or somebody unknown chooses where it goes.
    Flow,
    /// A value does not fit the parameters of its action.
    Value,
    /// A step relies on the free text of a model.
    FreeText,
    /// What models may cost.
    Cost,
}

impl WorthKind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Often => "often",
            Self::Inputs => "inputs",
            Self::SendsOut => "sends_out",
            Self::Flow => "flow",
            Self::Value => "value",
            Self::FreeText => "free_text",
            Self::Cost => "cost",
        }
    }
}

impl Automations {
    /// The things worth checking in a definition.
    pub async fn worth_checking(
        &self,
        org: OrgId,
        definition: &Definition,
        automation: Option<AutomationId>,
    ) -> Result<Vec<Worth>, Error> {
        let mut found = Found { actions: self.actions(org).await?, worth: vec![] };
        let (holds, flows) = self.flows(org, definition, automation).await?;
        for flow in flows {
            if let Some(message) = flow.words(holds) {
                found.add(WorthKind::Flow, flow.pointer, message);
            }
        }
        found.all(definition, self.parts.world.clock.now());
        found.worth.truncate(MOST_FOUND);
        Ok(found.worth)
    }
}

struct Found {
    actions: HashMap<String, Arc<Action>>,
    worth: Vec<Worth>,
}

impl Found {
    fn add(&mut self, kind: WorthKind, pointer: String, message: String) {
        self.worth.push(Worth { kind, pointer, message });
    }

    fn all(&mut self, definition: &Definition, now: Timestamp) {
        for (index, trigger) in definition.triggers.iter().enumerate() {
            self.often(trigger, &format!("/triggers/{index}"), now);
        }
        for (pointer, message) in never_given(definition) {
            self.add(WorthKind::Inputs, pointer, message);
        }
        let late = definition.execution.on_failure.iter().enumerate();
        let late = late.map(|(index, step)| (format!("/execution/on_failure/{index}"), step));
        let plan = definition.plan.iter().enumerate();
        let plan = plan.map(|(index, step)| (format!("/plan/{index}"), step)).chain(late);
        for (at, step) in plan {
            match AgentTask::of(step).filter(|_| step.kind == StepKind::AgentTask) {
                Some(task) => self.agent(definition, (step, &task), &at),
                None => self.action(step, &at),
            }
        }
        self.cost(definition);
    }

    /// A schedule that starts it more often than every quarter of an hour.
    fn often(&mut self, trigger: &Trigger, at: &str, now: Timestamp) {
        let Trigger::Schedule { cron, timezone, .. } = trigger else { return };
        let Ok(schedule) = Schedule::parse(cron, timezone) else { return };
        let mut last = now;
        let mut shortest: Option<SignedDuration> = None;
        for number in 0..5 {
            let Ok(next) = schedule.next_after(last) else { return };
            if number > 0 {
                let apart = next.duration_since(last);
                shortest = Some(shortest.map_or(apart, |shortest| shortest.min(apart)));
            }
            last = next;
        }
        if let Some(apart) = shortest.filter(|apart| *apart < OFTEN) {
            let message = format!("it starts every {} minutes", apart.as_mins());
            self.add(WorthKind::Often, format!("{at}/config/cron"), message);
        }
    }

    fn action(&mut self, step: &Step, at: &str) {
        let Some(action) = self.actions.get(step.kind.as_str()).cloned() else { return };
        let definition = &action.definition;
        if definition.labels.sends_out {
            let to = definition
                .recipients
                .iter()
                .filter_map(|place| step.config.get(place.strip_prefix("input.")?));
            let to: Vec<String> = to.map(said).collect();
            let to = if to.is_empty() { "somewhere outside".to_owned() } else { to.join(", ") };
            let message = format!("`{}` sends data to {to}", definition.address);
            self.add(WorthKind::SendsOut, at.to_owned(), message);
        }
        for (name, message) in wrong_values(&step.config, &definition.input_schema) {
            self.add(WorthKind::Value, format!("{at}/config/{name}"), message);
        }
    }

    fn agent(&mut self, definition: &Definition, (step, task): (&Step, &AgentTask), at: &str) {
        let sending = self.actions.values().filter(|action| action.definition.labels.sends_out);
        let mut sending: Vec<String> = sending
            .map(|action| action.definition.address.to_string())
            .filter(|address| task.has_tool(address))
            .collect();
        sending.sort();
        if !sending.is_empty() {
            let message =
                format!("the model can send data out with `{}`, and chooses to whom", sending.join("`, `"));
            self.add(WorthKind::SendsOut, format!("{at}/config/tools"), message);
        }
        let later = definition.steps().filter(|later| later.step_id != step.step_id);
        let is_used =
            step.output_as.as_ref().is_some_and(|name| later.into_iter().any(|later| reads(later, name)));
        if is_used && step.output_schema.is_none() {
            let message = "later steps use what the model says as free text; an `output_schema` would hold it to a form";
            self.add(WorthKind::FreeText, at.to_owned(), message.to_owned());
        }
        if task.budget_usd.is_none() {
            let message =
                "the step has no budget of its own; only those of the run, the day and the organization hold";
            self.add(WorthKind::Cost, format!("{at}/config/budget_usd"), message.to_owned());
        }
    }

    /// What the steps of models may cost together in one run.
    fn cost(&mut self, definition: &Definition) {
        let tasks =
            definition.steps().filter(|step| step.kind == StepKind::AgentTask).filter_map(AgentTask::of);
        let budgets: Vec<Option<f64>> = tasks.map(|task| task.budget_usd).collect();
        if budgets.is_empty() {
            return;
        }
        let steps = budgets.iter().copied().sum::<Option<f64>>();
        let most = match (steps, definition.execution.budget_cap_usd) {
            (Some(steps), Some(cap)) => Some(steps.min(cap)),
            (steps, cap) => steps.or(cap),
        };
        if let Some(most) = most {
            let day = match definition.execution.daily_budget_usd {
                Some(day) => format!(", and its runs of a day {day} USD"),
                None => String::new(),
            };
            self.add(
                WorthKind::Cost,
                "/execution".to_owned(),
                format!("models may cost {most} USD in a run{day}"),
            );
        }
    }
}

/// Triggers that do not give every required input: each run that they start fails.
pub(crate) fn never_given(definition: &Definition) -> Vec<(String, String)> {
    let schema = &definition.inputs.schema;
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let has_default = |name: &&str| schema["properties"][*name].get("default").is_some();
    let required: Vec<&str> = required.filter_map(Value::as_str).filter(|name| !has_default(name)).collect();
    let triggers = definition.triggers.iter().enumerate();
    let missing = triggers.filter_map(|(index, trigger)| {
        let given = match trigger {
            Trigger::Schedule { .. } => None,
            Trigger::Webhook { input_mapping, .. } | Trigger::Event { input_mapping, .. } => {
                Some(input_mapping)
            }
        };
        let is_missing = |name: &&&str| given.is_none_or(|given| !given.contains_key(**name));
        let missing: Vec<&str> = required.iter().filter(is_missing).copied().collect();
        let names = missing.join("`, `");
        let message = format!("nothing gives the required input `{names}`: each run that it starts fails");
        (!missing.is_empty()).then(|| (format!("/triggers/{index}"), message))
    });
    missing.collect()
}

/// A value as people read it.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", text.chars().take(80).collect::<String>()),
        other => other.to_string().chars().take(80).collect(),
    }
}

fn is_template(value: &Value) -> bool {
    match value {
        Value::String(text) => template::has_marks(text),
        Value::Array(items) => items.iter().any(is_template),
        Value::Object(fields) => fields.values().any(is_template),
        _ => false,
    }
}

/// Whether a step reads a result by its name.
fn reads(step: &Step, name: &str) -> bool {
    fn in_value(value: &Value, name: &str) -> bool {
        match value {
            Value::String(text) => {
                let checked = template::check(text);
                checked.is_ok_and(|checked| {
                    checked.names.iter().any(|path| path.split('.').next() == Some(name))
                })
            }
            Value::Array(items) => items.iter().any(|item| in_value(item, name)),
            Value::Object(fields) => fields.values().any(|field| in_value(field, name)),
            _ => false,
        }
    }
    let when = step.when.as_ref().is_some_and(|when| in_value(&Value::String(when.clone()), name));
    when || in_value(&Value::Object(step.config.clone()), name)
}

/// Values without templates that do not fit the schema of their parameters.
fn wrong_values(config: &Map<String, Value>, schema: &Value) -> Vec<(String, String)> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return vec![] };
    let plain = config.iter().filter(|(_, value)| !is_template(value));
    let wrong = plain.filter_map(|(name, value)| {
        // Definitions of the whole schema stay reachable.
        let mut alone = schema.as_object().cloned()?;
        alone.retain(|field, _| field.starts_with('$') || field == "definitions");
        let property = properties.get(name)?.clone();
        alone.insert("properties".to_owned(), Value::Object(Map::from_iter([(name.clone(), property)])));
        let checker = Checker::compile(&Value::Object(alone)).ok()?;
        let value = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        let first = checker.check(&value).err()?.into_iter().next()?;
        Some((name.clone(), first.message))
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn config(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn values_are_checked_where_they_are_known() {
        let schema = json!({
            "type": "object", "required": ["title"], "additionalProperties": false,
            "properties": { "title": { "type": "string", "maxLength": 3 }, "count": { "$ref": "#/$defs/count" } },
            "$defs": { "count": { "type": "integer" } },
        });
        let names = |value| {
            let found = wrong_values(&config(value), &schema).into_iter();
            found.map(|(name, _)| name).collect::<std::collections::BTreeSet<_>>()
        };
        let both = ["count", "title"].map(ToOwned::to_owned);
        assert_eq!(names(json!({ "title": "long", "count": "x" })), both.into());
        assert!(names(json!({ "title": "{{ inputs.long }}", "count": 1 })).is_empty());
    }

    #[test]
    fn a_schedule_that_fires_often_is_told() {
        let now = "2026-11-19T08:00:00Z".parse().unwrap();
        for (cron, expected) in
            [("*/5 * * * *", 1), ("*/15 * * * *", 0), ("0 9 * * 1-5", 0), ("0,7 9 * * *", 1)]
        {
            let mut found = Found { actions: HashMap::new(), worth: vec![] };
            let trigger = Trigger::Schedule {
                cron: cron.to_owned(),
                timezone: "UTC".to_owned(),
                missed: crate::Missed::Skip,
            };
            found.often(&trigger, "/triggers/0", now);
            assert_eq!(found.worth.len(), expected, "{cron} {:?}", found.worth);
        }
    }

    #[test]
    fn a_trigger_that_does_not_give_a_required_input_is_told() {
        let definition: Definition = serde_json::from_value(json!({
            "schema_version": "1.0", "name": "n",
            "inputs": { "schema": { "type": "object", "required": ["channel", "title", "limit"], "properties": {
                "channel": { "type": "string" }, "title": { "type": "string" },
                "limit": { "type": "integer", "default": 3 } } } },
            "triggers": [
                { "type": "schedule", "config": { "cron": "0 9 * * *", "timezone": "UTC" } },
                { "type": "webhook", "config": { "input_mapping": { "title": "$.title" } } },
                { "type": "webhook", "config": { "input_mapping": { "title": "$.title", "channel": "$.c" } } },
            ],
            "plan": [{ "step_id": "tell", "action": "data.notify", "config": {} }],
        }))
        .unwrap();
        let found = never_given(&definition);
        let told: Vec<(&str, bool)> =
            found.iter().map(|(at, message)| (at.as_str(), message.contains("`channel`, `title`"))).collect();
        assert_eq!(told, [("/triggers/0", true), ("/triggers/1", false)], "{found:?}");
    }

    #[test]
    fn steps_of_models_are_looked_at() {
        let definition: Definition = serde_json::from_value(json!({
            "schema_version": "1.0", "name": "n",
            "plan": [
                { "step_id": "ask", "action": "agent_task", "output_as": "said",
                  "config": { "goal": "g", "provider": "p", "model": "m", "budget_usd": null } },
                { "step_id": "tell", "action": "data.notify", "config": { "title": "{{ said }}" } },
            ],
            "execution": { "budget_cap_usd": 1.0 },
        }))
        .unwrap();
        let mut found = Found { actions: HashMap::new(), worth: vec![] };
        found.all(&definition, Timestamp::UNIX_EPOCH);
        let kinds: Vec<&str> = found.worth.iter().map(|worth| worth.kind.as_str()).collect();
        assert_eq!(kinds, ["free_text", "cost", "cost"], "{:?}", found.worth);
        assert!(found.worth[2].message.contains("1 USD"), "{:?}", found.worth);
    }
}
