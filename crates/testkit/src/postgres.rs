//! A PostgreSQL server that a trial kills and starts again. The shared one is never touched.

use std::{
    os::unix::fs::MetadataExt as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use local_servers::{Authentication, ROLES, Server as _, programs};

use crate::{
    Servers,
    db::{connect, random},
    program::{Program, free_port, is_ready},
};

/// A running server. It is killed, and its data is deleted, with this value.
pub struct Postgres {
    server: local_servers::Postgres,
    program: Program,
}

impl Postgres {
    /// Creates a cluster with the roles of the product, and starts it.
    pub async fn start() -> anyhow::Result<Self> {
        let server = local_servers::Postgres {
            program: programs::postgres(None)
                .context("PostgreSQL is not installed; `scripts/services up postgres` installs it")?,
            folder: Path::new("/var/tmp").join(format!("countersign-pg-{}", random())),
            port: free_port()?,
            authentication: Authentication::Trust,
            durable: true,
        };
        let program = Program::server(&server, server.folder.join("postgres.log"))?;
        let mut postgres = Self { server, program };
        postgres.server.prepare()?;
        postgres.launch().await?;
        postgres.server.run_script(ROLES)?;
        Ok(postgres)
    }

    /// Its address, with the Redis and the engine of the environment.
    pub fn servers(&self) -> Servers {
        Servers::find().with_postgres(self.server.port)
    }

    /// Starts it again over its data, and waits until it takes connections.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        for _ in 0..600 {
            if self.program.has_died()? {
                // After a kill, orphaned processes hold its shared memory for a moment, and a start is refused.
                self.program.spawn(&[])?;
            }
            if is_ready(&self.server).await {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("PostgreSQL did not start; see {}", self.program.log().display())
    }

    /// Copies its data while it runs, as a backup program does: between the two calls that mark a backup, and with the
    /// log that was written meanwhile.
    pub async fn back_up(&self) -> anyhow::Result<()> {
        let (data, backup) = (self.server.data(), self.server.folder.join("backup"));
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.server.port);
        let mut sql = connect(&url).await?;
        sqlx::query("SELECT pg_backup_start('trial', true)").execute(&mut sql).await?;
        copy(&data, &backup)?;
        let label: String =
            sqlx::query_scalar("SELECT labelfile FROM pg_backup_stop()").fetch_one(&mut sql).await?;
        copy(&data.join("pg_wal"), &backup.join("pg_wal"))?;
        // The server of the backup is another process.
        let _ = std::fs::remove_file(backup.join("postmaster.pid"));
        self.write(&backup.join("backup_label"), &label)
    }

    /// Kills it and starts it over the backup; with a new timeline, as after a restore by the book, or with the old one,
    /// as when somebody copied a disk back.
    pub async fn restore(&mut self, new_timeline: bool) -> anyhow::Result<()> {
        self.kill()?;
        let (data, backup) = (self.server.data(), self.server.folder.join("backup"));
        std::fs::remove_dir_all(&data)?;
        copy(&backup, &data)?;
        if new_timeline {
            self.write(&data.join("recovery.signal"), "")?;
            self.write(&data.join("postgresql.auto.conf"), "restore_command = 'false'\n")?;
        }
        self.launch().await
    }

    /// Writes a file that belongs to whoever the data belongs to.
    fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        std::fs::write(path, text)?;
        let owner = std::fs::metadata(&self.server.folder)?;
        Ok(std::os::unix::fs::chown(path, Some(owner.uid()), Some(owner.gid()))?)
    }

    /// `kill -9` of the server and of all its processes, like a crash of its machine: a process that is just committing
    /// cannot report it. Left to themselves, the processes would first finish their work.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        let Some(pid) = self.program.pid() else { return Ok(()) };
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        self.program.kill()?;
        let children = children.unwrap_or_default();
        let pids: Vec<&str> = children.split_whitespace().collect();
        if !pids.is_empty() {
            // Some may have ended by themselves meanwhile.
            Command::new("kill").arg("-KILL").args(pids).stderr(Stdio::null()).status()?;
        }
        Ok(())
    }
}

/// Copies a folder with its owners, into a new one or over an existing one. A file that vanishes meanwhile is left out.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let source = from.join(".");
    // While the server runs it deletes files, and `cp` then complains; the log of the server makes up for them.
    Command::new("cp").arg("-a").arg(source).arg(to).stderr(Stdio::null()).status()?;
    anyhow::ensure!(to.is_dir(), "copying {} failed", from.display());
    Ok(())
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.server.folder);
    }
}
