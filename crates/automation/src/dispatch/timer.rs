//! Schedules: each has a timer on the engine; this module decides what to do when the timer is due.
//!
//! The row holds the next due time, and it is advanced in the transaction that records the run. So each due time starts
//! at most one run, however many timers and workers there are and however wrong their clocks are.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use model::{AutomationId, InOrg, OrgId, TriggerId, TriggerType};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::{Fire, Origin};
use crate::{
    Automations, Error, Missed, Schedule,
    limits::schedule::{LATE, LOOK_AGAIN, LOST_AFTER, MOST_PASSED, SWEEP},
    store::{self, triggers::Which},
    triggers::TriggerRow,
};

/// The data that the engine stores for a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TimerOrder {
    pub(crate) org: OrgId,
    pub(crate) trigger: TriggerId,
    /// The time that the timer is set for.
    pub(crate) at: Timestamp,
}

impl Automations {
    /// Sets the timers of schedules. If that fails, the sweep sets them.
    pub(crate) async fn arm_all(&self, org: OrgId, triggers: &[TriggerRow]) {
        for row in triggers.iter().filter(|row| row.enabled) {
            if let Some(at) = row.next_at {
                let order = TimerOrder { org, trigger: row.id, at };
                self.send(&format!("Timer/{}/arm/send", row.id), order).await;
            }
        }
    }

    /// The time until `at`.
    pub(crate) fn until(&self, at: Timestamp) -> Duration {
        until(at, self.parts.world.clock.now())
    }

    /// Sets the timers of schedules that are overdue. Returns how many.
    pub async fn sweep_schedules(&self) -> Result<usize, Error> {
        let before = self.parts.world.clock.now() - LOST_AFTER;
        let mut conn = self.parts.db.unscoped().await?;
        let late = store::triggers::overdue(&mut conn, before, SWEEP).await?;
        drop(conn);
        for (org, id) in &late {
            match self.trigger(*org, *id).await {
                Ok(row) => self.arm_all(*org, &[row]).await,
                // The trigger was deleted meanwhile.
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(late.len())
    }

    /// Moves the schedules of an organization that are due to their next time, without starting anything.
    pub(crate) async fn skip_missed(&self, org: OrgId) -> Result<(), Error> {
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        for row in store::triggers::find(&mut tx, org, Which::Schedules).await? {
            let (Some(due), Some((schedule, _))) = (row.next_at.filter(|due| *due <= now), row.schedule())
            else {
                continue;
            };
            if let Ok(next) = schedule.next_after(now) {
                store::triggers::advance(&mut tx, InOrg { org, id: row.id }, due, next).await?;
            }
        }
        Ok(platform::db::commit(tx).await?)
    }

    /// Whether people stopped the automation.
    async fn is_stopped(&self, org: OrgId, automation: AutomationId) -> Result<bool, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let Some(found) = store::automations::find(&mut tx, org, &[automation]).await?.pop() else {
            return Ok(false);
        };
        let place = (found.space, automation);
        match self.parts.pipeline.reader().check_automation(&mut tx, org, place).await {
            Ok(()) => Ok(false),
            Err(pipeline::Error::Stopped { .. }) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Fires a schedule that is due; returns the time to set its timer for next, and how far off that is.
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
        // The schedule was changed, or this time was already handled and the acknowledgement was lost. In both cases
        // the row is authoritative.
        if due != at || due > now {
            return Ok(Some((due, until(due, now))));
        }
        let Ok(next) = schedule.next_after(now) else { return Ok(None) };
        let passed = last_passed(&schedule, due, now);
        let stopped = self.is_stopped(org, row.automation).await?;
        if stopped && missed == Missed::Once {
            // The run for the times that passed is started when it is resumed.
            return Ok(Some((due, LOOK_AGAIN)));
        }
        if !stopped && (missed == Missed::Once || now.duration_since(passed) < LATE) {
            let fire = Fire {
                automation: row.automation,
                trigger: Some(trigger),
                trigger_type: TriggerType::Schedule,
                cause: format!("schedule:{trigger}:{passed}"),
                digest: None,
                given: Map::new(),
                started_by: None,
                caused_by: None,
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
        // Another process may have advanced the schedule first, by another clock.
        let row = self.trigger(org, trigger).await?;
        Ok(row.next_at.map(|next| (next, until(next, now))))
    }
}

fn until(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(at.duration_since(now)).unwrap_or_default()
}

/// The last due time that has passed, starting at `due`.
fn last_passed(schedule: &Schedule, due: Timestamp, now: Timestamp) -> Timestamp {
    // After a long outage, only the last 26 hours are visited.
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
