//! A process that a trial starts, kills and starts again: the product's own program, or a server.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, bail};
use local_servers::Server;

/// How long a program may take until it is ready: a busy machine starts several at once.
const READY: Duration = Duration::from_secs(120);

/// Environment of a process; the last setting of a name wins.
pub(crate) type Settings = Vec<(String, String)>;

/// A command, the path of its log, and the process while it runs. The process is killed with this value.
#[derive(Debug)]
pub struct Program {
    /// Boxed, because trials hold many programs at once and a future holds them all.
    command: Box<Command>,
    log: PathBuf,
    /// Whether standard output goes to the log as well.
    logs_output: bool,
    child: Option<Child>,
}

impl Program {
    /// A program of ours, not started. Its standard output is discarded; its log is what it writes to standard error.
    pub(crate) fn new(binary: &Path, arguments: &[&str], env: Settings, log: PathBuf) -> Self {
        let mut command = Command::new(binary);
        command.args(arguments).env_clear().envs(env).env("PATH", "/usr/bin:/bin");
        Self { command: Box::new(command), log, logs_output: false, child: None }
    }

    /// A server, not started. Everything it prints is in its log.
    pub(crate) fn server(server: &impl Server, log: PathBuf) -> anyhow::Result<Self> {
        Ok(Self { command: Box::new(server.command()?), log, logs_output: true, child: None })
    }

    /// Starts it without waiting for anything, after killing a process that still runs. `more` settings hold for this
    /// start only.
    pub fn spawn(&mut self, more: &[(&str, &str)]) -> anyhow::Result<()> {
        self.kill()?;
        let log = File::options().create(true).append(true).open(&self.log)?;
        let output = if self.logs_output { log.try_clone()?.into() } else { Stdio::null() };
        let before: Vec<Option<OsString>> = more.iter().map(|(name, _)| self.setting(name)).collect();
        let spawned = self.command.envs(more.iter().copied()).stdout(output).stderr(log).spawn();
        for ((name, _), before) in more.iter().zip(before) {
            match before {
                Some(value) => self.command.env(name, value),
                None => self.command.env_remove(name),
            };
        }
        self.child = Some(spawned.with_context(|| format!("starting {}; was it built?", self.name()))?);
        Ok(())
    }

    fn setting(&self, name: &str) -> Option<OsString> {
        let mut settings = self.command.get_envs().filter(|(known, _)| *known == name);
        settings.find_map(|(_, value)| value).map(ToOwned::to_owned)
    }

    fn name(&self) -> std::path::Display<'_> {
        Path::new(self.command.get_program()).display()
    }

    /// Waits until a server is ready.
    pub(crate) async fn wait_ready(
        &mut self,
        server: &(impl Server + Clone + 'static),
    ) -> anyhow::Result<()> {
        self.wait_until(async || is_ready(server).await).await
    }

    /// Waits until a condition holds, while the process lives.
    pub(crate) async fn wait_until(&mut self, holds: impl AsyncFn() -> bool) -> anyhow::Result<()> {
        let begun = tokio::time::Instant::now();
        while begun.elapsed() < READY {
            if self.has_died()? {
                bail!("{} died at its start: {}", self.name(), self.end_of_log());
            }
            if holds().await {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        bail!("{} was not ready in time: {}", self.name(), self.end_of_log())
    }

    /// Whether the process has ended, or never ran.
    pub fn has_died(&mut self) -> anyhow::Result<bool> {
        match &mut self.child {
            None => Ok(true),
            Some(child) => Ok(child.try_wait()?.is_some()),
        }
    }

    /// `kill -9`, and waits until it has ended; returns its exit status if it ran.
    pub fn kill(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let Some(mut child) = self.child.take() else { return Ok(None) };
        child.kill()?;
        Ok(Some(child.wait()?))
    }

    /// Waits until it has ended by itself and returns its exit status; `None` if it has not within that time.
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

    /// The end of its log, for error messages: the log may be deleted before anybody reads it.
    fn end_of_log(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// How often its log contains a text.
    pub fn count_in_log(&self, text: &str) -> usize {
        std::fs::read_to_string(&self.log).map_or(0, |log| log.matches(text).count())
    }
}

/// Whether a server accepts work.
pub(crate) async fn is_ready(server: &(impl Server + Clone + 'static)) -> bool {
    let server = server.clone();
    tokio::task::spawn_blocking(move || server.is_ready()).await.unwrap_or(false)
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Ports for tests of `countersign dev`, which needs several in a row. No other test uses them.
pub const ROWS: Range<u16> = 20_000..26_000;

/// A port that is free.
///
/// Below the range of outgoing connections: otherwise one of them could take the port while a killed server is being
/// started again. Above [`ROWS`]. Never given twice, because its server may not listen yet, or be dead at the moment.
/// This holds across processes, because trials and tests run at the same time: a port is locked by a file until the
/// process that took it ends.
pub fn free_port() -> anyhow::Result<u16> {
    static GIVEN: Mutex<BTreeMap<u16, File>> = Mutex::new(BTreeMap::new());
    const PORTS: Range<u16> = ROWS.end..32_000;
    let locks = std::env::temp_dir().join("countersign-test-ports");
    std::fs::create_dir_all(&locks)?;
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..1_000 {
        let mut bytes = [0; 2];
        platform::Dice::system().fill(&mut bytes);
        let port = PORTS.start + u16::from_be_bytes(bytes) % (PORTS.end - PORTS.start);
        if given.contains_key(&port) {
            continue;
        }
        let lock = File::options().create(true).append(true).open(locks.join(port.to_string()))?;
        if lock.try_lock().is_ok() && std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            given.insert(port, lock);
            return Ok(port);
        }
    }
    bail!("no port of {PORTS:?} is free")
}
