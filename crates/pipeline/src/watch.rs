//! Waiting for an invocation to change, without asking the database over and over.
//!
//! One connection per process listens for all; whoever waits is woken for what they wait for, looks into the database,
//! and looks again now and then in case nobody told.

use std::time::Duration;

use model::{InvocationId, OrgId};
use platform::{db::Database, shutdown::Shutdown};
use tokio::{
    sync::{OnceCell, broadcast},
    time::Instant,
};

use crate::{Error, Invocation, Pipeline, store};

/// How long a waiter trusts that it would have been told.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// How many changes a slow waiter may fall behind before it is told to look for itself.
const BACKLOG: usize = 1_024;

/// The ear of this process.
pub(crate) struct Watch {
    changes: broadcast::Sender<InvocationId>,
    listening: OnceCell<()>,
}

impl Default for Watch {
    fn default() -> Self {
        Self { changes: broadcast::channel(BACKLOG).0, listening: OnceCell::new() }
    }
}

impl Watch {
    async fn subscribe(&self, db: &Database, shutdown: &Shutdown) -> broadcast::Receiver<InvocationId> {
        let start = async || {
            let (db, changes, stop) = (db.clone(), self.changes.clone(), shutdown.clone());
            shutdown.spawn(async move { listen(&db, &changes, &stop).await });
        };
        self.listening.get_or_init(start).await;
        self.changes.subscribe()
    }
}

/// Passes on what the database tells, for as long as the process lives; a lost connection is made anew.
async fn listen(db: &Database, changes: &broadcast::Sender<InvocationId>, stop: &Shutdown) {
    let told = |payload: &str| {
        if let Ok(id) = payload.parse() {
            // Nobody may be waiting, which is no error.
            let _ = changes.send(id);
        }
    };
    while !stop.has_begun() {
        tokio::select! {
            () = stop.begun() => return,
            ended = db.listen(store::CHANNEL, told) => {
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
        let mut changes = self.watch.subscribe(&self.parts.db, shutdown).await;
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
}

async fn told_of(changes: &mut broadcast::Receiver<InvocationId>, id: InvocationId) {
    loop {
        match changes.recv().await {
            Ok(changed) if changed != id => {}
            // It changed, or more was told than could be kept: look.
            Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => return std::future::pending().await,
        }
    }
}
