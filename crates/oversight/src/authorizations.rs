//! Authorizations of connectors: a person is sent to the authorization server and comes back with a code. The tokens that
//! the code is exchanged for are stored as the connector's secret; `pipeline` renews them at the moment of use.
//!
//! INVARIANT: the state, which is used once, says whose authorization a browser brings back, and only that person, signed
//! in, can finish it. Someone else who is led to give their consent connects nothing.

use std::time::Duration;

use catalog::{
    connector::{
        Error as ConnectorError,
        store::{self, authorizations::Authorization},
    },
    mcp::oauth::{self, CameBack},
};
use changes::Author;
use model::{Actor, Digest, Role, SourceSlug};
use pipeline::read::{self, oauth_server};
use platform::{db, seal::Place};
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use crate::{connectors, error::Error, parts::Oversight};

/// How long a person may take to come back.
const TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// What a browser brings back from the authorization server.
#[derive(Debug, Clone)]
pub struct OAuthCallback {
    pub state: String,
    pub code: String,
    pub issuer: Option<String>,
}

const fn place(id: Uuid) -> Place<'static> {
    Place { table: "connector_authorizations", row: id, field: "sealed" }
}

fn invalid(rule: &str) -> Error {
    ConnectorError::Invalid(rule.to_owned()).into()
}

fn failed(error: catalog::SourceError) -> Error {
    ConnectorError::Unreachable(error.message).into()
}

impl Oversight {
    /// Begins an authorization; returns the address to send the person to.
    pub async fn begin_authorization(&self, actor: Actor, slug: &SourceSlug) -> Result<String, Error> {
        let org = actor.org;
        let parts = &self.parts;
        let mut tx = parts.db.begin(org).await?;
        let connector = connectors::found(&mut tx, org, slug).await?;
        // No database connection is held while the authorization server answers.
        drop(tx);
        let (server, _) = oauth_server(&connector)?;
        let public = parts.public_url.as_ref();
        let callback = public.and_then(|url| url.join("/v1/oauth/callback").ok()).ok_or_else(|| {
            invalid("the public URL of this gateway is not configured (COUNTERSIGN_PUBLIC_URL)")
        })?;
        let begun = oauth::begin(&parts.egress, server, callback.as_str()).await.map_err(failed)?;
        let id = parts.world.uuid();
        let mut tx = parts.db.begin(org).await?;
        let sealed =
            parts.sealer.seal(&mut tx, org, place(id), begun.kept.expose_secret().as_bytes()).await?;
        let expires_at = parts.world.clock.now() + TIMEOUT;
        let kept = Authorization { id, connector: connector.id, sealed, begun_by: actor.user, expires_at };
        let hash = Digest::of_bytes(begun.state.expose_secret().as_bytes());
        store::authorizations::begin(&mut tx, org, &kept, hash.as_bytes()).await?;
        db::commit(tx).await?;
        Ok(begun.url)
    }

    /// Finishes an authorization, even if the browser disconnects meanwhile; returns its connector.
    pub async fn finish_authorization(
        &self,
        by: Author,
        returned: OAuthCallback,
    ) -> Result<SourceSlug, Error> {
        let oversight = self.clone();
        let work = async move { oversight.exchange(&by, returned).await };
        self.parts.shutdown.finish(work).await.ok_or(Error::Interrupted)?
    }

    async fn exchange(&self, by: &Author, returned: OAuthCallback) -> Result<SourceSlug, Error> {
        let parts = &self.parts;
        let over = || Error::from(ConnectorError::NotFound("authorization"));
        let hash = Digest::of_bytes(returned.state.as_bytes());
        let mut conn = parts.db.unscoped().await?;
        let (org, id) = store::authorizations::whose(&mut conn, hash.as_bytes()).await?.ok_or_else(over)?;
        drop(conn);
        let mut tx = parts.db.begin(org).await?;
        let begun = store::authorizations::take(&mut tx, org, id).await?.ok_or_else(over)?;
        if by.actor() != Some(Actor { org, user: begun.begun_by }) {
            return Err(over());
        }
        let kept = parts.sealer.open(&mut tx, org, place(id), &begun.sealed).await?;
        let kept = SecretString::from(String::from_utf8_lossy(&kept).into_owned());
        // It is used from here on, whether the exchange succeeds or not.
        db::commit(tx).await?;
        if begun.expires_at < parts.world.clock.now() {
            return Err(over());
        }
        let connector = self.connectors(org).await?.into_iter().find(|found| found.id == begun.connector);
        let connector = connector.ok_or_else(over)?;
        let (server, secret) = oauth_server(&connector)?;
        let came_back =
            CameBack { state: &returned.state, code: &returned.code, issuer: returned.issuer.as_deref() };
        let now = parts.world.clock.now();
        let set = oauth::finish(&parts.egress, server, &kept, &came_back, now).await.map_err(failed)?;
        parts.tenancy.put_secret(by, secret, &set).await?;
        // The server itself issued these tokens for this connector.
        let mut tx = parts.db.begin(org).await?;
        if let Some(wanted) = read::secret_use(&connector) {
            parts.tenancy.allow_secret(&mut tx, by, Role::Owner, &wanted).await?;
        }
        db::commit(tx).await?;
        self.harvest_or_log(org, &connector.slug).await;
        Ok(connector.slug)
    }
}
