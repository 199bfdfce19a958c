//! Signing receipts: DSSE envelopes and Ed25519.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::Signer as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::{
    Receipt,
    canonical::{self, CanonicalError},
    ml_dsa::{self, MlDsaError},
};

/// The payload type of a receipt's envelope. The signature covers it, so an envelope of another type can never pass as
/// a receipt.
pub const PAYLOAD_TYPE: &str = "application/vnd.countersign.receipt+json";

/// A DSSE envelope: a payload, its type, and its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The payload in standard base64 with padding.
    pub payload: String,
    /// The type of the payload.
    #[serde(rename = "payloadType")]
    pub payload_type: String,
    /// Exactly one signature.
    pub signatures: Vec<Signature>,
}

/// A signature, and the key that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// A hint which key to try; see [`SigningKey::keyid`].
    pub keyid: String,
    /// 64 bytes in standard base64 with padding.
    pub sig: String,
}

impl Envelope {
    /// The envelope as JSON, always as the same bytes.
    pub fn to_json(&self) -> Result<Vec<u8>, CanonicalError> {
        canonical::to_bytes(self)
    }
}

/// Why a receipt was not signed.
#[derive(Debug, thiserror::Error)]
#[error("bringing a receipt into canonical form")]
pub struct SignError(#[source] CanonicalError);

/// The private key. It is wiped when dropped and never printed.
pub struct SigningKey {
    secret: ed25519_dalek::SigningKey,
    keyid: String,
}

impl SigningKey {
    /// The key of a 32-byte seed. The caller wipes its own copy of the seed.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let secret = ed25519_dalek::SigningKey::from_bytes(seed);
        let keyid = keyid(secret.verifying_key().as_bytes());
        Self { secret, keyid }
    }

    /// The id of the key: the first 16 hex digits of SHA-256 over the public key. DSSE does not sign it, so it is only
    /// a hint; a verifier computes it from the public key it trusts.
    pub fn keyid(&self) -> &str {
        &self.keyid
    }

    pub fn public_key(&self) -> [u8; 32] {
        self.secret.verifying_key().to_bytes()
    }

    /// The public key of its ML-DSA-65 signatures, which checkpoints have besides.
    pub fn ml_dsa_public_key(&self) -> Result<Vec<u8>, MlDsaError> {
        Ok(self.ml_dsa()?.public_key())
    }

    pub(crate) fn ml_dsa(&self) -> Result<ml_dsa::Pair, MlDsaError> {
        ml_dsa::Pair::derive(&Zeroizing::new(self.secret.to_bytes()))
    }

    /// Signs a receipt in its canonical form.
    pub fn sign(&self, receipt: &Receipt) -> Result<Envelope, SignError> {
        let payload = canonical::to_bytes(receipt).map_err(SignError)?;
        Ok(self.sign_payload(PAYLOAD_TYPE, &payload))
    }

    /// Signs any payload under its own type.
    pub fn sign_payload(&self, payload_type: &str, payload: &[u8]) -> Envelope {
        let sig = self.sign_bytes(&pae(payload_type, payload));
        Envelope {
            payload: STANDARD.encode(payload),
            payload_type: payload_type.to_owned(),
            signatures: vec![Signature { keyid: self.keyid.clone(), sig: STANDARD.encode(sig) }],
        }
    }

    /// Signs bare bytes, for formats with their own domain separation (a signed note).
    pub fn sign_bytes(&self, message: &[u8]) -> [u8; 64] {
        self.secret.sign(message).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("keyid", &self.keyid).finish_non_exhaustive()
    }
}

pub(crate) fn keyid(public_key: &[u8; 32]) -> String {
    let mut text = hex::encode(Sha256::digest(public_key));
    text.truncate(16);
    text
}

/// DSSE's pre-authentication encoding: the bytes that are actually signed. The lengths separate type and payload.
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pae_is_the_one_of_the_dsse_specification() {
        let expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(pae("http://example.com/HelloWorld", b"hello world"), expected);
    }

    #[test]
    fn debug_shows_only_the_keyid() {
        let key = SigningKey::from_seed(&[7; 32]);
        assert_eq!(format!("{key:?}"), format!("SigningKey {{ keyid: {:?}, .. }}", key.keyid()));
    }
}
