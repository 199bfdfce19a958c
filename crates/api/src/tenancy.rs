//! Members, spaces, tokens, sessions, secrets and connections.

use std::fmt;

use jiff::Timestamp;
use model::{
    ApiTokenId, ConnectionId, MemberKind, OpenTo, OrgId, RiskBand, Role, SecretId, SessionId, SessionKind,
    SpaceId, UserId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The caller: a person or an agent's session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MeView {
    /// ID of the organization.
    #[schema(value_type = String)]
    pub org: OrgId,
    /// Slug of the organization. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_slug: Option<String>,
    /// Name of the organization. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_name: Option<String>,
    /// ID of the person. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub user: Option<UserId>,
    /// Name of the person in the organization. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// E-mail address of the person. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Role of the person in the organization. Absent if the caller is a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "admin")]
    pub role: Option<Role>,
    /// When this organization was brought over from an earlier version, for an owner or admin who was there before.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub upgraded_at: Option<Timestamp>,
    /// ID of the session. Absent if the caller is a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// Organizations that the person can switch to with `POST /v1/signin/org`. Present only if an identity provider
    /// signed the person in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orgs: Vec<OrgChoiceView>,
}

impl MeView {
    /// An agent's session as the caller.
    pub const fn of_session(org: OrgId, session: SessionId) -> Self {
        Self {
            org,
            org_slug: None,
            org_name: None,
            user: None,
            name: None,
            email: None,
            role: None,
            upgraded_at: None,
            session: Some(session),
            orgs: Vec::new(),
        }
    }
}

/// An organization of the signed-in person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OrgChoiceView {
    pub slug: String,
    pub name: String,
    /// Role of the person in the organization.
    #[schema(value_type = String, example = "admin")]
    pub role: Role,
}

/// The ways to sign in a browser.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SignInView {
    /// Whether a person can sign in with an API token.
    pub token: bool,
    /// The identity provider. Absent if none is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oidc: Option<ProviderView>,
}

/// An identity provider.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProviderView {
    /// Name of the identity provider, for the sign-in button.
    pub name: String,
}

/// The token to sign in a browser with.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    /// API token of a person: `csn_api_…`.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// The organization to switch to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgSwitch {
    /// Slug of the organization.
    #[schema(max_length = 63)]
    pub org: String,
}

/// Changes to a member. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// `member`, `admin` or `owner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "admin")]
    pub role: Option<Role>,
}

/// A member of the organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MemberView {
    #[schema(value_type = String)]
    pub user: UserId,
    /// Absent for a service account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub name: String,
    /// `member`, `admin` or `owner`.
    #[schema(value_type = String)]
    pub role: Role,
    /// `person`, or `service`: a program with tokens and without a vote.
    #[schema(value_type = String)]
    pub kind: MemberKind,
    #[schema(value_type = String, format = DateTime)]
    pub joined_at: Timestamp,
    /// ID of the person who let them in, raised their role or made them a new link last. Absent if nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invited_by: Option<UserId>,
}

/// A space to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceRequest {
    #[schema(example = "production", max_length = 63)]
    pub slug: String,
    #[schema(max_length = 200)]
    pub name: String,
    /// `green`, `amber`, `red` or `black`.
    #[schema(value_type = String, example = "amber")]
    pub risk_band: RiskBand,
    /// Who works in it besides admins and owners: `members` that are listed (the default), or `everyone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub open_to: Option<OpenTo>,
}

/// Changes to a space. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpacePatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// `green`, `amber`, `red` or `black`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub risk_band: Option<RiskBand>,
    /// Whether credentials are removed from parameters before they are sent to a target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outbound_redaction: Option<bool>,
    /// Who works in it besides admins and owners: `everyone`, or `members` that are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub open_to: Option<OpenTo>,
}

/// A space: an area of the organization with a risk band.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SpaceView {
    #[schema(value_type = String)]
    pub id: SpaceId,
    pub slug: String,
    pub name: String,
    /// `green`, `amber`, `red` or `black`.
    #[schema(value_type = String)]
    pub risk_band: RiskBand,
    /// Whether credentials are removed from parameters before they are sent to a target.
    pub outbound_redaction: bool,
    /// Who works in it besides admins and owners: `everyone`, or `members` that are listed.
    #[schema(value_type = String, example = "members")]
    pub open_to: OpenTo,
    /// Whether the caller may open sessions in it.
    pub may_open: bool,
}

/// What a member of a space may use there.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceMemberRequest {
    /// What a session that they open there may use at most, for example `linear:read` or `linear:*`. By default,
    /// everything (`*`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
}

/// A member of a space.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SpaceMemberView {
    #[schema(value_type = String)]
    pub user: UserId,
    pub name: String,
    /// `member`, `admin` or `owner`. Admins and owners may use everything in every space.
    #[schema(value_type = String)]
    pub role: Role,
    /// `person` or `service`.
    #[schema(value_type = String)]
    pub kind: MemberKind,
    /// What a session that they open there may use at most.
    pub capabilities: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    pub added_at: Timestamp,
}

/// A session to open.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// Name of the agent, for example `triage-bot`.
    #[schema(max_length = 100)]
    pub agent: String,
    /// What the session is for.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub title: String,
    /// ID of the space. By default, the first space of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    /// `interactive` (a person is watching; approvals expire in minutes) or `unattended` (approvals may take a day).
    #[schema(value_type = String, example = "interactive")]
    pub kind: SessionKind,
    /// What the session may use at most, for example `linear:read` or `linear:*`. By default, the sources that are
    /// listed now, as far as the opener may use them in this space. Admins and owners may open a session for `*`, which
    /// includes sources that are added later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    /// Lifetime in seconds, at most 30 days. The default is one day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
}

/// A session: one working period of an agent.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    #[schema(value_type = String)]
    pub id: SessionId,
    #[schema(value_type = String)]
    pub space: SpaceId,
    /// `interactive` or `unattended`.
    #[schema(value_type = String)]
    pub kind: SessionKind,
    /// Name of the agent.
    pub agent: String,
    /// What the session is for. Empty if not stated.
    pub title: String,
    /// What the session may use at most, for example `linear:read`, `linear:*` or `*`.
    pub capabilities: Vec<String>,
    /// ID of the person who opened the session.
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// When the session was ended. Absent if it was not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
}

/// A new session with its token, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewSessionView {
    pub session: SessionView,
    /// Token with which the agent authenticates.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// An API token to create.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// What the token is for.
    #[schema(max_length = 100)]
    pub name: String,
    /// Lifetime in seconds, at most 366 days. The default is 90 days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
}

/// An API token, without its value.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TokenView {
    #[schema(value_type = String)]
    pub id: ApiTokenId,
    /// ID of the person whom the token authenticates.
    #[schema(value_type = String)]
    pub user: UserId,
    /// What the token is for.
    pub name: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the token expires. Absent if it does not, which only tokens of older versions can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// When the token was revoked. Absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    /// When the token was last used. Absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// Whether the token belongs to a signed-in browser.
    #[serde(default)]
    pub browser: bool,
}

/// A new API token, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewTokenView {
    #[schema(value_type = String)]
    pub id: ApiTokenId,
    /// The token.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// A secret to store.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretRequest {
    /// The value of the secret.
    #[schema(value_type = String, max_length = 16384)]
    pub value: Plain,
}

/// A secret, without its value.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SecretView {
    #[schema(value_type = String)]
    pub id: SecretId,
    pub name: String,
    /// Version of the value. Increases with every change.
    pub version: i32,
    /// ID of the person who last changed the value.
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// Where the secret may be sent. Nothing else may use it.
    #[serde(default)]
    pub audience: Vec<AudienceView>,
}

/// A source that may use a secret, and where it sends it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AudienceView {
    /// Source that may use the secret.
    pub source: String,
    /// Scheme, host and port to which the source sends it.
    #[schema(example = "https://mcp.example.com")]
    pub origin: String,
    /// ID of the person who allowed this. Absent for uses that are older than audiences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub allowed_by: Option<UserId>,
}

/// A credential for an integration.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectionRequest {
    /// Name of the connection, for example that of the workspace.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub name: String,
    /// The token of the service.
    #[schema(value_type = String, max_length = 16384)]
    pub token: Plain,
}

/// A connection of an integration, without its credential.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectionView {
    #[schema(value_type = String)]
    pub id: ConnectionId,
    /// Slug of the integration.
    pub provider: String,
    pub name: String,
    /// Version of the credential. Increases with every change.
    pub version: i32,
    /// ID of the person who last changed the credential.
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A secret in a request or response body. Its `Debug` output is `[redacted]`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Plain(pub String);

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}
