//! Bundles: a receipt or a change record with everything that proves its place in the log.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    Checkpoint, CheckpointError, Entry, Envelope, Kept, KeySet, ParseError, Seed, Verified, VerifyError,
    entry::{self, read_hash},
    kind::Kind,
    merkle::{self, Hash, Tree},
    moment::Moment,
    parse_strict, passkey,
    strict::are_objects,
    verify::verify_envelope,
};

/// The largest bundle that is read: an envelope and the data around it.
pub const MAX_BUNDLE_BYTES: usize = crate::MAX_ENVELOPE_BYTES + (256 << 10);

/// An entry of the log with its receipt: either complete, or the remains of an erased one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The index in the log, from 0.
    pub index: u64,
    /// The entry at that index.
    pub entry: Entry,
    /// The signed receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Envelope>,
    /// The seed of the commitment, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The remains of a receipt whose body was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Kept>,
}

/// A record that anyone can verify with only the keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The receipt and its entry.
    pub record: Record,
    /// The hashes from the entry to the root, in base64.
    pub proof: Vec<String>,
    /// The entry that records the erasure of the body, if it was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erasure: Option<ProvenErasure>,
    /// The signed checkpoint with that root.
    pub checkpoint: String,
}

/// The entry of an erasure, with the proof of its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvenErasure {
    pub index: u64,
    pub entry: Entry,
    pub proof: Vec<String>,
}

/// The contents of a verified record.
#[derive(Debug, Clone)]
pub struct Found {
    /// The receipt, unless its body was erased.
    pub verified: Option<Verified>,
    /// The facts of a receipt whose body was erased; otherwise empty.
    facts: Map<String, Value>,
    /// The index in the log.
    pub index: u64,
    /// The org, and the number among its entries.
    pub place: (String, u64),
    /// When it was added to the log.
    pub logged_at: String,
    /// The leaf hash of its entry.
    pub leaf: Hash,
}

impl Found {
    /// The document that is proven in any case: the receipt, or the facts of one whose body was erased.
    pub fn document(&self) -> &Map<String, Value> {
        self.verified.as_ref().map_or(&self.facts, |verified| &verified.document)
    }
}

/// Why a bundle is refused.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The bundle is not strict JSON.
    #[error("the bundle is malformed")]
    Parse(#[source] ParseError),
    /// The fields are not those of a bundle.
    #[error("the bundle has missing or unknown fields")]
    Fields(#[source] serde_json::Error),
    /// The receipt itself is not genuine.
    #[error(transparent)]
    Receipt(#[from] VerifyError),
    /// The entry has an unknown version, or is not the entry of a signed document.
    #[error("the entry is not one of a receipt or change that this version knows")]
    Entry,
    /// The entry belongs to another receipt, org or key.
    #[error("the entry names another {0} than the receipt")]
    EntryDiffers(&'static str),
    /// The receipt is not the one that was added to the log.
    #[error("the receipt is not the one the log committed to")]
    Commitment,
    /// According to the log, the signing key had ended before.
    #[error("key {0} had ended in the log before this receipt was added")]
    KeyEnded(String),
    /// The receipt was logged well before it finished.
    #[error("the receipt was logged before it finished")]
    LoggedTooEarly,
    /// The entry is not in the log.
    #[error("the log that the checkpoint signs does not hold the entry at that place")]
    NotIncluded,
    /// The body is missing, and nothing in the log says that it was erased.
    #[error("the body is missing, and no entry of the log says that it was erased")]
    NotErased,
    /// The checkpoint is not genuine.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl BundleError {
    /// A stable code for the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parse(_) => "malformed_bundle",
            Self::Fields(_) => "bundle_fields",
            Self::Receipt(error) => error.code(),
            Self::Entry => "unknown_entry",
            Self::EntryDiffers(_) => "entry_differs",
            Self::Commitment => "commitment_differs",
            Self::KeyEnded(_) => "key_ended_in_log",
            Self::LoggedTooEarly => "logged_too_early",
            Self::NotIncluded => "not_included",
            Self::NotErased => "not_erased",
            Self::Checkpoint(error) => error.code(),
        }
    }
}

impl Record {
    /// Parses a record as strictly as a receipt.
    pub fn from_json(bytes: &[u8]) -> Result<Self, BundleError> {
        read(bytes, &["/entry", "/envelope", "/envelope/signatures/0", "/kept"])
    }

    /// Verifies that the receipt is genuine and the one its entry commits to. The place of the entry is not checked.
    pub fn verify(&self, keys: &KeySet) -> Result<Found, BundleError> {
        let signed = self.entry.signed().filter(|_| self.entry.is_known_version());
        let signed = signed.ok_or(BundleError::Entry)?;
        let committed = read_hash(signed.commitment).ok_or(BundleError::Entry)?;
        let (verified, facts, found) = self.content(&signed, keys)?;
        let document = verified.as_ref().map_or(&facts, |verified| &verified.document);
        for (field, said) in [("id", signed.id), ("org", signed.org)] {
            if document.get(field).and_then(Value::as_str) != Some(said) {
                return Err(BundleError::EntryDiffers(field));
            }
        }
        if found != Some(committed) {
            return Err(BundleError::Commitment);
        }
        if verified.is_none() {
            passkey::check_all(document, keys.passkeys()).map_err(VerifyError::from)?;
        }
        let key = keys.get(signed.keyid).ok_or_else(|| VerifyError::UnknownKey(signed.keyid.to_owned()))?;
        if key.had_ended(self.index) {
            return Err(BundleError::KeyEnded(signed.keyid.to_owned()));
        }
        let moments = signed.kind.time(document).and_then(Moment::parse).zip(Moment::parse(signed.at));
        let (finished, logged) = moments.ok_or(VerifyError::Time)?;
        if finished.is_well_after(logged) {
            return Err(BundleError::LoggedTooEarly);
        }
        let leaf = self.entry.leaf().map_err(|_| BundleError::Entry)?;
        let (place, logged_at) = ((signed.org.to_owned(), signed.number), signed.at.to_owned());
        Ok(Found { verified, facts, index: self.index, place, logged_at, leaf })
    }

    /// The signed document, or the facts of an erased one, and the commitment that they give.
    fn content(&self, signed: &entry::Signed<'_>, keys: &KeySet) -> Result<Content, BundleError> {
        match (&self.envelope, &self.seed, &self.kept) {
            (Some(envelope), Some(seed), None) => {
                let seed = Seed::parse(seed).ok_or(BundleError::Commitment)?;
                let verified = verify_envelope(envelope, keys)?;
                if verified.kind() != signed.kind {
                    return Err(BundleError::EntryDiffers("kind"));
                }
                if verified.keyid != signed.keyid {
                    return Err(BundleError::EntryDiffers("key"));
                }
                let found = verified.commitment(&seed);
                Ok((Some(verified), Map::new(), Some(found)))
            }
            // Bodies of change records are never erased.
            (None, None, Some(kept)) if signed.kind == Kind::Receipt => {
                let Value::Object(facts) = &kept.facts else { return Err(BundleError::Commitment) };
                if facts.get("version").and_then(Value::as_str) != Some(signed.kind.version()) {
                    return Err(VerifyError::Version.into());
                }
                Ok((None, facts.clone(), kept.commitment()))
            }
            _ => Err(BundleError::Entry),
        }
    }
}

/// A verified document or none, the facts of an erased one or none, and the commitment.
type Content = (Option<Verified>, Map<String, Value>, Option<Hash>);

impl Bundle {
    /// Parses a bundle as strictly as a receipt.
    pub fn from_json(bytes: &[u8]) -> Result<Self, BundleError> {
        let record =
            ["/record", "/record/entry", "/record/envelope", "/record/envelope/signatures/0", "/record/kept"];
        read(bytes, &[record.as_slice(), &["/erasure", "/erasure/entry"]].concat())
    }

    /// Verifies that the receipt is genuine and in the log that the checkpoint signs.
    pub fn verify(&self, keys: &KeySet) -> Result<(Found, Checkpoint), BundleError> {
        self.verify_among(keys, &mut None)
    }

    /// Like [`Self::verify`], for one of many bundles with the same checkpoint: `last` is the checkpoint verified
    /// before, and is not verified again.
    pub fn verify_among(
        &self,
        keys: &KeySet,
        last: &mut Option<(String, Checkpoint)>,
    ) -> Result<(Found, Checkpoint), BundleError> {
        let found = self.record.verify(keys)?;
        let checkpoint = match last {
            Some((note, checkpoint)) if *note == self.checkpoint => checkpoint.clone(),
            _ => {
                let checkpoint = Checkpoint::verify(&self.checkpoint, keys)?;
                *last = Some((self.checkpoint.clone(), checkpoint.clone()));
                checkpoint
            }
        };
        let is_there = |leaf: &Hash, index: u64, proof: &[String]| {
            let tree = Tree { size: checkpoint.size, root: &checkpoint.root };
            read_proof(proof).is_some_and(|proof| merkle::is_included(leaf, index, tree, &proof))
        };
        if !is_there(&found.leaf, found.index, &self.proof) {
            return Err(BundleError::NotIncluded);
        }
        match (&self.erasure, &found.verified) {
            (None, Some(_)) => {}
            (Some(_), Some(verified)) if verified.kind() == Kind::Change => return Err(BundleError::Entry),
            (Some(erasure), None) => {
                let own = found.document().get("id").and_then(Value::as_str);
                let is_own = matches!(&erasure.entry, Entry::Erasure { org, id, .. }
                    if *org == found.place.0 && Some(id.as_str()) == own && erasure.entry.is_known_version());
                let leaf = erasure.entry.leaf().map_err(|_| BundleError::Entry)?;
                if !is_own || !is_there(&leaf, erasure.index, &erasure.proof) {
                    return Err(BundleError::NotErased);
                }
            }
            _ => return Err(BundleError::NotErased),
        }
        Ok((found, checkpoint))
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8], objects: &[&str]) -> Result<T, BundleError> {
    let value = parse_strict(bytes, MAX_BUNDLE_BYTES).map_err(BundleError::Parse)?;
    if !are_objects(&value, objects) {
        return Err(BundleError::Fields(serde::de::Error::custom("an array in place of an object")));
    }
    serde_json::from_value(value).map_err(BundleError::Fields)
}

fn read_proof(texts: &[String]) -> Option<Vec<Hash>> {
    if texts.len() > merkle::MAX_PROOF {
        return None;
    }
    texts.iter().map(|text| STANDARD.decode(text).ok()?.try_into().ok()).collect()
}
