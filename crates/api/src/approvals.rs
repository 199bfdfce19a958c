//! The inbox: pending items and the answers to them.

use jiff::Timestamp;
use model::{
    ApiTokenId, ApprovalId, AutomationId, Decision, Digest, GrantId, GrantRequestId, InvocationId, SessionId,
    ShownDocument, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{AssertionRequest, InvocationView};

/// An approval of a pending invocation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveRequest {
    /// Digest of the document that the person was shown: SHA-256 over the canonical form (RFC 8785) of `shown` of the
    /// inbox item, as `sha256:<hex>`. The approval is refused if the item has changed since.
    pub shown_digest: String,
    /// What the approval covers.
    #[serde(default)]
    pub extent: Extent,
    /// Bounds of the grant, if `extent` is `grant`. By default: this session, 25 calls, 24 hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantBounds>,
    /// Only where this holds for the parameters, if `extent` is `grant` or `always`: a filter such as
    /// `{"channel": {"equals": "C0123"}}`. It must hold for the parameters that are approved. By default, whatever the
    /// parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// A note for readers of the receipt.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
    /// How the person answered.
    #[serde(default)]
    pub channel: Channel,
    /// The person's passkey signature. If present, it is verified and stored with the approval. Required if the
    /// organization requires passkeys for this risk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionRequest>,
}

/// What an approval covers.
///
/// - `once`: only this invocation
/// - `grant`: also a grant for later calls of the action
/// - `always`: also a rule that always allows the action
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Only this invocation.
    #[default]
    Once,
    /// This invocation, and a grant for later calls of the action.
    Grant,
    /// This invocation, and a rule that always allows the action.
    Always,
}

/// How a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// With a direct API request.
    #[default]
    Api,
    /// In the terminal.
    Cli,
    /// In the browser.
    Web,
}

/// The bounds of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantBounds {
    /// Whether the grant is for this session or for every session of the organization.
    #[serde(default)]
    pub scope: GrantReach,
    /// Maximum number of calls.
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    /// Lifetime in seconds.
    #[serde(default = "default_lifetime_s")]
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub lifetime_s: u64,
}

impl Default for GrantBounds {
    fn default() -> Self {
        Self { scope: GrantReach::default(), max_calls: default_calls(), lifetime_s: default_lifetime_s() }
    }
}

const fn default_calls() -> u32 {
    25
}

const fn default_lifetime_s() -> u64 {
    24 * 60 * 60
}

/// Which sessions may use a grant that is given with an approval.
///
/// - `session`: the session that requested the approval
/// - `org`: every session of the organization
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantReach {
    /// The session that requested the approval.
    #[default]
    Session,
    /// Every session of the organization.
    Org,
}

/// A denial of a pending invocation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DenyRequest {
    /// Digest of the document that the person was shown, as for an approval. The denial is refused if the item has
    /// changed since.
    pub shown_digest: String,
    /// Reason for the denial. The agent can read it.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
    /// How the person answered.
    #[serde(default)]
    pub channel: Channel,
    /// The person's passkey signature. If present, it is verified and stored with the denial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionRequest>,
}

/// A person's statement about an invocation with an unknown outcome.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReconcileRequest {
    /// Whether the action happened.
    pub outcome: Reconciled,
    /// Evidence, such as a link or an ID. It becomes part of the receipt.
    #[schema(min_length = 1, max_length = 2_000)]
    pub evidence: String,
}

/// The outcome that a person found.
///
/// - `succeeded`: the action happened
/// - `failed`: the action did not happen
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reconciled {
    /// The action happened.
    Succeeded,
    /// The action did not happen.
    Failed,
}

/// One person's answer to a pending invocation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VoteView {
    #[schema(value_type = String, example = "apr_0199…")]
    pub id: ApprovalId,
    /// ID of the person.
    #[schema(value_type = String)]
    pub user: UserId,
    /// Name of the person in the organization.
    pub name: String,
    /// `approved` or `denied`.
    pub verdict: String,
    /// What the answer covers: `once`, `grant` or `always`.
    pub extent: String,
    /// How the person answered, for example `api`, `cli` or `web`.
    pub channel: String,
    /// The person's note. Empty if there is none.
    pub note: String,
    /// When the person answered.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Whether the answer is signed with the person's passkey.
    #[serde(default)]
    pub signed: bool,
    /// How the person was signed in: `api_token`, `browser` or `slack`. Absent for older answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// ID of the token, or of the browser's sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub token: Option<ApiTokenId>,
    /// Since when the person was signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub signed_in_at: Option<Timestamp>,
}

/// An inbox item.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InboxItem {
    /// An invocation that needs approval.
    Approval(Box<ApprovalItem>),
    /// An agent's request for a grant.
    GrantRequest(Box<GrantRequestView>),
    /// An invocation with an unknown outcome.
    Unknown(Box<UnknownItem>),
    /// An invocation that was quarantined and is held.
    Quarantined(Box<QuarantinedItem>),
}

/// An invocation that needs approval.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ApprovalItem {
    pub invocation: InvocationView,
    /// Why approval is needed, as sentences. The last one is the deciding reason.
    pub why: Vec<String>,
    /// What changed since it was first asked, for example `the destination`. Empty if nothing did. Answers from before
    /// no longer count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Number of approvals required.
    pub votes_needed: u32,
    /// The answers so far.
    pub votes: Vec<VoteView>,
    /// Whether the approval must be signed with a passkey.
    #[serde(default)]
    pub passkey_needed: bool,
    /// How to undo the action. Absent if it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// Earlier answers to the same action.
    pub history: HistoryView,
    /// Description of the action.
    pub description: String,
    /// Why `extent` must be `once`. Absent if a grant or a rule is possible too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_once: Option<String>,
    /// Its turn in the inbox, which lists all of turn 0 first. 0 while fewer than 20 requests wait; otherwise the number
    /// of requests by the same person or automation that waited before it.
    #[serde(default)]
    pub turn: i16,
    /// The document that an answer is about: everything a person should see before they answer. Present only in the
    /// response for a single item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<ShownDocument>,
}

/// How fast you approve.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PaceView {
    /// The number of days that are looked at.
    pub days: u64,
    /// Your approvals by the length of what you were shown. Only what you opened in the web or in the terminal counts.
    pub lengths: Vec<LengthPace>,
    /// Whether you approve faster than a quick reader could read, for some length.
    pub too_fast: bool,
}

/// Your approvals of documents of one length.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LengthPace {
    /// `short` (up to 300 characters), `medium` (up to 1500) or `long`.
    pub length: String,
    /// Number of approvals.
    pub answers: i64,
    /// Median time between opening the item and approving it, in seconds.
    pub median_s: f64,
    /// How long a quick reader needs for such a document, in seconds.
    pub reading_s: f64,
    /// Whether you approve faster than that, at least five times.
    pub too_fast: bool,
}

/// Correct the parameters of a pending invocation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditRequest {
    /// Digest of the document that you were shown: SHA-256 over its canonical form (RFC 8785).
    #[schema(example = "sha256:…")]
    pub shown_digest: String,
    /// All parameters, corrected. A hidden value that is left as it was shown keeps its value.
    #[schema(value_type = Object)]
    pub params: Value,
    /// Why; the agent can read it. At most 500 characters.
    #[serde(default)]
    pub note: String,
    /// Where the correction comes from.
    #[serde(default)]
    pub channel: Channel,
}

/// The hidden values of a pending invocation, for the person who asked to see them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RevealedView {
    /// Every hidden value.
    pub values: Vec<RevealedValue>,
}

/// A hidden value.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RevealedValue {
    /// Where it is in the parameters, as a JSON pointer.
    pub pointer: String,
    /// The value that would be sent.
    #[schema(value_type = Object)]
    pub value: Value,
}

/// An invocation with an unknown outcome.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct UnknownItem {
    pub invocation: InvocationView,
    /// How to undo the action. Absent if it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
}

/// An invocation that was quarantined and is held: discard it, or release it as text.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct QuarantinedItem {
    pub invocation: InvocationView,
    /// What was found in the parameters, as sentences.
    pub why: Vec<String>,
    /// Why it can only be discarded. Absent if it can be released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_discard: Option<String>,
    /// When it is discarded if nobody decides.
    #[schema(value_type = String, format = DateTime)]
    pub held_until: Timestamp,
    /// Its turn in the inbox, as for an approval.
    #[serde(default)]
    pub turn: i16,
}

/// What to do with an invocation that was quarantined.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulingRequest {
    /// Why. Required for a release; it is shown to those who are asked to approve.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
}

/// Earlier answers to the same action.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct HistoryView {
    /// Number of approvals among the last 100 answers.
    pub approved: u32,
    /// Number of denials among the last 100 answers.
    pub denied: u32,
    /// The most recent answer. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<VoteView>,
}

/// A decision, with the steps that led to it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DecisionView {
    /// ID of the invocation.
    #[schema(value_type = String)]
    pub invocation: InvocationId,
    /// Address of the action: `source.action`.
    pub action: String,
    /// The steps of the decision in order, as sentences.
    pub steps: Vec<String>,
    /// The decision as data.
    #[schema(value_type = Object)]
    pub decision: Decision,
    /// The answers of people.
    pub votes: Vec<VoteView>,
}

/// A grant to create.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantCreate {
    /// `source.action`, `source.*` or `*`. The last two require the role `owner`.
    pub action: String,
    /// Only this session may use the grant. By default, every session of the organization. Cannot be combined with
    /// `automation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// Only runs of this automation may use the grant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// Maximum number of calls.
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    /// Lifetime in seconds.
    #[serde(default = "default_lifetime_s")]
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub lifetime_s: u64,
    /// Only where this holds for the parameters: a filter such as `{"channel": {"equals": "C0123"}}`. By default, whatever
    /// the parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// Reason for the grant.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
}

/// A grant: a permission with a bound on calls and time.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GrantView {
    #[schema(value_type = String, example = "grt_0199…")]
    pub id: GrantId,
    /// `source.action`, `source.*` or `*`.
    pub action: String,
    /// The only session that may use the grant. Absent if every session may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// The automation whose runs may use the grant. Absent if it is not limited to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    /// It applies only where this holds for the parameters: a filter. Absent if it applies whatever the parameters.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Value>,
    /// The same in words, for example `channel is "C0123"`. Absent if there is no condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub where_words: Option<String>,
    /// Hash of the only step of the automation that it applies to. Absent if it applies to every step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "sha256:…")]
    pub step: Option<Digest>,
    /// Maximum number of calls.
    pub max_calls: u32,
    /// Number of calls so far.
    pub used_calls: u32,
    /// `active`, `used_up`, `expired` or `revoked`.
    pub state: String,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// ID of the person who created the grant.
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Reason for the grant. Empty if there is none.
    pub reason: String,
    /// The invocation whose approval created the grant. Absent if the grant was created directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub from_invocation: Option<InvocationId>,
}

/// An agent's request for a grant.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantAsk {
    /// `source.action` or `source.*`.
    pub action: String,
    /// Maximum number of calls.
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    /// Lifetime in seconds.
    #[serde(default = "default_lifetime_s")]
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub lifetime_s: u64,
    /// The purpose, for the person who decides.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// A grant request and its answer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GrantRequestView {
    #[schema(value_type = String, example = "grq_0199…")]
    pub id: GrantRequestId,
    /// The session that requested the grant.
    #[schema(value_type = String)]
    pub session: SessionId,
    /// Name of the agent, as stated when its session was opened.
    pub agent: String,
    /// `source.action` or `source.*`.
    pub action: String,
    /// Requested number of calls.
    pub max_calls: u32,
    /// Requested lifetime in seconds.
    pub lifetime_s: u64,
    /// The purpose, as stated by the agent.
    pub reason: String,
    /// `pending`, `granted`, `denied` or `expired`.
    pub status: String,
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    /// When the request expires if it is not answered.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// Note of the person who answered. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// ID of the grant. Absent unless the request was granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub grant: Option<GrantId>,
    /// Its turn in the inbox, which lists all of turn 0 first. 0 while fewer than 20 requests wait; otherwise the number
    /// of requests by the same person or automation that waited before it.
    #[serde(default)]
    pub turn: i16,
}

/// An answer to a grant request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantAnswer {
    /// Whether to give the grant.
    pub give: bool,
    /// Maximum number of calls, if fewer than requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<u32>,
    /// Lifetime in seconds, if shorter than requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
    /// A note for the agent.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
}
