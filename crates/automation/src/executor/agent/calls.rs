//! The calls of a turn. Reads that are allowed run together. Of the others, questions that follow each other are asked at once, and
//! an effect that is allowed waits for all before it.

use std::time::Duration;

use catalog::models::{Reply, ToolCall};
use futures::{StreamExt as _, stream};
use model::{EffectClass, Mode, Status};
use pipeline::{Invocation, MAX_REASON_CHARS, Request, is_portable};
use platform::db;
use serde_json::json;

use super::{Agent, Work, tool};
use crate::{
    AgentCall, CallStatus, Error, RunError,
    agent::{next::ends, prompt},
    executor::step::{Refusal, Stepped, refusal, why},
    limits::{
        agent::{AT_ONCE, MOST_CALLS},
        run::UNDER_WAY,
    },
    store,
};

/// What came of a call so far.
enum Came {
    /// It has an invocation, in whatever state.
    Made(Box<Invocation>),
    /// It cannot be made; the model is told why.
    Wrong { class: String, text: String },
    /// It is made later.
    Rest(Duration),
}

impl Work {
    /// Makes the calls of a turn that have no result yet, as far as they can be made now.
    pub(super) async fn make_calls(&mut self, mut agent: Agent<'_>, turn: i16) -> Result<Stepped, Error> {
        let Some(reply) = self.reply(agent.recorded.reply_of(turn)).await? else {
            let error = RunError::new("lost", "the reply is not stored any more");
            return Ok(self.end(agent.row, model::StepStatus::Failed, Some(error)));
        };
        let mut calls: Vec<AgentCall> = agent.recorded.calls_of(turn).cloned().collect();
        self.look_at_waiting(&mut calls).await?;
        // What a process that is gone has made is found by its key, whatever happened since.
        for place in 0..calls.len() {
            let Some(call) = wanted_at(&calls, place) else { continue };
            if let Some(known) = self.made_before(&agent, &key(&call)).await? {
                self.apply(&mut calls, place, Came::Made(Box::new(known))).await?;
            }
        }
        self.refuse_impossible(&agent, &mut calls, &reply).await?;
        self.write_calls(&agent, &calls).await?;
        let plan = self.plan_calls(&agent, &mut calls, &reply).await?;
        let mut rest = plan.rest;
        for (place, came) in self.read_together(plan.reads).await {
            rest = self.apply(&mut calls, place, came?).await?.or(rest);
        }
        rest = self.make_in_order(&agent, &mut calls, plan.others).await?.or(rest);
        // The step may be over by now, or cancelled.
        self.look_at_waiting(&mut calls).await?;
        self.refuse_impossible(&agent, &mut calls, &reply).await?;
        self.write_calls(&agent, &calls).await?;
        self.wait_for_calls(&mut agent, &calls, rest).await
    }

    /// Makes what has effects, in the order in which the model wants it: questions that follow each other are asked at once, and
    /// an effect that is allowed waits for all before it.
    async fn make_in_order(
        &mut self,
        agent: &Agent<'_>,
        calls: &mut [AgentCall],
        others: Vec<(usize, Request, bool)>,
    ) -> Result<Option<Duration>, Error> {
        for (place, request, asks) in others {
            let is_next = calls.iter().take(place).all(|call| call.status.is_over());
            if (!asks && !is_next) || end_step(calls) {
                return Ok(None);
            }
            // A person may have cancelled the run, or somebody else has ended it.
            if !self.look().await? || self.run.cancel_requested_at.is_some() {
                return Ok(None);
            }
            let came = self.make(request).await?;
            let rest = self.apply(calls, place, came).await?;
            self.write_calls(agent, calls).await?;
            if rest.is_some() {
                return Ok(rest);
            }
        }
        Ok(None)
    }

    /// Waits for the first call that a person has to answer, or for those that are being performed.
    async fn wait_for_calls(
        &mut self,
        agent: &mut Agent<'_>,
        calls: &[AgentCall],
        rest: Option<Duration>,
    ) -> Result<Stepped, Error> {
        let mut is_under_way = false;
        for id in
            calls.iter().filter(|call| call.status == CallStatus::Waiting).filter_map(|call| call.invocation)
        {
            let found = self.invocation(id).await?;
            match found.status {
                Status::Pending | Status::Approved => return self.wait_in(agent, id, found.expires_at).await,
                _ => is_under_way = true,
            }
        }
        Ok(match rest.or_else(|| is_under_way.then_some(UNDER_WAY)) {
            Some(wait) => Stepped::Rest(wait),
            None => Stepped::On,
        })
    }

    /// Reads what became of calls that waited. If the run was cancelled or the step is over, those that still wait are withdrawn.
    async fn look_at_waiting(&mut self, calls: &mut [AgentCall]) -> Result<(), Error> {
        for place in 0..calls.len() {
            let waiting = calls.get(place).filter(|call| call.status == CallStatus::Waiting);
            let Some(id) = waiting.and_then(|call| call.invocation) else { continue };
            if self.run.cancel_requested_at.is_some() || end_step(calls) {
                self.automations.withdraw(self.org, id).await?;
            }
            let found = self.invocation(id).await?;
            self.apply(calls, place, Came::Made(Box::new(found))).await?;
        }
        Ok(())
    }

    /// Answers calls that cannot be made whatever the policy says.
    async fn refuse_impossible(
        &mut self,
        agent: &Agent<'_>,
        calls: &mut [AgentCall],
        reply: &Reply,
    ) -> Result<(), Error> {
        let tools = agent.recorded.beginning.as_ref().map(|began| began.tools.clone()).unwrap_or_default();
        let is_over = end_step(calls);
        for place in 0..calls.len() {
            let Some(call) = wanted_at(calls, place) else { continue };
            let wanted = wanted(reply, &call);
            let (class, text) = if self.run.cancel_requested_at.is_some() {
                ("cancelled", "the run was cancelled".to_owned())
            } else if is_over {
                ("not_made", "another call of this turn ended the step".to_owned())
            } else if place >= MOST_CALLS {
                let text = format!(
                    "at most {MOST_CALLS} calls are made in one turn; make this one again if it is needed"
                );
                ("too_many_calls", text)
            } else if let Err(near) = tool(&tools, &call.name) {
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; did you mean {}?", near.join(", "))
                };
                ("unknown_action", format!("there is no tool with this name{hint}"))
            } else if wanted.is_none_or(|wanted| wanted.params.is_none()) {
                ("invalid_params", "the parameters were not a JSON object".to_owned())
            } else if wanted
                .and_then(|wanted| wanted.params.as_ref())
                .is_some_and(|params| !is_portable(params))
            {
                let text = "the parameters hold U+0000, a number that not every reader keeps exactly, or too many levels";
                ("invalid_params", text.to_owned())
            } else {
                continue;
            };
            self.apply(calls, place, Came::Wrong { class: class.to_owned(), text }).await?;
        }
        Ok(())
    }

    async fn call_request(
        &mut self,
        agent: &Agent<'_>,
        call: &AgentCall,
        reply: &Reply,
    ) -> Result<Request, Error> {
        let action = call.action.as_ref().map(ToString::to_string).unwrap_or_default();
        let params =
            wanted(reply, call).and_then(|wanted| wanted.params.clone()).unwrap_or_else(|| json!({}));
        let mut request = self.agent_request(agent, action, params, &key(call))?;
        // What the model said beside its calls, for the person who decides.
        request.reason = reply.text.chars().take(MAX_REASON_CHARS).collect();
        request.provenance = Some(Box::new(self.given(agent, call.turn, &request.action).await?));
        Ok(request)
    }

    /// Decides how the wanted calls are made.
    async fn plan_calls(
        &mut self,
        agent: &Agent<'_>,
        calls: &mut [AgentCall],
        reply: &Reply,
    ) -> Result<Planned, Error> {
        let pipeline = self.automations.parts.pipeline.clone();
        let mut plan = Planned::default();
        for place in 0..calls.len() {
            let Some(call) = wanted_at(calls, place) else { continue };
            let request = self.call_request(agent, &call, reply).await?;
            match pipeline.foresee(request.clone()).await {
                Ok((decision, EffectClass::Read)) if decision.mode == Mode::Allow => {
                    plan.reads.push((place, request));
                }
                Ok((decision, _)) => plan.others.push((place, request, decision.mode != Mode::Allow)),
                Err(error) => {
                    let came = came_of(error)?;
                    plan.rest = self.apply(calls, place, came).await?.or(plan.rest);
                }
            }
        }
        Ok(plan)
    }

    async fn read_together(&self, reads: Vec<(usize, Request)>) -> Vec<(usize, Result<Came, Error>)> {
        let made = reads.into_iter().map(|(place, request)| async move { (place, self.make(request).await) });
        stream::iter(made).buffered(AT_ONCE).collect().await
    }

    async fn make(&self, request: Request) -> Result<Came, Error> {
        match self.automations.parts.pipeline.invoke(request).await {
            Ok(invocation) => Ok(Came::Made(Box::new(invocation))),
            Err(error) => came_of(error),
        }
    }

    /// Applies what came of a call; returns how long to wait if it has to be made later.
    async fn apply(
        &mut self,
        calls: &mut [AgentCall],
        place: usize,
        came: Came,
    ) -> Result<Option<Duration>, Error> {
        let now = self.now();
        let Some(call) = calls.get_mut(place) else { return Ok(None) };
        let (status, class, text) = match came {
            Came::Rest(wait) => return Ok(Some(wait)),
            Came::Wrong { class, text } => (CallStatus::Failed, Some(class), text),
            Came::Made(invocation) => {
                call.invocation = Some(invocation.id);
                match invocation.status {
                    Status::Pending | Status::Approved | Status::Executing => {
                        call.status = CallStatus::Waiting;
                        return Ok(None);
                    }
                    Status::Succeeded | Status::Skipped => {
                        let result = invocation.result.unwrap_or_default();
                        if invocation.effect != EffectClass::Read {
                            self.trace(&result);
                        }
                        (CallStatus::Succeeded, None, result.to_string())
                    }
                    status => {
                        let (class, why) = why(&invocation);
                        let class = if status == Status::Unknown { "outcome_unknown" } else { class };
                        (CallStatus::Failed, Some(class.to_owned()), format!("{class}: {why}"))
                    }
                }
            }
        };
        let bytes = prompt::shown(text).into_bytes();
        let result = self.automations.parts.pipeline.put_payload(self.org, bytes).await?;
        (call.status, call.class) = (status, class);
        (call.result, call.finished_at) = (Some(result), Some(now));
        Ok(None)
    }

    async fn write_calls(&self, agent: &Agent<'_>, calls: &[AgentCall]) -> Result<(), Error> {
        let mut tx = self.automations.parts.db.begin(self.org).await?;
        store::agents::put_calls(&mut tx, self.in_org(), agent.at(), calls).await?;
        Ok(db::commit(tx).await?)
    }
}

/// How the wanted calls of a turn are made, each with its place.
#[derive(Default)]
struct Planned {
    /// Allowed, and without effects.
    reads: Vec<(usize, Request)>,
    /// The others, and whether each is asked, or denied.
    others: Vec<(usize, Request, bool)>,
    rest: Option<Duration>,
}

/// The key of a call in its step.
fn key(call: &AgentCall) -> String {
    format!("t{}/c{}", call.turn, call.call)
}

/// Whether one of the calls ends the step.
fn end_step(calls: &[AgentCall]) -> bool {
    calls.iter().any(|call| ends(call).is_some())
}

/// The call at this place, if it was not made yet.
fn wanted_at(calls: &[AgentCall], place: usize) -> Option<AgentCall> {
    calls.get(place).filter(|call| call.status == CallStatus::Wanted).cloned()
}

/// The call as the reply has it.
fn wanted<'r>(reply: &'r Reply, call: &AgentCall) -> Option<&'r ToolCall> {
    reply.calls.get(usize::try_from(call.call).ok()?)
}

/// What an error says about a call for which no invocation was made.
fn came_of(error: pipeline::Error) -> Result<Came, Error> {
    Ok(match refusal(error)? {
        Refusal::Rest(wait) => Came::Rest(wait),
        Refusal::Final { class, message } => {
            Came::Wrong { class: class.to_owned(), text: format!("{class}: {message}") }
        }
    })
}
