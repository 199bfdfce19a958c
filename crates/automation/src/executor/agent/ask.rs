//! One question to the model.

use std::time::Duration;

use catalog::{
    limits::models::MOST_PROMPT_BYTES,
    models::{Parts, Prompt, Provider, Reply, Stop, ToolResult, describe},
};
use jiff::{SignedDuration, Timestamp};
use model::{Digest, ErrorClass, InvocationId, Status, StepStatus};
use pipeline::Invocation;
use platform::db;
use serde_json::Value;

use super::{Agent, Work, nano_usd, tool};
use crate::{
    AgentCall, AgentTurn, CallStatus, Error, RunError,
    agent::{
        TurnUsage,
        next::Question,
        prompt::{self, Then},
    },
    executor::step::{Refusal, Stepped, refusal, why},
    limits::{
        agent::{FEWEST_OUTPUT_TOKENS, FIRST_WAIT, LONGEST_NAME, LONGEST_WAIT, MOST_WANTED},
        run::UNDER_WAY,
    },
    store,
};

impl Work {
    /// Asks the model, or takes the reply to a question that was asked before.
    pub(super) async fn ask(&mut self, agent: Agent<'_>, question: Question) -> Result<Stepped, Error> {
        let known =
            agent.recorded.turns.iter().find(|turn| (turn.turn, turn.ask) == (question.turn, question.ask));
        let known = known.cloned();
        let key = format!("t{}.{}", question.turn, question.ask);
        if let Some(turn) = &known
            && let Some(asked) = self.asked(&agent, turn, &key).await?
        {
            return self.conclude_turn(agent, turn.clone(), asked).await;
        }
        // It was written and never asked: a stop or a limit came in between.
        if let Some(turn) = &known {
            let moment = self.agent_moment(&agent);
            let over = moment.cancelled.then(RunError::cancelled);
            let late =
                moment.late.then(|| RunError::new("timed_out", "the run has no time left for this turn"));
            if let Some(why) = over.or(late) {
                return self.end_turn(agent, turn.clone(), why).await;
            }
        }
        let provider = self.provider(&agent.task).await?;
        let Some(provider) = provider.filter(|provider| provider.model(&agent.task.model).is_some()) else {
            let message = format!("`{}` has no model `{}` any more", agent.task.action(), agent.task.model);
            return Ok(self.end(agent.row, StepStatus::Failed, Some(RunError::new("no_model", message))));
        };
        let (turn, prompt) = match known {
            Some(turn) => {
                let prompt = self.automations.parts.pipeline.reader().prompt(self.org, turn.prompt).await?;
                let parts = prompt.as_ref().and_then(|prompt| prompt.parts().ok());
                (turn, prompt.zip(parts))
            }
            None => match self.new_turn(&agent, &provider, question).await? {
                Ok((turn, prompt, parts)) => (turn, Some((prompt, parts))),
                Err(error) => return Ok(self.end(agent.row, StepStatus::Failed, Some(error))),
            },
        };
        let Some((prompt, parts)) = prompt else {
            return self
                .end_turn(agent, turn, RunError::new("lost", "the prompt is not stored any more"))
                .await;
        };
        let params = describe(&prompt, &parts, &agent.task.model, u64::from(turn.max_output_tokens));
        // It is plain data, so it can be written as JSON.
        let params = serde_json::to_value(params).unwrap_or_default();
        let mut request = self.agent_request(&agent, agent.task.action(), params, &key)?;
        request.budget = Some(Box::new(self.budget()));
        request.provenance = Some(Box::new(self.given(&agent, turn.turn, &request.action).await?));
        match self.invoke(request).await? {
            Ok(invocation) => self.conclude_turn(agent, turn, invocation).await,
            Err(error) => match refusal(error)? {
                Refusal::Rest(wait) => Ok(Stepped::Rest(wait)),
                Refusal::Final { class, message } => {
                    self.end_turn(agent, turn, RunError::new(class, message)).await
                }
            },
        }
    }

    /// The invocation of a turn that a process which is gone may have made.
    async fn asked(
        &self,
        agent: &Agent<'_>,
        turn: &AgentTurn,
        key: &str,
    ) -> Result<Option<Invocation>, Error> {
        match turn.invocation {
            Some(id) => Ok(Some(self.invocation(id).await?)),
            None => self.made_before(agent, key).await,
        }
    }

    /// Writes the prompt of a turn and records the turn; the inner error ends the step.
    async fn new_turn(
        &self,
        agent: &Agent<'_>,
        provider: &Provider,
        question: Question,
    ) -> Result<Result<(AgentTurn, Prompt, Parts), RunError>, Error> {
        let Some(mut prompt) = self.prompt_of(agent, question).await? else {
            return Ok(Err(RunError::new("lost", "the conversation is not stored any more")));
        };
        let context = provider.model(&agent.task.model).map_or(0, |model| model.context);
        prompt::clear(&mut prompt, context);
        let Ok(parts) = prompt.parts() else {
            return Ok(Err(RunError::new("invalid", "the prompt cannot be written as JSON")));
        };
        if parts.bytes > MOST_PROMPT_BYTES {
            let message = format!(
                "the conversation has {} bytes; at most {MOST_PROMPT_BYTES} can be sent",
                parts.bytes
            );
            return Ok(Err(RunError::new("context_exceeded", message)));
        }
        let most = provider.model(&agent.task.model).map_or(0, |model| model.max_output);
        let wanted = question.max_output_tokens.min(u32::try_from(most).unwrap_or(u32::MAX));
        let cut = agent
            .recorded
            .turns
            .last()
            .filter(|last| last.turn == question.turn && last.stop == Some(Stop::Length));
        if cut.is_some_and(|cut| wanted <= cut.max_output_tokens) {
            let message = format!("the reply was longer than the {wanted} tokens that the model can write");
            return Ok(Err(RunError::new("output_cut", message)));
        }
        let max_output_tokens = match affordable(agent, provider, (parts.bytes, wanted)) {
            Ok(most) => most,
            Err(error) => return Ok(Err(error)),
        };
        let input = Prompt::estimate(parts.bytes);
        if input.saturating_add(u64::from(max_output_tokens)) > context {
            let message = format!("the conversation has about {input} tokens; the model can read {context}");
            return Ok(Err(RunError::new("context_exceeded", message)));
        }
        self.automations.parts.pipeline.put_prompt(self.org, &parts).await?;
        let turn = AgentTurn {
            turn: question.turn,
            ask: question.ask,
            prompt: parts.digest,
            max_output_tokens,
            invocation: None,
            reply: None,
            stop: None,
            problems: None,
            error: None,
            retry_at: None,
            usage: TurnUsage::default(),
            started_at: self.now(),
            finished_at: None,
        };
        self.put_turn(agent.at(), &turn).await?;
        Ok(Ok((turn, prompt, parts)))
    }

    /// The prompt of a turn that was not asked yet: what was asked before, with its reply and what came of it.
    async fn prompt_of(&self, agent: &Agent<'_>, question: Question) -> Result<Option<Prompt>, Error> {
        let reader = self.automations.parts.pipeline.reader();
        let Some(last) = agent.recorded.turns.last() else {
            let Some(beginning) = &agent.recorded.beginning else { return Ok(None) };
            return Ok(reader.prompt(self.org, beginning.prompt).await?);
        };
        let Some(prompt) = reader.prompt(self.org, last.prompt).await? else { return Ok(None) };
        if last.turn == question.turn {
            return Ok(Some(prompt));
        }
        let Some(reply) = self.reply(last.reply).await? else { return Ok(None) };
        let then = match &last.problems {
            Some(problems) if !problems.is_empty() => Then::Correction(problems.clone()),
            _ if last.stop == Some(Stop::Paused) => Then::GoOn,
            _ => {
                let Some(results) = self.results(agent, last.turn).await? else { return Ok(None) };
                Then::Results(results)
            }
        };
        Ok(Some(prompt::following(prompt, (&reply, then), agent.schema(), question.is_last)))
    }

    /// The results of the calls of a turn; `None` if one is not stored any more.
    async fn results(&self, agent: &Agent<'_>, turn: i16) -> Result<Option<Vec<ToolResult>>, Error> {
        let calls: Vec<&AgentCall> = agent.recorded.calls_of(turn).collect();
        let digests: Vec<Digest> = calls.iter().filter_map(|call| call.result).collect();
        let stored = self.automations.parts.pipeline.reader().payloads(self.org, &digests).await?;
        let results = calls.into_iter().map(|call| {
            let bytes = stored.get(&call.result?)?.clone();
            Some(ToolResult {
                id: call.id.clone(),
                text: String::from_utf8(bytes).ok()?,
                is_error: call.status == CallStatus::Failed,
            })
        });
        Ok(results.collect())
    }

    /// Records that a turn has no reply.
    async fn end_turn(&mut self, agent: Agent<'_>, turn: AgentTurn, why: RunError) -> Result<Stepped, Error> {
        let error = Some(self.error(&why.class, &why.message));
        let turn = AgentTurn { error, finished_at: Some(self.now()), ..turn };
        self.put_turn(agent.at(), &turn).await?;
        Ok(Stepped::On)
    }

    /// Applies the state of an invocation to its turn.
    async fn conclude_turn(
        &mut self,
        mut agent: Agent<'_>,
        mut turn: AgentTurn,
        invocation: Invocation,
    ) -> Result<Stepped, Error> {
        turn.invocation = Some(invocation.id);
        match invocation.status {
            Status::Pending | Status::Approved => {
                self.put_turn(agent.at(), &turn).await?;
                return self.wait_in(&mut agent, invocation.id, invocation.expires_at).await;
            }
            // The process that performs it is gone, or is another one like this; in time the invocation ends.
            Status::Executing => return Ok(Stepped::Rest(UNDER_WAY)),
            Status::Succeeded => return self.take_reply(agent, turn, invocation).await,
            _ => {}
        }
        let failure = invocation.failure.as_ref();
        let (class, message) = why(&invocation);
        turn.error = Some(self.error(&told_class(class), message));
        let now = self.now();
        turn.finished_at = Some(now);
        turn.retry_at = failure.and_then(|failure| {
            let wait = match failure.class {
                ErrorClass::Transient | ErrorClass::RateLimited | ErrorClass::Timeout => {
                    let doubled =
                        FIRST_WAIT * 2_u32.saturating_pow(u32::try_from(turn.ask - 1).unwrap_or_default());
                    doubled.max(Duration::from_millis(failure.retry_after_ms.unwrap_or_default()))
                }
                // The reply is lost, and nothing was done because of it.
                ErrorClass::OutcomeUnknown => Duration::ZERO,
                _ => return None,
            };
            SignedDuration::try_from(wait.min(LONGEST_WAIT)).ok().map(|wait| now + wait)
        });
        if failure.is_some_and(|failure| is_charged(failure.sent, failure.class)) {
            turn.usage.nano_usd = self.assumed(&agent, &turn).await?;
        }
        self.put_turn(agent.at(), &turn).await?;
        Ok(Stepped::On)
    }

    /// Makes the step wait for a person, or takes the question back if the run was cancelled.
    pub(super) async fn wait_in(
        &mut self,
        agent: &mut Agent<'_>,
        invocation: InvocationId,
        until: Option<Timestamp>,
    ) -> Result<Stepped, Error> {
        if self.run.cancel_requested_at.is_some() && self.automations.withdraw(self.org, invocation).await? {
            return Ok(Stepped::On);
        }
        agent.row.status = StepStatus::Waiting;
        agent.row.invocation = Some(invocation);
        self.note(agent.row.clone());
        Ok(Stepped::Await(invocation, until))
    }

    /// Records a reply with the calls that it wants.
    async fn take_reply(
        &mut self,
        agent: Agent<'_>,
        mut turn: AgentTurn,
        invocation: Invocation,
    ) -> Result<Stepped, Error> {
        let result = invocation.result.unwrap_or_default();
        let digest = result.get("reply").and_then(|reply| serde_json::from_value(reply.clone()).ok());
        let Some(reply) = self.reply(digest).await? else {
            return self
                .end_turn(agent, turn, RunError::new("lost", "the reply is not stored any more"))
                .await;
        };
        let usage = reply.usage.unwrap_or_default();
        turn.usage = TurnUsage {
            input_tokens: usage.whole_input(),
            output_tokens: usage.output,
            nano_usd: result.pointer("/cost/nano_usd").and_then(Value::as_u64),
        };
        if reply.calls.len() > MOST_WANTED {
            let why = format!(
                "the reply wants {} calls at once; at most {MOST_WANTED} can be answered",
                reply.calls.len()
            );
            return self.end_turn(agent, turn, RunError::new("too_many_calls", why)).await;
        }
        (turn.reply, turn.stop, turn.finished_at) = (digest, Some(reply.stop), Some(self.now()));
        // A reply that was cut off, or that had to be an answer, wants nothing.
        let takes_calls = reply.stop == Stop::Calls && turn.turn < i16::from(agent.task.max_turns);
        let calls = if takes_calls { self.wanted(&agent, &turn, &reply) } else { vec![] };
        if calls.is_empty() && reply.stop == Stop::Done {
            let problems = prompt::answer(&reply.text, agent.schema()).err().unwrap_or_default();
            let redactor = &self.automations.redactor;
            turn.problems =
                Some(problems.iter().map(|problem| redactor.redact_text(problem).into_owned()).collect());
        }
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        store::agents::put_turn(&mut tx, self.in_org(), agent.at(), &turn).await?;
        if !calls.is_empty() {
            store::agents::put_calls(&mut tx, self.in_org(), agent.at(), &calls).await?;
        }
        store::agents::add_up(&mut tx, self.in_org()).await?;
        db::commit(tx).await?;
        Ok(Stepped::On)
    }

    /// The calls that a reply wants.
    fn wanted(&self, agent: &Agent<'_>, turn: &AgentTurn, reply: &Reply) -> Vec<AgentCall> {
        let tools =
            agent.recorded.beginning.as_ref().map(|beginning| beginning.tools.as_slice()).unwrap_or_default();
        let calls = (0..).zip(&reply.calls).map(|(number, call)| AgentCall {
            turn: turn.turn,
            call: number,
            id: call.id.clone(),
            name: self.automations.redactor.redact_text(&call.name).chars().take(LONGEST_NAME).collect(),
            action: tool(tools, &call.name).ok().cloned(),
            params: call.params.as_ref().and_then(|params| Digest::of_canonical(params).ok()),
            status: CallStatus::Wanted,
            invocation: None,
            result: None,
            class: None,
            started_at: self.now(),
            finished_at: None,
        });
        calls.collect()
    }

    /// What a question that was sent and has no reply may have cost.
    async fn assumed(&self, agent: &Agent<'_>, turn: &AgentTurn) -> Result<Option<u64>, Error> {
        let Some(provider) = self.provider(&agent.task).await? else { return Ok(None) };
        let Some((price, _)) = provider.price_of(&agent.task.model) else { return Ok(None) };
        let prompt = self.automations.parts.pipeline.reader().prompt(self.org, turn.prompt).await?;
        let bytes = prompt.and_then(|prompt| prompt.parts().ok()).map_or(0, |parts| parts.bytes);
        Ok(Some(price.most(Prompt::estimate(bytes), u64::from(turn.max_output_tokens))))
    }
}

/// The run does not repeat the step for a provider's failure: each turn was asked again already, and calls were made.
fn told_class(class: &str) -> String {
    match class {
        "transient" | "rate_limited" | "timeout" => format!("model_{class}"),
        other => other.to_owned(),
    }
}

/// As the database settles a reservation.
const fn is_charged(sent: bool, class: ErrorClass) -> bool {
    sent && !class.is_refusal() && !matches!(class, ErrorClass::ContextExceeded)
}

/// How many output tokens the budget of a step pays for, at most as many as wanted.
fn affordable(
    agent: &Agent<'_>,
    provider: &Provider,
    (bytes, wanted): (usize, u32),
) -> Result<u32, RunError> {
    let Some(budget) = agent.task.budget_usd else { return Ok(wanted) };
    let Some((price, _)) = provider.price_of(&agent.task.model) else {
        let message = "the step has a budget in USD, and nobody knows the price of its model; set a price, or `budget_usd` to null";
        return Err(RunError::new("unpriced", message));
    };
    let left = nano_usd(budget).saturating_sub(agent.recorded.nano_usd());
    let most = price.affordable(Prompt::estimate(bytes), left);
    if most >= FEWEST_OUTPUT_TOKENS.min(u64::from(wanted)) {
        return Ok(u32::try_from(most).unwrap_or(u32::MAX).min(wanted));
    }
    Err(RunError::new(
        "over_budget",
        format!("the step may cost {budget} USD, and too little is left for another turn"),
    ))
}
