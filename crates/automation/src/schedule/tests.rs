//! Schedules on days that are longer, shorter or skipped.

use jiff::{Timestamp, tz::TimeZone};

use super::{Schedule, ScheduleError};

fn fires(cron: &str, zone: &str, from: &str, count: usize) -> Vec<String> {
    let schedule = Schedule::parse(cron, zone).unwrap();
    let mut moment: Timestamp = from.parse().unwrap();
    let mut all = Vec::new();
    for _ in 0..count {
        moment = schedule.next_after(moment).unwrap();
        all.push(moment.to_zoned(TimeZone::get(zone).unwrap()).strftime("%m-%d %H:%M%:z").to_string());
    }
    all
}

#[test]
fn a_time_of_day_fires_once_where_an_hour_is_left_out_or_comes_twice() {
    // 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
    let spring = fires("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3);
    assert_eq!(spring, ["03-28 02:30+01:00", "03-29 03:00+02:00", "03-30 02:30+02:00"]);
    let autumn = fires("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", 3);
    assert_eq!(autumn, ["10-24 02:30+02:00", "10-25 02:30+02:00", "10-26 02:30+01:00"]);
}

#[test]
fn a_day_that_a_zone_left_out_is_passed_by() {
    // Samoa had no 30 December 2011.
    let samoa = fires("0 9 * * *", "Pacific/Apia", "2011-12-28T20:00:00Z", 2);
    assert_eq!(samoa, ["12-29 09:00-10:00", "12-31 09:00+14:00"]);
}

#[test]
fn what_is_no_schedule_is_told() {
    for (cron, zone) in [
        ("* * * *", "UTC"),
        ("0 * * * * *", "UTC"),
        ("61 * * * *", "UTC"),
        (", 9 * * *", "UTC"),
        ("0 9 1,,2 * *", "UTC"),
        ("@every 5m", "UTC"),
        ("0 9 * * *", "Mars/Olympus"),
        ("0 9 * * *", ""),
    ] {
        assert!(Schedule::parse(cron, zone).is_err(), "{cron} in {zone}");
    }
    let never = Schedule::parse("0 0 30 2 *", "UTC").unwrap();
    assert_eq!(never.next_after("2026-01-01T00:00:00Z".parse().unwrap()), Err(ScheduleError::Never));
}

#[test]
fn where_midnight_is_left_out_other_times_are_not_brought_forward() {
    // 2026-04-24: 00:00 becomes 01:00 in Cairo. The library alone fires at 01:00 for every time of that day.
    let half_past_one = fires("30 1 * * *", "Africa/Cairo", "2026-04-22T20:00:00Z", 3);
    assert_eq!(half_past_one, ["04-23 01:30+02:00", "04-24 01:30+03:00", "04-25 01:30+03:00"]);
    let midnight = fires("0 0 * * *", "Africa/Cairo", "2026-04-22T20:00:00Z", 3);
    assert_eq!(midnight, ["04-23 00:00+02:00", "04-24 01:00+03:00", "04-25 00:00+03:00"]);
    let half_past_midnight = fires("30 0 * * *", "Africa/Cairo", "2026-04-22T20:00:00Z", 3);
    assert_eq!(half_past_midnight, ["04-23 00:30+02:00", "04-24 01:00+03:00", "04-25 00:30+03:00"]);
}
