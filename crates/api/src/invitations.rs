//! Invitations: how people join, and accounts of programs.

use jiff::Timestamp;
use model::{InvitationId, Role, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{MeView, NewTokenView, Plain};

/// A person to invite. For a member, with the role that they have, it makes a new link.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    #[schema(max_length = 254)]
    pub email: String,
    #[schema(max_length = 200)]
    pub name: String,
    /// `member`, `admin` or `owner`.
    #[schema(value_type = String, example = "member")]
    pub role: Role,
}

/// An invitation, without its link.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InvitationView {
    #[schema(value_type = String, example = "ivt_0199…")]
    pub id: InvitationId,
    pub email: String,
    pub name: String,
    /// `member`, `admin` or `owner`.
    #[schema(value_type = String)]
    pub role: Role,
    /// ID of the person who invited. Absent for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub invited_by: Option<UserId>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// `open`, `accepted`, `withdrawn` or `expired`.
    #[schema(example = "open")]
    pub status: String,
}

/// An invitation with its link, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewInvitationView {
    pub invitation: InvitationView,
    /// The page on which the person joins. Give it to them yourself. Absent if the public address of the gateway is not
    /// configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub link: Option<Plain>,
    /// The token in the link, for `countersign join`.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// The token of an invitation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRequest {
    /// Token in the link: `csn_inv_…`.
    #[schema(value_type = String)]
    pub token: Plain,
}

/// What an invitation offers.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct JoinView {
    /// Slug of the organization.
    pub org: String,
    pub org_name: String,
    pub email: String,
    pub name: String,
    /// `member`, `admin` or `owner`.
    #[schema(value_type = String)]
    pub role: Role,
    /// Name of the person who invited. Absent for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited_by: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// Name of the identity provider with which they must sign in to join. Absent if none is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Whether they are a member already, and get a new token.
    pub is_member: bool,
}

/// The acceptance of an invitation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// Token in the link: `csn_inv_…`.
    #[schema(value_type = String)]
    pub token: Plain,
    /// Your name. By default, the name in the invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
}

/// A person who joined, with their first token, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct JoinedView {
    pub me: MeView,
    pub token: NewTokenView,
}

/// A service account to add.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServiceAccountRequest {
    /// Name of the program, for example `deploy pipeline`.
    #[schema(max_length = 200)]
    pub name: String,
    /// `member` or `admin`.
    #[schema(value_type = String, example = "member")]
    pub role: Role,
}
