//! Passkeys: what people sign their yes with. Bytes are base64url without padding.

use jiff::Timestamp;
use model::{PasskeyId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which passkeys.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PasskeyQuery {
    /// Those of one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// `next_cursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most this many, 1 to 100; 50 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A passkey of a person. Kept by whoever wants to check later, without us, who signed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyView {
    #[schema(value_type = String, example = "psk_0199…")]
    pub id: PasskeyId,
    #[schema(value_type = String)]
    pub user: UserId,
    /// What its person calls it.
    pub name: String,
    /// What the device calls it.
    pub credential: String,
    /// 65 bytes, a point of P-256.
    pub public_key: String,
    /// `sha256:…` over the key, to compare it by.
    pub fingerprint: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// Since when it signs nothing more; what it signed before stays signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub removed_at: Option<Timestamp>,
}

/// What a browser needs to make a passkey (`navigator.credentials.create`).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyOffer {
    /// Good for five minutes.
    pub challenge: String,
    pub rp: PasskeySite,
    pub user: PasskeyPerson,
    /// The credentials this person has already.
    pub exclude: Vec<String>,
    /// Whether one of them must sign the new one.
    pub confirm: bool,
}

/// What a passkey is for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeySite {
    /// The gateway's host.
    pub id: String,
    pub name: String,
}

/// Whose a passkey is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyPerson {
    pub id: String,
    pub name: String,
    pub display_name: String,
}

/// A passkey that a browser made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeyRequest {
    /// What to call it.
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    /// As it was offered.
    #[schema(max_length = 400)]
    pub challenge: String,
    /// `clientDataJSON`.
    #[schema(max_length = 5_500)]
    pub client_data: String,
    /// `getAuthenticatorData()`.
    #[schema(max_length = 1_400)]
    pub authenticator_data: String,
    /// Where one has a passkey already: what it says to the new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<AssertionRequest>,
}

/// What a browser got from a passkey (`navigator.credentials.get`).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssertionRequest {
    /// Which passkey.
    #[schema(max_length = 1_400)]
    pub credential: String,
    /// `clientDataJSON`.
    #[schema(max_length = 5_500)]
    pub client_data: String,
    #[schema(max_length = 1_400)]
    pub authenticator_data: String,
    /// ECDSA with SHA-256 as ASN.1.
    #[schema(max_length = 200)]
    pub signature: String,
}
