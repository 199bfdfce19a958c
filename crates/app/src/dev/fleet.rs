//! The processes that `countersign dev` started: watched while they run, and stopped only by their process ids.
//!
//! Each process leads its own process group, so Ctrl-C in the terminal reaches only this program, and this program
//! decides the order of stopping: first the gateway and the worker, which let work in progress finish, then the servers
//! that they use.

use std::{
    fs::{self, File, OpenOptions},
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::process::{Child, Command};

use super::{note, place::Place};

/// The order of stopping. The processes of one line are stopped at the same time.
const WAVES: [&[&str]; 2] = [&["gateway", "worker"], &["fakes", "restate", "redis", "postgres"]];
/// Longer than the time that the gateway and the worker give work in progress.
const PATIENCE: Duration = Duration::from_secs(65);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A started process.
struct Member {
    name: &'static str,
    child: Child,
    pid: Pid,
}

/// All started processes.
pub(crate) struct Fleet {
    logs: PathBuf,
    run: PathBuf,
    members: Vec<Member>,
}

impl Fleet {
    pub(crate) fn new(place: &Place) -> Self {
        Self { logs: place.at("logs"), run: place.at("run"), members: Vec::new() }
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.logs.join(format!("{name}.log"))
    }

    /// The names and process ids.
    pub(crate) fn pids(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.members.iter().map(|member| (member.name, member.pid.as_raw_nonzero().get()))
    }

    /// Starts a process that writes its output to its own log. The log of the previous run is kept next to it.
    pub(crate) fn start(&mut self, name: &'static str, command: &mut Command) -> anyhow::Result<()> {
        let log = self.fresh_log(name)?;
        let again = log.try_clone().context("opening a log")?;
        command.stdin(Stdio::null()).stdout(again).stderr(log).process_group(0);
        let child = command.spawn().with_context(|| format!("starting {name}"))?;
        let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.with_context(|| format!("{name} ended at once"))?;
        self.members.push(Member { name, child, pid });
        let born = born(pid).unwrap_or_default();
        fs::write(self.run.join(name), format!("{} {born}\n", pid.as_raw_nonzero()))
            .context("writing down a process id")
    }

    fn fresh_log(&self, name: &str) -> anyhow::Result<File> {
        let path = self.log(name);
        let _ = fs::rename(&path, path.with_extension("log.old"));
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
        opened.with_context(|| format!("opening {}", path.display()))
    }

    /// Waits until a process is ready. Fails if it ends or takes longer than `patience`.
    pub(crate) async fn ready(
        &mut self,
        name: &'static str,
        patience: Duration,
        is_ready: impl AsyncFn() -> bool,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            if is_ready().await {
                return Ok(());
            }
            let log = self.log(name);
            if let Some(status) = self.members.iter_mut().find(|one| one.name == name).and_then(Member::ended)
            {
                bail!("{name} ended at its start ({status}); {} ends with:\n{}", log.display(), tail(&log));
            }
            if begun.elapsed() > patience {
                let waited = patience.as_secs();
                bail!("{name} was not ready in {waited} s; {} ends with:\n{}", log.display(), tail(&log));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Resolves when a process has ended by itself; the error names it.
    pub(crate) async fn one_ended(&mut self) -> anyhow::Error {
        loop {
            for member in &mut self.members {
                if let Some(status) = member.ended() {
                    let log = self.logs.join(format!("{}.log", member.name));
                    let (name, tail) = (member.name, tail(&log));
                    return anyhow::anyhow!("{name} ended ({status}); {} ends with:\n{tail}", log.display());
                }
            }
            tokio::time::sleep(4 * LOOK_AGAIN).await;
        }
    }

    /// Stops all processes, and kills those that have not ended within `PATIENCE`.
    pub(crate) async fn stop(&mut self) {
        for wave in WAVES {
            let begun = Instant::now();
            let of_wave = |member: &&mut Member| wave.contains(&member.name);
            for member in self.members.iter_mut().filter(of_wave) {
                // If the process has ended meanwhile, its id may belong to another process.
                if member.ended().is_none() {
                    let _ = kill_process(member.pid, polite(member.name));
                }
            }
            for member in self.members.iter_mut().filter(of_wave) {
                let left = PATIENCE.saturating_sub(begun.elapsed());
                if tokio::time::timeout(left, member.child.wait()).await.is_err() {
                    note(format!("{} does not end; killing it", member.name));
                    member.kill().await;
                }
                let _ = fs::remove_file(self.run.join(member.name));
                note(format!("{:<10} stopped ({:.1} s)", member.name, begun.elapsed().as_secs_f32()));
            }
        }
        self.members.clear();
    }

    /// Kills all processes immediately.
    pub(crate) async fn kill(&mut self) {
        for member in &mut self.members {
            member.kill().await;
            let _ = fs::remove_file(self.run.join(member.name));
        }
        self.members.clear();
    }

    /// Stops the processes that an earlier `dev` in this folder left behind when it was killed itself.
    pub(crate) async fn stop_leftovers(&self) -> anyhow::Result<()> {
        for name in WAVES.iter().flat_map(|wave| wave.iter()) {
            let path = self.run.join(name);
            if let Some(pid) = fs::read_to_string(&path).ok().as_deref().and_then(leftover) {
                note(format!(
                    "{name:<10} is left from an earlier run (process {}); stopping it",
                    pid.as_raw_nonzero()
                ));
                let was = born(pid);
                let _ = kill_process(pid, polite(name));
                let begun = Instant::now();
                while born(pid).is_some() && born(pid) == was {
                    if begun.elapsed() > PATIENCE {
                        bail!("process {} does not end; type: kill -9 {0}", pid.as_raw_nonzero());
                    }
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
            }
            let _ = fs::remove_file(path);
        }
        Ok(())
    }
}

impl Member {
    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    async fn kill(&mut self) {
        if self.ended().is_none() {
            // PostgreSQL's child processes notice by themselves that their parent is gone.
            let _ = kill_process_group(self.pid, Signal::KILL);
            let _ = self.child.wait().await;
        }
    }
}

/// For PostgreSQL, SIGTERM means to wait until every client has disconnected, and SIGINT to end their connections.
fn polite(name: &str) -> Signal {
    if name == "postgres" { Signal::INT } else { Signal::TERM }
}

/// The recorded process, if it is still the same one: process ids are reused, so the start time is compared as well.
fn leftover(text: &str) -> Option<Pid> {
    let (pid, time) = text.trim().split_once(' ')?;
    let pid = Pid::from_raw(pid.parse().ok()?)?;
    (born(pid)? == time).then_some(pid)
}

/// The start time of a process, in clock ticks since the machine booted; `None` if it has ended or is a zombie.
fn born(pid: Pid) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The process name is in parentheses and may contain anything, so fields are counted after it: the state is the
    // first.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    fields.nth(18).filter(|_| state != "Z").map(str::to_owned)
}

fn tail(log: &std::path::Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().rev().take(8).collect();
    lines.iter().rev().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_id_and_its_birth() {
        let own = Pid::from_raw(i32::try_from(std::process::id()).unwrap()).unwrap();
        let birth = born(own).unwrap();
        assert_eq!(leftover(&format!("{} {birth}\n", own.as_raw_nonzero())), Some(own));
        assert_eq!(leftover(&format!("{} 1\n", own.as_raw_nonzero())), None, "another process has this id");
        assert_eq!(leftover("nonsense"), None);
    }
}
