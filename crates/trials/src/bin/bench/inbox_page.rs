//! The inbox: a page of it must not cost more when more items wait.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use testkit::{Deployment, Finding, Size, fakes::FakeLinear};

use crate::{allowed_action::unlimited, load::quantile};

/// How much slower a page may be with many items than with few.
const BAR: f64 = 2.0;
const FEW: i64 = 100;
const MANY: i64 = 10_000;
const TOKEN: &str = "lin_api_test";

/// Measures a page with few items waiting, then with many; the rows are copies of one that the gateway itself wrote.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let linear = FakeLinear::start(TOKEN).await;
    let deployment = unlimited(&[("COUNTERSIGN_LINEAR_URL", &linear.url())]).await?;
    deployment.connect_source("linear", TOKEN).await?;
    let agent = deployment.agent("bench").await?;
    let params = json!({ "team_id": "11111111-1111-4111-8111-111111111111", "title": "Wait" });
    let (status, asked) = deployment.invoke(&agent, "linear.create_issue", &params, None).await?;
    anyhow::ensure!(status == 202, "{asked}");
    let pages = size.pick(200, 2_000);
    copy_until(&deployment, FEW).await?;
    let few = pages_ms(&deployment, pages).await?;
    copy_until(&deployment, MANY).await?;
    let threads_before = threads(&deployment)?;
    let many = pages_ms(&deployment, pages).await?;
    let (few_p50, many_p50) = (quantile(&few, 500), quantile(&many, 500));
    let ratio = many_p50 / few_p50;
    Ok(Finding {
        bar: "inbox".to_owned(),
        figure: ratio,
        unit: "times the p50 of a page, 10 000 waiting against 100".to_owned(),
        pass: ratio <= BAR,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("page p50 with 100, ms".to_owned(), json!(few_p50)),
            ("page p50 with 10 000, ms".to_owned(), json!(many_p50)),
            ("page p99 with 100, ms".to_owned(), json!(quantile(&few, 990))),
            ("page p99 with 10 000, ms".to_owned(), json!(quantile(&many, 990))),
            ("threads of the gateway with 10 000 waiting".to_owned(), json!(threads_before)),
        ],
    })
}

/// Copies the waiting invocation until there are `wanted`, each with its own id.
async fn copy_until(deployment: &Deployment, wanted: i64) -> anyhow::Result<()> {
    let mut sql = deployment.sql().await?;
    sqlx::query(
        "INSERT INTO invocations (
            org_id, id, session_id, space_id, agent, source, action, definition_hash, risk, effect, mode, mode_source,
            decision, status, dry_run, params, params_sealed, shown_digest, requested_at, expires_at
         )
         SELECT t.org_id, (left(t.id::text, 18) || '-' || substr(md5(n::text), 1, 4) || '-' || substr(md5(n::text), 5, 12))::uuid,
                t.session_id, t.space_id, t.agent, t.source, t.action, t.definition_hash, t.risk, t.effect, t.mode,
                t.mode_source, t.decision, t.status, t.dry_run, t.params, t.params_sealed, t.shown_digest, t.requested_at,
                now() + interval '1 day'
         FROM (SELECT * FROM invocations WHERE status = 'pending' ORDER BY id LIMIT 1) t,
              generate_series((SELECT count(*) FROM invocations), $1 - 1) n",
    )
    .bind(wanted)
    .execute(&mut sql)
    .await?;
    let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM invocations WHERE status = 'pending'")
        .fetch_one(&mut sql)
        .await?;
    anyhow::ensure!(waiting == wanted, "{waiting} wait instead of {wanted}");
    sqlx::query("ANALYZE invocations").execute(&mut deployment.db.owner().await?).await?;
    Ok(())
}

/// The latencies of `pages` pages, sorted; after a warm-up.
async fn pages_ms(deployment: &Deployment, pages: usize) -> anyhow::Result<Vec<f64>> {
    let mut taken = Vec::with_capacity(pages);
    for number in 0..pages + 20 {
        let began = Instant::now();
        let (status, page) = deployment.call(Method::GET, "/v1/inbox", &deployment.owner_token, None).await?;
        let length = page["items"].as_array().map_or(0, Vec::len);
        anyhow::ensure!(status == 200 && length == 50, "{status} with {length} items");
        if number >= 20 {
            taken.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken)
}

fn threads(deployment: &Deployment) -> anyhow::Result<usize> {
    let pid = deployment.pid().ok_or_else(|| anyhow::anyhow!("the gateway does not run"))?;
    Ok(std::fs::read_dir(format!("/proc/{pid}/task"))?.count())
}
