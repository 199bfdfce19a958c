//! Clock, randomness, and IDs, which need both. Production uses those of the system; tests set the clock and seed the
//! randomness.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use uuid::Uuid;

/// How long this thread has computed. A limit in it holds back work, and not whoever waits for a busy machine.
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Clock and randomness together, because IDs need both. Cheap to clone; clones share the clock, the randomness and
/// the order of IDs.
#[derive(Debug, Clone)]
pub struct World {
    /// The source of the current time.
    pub clock: Clock,
    /// The source of randomness.
    pub dice: Dice,
    /// The most recent ID.
    last: Arc<Mutex<Option<Uuid>>>,
}

impl World {
    pub fn new(clock: Clock, dice: Dice) -> Self {
        Self { clock, dice, last: Arc::default() }
    }

    /// The clock and the randomness of the system.
    pub fn system() -> Self {
        Self::new(Clock::system(), Dice::system())
    }

    /// A clock that stands still until it is set, and a fixed sequence of random numbers.
    pub fn fixed(start: Timestamp, seed: u64) -> Self {
        Self::new(Clock::manual(start), Dice::seeded(seed))
    }

    /// A new UUID (version 7) for an ID. As long as the clock is not set back, the IDs of one world sort in the order
    /// of their creation, even within a millisecond, because lists are sorted by ID. Neighbouring IDs can be guessed,
    /// so an ID is never a secret.
    pub fn uuid(&self) -> Uuid {
        let mut random = [0; 10];
        self.dice.fill(&mut random);
        // The highest of the 62 bits after the variant stays free, so that increments do not overflow into the
        // variant.
        random[2] &= 0b1101_1111;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: a later ID must not have an earlier time.
        let millis = u64::try_from(self.clock.now().as_millisecond()).unwrap_or_default();
        let id = match last.map(|last| last.as_u128()) {
            Some(last) if last >> 80 == u128::from(millis) => {
                let [.., a, b, c, d] = random;
                Uuid::from_u128(last + 1 + u128::from(u32::from_be_bytes([a, b, c, d])))
            }
            _ => uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid(),
        };
        *last = Some(id);
        id
    }
}

/// The source of the current time.
#[derive(Debug, Clone)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that moves only when it is set.
    pub fn manual(start: Timestamp) -> Self {
        Self(Some(Arc::new(AtomicI64::new(start.as_microsecond()))))
    }

    /// Now, in microseconds: the precision of PostgreSQL, so that a time reads back as it was written.
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everybody else must ask")]
    pub fn now(&self) -> Timestamp {
        let micros = match &self.0 {
            None => Timestamp::now().as_microsecond(),
            Some(manual) => manual.load(Ordering::SeqCst),
        };
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Moves a manual clock forward; no effect on a system clock.
    pub fn advance(&self, by: Duration) {
        if let Some(manual) = &self.0 {
            manual.fetch_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock forward or back, as clocks of machines are set; no effect on a system clock.
    pub fn set(&self, to: Timestamp) {
        if let Some(manual) = &self.0 {
            manual.store(to.as_microsecond(), Ordering::SeqCst);
        }
    }
}

/// The source of randomness.
#[derive(Debug, Clone)]
pub struct Dice(Option<Arc<Mutex<ChaCha20Rng>>>);

impl Dice {
    /// The randomness of the operating system.
    pub fn system() -> Self {
        Self(None)
    }

    /// A sequence that depends only on the seed.
    pub fn seeded(seed: u64) -> Self {
        Self(Some(Arc::new(Mutex::new(ChaCha20Rng::seed_from_u64(seed)))))
    }

    /// Fills a buffer.
    ///
    /// # Panics
    /// If the operating system cannot provide randomness: nothing safe can be done without it.
    #[expect(clippy::disallowed_methods, reason = "these are the dice that everybody else must roll")]
    #[expect(clippy::expect_used, reason = "a process without randomness must not go on")]
    pub fn fill(&self, buffer: &mut [u8]) {
        match &self.0 {
            None => getrandom::fill(buffer).expect("the operating system gives randomness"),
            Some(seeded) => seeded.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_world_repeats_itself_and_its_ids_follow_the_clock() {
        let start: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
        let (one, two) = (World::fixed(start, 7), World::fixed(start, 7));
        let first = one.uuid();
        assert_eq!(first, two.uuid());
        one.clock.advance(Duration::from_millis(1));
        assert!(one.uuid() > first);
        assert_eq!(first.get_version_num(), 7);
    }

    #[test]
    fn ids_of_one_millisecond_sort_as_they_were_made() {
        let world = World::fixed("2026-11-15T09:00:00Z".parse().unwrap(), 7);
        let ids: Vec<Uuid> = (0..10_000).map(|_| world.uuid()).collect();
        assert!(ids.is_sorted_by(|earlier, later| earlier < later));
        for id in &ids {
            assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
            let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
            assert_eq!((seconds, nanos), (1_794_733_200, 0));
        }
    }

    #[test]
    fn ids_made_by_several_at_once_are_all_different_and_each_sees_its_own_rise() {
        let world = World::new(Clock::manual(Timestamp::UNIX_EPOCH), Dice::system());
        let made: Vec<Uuid> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..2_000).map(|_| world.uuid()).collect::<Vec<_>>()))
                .collect();
            makers
                .into_iter()
                .flat_map(|maker| {
                    let ids = maker.join().unwrap();
                    assert!(ids.is_sorted_by(|earlier, later| earlier < later));
                    ids
                })
                .collect()
        });
        assert_eq!(made.iter().collect::<std::collections::BTreeSet<_>>().len(), 8_000);
    }

    #[test]
    fn a_manual_clock_can_be_set_back() {
        let start: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
        let clock = Clock::manual(start);
        clock.advance(Duration::from_secs(60));
        clock.set(start);
        assert_eq!(clock.now(), start);
    }
}
