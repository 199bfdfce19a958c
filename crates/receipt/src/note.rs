//! Signed notes and the checkpoints in them, in the C2SP formats (`signed-note`, `tlog-checkpoint`): a few lines of
//! text that other C2SP tools can read, followed by signatures.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{KeySet, PublicKey, SigningKey, merkle::Hash, moment::Moment};

/// The longest note that is read. A checkpoint with the signatures of many witnesses is still far smaller.
pub const MAX_NOTE_BYTES: usize = 64 << 10;
const MAX_SIGNATURES: usize = 100;
/// The signature type of plain Ed25519.
const ED25519: u8 = 1;
/// The prefix of the line with the time. The format allows arbitrary lines after the third.
const TIME: &str = "time ";

/// A signed size and root of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
    /// When it was signed, RFC 3339 in UTC.
    pub time: String,
}

/// Why a checkpoint is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is not a signed note that holds a checkpoint.
    #[error("the checkpoint is malformed")]
    Malformed,
    /// No trusted key signed it.
    #[error("no trusted key signed the checkpoint")]
    UnknownKey,
    /// It has a signature line of a trusted key, but the signature is not over these bytes.
    #[error("a signature of the checkpoint does not belong to it")]
    BadSignature,
    /// The key that signed it was not valid at that time.
    #[error("the key {0} that signed the checkpoint was not valid then")]
    KeyNotValid(String),
}

impl CheckpointError {
    /// A stable code for the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed => "checkpoint_malformed",
            Self::UnknownKey => "checkpoint_unknown_key",
            Self::BadSignature => "checkpoint_bad_signature",
            Self::KeyNotValid(_) => "checkpoint_key_not_valid_then",
        }
    }
}

impl Checkpoint {
    /// The signed note, with one signature for each key.
    pub fn sign<'k>(&self, keys: impl IntoIterator<Item = &'k SigningKey>) -> String {
        let text = self.text();
        let mut note = format!("{text}\n");
        for key in keys {
            let hash = key_hash(&self.origin, &key.public_key());
            let signature = [hash.as_slice(), &key.sign_bytes(text.as_bytes())].concat();
            note.push_str(&format!("\u{2014} {} {}\n", self.origin, STANDARD.encode(signature)));
        }
        note
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}\n{TIME}{}\n", self.origin, self.size, STANDARD.encode(self.root), self.time)
    }

    /// Parses a signed note and verifies it with the trusted keys. Every signature of a known key must be valid;
    /// signatures of others, for example witnesses, are ignored.
    pub fn verify(note: &str, keys: &KeySet) -> Result<Self, CheckpointError> {
        let (text, signatures) = take_apart(note).ok_or(CheckpointError::Malformed)?;
        let checkpoint = Self::parse(text).ok_or(CheckpointError::Malformed)?;
        let time = Moment::parse(&checkpoint.time).ok_or(CheckpointError::Malformed)?;
        let mut vouched = false;
        for (hash, signature) in
            signatures.iter().filter(|signed| signed.name == checkpoint.origin).map(Signed::parts)
        {
            let known = keys.iter().find(|key| key_hash(&checkpoint.origin, &key.bytes()) == hash);
            let Some(key) = known else { continue };
            Self::check(key, text, signature, time)?;
            vouched = true;
        }
        if vouched { Ok(checkpoint) } else { Err(CheckpointError::UnknownKey) }
    }

    fn check(key: &PublicKey, text: &str, signature: &[u8], time: Moment) -> Result<(), CheckpointError> {
        let is_good = <&[u8; 64]>::try_from(signature).is_ok_and(|sig| key.verifies(text.as_bytes(), sig));
        if !is_good {
            return Err(CheckpointError::BadSignature);
        }
        if !key.covers(time) {
            return Err(CheckpointError::KeyNotValid(key.keyid().to_owned()));
        }
        Ok(())
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        let time = lines.next()?.strip_prefix(TIME)?;
        let digits = size.parse::<u64>().ok().filter(|number| number.to_string() == size);
        let root: Hash = STANDARD.decode(root).ok()?.try_into().ok()?;
        (is_name(origin) && lines.next().is_none()).then_some(())?;
        Some(Self { origin: origin.to_owned(), size: digits?, root, time: time.to_owned() })
    }
}

struct Signed<'n> {
    name: &'n str,
    hash: [u8; 4],
    signature: Vec<u8>,
}

impl Signed<'_> {
    fn parts(&self) -> ([u8; 4], &[u8]) {
        (self.hash, &self.signature)
    }
}

/// The text, with its last newline, and the signatures below the empty line.
fn take_apart(note: &str) -> Option<(&str, Vec<Signed<'_>>)> {
    let plain = note.chars().all(|c| c == '\n' || !c.is_control());
    if note.len() > MAX_NOTE_BYTES || !plain {
        return None;
    }
    let (above, below) = note.rsplit_once("\n\n")?;
    let text = note.get(..=above.len())?;
    let below = below.strip_suffix('\n')?;
    let signatures: Option<Vec<_>> = below.split('\n').take(MAX_SIGNATURES + 1).map(signed).collect();
    signatures.filter(|all| all.len() <= MAX_SIGNATURES).map(|all| (text, all))
}

fn signed(line: &str) -> Option<Signed<'_>> {
    let (name, encoded) = line.strip_prefix("\u{2014} ")?.split_once(' ')?;
    let bytes = STANDARD.decode(encoded).ok()?;
    let (hash, signature) = bytes.split_first_chunk::<4>()?;
    is_name(name).then(|| Signed { name, hash: *hash, signature: signature.to_vec() })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+')
}

/// The key hash in a signature line: C2SP `signed-note`.
fn key_hash(name: &str, public_key: &[u8; 32]) -> [u8; 4] {
    let digest =
        Sha256::new().chain_update(name).chain_update([b'\n', ED25519]).chain_update(public_key).finalize();
    let [a, b, c, d, ..] = digest.0;
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyDocument;

    fn checkpoint() -> Checkpoint {
        let time = "2026-11-15T12:00:00Z".to_owned();
        Checkpoint { origin: "countersign/0011223344556677".to_owned(), size: 17, root: [7; 32], time }
    }

    fn key(seed: u8) -> SigningKey {
        SigningKey::from_seed(&[seed; 32])
    }

    fn trusted(seeds: &[u8]) -> KeySet {
        let documents: Vec<_> = seeds
            .iter()
            .map(|seed| KeyDocument::new(&key(*seed).public_key(), "2026-01-01T00:00:00Z"))
            .collect();
        KeySet::new(&documents).unwrap()
    }

    // The verifier key, note and signature printed in the documentation of golang.org/x/mod/sumdb/note.
    #[test]
    fn the_key_hash_is_the_one_other_tools_compute() {
        let public: [u8; 32] =
            STANDARD.decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").unwrap()[1..].try_into().unwrap();
        assert_eq!(hex::encode(key_hash("PeterNeumann", &public)), "c74f20a3");
        let keys = KeySet::new(&[KeyDocument::new(&public, "0001-01-01T00:00:00Z")]).unwrap();
        let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let note = format!(
            "{text}\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
        );
        let (found, signatures) = take_apart(&note).unwrap();
        assert_eq!(found, text);
        let key = keys.iter().next().unwrap();
        let signature: [u8; 64] = signatures[0].signature.clone().try_into().unwrap();
        assert!(key.verifies(text.as_bytes(), &signature));
    }

    #[test]
    fn what_was_signed_is_read_back_under_a_trusted_key_alone() {
        let note = checkpoint().sign([&key(1), &key(2)]);
        assert_eq!(Checkpoint::verify(&note, &trusted(&[1])), Ok(checkpoint()));
        assert_eq!(Checkpoint::verify(&note, &trusted(&[2, 1])), Ok(checkpoint()));
        assert_eq!(Checkpoint::verify(&note, &trusted(&[3])), Err(CheckpointError::UnknownKey));
    }

    #[test]
    fn a_key_signs_in_its_time_alone() {
        let mut late = checkpoint();
        late.time = "2025-01-01T00:00:00Z".to_owned();
        let note = late.sign([&key(1)]);
        assert!(matches!(Checkpoint::verify(&note, &trusted(&[1])), Err(CheckpointError::KeyNotValid(_))));
    }

    #[test]
    fn every_changed_byte_of_a_checkpoint_is_found() {
        let (note, keys) = (checkpoint().sign([&key(1)]), trusted(&[1]));
        for place in 0..note.len() {
            for flip in [1, 2, 0x20] {
                let mut bytes = note.clone().into_bytes();
                bytes[place] ^= flip;
                let Ok(text) = String::from_utf8(bytes) else { continue };
                assert!(Checkpoint::verify(&text, &keys).is_err(), "byte {place} ^ {flip}: {text}");
            }
        }
        for cut in 0..note.len() {
            let Some(text) = note.get(..cut) else { continue };
            assert!(Checkpoint::verify(text, &keys).is_err());
        }
    }
}
