//! Hearing what is told in the database (NOTIFY), on one connection for the whole process.
//!
//! What is told may be lost with a connection: whoever waits is only woken by it, and looks for itself now and then.

use std::{sync::Arc, time::Duration};

use sqlx::postgres::PgListener;
use tokio::sync::{OnceCell, broadcast};

use super::{Database, Error, query};
use crate::shutdown::Shutdown;

/// An invocation changed; its id.
pub const INVOCATIONS: &str = "countersign_invocations";
/// An org's policy changed; the bare id of the org. The database tells it itself, in the trigger that raises the version.
pub const POLICIES: &str = "countersign_policies";
/// Somebody is about to commit events; nothing more. For the relay.
pub const STAGED: &str = "countersign_staged";
/// Events can be read; the bare ids of their orgs with a comma between, or `*` when they are many.
pub const EVENTS: &str = "countersign_events";

/// How many notices a slow listener may fall behind before it is told to look for itself.
const BACKLOG: usize = 1_024;

/// One notice.
#[derive(Debug, Clone)]
pub struct Told {
    /// One of the constants here.
    pub channel: &'static str,
    pub payload: Arc<str>,
}

/// The ear of a process.
#[derive(Debug)]
pub(super) struct Ear {
    tell: broadcast::Sender<Told>,
    listening: OnceCell<()>,
}

impl Default for Ear {
    fn default() -> Self {
        Self { tell: broadcast::channel(BACKLOG).0, listening: OnceCell::new() }
    }
}

impl Database {
    /// What is told from now on. The first to ask has the process listen; a lost connection is made anew.
    pub async fn hear(&self, shutdown: &Shutdown) -> Hearing {
        let heard = self.ear.tell.subscribe();
        let start = async || {
            let (db, stop) = (self.clone(), shutdown.clone());
            shutdown.spawn(async move { db.listen(&stop).await });
        };
        self.ear.listening.get_or_init(start).await;
        Hearing(heard)
    }

    async fn listen(&self, stop: &Shutdown) {
        while !stop.has_begun() {
            tokio::select! {
                () = stop.begun() => return,
                ended = self.listen_once() => {
                    if let Err(error) = ended {
                        tracing::warn!(error = &error as &dyn std::error::Error, "listening for changes");
                    }
                }
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Hands on what is told until the connection is lost.
    async fn listen_once(&self) -> Result<(), Error> {
        let channels = [INVOCATIONS, POLICIES, STAGED, EVENTS];
        let mut listener = PgListener::connect_with(&self.pool).await.map_err(Error::Connect)?;
        listener.listen_all(channels).await.map_err(query("listening on channels"))?;
        // Whatever was told while nobody listened: those who wait for long look for themselves once.
        let _ = self.ear.tell.send(Told { channel: EVENTS, payload: "*".into() });
        while let Some(notice) = listener.try_recv().await.map_err(query("hearing what is told"))? {
            if let Some(channel) = channels.into_iter().find(|channel| *channel == notice.channel()) {
                // Nobody may be waiting, which is no error.
                let _ = self.ear.tell.send(Told { channel, payload: notice.payload().into() });
            }
        }
        Ok(())
    }
}

/// What one listener hears.
pub struct Hearing(broadcast::Receiver<Told>);

impl Hearing {
    /// Resolves when something is told that is meant for the listener, or when so much was told that it must look for
    /// itself.
    pub async fn until(&mut self, mut is_meant: impl FnMut(&Told) -> bool) {
        loop {
            match self.0.recv().await {
                Ok(told) if !is_meant(&told) => {}
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                Err(broadcast::error::RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}
