//! What was said in an agent step, for people: redacted, and as far as it is still stored.

use catalog::models::{Message, Payloads, Reply, Stop};
use model::{Digest, OrgId, RunId};
use serde_json::Value;

use super::{AgentCall, AgentTurn, At, Recorded};
use crate::{Automations, Error, store};

/// The most characters of one text that are shown.
const MOST_CHARS: usize = 20_000;

/// What was said in one attempt of a step.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// What the model is for, with the goal.
    pub system: String,
    pub context: String,
    pub turns: Vec<SaidTurn>,
    /// Whether all of it is still stored.
    pub is_whole: bool,
}

/// What was said in one turn that has a reply.
#[derive(Debug, Clone)]
pub struct SaidTurn {
    pub turn: i16,
    pub text: String,
    pub calls: Vec<SaidCall>,
    /// Why the answer did not fit, as the model was told.
    pub problems: Vec<String>,
}

/// A call that the model wanted, and what it was told about it.
#[derive(Debug, Clone)]
pub struct SaidCall {
    pub name: String,
    pub params: Value,
    /// `None` while it has no result.
    pub result: Option<String>,
}

impl Automations {
    /// What was said in an attempt of an agent step: the last one, unless another one is given.
    pub async fn transcript(
        &self,
        org: OrgId,
        run: RunId,
        (step, attempt): (&str, Option<i16>),
    ) -> Result<Transcript, Error> {
        let watched = self.run(org, run).await?;
        let tried = watched.steps.iter().filter(|tried| tried.step_id == step);
        let tried = tried.filter(|tried| attempt.is_none_or(|attempt| attempt == tried.attempt));
        let at = tried.max_by_key(|tried| tried.attempt).map(At::of).ok_or(Error::NotFound("step"))?;
        let mut tx = self.parts.db.begin(org).await?;
        let recorded = store::agents::find(&mut tx, model::InOrg { org, id: run }, at).await?;
        drop(tx);
        let Some(beginning) = &recorded.beginning else { return Err(Error::NotFound("transcript")) };
        let reader = self.parts.pipeline.reader();
        let opening = reader.prompt(org, beginning.prompt).await?;
        let replies = recorded.turns.iter().filter_map(|turn| turn.reply);
        let results = recorded.calls.iter().filter_map(|call| call.result);
        let digests: Vec<Digest> = replies.chain(results).collect();
        let stored = reader.payloads(org, &digests).await?;
        let is_whole = opening.is_some() && digests.iter().all(|digest| stored.contains_key(digest));
        let opening = opening.unwrap_or_default();
        let context = match opening.messages.first() {
            Some(Message::User { text }) => self.shown(text),
            _ => String::new(),
        };
        let turns = recorded.turns.iter().filter_map(|turn| self.said(turn, &recorded, &stored));
        Ok(Transcript { system: self.shown(&opening.system), context, turns: turns.collect(), is_whole })
    }

    fn shown(&self, text: &str) -> String {
        self.redactor.redact_text(text).chars().take(MOST_CHARS).collect()
    }

    fn said(&self, turn: &AgentTurn, recorded: &Recorded, stored: &Payloads) -> Option<SaidTurn> {
        let reply: Reply = serde_json::from_slice(stored.get(&turn.reply?)?).ok()?;
        // Nothing is done that a reply wants which was cut off.
        let calls = recorded.calls_of(turn.turn).filter(|_| turn.stop != Some(Stop::Length));
        let calls = calls.map(|call| self.said_call(call, &reply, stored)).collect();
        let problems = turn.problems.iter().flatten().map(|problem| self.shown(problem)).collect();
        Some(SaidTurn { turn: turn.turn, text: self.shown(&reply.text), calls, problems })
    }

    fn said_call(&self, call: &AgentCall, reply: &Reply, stored: &Payloads) -> SaidCall {
        let wanted = usize::try_from(call.call).ok().and_then(|place| reply.calls.get(place));
        let params = wanted.and_then(|wanted| wanted.params.as_ref()).unwrap_or(&Value::Null);
        let result = call.result.and_then(|digest| stored.get(&digest));
        SaidCall {
            name: self.shown(&call.name),
            params: self.redactor.redact_value(params),
            result: result.map(|bytes| self.shown(&String::from_utf8_lossy(bytes))),
        }
    }
}
