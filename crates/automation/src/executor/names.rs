//! The names that the templates of a step can use, and rendering the templates.

use catalog::template::{self, TemplateError};
use serde_json::{Map, Value, json};

use super::work::Work;
use crate::{
    Error, RunStep, Step, StepKind,
    agent::At,
    limits::template::BOUNDS,
    plan::{AFTER_FAILURE, Place},
    store,
};

/// The data for a step's templates.
pub(super) struct Names(Map<String, Value>);

impl Names {
    /// Renders a template.
    pub(super) fn render(&self, source: &str) -> Result<Value, TemplateError> {
        // Most strings are not templates.
        if !template::has_marks(source) {
            return Ok(Value::from(source));
        }
        template::render(source, &self.0, BOUNDS)
    }

    /// Renders every template in a value; returns the pointer of the first one that fails.
    pub(super) fn fill(&self, value: &Value) -> Result<Value, (String, TemplateError)> {
        let below = |name: &str| {
            let name = name.to_owned();
            move |(pointer, why): (String, TemplateError)| (format!("/{name}{pointer}"), why)
        };
        match value {
            Value::String(text) => self.render(text).map_err(|why| (String::new(), why)),
            Value::Array(items) => (items.iter().enumerate())
                .map(|(at, item)| self.fill(item).map_err(below(&at.to_string())))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array),
            Value::Object(fields) => (fields.iter())
                .map(|(name, field)| Ok((name.clone(), self.fill(field).map_err(below(name))?)))
                .collect::<Result<Map<_, _>, _>>()
                .map(Value::Object),
            other => Ok(other.clone()),
        }
    }
}

impl Work {
    /// The names that the templates of a step can use.
    pub(super) async fn names(&mut self, place: Place<'_>) -> Result<Names, Error> {
        if self.outputs.is_none() {
            self.outputs = Some(self.read_outputs().await?);
        }
        let (space, creator) = self.about(place.step).await?;
        let run = &self.run;
        let mut about = json!({
            "id": run.id,
            // This must not change when the run is resumed, or a different request would be made under the same
            // idempotency key.
            "started_at": run.created_at,
            "automation_id": run.automation,
            "automation_name": run.automation_name,
            "automation_version": run.version,
            "trigger_type": run.trigger_type.as_str(),
            "trigger_id": run.trigger,
            "space": space,
            "creator": creator,
            "attempt": place.attempt,
        });
        if place.ordinal >= AFTER_FAILURE {
            let failed = self.steps.iter().filter(|step| step.ordinal < AFTER_FAILURE);
            let failed =
                failed.filter(|step| step.error.is_some()).max_by_key(|step| (step.ordinal, step.attempt));
            let late = json!({ "class": "timed_out", "message": "timed out" });
            about["failed_step_id"] = failed.map_or(Value::Null, |step| step.step_id.clone().into());
            about["error"] = failed.map_or(late, |step| json!(step.error));
        }
        let mut names = self.outputs.clone().unwrap_or_default();
        names.insert("inputs".to_owned(), Value::Object(self.inputs.clone()));
        names.insert("run".to_owned(), about);
        Ok(Names(names))
    }

    /// The slug of the space and the e-mail address of the automation's creator, for a step that mentions one of them.
    async fn about(&self, step: &Step) -> Result<(Value, Value), Error> {
        let text = serde_json::json!([step.when, step.config]).to_string();
        if !text.contains("space") && !text.contains("creator") {
            return Ok((Value::Null, Value::Null));
        }
        let parts = &self.automations.parts;
        let mut tx = parts.db.begin(self.org).await?;
        let found = store::automations::find(&mut tx, self.org, &[self.run.automation]).await?.pop();
        let automation = found.ok_or(Error::NotFound("automation"))?;
        let space = parts.tenancy.space(&mut tx, self.org, automation.space).await?;
        let people = parts.tenancy.members_by_id(&mut tx, self.org, &[automation.created_by]).await?;
        let creator = people.get(&automation.created_by).map(|member| member.email.clone());
        Ok((space.slug.into(), creator.into()))
    }

    /// The result of a step that a model performed.
    async fn agent_output(&self, done: &RunStep) -> Result<Option<Value>, Error> {
        let parts = &self.automations.parts;
        let mut tx = parts.db.begin(self.org).await?;
        let output = store::agents::output(&mut tx, self.in_org(), At::of(done)).await?;
        drop(tx);
        let Some(digest) = output else { return Ok(None) };
        let stored = parts.pipeline.reader().payloads(self.org, &[digest]).await?;
        Ok(stored.get(&digest).and_then(|bytes| serde_json::from_slice(bytes).ok()))
    }

    /// The results of the steps so far, by name. The result of a step that did not succeed is `null`.
    async fn read_outputs(&self) -> Result<Map<String, Value>, Error> {
        let pipeline = &self.automations.parts.pipeline;
        let steps = (0..).zip(&self.definition.plan);
        let late = (AFTER_FAILURE..).zip(&self.definition.execution.on_failure);
        let mut outputs = Map::new();
        for (ordinal, step) in steps.chain(late) {
            let Some(name) = &step.output_as else { continue };
            let done = self.steps.iter().filter(|done| done.ordinal == ordinal);
            let done = done.max_by_key(|done| done.attempt);
            let value = match done.filter(|done| done.status == model::StepStatus::Succeeded) {
                Some(done) if step.kind == StepKind::AgentTask => self.agent_output(done).await?,
                Some(done) => match done.invocation {
                    Some(id) => pipeline.reader().invocation(self.org, id).await?.result,
                    None => None,
                },
                None => None,
            };
            outputs.insert(name.clone(), value.unwrap_or(Value::Null));
        }
        Ok(outputs)
    }
}
