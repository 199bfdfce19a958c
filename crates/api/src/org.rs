//! The settings of an organization.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::SignedRequest;

/// The settings of an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OrgView {
    pub slug: String,
    pub name: String,
    /// Number of approvals required for R3 and R4.
    pub approval_quorum: u32,
    /// Whether the person who opened a session is barred from approving its R3 and R4 actions.
    pub approval_four_eyes: bool,
    /// Whether approvals of R3 and R4 must be signed with a passkey.
    #[serde(default)]
    pub approval_passkey: bool,
    /// Days after which what is held of calls and runs is erased. Facts and proofs are kept.
    pub receipts_kept_days: u32,
    /// While a shorter period waits: the longer one that still holds.
    #[serde(default)]
    pub receipts_kept_days_before: Option<u32>,
    /// While a shorter period waits: when it begins to hold, a week after it was set.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub receipts_shorter_at: Option<Timestamp>,
    /// Whether nothing is erased, however old it is.
    #[serde(default)]
    pub legal_hold: bool,
    /// Who may loosen what protects the organization: `one` person, or `two_people`: then a second owner must agree.
    #[serde(default)]
    #[schema(example = "two_people")]
    pub loosening: String,
    /// Whether that follows from the number of owners, because the organization did not set it.
    #[serde(default)]
    pub loosening_is_default: bool,
    /// The IANA time zone in which policies see the time.
    #[schema(example = "Europe/Berlin")]
    pub time_zone: String,
    /// What model calls may use in a day.
    #[serde(default)]
    pub model_budget: ModelBudget,
    /// Until when loosening needs two people although there is only one owner, because another owner left.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub two_people_until: Option<Timestamp>,
}

/// What model calls of an organization may use in a day, in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelBudget {
    /// USD. Absent for no limit; models whose price is unknown can then be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1_000_000, example = 10.0)]
    pub usd_per_day: Option<f64>,
    /// Tokens, read and written. Absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_day: Option<u64>,
}

/// Changes to the settings of an organization. Absent fields stay unchanged.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgPatch {
    /// Number of approvals required for R3 and R4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 10)]
    pub approval_quorum: Option<u32>,
    /// Whether the person who opened a session is barred from approving its R3 and R4 actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_four_eyes: Option<bool>,
    /// Whether approvals of R3 and R4 must be signed with a passkey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_passkey: Option<bool>,
    /// Days after which what is held of a call is erased. A shorter period holds after a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 36500)]
    pub receipts_kept_days: Option<u32>,
    /// Whether nothing is erased, however old it is. Ending it is a loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_hold: Option<bool>,
    /// IANA time zone in which policies see the time, such as `Europe/Berlin`. Changing it is a loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "Europe/Berlin")]
    pub time_zone: Option<String>,
    /// What model calls may use in a day. It replaces both limits. Raising one is a loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_budget: Option<ModelBudget>,
    /// `one` or `two_people`. Setting `one` is itself a loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "two_people")]
    pub loosening: Option<String>,
    /// Your passkey's signature over `{"format":"countersign/unsigned-approvals/v1","org":…,"user":…,"at":…}`. Required
    /// to set `approval_passkey` to `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<SignedRequest>,
}
