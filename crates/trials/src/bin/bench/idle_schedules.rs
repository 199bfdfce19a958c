//! The cost of schedules that are not due: a timer on the engine and a row each. Measured as the processor time of the
//! engine and of the worker and as commits of PostgreSQL over some seconds, without such schedules and with very many.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::StreamExt as _;
use model::TriggerId;
use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};
use testkit::{Deployment, Finding, Options, Size};
use uuid::Uuid;

/// The most that all of them together may cost, as a fraction of one core.
const BAR: f64 = 0.05;
const CLIENTS: usize = 32;

/// Inserts automations that fire once a year, as if each had been saved, and returns the ids of their triggers. The one
/// that is really saved is the template.
async fn plant(deployment: &Deployment, count: usize) -> anyhow::Result<Vec<TriggerId>> {
    let definition = json!({
        "schema_version": "1.0", "name": "Once a year",
        "triggers": [{ "type": "schedule", "config": { "cron": "0 0 1 1 *", "timezone": "UTC" } }],
        "plan": [{ "step_id": "a", "action": "data.transform", "config": { "template": "x", "data": {} } }],
    });
    deployment.as_owner(Method::POST, "/v1/automations", json!({ "definition": definition })).await?;
    // With the service role, because row-level security applies to the owner of the tables as well.
    let mut conn = deployment.sql().await?;
    let plant = format!(
        "CREATE TEMP TABLE planted AS
            SELECT gen_random_uuid() AS aut, gen_random_uuid() AS trg, n FROM generate_series(1, {count}) n;
         INSERT INTO automations SELECT a.org_id, p.aut, a.space_id, a.name || p.n, a.status, a.version, a.runs,
                a.created_by, a.created_at, a.updated_at FROM planted p, automations a WHERE a.name = 'Once a year';
         INSERT INTO automation_versions SELECT v.org_id, p.aut, v.version, v.definition, v.saved_by, v.saved_at
            FROM planted p, automation_versions v;
         INSERT INTO triggers (org_id, id, automation_id, ordinal, type, config, enabled, next_at, created_at)
            SELECT t.org_id, p.trg, p.aut, t.ordinal, t.type, t.config, t.enabled, t.next_at, t.created_at
            FROM planted p, triggers t"
    );
    conn.execute(AssertSqlSafe(plant)).await?;
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT trg FROM planted").fetch_all(&mut conn).await?;
    Ok(ids.into_iter().map(TriggerId::from_uuid).collect())
}

/// Sets the timer of each trigger, as saving it would have.
async fn arm(deployment: &Deployment, triggers: &[TriggerId]) -> anyhow::Result<()> {
    let ingress = &deployment.engine.as_ref().context("an engine")?.ingress_url;
    let next_at: String = sqlx::query_scalar(
        "SELECT to_char(next_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM triggers LIMIT 1",
    )
    .fetch_one(&mut deployment.sql().await?)
    .await?;
    let sent = |trigger: &TriggerId| {
        let order = json!({ "org": deployment.org, "trigger": trigger, "at": next_at });
        let request = deployment.client.post(format!("{ingress}/Timer/{trigger}/arm/send")).json(&order);
        async move {
            let answer = request.send().await?;
            anyhow::ensure!(answer.status().is_success(), "the engine answered {}", answer.status());
            Ok(())
        }
    };
    let mut all = futures::stream::iter(triggers).map(sent).buffer_unordered(CLIENTS);
    while let Some(done) = all.next().await {
        done?;
    }
    Ok(())
}

/// How many timers the engine holds.
async fn armed(deployment: &Deployment) -> anyhow::Result<usize> {
    let engine = deployment.engine.as_ref().context("an engine")?;
    let sql = "SELECT count(1) AS n FROM sys_invocation WHERE target_service_name = 'Timer' AND status = 'scheduled'";
    let rows = engine.query(sql).await?;
    Ok(usize::try_from(rows.first().and_then(|row| row["n"].as_u64()).unwrap_or(0))?)
}

/// Processor time that these processes have used, in seconds.
fn used(pids: &[u32]) -> f64 {
    let ticks: u64 = pids
        .iter()
        .filter_map(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // After the name in parentheses: fields 14 and 15 of the whole line are user and system time, in hundredths
            // of a second.
            let (_, rest) = stat.rsplit_once(')')?;
            let fields: Vec<&str> = rest.split_whitespace().collect();
            Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
        })
        .sum();
    ticks as f64 / 100.0
}

/// The processor use of idle processes as a fraction of a core, and the commits per second.
async fn idle(deployment: &Deployment, pids: &[u32], during: Duration) -> anyhow::Result<(f64, f64)> {
    let commits = async || -> anyhow::Result<i64> {
        let sql = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
        Ok(sqlx::query_scalar(sql).fetch_one(&mut deployment.db.owner().await?).await?)
    };
    let (before, commits_before, start) = (used(pids), commits().await?, Instant::now());
    tokio::time::sleep(during).await;
    let seconds = start.elapsed().as_secs_f64();
    let commits = commits().await? - commits_before;
    Ok(((used(pids) - before) / seconds, commits as f64 / seconds))
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let env = vec![("RUST_LOG".to_owned(), "warn,countersign::worker=info".to_owned())];
    let deployment = Deployment::start(Options { env, engine: Some(vec![]), ..Options::default() }).await?;
    let mut worker = deployment.worker()?;
    worker.launch(&[]).await?;
    let (count, during) = (size.pick(2_000, 100_000), Duration::from_secs(u64::try_from(size.pick(5, 10))?));
    let engine = deployment.engine.as_ref().and_then(testkit::Engine::pid).context("the engine's id")?;
    let pids = [engine, worker.program.pid().context("the worker's id")?];
    let (none, none_commits) = idle(&deployment, &pids, during).await?;
    let triggers = plant(&deployment, count).await?;
    let start = Instant::now();
    arm(&deployment, &triggers).await?;
    let set_in = start.elapsed();
    while armed(&deployment).await? < count {
        anyhow::ensure!(start.elapsed() < Duration::from_secs(600), "the engine did not take all timers");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    tokio::time::sleep(during).await;
    let (many, many_commits) = idle(&deployment, &pids, during).await?;
    Ok(Finding {
        bar: "idle".to_owned(),
        figure: many - none,
        unit: format!("of a core, engine and worker, for {count} schedules that do not come"),
        pass: many - none <= BAR,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("of a core with none".to_owned(), json!(none)),
            ("of a core with all".to_owned(), json!(many)),
            ("commits a second with none".to_owned(), json!(none_commits)),
            ("commits a second with all".to_owned(), json!(many_commits)),
            ("timers set a second".to_owned(), json!((count as f64 / set_in.as_secs_f64()).round())),
        ],
    })
}
