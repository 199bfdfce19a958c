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
    let near = near(&address, known.map(|action| action.definition.address.to_string()));
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

/// The three addresses most like the one that was asked for, if any is alike at all.
fn near(asked: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<_> = known.map(|address| (distance(asked, &address), address)).collect();
    scored.retain(|(distance, address)| *distance * 2 <= address.len());
    scored.sort();
    scored.into_iter().take(3).map(|(_, address)| address).collect()
}

/// Levenshtein distance over bytes; both texts are short.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.bytes().enumerate() {
        let mut before = i;
        let mut here = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(b.bytes()) {
            let substituted = before + usize::from(left != right);
            before = *cell;
            here = substituted.min(before + 1).min(here + 1);
            *cell = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_address_is_answered_with_the_nearest_ones() {
        let known =
            || ["linear.list_issues", "linear.get_issue", "slack.send_message"].into_iter().map(String::from);
        assert_eq!(near("linear.list_issue", known())[0], "linear.list_issues");
        assert_eq!(near("slack.sendmessage", known()), ["slack.send_message"]);
        assert!(near("utterly.different_thing_altogether", known()).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
