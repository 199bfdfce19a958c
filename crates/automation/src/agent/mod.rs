//! Steps that a model performs: the model is asked, wants calls, gets their results, and is asked again, until it answers.
//!
//! Parts: an [`AgentTurn`] is one question to the model with its reply, an [`AgentCall`] one call that the reply wants;
//! [`next`] says what comes next, from the rows alone; `prompt` writes what the model is told. The executor
//! (`executor/agent/`) does it: every question and every call is an invocation of the run's session.
//!
//! INVARIANT: a turn that has a reply is not asked again, and a call that has a result is not made again.
//! INVARIANT: what a model may use is fixed when its step begins.

pub(crate) mod next;
pub(crate) mod prompt;
mod transcript;

use catalog::models::Stop;
use jiff::Timestamp;
use model::{ActionAddress, Digest, InvocationId};
use serde::{Deserialize, Serialize};

use crate::{RunError, RunStep};

pub use transcript::{SaidCall, SaidTurn, Transcript};

/// What a step was given when it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Beginning {
    /// The prompt of the first turn.
    pub(crate) prompt: Digest,
    pub(crate) tools: Vec<Tool>,
}

/// An action that the model may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tool {
    /// As the model calls it.
    pub(crate) name: String,
    pub(crate) address: ActionAddress,
}

/// One question to the model. A turn is asked again only if no reply came, or if it was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentTurn {
    /// From 1.
    pub turn: i16,
    /// Which time the turn is asked, from 1.
    pub ask: i16,
    pub prompt: Digest,
    pub max_output_tokens: u32,
    /// `None` until it was asked.
    pub invocation: Option<InvocationId>,
    pub reply: Option<Digest>,
    pub stop: Option<Stop>,
    /// For a reply without calls: why it does not fit; empty if it fits.
    pub problems: Option<Vec<String>>,
    pub error: Option<RunError>,
    /// When it is asked again.
    pub retry_at: Option<Timestamp>,
    pub usage: TurnUsage,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// What a turn used and cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnUsage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// `None` if nobody knows the price.
    pub nano_usd: Option<u64>,
}

/// One call that a reply wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCall {
    pub turn: i16,
    /// Its place among the calls of the turn, from 0.
    pub call: i16,
    /// The id that the provider gave it.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// `None` for a tool that does not exist.
    pub action: Option<ActionAddress>,
    /// `None` if the parameters were not an object.
    pub params: Option<Digest>,
    pub status: CallStatus,
    pub invocation: Option<InvocationId>,
    /// What the model is told about its result, stored beside.
    pub result: Option<Digest>,
    /// Why it failed.
    pub class: Option<String>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// Not made yet.
    Wanted,
    /// Made, and not over: a person answers, or it is being performed.
    Waiting,
    Succeeded,
    /// Its error was told to the model.
    Failed,
}

impl CallStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Wanted, Self::Waiting, Self::Succeeded, Self::Failed];

    /// The word for it, as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wanted => "wanted",
            Self::Waiting => "waiting",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether it has a result.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// The place of an agent step in its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) ordinal: i16,
    pub(crate) attempt: i16,
}

impl At {
    pub(crate) const fn of(step: &RunStep) -> Self {
        Self { ordinal: step.ordinal, attempt: step.attempt }
    }
}

/// What is recorded of an agent step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorded {
    /// `None` before it begins.
    pub(crate) beginning: Option<Beginning>,
    /// In the order of turns and asks.
    pub(crate) turns: Vec<AgentTurn>,
    /// In the order of turns and calls.
    pub(crate) calls: Vec<AgentCall>,
}

impl Recorded {
    /// The calls of a turn.
    pub(crate) fn calls_of(&self, turn: i16) -> impl Iterator<Item = &AgentCall> {
        self.calls.iter().filter(move |call| call.turn == turn)
    }

    /// The reply of a turn, by digest.
    pub(crate) fn reply_of(&self, turn: i16) -> Option<Digest> {
        self.turns.iter().rfind(|asked| asked.turn == turn)?.reply
    }

    /// What the step cost so far; what nobody knows is left out.
    pub(crate) fn nano_usd(&self) -> u64 {
        self.turns.iter().filter_map(|turn| turn.usage.nano_usd).fold(0, u64::saturating_add)
    }
}
