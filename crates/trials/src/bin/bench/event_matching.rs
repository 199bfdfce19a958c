//! S6: the cost of one event as the number of triggers grows from a thousand to a hundred thousand.
//!
//! Each trigger waits for its own value, as automations of many people do, so an event matches about the same number of
//! them however many there are: the measurement covers finding the triggers, not starting runs.

use std::{hint::black_box, time::Instant};

use platform::filter::{Filter, Index};
use serde_json::{Value, json};
use testkit::{Finding, Size};

use crate::load::quantile;

/// How much more an event may cost with a hundred times as many triggers.
const BAR: f64 = 1.5;
const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
const TYPES: [&str; 5] =
    ["action.executed", "action.denied", "drive.file_added", "ci.finished", "mail.received"];

/// A mix of filters, and an event that matches one of them.
struct Mix {
    name: &'static str,
    filter: fn(usize) -> Value,
    event: fn(usize) -> Value,
}

const MIXES: [Mix; 3] = [
    Mix {
        name: "one value",
        filter: |number| json!({ "data.owner": { "equals": format!("user-{number}") } }),
        event: |number| body(number, &format!("user-{number}"), "/a/b"),
    },
    Mix {
        name: "a beginning and a range",
        filter: |number| json!({ "data.path": { "starts_with": format!("/team-{number}/") }, "data.size": { "gt": 10 } }),
        event: |number| body(number, "nobody", &format!("/team-{number}/report.pdf")),
    },
    Mix {
        name: "alternatives, negations, patterns",
        filter: |number| {
            json!({
                "$or": [{ "data.owner": { "in": [format!("user-{number}"), format!("deputy-{number}")] } },
                    { "data.path": { "starts_with": format!("/team-{number}/") } }],
                "$not": { "data.status": { "equals": "skipped" } },
                "data.name": { "regex": "^[a-z]+\\.pdf$" },
            })
        },
        event: |number| {
            body(number, &format!("deputy-{number}"), &format!("/team-{}/report.pdf", number + 1))
        },
    },
];

fn body(number: usize, owner: &str, path: &str) -> Value {
    json!({
        "specversion": "1.0", "type": TYPES[number % TYPES.len()], "source": "app", "subject": format!("s-{number}"),
        "data": { "owner": owner, "path": path, "size": 20, "status": "done", "name": "report.pdf",
            "labels": ["a", "b", "c"], "meta": { "attempt": 1, "region": "eu", "trace": "0af7651916cd43dd8448eb211c80319c" } },
    })
}

/// The cost of one event in microseconds: with the index, and by evaluating every filter.
struct Cost {
    index_us: f64,
    asked_us: f64,
    met: usize,
}

pub(crate) fn run(size: Size) -> anyhow::Result<Finding> {
    let events = size.pick(2_000, 20_000);
    let (mut worst, mut details) = (0.0_f64, Vec::new());
    for mix in &MIXES {
        let costs = COUNTS.map(|count| cost(mix, count, events));
        let costs = costs.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        let ratio = costs[2].index_us / costs[0].index_us;
        worst = worst.max(ratio);
        let told = |of: fn(&Cost) -> f64| {
            costs.iter().map(|cost| (of(cost) * 100.0).round() / 100.0).collect::<Vec<_>>()
        };
        details.push((format!("{}: last of first", mix.name), json!((ratio * 100.0).round() / 100.0)));
        details.push((
            format!("{}: µs by the index, 1 k, 10 k, 100 k", mix.name),
            json!(told(|cost| cost.index_us)),
        ));
        details.push((format!("{}: µs by asking each", mix.name), json!(told(|cost| cost.asked_us))));
        details.push((
            format!("{}: met", mix.name),
            json!(costs.iter().map(|cost| cost.met).collect::<Vec<_>>()),
        ));
    }
    details.push(("bar".to_owned(), json!(BAR)));
    Ok(Finding {
        bar: "S6".to_owned(),
        figure: worst,
        unit: "times the p50 of an event with 1 000 triggers, with 100 000; the worst of three mixes"
            .to_owned(),
        pass: worst <= BAR,
        details,
    })
}

fn cost(mix: &Mix, count: usize, events: usize) -> anyhow::Result<Cost> {
    let mut index = Index::default();
    let mut all = Vec::with_capacity(count);
    for number in 0..count {
        let filter = Filter::parse(&(mix.filter)(number));
        let filter = filter.map_err(|complaints| anyhow::anyhow!("{complaints:?}"))?;
        let event_type = TYPES[number % TYPES.len()];
        index.insert(number, Some(event_type), filter.clone());
        all.push((event_type, filter));
    }
    // A stride that visits triggers in scattered order, so that nothing stays in the caches by accident of order.
    let events: Vec<Value> = (0..events).map(|number| (mix.event)(number * 7_919 % count)).collect();
    let mut met = 0;
    let mut taken = Vec::with_capacity(events.len());
    for (number, event) in events.iter().enumerate() {
        let began = Instant::now();
        let found = black_box(index.matches(black_box(event)));
        let us = began.elapsed().as_secs_f64() * 1e6;
        met += found.len();
        if number >= events.len() / 10 {
            taken.push(us);
        }
    }
    anyhow::ensure!(met >= events.len(), "{}: {met} met of {} events", mix.name, events.len());
    let mut asked = Vec::new();
    for event in events.iter().take(20) {
        let event_type = event["type"].as_str().unwrap_or_default();
        let began = Instant::now();
        let found =
            all.iter().filter(|(wanted, filter)| *wanted == event_type && filter.matches(event)).count();
        black_box(found);
        asked.push(began.elapsed().as_secs_f64() * 1e6);
    }
    taken.sort_by(f64::total_cmp);
    asked.sort_by(f64::total_cmp);
    Ok(Cost { index_us: quantile(&taken, 500), asked_us: quantile(&asked, 500), met })
}
