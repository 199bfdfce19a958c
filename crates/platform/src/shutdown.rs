//! Graceful shutdown: background tasks are counted, signalled and awaited.

use std::{future::Future, time::Duration};

use tokio::sync::oneshot;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The shutdown signal. Cheap to clone; clones share the signal and the count of running tasks.
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

    /// Runs work to its end, even if the caller stops waiting for it. `None` if the work panicked.
    pub async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        self.spawn(async move {
            // If the caller is gone nobody receives the result; the work is done all the same.
            let _ = tell.send(work.await);
        });
        told.await.ok()
    }

    /// Signals the shutdown.
    pub fn begin(&self) {
        self.token.cancel();
    }

    /// Whether the shutdown was signalled.
    pub fn has_begun(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Resolves when the shutdown is signalled.
    pub async fn begun(&self) {
        self.token.cancelled().await;
    }

    /// Waits for all spawned tasks, but not longer than `patience`. Returns whether all of them ended.
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
