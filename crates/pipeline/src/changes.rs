//! Servers that say that their tools changed are asked for them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use model::{ConnectorId, OrgId};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{Instant, sleep_until},
};

use crate::Pipeline;

/// A server that changes tells of each tool by itself; it is asked once, when it has told of all.
const TOLD_OF_ALL: Duration = Duration::from_millis(500);
/// A server that tells of changes without end, perhaps because it was asked, is asked no more often than this.
const AT_MOST_EVERY: Duration = Duration::from_secs(10);
/// How many servers are asked at once for that reason.
const AT_ONCE: usize = 8;

type Whose = (OrgId, ConnectorId);

impl Pipeline {
    /// Harvests connectors whose servers say that their tools changed, until told to stop. Every gateway with a connection
    /// hears of it and asks; to ask twice is harmless, to leave it to another one might miss a change.
    pub fn hear_changes(&self, mut told: mpsc::UnboundedReceiver<Whose>) {
        let (pipeline, stop) = (self.clone(), self.parts.shutdown.clone());
        self.parts.shutdown.spawn(async move {
            let mut queue = Queue::default();
            let at_once = Arc::new(Semaphore::new(AT_ONCE));
            loop {
                let next = queue.next();
                tokio::select! {
                    () = stop.begun() => return,
                    heard = told.recv() => match heard {
                        Some(whose) => queue.add(whose, Instant::now()),
                        None => return,
                    },
                    () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                        for whose in queue.take(Instant::now()) {
                            // Not here: what is told meanwhile would pile up.
                            let (pipeline, at_once) = (pipeline.clone(), at_once.clone());
                            stop.spawn(async move {
                                let _turn = at_once.acquire_owned().await;
                                pipeline.harvest_changed(whose).await;
                            });
                        }
                    }
                }
            }
        });
    }

    async fn harvest_changed(&self, (org, id): Whose) {
        let found = match self.connectors(org).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(connector.id = %id, error = &error as &dyn std::error::Error, "finding a connector that changed");
                return;
            }
        };
        if let Some(connector) = found.iter().find(|connector| connector.id == id && connector.enabled) {
            self.harvest_or_log(org, &connector.slug).await;
        }
    }
}

/// Who is to be asked when, and who was asked lately.
#[derive(Default)]
struct Queue {
    due: HashMap<Whose, Instant>,
    asked: HashMap<Whose, Instant>,
}

impl Queue {
    fn add(&mut self, whose: Whose, now: Instant) {
        let rested = self.asked.get(&whose).map_or(now, |asked| *asked + AT_MOST_EVERY);
        self.due.entry(whose).or_insert_with(|| rested.max(now + TOLD_OF_ALL));
    }

    fn next(&self) -> Option<Instant> {
        self.due.values().min().copied()
    }

    /// Those whose time has come.
    fn take(&mut self, now: Instant) -> Vec<Whose> {
        self.asked.retain(|_, asked| *asked + AT_MOST_EVERY > now);
        let ready: Vec<Whose> =
            self.due.iter().filter(|(_, due)| **due <= now).map(|(whose, _)| *whose).collect();
        for whose in &ready {
            self.due.remove(whose);
            self.asked.insert(*whose, now);
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_server_that_never_stops_telling_is_asked_now_and_then() {
        let whose = (OrgId::from_uuid(Uuid::nil()), ConnectorId::from_uuid(Uuid::nil()));
        let (mut queue, start) = (Queue::default(), Instant::now());
        let mut asked = Vec::new();
        for tick in 0..300_u32 {
            let now = start + Duration::from_millis(100) * tick;
            queue.add(whose, now);
            asked.extend(queue.take(now).into_iter().map(|_| tick));
        }
        assert_eq!(asked, [5, 105, 205]);
        assert_eq!(queue.asked.len(), 1);
    }
}
