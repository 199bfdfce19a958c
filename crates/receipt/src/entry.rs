//! Entries of the log: one per receipt, per change record, per erased body, and per signing key that starts or ends.
//!
//! The entry of a receipt or a change does not hold its contents, but a commitment to them: a hash over the salted hashes of its
//! parts. When the body is erased, the salts are erased with it. The remains then prove the facts (who, what, when, how
//! it ended), but nobody can test guesses about the inputs any more.

use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::{
    Change, Receipt,
    canonical::{self, CanonicalError, Member},
    kind::{Kind, SHOWN},
    merkle::{self, Hash},
};

/// The `version` of the entries that this crate writes and reads.
pub const ENTRY_VERSION: &str = "countersign/entry/v1";

/// The part with all other fields.
const FACTS: &str = "facts";

/// One entry of the log. Its leaf is the hash of its canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// A receipt.
    Receipt {
        version: String,
        org: String,
        /// The number among the org's entries, from 1 and without gaps.
        number: u64,
        /// The id of the receipt.
        id: String,
        /// The key that signed the receipt.
        keyid: String,
        /// The hash over the salted hashes of its parts, see [`commit`]; in hex.
        commitment: String,
        /// When it was added to the log, RFC 3339 in UTC.
        at: String,
    },
    /// A change record. The fields are those of a receipt's entry.
    Change {
        version: String,
        org: String,
        number: u64,
        id: String,
        keyid: String,
        commitment: String,
        at: String,
    },
    /// The body of a receipt was erased.
    Erasure {
        version: String,
        org: String,
        number: u64,
        /// The id of the receipt.
        id: String,
        at: String,
    },
    /// A key starts to sign.
    Key {
        version: String,
        keyid: String,
        /// 32 bytes in base64.
        public_key: String,
        /// 1952 bytes in base64; keys of version 0.1 have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ml_dsa_65: Option<String>,
        not_before: String,
        at: String,
    },
    /// A key no longer signs: no later entry may belong to a receipt that it signed.
    KeyEnd { version: String, keyid: String, at: String },
}

impl Entry {
    /// The leaf of the entry.
    pub fn leaf(&self) -> Result<Hash, CanonicalError> {
        Ok(merkle::leaf(&canonical::to_bytes(self)?))
    }

    /// The org it belongs to, and its number among that org's entries.
    pub fn place(&self) -> Option<(&str, u64)> {
        match self {
            Self::Receipt { org, number, .. }
            | Self::Change { org, number, .. }
            | Self::Erasure { org, number, .. } => Some((org, *number)),
            Self::Key { .. } | Self::KeyEnd { .. } => None,
        }
    }

    /// A name of the entry, for people.
    pub fn name(&self) -> String {
        match self {
            Self::Receipt { id, .. } | Self::Change { id, .. } => id.clone(),
            Self::Erasure { id, .. } => format!("the erasure of {id}"),
            Self::Key { keyid, .. } => format!("the beginning of key {keyid}"),
            Self::KeyEnd { keyid, .. } => format!("the end of key {keyid}"),
        }
    }

    /// What the entry says about the signed document it belongs to; `None` if it belongs to none.
    pub(crate) fn signed(&self) -> Option<Signed<'_>> {
        match self {
            Self::Receipt { org, number, id, keyid, commitment, at, .. } => {
                Some(Signed { kind: Kind::Receipt, org, number: *number, id, keyid, commitment, at })
            }
            Self::Change { org, number, id, keyid, commitment, at, .. } => {
                Some(Signed { kind: Kind::Change, org, number: *number, id, keyid, commitment, at })
            }
            Self::Erasure { .. } | Self::Key { .. } | Self::KeyEnd { .. } => None,
        }
    }

    /// Whether this version of the crate knows the entry's format.
    pub fn is_known_version(&self) -> bool {
        let (Self::Receipt { version, .. }
        | Self::Change { version, .. }
        | Self::Erasure { version, .. }
        | Self::Key { version, .. }
        | Self::KeyEnd { version, .. }) = self;
        version == ENTRY_VERSION
    }
}

/// The entry of a signed document.
pub(crate) struct Signed<'e> {
    pub(crate) kind: Kind,
    pub(crate) org: &'e str,
    pub(crate) number: u64,
    pub(crate) id: &'e str,
    pub(crate) keyid: &'e str,
    pub(crate) commitment: &'e str,
    pub(crate) at: &'e str,
}

/// Makes the hashes of a receipt's parts unguessable. Handed out with the receipt, erased with its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// Parses 32 bytes in base64.
    pub fn parse(text: &str) -> Option<Self> {
        STANDARD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The seed in base64.
    pub fn encode(&self) -> String {
        STANDARD.encode(self.0)
    }

    fn salt(&self, part: &str) -> Hash {
        Sha256::new().chain_update(self.0).chain_update(part).finalize().into()
    }
}

/// A document in its canonical form, with the positions of the parts that can be erased.
#[derive(Debug, Clone)]
pub(crate) struct Parted {
    kind: Kind,
    bytes: Vec<u8>,
    /// Each member, and which of the erasable parts it is, if any.
    members: Vec<(Option<&'static str>, Member)>,
}

impl Parted {
    pub(crate) fn new(kind: Kind, object: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        let mut bytes = Vec::with_capacity(2_048);
        let mut members = Vec::with_capacity(object.len());
        canonical::write_object(object, &mut bytes, |key, member| {
            members.push((kind.erasable().iter().copied().find(|part| *part == key), member));
        })?;
        Ok(Self { kind, bytes, members })
    }

    /// The whole document.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes at the position of a member. The position is always valid, because it comes from the same
    /// serialization.
    fn at(&self, place: &Range<usize>) -> &[u8] {
        self.bytes.get(place.clone()).unwrap_or_default()
    }

    /// The hash over the salted hashes of all parts.
    pub(crate) fn commitment(&self, seed: &Seed) -> Hash {
        let mut facts = vec![b'{'];
        for (_, member) in self.members.iter().filter(|(part, _)| part.is_none()) {
            if facts.len() > 1 {
                facts.push(b',');
            }
            facts.extend_from_slice(self.at(&member.whole));
        }
        facts.push(b'}');
        over(&part_hash(&seed.salt(FACTS), &facts), &self.erasable(seed))
    }

    /// The salted hashes of the parts that can be erased; a missing part counts as `null`.
    fn erasable(&self, seed: &Seed) -> Vec<Hash> {
        let find = |name| self.members.iter().find(|(part, _)| *part == Some(name));
        let all = self.kind.erasable().iter().copied();
        let parts = all.filter(|name| *name != SHOWN || find(SHOWN).is_some());
        let hashes = parts.map(|name| {
            let value = find(name).map_or(b"null".as_slice(), |(_, member)| self.at(&member.value));
            part_hash(&seed.salt(name), value)
        });
        hashes.collect()
    }
}

fn part_hash(salt: &Hash, bytes: &[u8]) -> Hash {
    Sha256::new().chain_update(salt).chain_update(bytes).finalize().into()
}

fn over(facts: &Hash, erasable: &[Hash]) -> Hash {
    let start = Sha256::new().chain_update("countersign/commitment/v1\n").chain_update(facts);
    erasable.iter().fold(start, |hash, part| hash.chain_update(part)).finalize().into()
}

/// The remains of a receipt whose body was erased: the facts with their salt, and the bare hashes of the other parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The receipt without its erasable fields.
    pub facts: Value,
    /// The salt of the facts, in base64.
    pub salt: String,
    /// The hashes of the erased parts in hex, in the order of their names; that of `shown`, which is the last, only if
    /// the receipt had it.
    pub erased: Vec<String>,
}

impl Kept {
    /// The remains of a receipt. `payload` is the signed bytes.
    pub fn of(payload: &[u8], seed: &Seed) -> Option<Self> {
        let value: Value = serde_json::from_slice(payload).ok()?;
        let object = value.as_object()?;
        let parted = Parted::new(Kind::Receipt, object).ok()?;
        let erased = parted.erasable(seed).into_iter().map(hex::encode).collect();
        let facts = object.iter().filter(|(key, _)| !Kind::Receipt.erasable().contains(&key.as_str()));
        let facts = Value::Object(facts.map(|(key, value)| (key.clone(), value.clone())).collect());
        Some(Self { facts, salt: Seed(seed.salt(FACTS)).encode(), erased })
    }

    /// The commitment that these remains belong to.
    pub fn commitment(&self) -> Option<Hash> {
        let salt = Seed::parse(&self.salt)?.0;
        let facts = part_hash(&salt, &canonical::to_bytes(&self.facts).ok()?);
        let hashes = self.erased.iter().map(|text| read_hash(text)).collect::<Option<Vec<_>>>()?;
        let all = Kind::Receipt.erasable().len();
        let is_whole = [all - 1, all].contains(&hashes.len());
        is_whole.then(|| over(&facts, &hashes))
    }
}

/// The bytes of a receipt to sign, and the commitment to them.
pub fn commit(receipt: &Receipt, seed: &Seed) -> Result<(Vec<u8>, Hash), CanonicalError> {
    commit_to(Kind::Receipt, receipt, seed)
}

/// The bytes of a change record to sign, and the commitment to them.
pub fn commit_change(change: &Change, seed: &Seed) -> Result<(Vec<u8>, Hash), CanonicalError> {
    commit_to(Kind::Change, change, seed)
}

fn commit_to(kind: Kind, document: &impl Serialize, seed: &Seed) -> Result<(Vec<u8>, Hash), CanonicalError> {
    let value = serde_json::to_value(document).map_err(CanonicalError::Write)?;
    canonical::check(&value).map_err(CanonicalError::Unsafe)?;
    let empty = Map::new();
    let parted = Parted::new(kind, value.as_object().unwrap_or(&empty)).map_err(CanonicalError::Write)?;
    let hash = parted.commitment(seed);
    Ok((parted.bytes, hash))
}

/// Parses 32 bytes in lower-case hex.
pub(crate) fn read_hash(text: &str) -> Option<Hash> {
    let bytes: Hash = hex::decode(text).ok()?.try_into().ok()?;
    (hex::encode(bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn commitment(payload: &[u8], seed: &Seed) -> Option<Hash> {
        let value: Value = serde_json::from_slice(payload).ok()?;
        Some(Parted::new(Kind::Receipt, value.as_object()?).ok()?.commitment(seed))
    }

    fn document() -> Value {
        json!({"id": "rcp_1", "inputs": {"to": "ada", "n": 0.5}, "outputs": null, "error": null, "z\u{1f600}": 1, "\u{fb33}": 2})
    }

    #[test]
    fn a_document_taken_apart_and_joined_is_its_canonical_form() {
        let document = document();
        let parted = Parted::new(Kind::Receipt, document.as_object().unwrap()).unwrap();
        assert_eq!(parted.bytes(), canonical::to_bytes(&document).unwrap());
    }

    #[test]
    fn what_is_kept_has_the_same_commitment_and_says_nothing_of_what_was_erased() {
        let payload = canonical::to_bytes(&document()).unwrap();
        let seed = Seed([9; 32]);
        let kept = Kept::of(&payload, &seed).unwrap();
        assert_eq!(kept.commitment(), commitment(&payload, &seed));
        assert!(!serde_json::to_string(&kept).unwrap().contains("ada"));
        // Every part is covered by the commitment.
        for part in ["id", "inputs", "outputs", "error", "repair", "idempotency_key", "new"] {
            let mut other = document();
            other[part] = json!("other");
            let other = canonical::to_bytes(&other).unwrap();
            assert_ne!(kept.commitment(), commitment(&other, &seed), "{part}");
        }
        assert_ne!(kept.commitment(), commitment(&payload, &Seed([8; 32])));
    }

    #[test]
    fn documents_are_part_of_the_commitment_and_receipts_without_them_keep_theirs() {
        let seed = Seed([9; 32]);
        let old = canonical::to_bytes(&document()).unwrap();
        assert_eq!(Kept::of(&old, &seed).unwrap().erased.len(), 7);
        let mut commitments = vec![commitment(&old, &seed)];
        for shown in [json!([]), json!(null), json!([{"reason": "ada"}])] {
            let mut new = document();
            new["shown"] = shown;
            let new = canonical::to_bytes(&new).unwrap();
            let kept = Kept::of(&new, &seed).unwrap();
            assert_eq!((kept.erased.len(), kept.commitment()), (8, commitment(&new, &seed)));
            assert!(!serde_json::to_string(&kept).unwrap().contains("reason"));
            commitments.push(kept.commitment());
        }
        commitments.sort();
        commitments.dedup();
        assert_eq!(commitments.len(), 4);
    }

    #[test]
    fn without_its_salt_an_erased_part_cannot_be_tried_out() {
        // The attack works on a bare hash, which the salt is there to prevent, and not on the hashes that are stored.
        let guess = canonical::to_bytes(&json!({"to": "ada", "n": 0.5})).unwrap();
        let bare = hex::encode(Sha256::digest(&guess));
        let payload = canonical::to_bytes(&document()).unwrap();
        let kept = Kept::of(&payload, &Seed([9; 32])).unwrap();
        assert_eq!(bare, hex::encode(Sha256::digest(canonical::to_bytes(&document()["inputs"]).unwrap())));
        let salt = Seed::parse(&kept.salt).unwrap().0;
        let tried = [
            bare,
            hex::encode(part_hash(&salt, &guess)),
            hex::encode(part_hash(&Seed(salt).salt("inputs"), &guess)),
        ];
        assert!(tried.iter().all(|tried| !kept.erased.contains(tried)));
    }
}
