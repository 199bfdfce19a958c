//! Receipts: saved exactly, verified against the published vectors, and refused with a code.

use std::{fs, io, path::PathBuf};

use clap::Parser as _;
use cli::{Console, Exit};
use serde_json::{Value, json};

use crate::stub::{INVOCATION, Outcome, RECEIPT, Root, SESSION, Streams, Stub};

/// The key that signed the vectors, and another key.
const SIGNER: &str = "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=";
const OTHER: &str = "gTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5Q=";

fn vector(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../receipt/tests/vectors")).join(name)
}

fn envelope(name: &str) -> String {
    fs::read_to_string(vector(name)).unwrap()
}

/// Verifies a text with the keys of the vectors. Nothing listens at the gateway's address, so verification is offline.
async fn verify(text: &str, more: &[&str]) -> Outcome {
    let keys = vector("keys.json");
    let trust = ["--keys", keys.to_str().unwrap()];
    let trust = if more.contains(&"--key") { &[][..] } else { &trust[..] };
    let input: &'static str = Box::leak(text.to_owned().into_boxed_str());
    let streams = Streams { input, token: None, ..Streams::default() };
    streams.run("http://127.0.0.1:1", &[&["receipts", "verify", "-"], trust, more].concat()).await
}

fn view() -> Value {
    let envelope: Value = serde_json::from_str(&envelope("succeeded.json")).unwrap();
    json!({
        "id": RECEIPT, "invocation": INVOCATION, "session": SESSION, "action": "linear.create_issue",
        "status": "succeeded", "finished_at": "2026-11-15T02:02:01.250Z", "envelope": envelope,
    })
}

#[tokio::test]
async fn genuine_receipts_are_summarised() {
    let outcome = verify(&envelope("succeeded.json"), &[]).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Done, ""));
    for part in [
        "signed by a trusted key",
        "triage-bot in ses_",
        "linear.create_issue (R2, once)",
        "require_approval by org_rule: writes need a second pair of eyes",
        "approved by usr_",
        "succeeded after 1 attempt",
        "finished 2026-11-15T02:02:01.25Z",
        "34750f98bd59fcfc, valid at that time",
    ] {
        assert!(outcome.out.contains(part), "{part}: {}", outcome.out);
    }
    let outcome = verify(&envelope("denied.json"), &[]).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.contains("denied"), "{}", outcome.out);
}

#[tokio::test]
async fn the_public_key_alone_is_enough() {
    let outcome = verify(&envelope("succeeded.json"), &["--key", SIGNER]).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.contains("not checked"), "{}", outcome.out);
    for (key, code) in [(OTHER, "unknown_key"), ("AAAA", "keys"), ("not base64", "keys")] {
        let outcome = verify(&envelope("succeeded.json"), &["--key", key]).await;
        assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Failed, ""));
        assert!(outcome.err.contains(code), "{}", outcome.err);
    }
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let good = envelope("succeeded.json");
    let mut changed: Value = serde_json::from_str(&good).unwrap();
    changed["signatures"] = json!([]);
    for (text, code) in [
        (good.replacen("eyJ", "eyK", 1), "bad_signature"),
        (changed.to_string(), "signature_count"),
        ("{".to_owned(), "malformed_envelope"),
        ("{\"items\":[]}".to_owned(), "envelope_fields"),
        (good.replacen("receipt+json", "other+json", 1), "wrong_payload_type"),
    ] {
        let outcome = verify(&text, &["--json"]).await;
        assert_eq!(outcome.exit, Exit::Failed);
        let report: Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!((&report["verified"], &report["code"]), (&json!(false), &json!(code)));
        assert!(outcome.err.starts_with("not verified: ") && outcome.err.contains(code), "{}", outcome.err);
    }
}

#[tokio::test]
async fn a_reader_that_went_away_does_not_change_how_it_ends() {
    let keys = vector("keys.json");
    for (text, exit) in [(envelope("succeeded.json"), Exit::Done), ("{".to_owned(), Exit::Failed)] {
        let typed = ["countersign", "--json", "receipts", "verify", "-", "--keys", keys.to_str().unwrap()];
        let root = Root::parse_from(typed);
        let mut console = Console::new(io::Cursor::new(text), Closed, Closed);
        assert_eq!(cli::run_on(root.command, &root.global, &mut console).await, exit);
    }
}

struct Closed;

impl io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[tokio::test]
async fn what_stands_around_an_envelope_must_be_what_was_signed() {
    let outcome = verify(&view().to_string(), &["--json"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(report["receipt"]["agent"], "triage-bot");
    for (field, lie) in [
        ("id", json!("rcp_00000000000000000000000000000000")),
        ("action", json!("linear.list_issues")),
        ("status", json!("failed")),
        ("finished_at", json!("2026-11-15T02:02:02Z")),
        ("session", json!(null)),
    ] {
        let mut view = view();
        view[field] = lie;
        let outcome = verify(&view.to_string(), &[]).await;
        assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Failed, ""), "{field}");
        assert!(outcome.err.contains("view_differs") && outcome.err.contains(field), "{}", outcome.err);
    }
}

#[tokio::test]
async fn unusable_keys_and_files_are_told_apart_from_bad_receipts() {
    let receipt = vector("succeeded.json");
    let receipt = receipt.to_str().unwrap();
    let run = async |keys: &str, file: &str| {
        Streams::default().run("http://127.0.0.1:1", &["receipts", "verify", file, "--keys", keys]).await
    };
    assert_eq!(run("/does/not/exist", receipt).await.exit, Exit::Usage);
    let outcome = run(receipt, receipt).await;
    assert_eq!(outcome.exit, Exit::Failed);
    assert!(outcome.err.contains("(keys)"), "{}", outcome.err);
    assert_eq!(run("-", "-").await.exit, Exit::Usage);
}

#[tokio::test]
async fn a_saved_receipt_is_the_envelope_byte_for_byte() {
    let exact = "{\"signatures\":  [],\"payload\":\"x\",\"payloadType\":\"y\"}";
    let mut view = view();
    view["envelope"] = json!("HERE");
    let text = view.to_string().replace("\"HERE\"", exact);
    let stub = Stub::answering([(200, text.clone()), (200, text.clone()), (200, text.clone())]).await;
    let file = std::env::temp_dir().join(format!("countersign-cli-receipt-{}", std::process::id()));
    let outcome = stub.run(&["receipts", "show", RECEIPT, "--out", file.to_str().unwrap()]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, ""));
    assert_eq!(fs::read_to_string(&file).unwrap(), exact);
    fs::remove_file(file).unwrap();
    assert_eq!(stub.run(&["receipts", "show", RECEIPT]).await.out, format!("{exact}\n"));
    assert_eq!(stub.run(&["receipts", "show", RECEIPT, "--json"]).await.out, format!("{text}\n"));
}

#[tokio::test]
async fn a_terminal_shows_what_an_unverified_receipt_says() {
    let stub = Stub::once(200, view()).await;
    let streams = Streams { terminal: true, ..Streams::default() };
    let outcome = streams.run(&stub.url, &["receipts", "show", RECEIPT]).await;
    assert!(outcome.out.contains("(not verified)") && outcome.out.contains("triage-bot"), "{}", outcome.out);
    assert_eq!(stub.asked()[0].line, format!("GET /v1/receipts/{RECEIPT}"));
}

#[tokio::test]
async fn keys_are_fetched_without_a_token() {
    let keys = fs::read_to_string(vector("keys.json")).unwrap();
    let stub = Stub::answering([(200, keys.clone()), (200, "{\"keys\":[]}".to_owned())]).await;
    let outcome = stub.run(&["receipts", "keys"]).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Done, keys));
    let asked = &stub.asked()[0];
    assert_eq!((asked.line.as_str(), &asked.token), ("GET /.well-known/countersign-keys.json", &None));
    assert_eq!(
        stub.run(&["receipts", "keys"]).await.exit,
        Exit::Failed,
        "a response that is not a key set is not saved"
    );
}

#[tokio::test]
async fn receipts_are_listed_by_session() {
    let stub = Stub::once(200, json!({ "items": [view()] })).await;
    let outcome = stub.run(&["receipts", "list", "--session", SESSION]).await;
    assert!(outcome.out.contains(RECEIPT), "{}", outcome.out);
    assert_eq!(stub.asked()[0].line, format!("GET /v1/receipts?session={SESSION}"));
}

#[tokio::test]
async fn an_artifact_is_written_only_if_it_has_the_digest_that_was_asked_for() {
    let digest = model::Digest::of_bytes(br#"{"result":1}"#).to_string();
    let good = Stub::answering([(200, r#"{"result":1}"#.to_owned())]).await;
    let outcome = good.run(&["artifacts", "get", &digest]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, r#"{"result":1}"#));
    let line = good.asked().first().unwrap().line.clone();
    assert!(line.starts_with("GET /v1/artifacts/sha256"), "{line}");

    let path = std::env::temp_dir().join(format!("countersign-artifact-{}", std::process::id()));
    let liar = Stub::answering([(200, r#"{"result":2}"#.to_owned())]).await;
    let outcome = liar.run(&["artifacts", "get", &digest, "-o", path.to_str().unwrap()]).await;
    assert_ne!(outcome.exit, Exit::Done);
    assert!(outcome.err.contains("nothing was written"), "{}", outcome.err);
    assert!(!path.exists());
}
