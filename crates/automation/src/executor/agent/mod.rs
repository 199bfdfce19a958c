//! A step that a model performs: one turn or the calls of one turn at a time. Each is an invocation of the run's session.

mod ask;
mod calls;

use std::time::Duration;

use catalog::models::{Provider, Reply, ToolText};
use model::{
    ActionAddress, ActionName, Digest, IdempotencyKey, InOrg, InvocationId, Labels, RunId, StepOrigin,
    StepStatus, tool_name::name_of,
};
use pipeline::{Budget, Cap, Invocation, Provenance, Request};
use platform::db;
use serde_json::Value;

use super::{
    step::{Prepared, Stepped},
    work::Work,
};
use crate::{
    AgentTask, AgentTurn, CallStatus, Error, RunError, RunStep,
    agent::{
        At, Beginning, Recorded, Tool,
        next::{Moment, Next, next},
        prompt::{self, Told},
    },
    flow,
    limits::agent::{MOST_CONTEXT_BYTES, MOST_FIXED_BYTES, MOST_TOOLS},
    plan::{AFTER_FAILURE, Place},
    store,
};

/// A step under way.
struct Agent<'a> {
    place: Place<'a>,
    row: RunStep,
    task: AgentTask,
    recorded: Recorded,
}

impl Agent<'_> {
    const fn at(&self) -> At {
        At { ordinal: self.row.ordinal, attempt: self.row.attempt }
    }

    fn schema(&self) -> Option<&serde_json::Map<String, Value>> {
        self.place.step.output_schema.as_ref()
    }
}

impl Work {
    /// Does what comes next in a step that a model performs.
    pub(super) async fn agent(&mut self, place: Place<'_>, row: RunStep) -> Result<Stepped, Error> {
        let Some(task) = AgentTask::of(place.step) else {
            let error = RunError::new("invalid", "the config of the step is not that of an agent task");
            return Ok(self.end(row, StepStatus::Failed, Some(error)));
        };
        let parts = self.automations.parts.clone();
        let mut tx = parts.db.begin(self.org).await?;
        let recorded = store::agents::find(&mut tx, self.in_org(), At::of(&row)).await?;
        drop(tx);
        let mut agent = Agent { place, row, task, recorded };
        if agent.recorded.beginning.is_none() {
            match self.begin_agent(&agent).await? {
                Began::Yes(beginning) => agent.recorded.beginning = Some(beginning),
                Began::Skip => return Ok(self.end(agent.row, StepStatus::Skipped, None)),
                Began::No(error) => return Ok(self.end(agent.row, StepStatus::Failed, Some(error))),
            }
        }
        agent.row.status = StepStatus::Running;
        self.note(agent.row.clone());
        let comes = next(&agent.recorded, &self.agent_moment(&agent));
        let stepped = match comes {
            Next::Ask(question) => {
                self.resumes = false;
                Box::pin(self.ask(agent, question)).await?
            }
            Next::Call(turn) => {
                self.resumes = false;
                Box::pin(self.make_calls(agent, turn)).await?
            }
            Next::Rest(wait) => Stepped::Rest(wait),
            Next::Done(turn) => self.take_answer(agent, turn).await?,
            Next::Fail(error) => {
                let error = self.error(&error.class, &error.message);
                self.end(agent.row, StepStatus::Failed, Some(error))
            }
        };
        Ok(stepped)
    }

    pub(super) const fn in_org(&self) -> InOrg<RunId> {
        InOrg { org: self.org, id: self.run.id }
    }

    fn agent_moment(&self, agent: &Agent<'_>) -> Moment {
        let task = &agent.task;
        let moment = self.moment();
        let most = Duration::from_secs(u64::from(self.definition.execution.timeout_seconds));
        Moment {
            now: moment.now,
            max_turns: i16::from(task.max_turns),
            max_output_tokens: task.max_output_tokens,
            cancelled: moment.cancelled,
            // Steps after a failure come when the time is over.
            late: agent.row.ordinal < AFTER_FAILURE && moment.worked >= most,
        }
    }

    /// Fixes what the model is told and what it may use.
    async fn begin_agent(&mut self, agent: &Agent<'_>) -> Result<Began, Error> {
        if agent.place.begun && self.run.cancel_requested_at.is_some() {
            return Ok(Began::No(RunError::cancelled()));
        }
        let filled = match self.prepare(agent.place).await? {
            Prepared::Params(filled) => filled,
            Prepared::Skip => return Ok(Began::Skip),
            Prepared::Wrong(error) => return Ok(Began::No(error)),
        };
        let Some(goal) = filled["goal"].as_str().filter(|goal| !goal.trim().is_empty()) else {
            return Ok(Began::No(RunError::new("template", "/goal: it is not a text")));
        };
        let (tools, texts) = self.tools(&agent.task).await?;
        if texts.len() > MOST_TOOLS {
            let message =
                format!("the step has {} tools; a model can have at most {MOST_TOOLS}", texts.len());
            return Ok(Began::No(RunError::new("too_large", message)));
        }
        let told = Told { goal, context: &filled["context"], tools: texts, schema: agent.schema() };
        let prompt = prompt::opening(told, agent.task.max_turns <= 1);
        let context: usize =
            prompt.messages.iter().map(|message| serde_json::to_vec(message).map_or(0, |b| b.len())).sum();
        let parts =
            prompt.parts().map_err(|_| db::Error::Inconsistent { column: "agent_steps.beginning" })?;
        let fixed = parts.bytes.saturating_sub(context);
        if context > MOST_CONTEXT_BYTES || fixed > MOST_FIXED_BYTES {
            let message = format!(
                "the context has {context} bytes and the goal with the tools {fixed}; at most {MOST_CONTEXT_BYTES} and {MOST_FIXED_BYTES} are possible"
            );
            return Ok(Began::No(RunError::new("too_large", message)));
        }
        let pipeline = &self.automations.parts.pipeline;
        pipeline.put_prompt(self.org, &parts).await?;
        let beginning = Beginning { prompt: parts.digest, tools };
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        store::agents::begin(&mut tx, self.in_org(), agent.at(), &beginning).await?;
        db::commit(tx).await?;
        Ok(Began::Yes(beginning))
    }

    /// The actions that a step names, as they were reviewed.
    async fn tools(&self, task: &AgentTask) -> Result<(Vec<Tool>, Vec<ToolText>), Error> {
        let mut actions = self.automations.parts.pipeline.reader().actions(self.org).await?;
        actions.retain(|action| {
            let address = &action.definition.address;
            // The parts of a batch could be anything that the plan may use.
            !address.is_model() && address.source.as_str() != BATCH && task.has_tool(&address.to_string())
        });
        actions.sort_by(|one, other| one.definition.address.cmp(&other.definition.address));
        let tools = actions.iter().map(|action| {
            let definition = &action.definition;
            let tool = Tool { name: name_of(&definition.address), address: definition.address.clone() };
            let text = ToolText {
                name: tool.name.clone(),
                description: definition.description.clone(),
                schema: definition.input_schema.clone(),
            };
            (tool, text)
        });
        Ok(tools.unzip())
    }

    /// Takes the answer of a turn as the result of the step.
    async fn take_answer(&mut self, agent: Agent<'_>, turn: i16) -> Result<Stepped, Error> {
        let at = agent.at();
        let reply = self.reply(agent.recorded.reply_of(turn)).await?;
        let text = reply.map(|reply| reply.text).unwrap_or_default();
        let Ok(value) = prompt::answer(&text, agent.schema()) else {
            let error = RunError::new("lost", "the answer is not stored any more");
            return Ok(self.end(agent.row, StepStatus::Failed, Some(error)));
        };
        // It was parsed from JSON, so it can be written as JSON.
        let bytes = serde_json::to_vec(&value).unwrap_or_default();
        let output = self.automations.parts.pipeline.put_payload(self.org, bytes).await?;
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        store::agents::set_output(&mut tx, self.in_org(), at, output).await?;
        db::commit(tx).await?;
        if let (Some(name), Some(outputs)) = (&agent.place.step.output_as, &mut self.outputs) {
            outputs.insert(name.clone(), value);
        }
        Ok(self.end(agent.row, StepStatus::Succeeded, None))
    }

    /// A stored reply; `None` if it is not stored any more.
    async fn reply(&self, digest: Option<Digest>) -> Result<Option<Reply>, Error> {
        let Some(digest) = digest else { return Ok(None) };
        let reader = self.automations.parts.pipeline.reader();
        let found = reader.payloads(self.org, &[digest]).await?;
        Ok(found.get(&digest).and_then(|bytes| serde_json::from_slice(bytes).ok()))
    }

    /// The provider that a step names, unless it was removed or disabled.
    async fn provider(&self, task: &AgentTask) -> Result<Option<Provider>, Error> {
        let Ok(slug) = task.provider.parse::<ActionName>() else { return Ok(None) };
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        let catalog = self.automations.parts.pipeline.reader().catalog(&mut tx, self.org).await?;
        Ok(catalog.model_provider(&slug).cloned())
    }

    /// What a request of a turn is made of: everything that the model was given before. Only what sends data out needs it.
    async fn given(&mut self, agent: &Agent<'_>, turn: i16, action: &str) -> Result<Provenance, Error> {
        if !self.automations.parts.pipeline.reader().may_send_out(action) {
            return Ok(Provenance::default());
        }
        let traced = self.traced().await?;
        let (steps, actions) = &*traced;
        let until = self.endorsed(agent).await?;
        let mut calls: Vec<(String, Labels)> = Vec::new();
        for call in agent.recorded.calls.iter().filter(|call| call.turn < turn) {
            let Some(address) = call.action.as_ref().filter(|_| call.invocation.is_some()) else { continue };
            let address = address.to_string();
            // Why it was refused is our own text; why it failed is the target's.
            let refused = ["denied", "expired", "quarantined"];
            let failed = call.status == CallStatus::Failed
                && !call.class.as_deref().is_some_and(|class| refused.contains(&class));
            let mut labels = flow::given(actions, &address, failed);
            labels.reads_untrusted &= call.turn >= until;
            calls.push((address, labels));
        }
        let given = calls.iter().map(|(address, labels)| (address.as_str(), *labels));
        let step = steps.get(&agent.row.ordinal).cloned().unwrap_or_default();
        Ok(if until == 0 { step } else { step.trusted() }.of_model(given))
    }

    /// The first turn whose results nobody endorsed.
    async fn endorsed(&self, agent: &Agent<'_>) -> Result<i16, Error> {
        let Some(session) = self.run.session else { return Ok(0) };
        let until = self.automations.parts.pipeline.reader().endorsed_until(self.org, session).await?;
        let Some(until) = until else { return Ok(0) };
        let covered = agent.recorded.turns.iter().filter(|turn| turn.started_at <= until);
        Ok(covered.map(|turn| turn.turn).max().unwrap_or_default())
    }

    /// A request of the run's session, for a turn or for a call.
    fn agent_request(
        &self,
        agent: &Agent<'_>,
        action: String,
        params: Value,
        key: &str,
    ) -> Result<Request, Error> {
        let session = self.run.session.ok_or(pipeline::Error::SessionOver)?;
        let origin = StepOrigin { version: self.run.version, hash: agent.place.step.hash() };
        Ok(Request {
            org: self.org,
            session,
            action,
            params,
            dry_run: false,
            key: self.agent_key(agent, key),
            trace_id: None,
            timeout: None,
            step: Some(origin),
            reason: String::new(),
            released: None,
            budget: None,
            provenance: None,
        })
    }

    /// The idempotency key of a turn or a call.
    fn agent_key(&self, agent: &Agent<'_>, key: &str) -> Option<IdempotencyKey> {
        // Ids and names of steps are short and visible, so parsing does not fail.
        let Agent { place, .. } = agent;
        format!("{}/{}/{}/{key}", self.run.id, place.step.step_id, place.attempt).parse().ok()
    }

    /// The invocation with this key, which a process that is gone may have made.
    async fn made_before(&self, agent: &Agent<'_>, key: &str) -> Result<Option<Invocation>, Error> {
        let (Some(session), Some(key)) = (self.run.session, self.agent_key(agent, key)) else {
            return Ok(None);
        };
        Ok(self.automations.parts.pipeline.reader().find_keyed(self.org, session, &key).await?)
    }

    async fn invocation(&self, id: InvocationId) -> Result<Invocation, Error> {
        Ok(self.automations.parts.pipeline.reader().invocation(self.org, id).await?)
    }

    /// What the turns of this run count towards.
    fn budget(&self) -> Budget {
        let cap = |usd: Option<f64>| Cap { nano_usd: usd.map(nano_usd), tokens: None };
        Budget {
            automation: self.run.automation,
            run: self.run.id,
            run_created_at: self.run.created_at,
            per_day: cap(self.definition.execution.daily_budget_usd),
            per_run: cap(self.definition.execution.budget_cap_usd),
        }
    }

    /// Writes a turn, and what the run cost so far.
    async fn put_turn(&self, at: At, turn: &AgentTurn) -> Result<(), Error> {
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        store::agents::put_turn(&mut tx, self.in_org(), at, turn).await?;
        if turn.finished_at.is_some() {
            store::agents::add_up(&mut tx, self.in_org()).await?;
        }
        Ok(db::commit(tx).await?)
    }
}

/// The source of actions that consist of others.
const BATCH: &str = "batch";

/// Whether a step has begun.
enum Began {
    Yes(Beginning),
    /// Its condition does not hold.
    Skip,
    No(RunError),
}

/// An amount of a definition, which allows at most 1000 USD.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 10^12")]
fn nano_usd(usd: f64) -> u64 {
    (usd * 1e9).round().clamp(0.0, 1e12) as u64
}

/// The tool with a name, and the names that are near it.
fn tool<'a>(tools: &'a [Tool], name: &str) -> Result<&'a ActionAddress, Vec<String>> {
    match tools.iter().find(|tool| tool.name == name) {
        Some(tool) => Ok(&tool.address),
        None => Err(model::suggest(name, tools.iter().map(|tool| tool.name.clone()))),
    }
}
