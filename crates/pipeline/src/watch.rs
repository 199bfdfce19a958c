//! Waiting for an invocation or an org's policy to change, without asking the database over and over.
//!
//! Whoever waits is woken for what they wait for, looks into the database, and looks again now and then in case nobody told.

use std::time::Duration;

use model::{InvocationId, OrgId, SessionId};
use platform::db::ear::{INVOCATIONS, POLICIES};
use tokio::time::Instant;

use crate::{Error, Invocation, Pipeline, standing, store};

/// How long a waiter trusts that it would have been told.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The same for policy, where many wait for long and a late word does no harm: decisions never rest on it.
const LOOK_AT_POLICY_AGAIN: Duration = Duration::from_secs(30);

impl Pipeline {
    /// An invocation once it is over, or as it is when patience ends or this process stops.
    pub async fn wait(&self, org: OrgId, id: InvocationId, patience: Duration) -> Result<Invocation, Error> {
        let deadline = Instant::now() + patience;
        let shutdown = &self.parts.shutdown;
        let mut changes = self.parts.db.hear(shutdown).await;
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
                () = changes.until(|told| told.channel == INVOCATIONS && *told.payload == *own) => {}
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
        let mut changes = self.parts.db.hear(shutdown).await;
        let own = org.uuid().to_string();
        loop {
            let version = self.policy_version(org, session).await?;
            if version != known || shutdown.has_begun() {
                return Ok(version);
            }
            tokio::select! {
                () = changes.until(|told| told.channel == POLICIES && *told.payload == *own) => {}
                () = tokio::time::sleep(LOOK_AT_POLICY_AGAIN) => {}
                () = shutdown.begun() => {}
            }
        }
    }
}
