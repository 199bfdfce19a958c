//! Tables for the order of pruning, and ten thousand values that try to break the limit.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::json;

use super::*;

fn size(value: &Value) -> usize {
    serde_json::to_vec(value).unwrap().len()
}

fn is_marked(value: &Value) -> bool {
    value.to_string().contains("_omitted")
}

fn deepest(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| 1 + deepest(item)).max().unwrap_or(0),
        Value::Object(members) => members.values().map(|member| 1 + deepest(member)).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn a_value_that_fits_comes_back_as_it_was() {
    let value = json!({"a": [1, 2, {"b": "c\n"}], "n": f64::MIN_POSITIVE, "_truncated": false});
    let exact = size(&value);
    assert_eq!(prune(value.clone(), exact), Pruned { value: value.clone(), truncated: false });
    assert!(prune(value, exact - 1).truncated);
}

#[test]
fn arrays_lose_their_end_and_keep_their_count() {
    let value = json!({"name": "list", "items": (0..5000).collect::<Vec<_>>(), "text": "x".repeat(3000)});
    let pruned = prune(value, STORED_BYTES);
    let items = pruned.value["items"].as_array().unwrap();
    let omitted = items.last().unwrap()["_omitted"].as_u64().unwrap();
    assert_eq!(usize::try_from(omitted).unwrap() + items.len() - 1, 5000);
    assert_eq!(items[..3], [json!(0), json!(1), json!(2)]);
    assert_eq!(pruned.value["text"].as_str().unwrap().len(), 3000);
    assert!(size(&pruned.value) > STORED_BYTES * 9 / 10, "the budget is used");
}

#[test]
fn deep_objects_go_before_long_strings() {
    let mut deep = json!("x".repeat(9000));
    for _ in 0..8 {
        deep = json!({"in": deep, "more": {"b": "y".repeat(1000)}});
    }
    let pruned = prune(json!({"deep": deep, "text": "z".repeat(4000)}), STORED_BYTES);
    assert_eq!(pruned.value["text"].as_str().unwrap().len(), 4000);
    assert!(is_marked(&pruned.value["deep"]["in"]));
    assert_eq!(pruned.value["deep"]["more"]["b"].as_str().unwrap().len(), 1000);
}

#[test]
fn long_strings_are_cut_at_a_character_and_say_so() {
    let value = json!({"body": "é".repeat(20_000), "items": (0..50).collect::<Vec<_>>()});
    let pruned = prune(value, STORED_BYTES);
    let body = pruned.value["body"].as_str().unwrap();
    assert!(body.starts_with("éé") && body.ends_with(" bytes]"), "{body}");
    assert_eq!(pruned.value["items"].as_array().unwrap().len(), 50, "an array that fits is not touched");
}

#[test]
fn a_string_of_json_is_never_cut() {
    let inner = json!({"rows": (0..5000).collect::<Vec<_>>()}).to_string();
    let pruned = prune(json!({"stdout": &inner}), STORED_BYTES);
    assert_eq!(pruned.value["stdout"], format!("[_omitted {} bytes of JSON]", inner.len()));
}

#[test]
fn wide_objects_and_endless_keys_lose_members_and_keep_their_count() {
    let wide: Map<_, _> = (0..5000).map(|n| (format!("key{n:05}"), json!(n))).collect();
    let pruned = prune(Value::Object(wide), STORED_BYTES);
    let members = pruned.value.as_object().unwrap();
    assert_eq!(members.len() - 2 + usize::try_from(members["_omitted"].as_u64().unwrap()).unwrap(), 5000);
    assert!(members.len() > 100);

    let pruned = prune(json!({"k".repeat(50_000): 1, "short": 2}), STORED_BYTES);
    assert_eq!(pruned.value, json!({"short": 2, "_truncated": true, "_omitted": 1}));
}

#[test]
fn members_named_like_the_marker_do_not_forge_it() {
    let mut value = json!({"_truncated": false, "_omitted": 0});
    for n in 0..5000 {
        value[format!("key{n:05}")] = json!(n);
    }
    let pruned = prune(value, STORED_BYTES);
    assert_eq!(pruned.value["_truncated"], true);
    let kept = pruned.value.as_object().unwrap().len() - 2;
    assert_eq!(usize::try_from(pruned.value["_omitted"].as_u64().unwrap()).unwrap(), 5002 - kept);
}

#[test]
fn no_limit_is_too_small_to_say_that_something_is_missing() {
    let text = "\u{1}".repeat(1000);
    let values = [json!(text), json!([[[[text]]]]), json!({&text: text}), json!(vec![json!({"a": [1]}); 50])];
    for value in values {
        for limit in [0, 1, MIN_BYTES, 65, 100, 200] {
            let pruned = prune(value.clone(), limit);
            assert!(pruned.truncated && is_marked(&pruned.value));
            assert!(size(&pruned.value) <= limit.max(MIN_BYTES));
        }
    }
}

#[test]
fn thirty_two_megabytes_are_pruned_without_reading_all_of_them_again_and_again() {
    let row = json!({"id": 1, "name": "row", "tags": ["a", "b"], "text": "x".repeat(100)});
    let value = json!({"rows": vec![row; 200_000], "log": "line\n".repeat(1 << 20)});
    let start = Instant::now();
    let pruned = prune(value, STORED_BYTES);
    assert!(pruned.truncated);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{0,12}",
        2 => ".{0,12}",
        1 => Just("\u{0}\u{1f}\"\\\n\u{7f}\u{2028}😀".to_owned()),
        1 => Just("{\"a\":[1,2]}".to_owned()),
        1 => (".{1,4}", 1_usize..4000).prop_map(|(part, times)| part.repeat(times)),
    ]
}

fn leaves() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(i64::MIN), Just(i64::MAX), any::<i64>()].prop_map(Value::from),
        Just(Value::from(u64::MAX)),
        prop_oneof![Just(f64::MAX), Just(f64::MIN_POSITIVE), Just(-0.0), Just(5e-324), any::<f64>()]
            .prop_map(Value::from),
        texts().prop_map(Value::from),
    ]
}

// Big values from small parts: repeated items, numbered keys and towers make them wide and deep at little cost.
fn values() -> impl Strategy<Value = Value> {
    let big = 0_usize..1500;
    leaves().prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            (inner.clone(), big.clone()).prop_map(|(item, times)| {
                let times = times.min(30_000 / size(&item));
                Value::Array(vec![item; times])
            }),
            prop::collection::btree_map(texts(), inner.clone(), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
            (inner.clone(), texts(), big.clone()).prop_map(|(member, key, times)| {
                let times = times.min(30_000 / (size(&member) + key.len()));
                Value::Object((0..times).map(|n| (format!("{key}{n}"), member.clone())).collect())
            }),
            (inner, 0_usize..80, any::<bool>()).prop_map(|(inner, levels, arrays)| {
                (0..levels)
                    .fold(inner, |inner, n| if arrays { json!([inner, n]) } else { json!({"k": inner}) })
            }),
        ]
    })
}

#[test]
fn ten_thousand_values_come_out_valid_small_and_marked_exactly_when_changed() {
    let (all, pruned_count) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(10_000));
    let outcome = runner.run(&values(), |value| {
        let pruned = prune(value.clone(), STORED_BYTES);
        let text = serde_json::to_string(&pruned.value).unwrap();
        prop_assert!(text.len() <= STORED_BYTES, "{} bytes", text.len());
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
        prop_assert_eq!(pruned.truncated, pruned.value != value);
        prop_assert_eq!(pruned.truncated, is_marked(&pruned.value) && !is_marked(&value));
        let fits = size(&value) <= STORED_BYTES && deepest(&value) <= MAX_DEPTH;
        prop_assert_eq!(pruned.truncated, !fits);
        prop_assert!(deepest(&pruned.value) <= MAX_DEPTH + 2);
        prop_assert_eq!(std::mem::discriminant(&pruned.value), std::mem::discriminant(&value));
        if all.load(Ordering::Relaxed) % 16 == 0 {
            prop_assert_eq!(&prune(value, STORED_BYTES), &pruned, "twice the same");
        }
        prop_assert_eq!(&prune(pruned.value.clone(), STORED_BYTES).value, &pruned.value, "and stays so");
        all.fetch_add(1, Ordering::Relaxed);
        pruned_count.fetch_add(usize::from(pruned.truncated), Ordering::Relaxed);
        Ok(())
    });
    outcome.unwrap();
    let (all, pruned) = (all.into_inner(), pruned_count.into_inner());
    assert!(all >= 10_000 && pruned * 3 > all, "only {pruned} of {all} were pruned");
}
