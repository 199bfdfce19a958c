//! Tampering with a ledger in every way we could think of: each is found and reported, by this crate and by a second
//! verifier that shares no code with it (examples/verify/verify.py), and both report the same.
//!
//! The attacker here is the operator, who holds the current signing keys and can recompute everything. The one thing
//! out of reach is a checkpoint that somebody else kept.

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use receipt::{Audit, Bundle, Entry, KeyDocument, Receipt, Record};
use serde_json::{Value, json};

use crate::{
    made::Made,
    vectors::{sample, signing_key},
};

pub(crate) const ORGS: [&str; 3] = [
    "org_0192f0c1d2e37a4b8c5d6e7f80910a1d",
    "org_0192f0c1d2e37a4b8c5d6e7f80910bbb",
    "org_0192f0c1d2e37a4b8c5d6e7f80910ccc",
];
/// Keys of the log: the first ended inside it, the second is the current one, the third is unknown to everyone.
const OLD: u8 = 1;
const NOW: u8 = 3;
const UNKNOWN: u8 = 9;

/// A log to tamper with: its length, when the key changes, and the sizes at which somebody kept a checkpoint.
#[derive(Clone, Copy)]
struct Plan {
    length: u64,
    change: u64,
    kept: [usize; 3],
}

/// Short, so that thousands of variants can be audited.
const SHORT: Plan = Plan { length: 90, change: 35, kept: [30, 60, 84] };
/// Long enough for more than one tile, and one level above them.
const LONG: Plan = Plan { length: 340, change: 200, kept: [120, 260, 330] };

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Reproducible pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// The beginning of a log up to `until`, the same in every log of these tests.
fn begin(plan: Plan, until: u64) -> Made {
    let mut made = Made::new(OLD);
    made.with_passkeys = true;
    for nth in 0..until {
        let org = ORGS[usize::try_from(nth % 7).unwrap() % 3];
        if nth == plan.change {
            made.begin_key(NOW);
        } else if nth == plan.change + 5 {
            made.end_key(OLD);
        } else if nth % 21 == 20 {
            made.erase(usize::try_from(nth / 2).unwrap());
        } else {
            made.receipt(org, nth, if nth > plan.change { NOW } else { OLD });
        }
    }
    made
}

fn good(plan: Plan) -> Made {
    // Signing hundreds of receipts takes long, and every tampering starts from the same log.
    static MADE: Mutex<BTreeMap<u64, Made>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    made.entry(plan.length).or_insert_with(|| begin(plan, plan.length)).clone()
}

fn files(made: &Made) -> Files {
    made.files().into_iter().collect()
}

/// One tampering with a whole log.
struct Tampering {
    class: &'static str,
    files: Files,
}

/// The codes of all findings that this crate reports about a log.
fn audit(files: &Files, keys: &[KeyDocument], kept: &[String]) -> Vec<String> {
    let Ok(checkpoint) = std::str::from_utf8(&files["checkpoint"]) else {
        return vec!["checkpoint_malformed".to_owned()];
    };
    let lines = files["entries.ndjson"].split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec);
    let audit = Audit { keys, kept, complete: true, post_quantum: false, mark: None };
    let found = audit.run(checkpoint, |path| files.get(path).cloned(), lines, |_| {});
    found.findings.iter().map(|finding| finding.code.to_owned()).collect()
}

fn lines(files: &Files) -> Vec<Vec<u8>> {
    files["entries.ndjson"].split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn with_lines(files: &Files, lines: &[Vec<u8>]) -> Files {
    let mut files = files.clone();
    files.insert("entries.ndjson".to_owned(), lines.concat());
    files
}

/// Files with one record changed as a JSON document, as the server could hand it out.
fn with_record(good: &Files, line: usize, change: impl FnOnce(&mut Value)) -> Files {
    let mut all = lines(good);
    let mut record: Value = serde_json::from_slice(&all[line]).unwrap();
    change(&mut record);
    all[line] = (record.to_string() + "\n").into_bytes();
    with_lines(good, &all)
}

/// The same log with one entry removed, added or changed, and everything after it recomputed and signed again.
fn rewritten(plan: Plan, change: impl FnOnce(&mut Made)) -> Files {
    let mut made = good(plan);
    change(&mut made);
    made.leaves = made.entries.iter().map(|entry| entry.leaf().unwrap()).collect();
    files(&made)
}

/// Replaces the entry of a record, and the record with it.
fn replace(made: &mut Made, place: usize, receipt: &Receipt, key: u8) {
    let number = made.records[place].entry.place().unwrap().1;
    let mut other = made.clone();
    let new = other.sign(receipt, number, &signing_key(key));
    let index = usize::try_from(made.records[place].index).unwrap();
    let mut record = other.records[new].clone();
    record.index = made.records[place].index;
    made.entries[index] = record.entry.clone();
    made.records[place] = record;
}

#[expect(clippy::too_many_lines, reason = "a list: one arm for each way to tamper")]
fn tamperings(plan: Plan, count: usize) -> Vec<Tampering> {
    let made = good(plan);
    let good = files(&made);
    let all = lines(&good);
    let mut dice = Dice(14);
    let mut found = Vec::new();
    let mut add = |class, files| found.push(Tampering { class, files });
    let whole: Vec<usize> =
        (0..made.records.len()).filter(|at| made.records[*at].envelope.is_some()).collect();
    let line_of = |place: usize| {
        let index = made.records[place].index;
        all.iter().position(|line| Record::from_json(line).unwrap().index == index).unwrap()
    };

    for nth in 0..count {
        let paths: Vec<&String> = good.keys().filter(|path| *path != "keys.json").collect();
        match nth % 20 {
            0 | 1 => {
                // A random bit. Half of the time in the records, because they are the largest file.
                let path =
                    if nth % 40 < 20 { "entries.ndjson" } else { paths[dice.below(paths.len())].as_str() };
                let mut files = good.clone();
                let bytes = files.get_mut(path).unwrap();
                let place = dice.below(bytes.len());
                bytes[place] ^= 1 << dice.below(8);
                add("a bit flipped", files);
            }
            2 => {
                let tiles: Vec<&String> = good.keys().filter(|path| path.starts_with("tile")).collect();
                let mut files = good.clone();
                let bytes = files.get_mut(tiles[dice.below(tiles.len())]).unwrap();
                let place = dice.below(bytes.len());
                bytes[place] ^= 1 << dice.below(8);
                add("a bit of a tile flipped", files);
            }
            3 => {
                let mut cut = all.clone();
                cut.remove(dice.below(cut.len()));
                add("a record deleted", with_lines(&good, &cut));
            }
            4 => {
                let tiles: Vec<String> =
                    good.keys().filter(|path| path.starts_with("tile")).cloned().collect();
                let (tile, mut files) = (&tiles[dice.below(tiles.len())], good.clone());
                let bytes = files.get_mut(tile).unwrap();
                if dice.below(2) == 0 {
                    bytes.truncate(bytes.len() - 32);
                } else {
                    files.remove(tile);
                }
                add("a tile cut or deleted", files);
            }
            5 => {
                let end = 1 + dice.below(all.len() - 1);
                add("the last records deleted", with_lines(&good, &all[..end]));
            }
            6 => {
                // Two records swap places, each with its receipt.
                let (one, other) =
                    (line_of(whole[dice.below(whole.len())]), line_of(whole[dice.below(whole.len())]));
                let (a, b): (Value, Value) = (
                    serde_json::from_slice(&all[one]).unwrap(),
                    serde_json::from_slice(&all[other]).unwrap(),
                );
                if one != other {
                    let mut swapped = all.clone();
                    for (line, from, to) in [(one, &a, &b), (other, &b, &a)] {
                        let mut record = from.clone();
                        record["index"] = to["index"].clone();
                        swapped[line] = (record.to_string() + "\n").into_bytes();
                    }
                    add("two records swapped", with_lines(&good, &swapped));
                }
            }
            7 => {
                let (one, other) = (whole[dice.below(whole.len())], whole[dice.below(whole.len())]);
                if one != other {
                    let foreign = made.records[other].envelope.clone();
                    add(
                        "another receipt under an entry",
                        with_record(&good, line_of(one), |record| {
                            record["envelope"] = serde_json::to_value(foreign).unwrap();
                        }),
                    );
                }
            }
            8 => {
                let tile = good.keys().find(|path| path.starts_with("tile/0/000")).unwrap();
                let width = good[tile].len() / 32;
                let (one, other) = (dice.below(width), dice.below(width));
                if one != other {
                    let mut files = good.clone();
                    let bytes = files.get_mut(tile).unwrap();
                    for byte in 0..32 {
                        bytes.swap(one * 32 + byte, other * 32 + byte);
                    }
                    add("two hashes swapped", files);
                }
            }
            9 => {
                // Truncated to a size it once had, honestly signed at the time: shorter than a kept checkpoint.
                let cut = begin(plan, u64::try_from(10 + dice.below(plan.kept[2] - 20)).unwrap());
                add("the log truncated", files(&cut));
            }
            10 => {
                let place = dice.below(whole.len() / 2);
                add(
                    "history rewritten: other inputs, signed again",
                    rewritten(plan, |made| {
                        let nth = made.records[whole[place]].index;
                        let id = made.records[whole[place]].entry.name();
                        let org = made.records[whole[place]].entry.place().unwrap().0.to_owned();
                        let inputs = json!({"title": format!("never said {nth}")});
                        let key = if nth > plan.change { NOW } else { OLD };
                        replace(made, whole[place], &Receipt { id, org, inputs, ..sample() }, key);
                    }),
                );
            }
            11 => {
                // Restored from a backup, and continued from there with other receipts.
                let from = usize::try_from(plan.change).unwrap() + 6;
                let most = plan.kept[2] - from;
                let mut other = begin(plan, u64::try_from(from + dice.below(most)).unwrap());
                let mut nth = 10_000 + u64::try_from(nth).unwrap();
                while other.leaves.len() < made.leaves.len() + 5 {
                    other.receipt(ORGS[dice.below(3)], nth, NOW);
                    nth += 1;
                }
                add("a backup restored and continued", files(&other));
            }
            12 => {
                // A receipt of one org in the list of another, with everything recomputed.
                let place = whole[dice.below(whole.len())];
                add(
                    "tenants spliced: an entry of another org",
                    rewritten(plan, |made| {
                        let mut record = made.records[place].clone();
                        let target = ORGS[(ORGS
                            .iter()
                            .position(|org| *org == record.entry.place().unwrap().0)
                            .unwrap()
                            + 1)
                            % 3];
                        let next = made.next_number(target);
                        if let Entry::Receipt { org, number, .. } = &mut record.entry {
                            (*org, *number) = (target.to_owned(), next);
                        }
                        record.index = made.push(record.entry.clone());
                        made.records.push(record);
                    }),
                );
            }
            13 => {
                let at = 10_000 + u64::try_from(nth).unwrap();
                add(
                    "signed with a key that had ended, dated back",
                    rewritten(plan, |made| {
                        made.receipt(ORGS[0], at, OLD);
                    }),
                );
            }
            14 => {
                let mut files = good.clone();
                let checkpoint = made.unsigned(made.leaves.len());
                let (key, class) = if dice.below(2) == 0 {
                    (signing_key(OLD), "a checkpoint signed with a key that had ended")
                } else {
                    (signing_key(UNKNOWN), "a checkpoint signed with a key nobody knows")
                };
                let mut later = checkpoint;
                later.time = format!("2026-11-15T03:{:02}:00Z", dice.below(60));
                files.insert("checkpoint".to_owned(), later.sign([&key]).into_bytes());
                add(class, files);
            }
            15 => {
                let before = dice.below(3) == 0;
                let org = ORGS[dice.below(3)];
                let at = 10_000 + u64::try_from(nth).unwrap();
                add(
                    if before { "an org's number left out" } else { "an org's number given twice" },
                    rewritten(plan, |made| {
                        let next = made.next_number(org);
                        let number = if before { next + 1 } else { next - 1 };
                        let receipt =
                            Receipt { id: format!("rcp_{at:032x}"), org: org.to_owned(), ..sample() };
                        made.sign(&receipt, number, &signing_key(NOW));
                    }),
                );
            }
            16 => {
                let key = signing_key(UNKNOWN);
                let at = 10_000 + u64::try_from(nth).unwrap();
                add(
                    "a receipt of a key nobody knows, in the log",
                    rewritten(plan, |made| {
                        let receipt =
                            Receipt { id: format!("rcp_{at:032x}"), org: ORGS[1].to_owned(), ..sample() };
                        let number = made.next_number(ORGS[1]);
                        made.sign(&receipt, number, &key);
                    }),
                );
            }
            17 => {
                let at = 10_000 + u64::try_from(nth).unwrap();
                add(
                    "an entry nothing accounts for",
                    rewritten(plan, |made| {
                        let place = made.receipt(ORGS[2], at, NOW);
                        made.records.remove(place);
                    }),
                );
            }
            18 => {
                let place = whole[dice.below(whole.len())];
                add(
                    "a body gone without an erasure in the log",
                    rewritten(plan, |made| {
                        let mut erased = made.clone();
                        erased.erase(place);
                        made.records[place] = erased.records[place].clone();
                    }),
                );
            }
            _ => {
                let line = line_of(whole[dice.below(whole.len())]);
                let (field, value) = [
                    ("seed", json!(STANDARD.encode([7; 32]))),
                    ("seed", json!(null)),
                    ("index", json!(dice.below(80))),
                    ("entry", json!({"kind": "erasure", "version": "countersign/entry/v1", "org": ORGS[0], "number": 4, "id": "rcp_1", "at": "2026-11-15T02:03:00Z"})),
                    ("kept", json!({"facts": {}, "salt": "", "erased": []})),
                    ("envelope", json!(null)),
                    ("extra", json!(1)),
                ][dice.below(7)]
                .clone();
                let files = with_record(&good, line, |record| record[field] = value);
                if files != good {
                    add("a field of a record changed", files);
                }
            }
        }
    }
    found
}

/// Tampered bundles of single receipts, as text.
fn tampered_bundles(count: usize) -> Vec<(&'static str, String)> {
    let plan = LONG;
    let made = good(plan);
    let whole: Vec<usize> =
        (0..made.records.len()).filter(|at| made.records[*at].envelope.is_some()).collect();
    let mut dice = Dice(15);
    let mut found = Vec::new();
    while found.len() < count {
        let (one, other) = (whole[dice.below(whole.len())], whole[dice.below(whole.len())]);
        let (mut bundle, foreign) = (made.bundle(one), made.bundle(other));
        if one == other {
            continue;
        }
        let class = match found.len() % 12 {
            0..=4 => {
                let mut bytes = serde_json::to_vec(&bundle).unwrap();
                let place = dice.below(bytes.len());
                bytes[place] ^= 1 << dice.below(7);
                // One document per line.
                let Ok(text) = String::from_utf8(bytes) else { continue };
                if text.contains('\n') || text.is_empty() {
                    continue;
                }
                found.push(("a bit of a bundle flipped", text));
                continue;
            }
            5 => {
                bundle.record.envelope = foreign.record.envelope;
                "another receipt in a bundle"
            }
            6 => {
                bundle.proof = foreign.proof;
                bundle.proof.push(STANDARD.encode([1; 32]));
                "another proof in a bundle"
            }
            7 => {
                let place = dice.below(bundle.proof.len());
                bundle.proof.remove(place);
                "a shorter proof"
            }
            8 => {
                bundle.checkpoint = made.checkpoint_at(220 + dice.below(100));
                "an older checkpoint under a newer proof"
            }
            9 => {
                let mut other = begin(plan, plan.length + 1);
                other.receipt(ORGS[0], 77_777, NOW);
                bundle.checkpoint = other.checkpoint();
                "a checkpoint of a forked log"
            }
            10 => {
                let mut late = made.clone();
                let place =
                    late.receipt(ORGS[dice.below(3)], 20_000 + u64::try_from(found.len()).unwrap(), OLD);
                bundle = late.bundle(place);
                "a receipt of a key that had ended"
            }
            _ => {
                bundle.record.entry = foreign.record.entry;
                bundle.record.index = foreign.record.index;
                bundle.proof = foreign.proof;
                "a receipt under the entry of another"
            }
        };
        found.push((class, serde_json::to_string(&bundle).unwrap()));
    }
    found
}

fn verdict(bundle: &str, made: &Made) -> String {
    let read = Bundle::from_json(bundle.as_bytes());
    let found = read.and_then(|bundle| bundle.verify(&made.key_set()));
    found.map_or_else(|error| error.code().to_owned(), |_| "verified".to_owned())
}

/// The second verifier: a Python with the packages it needs.
pub(crate) fn python() -> Command {
    let home = environment("HOME").unwrap_or_default();
    let tools = environment("COUNTERSIGN_TOOLS_DIR");
    let tools = tools.unwrap_or_else(|| format!("{home}/.cache/countersign/tools"));
    let own = PathBuf::from(tools).join("py/bin/python3");
    let mut python = Command::new(if own.exists() { own } else { "python3".into() });
    python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/verify/verify.py"));
    python
}

/// Its output, one JSON object per line.
pub(crate) fn asked(python: &mut Command, input: &[u8]) -> Vec<Value> {
    let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("needs python3");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let written = writing.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        !text.is_empty(),
        "the second verifier printed nothing; `scripts/tools verifier` installs its packages"
    );
    written.unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn write(dir: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("countersign-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this crate knows no configuration; its tests are told their size"
)]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[expect(clippy::print_stdout, reason = "abuse/run reads it")]
pub(crate) fn report(check: &str, tried: usize, wrong: usize) {
    println!(r#"abuse-14 {{"check":"{check}","tried":{tried},"wrong":{wrong}}}"#);
}

fn is_full() -> bool {
    environment("COUNTERSIGN_ABUSE_SIZE").is_some_and(|size| size == "full")
}

#[test]
fn every_tampering_with_a_log_is_found_and_named_by_both() {
    let (short, long) = if is_full() { (3_000, 300) } else { (480, 20) };
    tamper(SHORT, short);
    tamper(LONG, long);
}

fn tamper(plan: Plan, count: usize) {
    let (made, folder) = (good(plan), Folder::new("abuse14"));
    let keys = made.keys.clone();
    let kept: Vec<String> = plan.kept.iter().map(|size| kept_at(&made, plan, *size)).collect();
    assert_eq!(audit(&files(&made), &keys, &kept), Vec::<String>::new(), "a clean log must pass");
    let tampered = tamperings(plan, count);
    let mut python = python();
    python.arg("log").arg("--complete").arg("--json").arg("--keys").arg(folder.0.join("keys.json"));
    std::fs::write(folder.0.join("keys.json"), made.key_document()).unwrap();
    for (nth, note) in kept.iter().enumerate() {
        let path = folder.0.join(format!("kept-{nth}"));
        std::fs::write(&path, note).unwrap();
        python.arg("--against").arg(path);
    }
    let (clean, mut dirs) = (folder.0.join("clean"), Vec::new());
    write(&clean, &files(&made));
    dirs.push(clean);
    for (nth, tampering) in tampered.iter().enumerate() {
        let dir = folder.0.join(nth.to_string());
        write(&dir, &tampering.files);
        dirs.push(dir);
    }
    let mut answers = asked(python.args(&dirs), b"").into_iter();
    assert_eq!(answers.next().unwrap()["verified"], true, "a clean log must pass the second verifier");
    let mut tally = Tally::default();
    for (tampering, answer) in tampered.iter().zip(answers) {
        let ours = audit(&tampering.files, &keys, &kept);
        let findings = answer["findings"].as_array().unwrap().iter();
        let theirs: Vec<String> = findings.map(|found| found["code"].as_str().unwrap().to_owned()).collect();
        let is_found = !ours.is_empty() && ours == theirs;
        tally.count(tampering.class, is_found, || format!("ours {ours:?}, theirs {theirs:?}"));
    }
    tally.tell();
}

/// How many of each class were tried, and what was missed.
#[derive(Default)]
pub(crate) struct Tally {
    classes: BTreeMap<&'static str, (usize, usize)>,
    missed: Vec<String>,
}

impl Tally {
    pub(crate) fn count(&mut self, class: &'static str, is_found: bool, otherwise: impl FnOnce() -> String) {
        let (tried, wrong) = self.classes.entry(class).or_default();
        *tried += 1;
        if !is_found {
            *wrong += 1;
            self.missed.push(format!("{class}: {}", otherwise()));
        }
    }

    pub(crate) fn tell(self) {
        for (class, (tried, wrong)) in &self.classes {
            report(class, *tried, *wrong);
        }
        let few = &self.missed[..self.missed.len().min(8)];
        assert!(self.missed.is_empty(), "{} differ: {few:#?}", self.missed.len());
    }
}

/// A checkpoint as it was signed when the log had this size.
fn kept_at(made: &Made, plan: Plan, size: usize) -> String {
    let signer = if size <= usize::try_from(plan.change).unwrap() { OLD } else { NOW };
    made.unsigned(size).sign([&signing_key(signer)])
}

#[test]
fn every_tampering_with_a_receipt_is_found_and_named_by_both() {
    let (made, folder) = (good(LONG), Folder::new("abuse14b"));
    std::fs::write(folder.0.join("keys.json"), made.key_document()).unwrap();
    let tampered = tampered_bundles(if is_full() { 6_000 } else { 1_560 });
    let lines: String = tampered.iter().map(|(_, text)| format!("{text}\n")).collect();
    let mut python = python();
    python.args(["receipts", "-", "--json", "--keys"]).arg(folder.0.join("keys.json"));
    let answers = asked(&mut python, lines.as_bytes());
    assert_eq!(answers.len(), tampered.len());
    let mut tally = Tally::default();
    for ((class, text), answer) in tampered.iter().zip(&answers) {
        let (ours, theirs) = (verdict(text, &made), answer["code"].as_str().unwrap_or("verified"));
        let is_found = ours != "verified" && ours == theirs;
        tally.count(class, is_found, || format!("ours {ours}, theirs {theirs}: {text}"));
    }
    tally.tell();
}

#[test]
fn no_clean_receipt_is_called_tampered() {
    let (folder, count) = (Folder::new("abuse14c"), if is_full() { 100_000 } else { 3_000 });
    let mut made = good(SHORT);
    for nth in 0..count as u64 {
        made.receipt(ORGS[usize::try_from(nth).unwrap() % 3], 1_000_000 + nth, NOW);
    }
    let files = files(&made);
    let ours = audit(&files, &made.keys, &[kept_at(&made, SHORT, SHORT.kept[2])]);
    report("clean receipts for this verifier", made.records.len(), ours.len());
    write(&folder.0, &files);
    let mut python = python();
    python.args(["log", "--complete", "--json", "--keys"]).arg(folder.0.join("keys.json")).arg(&folder.0);
    let answer = asked(&mut python, b"").remove(0);
    let theirs = answer["findings"].as_array().unwrap().len();
    report("clean receipts for the second verifier", made.records.len(), theirs);
    assert_eq!((ours.len(), theirs), (0, 0), "{ours:?} {answer}");
    assert!(made.records.len() >= count);
}

/// The purpose of each kind of check: without it, the attack is not detected.
#[test]
fn control_without_a_guard_the_attack_passes() {
    let plan = SHORT;
    let made = good(plan);
    let kept = [kept_at(&made, plan, plan.kept[2])];
    let mut passed = 0;
    let mut control = |attack: &str, files: &Files, keys: &[KeyDocument]| {
        assert_eq!(
            audit(files, keys, &[]),
            Vec::<String>::new(),
            "{attack}: must not be found without a kept checkpoint"
        );
        assert_ne!(audit(files, keys, &kept), Vec::<String>::new(), "{attack}: must be found with one");
        passed += 1;
    };
    let cut = begin(plan, 70);
    control("truncated", &files(&cut), &cut.keys);
    let mut forked = begin(plan, 60);
    for nth in 0..60 {
        forked.receipt(ORGS[0], 50_000 + nth, NOW);
    }
    control("forked", &files(&forked), &forked.keys);
    let rewritten = rewritten(plan, |made| {
        let entry = made.records[5].entry.clone();
        let (id, org) = (entry.name(), entry.place().unwrap().0.to_owned());
        replace(made, 5, &Receipt { id, org, agent: "another".to_owned(), ..sample() }, OLD);
    });
    control("rewritten", &rewritten, &made.keys);

    // The published keys do not state where the old key ended, so it still signs, with an old date.
    let mut late = good(plan);
    late.receipt(ORGS[0], 90_000, OLD);
    let files = files(&late);
    let findings = |keys: &[KeyDocument]| {
        let audit = Audit { keys, kept: &[], complete: false, post_quantum: false, mark: None };
        let checkpoint = std::str::from_utf8(&files["checkpoint"]).unwrap();
        audit.run(checkpoint, |path| files.get(path).cloned(), lines(&files).into_iter(), |_| {}).findings
    };
    let mut forgetful = late.keys.clone();
    forgetful[0].ended = None;
    assert_eq!(findings(&forgetful), []);
    assert!(!findings(&late.keys).is_empty());
    report("control: attacks that passed without a guard", passed + 1, 0);
}
