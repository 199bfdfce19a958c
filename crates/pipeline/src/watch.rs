//! Waiting for an invocation or an org's policy to change, without asking the database over and over.
//!
//! One connection per process listens for all; whoever waits is woken for what they wait for, looks into the database,
//! and looks again now and then in case nobody told.

use std::time::Duration;

use model::{InvocationId, OrgId, SessionId};
use platform::{db::Database, shutdown::Shutdown};
use tokio::{
    sync::{OnceCell, broadcast},
    time::Instant,
};

use crate::{Error, Invocation, Pipeline, standing, store};

/// Where changes of policy are told, by the bare id of the org. The database tells it itself, in the trigger that raises
/// the version.
const POLICIES: &str = "countersign_policies";
/// How long a waiter trusts that it would have been told.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The same for policy, where many wait for long and a late word does no harm: decisions never rest on it.
const LOOK_AT_POLICY_AGAIN: Duration = Duration::from_secs(30);
/// How many changes a slow waiter may fall behind before it is told to look for itself.
const BACKLOG: usize = 1_024;

/// The ear of this process.
pub(crate) struct Watch {
    tellers: Tellers,
    listening: OnceCell<()>,
}

/// What is passed on to those who wait.
#[derive(Clone)]
struct Tellers {
    changes: broadcast::Sender<InvocationId>,
    policies: broadcast::Sender<OrgId>,
}

impl Default for Watch {
    fn default() -> Self {
        let tellers =
            Tellers { changes: broadcast::channel(BACKLOG).0, policies: broadcast::channel(BACKLOG).0 };
        Self { tellers, listening: OnceCell::new() }
    }
}

impl Watch {
    /// Those who pass it on, once somebody listens.
    async fn tellers(&self, db: &Database, shutdown: &Shutdown) -> &Tellers {
        let start = async || {
            let (db, tellers, stop) = (db.clone(), self.tellers.clone(), shutdown.clone());
            shutdown.spawn(async move { listen(&db, &tellers, &stop).await });
        };
        self.listening.get_or_init(start).await;
        &self.tellers
    }
}

impl Tellers {
    fn tell(&self, channel: &str, payload: &str) {
        // Nobody may be waiting, which is no error.
        if channel == POLICIES {
            let _ = payload.parse().map(|org| self.policies.send(OrgId::from_uuid(org)));
        } else {
            let _ = payload.parse().map(|id| self.changes.send(id));
        }
    }
}

/// Passes on what the database tells, for as long as the process lives; a lost connection is made anew.
async fn listen(db: &Database, tellers: &Tellers, stop: &Shutdown) {
    let told = |channel: &str, payload: &str| tellers.tell(channel, payload);
    while !stop.has_begun() {
        tokio::select! {
            () = stop.begun() => return,
            ended = db.listen(&[store::CHANNEL, POLICIES], told) => {
                if let Err(error) = ended {
                    tracing::warn!(error = &error as &dyn std::error::Error, "listening for changes");
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

impl Pipeline {
    /// An invocation once it is over, or as it is when patience ends or this process stops.
    pub async fn wait(&self, org: OrgId, id: InvocationId, patience: Duration) -> Result<Invocation, Error> {
        let deadline = Instant::now() + patience;
        let shutdown = &self.parts.shutdown;
        let mut changes = self.watch.tellers(&self.parts.db, shutdown).await.changes.subscribe();
        loop {
            let mut tx = self.parts.db.begin(org).await?;
            let found = store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
            drop(tx);
            let left = deadline.saturating_duration_since(Instant::now());
            if found.status.is_terminal() || left.is_zero() || shutdown.has_begun() {
                return Ok(found);
            }
            tokio::select! {
                () = told_of(&mut changes, id) => {}
                () = tokio::time::sleep(left.min(LOOK_AGAIN)) => {}
                () = shutdown.begun() => {}
            }
        }
    }

    /// The version of what decides about a session's requests: its org's rules, grants, connections and spaces.
    pub async fn policy_version(&self, org: OrgId, session: SessionId) -> Result<i64, Error> {
        let standing = standing::load(self, org, session).await?;
        if standing.facts.session.is_over(self.parts.world.clock.now()) {
            return Err(Error::SessionOver);
        }
        Ok(standing.facts.policy_version)
    }

    /// The version once it is no longer the one that is known, or the same when this process stops. That the session is
    /// over is an error, found out now and then.
    pub async fn await_policy(&self, org: OrgId, session: SessionId, known: i64) -> Result<i64, Error> {
        let shutdown = &self.parts.shutdown;
        let mut policies = self.watch.tellers(&self.parts.db, shutdown).await.policies.subscribe();
        loop {
            let version = self.policy_version(org, session).await?;
            if version != known || shutdown.has_begun() {
                return Ok(version);
            }
            tokio::select! {
                () = told_of(&mut policies, org) => {}
                () = tokio::time::sleep(LOOK_AT_POLICY_AGAIN) => {}
                () = shutdown.begun() => {}
            }
        }
    }
}

async fn told_of<T: Clone + PartialEq>(changes: &mut broadcast::Receiver<T>, id: T) {
    loop {
        match changes.recv().await {
            Ok(changed) if changed != id => {}
            // It changed, or more was told than could be kept: look.
            Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => return std::future::pending().await,
        }
    }
}
