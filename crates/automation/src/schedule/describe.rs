//! A schedule in plain English, and when it fires next.

use jiff::Timestamp;
use serde_json::Value;

use super::Schedule;
use crate::{
    Problem,
    limits::schedule::{LONGEST_CRON, MOST_SCHEDULES, SHOWN},
};

/// The description and the next times of a schedule trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upcoming {
    /// The index of the trigger in the definition.
    pub trigger: usize,
    /// The schedule in words.
    pub description: String,
    /// The next times.
    pub next: Vec<Timestamp>,
}

/// Describes every schedule trigger that can be parsed and has no problem, also in an unfinished definition.
pub(crate) fn upcoming(source: &Value, problems: &[Problem], now: Timestamp) -> Vec<Upcoming> {
    let triggers = source.get("triggers").and_then(Value::as_array).into_iter().flatten();
    let is_fine = |index: usize| {
        let place = format!("/triggers/{index}/");
        problems.iter().all(|problem| !problem.pointer.starts_with(&place))
    };
    let schedules = triggers.take(MOST_SCHEDULES).enumerate().filter(|(index, _)| is_fine(*index));
    schedules.filter_map(|(index, trigger)| of_trigger(index, trigger, now)).collect()
}

fn of_trigger(index: usize, trigger: &Value, now: Timestamp) -> Option<Upcoming> {
    if trigger["type"] != "schedule" {
        return None;
    }
    let (cron, zone) = (trigger["config"]["cron"].as_str()?, trigger["config"]["timezone"].as_str()?);
    if cron.len() > LONGEST_CRON {
        return None;
    }
    let schedule = Schedule::parse(cron, zone).ok()?;
    let mut next = Vec::with_capacity(SHOWN);
    let mut after = now;
    while next.len() < SHOWN {
        // A schedule may end, for example after a last year.
        let Ok(found) = schedule.next_after(after) else { break };
        next.push(found);
        after = found;
    }
    let description = format!("{} ({zone})", words(cron, &schedule));
    (!next.is_empty()).then_some(Upcoming { trigger: index, description, next })
}

/// Common schedules in everyday words; others as the cron library describes them.
fn words(cron: &str, schedule: &Schedule) -> String {
    let fields: Vec<&str> = cron.split_whitespace().collect();
    let described = || schedule.cron.describe().trim_end_matches('.').to_owned();
    let [minute, hour, "*", "*", weekday] = fields[..] else { return described() };
    let (Ok(minute), hour) = (minute.parse::<u8>(), hour.parse::<u8>().ok()) else { return described() };
    match (hour, fields[1], days(weekday)) {
        (Some(hour), _, Some(days)) => format!("Every {days} at {hour:02}:{minute:02}"),
        (None, "*", Some("day")) => format!("Every hour at minute {minute}"),
        _ => described(),
    }
}

/// The name for the days of a field, where there is one.
fn days(field: &str) -> Option<&'static str> {
    const NAMES: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let field = field.to_ascii_uppercase();
    match field.as_str() {
        "*" => return Some("day"),
        "1-5" | "MON-FRI" => return Some("weekday"),
        "0,6" | "6,0" | "6,7" | "6-7" | "SAT,SUN" | "SUN,SAT" | "SAT-SUN" => {
            return Some("Saturday and Sunday");
        }
        _ => {}
    }
    let named = NAMES.iter().position(|name| name[..3].eq_ignore_ascii_case(&field));
    let number = named.or_else(|| field.parse().ok().filter(|day| *day <= 7))?;
    Some(NAMES[number % 7])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schedules_are_described_as_people_say_them() {
        for (cron, expected) in [
            ("0 9 * * *", "Every day at 09:00"),
            ("0 9 * * 1-5", "Every weekday at 09:00"),
            ("0 9 * * MON-FRI", "Every weekday at 09:00"),
            ("30 17 * * 5", "Every Friday at 17:30"),
            ("30 17 * * 0", "Every Sunday at 17:30"),
            ("30 17 * * 7", "Every Sunday at 17:30"),
            ("5 8 * * sat", "Every Saturday at 08:05"),
            ("0 10 * * 6,0", "Every Saturday and Sunday at 10:00"),
            ("15 * * * *", "Every hour at minute 15"),
            ("* * * * *", "Every minute"),
            ("*/15 * * * *", "At every 15 minutes"),
            ("0 12 15 * *", "At 12:00, on day 15"),
        ] {
            assert_eq!(words(cron, &Schedule::parse(cron, "UTC").unwrap()), expected, "{cron}");
        }
    }

    #[test]
    fn each_schedule_comes_with_its_next_five_times_and_what_is_wrong_is_left_out() {
        let at = |cron: &str, zone: &str| json!({ "type": "schedule", "config": { "cron": cron, "timezone": zone } });
        let source = json!({ "triggers": [
            { "type": "webhook", "config": {} },
            at("0 9 * * 1-5", "Europe/Berlin"),
            at("0 9 * *", "UTC"),
            at("0 9 * * *", "Nowhere"),
            at("0 0 30 2 *", "UTC"),
        ] });
        let found = upcoming(&source, &[], "2026-11-13T07:59:00Z".parse().unwrap());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].trigger, 1);
        assert_eq!(found[0].description, "Every weekday at 09:00 (Europe/Berlin)");
        let next: Vec<String> = found[0].next.iter().map(ToString::to_string).collect();
        let expected = ["13", "16", "17", "18", "19"].map(|day| format!("2026-11-{day}T08:00:00Z"));
        assert_eq!(next, expected);
        let problem =
            Problem { pointer: "/triggers/1/config".to_owned(), message: String::new(), suggestion: None };
        assert!(upcoming(&source, &[problem], "2026-11-13T07:59:00Z".parse().unwrap()).is_empty());
    }
}
