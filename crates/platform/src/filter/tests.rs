//! The grammar with examples, errors with their locations, and the index compared with evaluating each filter.

use expect_test::{Expect, expect};
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::json;

use super::*;

fn event() -> Value {
    json!({
        "type": "action.executed", "source": "countersign", "subject": "inv_1",
        "data": { "status": "failed", "count": 3, "action": "linear.create_issue", "tags": ["a", "b"], "ok": false,
            "file": { "name": "report.pdf", "size": 10.0 }, "none": null, "a.b": 1 },
    })
}

#[test]
fn each_operator_does_what_it_says() {
    for (filter, expected) in [
        (json!({}), true),
        (json!({ "type": { "equals": "action.executed" } }), true),
        (json!({ "data.status": { "equals": "failed" }, "data.count": { "gte": 3, "lt": 4 } }), true),
        (json!({ "data.count": { "equals": 3.0 } }), true),
        (json!({ "data.file.size": { "equals": 10 } }), true),
        (json!({ "data.file.size": { "in": [9, 10] } }), true),
        (json!({ "data.action": { "starts_with": "linear." } }), true),
        (
            json!({ "data.file.name": { "ends_with": ".pdf", "contains": "port", "regex": "^[a-z]+\\.pdf$" } }),
            true,
        ),
        (json!({ "data.tags": { "contains": "b" } }), true),
        (json!({ "data.tags.1": { "equals": "b" } }), true),
        (json!({ "data.tags": { "equals": ["a", "b"] } }), true),
        (json!({ "/data/a.b": { "equals": 1 } }), true),
        (json!({ "data.none": { "exists": true, "equals": null } }), true),
        (json!({ "data.gone": { "exists": false } }), true),
        // A missing value equals nothing, so it differs from everything.
        (json!({ "data.gone": { "not_equals": 1, "not_in": [1, null] } }), true),
        (json!({ "data.gone": { "equals": null } }), false),
        (json!({ "data.gone": { "lt": 5 } }), false),
        (json!({ "data.status": { "gt": 1 } }), false),
        (json!({ "data.count": { "starts_with": "3" } }), false),
        (json!({ "$or": [{ "data.status": { "equals": "x" } }, { "data.ok": { "equals": false } }] }), true),
        (json!({ "$not": { "data.status": { "equals": "failed" } } }), false),
        (
            json!({ "$and": [{ "data.ok": { "equals": false } }, { "$not": { "data.count": { "gt": 3 } } }] }),
            true,
        ),
    ] {
        let parsed = Filter::parse(&filter).unwrap_or_else(|complaints| panic!("{filter}: {complaints:?}"));
        assert_eq!(parsed.matches(&event()), expected, "{filter}");
        let valid = jsonschema::options().offline().build(&schema()).unwrap();
        assert!(valid.is_valid(&filter), "the published schema refuses {filter}");
    }
}

fn check(filter: &Value, expected: Expect) {
    let complaints = Filter::parse(filter).err().unwrap_or_default();
    let told: Vec<String> =
        complaints.iter().map(|one| format!("{}: {}", one.pointer, one.message)).collect();
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn everything_wrong_is_told_with_its_place() {
    check(&json!(5), expect![[r#": expected an object such as {"data.status": {"equals": "failed"}}"#]]);
    check(
        &json!({ "data.a": "x", "$xor": [], "$or": [], "data..b": { "equals": 1 }, "data.c": { "equal": 1, "gt": "1", "in": [],
            "regex": "(?=a)", "exists": 1, "starts_with": "" } }),
        expect![[r#"
            /data.a: expected an operator: {"equals": "x"}
            /$xor: unknown operator; use $and, $or or $not
            /$or: expected a list of filters, with at least one
            /data..b: a path must be `data.file.name`, or `/data/file.name` if a name contains a dot
            /data.c/equal: unknown operator; use one of equals, not_equals, starts_with, ends_with, contains, regex, gt, gte, lt, lte, in, not_in, exists
            /data.c/gt: expected a number
            /data.c/in: expected a list of 1 to 100 values
            /data.c/regex: the pattern is invalid, too large, or uses look-around or back references
            /data.c/exists: expected true or false
            /data.c/starts_with: expected a text of 1 to 1024 bytes"#]],
    );
    let many: serde_json::Map<_, _> =
        (0..65).map(|n| (format!("data.f{n}"), json!({ "equals": n }))).collect();
    check(&many.into(), expect![": a filter must have at most 64 conditions"]);
    let deep = (0..12).fold(json!({}), |inner, _| json!({ "$not": inner }));
    assert!(Filter::parse(&deep).is_err());
    assert!(Filter::parse(&json!({ "a": { "regex": "(a{500}){500}" } })).is_err());
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        (-3_i32..4).prop_map(|n| json!(f64::from(n))),
        Just(json!(0.5)),
        "[ab]{0,3}".prop_map(Value::from),
        Just(json!("ä")),
    ]
}

fn a_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn an_event() -> impl Strategy<Value = Value> {
    ("[xy]", proptest::collection::btree_map("[a-c]", a_value(), 0..4)).prop_map(|(event_type, fields)| {
        json!({ "type": event_type, "subject": "s", "data": Value::Object(fields.into_iter().collect()) })
    })
}

fn a_condition() -> impl Strategy<Value = Value> {
    let place = prop_oneof![
        "data\\.[a-c]",
        "data\\.[a-c]\\.[a-c]",
        "data\\.[a-c]\\.[01]",
        Just("type".to_owned()),
        Just("subject".to_owned())
    ];
    let operator = prop_oneof![
        4 => a_value().prop_map(|value| json!({ "equals": value })),
        1 => a_value().prop_map(|value| json!({ "not_equals": value })),
        3 => "[ab]{1,2}".prop_map(|text| json!({ "starts_with": text })),
        1 => Just(json!({ "starts_with": "ä" })),
        1 => "[ab]{1,2}".prop_map(|text| json!({ "ends_with": text })),
        1 => scalar().prop_map(|value| json!({ "contains": value })),
        1 => "[ab]".prop_map(|text| json!({ "regex": format!("^{text}+$") })),
        1 => (-3_i32..4, -3_i32..4).prop_map(|(low, high)| json!({ "gte": low, "lt": high })),
        3 => proptest::collection::vec(a_value(), 1..4).prop_map(|values| json!({ "in": values })),
        1 => proptest::collection::vec(scalar(), 1..3).prop_map(|values| json!({ "not_in": values })),
        1 => any::<bool>().prop_map(|is| json!({ "exists": is })),
    ];
    (place, operator).prop_map(|(place, operator)| json!({ place: operator }))
}

fn a_filter() -> impl Strategy<Value = Value> {
    a_condition().prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|all| json!({ "$and": all })),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|any| json!({ "$or": any })),
            inner.prop_map(|not| json!({ "$not": not })),
        ]
    })
}

#[test]
fn the_index_and_asking_each_filter_agree_on_a_hundred_thousand_pairs() {
    let mut runner = TestRunner::new(ProptestConfig { cases: 100, ..ProptestConfig::default() });
    let filters = proptest::collection::vec((proptest::option::of("[xy]"), a_filter()), 50);
    let met = std::cell::Cell::new(0_usize);
    runner
        .run(&(filters, proptest::collection::vec(an_event(), 20)), |(filters, events)| {
            let mut index = Index::default();
            let parsed: Vec<(Option<String>, Filter)> = filters
                .into_iter()
                .map(|(event_type, filter)| {
                    (event_type, Filter::parse(&filter).expect("generated filters are valid"))
                })
                .collect();
            for (number, (event_type, filter)) in parsed.iter().enumerate() {
                index.insert(number, event_type.as_deref(), filter.clone());
            }
            // Some filters are removed and added again, so that leftovers would be noticed.
            for number in (0..parsed.len()).step_by(3) {
                index.remove(&number);
                index.insert(number, parsed[number].0.as_deref(), parsed[number].1.clone());
            }
            for event in &events {
                let asked: Vec<usize> = (0..parsed.len())
                    .filter(|number| {
                        let (event_type, filter) = &parsed[*number];
                        event_type.as_deref().is_none_or(|wanted| event["type"] == wanted)
                            && filter.matches(event)
                    })
                    .collect();
                let mut found = index.matches(event);
                found.sort_unstable();
                met.set(met.get() + found.len());
                prop_assert_eq!(found, asked, "{}", event);
            }
            for number in 0..parsed.len() {
                index.remove(&number);
            }
            prop_assert!(index.is_empty() && events.iter().all(|event| index.matches(event).is_empty()));
            Ok(())
        })
        .unwrap();
    assert!(met.get() > 1_000, "too few matches: {}", met.get());
}

#[test]
fn an_event_too_large_to_be_taken_apart_still_meets_its_filters() {
    let mut index = Index::default();
    index.insert(
        "last",
        Some("t"),
        Filter::parse(&json!({ "data.list.4999": { "equals": 4_999 } })).unwrap(),
    );
    index.insert("other", Some("u"), Filter::parse(&json!({})).unwrap());
    let event = json!({ "type": "t", "data": { "list": (0..5_000).collect::<Vec<_>>() } });
    assert_eq!(index.matches(&event), ["last"]);
}

// `UPDATE_EXPECT=1 cargo test -p countersign-events schema` rewrites the file.
#[test]
fn the_published_schema_is_the_one_of_this_code() {
    let text = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    expect_test::expect_file!["../../../../schemas/filter.schema.json"].assert_eq(&text);
}
