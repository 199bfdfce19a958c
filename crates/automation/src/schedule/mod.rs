//! Schedules: a cron expression in a time zone.
//!
//! A fixed time of day fires once per local day, whatever the zone does: where an hour is skipped, it fires at the next
//! time that exists, and where an hour is repeated, it fires the first time. An interval fires in every hour that
//! exists.

mod describe;

use croner::{Cron, errors::CronError, parser::CronParser, parser::Seconds};
use jiff::{SignedDuration, Timestamp, ToSpan as _, Zoned, civil, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::schedule::SEARCHES;

pub use describe::Upcoming;
pub(crate) use describe::upcoming;

/// What to do about times that were missed, for example during an outage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// Skip them.
    #[default]
    Skip,
    /// Start one run for all of them.
    Once,
}

/// Why a schedule is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// The cron expression cannot be parsed.
    #[error("invalid cron expression (five fields): {0}")]
    Cron(String),
    /// The time zone is unknown.
    #[error("unknown time zone `{0}`")]
    Zone(String),
    /// The expression is valid, but never matches.
    #[error("the schedule never fires")]
    Never,
}

/// A cron expression in a time zone.
#[derive(Debug, Clone)]
pub struct Schedule {
    cron: Cron,
    zone: TimeZone,
}

impl Schedule {
    /// Parses a schedule.
    pub fn parse(cron: &str, zone: &str) -> Result<Self, ScheduleError> {
        let fields = cron.split_whitespace().count();
        if fields != 5 {
            return Err(ScheduleError::Cron(format!("it has {fields}")));
        }
        // The library reads an empty list item as a field that never matches, and searches for a match for a minute.
        if cron.split_whitespace().flat_map(|field| field.split(',')).any(str::is_empty) {
            return Err(ScheduleError::Cron("an item of a list is empty".to_owned()));
        }
        let parser = CronParser::builder().seconds(Seconds::Disallowed).build();
        let cron = parser.parse(cron).map_err(|error| ScheduleError::Cron(error.to_string()))?;
        let zone = TimeZone::get(zone).map_err(|_| ScheduleError::Zone(zone.to_owned()))?;
        Ok(Self { cron, zone })
    }

    /// The first due time after `moment`.
    pub fn next_after(&self, moment: Timestamp) -> Result<Timestamp, ScheduleError> {
        let (mut from, mut is_included) = (moment.to_zoned(self.zone.clone()), false);
        for _ in 0..SEARCHES {
            match self.cron.find_next_occurrence(&from, is_included) {
                Ok(found) if self.is_due(&found) => return Ok(found.timestamp()),
                Ok(early) => (from, is_included) = (early, false),
                // The library searched thousands of years, and another search costs as much: check first whether the
                // expression matches in any calendar.
                Err(CronError::TimeSearchLimitExceeded) if !self.comes_at_all(moment) => {
                    return Err(ScheduleError::Never);
                }
                // Some zones skip a whole day, and the search does not get past it.
                Err(_) => (from, is_included) = (next_day(&from).ok_or(ScheduleError::Never)?, true),
            }
        }
        Err(ScheduleError::Never)
    }

    /// Whether the schedule ever matches in UTC, where no day is skipped.
    fn comes_at_all(&self, moment: Timestamp) -> bool {
        self.cron.find_next_occurrence(&moment.to_zoned(TimeZone::UTC), false).is_ok()
    }

    /// Whether a time that was found is due: its local time matches, or a local time that was skipped just before it
    /// does. Where a zone skips midnight, the library also returns the first time after it for times later that day.
    fn is_due(&self, found: &Zoned) -> bool {
        if self.is_meant(found.datetime()) {
            return true;
        }
        let second = SignedDuration::from_secs(1);
        let before = (found.timestamp() - second).to_zoned(self.zone.clone()).datetime();
        let mut left_out = before.saturating_add(second);
        while left_out < found.datetime() {
            if self.is_meant(left_out) {
                return true;
            }
            left_out = left_out.saturating_add(SignedDuration::from_mins(1));
        }
        false
    }

    fn is_meant(&self, wall: civil::DateTime) -> bool {
        let plain = wall.to_zoned(TimeZone::UTC).ok();
        plain.is_some_and(|plain| self.cron.is_time_matching(&plain).unwrap_or(false))
    }
}

/// The start of the next day that exists.
fn next_day(from: &Zoned) -> Option<Zoned> {
    from.checked_add(1.day()).ok()?.start_of_day().ok()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod zones;
