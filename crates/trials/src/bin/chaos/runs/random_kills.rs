//! Kills the parts of a deployment at random times, one or two at a time, and starts them again.

use std::time::Duration;

use anyhow::Context as _;
use testkit::{Deployment, Dice, Postgres, Worker};
use tokio::time::Instant;
use uuid::Uuid;

/// How long everything runs between two faults, and how long a killed part stays down: the minimum, and the range added
/// to it, in milliseconds.
const LIFE: (u64, usize) = (600, 1_800);
const AWAY: (u64, usize) = (200, 900);

/// A part that can be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Victim {
    // Parts that others need in order to start come first.
    Postgres,
    Engine,
    Gateway,
    Worker(usize),
}

impl Victim {
    const ALL: [Self; 5] = [Self::Postgres, Self::Engine, Self::Gateway, Self::Worker(0), Self::Worker(1)];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Engine => "engine",
            Self::Gateway => "gateway",
            Self::Worker(_) => "worker",
        }
    }
}

/// One fault: the parts that were killed, and when all of them were back.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) victims: Vec<Victim>,
    /// The invocations that were executing just before.
    pub(crate) executing: Vec<Uuid>,
    pub(crate) back: Instant,
}

pub(crate) struct Parts<'a> {
    pub(crate) postgres: &'a mut Postgres,
    pub(crate) deployment: &'a mut Deployment,
    pub(crate) workers: &'a mut [Worker; 2],
    pub(crate) dice: Dice,
    /// The parts still to be killed in this round: none is picked a second time before all others were.
    pub(crate) round: Vec<Victim>,
}

impl Parts<'_> {
    fn some(&mut self, (least, more): (u64, usize)) -> Duration {
        Duration::from_millis(least + self.dice.below(more) as u64)
    }

    /// Waits a while, kills one or two parts, waits a while, and restarts them.
    pub(crate) async fn strike(&mut self) -> anyhow::Result<Fault> {
        let life = self.some(LIFE);
        tokio::time::sleep(life).await;
        if self.round.is_empty() {
            self.round.extend(Victim::ALL);
        }
        let next = self.dice.below(self.round.len());
        let mut victims = vec![self.round.swap_remove(next)];
        if self.dice.below(4) == 0 {
            victims.push(self.dice.one(&Victim::ALL));
        }
        victims.sort_unstable();
        victims.dedup();
        self.kill(victims, false).await
    }

    /// Kills the engine and deletes all its data.
    pub(crate) async fn wipe(&mut self) -> anyhow::Result<Fault> {
        self.kill(vec![Victim::Engine], true).await
    }

    async fn kill(&mut self, victims: Vec<Victim>, wipe: bool) -> anyhow::Result<Fault> {
        let mut sql = self.deployment.sql().await?;
        let executing = sqlx::query_scalar("SELECT id FROM invocations WHERE status = 'executing'")
            .fetch_all(&mut sql)
            .await?;
        for victim in &victims {
            match *victim {
                Victim::Postgres => self.postgres.kill()?,
                Victim::Engine => self.engine()?.kill()?,
                Victim::Gateway => self.deployment.kill().map(drop)?,
                Victim::Worker(which) => self.workers[which].program.kill().map(drop)?,
            }
        }
        if wipe {
            self.engine()?.wipe()?;
        }
        let away = self.some(AWAY);
        tokio::time::sleep(away).await;
        for victim in &victims {
            match *victim {
                Victim::Postgres => self.postgres.launch().await?,
                Victim::Engine => self.engine()?.launch().await?,
                Victim::Gateway => self.deployment.launch(&[]).await?,
                Victim::Worker(which) => self.workers[which].launch(&[]).await?,
            }
        }
        Ok(Fault { victims, executing, back: Instant::now() })
    }

    fn engine(&mut self) -> anyhow::Result<&mut testkit::Engine> {
        self.deployment.engine.as_mut().context("there is an engine")
    }
}
