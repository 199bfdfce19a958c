//! SHA-256 over canonical JSON: the one way this code turns a document into a digest.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A value has no canonical form, so it has no digest.
#[derive(Debug, thiserror::Error)]
#[error("bringing a value into canonical form")]
pub struct CanonicalError(#[source] serde_json::Error);

/// 32 bytes of SHA-256, written as `sha256:<hex>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digest of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Digest of a document's RFC 8785 form. Plain serialisation is never hashed: its key order depends on
    /// which features other crates switch on.
    pub fn of_canonical(value: &impl Serialize) -> Result<Self, CanonicalError> {
        serde_json_canonicalizer::to_vec(value).map(|bytes| Self::of_bytes(&bytes)).map_err(CanonicalError)
    }

    /// Takes 32 stored bytes as a digest.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads what `Display` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.strip_prefix("sha256:")?, &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", hex::encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("expected `sha256:` and 64 hex digits"))
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
