//! Points in time as receipts write them: RFC 3339 in UTC. Only their order matters here.

/// A point in time, ordered. The digits of the date and time, then nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64, u32);

impl Moment {
    /// Reads `2026-11-15T02:02:01.123Z`. Only `Z` is taken: one moment has one offset, so comparing digits is
    /// comparing time.
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

    fn nanos(fraction: &str) -> Option<u32> {
        let fits = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
        let missing = 9_u32.checked_sub(u32::try_from(fraction.len()).ok()?)?;
        if fits { fraction.parse::<u32>().ok().map(|n| n * 10_u32.pow(missing)) } else { None }
    }

    // A coarse check: the exact length of a month does not change the order of two moments.
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
