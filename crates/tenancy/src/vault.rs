//! Secrets and connections: encrypted values that people store and only an action call decrypts.

use std::collections::HashMap;

use changes::{Author, Draft, Kind as Change};
use jiff::Timestamp;
use model::{ConnectionId, CredentialVersion, OrgId, SecretId, SourceSlug, UserId};
use platform::{db, seal::Place};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    AllowedUse, Error, Page, Tenancy,
    audience::audience_of,
    person,
    store::{
        self,
        vault::{Filling, NewConnection},
    },
};

/// The name of the secret with which Slack signs clicks. Its holder can click as anyone, so only owners set it and no
/// connector may use it.
pub const SLACK_SIGNING_SECRET: &str = "slack-signing-secret";

/// A secret, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretInfo {
    pub id: SecretId,
    pub name: String,
    pub version: i32,
    pub set_by: UserId,
    pub updated_at: Timestamp,
    /// Where it may be sent.
    pub audience: Vec<AllowedUse>,
}

/// A connection, without its credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionInfo {
    pub id: ConnectionId,
    pub provider: String,
    pub name: String,
    pub version: i32,
    pub set_by: UserId,
    pub updated_at: Timestamp,
}

/// An encrypted credential. It may stay in memory; it is decrypted for one call at a time.
#[derive(Clone)]
pub struct SealedCredential {
    pub(crate) keeper: Keeper,
    pub(crate) version: i32,
    pub(crate) sealed: Vec<u8>,
}

/// The row of a credential. The encryption is bound to it.
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
    /// Its row and version.
    pub fn version(&self) -> CredentialVersion {
        let row = match self.keeper {
            Keeper::Connection(id) => id.to_string(),
            Keeper::Secret(id) => id.to_string(),
        };
        CredentialVersion { row, version: self.version }
    }
}

/// A decrypted credential, for one call.
#[derive(Debug, Clone)]
pub struct Credential {
    pub token: SecretString,
    pub version: CredentialVersion,
}

/// Said to whoever sets a new credential at the same moment as someone else.
const SET_BY_OTHERS: Error = Error::Exists("a value that someone else set at the same time");

/// The change of a credential. Its record says which value it is by its version, never the value.
fn credential_draft(
    kind: Change,
    (subject, name): (String, &str),
    before: Option<&SealedCredential>,
) -> Draft {
    let version = before.map_or(0, |kept| kept.version);
    let is_set = matches!(kind, Change::SecretSet | Change::ConnectionSet);
    Draft {
        kind,
        subject,
        name: name.to_owned(),
        before: before.map(|kept| json!({ "version": kept.version })),
        after: is_set.then(|| json!({ "version": version + 1 })),
    }
}

const fn secret_place(id: SecretId) -> Place<'static> {
    Place { table: "secrets", row: id.uuid(), field: "sealed" }
}

const fn connection_place(id: ConnectionId) -> Place<'static> {
    Place { table: "connections", row: id.uuid(), field: "sealed" }
}

impl Tenancy {
    /// Sets a secret, replacing its previous value.
    pub async fn put_secret(
        &self,
        by: &Author,
        name: &str,
        value: &SecretString,
    ) -> Result<SecretInfo, Error> {
        let (actor, org, now) = (person(by)?, by.org, self.world.clock.now());
        let mut tx = self.begin(org).await?;
        let before = store::vault::lock_secret(&mut tx, org, name).await?;
        let id = match before.as_ref().map(|kept| kept.keeper) {
            Some(Keeper::Secret(id)) => id,
            _ => SecretId::from_uuid(self.world.uuid()),
        };
        let draft = credential_draft(Change::SecretSet, (id.to_string(), name), before.as_ref());
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        // The row is locked before the value is encrypted, because the encryption is bound to the row's ID.
        if store::vault::reserve_secret(&mut recorded, actor, name, id, now).await? != id {
            return Err(SET_BY_OTHERS);
        }
        let sealed =
            self.sealer.seal(&mut recorded, org, secret_place(id), value.expose_secret().as_bytes()).await?;
        let mut info = store::vault::fill_secret(&mut recorded, actor, id, &sealed, now).await?;
        info.audience = audience_of(&mut tx, org, id).await?;
        db::commit(tx).await?;
        Ok(info)
    }

    /// The names of credentials by their rows, as [`CredentialVersion`] names them; read in the caller's transaction.
    pub async fn credential_names(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        rows: &[String],
    ) -> Result<HashMap<String, String>, Error> {
        let uuid = |row: &String| match row.parse::<ConnectionId>() {
            Ok(id) => Some(id.uuid()),
            Err(_) => row.parse::<SecretId>().ok().map(|id| id.uuid()),
        };
        let ids: Vec<Uuid> = rows.iter().filter_map(uuid).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let names = store::vault::credential_names(conn, org, &ids).await?;
        let named = rows.iter().filter_map(|row| Some((row.clone(), names.get(&uuid(row)?)?.clone())));
        Ok(named.collect())
    }

    /// The org's secrets, without their values.
    pub async fn secrets(&self, org: OrgId, page: Page) -> Result<Vec<SecretInfo>, Error> {
        let mut tx = self.begin(org).await?;
        let mut found = store::vault::list_secrets(&mut tx, org, page).await?;
        let ids: Vec<SecretId> = found.iter().map(|secret| secret.id).collect();
        let mut audiences = store::audience::list(&mut tx, org, &ids).await?;
        for secret in &mut found {
            secret.audience = audiences.remove(&secret.id).unwrap_or_default();
        }
        Ok(found)
    }

    /// Deletes a secret.
    pub async fn delete_secret(&self, by: &Author, name: &str) -> Result<(), Error> {
        let mut tx = self.begin(by.org).await?;
        let kept =
            store::vault::lock_secret(&mut tx, by.org, name).await?.ok_or(Error::NotFound("secret"))?;
        let draft = credential_draft(Change::SecretDeleted, (kept.version().row, name), Some(&kept));
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::vault::delete_secret(&mut recorded, by.org, name).await?;
        Ok(db::commit(tx).await?)
    }

    /// Encrypted secrets by name; unknown names are missing.
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

    /// An encrypted secret, locked until the transaction ends.
    pub async fn lock_secret(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        name: &str,
    ) -> Result<Option<SealedCredential>, Error> {
        Ok(store::vault::lock_secret(conn, org, name).await?)
    }

    /// Decrypts a credential in the transaction that locked it.
    pub async fn open_locked(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        kept: &SealedCredential,
    ) -> Result<Credential, Error> {
        let value = self.sealer.open(conn, org, kept.keeper.place(), &kept.sealed).await?;
        Ok(Credential { token: text(&value)?, version: kept.version() })
    }

    /// Replaces a locked value by a renewed one. It is the same credential, so its version stays and earlier
    /// approvals remain valid.
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
        by: &Author,
        provider: &SourceSlug,
        name: &str,
        token: &SecretString,
    ) -> Result<ConnectionInfo, Error> {
        let (actor, org, now) = (person(by)?, by.org, self.world.clock.now());
        let mut tx = self.begin(org).await?;
        let before = store::vault::lock_connection(&mut tx, org, provider).await?;
        let id = match before.as_ref().map(|kept| kept.keeper) {
            Some(Keeper::Connection(id)) => id,
            _ => ConnectionId::from_uuid(self.world.uuid()),
        };
        let subject = (id.to_string(), provider.as_str());
        let mut draft = credential_draft(Change::ConnectionSet, subject, before.as_ref());
        if let Some(after) = &mut draft.after {
            after["name"] = json!(name);
        }
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let new = NewConnection { id, provider, name };
        if store::vault::reserve_connection(&mut recorded, actor, &new, now).await? != id {
            return Err(SET_BY_OTHERS);
        }
        let sealed = self
            .sealer
            .seal(&mut recorded, org, connection_place(id), token.expose_secret().as_bytes())
            .await?;
        let filling = Filling { id, name, sealed: &sealed };
        let info = store::vault::fill_connection(&mut recorded, actor, filling, now).await?;
        db::commit(tx).await?;
        Ok(info)
    }

    /// The org's connections, without their credentials.
    pub async fn connections(&self, org: OrgId, page: Page) -> Result<Vec<ConnectionInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::vault::list_connections(&mut tx, org, page).await?)
    }

    /// Deletes a connection.
    pub async fn delete_connection(&self, by: &Author, provider: &SourceSlug) -> Result<(), Error> {
        let mut tx = self.begin(by.org).await?;
        let kept = store::vault::lock_connection(&mut tx, by.org, provider).await?;
        let kept = kept.ok_or(Error::NotFound("connection"))?;
        let subject = (kept.version().row, provider.as_str());
        let draft = credential_draft(Change::ConnectionDeleted, subject, Some(&kept));
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::vault::delete_connection(&mut recorded, by.org, provider).await?;
        Ok(db::commit(tx).await?)
    }

    /// The connected sources and their credentials, read in the caller's transaction.
    pub async fn connected(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
    ) -> Result<Vec<(String, SealedCredential)>, Error> {
        Ok(store::vault::list_connected(conn, org).await?)
    }

    /// Decrypts a credential for one use.
    pub async fn open_credential(&self, org: OrgId, kept: &SealedCredential) -> Result<Credential, Error> {
        let place = kept.keeper.place();
        let value = match self.sealer.open_from_memory(org, place, &kept.sealed)? {
            Some(value) => value,
            None => self.sealer.open(&mut *self.begin(org).await?, org, place, &kept.sealed).await?,
        };
        Ok(Credential { token: text(&value)?, version: kept.version() })
    }

    /// The decrypted credential of a source; `None` if the organization has not connected it.
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
