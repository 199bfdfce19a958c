//! Beginning a transaction wholly or not at all.
//!
//! A request may be given up at any moment, also while `BEGIN` is on its way. The library then gives the connection back to
//! the pool and does not know that it is in a transaction: whoever is given it next as one without an org would work within
//! the org of the one who left, and nothing they do would be committed. So what was begun is always waited for, by a task
//! of its own if need be, and then rolled back.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use sqlx::Error;

use super::Tx;

type Beginning = Pin<Box<dyn Future<Output = Result<Tx, Error>> + Send>>;

/// A transaction that is being begun.
pub(super) struct Whole(Option<Beginning>);

impl Whole {
    pub(super) fn new(beginning: impl Future<Output = Result<Tx, Error>> + Send + 'static) -> Self {
        Self(Some(Box::pin(beginning)))
    }
}

impl Future for Whole {
    type Output = Result<Tx, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Asked again after it ended, which nobody does: there is no transaction any more.
        let Some(beginning) = &mut self.0 else { return Poll::Ready(Err(Error::WorkerCrashed)) };
        let begun = beginning.as_mut().poll(context);
        if begun.is_ready() {
            self.0 = None;
        }
        begun
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // Without a runtime the connection goes down with everything else.
        if let (Some(beginning), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { drop(beginning.await) });
        }
    }
}
