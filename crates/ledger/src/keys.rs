//! Signing keys: created once, encrypted with the master key, rotated without a gap.

use std::{sync::Arc, time::Duration};

use platform::{
    World,
    db::{self, Database},
    seal::Sealer,
};
use receipt::{KeyDocument, KeySetDocument, Logged, SigningKey};
use sqlx::PgConnection;

use crate::{Error, Ledger, store};

/// Gateways check for a newer key more often than this; the old one stays valid this long after a rotation.
const OVERLAP: Duration = Duration::from_secs(600);
/// Clocks of gateways differ, so a key is valid from a little before its creation.
const SKEW: Duration = Duration::from_secs(300);

pub(crate) struct StoredKey {
    pub(crate) keyid: String,
    pub(crate) public_key: Vec<u8>,
    pub(crate) master_key: String,
    pub(crate) wrapped: Vec<u8>,
    pub(crate) not_before: jiff::Timestamp,
    pub(crate) not_after: Option<jiff::Timestamp>,
    /// The positions in the log at which the key begins and has ended.
    pub(crate) begun: Option<Logged>,
    pub(crate) ended: Option<Logged>,
    /// The public key of its second signature; since the key began, as the log names it.
    pub(crate) ml_dsa_65: Option<Vec<u8>>,
}

impl StoredKey {
    /// The published form.
    pub(crate) fn document(&self) -> Option<KeyDocument> {
        let public = <[u8; 32]>::try_from(self.public_key.as_slice()).ok()?;
        let mut document = KeyDocument::new(&public, self.not_before.to_string());
        if let Some(public_key) = &self.ml_dsa_65 {
            document = document.with_ml_dsa(public_key);
        }
        document.not_after = self.not_after.map(|at| at.to_string());
        document.begun.clone_from(&self.begun);
        document.ended.clone_from(&self.ended);
        Some(document)
    }
}

pub(crate) async fn newest_or_first(
    db: &Database,
    world: &World,
    sealer: &Sealer,
) -> Result<SigningKey, Error> {
    let mut conn = db.unscoped().await?;
    if let Some(stored) = store::keys::newest_key(&mut conn).await? {
        return open(sealer, &stored);
    }
    drop(conn);
    let mut tx = db.begin_unscoped().await?;
    store::keys::lock(&mut tx).await?;
    // Another process may have made it meanwhile.
    let key = match store::keys::newest_key(&mut tx).await? {
        Some(stored) => open(sealer, &stored)?,
        None => make(&mut tx, world, sealer).await?,
    };
    db::commit(tx).await?;
    Ok(key)
}

/// Whether the log does not name the second public key of a key.
fn lacks_second(key: &StoredKey) -> bool {
    key.begun.is_some() && key.ml_dsa_65.is_none()
}

fn purpose(keyid: &str) -> Vec<u8> {
    format!("signing key|{keyid}").into_bytes()
}

pub(crate) fn open(sealer: &Sealer, stored: &StoredKey) -> Result<SigningKey, Error> {
    let seed = sealer.keyring().unwrap(&stored.master_key, &purpose(&stored.keyid), &stored.wrapped);
    let seed = seed.map_err(Error::Key)?;
    let seed =
        <&[u8; 32]>::try_from(seed.as_slice()).map_err(|_| Error::Key(platform::seal::Error::Broken))?;
    Ok(SigningKey::from_seed(seed))
}

async fn make(conn: &mut PgConnection, world: &World, sealer: &Sealer) -> Result<SigningKey, Error> {
    let mut seed = platform::seal::blank_key();
    world.dice.fill(&mut *seed);
    let key = SigningKey::from_seed(&seed);
    let master_key = sealer.master_key(&mut *conn).await.map_err(Error::Key)?;
    let wrapped = sealer.keyring().wrap(world, &master_key, &purpose(key.keyid()), &*seed);
    let wrapped = wrapped.map_err(Error::Key)?;
    let now = world.clock.now();
    let stored = StoredKey {
        keyid: key.keyid().to_owned(),
        public_key: key.public_key().to_vec(),
        master_key,
        wrapped,
        not_before: now - SKEW,
        not_after: None,
        begun: None,
        ended: None,
        ml_dsa_65: Some(key.ml_dsa_public_key().map_err(Error::MlDsa)?),
    };
    store::keys::insert_key(conn, &stored, now).await?;
    Ok(key)
}

impl Ledger {
    /// Creates a new signing key and lets the others expire. Their signatures stay valid.
    pub async fn rotate_key(&self) -> Result<String, Error> {
        self.replace_key(|_| true).await
    }

    /// Creates a new signing key if the newest one is to be replaced, and lets the others expire; returns the newest. One
    /// process at a time, and in one transaction: two that replaced keys at once would end each other's.
    async fn replace_key(&self, is_due: impl Fn(&StoredKey) -> bool) -> Result<String, Error> {
        let mut tx = self.db.begin_unscoped().await?;
        store::keys::lock(&mut tx).await?;
        let newest = store::keys::newest_key(&mut tx).await?;
        let key = match newest.filter(|newest| !is_due(newest)) {
            Some(newest) => open(&self.sealer, &newest)?,
            None => make(&mut tx, &self.world, &self.sealer).await?,
        };
        let keyid = key.keyid().to_owned();
        // Again, because an attempt of an earlier version may have been interrupted after it created the key.
        store::keys::end_other_keys(&mut tx, &keyid, self.world.clock.now() + OVERLAP).await?;
        db::commit(tx).await?;
        self.key.store(Arc::new(key));
        Ok(keyid)
    }

    /// Signs with a new key under the newest master key, unless the signing key already is, and encrypts the others with
    /// that master key. Whoever has an old master key and an old backup has the old signing keys. Returns the keyid, and
    /// whether it is new.
    pub async fn rotate_master_key(&self) -> Result<(String, bool), Error> {
        let keyring = self.sealer.keyring();
        let mut conn = self.db.unscoped().await?;
        let before = store::keys::newest_key(&mut conn).await?;
        drop(conn);
        let keyid = self.replace_key(|newest| newest.master_key != keyring.newest()).await?;
        let is_new = before.is_none_or(|before| before.keyid != keyid);
        let mut conn = self.db.unscoped().await?;
        for stored in store::keys::list_keys(&mut conn).await? {
            if stored.master_key == keyring.newest() {
                continue;
            }
            let purpose = purpose(&stored.keyid);
            let seed = match keyring.unwrap(&stored.master_key, &purpose, &stored.wrapped) {
                // It was replaced by another key before, and never signs again.
                Err(platform::seal::Error::UnknownMasterKey(name)) => {
                    tracing::warn!(
                        keyid = stored.keyid,
                        master_key = name,
                        "an old signing key stays as it is"
                    );
                    continue;
                }
                seed => seed.map_err(Error::Key)?,
            };
            let wrapped = keyring.wrap(&self.world, keyring.newest(), &purpose, &seed).map_err(Error::Key)?;
            store::keys::rewrap_key(&mut conn, &stored.keyid, keyring.newest(), &wrapped).await?;
        }
        Ok((keyid, is_new))
    }

    /// Goes on under another origin and with another signing key, after a restore: the entries that were lost have numbers
    /// that are used again, so this is another log. What mirrors and auditors hold of the earlier one stays valid.
    pub async fn begin_epoch(&self, epoch: i32) -> Result<(), Error> {
        self.rotate_key().await?;
        let mut conn = self.db.unscoped().await?;
        Ok(store::log::begin_epoch(&mut conn, epoch).await?)
    }

    /// Loads a key that another process created. Called every minute. Replaces one of version 0.1, of which the log does
    /// not name the second public key, and makes one if none signs any more.
    pub async fn refresh_key(&self) -> Result<(), Error> {
        let mut conn = self.db.unscoped().await?;
        let newest = store::keys::newest_key(&mut conn).await?;
        let Some(stored) = newest.filter(|newest| !lacks_second(newest)) else {
            drop(conn);
            return self.replace_key(lacks_second).await.map(drop);
        };
        if stored.keyid != self.key.load().keyid() {
            self.key.store(Arc::new(open(&self.sealer, &stored)?));
        }
        Ok(())
    }

    /// All public keys, including expired ones.
    pub async fn key_set(&self) -> Result<KeySetDocument, Error> {
        let mut conn = self.db.unscoped().await?;
        let keys = store::keys::list_keys(&mut conn).await?;
        Ok(KeySetDocument::new(keys.iter().filter_map(StoredKey::document).collect()))
    }
}
