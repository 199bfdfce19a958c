//! Agents: who acts here, by name, and what they did lately.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{SignedDuration, Timestamp};
use model::{OrgId, Status, UserId};
use pipeline::read::{self, AgentCount};
use platform::period::Period;
use tenancy::{AgentSessions, Session};

use crate::{error::Error, parts::Oversight};

/// A session lasts at most this long, so every agent with an open one is found.
const SEEN: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The time whose invocations are counted.
const COUNTED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Invocations of the last seven days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calls {
    pub calls: i64,
    pub succeeded: i64,
    /// Failed, reverted or unknown.
    pub failed: i64,
    pub denied: i64,
    /// How many needed approval, and how many of them wait for it now.
    pub asked: i64,
    pub waiting: i64,
}

impl Calls {
    const fn add(&mut self, found: &AgentCount) {
        self.calls += found.calls;
        if found.asked {
            self.asked += found.calls;
        }
        match found.status {
            Status::Succeeded => self.succeeded += found.calls,
            Status::Failed | Status::Reverted | Status::Unknown => self.failed += found.calls,
            Status::Denied | Status::Quarantined => self.denied += found.calls,
            Status::Pending => self.waiting += found.calls,
            _ => {}
        }
    }
}

/// An agent, known by the name its sessions were opened with.
#[derive(Debug, Clone)]
pub struct Agent {
    pub agent: String,
    pub open_sessions: i64,
    /// When it last asked for something, or when its last session was opened.
    pub last_seen: Timestamp,
    pub calls: Calls,
    pub sources: BTreeMap<String, Calls>,
}

/// An agent with its open sessions.
#[derive(Debug, Clone)]
pub struct AgentDetail {
    pub agent: Agent,
    pub sessions: Vec<Session>,
    /// What its open sessions may use at most.
    pub capabilities: BTreeSet<String>,
    /// The names of the people who opened them.
    pub names: HashMap<UserId, String>,
}

impl Oversight {
    /// The agents that were seen in the last 30 days, the last one first.
    pub async fn agents(&self, org: OrgId) -> Result<Vec<Agent>, Error> {
        let (since, period) = self.lately();
        let mut tx = self.parts.db.begin(org).await?;
        let known = self.parts.tenancy.agents(&mut tx, org, since).await?;
        let counts = match period {
            Some(period) => read::count_by_agent(&mut tx, org, None, period).await?,
            None => vec![],
        };
        let mut agents: Vec<Agent> = known.into_iter().map(|known| agent(known, &counts)).collect();
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.last_seen));
        Ok(agents)
    }

    /// One agent.
    pub async fn agent(&self, org: OrgId, name: &str) -> Result<AgentDetail, Error> {
        let (since, period) = self.lately();
        let mut tx = self.parts.db.begin(org).await?;
        let known = self.parts.tenancy.agents(&mut tx, org, since).await?;
        let known = known.into_iter().find(|known| known.agent == name).ok_or(Error::NotFound("agent"))?;
        let counts = match period {
            Some(period) => read::count_by_agent(&mut tx, org, Some(name), period).await?,
            None => vec![],
        };
        let sessions = self.parts.tenancy.open_sessions(&mut tx, org, name, since).await?;
        let names = self.names(&mut tx, org, sessions.iter().map(|session| session.created_by)).await?;
        let capabilities = sessions.iter().flat_map(|session| session.capabilities.clone()).collect();
        Ok(AgentDetail { agent: agent(known, &counts), sessions, capabilities, names })
    }

    fn lately(&self) -> (Timestamp, Option<Period>) {
        let now = self.parts.world.clock.now();
        // What was asked for in this very moment counts as well.
        (now - SEEN, Period::new(now - COUNTED, now + SignedDuration::from_secs(1)))
    }
}

fn agent(known: AgentSessions, counts: &[AgentCount]) -> Agent {
    let mut agent = Agent {
        agent: known.agent,
        open_sessions: known.open,
        last_seen: known.last_opened,
        calls: Calls::default(),
        sources: BTreeMap::new(),
    };
    for found in counts.iter().filter(|found| found.agent == agent.agent) {
        agent.last_seen = agent.last_seen.max(found.last);
        agent.calls.add(found);
        agent.sources.entry(found.source.clone()).or_default().add(found);
    }
    agent
}
