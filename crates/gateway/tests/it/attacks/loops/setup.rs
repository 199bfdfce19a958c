//! Setup for the tests of loops: automations that start each other, and a loop that processes every event and advances
//! every run until nothing is left.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};
use events::Stretch;
use model::{EventId, RunId};
use serde_json::{Value, json};
use testkit::{Answered, TestApp, fakes::FakeLinear};
use uuid::Uuid;

use crate::{
    automations::definitions::{advance, definition, save, show, start, text},
    invocations::invoke::with_linear,
};

/// The maximum number of hops of a chain.
pub(crate) const HOPS: i64 = 8;
/// The maximum number of runs a minute that an automation leads to itself.
pub(crate) const A_MINUTE: i64 = 20;
/// How many rounds an unstopped loop is followed.
pub(crate) const ENOUGH: i64 = 50;

/// An app whose events are all processed.
pub(crate) struct Scene {
    pub(crate) app: TestApp,
    pub(crate) linear: FakeLinear,
    seen: Vec<Uuid>,
}

/// A saved automation, with the path and the token of its webhook trigger.
pub(crate) struct Saved {
    pub(crate) view: Value,
    path: String,
    token: String,
}

/// The results of the fires of an automation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) ran: i64,
    /// Of these, the runs that the automation led to itself.
    pub(crate) own: i64,
    pub(crate) refused: i64,
    pub(crate) deepest: i64,
}

pub(crate) fn on(event_type: &str, filter: &Value) -> Value {
    json!({ "type": "event", "config": { "event_type": event_type, "filter": filter } })
}

/// A step that notifies people, which publishes an event.
pub(crate) fn tell(step: usize, title: &str) -> Value {
    json!({ "step_id": format!("tell_{step}"), "action": "data.notify", "config": { "title": title } })
}

impl Scene {
    pub(crate) async fn new() -> anyhow::Result<Self> {
        let (app, linear) = with_linear().await?;
        app.rule("linear.*", "allow").await?;
        app.rule("data.notify", "allow").await?;
        Ok(Self { app, linear, seen: vec![] })
    }

    /// The same with the guard off: events carry no origin, and runs leave no traces.
    pub(crate) async fn without_guard() -> anyhow::Result<Self> {
        let scene = Self::new().await?;
        let forget = "CREATE FUNCTION forget_origin() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.depth := 0; NEW.origin_chain := '{}'; RETURN NEW; END $$;
            CREATE FUNCTION forget_trace() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER forget BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION forget_origin();
            CREATE TRIGGER forget BEFORE INSERT ON run_traces FOR EACH ROW EXECUTE FUNCTION forget_trace();";
        sqlx::raw_sql(forget).execute(&mut scene.app.db.owner().await?).await?;
        Ok(scene)
    }

    pub(crate) async fn save(&self, name: &str, trigger: &Value, plan: &Value) -> anyhow::Result<Saved> {
        let mut wanted = definition(name, plan);
        wanted["triggers"] = json!([trigger]);
        wanted["execution"] = json!({ "concurrency": "allow_parallel" });
        if trigger["config"]["input_mapping"].is_object() {
            let issue = json!({ "issue": { "type": "string" } });
            wanted["inputs"] = json!({ "schema": { "type": "object", "properties": issue } });
        }
        let view = save(&self.app, &wanted).await?;
        let made = &view["new_tokens"][0];
        Ok(Saved { path: text(&made["path"]), token: text(&made["token"]), view })
    }

    pub(crate) async fn start(&self, automation: &Saved) -> anyhow::Result<RunId> {
        start(&self.app, &automation.view, json!({})).await
    }

    /// Processes events and advances runs, until nothing happens any more or there are more than `most` runs; returns
    /// the number of runs.
    pub(crate) async fn settle(&mut self, most: i64) -> anyhow::Result<i64> {
        loop {
            let news = self.see_to_news().await?;
            let pending = self.pending().await?;
            let runs = self.runs().await?;
            if (news == 0 && pending.is_empty()) || runs > most {
                return Ok(runs);
            }
            for run in pending {
                advance(&self.app, run).await?;
            }
        }
    }

    pub(crate) async fn see_to_news(&mut self) -> anyhow::Result<usize> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let all: Vec<Uuid> =
            sqlx::query_scalar("SELECT id FROM events ORDER BY id").fetch_all(&mut *tx).await?;
        drop(tx);
        let news: Vec<Uuid> = all.iter().filter(|id| !self.seen.contains(id)).copied().collect();
        let events = news.iter().copied().map(EventId::from_uuid).collect();
        self.app.app.automations.see_to(Stretch { org: self.app.org, events }).await?;
        self.seen = all;
        Ok(news.len())
    }

    async fn pending(&self) -> anyhow::Result<Vec<RunId>> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let found: Vec<Uuid> =
            sqlx::query_scalar("SELECT id FROM runs WHERE status = 'pending' ORDER BY id LIMIT 100")
                .fetch_all(&mut *tx)
                .await?;
        Ok(found.into_iter().map(RunId::from_uuid).collect())
    }

    async fn runs(&self) -> anyhow::Result<i64> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let began = "SELECT count(*) FROM runs WHERE session_id IS NOT NULL";
        Ok(sqlx::query_scalar(began).fetch_one(&mut *tx).await?)
    }

    /// Counts the fires of an automation. A fire that did not run must be recorded as a loop, and must have published
    /// no event.
    pub(crate) async fn tally(&self, automation: &Saved) -> anyhow::Result<Tally> {
        let id = text(&automation.view["id"]);
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let rows: Vec<(Uuid, String, Option<String>, i16, bool)> = sqlx::query_as(
            "SELECT id, status, error->>'class', depth, $2 = ANY(origin_chain) OR echo_of IS NOT NULL
                FROM runs WHERE automation_id = $1",
        )
        .bind(id.parse::<model::AutomationId>()?.uuid())
        .bind(&id)
        .fetch_all(&mut *tx)
        .await?;
        let mut tally = Tally { ran: 0, own: 0, refused: 0, deepest: 0 };
        let mut refused = Vec::new();
        for (run, status, class, depth, is_own) in rows {
            match (status.as_str(), class.as_deref()) {
                ("succeeded", None) => {
                    tally.ran += 1;
                    tally.own += i64::from(is_own);
                    tally.deepest = tally.deepest.max(depth.into());
                }
                ("cancelled", Some("loop")) => refused.push(RunId::from_uuid(run).to_string()),
                other => anyhow::bail!("a run ended as {other:?}"),
            }
        }
        tally.refused = i64::try_from(refused.len())?;
        let told: i64 = sqlx::query_scalar("SELECT count(*) FROM events WHERE subject = ANY($1)")
            .bind(refused)
            .fetch_one(&mut *tx)
            .await?;
        anyhow::ensure!(told == 0, "{told} events report refused fires");
        Ok(tally)
    }

    /// Sends a request to the webhook trigger of an automation.
    pub(crate) async fn knock(&self, automation: &Saved, payload: &Value) -> anyhow::Result<Answered> {
        let request = Request::post(&automation.path)
            .header("authorization", format!("Bearer {}", automation.token))
            .header("content-type", "application/json")
            .body(Body::from(payload.to_string()))?;
        let taken = self.app.request(request).await?;
        anyhow::ensure!(taken.status == StatusCode::ACCEPTED, "knocking: {}", taken.text);
        Ok(taken)
    }

    /// Publishes events as an application.
    pub(crate) async fn publish(&self, events: &Value) -> anyhow::Result<Answered> {
        self.app.send(Method::POST, "/v1/events", &self.app.owner_token, Some(events.clone())).await
    }

    /// The issue that a run created or changed, as Linear returns it.
    pub(crate) async fn issue(&self, run: RunId) -> anyhow::Result<Value> {
        let step = text(&show(&self.app, run).await?["steps"][0]["invocation"]);
        let path = format!("/v1/invocations/{step}");
        let done = self.app.send(Method::GET, &path, &self.app.owner_token, None).await?;
        let id = text(&done.body["result"]["id"]);
        self.linear.issue(&id).ok_or_else(|| anyhow::anyhow!("no issue: {}", done.text))
    }

    /// The run of the newest fire of an automation, unless that fire was refused.
    pub(crate) async fn newest(&self, automation: &Saved) -> anyhow::Result<Option<RunId>> {
        let id: model::AutomationId = text(&automation.view["id"]).parse()?;
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let found: Option<(Uuid, Option<Uuid>)> = sqlx::query_as(
            "SELECT id, session_id FROM runs WHERE automation_id = $1 ORDER BY number DESC LIMIT 1",
        )
        .bind(id.uuid())
        .fetch_optional(&mut *tx)
        .await?;
        Ok(found.filter(|(_, session)| session.is_some()).map(|(run, _)| RunId::from_uuid(run)))
    }

    /// The event that reports the success of a run.
    pub(crate) async fn told(&self, run: RunId) -> anyhow::Result<EventId> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let found: Uuid = sqlx::query_scalar(
            "SELECT id FROM events WHERE subject = $1 AND type = 'automation.run.succeeded'",
        )
        .bind(run.to_string())
        .fetch_one(&mut *tx)
        .await?;
        Ok(EventId::from_uuid(found))
    }
}
