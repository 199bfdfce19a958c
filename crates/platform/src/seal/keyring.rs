//! The operator's master keys.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;
use zeroize::{Zeroize as _, Zeroizing};

use super::{Error, SALT_BYTES, blank_key, decrypt, encrypt};
use crate::World;

/// As many fingerprints as fit into the name of a database connection, which has 63 bytes.
const MOST_FINGERPRINTS: usize = 5;

/// The operator's master keys, newest first. All of them decrypt; which one encrypts is a setting of the deployment,
/// which a rotation changes to the newest.
pub struct Keyring {
    keys: Vec<(String, Zeroizing<[u8; 32]>)>,
}

impl Keyring {
    /// Reads `name:base64[,name:base64…]`.
    pub fn parse(text: &SecretString) -> Result<Self, Error> {
        let keys = text.expose_secret().split(',').map(|part| {
            let (name, encoded) = part.trim().split_once(':')?;
            let mut bytes = BASE64_STANDARD.decode(encoded).ok()?;
            let key = <[u8; 32]>::try_from(bytes.as_slice()).ok().map(Zeroizing::new);
            bytes.zeroize();
            Some((name.to_owned(), key?))
        });
        let keys: Vec<_> = keys.collect::<Option<_>>().ok_or(Error::MasterKeys)?;
        for (at, (name, _)) in keys.iter().enumerate() {
            if keys.iter().skip(at + 1).any(|(other, _)| other == name) {
                return Err(Error::SameName(name.clone()));
            }
        }
        if keys.is_empty() { Err(Error::MasterKeys) } else { Ok(Self { keys }) }
    }

    /// A new master key in the form [`Self::parse`] reads.
    pub fn generate(name: &str, dice: &crate::Dice) -> SecretString {
        let mut key = blank_key();
        dice.fill(&mut *key);
        SecretString::from(format!("{name}:{}", BASE64_STANDARD.encode(*key)))
    }

    /// The name of the first key.
    pub fn newest(&self) -> &str {
        self.keys.first().map_or("", |(name, _)| name)
    }

    /// The name of the last key.
    pub fn oldest(&self) -> &str {
        self.keys.last().map_or("", |(name, _)| name)
    }

    /// The names of all keys but the first.
    pub fn older(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().skip(1).map(|(name, _)| name.as_str())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|(known, _)| known == name)
    }

    /// Short fingerprints of the keys, in their order. They tell keys apart and nothing about them.
    pub fn fingerprints(&self) -> Vec<String> {
        self.keys.iter().take(MOST_FINGERPRINTS).map(|(_, key)| fingerprint(key)).collect()
    }

    /// Encrypts a key for a purpose with a master key.
    pub fn wrap(&self, world: &World, name: &str, purpose: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
        let mut salt = [0; SALT_BYTES];
        world.dice.fill(&mut salt);
        let mut wrapped = salt.to_vec();
        wrapped.extend(encrypt(self.key(name)?, &salt, purpose, key)?);
        Ok(wrapped)
    }

    /// Decrypts what [`Self::wrap`] encrypted.
    pub fn unwrap(&self, name: &str, purpose: &[u8], wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (salt, sealed) = wrapped.split_at_checked(SALT_BYTES).ok_or(Error::Broken)?;
        decrypt(self.key(name)?, salt, purpose, sealed)
    }

    /// A key derived from the oldest master key.
    pub(super) fn derive_from_oldest(&self, parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
        let oldest = self.keys.last().map(|(_, key)| key.as_slice()).unwrap_or_default();
        derive(oldest, parts)
    }

    fn key(&self, name: &str) -> Result<&[u8; 32], Error> {
        let found = self.keys.iter().find(|(known, _)| known == name);
        found.map(|(_, key)| &**key).ok_or_else(|| Error::UnknownMasterKey(name.to_owned()))
    }
}

fn fingerprint(key: &[u8; 32]) -> String {
    let derived = derive(key, &[b"countersign master key fingerprint v1"]);
    derived.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

fn derive(key: &[u8], parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    let mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).map(|mut mac| {
        for part in parts {
            mac.update(part);
        }
        <[u8; 32]>::from(mac.finalize().into_bytes())
    });
    // HMAC takes keys of any length, so this cannot fail.
    Zeroizing::new(mac.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_keys_with_one_name_are_refused() {
        let world = World::fixed(jiff::Timestamp::UNIX_EPOCH, 1);
        let (one, two) = (Keyring::generate("k1", &world.dice), Keyring::generate("k1", &world.dice));
        let both = format!("{},{}", one.expose_secret(), two.expose_secret());
        assert!(matches!(Keyring::parse(&both.into()), Err(Error::SameName(name)) if name == "k1"));
    }

    #[test]
    fn a_fingerprint_belongs_to_a_key_and_not_to_its_name() {
        let world = World::fixed(jiff::Timestamp::UNIX_EPOCH, 1);
        let one = Keyring::generate("one", &world.dice);
        let renamed = one.expose_secret().replace("one:", "two:");
        let other = Keyring::generate("one", &world.dice);
        let of = |text: &SecretString| Keyring::parse(text).unwrap().fingerprints();
        assert_eq!(of(&one), of(&renamed.into()));
        assert_ne!(of(&one), of(&other));
        assert_eq!(of(&one).concat().len(), 8);
    }
}
