//! Schedules: a timer on the engine for each, and the rule for what to do when its moment has come.
//!
//! The row holds the moment that comes next, and whoever fires it moves it on in the transaction that records the run: of any
//! number of timers, workers and clocks that go wrong, each moment starts at most one run.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use model::{InOrg, OrgId, TriggerId, TriggerType};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::{Fire, Origin};
use crate::{
    Automations, Error, Missed, Schedule,
    limits::schedule::{LATE, LOST_AFTER, MOST_PASSED, SWEEP},
    store,
    triggers::TriggerRow,
};

/// What the engine keeps of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TimerOrder {
    pub(crate) org: OrgId,
    pub(crate) trigger: TriggerId,
    /// The moment that it is set for.
    pub(crate) at: Timestamp,
}

impl Automations {
    /// Sets the timers of schedules. If that fails, the sweep will.
    pub(crate) async fn arm_all(&self, org: OrgId, triggers: &[TriggerRow]) {
        for row in triggers.iter().filter(|row| row.enabled) {
            if let Some(at) = row.next_at {
                let order = TimerOrder { org, trigger: row.id, at };
                self.send(&format!("Timer/{}/arm/send", row.id), order).await;
            }
        }
    }

    /// How far a moment is.
    pub(crate) fn until(&self, at: Timestamp) -> Duration {
        until(at, self.parts.world.clock.now())
    }

    /// Sets the timers of schedules that should have come and did not. Says how many.
    pub async fn sweep_schedules(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - LOST_AFTER;
        let mut conn = self.parts.db.unscoped().await?;
        let late = store::triggers::overdue(&mut conn, before, SWEEP).await?;
        drop(conn);
        for (org, id) in &late {
            match self.trigger(*org, *id).await {
                Ok(row) => self.arm_all(*org, &[row]).await,
                // It went meanwhile.
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(late.len())
    }

    /// Fires a schedule whose moment has come; says for which moment its timer is to be set next, and how far that is.
    pub async fn tick(
        &self,
        org: OrgId,
        trigger: TriggerId,
        at: Timestamp,
    ) -> Result<Option<(Timestamp, Duration)>, Error> {
        let row = match self.trigger(org, trigger).await {
            Ok(row) => row,
            Err(Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let now = self.parts.world.clock.now();
        let (Some(due), Some((schedule, missed)), true) = (row.next_at, row.schedule(), row.enabled) else {
            return Ok(None);
        };
        // Somebody moved it, or this very moment was seen to and the word of it was lost; either way the row says more.
        if due != at || due > now {
            return Ok(Some((due, until(due, now))));
        }
        let Ok(next) = schedule.next_after(now) else { return Ok(None) };
        let passed = last_passed(&schedule, due, now);
        if missed == Missed::Once || now.duration_since(passed) < LATE {
            let fire = Fire {
                automation: row.automation,
                trigger: Some(trigger),
                trigger_type: TriggerType::Schedule,
                cause: format!("schedule:{trigger}:{passed}"),
                digest: None,
                given: Map::new(),
                started_by: None,
                origin: Origin::default(),
                comes: Some((due, next)),
                at: passed,
            };
            self.start(org, fire).await?;
        } else {
            let mut tx = self.parts.db.begin(org).await?;
            store::triggers::advance(&mut tx, InOrg { org, id: trigger }, due, next).await?;
            platform::db::commit(tx).await?;
        }
        // Another may have been faster, by another clock.
        let row = self.trigger(org, trigger).await?;
        Ok(row.next_at.map(|next| (next, until(next, now))))
    }
}

fn until(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(at.duration_since(now)).unwrap_or_default()
}

/// The last moment that passed, of those from the one that is due on.
fn last_passed(schedule: &Schedule, due: Timestamp, now: Timestamp) -> Timestamp {
    // After a long time away only the last hours are gone through.
    let mut look = due.max(now - SignedDuration::from_hours(26));
    let mut passed = due;
    for _ in 0..MOST_PASSED {
        match schedule.next_after(look) {
            Ok(next) if next <= now => (passed, look) = (next, next),
            _ => break,
        }
    }
    passed
}
