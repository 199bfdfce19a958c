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

/// One terminal invocation, told once and for good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The format: `countersign/receipt/v1`.
    pub version: String,
    /// This receipt.
    pub id: String,
    /// The invocation it tells of.
    pub invocation: String,
    /// The org it happened in.
    pub org: String,
    /// The space within the org.
    pub space: String,
    /// The session that asked.
    pub session: String,
    /// The agent the session belongs to, as it was named.
    pub agent: String,
    /// `source.action`.
    pub action: String,
    /// Digest of the action's definition at the time of the decision.
    pub definition_hash: String,
    /// Whether a repeat would have been harmless: `read`, `keyed`, `checkable` or `once`.
    pub effect: String,
    /// How much could go wrong: `R0` to `R4`.
    pub risk: String,
    /// The parameters, redacted; sensitive ones as keyed hashes.
    pub inputs: Value,
    /// The result, redacted and pruned; `null` where there is none.
    #[serde(default)]
    pub outputs: Option<Value>,
    /// Digests of what was too large for `outputs`.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// How it ended: `succeeded`, `failed`, `denied` …
    pub status: String,
    /// Why it did not succeed.
    #[serde(default)]
    pub error: Option<Failure>,
    /// Whether it might happen, and why.
    pub decision: Decision,
    /// Every vote.
    #[serde(default)]
    pub approvals: Vec<Approval>,
    /// Digest of what an approver was shown: definition, parameters and decision.
    #[serde(default)]
    pub shown_digest: Option<String>,
    /// Whether the effect was checked and found as wanted: `passed`, `passed_on_second_check`, `failed`,
    /// `inconclusive` (the check itself failed) or `unchecked` (nobody looked). `null` where there was no effect.
    #[serde(default)]
    pub verification: Option<Followup>,
    /// Older receipts note a second check here. Receipts written now always have `null`.
    #[serde(default)]
    pub repair: Option<Followup>,
    /// Whether it was undone.
    #[serde(default)]
    pub rollback: Option<Followup>,
    /// How many times the target was tried.
    pub attempts: u32,
    /// When.
    pub timing: Timing,
    /// What it cost, where that is known.
    #[serde(default)]
    pub cost: Option<Cost>,
    /// How good it was.
    pub reward: Reward,
    /// The key under which a repeat is the same invocation.
    #[serde(default)]
    pub idempotency_key: Option<String>,
    /// The trace it belongs to.
    #[serde(default)]
    pub trace_id: Option<String>,
    /// Earlier receipts this one continues.
    #[serde(default)]
    pub refers_to: Vec<Reference>,
    /// Whether nothing was meant to happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// Why an invocation did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// What kind: `invalid`, `auth`, `timeout` …
    pub class: String,
    /// What happened, redacted.
    pub message: String,
    /// Whether the request may have reached the target.
    pub sent: bool,
}

/// Whether it might happen, with the whole derivation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decision {
    /// What held in the end: `allow`, `require_approval` or `deny`.
    pub mode: String,
    /// Which step gave the mode the guardrails started from.
    pub mode_source: String,
    /// Why, for a person.
    pub reason: String,
    /// The guardrails that made it stricter, in order.
    #[serde(default)]
    pub guardrails: Vec<GuardrailChange>,
    /// Every gate's verdict, in order.
    #[serde(default)]
    pub gates: Vec<GateVerdict>,
}

/// One guardrail that changed the mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GuardrailChange {
    /// Which check.
    pub guardrail: String,
    /// The mode before it.
    pub from: String,
    /// The mode after it.
    pub to: String,
    /// Why, for a person.
    pub reason: String,
}

/// What one gate said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GateVerdict {
    /// Which gate.
    pub gate: String,
    /// `pass`, `deny` or `quarantine`.
    pub verdict: String,
    /// Why, for a person; empty when it passed.
    pub reason: String,
}

/// One person's vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Approval {
    /// Who.
    pub user: String,
    /// `approved` or `denied`.
    pub verdict: String,
    /// Where they answered: `web`, `cli`, `slack` …
    pub channel: String,
    /// Digest of what they were shown.
    pub shown_digest: String,
    /// When, RFC 3339 in UTC.
    pub at: String,
    /// What their passkey signed; `null` where none was asked for.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<crate::passkey::Assertion>"))]
    pub assertion: Option<Value>,
}

/// What came after the effect: a verification or a rollback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Followup {
    /// How it went, for example `passed`, `failed` or `done`.
    pub outcome: String,
    /// More, for a person; redacted.
    pub detail: String,
}

/// When things happened, RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timing {
    /// When it was asked.
    pub requested_at: String,
    /// When the first attempt began; `null` where there was none.
    #[serde(default)]
    pub started_at: Option<String>,
    /// When it became terminal. The signing key must have been valid then.
    pub finished_at: String,
    /// How long the attempts took together.
    pub duration_ms: u64,
}

/// What it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// Millionths of the unit.
    pub micros: u64,
    /// Of what, for example `USD`.
    pub unit: String,
}

/// An earlier receipt this one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reference {
    /// Which receipt.
    pub receipt: String,
    /// How it relates: `batch`, `retry`, `reconciliation` …
    pub relation: String,
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    // `UPDATE_EXPECT=1 cargo test -p countersign-receipt schema` rewrites the file.
    #[test]
    fn the_published_schema_is_the_one_of_this_struct() {
        let mut schema = serde_json::to_value(schemars::schema_for!(Receipt)).unwrap();
        schema["properties"]["version"]["const"] = VERSION.into();
        schema["title"] = "Countersign receipt".into();
        // Sorted by the canonical form, so that the order of keys does not depend on other crates' features.
        let sorted = crate::canonical::to_bytes(&schema).unwrap();
        let sorted: Value = serde_json::from_slice(&sorted).unwrap();
        let text = serde_json::to_string_pretty(&sorted).unwrap() + "\n";
        expect_file!["../../../schemas/receipt.schema.json"].assert_eq(&text);
    }
}
