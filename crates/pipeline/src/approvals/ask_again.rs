//! Asking again: a question whose subject changed goes back to the people, who see what is different.

use std::time::Duration;

use model::{InvocationId, Mode, OrgId};
use platform::db::Tx;
use serde_json::Value;

use super::{edit::Edit, second_check::Changed};
use crate::{
    engine,
    error::Error,
    parts::Pipeline,
    receipts,
    stages::{claim, state::Record},
    store::{self, NewQuestion},
};

/// A question that was asked again: the engine must expire it after this time.
pub(super) struct AskedAgain {
    org: OrgId,
    id: InvocationId,
    patience: Duration,
}

/// Parameters that a person corrected.
pub(super) struct Edited {
    /// Redacted.
    pub(super) params: Value,
    pub(super) sealed: Vec<u8>,
    /// Every correction, with this one.
    pub(super) edits: Vec<Edit>,
}

/// Whether people can be asked again: not if it is denied by now, and not if it needs nobody any more.
pub(super) fn can_ask(changed: &Changed) -> bool {
    changed.decided.decision.mode == Mode::RequireApproval && !changed.decided.decision.quarantined
}

/// Puts the question again with its subject of now. Earlier votes no longer count. The row is locked by the caller. It
/// waited before, so it may wait again even if others took all places meanwhile.
pub(super) async fn ask_again(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    Changed { parts, decided }: &Changed,
    edited: Option<&Edited>,
) -> Result<AskedAgain, Error> {
    let (org, id) = (record.org, record.invocation.id);
    let resolved = &decided.admitted.0;
    let now = pipeline.parts.world.clock.now();
    let patience = claim::patience(resolved.snapshot.facts.session.kind);
    let definition = &resolved.action.definition;
    let question = NewQuestion {
        subject: &decided.subject.to_value(),
        digest: &decided.subject_digest,
        decision: &decided.decision,
        definition_hash: &resolved.action.hash,
        risk: definition.risk,
        effect: definition.effect,
        changed: parts,
        expires_at: now + patience,
        params: edited.map(|edited| &edited.params),
        params_sealed: edited.map(|edited| edited.sealed.as_slice()),
        edits: edited.map(|edited| edited.edits.as_slice()),
    };
    if !store::ask_again(tx, org, id, &question).await? {
        return Err(Error::AlreadyAnswered(record.invocation.status));
    }
    let mut asked = record.clone();
    asked.invocation.risk = definition.risk;
    asked.invocation.expires_at = Some(question.expires_at);
    asked.invocation.changed.clone_from(parts);
    let event = receipts::pending_event(pipeline, &asked);
    pipeline.parts.events.stage(tx, org, std::iter::once(&event)).await?;
    store::notify(tx, id).await?;
    metrics::counter!("countersign_asked_again_total").increment(1);
    Ok(AskedAgain { org, id, patience })
}

impl AskedAgain {
    /// Sets the timer that expires the question, after the transaction is committed.
    pub(super) async fn expire_later(self, pipeline: &Pipeline) {
        engine::expire_later(&pipeline.parts, self.org, self.id, self.patience).await;
    }
}
