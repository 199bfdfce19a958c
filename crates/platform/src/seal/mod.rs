//! Sealing: encryption at rest with the organization's data key, which is encrypted with the operator's master key.
//!
//! Parts: a [`Keyring`] holds the master keys; a [`Sealer`] finds or creates an organization's data key and caches
//! it; a [`Place`] names where a value is stored. The place is authenticated with the value, so a value that is moved
//! to another organization, table, row or field cannot be decrypted.
//!
//! Each value is encrypted with its own key, derived from the data key and a random salt, so one data key can encrypt
//! any number of values.
//!
//! INVARIANT: a new key is encrypted with the master key that the deployment uses, which every process has. The first
//! key of the configuration becomes that one by a rotation ([`rotation`]).

mod keyring;
mod pseudonyms;
pub mod rotation;
mod store;

use std::{collections::HashMap, sync::Arc, time::Duration};

use aes_gcm::{
    Aes256Gcm, KeyInit as _,
    aead::{Aead as _, Payload},
};
use hmac::{Hmac, Mac as _};
use jiff::Timestamp;
use model::{DataKeyId, OrgId};
use sha2::Sha256;
use sqlx::PgConnection;
use zeroize::Zeroizing;

pub use self::keyring::Keyring;
use crate::{World, db};

/// How long the newest data key is cached: every process uses a rotated key within this time.
pub const NEWEST_FOR: Duration = Duration::from_secs(10);
const FORMAT: u8 = 1;
const SALT_BYTES: usize = 16;
const HEADER_BYTES: usize = 1 + 16 + SALT_BYTES;

/// Errors of encryption and decryption. They never contain the value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The master keys cannot be read.
    #[error("a master key is `name:base64` with 32 bytes; several are separated by commas, the newest first")]
    MasterKeys,
    /// Two master keys have the same name, by which rows refer to them.
    #[error("two master keys have the name `{0}`; create the new one with another `--id`")]
    SameName(String),
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
    pseudonyms: HashMap<OrgId, Zeroizing<[u8; 32]>>,
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
    pub async fn make_data_key(&self, conn: &mut PgConnection, org: OrgId) -> Result<DataKeyId, Error> {
        let id = DataKeyId::from_uuid(self.world.uuid());
        let mut key = blank_key();
        self.world.dice.fill(&mut *key);
        let master_key = self.master_key(conn).await?;
        let wrapped = self.keyring.wrap(&self.world, &master_key, &purpose(org, id), &*key)?;
        let row = store::DataKeyRow { id: id.uuid(), master_key, wrapped };
        store::insert(conn, org, &row, self.world.clock.now()).await?;
        if let Ok(mut cache) = self.cache.write() {
            cache.current.remove(&org);
        }
        Ok(id)
    }

    /// The name of the master key that encrypts new keys. Every process has it: a key that some of them lack would make
    /// what the others create unreadable for those.
    pub async fn master_key(&self, conn: &mut PgConnection) -> Result<String, Error> {
        match store::master_key(conn).await? {
            Some(name) if self.keyring.has(&name) => Ok(name),
            Some(name) => Err(Error::UnknownMasterKey(name)),
            None => Ok(self.keyring.oldest().to_owned()),
        }
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
        self.seal_with(org, id, place, value)
    }

    /// Encrypts a value with a cached data key.
    fn seal_with(&self, org: OrgId, id: DataKeyId, place: Place<'_>, value: &[u8]) -> Result<Vec<u8>, Error> {
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
