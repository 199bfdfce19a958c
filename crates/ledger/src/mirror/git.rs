//! A git mirror: a local clone whose remote `origin` stores the checkpoints.
//!
//! Commits are created from objects on top of the remote's newest commit. The work tree and the branches of the clone
//! are not touched, so an outdated or dirty clone does not matter. Pushes are never forced.

use std::{path::PathBuf, process::Stdio, time::Duration};

use platform::{config::variable, redact::Redactor};
use receipt::Checkpoint;
use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStdin, Command},
};

use super::{Error, Names};

/// Maximum duration of one git command.
const PATIENCE: Duration = Duration::from_secs(60);
const AUTHOR: (&str, &str) = ("Countersign", "countersign@localhost");
/// The environment variables that git gets: those it needs to reach the remote, and no secrets of the gateway.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_SSH_COMMAND",
    "SSH_AUTH_SOCK",
    "GIT_SSL_CAINFO",
    "SSL_CERT_FILE",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// A clone on this machine.
#[derive(Debug, Clone)]
pub(super) struct Repository {
    address: String,
    directory: PathBuf,
}

/// The state of the remote after a fetch.
pub(super) struct Snapshot<'c> {
    clone: &'c Repository,
    branch: String,
    /// The newest commit; `None` if the remote is empty.
    tip: Option<String>,
}

/// An entry of a tree.
struct Entry {
    /// As `mktree` reads it, without the name.
    object: String,
    id: String,
    bytes: Option<u64>,
    name: String,
}

impl Repository {
    pub(super) fn parse(address: &str) -> Option<Self> {
        let path = address.strip_prefix("git://").filter(|path| path.starts_with('/'))?;
        Some(Self { address: address.to_owned(), directory: path.into() })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) async fn fetch(&self) -> Result<Snapshot<'_>, Error> {
        let branch = self.ask("symbolic-ref", &["--short", "HEAD"]).await?;
        // A bare clone has no default refspec for fetched branches.
        let all = "+refs/heads/*:refs/remotes/origin/*";
        self.ask("fetch", &["--quiet", "--no-tags", "origin", all]).await?;
        let known = format!("refs/remotes/origin/{branch}");
        let tip = self.ask("for-each-ref", &["--format=%(objectname)", &known]).await?;
        Ok(Snapshot { clone: self, branch, tip: Some(tip).filter(|tip| !tip.is_empty()) })
    }

    /// Checks that the remote is reachable and accepts commits.
    pub(super) async fn probe(&self) -> Result<(), Error> {
        let seen = self.fetch().await?;
        let tree = self.make("mktree", &["-z"], b"").await?;
        let commit = seen.commit(&tree, "probe", None).await?;
        let to = format!("{commit}:refs/heads/{}", seen.branch);
        self.ask("push", &["--quiet", "--no-verify", "--dry-run", "origin", &to]).await.map(drop)
    }

    async fn ask(&self, step: &'static str, arguments: &[&str]) -> Result<String, Error> {
        self.make(step, arguments, b"").await
    }

    async fn make(&self, step: &'static str, arguments: &[&str], input: &[u8]) -> Result<String, Error> {
        let mut command = self.command(step, arguments);
        let (good, out, said) = self.run(step, &mut command, input).await?;
        if good { Ok(out.trim_end().to_owned()) } else { Err(self.failed(step, &said)) }
    }

    fn command(&self, step: &'static str, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear();
        for name in ENVIRONMENT {
            if let Some(value) = variable(name) {
                command.env(name, value);
            }
        }
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
        // Hooks of the clone must not run.
        command.arg("-C").arg(&self.directory).args(["-c", "core.hooksPath=/dev/null", step]).args(arguments);
        command
    }

    /// Whether the command succeeded, and its output.
    async fn run(
        &self,
        step: &'static str,
        command: &mut Command,
        input: &[u8],
    ) -> Result<(bool, String, String), Error> {
        let failed = |source| Error::Run { step, source };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(failed)?;
        let stdin = child.stdin.take();
        let done = tokio::time::timeout(PATIENCE, async {
            feed(stdin, input).await;
            child.wait_with_output().await
        });
        let output = done.await.map_err(|_| failed(std::io::ErrorKind::TimedOut.into()))?.map_err(failed)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((output.status.success(), text(output.stdout), text(output.stderr)))
    }

    /// The output of git may contain a URL with a password.
    fn failed(&self, step: &'static str, said: &str) -> Error {
        let said = Redactor::new().redact_text(said.trim()).replace('\n', "; ");
        Error::Git { step, clone: self.directory.display().to_string(), said }
    }
}

/// A command that fails without reading its input reports that by its exit code.
async fn feed(stdin: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

impl Snapshot<'_> {
    /// The content of a file; none where there is none.
    pub(super) async fn held(&self, name: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(entry) = self.list(&["-l", "-z"], &[name]).await?.pop() else { return Ok(None) };
        if entry.bytes.is_none_or(|bytes| bytes > most_bytes) {
            return Err(super::Divergence::NotOurs(receipt::CheckpointError::Malformed).into());
        }
        let mut command = self.clone.command("cat-file", &["blob", &entry.id]);
        let (good, out, said) = self.clone.run("cat-file", &mut command, b"").await?;
        if good { Ok(Some(out.into_bytes())) } else { Err(self.clone.failed("cat-file", &said)) }
    }

    /// Pushes a commit with the checkpoint. Returns `false` if the remote has changed since the fetch.
    pub(super) async fn push(
        &self,
        names: &Names,
        kept: Option<&str>,
        (note, newest): (&str, &Checkpoint),
    ) -> Result<bool, Error> {
        let Names { latest, directory } = names;
        let blob = self.clone.make("hash-object", &["-w", "--stdin"], note.as_bytes()).await?;
        let blob = format!("100644 blob {blob}");
        let mut top = self.list(&["-z"], &[]).await?;
        top.retain(|entry| entry.name != *latest && (kept.is_none() || entry.name != *directory));
        let mut lines = lines(&top) + &line(&blob, latest);
        if let Some(kept) = kept {
            let inside = format!("{directory}/");
            let mut all = self.list(&["-z"], &[&inside]).await?;
            for entry in &mut all {
                entry.name = entry.name.strip_prefix(&inside).unwrap_or(&entry.name).to_owned();
            }
            let name = kept.strip_prefix(&inside).unwrap_or(kept);
            let all = self::lines(&all) + &line(&blob, name);
            let tree = self.clone.make("mktree", &["-z", "--missing"], all.as_bytes()).await?;
            lines += &line(&format!("040000 tree {tree}"), directory);
        }
        let tree = self.clone.make("mktree", &["-z", "--missing"], lines.as_bytes()).await?;
        let message = format!("Checkpoint over {} entries", newest.size);
        let commit = self.commit(&tree, &message, Some(&newest.time)).await?;
        self.send(&commit).await
    }

    async fn commit(&self, tree: &str, message: &str, time: Option<&str>) -> Result<String, Error> {
        let mut arguments = vec![tree, "-m", message];
        if let Some(tip) = &self.tip {
            arguments.extend(["-p", tip]);
        }
        let mut command = self.clone.command("commit-tree", &arguments);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), AUTHOR.0).env(format!("GIT_{who}_EMAIL"), AUTHOR.1);
            if let Some(time) = time {
                command.env(format!("GIT_{who}_DATE"), time);
            }
        }
        let (good, out, said) = self.clone.run("commit-tree", &mut command, b"").await?;
        if good { Ok(out.trim_end().to_owned()) } else { Err(self.clone.failed("commit-tree", &said)) }
    }

    async fn send(&self, commit: &str) -> Result<bool, Error> {
        let to = format!("{commit}:refs/heads/{}", self.branch);
        let mut command = self.clone.command("push", &["--porcelain", "--no-verify", "origin", &to]);
        let (good, out, said) = self.clone.run("push", &mut command, b"").await?;
        if !good && out.lines().any(|line| line.starts_with('!') && line.contains("[rejected]")) {
            tracing::info!(
                mirror = self.clone.address,
                "the mirror was changed by another push; fetching again"
            );
            return Ok(false);
        }
        if good { Ok(true) } else { Err(self.clone.failed("push", &format!("{out}{said}"))) }
    }

    async fn list(&self, options: &[&str], names: &[&str]) -> Result<Vec<Entry>, Error> {
        let Some(tip) = &self.tip else { return Ok(vec![]) };
        let arguments = [options, &["--full-tree", tip.as_str(), "--"], names].concat();
        let listed = self.clone.ask("ls-tree", &arguments).await?;
        Ok(listed.split('\0').filter_map(entry).collect())
    }
}

/// Reads `<mode> <type> <id>[ <size>]<tab><name>`.
fn entry(line: &str) -> Option<Entry> {
    let (object, name) = line.split_once('\t')?;
    let mut words = object.split_ascii_whitespace();
    let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
    let bytes = words.next().and_then(|bytes| bytes.parse().ok());
    Some(Entry { object: format!("{mode} {kind} {id}"), id: id.to_owned(), bytes, name: name.to_owned() })
}

fn line(object: &str, name: &str) -> String {
    format!("{object}\t{name}\0")
}

fn lines(entries: &[Entry]) -> String {
    entries.iter().map(|entry| line(&entry.object, &entry.name)).collect()
}
