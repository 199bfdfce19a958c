//! Stage 1: which session, which action.

use std::sync::Arc;

use catalog::Action;
use model::ActionAddress;

use crate::{
    Error, Pipeline, batch,
    standing::{self, Standing},
    state::{Request, Resolved},
};

/// Finds the session and the action, or says what is missing.
pub(crate) async fn resolve(pipeline: &Pipeline, request: Request) -> Result<Resolved, Error> {
    let mut standing = standing::of(pipeline, request.org, request.session).await?;
    if standing.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Err(Error::SessionOver);
    }
    let address = request.action.parse::<ActionAddress>().ok();
    let find = |standing: &Standing| {
        address.as_ref().and_then(|address| pipeline.find_action(&standing.org.catalog, address))
    };
    let mut action = find(&standing);
    if action.is_none() {
        // What is remembered may be from before the tool was there.
        standing = standing::load(pipeline, request.org, request.session).await?;
        action = find(&standing);
    }
    let Some(action) = action else {
        return Err(unknown(pipeline, &standing, &request.action));
    };
    let action = batch::expand(pipeline, &standing.org.catalog, action, &request.params)?;
    if missing(&action, &standing).is_some() {
        // What is remembered may be from before it was connected, and nothing after this stage would find that out.
        standing = standing::load(pipeline, request.org, request.session).await?;
        if let Some(source) = missing(&action, &standing) {
            return Err(Error::NotConnected(source));
        }
    }
    Ok(Resolved { request, standing, action })
}

/// Says that there is no such action, and which are like it.
fn unknown(pipeline: &Pipeline, standing: &Standing, asked: &str) -> Error {
    // An unknown address may be megabytes of anything; only its beginning is repeated.
    let address: String = pipeline.redactor.redact_text(asked).chars().take(130).collect();
    let known = pipeline.parts.registry.actions().chain(standing.org.catalog.actions());
    let near = model::near(&address, known.map(|action| action.definition.address.to_string()));
    Error::UnknownAction { address, near }
}

/// A source that the action or a part of it needs and the org has not connected.
fn missing(action: &Arc<Action>, standing: &Standing) -> Option<String> {
    let mut needed =
        std::iter::once(action).chain(&action.parts).filter(|action| action.definition.needs_connection);
    let missing =
        needed.find(|action| !standing.org.connected.contains_key(action.definition.address.source.as_str()));
    missing.map(|action| action.definition.address.source.to_string())
}
