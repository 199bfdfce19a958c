//! A process of the binary under trial: to be started, killed and started again.

use std::{
    collections::BTreeSet,
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, bail};

/// How long it may take until it is ready: a busy machine starts several at once.
const READY: Duration = Duration::from_secs(120);

/// Settings of a process, by name; the last one of a name is the one that counts.
pub(crate) type Settings = Vec<(String, String)>;

/// What is started, with which settings, where its log goes, and the process while it runs. It is killed with this value.
#[derive(Debug)]
pub struct Program {
    binary: PathBuf,
    arguments: Vec<String>,
    env: Settings,
    log: PathBuf,
    child: Option<Child>,
}

impl Program {
    /// A program that does not run yet.
    pub(crate) fn new(binary: &Path, arguments: &[&str], env: Settings, log: PathBuf) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self { binary: binary.to_owned(), arguments, env, log, child: None }
    }

    /// Starts it, with more settings for this life only, without waiting for anything. What still runs of it is killed.
    pub fn spawn(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.kill()?;
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.binary);
        command.args(&self.arguments).env_clear().envs(self.env.iter().cloned()).env("PATH", "/usr/bin:/bin");
        command.envs(more.iter().copied()).stdout(Stdio::null()).stderr(log);
        let spawned = command.spawn();
        self.child =
            Some(spawned.with_context(|| format!("starting {}; was it built?", self.binary.display()))?);
        Ok(())
    }

    /// Waits until something is so, while it lives.
    pub(crate) async fn wait_until(&mut self, is_so: impl AsyncFn() -> bool) -> anyhow::Result<()> {
        let begun = tokio::time::Instant::now();
        while begun.elapsed() < READY {
            if self.has_died()? {
                bail!("{} died at its start: {}", self.binary.display(), self.last_words());
            }
            if is_so().await {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        bail!("{} was not ready in time: {}", self.binary.display(), self.last_words())
    }

    /// Whether the process has ended, or never ran.
    pub fn has_died(&mut self) -> anyhow::Result<bool> {
        match &mut self.child {
            None => Ok(true),
            Some(child) => Ok(child.try_wait()?.is_some()),
        }
    }

    /// `kill -9`, and waits until it is gone; says how it ended, if it ran.
    pub fn kill(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let Some(mut child) = self.child.take() else { return Ok(None) };
        child.kill()?;
        Ok(Some(child.wait()?))
    }

    /// Waits until it has ended by itself, and says how; `None` if it has not within that time.
    pub async fn wait_end(&mut self, patience: Duration) -> anyhow::Result<Option<ExitStatus>> {
        let start = tokio::time::Instant::now();
        while start.elapsed() < patience {
            let Some(child) = &mut self.child else { return Ok(None) };
            if let Some(ended) = child.try_wait()? {
                self.child = None;
                return Ok(Some(ended));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(None)
    }

    /// Its process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Where its log is.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// The end of its log, which may be gone by the time somebody reads of it.
    fn last_words(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// How often its log says something.
    pub fn count_in_log(&self, text: &str) -> usize {
        std::fs::read_to_string(&self.log).map_or(0, |log| log.matches(text).count())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Where tests of `countersign dev` take rows of ports. No other test takes any here: a row is bound one after the other.
pub const ROWS: Range<u16> = 20_000..26_000;

/// A port that is free.
///
/// Below the range from which outgoing connections get theirs: otherwise one of them could take the port while what was
/// killed is being started again. Above [`ROWS`]. And never the same one twice: what it was for may not listen yet,
/// or be dead just now.
pub fn free_port() -> anyhow::Result<u16> {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    const PORTS: Range<u16> = ROWS.end..32_000;
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..1_000 {
        let mut bytes = [0; 2];
        platform::Dice::system().fill(&mut bytes);
        let port = PORTS.start + u16::from_be_bytes(bytes) % (PORTS.end - PORTS.start);
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() && given.insert(port) {
            return Ok(port);
        }
    }
    bail!("no port of {PORTS:?} is free")
}
