//! What the three wires have in common, and the thoughts that a provider has issued.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;
use serde_json::{Value, json};

use super::{
    super::stage::Seen,
    checks::shortened,
    script::{Call, Draft, Failure},
};

/// A wire format of model providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wire {
    /// Anthropic Messages, `POST /v1/messages`.
    Messages,
    /// Chat Completions, `POST /v1/chat/completions`.
    Chat,
    /// Responses, `POST /v1/responses`.
    Responses,
}

/// A request for an answer, without the differences between wires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeutralRequest {
    /// The wire it came by.
    pub wire: Wire,
    /// The name of the model; empty if it is missing.
    pub model: String,
    /// The system text; empty if there is none.
    pub system: String,
    /// The last text of the user. Tool results are not part of it.
    pub last_user: String,
    /// The tool results after the last answer, in order.
    pub results: Vec<String>,
    /// The names of the offered tools; empty if none may be chosen.
    pub tools: Vec<String>,
    /// Whether the answer must have a given schema.
    pub has_schema: bool,
    /// The number of answers in the conversation so far.
    pub turns: usize,
    /// The cap of output tokens.
    pub max_tokens: Option<u64>,
}

/// How one wire works.
pub(super) struct Dialect {
    pub(super) wire: Wire,
    pub(super) path: &'static str,
    /// The header with the ID of the request.
    pub(super) id_header: &'static str,
    pub(super) call_prefix: &'static str,
    pub(super) is_authorized: fn(&Seen, &str) -> bool,
    pub(super) read: fn(&Value) -> NeutralRequest,
    pub(super) check: fn(&Seen, &Thoughts) -> anyhow::Result<()>,
    /// A thought with this number, for this request; `None` if the wire has no thoughts.
    pub(super) thought: fn(u64, &Value) -> anyhow::Result<Option<Value>>,
    /// The body of an answer, without usage.
    pub(super) body: fn(&Reply) -> Value,
    pub(super) usage: fn(&Tokens) -> Value,
    /// The body of an error, for the request with this ID.
    pub(super) failure: fn(&Failure, &str) -> Value,
    /// A model in the list of models.
    pub(super) listed: fn(&str) -> Value,
}

/// Counted tokens. `cached` is a part of `input`.
#[derive(Clone, Copy)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cached: u64,
}

/// An answer with everything that a wire needs to write it.
pub(super) struct Reply {
    pub(super) number: u64,
    pub(super) model: String,
    /// The IDs of the calls.
    pub(super) ids: Vec<Option<String>>,
    pub(super) thought: Option<Value>,
    pub(super) draft: Draft,
}

impl Reply {
    /// The calls with their IDs.
    pub(super) fn calls(&self) -> impl Iterator<Item = (Option<&String>, &Call)> {
        self.ids.iter().map(Option::as_ref).zip(&self.draft.calls)
    }

    /// What an answer is recognized by when it comes back: the ID of its first call, or else its text.
    fn anchor(&self) -> Option<&str> {
        match self.ids.first() {
            Some(id) => id.as_deref(),
            None => self.draft.text.as_deref(),
        }
    }
}

/// The call with its ID, if it has one.
pub(super) fn with_id(mut call: Value, field: &str, id: Option<&String>) -> Value {
    if let Some(id) = id {
        call[field] = json!(id);
    }
    call
}

/// The issued thoughts, which must come back unchanged.
#[derive(Default)]
pub(super) struct Thoughts {
    by_signature: BTreeMap<String, Value>,
    /// By the answer that they belong to.
    by_anchor: BTreeMap<String, Vec<Value>>,
    /// Answers that were also given without a thought, so that the same text may come back without one.
    bare: BTreeSet<String>,
}

impl Thoughts {
    pub(super) fn note(&mut self, reply: &Reply) {
        let anchor = reply.anchor().map(ToOwned::to_owned);
        match &reply.thought {
            Some(thought) => {
                self.by_signature.insert(signature(thought).to_owned(), thought.clone());
                if let Some(anchor) = anchor {
                    self.by_anchor.entry(anchor).or_default().push(thought.clone());
                }
            }
            None => self.bare.extend(anchor),
        }
    }

    /// Fails unless the thought was issued exactly like this.
    pub(super) fn check_issued(&self, thought: &Value) -> anyhow::Result<()> {
        let is_known = self.by_signature.get(signature(thought)) == Some(thought);
        ensure!(is_known, "this thought was not issued or was changed: {}", shortened(&thought.to_string()));
        Ok(())
    }

    /// Fails if the answer was given after a thought and comes back without it.
    pub(super) fn check_present(&self, anchor: &str, thought: Option<&Value>) -> anyhow::Result<()> {
        if self.bare.contains(anchor) {
            return Ok(());
        }
        let Some(issued) = self.by_anchor.get(anchor) else { return Ok(()) };
        let is_present = thought.is_some_and(|thought| issued.contains(thought));
        ensure!(is_present, "the answer {:?} came back without the thought before it", shortened(anchor));
        Ok(())
    }
}

fn signature(thought: &Value) -> &str {
    let signed = ["signature", "encrypted_content"].iter().find_map(|field| thought[*field].as_str());
    signed.unwrap_or_default()
}
