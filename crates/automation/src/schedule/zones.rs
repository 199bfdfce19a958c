//! Every time zone, across every change of its offset until the end of 2037, compared with the calendar.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use super::Schedule;

const FROM: &str = "2026-01-01T00:00:00Z";
const UNTIL: &str = "2038-01-01T00:00:00Z";
/// How much time around a change is checked.
const AROUND: SignedDuration = SignedDuration::from_hours(60);

/// The zones whose offset changes, with these changes.
fn zones() -> Vec<(String, TimeZone, Vec<Timestamp>)> {
    let (from, until): (Timestamp, Timestamp) = (FROM.parse().unwrap(), UNTIL.parse().unwrap());
    let mut zones = Vec::new();
    for name in jiff::tz::db().available() {
        let Ok(zone) = TimeZone::get(name.as_str()) else { continue };
        let changes: Vec<Timestamp> = zone
            .following(from)
            .map(|change| change.timestamp())
            .take_while(|change| *change < until)
            .collect();
        if !changes.is_empty() {
            zones.push((name.as_str().to_owned(), zone, changes));
        }
    }
    zones
}

fn fires(schedule: &Schedule, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
    let mut all = Vec::new();
    let mut moment = from;
    while let Ok(next) = schedule.next_after(moment) {
        assert!(next > moment, "the next time must be later");
        if next >= until {
            break;
        }
        all.push(next);
        moment = next;
    }
    all
}

/// The day that a fire is for: its own day or, where its time was skipped, the day it was skipped on.
fn day_of(fire: Timestamp, time: &str, zone: &TimeZone) -> Date {
    let local = fire.to_zoned(zone.clone());
    if local.strftime("%-M %-H").to_string() == time {
        return local.date();
    }
    let second = SignedDuration::from_secs(1);
    let before = (fire - second).to_zoned(zone.clone()).datetime();
    assert!(before + second < local.datetime(), "{fire} is neither {time} nor right after a skipped time");
    (before + second).date()
}

#[test]
fn a_time_of_day_comes_once_a_local_day_in_every_zone_until_2037() {
    let (zones, mut checked) = (zones(), 0_usize);
    assert!(zones.len() > 100, "only {} time zones were read", zones.len());
    for (name, zone, changes) in &zones {
        for time in ["0 0", "30 1", "0 2", "30 2", "15 3", "30 23"] {
            let schedule = Schedule::parse(&format!("{time} * * *"), name).unwrap();
            for change in changes {
                let (from, until) = (*change - AROUND, *change + AROUND);
                let mut days: BTreeMap<Date, usize> = BTreeMap::new();
                for fire in fires(&schedule, from, until) {
                    *days.entry(day_of(fire, time, zone)).or_default() += 1;
                }
                // The first and the last day may be covered only in part.
                let (first, last) = (from.to_zoned(zone.clone()).date(), until.to_zoned(zone.clone()).date());
                let mut day = first.tomorrow().unwrap();
                while day < last {
                    let count = days.get(&day).copied().unwrap_or_default();
                    assert_eq!(count, 1, "{name}: {time} on {day}");
                    (checked, day) = (checked + 1, day.tomorrow().unwrap());
                }
            }
        }
    }
    assert!(checked > 10_000, "only {checked} days were checked");
}

#[test]
fn who_asks_late_is_told_the_same_next_moment_around_every_change() {
    // A timer that is late, or that uses a fast clock, asks from within a repeated hour.
    let mut checked = 0_usize;
    for (name, _, changes) in &zones() {
        for time in ["0 0", "30 1", "30 2", "45 23"] {
            let schedule = Schedule::parse(&format!("{time} * * *"), name).unwrap();
            for change in changes.iter().take(4) {
                let around = SignedDuration::from_hours(30);
                let found = fires(&schedule, *change - around, *change + around);
                for pair in found.windows(2) {
                    for late in [1, 20, 40, 59, 61, 90, 150].map(SignedDuration::from_mins) {
                        let next = schedule.next_after(pair[0] + late).unwrap();
                        assert_eq!(next, pair[1], "{name}: {time} {late} after {}", pair[0]);
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "only {checked} times were checked");
}

#[test]
fn an_interval_comes_at_every_such_minute_there_is_around_every_change() {
    // Every tenth zone only, because minute by minute takes long.
    for (name, zone, changes) in zones().iter().step_by(10) {
        for (cron, every) in [("0 * * * *", 60), ("*/15 * * * *", 15)] {
            let schedule = Schedule::parse(cron, name).unwrap();
            for change in changes.iter().take(4) {
                let (from, until) =
                    (*change - SignedDuration::from_hours(4), *change + SignedDuration::from_hours(4));
                let mut expected = Vec::new();
                let mut moment = from;
                while moment < until {
                    let local = moment.to_zoned(zone.clone());
                    if moment > from && i32::from(local.minute()) % every == 0 && local.second() == 0 {
                        expected.push(moment);
                    }
                    moment += SignedDuration::from_mins(1);
                }
                assert_eq!(fires(&schedule, from, until), expected, "{name}: {cron} around {change}");
            }
        }
    }
}

#[test]
fn the_last_day_of_a_month_comes_once_a_month_in_every_zone() {
    for (name, zone, _) in zones() {
        let schedule = Schedule::parse("30 2 L * *", &name).unwrap();
        let found = fires(&schedule, FROM.parse().unwrap(), "2029-01-01T00:00:00Z".parse().unwrap());
        let months: BTreeSet<(i16, i8)> = found
            .iter()
            .map(|fire| fire.to_zoned(zone.clone()).date())
            .map(|day| {
                assert_eq!(day, day.last_of_month(), "{name}");
                (day.year(), day.month())
            })
            .collect();
        assert_eq!(months.len(), found.len(), "{name}: one fire per month");
        assert!((35..=37).contains(&months.len()), "{name}: {}", months.len());
    }
}
