//! Counts what a piece of work costs: messages to PostgreSQL, commits, Redis commands, orders to the engine.
//!
//! Times in microseconds are not stable on a shared machine, but these counts are the same on every machine.

use std::{ops::Sub, time::Duration};

use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{
    RedisServer, Relay, Servers,
    fakes::{Answer, Seen, Service, Stage},
};

/// How long nothing must happen before work counts as finished. Longer than the pauses within the work.
const QUIET: Duration = Duration::from_millis(150);
/// How long to wait for such a pause. A running process has a heartbeat only once a second, so a pause comes soon.
const PATIENCE: Duration = Duration::from_secs(60);

/// The cost of a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Messages that PostgreSQL answers. Each is a round trip.
    pub messages: u64,
    /// Transactions that were committed, those of single statements included.
    pub commits: u64,
    /// Redis commands, those inside scripts included.
    pub redis: u64,
    /// Orders to the engine.
    pub engine: u64,
}

impl Counts {
    /// Whether none of them is larger than in `most`.
    pub fn is_within(&self, most: &Self) -> bool {
        self.messages <= most.messages
            && self.commits <= most.commits
            && self.redis <= most.redis
            && self.engine <= most.engine
    }

    /// The row of a table in docs/results/speed.md.
    pub fn row(&self, work: &str) -> String {
        let Self { messages, commits, redis, engine } = self;
        format!("| {work} | {messages} | {commits} | {redis} | {engine} |")
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            messages: self.messages - before.messages,
            commits: self.commits - before.commits,
            redis: self.redis - before.redis,
            engine: self.engine - before.engine,
        }
    }
}

/// Servers that count: a relay in front of PostgreSQL, its own Redis, and an engine that accepts orders and keeps them.
pub struct Counters {
    relay: Relay,
    redis: RedisServer,
    engine: Stage<AcceptingEngine>,
    /// Their addresses.
    pub servers: Servers,
}

impl Counters {
    pub async fn start() -> anyhow::Result<Self> {
        let mut servers = Servers::find();
        let relay = Relay::start(&servers.service_url("postgres")).await?;
        let (redis, engine) = (RedisServer::start().await?, Stage::start(AcceptingEngine, 0).await?);
        servers = servers.behind(&relay)?;
        servers.redis_url.clone_from(&redis.url);
        servers.ingress_url = engine.url();
        Ok(Self { relay, redis, engine, servers })
    }

    /// Everything counted since the start.
    pub async fn now(&self) -> anyhow::Result<Counts> {
        let passed = self.relay.passed();
        let engine = u64::try_from(self.engine.requests().len())?;
        let redis = self.redis.commands().await?;
        Ok(Counts { messages: passed.messages, commits: passed.commits, redis, engine })
    }

    /// Performs work and returns its result and its cost, including everything that follows from it.
    pub async fn of<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<(T, Counts)> {
        let before = self.quiet().await?;
        let done = work.await?;
        Ok((done, self.quiet().await? - before))
    }

    /// Waits until nothing has happened for a moment; returns the counts then.
    pub async fn quiet(&self) -> anyhow::Result<Counts> {
        let until = Instant::now() + PATIENCE;
        let mut last = self.now().await?;
        while Instant::now() < until {
            sleep(QUIET).await;
            let now = self.now().await?;
            if now == last {
                return Ok(now);
            }
            last = now;
        }
        anyhow::bail!("there was no pause within {PATIENCE:?}")
    }
}

/// An engine that accepts every order and performs none.
struct AcceptingEngine;

impl Service for AcceptingEngine {
    fn answer(&mut self, seen: &Seen) -> Answer {
        Answer::new(202, json!({ "invocationId": format!("inv_{}", seen.path), "status": "Accepted" }))
    }
}
