//! The key of an organization's pseudonyms: equal values stay comparable in receipts, and nobody without the key can guess
//! them. It is stored encrypted and is never replaced, so it survives every rotation.

use model::OrgId;
use sqlx::PgConnection;
use zeroize::Zeroizing;

use super::{Error, Place, Sealer, blank_key, store};

pub(super) const fn place(org: OrgId) -> Place<'static> {
    Place { table: "pseudonym_keys", row: org.uuid(), field: "sealed" }
}

impl Sealer {
    /// Creates the key of an organization that is being created.
    pub async fn make_pseudonym_key(&self, conn: &mut PgConnection, org: OrgId) -> Result<(), Error> {
        let mut key = blank_key();
        self.world.dice.fill(&mut *key);
        // Not cached: the organization may not be created in the end.
        self.store_pseudonym_key(conn, org, &key).await
    }

    /// The key, if it is cached.
    pub fn pseudonym_key_from_memory(&self, org: OrgId) -> Option<Zeroizing<[u8; 32]>> {
        self.cache.read().ok()?.pseudonyms.get(&org).cloned()
    }

    /// The key. An organization of an earlier version has none yet: it gets the one that was derived from the oldest master
    /// key then, so that its pseudonyms stay the same. That one can be cached before the transaction commits, because
    /// it would be derived again.
    pub async fn pseudonym_key(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
    ) -> Result<Zeroizing<[u8; 32]>, Error> {
        if let Some(key) = self.pseudonym_key_from_memory(org) {
            return Ok(key);
        }
        let sealed = match store::find_pseudonym_key(conn, org).await? {
            Some(sealed) => Some(sealed),
            None => {
                let derived =
                    self.keyring.derive_from_oldest(&[b"countersign pseudonym v1", org.uuid().as_bytes()]);
                self.store_pseudonym_key(conn, org, &derived).await?;
                // Another process may have been faster.
                store::find_pseudonym_key(conn, org).await?
            }
        };
        let key = self.open(conn, org, place(org), &sealed.ok_or(Error::Broken)?).await?;
        let key = Zeroizing::new(<[u8; 32]>::try_from(key.as_slice()).map_err(|_| Error::Broken)?);
        if let Ok(mut cache) = self.cache.write() {
            cache.pseudonyms.insert(org, key.clone());
        }
        Ok(key)
    }

    async fn store_pseudonym_key(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        key: &[u8; 32],
    ) -> Result<(), Error> {
        let sealed = self.seal(conn, org, place(org), key).await?;
        Ok(store::insert_pseudonym_key(conn, org, &sealed, self.world.clock.now()).await?)
    }
}
