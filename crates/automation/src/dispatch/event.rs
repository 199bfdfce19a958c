//! Events that start runs, and events that runs wait for. The event log is followed by one process at a time, in order.

use std::sync::Arc;

use events::{Entry, Event, Stretch};
use model::{
    AutomationId, Disposition, EventType, InOrg, InvocationId, OrgId, TriggerId, TriggerType, UserId,
};
use platform::{
    db,
    filter::{self, Filter},
};
use serde_json::{Map, Value, json};

use super::{Fire, Origin};
use crate::{
    Automations, Error, Trigger,
    limits::dispatch::RESUBMIT_AFTER,
    mapping,
    store::{self, triggers::Which},
};

/// What a trigger starts, and with which inputs.
#[derive(Debug, Clone)]
struct Started {
    automation: AutomationId,
    input_mapping: Map<String, Value>,
}

/// The event triggers of an org, indexed by the events they match.
#[derive(Debug, Default)]
pub(crate) struct Index {
    filters: filter::Index<TriggerId>,
    started: std::collections::HashMap<TriggerId, Started>,
}

impl Automations {
    /// Starts runs for events and wakes runs that wait for them, until this process stops.
    pub async fn follow_events(&self) {
        self.parts.events.follow("dispatcher", |stretch| self.see_to(stretch)).await;
    }

    /// Handles a stretch of events of one org. Database errors are retried; any other error is logged and does not hold
    /// up later events.
    pub async fn see_to(&self, stretch: Stretch) -> Result<(), events::Error> {
        let org = stretch.org;
        let index = self.index(org).await.map_err(retried)?;
        let entries = self.parts.events.find(org, &stretch.events).await?;
        for entry in &entries {
            let told = entry.event.to_cloud_event();
            for (trigger, started) in index.met(&told) {
                let fired = self.start_on(InOrg { org, id: trigger }, started, &entry.event, &told).await;
                if let Err(error) = fired {
                    match error.disposition() {
                        Disposition::Retry => return Err(retried(error)),
                        _ => {
                            tracing::warn!(trigger.id = %trigger, event.id = %entry.event.id, error = &error as &dyn std::error::Error, "starting a run for an event failed");
                        }
                    }
                }
            }
        }
        self.wake_those_who_wait(org, &entries).await.map_err(retried)
    }

    async fn start_on(
        &self,
        InOrg { org, id: trigger }: InOrg<TriggerId>,
        started: &Started,
        event: &Event,
        told: &Value,
    ) -> Result<(), Error> {
        let said = &event.origin;
        // An event of an application may be an echo even if it states an origin: the stated origin may be incomplete,
        // and the event may name the object as its subject.
        let mut origin = match said.application {
            Some(_) => self.origin_of(org, started.automation, told).await?,
            None => Origin::default(),
        };
        let caused_by = self.behind(org, event).await?;
        origin.take_in(started.automation, said.depth, said.chain.clone());
        let fire = Fire {
            automation: started.automation,
            trigger: Some(trigger),
            trigger_type: TriggerType::Event,
            cause: format!("event:{trigger}:{}", event.id),
            digest: None,
            given: mapping::apply(&started.input_mapping, told),
            started_by: None,
            caused_by,
            origin,
            comes: None,
            at: self.parts.world.clock.now(),
        };
        self.start(org, fire).await.map(drop)
    }

    /// The person behind an event: who published it, whose session or run it tells of, or who changed something.
    async fn behind(&self, org: OrgId, event: &Event) -> Result<Option<UserId>, Error> {
        if let Some(name) = &event.origin.application {
            return Ok(self.parts.events.publisher(org, name).await?);
        }
        let Some(session) = event.session else {
            return Ok(event.data["by"].as_str().and_then(|by| by.parse().ok()));
        };
        let session = self.parts.tenancy.session(org, session).await?;
        // Of a run, whose words it works with: who is behind what started it comes before who started it again.
        let starter = session.run.and_then(|run| run.caused_by.or(run.started_by));
        Ok(starter.or(Some(session.created_by)))
    }

    /// Wakes the runs that wait for an invocation that ended according to one of these events.
    async fn wake_those_who_wait(&self, org: OrgId, entries: &[Entry]) -> Result<(), Error> {
        let is_end = |entry: &&Entry| {
            [
                EventType::ActionExecuted,
                EventType::ActionDenied,
                EventType::ActionExpired,
                EventType::ActionQuarantined,
            ]
            .iter()
            .any(|end| entry.event.event_type == end.as_str())
        };
        let ended: Vec<InvocationId> =
            entries.iter().filter(is_end).filter_map(|entry| entry.event.subject.parse().ok()).collect();
        if ended.is_empty() {
            return Ok(());
        }
        let mut tx = self.parts.db.begin(org).await?;
        let soon = self.parts.world.clock.now() + RESUBMIT_AFTER;
        let waiting = store::sweeps::call_waiting(&mut tx, org, &ended, soon).await?;
        db::commit(tx).await?;
        for (run, invocation) in waiting {
            self.wake(org, run, invocation).await;
        }
        Ok(())
    }

    /// The event triggers of an org, cached until they change.
    async fn index(&self, org: OrgId) -> Result<Arc<Index>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let version = store::triggers::version(&mut tx, org).await?;
        if let Some(known) = self.indexes.get(&(org, version)) {
            return Ok(known);
        }
        let mut index = Index::default();
        for row in store::triggers::find(&mut tx, org, Which::Events).await? {
            let Some(Trigger::Event { event_type, filter, input_mapping }) = row.definition() else {
                continue;
            };
            let filter = filter.map_or_else(|| json!({}), Value::Object);
            let Ok(filter) = Filter::parse(&filter) else { continue };
            index.filters.insert(row.id, Some(&event_type), filter);
            index.started.insert(row.id, Started { automation: row.automation, input_mapping });
        }
        let index = Arc::new(index);
        self.indexes.insert((org, version), index.clone());
        Ok(index)
    }
}

impl Index {
    /// The triggers that an event fires, always in the same order.
    fn met(&self, told: &Value) -> Vec<(TriggerId, &Started)> {
        let mut met = self.filters.matches(told);
        met.sort_unstable();
        met.into_iter().filter_map(|id| Some((id, self.started.get(&id)?))).collect()
    }
}

/// Converts an error to one that makes the follower retry from the same position.
fn retried(error: Error) -> events::Error {
    match error {
        Error::Database(error) => error.into(),
        Error::Events(error) => error,
        error => {
            tracing::warn!(error = &error as &dyn std::error::Error, "starting runs for events failed");
            events::Error::Contended
        }
    }
}
