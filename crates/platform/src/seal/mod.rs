//! Sealing: encryption at rest with the organization's data key, which is encrypted with the operator's master key.
//!
//! Parts: a [`Keyring`] holds the master keys; a [`Sealer`] finds or creates an organization's data key and caches
//! it; a [`Place`] names where a value is stored. The place is authenticated with the value, so a value that is moved
//! to another organization, table, row or field cannot be decrypted.
//!
//! Each value is encrypted with its own key, derived from the data key and a random salt, so one data key can encrypt
//! any number of values.

mod store;

use std::{collections::HashMap, sync::Arc, time::Duration};

use aes_gcm::{
    Aes256Gcm, KeyInit as _,
    aead::{Aead as _, Payload},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, Mac as _};
use jiff::Timestamp;
use model::{DataKeyId, OrgId};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;
use sqlx::PgConnection;
use zeroize::{Zeroize as _, Zeroizing};

use crate::{World, db};

/// How long the newest data key is cached: every process uses a rotated key within this time.
const NEWEST_FOR: Duration = Duration::from_secs(60);
const FORMAT: u8 = 1;
const SALT_BYTES: usize = 16;
const HEADER_BYTES: usize = 1 + 16 + SALT_BYTES;

/// Errors of encryption and decryption. They never contain the value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The master keys cannot be read.
    #[error("a master key is `name:base64` with 32 bytes; several are separated by commas, the newest first")]
    MasterKeys,
    /// A row names a master key that this process does not have.
    #[error("the master key `{0}` is not configured")]
    UnknownMasterKey(String),
    /// The value was changed, or moved from where it was sealed.
    #[error("an encrypted value could not be decrypted")]
    Broken,
    /// The data keys could not be read or written.
    #[error(transparent)]
    Database(#[from] db::Error),
}

/// Where an encrypted value is stored.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The table.
    pub table: &'a str,
    /// The row's id.
    pub row: uuid::Uuid,
    /// The column.
    pub field: &'a str,
}

impl Place<'_> {
    fn associated(&self, org: OrgId) -> Vec<u8> {
        format!("{}|{}|{}|{}", org.uuid(), self.table, self.row, self.field).into_bytes()
    }
}

/// The operator's master keys; the first one encrypts, all of them decrypt.
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
        if keys.is_empty() { Err(Error::MasterKeys) } else { Ok(Self { keys }) }
    }

    /// A new master key in the form [`Self::parse`] reads.
    pub fn generate(name: &str, dice: &crate::Dice) -> SecretString {
        let mut key = blank_key();
        dice.fill(&mut *key);
        SecretString::from(format!("{name}:{}", BASE64_STANDARD.encode(*key)))
    }

    /// Encrypts a key for a purpose with the newest master key. Returns which one that was.
    pub fn wrap(&self, world: &World, purpose: &[u8], key: &[u8]) -> Result<(String, Vec<u8>), Error> {
        let (name, master) = self.keys.first().ok_or(Error::MasterKeys)?;
        let mut salt = [0; SALT_BYTES];
        world.dice.fill(&mut salt);
        let mut wrapped = salt.to_vec();
        wrapped.extend(encrypt(master, &salt, purpose, key)?);
        Ok((name.clone(), wrapped))
    }

    /// Decrypts what [`Self::wrap`] encrypted.
    pub fn unwrap(&self, name: &str, purpose: &[u8], wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let master = self.keys.iter().find(|(known, _)| known == name).map(|(_, key)| key);
        let master = master.ok_or_else(|| Error::UnknownMasterKey(name.to_owned()))?;
        let (salt, sealed) = wrapped.split_at_checked(SALT_BYTES).ok_or(Error::Broken)?;
        decrypt(master, salt, purpose, sealed)
    }
}

/// Encrypts and decrypts values of organizations. Cheap to clone; clones share the cached keys.
#[derive(Clone)]
pub struct Sealer {
    world: World,
    keyring: Arc<Keyring>,
    cache: Arc<std::sync::RwLock<Cache>>,
}

#[derive(Default)]
struct Cache {
    current: HashMap<OrgId, (DataKeyId, Timestamp)>,
    keys: HashMap<(OrgId, DataKeyId), Zeroizing<[u8; 32]>>,
}

impl Sealer {
    /// A sealer with an empty cache.
    pub fn new(world: World, keyring: Keyring) -> Self {
        Self { world, keyring: Arc::new(keyring), cache: Arc::default() }
    }

    /// The master keys, for callers that encrypt other keys.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Creates the first data key of an organization, or the next one.
    pub async fn make_data_key(&self, conn: &mut PgConnection, org: OrgId) -> Result<(), Error> {
        let id = DataKeyId::from_uuid(self.world.uuid());
        let mut key = blank_key();
        self.world.dice.fill(&mut *key);
        let (master_key, wrapped) = self.keyring.wrap(&self.world, &purpose(org, id), &*key)?;
        let row = store::DataKeyRow { id: id.uuid(), master_key, wrapped };
        store::insert(conn, org, &row, self.world.clock.now()).await?;
        Ok(())
    }

    /// Encrypts a value for its place, with the organization's newest data key.
    pub async fn seal(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        place: Place<'_>,
        value: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let id = match self.current(org) {
            Some(id) => id,
            None => self.load_newest(conn, org).await?,
        };
        let key = self.cached(org, id).ok_or(Error::Broken)?;
        let mut salt = [0; SALT_BYTES];
        self.world.dice.fill(&mut salt);
        let mut sealed = Vec::with_capacity(HEADER_BYTES + value.len() + 16);
        sealed.push(FORMAT);
        sealed.extend_from_slice(id.uuid().as_bytes());
        sealed.extend_from_slice(&salt);
        sealed.extend(encrypt(&key, &salt, &place.associated(org), value)?);
        Ok(sealed)
    }

    /// Decrypts a value in the place it was encrypted for.
    pub async fn open(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        place: Place<'_>,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let parts = SealedParts::of(sealed)?;
        let key = match self.cached(org, parts.key) {
            Some(key) => key,
            None => {
                let row = store::find(conn, org, parts.key).await?.ok_or(Error::Broken)?;
                self.remember(org, &row)?
            }
        };
        decrypt(&key, parts.salt, &place.associated(org), parts.body)
    }

    /// Decrypts a value if its key is cached.
    pub fn open_from_memory(
        &self,
        org: OrgId,
        place: Place<'_>,
        sealed: &[u8],
    ) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
        let parts = SealedParts::of(sealed)?;
        let Some(key) = self.cached(org, parts.key) else { return Ok(None) };
        decrypt(&key, parts.salt, &place.associated(org), parts.body).map(Some)
    }

    /// A key for pseudonyms of this organization's people: equal values stay comparable, and nobody without the
    /// master key can guess them. It does not depend on a data key, so it survives their rotation.
    pub fn pseudonym_key(&self, org: OrgId) -> Zeroizing<[u8; 32]> {
        let oldest = self.keyring.keys.last().map(|(_, key)| key.as_slice()).unwrap_or_default();
        let mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(oldest).map(|mut mac| {
            mac.update(b"countersign pseudonym v1");
            mac.update(org.uuid().as_bytes());
            <[u8; 32]>::from(mac.finalize().into_bytes())
        });
        // HMAC takes keys of any length, so this cannot fail.
        Zeroizing::new(mac.unwrap_or_default())
    }

    async fn load_newest(&self, conn: &mut PgConnection, org: OrgId) -> Result<DataKeyId, Error> {
        let row = store::find_newest(conn, org).await?.ok_or(Error::Broken)?;
        let id = DataKeyId::from_uuid(row.id);
        self.remember(org, &row)?;
        if let Ok(mut cache) = self.cache.write() {
            cache.current.insert(org, (id, self.world.clock.now()));
        }
        Ok(id)
    }

    fn remember(&self, org: OrgId, row: &store::DataKeyRow) -> Result<Zeroizing<[u8; 32]>, Error> {
        let id = DataKeyId::from_uuid(row.id);
        let key = self.keyring.unwrap(&row.master_key, &purpose(org, id), &row.wrapped)?;
        let key = Zeroizing::new(<[u8; 32]>::try_from(key.as_slice()).map_err(|_| Error::Broken)?);
        if let Ok(mut cache) = self.cache.write() {
            cache.keys.insert((org, id), key.clone());
        }
        Ok(key)
    }

    fn current(&self, org: OrgId) -> Option<DataKeyId> {
        let (id, learnt_at) = self.cache.read().ok()?.current.get(&org).copied()?;
        (self.world.clock.now() < learnt_at + NEWEST_FOR).then_some(id)
    }

    fn cached(&self, org: OrgId, id: DataKeyId) -> Option<Zeroizing<[u8; 32]>> {
        self.cache.read().ok()?.keys.get(&(org, id)).cloned()
    }
}

/// The parts of an encrypted value.
struct SealedParts<'a> {
    key: DataKeyId,
    salt: &'a [u8],
    body: &'a [u8],
}

impl<'a> SealedParts<'a> {
    fn of(sealed: &'a [u8]) -> Result<Self, Error> {
        let (header, body) = sealed.split_at_checked(HEADER_BYTES).ok_or(Error::Broken)?;
        let [FORMAT, rest @ ..] = header else { return Err(Error::Broken) };
        let (id, salt) = rest.split_at_checked(16).ok_or(Error::Broken)?;
        let key = DataKeyId::from_uuid(uuid::Uuid::from_slice(id).map_err(|_| Error::Broken)?);
        Ok(Self { key, salt, body })
    }
}

/// A buffer for a key, zeroed on drop.
pub fn blank_key() -> Zeroizing<[u8; 32]> {
    Zeroizing::new([0; 32])
}

fn purpose(org: OrgId, id: DataKeyId) -> Vec<u8> {
    format!("data key|{}|{}", org.uuid(), id.uuid()).into_bytes()
}

// The derived key is used for one message only, so a constant nonce is sound.
fn cipher(key: &[u8; 32], salt: &[u8]) -> Result<Aes256Gcm, Error> {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).map_err(|_| Error::Broken)?;
    mac.update(b"countersign seal v1");
    mac.update(salt);
    let derived = Zeroizing::new(<[u8; 32]>::from(mac.finalize().into_bytes()));
    Aes256Gcm::new_from_slice(&*derived).map_err(|_| Error::Broken)
}

fn encrypt(key: &[u8; 32], salt: &[u8], aad: &[u8], value: &[u8]) -> Result<Vec<u8>, Error> {
    let payload = Payload { msg: value, aad };
    cipher(key, salt)?.encrypt(&Default::default(), payload).map_err(|_| Error::Broken)
}

fn decrypt(key: &[u8; 32], salt: &[u8], aad: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let payload = Payload { msg: sealed, aad };
    cipher(key, salt)?.decrypt(&Default::default(), payload).map(Zeroizing::new).map_err(|_| Error::Broken)
}
