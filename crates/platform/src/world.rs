//! The clock and the dice, and ids, which need both. Production uses the system's; tests turn the one and seed the other.

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

/// Time and randomness together, because ids need both. Cheap to clone; clones share the clock, the dice and the
/// order of ids.
#[derive(Debug, Clone)]
pub struct World {
    /// What time it is.
    pub clock: Clock,
    /// Where randomness comes from.
    pub dice: Dice,
    /// The id that was made last.
    last: Arc<Mutex<Option<Uuid>>>,
}

impl World {
    pub fn new(clock: Clock, dice: Dice) -> Self {
        Self { clock, dice, last: Arc::default() }
    }

    /// The real ones.
    pub fn system() -> Self {
        Self::new(Clock::system(), Dice::system())
    }

    /// A clock that stands still until it is turned, and dice that always fall the same way.
    pub fn fixed(start: Timestamp, seed: u64) -> Self {
        Self::new(Clock::manual(start), Dice::seeded(seed))
    }

    /// A new UUID (version 7) for an id. As long as the clock is not set back, those of one world sort in the order in
    /// which they were made, also within a millisecond: lists go by ids, and what came first stands first. Whoever
    /// knows one may guess its neighbours, so an id is never a secret.
    pub fn uuid(&self) -> Uuid {
        let mut random = [0; 10];
        self.dice.fill(&mut random);
        // The highest of the 62 bits after the variant's two stays free, so that steps do not run into the variant.
        random[2] &= 0b1101_1111;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: the time of a later id must not be an earlier one.
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

/// What time it is.
#[derive(Debug, Clone)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that only moves when told to.
    pub fn manual(start: Timestamp) -> Self {
        Self(Some(Arc::new(AtomicI64::new(start.as_microsecond()))))
    }

    /// Now, in microseconds: what PostgreSQL keeps, so a time reads back as it was written.
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everybody else must ask")]
    pub fn now(&self) -> Timestamp {
        let micros = match &self.0 {
            None => Timestamp::now().as_microsecond(),
            Some(manual) => manual.load(Ordering::SeqCst),
        };
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Turns a manual clock forward; a system clock goes its own way.
    pub fn advance(&self, by: Duration) {
        if let Some(manual) = &self.0 {
            manual.fetch_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock, back as well as forward, as clocks of machines are set; a system clock goes its own way.
    pub fn set(&self, to: Timestamp) {
        if let Some(manual) = &self.0 {
            manual.store(to.as_microsecond(), Ordering::SeqCst);
        }
    }
}

/// Where randomness comes from.
#[derive(Debug, Clone)]
pub struct Dice(Option<Arc<Mutex<ChaCha20Rng>>>);

impl Dice {
    /// The operating system's.
    pub fn system() -> Self {
        Self(None)
    }

    /// A sequence that depends on the seed alone.
    pub fn seeded(seed: u64) -> Self {
        Self(Some(Arc::new(Mutex::new(ChaCha20Rng::seed_from_u64(seed)))))
    }

    /// Fills a buffer.
    ///
    /// # Panics
    /// When the operating system has no randomness to give: nothing safe can be done without it.
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
