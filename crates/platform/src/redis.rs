//! Redis: only what can be rebuilt. Every call answers within a second or counts as "Redis is away".

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use redis::{
    Client, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use crate::Clock;

/// Redis answers in less than a millisecond, but this process may be slow to hear it: a limit that a flood of requests
/// could open by making us busy would be none.
const CALL_TIMEOUT: Duration = Duration::from_secs(1);
/// After a failure, how long nobody asks again; then one call finds out, and the others wait for its word. So a dead Redis
/// costs one request in a second its time, not every one.
const REST_MS: i64 = 1_000;

/// The address is not one of a Redis server, or it does not answer.
#[derive(Debug, thiserror::Error)]
#[error("opening the Redis client")]
pub struct Error(#[source] redis::RedisError);

/// Asks a server for its version. Valkey answers with the version of Redis it is compatible with.
pub async fn version(url: &str) -> Result<String, Error> {
    let config = redis::AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(3)))
        .set_response_timeout(Some(Duration::from_secs(3)));
    let client = Client::open(url).map_err(Error)?;
    let mut conn = client.get_multiplexed_async_connection_with_config(&config).await.map_err(Error)?;
    let said: String = redis::cmd("INFO").arg("server").query_async(&mut conn).await.map_err(Error)?;
    let version = said.lines().find_map(|line| line.strip_prefix("redis_version:"));
    Ok(version.unwrap_or("unknown").trim().to_owned())
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct Redis {
    manager: ConnectionManager,
    count: Arc<Script>,
    clock: Clock,
    resting_until_ms: Arc<AtomicI64>,
}

impl Redis {
    /// Opens a client; connects when it is first used, so this succeeds while Redis is away. Must be called within
    /// a Tokio runtime.
    pub fn open(url: &str, clock: Clock) -> Result<Self, Error> {
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(CALL_TIMEOUT))
            .set_connection_timeout(Some(Duration::from_millis(500)))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(500));
        let manager =
            Client::open(url).and_then(|client| client.get_connection_manager_lazy(config)).map_err(Error)?;
        // One round trip, and the key always has an end even if this process dies between the two commands.
        let count = Script::new(
            "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end return n",
        );
        Ok(Self { manager, count: Arc::new(count), clock, resting_until_ms: Arc::new(AtomicI64::new(0)) })
    }

    /// Adds one to a counter that ends by itself, and says how far it is. `None` when Redis is away: whoever asks
    /// decides what that means.
    pub async fn count(&self, key: &str, ends_after: Duration) -> Option<u64> {
        let mut call = self.count.key(key);
        call.arg(u64::try_from(ends_after.as_millis()).unwrap_or(u64::MAX));
        self.ask(async |manager| call.invoke_async::<u64>(manager).await).await
    }

    /// Asks Redis anything. `None` when it is away, failed within the last second, or takes longer than one.
    pub async fn ask<T>(
        &self,
        call: impl AsyncFnOnce(&mut ConnectionManager) -> redis::RedisResult<T>,
    ) -> Option<T> {
        let until = self.resting_until_ms.load(Ordering::Relaxed);
        if until != 0 && !self.may_find_out(until) {
            return None;
        }
        let mut manager = self.manager.clone();
        match tokio::time::timeout(CALL_TIMEOUT, call(&mut manager)).await {
            Ok(Ok(answer)) => {
                if until != 0 {
                    self.resting_until_ms.store(0, Ordering::Relaxed);
                }
                Some(answer)
            }
            failed => {
                self.resting_until_ms.store(self.rest(), Ordering::Relaxed);
                match failed {
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "Redis is away; limits are open and events are read from the database meanwhile");
                    }
                    _ => tracing::warn!(
                        "Redis is slow; limits are open and events are read from the database meanwhile"
                    ),
                }
                None
            }
        }
    }

    /// Whether Redis failed a moment ago and nobody asks it for now.
    pub fn is_resting(&self) -> bool {
        self.clock.now().as_millisecond() < self.resting_until_ms.load(Ordering::Relaxed)
    }

    /// Whether the rest is over and this caller is the one to find out whether Redis is back.
    fn may_find_out(&self, until: i64) -> bool {
        let over = self.clock.now().as_millisecond() >= until;
        let resting = &self.resting_until_ms;
        over && resting.compare_exchange(until, self.rest(), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The end of a rest that begins now.
    fn rest(&self) -> i64 {
        self.clock.now().as_millisecond() + REST_MS
    }

    /// Whether Redis answers.
    pub async fn ping(&self) -> bool {
        let mut manager = self.manager.clone();
        let ping = async move { redis::cmd("PING").query_async::<String>(&mut manager).await };
        matches!(tokio::time::timeout(Duration::from_millis(500), ping).await, Ok(Ok(_)))
    }
}
