//! Passkeys, which sign approvals. Binary values are base64url without padding.

use jiff::Timestamp;
use model::{PasskeyId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Filters and pages the list of passkeys.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PasskeyQuery {
    /// Only passkeys of this person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of passkeys, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A passkey of a member. Save the list to be able to check later, offline, who signed an approval.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyView {
    #[schema(value_type = String, example = "psk_0199…")]
    pub id: PasskeyId,
    /// ID of the member.
    #[schema(value_type = String)]
    pub user: UserId,
    /// Name that the member gave the passkey.
    pub name: String,
    /// Credential ID, assigned by the device.
    pub credential: String,
    /// Public key: an uncompressed P-256 point of 65 bytes (ES256), or an RSA key of 2048 to 4096 bits as DER
    /// `SubjectPublicKeyInfo` (RS256).
    pub public_key: String,
    /// Fingerprint of the public key: `sha256:…`.
    pub fingerprint: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the passkey last signed. Absent if it never has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// Since when the passkey signs. Absent while it waits for another approver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub confirmed_at: Option<Timestamp>,
    /// ID of the approver who confirmed it. Absent where nobody had to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub confirmed_by: Option<UserId>,
    /// When the passkey was removed. Absent if it was not. Earlier signatures stay valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub removed_at: Option<Timestamp>,
}

/// The options with which a browser creates a passkey (`navigator.credentials.create`).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyOffer {
    /// The challenge, valid for five minutes.
    pub challenge: String,
    /// The relying party.
    pub rp: PasskeySite,
    /// The owner of the new passkey.
    pub user: PasskeyPerson,
    /// Credential IDs of the passkeys that the person already has.
    pub exclude: Vec<String>,
    /// Whether an existing passkey must sign the new one.
    pub confirm: bool,
}

/// The relying party of a passkey: this gateway.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeySite {
    /// Host name of the gateway.
    pub id: String,
    pub name: String,
}

/// The owner of a passkey.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PasskeyPerson {
    pub id: String,
    pub name: String,
    pub display_name: String,
}

/// A passkey that a browser created.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeyRequest {
    /// Name for the passkey.
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    /// The challenge of the offer.
    #[schema(max_length = 400)]
    pub challenge: String,
    /// The browser's `clientDataJSON`.
    #[schema(max_length = 5_500)]
    pub client_data: String,
    /// The result of the browser's `getAuthenticatorData()`.
    #[schema(max_length = 2_800)]
    pub authenticator_data: String,
    /// Signature of an existing passkey over the new one. Required if the offer says `confirm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<AssertionRequest>,
}

/// A passkey's signature, from the browser (`navigator.credentials.get`).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssertionRequest {
    /// Credential ID of the passkey.
    #[schema(max_length = 1_400)]
    pub credential: String,
    /// The browser's `clientDataJSON`.
    #[schema(max_length = 5_500)]
    pub client_data: String,
    /// The browser's `authenticatorData`.
    #[schema(max_length = 2_800)]
    pub authenticator_data: String,
    /// Signature: ECDSA with SHA-256, encoded as ASN.1 (ES256), or RSASSA-PKCS1-v1_5 with SHA-256 (RS256).
    #[schema(max_length = 700)]
    pub signature: String,
}

/// What a passkey signed at a moment.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedRequest {
    /// When it was signed, RFC 3339 in UTC; at most five minutes ago.
    #[schema(max_length = 40)]
    pub at: String,
    /// Credential ID of the passkey.
    #[schema(max_length = 1_400)]
    pub credential: String,
    /// The browser's `clientDataJSON`.
    #[schema(max_length = 5_500)]
    pub client_data: String,
    /// The browser's `authenticatorData`.
    #[schema(max_length = 2_800)]
    pub authenticator_data: String,
    /// The signature.
    #[schema(max_length = 700)]
    pub signature: String,
}
