//! Redis, for data that can be rebuilt. A call that takes longer than a second counts as "Redis is unavailable".

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

use crate::{
    Clock,
    counter::Counter,
    limits::redis::{CALL_TIMEOUT, MOST_KEYS, REST_MS},
};

const MEANWHILE: &str = "each process counts rate limits alone, and events are read from the database";

/// The address is invalid, or the server is unavailable.
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
    /// What this process counted itself, for times when Redis is unavailable.
    counted: Arc<Counter<String>>,
    clock: Clock,
    resting_until_ms: Arc<AtomicI64>,
    failed_ms: Arc<AtomicI64>,
}

impl Redis {
    /// Creates a client. It connects at first use, so this succeeds while Redis is unavailable. Must be called within
    /// a Tokio runtime.
    pub fn open(url: &str, clock: Clock) -> Result<Self, Error> {
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(CALL_TIMEOUT))
            .set_connection_timeout(Some(Duration::from_millis(500)))
            .set_number_of_retries(1)
            .set_max_delay(Duration::from_millis(500));
        let manager =
            Client::open(url).and_then(|client| client.get_connection_manager_lazy(config)).map_err(Error)?;
        // One round trip, and the keys always expire, even if this process dies between the two commands.
        let count = Script::new(
            "local all = {} for i, key in ipairs(KEYS) do local n = redis.call('INCR', key) \
             if n == 1 then redis.call('PEXPIRE', key, ARGV[1]) end all[i] = n \
             if n > tonumber(ARGV[i + 1]) then break end end return all",
        );
        Ok(Self {
            manager,
            count: Arc::new(count),
            counted: Arc::new(Counter::new(clock.clone(), MOST_KEYS)),
            clock,
            resting_until_ms: Arc::new(AtomicI64::new(0)),
            failed_ms: Arc::new(AtomicI64::new(i64::MIN)),
        })
    }

    /// Increments counters that expire, in one message, and returns their values. The first that is above its limit is the
    /// last that is incremented. While Redis is unavailable these are the counts of this process alone.
    pub async fn count(&self, keys: &[(String, u64)], ends_after: Duration) -> Vec<u64> {
        // Counted here in any case, so that a limit does not begin anew when Redis is lost in the middle of a period.
        let mut counted = Vec::with_capacity(keys.len());
        for (key, most) in keys {
            let count = self.counted.count(key.clone(), ends_after);
            counted.push(count);
            if count > *most {
                break;
            }
        }
        let mut call = self.count.prepare_invoke();
        for (key, _) in keys {
            call.key(key);
        }
        call.arg(u64::try_from(ends_after.as_millis()).unwrap_or(u64::MAX));
        for (_, most) in keys {
            call.arg(*most);
        }
        match self.ask(async |manager| call.invoke_async::<Vec<u64>>(manager).await).await {
            // Redis may have missed some, or have been emptied. Without a failure its counts alone are exact: requests that
            // come at once are counted in another order here than there.
            Some(counts) if self.failed_within(ends_after) => {
                counts.into_iter().zip(counted).map(|(count, counted)| count.max(counted)).collect()
            }
            Some(counts) if !counts.is_empty() || keys.is_empty() => counts,
            _ => {
                metrics::counter!("countersign_counted_by_process_total").increment(1);
                counted
            }
        }
    }

    fn failed_within(&self, period: Duration) -> bool {
        let since_ms =
            self.clock.now().as_millisecond().saturating_sub(self.failed_ms.load(Ordering::Relaxed));
        u128::try_from(since_ms).is_ok_and(|since_ms| since_ms < period.as_millis())
    }

    /// Remembers the highest of the numbers that were given for a key, and returns the one from before. `None` if Redis is
    /// unavailable.
    pub async fn remember_most(&self, key: &str, number: u64) -> Option<u64> {
        let script = Script::new(
            "local n = tonumber(redis.call('GET', KEYS[1]) or '0') \
             if tonumber(ARGV[1]) > n then redis.call('SET', KEYS[1], ARGV[1]) end return n",
        );
        let mut call = script.key(key);
        call.arg(number);
        self.ask(async |manager| call.invoke_async::<u64>(manager).await).await
    }

    /// Runs a command. `None` if Redis is unavailable, failed within the last second, or takes longer than a second.
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
                self.failed_ms.store(self.clock.now().as_millisecond(), Ordering::Relaxed);
                match failed {
                    Ok(Err(error)) => tracing::warn!(%error, "Redis is unavailable; {MEANWHILE}"),
                    _ => tracing::warn!("Redis is slow; {MEANWHILE}"),
                }
                None
            }
        }
    }

    /// Whether Redis has just failed and calls are paused.
    pub fn is_resting(&self) -> bool {
        self.clock.now().as_millisecond() < self.resting_until_ms.load(Ordering::Relaxed)
    }

    /// Whether the pause is over and this caller is the one that checks Redis.
    fn may_find_out(&self, until: i64) -> bool {
        let over = self.clock.now().as_millisecond() >= until;
        let resting = &self.resting_until_ms;
        over && resting.compare_exchange(until, self.rest(), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The end of a pause that begins now.
    fn rest(&self) -> i64 {
        self.clock.now().as_millisecond() + REST_MS
    }

    /// Whether Redis is available.
    pub async fn ping(&self) -> bool {
        let mut manager = self.manager.clone();
        let ping = async move { redis::cmd("PING").query_async::<String>(&mut manager).await };
        matches!(tokio::time::timeout(Duration::from_millis(500), ping).await, Ok(Ok(_)))
    }
}
