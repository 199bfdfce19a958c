//! Times as receipts write them: RFC 3339 in UTC. Only their order matters here.

/// How much the clocks of one deployment may differ.
const SKEW_SECONDS: u64 = 300;

/// A time, ordered: the digits of the date and time, then nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64, u32);

impl Moment {
    /// Parses `2026-11-15T02:02:01.123Z`. Only `Z` is accepted: with a single offset, comparing digits compares times.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (whole, rest) = text.split_at_checked(19)?;
        let mut digits = 0_u64;
        for (place, byte) in whole.bytes().enumerate() {
            let separator = match place {
                4 | 7 => Some(b'-'),
                10 => Some(b'T'),
                13 | 16 => Some(b':'),
                _ => None,
            };
            match separator {
                Some(expected) if byte == expected => {}
                None if byte.is_ascii_digit() => digits = digits * 10 + u64::from(byte - b'0'),
                _ => return None,
            }
        }
        let nanos = match rest.strip_suffix('Z')? {
            "" => 0,
            fraction => Self::nanos(fraction.strip_prefix('.')?)?,
        };
        Self::in_calendar(digits).then_some(Self(digits, nanos))
    }

    /// Whether it is later by more than the clocks of one deployment may differ.
    pub(crate) fn is_well_after(self, other: Self) -> bool {
        self.seconds() > other.seconds() + SKEW_SECONDS
    }

    /// Seconds since the year 0, as if every minute had sixty.
    fn seconds(self) -> u64 {
        let (date, time) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
        // March is the first month, so that the leap day is the last day of the year.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year.saturating_sub(1), month + 9) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        days * 86_400 + time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
    }

    fn nanos(fraction: &str) -> Option<u32> {
        let fits = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
        let missing = 9_u32.checked_sub(u32::try_from(fraction.len()).ok()?)?;
        if fits { fraction.parse::<u32>().ok().map(|n| n * 10_u32.pow(missing)) } else { None }
    }

    // A coarse check: the exact length of a month does not change the order of two times.
    fn in_calendar(digits: u64) -> bool {
        let (date, time) = (digits / 1_000_000, digits % 1_000_000);
        (1..=12).contains(&(date / 100 % 100))
            && (1..=31).contains(&(date % 100))
            && time / 10_000 < 24
            && time / 100 % 100 < 60
            && time % 100 <= 60
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ordered_whatever_the_length_of_their_fraction() {
        let order = [
            "2026-11-15T02:02:01Z",
            "2026-11-15T02:02:01.000001Z",
            "2026-11-15T02:02:01.5Z",
            "2026-11-15T02:02:01.500000001Z",
            "2026-11-15T02:02:02Z",
            "2027-01-01T00:00:00Z",
        ];
        let moments: Vec<_> = order.iter().map(|text| Moment::parse(text).unwrap()).collect();
        assert!(moments.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn five_minutes_are_five_minutes_over_the_ends_of_days_and_years() {
        let at = |text: &str| Moment::parse(text).unwrap();
        for (early, late) in [
            ("2026-11-15T12:00:00Z", "2026-11-15T12:05:00Z"),
            ("2026-12-31T23:58:00Z", "2027-01-01T00:03:00Z"),
            ("2028-02-28T23:58:00Z", "2028-02-29T00:03:00Z"),
            ("2026-02-28T23:58:00Z", "2026-03-01T00:03:00Z"),
        ] {
            assert!(!at(late).is_well_after(at(early)));
            assert!(at(&late.replace(":00Z", ":01Z")).is_well_after(at(early)), "{late}");
            assert!(!at(early).is_well_after(at(late)));
        }
    }

    #[test]
    fn other_spellings_of_time_are_refused() {
        for bad in [
            "",
            "2026-11-15",
            "2026-11-15T02:02:01",
            "2026-11-15 02:02:01Z",
            "2026-11-15T02:02:01+00:00",
            "2026-11-15T02:02:01.Z",
            "2026-11-15T02:02:01.1234567890Z",
            "2026-13-15T02:02:01Z",
            "2026-11-15T24:02:01Z",
            "2026-11-15T02:02:01z",
            "２026-11-15T02:02:01Z",
        ] {
            assert_eq!(Moment::parse(bad), None, "{bad}");
        }
    }
}
