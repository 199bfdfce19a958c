//! The gate settings of an organization, and consents.

use jiff::Timestamp;
use model::{ConsentId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The gate settings to save. They replace the present ones.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GatesRequest {
    /// The version that they were read at; 0 if there were none.
    pub version: i32,
    /// Who may get what actions send out. Absent or `null`: everybody.
    #[serde(default)]
    pub recipients: Option<AllowedRecipients>,
    /// Patterns that must not be in parameters.
    #[serde(default)]
    pub detectors: Vec<GateDetector>,
    /// Actions that need the consent of those whom they are about.
    #[serde(default)]
    pub purposes: Vec<GatePurpose>,
    /// The spaces that sources belong to.
    #[serde(default)]
    pub homes: Vec<GateHome>,
    /// From which spaces sessions may have effects in which others.
    #[serde(default)]
    pub crossings: Vec<GateCrossing>,
    /// Who may see what is sent where. Absent: stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<FlowSettings>,
}

/// The gate settings.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GatesView {
    /// Rises with each change; 0 before the first one. Earlier versions are in the change records.
    pub version: i32,
    /// Who may get what actions send out. `null`: everybody.
    pub recipients: Option<AllowedRecipients>,
    pub detectors: Vec<GateDetector>,
    pub purposes: Vec<GatePurpose>,
    pub homes: Vec<GateHome>,
    pub crossings: Vec<GateCrossing>,
    /// Who may see what is sent where.
    #[serde(default)]
    #[schema(required = true)]
    pub flow: FlowSettings,
    /// ID of the person who changed them last. Absent if nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "usr_0199…")]
    pub set_by: Option<UserId>,
    /// Name of that person. Absent if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by_name: Option<String>,
    /// Absent if nobody changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub updated_at: Option<Timestamp>,
}

/// The only recipients of actions that send out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedRecipients {
    /// Exact values (`C0123`), domains (`acme.example`: its e-mail addresses and URLs), and domains below one
    /// (`*.acme.example`).
    pub allow: Vec<String>,
}

/// A pattern that must not be in parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GateDetector {
    #[schema(example = "customer-number", max_length = 64)]
    pub name: String,
    /// A regular expression without look-around and references to groups.
    #[schema(example = r"\bK-\d{5}\b", max_length = 1000)]
    pub pattern: String,
    /// Actions (`source.action`, `source.*`) and groups (`does:sends_out`). All actions if empty.
    #[serde(default)]
    pub of: Vec<String>,
    /// Why, for people who look at what was quarantined.
    #[schema(max_length = 200)]
    pub why: String,
}

/// An action that needs the consent of those whom it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GatePurpose {
    #[schema(example = "mail.send")]
    pub action: String,
    #[schema(example = "newsletter", max_length = 64)]
    pub purpose: String,
    /// The parameter that names them.
    #[schema(example = "input.to")]
    pub subject: String,
}

/// The space that a source belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GateHome {
    #[schema(example = "billing")]
    pub source: String,
    /// Slug of the space.
    #[schema(example = "finance")]
    pub space: String,
}

/// Leave for sessions of one space to have effects in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GateCrossing {
    /// Slug of the space of the session.
    #[schema(example = "main")]
    pub from: String,
    /// Slug of the space that the source belongs to.
    #[schema(example = "finance")]
    pub to: String,
    /// With this source only. Absent: with every source of that space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Who may see what is sent where, and whether that is held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FlowSettings {
    /// `observe`: what would be held is recorded; `hold`: it is applied.
    #[schema(example = "observe")]
    pub mode: FlowMode,
    /// Sources whose texts only people of the organization write.
    #[schema(max_items = 200)]
    pub trusted: Vec<String>,
    /// Sources that hold nothing but what is public.
    #[schema(max_items = 200)]
    pub public: Vec<String>,
    /// Audiences of destinations. What is not named is public.
    #[schema(max_items = 200)]
    pub audiences: Vec<FlowAudience>,
    /// Hosts that may stand in what models send: `acme.example`, and `*.acme.example` for all below it.
    #[schema(max_items = 200)]
    pub hosts: Vec<String>,
    /// Flows of automations that an admin agreed to.
    #[schema(max_items = 500)]
    pub consents: Vec<FlowConsent>,
}

/// Whether flows of data are held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlowMode {
    #[default]
    Observe,
    Hold,
}

/// Who may see what is sent to a destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowAudience {
    #[schema(example = "slack")]
    pub source: String,
    /// As parameters name it; `*` for every destination of the source.
    #[schema(example = "C0123", max_length = 320)]
    pub destination: String,
    /// `internal`, `partner` or `public`.
    #[schema(example = "internal")]
    pub audience: String,
}

/// Data of these sources may go to this destination in runs of this automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowConsent {
    #[schema(example = "aut_0199…")]
    pub automation: String,
    /// The sources that the data is from.
    pub from: Vec<String>,
    #[schema(example = "slack.send_message")]
    pub action: String,
    /// As parameters name it; `*` for whatever the definition or the person who starts the run says.
    #[schema(example = "C0123", max_length = 320)]
    pub destination: String,
}

/// A consent to store.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsentRequest {
    #[schema(example = "newsletter", max_length = 64)]
    pub purpose: String,
    /// Who agreed, as parameters of actions name them. It is stored as a hash alone.
    #[schema(example = "ada@example.com", max_length = 320)]
    pub subject: String,
    /// When it ends. Absent: when it is revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// Where the consent is from. It must not name the subject.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub note: String,
}

/// A consent. Who gave it is stored as a hash and not shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConsentView {
    #[schema(value_type = String, example = "cns_0199…")]
    pub id: ConsentId,
    #[schema(example = "newsletter")]
    pub purpose: String,
    /// `active`, `expired` or `revoked`.
    #[schema(example = "active")]
    pub state: String,
    /// Empty if there is none.
    pub note: String,
    /// ID of the person who stored it.
    #[schema(value_type = String, example = "usr_0199…")]
    pub given_by: UserId,
    /// Name of that person. Absent if they are no longer a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_by_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Absent if it does not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// Absent if it was not revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
}

/// Selects and pages consents.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ConsentsQuery {
    /// Only consents to this purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Only consents of this subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of consents, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}
