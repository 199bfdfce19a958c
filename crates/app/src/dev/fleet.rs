//! The processes that `countersign dev` started: watched while they live, stopped by their id, and by nothing else.
//!
//! Each is the first of its own process group, so a Ctrl-C of the terminal reaches this program alone and the order of
//! stopping is ours: first gateway and worker, which let what is under way end, then what they stand on.

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

/// In the order in which they are stopped; those of one line at once.
const WAVES: [&[&str]; 2] = [&["gateway", "worker"], &["fakes", "restate", "redis", "postgres"]];
/// Longer than gateway and worker give what is under way.
const PATIENCE: Duration = Duration::from_secs(65);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// One of them.
struct Member {
    name: &'static str,
    child: Child,
    pid: Pid,
}

/// All of them.
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

    /// Their names and process ids.
    pub(crate) fn pids(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.members.iter().map(|member| (member.name, member.pid.as_raw_nonzero().get()))
    }

    /// Starts one, with its output in a log of its own. The log of the time before is kept beside it.
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

    /// Waits until one of them is ready, and gives up when it ended or the time is over.
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

    /// Resolves when one of them has ended by itself, and says which.
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

    /// Stops all of them, and kills what has not ended after a good while.
    pub(crate) async fn stop(&mut self) {
        for wave in WAVES {
            let begun = Instant::now();
            let of_wave = |member: &&mut Member| wave.contains(&member.name);
            for member in self.members.iter_mut().filter(of_wave) {
                // One that ended meanwhile may have given its id to somebody else.
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

    /// Ends all of them at once.
    pub(crate) async fn kill(&mut self) {
        for member in &mut self.members {
            member.kill().await;
            let _ = fs::remove_file(self.run.join(member.name));
        }
        self.members.clear();
    }

    /// Stops what an earlier `dev` of this folder left behind when it was killed itself.
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
            // PostgreSQL's children notice by themselves that their parent is gone.
            let _ = kill_process_group(self.pid, Signal::KILL);
            let _ = self.child.wait().await;
        }
    }
}

/// To PostgreSQL, SIGTERM means to wait until every client has left, and SIGINT to end their connections.
fn polite(name: &str) -> Signal {
    if name == "postgres" { Signal::INT } else { Signal::TERM }
}

/// The process that is written down, if it still is the same one: ids are given out again, so the time of birth is
/// compared too.
fn leftover(text: &str) -> Option<Pid> {
    let (pid, time) = text.trim().split_once(' ')?;
    let pid = Pid::from_raw(pid.parse().ok()?)?;
    (born(pid)? == time).then_some(pid)
}

/// When a process was born, in ticks since the machine was; none when it is gone or only waits to be buried.
fn born(pid: Pid) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name stands in brackets and may hold anything, so fields are counted after it: state is the first.
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
        assert_eq!(leftover(&format!("{} 1\n", own.as_raw_nonzero())), None, "another one has this id now");
        assert_eq!(leftover("nonsense"), None);
    }
}
