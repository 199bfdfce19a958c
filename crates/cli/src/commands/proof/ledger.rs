//! `ledger`: save checkpoints, download the log as files, and audit the files offline.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::Duration,
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
/// Checkpoints of earlier downloads; the next audit compares the log with them.
const SEEN: &str = "checkpoints";
const MARK: &str = "audited.json";
/// A record is at most as large as a receipt with its proof.
const MAX_LINE_BYTES: usize = receipt::MAX_BUNDLE_BYTES;

/// How long to wait after a refusal for the rate limit, which ends with the minute, and how often.
const PAUSE: Duration = Duration::from_secs(5);
const PAUSES: usize = 24;

/// Save checkpoints, download and audit the log of all receipts
#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Save the newest checkpoint
    #[command(after_help = "Examples:
  countersign ledger checkpoint --out monday.checkpoint

With a saved checkpoint, an audit detects any later change of the log up to that point. Keep it where the operators of
the gateway cannot change it.")]
    Checkpoint {
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Download the log into a directory, or continue an earlier download
    #[command(after_help = "Examples:
  countersign ledger fetch log
  countersign ledger fetch log --no-records     # hashes and signatures only; needs no token

The directory can be audited offline, by this program or another one; see docs/ledger.md.")]
    Fetch {
        /// Directory to write to
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Do not download the receipts of the organization
        #[arg(long)]
        no_records: bool,
    },
    /// Audit a downloaded log offline
    #[command(after_help = "Examples:
  countersign ledger audit log --keys keys.json
  countersign ledger audit log --keys keys.json --against monday.checkpoint --against friday.checkpoint
  countersign ledger audit log --keys keys.json --against mirror     # a copy or a clone of a mirror

The audit recomputes all hashes up to the signed root, compares them with every saved checkpoint, and verifies every
record. It continues where the last audit of the directory ended. Exit codes: 0 no findings, 1 findings, each printed.")]
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Directory that `ledger fetch` wrote
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// File with the trusted keys, as `receipts keys` writes it
    #[arg(long, value_name = "FILE")]
    keys: PathBuf,
    /// Saved checkpoint, or a directory of checkpoints such as a mirror; can be repeated
    #[arg(long, value_name = "FILE|DIR")]
    against: Vec<PathBuf>,
    /// Require a record for every entry of the log; for downloads that hold the records of all organizations
    #[arg(long)]
    complete: bool,
    /// Refuse checkpoints that are not signed with ML-DSA-65 too
    #[arg(long)]
    post_quantum: bool,
    /// Verify everything again, including what an earlier audit verified
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
    // The checkpoint comes first: everything downloaded after it includes all entries that it covers.
    let checkpoint = anyone.get(&["v1", "ledger", "checkpoint"])?.send().await?;
    let size = size_of(&checkpoint.text).ok_or_else(|| Error::InvalidResponse {
        status: checkpoint.status,
        detail: "the response is not a checkpoint".to_owned(),
    })?;
    let keys = anyone.get(&[".well-known", "countersign-keys.json"])?.send().await?;
    check_keys(keys.text.as_bytes())
        .map_err(|detail| Error::InvalidResponse { status: keys.status, detail })?;
    let all = Tile::all(size).count();
    let mut fetched = 0;
    for (nth, tile) in Tile::all(size).enumerate() {
        let path = tile.path(tile.width(size));
        // A tile with this name never changes.
        if !dir.join(&path).exists() {
            let segments: Vec<&str> = ["v1", "ledger"].into_iter().chain(path.split('/')).collect();
            put(&dir.join(&path), &tile_bytes(&anyone, &segments).await?)?;
            fetched += 1;
        }
        cx.console.progress(&format!("{} of {all} tiles", nth + 1))?;
    }
    let records = if with_records { fetch_records(cx, dir, size).await? } else { 0 };
    put(&dir.join(KEYS), keys.text.as_bytes())?;
    put(&dir.join(SEEN).join(size.to_string()), checkpoint.text.as_bytes())?;
    // Last: a directory with a checkpoint is complete.
    put(&dir.join(CHECKPOINT), checkpoint.text.as_bytes())?;
    if cx.json() {
        cx.console.json_value(&json!({ "entries": size, "tiles": fetched, "records": records }))?;
    }
    cx.console.progress("")?;
    cx.console.note(&format!(
        "{size} entries; wrote {fetched} new tiles and {records} new records to {}",
        dir.display()
    ))?;
    Ok(Exit::Done)
}

/// Downloads a tile. A large log has more tiles than a gateway gives to one network address in a minute.
async fn tile_bytes(client: &Client, segments: &[&str]) -> Result<Vec<u8>, Error> {
    for _ in 0..PAUSES {
        match client.get(segments)?.send_for_bytes().await {
            Err(Error::Problem { problem, .. }) if problem.code == "rate_limited" => {
                tokio::time::sleep(PAUSE).await;
            }
            other => return Ok(other?.1),
        }
    }
    Ok(client.get(segments)?.send_for_bytes().await?.1)
}

/// Downloads the missing records of the token's organization, as far as the checkpoint covers them.
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

/// The highest record number of an organization in the file.
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
                    "{} does not hold ledger records. Download into another directory",
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

/// The state after an audit without findings.
#[derive(Serialize, Deserialize)]
struct Audited {
    mark: Mark,
    /// Length and digest of the verified records.
    bytes: u64,
    digest: String,
}

fn audit(cx: &mut Context<'_>, arguments: &AuditArgs) -> Result<Exit, Error> {
    let AuditArgs { dir, complete, post_quantum, fresh, .. } = arguments;
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
        post_quantum: *post_quantum,
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
            // A failure to show progress does not matter.
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
            "verified": found.findings.is_empty(), "entries": size, "receipts": found.receipts, "changes": found.changes,
            "since": since,
            "against": kept.len(), "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
        }))?;
    }
    for finding in &found.findings {
        cx.console.note(&format!("{}: {}", finding.code, inline(&finding.detail)))?;
    }
    if !found.findings.is_empty() {
        cx.console.note(&format!("{} findings: the log failed the audit", found.findings.len()))?;
        return Ok(Exit::Failed);
    }
    let after = if since == 0 { String::new() } else { format!(", starting after entry {since}") };
    cx.console.note(&format!(
        "audit passed: {} entries, {} receipts and {} changes verified{after}, compared with {} saved checkpoints",
        size.unwrap_or_default(),
        found.receipts,
        found.changes,
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

/// Where the last audit ended, if the records it verified are unchanged.
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

/// Length and digest of the first `most` bytes of a file, or `None` if it is shorter. A missing file counts as empty.
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

/// Checkpoints of earlier downloads.
fn seen(dir: &Path) -> Vec<PathBuf> {
    let mut found = files_in(&dir.join(SEEN)).unwrap_or_default();
    found.retain(|path| path.extension().is_none());
    found
}

/// The saved checkpoints: the given files, and the files in given directories. A mirror has its newest checkpoint next to
/// the directory with all of them.
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
            return Err(Error::usage(format!("{} contains no checkpoint", path.display())));
        }
    }
    Ok(kept)
}

/// Sorted by name, without hidden files.
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

/// Writes a file completely or not at all, so that no reader finds half of it.
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
