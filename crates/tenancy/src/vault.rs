//! Secrets and connections: values that people put in and only a call takes out.

use std::collections::HashMap;

use jiff::Timestamp;
use model::{ConnectionId, OrgId, SecretId, SourceSlug, UserId};
use platform::{db, seal::Place};
use secrecy::{ExposeSecret as _, SecretString};
use sqlx::PgConnection;

use crate::{Error, Page, Tenancy, store};

/// What may be known of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretInfo {
    pub id: SecretId,
    pub name: String,
    pub version: i32,
    pub set_by: UserId,
    pub updated_at: Timestamp,
}

/// What may be known of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionInfo {
    pub id: ConnectionId,
    pub provider: String,
    pub name: String,
    pub version: i32,
    pub set_by: UserId,
    pub updated_at: Timestamp,
}

/// A credential as it is kept. May stay in memory; it is opened for one call at a time.
#[derive(Clone)]
pub struct SealedCredential {
    pub(crate) keeper: Keeper,
    pub(crate) version: i32,
    pub(crate) sealed: Vec<u8>,
}

/// The row a credential is kept in; what it is sealed for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keeper {
    Connection(ConnectionId),
    Secret(SecretId),
}

impl Keeper {
    const fn place(self) -> Place<'static> {
        match self {
            Self::Connection(id) => connection_place(id),
            Self::Secret(id) => secret_place(id),
        }
    }
}

impl SealedCredential {
    /// Which of the credentials its keeper ever had.
    pub const fn version(&self) -> i32 {
        self.version
    }
}

/// A credential in the clear, for one call.
#[derive(Debug, Clone)]
pub struct Credential {
    pub token: SecretString,
    pub version: i32,
}

const fn secret_place(id: SecretId) -> Place<'static> {
    Place { table: "secrets", row: id.uuid(), field: "sealed" }
}

const fn connection_place(id: ConnectionId) -> Place<'static> {
    Place { table: "connections", row: id.uuid(), field: "sealed" }
}

impl Tenancy {
    /// Keeps a value under a name, replacing what was there.
    pub async fn put_secret(
        &self,
        (org, user): (OrgId, UserId),
        name: &str,
        value: &SecretString,
    ) -> Result<SecretInfo, Error> {
        let now = self.world.clock.now();
        let mut tx = self.begin(org).await?;
        // The row is locked before the value is sealed for it, because the row's id is part of what is sealed.
        let id = store::vault::reserve_secret(&mut tx, (org, user), name, (self.world.uuid(), now)).await?;
        let sealed =
            self.sealer.seal(&mut tx, org, secret_place(id), value.expose_secret().as_bytes()).await?;
        let info = store::vault::fill_secret(&mut tx, (org, user), id, &sealed, now).await?;
        db::commit(tx).await?;
        Ok(info)
    }

    /// The org's secrets, without their values.
    pub async fn secrets(&self, org: OrgId, page: Page) -> Result<Vec<SecretInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::vault::list_secrets(&mut tx, org, page).await?)
    }

    /// Forgets a secret.
    pub async fn delete_secret(&self, org: OrgId, name: &str) -> Result<(), Error> {
        let mut tx = self.begin(org).await?;
        if !store::vault::delete_secret(&mut tx, org, name).await? {
            return Err(Error::NotFound("secret"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Secrets as they are kept, by name; those that are not there are missing.
    pub async fn sealed_secrets(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        names: &[String],
    ) -> Result<HashMap<String, SealedCredential>, Error> {
        if names.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(store::vault::find_secrets(conn, org, names).await?)
    }

    /// A secret as it is kept, nobody else's to change until the transaction ends.
    pub async fn lock_secret(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        name: &str,
    ) -> Result<Option<SealedCredential>, Error> {
        Ok(store::vault::lock_secret(conn, org, name).await?)
    }

    /// Opens a credential in the transaction that locked it.
    pub async fn open_locked(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        kept: &SealedCredential,
    ) -> Result<Credential, Error> {
        let value = self.sealer.open(conn, org, kept.keeper.place(), &kept.sealed).await?;
        Ok(Credential { token: text(&value)?, version: kept.version })
    }

    /// Puts a renewed value in the place of one that is locked. It is the same credential, so its version stays: what a
    /// person approved with it is still what is done.
    pub async fn renew_secret(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        kept: &SealedCredential,
        value: &SecretString,
    ) -> Result<(), Error> {
        let Keeper::Secret(id) = kept.keeper else { return Err(Error::NotFound("secret")) };
        let sealed = self.sealer.seal(conn, org, secret_place(id), value.expose_secret().as_bytes()).await?;
        Ok(store::vault::replace_sealed(conn, org, id, &sealed).await?)
    }

    /// Connects a source with a credential, replacing the one that was there.
    pub async fn put_connection(
        &self,
        (org, user): (OrgId, UserId),
        provider: &SourceSlug,
        name: &str,
        token: &SecretString,
    ) -> Result<ConnectionInfo, Error> {
        let now = self.world.clock.now();
        let mut tx = self.begin(org).await?;
        let fresh = (self.world.uuid(), now);
        let id = store::vault::reserve_connection(&mut tx, (org, user), (provider, name), fresh).await?;
        let sealed =
            self.sealer.seal(&mut tx, org, connection_place(id), token.expose_secret().as_bytes()).await?;
        let info = store::vault::fill_connection(&mut tx, (org, user), (id, name), &sealed, now).await?;
        db::commit(tx).await?;
        Ok(info)
    }

    /// The org's connections, without their credentials.
    pub async fn connections(&self, org: OrgId, page: Page) -> Result<Vec<ConnectionInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::vault::list_connections(&mut tx, org, page).await?)
    }

    /// Cuts a connection.
    pub async fn delete_connection(&self, org: OrgId, provider: &SourceSlug) -> Result<(), Error> {
        let mut tx = self.begin(org).await?;
        if !store::vault::delete_connection(&mut tx, org, provider).await? {
            return Err(Error::NotFound("connection"));
        }
        Ok(db::commit(tx).await?)
    }

    /// Which sources are connected, and with which credential; read in the caller's transaction.
    pub async fn connected(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
    ) -> Result<Vec<(String, SealedCredential)>, Error> {
        Ok(store::vault::list_connected(conn, org).await?)
    }

    /// Opens a credential for the moment of use.
    pub async fn open_credential(&self, org: OrgId, kept: &SealedCredential) -> Result<Credential, Error> {
        let place = kept.keeper.place();
        let value = match self.sealer.open_from_memory(org, place, &kept.sealed)? {
            Some(value) => value,
            None => self.sealer.open(&mut *self.begin(org).await?, org, place, &kept.sealed).await?,
        };
        Ok(Credential { token: text(&value)?, version: kept.version })
    }

    /// The credential for a source, for the moment of use; `None` when the org has not connected it.
    pub async fn credential(&self, org: OrgId, provider: &SourceSlug) -> Result<Option<Credential>, Error> {
        let mut tx = self.begin(org).await?;
        let found = store::vault::find_connection(&mut tx, org, provider).await?;
        drop(tx);
        match found {
            None => Ok(None),
            Some(kept) => self.open_credential(org, &kept).await.map(Some),
        }
    }
}

fn text(bytes: &[u8]) -> Result<SecretString, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::Seal(platform::seal::Error::Broken))?;
    Ok(SecretString::from(text))
}
