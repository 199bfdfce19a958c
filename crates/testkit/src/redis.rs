//! A Redis server that a trial kills, starts again and empties. The shared one is never touched.

use std::time::Duration;

use anyhow::Context as _;
use local_servers::{Authentication, Redis, Server as _, programs};

use crate::{
    db::random,
    program::{Program, free_port},
};

/// A running server that keeps nothing on disk. It is killed with this value.
#[derive(Debug)]
pub struct RedisServer {
    server: Redis,
    program: Program,
    /// Its address.
    pub url: String,
}

impl RedisServer {
    /// Starts one on a free port.
    pub async fn start() -> anyhow::Result<Self> {
        let server = Redis {
            program: programs::redis()
                .context("Redis is not installed; `scripts/services up redis` installs it")?,
            folder: std::env::temp_dir().join(format!("countersign-redis-{}", random())),
            port: free_port()?,
            authentication: Authentication::Trust,
        };
        let program = Program::server(&server, server.folder.join("redis.log"))?;
        let mut redis = Self { url: server.url(), server, program };
        redis.server.prepare()?;
        redis.launch().await?;
        Ok(redis)
    }

    /// Starts it again, with nothing in it, and waits until it answers.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        self.program.spawn(&[])?;
        self.program.wait_ready(&self.server).await
    }

    /// `kill -9`.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.program.kill().map(drop)
    }

    /// Deletes every key.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let mut conn = connect_redis(&self.url).await?;
        Ok(redis::cmd("FLUSHALL").query_async::<()>(&mut conn).await?)
    }

    /// How many commands it has performed, those inside scripts included.
    pub async fn commands(&self) -> anyhow::Result<u64> {
        let mut conn = connect_redis(&self.url).await?;
        let stats: String = redis::cmd("INFO").arg("commandstats").query_async(&mut conn).await?;
        // `cmdstat_get:calls=3,usec=…`. Commands that open a connection, including this one, are not work.
        let calls = |line: &str| {
            let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
            let connecting = ["info", "hello", "auth", "ping"].contains(&name) || name.starts_with("client|");
            let calls: u64 = rest.split(',').next()?.parse().ok()?;
            (!connecting).then_some(calls)
        };
        Ok(stats.lines().filter_map(calls).sum())
    }

    /// The number of keys in it.
    pub async fn keys(&self) -> anyhow::Result<i64> {
        let mut conn = connect_redis(&self.url).await?;
        Ok(redis::cmd("DBSIZE").query_async(&mut conn).await?)
    }
}

/// A connection with long timeouts, because the machine may be busy.
pub async fn connect_redis(url: &str) -> anyhow::Result<redis::aio::MultiplexedConnection> {
    let patient = redis::AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(30)))
        .set_response_timeout(Some(Duration::from_secs(30)));
    Ok(redis::Client::open(url)?.get_multiplexed_async_connection_with_config(&patient).await?)
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = std::fs::remove_dir_all(&self.server.folder);
    }
}
