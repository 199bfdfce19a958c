//! The first process of the sandbox: it has no program of its own, becomes the user of the program, starts it and waits
//! until nothing is left to wait for.
//!
//! When it ends, the kernel ends every process of its namespace. It ends with the launcher, by a signal that it asked
//! for; a program could take such a request back, and a program that starts as somebody else loses it.

use std::{
    fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::process::CommandExt as _,
    },
    process::Command,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, WaitOptions, WaitStatus, set_parent_process_death_signal, setsid, wait},
};

use crate::{
    launcher::owned,
    policy::{Layer, Policy},
    root,
    walls::Walls,
};

/// What the launcher and the first process have between them.
pub(crate) struct Lines {
    /// Ends when the launcher does.
    pub(crate) alive: OwnedFd,
    /// Why the program was not started; nothing if it was.
    pub(crate) why: OwnedFd,
}

/// What the first process does after the fork, and its exit code.
pub(crate) fn run(policy: &Policy, command: Command, walls: Walls, lines: Lines) -> i32 {
    let program = match start(policy, command, walls, &lines) {
        Ok(program) => program,
        Err(error) => {
            let _ = rustix::io::write(&lines.why, error.as_bytes());
            return 1;
        }
    };
    drop(lines.why);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((ended, status))) if ended == program => return code(&status),
            // Somebody else's orphan.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return 1,
        }
    }
}

fn start(policy: &Policy, mut command: Command, walls: Walls, lines: &Lines) -> Result<Pid, String> {
    let text = |error: io::Error| error.to_string();
    let _ = setsid();
    if policy.has(Layer::Namespaces) {
        root::enter().map_err(|error| format!("new root: {error}"))?;
    }
    walls.become_its_user()?;
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
        .map_err(|error| text(error.into()))?;
    // Only now: becoming another user would take it back.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| text(error.into()))?;
    // The launcher may have ended before that.
    if is_closed(&lines.alive) {
        return Err("the gateway is gone".to_owned());
    }
    let why = lines.why.try_clone().map_err(text)?;
    let child = spawn(&mut command, walls, why).map_err(|error| not_started(policy, &error))?;
    let null = fs::OpenOptions::new().read(true).write(true).open("/dev/null").map_err(text)?;
    let_go_of_streams(&null)?;
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(|| "it has no number".to_owned())
}

#[expect(unsafe_code, reason = "the program gives up its rights between fork and exec")]
fn spawn(command: &mut Command, walls: Walls, why: OwnedFd) -> io::Result<std::process::Child> {
    // SAFETY: this process has one thread, so that its child may do whatever a process may do.
    unsafe {
        command.pre_exec(move || {
            let _ = setsid();
            // Of an error, only its number would come back from here.
            walls.raise().map_err(|error| {
                let _ = rustix::io::write(&why, format!("{error}\n").as_bytes());
                io::Error::from(io::ErrorKind::Other)
            })
        });
    }
    command.spawn()
}

fn not_started(policy: &Policy, error: &io::Error) -> String {
    let program = policy.command.first().map(String::as_str).unwrap_or_default();
    match error.kind() {
        io::ErrorKind::NotFound => format!("the program {program} or its interpreter is not in the sandbox"),
        io::ErrorKind::PermissionDenied => format!(
            "the program {program} cannot be run by another user: everybody must be allowed to read and run it"
        ),
        _ => error.to_string(),
    }
}

/// The pipes of the program are the program's alone, so that their other ends see when it closes them.
pub(crate) fn let_go_of_streams(null: &fs::File) -> Result<(), String> {
    for stream in 0..=2 {
        let mut stream = std::mem::ManuallyDrop::new(owned(stream));
        rustix::io::dup2(null.as_fd(), &mut stream).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn is_closed(alive: &OwnedFd) -> bool {
    let mut watched = [PollFd::new(alive, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// The exit code for a status, as shells count.
fn code(status: &WaitStatus) -> i32 {
    let signal = || status.terminating_signal().map(|signal| 128 + signal);
    status.exit_status().or_else(signal).unwrap_or(1)
}
