//! Reading, cancelling, rerunning and purging runs, and resubmitting those that are overdue.

use std::{sync::Arc, time::Duration};

use model::{
    Actor, AutomationId, AutomationStatus, InOrg, InvocationId, OrgId, RunId, RunStatus, SessionId, SpaceId,
    StepStatus,
};
use platform::{db, period::Period};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    AgentCall, AgentTurn, Automations, Concurrency, Definition, Error, Run, RunError, RunStep, RunTally,
    StepKind,
    agent::{At, Recorded},
    dispatch::{self, Entering, Started},
    executor,
    limits::{
        dispatch::RESUBMIT_AFTER,
        keep::{KEPT, PURGED, SWEEP},
        run::LOOK_AFTER,
    },
    plan::AFTER_FAILURE,
    store::{self, runs::End},
};

#[derive(Debug, Clone, Copy, Default)]
pub struct RunFilter {
    pub automation: Option<AutomationId>,
    pub status: Option<RunStatus>,
}

/// A run with its steps and its plan.
pub struct Watched {
    pub run: Run,
    pub steps: Vec<RunStep>,
    /// The turns and calls of its agent steps.
    pub agents: Vec<WatchedAgent>,
    pub definition: Arc<Definition>,
}

/// The turns and calls of one attempt of an agent step.
pub struct WatchedAgent {
    pub ordinal: i16,
    pub attempt: i16,
    pub turns: Vec<AgentTurn>,
    pub calls: Vec<AgentCall>,
}

impl Automations {
    /// A page of the org's runs, newest first.
    pub async fn runs(
        &self,
        org: OrgId,
        filter: RunFilter,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Run>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let ids = store::runs::page(&mut tx, org, filter, before, limit).await?;
        Ok(store::runs::find(&mut tx, org, &ids).await?)
    }

    /// How the runs that were created in each bucket of a period ended, by the index of the bucket. Buckets without
    /// runs are left out.
    pub async fn tally(
        &self,
        org: OrgId,
        space: Option<SpaceId>,
        period: Period,
    ) -> Result<Vec<(usize, RunTally)>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::runs::tally(&mut tx, org, space, period).await?)
    }

    /// The session of a run; `None` for a run that was refused.
    pub async fn session_of(&self, org: OrgId, id: RunId) -> Result<Option<SessionId>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(find(&mut tx, org, id).await?.session)
    }

    pub async fn run(&self, org: OrgId, id: RunId) -> Result<Watched, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let run = find(&mut tx, org, id).await?;
        let steps = store::steps::list(&mut tx, org, id).await?;
        let definition = self.definition(&mut tx, InOrg { org, id: run.automation }, run.version).await?;
        let has_agents = definition.steps().any(|step| step.kind == StepKind::AgentTask);
        let agents = if has_agents { store::agents::list(&mut tx, org, id).await? } else { vec![] };
        let agents = agents.into_iter().map(|(At { ordinal, attempt }, Recorded { turns, calls, .. })| {
            WatchedAgent { ordinal, attempt, turns, calls }
        });
        Ok(Watched { run, steps, agents: agents.collect(), definition })
    }

    /// A run as soon as it differs from the revision `seen` or has ended; or its current state when `patience` is over
    /// or this process stops.
    pub async fn watch(
        &self,
        org: OrgId,
        id: RunId,
        seen: Option<i32>,
        patience: Duration,
    ) -> Result<Watched, Error> {
        let until = Instant::now() + patience;
        // Every change of a run comes with an event of the run or of one of its invocations.
        let mut news = self.parts.events.news(org).await;
        loop {
            let watched = self.run(org, id).await?;
            let is_news = seen.is_some_and(|seen| watched.run.revision != seen);
            if is_news || watched.run.status.is_terminal() || !news.wait(until).await {
                return Ok(watched);
            }
        }
    }

    /// Cancels a run. It ends as soon as the current step has ended; a run that waits for a person ends at once, and
    /// the invocation it waits for is withdrawn.
    pub async fn cancel(&self, Actor { org, user }: Actor, id: RunId) -> Result<Run, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let run = hold(&mut tx, org, id).await?;
        if run.status.is_terminal() {
            return Err(Error::Over);
        }
        // The process that performs the run starts nothing more, and treats the invocation withdrawn below as
        // cancelled, not as denied.
        store::runs::request_cancel(&mut tx, org, id, self.parts.world.clock.now()).await?;
        let why = RunError::new("cancelled", format!("cancelled by {user}"));
        if run.status == RunStatus::Pending {
            self.end_early(tx, org, &run, (RunStatus::Cancelled, &why)).await?;
            return Ok(self.run(org, id).await?.run);
        }
        db::commit(tx).await?;
        // An invocation that was already answered is being performed, and is completed.
        if let Some(invocation) = run.awaits
            && self.withdraw(org, invocation).await?
        {
            self.withdraw_others(org, id, invocation).await?;
            let mut tx = self.parts.db.begin(org).await?;
            let run = hold(&mut tx, org, id).await?;
            self.end_early(tx, org, &run, (RunStatus::Cancelled, &why)).await?;
            self.wake(org, id, invocation).await;
        }
        Ok(self.run(org, id).await?.run)
    }

    /// Withdraws the invocation that a cancelled run waits for; returns whether it could still have been answered.
    pub(crate) async fn withdraw(&self, org: OrgId, invocation: InvocationId) -> Result<bool, Error> {
        Ok(self.parts.pipeline.approvals().withdraw(org, invocation, "the run was cancelled").await?)
    }

    /// Withdraws what calls of a cancelled run wait for besides this invocation: a model may have wanted several at once.
    pub(crate) async fn withdraw_others(
        &self,
        org: OrgId,
        run: RunId,
        invocation: InvocationId,
    ) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let others = store::agents::waiting(&mut tx, org, run).await?;
        drop(tx);
        for other in others.into_iter().filter(|other| *other != invocation) {
            self.withdraw(org, other).await?;
        }
        Ok(())
    }

    /// Ends all runs of an organization, after a restore: their steps may have gone on since the backup. Schedules go on
    /// from now and catch up with nothing. Returns how many runs were ended.
    pub async fn freeze(&self, org: OrgId) -> Result<usize, Error> {
        let why = RunError::new("restored", "the database was restored; further steps may have happened");
        let mut frozen = 0;
        loop {
            let mut tx = self.parts.db.begin(org).await?;
            let open = store::sweeps::open(&mut tx, org, SWEEP).await?;
            drop(tx);
            if open.is_empty() {
                break;
            }
            for id in open {
                let mut tx = self.parts.db.begin(org).await?;
                let run = hold(&mut tx, org, id).await?;
                self.end_early(tx, org, &run, (RunStatus::Failed, &why)).await?;
                frozen += 1;
            }
        }
        self.skip_missed(org).await?;
        Ok(frozen)
    }

    /// How many runs [`Self::freeze`] would end.
    pub async fn count_open(&self, org: OrgId) -> Result<i64, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::sweeps::count_open(&mut tx, org).await?)
    }

    /// Ends a run, with its session and the step that waits, unless it has already ended.
    async fn end_early(
        &self,
        mut tx: db::Tx,
        org: OrgId,
        run: &Run,
        (status, why): (RunStatus, &RunError),
    ) -> Result<(), Error> {
        let now = self.parts.world.clock.now();
        let end = End { status, error: Some(why), began: None, at: now };
        if !store::runs::finish(&mut tx, InOrg { org, id: run.id }, end).await? {
            return Ok(());
        }
        if let Some(session) = run.session {
            self.parts.tenancy.close_session(&mut tx, org, session).await?;
        }
        let mut waiting = store::steps::list(&mut tx, org, run.id).await?;
        waiting.retain(|step| step.status == StepStatus::Waiting);
        for step in &mut waiting {
            step.fail(why, now);
        }
        store::steps::put(&mut tx, InOrg { org, id: run.id }, &waiting.iter().collect::<Vec<_>>()).await?;
        let event = executor::event(self, run, status, None, Some(why));
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        let next =
            store::runs::call_up(&mut tx, InOrg { org, id: run.automation }, now + RESUBMIT_AFTER).await?;
        db::commit(tx).await?;
        if let Some(next) = next {
            self.submit(org, next).await;
        }
        Ok(())
    }

    /// Repeats a run that did not succeed, with the same version and inputs: from the failed step, with the results of
    /// the steps before it, or from the start.
    pub async fn rerun(
        &self,
        Actor { org, user }: Actor,
        id: RunId,
        from_start: bool,
    ) -> Result<Started, Error> {
        let Watched { run: old, steps, definition, .. } = self.run(org, id).await?;
        if !old.status.is_terminal() || old.status == RunStatus::Succeeded || old.session.is_none() {
            return Err(Error::NothingToRerun);
        }
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let number = store::automations::count_run(&mut tx, org, old.automation).await?;
        let found = store::automations::find(&mut tx, org, &[old.automation]).await?.pop();
        let automation = found.ok_or(Error::NotFound("automation"))?;
        if automation.status == AutomationStatus::Archived {
            return Err(Error::Archived);
        }
        let members = self.parts.tenancy.members_by_id(&mut tx, org, &[automation.saved_by]).await?;
        if members.is_empty() {
            return Err(Error::NobodyAnswers);
        }
        let sealed = store::runs::sealed_inputs(&mut tx, org, id).await?;
        let sealed = sealed.ok_or(Error::NothingToRerun)?;
        let kept: Vec<RunStep> = match from_start {
            true => vec![],
            false => finished(&steps),
        };
        let run = Run {
            id: RunId::from_uuid(self.parts.world.uuid()),
            number: number.ok_or(Error::NotFound("automation"))?,
            cause: format!("rerun:{id}:{}", self.parts.world.uuid().simple()),
            started_by: Some(user),
            status: RunStatus::Pending,
            rerun_of: Some(id),
            error: None,
            awaits: None,
            waiting_since: None,
            waited_ms: 0,
            cancel_requested_at: None,
            cost_usd: 0.0,
            revision: 1,
            created_at: now,
            started_at: None,
            finished_at: None,
            erased_at: None,
            session: None,
            ..old
        };
        let queued = definition.execution.concurrency == Concurrency::Queue
            && store::runs::active(&mut tx, org, run.automation).await? > 0;
        let inputs = self.parts.sealer.open(&mut tx, org, dispatch::inputs_place(id), &sealed).await?;
        let due_at = (!queued).then(|| now + RESUBMIT_AFTER);
        let entering = Entering {
            automation: &automation,
            definition: &definition,
            inputs: &inputs,
            cause_digest: None,
            due_at,
        };
        let run = self.enter(&mut tx, org, run, entering).await?;
        store::steps::put(&mut tx, InOrg { org, id: run.id }, &kept.iter().collect::<Vec<_>>()).await?;
        if !kept.is_empty() {
            self.check_outputs(&mut tx, org, id).await?;
            store::agents::keep_outputs(&mut tx, org, (id, run.id)).await?;
        }
        db::commit(tx).await?;
        if !queued {
            self.submit(org, run.id).await;
        }
        Ok(Started { run, duplicate: false, queued })
    }

    /// Refuses to repeat the rest of a run if what its models answered is not stored any more.
    async fn check_outputs(&self, tx: &mut db::Tx, org: OrgId, run: RunId) -> Result<(), Error> {
        let outputs = store::agents::outputs(tx, org, run).await?;
        let stored = self.parts.pipeline.reader().payloads(org, &outputs).await?;
        for bytes in stored.values() {
            // They are stored for longer.
            self.parts.pipeline.put_payload(org, bytes.clone()).await?;
        }
        if outputs.iter().all(|output| stored.contains_key(output)) {
            Ok(())
        } else {
            Err(Error::NothingToRerun)
        }
    }

    /// Submits overdue runs of every org again. Returns how many.
    pub async fn sweep_runs(&self) -> Result<usize, Error> {
        let now = self.parts.world.clock.now();
        let mut conn = self.parts.db.unscoped().await?;
        let late = store::sweeps::overdue(&mut conn, now, SWEEP).await?;
        drop(conn);
        for (org, id) in &late {
            let mut tx = self.parts.db.begin(*org).await?;
            let run = find(&mut tx, *org, *id).await?;
            // A run is woken only for an invocation that has ended: the engine stores a wake, and would not wait for
            // that invocation again.
            let ended = match run.awaits {
                None => None,
                Some(awaited) => match self.parts.pipeline.reader().invocation(*org, awaited).await {
                    Ok(found) if !found.status.is_terminal() => None,
                    _ => Some(awaited),
                },
            };
            let next = now + if ended.is_some() { RESUBMIT_AFTER } else { LOOK_AFTER };
            store::runs::set_due(&mut tx, InOrg { org: *org, id: *id }, next).await?;
            db::commit(tx).await?;
            match ended {
                Some(awaited) => self.wake(*org, *id, awaited).await,
                None => drop(self.submit(*org, *id).await),
            }
        }
        Ok(late.len())
    }

    /// Deletes runs that ended long ago.
    pub async fn purge_runs(&self) -> Result<i64, Error> {
        let now = self.parts.world.clock.now();
        let mut conn = self.parts.db.unscoped().await?;
        Ok(store::sweeps::purge(&mut conn, now - KEPT, now, PURGED).await?)
    }
}

/// A run, locked until this transaction ends.
async fn hold(tx: &mut db::Tx, org: OrgId, id: RunId) -> Result<Run, Error> {
    let run = find(tx, org, id).await?;
    store::automations::lock(tx, org, run.automation).await?;
    store::runs::lock(tx, org, id).await?;
    find(tx, org, id).await
}

async fn find(tx: &mut db::Tx, org: OrgId, id: RunId) -> Result<Run, Error> {
    store::runs::find(tx, org, &[id]).await?.pop().ok_or(Error::NotFound("run"))
}

/// The steps that a rerun need not repeat: those of the plan that ended before the failed one.
fn finished(steps: &[RunStep]) -> Vec<RunStep> {
    let is_done = |step: &&RunStep| matches!(step.status, StepStatus::Succeeded | StepStatus::Skipped);
    let done = steps.iter().filter(|step| step.ordinal < AFTER_FAILURE).filter(is_done);
    done.cloned().map(|step| RunStep { attempt: 1, ..step }).collect()
}
