//! `services`: PostgreSQL, Redis and Restate on loopback, shared by tests, trials and benchmarks. They outlive this program.
//!
//! Called by `scripts/services`, which installs what the verb `missing` names. `settings` come from the environment,
//! a `running` server is known by its process id, `up` starts and stops.

mod running;
mod settings;
mod up;

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::Write as _,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

use settings::{Name, Settings};

const USAGE: &str =
    "usage: scripts/services up|down|status|env|missing [--fast] [postgres] [redis] [restate]";
/// Somebody else may be starting or stopping servers.
const LOCK: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            say(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next().unwrap_or_default();
    let mut settings = Settings::from_environment()?;
    let mut names = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "--fast" if matches!(verb.as_str(), "up" | "missing" | "run") => settings.durable = false,
            name => names.push(Name::parse(name)?),
        }
    }
    if names.is_empty() {
        names = Name::ALL.to_vec();
    }
    match verb.as_str() {
        "up" => {
            let _lock = lock(&settings)?;
            up::start(&settings, &names)?;
        }
        "down" => {
            let _lock = lock(&settings)?;
            up::stop(&settings, &names)?;
        }
        // Not for people: how this program starts a server.
        "run" => return Err(up::become_server(&settings, &names)),
        "status" => return status(&settings, &names),
        "env" => print(&settings.exports())?,
        "missing" => print(&settings.missing(&names))?,
        _ => bail!(USAGE),
    }
    Ok(ExitCode::SUCCESS)
}

/// Two at once would race for the same ports. The kernel releases the lock with this process; servers do not inherit it.
fn lock(settings: &Settings) -> anyhow::Result<File> {
    let path = settings.folder.join("lock");
    let opening = || format!("opening {}", path.display());
    fs::create_dir_all(&settings.folder).with_context(opening)?;
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).open(&path).with_context(opening)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another `scripts/services` has been at work for 5 minutes")
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(opening),
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// A table of the servers. The exit code tells whether all of them are up.
fn status(settings: &Settings, names: &[Name]) -> anyhow::Result<ExitCode> {
    let mut table = format!("{:<10} {:<8} {:<8} {}\n", "service", "state", "pid", "address");
    let mut code = ExitCode::SUCCESS;
    for name in names {
        let pid = running::pid(settings, *name);
        let state = match pid {
            None => "down",
            Some(_) if settings.is_ready(*name) => "up",
            Some(_) => "starting",
        };
        if state != "up" {
            code = ExitCode::FAILURE;
        }
        let pid = pid.map_or_else(|| "-".to_owned(), |pid| pid.as_raw_nonzero().to_string());
        table.push_str(&format!("{:<10} {state:<8} {pid:<8} {}\n", name.text(), settings.address(*name)));
    }
    print(&table)?;
    Ok(code)
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("writing to standard output")
}

/// A line about what happens. A closed pipe must not end this program between two servers.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "services: {text}");
}
