//! Periods for statistics, and their ranges of time-ordered IDs.

pub use crate::limits::period::MOST_DAYS;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// The smallest UUID v7 of a time: its first 48 bits are milliseconds. Like `uuid_at` in the database.
pub fn least_uuid(at: Timestamp) -> Uuid {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or(0).min((1 << 48) - 1);
    Uuid::from_u128(millis << 80)
}

/// The creation time of a UUID v7.
pub fn moment(id: Uuid) -> Timestamp {
    let millis = i64::try_from(id.as_u128() >> 80).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

/// A period, split into buckets of equal length that begin at full hours or days (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    since: Timestamp,
    until: Timestamp,
    bucket_s: i64,
}

impl Period {
    /// Starts at the beginning of the bucket that contains `since`. `None` if the period is empty or longer than 92
    /// days.
    pub fn new(since: Timestamp, until: Timestamp) -> Option<Self> {
        let length = until.as_second() - since.as_second();
        if since < Timestamp::UNIX_EPOCH || until <= since || length > MOST_DAYS * DAY {
            return None;
        }
        let bucket_s = match length {
            _ if length <= 2 * DAY => HOUR,
            _ if length <= 14 * DAY => 6 * HOUR,
            _ => DAY,
        };
        let begins = since.as_second().div_euclid(bucket_s) * bucket_s;
        Some(Self { since: Timestamp::from_second(begins).ok()?, until, bucket_s })
    }

    /// When it begins.
    pub const fn since(&self) -> Timestamp {
        self.since
    }

    /// When it ends.
    pub const fn until(&self) -> Timestamp {
        self.until
    }

    /// How long a bucket is.
    pub const fn bucket_s(&self) -> i64 {
        self.bucket_s
    }

    /// When its buckets begin.
    pub fn buckets(&self) -> impl Iterator<Item = Timestamp> {
        let (since, until, step) = (self.since, self.until, SignedDuration::from_secs(self.bucket_s));
        std::iter::successors(Some(since), move |at| at.checked_add(step).ok())
            .take_while(move |at| *at < until)
    }

    /// The range of IDs created in the period: from the first, up to but excluding the second.
    pub fn ids(&self) -> (Uuid, Uuid) {
        (least_uuid(self.since), least_uuid(self.until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn buckets_are_whole_and_cover_the_stretch() {
        for (since, until, bucket_s, first, count) in [
            ("2026-03-01T10:20:00Z", "2026-03-01T12:00:00Z", HOUR, "2026-03-01T10:00:00Z", 2),
            ("2026-03-01T10:20:00Z", "2026-03-08T10:20:00Z", 6 * HOUR, "2026-03-01T06:00:00Z", 29),
            ("2026-03-01T10:20:00Z", "2026-06-01T10:20:00Z", DAY, "2026-03-01T00:00:00Z", 93),
        ] {
            let period = Period::new(at(since), at(until)).unwrap();
            let buckets: Vec<_> = period.buckets().collect();
            assert_eq!(
                (period.bucket_s(), buckets[0], buckets.len()),
                (bucket_s, at(first), count),
                "{since}"
            );
        }
    }

    #[test]
    fn what_is_empty_or_too_long_is_no_period() {
        for (since, until) in [
            ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"),
            ("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"),
            ("2026-03-01T00:00:00Z", "2026-06-01T00:00:01Z"),
            ("1969-12-31T00:00:00Z", "1970-01-02T00:00:00Z"),
        ] {
            assert_eq!(Period::new(at(since), at(until)), None, "{since}");
        }
    }

    #[test]
    fn ids_and_moments_are_the_same_to_the_millisecond() {
        let time = at("2026-03-01T10:20:00.123Z");
        assert_eq!(moment(least_uuid(time)), time);
        assert!(least_uuid(at("2026-03-01T10:20:00.124Z")) > least_uuid(time));
        assert_eq!(least_uuid(Timestamp::MIN), Uuid::nil());
    }
}
