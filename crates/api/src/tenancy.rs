//! People, spaces, tokens, sessions, secrets and connections.

use std::fmt;

use jiff::Timestamp;
use model::{
    ApiTokenId, ConnectionId, OrgId, RiskBand, Role, SecretId, SessionId, SessionKind, SpaceId, UserId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who the caller is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MeView {
    #[schema(value_type = String)]
    pub org: OrgId,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_slug: Option<String>,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_name: Option<String>,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub user: Option<UserId>,
    /// For a person: what the org calls them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "admin")]
    pub role: Option<Role>,
    /// For a session's token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session: Option<SessionId>,
    /// For a person whom the identity provider signed in: where they may go on (`POST /v1/signin/org`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orgs: Vec<OrgChoiceView>,
}

impl MeView {
    /// An agent, within its session.
    pub const fn of_session(org: OrgId, session: SessionId) -> Self {
        Self {
            org,
            org_slug: None,
            org_name: None,
            user: None,
            name: None,
            email: None,
            role: None,
            session: Some(session),
            orgs: Vec::new(),
        }
    }
}

/// An org somebody may work in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OrgChoiceView {
    pub slug: String,
    pub name: String,
    #[schema(value_type = String, example = "admin")]
    pub role: Role,
}

/// How a browser may be signed in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SignInView {
    /// With a person's token.
    pub token: bool,
    /// By an identity provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oidc: Option<ProviderView>,
}

/// An identity provider.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProviderView {
    /// What people know it as.
    pub name: String,
}

/// A browser to sign in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    /// A person's token, `csn_api_…`.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// Another org to go on in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgSwitch {
    /// Its slug.
    #[schema(max_length = 63)]
    pub org: String,
}

/// A member to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberRequest {
    #[schema(max_length = 254)]
    pub email: String,
    #[schema(max_length = 200)]
    pub name: String,
    #[schema(value_type = String, example = "member")]
    pub role: Role,
}

/// What to change about a member.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "admin")]
    pub role: Option<Role>,
}

/// A person in the org.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MemberView {
    #[schema(value_type = String)]
    pub user: UserId,
    pub email: String,
    pub name: String,
    #[schema(value_type = String)]
    pub role: Role,
}

/// A space to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceRequest {
    #[schema(example = "production", max_length = 63)]
    pub slug: String,
    #[schema(max_length = 200)]
    pub name: String,
    #[schema(value_type = String, example = "amber")]
    pub risk_band: RiskBand,
}

/// What to change about a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpacePatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub risk_band: Option<RiskBand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outbound_redaction: Option<bool>,
}

/// An area of the org.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SpaceView {
    #[schema(value_type = String)]
    pub id: SpaceId,
    pub slug: String,
    pub name: String,
    #[schema(value_type = String)]
    pub risk_band: RiskBand,
    pub outbound_redaction: bool,
}

/// A session to open.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// Who will work in it, for example `triage-bot`.
    #[schema(max_length = 100)]
    pub agent: String,
    #[serde(default)]
    #[schema(max_length = 200)]
    pub title: String,
    /// Where it works; the org's first space when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub space: Option<SpaceId>,
    /// `interactive` or `unattended`.
    #[schema(value_type = String, example = "interactive")]
    pub kind: SessionKind,
    /// What it may do at most: `linear:read`, `linear:*`, `*`. Everything when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    /// How long it lasts, in seconds; a day when not given, 30 days at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
}

/// One agent's working period.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    #[schema(value_type = String)]
    pub id: SessionId,
    #[schema(value_type = String)]
    pub space: SpaceId,
    #[schema(value_type = String)]
    pub kind: SessionKind,
    pub agent: String,
    pub title: String,
    pub capabilities: Vec<String>,
    #[schema(value_type = String)]
    pub created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
}

/// A new session with its token, shown this once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewSessionView {
    pub session: SessionView,
    /// What the agent calls in with.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// An API token to make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// What it is for.
    #[schema(max_length = 100)]
    pub name: String,
    /// How long it lasts, in seconds; without end when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_s: Option<u64>,
}

/// What may be known of a token afterwards.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TokenView {
    #[schema(value_type = String)]
    pub id: ApiTokenId,
    #[schema(value_type = String)]
    pub user: UserId,
    pub name: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// Whether it is a browser that is signed in.
    #[serde(default)]
    pub browser: bool,
}

/// A new token, shown this once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewTokenView {
    #[schema(value_type = String)]
    pub id: ApiTokenId,
    #[schema(value_type = String)]
    pub token: Plain,
}

/// A value to keep.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretRequest {
    #[schema(value_type = String, max_length = 16384)]
    pub value: Plain,
}

/// What may be known of a secret.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SecretView {
    #[schema(value_type = String)]
    pub id: SecretId,
    pub name: String,
    pub version: i32,
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A credential for a source.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectionRequest {
    /// What people call it, for example the workspace it opens.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub name: String,
    #[schema(value_type = String, max_length = 16384)]
    pub token: Plain,
}

/// What may be known of a connection.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ConnectionView {
    #[schema(value_type = String)]
    pub id: ConnectionId,
    /// The source it opens.
    pub provider: String,
    pub name: String,
    /// Rises with every new credential.
    pub version: i32,
    #[schema(value_type = String)]
    pub set_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A secret on its way over the wire. It is written into a body and read from one, and prints as `[redacted]`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Plain(pub String);

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}
