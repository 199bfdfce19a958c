//! Group commit: writes of one org that arrive at the same time share a transaction.
//!
//! The first one is written at once. Those that arrive while a write of the org is in progress wait for the next one,
//! which takes all that wait. So no write waits for others to arrive, orgs do not wait for each other, and under load many
//! writes share the cost of a transaction.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures::future::{BoxFuture, join_all};
use model::OrgId;
use platform::shutdown::Shutdown;
use tokio::sync::oneshot;

use crate::error::Error;

/// How many writes of one kind and org are in progress at most.
const UNDER_WAY: usize = 1;
/// How many share a write at most: one row that is refused makes all of them be written again, each alone.
const SHARE: usize = 64;

/// Writes all items in one transaction and answers each, in their order.
type Write<C, T, R> = for<'a> fn(&'a C, OrgId, &'a [T]) -> BoxFuture<'a, Result<Vec<R>, Error>>;

/// An item with its answer; the item comes back so that it can be written again.
type Answer<T, R> = (T, Result<R, Error>);

/// An item, and where its answer goes.
type Waiting<T, R> = (T, oneshot::Sender<Answer<T, R>>);

/// One kind of write. `C` is what a write is done with.
pub(crate) struct GroupCommit<C, T, R> {
    write: Write<C, T, R>,
    shutdown: Shutdown,
    lanes: Mutex<HashMap<OrgId, Lane<T, R>>>,
}

struct Lane<T, R> {
    under_way: usize,
    waiting: VecDeque<Waiting<T, R>>,
}

impl<T, R> Default for Lane<T, R> {
    fn default() -> Self {
        Self { under_way: 0, waiting: VecDeque::new() }
    }
}

impl<C, T, R> GroupCommit<C, T, R>
where
    C: Clone + Send + Sync + 'static,
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    pub(crate) fn new(shutdown: Shutdown, write: Write<C, T, R>) -> Self {
        Self { write, shutdown, lanes: Mutex::default() }
    }

    /// Writes one item, together with others that wait. The write continues after the caller disconnects.
    pub(crate) async fn write(
        self: &Arc<Self>,
        with: &C,
        org: OrgId,
        item: T,
    ) -> Result<Answer<T, R>, Error> {
        let (tell, told) = oneshot::channel();
        if self.wait_or_begin(org, (item, tell)) {
            let (this, with) = (self.clone(), with.clone());
            self.shutdown.spawn(async move { this.carry(&with, org).await });
        }
        told.await.map_err(|_| Error::Interrupted)
    }

    /// Puts an item into its lane; returns whether the caller must start a write.
    fn wait_or_begin(&self, org: OrgId, item: Waiting<T, R>) -> bool {
        let mut lanes = self.lanes();
        let lane = lanes.entry(org).or_default();
        lane.waiting.push_back(item);
        let begin = lane.under_way < UNDER_WAY;
        if begin {
            lane.under_way += 1;
        }
        begin
    }

    /// Writes until no item waits.
    async fn carry(&self, with: &C, org: OrgId) {
        let mut turn = Turn { group: self, org, over: false };
        while let Some(share) = turn.next() {
            let (items, tells): (Vec<_>, Vec<_>) = share.into_iter().unzip();
            let answers = match (self.write)(with, org, &items).await {
                Ok(answers) => answers.into_iter().map(Ok).collect(),
                Err(error) if items.len() == 1 => vec![Err(error)],
                // Writing each alone shows which one fails.
                Err(_) => join_all(items.iter().map(|item| self.write_alone(with, org, item))).await,
            };
            metrics::histogram!("countersign_shared_writes")
                .record(f64::from(u16::try_from(items.len()).unwrap_or(u16::MAX)));
            for ((item, tell), answer) in items.into_iter().zip(tells).zip(answers) {
                // Nobody receives it when the caller is gone; it is written all the same.
                let _ = tell.send((item, answer));
            }
        }
    }

    async fn write_alone(&self, with: &C, org: OrgId, item: &T) -> Result<R, Error> {
        let answers = (self.write)(with, org, std::slice::from_ref(item)).await?;
        answers.into_iter().next().ok_or(Error::Interrupted)
    }
}

impl<C, T, R> GroupCommit<C, T, R> {
    fn lanes(&self) -> MutexGuard<'_, HashMap<OrgId, Lane<T, R>>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A write in progress. If it panics, those that wait get an error instead of waiting for ever.
struct Turn<'a, C, T, R> {
    group: &'a GroupCommit<C, T, R>,
    org: OrgId,
    over: bool,
}

impl<C, T, R> Turn<'_, C, T, R> {
    /// The items of the next write; with none left, the turn is over.
    fn next(&mut self) -> Option<Vec<Waiting<T, R>>> {
        let mut lanes = self.group.lanes();
        let Some(lane) = lanes.get_mut(&self.org) else {
            self.over = true;
            return None;
        };
        let share = SHARE.min(lane.waiting.len());
        if share > 0 {
            return Some(lane.waiting.drain(..share).collect());
        }
        lane.under_way -= 1;
        self.over = true;
        if lane.under_way == 0 {
            lanes.remove(&self.org);
        }
        None
    }
}

impl<C, T, R> Drop for Turn<'_, C, T, R> {
    fn drop(&mut self) {
        if !self.over {
            self.group.lanes().remove(&self.org);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    /// A store that writes when it is let, refuses odd numbers, and counts.
    struct Store {
        gate: Semaphore,
        writes: AtomicUsize,
        most: AtomicUsize,
    }

    fn store<'a>(
        store: &'a Arc<Store>,
        _: OrgId,
        items: &'a [u32],
    ) -> BoxFuture<'a, Result<Vec<u32>, Error>> {
        Box::pin(async move {
            store.gate.acquire().await.map_err(|_| Error::Interrupted)?.forget();
            assert!(!items.contains(&1_000), "a write that panics");
            store.writes.fetch_add(1, Ordering::Relaxed);
            store.most.fetch_max(items.len(), Ordering::Relaxed);
            if items.iter().any(|item| item % 2 == 1) {
                return Err(Error::PolicyInMotion);
            }
            Ok(items.iter().map(|item| item * 10).collect())
        })
    }

    fn org() -> OrgId {
        OrgId::from_uuid(uuid::Uuid::from_u128(1))
    }

    async fn write_all(shared: &Arc<Store>, items: Vec<u32>) -> Vec<Result<u32, ()>> {
        let group = Arc::new(GroupCommit::new(Shutdown::default(), store));
        let writes = join_all(items.into_iter().map(async |item| {
            let (back, answer) = group.write(shared, org(), item).await.map_err(|_| ())?;
            assert_eq!(back, item, "an item comes back with its own answer");
            answer.map_err(|_| ())
        }));
        // Polled after all of them asked.
        let open = async { shared.gate.add_permits(10_000) };
        let (answers, ()) = futures::join!(writes, open);
        assert!(group.lanes().is_empty(), "nothing is kept of an org that writes nothing");
        answers
    }

    fn closed_store() -> Arc<Store> {
        Arc::new(Store { gate: Semaphore::new(0), writes: AtomicUsize::new(0), most: AtomicUsize::new(0) })
    }

    #[tokio::test]
    async fn who_comes_at_once_shares_a_write() {
        let store = closed_store();
        let answers = write_all(&store, (0..200).map(|n| n * 2).collect()).await;
        assert_eq!(answers, (0..200).map(|n| Ok(n * 20)).collect::<Vec<_>>());
        assert_eq!(store.most.load(Ordering::Relaxed), SHARE);
        assert_eq!(store.writes.load(Ordering::Relaxed), 200_usize.div_ceil(SHARE));
    }

    #[tokio::test]
    async fn what_is_refused_takes_nobody_with_it() {
        let store = closed_store();
        let answers = write_all(&store, vec![0, 2, 4, 6, 7, 8]).await;
        assert_eq!(answers, [Ok(0), Ok(20), Ok(40), Ok(60), Err(()), Ok(80)]);
    }

    #[tokio::test]
    async fn who_waits_for_a_write_that_panics_is_told() {
        let store = closed_store();
        let answers = write_all(&store, vec![2, 1_000, 4]).await;
        assert_eq!(answers, [Err(()), Err(()), Err(())]);
    }
}
