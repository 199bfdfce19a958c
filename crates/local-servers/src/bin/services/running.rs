//! Servers that run already: known by the id in their file and by their command line.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::bail;
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    say,
    settings::{Name, Settings},
};

/// How long a server may take to stop.
const STOP: Duration = Duration::from_secs(20);
const KILL: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The process id of a running server. The file may outlive its process, and the number may belong to another one by
/// then, so a process counts only when its command line names our folder or address.
pub(crate) fn pid(settings: &Settings, name: Name) -> Option<Pid> {
    read(&settings.pid_file(name), &settings.mark(name))
}

fn read(file: &Path, mark: &str) -> Option<Pid> {
    written(file).filter(|pid| command_line(*pid).is_some_and(|line| line.contains(mark)))
}

fn written(file: &Path) -> Option<Pid> {
    let text = fs::read_to_string(file).ok()?;
    Pid::from_raw(text.lines().next()?.trim().parse().ok()?)
}

/// Waits for a server that was just killed. It loses its command line first and its ports last, so it does not count as
/// running any more and still holds what the next one needs.
pub(crate) fn wait_for_end(settings: &Settings, name: Name) {
    if let Some(pid) = written(&settings.pid_file(name))
        && command_line(pid).is_some_and(|line| line.is_empty())
    {
        ends(pid, KILL);
    }
}

/// The command line of a process, with blanks between its words. Empty for a process that is ending.
pub(crate) fn command_line(pid: Pid) -> Option<String> {
    let words = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).ok()?;
    Some(String::from_utf8_lossy(&words).replace('\0', " "))
}

/// Stops a server, and kills it when it does not end.
pub(crate) fn stop(settings: &Settings, name: Name) -> anyhow::Result<()> {
    let Some(pid) = pid(settings, name) else {
        say(&format!("{} is not running", name.text()));
        return Ok(());
    };
    // To PostgreSQL, SIGINT means: end the connections and shut down cleanly.
    let signal = if name == Name::Postgres { Signal::INT } else { Signal::TERM };
    let _ = kill_process(pid, signal);
    if !ends(pid, STOP) {
        say(&format!("{} did not stop within 20 s, killing process {}", name.text(), pid.as_raw_nonzero()));
        let _ = kill_process(pid, Signal::KILL);
        if !ends(pid, KILL) {
            bail!("{}: process {} cannot be killed", name.text(), pid.as_raw_nonzero());
        }
    }
    say(&format!("{} stopped", name.text()));
    Ok(())
}

fn ends(pid: Pid, within: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < within {
        if has_ended(pid) {
            return true;
        }
        thread::sleep(LOOK_AGAIN);
    }
    false
}

/// Whether all threads of a process have ended. Only then are its files and ports closed; the process may remain as a
/// zombie, because nobody may be there to wait for it.
fn has_ended(pid: Pid) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())) else { return true };
    threads.flatten().all(|thread| {
        let Ok(stat) = fs::read_to_string(thread.path().join("stat")) else { return true };
        // The name is in brackets and may contain anything; the state follows.
        stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with(['Z', 'X']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_counts_only_with_its_mark() {
        let file = std::env::temp_dir().join(format!("local-servers-pid-{}", std::process::id()));
        let own = Pid::from_raw(i32::try_from(std::process::id()).unwrap()).unwrap();
        fs::write(&file, format!("{}\nmore\n", own.as_raw_nonzero())).unwrap();
        let program = std::env::args().next().unwrap();
        assert_eq!(read(&file, &program), Some(own));
        assert_eq!(read(&file, "/no/such/folder"), None, "the number belongs to another process");
        fs::write(&file, "nonsense\n").unwrap();
        assert_eq!(read(&file, &program), None);
        fs::remove_file(&file).unwrap();
        assert_eq!(read(&file, &program), None);
    }

    #[test]
    fn a_process_has_ended_when_it_is_a_zombie_or_gone() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        assert!(!has_ended(pid));
        child.kill().unwrap();
        assert!(ends(pid, STOP), "nobody has waited for it");
        child.wait().unwrap();
        assert!(has_ended(pid));
    }
}
