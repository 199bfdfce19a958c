//! Audiences: where a secret may be sent. A secret is used by one source at one origin, or by several if someone who may
//! say so said so: the person who set the value, who knows it anyway, or an owner.

use std::collections::HashMap;

use changes::{Author, Draft, Kind as Change};
use model::{OrgId, Role, SecretId, UserId};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{Error, SealedCredential, Tenancy, person, store};

/// The use of a secret: which one, by which source, at which origin.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SecretUse {
    pub secret: String,
    pub source: String,
    /// Scheme, host and port.
    pub origin: String,
}

impl Tenancy {
    /// Allows a use in the caller's transaction, if this person may. A secret that does not exist yet is allowed nothing:
    /// whoever sets it says where it goes.
    pub async fn allow_secret(
        &self,
        conn: &mut PgConnection,
        by: &Author,
        role: Role,
        wanted: &SecretUse,
    ) -> Result<(), Error> {
        let actor = person(by)?;
        store::vault::lock_secret(conn, actor.org, &wanted.secret).await?;
        let Some((id, set_by)) = store::audience::find(conn, actor.org, &wanted.secret).await? else {
            return Ok(());
        };
        if store::audience::is_allowed(conn, actor.org, id, wanted).await? {
            return Ok(());
        }
        if set_by != actor.user && role < Role::Owner {
            return Err(Error::NotItsAudience);
        }
        // The first use by the person who set it is where it was set for; every other one widens it. An owner who did not
        // set it widens it even after forbidding every use.
        let others = audience_of(conn, actor.org, id).await?;
        let others = others.iter().map(|use_| json!({ "source": use_.source, "origin": use_.origin }));
        let others: Vec<Value> = others.collect();
        let widens = !others.is_empty() || set_by != actor.user;
        let draft = Draft {
            kind: Change::SecretAllowed,
            subject: id.to_string(),
            name: wanted.secret.clone(),
            before: widens.then_some(Value::Array(others)),
            after: Some(json!({ "source": wanted.source, "origin": wanted.origin })),
        };
        let mut recorded = self.recorder.record(conn, by, draft).await?;
        Ok(store::audience::insert(&mut recorded, actor, id, wanted, self.world.clock.now()).await?)
    }

    /// Ends a use. Returns whether it was allowed.
    pub async fn forbid_secret(&self, by: &Author, secret: &str, source: &str) -> Result<bool, Error> {
        let org = by.org;
        let mut tx = self.begin(org).await?;
        store::vault::lock_secret(&mut tx, org, secret).await?;
        let Some((id, _)) = store::audience::find(&mut tx, org, secret).await? else { return Ok(false) };
        let mut allowed = audience_of(&mut tx, org, id).await?;
        allowed.retain(|allowed| allowed.source == source);
        if allowed.is_empty() {
            return Ok(false);
        }
        let origins: Vec<&str> = allowed.iter().map(|allowed| allowed.origin.as_str()).collect();
        let draft = Draft {
            kind: Change::SecretForbidden,
            subject: id.to_string(),
            name: secret.to_owned(),
            before: Some(json!({ "source": source, "origins": origins })),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let ended = store::audience::delete(&mut recorded, org, secret, source).await?;
        platform::db::commit(tx).await?;
        Ok(ended)
    }

    /// The encrypted secrets for these uses, by source; a use that is not allowed has none.
    pub async fn secrets_for(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        uses: &[SecretUse],
    ) -> Result<HashMap<String, SealedCredential>, Error> {
        if uses.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(store::audience::sealed(conn, org, uses).await?)
    }
}

/// A secret that a source may send.
pub struct SecretAt {
    pub source: String,
    /// The name of the secret.
    pub name: String,
    pub sealed: SealedCredential,
}

/// The encrypted secrets that these sources may send to these origins.
pub async fn secrets_at(
    conn: &mut PgConnection,
    org: OrgId,
    places: &[(String, String)],
) -> Result<Vec<SecretAt>, Error> {
    if places.is_empty() {
        return Ok(vec![]);
    }
    Ok(store::audience::sealed_at(conn, org, places).await?)
}

/// Where a secret may be sent.
pub async fn audience_of(
    conn: &mut PgConnection,
    org: OrgId,
    secret: SecretId,
) -> Result<Vec<AllowedUse>, Error> {
    Ok(store::audience::list(conn, org, &[secret]).await?.remove(&secret).unwrap_or_default())
}

/// A use that someone allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedUse {
    pub source: String,
    pub origin: String,
    /// `None` for uses from before secrets had an audience.
    pub allowed_by: Option<UserId>,
}
