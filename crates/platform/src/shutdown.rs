//! Ending well: background work is counted, told to stop, and waited for.

use std::{future::Future, time::Duration};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Told once, heard everywhere. Cheap to clone; clones share the signal and the count of running tasks.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// Runs a task that [`drain`](Self::drain) waits for.
    pub fn spawn<F>(&self, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(task);
    }

    /// Tells everybody to stop.
    pub fn begin(&self) {
        self.token.cancel();
    }

    /// Whether it was told.
    pub fn has_begun(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Resolves when it is told.
    pub async fn begun(&self) {
        self.token.cancelled().await;
    }

    /// Waits for what was spawned, but not longer than `patience`; says whether all of it ended.
    pub async fn drain(&self, patience: Duration) -> bool {
        self.begin();
        self.tasks.close();
        tokio::time::timeout(patience, self.tasks.wait()).await.is_ok()
    }
}

/// Resolves on Ctrl-C or SIGTERM.
pub async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
