//! Signed notes and the checkpoints in them, in the C2SP formats (`signed-note`, `tlog-checkpoint`): a few lines of
//! text that other C2SP tools can read, followed by signatures.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{
    KeySet, PublicKey, SigningKey,
    merkle::Hash,
    ml_dsa::{self, MlDsaError},
    moment::Moment,
};

/// The longest note that is read. A checkpoint with the signatures of many witnesses is still far smaller.
pub const MAX_NOTE_BYTES: usize = 64 << 10;
const MAX_SIGNATURES: usize = 100;
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
    /// Trusted keys signed it, but none with ML-DSA-65, which the verifier demands.
    #[error("no trusted key signed the checkpoint with ML-DSA-65")]
    NotPostQuantum,
}

impl CheckpointError {
    /// A stable code for the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed => "checkpoint_malformed",
            Self::UnknownKey => "checkpoint_unknown_key",
            Self::BadSignature => "checkpoint_bad_signature",
            Self::KeyNotValid(_) => "checkpoint_key_not_valid_then",
            Self::NotPostQuantum => "checkpoint_not_post_quantum",
        }
    }
}

impl Checkpoint {
    /// The signed note, with one Ed25519 signature for each key.
    pub fn sign<'k>(&self, keys: impl IntoIterator<Item = &'k SigningKey>) -> String {
        let text = self.text();
        let mut note = format!("{text}\n");
        for key in keys {
            let signature = key.sign_bytes(text.as_bytes());
            note.push_str(&Scheme::Ed25519.line(&self.origin, &key.public_key(), &signature));
        }
        note
    }

    /// Further lines for the signed note: one ML-DSA-65 signature for each key.
    pub fn ml_dsa_lines<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k SigningKey>,
    ) -> Result<String, MlDsaError> {
        let text = self.text();
        let lines = keys.into_iter().map(|key| {
            let pair = key.ml_dsa()?;
            let signature = pair.sign(text.as_bytes())?;
            Ok(Scheme::MlDsa65.line(&self.origin, &pair.public_key(), &signature))
        });
        lines.collect()
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}\n{TIME}{}\n", self.origin, self.size, STANDARD.encode(self.root), self.time)
    }

    /// Parses a signed note and verifies it with the trusted keys. Every signature of a known key must be valid;
    /// signatures of others, for example witnesses, are ignored. One of Ed25519 must be there, and one of ML-DSA-65 if the
    /// keys demand it.
    pub fn verify(note: &str, keys: &KeySet) -> Result<Self, CheckpointError> {
        let (checkpoint, schemes) = Self::read(note, keys)?;
        if keys.requires_ml_dsa() && !schemes.contains(&Scheme::MlDsa65) {
            return Err(CheckpointError::NotPostQuantum);
        }
        Ok(checkpoint)
    }

    /// Whether a trusted key signed this note with ML-DSA-65 too.
    pub fn is_post_quantum(note: &str, keys: &KeySet) -> bool {
        Self::read(note, keys).is_ok_and(|(_, schemes)| schemes.contains(&Scheme::MlDsa65))
    }

    /// The checkpoint, and the schemes in which a trusted key signed it.
    fn read(note: &str, keys: &KeySet) -> Result<(Self, Vec<Scheme>), CheckpointError> {
        let (text, signatures) = take_apart(note).ok_or(CheckpointError::Malformed)?;
        let checkpoint = Self::parse(text).ok_or(CheckpointError::Malformed)?;
        let time = Moment::parse(&checkpoint.time).ok_or(CheckpointError::Malformed)?;
        let mut schemes = Vec::new();
        for scheme in [Scheme::Ed25519, Scheme::MlDsa65] {
            let name = scheme.name(&checkpoint.origin);
            for Signed { hash, signature, .. } in signatures.iter().filter(|signed| signed.name == name) {
                let signer = |key: &&PublicKey| {
                    scheme.public_key(key).is_some_and(|public| scheme.key_hash(&name, &public) == *hash)
                };
                let Some(key) = keys.iter().find(signer) else { continue };
                if !scheme.verifies(key, text, signature) {
                    return Err(CheckpointError::BadSignature);
                }
                if !key.covers(time) {
                    return Err(CheckpointError::KeyNotValid(key.keyid().to_owned()));
                }
                schemes.push(scheme);
            }
            // An unknown first key is what is wrong with such a note, and not what comes after it.
            if schemes.is_empty() {
                return Err(CheckpointError::UnknownKey);
            }
        }
        Ok((checkpoint, schemes))
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

/// How a line is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Ed25519,
    MlDsa65,
}

impl Scheme {
    /// The key name in the lines. ML-DSA-65 has its own, so that nobody takes one key for the other.
    fn name(self, origin: &str) -> String {
        match self {
            Self::Ed25519 => origin.to_owned(),
            Self::MlDsa65 => format!("{origin}/ml-dsa-65"),
        }
    }

    /// The signature type. C2SP has no number for ML-DSA-65; 0xff with a name of one's own stands for such types.
    fn kind(self) -> &'static [u8] {
        match self {
            Self::Ed25519 => &[1],
            Self::MlDsa65 => b"\xffcountersign/ml-dsa-65",
        }
    }

    fn public_key(self, key: &PublicKey) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Ed25519 => Some(Cow::Owned(key.bytes().to_vec())),
            Self::MlDsa65 => key.ml_dsa().map(Cow::Borrowed),
        }
    }

    fn verifies(self, key: &PublicKey, text: &str, signature: &[u8]) -> bool {
        match self {
            Self::Ed25519 => {
                <&[u8; 64]>::try_from(signature).is_ok_and(|sig| key.verifies(text.as_bytes(), sig))
            }
            Self::MlDsa65 => {
                key.ml_dsa().is_some_and(|public| ml_dsa::verifies(public, text.as_bytes(), signature))
            }
        }
    }

    /// The key hash in a signature line: C2SP `signed-note`.
    fn key_hash(self, name: &str, public_key: &[u8]) -> [u8; 4] {
        let digest = Sha256::new()
            .chain_update(name)
            .chain_update(b"\n")
            .chain_update(self.kind())
            .chain_update(public_key);
        let [a, b, c, d, ..] = digest.finalize().0;
        [a, b, c, d]
    }

    /// A line below a checkpoint of the log with this name.
    fn line(self, origin: &str, public_key: &[u8], signature: &[u8]) -> String {
        let name = self.name(origin);
        let signed = [self.key_hash(&name, public_key).as_slice(), signature].concat();
        format!("\u{2014} {name} {}\n", STANDARD.encode(signed))
    }
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
        assert_eq!(hex::encode(Scheme::Ed25519.key_hash("PeterNeumann", &public)), "c74f20a3");
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

    fn twice(checkpoint: &Checkpoint, key: &SigningKey) -> String {
        checkpoint.sign([key]) + &checkpoint.ml_dsa_lines([key]).unwrap()
    }

    fn trusted_twice(seed: u8) -> KeySet {
        let key = key(seed);
        let document = KeyDocument::new(&key.public_key(), "2026-01-01T00:00:00Z");
        KeySet::new(&[document.with_ml_dsa(&key.ml_dsa_public_key().unwrap())]).unwrap()
    }

    #[test]
    fn a_second_signature_is_verified_where_the_key_is_known_and_demanded_on_demand() {
        let (note, alone) = (twice(&checkpoint(), &key(1)), checkpoint().sign([&key(1)]));
        let (known, demanding) = (trusted_twice(1), trusted_twice(1).requiring_ml_dsa(true));
        for (note, keys, expected, is_post_quantum) in [
            (&note, &known, Ok(checkpoint()), true),
            (&note, &demanding, Ok(checkpoint()), true),
            // A verifier of version 0.1 knows the first key alone.
            (&note, &trusted(&[1]), Ok(checkpoint()), false),
            (&alone, &known, Ok(checkpoint()), false),
            (&alone, &demanding, Err(CheckpointError::NotPostQuantum), false),
            (&note, &trusted_twice(2), Err(CheckpointError::UnknownKey), false),
        ] {
            assert_eq!(Checkpoint::verify(note, keys), expected);
            assert_eq!(Checkpoint::is_post_quantum(note, keys), is_post_quantum);
        }
        let lines = checkpoint().ml_dsa_lines([&key(1)]).unwrap();
        let second_alone = format!("{}\n{lines}", checkpoint().text());
        assert_eq!(Checkpoint::verify(&second_alone, &demanding), Err(CheckpointError::UnknownKey));
        let mut late = checkpoint();
        late.time = "2025-01-01T00:00:00Z".to_owned();
        let note = twice(&late, &key(1));
        assert!(matches!(Checkpoint::verify(&note, &known), Err(CheckpointError::KeyNotValid(_))));
    }

    // Whoever breaks Ed25519 signs what they want with it, and not with ML-DSA-65.
    #[test]
    fn a_checkpoint_forged_with_a_broken_first_key_is_found() {
        let forged = Checkpoint { root: [8; 32], ..checkpoint() };
        let genuine = twice(&checkpoint(), &key(1));
        let (_, second) = genuine.trim_end().rsplit_once('\n').unwrap();
        let demanding = trusted_twice(1).requiring_ml_dsa(true);
        let cut = forged.sign([&key(1)]);
        assert_eq!(Checkpoint::verify(&cut, &demanding), Err(CheckpointError::NotPostQuantum));
        let copied = format!("{cut}{second}\n");
        assert_eq!(Checkpoint::verify(&copied, &demanding), Err(CheckpointError::BadSignature));
        assert_eq!(Checkpoint::verify(&copied, &trusted_twice(1)), Err(CheckpointError::BadSignature));
        let of_another = cut.clone() + &forged.ml_dsa_lines([&key(2)]).unwrap();
        assert_eq!(Checkpoint::verify(&of_another, &demanding), Err(CheckpointError::NotPostQuantum));
        // The control: a verifier that does not demand it takes the forgery.
        assert_eq!(Checkpoint::verify(&cut, &trusted_twice(1)), Ok(forged));
    }

    #[test]
    fn every_changed_byte_of_a_twice_signed_checkpoint_is_found() {
        let (note, keys) = (twice(&checkpoint(), &key(1)), trusted_twice(1).requiring_ml_dsa(true));
        for place in (0..note.len()).step_by(7) {
            let mut bytes = note.clone().into_bytes();
            bytes[place] ^= 1;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            assert!(Checkpoint::verify(&text, &keys).is_err(), "byte {place}: {text}");
        }
    }
}
