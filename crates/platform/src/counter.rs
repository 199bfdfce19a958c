//! Counts per key and period, in the memory of this process.
//!
//! The memory is bounded. When it is full, further keys share one count: they reach their limit too early, and never too
//! late.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::Clock;

/// How often keys whose period is over are removed, in milliseconds.
const SWEEP_MS: i64 = 1_000;

/// Counters that end.
#[derive(Debug)]
pub struct Counter<K> {
    clock: Clock,
    most_keys: usize,
    counts: Mutex<Counts<K>>,
}

#[derive(Debug)]
struct Counts<K> {
    by_key: HashMap<K, Count>,
    /// The count of all keys for which there was no room.
    others: Count,
    swept_ms: i64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    count: u64,
    ends_ms: i64,
}

impl Count {
    fn increment(&mut self, now_ms: i64, ends_ms: i64) -> u64 {
        if self.ends_ms <= now_ms {
            *self = Self { count: 0, ends_ms };
        }
        self.count = self.count.saturating_add(1);
        self.count
    }
}

impl<K: Eq + Hash> Counter<K> {
    /// Counters for at most this many keys at a time.
    pub fn new(clock: Clock, most_keys: usize) -> Self {
        let counts = Counts { by_key: HashMap::new(), others: Count::default(), swept_ms: 0 };
        Self { clock, most_keys, counts: Mutex::new(counts) }
    }

    /// Increments the counter of a key and returns its value. A new counter ends after this time.
    pub fn count(&self, key: K, ends_after: Duration) -> u64 {
        let now_ms = self.clock.now().as_millisecond();
        let ends_ms = now_ms.saturating_add(i64::try_from(ends_after.as_millis()).unwrap_or(i64::MAX));
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let Counts { by_key, others, swept_ms } = &mut *counts;
        if let Some(count) = by_key.get_mut(&key) {
            return count.increment(now_ms, ends_ms);
        }
        if by_key.len() >= self.most_keys && now_ms.saturating_sub(*swept_ms) >= SWEEP_MS {
            *swept_ms = now_ms;
            by_key.retain(|_, count| count.ends_ms > now_ms);
        }
        if by_key.len() >= self.most_keys {
            return others.increment(now_ms, ends_ms);
        }
        by_key.entry(key).or_default().increment(now_ms, ends_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_secs(60);

    fn counter(most_keys: usize) -> (Counter<&'static str>, Clock) {
        let clock = Clock::manual(jiff::Timestamp::UNIX_EPOCH + Duration::from_secs(1_000));
        (Counter::new(clock.clone(), most_keys), clock)
    }

    #[test]
    fn every_key_is_counted_until_its_period_ends() {
        let (counter, clock) = counter(10);
        assert_eq!([1, 2, 3].map(|_| counter.count("a", PERIOD)), [1, 2, 3]);
        assert_eq!(counter.count("b", PERIOD), 1);
        clock.advance(PERIOD - Duration::from_millis(1));
        assert_eq!(counter.count("a", PERIOD), 4);
        clock.advance(Duration::from_millis(1));
        assert_eq!(counter.count("a", PERIOD), 1);
    }

    #[test]
    fn a_full_memory_counts_further_keys_together_until_there_is_room() {
        let (counter, clock) = counter(2);
        assert_eq!(["a", "b", "c", "d", "a"].map(|key| counter.count(key, PERIOD)), [1, 1, 1, 2, 2]);
        clock.advance(PERIOD);
        assert_eq!(["c", "d", "e"].map(|key| counter.count(key, PERIOD)), [1, 1, 1]);
        assert_eq!(counter.counts.lock().unwrap().by_key.len(), 2);
    }
}
