//! Do it: the path of one invocation, from a request to a signed receipt.
//!
//! Cast: a [`Request`] is what an agent asks; each stage consumes the type the one before it returned, so none can be
//! skipped: `Request → Resolved → Validated → Admitted → Decided → Claimed → Attempted → Verified → Captured →`
//! [`Invocation`]. [`Pipeline::recover`] takes up what a dead process left, by the same stages.
//!
//! INVARIANT: an effect happens in `dispatch.rs` only, after the claim is committed, and only with a `policy::Permit`.
//! (An event that is carried to a webhook, in `webhooks.rs`, is telling: no agent asked for it, and its address is an admin's.)
//! INVARIANT: a claimed invocation ends in exactly one terminal state with one receipt; state, receipt and event are
//! one transaction.
//! INVARIANT: a decision is recorded only if the policy it was made from is still the current one.
//! INVARIANT: what may have happened is repeated only if a repeat is harmless; otherwise it becomes `unknown`.
//! Not here: HTTP, and who the caller is (`gateway`); what an action does (`catalog`); whether it may (`policy`).
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

mod activity;
mod answer;
mod authorize;
mod available;
mod away;
mod batch;
mod breaker;
mod capture;
mod changes;
mod claim;
mod connectors;
mod context;
mod decide;
mod dispatch;
mod durations;
mod effect;
mod error;
mod find;
mod inbox;
mod invocation;
mod notify;
mod org;
mod outlook;
mod overview;
mod passkeys;
mod perform;
pub mod prune;
mod reconcile;
mod recover;
mod resolve;
mod settle;
mod sources;
mod standing;
mod state;
mod store;
mod throttle;
mod together;
mod validate;
mod verify;
mod watch;
mod webhooks;

use std::{future::Future, path::PathBuf, sync::Arc, time::Duration};

use catalog::{Registry, connector::Sources};
use ledger::Ledger;
use model::{InvocationId, OrgId, SessionId};
use platform::{
    World,
    config::Limits,
    db::Database,
    egress::Egress,
    fault::{self, Point},
    redact::Redactor,
    redis::Redis,
    seal::Sealer,
    shutdown::Shutdown,
};
use policy::{Grants, Rules};
use tenancy::Tenancy;
use tokio::sync::oneshot;

use url::Url;

pub use activity::{Activity, ActivityFilter, Looked};
pub use answer::{Extent, Voter, Word};
pub use authorize::Returned;
pub use available::{Available, AvailableAction, AvailableSource};
pub use connectors::{ConnectorChange, NewConnector};
pub use effect::{Engine, EngineError, bind};
pub use error::Error;
pub use inbox::{Inbox, Waiting, WaitingApproval};
pub use invocation::Invocation;
pub use notify::{
    Click, Kind as NotifierKind, Mail, NewNotifier, Notifier, Outlets, SIGNING_SECRET, SlackPerson,
};
pub use outlook::{Foreseen, Outlook};
pub use overview::{AgentTally, Overview, SourceTally, Tally};
pub use passkeys::{NewPasskey, Offer, Signed};
pub use perform::Performed;
pub use reconcile::Finding;
use settle::Settling;
pub use sources::{Source, SourceKind, USAGE_DAYS, Usage};
use state::{Claim, Claimed};
pub use state::{FailedTry, Request};
use store::Claiming;
use together::Together;

/// What a pipeline is made of.
pub struct Parts {
    pub db: Database,
    pub world: World,
    pub registry: Registry,
    /// What connectors are spoken to with.
    pub sources: Sources,
    pub tenancy: Tenancy,
    pub rules: Rules,
    pub grants: Grants,
    pub ledger: Ledger,
    /// Where facts are told.
    pub events: events::Log,
    pub sealer: Sealer,
    pub redis: Redis,
    pub egress: Egress,
    pub limits: Limits,
    /// Where the `files` source works, one directory per org.
    pub workspace_root: Option<PathBuf>,
    pub shutdown: Shutdown,
    /// Where deferred work runs; without it approved invocations wait until somebody performs them.
    pub engine: Option<Engine>,
    /// Where people reach this gateway; without it no connector is authorized, and no passkey is registered.
    pub public_url: Option<Url>,
    /// Where news for people leave.
    pub outlets: Outlets,
}

/// The one way to an effect. Cheap to clone.
#[derive(Clone)]
pub struct Pipeline {
    parts: Arc<Parts>,
    standings: Arc<standing::Standings>,
    breakers: Arc<breaker::Breakers>,
    redactor: Arc<Redactor>,
    claims: Arc<Together<Pipeline, Claiming, bool>>,
    settlements: Arc<Together<Pipeline, Settling, bool>>,
    renewals: authorize::Renewals,
    webhooks: events::Webhooks,
    /// How much of what may go to a webhook at once is under way.
    places: webhooks::Places,
}

/// How long it is remembered who renews tokens; longer than renewing takes.
const IDLE: Duration = Duration::from_secs(600);

/// How often a decision is made anew because the policy changed between deciding and recording.
const DECISIONS: usize = 5;

impl Pipeline {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        let shutdown = &parts.shutdown;
        Self {
            standings: Arc::default(),
            breakers: Arc::default(),
            redactor: Arc::new(Redactor::new()),
            claims: Arc::new(Together::new(shutdown.clone(), claim::claim_together)),
            settlements: Arc::new(Together::new(shutdown.clone(), settle::settle_together)),
            renewals: authorize::Renewals::builder().max_capacity(10_000).time_to_idle(IDLE).build(),
            webhooks: events::Webhooks::new(parts.events.clone(), parts.sealer.clone()),
            places: webhooks::Places::builder().max_capacity(10_000).time_to_idle(IDLE).build(),
            parts: Arc::new(parts),
        }
    }

    /// What can be done: the sources and definitions.
    pub fn registry(&self) -> &Registry {
        &self.parts.registry
    }

    /// Performs one invocation, or says why not. It runs to its end even if the caller goes away: a dropped
    /// connection must not leave an effect half done.
    pub async fn invoke(&self, request: Request) -> Result<Invocation, Error> {
        let pipeline = self.clone();
        self.to_its_end(async move { Box::pin(pipeline.walk(request)).await }).await
    }

    /// Runs work that must not stop half way because somebody stopped waiting for it.
    async fn to_its_end<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, told) = oneshot::channel();
        self.parts.shutdown.spawn(async move {
            // Nobody listens when the caller went away; the receipt is there all the same.
            let _ = tell.send(work.await);
        });
        told.await.map_err(|_| Error::Interrupted)?
    }

    /// The nine stages, in order.
    async fn walk(&self, request: Request) -> Result<Invocation, Error> {
        let resolved = resolve::resolve(self, request).await?;
        let validated = validate::validate(resolved)?;
        let mut admitted = throttle::throttle(self, validated).await?;
        for _ in 0..DECISIONS {
            let decided = decide::decide(self, admitted)?;
            fault::point(Point::BeforeClaim);
            match claim::claim(self, decided).await? {
                Claim::Execute(claimed) => return self.execute(*claimed).await,
                Claim::Answered(invocation) => return Ok(*invocation),
                Claim::Stale(stale) => admitted = standing::renew(self, *stale).await?,
            }
        }
        Err(Error::PolicyInMotion)
    }

    /// From a committed claim to a receipt; recovery enters here as well.
    async fn execute(&self, claimed: Claimed) -> Result<Invocation, Error> {
        fault::point(Point::AfterClaim);
        let verified = if claimed.action.parts.is_empty() {
            let attempted = dispatch::dispatch(self, claimed).await;
            verify::verify(self, attempted).await
        } else {
            batch::perform(self, claimed).await
        };
        let captured = capture::capture(self, verified).await;
        let settled = settle::settle(self, captured).await?;
        fault::point(Point::AfterSettle);
        Ok(settled)
    }

    /// One invocation of a session.
    pub async fn find(&self, org: OrgId, session: SessionId, id: InvocationId) -> Result<Invocation, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = store::find(&mut tx, org, id).await?;
        found.filter(|found| found.session == session).ok_or(Error::NotFound("invocation"))
    }

    /// A session's invocations, newest first.
    pub async fn list(
        &self,
        org: OrgId,
        session: SessionId,
        before: Option<InvocationId>,
        limit: i64,
    ) -> Result<Vec<Invocation>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::list(&mut tx, (org, session), before, limit).await?)
    }
}
