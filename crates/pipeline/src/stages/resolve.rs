//! Stage 1: resolve the session and the action.

use std::sync::Arc;

use catalog::Action;
use model::ActionAddress;

use super::{
    state::{Admitted, Request, Resolved},
    validate,
};
use crate::{
    batch,
    error::Error,
    parts::Pipeline,
    policy_snapshot::{Snapshot, load},
};

/// Finds the session and the action, or says what is missing.
pub(crate) async fn resolve(pipeline: &Pipeline, request: Request) -> Result<Resolved, Error> {
    let snapshot = load::cached(&pipeline.reader, request.org, request.session).await?;
    match resolve_by(pipeline, &request, snapshot).await {
        // A part of a batch. The cached snapshot may be older than its schema.
        Err(Error::InvalidParams(_)) => by_newest(pipeline, request).await,
        resolved => Ok(resolved_by(request, resolved?)),
    }
}

fn resolved_by(request: Request, (snapshot, action): (Arc<Snapshot>, Arc<Action>)) -> Resolved {
    Resolved { request, snapshot, action, asked_before: 0 }
}

/// The same, by a snapshot that is read now.
pub(crate) async fn by_newest(pipeline: &Pipeline, request: Request) -> Result<Resolved, Error> {
    let snapshot = load::fresh(&pipeline.reader, request.org, request.session).await?;
    let resolved = resolve_by(pipeline, &request, snapshot).await?;
    Ok(resolved_by(request, resolved))
}

async fn resolve_by(
    pipeline: &Pipeline,
    request: &Request,
    mut snapshot: Arc<Snapshot>,
) -> Result<(Arc<Snapshot>, Arc<Action>), Error> {
    let reader = &pipeline.reader;
    if snapshot.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Err(Error::SessionOver);
    }
    let address = request.action.parse::<ActionAddress>().ok();
    let find = |snapshot: &Snapshot| {
        address.as_ref().and_then(|address| reader.find_action(&snapshot.org.catalog, address))
    };
    let mut action = find(&snapshot);
    if action.is_none() {
        // The cached snapshot may be older than the tool.
        snapshot = load::fresh(reader, request.org, request.session).await?;
        action = find(&snapshot);
    }
    // Models are asked by steps only, which store the prompt and say whose budget pays for the reply.
    let Some(action) =
        action.filter(|action| !action.definition.address.is_model() || request.budget.is_some())
    else {
        return Err(unknown(pipeline, &snapshot, &request.action));
    };
    let action = batch::expand(reader, &snapshot.org.catalog, action, &request.params)?;
    if missing(&action, &snapshot).is_some() {
        // The cached snapshot may be older than the connection, and no later stage would notice.
        snapshot = load::fresh(reader, request.org, request.session).await?;
        if let Some(source) = missing(&action, &snapshot) {
            return Err(Error::NotConnected(source));
        }
    }
    Ok((snapshot, action))
}

/// Resolves a request again whose policy changed between its decision and its record.
pub(crate) async fn resolve_again(pipeline: &Pipeline, stale: Admitted) -> Result<Admitted, Error> {
    let Admitted(Resolved { request, snapshot: outdated, action, asked_before }) = stale;
    let reader = &pipeline.reader;
    reader.snapshots.forget(request.org, outdated.facts.policy_version);
    let snapshot = load::fresh(reader, request.org, request.session).await?;
    if snapshot.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Err(Error::SessionOver);
    }
    // The action itself may have changed as well.
    let address = &action.definition.address;
    let action = reader
        .find_action(&snapshot.org.catalog, address)
        .ok_or_else(|| Error::UnknownAction { address: address.to_string(), near: vec![] })?;
    let action = batch::expand(reader, &snapshot.org.catalog, action, &request.params)?;
    let resolved = Resolved { request, snapshot, action, asked_before };
    validate::validate(resolved).map(|validated| Admitted(validated.0))
}

/// The error for an unknown action, with similar ones.
fn unknown(pipeline: &Pipeline, snapshot: &Snapshot, asked: &str) -> Error {
    // An unknown address may be megabytes long; only its beginning is repeated.
    let address: String = pipeline.reader.redactor.redact_text(asked).chars().take(130).collect();
    let known = pipeline.parts.registry.actions().chain(snapshot.org.catalog.actions());
    let known = known.filter(|action| !action.definition.address.is_model());
    let near = model::suggest(&address, known.map(|action| action.definition.address.to_string()));
    Error::UnknownAction { address, near }
}

/// A source that the action or one of its parts needs and the org has not connected.
fn missing(action: &Arc<Action>, snapshot: &Snapshot) -> Option<String> {
    let mut needed =
        std::iter::once(action).chain(&action.parts).filter(|action| action.definition.needs_connection);
    let missing =
        needed.find(|action| !snapshot.org.connected.contains_key(&action.definition.address.target()));
    missing.map(|action| action.definition.address.target())
}
