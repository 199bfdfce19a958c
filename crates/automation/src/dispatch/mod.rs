//! From a fire to a run: inputs, loop detection, concurrency, one row, and then a message to the engine.
//!
//! All of this happens while the automation's row is locked, so each of several concurrent fires sees what the earlier
//! ones started. The row is authoritative: a run that was recorded but not handed over is found and handed over later.

mod event;
mod guard;
mod hook;
mod timer;

use jiff::Timestamp;
use model::{
    Actor, AutomationId, AutomationStatus, IdempotencyKey, InOrg, Lane, OrgId, RunId, RunStatus, SessionKind,
    TriggerId, TriggerType, UserId,
};
use platform::{
    db::{self, Tx},
    seal::Place,
};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tenancy::{Capabilities, NewSession, SessionRun};

use crate::{
    AgentTask, Automation, Automations, Concurrency, Definition, Error, Run, RunError, Step, StepKind,
    inputs::{self, Defaults},
    limits::dispatch::{FAST_MS, MEDIUM_MS, MOST_QUEUED, RESUBMIT_AFTER, SESSION},
    store::{self, runs::NewRun, triggers::Which},
};

pub(crate) use event::Index;
pub(crate) use guard::{Origin, traces};
pub use hook::Hooked;
pub(crate) use timer::TimerOrder;

/// One activation of a trigger, or the request of a person, to start a run.
pub(crate) struct Fire {
    pub(crate) automation: AutomationId,
    pub(crate) trigger: Option<TriggerId>,
    pub(crate) trigger_type: TriggerType,
    /// Each cause starts one run, however often it is reported.
    pub(crate) cause: String,
    /// Digest over the data that came with the cause, where the same cause could come with different data.
    pub(crate) digest: Option<[u8; 32]>,
    pub(crate) given: Map<String, Value>,
    pub(crate) started_by: Option<UserId>,
    /// The person behind it, where nobody started it: who made the token, or published the event.
    pub(crate) caused_by: Option<UserId>,
    pub(crate) origin: Origin,
    /// Schedules only: the time this fire was due, and the next time.
    pub(crate) comes: Option<(Timestamp, Timestamp)>,
    pub(crate) at: Timestamp,
}

impl Fire {
    fn cause_digest(&self) -> Option<&[u8]> {
        self.digest.as_ref().map(<[u8; 32]>::as_slice)
    }
}

/// A fire with its automation.
#[derive(Clone, Copy)]
struct Firing<'a> {
    org: OrgId,
    automation: &'a Automation,
    fire: &'a Fire,
}

/// The data that a new run is recorded with.
pub(crate) struct Entering<'a> {
    pub(crate) automation: &'a Automation,
    pub(crate) definition: &'a Definition,
    /// The inputs in plain text, as JSON.
    pub(crate) inputs: &'a [u8],
    pub(crate) cause_digest: Option<&'a [u8]>,
    /// When to check whether the run started; `None` while it is queued behind others.
    pub(crate) due_at: Option<Timestamp>,
}

/// The result of a fire.
#[derive(Debug, Clone)]
pub struct Started {
    pub run: Run,
    /// Whether the run was started earlier by the same cause.
    pub duplicate: bool,
    /// Whether the run is queued behind others.
    pub queued: bool,
}

impl Automations {
    /// Starts a run for a person.
    pub async fn run_now(
        &self,
        Actor { org, user }: Actor,
        automation: AutomationId,
        given: Map<String, Value>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Started, Error> {
        let digest = key.map(|_| Sha256::digest(Value::Object(given.clone()).to_string()).into());
        let cause = match key {
            Some(key) => format!("person:{user}:{key}"),
            None => format!("person:{user}:{}", self.parts.world.uuid().simple()),
        };
        let fire = Fire {
            automation,
            trigger: None,
            trigger_type: TriggerType::Person,
            cause,
            digest,
            given,
            started_by: Some(user),
            caused_by: None,
            origin: Origin::default(),
            comes: None,
            at: self.parts.world.clock.now(),
        };
        self.start(org, fire).await?.ok_or(Error::NotFound("automation"))
    }

    /// Records a run for a fire, or finds the run that the same cause started earlier. `None` if the schedule was
    /// advanced meanwhile.
    pub(crate) async fn fire(&self, org: OrgId, fire: Fire) -> Result<Option<Started>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        // This locks the automation's row: nothing else starts the automation until this transaction ends.
        let number = store::automations::count_run(&mut tx, org, fire.automation).await?;
        let number = number.ok_or(Error::NotFound("automation"))?;
        if let (Some(trigger), Some((due, next))) = (fire.trigger, fire.comes)
            && !store::triggers::advance(&mut tx, InOrg { org, id: trigger }, due, next).await?
        {
            return Ok(None);
        }
        let earlier = store::runs::of_cause(&mut tx, InOrg { org, id: fire.automation }, &fire.cause).await?;
        if let Some((id, digest)) = earlier {
            if fire.digest.is_some() && digest.as_deref() != fire.cause_digest() {
                return Err(Error::KeyReused);
            }
            let run = store::runs::find(&mut tx, org, &[id]).await?.pop().ok_or(Error::NotFound("run"))?;
            if fire.comes.is_some() {
                // The clock went back: this time was already handled, and the schedule continues.
                db::commit(tx).await?;
            }
            return Ok(Some(Started { run, duplicate: true, queued: false }));
        }
        let found = store::automations::find(&mut tx, org, &[fire.automation]).await?.pop();
        let automation = found.ok_or(Error::NotFound("automation"))?;
        if automation.status == AutomationStatus::Archived {
            return Err(Error::Archived);
        }
        if fire.started_by.is_some() {
            // A run that an event or a request from outside starts while it is stopped waits, so that nothing is lost.
            let place = (automation.space, automation.id);
            self.parts.pipeline.reader().check_automation(&mut tx, org, place).await?;
        }
        let firing = Firing { org, automation: &automation, fire: &fire };
        let (run, queued) = self.record(&mut tx, firing, number).await?;
        db::commit(tx).await?;
        let result = if run.session.is_some() { "started" } else { "refused" };
        metrics::counter!("countersign_fires_total", "trigger" => run.trigger_type.as_str(), "result" => result)
            .increment(1);
        Ok(Some(Started { run, duplicate: false, queued }))
    }

    /// Records the run of a fire and submits it to the engine if it can start.
    pub(crate) async fn start(&self, org: OrgId, fire: Fire) -> Result<Option<Started>, Error> {
        let started = self.fire(org, fire).await?;
        if let Some(Started { run, duplicate: false, queued: false }) = &started
            && run.status == RunStatus::Pending
        {
            self.submit(org, run.id).await;
        }
        Ok(started)
    }

    /// Records the run of a fire, or the reason why there is none; returns whether the run is queued.
    async fn record(&self, tx: &mut Tx, firing: Firing<'_>, number: i64) -> Result<(Run, bool), Error> {
        let Firing { org, automation, fire } = firing;
        let definition = self.definition(tx, InOrg { org, id: automation.id }, automation.version).await?;
        let now = self.parts.world.clock.now();
        let mut run = fresh(RunId::from_uuid(self.parts.world.uuid()), automation, fire, number, now);
        let resolved = self.admit(tx, firing, &definition).await?;
        let given = match resolved {
            Ok(given) => given,
            Err((RunStatus::Failed, _, fields)) if fire.started_by.is_some() => {
                return Err(Error::Inputs(fields));
            }
            Err((status, error, _)) => return refuse(tx, firing, run, status, error).await,
        };
        let active = store::runs::active(tx, org, automation.id).await?;
        let mut due_at = Some(now + RESUBMIT_AFTER);
        match definition.execution.concurrency {
            Concurrency::DropIfRunning if active > 0 => {
                let why = RunError::new(
                    "already_running",
                    "the automation was already running, and its concurrency policy drops further runs",
                );
                return refuse(tx, firing, run, RunStatus::Cancelled, why).await;
            }
            _ if active >= MOST_QUEUED => return Err(Error::TooManyQueued(active)),
            // It is started when the runs before it have ended.
            Concurrency::Queue if active > 0 => due_at = None,
            _ => {}
        }
        // A refused fire does not count as fired: an automation that asks what is new since the last fire must not miss
        // what was new at this one.
        if let Some(trigger) = fire.trigger {
            store::triggers::note_fired(tx, InOrg { org, id: trigger }, fire.at).await?;
        }
        let plain = serde_json::to_vec(&given).unwrap_or_default();
        run.inputs = self.redactor.redact_value(&Value::Object(given));
        // A model may think for minutes, from the first run on.
        let has_agents = definition.steps().any(|step| step.kind == StepKind::AgentTask);
        run.lane = if has_agents { Lane::Long } else { self.lane(tx, org, automation.id).await? };
        let entering = Entering {
            automation,
            definition: &definition,
            inputs: &zeroize::Zeroizing::new(plain),
            cause_digest: fire.cause_digest(),
            due_at,
        };
        let run = self.enter(tx, org, run, entering).await?;
        Ok((run, due_at.is_none()))
    }

    /// Records a new run with its session and its sealed inputs.
    pub(crate) async fn enter(
        &self,
        tx: &mut Tx,
        org: OrgId,
        mut run: Run,
        entering: Entering<'_>,
    ) -> Result<Run, Error> {
        let Entering { automation, definition, inputs, cause_digest, due_at } = entering;
        let (opened, session) = (Actor { org, user: automation.saved_by }, session(automation, definition));
        let session = self.parts.tenancy.open_run_session(tx, opened, session, of(&run)).await?;
        run.session = Some(session.id);
        let sealed = self.parts.sealer.seal(tx, org, inputs_place(run.id), inputs).await?;
        let new = NewRun { run: &run, cause_digest, inputs_sealed: Some(sealed), due_at };
        store::runs::insert(tx, org, &new).await?;
        Ok(run)
    }

    /// The lane of an automation, cached for a short time.
    async fn lane(&self, tx: &mut Tx, org: OrgId, automation: AutomationId) -> Result<Lane, Error> {
        if let Some(known) = self.measured.get(&(org, automation)) {
            return Ok(known);
        }
        let lane = lane(store::runs::usual_ms(tx, org, automation).await?);
        self.measured.insert((org, automation), lane);
        Ok(lane)
    }

    /// The inputs of a run, or the reason why the fire is refused.
    async fn admit(
        &self,
        tx: &mut Tx,
        Firing { org, automation, fire }: Firing<'_>,
        definition: &Definition,
    ) -> Result<Result<Map<String, Value>, Refusal>, Error> {
        if let Some(why) = self.loops(tx, InOrg { org, id: automation.id }, &fire.origin).await? {
            return Ok(Err((RunStatus::Cancelled, RunError::new("loop", why), vec![])));
        }
        let people = [automation.saved_by, automation.created_by];
        let members = self.parts.tenancy.members_by_id(tx, org, &people).await?;
        if !members.contains_key(&automation.saved_by) {
            let why = Error::NobodyAnswers.to_string();
            return Ok(Err((RunStatus::Cancelled, RunError::new(Error::NobodyAnswers.code(), why), vec![])));
        }
        let saver = Actor { org, user: automation.saved_by };
        match self.parts.tenancy.reach(tx, saver, automation.space).await {
            Err(error @ tenancy::Error::NotInSpace) => {
                let why = "the person who saved this version does not belong to its space; have a member of the space \
                           save the automation again";
                return Ok(Err((RunStatus::Cancelled, RunError::new(error.code(), why), vec![])));
            }
            reach => drop(reach?),
        }
        let creator = members.get(&automation.created_by).map_or("", |member| &member.email);
        let mut defaults = Defaults { last_fired_at: automation.created_at, creator, space: String::new() };
        if inputs::has_special_defaults(&definition.inputs.schema) {
            let triggers = store::triggers::find(tx, org, Which::Of(&[automation.id])).await?;
            let fired = triggers.iter().filter(|row| fire.trigger.is_none_or(|id| id == row.id));
            let fired = fired.filter_map(|row| row.last_fired_at).max();
            defaults.last_fired_at = fired.unwrap_or(automation.created_at);
            defaults.space = self.parts.tenancy.space(tx, org, automation.space).await?.slug;
        }
        let resolved = inputs::resolve(&definition.inputs.schema, fire.given.clone(), &defaults);
        Ok(resolved.map_err(|errors| {
            let first = errors.first().map(|one| format!("{}: {}", one.pointer, one.message));
            let message = self.redactor.redact_text(&first.unwrap_or_default()).into_owned();
            (RunStatus::Failed, RunError::new("invalid_inputs", message), errors)
        }))
    }
}

/// The status and error of a refused run, and the problems of its inputs.
type Refusal = (RunStatus, RunError, Vec<catalog::FieldError>);

/// Records that there was a fire, and why it was refused.
async fn refuse(
    tx: &mut Tx,
    Firing { org, fire, .. }: Firing<'_>,
    run: Run,
    status: RunStatus,
    error: RunError,
) -> Result<(Run, bool), Error> {
    let run = Run { status, error: Some(error), finished_at: Some(run.created_at), ..run };
    let cause_digest = fire.cause_digest();
    let new = NewRun { run: &run, cause_digest, inputs_sealed: None, due_at: None };
    store::runs::insert(tx, org, &new).await?;
    Ok((run, false))
}

/// The place that the inputs of a run are sealed for.
pub(crate) fn inputs_place(run: RunId) -> Place<'static> {
    Place { table: "runs", row: run.uuid(), field: "inputs_sealed" }
}

/// The lane for a usual duration; an automation that never ran gets the medium lane.
fn lane(usual_ms: Option<f64>) -> Lane {
    match usual_ms {
        Some(usual) if usual < FAST_MS => Lane::Fast,
        Some(usual) if usual >= MEDIUM_MS => Lane::Long,
        _ => Lane::Medium,
    }
}

fn fresh(id: RunId, automation: &Automation, fire: &Fire, number: i64, now: Timestamp) -> Run {
    Run {
        id,
        automation: automation.id,
        automation_name: automation.name.clone(),
        number,
        version: automation.version,
        trigger: fire.trigger,
        trigger_type: fire.trigger_type,
        cause: fire.cause.clone(),
        started_by: fire.started_by,
        caused_by: fire.caused_by,
        status: RunStatus::Pending,
        lane: Lane::Medium,
        session: None,
        inputs: Value::Object(Map::new()),
        depth: fire.origin.depth,
        chain: fire.origin.chain.clone(),
        named: fire.origin.named.clone(),
        echo_of: fire.origin.echo_of,
        rerun_of: None,
        awaits: None,
        waiting_since: None,
        waited_ms: 0,
        cancel_requested_at: None,
        error: None,
        cost_usd: 0.0,
        revision: 1,
        created_at: now,
        started_at: None,
        finished_at: None,
        erased_at: None,
    }
}

/// The run that a session belongs to. Everything in the session is one level deeper than the origin of the run.
pub(crate) fn of(run: &Run) -> SessionRun {
    let chain = run.chain.iter().cloned().chain([run.automation.to_string()]).collect();
    let depth = run.depth.saturating_add(1);
    let Run { id, automation, started_by, caused_by, .. } = *run;
    SessionRun { automation, run: id, started_by, caused_by, depth, chain }
}

/// The sources that a plan names, as capabilities.
pub(crate) fn sources(definition: &Definition) -> Vec<String> {
    // The parts of a batch are actions as well.
    let parts = |step: &Step| -> Vec<String> {
        let parts = step.config.get("parts").and_then(Value::as_array).into_iter().flatten();
        parts.filter_map(|part| part["action"].as_str()).map(ToOwned::to_owned).collect()
    };
    let steps = || definition.steps();
    let actions = steps().flat_map(|step| std::iter::once(step.kind.as_str().to_owned()).chain(parts(step)));
    let sources = actions.filter_map(|action| Some(format!("{}:*", action.split_once('.')?.0)));
    let mut capabilities: Vec<String> = sources.collect();
    for task in steps().filter(|step| step.kind == StepKind::AgentTask).filter_map(AgentTask::of) {
        capabilities.extend(task.capabilities());
    }
    capabilities.sort();
    capabilities.dedup();
    capabilities
}

/// The session of a run. It may use only the sources that the plan names, as far as the person who saved it may.
fn session(automation: &Automation, definition: &Definition) -> NewSession {
    NewSession {
        space: Some(automation.space),
        kind: SessionKind::Unattended,
        agent: format!("automation {}", automation.name).chars().take(100).collect(),
        title: automation.id.to_string(),
        capabilities: Capabilities::AtMost(sources(definition)),
        lifetime: SESSION,
    }
}
