//! What a model replied, in no provider's form.

use std::collections::HashSet;

use model::{Digest, tool_name};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Message, Prompt, price::Cost};

/// A reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub stop: Stop,
    /// `None` if the provider did not tell.
    pub usage: Option<Usage>,
    /// The reply in the form of its wire, to be given back to the model.
    pub raw: Value,
    /// The model that the provider says it was.
    pub model: Option<String>,
    /// The name of the request at the provider, for its support.
    pub request_id: Option<String>,
    /// What the provider says that it cost.
    pub reported_cost: Option<Cost>,
}

/// A call that a model wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Made by the provider; it may be missing or repeated.
    pub id: String,
    pub name: String,
    /// `None` if they were not a JSON object.
    pub params: Option<Value>,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The model has finished.
    Done,
    /// It waits for the results of its calls.
    Calls,
    /// The limit of output tokens was reached; the reply is cut off.
    Length,
    /// The context of the model is full.
    Context,
    /// The model, or a filter of its provider, refused.
    Refused,
    /// The provider interrupted a long reply; asked again, it goes on.
    Paused,
}

impl Stop {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Done, Self::Calls, Self::Length, Self::Context, Self::Refused, Self::Paused];

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stop| stop.as_str() == text)
    }

    /// The word in receipts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Calls => "calls",
            Self::Length => "length",
            Self::Context => "context",
            Self::Refused => "refused",
            Self::Paused => "paused",
        }
    }
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Read for the full price.
    pub input: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    /// With hidden reasoning.
    pub output: u64,
}

impl Usage {
    /// Whether it can be believed: who wrote something used tokens for it.
    pub(super) const fn is_credible(&self, has_output: bool) -> bool {
        !has_output || self.output > 0
    }

    /// Everything that the model read.
    pub const fn whole_input(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }
}

/// How much of a reply's text a receipt holds.
const SHOWN_CHARS: usize = 2_000;

impl Reply {
    /// The reply without U+0000, which no database stores. What is given back to the model stays as it came.
    pub(super) fn without_nul(mut self) -> Self {
        let clean = |text: &mut String| {
            if text.contains('\0') {
                *text = text.replace('\0', "\u{fffd}");
            }
        };
        clean(&mut self.text);
        self.model.iter_mut().for_each(clean);
        self
    }

    /// What a receipt says about it: the text only as far as a person wants to read there, parameters by their digests.
    pub(super) fn summary(&self, digest: Digest) -> Value {
        let calls = self.calls.iter().map(|call| {
            let params = call.params.as_ref().and_then(|params| Digest::of_canonical(params).ok());
            json!({ "name": call.name, "params": params })
        });
        let shown = shortened(&self.text, SHOWN_CHARS);
        json!({
            "stop": self.stop,
            "text": shown,
            "calls": calls.collect::<Vec<_>>(),
            "reply": digest,
            "usage": self.usage,
            "model": self.model,
            "request_id": self.request_id,
        })
    }
}

/// The longest id that is kept, in bytes.
const LONGEST_ID: usize = 200;

/// Ids of calls. Some servers give none or the same one twice, and refuse to be given that back.
pub(super) struct Ids(HashSet<String>);

impl Ids {
    /// Those that a conversation has already.
    pub(super) fn of(prompt: &Prompt) -> Self {
        let results = prompt.messages.iter().flat_map(|message| match message {
            Message::Results { results } => results.as_slice(),
            _ => &[],
        });
        Self(results.map(|result| result.id.clone()).collect())
    }

    /// The given id, or another one if it cannot be used.
    pub(super) fn take(&mut self, given: &str) -> String {
        let is_plain = (1..=LONGEST_ID).contains(&given.len()) && !given.chars().any(char::is_control);
        if is_plain && self.0.insert(given.to_owned()) {
            return given.to_owned();
        }
        let mut number = self.0.len();
        loop {
            let own = format!("call_{number}");
            if self.0.insert(own.clone()) {
                return own;
            }
            number += 1;
        }
    }
}

/// A name of a tool that providers take back: a model may have made up any text.
pub(super) fn tool_name(given: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = given.chars().take(tool_name::LONGEST).map(plain).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// More tokens than any model reads or writes in one call. Larger numbers are mistakes, and would spend a budget for ever.
const MOST_TOKENS: u64 = 1_000_000_000;

/// A number of tokens somewhere in a provider's answer; `None` if there is none.
pub(super) fn tokens(usage: &Value, pointer: &str) -> Option<u64> {
    usage.pointer(pointer).and_then(Value::as_u64).map(|tokens| tokens.min(MOST_TOKENS))
}

/// The beginning of a text, up to a space: a secret that is cut would not be recognized as one.
pub(super) fn shortened(text: &str, chars: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(chars) else { return text };
    let head = &text[..end];
    head.rfind(char::is_whitespace).map_or(head, |at| &head[..at])
}

/// A text somewhere in a provider's answer.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
