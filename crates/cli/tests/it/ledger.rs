//! Bundles, many receipts in one file, and the ledger in files: verified and audited offline.

use std::{fs, path::PathBuf};

use cli::Exit;
use receipt::{KeySetDocument, Record, tile::Tile};
use serde_json::{Value, json};

use crate::stub::{Outcome, Streams};

fn vector(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../receipt/tests/vectors/log")).join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(vector(name)).unwrap()
}

async fn run(input: &str, arguments: &[&str]) -> Outcome {
    let input: &'static str = Box::leak(input.to_owned().into_boxed_str());
    let streams = Streams { input, token: None, ..Streams::default() };
    streams.run("http://127.0.0.1:1", arguments).await
}

/// The output, parsed as JSON.
trait Printed {
    fn json(&self) -> Value;
}

impl Printed for Outcome {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }
}

async fn verify(input: &str, more: &[&str]) -> Outcome {
    let keys = vector("keys.json");
    run(input, &[&["receipts", "verify", "-", "--keys", keys.to_str().unwrap()], more].concat()).await
}

#[tokio::test]
async fn a_bundle_proves_the_place_in_the_ledger_and_an_erased_one_what_is_left() {
    let whole = verify(&text("bundle.json"), &[]).await;
    assert_eq!(whole.exit, Exit::Done, "{}", whole.err);
    for part in [
        "signed by a trusted key",
        "entry 1 of the organization, index 1",
        "14 entries, signed 2026-11-15T02:03:00Z",
    ] {
        assert!(whole.out.contains(part), "{part}: {}", whole.out);
    }
    let erased = verify(&text("erased.json"), &[]).await;
    assert_eq!(erased.exit, Exit::Done, "{}", erased.err);
    assert!(
        erased.out.contains("the body was erased") && erased.out.contains("linear.create_issue"),
        "{}",
        erased.out
    );
    let pretty =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(&text("bundle.json")).unwrap()).unwrap();
    assert_eq!(verify(&pretty, &["--json"]).await.json()["ledger"]["number"], 1);
    let forged = text("bundle.json").replacen("\"index\":1,", "\"index\":2,", 1);
    let refused = verify(&forged, &["--json"]).await;
    assert_eq!((refused.exit, refused.json()["code"].as_str()), (Exit::Failed, Some("not_included")));
    // An envelope alone is genuine too, and the output says what it does not prove.
    let bundle: Value = serde_json::from_str(&text("bundle.json")).unwrap();
    let bare = verify(&bundle["record"]["envelope"].to_string(), &[]).await;
    assert!(
        bare.exit == Exit::Done && bare.out.contains("no proof of its place in the ledger"),
        "{}",
        bare.out
    );
}

#[tokio::test]
async fn many_receipts_are_verified_line_by_line() {
    let (good, erased) = (text("bundle.json"), text("erased.json"));
    let outcome = verify(&format!("{good}{erased}{good}"), &[]).await;
    assert_eq!((outcome.exit, outcome.err.trim()), (Exit::Done, "3 receipts are genuine, 0 are not"));
    let forged = good.replacen("\"number\":1", "\"number\":2", 1);
    let outcome = verify(&format!("{good}{forged}not json\n"), &[]).await;
    assert_eq!((outcome.exit, outcome.err.trim()), (Exit::Failed, "1 receipts are genuine, 2 are not"));
    assert!(
        outcome.out.contains("line 2: not verified") && outcome.out.contains("(not_included)"),
        "{}",
        outcome.out
    );
    let outcome = verify(&format!("{good}{forged}"), &["--json"]).await;
    let lines: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["verified"], &lines[1]["code"]), (&json!(true), &json!("not_included")));
}

/// The ledger of the test vectors in its own directory, with its tiles.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("countersign-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("tile/0")).unwrap();
        for file in ["checkpoint", "keys.json", "entries.ndjson"] {
            fs::copy(vector(file), dir.join(file)).unwrap();
        }
        let keys: KeySetDocument = serde_json::from_str(&text("keys.json")).unwrap();
        let records = text("entries.ndjson");
        let records = records.lines().map(|line| Record::from_json(line.as_bytes()).unwrap());
        let mut entries: Vec<_> = records.map(|record| (record.index, record.entry)).collect();
        entries.extend(keys.keys.iter().flat_map(receipt::KeyDocument::entries));
        entries.sort_by_key(|(index, _)| *index);
        let leaves: Vec<u8> = entries.iter().flat_map(|(_, entry)| entry.leaf().unwrap()).collect();
        let size = entries.len() as u64;
        let tile = Tile { level: 0, index: 0 };
        let path = dir.join(tile.path(size));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, leaves).unwrap();
        Self(dir)
    }

    async fn audit(&self, more: &[&str]) -> Outcome {
        let keys = vector("keys.json");
        let dir = self.0.to_str().unwrap();
        run("", &[&["ledger", "audit", dir, "--keys", keys.to_str().unwrap()], more].concat()).await
    }

    fn change(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.0.join(file);
        fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_log_in_files_is_audited_and_the_next_audit_goes_on_where_it_ended() {
    let log = Log::new("audit");
    let first = log.audit(&["--complete", "--json"]).await;
    assert_eq!(first.exit, Exit::Done, "{}", first.err);
    assert_eq!((&first.json()["entries"], &first.json()["receipts"]), (&json!(14), &json!(9)));
    let next = log.audit(&["--complete", "--json"]).await;
    assert_eq!((&next.json()["since"], &next.json()["receipts"]), (&json!(14), &json!(0)));
    let fresh = log.audit(&["--complete", "--json", "--fresh"]).await;
    assert_eq!(fresh.json()["receipts"], 9);
    // A change in a part that an earlier audit has checked is found as well.
    log.change("entries.ndjson", |lines| lines.replacen("\"number\":1", "\"number\":8", 1));
    let changed = log.audit(&["--complete"]).await;
    assert_eq!(changed.exit, Exit::Failed);
    assert!(
        changed.err.contains("leaf_differs:") && changed.err.contains("number_order:"),
        "{}",
        changed.err
    );
}

fn put(path: &std::path::Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_log_that_does_not_fit_a_kept_checkpoint_is_told() {
    let log = Log::new("kept");
    let kept = vector("checkpoint");
    assert_eq!(log.audit(&["--against", kept.to_str().unwrap()]).await.exit, Exit::Done);
    // In turn: a mirror with the newest checkpoint, one that also has all of them by size, and a directory of files.
    let mirror = Log::new("mirror");
    for (path, named) in
        [("m/checkpoint", "m"), ("m/checkpoints/00000000000000000014", "m"), ("d/monday", "d")]
    {
        put(&mirror.0.join(path), &fs::read(&kept).unwrap());
        let named = mirror.0.join(named);
        let audited = log.audit(&["--against", named.to_str().unwrap(), "--json"]).await;
        let held_against = if path.contains("checkpoints") { 2 } else { 1 };
        assert_eq!((audited.exit, &audited.json()["against"]), (Exit::Done, &json!(held_against)), "{path}");
    }
    put(&mirror.0.join("d/tuesday"), b"nonsense");
    let nonsense = log.audit(&["--against", mirror.0.join("d").to_str().unwrap(), "--json"]).await;
    assert_eq!(nonsense.json()["findings"][0]["code"], "checkpoint_malformed");
    fs::create_dir(mirror.0.join("empty")).unwrap();
    let empty = log.audit(&["--against", mirror.0.join("empty").to_str().unwrap()]).await;
    assert_eq!(empty.exit, Exit::Usage, "an audit needs a checkpoint to compare with");
    log.change("checkpoint", |note| note.replacen("\n14\n", "\n13\n", 1));
    let forged = log.audit(&["--json"]).await;
    assert_eq!(forged.json()["findings"][0]["code"], "checkpoint_bad_signature");
    let log = Log::new("cut");
    fs::remove_dir_all(log.0.join("tile")).unwrap();
    assert_eq!(log.audit(&["--json"]).await.json()["findings"][0]["code"], "tile_missing");
}
