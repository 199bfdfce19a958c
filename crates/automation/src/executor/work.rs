//! A run in one process: the data read about it, and the data that is not yet written.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use events::{Event, Origin};
use jiff::{SignedDuration, Timestamp};
use model::{InOrg, InvocationId, OrgId, RunId, RunStatus, StepStatus};
use platform::db::{self, Tx};
use serde_json::{Map, Value, json};

use super::{Turn, told};
use crate::{
    Automations, Concurrency, Definition, Error, Run, RunError, RunStep, dispatch,
    flow::{Actions, Traced},
    limits::{dispatch::RESUBMIT_AFTER, guard::REMEMBERED, run::LOOK_AFTER},
    plan::Moment,
    store::{
        self,
        runs::{End, Progress},
        traces::Trace,
    },
};

/// A run with everything needed to continue it.
pub(super) struct Work {
    pub(super) automations: Automations,
    pub(super) org: OrgId,
    pub(super) run: Run,
    pub(super) definition: Arc<Definition>,
    pub(super) steps: Vec<RunStep>,
    /// Its inputs in plain text.
    pub(super) inputs: Map<String, Value>,
    /// The results of its steps, by the names that later steps use; read when first needed.
    pub(super) outputs: Option<Map<String, Value>>,
    /// What its steps are made of, and the actions there are; read when first needed.
    pub(super) traced: Option<Arc<(BTreeMap<i16, Traced>, Actions)>>,
    /// When this process took up the run, which is also the start of a run that had not started.
    taken_at: Timestamp,
    /// Whether steps may have been performed without being recorded. Cleared at the first step that was not.
    pub(super) resumes: bool,
    /// Ordinal and attempt number of the attempts that are not written yet.
    unwritten: Vec<(i16, i16)>,
    traces: Vec<Trace>,
}

impl Work {
    /// Reads a run; `None` if it has ended or is not its turn.
    pub(super) async fn take_up(
        automations: &Automations,
        org: OrgId,
        id: RunId,
    ) -> Result<Option<Self>, Error> {
        let parts = &automations.parts;
        let mut tx = parts.db.begin(org).await?;
        let Some(run) = store::runs::find(&mut tx, org, &[id]).await?.pop() else { return Ok(None) };
        if run.status.is_terminal() {
            return Ok(None);
        }
        let definition =
            automations.definition(&mut tx, InOrg { org, id: run.automation }, run.version).await?;
        // A queued run that is called too early is called again when it is its turn.
        if run.status == RunStatus::Pending
            && definition.execution.concurrency == Concurrency::Queue
            && !store::runs::is_first(&mut tx, org, &run).await?
        {
            return Ok(None);
        }
        let steps = match run.started_at.is_some() || run.rerun_of.is_some() {
            true => store::steps::list(&mut tx, org, id).await?,
            false => vec![],
        };
        let sealed = store::runs::sealed_inputs(&mut tx, org, id).await?;
        let inputs = match sealed {
            None => Map::new(),
            Some(sealed) => {
                let plain = parts.sealer.open(&mut tx, org, dispatch::inputs_place(id), &sealed).await?;
                serde_json::from_slice(&plain)
                    .map_err(|_| db::Error::Inconsistent { column: "runs.inputs_sealed" })?
            }
        };
        Ok(Some(Self {
            automations: automations.clone(),
            org,
            run,
            definition,
            steps,
            inputs,
            outputs: None,
            traced: None,
            taken_at: parts.world.clock.now(),
            resumes: true,
            unwritten: vec![],
            traces: vec![],
        }))
    }

    pub(super) fn now(&self) -> Timestamp {
        self.automations.parts.world.clock.now()
    }

    /// The current state of the run, for planning the next step.
    pub(super) fn moment(&self) -> Moment {
        let now = self.now();
        let began = self.run.started_at.unwrap_or(self.taken_at);
        let waiting = self.run.waiting_since.map_or(SignedDuration::ZERO, |since| now.duration_since(since));
        let waited = SignedDuration::from_millis(self.run.waited_ms) + waiting;
        let worked = now.duration_since(began) - waited;
        Moment {
            run: self.run.id,
            now,
            worked: Duration::try_from(worked).unwrap_or_default(),
            cancelled: self.run.cancel_requested_at.is_some(),
        }
    }

    /// Notes an attempt of a step, to be written with the next transaction.
    pub(super) fn note(&mut self, step: RunStep) {
        let place = (step.ordinal, step.attempt);
        self.steps.retain(|known| (known.ordinal, known.attempt) != place);
        self.steps.push(step);
        if !self.unwritten.contains(&place) {
            self.unwritten.push(place);
        }
    }

    /// Remembers the objects that a step created or touched outside.
    pub(super) fn trace(&mut self, result: &Value) {
        for trace in dispatch::traces(&self.run, result) {
            // Several steps may create the same object. Each trace is written once, and in a fixed order, so that runs
            // do not wait for each other.
            self.traces.retain(|known| known.hash != trace.hash);
            self.traces.push(trace);
        }
        self.traces.sort_by_key(|trace| trace.hash);
    }

    async fn write(&mut self, tx: &mut Tx) -> Result<(), Error> {
        let unwritten = std::mem::take(&mut self.unwritten);
        let steps = self.steps.iter().filter(|step| unwritten.contains(&(step.ordinal, step.attempt)));
        let steps: Vec<&RunStep> = steps.collect();
        if !steps.is_empty() {
            store::steps::put(tx, InOrg { org: self.org, id: self.run.id }, &steps).await?;
        }
        if !self.traces.is_empty() {
            let until = self.now() + REMEMBERED;
            store::traces::put(tx, self.org, &std::mem::take(&mut self.traces), until).await?;
        }
        Ok(())
    }

    /// Records that the run continues; returns `false` if someone ended it meanwhile.
    pub(super) async fn go_on(&mut self, wait: Duration) -> Result<bool, Error> {
        let due_at = self.now() + wait + LOOK_AFTER;
        self.progress(None, due_at).await
    }

    async fn progress(&mut self, awaits: Option<InvocationId>, due_at: Timestamp) -> Result<bool, Error> {
        let (now, org) = (self.now(), self.org);
        let mut tx = self.automations.parts.db.begin(org).await?;
        let progress = Progress { awaits, due_at, began: self.taken_at, now };
        let Some(cancelled) =
            store::runs::progress(&mut tx, InOrg { org, id: self.run.id }, &progress).await?
        else {
            self.leave(tx).await?;
            return Ok(false);
        };
        self.run.cancel_requested_at = cancelled;
        self.write(&mut tx).await?;
        match (awaits, self.run.waiting_since) {
            (Some(_), None) => self.run.waiting_since = Some(now),
            (None, Some(since)) => {
                let waited = i64::try_from(now.duration_since(since).as_millis()).unwrap_or(0);
                (self.run.waiting_since, self.run.waited_ms) = (None, self.run.waited_ms + waited.max(0));
            }
            _ => {}
        }
        let is_news = awaits.is_some() && self.run.awaits != awaits;
        self.run.awaits = awaits;
        let mut told = self.beginning();
        told.extend(is_news.then(|| self.event(RunStatus::Waiting, None)));
        self.automations.parts.events.stage(&mut tx, org, told.iter()).await?;
        db::commit(tx).await?;
        Ok(true)
    }

    /// Records the attempts of a run that someone ended meanwhile, so that they are not repeated.
    async fn leave(&mut self, mut tx: Tx) -> Result<(), Error> {
        self.write(&mut tx).await?;
        Ok(db::commit(tx).await?)
    }

    /// Reads whether the run was cancelled; returns `false` if someone ended it meanwhile.
    pub(super) async fn look(&mut self) -> Result<bool, Error> {
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        let Some(cancelled) = store::runs::cancel_requested(&mut tx, self.org, self.run.id).await? else {
            self.leave(tx).await?;
            return Ok(false);
        };
        self.run.cancel_requested_at = cancelled;
        Ok(true)
    }

    /// The event that the run started, unless it was already published.
    fn beginning(&mut self) -> Vec<Event> {
        if self.run.started_at.is_some() {
            return vec![];
        }
        self.run.started_at = Some(self.taken_at);
        vec![self.event(RunStatus::Running, None)]
    }

    /// Pauses the run for this time.
    pub(super) async fn rest(&mut self, wait: Duration) -> Result<Turn, Error> {
        let goes_on = self.go_on(wait).await?;
        Ok(if goes_on { Turn::rest(wait) } else { Turn::Over })
    }

    /// Makes the run wait for a person's answer.
    pub(super) async fn wait_for(
        &mut self,
        invocation: InvocationId,
        until: Option<Timestamp>,
    ) -> Result<Option<Turn>, Error> {
        let due_at = until.unwrap_or_else(|| self.now()) + LOOK_AFTER;
        let goes_on = self.progress(Some(invocation), due_at).await?;
        if !goes_on || self.run.cancel_requested_at.is_some() {
            // Whoever cancelled the run did not know about this invocation.
            let withdrawn = self.automations.withdraw(self.org, invocation).await?;
            self.automations.withdraw_others(self.org, self.run.id, invocation).await?;
            if goes_on && withdrawn {
                self.give_up().await?;
            }
            if !goes_on || withdrawn {
                return Ok(Some(Turn::Over));
            }
        }
        // An answer that came before the waiting was recorded woke nothing, so the invocation is read again.
        let found = self.automations.parts.pipeline.reader().invocation(self.org, invocation).await?;
        Ok((!found.status.is_terminal()).then_some(Turn::Await { invocation }))
    }

    /// Ends a run that was cancelled before it began to wait, with the step that would wait.
    async fn give_up(&mut self) -> Result<(), Error> {
        let (why, now) = (RunError::cancelled(), self.now());
        let (waiting, others): (Vec<RunStep>, _) =
            std::mem::take(&mut self.steps).into_iter().partition(|step| step.status == StepStatus::Waiting);
        self.steps = others;
        for mut step in waiting {
            step.fail(&why, now);
            self.note(step);
        }
        self.finish(RunStatus::Cancelled, Some(why)).await
    }

    /// Ends the run with its session, and starts the next one if runs of this automation are queued.
    pub(super) async fn finish(&mut self, status: RunStatus, error: Option<RunError>) -> Result<(), Error> {
        let (org, now) = (self.org, self.now());
        let parts = self.automations.parts.clone();
        let mut tx = parts.db.begin(org).await?;
        let queues = self.definition.execution.concurrency == Concurrency::Queue;
        if queues {
            // Locks in the same order as starting a run does: first the automation, then its runs.
            store::automations::lock(&mut tx, org, self.run.automation).await?;
        }
        let end = End { status, error: error.as_ref(), began: Some(self.taken_at), at: now };
        if !store::runs::finish(&mut tx, InOrg { org, id: self.run.id }, end).await? {
            return self.leave(tx).await;
        }
        self.write(&mut tx).await?;
        if let Some(session) = self.run.session {
            parts.tenancy.close_session(&mut tx, org, session).await?;
        }
        let mut told = self.beginning();
        told.push(self.event(status, error.as_ref()));
        parts.events.stage(&mut tx, org, told.iter()).await?;
        let next = match queues {
            true => {
                let due_at = now + RESUBMIT_AFTER;
                store::runs::call_up(&mut tx, InOrg { org, id: self.run.automation }, due_at).await?
            }
            false => None,
        };
        db::commit(tx).await?;
        metrics::counter!("countersign_runs_total", "status" => status.as_str()).increment(1);
        if let Some(next) = next {
            self.automations.submit(org, next).await;
        }
        Ok(())
    }

    fn event(&self, status: RunStatus, error: Option<&RunError>) -> Event {
        let waits = self.steps.iter().find(|step| step.status == StepStatus::Waiting);
        let step =
            error.and_then(|error| error.step_id.clone()).or_else(|| waits.map(|step| step.step_id.clone()));
        event(&self.automations, &self.run, status, step, error)
    }
}

/// The event that reports the status of a run.
pub(crate) fn event(
    automations: &Automations,
    run: &Run,
    status: RunStatus,
    step: Option<String>,
    error: Option<&RunError>,
) -> Event {
    let mut data = json!({
        "run": run.id, "automation": run.automation, "name": run.automation_name, "number": run.number,
        "status": status.as_str(),
    });
    let more = [
        ("step", step.map(Value::from)),
        ("invocation", run.awaits.filter(|_| status == RunStatus::Waiting).map(|id| id.to_string().into())),
        ("error", error.map(|error| error.class.clone().into())),
    ];
    for (name, value) in more {
        if let Some(value) = value {
            data[name] = value;
        }
    }
    let of = dispatch::of(run);
    let origin = Origin { application: None, depth: of.depth, chain: of.chain };
    let told = Event::new(&automations.parts.world, told(status), run.id, data);
    Event { session: run.session, origin, ..told }
}
