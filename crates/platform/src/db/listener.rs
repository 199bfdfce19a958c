//! Notifications of the database (LISTEN and NOTIFY), on one connection for the whole process.
//!
//! Notifications may be lost with a connection. They only wake waiting readers, which also check the database at
//! intervals.

use std::{sync::Arc, time::Duration};

use sqlx::postgres::PgListener;
use tokio::sync::{OnceCell, broadcast};

use super::{Database, Error, query};
use crate::shutdown::Shutdown;

/// An invocation changed; the payload is its ID.
pub const INVOCATIONS: &str = "countersign_invocations";
/// An organization's policy changed; the payload is the ID without prefix. The database sends it in the trigger that
/// increments the version.
pub const POLICIES: &str = "countersign_policies";
/// A transaction is about to commit events; no payload. For the relay.
pub const STAGED: &str = "countersign_staged";
/// Events can be read; the payload is the IDs of their organizations without prefix, separated by commas, or `*` if
/// there are many.
pub const EVENTS: &str = "countersign_events";

/// How many notifications a slow subscriber may miss before it has to check the database.
const BACKLOG: usize = 1_024;

/// One notification.
#[derive(Debug, Clone)]
pub struct Notification {
    /// One of the constants here.
    pub channel: &'static str,
    pub payload: Arc<str>,
}

/// The listener of a process.
#[derive(Debug)]
pub(super) struct Listener {
    tell: broadcast::Sender<Notification>,
    listening: OnceCell<()>,
}

impl Default for Listener {
    fn default() -> Self {
        Self { tell: broadcast::channel(BACKLOG).0, listening: OnceCell::new() }
    }
}

impl Database {
    /// All notifications from now on. The first call starts the listener; a lost connection is opened again.
    pub async fn subscribe(&self, shutdown: &Shutdown) -> Subscription {
        let receiver = self.listener.tell.subscribe();
        let start = async || {
            let (db, stop) = (self.clone(), shutdown.clone());
            shutdown.spawn(async move { db.listen(&stop).await });
        };
        self.listener.listening.get_or_init(start).await;
        Subscription(receiver)
    }

    async fn listen(&self, stop: &Shutdown) {
        while !stop.has_begun() {
            tokio::select! {
                () = stop.begun() => return,
                ended = self.listen_once() => {
                    if let Err(error) = ended {
                        tracing::warn!(error = &error as &dyn std::error::Error, "listening for changes failed");
                    }
                }
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Forwards notifications until the connection is lost.
    async fn listen_once(&self) -> Result<(), Error> {
        let channels = [INVOCATIONS, POLICIES, STAGED, EVENTS];
        let mut listener = PgListener::connect_with(&self.pool).await.map_err(Error::Connect)?;
        listener.listen_all(channels).await.map_err(query("listening on channels"))?;
        // Notifications may have been missed before this connection, so long waits check the database once.
        let _ = self.listener.tell.send(Notification { channel: EVENTS, payload: "*".into() });
        while let Some(notice) = listener.try_recv().await.map_err(query("receiving notifications"))? {
            if let Some(channel) = channels.into_iter().find(|channel| *channel == notice.channel()) {
                // It is not an error if nobody is waiting.
                let _ = self.listener.tell.send(Notification { channel, payload: notice.payload().into() });
            }
        }
        Ok(())
    }
}

/// The notifications for one subscriber.
pub struct Subscription(broadcast::Receiver<Notification>);

impl Subscription {
    /// Resolves when a notification matches, or when the subscriber missed so many that it must check the database.
    pub async fn until(&mut self, mut matches: impl FnMut(&Notification) -> bool) {
        loop {
            match self.0.recv().await {
                Ok(notification) if !matches(&notification) => {}
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                Err(broadcast::error::RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}
