//! Authorizing a connector: a person is sent to its authorization server and comes back with a code; what that becomes is
//! kept as the connector's secret, and renewed at the moment of use.
//!
//! INVARIANT: nothing that comes from the browser says whose authorization it is, but the state, which is used once.
//! INVARIANT: tokens are renewed by one process at a time: a refresh token that is shown twice is taken for stolen.

use std::{sync::Arc, time::Duration};

use catalog::{
    connector::{
        Auth, Connector, Error as ConnectorError, Kind,
        store::{self, authorizations::Authorization},
    },
    mcp::oauth::{self, CameBack, TokenSet},
};
use model::{ConnectorId, Digest, OrgId, SourceSlug, UserId};
use platform::{db, seal::Place};
use secrecy::{ExposeSecret as _, SecretString};
use tenancy::Credential;
use url::Url;
use uuid::Uuid;

use crate::{Error, Pipeline, connectors};

/// How long a person may take to come back.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// How long renewing may take: a row is locked meanwhile.
const LONGEST: Duration = Duration::from_secs(12);

const NOT_YET: &str =
    "this connector is not authorized yet; an admin can: `countersign connectors authorize`";

/// What a browser came back with.
#[derive(Debug, Clone)]
pub struct Returned {
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

/// The server whose authorization server is asked, and the secret that keeps what it gives.
fn authorized(connector: &Connector) -> Result<(&Url, &str), Error> {
    match (&connector.kind, &connector.auth) {
        (Kind::Mcp { url }, Auth::OAuth { secret }) => Ok((url, secret)),
        _ => Err(invalid("only an MCP server with `oauth` is authorized this way")),
    }
}

impl Pipeline {
    /// Begins an authorization; says where the person goes.
    pub async fn begin_authorization(
        &self,
        (org, user): (OrgId, UserId),
        slug: &SourceSlug,
    ) -> Result<String, Error> {
        let parts = &self.parts;
        let mut tx = parts.db.begin(org).await?;
        let connector = connectors::found(&mut tx, org, slug).await?;
        // The authorization server is asked without a connection held: it may take its time.
        drop(tx);
        let (server, _) = authorized(&connector)?;
        let public = parts.public_url.as_ref();
        let callback = public.and_then(|url| url.join("/v1/oauth/callback").ok()).ok_or_else(|| {
            invalid("the operator has not said where people reach this gateway (COUNTERSIGN_PUBLIC_URL)")
        })?;
        let begun = oauth::begin(&parts.egress, server, callback.as_str()).await.map_err(failed)?;
        let id = parts.world.uuid();
        let mut tx = parts.db.begin(org).await?;
        let sealed =
            parts.sealer.seal(&mut tx, org, place(id), begun.kept.expose_secret().as_bytes()).await?;
        let expires_at = parts.world.clock.now() + PATIENCE;
        let kept = Authorization { id, connector: connector.id, sealed, begun_by: user, expires_at };
        let hash = Digest::of_bytes(begun.state.expose_secret().as_bytes());
        store::authorizations::begin(&mut tx, org, &kept, hash.as_bytes()).await?;
        db::commit(tx).await?;
        Ok(begun.url)
    }

    /// Ends an authorization, however the browser behaves meanwhile; says which connector it was for.
    pub async fn finish_authorization(&self, returned: Returned) -> Result<SourceSlug, Error> {
        let pipeline = self.clone();
        self.to_its_end(async move { pipeline.exchange(returned).await }).await
    }

    async fn exchange(&self, returned: Returned) -> Result<SourceSlug, Error> {
        let parts = &self.parts;
        let over = || Error::from(ConnectorError::NotFound("authorization"));
        let hash = Digest::of_bytes(returned.state.as_bytes());
        let mut conn = parts.db.unscoped().await?;
        let (org, id) = store::authorizations::whose(&mut conn, hash.as_bytes()).await?.ok_or_else(over)?;
        drop(conn);
        let mut tx = parts.db.begin(org).await?;
        let begun = store::authorizations::take(&mut tx, org, id).await?.ok_or_else(over)?;
        let kept = parts.sealer.open(&mut tx, org, place(id), &begun.sealed).await?;
        let kept = SecretString::from(String::from_utf8_lossy(&kept).into_owned());
        // Used up from here on, whatever comes of it.
        db::commit(tx).await?;
        if begun.expires_at < parts.world.clock.now() {
            return Err(over());
        }
        let connector = self.connectors(org).await?.into_iter().find(|found| found.id == begun.connector);
        let connector = connector.ok_or_else(over)?;
        let (server, secret) = authorized(&connector)?;
        let came_back =
            CameBack { state: &returned.state, code: &returned.code, issuer: returned.issuer.as_deref() };
        let now = parts.world.clock.now();
        let set = oauth::finish(&parts.egress, server, &kept, &came_back, now).await.map_err(failed)?;
        parts.tenancy.put_secret((org, begun.begun_by), secret, &set).await?;
        self.harvest_or_log(org, &connector.slug).await;
        Ok(connector.slug)
    }
}

/// The token for a call of a connector: as it is, or out of its set of tokens, renewed if its time is up.
pub(crate) async fn fresh(
    pipeline: &Pipeline,
    org: OrgId,
    connector: &Connector,
    found: Credential,
) -> Result<Credential, Error> {
    if !matches!(connector.auth, Auth::OAuth { .. }) {
        return Ok(found);
    }
    let now = pipeline.parts.world.clock.now();
    let set = TokenSet::parse(&found.token).ok_or_else(not_yet)?;
    if set.is_fresh(now) {
        return Ok(Credential { token: set.access_token(), version: found.version });
    }
    // To its end: a token that was renewed and not kept is lost, and so is the authorization.
    let (renewing, connector) = (pipeline.clone(), connector.clone());
    pipeline.to_its_end(async move { renew(&renewing, org, &connector).await }).await
}

fn not_yet() -> Error {
    ConnectorError::Unreachable(NOT_YET.to_owned()).into()
}

async fn renew(pipeline: &Pipeline, org: OrgId, connector: &Connector) -> Result<Credential, Error> {
    let (server, secret) = authorized(connector)?;
    // One of this process at a time, so that those who wait hold no connection to the database meanwhile.
    let turn = pipeline.renewals.get_with((org, connector.id), Arc::default);
    let _turn = turn.lock().await;
    let (parts, tenancy) = (&pipeline.parts, &pipeline.parts.tenancy);
    let mut tx = parts.db.begin(org).await?;
    let kept = tenancy.lock_secret(&mut tx, org, secret).await?.ok_or_else(not_yet)?;
    let current = tenancy.open_locked(&mut tx, org, &kept).await?;
    let set = TokenSet::parse(&current.token).ok_or_else(not_yet)?;
    let now = parts.world.clock.now();
    if set.is_fresh(now) {
        return Ok(Credential { token: set.access_token(), version: current.version });
    }
    let renewed = tokio::time::timeout(LONGEST, oauth::renew(&parts.egress, server, set, now)).await;
    let late = || ConnectorError::Unreachable("the authorization server did not answer in time".to_owned());
    let renewed = renewed.map_err(|_| late())?.map_err(failed)?;
    tenancy.renew_secret(&mut tx, org, &kept, &renewed).await?;
    db::commit(tx).await?;
    metrics::counter!("countersign_token_renewals_total").increment(1);
    let set = TokenSet::parse(&renewed).ok_or_else(not_yet)?;
    Ok(Credential { token: set.access_token(), version: current.version })
}

/// Who renews what, in this process.
pub(crate) type Renewals = moka::sync::Cache<(OrgId, ConnectorId), Arc<tokio::sync::Mutex<()>>>;
