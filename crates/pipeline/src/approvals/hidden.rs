//! Hidden values: the parts of the parameters that redaction keeps out of rows, documents and messages. Nobody approves
//! what they did not see, so a person reveals each of them before they approve.

use std::collections::BTreeSet;

use model::{EventType, InvocationId, OrgId, ShownHidden, Status};
use platform::{
    db::{self, Tx},
    redact::Redactor,
};
use serde_json::{Value, json};

use super::{
    answer::Voter,
    differences::{Fields, differing},
    rules::no_longer_waits,
};
use crate::{
    error::Error,
    params,
    parts::{Pipeline, Reader},
    receipts,
    store::{self, LockedInvocation},
};

/// A value that a person asked to see.
#[derive(Debug, Clone)]
pub struct Revealed {
    /// Where it is in the parameters, as a JSON pointer.
    pub pointer: String,
    pub value: Value,
}

/// The places of the parameters at which the shown ones differ from those that would be sent.
fn places(redactor: &Redactor, sent: &Value, shown: &Value) -> Vec<ShownHidden> {
    let place = |pointer: String| {
        let value = sent.pointer(&pointer).unwrap_or(&Value::Null);
        ShownHidden { characters: characters(value), rule: rule(redactor, value).to_owned(), pointer }
    };
    differing(sent, shown, Fields::Whole).into_iter().map(place).collect()
}

fn characters(value: &Value) -> u32 {
    let count = match value {
        Value::String(text) => text.chars().count(),
        other => other.to_string().chars().count(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Why a value is hidden: redaction hides by the name of a field, or by what a text looks like.
fn rule(redactor: &Redactor, value: &Value) -> &'static str {
    let by_itself = redactor.redact_value(value) != *value;
    if by_itself { "text that looks like a credential" } else { "the name of the field" }
}

/// The parameters of a question as they would be sent, and the places of them that are hidden.
pub(super) async fn of_question(
    reader: &Reader,
    tx: &mut Tx,
    locked: &LockedInvocation,
) -> Result<(Value, Vec<ShownHidden>), Error> {
    let sent = params::open(reader, tx, locked).await?;
    let hidden = places(&reader.redactor, &sent, &locked.record.invocation.params);
    Ok((sent, hidden))
}

/// Checks that a person has seen every hidden value of a question. In Slack nothing can be revealed, so nothing with
/// hidden values is approved there.
pub(super) async fn check_revealed(
    reader: &Reader,
    tx: &mut Tx,
    locked: &LockedInvocation,
    voter: &Voter,
) -> Result<(), Error> {
    let (_, hidden) = of_question(reader, tx, locked).await?;
    if hidden.is_empty() {
        return Ok(());
    }
    let seen = if voter.channel == "slack" {
        BTreeSet::new()
    } else {
        let invocation = &locked.record.invocation;
        store::revealed(tx, locked.record.org, invocation.id, voter.user, &invocation.subject_digest).await?
    };
    match hidden.iter().filter(|place| !seen.contains(&place.pointer)).count() {
        0 => Ok(()),
        count => Err(Error::HiddenValues(count)),
    }
}

/// Reveals hidden values to a person who may approve, and records that they saw them.
pub(super) async fn reveal(
    pipeline: &Pipeline,
    org: OrgId,
    id: InvocationId,
    voter: &Voter,
) -> Result<Vec<Revealed>, Error> {
    let (reader, parts) = (&pipeline.reader, &pipeline.parts);
    let mut tx = parts.db.begin(org).await?;
    let locked = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    let invocation = &locked.record.invocation;
    if invocation.status != Status::Pending {
        return Err(no_longer_waits(invocation.status));
    }
    let (sent, hidden) = of_question(reader, &mut tx, &locked).await?;
    let pointers: Vec<String> = hidden.into_iter().map(|place| place.pointer).collect();
    if pointers.is_empty() {
        return Ok(vec![]);
    }
    let now = parts.world.clock.now();
    store::add_revealed(
        &mut tx,
        org,
        &store::NewReveal {
            invocation: id,
            user: voter.user,
            subject: &invocation.subject_digest,
            pointers: &pointers,
            at: now,
        },
    )
    .await?;
    let data =
        json!({ "invocation": id, "action": invocation.address, "by": voter.user, "places": pointers });
    let event = receipts::event(pipeline, &locked.record, EventType::ApprovalRevealed, data);
    parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
    db::commit(tx).await?;
    let value = |pointer: String| {
        let value = sent.pointer(&pointer).cloned().unwrap_or_default();
        Revealed { pointer, value }
    };
    Ok(pointers.into_iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_a_place_and_nothing_else_is() {
        let redactor = Redactor::new();
        let sent = json!({
            "password": "hunter2", "text": "the password=abcdefgh1234 is old", "plain": "hello",
            "deep": [{ "a/b~c": { "api_key": "xyzxyzxyz" } }, 5], "n": 7,
        });
        let shown = redactor.redact_value(&sent);
        let found = places(&redactor, &sent, &shown);
        let pointers: Vec<&str> = found.iter().map(|place| place.pointer.as_str()).collect();
        assert_eq!(pointers, ["/deep/0/a~1b~0c/api_key", "/password", "/text"]);
        for place in &found {
            assert_ne!(sent.pointer(&place.pointer), shown.pointer(&place.pointer), "{}", place.pointer);
        }
        assert_eq!(found[1].rule, "the name of the field");
        assert_eq!((found[1].characters, &*found[2].rule), (7, "text that looks like a credential"));
        assert!(places(&redactor, &json!({ "a": 1 }), &json!({ "a": 1 })).is_empty());
        // Names that differ hide the whole object.
        let found = places(&redactor, &json!({ "x": { "a": 1 } }), &json!({ "x": { "b": 1 } }));
        assert_eq!(found[0].pointer, "/x");
    }
}
