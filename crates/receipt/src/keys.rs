//! The keys that sign receipts, and their periods of validity: the document published at a well-known address.
//!
//! Rotation adds a key and sets `retired_at` on the old one; the old one stays listed forever, so old receipts still
//! verify. A stolen old key can still sign a receipt with an old date, but the log exposes it, because it fixes where a
//! receipt appeared and where a key ended.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};

use crate::{ENTRY_VERSION, Entry, ParseError, ml_dsa, moment::Moment, parse_strict, passkey::Passkey, sign};

/// The `version` of a key set.
pub const KEY_SET_VERSION: &str = "countersign/keys/v1";

/// The only supported algorithm.
pub const ALGORITHM: &str = "ed25519";

const MAX_DOCUMENT_BYTES: usize = 1 << 20;

/// The published document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySetDocument {
    /// The format: `countersign/keys/v1`.
    pub version: String,
    /// Every key that ever signed.
    pub keys: Vec<KeyDocument>,
}

/// One published key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyDocument {
    /// The first 16 hex digits of SHA-256 over the public key.
    pub keyid: String,
    /// `ed25519`.
    pub algorithm: String,
    /// 32 bytes in standard base64 with padding.
    pub public_key: String,
    /// The public key of its second signature below checkpoints, ML-DSA-65: 1952 bytes in base64. Keys of version 0.1 have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ml_dsa_65: Option<String>,
    /// The key signs nothing that finished before this time, RFC 3339 in UTC.
    pub not_before: String,
    /// The key signs nothing that finished after this time; `null` while no end is planned.
    #[serde(default)]
    pub not_after: Option<String>,
    /// When the key was taken out of service; it signs nothing that finished after this time.
    #[serde(default)]
    pub retired_at: Option<String>,
    /// The entry of the log that records the start of the key; `null` until there is one.
    #[serde(default)]
    pub begun: Option<Logged>,
    /// The entry of the log that records the end of the key: no later entry belongs to a receipt that it signed.
    #[serde(default)]
    pub ended: Option<Logged>,
}

/// The place and time of an entry in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    /// The index in the log, from 0.
    pub index: u64,
    /// When it was added, RFC 3339 in UTC.
    pub at: String,
}

impl KeyDocument {
    /// The document of a public key that starts to sign at `not_before`.
    pub fn new(public_key: &[u8; 32], not_before: impl Into<String>) -> Self {
        Self {
            keyid: sign::keyid(public_key),
            algorithm: ALGORITHM.to_owned(),
            public_key: STANDARD.encode(public_key),
            ml_dsa_65: None,
            not_before: not_before.into(),
            not_after: None,
            retired_at: None,
            begun: None,
            ended: None,
        }
    }

    /// The same, with the public key of its second signature.
    #[must_use]
    pub fn with_ml_dsa(self, public_key: &[u8]) -> Self {
        Self { ml_dsa_65: Some(STANDARD.encode(public_key)), ..self }
    }

    /// The entries of the log for this key, with their indexes.
    pub fn entries(&self) -> Vec<(u64, Entry)> {
        let version = || ENTRY_VERSION.to_owned();
        let begun = self.begun.iter().map(|begun| {
            let entry = Entry::Key {
                version: version(),
                keyid: self.keyid.clone(),
                public_key: self.public_key.clone(),
                ml_dsa_65: self.ml_dsa_65.clone(),
                not_before: self.not_before.clone(),
                at: begun.at.clone(),
            };
            (begun.index, entry)
        });
        let ended = self.ended.iter().map(|ended| {
            let entry = Entry::KeyEnd { version: version(), keyid: self.keyid.clone(), at: ended.at.clone() };
            (ended.index, entry)
        });
        begun.chain(ended).collect()
    }
}

/// Why a key set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The document is not strict JSON.
    #[error("reading a key set")]
    Parse(#[source] ParseError),
    /// The document is JSON but not a key set.
    #[error("reading a key set's fields")]
    Shape(#[source] serde_json::Error),
    /// The version of the document is unknown.
    #[error("a key set of an unknown version")]
    Version,
    /// The algorithm of a key is unknown.
    #[error("key {0} is of an unknown algorithm")]
    Algorithm(String),
    /// A public key is not 32 bytes in base64, or not a point that can verify signatures.
    #[error("key {0} is not a usable public key")]
    PublicKey(String),
    /// The key id does not match the public key.
    #[error("key {0} is not named after its public key")]
    Keyid(String),
    /// The same key is listed twice, which could give it two periods of validity.
    #[error("key {0} is listed twice")]
    Twice(String),
    /// A time is not RFC 3339 in UTC.
    #[error("a time of key {0} is not RFC 3339 in UTC")]
    Time(String),
}

/// A key that is ready to verify signatures.
#[derive(Debug, Clone)]
pub struct PublicKey {
    keyid: String,
    point: VerifyingKey,
    ml_dsa: Option<Vec<u8>>,
    not_before: Moment,
    not_after: Option<Moment>,
    retired_at: Option<Moment>,
    ended: Option<u64>,
}

impl PublicKey {
    /// The id of the key.
    pub fn keyid(&self) -> &str {
        &self.keyid
    }

    /// Whether this key signed these bytes. Strict: there is exactly one valid signature per key and message.
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(signature);
        self.point.verify_strict(message, &signature).is_ok()
    }

    /// The bytes of the public key.
    pub(crate) fn bytes(&self) -> [u8; 32] {
        self.point.to_bytes()
    }

    /// The public key of the second signature, if it has one.
    pub(crate) fn ml_dsa(&self) -> Option<&[u8]> {
        self.ml_dsa.as_deref()
    }

    /// Whether the log recorded the end of the key before this index.
    pub(crate) fn had_ended(&self, index: u64) -> bool {
        self.ended.is_some_and(|ended| ended < index)
    }

    pub(crate) fn covers(&self, moment: Moment) -> bool {
        let ends = [self.not_after, self.retired_at];
        self.not_before <= moment && ends.into_iter().flatten().all(|end| moment <= end)
    }

    fn read(document: &KeyDocument) -> Result<Self, KeyError> {
        let name = || document.keyid.clone();
        if document.algorithm != ALGORITHM {
            return Err(KeyError::Algorithm(name()));
        }
        let bytes: [u8; 32] = STANDARD
            .decode(&document.public_key)
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| KeyError::PublicKey(name()))?;
        if sign::keyid(&bytes) != document.keyid {
            return Err(KeyError::Keyid(name()));
        }
        let point = VerifyingKey::from_bytes(&bytes).map_err(|_| KeyError::PublicKey(name()))?;
        if point.is_weak() {
            return Err(KeyError::PublicKey(name()));
        }
        let ml_dsa = |text: &String| {
            let bytes = STANDARD.decode(text).ok().filter(|bytes| bytes.len() == ml_dsa::PUBLIC_KEY_BYTES);
            bytes.ok_or_else(|| KeyError::PublicKey(name()))
        };
        let time = |text: &str| Moment::parse(text).ok_or_else(|| KeyError::Time(name()));
        Ok(Self {
            keyid: name(),
            point,
            ml_dsa: document.ml_dsa_65.as_ref().map(ml_dsa).transpose()?,
            not_before: time(&document.not_before)?,
            not_after: document.not_after.as_deref().map(time).transpose()?,
            retired_at: document.retired_at.as_deref().map(time).transpose()?,
            ended: document.ended.as_ref().map(|ended| ended.index),
        })
    }
}

/// The trusted keys, checked once and ready for many receipts.
#[derive(Debug, Clone)]
pub struct KeySet {
    keys: Vec<PublicKey>,
    passkeys: Option<Vec<Passkey>>,
    requires_ml_dsa: bool,
}

impl KeySet {
    /// Parses the published document.
    pub fn from_json(bytes: &[u8]) -> Result<Self, KeyError> {
        let value = parse_strict(bytes, MAX_DOCUMENT_BYTES).map_err(KeyError::Parse)?;
        let document: KeySetDocument = serde_json::from_value(value).map_err(KeyError::Shape)?;
        if document.version != KEY_SET_VERSION {
            return Err(KeyError::Version);
        }
        Self::new(&document.keys)
    }

    /// Checks a list of keys.
    pub fn new(documents: &[KeyDocument]) -> Result<Self, KeyError> {
        let mut keys: Vec<PublicKey> = Vec::with_capacity(documents.len());
        for document in documents {
            let key = PublicKey::read(document)?;
            if keys.iter().any(|other| other.keyid == key.keyid) {
                return Err(KeyError::Twice(key.keyid));
            }
            keys.push(key);
        }
        Ok(Self { keys, passkeys: None, requires_ml_dsa: false })
    }

    /// Restricts the trusted passkeys to these, each for the person it is listed for.
    #[must_use]
    pub fn with_passkeys(self, passkeys: Vec<Passkey>) -> Self {
        Self { passkeys: Some(passkeys), ..self }
    }

    /// With `true`, checkpoints without an ML-DSA-65 signature are refused: for when Ed25519 cannot be trusted any more.
    #[must_use]
    pub fn requiring_ml_dsa(self, requires_ml_dsa: bool) -> Self {
        Self { requires_ml_dsa, ..self }
    }

    /// Whether checkpoints without an ML-DSA-65 signature are refused.
    pub fn requires_ml_dsa(&self) -> bool {
        self.requires_ml_dsa
    }

    /// The trusted passkeys; `None` if the passkeys in receipts are accepted as stated.
    pub(crate) fn passkeys(&self) -> Option<&[Passkey]> {
        self.passkeys.as_deref()
    }

    /// All keys.
    pub fn iter(&self) -> std::slice::Iter<'_, PublicKey> {
        self.keys.iter()
    }

    /// The key with this id.
    pub fn get(&self, keyid: &str) -> Option<&PublicKey> {
        self.keys.iter().find(|key| key.keyid == keyid)
    }
}

impl KeySetDocument {
    /// The document for a list of keys.
    pub fn new(keys: Vec<KeyDocument>) -> Self {
        Self { version: KEY_SET_VERSION.to_owned(), keys }
    }
}
