//! Signatures of passkeys (WebAuthn): a person's vote over exactly what they were shown, verified without the server.
//!
//! A passkey signs a challenge, and the challenge is the digest of a [`Statement`]. The order of the checks is part of
//! the format: every verifier reports the first one that fails.

mod key;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use self::key::PublicKey;
use crate::{
    ParseError,
    canonical::{self, CanonicalError},
    parse_strict,
};

/// The largest `client_data` that is read.
const MAX_CLIENT_DATA_BYTES: usize = 4096;
/// The largest `authenticator_data` that is read. A registration with an RSA key of 4096 bits and a credential of 1023
/// bytes has 1606.
const MAX_AUTHENTICATOR_DATA_BYTES: usize = 2048;

/// The largest list of passkeys that is read.
pub const MAX_LIST_BYTES: usize = 4 << 20;

/// Flag: a user was present.
const PRESENT: u8 = 0x01;
/// Flag: the device verified the user, by a fingerprint, a face or a PIN.
const VERIFIED: u8 = 0x04;

/// What a passkey gives out: everything that is needed to check it, in base64url without padding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// What the device says of itself: for which site, whether somebody was there and who.
    pub authenticator_data: String,
    /// What the browser says: for which page, and the challenge.
    pub client_data: String,
    /// Which passkey.
    pub credential: String,
    /// Its key: an uncompressed point of P-256 (65 bytes, ES256), or an RSA key of 2048 to 4096 bits with the exponent
    /// 65537 as DER `SubjectPublicKeyInfo` (RS256).
    pub public_key: String,
    /// ES256: ECDSA with SHA-256, as ASN.1. RS256: RSASSA-PKCS1-v1_5 with SHA-256.
    pub signature: String,
}

/// The statement that a passkey signs.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "format")]
pub enum Statement<'a> {
    /// A person's answer to an invocation.
    #[serde(rename = "countersign/vote/v1")]
    Vote { org: &'a str, invocation: &'a str, user: &'a str, verdict: &'a str, shown_digest: &'a str },
    /// Another passkey of the same person.
    #[serde(rename = "countersign/passkey/v1")]
    Passkey { org: &'a str, user: &'a str, credential: &'a str, public_key: &'a str },
    /// From now on, approvals count without a signature.
    #[serde(rename = "countersign/unsigned-approvals/v1")]
    UnsignedApprovals { org: &'a str, user: &'a str, at: &'a str },
    /// It is still the same person who is signed in.
    #[serde(rename = "countersign/sign-in/v1")]
    SignIn { org: &'a str, user: &'a str, at: &'a str },
}

impl Statement<'_> {
    /// The challenge for the passkey: SHA-256 over the canonical form.
    pub fn challenge(&self) -> Result<[u8; 32], CanonicalError> {
        Ok(Sha256::digest(canonical::to_bytes(self)?).into())
    }
}

/// A passkey that is trusted to belong to a person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Passkey {
    pub user: String,
    pub credential: String,
    pub public_key: String,
}

/// Parses a list of passkeys: the response of `GET /v1/passkeys`, or its items alone.
pub fn read_list(bytes: &[u8]) -> Result<Vec<Passkey>, ListError> {
    let value = parse_strict(bytes, MAX_LIST_BYTES).map_err(ListError::Parse)?;
    let items = match value {
        Value::Object(mut page) => page.remove("items").unwrap_or_default(),
        items => items,
    };
    serde_json::from_value(items).map_err(ListError::Fields)
}

/// Why a list of passkeys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The list is not strict JSON.
    #[error("reading a list of passkeys")]
    Parse(#[source] ParseError),
    /// The items are not passkeys.
    #[error("reading the items of a list of passkeys")]
    Fields(#[source] serde_json::Error),
}

/// Why an assertion is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AssertionError {
    /// A field is missing or invalid.
    #[error("the passkey's assertion is malformed")]
    Malformed,
    /// It was made for another purpose than signing.
    #[error("the passkey's assertion is not of the type `webauthn.get`")]
    Type,
    /// It signs another statement.
    #[error("the passkey signed another statement")]
    Statement,
    /// It was made for another site.
    #[error("the passkey's assertion was made for another site than it says")]
    Site,
    /// No user was present, or the device did not verify the user.
    #[error("the passkey did not verify that its owner was present")]
    Presence,
    /// The signature is not of this key over this data.
    #[error("the passkey's signature does not match")]
    Signature,
    /// The passkey is not one of those trusted to belong to that person.
    #[error("the passkey is not among those that are trusted to be this person's")]
    Unknown,
}

impl AssertionError {
    /// A stable code for the error.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "assertion_malformed",
            Self::Type => "assertion_type",
            Self::Statement => "assertion_statement",
            Self::Site => "assertion_site",
            Self::Presence => "assertion_presence",
            Self::Signature => "assertion_signature",
            Self::Unknown => "passkey_unknown",
        }
    }
}

/// The contents of a valid assertion besides its statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asserted {
    /// The origin of the page it was made on, as `https://host` or `https://host:port`.
    pub origin: String,
    /// The signature counter of the device; 0 if it does not count.
    pub count: u32,
}

impl Assertion {
    /// Parses an assertion as it is written in a receipt.
    pub fn from_value(value: &Value) -> Result<Self, AssertionError> {
        // serde would also accept an array, in the order of the fields.
        if !value.is_object() {
            return Err(AssertionError::Malformed);
        }
        Self::deserialize(value).map_err(|_| AssertionError::Malformed)
    }

    /// Checks that this passkey signed this statement, with its user present and verified.
    pub fn check(&self, statement: &Statement<'_>) -> Result<Asserted, AssertionError> {
        let malformed = AssertionError::Malformed;
        let key = public_key(&self.public_key)?;
        let signature = decode(&self.signature)?;
        decode(&self.credential)?;
        let told = AuthenticatorData::read(&self.authenticator_data)?;
        let client = ClientData::read(&self.client_data)?;
        if client.kind != "webauthn.get" {
            return Err(AssertionError::Type);
        }
        let challenge = statement.challenge().map_err(|_| malformed)?;
        if client.challenge != URL_SAFE_NO_PAD.encode(challenge) {
            return Err(AssertionError::Statement);
        }
        told.check_site(&client)?;
        told.check_presence()?;
        let mut signed = told.bytes;
        signed.extend(Sha256::digest(&client.bytes));
        if !key.verifies(&signed, &signature) {
            return Err(AssertionError::Signature);
        }
        Ok(Asserted { origin: client.origin, count: told.count })
    }

    /// The fingerprint by which people compare passkeys: `sha256:<hex>` over the public key.
    pub fn fingerprint(&self) -> Result<String, AssertionError> {
        public_key(&self.public_key).map(|key| canonical::digest(&key.to_bytes()))
    }
}

/// What the browser states about the page that requested the signature.
#[derive(Debug)]
pub struct ClientData {
    /// `webauthn.create` or `webauthn.get`.
    pub kind: String,
    /// In base64url without padding.
    pub challenge: String,
    pub origin: String,
    framed: bool,
    bytes: Vec<u8>,
}

impl ClientData {
    /// Parses it from base64url.
    pub fn read(encoded: &str) -> Result<Self, AssertionError> {
        let bytes = decode(encoded)?;
        let value = parse_strict(&bytes, MAX_CLIENT_DATA_BYTES).map_err(|_| AssertionError::Malformed)?;
        let text = |field: &str| {
            value.get(field).and_then(Value::as_str).map(str::to_owned).ok_or(AssertionError::Malformed)
        };
        Ok(Self {
            kind: text("type")?,
            challenge: text("challenge")?,
            origin: text("origin")?,
            framed: value.get("crossOrigin") == Some(&Value::Bool(true)),
            bytes,
        })
    }
}

/// What the device states about itself.
#[derive(Debug)]
pub struct AuthenticatorData {
    site: [u8; 32],
    flags: u8,
    /// The signature counter; 0 if the device does not count.
    pub count: u32,
    bytes: Vec<u8>,
}

impl AuthenticatorData {
    /// Parses it from base64url.
    pub fn read(encoded: &str) -> Result<Self, AssertionError> {
        let bytes = decode(encoded)?;
        if bytes.len() > MAX_AUTHENTICATOR_DATA_BYTES {
            return Err(AssertionError::Malformed);
        }
        let (site, rest) = bytes.split_first_chunk().ok_or(AssertionError::Malformed)?;
        let (&[flags], rest) = rest.split_first_chunk().ok_or(AssertionError::Malformed)?;
        let (&count, _) = rest.split_first_chunk().ok_or(AssertionError::Malformed)?;
        Ok(Self { site: *site, flags, count: u32::from_be_bytes(count), bytes })
    }

    /// Checks that it was made for the site of this page, and on the page itself rather than in a frame.
    pub fn check_site(&self, client: &ClientData) -> Result<(), AssertionError> {
        let host = host(&client.origin).ok_or(AssertionError::Site)?;
        let is_own = self.site == <[u8; 32]>::from(Sha256::digest(host)) && !client.framed;
        if is_own { Ok(()) } else { Err(AssertionError::Site) }
    }

    /// Checks that a user was present and verified.
    pub const fn check_presence(&self) -> Result<(), AssertionError> {
        if self.flags & PRESENT != 0 && self.flags & VERIFIED != 0 {
            Ok(())
        } else {
            Err(AssertionError::Presence)
        }
    }

    /// The passkey that was created with it, as credential and key in base64url. Only ES256 and RS256 keys, each in its
    /// one encoding, are supported.
    pub fn made(&self) -> Option<(String, String)> {
        const ATTESTED: u8 = 0x40;
        if self.flags & ATTESTED == 0 {
            return None;
        }
        // After site, flags and counter: the device model (16 bytes), the credential with its length, the key.
        let rest = self.bytes.get(37 + 16..)?;
        let (&length, rest) = rest.split_first_chunk()?;
        let (credential, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(length)))?;
        let key = PublicKey::read_cose(rest)?.to_bytes();
        (!credential.is_empty()).then(|| (URL_SAFE_NO_PAD.encode(credential), URL_SAFE_NO_PAD.encode(key)))
    }
}

/// The host of a page on which passkeys work: with TLS, or on localhost.
pub fn host(origin: &str) -> Option<&str> {
    let (rest, local) = match origin.strip_prefix("https://") {
        Some(rest) => (rest, false),
        None => (origin.strip_prefix("http://")?, true),
    };
    let (host, port) = rest.split_once(':').unwrap_or((rest, "443"));
    let is_host = !host.is_empty()
        && host
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._".contains(&byte));
    let is_port = (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_host && is_port && (!local || host == "localhost")).then_some(host)
}

/// Checks every assertion of a receipt that is otherwise genuine.
pub(crate) fn check_all(
    document: &Map<String, Value>,
    trusted: Option<&[Passkey]>,
) -> Result<(), AssertionError> {
    let text = |object: &Map<String, Value>, field: &str| {
        object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let approvals = document.get("approvals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for approval in approvals.iter().filter_map(Value::as_object) {
        let Some(found) = approval.get("assertion").filter(|found| !found.is_null()) else { continue };
        let assertion = Assertion::from_value(found)?;
        let user = text(approval, "user");
        assertion.check(&Statement::Vote {
            org: &text(document, "org"),
            invocation: &text(document, "invocation"),
            user: &user,
            verdict: &text(approval, "verdict"),
            shown_digest: &text(approval, "shown_digest"),
        })?;
        let is_theirs = |known: &Passkey| {
            known.user == user
                && known.credential == assertion.credential
                && known.public_key == assertion.public_key
        };
        if trusted.is_some_and(|trusted| !trusted.iter().any(is_theirs)) {
            return Err(AssertionError::Unknown);
        }
    }
    Ok(())
}

fn decode(text: &str) -> Result<Vec<u8>, AssertionError> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| AssertionError::Malformed)
}

fn public_key(text: &str) -> Result<PublicKey, AssertionError> {
    PublicKey::read(&decode(text)?).ok_or(AssertionError::Malformed)
}
