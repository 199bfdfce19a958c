//! The shown document: everything that a person is shown before they answer. Web, terminal, Slack and mail show the same
//! one; an answer names its digest, and the receipt keeps it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{CanonicalError, Change, Digest, InvocationId, OrgId, Preview, Risk, SessionId};

/// What a person is shown before they answer. Every field but `flow` is always present. Its digest is SHA-256 over its canonical form (RFC 8785).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownDocument {
    /// The format: `countersign/shown/v1`.
    pub version: String,
    /// Random, so that nobody can guess the document from its digest.
    pub salt: String,
    /// ID of the organization.
    #[schema(value_type = String)]
    pub org: OrgId,
    /// ID of the invocation.
    #[schema(value_type = String)]
    pub invocation: InvocationId,
    /// Digest of the subject, which is what an approval is bound to: action, definition, parameters, destination,
    /// credential, proposer and decision.
    #[schema(value_type = String, example = "sha256:…")]
    pub subject: Digest,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Description of the action.
    pub description: String,
    /// Risk level, `R0` to `R4`.
    #[schema(value_type = String, example = "R2")]
    pub risk: Risk,
    /// The parameters.
    #[schema(value_type = Object)]
    pub params: Value,
    /// The parameters that are hidden, because redaction found something in them. Each must be revealed before an
    /// approval.
    pub hidden: Vec<ShownHidden>,
    /// Where the call goes, and with which account. A batch may have several.
    pub destinations: Vec<ShownDestination>,
    /// Who proposes the action.
    pub proposer: ShownProposer,
    /// The proposer's reason. Empty if none was given.
    pub reason: String,
    /// Why approval is needed, as sentences: the rule or the risk, then every guardrail that holds.
    pub why: Vec<String>,
    /// Why the approval can be for this invocation only. `null` if a grant or a rule is possible too.
    #[schema(required = true)]
    pub only_once: Option<String>,
    /// What changed since it was first asked, for example `the destination`.
    pub changed: Vec<String>,
    /// Corrections of the parameters by people, in order. The parameters above are the corrected ones.
    pub edits: Vec<ShownEdit>,
    /// Path of the page that shows how the action's definition changed since its review. `null` if it did not.
    #[schema(required = true)]
    pub diff: Option<String>,
    /// What the action would change. `null` if the source cannot say.
    #[schema(required = true)]
    pub preview: Option<Preview>,
    /// How to undo the action. `null` if it cannot be undone.
    #[schema(required = true)]
    pub undo: Option<String>,
    /// What the session read before, newest first.
    pub read_before: Vec<ShownRead>,
    /// Earlier answers to the same action.
    pub earlier: ShownAnswers,
    /// Where data goes, and what it was made of. Absent if the action sends nothing out, or if nothing that was read matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<ShownFlow>,
}

/// Where data goes, and what it was made of. All of it is found by the gateway; nothing is said by the proposer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownFlow {
    /// The places, as the parameters name them. Empty if the definition of the action does not tell which parameter does.
    pub to: Vec<String>,
    /// Who may see it there: `internal`, `partner` or `public`.
    pub audience: String,
    /// Who chose the places: `definition`, `person`, `data` or `model`.
    pub chosen_by: String,
    /// Why it is held. Empty if it is not.
    pub why: String,
    /// Whether it is only recorded and not held.
    pub observing: bool,
    /// What was read that may hold text of strangers.
    pub untrusted: Vec<String>,
    /// What was read that is not public.
    pub private: Vec<String>,
    /// Passages of the parameters that stand word for word in what was read.
    pub passages: Vec<ShownPassage>,
}

/// A passage of the parameters that stands word for word in what was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownPassage {
    /// Where it is in the parameters, as a JSON pointer.
    pub pointer: String,
    /// Its first 400 characters.
    pub text: String,
    /// Number of characters of the whole.
    pub characters: u32,
    /// Address of the action that read it.
    pub action: String,
    /// ID of the invocation that read it.
    #[schema(value_type = String)]
    pub invocation: InvocationId,
}

/// A correction of the parameters by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShownEdit {
    /// Name of the person.
    pub by: String,
    /// The person's reason. Empty if none was given.
    pub note: String,
    /// Time of the correction, RFC 3339 in UTC.
    pub at: String,
    /// What it changed. `field` is a JSON pointer into the parameters.
    pub changes: Vec<Change>,
}

/// A parameter that is hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownHidden {
    /// Where it is in the parameters, as a JSON pointer.
    pub pointer: String,
    /// Number of characters of the value.
    pub characters: u32,
    /// Why it is hidden.
    pub rule: String,
}

/// Where a call goes, and with which account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownDestination {
    /// The source that makes the call.
    pub source: String,
    /// The address, for example `https://api.linear.app/graphql`. `null` if nothing leaves the gateway.
    #[schema(required = true)]
    pub address: Option<String>,
    /// The connection or secret that is used, for example `acme-bot (version 3)`. `null` if none is.
    #[schema(required = true)]
    pub account: Option<String>,
}

impl ShownHidden {
    /// How much is hidden and why, in words.
    pub fn words(&self) -> String {
        let s = if self.characters == 1 { "" } else { "s" };
        format!("{} character{s}, hidden because of: {}", self.characters, self.rule)
    }
}

impl ShownDestination {
    /// Where and as whom, in words.
    pub fn words(&self) -> String {
        let address = self.address.as_deref().unwrap_or("the gateway itself");
        match &self.account {
            Some(account) => format!("{address} as {account}"),
            None => address.to_owned(),
        }
    }
}

impl ShownFlow {
    /// Where it goes and who chose that, in words.
    pub fn words(&self) -> String {
        let to = if self.to.is_empty() { "a place that is not known".to_owned() } else { self.to.join(", ") };
        let who = match self.chosen_by.as_str() {
            "definition" => "the automation's definition",
            "person" => "the person who started the run",
            "data" => "data that was read or received",
            _ => "a model",
        };
        let audience = match self.audience.as_str() {
            "internal" => "people of the organization",
            "partner" => "partners",
            _ => "anybody",
        };
        format!("to {to}, chosen by {who}; {audience} may see it there")
    }
}

impl ShownPassage {
    /// Where it is and where it is from, in words.
    pub fn words(&self) -> String {
        let cut = if self.text.chars().count() < self.characters as usize { "…" } else { "" };
        format!("{}: “{}{cut}” stands in the result of {}", self.pointer, self.text, self.action)
    }
}

impl ShownRead {
    /// What was read, how often, and whether it can be trusted, in words.
    pub fn words(&self) -> String {
        let times = if self.times == 1 { "once".to_owned() } else { format!("{} times", self.times) };
        let mark = if self.untrusted { ", may contain text by strangers" } else { "" };
        format!("{}: {times}{mark}", self.action)
    }
}

/// Who proposes an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownProposer {
    /// Name of the agent, as stated when its session was opened.
    pub agent: String,
    /// ID of the session.
    #[schema(value_type = String)]
    pub session: SessionId,
    /// Name of the person who opened the session or is responsible for the automation.
    pub opened_by: String,
    /// Name of the person who started the run. `null` if nobody did.
    #[schema(required = true)]
    pub started_by: Option<String>,
    /// The automation and its version, for example `aut_0199… (version 4)`. `null` if it is not a run.
    #[schema(required = true)]
    pub automation: Option<String>,
}

/// An action that the session used for reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownRead {
    /// Address of the action.
    pub action: String,
    /// Number of times, among the last 500 invocations of the session.
    pub times: u32,
    /// Whether the result can contain text that strangers wrote.
    pub untrusted: bool,
}

/// Earlier answers to the same action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownAnswers {
    /// Number of approvals among the last 100 answers.
    pub approved: u32,
    /// Number of denials among the last 100 answers.
    pub denied: u32,
    /// The most recent answer. `null` if there is none.
    #[schema(required = true)]
    pub last: Option<ShownAnswer>,
}

/// An earlier answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownAnswer {
    /// Name of the person.
    pub name: String,
    /// `approved` or `denied`.
    pub verdict: String,
    /// The person's note. Empty if there is none.
    pub note: String,
    /// Time of the answer, RFC 3339 in UTC.
    pub at: String,
}

impl ShownDocument {
    /// The format that this code writes.
    pub const VERSION: &'static str = "countersign/shown/v1";

    /// The digest that an answer names.
    pub fn digest(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(self)
    }
}
