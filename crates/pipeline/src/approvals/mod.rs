//! Approvals: what people answer, and what becomes of an invocation that waited for them.
//!
//! Flow: [`Approvals::answer`] → the engine → `perform`, which makes a second check from what is true by then → the same
//! stages as everything else. Where the subject of a question changed, or a person corrected its parameters, people are
//! asked again. What nobody answers expires; an unknown outcome is reconciled.
//!
//! INVARIANT: of any number of answers, an expiry and a crash at once, exactly one ends the waiting: the row is locked
//! first, and every change of state names the state it changes.

mod answer;
mod ask_again;
mod conclude;
mod differences;
mod edit;
mod endorse;
mod expire;
mod frozen;
mod hidden;
mod passages;
mod perform;
pub(crate) mod places;
pub(crate) mod quarantine;
mod reconcile;
mod rules;
pub(crate) mod second_check;
pub(crate) mod shown;
mod signature;
mod target;

use changes::Author;
use model::{InvocationId, OrgId};

use crate::{error::Error, invocation::Invocation, parts::Pipeline};

pub use answer::{Answer, Extent, GivenAnswer, Voter};
pub use edit::{Edit, GivenEdit};
pub use endorse::GivenEndorsement;
pub use frozen::Frozen;
pub(crate) use frozen::freeze;
pub use hidden::Revealed;
pub use perform::Performed;
pub(crate) use perform::perform;
pub use quarantine::{GivenRuling, Release};
pub use reconcile::Finding;
pub use rules::{no_longer_waits, only_once, why};
pub use signature::{PasskeyAssertion, PasskeyCheck, Site};

/// The answers of people. Cheap to clone.
#[derive(Clone)]
pub struct Approvals {
    pipeline: Pipeline,
}

impl Approvals {
    pub(crate) fn new(pipeline: Pipeline) -> Self {
        Self { pipeline }
    }

    /// Records a person's answer. An approval that completes the quorum makes the invocation `approved`, to be performed by
    /// the engine; a denial ends it.
    pub async fn answer(&self, org: OrgId, given: GivenAnswer) -> Result<Invocation, Error> {
        answer::answer(&self.pipeline, org, given).await
    }

    /// Reveals the hidden values of an invocation that waits to a person who may approve it, and records that they saw
    /// them.
    pub async fn reveal(&self, org: OrgId, id: InvocationId, voter: &Voter) -> Result<Vec<Revealed>, Error> {
        hidden::reveal(&self.pipeline, org, id, voter).await
    }

    /// Corrects the parameters of an invocation that waits. Nothing is approved by that: people are asked about the
    /// corrected ones.
    pub async fn edit(&self, org: OrgId, given: GivenEdit) -> Result<Invocation, Error> {
        edit::edit(&self.pipeline, org, given).await
    }

    /// Trusts what a session had read when it asked, for the rest of the session. Returns what that is.
    pub async fn endorse(&self, by: &Author, given: GivenEndorsement) -> Result<Vec<String>, Error> {
        endorse::endorse(&self.pipeline, by, given).await
    }

    /// Discards something that was quarantined.
    pub async fn discard(&self, org: OrgId, given: GivenRuling) -> Result<Invocation, Error> {
        quarantine::discard(&self.pipeline, org, given).await
    }

    /// Releases as text something that was quarantined: it is proposed again. Returns the new invocation.
    pub async fn release(&self, org: OrgId, given: GivenRuling) -> Result<Invocation, Error> {
        Box::pin(quarantine::release(&self.pipeline, org, given)).await
    }

    /// Deletes the parameters of what was quarantined long ago. Returns how many.
    pub async fn purge_quarantined(&self) -> Result<i64, Error> {
        quarantine::purge(&self.pipeline).await
    }

    /// Ends an invocation that waits, because its requester no longer wants it. Returns whether it did.
    pub async fn withdraw(&self, org: OrgId, id: InvocationId, why: &str) -> Result<bool, Error> {
        expire::withdraw(&self.pipeline, org, id, why).await
    }

    /// Ends an invocation that nobody answered in time. Returns whether it did.
    pub async fn expire(&self, org: OrgId, id: InvocationId) -> Result<bool, Error> {
        expire::expire(&self.pipeline, org, id).await
    }

    /// Expires what nobody answered and submits again what was approved and is not begun, in every org. Returns how many.
    pub async fn sweep(&self) -> Result<usize, Error> {
        expire::sweep(&self.pipeline).await
    }

    /// Deletes shown documents of invocations that have ended; their receipts keep those that were answered. Returns how
    /// many.
    pub async fn purge_documents(&self) -> Result<i64, Error> {
        shown::purge(&self.pipeline).await
    }

    /// Records what a person found out about an unknown outcome, once.
    pub async fn reconcile(
        &self,
        org: OrgId,
        id: InvocationId,
        finding: Finding,
    ) -> Result<Invocation, Error> {
        reconcile::reconcile(&self.pipeline, org, id, finding).await
    }
}
