//! Change records: verified like receipts, and never taken for one.

use receipt::{
    Author, Bundle, BundleError, CHANGE_TYPE, CHANGE_VERSION, Change, Checkpoint, Entry, Envelope, KeySet,
    PAYLOAD_TYPE, Record, Seed, Statement, VerifyError, commit_change,
    merkle::{self, Growing},
};
use serde_json::{Value, json};

use crate::{
    made::{Made, TIME},
    vectors::{sample, signing_key},
};

fn change() -> Change {
    Change {
        version: CHANGE_VERSION.to_owned(),
        id: "chg_0199".to_owned(),
        org: "org_1".to_owned(),
        change: "rule.set".to_owned(),
        subject: "rul_0199".to_owned(),
        name: "linear.create_issue".to_owned(),
        by: Author {
            user: Some("usr_1".to_owned()),
            method: "browser".to_owned(),
            token: None,
            countersigned_by: None,
        },
        address: Some("192.0.2.7".to_owned()),
        reason: Some("too many questions".to_owned()),
        before: None,
        after: Some(json!({ "mode": "allow" })),
        at: "2026-11-15T02:02:30.5Z".to_owned(),
    }
}

/// Signs any document as a change record.
fn signed(document: &Value, payload_type: &str) -> Envelope {
    signing_key(1).sign_payload(payload_type, &receipt::canonical::to_bytes(document).unwrap())
}

fn document() -> Value {
    serde_json::to_value(change()).unwrap()
}

fn keys() -> KeySet {
    KeySet::new(&Made::new(1).keys).unwrap()
}

fn verify(envelope: &Envelope) -> Result<receipt::Verified, VerifyError> {
    receipt::verify(&envelope.to_json().unwrap(), &keys())
}

/// A record of the change under an entry of its own.
fn record(envelope: Envelope, number: u64, entry: fn(Fields) -> Entry) -> Record {
    let seed = Seed([3; 32]);
    let (_, commitment) = commit_change(&change(), &seed).unwrap();
    let fields =
        Fields { number, keyid: signing_key(1).keyid().to_owned(), commitment: hex::encode(commitment) };
    Record { index: 1, entry: entry(fields), envelope: Some(envelope), seed: Some(seed.encode()), kept: None }
}

struct Fields {
    number: u64,
    keyid: String,
    commitment: String,
}

fn entry(Fields { number, keyid, commitment }: Fields) -> Entry {
    let Change { id, org, .. } = change();
    Entry::Change {
        version: receipt::ENTRY_VERSION.to_owned(),
        org,
        number,
        id,
        keyid,
        commitment,
        at: TIME.to_owned(),
    }
}

fn entry_of_a_receipt(Fields { number, keyid, commitment }: Fields) -> Entry {
    let Change { id, org, .. } = change();
    Entry::Receipt {
        version: receipt::ENTRY_VERSION.to_owned(),
        org,
        number,
        id,
        keyid,
        commitment,
        at: TIME.to_owned(),
    }
}

#[test]
fn a_change_is_verified_with_its_place_in_the_log() {
    let envelope = signed(&document(), CHANGE_TYPE);
    let verified = verify(&envelope).unwrap();
    assert_eq!(verified.statement, Statement::Change(Box::new(change())));
    assert!(verified.receipt().is_none());

    let record = record(envelope, 1, entry);
    let mut made = Made::new(1);
    made.push(record.entry.clone());
    let mut tree = Growing::default();
    made.leaves.iter().for_each(|leaf| tree.push(*leaf));
    let origin = "countersign/test".to_owned();
    let checkpoint = Checkpoint { origin, size: 2, root: tree.root(), time: TIME.to_owned() };
    let proof = {
        use base64::{Engine as _, engine::general_purpose::STANDARD};
        vec![STANDARD.encode(made.leaves[0])]
    };
    let bundle = Bundle { record, proof, erasure: None, checkpoint: checkpoint.sign(&[signing_key(1)]) };
    let (found, signed) = bundle.verify(&KeySet::new(&made.keys).unwrap()).unwrap();
    assert_eq!((found.place, signed.size), (("org_1".to_owned(), 1), 2));
    assert!(merkle::inclusion(1, 2).is_some());
}

#[test]
fn every_field_is_there_and_every_byte_counts() {
    for field in
        ["id", "org", "change", "subject", "name", "by", "address", "reason", "before", "after", "at"]
    {
        let mut without = document();
        without.as_object_mut().unwrap().remove(field);
        let refused = verify(&signed(&without, CHANGE_TYPE)).unwrap_err();
        assert_eq!(refused.code(), "change_fields", "{field}");
    }
    for field in ["user", "method", "token"] {
        let mut without = document();
        without["by"].as_object_mut().unwrap().remove(field);
        assert_eq!(verify(&signed(&without, CHANGE_TYPE)).unwrap_err().code(), "change_fields", "{field}");
    }
    let mut newer = document();
    newer["more"] = json!(1);
    assert_eq!(verify(&signed(&newer, CHANGE_TYPE)).unwrap().document["more"], 1, "a newer field is kept");
    let mut envelope = signed(&document(), CHANGE_TYPE);
    envelope.payload = signed(&newer, CHANGE_TYPE).payload;
    assert_eq!(verify(&envelope).unwrap_err().code(), "bad_signature");
    let mut early = document();
    early["at"] = json!("2025-01-01T00:00:00Z");
    assert_eq!(verify(&signed(&early, CHANGE_TYPE)).unwrap_err().code(), "key_not_valid_then");
}

#[test]
fn a_change_and_a_receipt_are_never_taken_for_each_other() {
    let receipt = serde_json::to_value(sample()).unwrap();
    for (document, payload_type) in [(&receipt, CHANGE_TYPE), (&document(), PAYLOAD_TYPE)] {
        assert_eq!(verify(&signed(document, payload_type)).unwrap_err().code(), "unknown_version");
    }
    let code = |record: Record| record.verify(&keys()).unwrap_err().code();
    let as_receipt = record(signed(&document(), CHANGE_TYPE), 1, entry_of_a_receipt);
    assert_eq!(code(as_receipt), "entry_differs");
    let other = record(signed(&receipt, PAYLOAD_TYPE), 1, entry);
    assert_eq!(code(other), "entry_differs");
}

#[test]
fn what_the_log_committed_to_cannot_be_exchanged_or_erased() {
    let code = |record: &Record| record.verify(&keys()).unwrap_err().code();
    let good = record(signed(&document(), CHANGE_TYPE), 1, entry);
    good.verify(&keys()).unwrap();
    for field in ["name", "reason", "before", "after", "address", "subject", "change"] {
        let mut other = document();
        other[field] = json!("another");
        let exchanged = Record { envelope: Some(signed(&other, CHANGE_TYPE)), ..good.clone() };
        assert_eq!(code(&exchanged), "commitment_differs", "{field}");
    }
    let seed = Some(Seed([4; 32]).encode());
    assert_eq!(code(&Record { seed, ..good.clone() }), "commitment_differs");
    let bare = Record { envelope: None, seed: None, ..good };
    assert!(matches!(bare.verify(&keys()), Err(BundleError::Entry)));
}
