//! A PostgreSQL server of one's own: to be killed and restarted. The shared one is never touched.

use std::{
    fs::File,
    io::Write as _,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};

use crate::{Servers, db::random, program::free_port};

const ROLES: &str = include_str!("../../../deploy/roles.sql");
const SETTINGS: &[&str] = &[
    "listen_addresses=127.0.0.1",
    "max_connections=200",
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    // It listens on its port alone; the directory for sockets may not be writable for it.
    "unix_socket_directories=",
];

/// A running server. It is killed, and its data goes, with this value.
pub struct Postgres {
    binaries: PathBuf,
    directory: PathBuf,
    port: u16,
    /// Whom it runs as, where we are root, whom it refuses.
    runs_as: Option<(u32, u32)>,
    child: Option<Child>,
}

impl Postgres {
    /// Makes a cluster with the roles of the product, and starts it.
    pub async fn start() -> anyhow::Result<Self> {
        let binaries = binaries()?;
        let directory = PathBuf::from("/var/tmp").join(format!("countersign-pg-{}", random()));
        std::fs::create_dir_all(&directory)?;
        let runs_as =
            if id(&["-u"])? == 0 { Some((id(&["-u", "postgres"])?, id(&["-g", "postgres"])?)) } else { None };
        if let Some((user, group)) = runs_as {
            chown(&directory, Some(user), Some(group))?;
        }
        let mut server = Self { binaries, directory, port: free_port()?, runs_as, child: None };
        let data = server.data();
        let made = server
            .command("initdb")
            .args(["-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "-D"])
            .arg(&data)
            .output()?;
        anyhow::ensure!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        server.launch().await?;
        server.psql(ROLES)?;
        Ok(server)
    }

    /// Where it is, with the Redis and the engine of the environment.
    pub fn servers(&self) -> Servers {
        Servers::find().with_postgres(self.port)
    }

    /// Starts it again over its data, and waits until it takes connections.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        for _ in 0..600 {
            if self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                // After a kill the orphaned backends hold shared memory for a moment, and a start is refused.
                self.spawn()?;
            }
            if self.is_ready()? {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("PostgreSQL did not start; see {}", self.directory.display())
    }

    /// `kill -9` of the server and of all its processes, as the end of its machine would be: one that is just committing
    /// does not get to say so. Left to themselves its backends would finish what they are at first.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            let pid = child.id();
            let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
            child.kill()?;
            let children = children.unwrap_or_default();
            let pids: Vec<&str> = children.split_whitespace().collect();
            if !pids.is_empty() {
                // Some may have ended by themselves meanwhile.
                Command::new("kill").arg("-KILL").args(pids).stderr(Stdio::null()).status()?;
            }
            child.wait()?;
        }
        Ok(())
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.binaries.join(name));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8").current_dir("/");
        if let Some((user, group)) = self.runs_as {
            command.uid(user).gid(group);
        }
        command
    }

    fn spawn(&mut self) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(self.directory.join("postgres.log"))?;
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).args(["-p", &self.port.to_string()]);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().context("starting PostgreSQL")?);
        Ok(())
    }

    fn is_ready(&self) -> anyhow::Result<bool> {
        let port = self.port.to_string();
        let asked = self.command("pg_isready").args(["-q", "-h", "127.0.0.1", "-p", &port]).status()?;
        Ok(asked.success())
    }

    fn psql(&self, script: &str) -> anyhow::Result<()> {
        let port = self.port.to_string();
        let mut child = self
            .command("psql")
            .args([
                "-X",
                "-q",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                "127.0.0.1",
                "-U",
                "postgres",
                "-d",
                "postgres",
                "-p",
            ])
            .arg(port)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()?;
        child.stdin.take().context("psql has no standard input")?.write_all(script.as_bytes())?;
        anyhow::ensure!(child.wait()?.success(), "making the roles failed");
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Where the newest installed version is.
fn binaries() -> anyhow::Result<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").context("PostgreSQL is not installed")?;
    let mut versions: Vec<(u32, PathBuf)> = versions
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, path): &(u32, PathBuf)| is_whole(path))
        .collect();
    versions.sort();
    versions.pop().map(|(_, path)| path).context("no PostgreSQL server in /usr/lib/postgresql")
}

fn is_whole(path: &Path) -> bool {
    ["postgres", "initdb", "psql", "pg_isready"].iter().all(|name| path.join(name).exists())
}

fn id(arguments: &[&str]) -> anyhow::Result<u32> {
    let output = Command::new("id").args(arguments).output()?;
    anyhow::ensure!(output.status.success(), "`id {}` failed", arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
