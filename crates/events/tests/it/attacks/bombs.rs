//! Hostile filters, alone and many at once in an index, evaluated for events near the limits.

use std::time::Duration;

use platform::filter::{Complaint, Filter, Index};
use serde_json::{Map, Value, json};
use testkit::{Dice, caged, tried, try_each};

/// The time limit for parsing one filter and evaluating it for every event, in a build without optimization.
const SOON: Duration = Duration::from_millis(1_500);
const MEBIBYTES: usize = 512;
const PATTERNS: [&str; 22] = [
    "(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "([a-z]+)*[0-9]",
    "(a?){50}a{50}",
    "(a{1000}){1000}",
    "((((a{9}){9}){9}){9}){9}",
    "\\w{200}",
    "[\\p{L}\\p{N}]{60}",
    "\\pL{99}\\pN{99}",
    "(?i)ß{200}",
    ".{0,1000}{0,1000}",
    "(?s).*.*.*.*.*.*x",
    "(?=a)b",
    "(a)\\1",
    "(?<!a)b",
    "[[:alpha:]&&[^a]]{90}",
    "(?x) a # b",
    "\\x{110000}",
    "(",
    "[z-a]",
    "(?P<n>a)(?P<n>b)",
];

/// A fragment nested in itself, as text.
fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

fn written() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for depth in [1, 7, 8, 9, 60, 125, 128, 5_000, 100_000] {
        for (open, close) in [
            ("{\"$not\":", "}"),
            ("{\"$and\":[", "]}"),
            ("{\"$or\":[", "]}"),
            ("{\"a\":", "}"),
            ("[", "]"),
            ("{\"$or\":[{},{},", "]}"),
            ("{\"a\":{\"equals\":", "}}"),
        ] {
            all.push((format!("{depth} × {open}"), nested(open, "{\"a\":{\"gt\":1}}", close, depth)));
        }
    }
    let mut add = |name: String, filter: Value| all.push((name, filter.to_string()));
    for pattern in PATTERNS {
        let test = json!({ "regex": pattern });
        add(format!("pattern {pattern}"), json!({ "data.text": test }));
        let many: Vec<Value> =
            (0..64).map(|n| json!({ "data.text": { "regex": format!("{pattern}|{n}") } })).collect();
        add(format!("64 patterns {pattern}"), json!({ "$or": many }));
        add(format!("none of 64 patterns {pattern}"), json!({ "$not": { "$and": many } }));
    }
    all
}

/// Filters with very many values, bytes, paths or alternatives.
fn crowded() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |name: String, filter: Value| all.push((name, filter.to_string()));
    for count in [100, 101, 10_000] {
        for operator in
            ["in", "not_in", "equals", "contains", "regex", "starts_with", "exists", "gt", "nothing"]
        {
            add(
                format!("{count} values for {operator}"),
                json!({ "data.text": { operator: (0..count).collect::<Vec<_>>() } }),
            );
            add(
                format!("{count} bytes for {operator}"),
                json!({ "data.text": { operator: "a".repeat(count) } }),
            );
        }
        let places: Map<String, Value> =
            (0..count).map(|n| (format!("data.p{n}"), json!({ "in": [1, 2, 3] }))).collect();
        add(format!("{count} places"), places.into());
        add(
            format!("{count} alternatives"),
            json!({ "$or": vec![json!({ "data.text": { "equals": "a" } }); count] }),
        );
    }
    let wide = vec![
        json!({ "data.text": { "in": (0..100).map(|n| format!("{n}{}", "a".repeat(1_000))).collect::<Vec<_>>() } });
        64
    ];
    add("64 × 100 long values".to_owned(), json!({ "$or": wide }));
    all
}

/// Unusual paths and numbers.
fn odd() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |name: String, filter: Value| all.push((name, filter.to_string()));
    let long = "n".repeat(200_000);
    for name in [
        "",
        ".",
        "..",
        "/",
        "//",
        "~",
        "/~",
        "$",
        "$where",
        "__proto__",
        "a..b",
        "\u{0}",
        "\u{202e}",
        "0",
        "-1",
        "18446744073709551616",
        &"a.".repeat(100),
        &long,
    ] {
        for value in [
            json!(1),
            json!({ "equals": 1 }),
            json!({}),
            json!({ name: 1 }),
            json!(null),
            json!({ "exists": "yes" }),
        ] {
            add(
                format!("place {:.20} with {:.20}", name.escape_debug().to_string(), value.to_string()),
                json!({ name: value }),
            );
        }
    }
    for number in [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(-0.0),
        json!(5e-324),
        json!(9_007_199_254_740_993_u64),
    ] {
        for operator in ["equals", "gt", "lte", "in", "contains"] {
            add(format!("{operator} {number}"), json!({ "data.n": { operator: number } }));
        }
    }
    all
}

/// Random filters, mostly valid.
fn made_up(count: usize) -> Vec<(String, String)> {
    let mut dice = Dice::new(110);
    (0..count).map(|number| (format!("made up {number}"), condition(&mut dice, 5).to_string())).collect()
}

fn condition(dice: &mut Dice, depth: usize) -> Value {
    let several =
        |dice: &mut Dice| (0..=dice.below(3)).map(|_| condition(dice, depth - 1)).collect::<Vec<_>>();
    match dice.below(if depth == 0 { 3 } else { 6 }) {
        3 => json!({ "$and": several(dice) }),
        4 => json!({ "$or": several(dice) }),
        5 => json!({ "$not": condition(dice, depth - 1) }),
        _ => {
            let place = dice.one(&[
                "type",
                "data.text",
                "data.n",
                "data.list.0",
                "/data/deep",
                "data.gone",
                "subject",
                "data.list",
            ]);
            let operator = dice.one(&[
                "equals",
                "not_equals",
                "starts_with",
                "ends_with",
                "contains",
                "regex",
                "gt",
                "lte",
                "in",
                "not_in",
                "exists",
            ]);
            let value = match operator {
                "in" | "not_in" => json!([dice.below(5), "a", null, "x.y"]),
                "exists" => json!(dice.below(2) == 0),
                "gt" | "lte" => json!(dice.below(100)),
                "regex" => dice.one(&PATTERNS).into(),
                _ => json!(dice.one(&["a", "aa", "x.y", "inv_1"])),
            };
            json!({ place: { operator: value } })
        }
    }
}

/// Events near the limits: long texts, many paths, deep nesting.
fn events() -> Vec<Value> {
    let event = |data: Value| json!({ "type": "x.y", "source": "s", "subject": "inv_1", "data": data });
    let deep = serde_json::from_str::<Value>(&nested("[", "1", "]", 100)).unwrap();
    let wide: Map<String, Value> = (0..5_000).map(|n| (format!("p{n}"), json!(n))).collect();
    vec![
        event(json!({ "text": "a", "n": 7, "list": ["a"] })),
        event(json!({ "text": "a".repeat(30_000) + "!", "n": u64::MAX })),
        event(json!({ "list": vec!["a"; 10_000], "deep": deep })),
        event(wide.into()),
    ]
}

fn is_clean(complaints: &[Complaint]) -> Result<(), String> {
    let short = complaints.iter().all(|one| one.pointer.chars().count() <= 1_024 && one.message.len() <= 400);
    let few = (1..=20).contains(&complaints.len());
    if short && few { Ok(()) } else { Err(format!("{} complaints, or long", complaints.len())) }
}

fn ask(text: &str, events: &[Value]) -> Result<(), String> {
    // Text that is not JSON, or is nested too deeply for the parser, never becomes a filter.
    let Ok(source) = serde_json::from_str::<Value>(text) else { return Ok(()) };
    match Filter::parse(&source) {
        Err(complaints) => is_clean(&complaints),
        Ok(filter) => {
            let met: Vec<bool> = events.iter().map(|event| filter.matches(event)).collect();
            let mut index = Index::default();
            index.insert(1, None, filter);
            let found: Vec<bool> = events.iter().map(|event| !index.matches(event).is_empty()).collect();
            index.remove(&1);
            if met == found && index.is_empty() { Ok(()) } else { Err("the index says otherwise".to_owned()) }
        }
    }
}

#[test]
#[ignore = "run by another test, in a process with limited memory and time"]
fn in_a_cage() {
    let events = events();
    let all = [written(), crowded(), odd(), made_up(1_500)].concat();
    let trial = try_each(SOON, &all, |text| ask(text, &events));
    tried(10, "filters, each asked about events of every size", trial.tried, trial.wrong.len());
    assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
    // All random filters at once, without the patterns that only cost memory of their own.
    let mut index = Index::default();
    for (number, (_, text)) in made_up(1_500).iter().enumerate() {
        if let Some(filter) = serde_json::from_str(text).ok().and_then(|source| Filter::parse(&source).ok()) {
            index.insert(number, (number % 2 == 0).then_some("x.y"), filter);
        }
    }
    assert!(index.len() > 200, "{} filters are too few", index.len());
    let events: Vec<(String, Value)> =
        events.into_iter().enumerate().map(|(n, event)| (format!("event {n}"), event)).collect();
    let trial = try_each(SOON * 4, &events, |event| {
        std::hint::black_box(index.matches(event));
        Ok(())
    });
    tried(10, "large events asked of an index of hostile filters", trial.tried, trial.wrong.len());
    assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
}

#[test]
fn no_filter_takes_more_than_its_share() {
    let run = caged("attacks::bombs::in_a_cage", MEBIBYTES, 300);
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let last = out.lines().rfind(|line| line.starts_with("trying")).unwrap_or_default();
    assert!(run.status.success(), "{}, {last}\n{err:.6000}", run.status);
}

#[test]
#[ignore = "run by another test, in a process with limited memory, which it exceeds"]
fn control_of_memory() {
    // As many patterns as one filter may have, practically without a limit on their size.
    let kept: Vec<_> = (0..64)
        .map(|n| {
            regex::RegexBuilder::new(&format!("(\\w{{200}}|{n}){{4}}")).size_limit(1 << 30).build().unwrap()
        })
        .collect();
    assert_eq!(kept.len(), 64);
}

#[test]
fn control_patterns_without_a_limit_take_the_memory() {
    let run = caged("attacks::bombs::control_of_memory", MEBIBYTES, 60);
    assert!(run.status.code().is_none(), "not ended by a signal: {}", run.status);
    tried(10, "control: patterns that take all memory", 1, 0);
}
