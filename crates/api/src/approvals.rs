//! What waits for a person, and what they answer.

use jiff::Timestamp;
use model::{ApprovalId, AutomationId, Decision, GrantId, GrantRequestId, InvocationId, SessionId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AssertionRequest, InvocationView, PreviewView};

/// A person's yes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveRequest {
    /// What was shown, as the inbox gave it. A yes to anything else is refused.
    pub shown_digest: String,
    /// How far the yes goes.
    #[serde(default)]
    pub extent: Extent,
    /// The bounds, for `grant`; absent means for this session, 25 calls, 24 hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantBounds>,
    /// For whoever reads the receipt.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
    /// Through what they answered.
    #[serde(default)]
    pub channel: Channel,
    /// What a passkey of theirs signed; where it is given, it is checked and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionRequest>,
}

/// How far a yes goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// This one.
    #[default]
    Once,
    /// This one, and the like within bounds.
    Grant,
    /// This one, and a rule that allows the action from now on.
    Always,
}

/// Through what a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A program of their own.
    #[default]
    Api,
    /// The terminal.
    Cli,
    /// The browser.
    Web,
}

/// The bounds of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantBounds {
    /// Whether for this session or for every session of the org.
    #[serde(default)]
    pub scope: GrantReach,
    /// How often at most.
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    /// For how long, in seconds.
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

/// Whom a grant given with an approval is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantReach {
    /// The session that asked.
    #[default]
    Session,
    /// Every session of the org.
    Org,
}

/// A person's no.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DenyRequest {
    /// What was shown, as the inbox gave it.
    pub shown_digest: String,
    /// Why; the agent can read it.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
    /// Through what they answered.
    #[serde(default)]
    pub channel: Channel,
    /// What a passkey of theirs signed; where it is given, it is checked and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionRequest>,
}

/// What a person found out about an outcome nobody knew.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReconcileRequest {
    /// Whether it happened.
    pub outcome: Reconciled,
    /// How they know: a link, a number, what they saw. It stands in the receipt.
    #[schema(min_length = 1, max_length = 2_000)]
    pub evidence: String,
}

/// What an unknown outcome turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reconciled {
    /// It happened.
    Succeeded,
    /// It did not.
    Failed,
}

/// One vote.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VoteView {
    #[schema(value_type = String, example = "apr_0199…")]
    pub id: ApprovalId,
    #[schema(value_type = String)]
    pub user: UserId,
    /// What the org calls them.
    pub name: String,
    /// `approved` or `denied`.
    pub verdict: String,
    /// `once`, `grant` or `always`.
    pub extent: String,
    /// `api`, `cli`, `web` …
    pub channel: String,
    pub note: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Whether a passkey of theirs signed it.
    #[serde(default)]
    pub signed: bool,
}

/// Something that waits for a person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InboxItem {
    /// An invocation that needs a yes.
    Approval(Box<ApprovalItem>),
    /// An agent asks for a standing permission.
    GrantRequest(Box<GrantRequestView>),
    /// An invocation of which nobody knows whether it happened.
    Unknown(Box<UnknownItem>),
}

/// An invocation that needs a yes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ApprovalItem {
    pub invocation: InvocationView,
    /// Why a person is asked, in words; the last one is what decided.
    pub why: Vec<String>,
    /// How many people must say yes, and how many have.
    pub votes_needed: u32,
    pub votes: Vec<VoteView>,
    /// Whether a yes must be signed with a passkey.
    #[serde(default)]
    pub passkey_needed: bool,
    /// How it is undone, in words; absent where it cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// What became of the same action before.
    pub history: HistoryView,
    /// What the action is, as its definition says.
    pub description: String,
    /// Whether a grant or a rule could answer the like of it from now on; if not, why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_once: Option<String>,
    /// What would happen; only when one item is asked for, because the source is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<PreviewView>,
}

/// An invocation of which nobody knows whether it happened.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct UnknownItem {
    pub invocation: InvocationView,
    /// How it is undone, in words; absent where it cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
}

/// What people answered to the same action before.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct HistoryView {
    /// How often yes, of the last hundred answers.
    pub approved: u32,
    /// How often no, of the last hundred answers.
    pub denied: u32,
    /// The last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<VoteView>,
}

/// The derivation of a decision.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DecisionView {
    #[schema(value_type = String)]
    pub invocation: InvocationId,
    pub action: String,
    /// Every step, in order, in words.
    pub steps: Vec<String>,
    #[schema(value_type = Object)]
    pub decision: Decision,
    pub votes: Vec<VoteView>,
}

/// A standing permission to give.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantCreate {
    /// `source.action`, `source.*` or `*`; the last two need an owner.
    pub action: String,
    /// For one session; absent means for the whole org.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// For the runs of one automation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    #[serde(default = "default_lifetime_s")]
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub lifetime_s: u64,
    #[serde(default)]
    #[schema(max_length = 500)]
    pub reason: String,
}

/// A standing permission.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GrantView {
    #[schema(value_type = String, example = "grt_0199…")]
    pub id: GrantId,
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "aut_0199…")]
    pub automation: Option<AutomationId>,
    pub max_calls: u32,
    pub used_calls: u32,
    /// `active`, `used_up`, `expired` or `revoked`.
    pub state: String,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    pub reason: String,
    /// The approval it came with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub from_invocation: Option<InvocationId>,
}

/// What an agent asks to be granted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantAsk {
    /// `source.action` or `source.*`.
    pub action: String,
    #[serde(default = "default_calls")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_calls: u32,
    #[serde(default = "default_lifetime_s")]
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub lifetime_s: u64,
    /// What for; a person decides by it.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// What an agent asked to be granted, and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GrantRequestView {
    #[schema(value_type = String, example = "grq_0199…")]
    pub id: GrantRequestId,
    #[schema(value_type = String)]
    pub session: SessionId,
    /// Who asks, as the session names it.
    pub agent: String,
    pub action: String,
    pub max_calls: u32,
    pub lifetime_s: u64,
    pub reason: String,
    /// `pending`, `granted`, `denied` or `expired`.
    pub status: String,
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// What the person said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub grant: Option<GrantId>,
}

/// An answer to what an agent asked to be granted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantAnswer {
    /// Whether it is given.
    pub give: bool,
    /// Fewer calls than asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<u32>,
    /// Less time than asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
    #[serde(default)]
    #[schema(max_length = 500)]
    pub note: String,
}

/// How an org approves.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OrgView {
    pub slug: String,
    pub name: String,
    /// How many people must say yes to what is hard to undo (R3, R4).
    pub approval_quorum: u32,
    /// Whether the one who opened a session may not approve its R3 and R4.
    pub approval_four_eyes: bool,
    /// Whether each yes to R3 and R4 must be signed with a passkey.
    #[serde(default)]
    pub approval_passkey: bool,
    /// How many days the bodies of receipts are kept; the facts and the proof stay.
    pub receipts_kept_days: u32,
}

/// What to change of an org.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 10)]
    pub approval_quorum: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_four_eyes: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_passkey: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 36500)]
    pub receipts_kept_days: Option<u32>,
}
