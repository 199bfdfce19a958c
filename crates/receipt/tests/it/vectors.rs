//! Receipts that were signed once and must verify forever, and variants that must be refused.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use expect_test::expect_file;
use receipt::{
    Approval, Bundle, Cost, Decision, Envelope, FactUsed, Failure, Followup, GateVerdict, GuardrailChange,
    KeyDocument, KeyError, KeySet, KeySetDocument, PAYLOAD_TYPE, PolicyVerdict, Receipt, Reference,
    Signature, SigningKey, Timing, VERSION, VerifyError, canonical, parse_strict, reward, verify,
};
use serde_json::{Value, json};

// The seeds are public: they sign nothing but these vectors.
pub(crate) fn signing_key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

pub(crate) fn sample() -> Receipt {
    Receipt {
        version: VERSION.to_owned(),
        id: "rcp_0192f0c1d2e37a4b8c5d6e7f80910a1b".to_owned(),
        invocation: "inv_0192f0c1d2e37a4b8c5d6e7f80910a1c".to_owned(),
        org: "org_0192f0c1d2e37a4b8c5d6e7f80910a1d".to_owned(),
        space: "spc_0192f0c1d2e37a4b8c5d6e7f80910a1e".to_owned(),
        session: "ses_0192f0c1d2e37a4b8c5d6e7f80910a1f".to_owned(),
        agent: "triage-bot".to_owned(),
        action: "linear.create_issue".to_owned(),
        definition_hash: canonical::digest(b"definition"),
        effect: "once".to_owned(),
        risk: "R2".to_owned(),
        inputs: json!({"title": "Größe \u{1f600} \"quoted\"\n", "labels": ["bug", "p1"], "estimate": 0.5, "token": "[redacted]"}),
        outputs: Some(json!({"id": "ISS-12", "items": [1, 2, {"_truncated": true, "_omitted": 1204}]})),
        artifacts: vec![canonical::digest(b"artifact")],
        status: "succeeded".to_owned(),
        error: None,
        decision: decision(),
        approvals: vec![Approval {
            user: "usr_0192f0c1d2e37a4b8c5d6e7f80910a20".to_owned(),
            verdict: "approved".to_owned(),
            channel: "web".to_owned(),
            shown_digest: canonical::digest(b"shown"),
            assertion: None,
            at: "2026-11-15T02:02:00.5Z".to_owned(),
            known_by: None,
        }],
        shown: vec![],
        shown_digest: Some(canonical::digest(b"subject")),
        verification: Some(Followup { outcome: "passed".to_owned(), detail: "the issue exists".to_owned() }),
        repair: None,
        rollback: None,
        attempts: 1,
        timing: Timing {
            requested_at: "2026-11-15T02:01:00Z".to_owned(),
            started_at: Some("2026-11-15T02:02:01Z".to_owned()),
            finished_at: "2026-11-15T02:02:01.25Z".to_owned(),
            duration_ms: 250,
        },
        cost: Some(Cost { micros: 1200, unit: "USD".to_owned() }),
        reward: reward(1.0, 0.5, 0.2, 0.4),
        idempotency_key: Some("create/ISS-12".to_owned()),
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        refers_to: vec![Reference {
            receipt: "rcp_0192f0c1d2e37a4b8c5d6e7f80910a21".to_owned(),
            relation: "retry".to_owned(),
        }],
        dry_run: false,
    }
}

fn decision() -> Decision {
    Decision {
        mode: "require_approval".to_owned(),
        mode_source: "org_rule".to_owned(),
        reason: "writes need a second pair of eyes".to_owned(),
        guardrails: vec![GuardrailChange {
            guardrail: "band".to_owned(),
            from: "allow".to_owned(),
            to: "require_approval".to_owned(),
            reason: "the space is cautious".to_owned(),
        }],
        gates: vec![GateVerdict {
            gate: "safety".to_owned(),
            verdict: "pass".to_owned(),
            reason: String::new(),
        }],
        policies: vec![PolicyVerdict {
            name: "spending-cap".to_owned(),
            version: 2,
            mode: "require_approval".to_owned(),
            observing: false,
            error: None,
        }],
        facts: vec![FactUsed {
            name: "spent".to_owned(),
            value: 420_000,
            adds: Some(80_001),
            limit: Some(500_000),
        }],
        flow: None,
    }
}

/// Gives a receipt the document that its voter was shown.
pub(crate) fn show(receipt: &mut Receipt) {
    let document = json!({
        "version": "countersign/shown/v1", "salt": "00112233445566778899aabbccddeeff", "org": receipt.org,
        "invocation": receipt.invocation, "subject": receipt.shown_digest, "action": receipt.action,
        "params": {"title": "Größe \u{1f600}", "estimate": 0.5}, "reason": "three customers wait for it",
    });
    put_document(receipt, document);
}

/// The same with any document.
pub(crate) fn put_document(receipt: &mut Receipt, document: Value) {
    receipt.approvals[0].shown_digest = canonical::digest(&canonical::to_bytes(&document).unwrap());
    receipt.shown = vec![document];
}

/// A receipt whose voter was shown a document.
fn shown() -> Receipt {
    let mut receipt = sample();
    show(&mut receipt);
    receipt
}

fn denied() -> Receipt {
    Receipt {
        status: "denied".to_owned(),
        outputs: None,
        error: Some(Failure {
            class: "permanent".to_owned(),
            message: "refused by rule".to_owned(),
            sent: false,
        }),
        attempts: 0,
        timing: Timing {
            requested_at: "2026-11-15T02:01:00Z".to_owned(),
            started_at: None,
            finished_at: "2026-11-15T02:01:00.001Z".to_owned(),
            duration_ms: 0,
        },
        cost: None,
        reward: reward(0.0, 0.0, 0.0, 0.0),
        dry_run: true,
        ..sample()
    }
}

fn key_documents() -> Vec<KeyDocument> {
    let mut old = KeyDocument::new(&signing_key(2).public_key(), "2025-01-01T00:00:00Z");
    old.not_after = Some("2026-12-31T23:59:59Z".to_owned());
    old.retired_at = Some("2026-06-01T00:00:00Z".to_owned());
    vec![old, KeyDocument::new(&signing_key(1).public_key(), "2026-06-01T00:00:00Z")]
}

fn keys() -> KeySet {
    KeySet::new(&key_documents()).unwrap()
}

fn envelope_of(payload: &[u8]) -> Vec<u8> {
    signing_key(1).sign_payload(PAYLOAD_TYPE, payload).to_json().unwrap()
}

fn signed() -> Vec<u8> {
    signing_key(1).sign(&sample()).unwrap().to_json().unwrap()
}

fn payload() -> String {
    String::from_utf8(canonical::to_bytes(&sample()).unwrap()).unwrap()
}

fn code(envelope: &[u8]) -> &'static str {
    verify(envelope, &keys()).map_or_else(|error| error.code(), |_| "verified")
}

fn pretty(bytes: &[u8]) -> String {
    let value: Value = serde_json::from_slice(bytes).unwrap();
    serde_json::to_string_pretty(&value).unwrap() + "\n"
}

#[test]
fn signing_gives_the_stored_vectors() {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap() + "\n";
    expect_file!["../vectors/succeeded.json"].assert_eq(&text(signed()));
    let denied = signing_key(1).sign(&denied()).unwrap().to_json().unwrap();
    expect_file!["../vectors/denied.json"].assert_eq(&text(denied));
    let shown = signing_key(1).sign(&shown()).unwrap().to_json().unwrap();
    expect_file!["../vectors/shown.json"].assert_eq(&text(shown));
    expect_file!["../vectors/succeeded.payload.json"].assert_eq(&payload());
    let keys = canonical::to_bytes(&KeySetDocument::new(key_documents())).unwrap();
    expect_file!["../vectors/keys.json"].assert_eq(&pretty(&keys));
}

#[test]
fn stored_vectors_verify() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let keys = KeySet::from_json(&std::fs::read(folder.join("keys.json")).unwrap()).unwrap();
    for (file, expected) in [("succeeded.json", sample()), ("denied.json", denied()), ("shown.json", shown())]
    {
        let verified = verify(&std::fs::read(folder.join(file)).unwrap(), &keys).unwrap();
        assert_eq!(verified.receipt(), Some(&expected));
        assert_eq!(verified.keyid, signing_key(1).keyid());
        assert_eq!(verified.digest(), canonical::digest(verified.payload()));
    }
}

#[test]
fn vectors_of_version_0_1_verify_although_they_have_no_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/v0.1");
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
    for file in ["succeeded.json", "denied.json"] {
        let verified = verify(&read(file), &keys()).unwrap();
        assert!(
            !verified.document.contains_key("shown")
                && verified.receipt().is_some_and(|receipt| receipt.shown.is_empty())
        );
    }
    let keys = KeySet::from_json(&read("log/keys.json")).unwrap();
    for file in ["log/bundle.json", "log/erased.json"] {
        Bundle::from_json(&read(file)).unwrap().verify(&keys).unwrap();
    }
}

#[test]
fn a_document_that_no_vote_is_about_or_that_is_about_something_else_is_found() {
    type Change = fn(&mut Receipt);
    let changes: [(&str, Change); 8] = [
        ("verified", |_| {}),
        ("shown_document", |it| it.shown[0]["reason"] = json!("another word")),
        ("shown_document", |it| it.approvals[0].shown_digest = canonical::digest(b"other")),
        ("shown_document", |it| it.shown.push(json!({}))),
        ("shown_document", |it| put_document(it, json!("no object"))),
        ("shown_document", |it| it.invocation = "inv_00".to_owned()),
        ("shown_document", |it| it.shown_digest = Some(canonical::digest(b"another subject"))),
        // Who strips the document cannot pretend that it was never there: the signature covers it.
        ("verified", |it| it.shown.clear()),
    ];
    for (place, (expected, change)) in changes.into_iter().enumerate() {
        let mut receipt = shown();
        change(&mut receipt);
        let envelope = signing_key(1).sign(&receipt).unwrap().to_json().unwrap();
        assert_eq!(code(&envelope), expected, "change {place}");
    }
    assert_eq!(receipt::documented_votes(&shown()), 1);
    assert_eq!(receipt::documented_votes(&sample()), 0);
}

#[test]
fn no_change_of_one_byte_passes() {
    let good = signed();
    let keys = keys();
    assert!(verify(&good, &keys).is_ok());
    let mut refused = 0;
    for place in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[place] ^= 1 << bit;
            assert!(verify(&bad, &keys).is_err(), "bit {bit} of byte {place}");
            refused += 1;
        }
    }
    assert_eq!(refused, good.len() * 8);
}

#[test]
fn no_removed_or_repeated_byte_passes() {
    let good = signed();
    let keys = keys();
    for place in 0..good.len() {
        let mut shorter = good.clone();
        shorter.remove(place);
        assert!(verify(&shorter, &keys).is_err(), "without byte {place}");
        let mut longer = good.clone();
        longer.insert(place, good[place]);
        assert!(verify(&longer, &keys).is_err(), "with byte {place} twice");
        assert!(verify(&good[..place], &keys).is_err(), "cut at {place}");
    }
}

#[test]
fn every_base64_text_but_the_canonical_one_is_refused() {
    // One byte more or less in the agent's name covers all three paddings of the payload.
    for agent in ["a", "ab", "abc"] {
        let receipt = Receipt { agent: agent.to_owned(), ..sample() };
        let envelope = signing_key(1).sign(&receipt).unwrap();
        let change = |change: &dyn Fn(&mut Envelope)| {
            let mut changed = envelope.clone();
            change(&mut changed);
            let same = changed == envelope;
            same || verify(&changed.to_json().unwrap(), &keys()).is_err()
        };
        assert!(change(&|e| e.payload = e.payload.trim_end_matches('=').to_owned()));
        assert!(change(&|e| e.payload.push('=')));
        assert!(change(&|e| e.payload.push('\n')));
        assert!(change(&|e| e.payload.insert(4, ' ')));
        assert!(change(&|e| e.payload = e.payload.replace('+', "-").replace('/', "_")));
        assert!(change(&|e| e.signatures[0].sig = e.signatures[0].sig.trim_end_matches('=').to_owned()));
        // The last character before the padding carries bits that decoders often ignore.
        for field in [0, 1] {
            for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".chars() {
                assert!(change(&|e| {
                    let text = if field == 0 { &mut e.payload } else { &mut e.signatures[0].sig };
                    let body = text.trim_end_matches('=').len();
                    let padding = text.split_off(body);
                    text.pop();
                    text.push(letter);
                    text.push_str(&padding);
                }));
            }
        }
    }
}

#[test]
fn each_kind_of_tampering_has_its_name() {
    let payload = payload();
    let respelled = payload.replacen("\"attempts\":1", "\"attempts\":1.0", 1);
    let twice = payload.replacen("{\"action\"", "{\"action\":\"a.b\",\"action\"", 1);
    let pretty = pretty(payload.as_bytes());
    let reordered = payload.replacen(
        "{\"action\":\"linear.create_issue\",\"agent\":\"triage-bot\",",
        "{\"agent\":\"triage-bot\",\"action\":\"linear.create_issue\",",
        1,
    );
    let escaped = payload.replacen("triage", "tri\\u0061ge", 1);
    let large = payload.replacen("\"attempts\":1", "\"attempts\":9007199254740993", 1);
    let version = payload.replacen("receipt/v1", "receipt/v9", 1);
    let without = payload.replacen("\"attempts\":1,", "", 1);
    let time = payload.replacen("2026-11-15T02:02:01.25Z", "yesterday", 1);
    let early = payload.replacen("2026-11-15T02:02:01.25Z", "2026-05-31T23:59:59Z", 1);
    for (changed, expected) in [
        (&payload, "verified"),
        (&respelled, "not_canonical"),
        (&pretty, "not_canonical"),
        (&reordered, "not_canonical"),
        (&escaped, "not_canonical"),
        (&twice, "duplicate_key"),
        (&large, "malformed_payload"),
        (&version, "unknown_version"),
        (&without, "receipt_fields"),
        (&time, "time"),
        (&early, "key_not_valid_then"),
    ] {
        assert!(expected == "verified" || *changed != payload, "{expected} changed nothing");
        assert_eq!(code(&envelope_of(changed.as_bytes())), expected);
    }
    // The same changes without a new signature are reported as a bad signature first.
    let mut envelope = signing_key(1).sign(&sample()).unwrap();
    envelope.payload = STANDARD.encode(payload.replacen("\"dry_run\":false", "\"dry_run\":true", 1));
    assert_eq!(code(&envelope.to_json().unwrap()), "bad_signature");
}

#[test]
fn each_change_of_the_envelope_has_its_name() {
    let good = signing_key(1).sign(&sample()).unwrap();
    let changed = |change: &dyn Fn(&mut Envelope)| {
        let mut envelope = good.clone();
        change(&mut envelope);
        code(&envelope.to_json().unwrap())
    };
    let other = signing_key(3).sign(&sample()).unwrap();
    assert_eq!(changed(&|e| e.payload_type = "application/json".to_owned()), "wrong_payload_type");
    assert_eq!(changed(&|e| e.signatures.clear()), "signature_count");
    assert_eq!(changed(&|e| e.signatures.push(other.signatures[0].clone())), "signature_count");
    assert_eq!(changed(&|e| e.signatures = other.signatures.clone()), "unknown_key");
    assert_eq!(changed(&|e| e.signatures[0].sig = other.signatures[0].sig.clone()), "bad_signature");
    assert_eq!(changed(&|e| e.signatures[0].sig = "AAAA".to_owned()), "signature_encoding");
    assert_eq!(changed(&|e| e.payload.push('!')), "payload_encoding");
    assert_eq!(changed(&|e| e.signatures[0].keyid = signing_key(2).keyid().to_owned()), "bad_signature");
    let text = String::from_utf8(good.to_json().unwrap()).unwrap();
    assert_eq!(code(text.replacen('{', "{\"x\":1,", 1).as_bytes()), "envelope_fields");
    assert_eq!(
        code(text.replacen("{\"payload\"", "{\"payload\":\"\",\"payload\"", 1).as_bytes()),
        "malformed_envelope"
    );
    assert_eq!(code(b"not json"), "malformed_envelope");
    // Whitespace between the envelope's fields is not signed and changes nothing that is.
    assert_eq!(code(pretty(text.as_bytes()).as_bytes()), "verified");
}

#[test]
fn an_array_is_not_taken_for_an_envelope() {
    let good = signing_key(1).sign(&sample()).unwrap();
    let signature = &good.signatures[0];
    let outer = json!([good.payload, good.payload_type, [[signature.keyid, signature.sig]]]);
    assert_eq!(code(outer.to_string().as_bytes()), "envelope_fields");
    let inner = json!({"payload": good.payload, "payloadType": good.payload_type, "signatures": [[signature.keyid, signature.sig]]});
    assert_eq!(code(inner.to_string().as_bytes()), "envelope_fields");
    // The deserializer alone would have accepted them.
    assert_eq!(serde_json::from_value::<Envelope>(outer).unwrap(), good);
}

#[test]
fn a_payload_signed_under_another_type_is_no_receipt() {
    let mut envelope = signing_key(1).sign_payload("application/vnd.other+json", payload().as_bytes());
    envelope.payload_type = PAYLOAD_TYPE.to_owned();
    assert_eq!(code(&envelope.to_json().unwrap()), "bad_signature");
}

#[test]
fn a_key_vouches_only_for_its_time() {
    let finished = |at: &str| {
        let mut receipt = sample();
        receipt.timing.finished_at = at.to_owned();
        code(&signing_key(2).sign(&receipt).unwrap().to_json().unwrap())
    };
    assert_eq!(finished("2024-12-31T23:59:59.999999999Z"), "key_not_valid_then");
    assert_eq!(finished("2025-01-01T00:00:00Z"), "verified");
    assert_eq!(finished("2026-06-01T00:00:00Z"), "verified");
    assert_eq!(finished("2026-06-01T00:00:00.000000001Z"), "key_not_valid_then");
    assert_eq!(finished("2027-01-01T00:00:00Z"), "key_not_valid_then");
}

#[test]
fn fields_of_a_later_version_survive_and_are_signed() {
    let later = payload().replacen("\"verification\":", "\"uncharted\":{\"x\":[1,2]},\"verification\":", 1);
    let verified = verify(&envelope_of(later.as_bytes()), &keys()).unwrap();
    assert_eq!(verified.payload(), later.as_bytes());
    assert_eq!(verified.receipt(), Some(&sample()));
}

#[test]
fn key_sets_that_could_mislead_are_refused() {
    let with = |change: &dyn Fn(&mut KeyDocument)| {
        let mut document = KeyDocument::new(&signing_key(1).public_key(), "2026-01-01T00:00:00Z");
        change(&mut document);
        KeySet::new(&[document]).map(|_| ()).unwrap_err()
    };
    assert!(matches!(with(&|k| k.keyid = "0000000000000000".to_owned()), KeyError::Keyid(_)));
    assert!(matches!(with(&|k| k.algorithm = "rsa".to_owned()), KeyError::Algorithm(_)));
    assert!(matches!(with(&|k| k.public_key.clear()), KeyError::PublicKey(_)));
    assert!(matches!(with(&|k| k.not_before = "soon".to_owned()), KeyError::Time(_)));
    assert!(matches!(with(&|k| k.retired_at = Some("2026-01-01".to_owned())), KeyError::Time(_)));
    // The neutral point would make one signature valid for every message.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let weak = KeyDocument::new(&neutral, "2026-01-01T00:00:00Z");
    assert!(matches!(KeySet::new(&[weak]), Err(KeyError::PublicKey(_))));
    let key = KeyDocument::new(&signing_key(1).public_key(), "2026-01-01T00:00:00Z");
    assert!(matches!(KeySet::new(&[key.clone(), key]), Err(KeyError::Twice(_))));
    assert!(matches!(KeySet::from_json(br#"{"version":"x","keys":[]}"#), Err(KeyError::Version)));
    assert!(matches!(KeySet::from_json(br#"{"keys":[],"keys":[]}"#), Err(KeyError::Parse(_))));
    assert!(matches!(KeySet::from_json(b"[]"), Err(KeyError::Shape(_))));
}

#[test]
fn a_receipt_that_could_not_be_read_back_is_not_signed() {
    for inputs in [json!(u64::MAX), json!("\0"), json!({"x": 1e17})] {
        let receipt = Receipt { inputs: inputs.clone(), ..sample() };
        assert!(signing_key(1).sign(&receipt).is_err());
        let receipt = Receipt { inputs: canonical::portable(inputs, 32), ..sample() };
        let envelope = signing_key(1).sign(&receipt).unwrap().to_json().unwrap();
        assert_eq!(code(&envelope), "verified");
    }
}

#[test]
fn the_example_follows_the_published_schema_in_its_required_fields() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/receipt.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(folder).unwrap()).unwrap();
    let receipt = parse_strict(payload().as_bytes(), 1 << 20).unwrap();
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(required.len() > 10);
    assert!(required.iter().all(|field| receipt.get(field).is_some()));
    let known = schema["properties"].as_object().unwrap();
    assert!(receipt.as_object().unwrap().keys().all(|field| known.contains_key(field)));
}

#[test]
fn errors_keep_their_cause_out_of_their_message() {
    let error = verify(b"{", &keys()).unwrap_err();
    assert_eq!(error.to_string(), "the envelope is malformed");
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.to_string(), "the text is not JSON");
    assert!(matches!(error, VerifyError::Envelope(_)));
    let signature = Signature { keyid: "k".to_owned(), sig: "s".to_owned() };
    assert_eq!(signature.clone(), signature);
}
