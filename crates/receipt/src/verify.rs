//! Verifies a receipt or a change record offline: form, type, key, signature, canonical bytes, time. Each check has its own error.
//!
//! The signature is checked before the payload is parsed, so nothing unsigned reaches a parser that builds values from
//! it, and the parsed bytes are exactly the bytes that were signed.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use crate::{
    Envelope, KeySet, ParseError, Problem, Receipt, Seed, Statement, canonical,
    entry::Parted,
    kind::Kind,
    merkle::Hash,
    moment::Moment,
    pae, parse_strict,
    passkey::{self, AssertionError},
    shown::{self, ShownError},
    strict::are_objects,
};

/// The largest envelope that is read.
pub const MAX_ENVELOPE_BYTES: usize = 16 << 20;

/// The contents of a verified envelope.
#[derive(Debug, Clone)]
pub struct Verified {
    /// The content, with the fields that this version knows.
    pub statement: Statement,
    /// The signed document, with every field.
    pub document: Map<String, Value>,
    parted: Parted,
    /// The key that signed it.
    pub keyid: String,
}

impl Verified {
    /// The receipt, unless it is something else.
    pub fn receipt(&self) -> Option<&Receipt> {
        match &self.statement {
            Statement::Receipt(receipt) => Some(receipt),
            Statement::Change(_) => None,
        }
    }

    /// As [`Self::receipt`], for whoever wants it alone.
    pub fn into_receipt(self) -> Option<Receipt> {
        match self.statement {
            Statement::Receipt(receipt) => Some(*receipt),
            Statement::Change(_) => None,
        }
    }

    pub(crate) const fn kind(&self) -> Kind {
        match &self.statement {
            Statement::Receipt(_) => Kind::Receipt,
            Statement::Change(_) => Kind::Change,
        }
    }

    /// The canonical bytes that were signed.
    pub fn payload(&self) -> &[u8] {
        self.parted.bytes()
    }

    /// `sha256:<hex>` over the signed bytes.
    pub fn digest(&self) -> String {
        canonical::digest(self.payload())
    }

    /// The commitment of the signed document with this seed.
    pub(crate) fn commitment(&self, seed: &Seed) -> Hash {
        self.parted.commitment(seed)
    }
}

/// Why an envelope is refused.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The envelope is not strict JSON.
    #[error("the envelope is malformed")]
    Envelope(#[source] ParseError),
    /// The fields are not those of a DSSE envelope.
    #[error("the envelope does not have the fields of a DSSE envelope")]
    EnvelopeFields(#[source] serde_json::Error),
    /// The envelope has no signature, or more than one.
    #[error("the envelope has {0} signatures instead of one")]
    SignatureCount(usize),
    /// The envelope holds something other than a receipt or a change record.
    #[error("the envelope holds neither a receipt nor a change record")]
    PayloadType,
    /// The payload is not canonical standard base64.
    #[error("the payload is not canonical base64")]
    PayloadEncoding(#[source] base64::DecodeError),
    /// The signature is not 64 bytes in canonical standard base64.
    #[error("the signature is not 64 bytes in canonical base64")]
    SignatureEncoding,
    /// No trusted key has this id.
    #[error("the signing key {0:?} is not in the key set")]
    UnknownKey(String),
    /// The signature is not of this key over these bytes.
    #[error("the signature does not belong to these bytes")]
    BadSignature,
    /// An object in the payload has a key twice.
    #[error("the payload has a key twice")]
    DuplicateKey(#[source] ParseError),
    /// The payload is not strict JSON.
    #[error("the payload is malformed")]
    Payload(#[source] ParseError),
    /// The payload is JSON, but not in canonical form.
    #[error("the payload is not in canonical form")]
    NotCanonical,
    /// The version of the payload is unknown.
    #[error("the receipt is of an unknown version")]
    Version,
    /// A field of a receipt is missing or has the wrong type.
    #[error("the payload is not a receipt")]
    ReceiptFields(#[source] serde_json::Error),
    /// A field of a change record is missing or has the wrong type.
    #[error("the payload is not a change record")]
    ChangeFields(#[source] serde_json::Error),
    /// The time is not RFC 3339 in UTC.
    #[error("the receipt does not say when it finished")]
    Time,
    /// The assertion of a passkey is invalid.
    #[error(transparent)]
    Assertion(#[from] AssertionError),
    /// A shown document does not belong to the receipt.
    #[error(transparent)]
    Shown(#[from] ShownError),
    /// The key was not valid when the invocation finished.
    #[error("key {0} was not valid when the invocation finished")]
    KeyNotValid(String),
}

impl VerifyError {
    /// A stable code for the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Envelope(_) => "malformed_envelope",
            Self::EnvelopeFields(_) => "envelope_fields",
            Self::SignatureCount(_) => "signature_count",
            Self::PayloadType => "wrong_payload_type",
            Self::PayloadEncoding(_) => "payload_encoding",
            Self::SignatureEncoding => "signature_encoding",
            Self::UnknownKey(_) => "unknown_key",
            Self::BadSignature => "bad_signature",
            Self::DuplicateKey(_) => "duplicate_key",
            Self::Payload(_) => "malformed_payload",
            Self::NotCanonical => "not_canonical",
            Self::Version => "unknown_version",
            Self::ReceiptFields(_) => "receipt_fields",
            Self::ChangeFields(_) => "change_fields",
            Self::Time => "time",
            Self::Assertion(error) => error.code(),
            Self::Shown(error) => error.code(),
            Self::KeyNotValid(_) => "key_not_valid_then",
        }
    }
}

/// Verifies an envelope with the keys that the caller trusts.
pub fn verify(envelope: &[u8], keys: &KeySet) -> Result<Verified, VerifyError> {
    let value = parse_strict(envelope, MAX_ENVELOPE_BYTES).map_err(VerifyError::Envelope)?;
    if !are_objects(&value, &["/signatures/0"]) {
        return Err(VerifyError::EnvelopeFields(serde::de::Error::custom("an array in place of an object")));
    }
    let envelope: Envelope = serde_json::from_value(value).map_err(VerifyError::EnvelopeFields)?;
    verify_envelope(&envelope, keys)
}

pub(crate) fn verify_envelope(envelope: &Envelope, keys: &KeySet) -> Result<Verified, VerifyError> {
    let [signature] = envelope.signatures.as_slice() else {
        return Err(VerifyError::SignatureCount(envelope.signatures.len()));
    };
    let kind = Kind::of_payload(&envelope.payload_type).ok_or(VerifyError::PayloadType)?;
    // The standard engine accepts no other alphabet, no missing padding and no stray bits: one text per payload.
    let payload = STANDARD.decode(&envelope.payload).map_err(VerifyError::PayloadEncoding)?;
    let sig: [u8; 64] = STANDARD
        .decode(&signature.sig)
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(VerifyError::SignatureEncoding)?;
    let key = keys.get(&signature.keyid).ok_or_else(|| VerifyError::UnknownKey(signature.keyid.clone()))?;
    if !key.verifies(&pae(kind.payload_type(), &payload), &sig) {
        return Err(VerifyError::BadSignature);
    }
    let (document, parted) = read(kind, &payload)?;
    let statement = kind.read(&document)?;
    let finished = kind.time(&document).and_then(Moment::parse).ok_or(VerifyError::Time)?;
    if !key.covers(finished) {
        return Err(VerifyError::KeyNotValid(signature.keyid.clone()));
    }
    if kind == Kind::Receipt {
        passkey::check_all(&document, keys.passkeys())?;
        shown::check_all(&document)?;
    }
    Ok(Verified { statement, document, parted, keyid: signature.keyid.clone() })
}

fn read(kind: Kind, payload: &[u8]) -> Result<(Map<String, Value>, Parted), VerifyError> {
    let value = parse_strict(payload, MAX_ENVELOPE_BYTES).map_err(|error| match error.problem {
        Problem::DuplicateKey => VerifyError::DuplicateKey(error),
        _ => VerifyError::Payload(error),
    })?;
    // The document, not the struct, is serialized again: a field unknown to this version stays part of the check.
    let Value::Object(document) = value else {
        let is_canonical = canonical::value_bytes(&value).is_ok_and(|bytes| bytes == payload);
        return Err(if is_canonical { VerifyError::Version } else { VerifyError::NotCanonical });
    };
    let parted = Parted::new(kind, &document).map_err(|_| VerifyError::NotCanonical)?;
    if parted.bytes() != payload {
        return Err(VerifyError::NotCanonical);
    }
    if document.get("version").and_then(Value::as_str) != Some(kind.version()) {
        return Err(VerifyError::Version);
    }
    Ok((document, parted))
}
