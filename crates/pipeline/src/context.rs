//! What a source is given for one call: the credential, resolved now and for this call only, and its limits.

use std::time::Duration;

use catalog::{Action, CallContext, Credential};
use model::{ActionDefinition, InvocationId, OrgId, SourceSlug};

use crate::{Error, Pipeline, authorize, dispatch::MOST_ATTEMPTS, standing::Standing};

/// The org's credential for an action, with its version; none and 0 for actions that need none. With the standing by
/// which it was claimed it is the one of that standing: the claim proved it to be the current one, moments ago.
pub(crate) async fn credential(
    pipeline: &Pipeline,
    org: OrgId,
    definition: &ActionDefinition,
    standing: Option<&Standing>,
) -> Result<(Option<Credential>, i32), Error> {
    if !definition.needs_connection {
        return Ok((None, 0));
    }
    let source = &definition.address.source;
    let kept = standing.and_then(|standing| Some((standing, standing.org.connected.get(source.as_str())?)));
    let found = match kept {
        Some((standing, kept)) => {
            let found = pipeline.parts.tenancy.open_credential(org, kept).await?;
            Some(match standing.org.catalog.connector(source) {
                Some(connector) => authorize::fresh(pipeline, org, connector, found).await?,
                None => found,
            })
        }
        None => current_credential(pipeline, org, source).await?,
    };
    Ok(found.map_or((None, 0), |found| (Some(Credential { token: found.token }), found.version)))
}

/// The credential of a source as of now: a connector's secret, or a connection.
pub(crate) async fn current_credential(
    pipeline: &Pipeline,
    org: OrgId,
    source: &SourceSlug,
) -> Result<Option<tenancy::Credential>, Error> {
    let tenancy = &pipeline.parts.tenancy;
    let mut tx = pipeline.parts.db.begin(org).await?;
    let connector = catalog::connector::store::find(&mut tx, org, source).await?;
    let Some(connector) = connector else {
        drop(tx);
        return Ok(tenancy.credential(org, source).await?);
    };
    let Some(name) = connector.auth.secret() else { return Ok(None) };
    let kept = tenancy.sealed_secrets(&mut tx, org, &[name.to_owned()]).await?;
    drop(tx);
    match kept.get(name) {
        None => Ok(None),
        Some(kept) => {
            let found = tenancy.open_credential(org, kept).await?;
            authorize::fresh(pipeline, org, &connector, found).await.map(Some)
        }
    }
}

/// What an agent and a person are told when a credential cannot be had.
pub(crate) fn unreadable(error: &Error) -> &str {
    match error {
        // In our own words, with what to do.
        Error::Connector(catalog::connector::Error::Unreachable(message)) => message,
        _ => "the credential for this source cannot be read",
    }
}

/// How long one call may take: what its definition says, within what the operator allows.
pub(crate) fn timeout(pipeline: &Pipeline, definition: &ActionDefinition) -> Duration {
    Duration::from_millis(definition.timeout_ms).min(pipeline.parts.limits.action_timeout)
}

/// How long an execution is left alone when one call may take `timeout`: long enough for every try it may make.
/// Whoever finds it later than that may take over, so no try begins that could outlast it.
pub(crate) fn lease(pipeline: &Pipeline, timeout: Duration) -> Duration {
    timeout * MOST_ATTEMPTS + pipeline.parts.limits.lease_margin
}

/// How long an execution of this action is left alone: for a batch, as long as all its parts may take.
pub(crate) fn lease_of(pipeline: &Pipeline, action: &Action) -> Duration {
    let alone = std::iter::once(&action.definition).filter(|_| action.parts.is_empty());
    let parts = action.parts.iter().map(|part| &part.definition);
    alone.chain(parts).map(|definition| lease(pipeline, timeout(pipeline, definition))).sum()
}

/// The context of asking a connector what it can do: nobody's session, and no invocation.
pub(crate) fn for_harvest(
    pipeline: &Pipeline,
    org: OrgId,
    credential: Option<tenancy::Credential>,
) -> CallContext {
    let limits = &pipeline.parts.limits;
    CallContext {
        org,
        key: InvocationId::from_uuid(pipeline.parts.world.uuid()).into(),
        credential: credential.map(|found| Credential { token: found.token }),
        timeout: limits.action_timeout,
        egress: pipeline.parts.egress.clone(),
        workspace: None,
    }
}

/// The context of one call. The target knows it by the invocation's own id: a caller may use a key again after a day,
/// and must not meet the effect of the day before.
pub(crate) fn build(
    pipeline: &Pipeline,
    org: OrgId,
    (definition, invocation): (&ActionDefinition, InvocationId),
    credential: Option<Credential>,
) -> CallContext {
    CallContext {
        org,
        key: invocation.into(),
        credential,
        timeout: timeout(pipeline, definition),
        egress: pipeline.parts.egress.clone(),
        workspace: pipeline.parts.workspace_root.as_ref().map(|root| root.join(org.to_string())),
    }
}
