//! The schedule of retries. Pure.

use std::time::Duration;

/// Seconds to wait after each attempt; after the last wait there is one more attempt. Three days in total: long
/// enough for a receiver that is down over a weekend, and shorter than the retention of events.
const DELAYS_S: [u64; 9] =
    [5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600];

/// The time to wait after this many attempts, randomized by a fifth so that deliveries that failed together are not
/// retried together; `None` after the last attempt.
pub(crate) fn delay_after(attempts: u8, roll: u16) -> Option<Duration> {
    let base = DELAYS_S.get(usize::from(attempts).checked_sub(1)?)?;
    let per_mille = 800 + u64::from(roll) % 401;
    Some(Duration::from_millis(base * per_mille))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::webhooks::MOST_ATTEMPTS;

    #[test]
    fn ten_attempts_over_three_days_each_within_a_fifth() {
        for (number, seconds) in (1..).zip(DELAYS_S) {
            let base = Duration::from_secs(seconds);
            assert_eq!(delay_after(number, 0), Some(base * 4 / 5));
            assert_eq!(delay_after(number, 200), Some(base));
            assert_eq!(delay_after(number, 400), Some(base * 6 / 5));
            assert!((0..=u16::MAX).all(|roll| {
                delay_after(number, roll).is_some_and(|delay| base * 4 / 5 <= delay && delay <= base * 6 / 5)
            }));
        }
        assert_eq!(usize::from(MOST_ATTEMPTS), DELAYS_S.len() + 1);
        assert_eq!(
            (delay_after(0, 0), delay_after(MOST_ATTEMPTS, 0), delay_after(255, 0)),
            (None, None, None)
        );
        let longest: Duration = (1..=9).filter_map(|number| delay_after(number, 400)).sum();
        assert!(longest < Duration::from_secs(4 * 24 * 3_600), "events are kept for seven days");
    }
}
