//! Audits a whole log in files: whether it is the signed log, whether it continues the checkpoints that the auditor
//! kept, and whether every record in it is genuine and at its stated place.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::{
    Checkpoint, Entry, KeyDocument, KeySet, Record, Walk, WalkError,
    merkle::{Hash, fold_level},
    tile::{self, Tile},
    walk::{Before, account},
};

/// What IDs of change records begin with. Their bodies are never erased.
const CHANGE_PREFIX: &str = "chg_";

/// A problem of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable code.
    pub code: &'static str,
    /// The problem and its place, for people.
    pub detail: String,
}

impl Finding {
    fn new(code: &'static str, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl From<WalkError> for Finding {
    fn from(error: WalkError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// How far an audit without findings got, so that the next one can continue from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    pub origin: String,
    pub size: u64,
    /// In hex.
    pub root: String,
    /// The last number of each org whose records were given.
    pub numbers: BTreeMap<String, u64>,
}

/// The inputs of an audit besides the log.
#[derive(Debug, Clone)]
pub struct Audit<'a> {
    /// The published keys that the auditor trusts.
    pub keys: &'a [KeyDocument],
    /// The signed checkpoints that the auditor kept.
    pub kept: &'a [String],
    /// Whether the records of all orgs are given, so that every entry of the log must be accounted for.
    pub complete: bool,
    /// Whether checkpoints without an ML-DSA-65 signature are refused.
    pub post_quantum: bool,
    /// Where an earlier audit ended; the records up to there are not given again.
    pub mark: Option<&'a Mark>,
}

/// The result of an audit.
#[derive(Debug, Clone)]
pub struct Audited {
    /// The verified checkpoint; `None` if the log itself is wrong.
    pub checkpoint: Option<Checkpoint>,
    /// How many receipts were verified.
    pub receipts: u64,
    /// How many change records were verified.
    pub changes: u64,
    pub findings: Vec<Finding>,
    /// Where the next audit can continue; `None` if there are findings.
    pub mark: Option<Mark>,
}

/// The progress of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Hashes read so far, and in total.
    Hashes(u64, u64),
    /// Records verified so far.
    Records(u64),
}

/// A log whose tiles give the signed root.
struct Log {
    checkpoint: Checkpoint,
    leaves: Vec<Hash>,
}

impl Audit<'_> {
    /// Audits a log. `tile` reads a file by its path; `records` are the lines of `entries.ndjson`.
    pub fn run(
        &self,
        checkpoint: &str,
        tile: impl FnMut(&str) -> Option<Vec<u8>>,
        records: impl Iterator<Item = Vec<u8>>,
        mut told: impl FnMut(Progress),
    ) -> Audited {
        let keys = match KeySet::new(self.keys) {
            Ok(keys) => keys.requiring_ml_dsa(self.post_quantum),
            Err(error) => return Self::wrong(vec![Finding::new("keys", error.to_string())]),
        };
        match self.leaves(checkpoint, &keys, tile, &mut told) {
            Err(finding) => Self::wrong(vec![finding]),
            Ok(log) => self.records(log, &keys, records, told),
        }
    }

    fn wrong(findings: Vec<Finding>) -> Audited {
        Audited { checkpoint: None, receipts: 0, changes: 0, findings, mark: None }
    }

    /// All leaves, if the tiles give the signed root and the roots of all kept checkpoints.
    fn leaves(
        &self,
        note: &str,
        keys: &KeySet,
        mut read: impl FnMut(&str) -> Option<Vec<u8>>,
        told: &mut impl FnMut(Progress),
    ) -> Result<Log, Finding> {
        let verify = |note: &str| {
            Checkpoint::verify(note, keys).map_err(|error| Finding::new(error.code(), error.to_string()))
        };
        let signed = verify(note)?;
        let mut kept = self.kept.iter().map(|note| verify(note)).collect::<Result<Vec<_>, _>>()?;
        if let Some(mark) = self.mark {
            let root = crate::entry::read_hash(&mark.root).unwrap_or_default();
            kept.push(Checkpoint { origin: mark.origin.clone(), size: mark.size, root, time: String::new() });
        }
        let mut walk = Walk::new(signed.clone(), kept)?;
        let mut levels: Vec<Vec<Hash>> = Vec::new();
        let all = Tile::all(signed.size).map(|tile| tile.width(signed.size)).sum();
        let mut done = 0;
        for tile in Tile::all(signed.size) {
            let width = tile.width(signed.size);
            let path = tile.path(width);
            let hashes = read(&path)
                .and_then(|bytes| tile::hashes(&bytes))
                .filter(|hashes| hashes.len() as u64 == width);
            let hashes = hashes.ok_or_else(|| {
                Finding::new("tile_missing", format!("{path} is not there with {width} hashes"))
            })?;
            if tile.level as usize == levels.len() {
                levels.push(vec![]);
            }
            if let Some(level) = levels.last_mut() {
                level.extend(hashes);
            }
            done += width;
            told(Progress::Hashes(done, all));
        }
        for (level, pair) in levels.windows(2).enumerate() {
            let [below, above] = pair else { continue };
            for (place, (full, hash)) in below.chunks_exact(256).zip(above).enumerate() {
                if fold_level(full) != *hash {
                    let detail = format!("hash {place} of level {} is not what is below it", level + 1);
                    return Err(Finding::new("tile_differs", detail));
                }
            }
        }
        let leaves = levels.into_iter().next().unwrap_or_default();
        for leaf in &leaves {
            walk.push(*leaf)?;
        }
        walk.finish()?;
        Ok(Log { checkpoint: signed, leaves })
    }

    fn records(
        &self,
        Log { checkpoint, leaves }: Log,
        keys: &KeySet,
        lines: impl Iterator<Item = Vec<u8>>,
        mut told: impl FnMut(Progress),
    ) -> Audited {
        let seen = self.mark.map_or(0, |mark| mark.size);
        let mut entries: Vec<(u64, Entry)> = self.keys.iter().flat_map(KeyDocument::entries).collect();
        entries.retain(|(index, _)| *index >= seen);
        let (mut findings, mut receipts, mut changes) = (Vec::new(), 0, 0);
        let (mut erased, mut bodiless) = (HashSet::new(), Vec::new());
        for line in lines {
            let record = match Record::from_json(&line) {
                Ok(record) => record,
                Err(error) => {
                    findings.push(Finding::new(error.code(), error.to_string()));
                    continue;
                }
            };
            let (index, name) = (record.index, record.entry.name());
            let wrong = |code, error: String| Finding::new(code, format!("{name} at place {index}: {error}"));
            if let Entry::Erasure { org, id, .. } = &record.entry {
                let alone = record.envelope.is_none() && record.seed.is_none() && record.kept.is_none();
                if alone && record.entry.is_known_version() && !id.starts_with(CHANGE_PREFIX) {
                    erased.insert((org.clone(), id.clone()));
                } else {
                    findings.push(wrong("unknown_entry", "not of an erasure, or not alone".to_owned()));
                }
            } else {
                let is_change = matches!(record.entry, Entry::Change { .. });
                *(if is_change { &mut changes } else { &mut receipts }) += 1;
                match record.verify(keys) {
                    Ok(found) if found.verified.is_none() => bodiless.push((found.place.0, name.clone())),
                    Ok(_) => {}
                    Err(error) => findings.push(wrong(error.code(), error.to_string())),
                }
                told(Progress::Records(receipts + changes));
            }
            entries.push((index, record.entry));
        }
        let numbers = self.mark.map(|mark| mark.numbers.clone()).unwrap_or_default();
        let before =
            Before { size: seen, numbers: numbers.iter().map(|(org, last)| (org.as_str(), *last)).collect() };
        let at = |index: u64| usize::try_from(index).ok().and_then(|index| leaves.get(index)).copied();
        let borrowed = entries.iter().map(|(index, entry)| (*index, entry));
        findings.extend(
            account(borrowed, checkpoint.size, self.complete, &before, at).into_iter().map(Finding::from),
        );
        let gone = bodiless.into_iter().filter(|gone| !erased.contains(gone));
        findings.extend(gone.map(|(_, id)| WalkError::NotErased { id }.into()));
        let mark = findings.is_empty().then(|| Self::mark(&checkpoint, numbers, &entries));
        Audited { checkpoint: Some(checkpoint), receipts, changes, findings, mark }
    }

    fn mark(checkpoint: &Checkpoint, mut numbers: BTreeMap<String, u64>, entries: &[(u64, Entry)]) -> Mark {
        for (org, number) in entries.iter().filter_map(|(_, entry)| entry.place()) {
            let last = numbers.entry(org.to_owned()).or_default();
            *last = number.max(*last);
        }
        let root = hex::encode(checkpoint.root);
        Mark { origin: checkpoint.origin.clone(), size: checkpoint.size, root, numbers }
    }
}
