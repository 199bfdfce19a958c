//! What requests contribute to facts, and what they see.

use jiff::Timestamp;
use model::{AutomationId, SessionId, SpaceId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::cedar::tests::{action, transfer};

fn fact(changes: Value) -> Result<FactDefinition, crate::Error> {
    let mut fact = json!({
        "name": "spent", "kind": "sum", "of": ["bank.transfer"], "field": "input.amount_cents", "within": "1h",
        "per": "session", "where": { "input.currency": { "equals": "EUR" } },
    });
    for (name, value) in changes.as_object().unwrap() {
        fact[name] = value.clone();
    }
    FactDefinition::new(serde_json::from_value(fact).map_err(|error| crate::Error::Fact(error.to_string()))?)
}

fn place() -> FactPlace {
    let id = Uuid::from_u128;
    FactPlace { session: SessionId::from_uuid(id(1)), automation: None, space: SpaceId::from_uuid(id(2)) }
}

fn entry(fact: &FactDefinition, params: &Value) -> Option<Entry> {
    let definition = transfer();
    let of = Contribution { definition: &definition, input: params, output: None, part: 0, has_parts: false };
    fact.entry(place(), of, &|value| keyed_hash(b"key", value))
}

#[test]
fn a_sum_takes_amounts_as_they_are_and_nothing_lowers_it() {
    let fact = fact(json!({})).unwrap();
    let amount = |amount: Value| {
        entry(&fact, &json!({ "amount_cents": amount, "currency": "EUR" })).map(|entry| entry.amount)
    };
    assert_eq!(amount(json!(42)), Some(42));
    assert_eq!(amount(json!(-42)), Some(0));
    assert_eq!(amount(json!(0.1)), Some(1), "rounded up");
    assert_eq!(amount(json!(-0.1)), Some(0));
    assert_eq!(amount(json!(u64::MAX)), Some(i64::MAX));
    assert_eq!(amount(json!(1e300)), Some(i64::MAX));
    assert_eq!(amount(Value::Null), None, "there is no amount");
    assert_eq!(entry(&fact, &json!({ "amount_cents": 1, "currency": "USD" })), None);
}

#[test]
fn entries_hold_hashes_and_no_values() {
    let recipients = fact(json!({
        "name": "recipients", "kind": "distinct", "field": "input.note", "where": null, "same": ["input.currency"],
    }));
    let recipients = recipients.unwrap();
    let of = |note: &str, currency: &str| {
        entry(&recipients, &json!({ "amount_cents": 1, "note": note, "currency": currency })).unwrap()
    };
    let (ada, eve) = (of("ada", "EUR"), of("eve", "EUR"));
    assert_ne!(ada.value, eve.value);
    assert_eq!((ada.amount, ada.same.len(), ada.same == eve.same), (1, 32, true));
    assert_ne!(of("ada", "USD").same, ada.same);
    assert_eq!(of("ada", "USD").value, ada.value);
    let elsewhere = keyed_hash(b"another organization", b"\"ada\"");
    assert_ne!(ada.value, Some(elsewhere));
    // A field that must be the same and is missing: such a request is in no group, and sees none.
    assert_eq!(entry(&recipients, &json!({ "amount_cents": 1, "note": "ada" })), None);
    let hash = |value: &[u8]| keyed_hash(b"key", value);
    assert_eq!(recipients.lookup(place(), &json!({}), Timestamp::UNIX_EPOCH, &hash), None);
}

#[test]
fn a_fact_per_automation_is_about_automations_alone() {
    let fact = fact(json!({ "per": "automation", "kind": "count", "field": null, "where": null })).unwrap();
    let hash = |value: &[u8]| keyed_hash(b"key", value);
    assert_eq!(entry(&fact, &json!({})), None);
    assert_eq!(fact.lookup(place(), &json!({}), Timestamp::UNIX_EPOCH, &hash), Some(None));
    let automation = Some(AutomationId::from_uuid(Uuid::from_u128(3)));
    let lookup = fact.lookup(FactPlace { automation, ..place() }, &json!({}), Timestamp::UNIX_EPOCH, &hash);
    assert_eq!(lookup.flatten().map(|lookup| lookup.scope), Some(Uuid::from_u128(3)));
}

#[test]
fn what_is_wrong_with_a_fact_is_told() {
    for (changes, expected) in [
        (json!({ "name": "a-b" }), "a name has"),
        (json!({ "of": [] }), "`of` must name"),
        (json!({ "of": ["bank"] }), "is no action"),
        (json!({ "of": ["does:"] }), "is no action"),
        (json!({ "field": null }), "needs a `field`"),
        (json!({ "kind": "count" }), "has no `field`"),
        (json!({ "field": "amount_cents" }), "is no field"),
        (json!({ "same": ["output.x"] }), "is no field of the request"),
        (json!({ "within": "31d" }), "`within` must be"),
        (json!({ "within": "59s" }), "`within` must be"),
        (json!({ "within": "9999999999999999999h" }), "`within` must be"),
        (json!({ "field": "output.total" }), "needs `state`"),
        (json!({ "where": { "output.ok": { "equals": true } } }), "needs `state`"),
        (json!({ "where": { "input.x": { "nearly": 1 } } }), "the condition is not valid"),
        (json!({ "limit": 5 }), "unknown field"),
    ] {
        let problem = fact(changes.clone()).unwrap_err().to_string();
        assert!(problem.contains(expected), "{changes}: {problem}");
    }
    let fact = fact(json!({ "field": "output.total", "state": "succeeded" })).unwrap();
    assert!(fact.needs_output() && !fact.is_cap());
}

#[test]
fn fields_are_checked_against_every_action() {
    let transfer = transfer();
    let texts = action(
        "bank.note",
        json!({ "type": "object", "properties": { "amount_cents": { "type": "string" } } }),
    );
    let check = |changes, actions: &[&model::ActionDefinition]| fact(changes).unwrap().check(actions).is_ok();
    assert!(check(json!({}), &[&transfer, &texts]));
    assert!(!check(json!({ "of": ["bank.*"] }), &[&transfer, &texts]), "a text is no amount");
    assert!(!check(json!({ "field": "input.amount" }), &[&transfer]));
    assert!(!check(json!({ "same": ["input.customer"] }), &[&transfer]));
    assert!(check(json!({ "same": ["input.note"] }), &[&transfer]));
}

#[test]
fn a_fact_says_what_it_is() {
    assert_eq!(
        fact(json!({})).unwrap().words(),
        "sum of input.amount_cents of bank.transfer, counted, within 1h where input.currency is \"EUR\", per session"
    );
}

#[test]
fn a_number_is_the_same_in_each_notation() {
    let per_account = fact(json!({
        "name": "calls", "kind": "distinct", "field": "input.amount_cents", "where": null, "same": ["input.account"],
    }));
    let per_account = per_account.unwrap();
    let of = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        let entry = entry(&per_account, &json!({ "amount_cents": value, "account": value })).unwrap();
        (entry.value, entry.same)
    };
    assert_eq!(of("7"), of("7.0"));
    assert_eq!(of("7"), of("70e-1"));
    assert_eq!(of("18446744073709551616"), of("1.8446744073709551616e19"));
    assert_ne!(of("7"), of("7.5"));
    assert_ne!(of("7"), of("\"7\""));
}

#[test]
fn a_batch_by_itself_is_in_no_group_that_a_fact_counts() {
    let batch = action("batch.run", json!({}));
    let counts = |of: &str| {
        let fact = fact(json!({ "kind": "count", "field": null, "where": null, "of": [of] })).unwrap();
        let counts = |has_parts| {
            let of = Contribution { definition: &batch, input: &json!({}), output: None, part: 0, has_parts };
            fact.entry(place(), of, &|value| keyed_hash(b"key", value)).is_some()
        };
        (counts(true), counts(false))
    };
    assert_eq!(counts("risk:R2"), (false, true));
    assert_eq!(counts("batch.run"), (true, true));
    assert_eq!(counts("batch.*"), (true, true));
}
