//! A PostgreSQL server that a trial kills and starts again. The shared one is never touched.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use local_servers::{Authentication, ROLES, Server as _, programs};

use crate::{
    Servers,
    db::random,
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

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.server.folder);
    }
}
