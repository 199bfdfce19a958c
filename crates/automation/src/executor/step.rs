//! One attempt of one step: its condition, its parameters, its invocation, its result.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use catalog::Checker;
use jiff::Timestamp;
use model::{
    Disposition, EffectClass, IdempotencyKey, InvocationId, MemberKind, Status, StepOrigin, StepStatus,
    TriggerType,
};
use pipeline::{Invocation, Provenance, Request};
use serde_json::Value;

use super::work::Work;
use crate::{
    Error, RunError, RunStep, StepKind,
    flow::{self, Actions, Traced},
    limits::run::{PLACES_TAKEN, SOON, STOPPED, UNDER_WAY},
    plan::Place,
};

/// The result of an attempt.
pub(super) enum Stepped {
    /// The attempt has ended, with success or without.
    On,
    /// Check again after this time.
    Rest(Duration),
    /// A person has to answer, until this time at the latest.
    Await(InvocationId, Option<Timestamp>),
}

impl Work {
    /// Performs an attempt of a step, or continues one.
    pub(super) async fn step(&mut self, place: Place<'_>) -> Result<Stepped, Error> {
        let known =
            self.steps.iter().find(|step| (step.ordinal, step.attempt) == (place.ordinal, place.attempt));
        let mut row = known.cloned().unwrap_or_else(|| RunStep {
            ordinal: place.ordinal,
            attempt: place.attempt,
            step_id: place.step.step_id.clone(),
            action: place.step.kind.as_str().to_owned(),
            status: StepStatus::Running,
            invocation: None,
            error: None,
            started_at: self.now(),
            finished_at: None,
        });
        if place.step.kind == StepKind::AgentTask {
            return Box::pin(self.agent(place, row)).await;
        }
        if let Some(invocation) = self.known_invocation(place).await? {
            return self.conclude(place, row, invocation).await;
        }
        self.resumes = false;
        if place.begun && self.run.cancel_requested_at.is_some() {
            // The attempt was started, but its invocation has not been requested yet.
            return Ok(self.end(row, StepStatus::Failed, Some(RunError::cancelled())));
        }
        let action = place.step.kind.as_str();
        let params = match self.prepare(place).await? {
            Prepared::Params(params) => params,
            Prepared::Skip => return Ok(self.end(row, StepStatus::Skipped, None)),
            Prepared::Wrong(error) => return Ok(self.end(row, StepStatus::Failed, Some(error))),
        };
        row.status = StepStatus::Running;
        self.note(row.clone());
        let mut request = self.request(place, action, params)?;
        request.provenance = Some(Box::new(self.provenance(place).await?));
        match self.invoke(request).await? {
            Ok(invocation) => self.conclude(place, row, invocation).await,
            Err(error) => match refusal(error)? {
                Refusal::Rest(wait) => Ok(Stepped::Rest(wait)),
                Refusal::Final { class, message } => {
                    Ok(self.end(row, StepStatus::Failed, Some(self.error(class, &message))))
                }
            },
        }
    }

    /// Makes an invocation. A quick one is recorded when it has ended; the start of a slower one is recorded, so that people
    /// who watch the run see it.
    pub(super) async fn invoke(
        &mut self,
        request: Request,
    ) -> Result<Result<Invocation, pipeline::Error>, Error> {
        let pipeline = self.automations.parts.pipeline.clone();
        let mut asked = Box::pin(pipeline.invoke(request));
        match tokio::time::timeout(SOON, &mut asked).await {
            Ok(done) => Ok(done),
            Err(_) => {
                // The invocation continues whether the run does or not.
                self.go_on(Duration::ZERO).await?;
                Ok(asked.await)
            }
        }
    }

    /// The invocation that an attempt already has, unless this process starts the attempt: an earlier process may have
    /// created the invocation without recording it.
    async fn known_invocation(&self, place: Place<'_>) -> Result<Option<Invocation>, Error> {
        let pipeline = &self.automations.parts.pipeline;
        match (place.invocation, self.run.session) {
            (Some(id), _) => Ok(Some(pipeline.reader().invocation(self.org, id).await?)),
            (None, Some(session)) if place.begun || self.resumes => {
                Ok(pipeline.reader().find_keyed(self.org, session, &self.key(place)).await?)
            }
            _ => Ok(None),
        }
    }

    /// The idempotency key of an attempt. Each key has one invocation.
    fn key(&self, place: Place<'_>) -> IdempotencyKey {
        let key = format!("{}/{}/{}", self.run.id, place.step.step_id, place.attempt);
        // Ids and names of steps are short and visible, so parsing does not fail.
        key.parse().unwrap_or_else(|_| InvocationId::from_uuid(self.run.id.uuid()).into())
    }

    /// What the parameters of a step were made of. Only what sends data out needs it.
    async fn provenance(&mut self, place: Place<'_>) -> Result<Provenance, Error> {
        let reader = self.automations.parts.pipeline.reader();
        if !reader.may_send_out(place.step.kind.as_str()) {
            return Ok(Provenance::default());
        }
        let traced = self.traced().await?;
        Ok(traced.0.get(&place.ordinal).map(Traced::provenance).unwrap_or_default())
    }

    /// What started the run, as far as it tells where its inputs are from.
    async fn started(&self) -> Result<flow::Started, Error> {
        let by = flow::Started::By(self.run.trigger_type);
        let Some(user) = self.run.started_by.filter(|_| self.run.trigger_type == TriggerType::Person) else {
            return Ok(by);
        };
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        let people = self.automations.parts.tenancy.members_by_id(&mut tx, self.org, &[user]).await?;
        let is_person = people.get(&user).is_some_and(|member| member.kind == MemberKind::Person);
        Ok(if is_person { by } else { flow::Started::ByProgram })
    }

    /// What the steps of the run are made of, and the actions there are.
    pub(super) async fn traced(&mut self) -> Result<Arc<(BTreeMap<i16, Traced>, Actions)>, Error> {
        if let Some(traced) = &self.traced {
            return Ok(Arc::clone(traced));
        }
        let actions = self.automations.actions(self.org).await?;
        let started = Some(self.started().await?);
        let traced = Arc::new((flow::trace(&self.definition, started, &actions), actions));
        self.traced = Some(Arc::clone(&traced));
        Ok(traced)
    }

    fn request(&self, place: Place<'_>, action: &str, params: Value) -> Result<Request, pipeline::Error> {
        let session = self.run.session.ok_or(pipeline::Error::SessionOver)?;
        let seconds = place.step.bounds.and_then(|bounds| bounds.timeout_seconds);
        Ok(Request {
            org: self.org,
            session,
            action: action.to_owned(),
            params,
            dry_run: false,
            key: Some(self.key(place)),
            trace_id: None,
            timeout: seconds.map(|seconds| Duration::from_secs(u64::from(seconds))),
            step: Some(StepOrigin { version: self.run.version, hash: place.step.hash() }),
            reason: String::new(),
            released: None,
            budget: None,
            provenance: None,
        })
    }

    /// Applies the state of an invocation to its step.
    async fn conclude(
        &mut self,
        place: Place<'_>,
        mut row: RunStep,
        invocation: Invocation,
    ) -> Result<Stepped, Error> {
        row.invocation = Some(invocation.id);
        match invocation.status {
            Status::Pending | Status::Approved => {
                row.status = StepStatus::Waiting;
                self.note(row);
                Ok(Stepped::Await(invocation.id, invocation.expires_at))
            }
            // The process that performs it is gone, or is another one like this; in time the invocation ends.
            Status::Executing => Ok(Stepped::Rest(UNDER_WAY)),
            Status::Succeeded | Status::Skipped => {
                let result = invocation.result.unwrap_or(Value::Null);
                if invocation.effect != EffectClass::Read {
                    self.trace(&result);
                }
                if let Some(why) =
                    place.step.output_schema.as_ref().and_then(|schema| mismatch(schema, &result))
                {
                    let error = self.error("output_mismatch", &why);
                    return Ok(self.end(row, StepStatus::Failed, Some(error)));
                }
                if let (Some(name), Some(outputs)) = (&place.step.output_as, &mut self.outputs) {
                    outputs.insert(name.clone(), result);
                }
                Ok(self.end(row, StepStatus::Succeeded, None))
            }
            _ => {
                let (class, message) = why(&invocation);
                let error = self.error(class, message);
                Ok(self.end(row, StepStatus::Failed, Some(error)))
            }
        }
    }

    pub(super) fn error(&self, class: &str, message: &str) -> RunError {
        let message = self.automations.redactor.redact_text(message).chars().take(400).collect::<String>();
        RunError::new(class, message)
    }

    pub(super) fn end(&mut self, row: RunStep, status: StepStatus, error: Option<RunError>) -> Stepped {
        let finished_at = Some(self.now());
        self.note(RunStep { status, error, finished_at, ..row });
        Stepped::On
    }

    /// The parameters of a step, or the reason why it is not performed.
    pub(super) async fn prepare(&mut self, place: Place<'_>) -> Result<Prepared, Error> {
        let names = self.names(place).await?;
        if let Some(when) = &place.step.when {
            match names.render(when) {
                Ok(held) if is_true(&held) => {}
                Ok(_) => return Ok(Prepared::Skip),
                Err(why) => return Ok(Prepared::Wrong(self.error("template", &format!("when: {why}")))),
            }
        }
        match names.fill(&Value::Object(place.step.config.clone())) {
            Ok(params) => Ok(Prepared::Params(params)),
            Err((pointer, why)) => Ok(Prepared::Wrong(self.error("template", &format!("{pointer}: {why}")))),
        }
    }
}

/// What to do about a request for which no invocation was created.
pub(super) enum Refusal {
    /// Ask again after this time.
    Rest(Duration),
    /// Asking again changes nothing.
    Final { class: &'static str, message: String },
}

/// What an error says about a request for which no invocation was created; a fault of ours is given back.
pub(super) fn refusal(error: pipeline::Error) -> Result<Refusal, Error> {
    match (&error, error.disposition()) {
        (pipeline::Error::RateLimited { retry_after, .. }, _) => return Ok(Refusal::Rest(*retry_after)),
        (pipeline::Error::TooManyPending(_), _) => return Ok(Refusal::Rest(PLACES_TAKEN)),
        (pipeline::Error::Stopped { .. }, _) => return Ok(Refusal::Rest(STOPPED)),
        (pipeline::Error::UnderWay(_), _) => return Ok(Refusal::Rest(UNDER_WAY)),
        (_, Disposition::Retry | Disposition::Bug) => return Err(error.into()),
        _ => {}
    }
    let mut message = error.to_string();
    if let pipeline::Error::InvalidParams(fields) = &error {
        let places = fields.iter().map(|field| format!("{}: {}", field.pointer, field.message));
        message = format!("{message}: {}", places.collect::<Vec<_>>().join("; "));
    }
    Ok(Refusal::Final { class: error.code(), message })
}

/// Why an invocation did not succeed: a class and words.
pub(super) fn why(invocation: &Invocation) -> (&str, &str) {
    match &invocation.failure {
        Some(failure) => (failure.class.as_str(), &failure.message),
        None => (invocation.status.as_str(), &invocation.decision.reason),
    }
}

pub(super) enum Prepared {
    Params(Value),
    Skip,
    Wrong(RunError),
}

/// Whether a condition holds: its value is neither false nor empty.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(held) => *held,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// How a result violates the output schema, if it does.
fn mismatch(schema: &serde_json::Map<String, Value>, result: &Value) -> Option<String> {
    let checker = match Checker::compile(&Value::Object(schema.clone())) {
        Ok(checker) => checker,
        Err(why) => return Some(why),
    };
    let wrong = checker.check(result).err()?;
    let first = wrong.first()?;
    Some(format!("the result does not match the schema of the step: {}: {}", first.pointer, first.message))
}
