//! The due times of a schedule by the calendar, independently of the product's own search; and the check of the times
//! that fired.

use std::collections::BTreeMap;

use jiff::{
    Timestamp, ToSpan as _,
    civil::Date,
    tz::{AmbiguousOffset, TimeZone},
};

/// How a schedule repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At this time of day.
    Daily(i8, i8),
    /// At this time on the last day of every month.
    MonthEnd(i8, i8),
    /// At every minute divisible by this number.
    Every(i8),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Planned {
    pub(crate) zone: &'static str,
    pub(crate) kind: Kind,
    /// The end of the schedule, if it is before the end of its window.
    pub(crate) until: Option<Timestamp>,
}

/// Problems of the fires of schedules.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Local days that should have had a fire, and times at which intervals fired.
    pub(crate) days: usize,
    pub(crate) moments: usize,
    pub(crate) missed: usize,
    pub(crate) doubled: usize,
    /// Fires for a time that is not a due time.
    pub(crate) astray: usize,
    pub(crate) complaints: Vec<String>,
}

impl Planned {
    pub(crate) fn cron(&self) -> String {
        match self.kind {
            Kind::Daily(hour, minute) => format!("{minute} {hour} * * *"),
            Kind::MonthEnd(hour, minute) => format!("{minute} {hour} L * *"),
            Kind::Every(60) => "0 * * * *".to_owned(),
            Kind::Every(minutes) => format!("*/{minutes} * * * *"),
        }
    }

    /// The due time on a local day, if there is one: the time itself if it occurs once, the first of two occurrences,
    /// or the first existing time after a time that was skipped.
    fn moment_on(&self, day: Date, zone: &TimeZone) -> Option<Timestamp> {
        let (hour, minute) = match self.kind {
            Kind::Daily(hour, minute) => (hour, minute),
            Kind::MonthEnd(hour, minute) if day == day.last_of_month() => (hour, minute),
            _ => return None,
        };
        let time = day.at(hour, minute, 0, 0);
        let offset = match zone.to_ambiguous_timestamp(time).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset,
            AmbiguousOffset::Fold { before, .. } => before,
            AmbiguousOffset::Gap { before, .. } => {
                let left_out = before.to_timestamp(time).ok()?;
                let change = zone.preceding(left_out + 1.second()).next()?.timestamp();
                // A day that is skipped entirely has no due time.
                return (change.to_zoned(zone.clone()).date() == day).then_some(change);
            }
        };
        offset.to_timestamp(time).ok()
    }
}

impl Tally {
    fn complain(&mut self, planned: &Planned, what: &str) {
        if self.complaints.len() < 20 {
            self.complaints.push(format!("{} in {}: {what}", planned.cron(), planned.zone));
        }
    }

    /// Judges the times that fired within a window, without its first and last day.
    pub(crate) fn judge(
        &mut self,
        planned: &Planned,
        fired: &[Timestamp],
        (from, until): (Timestamp, Timestamp),
    ) -> anyhow::Result<()> {
        let zone = TimeZone::get(planned.zone)?;
        let mut counts: BTreeMap<Timestamp, usize> = BTreeMap::new();
        for moment in fired {
            *counts.entry(*moment).or_default() += 1;
        }
        let doubled = counts.iter().filter(|(_, count)| **count > 1);
        for (moment, count) in doubled {
            self.doubled += count - 1;
            self.complain(planned, &format!("{moment} {count} times"));
        }
        if let Kind::Every(minutes) = planned.kind {
            self.moments += counts.len();
            let is_astray = |moment: &&Timestamp| {
                let local = moment.to_zoned(zone.clone());
                i32::from(local.minute()) % i32::from(minutes) != 0 || local.second() != 0
            };
            self.astray += counts.keys().filter(is_astray).count();
            return Ok(());
        }
        let (mut day, last) = (
            from.to_zoned(zone.clone()).date().tomorrow()?,
            until.to_zoned(zone.clone()).date().yesterday()?,
        );
        while day < last {
            if let Some(moment) = planned.moment_on(day, &zone) {
                self.days += 1;
                if counts.remove(&moment).is_none() {
                    self.missed += 1;
                    self.complain(planned, &format!("none on {day}, which should have been {moment}"));
                }
            }
            day = day.tomorrow()?;
        }
        let meant = |moment: &Timestamp| {
            let day = moment.to_zoned(zone.clone()).date();
            planned.moment_on(day, &zone) == Some(*moment)
        };
        for moment in counts.keys().filter(|moment| !meant(moment)) {
            // A second fire on a local day.
            self.astray += 1;
            self.complain(planned, &format!("one at {}", moment.to_zoned(zone.clone())));
        }
        Ok(())
    }
}
