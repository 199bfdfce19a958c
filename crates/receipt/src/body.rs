//! The receipt itself: what was requested, what was decided, what happened.
//!
//! Every field is always written, absent ones as `null`, so two receipts differ only in their values. Numbers are
//! integers (thousandths, millionths, milliseconds): their canonical form is the same in every language. Ids and
//! enumerations are plain strings, because a verifier must be able to read receipts newer than itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Reward;

/// The `version` of the receipts that this crate writes and reads.
pub const VERSION: &str = "countersign/receipt/v1";

/// The receipt of an invocation that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The format: `countersign/receipt/v1`.
    pub version: String,
    /// ID of this receipt.
    pub id: String,
    /// ID of the invocation.
    pub invocation: String,
    /// ID of the organization.
    pub org: String,
    /// ID of the space.
    pub space: String,
    /// ID of the session that requested the action.
    pub session: String,
    /// Name of the agent.
    pub agent: String,
    /// Address of the action: `source.action`.
    pub action: String,
    /// Digest of the action's definition at the time of the decision.
    pub definition_hash: String,
    /// Effect class, which says whether a repetition is harmless: `read`, `keyed`, `checkable` or `once`.
    pub effect: String,
    /// Risk level: `R0` to `R4`.
    pub risk: String,
    /// The parameters, redacted; sensitive ones as keyed hashes.
    pub inputs: Value,
    /// The result, redacted and pruned; `null` if there is none.
    #[serde(default)]
    pub outputs: Option<Value>,
    /// Digests of results that were too large for `outputs`.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// Final status: `succeeded`, `failed`, `denied` …
    pub status: String,
    /// The error; `null` if it succeeded.
    #[serde(default)]
    pub error: Option<Failure>,
    /// The decision about the request, with its reasons.
    pub decision: Decision,
    /// The votes.
    #[serde(default)]
    pub approvals: Vec<Approval>,
    /// The documents that people were shown before they voted: those whose digests are in `approvals`. Older receipts do
    /// not have them.
    #[serde(default)]
    pub shown: Vec<Value>,
    /// Digest of the subject: everything that an approval is bound to.
    #[serde(default)]
    pub shown_digest: Option<String>,
    /// Whether the effect was checked and found as wanted: `passed`, `passed_on_second_check`, `failed`,
    /// `inconclusive` (the check itself failed) or `unchecked` (nobody looked). `null` where there was no effect.
    #[serde(default)]
    pub verification: Option<Followup>,
    /// Older receipts note a second check here. Receipts written now always have `null`.
    #[serde(default)]
    pub repair: Option<Followup>,
    /// Whether the effect was undone.
    #[serde(default)]
    pub rollback: Option<Followup>,
    /// Number of calls to the target.
    pub attempts: u32,
    /// Times of the request and the execution.
    pub timing: Timing,
    /// The cost, if known.
    #[serde(default)]
    pub cost: Option<Cost>,
    /// The reward.
    pub reward: Reward,
    /// The idempotency key.
    #[serde(default)]
    pub idempotency_key: Option<String>,
    /// The trace ID.
    #[serde(default)]
    pub trace_id: Option<String>,
    /// Earlier receipts that this one continues.
    #[serde(default)]
    pub refers_to: Vec<Reference>,
    /// Whether this was a dry run.
    #[serde(default)]
    pub dry_run: bool,
}

/// The error of an invocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// Class of the error: `invalid`, `auth`, `timeout` …
    pub class: String,
    /// The message, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
}

/// A decision, with every step that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decision {
    /// The resulting mode: `allow`, `require_approval` or `deny`.
    pub mode: String,
    /// The step that set the mode before the guardrails.
    pub mode_source: String,
    /// The reason, for people.
    pub reason: String,
    /// The guardrails that made the mode stricter, in order.
    #[serde(default)]
    pub guardrails: Vec<GuardrailChange>,
    /// The verdict of every gate, in order.
    #[serde(default)]
    pub gates: Vec<GateVerdict>,
    /// The policies that hold, also those that are only recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PolicyVerdict>,
    /// The facts about the past that policies used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FactUsed>,
    /// Where data went; only of actions that send data out that is not public, or is not trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
}

/// Where a request went, and what its parameters were made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Flow {
    /// The most permissive mode that was acceptable for it.
    pub mode: String,
    /// Why it was not to happen without a person; empty otherwise.
    pub why: String,
    /// Whether it was only recorded and not applied.
    pub observing: bool,
    /// Whether an admin had agreed to it in advance.
    pub consented: bool,
    /// The widest audience of the places: `internal`, `partner` or `public`.
    pub audience: String,
    /// Who chose the places: `definition`, `person`, `data` or `model`.
    pub chosen_by: String,
    /// What had been read that may hold text of strangers.
    pub untrusted: Vec<String>,
    /// What had been read that is not public.
    pub private: Vec<String>,
}

/// A policy that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PolicyVerdict {
    /// Name of the policy.
    pub name: String,
    /// The version that was evaluated.
    pub version: i32,
    /// The most permissive mode that it accepts: `require_approval` or `deny`.
    pub mode: String,
    /// Whether it is only recorded and not applied.
    pub observing: bool,
    /// Why it could not be evaluated. It holds then.
    pub error: Option<String>,
}

/// A fact about the past that policies used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FactUsed {
    /// Name of the fact.
    pub name: String,
    /// Its value at the decision; 0 and 1 stand for no and yes.
    pub value: i64,
    /// What the request adds to it, if it counts.
    pub adds: Option<i64>,
    /// The number that a policy compares it with.
    pub limit: Option<i64>,
}

/// One guardrail that changed the mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardrailChange {
    /// Name of the guardrail.
    pub guardrail: String,
    /// The mode before it.
    pub from: String,
    /// The mode after it.
    pub to: String,
    /// The reason, for people.
    pub reason: String,
}

/// The verdict of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GateVerdict {
    /// Name of the gate.
    pub gate: String,
    /// `pass`, `deny` or `quarantine`.
    pub verdict: String,
    /// The reason, for people; empty if it passed.
    pub reason: String,
}

/// One person's vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Approval {
    /// ID of the person.
    pub user: String,
    /// `approved` or `denied`.
    pub verdict: String,
    /// The channel of the answer: `web`, `cli`, `slack` …
    pub channel: String,
    /// Digest of the document that the person was shown.
    pub shown_digest: String,
    /// Time of the vote, RFC 3339 in UTC.
    pub at: String,
    /// The passkey signature; `null` if there is none.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<crate::passkey::Assertion>"))]
    pub assertion: Option<Value>,
    /// How the person was signed in. Older receipts do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_by: Option<KnownBy>,
}

/// How a person who voted was signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KnownBy {
    /// `api_token`, `browser` or `slack`.
    pub method: String,
    /// ID of the token, or of the browser's sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Since when they were signed in, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A verification or a rollback after the effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Followup {
    /// The result, for example `passed`, `failed` or `done`.
    pub outcome: String,
    /// Details for people, redacted.
    pub detail: String,
}

/// Times, RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timing {
    /// Time of the request.
    pub requested_at: String,
    /// Start of the first call; `null` if there was none.
    #[serde(default)]
    pub started_at: Option<String>,
    /// Time at which it ended. The signing key must have been valid then.
    pub finished_at: String,
    /// Duration of all calls together.
    pub duration_ms: u64,
}

/// A cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// Millionths of the unit.
    pub micros: u64,
    /// The unit, for example `USD`.
    pub unit: String,
}

/// An earlier receipt that this one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reference {
    /// ID of the earlier receipt.
    pub receipt: String,
    /// The relation: `batch`, `retry`, `reconciliation` …
    pub relation: String,
}

#[cfg(test)]
pub(crate) mod tests {
    use expect_test::expect_file;

    use super::*;

    /// A schema as it is published.
    pub(crate) fn published(mut schema: Value, title: &str, version: &str) -> String {
        schema["properties"]["version"]["const"] = version.into();
        schema["title"] = title.into();
        // Sorted by the canonical form, so that the order of keys does not depend on other crates' features.
        let sorted = crate::canonical::to_bytes(&schema).unwrap();
        let sorted: Value = serde_json::from_slice(&sorted).unwrap();
        serde_json::to_string_pretty(&sorted).unwrap() + "\n"
    }

    // `UPDATE_EXPECT=1 cargo test -p countersign-receipt schema` rewrites the file.
    #[test]
    fn the_published_schema_is_the_one_of_this_struct() {
        let schema = serde_json::to_value(schemars::schema_for!(Receipt)).unwrap();
        let text = published(schema, "Countersign receipt", VERSION);
        expect_file!["../../../schemas/receipt.schema.json"].assert_eq(&text);
    }
}
