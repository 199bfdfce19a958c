//! Waiting for an invocation or an org's policy to change, without polling the database.
//!
//! A notification wakes the waiter, which then reads the database. It also reads at long intervals, because notifications
//! may be lost.

use std::time::Duration;

use model::{InvocationId, OrgId, SessionId};
use platform::db::listener::{INVOCATIONS, POLICIES};
use tokio::time::Instant;

use crate::{error::Error, invocation::Invocation, parts::Reader, policy_snapshot::load, store};

/// How long a waiter relies on notifications before it reads again.
const READ_AGAIN: Duration = Duration::from_secs(2);
/// The same for policy, where many wait for long and a late notification does no harm: decisions never depend on it.
const READ_POLICY_AGAIN: Duration = Duration::from_secs(30);

impl Reader {
    /// An invocation once it is over, or as it is when the time is up or this process stops.
    pub async fn wait(&self, org: OrgId, id: InvocationId, patience: Duration) -> Result<Invocation, Error> {
        let deadline = Instant::now() + patience;
        let shutdown = &self.parts.shutdown;
        let mut changes = self.parts.db.subscribe(shutdown).await;
        let own = id.to_string();
        loop {
            let mut tx = self.parts.db.begin(org).await?;
            let found = store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
            drop(tx);
            let left = deadline.saturating_duration_since(Instant::now());
            if found.status.is_terminal() || left.is_zero() || shutdown.has_begun() {
                return Ok(found);
            }
            tokio::select! {
                () = changes.until(|change| change.channel == INVOCATIONS && *change.payload == *own) => {}
                () = tokio::time::sleep(left.min(READ_AGAIN)) => {}
                () = shutdown.begun() => {}
            }
        }
    }

    /// The version of the policy for a session's requests: its org's rules, grants, connections and spaces.
    pub async fn policy_version(&self, org: OrgId, session: SessionId) -> Result<i64, Error> {
        let snapshot = load::fresh(self, org, session).await?;
        if snapshot.facts.session.is_over(self.parts.world.clock.now()) {
            return Err(Error::SessionOver);
        }
        Ok(snapshot.facts.policy_version)
    }

    /// The version once it differs from the known one, or the same when this process stops. An error if the session is
    /// over, which is checked at intervals.
    pub async fn await_policy(&self, org: OrgId, session: SessionId, known: i64) -> Result<i64, Error> {
        let shutdown = &self.parts.shutdown;
        let mut changes = self.parts.db.subscribe(shutdown).await;
        let own = org.uuid().to_string();
        loop {
            let version = self.policy_version(org, session).await?;
            if version != known || shutdown.has_begun() {
                return Ok(version);
            }
            tokio::select! {
                () = changes.until(|change| change.channel == POLICIES && *change.payload == *own) => {}
                () = tokio::time::sleep(READ_POLICY_AGAIN) => {}
                () = shutdown.begun() => {}
            }
        }
    }
}
