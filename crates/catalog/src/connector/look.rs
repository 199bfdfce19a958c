//! One request for what a server offers, shared by all callers that wait for it at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use crate::SourceError;

/// The requests to one server.
pub(crate) struct Looks<T> {
    /// The number of callers so far.
    asked: AtomicU64,
    last: Mutex<Look<T>>,
}

/// The result of the last request, and the number of the last caller that asked before it began.
struct Look<T> {
    covers: u64,
    found: Option<Result<T, SourceError>>,
}

impl<T> Default for Looks<T> {
    fn default() -> Self {
        Self { asked: AtomicU64::new(0), last: Mutex::new(Look { covers: 0, found: None }) }
    }
}

impl<T: Clone> Looks<T> {
    /// The result of a request that began after this call. Callers that wait meanwhile share the next request.
    pub(crate) async fn look(
        &self,
        ask: impl Future<Output = Result<T, SourceError>>,
    ) -> Result<T, SourceError> {
        let ticket = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut last = self.last.lock().await;
        if let Some(found) = last.found.as_ref().filter(|_| last.covers >= ticket) {
            return found.clone();
        }
        let covers = self.asked.load(Ordering::SeqCst);
        let found = ask.await;
        *last = Look { covers, found: Some(found.clone()) };
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_shares_the_next_look_and_nobody_gets_one_that_began_before() {
        let (looks, begun) = (Looks::default(), AtomicU64::new(0));
        let (open, gate) = (tokio::sync::Semaphore::new(0), tokio::sync::Notify::new());
        let ask = || async {
            let number = begun.fetch_add(1, Ordering::SeqCst) + 1;
            gate.notify_one();
            open.acquire().await.unwrap().forget();
            Ok(number)
        };
        let late = async {
            // Both callers ask while the first request is in progress.
            gate.notified().await;
            let both = async { tokio::join!(looks.look(ask()), looks.look(ask())) };
            let ((one, other), ()) = tokio::join!(both, async { open.add_permits(2) });
            (one.unwrap(), other.unwrap())
        };
        let (first, late) = tokio::join!(looks.look(ask()), late);
        assert_eq!((first.unwrap(), late), (1, (2, 2)));
        open.add_permits(1);
        assert_eq!(looks.look(ask()).await.unwrap(), 3);
    }
}
