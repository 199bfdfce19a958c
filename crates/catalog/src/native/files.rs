//! The source `files`: text files below the organization's directory, and nowhere else.
//!
//! Every path is opened relative to a handle of that directory, so `..`, absolute paths and symbolic links cannot lead
//! out of it, even if a directory is replaced by a link in between.

use std::{
    io::{self, Read as _, Write as _},
    path::PathBuf,
};

use cap_std::{ambient_authority, fs::Dir};
use model::{EffectClass, ErrorClass};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Basis, Change, Outcome, Preview, SourceError, Undone, Verification,
    declared::DeclaredSource,
    define::{At, Define},
    limits::files::{MAX_BYTES, MAX_ENTRIES},
    registry::Error,
    wire,
};

/// The text to write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WriteText {
    /// Path relative to the workspace, for example `reports/today.md`. Missing folders are created.
    #[schemars(length(min = 1, max = 1024))]
    path: String,
    /// The whole content, at most 1 MiB. It replaces an existing file.
    #[schemars(length(max = 1_048_576))]
    text: String,
}

/// The file to read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadText {
    /// Path relative to the workspace.
    #[schemars(length(min = 1, max = 1024))]
    path: String,
}

/// The folder to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {
    /// Path relative to the workspace; its root if left out.
    #[schemars(length(min = 1, max = 1024))]
    path: Option<String>,
}

/// The source `files`.
pub(crate) fn source() -> Result<DeclaredSource<()>, Error> {
    let write = "Writes a text file in the org's workspace.";
    DeclaredSource::new("files", ())?
        .with(
            Define::write("write_text", EffectClass::Checkable, write)
                .native()
                .takes::<WriteText>()
                .execute(write_text)
                .lookup(find_written)
                .preview(preview_write)
                .verify(is_written)
                .undo("restores the former content, or removes the file if there was none", unwrite),
        )?
        .with(
            Define::read("read_text", "Reads a text file of the org's workspace.")
                .native()
                .takes::<ReadText>()
                .execute(read_text),
        )?
        .with(
            Define::read("list", "Lists a folder of the org's workspace.")
                .native()
                .takes::<List>()
                .execute(list),
        )
}

async fn write_text(at: At<'_, ()>, wanted: WriteText) -> Result<Outcome, SourceError> {
    let scratch = wire::effect_uuid(at.ctx, "files write").simple().to_string();
    within(at, move |dir| write_into(&dir, &wanted, &scratch)).await
}

async fn find_written(at: At<'_, ()>, wanted: WriteText) -> Result<Option<Outcome>, SourceError> {
    within(at, move |dir| {
        let written = read_if_there(&dir, &wanted.path)?.is_some_and(|text| text == wanted.text);
        Ok(written.then(|| Outcome::new(written_output(&wanted))))
    })
    .await
}

async fn preview_write(at: At<'_, ()>, wanted: WriteText) -> Result<Preview, SourceError> {
    within(at, move |dir| {
        let before = read_if_there(&dir, &wanted.path)?;
        let verb = if before.is_some() { "Replaces" } else { "Creates" };
        let summary = format!("{verb} the file `{}` ({} bytes)", wanted.path, wanted.text.len());
        let basis = vec![Basis::new("content", before.clone())];
        let change = Change { field: "text".to_owned(), before: json!(before), after: json!(wanted.text) };
        Ok(Preview { summary, changes: vec![change], basis })
    })
    .await
}

async fn is_written(at: At<'_, ()>, wanted: WriteText, _: &Outcome) -> Result<Verification, SourceError> {
    within(at, move |dir| {
        Ok(match read_if_there(&dir, &wanted.path)? {
            Some(text) if text == wanted.text => Verification::Confirmed,
            Some(_) => Verification::Refuted("the file has a different content".to_owned()),
            None => Verification::Refuted("the file does not exist".to_owned()),
        })
    })
    .await
}

async fn unwrite(at: At<'_, ()>, wanted: WriteText, done: &Outcome) -> Result<Undone, SourceError> {
    let Some(undo) = done.undo.clone() else {
        return Ok(Undone::NotPossible("the former content is not known".to_owned()));
    };
    let scratch = wire::effect_uuid(at.ctx, "files undo").simple().to_string();
    within(at, move |dir| restore(&dir, &wanted, undo["text"].as_str(), &scratch)).await
}

async fn read_text(at: At<'_, ()>, wanted: ReadText) -> Result<Outcome, SourceError> {
    within(at, move |dir| {
        let text = read(&dir, &wanted.path)?;
        Ok(Outcome::new(json!({"path": wanted.path, "text": text})))
    })
    .await
}

async fn list(at: At<'_, ()>, wanted: List) -> Result<Outcome, SourceError> {
    within(at, move |dir| list_folder(&dir, wanted.path.as_deref().unwrap_or("."))).await
}

/// Runs work on the organization's directory, on a thread that may block.
async fn within<T: Send + 'static>(
    at: At<'_, ()>,
    work: impl FnOnce(Dir) -> Result<T, SourceError> + Send + 'static,
) -> Result<T, SourceError> {
    let missing = || SourceError::not_sent(ErrorClass::Permanent, "this organization has no workspace");
    let root: PathBuf = at.ctx.workspace.clone().ok_or_else(missing)?;
    let task = tokio::task::spawn_blocking(move || {
        // Before an organization's first file its directory does not exist. The operator configured the parent
        // directory of all of them.
        std::fs::create_dir_all(&root).map_err(|_| missing())?;
        let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|_| missing())?;
        work(dir)
    });
    task.await.unwrap_or_else(|_| Err(SourceError::sent(ErrorClass::Permanent, "the file operation failed")))
}

fn write_into(dir: &Dir, wanted: &WriteText, scratch: &str) -> Result<Outcome, SourceError> {
    if wanted.text.len() as u64 > MAX_BYTES {
        return Err(SourceError::invalid("the text is larger than 1 MiB"));
    }
    let before = read_if_there(dir, &wanted.path)?;
    replace(dir, &wanted.path, &wanted.text, scratch)?;
    let undo = Some(json!({"text": before}));
    Ok(Outcome { undo, ..Outcome::new(written_output(wanted)) })
}

fn written_output(wanted: &WriteText) -> Value {
    json!({"path": wanted.path, "bytes": wanted.text.len()})
}

/// Writes a temporary file and renames it, so that a reader sees the old text or the new one, never a part of it.
fn replace(dir: &Dir, path: &str, text: &str, scratch: &str) -> Result<(), SourceError> {
    let (folder, name) = split(path)?;
    if !folder.is_empty() {
        dir.create_dir_all(folder).map_err(from_io)?;
    }
    let folder = dir.open_dir(if folder.is_empty() { "." } else { folder }).map_err(from_io)?;
    let beside = format!(".{scratch}.tmp");
    let mut file = folder.create(&beside).map_err(from_io)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let renamed = written.and_then(|()| folder.rename(&beside, &folder, name));
    if renamed.is_err() {
        // The temporary file must not remain. If deleting it fails too, it is only clutter.
        let _ = folder.remove_file(&beside);
    }
    renamed.map_err(from_io)
}

fn restore(
    dir: &Dir,
    wanted: &WriteText,
    before: Option<&str>,
    scratch: &str,
) -> Result<Undone, SourceError> {
    let now = read_if_there(dir, &wanted.path)?;
    if now.as_deref() == before {
        return Ok(Undone::Done("the file is as it was before".to_owned()));
    }
    if now.as_deref() != Some(&wanted.text) {
        return Ok(Undone::NotPossible("the file was changed again since".to_owned()));
    }
    match before {
        Some(text) => replace(dir, &wanted.path, text, scratch)?,
        None => dir.remove_file(&wanted.path).map_err(from_io)?,
    }
    Ok(Undone::Done("the file is as it was before".to_owned()))
}

fn read(dir: &Dir, path: &str) -> Result<String, SourceError> {
    read_if_there(dir, path)?.ok_or_else(|| {
        SourceError::not_sent(ErrorClass::NotFound, "the file does not exist in the workspace")
    })
}

fn read_if_there(dir: &Dir, path: &str) -> Result<Option<String>, SourceError> {
    split(path)?;
    // Checked before opening, because opening a pipe would wait for a writer.
    let is_file = match dir.metadata(path) {
        Ok(found) => found.is_file(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(from_io(error)),
    };
    if !is_file {
        return Err(SourceError::invalid("this is not a file"));
    }
    let mut text = String::new();
    let file = dir.open(path).map_err(from_io)?;
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(|_| SourceError::invalid("the file is not a text file"))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(SourceError::invalid("the file is larger than 1 MiB"));
    }
    Ok(Some(text))
}

fn list_folder(dir: &Dir, path: &str) -> Result<Outcome, SourceError> {
    if path != "." {
        split(path)?;
    }
    let mut entries = Vec::new();
    let mut truncated = false;
    for entry in dir.read_dir(path).map_err(from_io)? {
        let entry = entry.map_err(from_io)?;
        if entries.len() == MAX_ENTRIES {
            truncated = true;
            break;
        }
        // The metadata of the link itself, not of its target.
        let found = entry.metadata().map_err(from_io)?;
        let kind = match () {
            () if found.is_dir() => "folder",
            () if found.is_file() => "file",
            () => "other",
        };
        entries.push((entry.file_name().to_string_lossy().into_owned(), kind, found.len()));
    }
    entries.sort();
    let entries: Vec<Value> = (entries.into_iter())
        .map(|(name, kind, bytes)| json!({"name": name, "kind": kind, "bytes": bytes}))
        .collect();
    Ok(Outcome::new(json!({"entries": entries, "truncated": truncated})))
}

/// Splits a path that stays below the root into folder and name. The directory handle would stop any other path as
/// well; refusing it here gives a clear error, and no name in the path is looked up.
fn split(path: &str) -> Result<(&str, &str), SourceError> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let fits = path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains(['\0', '\\']);
    if fits { Ok((folder, name)) } else { Err(SourceError::invalid("the path must stay in the workspace")) }
}

fn from_io(error: io::Error) -> SourceError {
    match error.kind() {
        io::ErrorKind::NotFound => SourceError::not_sent(ErrorClass::NotFound, "the file does not exist"),
        io::ErrorKind::PermissionDenied => SourceError::invalid("the path must stay in the workspace"),
        io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory | io::ErrorKind::AlreadyExists => {
            SourceError::not_sent(ErrorClass::Conflict, "something else is at this path")
        }
        _ => SourceError::not_sent(ErrorClass::Transient, "the file operation failed"),
    }
}
