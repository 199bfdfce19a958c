//! Endorsements: a person who looked at what a session had read trusts it for the rest of the session. An answer frees one call;
//! this lowers what later ones are made of, and nothing that is read afterwards is covered.

use changes::{Author, Draft, Kind};
use model::{ChosenBy, Digest, InvocationId};
use platform::db;
use serde_json::json;

use super::{Voter, answer::take};
use crate::{error::Error, parts::Pipeline, store};

/// What a person trusts, beside a question.
#[derive(Debug)]
pub struct GivenEndorsement {
    pub invocation: InvocationId,
    pub voter: Voter,
    /// The document that lists what was read.
    pub shown: Digest,
    pub note: String,
}

/// Stores an endorsement. Returns what is trusted by it.
pub(super) async fn endorse(
    pipeline: &Pipeline,
    by: &Author,
    given: GivenEndorsement,
) -> Result<Vec<String>, Error> {
    let GivenEndorsement { invocation: id, voter, shown, note } = given;
    let (parts, org) = (&pipeline.parts, by.org);
    let (mut tx, locked, settings) = take(pipeline, org, id, (&voter, shown)).await?;
    let invocation = &locked.record.invocation;
    let needed = settings.needed(invocation.risk, invocation.decision.approvers);
    if needed.votes > 1 || needed.signed {
        return Err(Error::NotAlone);
    }
    let note = pipeline.reader.redactor.redact_text(&note).into_owned();
    let origins = match &invocation.decision.flow {
        Some(flow) if flow.chosen_by == ChosenBy::Model && !flow.untrusted.is_empty() => {
            flow.untrusted.clone()
        }
        _ => return Err(Error::NothingToEndorse),
    };
    let draft = Draft {
        kind: Kind::FlowEndorsed,
        subject: invocation.session.to_string(),
        name: invocation.agent.clone(),
        before: None,
        after: Some(json!({ "invocation": id, "origins": origins, "note": note })),
    };
    let mut recorded = parts.policies.recorder().record(&mut tx, by, draft).await?;
    let new = store::NewEndorsement {
        session: invocation.session,
        invocation: id,
        covers_until: invocation.requested_at,
        origins: &json!(origins),
        note: &note,
        by: voter.user,
        at: parts.world.clock.now(),
    };
    store::insert_endorsement(&mut recorded, org, &new).await?;
    db::commit(tx).await?;
    Ok(origins)
}
