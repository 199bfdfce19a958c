//! Beginning a transaction entirely or not at all.
//!
//! A request may be dropped at any moment, also while `BEGIN` is on its way. The library then returns the connection to
//! the pool and does not know that it is in a transaction. The next user of the connection would work in the org of the
//! dropped request, and nothing it does would be committed. So a begun transaction is always awaited, by a task of its own
//! if necessary, and then rolled back.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use sqlx::Error;

use super::Tx;

type Beginning = Pin<Box<dyn Future<Output = Result<Tx, Error>> + Send>>;

/// A transaction that is beginning.
pub(super) struct Begin(Option<Beginning>);

impl Begin {
    pub(super) fn new(beginning: impl Future<Output = Result<Tx, Error>> + Send + 'static) -> Self {
        Self(Some(Box::pin(beginning)))
    }
}

impl Future for Begin {
    type Output = Result<Tx, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Polled again after it ended, which no caller does: the transaction was handed out.
        let Some(beginning) = &mut self.0 else { return Poll::Ready(Err(Error::WorkerCrashed)) };
        let begun = beginning.as_mut().poll(context);
        if begun.is_ready() {
            self.0 = None;
        }
        begun
    }
}

impl Drop for Begin {
    fn drop(&mut self) {
        // Without a runtime the process is ending, and the connection with it.
        if let (Some(beginning), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { drop(beginning.await) });
        }
    }
}
