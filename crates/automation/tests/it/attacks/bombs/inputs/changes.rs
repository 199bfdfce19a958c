//! Definitions with unusual schedules, and randomly changed definitions.

use serde_json::{Map, Value, json};
use testkit::{Dice, places};

use crate::attacks::bombs::inputs::definitions::{right, with};

/// Unusual cron expressions and time zones.
pub(crate) fn crons() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let fields = [
        "*",
        "*/1",
        "*/0",
        "*/99999999999",
        "0-59/7",
        "59-0",
        "-1",
        "60",
        "99999999999999999999",
        "1,2,3",
        ",",
        "1,,2",
        "L",
        "W",
        "LW",
        "15W",
        "#",
        "5#3",
        "5#9",
        "MON-FRI",
        "jan",
        "?",
        "@",
        "a",
        "é",
        "1-2-3",
        "1/2/3",
        "*/*",
        "0x1",
        "1.5",
        " ",
    ];
    for field in fields {
        for place in 0..5 {
            let mut cron = ["0", "9", "*", "*", "*"];
            cron[place] = field;
            let cron = cron.join(" ");
            all.push((format!("cron {cron}"), with("/triggers/0/config/cron", cron.into())));
        }
    }
    for cron in [
        "",
        " ",
        "@every 1s",
        "@reboot",
        "@yearly",
        "* * * * * *",
        "* * * * * * *",
        "0 0 31 2 *",
        "0 0 30 2 *",
        "0 0 29 2 1",
        "0 0 29 2 *",
        "0 0 31 4,6,9,11 *",
        "0 0 L 2 5#5",
        "0 0 * 2 5#5",
        "0\t9\n*\r*\u{a0}*",
        "TZ=UTC 0 9 * * *",
        "\u{0} * * * *",
        "0 9 * * 1-5 ; rm",
    ] {
        all.push((format!("cron {}", cron.escape_debug()), with("/triggers/0/config/cron", cron.into())));
    }
    let list = format!("{} * * * *", (0..60).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    all.push(("cron with every minute".to_owned(), with("/triggers/0/config/cron", list.into())));
    for zone in [
        "../../etc/passwd",
        "/etc/passwd",
        "/etc/localtime",
        "",
        ".",
        "..",
        "UTC",
        "utc",
        "posix/UTC",
        "right/UTC",
        "Etc/GMT+99",
        "GMT+1",
        "EST5EDT",
        "<+99>-99",
        ":UTC",
        "America/New_York\u{0}",
        "Africa/Kigali/../Cairo",
        "tzdata.zi",
        "zone.tab",
        "\u{202e}CTU",
        "Local",
        "Factory",
        "+01:00",
        "🌍",
    ] {
        for cron in ["0 9 * * *", "30 2 * * *", "0 0 29 2 *"] {
            let mut source = right();
            source["triggers"][0]["config"] = json!({ "cron": cron, "timezone": zone });
            all.push((format!("{cron} in {}", zone.escape_debug()), source.to_string()));
        }
    }
    all
}

/// The valid definition with one to three parts replaced, removed, duplicated or swapped, or with its text truncated.
pub(crate) fn mutated(count: usize) -> Vec<(String, String)> {
    let mut dice = Dice::new(1_010);
    (0..count)
        .map(|number| {
            let mut source = right();
            for _ in 0..=dice.below(3) {
                mutate(&mut dice, &mut source);
            }
            let mut text = source.to_string();
            if dice.below(10) == 0 {
                let at = dice.below(text.len());
                let at = (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap_or_default();
                text.insert_str(at, dice.one(&["{", "\"", ",", "\\u0000", "1e999", "null,"]));
            }
            (format!("changed {number}"), text)
        })
        .collect()
}

fn mutate(dice: &mut Dice, source: &mut Value) {
    let all = places(source);
    let (place, other) = (&all[dice.below(all.len())], &all[dice.below(all.len())]);
    let copied = source.pointer(other).cloned().unwrap_or_default();
    let (parent, name) = place.rsplit_once('/').unwrap_or_default();
    match (dice.below(5), source.pointer_mut(parent)) {
        (0, Some(Value::Object(fields))) => drop(fields.remove(name)),
        (1, Some(Value::Object(fields))) => drop(fields.insert(format!("{name}{name}"), copied)),
        (2, Some(Value::Array(items))) => items.push(copied),
        (3, _) => put(source, place, copied),
        _ => {
            put(source, place, random(dice, 3));
        }
    }
}

fn put(source: &mut Value, place: &str, part: Value) {
    if let Some(found) = source.pointer_mut(place) {
        *found = part;
    }
}

fn random(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => dice.one(&[json!(0).as_i64(), Some(-1), Some(i64::MAX), Some(i64::MIN), Some(65_536)]).into(),
        3 => json!(dice.one(&[0.5, 1e300, -0.0, 5e-324])),
        4 => dice
            .one(&[
                "",
                "$",
                "{{",
                "{{ run.id }}",
                "{{ nothing }}",
                "$creator",
                "\u{0}",
                "\u{202e}",
                "schedule",
                "agent_task",
            ])
            .into(),
        5 => "x".repeat(dice.below(3_000)).into(),
        6 => json!({ "$ref": "#" }),
        7 => (0..dice.below(4)).map(|_| random(dice, depth - 1)).collect::<Vec<_>>().into(),
        _ => (0..dice.below(4))
            .map(|n| (format!("k{n}"), random(dice, depth - 1)))
            .collect::<Map<_, _>>()
            .into(),
    }
}
