//! Helpers of these tests: a log with its own database, and events to write to it.

use std::time::Duration;

use events::{Entry, Event, Groups, Log, Origin};
use model::{EventId, OrgId};
use platform::{World, db::Database, redis::Redis, shutdown::Shutdown};
use serde_json::json;
use testkit::{TestApp, TestDb};
use uuid::Uuid;

/// A process that reads and writes the log.
pub(crate) struct Process {
    pub(crate) db: Database,
    pub(crate) log: Log,
    pub(crate) groups: Groups,
    pub(crate) shutdown: Shutdown,
}

impl Process {
    pub(crate) fn start(on: &TestDb, redis_url: &str, world: &World) -> anyhow::Result<Self> {
        let db = Database::open(&on.service_url(), 12)?;
        let redis = Redis::open(redis_url, World::system().clock)?;
        let shutdown = Shutdown::default();
        let log = Log::new(db.clone(), redis, world.clone(), shutdown.clone());
        Ok(Self { db, groups: Groups::new(log.clone()), log, shutdown })
    }

    /// Relays in the background, as every process of the product does.
    pub(crate) fn relaying(self) -> Self {
        let log = self.log.clone();
        self.shutdown.spawn(async move { log.relay().await });
        self
    }

    /// Writes events to the log in one transaction.
    pub(crate) async fn tell(&self, world: &World, org: OrgId, names: &[&str]) -> anyhow::Result<()> {
        let events: Vec<Event> = names.iter().map(|name| event(world, name)).collect();
        let mut tx = self.db.begin(org).await?;
        self.log.stage(&mut tx, org, events.iter()).await?;
        Ok(platform::db::commit(tx).await?)
    }

    /// Reads until this many events are available.
    pub(crate) async fn read(&self, org: OrgId, count: usize) -> anyhow::Result<Vec<Entry>> {
        let mut found: Vec<Entry> = Vec::new();
        let mut news = self.log.news(org).await;
        let until = tokio::time::Instant::now() + Duration::from_secs(20);
        while found.len() < count {
            let after = found.last().map_or(0, |entry| entry.position);
            let more = self.log.after(org, after, 100).await?;
            let nothing = more.is_empty();
            found.extend(more);
            anyhow::ensure!(!nothing || news.wait(until).await, "only {} of {count} found", found.len());
        }
        Ok(found)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

pub(crate) fn event(world: &World, name: &str) -> Event {
    Event {
        id: EventId::from_uuid(world.uuid()),
        event_type: "test.happened".into(),
        subject: name.to_owned(),
        space: None,
        session: None,
        data: json!({ "name": name }),
        at: world.clock.now(),
        origin: Origin::default(),
    }
}

pub(crate) fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.event.subject.as_str()).collect()
}

/// The application, for its organization and its database, and another process that relays.
pub(crate) async fn stage() -> anyhow::Result<(TestApp, Process)> {
    let app = TestApp::start().await?;
    forget_founding(&app).await?;
    let process = Process::start(&app.db, &app.db.servers.redis_url, &app.app.world)?.relaying();
    Ok((app, process))
}

/// Another organization, without an event.
pub(crate) async fn another_org(app: &TestApp) -> anyhow::Result<OrgId> {
    let (org, _) = app.another_org().await?;
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE events NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("DELETE FROM events WHERE org_id = $1").bind(org.uuid()).execute(&mut owner).await?;
    Ok(org)
}

/// Deletes the events about the founding of the organization: these tests are about those that they tell.
async fn forget_founding(app: &TestApp) -> anyhow::Result<()> {
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE events NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("DELETE FROM events").execute(&mut owner).await?;
    Ok(())
}

/// The key of an organization's stream.
pub(crate) fn stream_key(org: OrgId) -> String {
    let org: Uuid = org.uuid();
    format!("events:{{{}}}:log", org.simple())
}
