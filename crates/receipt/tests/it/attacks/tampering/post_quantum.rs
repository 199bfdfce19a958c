//! A log whose first signatures can be forged: whoever breaks Ed25519 has the private key, and not the one of ML-DSA-65.

use std::path::Path;

use receipt::{Audit, Receipt};

use super::ledger::{Files, Folder, Tally, asked, python, report, write};
use crate::{
    made::{Made, TIME},
    vectors::{sample, signing_key},
};

const KEY: u8 = 3;
const ORG: &str = "org_0192f0c1d2e37a4b8c5d6e7f80910a1d";

fn log() -> Made {
    let mut made = Made::twice_signed(KEY);
    for nth in 0..40 {
        made.receipt(ORG, nth, KEY);
    }
    made
}

fn files(made: &Made) -> Files {
    made.files().into_iter().collect()
}

/// A log that says something else, signed with the broken key alone.
fn forged() -> Made {
    let mut made = log();
    let receipt = Receipt { id: format!("rcp_{:032x}", 77), org: ORG.to_owned(), ..sample() };
    let number = made.next_number(ORG);
    made.sign(&receipt, number, &signing_key(KEY));
    made
}

fn codes(files: &Files, made: &Made, post_quantum: bool) -> Vec<String> {
    let Ok(checkpoint) = std::str::from_utf8(&files["checkpoint"]) else {
        return vec!["checkpoint_malformed".to_owned()];
    };
    let lines = files["entries.ndjson"].split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec);
    let audit = Audit { keys: &made.keys, kept: &[], complete: true, post_quantum, mark: None };
    let found = audit.run(checkpoint, |path| files.get(path).cloned(), lines, |_| {});
    found.findings.iter().map(|finding| finding.code.to_owned()).collect()
}

/// What the second verifier says of logs.
fn theirs(folder: &Path, logs: &[Files], post_quantum: bool) -> Vec<Vec<String>> {
    let mut python = python();
    python.args(["log", "--complete", "--json", "--keys"]).arg(folder.join("keys.json"));
    if post_quantum {
        python.arg("--post-quantum");
    }
    for (nth, log) in logs.iter().enumerate() {
        let dir = folder.join(format!("{post_quantum}-{nth}"));
        write(&dir, log);
        python.arg(dir);
    }
    let codes = |answer: serde_json::Value| {
        let found = answer["findings"].as_array().unwrap().iter();
        found.map(|found| found["code"].as_str().unwrap().to_owned()).collect()
    };
    asked(&mut python, b"").into_iter().map(codes).collect()
}

#[test]
fn a_forged_first_signature_is_found_by_both_verifiers() {
    let (made, forged, folder) = (log(), forged(), Folder::new("abuse14d"));
    std::fs::write(folder.0.join("keys.json"), made.key_document()).unwrap();
    let genuine = made.checkpoint();
    let second = genuine.trim_end().rsplit_once('\n').unwrap().1.to_owned();
    let alone = forged.unsigned(forged.leaves.len()).sign([&signing_key(KEY)]);
    let by_another = forged.unsigned(forged.leaves.len()).ml_dsa_lines([&signing_key(9)]).unwrap();
    let with = |note: String| {
        let mut files = files(&forged);
        files.insert("checkpoint".to_owned(), note.into_bytes());
        files
    };
    let mut tampered = vec![
        ("forged: the second signature left out", with(alone.clone())),
        ("forged: the second signature of another checkpoint", with(format!("{alone}{second}\n"))),
        ("forged: the second signature of another key", with(format!("{alone}{by_another}"))),
        (
            "forged: the second name on a first signature",
            with(
                alone.clone()
                    + &alone.lines().last().unwrap().replacen(" countersign", "/ml-dsa-65 countersign", 1),
            ),
        ),
    ];
    let (text, _) = genuine.trim_end().rsplit_once('\n').unwrap();
    for place in (0..second.len()).step_by(83) {
        let mut line = second.clone().into_bytes();
        line[place] ^= 1;
        let Ok(line) = String::from_utf8(line) else { continue };
        let mut files = files(&made);
        files.insert("checkpoint".to_owned(), format!("{text}\n{line}\n").into_bytes());
        tampered.push(("a bit of the second signature flipped", files));
    }
    let logs: Vec<Files> = tampered.iter().map(|(_, files)| files.clone()).collect();
    let mut tally = Tally::default();
    for ((class, files), theirs) in tampered.iter().zip(theirs(&folder.0, &logs, true)) {
        let ours = codes(files, &made, true);
        let is_found = !ours.is_empty() && ours == theirs;
        tally.count(class, is_found, || format!("ours {ours:?}, theirs {theirs:?}"));
    }
    tally.tell();

    // Clean logs pass, with the demand and without.
    let clean = [files(&made)];
    for post_quantum in [true, false] {
        assert_eq!(codes(&clean[0], &made, post_quantum), Vec::<String>::new());
        assert_eq!(theirs(&folder.0, &clean, post_quantum), [Vec::<String>::new()]);
    }
    // The control: who does not ask for the second signature takes the forged log for the genuine one.
    let unasked = [with(alone)];
    assert_eq!(codes(&unasked[0], &forged, false), Vec::<String>::new());
    assert_eq!(theirs(&folder.0, &unasked, false), [Vec::<String>::new()]);
    report("control: attacks that passed without a guard", 1, 0);
}

fn vector(name: &str) -> String {
    let path = format!("{}/tests/vectors/ml-dsa/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

// ML-DSA signatures are random, so these files are made once.
#[test]
fn the_stored_bundle_is_verified_with_its_second_signature() {
    let keys = receipt::KeySet::from_json(vector("keys.json").as_bytes()).unwrap().requiring_ml_dsa(true);
    let bundle = receipt::Bundle::from_json(vector("bundle.json").as_bytes()).unwrap();
    let (_, checkpoint) = bundle.verify(&keys).unwrap();
    assert_eq!(checkpoint.time, TIME);
    assert!(receipt::Checkpoint::is_post_quantum(&bundle.checkpoint, &keys));
}

#[test]
#[ignore = "writes the files that other tests read"]
fn write_the_vectors() {
    let made = log();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/ml-dsa");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("keys.json"), made.key_document()).unwrap();
    std::fs::write(folder.join("bundle.json"), serde_json::to_string(&made.bundle(7)).unwrap() + "\n")
        .unwrap();
}
