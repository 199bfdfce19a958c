//! Bundles and logs: valid ones are accepted, and each tampering is reported under its code.

use expect_test::expect_file;
use receipt::{Bundle, BundleError, Entry};

use crate::made::{Made, version};

/// Two orgs, a key that replaced another, and an erased body.
pub(crate) fn small() -> Made {
    let mut made = Made::new(1);
    for nth in 0..4 {
        made.receipt("org_0192f0c1d2e37a4b8c5d6e7f80910a1d", nth, 1);
        made.receipt("org_0192f0c1d2e37a4b8c5d6e7f80910bbb", 100 + nth, 1);
    }
    made.begin_key(3);
    made.receipt("org_0192f0c1d2e37a4b8c5d6e7f80910a1d", 9, 3);
    made.end_key(1);
    made.erase(2);
    made.begin_key(4);
    made
}

fn code(bundle: &Bundle, made: &Made) -> &'static str {
    // Parsed from text, as everyone else does.
    let text = serde_json::to_vec(bundle).unwrap();
    let read = Bundle::from_json(&text).unwrap();
    read.verify(&made.key_set()).map_or_else(|error| error.code(), |_| "verified")
}

#[test]
fn every_receipt_of_a_log_is_proven_by_its_bundle_erased_or_not() {
    let made = small();
    for place in 0..made.records.len() {
        assert_eq!(code(&made.bundle(place), &made), "verified", "record {place}");
    }
    let (found, checkpoint) = made.bundle(2).verify(&made.key_set()).unwrap();
    assert!(found.verified.is_none());
    assert!(found.document().contains_key("approvals") && !found.document().contains_key("inputs"));
    assert_eq!(checkpoint.size, made.leaves.len() as u64);
}

#[test]
fn bundles_and_logs_are_the_stored_ones() {
    let made = small();
    expect_file!["../vectors/log/bundle.json"]
        .assert_eq(&(serde_json::to_string(&made.bundle(0)).unwrap() + "\n"));
    expect_file!["../vectors/log/erased.json"]
        .assert_eq(&(serde_json::to_string(&made.bundle(2)).unwrap() + "\n"));
    for (path, bytes) in made.files().into_iter().filter(|(path, _)| !path.starts_with("tile")) {
        let file = format!("{}/tests/vectors/log/{path}", env!("CARGO_MANIFEST_DIR"));
        expect_test::ExpectFile { path: file.into(), position: file!() }
            .assert_eq(&String::from_utf8(bytes).unwrap());
    }
}

#[test]
fn each_kind_of_tampering_with_a_bundle_has_its_name() {
    let made = small();
    let changed = |place: usize, change: &dyn Fn(&mut Bundle)| {
        let mut bundle = made.bundle(place);
        change(&mut bundle);
        code(&bundle, &made)
    };
    let other = made.bundle(1);
    assert_eq!(changed(0, &|b| b.record = other.record.clone()), "not_included");
    assert_eq!(changed(0, &|b| b.record.envelope = other.record.envelope.clone()), "entry_differs");
    assert_eq!(changed(0, &|b| b.record.seed = other.record.seed.clone()), "commitment_differs");
    assert_eq!(changed(0, &|b| b.record.index += 1), "not_included");
    assert_eq!(changed(0, &|b| b.proof.swap(0, 1)), "not_included");
    assert_eq!(changed(0, &|b| drop(b.proof.pop())), "not_included");
    assert_eq!(changed(0, &|b| b.record.seed = None), "unknown_entry");
    assert_eq!(changed(0, &|b| b.checkpoint = made.checkpoint_at(5)), "not_included");
    assert_eq!(
        changed(0, &|b| b.checkpoint = b.checkpoint.replacen("\n14\n", "\n12\n", 1)),
        "checkpoint_bad_signature"
    );
    assert_eq!(changed(2, &|b| b.erasure = None), "not_erased");
    assert_eq!(changed(0, &|b| b.erasure = made.bundle(2).erasure), "not_erased");
    assert_eq!(
        changed(2, &|b| b.record.kept.as_mut().unwrap().facts["agent"] = "other".into()),
        "commitment_differs"
    );
    let number = |b: &mut Bundle| {
        if let Entry::Receipt { number, .. } = &mut b.record.entry {
            *number += 1;
        }
    };
    assert_eq!(changed(0, &number), "not_included");
}

#[test]
fn a_key_that_ended_in_the_log_signs_nothing_after_even_with_an_old_date() {
    let mut made = small();
    let late = made.receipt("org_0192f0c1d2e37a4b8c5d6e7f80910a1d", 77, 1);
    assert_eq!(code(&made.bundle(late), &made), "key_ended_in_log");
    // Without the end of the key in the log, the old date would have been accepted.
    let mut forgetful = made.clone();
    forgetful.keys[0].ended = None;
    assert_eq!(code(&made.bundle(late), &forgetful), "verified");
}

#[test]
fn a_receipt_of_another_version_of_entries_is_not_taken_for_known() {
    let made = small();
    let mut bundle = made.bundle(0);
    if let Entry::Receipt { version: of_entry, .. } = &mut bundle.record.entry {
        *of_entry = version().replace("v1", "v2");
    }
    assert!(matches!(bundle.verify(&made.key_set()), Err(BundleError::Entry)));
}

#[test]
fn an_entry_far_beyond_the_log_is_a_finding_and_not_as_many_as_the_places_before_it() {
    let made = small();
    let entry = made.records[0].entry.clone();
    let size = made.leaves.len() as u64;
    let far = [(u64::MAX - 1, &entry)];
    let found = receipt::account(far, size, true, &receipt::Before::default(), |index| {
        made.leaves.get(usize::try_from(index).unwrap()).copied()
    });
    assert_eq!(found.len() as u64, size + 1);
}

#[test]
fn an_array_is_not_taken_for_a_bundle() {
    let bundle = serde_json::to_value(small().bundle(0)).unwrap();
    let array = serde_json::json!([bundle["record"], bundle["proof"], null, bundle["checkpoint"]]);
    assert!(
        serde_json::from_value::<Bundle>(array.clone()).is_ok(),
        "the deserializer alone must accept an array"
    );
    assert!(matches!(Bundle::from_json(array.to_string().as_bytes()), Err(BundleError::Fields(_))));
    let entry = &bundle["record"]["entry"];
    let mut inner = bundle.clone();
    inner["record"]["entry"] = serde_json::json!([
        "receipt",
        entry["version"],
        entry["org"],
        entry["number"],
        entry["id"],
        entry["keyid"],
        entry["commitment"],
        entry["at"]
    ]);
    assert!(matches!(Bundle::from_json(inner.to_string().as_bytes()), Err(BundleError::Fields(_))));
}
