//! A Redis server of one's own: to be killed, restarted and emptied. The shared one is never touched.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;

use crate::{
    db::random,
    program::{Program, Settings, free_port},
};

/// A running server that keeps nothing on disk. It is killed with this value.
#[derive(Debug)]
pub struct RedisServer {
    program: Program,
    directory: PathBuf,
    /// Where it is.
    pub url: String,
}

impl RedisServer {
    /// Starts one on a free port.
    pub async fn start() -> anyhow::Result<Self> {
        let binary = ["/usr/bin/redis-server", "/usr/bin/valkey-server", "/usr/local/bin/redis-server"]
            .into_iter()
            .find(|binary| Path::new(binary).exists())
            .context("no Redis server is installed; `scripts/services up` installs one")?;
        let directory = std::env::temp_dir().join(format!("countersign-redis-{}", random()));
        std::fs::create_dir_all(&directory)?;
        let (port, dir) = (free_port()?.to_string(), directory.display().to_string());
        let arguments =
            ["--bind", "127.0.0.1", "--port", &port, "--save", "", "--appendonly", "no", "--dir", &dir];
        let program =
            Program::new(Path::new(binary), &arguments, Settings::new(), directory.join("redis.log"));
        let mut server = Self { program, directory, url: format!("redis://127.0.0.1:{port}") };
        server.launch().await?;
        Ok(server)
    }

    /// Starts it again, with nothing in it, and waits until it answers.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        self.program.spawn(&[])?;
        let url = self.url.clone();
        let answers = async || platform::redis::version(&url).await.is_ok();
        self.program.wait_until(answers).await
    }

    /// `kill -9`.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.program.kill().map(drop)
    }

    /// Throws away everything in it.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let mut conn = connect_redis(&self.url).await?;
        Ok(redis::cmd("FLUSHALL").query_async::<()>(&mut conn).await?)
    }

    /// How many keys are in it.
    pub async fn keys(&self) -> anyhow::Result<i64> {
        let mut conn = connect_redis(&self.url).await?;
        Ok(redis::cmd("DBSIZE").query_async(&mut conn).await?)
    }
}

/// A connection that is patient with a busy machine.
pub async fn connect_redis(url: &str) -> anyhow::Result<redis::aio::MultiplexedConnection> {
    let patient = redis::AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(30)))
        .set_response_timeout(Some(Duration::from_secs(30)));
    Ok(redis::Client::open(url)?.get_multiplexed_async_connection_with_config(&patient).await?)
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
