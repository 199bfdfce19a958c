//! Do it: the path of one invocation, from a request to a signed receipt.
//!
//! Cast: a [`Request`] is what an agent asks. Each stage in `stages/` consumes the type the one before it returned, so
//! none can be skipped: `Request → Resolved → Validated → Admitted → Decided → Claimed → Attempted → Verified → Captured →`
//! [`Invocation`]. [`Pipeline::recover`] finishes what a dead process left, by the same stages. [`Approvals`] are what
//! people answer, [`Webhooks`] carry events out, and a [`read::Reader`] is all of it that has no effect at a target.
//!
//! INVARIANT: an effect happens in `stages/dispatch.rs` only, after the claim is committed, and only with a
//! `policy::Permit`. (Delivering an event to a webhook is no such effect: no agent asked for it, and an admin chose the
//! address.)
//! INVARIANT: a claimed invocation ends in exactly one terminal state with one receipt; state, receipt and event are
//! one transaction.
//! INVARIANT: a decision is recorded only if the policy it was made from is still the current one.
//! INVARIANT: what may have happened is repeated only if a repeat is harmless; otherwise it becomes `unknown`.
//! Not here: HTTP, and who the caller is (`gateway`); what an action does (`catalog`); whether it may (`policy`); what
//! people look at and set up (`oversight`); Slack and mail (`notify`).
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable
    )
)]

mod approvals;
mod batch;
mod breaker;
mod conduct;
mod context;
mod credentials;
mod engine;
mod error;
mod facts;
mod flow;
mod group_commit;
mod invocation;
mod models;
mod outbound;
mod params;
mod parts;
mod policy_snapshot;
mod preview;
pub mod prune;
pub mod read;
mod receipts;
mod reconnect;
mod recover;
mod redaction;
mod stages;
mod store;
mod subject;
mod wait;
mod webhooks;

use std::sync::Arc;

use group_commit::GroupCommit;
use model::{Decision, EffectClass, InvocationId, OrgId};
use parts::{IDLE, Places, Renewals};
use platform::redact::Redactor;
use read::Reader;
use stages::{claim, settle};

pub use approvals::{
    Answer, Approvals, Edit, Extent, Finding, Frozen, GivenAnswer, GivenEdit, GivenEndorsement, GivenRuling,
    PasskeyAssertion, Performed, Release, Revealed, Voter,
};
pub use engine::{Engine, EngineError, bind};
pub use error::Error;
pub use flow::{FlowRules, Foreseen};
pub use invocation::Invocation;
pub use models::budgets::{Budget, Cap, DaySpent, Scope, Spent};
pub use parts::{Parts, Pipeline};
pub use policy::{Provenance, given_labels, source_of};
pub use stages::state::{FailedTry, MAX_REASON_CHARS, Request, take_reason};
pub use webhooks::Webhooks;

/// Whether every reader of a JSON value keeps it as it is: parameters that are not are refused.
pub fn is_portable(value: &serde_json::Value) -> bool {
    receipt::canonical::check(value).is_ok()
}

impl Pipeline {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        let parts = Arc::new(parts);
        let shutdown = &parts.shutdown;
        let reader = Reader {
            parts: parts.clone(),
            snapshots: Arc::default(),
            redactor: Arc::new(Redactor::new()),
            renewals: Renewals::builder().max_capacity(10_000).time_to_idle(IDLE).build(),
        };
        Self {
            reader,
            breakers: Arc::default(),
            claims: Arc::new(GroupCommit::new(shutdown.clone(), claim::claim_group)),
            settlements: Arc::new(GroupCommit::new(shutdown.clone(), settle::settle_group)),
            webhooks: events::Webhooks::new(parts.events.clone(), parts.sealer.clone()),
            places: Places::builder().max_capacity(10_000).time_to_idle(IDLE).build(),
            parts,
        }
    }

    /// Performs one invocation, or says why not. The work continues after the caller disconnects: a dropped connection
    /// must not leave an effect half done.
    pub async fn invoke(&self, request: Request) -> Result<Invocation, Error> {
        let pipeline = self.clone();
        let work = async move { Box::pin(stages::walk(&pipeline, request)).await };
        self.parts.shutdown.finish(work).await.ok_or(Error::Interrupted)?
    }

    /// What would be decided about a request now, and the effect of its action. Nothing is recorded.
    pub async fn foresee(&self, request: Request) -> Result<(Decision, EffectClass), Error> {
        Box::pin(stages::foresee(self, request)).await
    }

    /// Performs an approved invocation, or says that there is nothing to do for now. The work continues after the caller
    /// disconnects.
    pub async fn perform(&self, org: OrgId, id: InvocationId) -> Result<Performed, Error> {
        let pipeline = self.clone();
        let work = async move { Box::pin(approvals::perform(&pipeline, org, id)).await };
        self.parts.shutdown.finish(work).await.ok_or(Error::Interrupted)?
    }

    /// Finds executions whose lease expired, in every org, and brings each to its end. Returns how many it finished.
    pub async fn recover(&self) -> Result<usize, Error> {
        recover::recover(self).await
    }

    /// Ends everything of an organization that is open, after a restore. None of it is done again.
    pub async fn freeze(&self, org: OrgId) -> Result<Frozen, Error> {
        approvals::freeze(self, org).await
    }

    /// What [`Self::freeze`] would end.
    pub async fn count_open(&self, org: OrgId) -> Result<Frozen, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::count_open(&mut tx, org).await?)
    }

    /// Deletes expired idempotency keys. Returns how many.
    pub async fn purge_keys(&self) -> Result<i64, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        Ok(store::purge_keys(&mut conn, self.parts.world.clock.now()).await?)
    }

    /// Everything that only reads.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Answers of people to invocations that wait.
    pub fn approvals(&self) -> Approvals {
        Approvals::new(self.clone())
    }

    /// Webhooks and their deliveries.
    pub fn webhooks(&self) -> Webhooks {
        Webhooks::new(self)
    }
}
