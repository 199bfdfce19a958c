//! Editing: a person who may approve corrects the parameters of a question. The corrected ones are validated, decided and
//! shown anew, and earlier votes no longer count. The agent is told what changed and why.

use model::{Change, Digest, EventType, InvocationId, OrgId, ShownEdit, Status, UserId};
use platform::{
    db::{self, Tx},
    redact,
};
use policy::NewEntries;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    answer::{self, Voter},
    ask_again::{Edited, ask_again, can_ask},
    differences::{Fields, differing},
    hidden,
    rules::why,
    second_check::{self, Changed},
    shown::check_can_be_shown,
};
use crate::{
    credentials::references,
    error::Error,
    facts,
    invocation::Invocation,
    params,
    parts::Pipeline,
    receipts,
    store::{self, LockedInvocation},
};

/// How often one invocation can be edited.
const MOST_EDITS: usize = 10;

/// A correction of the parameters by a person.
#[derive(Debug, Clone)]
pub struct GivenEdit {
    pub invocation: InvocationId,
    pub voter: Voter,
    /// The digest of the document that the person was shown.
    pub shown: Digest,
    /// All parameters. A hidden value that is left as it was shown keeps its value.
    pub params: Value,
    /// Why, for the agent and for those who vote.
    pub note: String,
}

/// A correction as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    pub user: UserId,
    #[serde(flatten)]
    pub shown: ShownEdit,
}

pub(super) async fn edit(pipeline: &Pipeline, org: OrgId, given: GivenEdit) -> Result<Invocation, Error> {
    let GivenEdit { invocation: id, voter, shown, params, note } = given;
    let (mut tx, locked, _) = answer::take(pipeline, org, id, (&voter, shown)).await?;
    let invocation = &locked.record.invocation;
    if invocation.address.is_model() {
        return Err(Error::CannotEdit("what a model is asked is named by its digest".to_owned()));
    }
    if invocation.edits.len() >= MOST_EDITS {
        return Err(Error::CannotEdit(format!("it was edited {MOST_EDITS} times already")));
    }
    let (before, params) = corrected(pipeline, &mut tx, &locked, params).await?;
    let recorded = match second_check::as_of_now(pipeline, &mut tx, &locked, params).await? {
        Ok(recorded) => recorded,
        Err(why) => return Err(Error::CannotEdit(why)),
    };
    recorded.action.validate(&recorded.params).map_err(Error::InvalidParams)?;
    references::check(&recorded.action, &recorded.snapshot, &recorded.params)?;
    check_can_be_shown(&recorded.params)?;
    let decided = second_check::decide_again_in(pipeline, &mut tx, &locked.record, recorded).await?;
    let changed = Changed { parts: vec!["the parameters".to_owned()], decided };
    if !can_ask(&changed) {
        return Err(Error::CannotEdit(why(&changed.decided.decision).join("; ")));
    }
    let after = &changed.decided.admitted.0.request.params;
    let redactor = &pipeline.reader.redactor;
    let redacted = references::redact(redactor, &changed.decided.admitted.0.action, after);
    let places = differing(&before, after, Fields::Each);
    let members = pipeline.parts.tenancy.members_by_id(&mut tx, org, &[voter.user]).await?;
    let made = Edit {
        user: voter.user,
        shown: ShownEdit {
            by: members.get(&voter.user).map(|member| member.name.clone()).unwrap_or_default(),
            note: redactor.redact_text(&note).into_owned(),
            at: pipeline.parts.world.clock.now().to_string(),
            changes: places.iter().map(|place| change(place, &invocation.params, &redacted)).collect(),
        },
    };
    let edits: Vec<Edit> = invocation.edits.iter().cloned().chain([made]).collect();
    let plain = serde_json::to_vec(after).map(zeroize::Zeroizing::new);
    let plain = plain.map_err(|_| db::Error::Inconsistent { column: "invocations.params" })?;
    let sealed = params::seal(&pipeline.reader, &mut tx, org, id, &plain).await?;
    let edited = Edited { params: redacted, sealed, edits };
    contribute_again(pipeline, &mut tx, &locked, &changed).await?;
    let asked = ask_again(pipeline, &mut tx, &locked.record, &changed, Some(&edited)).await?;
    let data = json!({ "invocation": id, "action": invocation.address, "by": voter.user, "places": places });
    let event = receipts::event(pipeline, &locked.record, EventType::ActionEdited, data);
    pipeline.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
    let found = store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    db::commit(tx).await?;
    asked.expire_later(pipeline).await;
    Ok(found)
}

/// What the corrected request contributes to facts, instead of what it did.
async fn contribute_again(
    pipeline: &Pipeline,
    tx: &mut Tx,
    locked: &LockedInvocation,
    changed: &Changed,
) -> Result<(), Error> {
    let (org, invocation) = (locked.record.org, &locked.record.invocation);
    let statutes = &changed.decided.admitted.0.snapshot.org.statutes;
    if statutes.facts.is_empty() {
        return Ok(());
    }
    policy::delete_entries(tx, org, invocation.id).await?;
    let entries = NewEntries {
        invocation: invocation.id,
        at: invocation.requested_at,
        status: Status::Pending,
        entries: &changed.decided.past.entries,
    };
    store::set_counted(tx, org, &[invocation.id]).await?;
    facts::write(pipeline, tx, (org, &statutes.facts), &[entries]).await
}

/// The parameters before, and the corrected ones with the values that are hidden and were left alone.
async fn corrected(
    pipeline: &Pipeline,
    tx: &mut Tx,
    locked: &LockedInvocation,
    mut params: Value,
) -> Result<(Value, Value), Error> {
    let wrong = |pointer: &str, message: &str| Error::Malformed {
        pointer: format!("/params{pointer}"),
        message: message.to_owned(),
    };
    if !params.is_object() {
        return Err(wrong("", "expected an object"));
    }
    let (before, hidden) = hidden::of_question(&pipeline.reader, tx, locked).await?;
    let shown = &locked.record.invocation.params;
    for place in &hidden {
        if let (Some(given), Some(value)) =
            (params.pointer_mut(&place.pointer), before.pointer(&place.pointer))
            && Some(&*given) == shown.pointer(&place.pointer)
        {
            given.clone_from(value);
        }
    }
    let places = differing(&before, &params, Fields::Each);
    if places.is_empty() {
        return Err(wrong("", "nothing is different"));
    }
    for place in places {
        let after = params.pointer(&place).map(ToString::to_string).unwrap_or_default();
        if after.contains(redact::REDACTED) {
            let message = "contains a placeholder for a hidden value; reveal the value and write it out";
            return Err(wrong(&place, message));
        }
    }
    Ok((before, params))
}

/// What changed at a place, as it may be shown.
fn change(place: &str, before: &Value, after: &Value) -> Change {
    let at = |value: &Value| value.pointer(place).cloned().unwrap_or_default();
    Change { field: place.to_owned(), before: at(before), after: at(after) }
}
