//! Servers that announce a change of their tools are harvested.

use std::{collections::HashMap, sync::Arc, time::Duration};

use model::{ConnectorId, OrgId};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{Instant, sleep_until},
};

use crate::parts::Oversight;

/// A server announces each changed tool by itself; it is harvested once, when it has announced all.
const QUIET: Duration = Duration::from_millis(500);
/// A server that announces changes without end, perhaps because of the harvest, is harvested no more often than this.
const MIN_INTERVAL: Duration = Duration::from_secs(10);
/// How many servers are harvested at the same time for that reason.
const AT_ONCE: usize = 8;

/// The connector of an org.
type Key = (OrgId, ConnectorId);

impl Oversight {
    /// Harvests connectors when their servers announce changed tools, until this process stops. Every gateway with a
    /// connection does it: harvesting twice is harmless, and relying on another gateway might miss a change.
    pub fn follow_changes(&self, mut changed: mpsc::UnboundedReceiver<Key>) {
        let (oversight, stop) = (self.clone(), self.parts.shutdown.clone());
        self.parts.shutdown.spawn(async move {
            let mut queue = Queue::default();
            let at_once = Arc::new(Semaphore::new(AT_ONCE));
            loop {
                let next = queue.next();
                tokio::select! {
                    () = stop.begun() => return,
                    change = changed.recv() => match change {
                        Some(key) => queue.add(key, Instant::now()),
                        None => return,
                    },
                    () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                        for key in queue.take(Instant::now()) {
                            // In a task of its own: announcements would pile up meanwhile.
                            let (oversight, at_once) = (oversight.clone(), at_once.clone());
                            stop.spawn(async move {
                                let _turn = at_once.acquire_owned().await;
                                oversight.harvest_changed(key).await;
                            });
                        }
                    }
                }
            }
        });
    }

    async fn harvest_changed(&self, (org, id): Key) {
        let found = match self.connectors(org).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(connector.id = %id, error = &error as &dyn std::error::Error, "finding a connector that changed failed");
                return;
            }
        };
        if let Some(connector) = found.iter().find(|connector| connector.id == id && connector.enabled) {
            self.harvest_or_log(org, &connector.slug).await;
        }
    }
}

/// When each connector is due, and which were harvested recently.
#[derive(Default)]
struct Queue {
    due: HashMap<Key, Instant>,
    harvested: HashMap<Key, Instant>,
}

impl Queue {
    fn add(&mut self, key: Key, now: Instant) {
        let rested = self.harvested.get(&key).map_or(now, |at| *at + MIN_INTERVAL);
        self.due.entry(key).or_insert_with(|| rested.max(now + QUIET));
    }

    fn next(&self) -> Option<Instant> {
        self.due.values().min().copied()
    }

    /// Those that are due.
    fn take(&mut self, now: Instant) -> Vec<Key> {
        self.harvested.retain(|_, at| *at + MIN_INTERVAL > now);
        let ready: Vec<Key> = self.due.iter().filter(|(_, due)| **due <= now).map(|(key, _)| *key).collect();
        for key in &ready {
            self.due.remove(key);
            self.harvested.insert(*key, now);
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_server_that_never_stops_announcing_is_harvested_at_intervals() {
        let key = (OrgId::from_uuid(Uuid::nil()), ConnectorId::from_uuid(Uuid::nil()));
        let (mut queue, start) = (Queue::default(), Instant::now());
        let mut asked = Vec::new();
        for tick in 0..300_u32 {
            let now = start + Duration::from_millis(100) * tick;
            queue.add(key, now);
            asked.extend(queue.take(now).into_iter().map(|_| tick));
        }
        assert_eq!(asked, [5, 105, 205]);
        assert_eq!(queue.harvested.len(), 1);
    }
}
