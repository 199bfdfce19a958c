//! Credentials: resolved at the moment of use, for one call. OAuth tokens are renewed here when they expire.
//!
//! INVARIANT: tokens are renewed by one process at a time: an authorization server takes a refresh token that is used
//! twice for stolen.

pub(crate) mod references;

use std::{sync::Arc, time::Duration};

use catalog::{
    Credential,
    connector::{Auth, Connector, Error as ConnectorError, Kind, store},
    mcp::oauth::{self, TokenSet},
    models::Provider,
};
use model::{ActionDefinition, CredentialVersion, OrgId, SourceSlug};
use platform::db;
use tenancy::SecretUse;
use url::Url;

use crate::{error::Error, parts::Reader, policy_snapshot::Snapshot};

/// How long a renewal may take: a row is locked meanwhile.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(12);

const NOT_AUTHORIZED: &str =
    "this connector is not authorized yet; ask an admin to run `countersign connectors authorize`";

/// The org's credential for an action, with its version; none for actions that need none. With the snapshot of the
/// claim, it is the credential of that snapshot: the claim proved moments ago that it is the current one.
pub(crate) async fn for_action(
    reader: &Reader,
    org: OrgId,
    definition: &ActionDefinition,
    snapshot: Option<&Snapshot>,
) -> Result<Option<(Credential, CredentialVersion)>, Error> {
    if !definition.needs_connection {
        return Ok(None);
    }
    let (source, target) = (&definition.address.source, definition.address.target());
    let cached = snapshot.and_then(|snapshot| Some((snapshot, snapshot.org.connected.get(&target)?)));
    let found = match cached {
        Some((snapshot, sealed)) => {
            let found = reader.parts.tenancy.open_credential(org, sealed).await?;
            Some(match snapshot.org.catalog.connector(source) {
                Some(connector) => fresh(reader, org, connector, found).await?,
                None => found,
            })
        }
        None if definition.address.is_model() => {
            let catalog = reader.catalog(&mut reader.parts.db.begin(org).await?, org).await?;
            match catalog.model_provider(&definition.address.action) {
                Some(provider) => reader.credential_of(org, provider).await?,
                None => None,
            }
        }
        None => reader.current_credential(org, source).await?,
    };
    Ok(found.map(|found| (Credential { token: found.token }, found.version)))
}

impl Reader {
    /// The current credential of a source: a connector's secret, or a connection.
    pub async fn current_credential(
        &self,
        org: OrgId,
        source: &SourceSlug,
    ) -> Result<Option<tenancy::Credential>, Error> {
        let tenancy = &self.parts.tenancy;
        let mut tx = self.parts.db.begin(org).await?;
        let connector = store::find(&mut tx, org, source).await?;
        let Some(connector) = connector else {
            drop(tx);
            return Ok(tenancy.credential(org, source).await?);
        };
        let Some(wanted) = secret_use(&connector) else { return Ok(None) };
        let sealed = tenancy.secrets_for(&mut tx, org, std::slice::from_ref(&wanted)).await?;
        drop(tx);
        match sealed.get(&wanted.source) {
            None => Ok(None),
            Some(sealed) => {
                let found = tenancy.open_credential(org, sealed).await?;
                fresh(self, org, &connector, found).await.map(Some)
            }
        }
    }
}

impl Reader {
    /// The current credential of a provider of models.
    pub async fn credential_of(
        &self,
        org: OrgId,
        provider: &Provider,
    ) -> Result<Option<tenancy::Credential>, Error> {
        let Some(wanted) = model_secret_use(provider) else { return Ok(None) };
        let tenancy = &self.parts.tenancy;
        let mut tx = self.parts.db.begin(org).await?;
        let sealed = tenancy.secrets_for(&mut tx, org, std::slice::from_ref(&wanted)).await?;
        drop(tx);
        match sealed.get(&wanted.source) {
            None => Ok(None),
            Some(sealed) => Ok(Some(tenancy.open_credential(org, sealed).await?)),
        }
    }
}

/// The use that a provider of models makes of a secret, if it uses one.
pub fn model_secret_use(provider: &Provider) -> Option<SecretUse> {
    let secret = provider.auth.secret()?.to_owned();
    Some(SecretUse { secret, source: provider.address().target(), origin: provider.origin() })
}

/// The use that a connector makes of a secret, if it uses one.
pub fn secret_use(connector: &Connector) -> Option<SecretUse> {
    let (secret, origin) = connector.sends_secret()?;
    Some(SecretUse { secret: secret.to_owned(), source: connector.slug.to_string(), origin })
}

/// The message for an agent or a person when a credential cannot be resolved.
pub fn unreadable(error: &Error) -> &str {
    match error {
        // This message is ours and says what to do.
        Error::Connector(ConnectorError::Unreachable(message)) => message,
        _ => "the credential for this source cannot be read",
    }
}

/// The server whose authorization server is asked, and the name of the secret that holds its tokens.
pub fn oauth_server(connector: &Connector) -> Result<(&Url, &str), Error> {
    match (&connector.kind, &connector.auth) {
        (Kind::Mcp { url }, Auth::OAuth { secret }) => Ok((url, secret)),
        _ => {
            let rule = "only an MCP server with `oauth` can be authorized this way";
            Err(ConnectorError::Invalid(rule.to_owned()).into())
        }
    }
}

/// The token for a call of a connector: as it is, or from its set of tokens, renewed if it expired.
async fn fresh(
    reader: &Reader,
    org: OrgId,
    connector: &Connector,
    found: tenancy::Credential,
) -> Result<tenancy::Credential, Error> {
    if !matches!(connector.auth, Auth::OAuth { .. }) {
        return Ok(found);
    }
    let now = reader.parts.world.clock.now();
    let set = TokenSet::parse(&found.token).ok_or_else(not_authorized)?;
    if set.is_fresh(now) {
        return Ok(tenancy::Credential { token: set.access_token(), version: found.version });
    }
    // To its end: if a renewed token is not saved, the authorization is lost.
    let (renewing, connector) = (reader.clone(), connector.clone());
    let work = async move { renew(&renewing, org, &connector).await };
    reader.parts.shutdown.finish(work).await.ok_or(Error::Interrupted)?
}

fn not_authorized() -> Error {
    ConnectorError::Unreachable(NOT_AUTHORIZED.to_owned()).into()
}

async fn renew(reader: &Reader, org: OrgId, connector: &Connector) -> Result<tenancy::Credential, Error> {
    let (server, secret) = oauth_server(connector)?;
    // One task of this process at a time, so that the others wait without holding a database connection.
    let lock = reader.renewals.get_with((org, connector.id), Arc::default);
    let _turn = lock.lock().await;
    let (parts, tenancy) = (&reader.parts, &reader.parts.tenancy);
    let mut tx = parts.db.begin(org).await?;
    let locked = tenancy.lock_secret(&mut tx, org, secret).await?.ok_or_else(not_authorized)?;
    let current = tenancy.open_locked(&mut tx, org, &locked).await?;
    let set = TokenSet::parse(&current.token).ok_or_else(not_authorized)?;
    let now = parts.world.clock.now();
    if set.is_fresh(now) {
        return Ok(tenancy::Credential { token: set.access_token(), version: current.version });
    }
    let unreachable = |message: String| Error::from(ConnectorError::Unreachable(message));
    let renewed = tokio::time::timeout(RENEWAL_TIMEOUT, oauth::renew(&parts.egress, server, set, now)).await;
    let renewed = renewed
        .map_err(|_| unreachable("the authorization server did not answer in time".to_owned()))?
        .map_err(|error| unreachable(error.message))?;
    tenancy.renew_secret(&mut tx, org, &locked, &renewed).await?;
    db::commit(tx).await?;
    metrics::counter!("countersign_token_renewals_total").increment(1);
    let set = TokenSet::parse(&renewed).ok_or_else(not_authorized)?;
    Ok(tenancy::Credential { token: set.access_token(), version: current.version })
}
