//! Starting the shared servers, all at the same time, and stopping them.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, TcpListener},
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use local_servers::{ROLES, Server};

use crate::{
    running, say,
    settings::{Name, Settings},
};

/// How long a server may take until it is ready, on a slow disk and with everything else starting beside it.
const READY: Duration = Duration::from_secs(120);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// After a kill, PostgreSQL's orphaned processes hold its shared memory for a moment, and a start is refused.
const STARTS: usize = 10;

/// Passwords for the roles, and a right that only tests need: they drop databases while connections are open.
const FOR_TESTS: &str = "ALTER ROLE countersign_owner PASSWORD 'owner';\n\
                         ALTER ROLE countersign_service PASSWORD 'service';\n\
                         GRANT pg_signal_backend TO countersign_owner;\n";

/// Starts what is not running, and waits until all of it is ready.
pub(crate) fn start(settings: &Settings, names: &[Name]) -> anyhow::Result<()> {
    at_once(names, |name| {
        let begun = Instant::now();
        start_one(settings, name).with_context(|| name.text())?;
        let seconds = begun.elapsed().as_secs_f32();
        say(&format!("{} is up at {} ({seconds:.1} s)", name.text(), settings.address(name)));
        Ok(())
    })
}

/// Stops what is running.
pub(crate) fn stop(settings: &Settings, names: &[Name]) -> anyhow::Result<()> {
    at_once(names, |name| running::stop(settings, name))
}

/// Does something for each server at the same time. Each one runs to its end; all errors are told.
fn at_once(names: &[Name], work: impl Fn(Name) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    let results: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = names.iter().map(|name| scope.spawn(move || work(*name))).collect();
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|result| result.unwrap_or_else(|_| bail!("a thread panicked"))).collect()
    });
    let errors: Vec<String> =
        results.iter().filter_map(|r| r.as_ref().err()).map(|e| format!("{e:#}")).collect();
    ensure!(errors.is_empty(), errors.join("\nservices: "));
    Ok(())
}

fn start_one(settings: &Settings, name: Name) -> anyhow::Result<()> {
    let server = settings.server(name)?;
    match running::pid(settings, name) {
        Some(pid) => {
            if name == Name::Postgres && settings.durable {
                let command = running::command_line(pid).unwrap_or_default();
                ensure!(
                    !command.contains("fsync=off"),
                    "already running with fsync off; type: scripts/services down postgres, or set \
                     COUNTERSIGN_PG_DURABLE=off"
                );
            }
            wait(settings, name, server.as_ref(), None)?;
        }
        None => {
            running::wait_for_end(settings, name);
            for port in server.ports() {
                let free = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
                ensure!(free, "port {port} is already in use; stop the other process or choose another port");
            }
            server.prepare()?;
            let child = spawn(settings, name)?;
            wait(settings, name, server.as_ref(), Some(child))?;
        }
    }
    if name == Name::Postgres {
        settings.postgres()?.run_script(&format!("{ROLES}\n{FOR_TESTS}"))?;
    }
    Ok(())
}

/// Waits until a server is ready. One that this process started is started again when it ended.
fn wait(
    settings: &Settings,
    name: Name,
    server: &dyn Server,
    mut child: Option<Child>,
) -> anyhow::Result<()> {
    let log = settings.log(name);
    let (begun, mut starts) = (Instant::now(), 1);
    while begun.elapsed() < READY {
        if let Some(ended) = child.as_mut().map(Child::try_wait).transpose()?.flatten() {
            if name != Name::Postgres || starts >= STARTS {
                bail!("ended at its start ({ended}); see {}", log.display());
            }
            thread::sleep(Duration::from_millis(500));
            starts += 1;
            child = Some(spawn(settings, name)?);
        }
        if server.is_ready() {
            return Ok(());
        }
        thread::sleep(LOOK_AGAIN);
    }
    bail!("not ready after {} s; see {}", READY.as_secs(), log.display())
}

/// Becomes a server, in a session of its own, so that neither Ctrl-C nor the end of the terminal reaches it. Returns only
/// when that failed.
pub(crate) fn become_server(settings: &Settings, names: &[Name]) -> anyhow::Error {
    let [name] = names else { return anyhow::anyhow!("`run` takes one service") };
    let command = rustix::process::setsid()
        .context("starting a session")
        .and_then(|_| settings.server(*name))
        .and_then(|server| server.command());
    match command {
        Ok(mut command) => anyhow::Error::new(command.exec()).context(format!("starting {}", name.text())),
        Err(error) => error,
    }
}

/// Starts a server that outlives this process.
fn spawn(settings: &Settings, name: Name) -> anyhow::Result<Child> {
    let log = settings.log(name);
    let opening = || format!("opening {}", log.display());
    let output = File::options().create(true).append(true).open(&log).with_context(opening)?;
    let errors = output.try_clone().with_context(opening)?;
    let mut command = Command::new(std::env::current_exe().context("finding this program")?);
    command.args(["run", name.text()]).args((!settings.durable).then_some("--fast"));
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let child = command.spawn().context("starting it")?;
    if name != Name::Postgres {
        let file = settings.pid_file(name);
        fs::write(&file, format!("{}\n", child.id()))
            .with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(child)
}
