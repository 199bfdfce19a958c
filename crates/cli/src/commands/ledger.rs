//! `ledger`: keep its checkpoints, fetch the log as files, and audit them without the gateway.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use api::{EntriesView, MeView};
use clap::{Args, Subcommand};
use receipt::{Audit, Finding, KeySetDocument, MAX_NOTE_BYTES, Mark, Progress, canonical, tile::Tile};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::verify::{MAX_KEYS_BYTES, check_keys};
use crate::{Context, client::Client, error::Error, exit::Exit, input, visible::inline};

const RECORDS: &str = "entries.ndjson";
const CHECKPOINT: &str = "checkpoint";
const KEYS: &str = "keys.json";
/// Checkpoints that earlier fetches saw: the next audit holds the log against them.
const SEEN: &str = "checkpoints";
const MARK: &str = "audited.json";
/// The record of a receipt is at most as large as a receipt and what proves it.
const MAX_LINE_BYTES: usize = receipt::MAX_BUNDLE_BYTES;

/// The log of all receipts.
#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Fetch the newest checkpoint, to keep it
    #[command(after_help = "Examples:
  countersign ledger checkpoint --out monday.checkpoint

Whoever keeps one can tell for ever whether the log still is the one it was then. Keep it where those who run the
gateway cannot change it.")]
    Checkpoint {
        /// Write it to this file (- for stdout)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Fetch the log into a directory, or go on where the last fetch ended
    #[command(after_help = "Examples:
  countersign ledger fetch log
  countersign ledger fetch log --no-records     (hashes and signatures only: needs no token)

The directory can be audited without the gateway, by this program or by any other that reads it; see docs/ledger.md.")]
    Fetch {
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Leave out the org's own receipts
        #[arg(long)]
        no_records: bool,
    },
    /// Audit a log that was fetched: nothing is asked of any server
    #[command(after_help = "Examples:
  countersign ledger audit log --keys keys.json
  countersign ledger audit log --keys keys.json --against monday.checkpoint --against friday.checkpoint
  countersign ledger audit log --keys keys.json --against mirror     (a copy or a clone of a mirror)

Goes through all hashes up to the signed root, compares them with every checkpoint that was kept, and verifies every
record that is there. Goes on where the last audit of the directory ended. Exit code 0: nothing is wrong. Exit code 1:
something is, and each finding is named.")]
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The directory, as `ledger fetch` wrote it
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The keys that are trusted, as `receipts keys` fetched them
    #[arg(long, value_name = "FILE")]
    keys: PathBuf,
    /// A checkpoint that was kept, or a directory of them such as a mirror; may be given again and again
    #[arg(long, value_name = "FILE|DIR")]
    against: Vec<PathBuf>,
    /// The records of all orgs are there: everything in the log must be accounted for
    #[arg(long)]
    complete: bool,
    /// Verify everything again, also what an earlier audit found good
    #[arg(long)]
    fresh: bool,
}

pub(crate) async fn run(command: Ledger, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Ledger::Checkpoint { out } => {
            let answer = cx.anonymous()?.get(&["v1", "ledger", "checkpoint"])?.send().await?;
            match out {
                Some(path) => {
                    input::write_path(&path, answer.text.as_bytes(), cx.console)?;
                    cx.console.note(&format!("wrote the checkpoint to {}", path.display()))?;
                }
                None if cx.json() => cx.console.json_value(&json!({ "checkpoint": answer.text }))?,
                None => cx.console.data(&answer.text)?,
            }
            Ok(Exit::Done)
        }
        Ledger::Fetch { dir, no_records } => fetch(cx, &dir, !no_records).await,
        Ledger::Audit(arguments) => audit(cx, &arguments),
    }
}

async fn fetch(cx: &mut Context<'_>, dir: &Path, with_records: bool) -> Result<Exit, Error> {
    let anyone = cx.anonymous()?;
    // First the checkpoint: whatever is fetched after it holds all that it covers.
    let checkpoint = anyone.get(&["v1", "ledger", "checkpoint"])?.send().await?;
    let size = size_of(&checkpoint.text).ok_or_else(|| Error::Strange {
        status: checkpoint.status,
        detail: "it is not a checkpoint".to_owned(),
    })?;
    let keys = anyone.get(&[".well-known", "countersign-keys.json"])?.send().await?;
    check_keys(keys.text.as_bytes()).map_err(|detail| Error::Strange { status: keys.status, detail })?;
    let all = Tile::all(size).count();
    let mut fetched = 0;
    for (nth, tile) in Tile::all(size).enumerate() {
        let path = tile.path(tile.width(size));
        // A tile with this name never changes.
        if !dir.join(&path).exists() {
            let segments: Vec<&str> = ["v1", "ledger"].into_iter().chain(path.split('/')).collect();
            let (_, bytes) = anyone.get(&segments)?.send_for_bytes().await?;
            put(&dir.join(&path), &bytes)?;
            fetched += 1;
        }
        cx.console.progress(&format!("{} of {all} tiles", nth + 1))?;
    }
    let records = if with_records { fetch_records(cx, dir, size).await? } else { 0 };
    put(&dir.join(KEYS), keys.text.as_bytes())?;
    put(&dir.join(SEEN).join(size.to_string()), checkpoint.text.as_bytes())?;
    // Last: the directory is whole when its checkpoint is there.
    put(&dir.join(CHECKPOINT), checkpoint.text.as_bytes())?;
    if cx.json() {
        cx.console.json_value(&json!({ "entries": size, "tiles": fetched, "records": records }))?;
    }
    cx.console.progress("")?;
    cx.console.note(&format!(
        "{size} entries; {fetched} tiles and {records} records are new in {}",
        dir.display()
    ))?;
    Ok(Exit::Done)
}

/// The records of the token's org that are not there yet, as far as the checkpoint covers them.
async fn fetch_records(cx: &mut Context<'_>, dir: &Path, size: u64) -> Result<u64, Error> {
    let client: Client = cx.client()?;
    let me: MeView = client.get(&["v1", "me"])?.send().await?.parse()?;
    let path = dir.join(RECORDS);
    let mut after = last_number(&path, &me.org.to_string(), cx)?;
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|source| file_error("write", &path, source))?;
    let mut count = 0;
    loop {
        let call = client
            .get(&["v1", "ledger", "entries"])?
            .query("after", &after.to_string())
            .query("limit", "500");
        let page: EntriesView = call.send().await?.parse()?;
        for record in &page.items {
            if record["index"].as_u64().is_none_or(|index| index >= size) {
                return Ok(count);
            }
            let line = format!("{record}\n");
            file.write_all(line.as_bytes()).map_err(|source| file_error("write", &path, source))?;
            count += 1;
        }
        cx.console.progress(&format!("{count} records"))?;
        match page.next {
            Some(next) => after = next,
            None => return Ok(count),
        }
    }
}

/// The last number of an org among the records that are there.
fn last_number(path: &Path, org: &str, cx: &mut Context<'_>) -> Result<u64, Error> {
    #[derive(Deserialize)]
    struct Line {
        entry: Entry,
    }
    #[derive(Deserialize)]
    struct Entry {
        org: String,
        number: u64,
    }
    let mut last = 0;
    if path.exists() {
        for line in input::open_lines(path, MAX_LINE_BYTES, cx.console)? {
            let line: Line = serde_json::from_slice(&line?).map_err(|_| {
                Error::usage(format!(
                    "{} holds something else than records; fetch into another directory",
                    path.display()
                ))
            })?;
            if line.entry.org == org {
                last = line.entry.number;
            }
        }
    }
    Ok(last)
}

/// Where an audit that found nothing wrong ended, and which records it saw.
#[derive(Serialize, Deserialize)]
struct Audited {
    mark: Mark,
    /// How much of the records was verified, and its digest.
    bytes: u64,
    digest: String,
}

fn audit(cx: &mut Context<'_>, arguments: &AuditArgs) -> Result<Exit, Error> {
    let AuditArgs { dir, complete, fresh, .. } = arguments;
    let keys = input::read_path(&arguments.keys, MAX_KEYS_BYTES, cx.console)?;
    check_keys(&keys).map_err(|detail| Error::usage(format!("{}: {detail}", arguments.keys.display())))?;
    let keys: KeySetDocument =
        serde_json::from_slice(&keys).map_err(|error| Error::usage(error.to_string()))?;
    let mut kept = Vec::new();
    for path in kept_at(&arguments.against)?.into_iter().chain(seen(dir)) {
        kept.push(text(&path, cx)?);
    }
    let checkpoint = text(&dir.join(CHECKPOINT), cx)?;
    let (before, rest) = if *fresh { (None, 0) } else { earlier(dir)? };
    let path = dir.join(RECORDS);
    let mut stream = File::open(&path).ok();
    if let Some(stream) = &mut stream {
        stream.seek(SeekFrom::Start(rest)).map_err(|source| file_error("read", &path, source))?;
    }
    let lines = input::lines(stream, MAX_LINE_BYTES).map(Result::unwrap_or_default);
    let audit = Audit {
        keys: &keys.keys,
        kept: &kept,
        complete: *complete,
        mark: before.as_ref().map(|before| &before.mark),
    };
    let console = &mut *cx.console;
    let found = audit.run(
        &checkpoint,
        |tile| fs::read(dir.join(tile)).ok(),
        lines,
        |progress| {
            let told = match progress {
                Progress::Hashes(done, all) if done == all || done % 65_536 == 0 => {
                    bar("hashes", done, Some(all))
                }
                Progress::Records(done) if done % 500 == 0 => bar("records", done, None),
                _ => return,
            };
            // Whether a person sees how far it is decides nothing.
            let _ = console.progress(&told);
        },
    );
    cx.console.progress("")?;
    if let Some(mark) = found.mark.clone() {
        remember(dir, mark)?;
    }
    let size = found.checkpoint.as_ref().map(|checkpoint| checkpoint.size);
    let since = before.map_or(0, |before| before.mark.size);
    if cx.json() {
        let finding = |finding: &Finding| json!({ "code": finding.code, "detail": finding.detail });
        cx.console.json_value(&json!({
            "verified": found.findings.is_empty(), "entries": size, "receipts": found.receipts, "since": since,
            "against": kept.len(), "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
        }))?;
    }
    for finding in &found.findings {
        cx.console.note(&format!("{}: {}", finding.code, inline(&finding.detail)))?;
    }
    if !found.findings.is_empty() {
        cx.console.note(&format!("{} findings: this log is not what it should be", found.findings.len()))?;
        return Ok(Exit::Failed);
    }
    let after = if since == 0 { String::new() } else { format!(", going on after {since}") };
    cx.console.note(&format!(
        "nothing is wrong: {} entries, {} receipts verified{after}, held against {} kept checkpoints",
        size.unwrap_or_default(),
        found.receipts,
        kept.len(),
    ))?;
    Ok(Exit::Done)
}

fn bar(what: &str, done: u64, all: Option<u64>) -> String {
    match all {
        None => format!("{done} {what}"),
        Some(all) => {
            let tenths = usize::try_from(done.saturating_mul(20) / all.max(1)).unwrap_or(20);
            format!("[{}{}] {done} of {all} {what}", "#".repeat(tenths), "-".repeat(20 - tenths.min(20)))
        }
    }
}

/// Where the last audit ended, if the records it saw are still the same.
fn earlier(dir: &Path) -> Result<(Option<Audited>, u64), Error> {
    let Ok(bytes) = fs::read(dir.join(MARK)) else { return Ok((None, 0)) };
    let Ok(audited) = serde_json::from_slice::<Audited>(&bytes) else { return Ok((None, 0)) };
    let same = digest_of(&dir.join(RECORDS), Some(audited.bytes))?
        .is_some_and(|(_, digest)| digest == audited.digest);
    let from = audited.bytes;
    Ok(if same { (Some(audited), from) } else { (None, 0) })
}

fn remember(dir: &Path, mark: Mark) -> Result<(), Error> {
    let (bytes, digest) = digest_of(&dir.join(RECORDS), None)?.unwrap_or_else(|| (0, canonical::digest(b"")));
    let audited = serde_json::to_vec(&Audited { mark, bytes, digest }).unwrap_or_default();
    put(&dir.join(MARK), &audited)
}

/// How long the start of a file is, and its digest; none where there is less of it. What is not there is empty.
fn digest_of(path: &Path, most: Option<u64>) -> Result<Option<(u64, String)>, Error> {
    let Ok(file) = File::open(path) else {
        return Ok((most.unwrap_or_default() == 0).then(|| (0, canonical::digest(b""))));
    };
    let mut digest = canonical::Digest::default();
    let mut read = std::io::copy(&mut file.take(most.unwrap_or(u64::MAX)), &mut digest)
        .map_err(|source| file_error("read", path, source))?;
    if most.is_some_and(|most| read < most) {
        return Ok(None);
    }
    read = most.unwrap_or(read);
    Ok(Some((read, digest.finish())))
}

/// The checkpoints that earlier fetches saw.
fn seen(dir: &Path) -> Vec<PathBuf> {
    let mut found = files_in(&dir.join(SEEN)).unwrap_or_default();
    found.retain(|path| path.extension().is_none());
    found
}

/// The files that somebody kept: those named, and those in directories that are named. A mirror keeps its newest beside the
/// directory with all of them.
fn kept_at(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut kept = Vec::new();
    for path in named {
        if !path.is_dir() {
            kept.push(path.clone());
            continue;
        }
        let (newest, all) = (path.join(CHECKPOINT), path.join(SEEN));
        let before = kept.len();
        if newest.is_file() || all.is_dir() {
            kept.extend(Some(newest).filter(|newest| newest.is_file()));
            if all.is_dir() {
                kept.extend(files_in(&all)?);
            }
        } else {
            kept.extend(files_in(path)?);
        }
        if kept.len() == before {
            return Err(Error::usage(format!("{} holds no checkpoint", path.display())));
        }
    }
    Ok(kept)
}

/// In the order of their names, without hidden ones.
fn files_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let found = fs::read_dir(dir).map_err(|source| file_error("read", dir, source))?;
    let mut found: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| {
        path.is_file() && path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    });
    found.sort();
    Ok(found)
}

fn size_of(checkpoint: &str) -> Option<u64> {
    checkpoint.lines().nth(1)?.parse().ok()
}

fn text(path: &Path, cx: &mut Context<'_>) -> Result<String, Error> {
    String::from_utf8(input::read_path(path, MAX_NOTE_BYTES, cx.console)?)
        .map_err(|_| Error::usage(format!("{} is not a checkpoint", path.display())))
}

/// Writes a file whole or not at all: a reader, or the next fetch, never finds half of it.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let refused = |source| file_error("write", path, source);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(refused)?;
    }
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(refused)?;
    fs::rename(&part, path).map_err(refused)
}

fn file_error(verb: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::File { verb, path: path.to_owned(), source }
}
