//! The overview counts everything that happened once, in its bucket, and nothing of another organization.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    activity::get,
    approvals::answers::{answer, approve, ask, perform},
    automations::definitions::{advance, definition, save, start},
    invocations::invoke::{issue, with_linear},
    sources::connectors::{add, harvest, review},
};

const HOUR: Duration = Duration::from_secs(3_600);

/// The sum of a field over all buckets.
fn sum(overview: &Value, field: &str) -> f64 {
    let buckets = overview["buckets"].as_array().into_iter().flatten();
    buckets.map(|bucket| bucket[field].as_f64().unwrap_or_default()).sum()
}

async fn overview(app: &TestApp, more: &str) -> anyhow::Result<Value> {
    // The clock does not advance by itself in tests, so the period has to end after the current time to include it.
    let until = app.app.world.clock.now() + Duration::from_secs(1);
    get(app, &format!("/v1/overview?until={until}{more}")).await
}

#[tokio::test]
async fn everything_is_counted_once_in_its_bucket_and_the_totals_are_their_sums() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    app.advance(HOUR * 7);
    linear.fail_next(400);
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    let (yes, no) = (ask(&app, &agent, "Yes").await?, ask(&app, &agent, "No").await?);
    let _late = ask(&app, &agent, "Nobody answers").await?;
    app.advance(Duration::from_secs(40));
    approve(&app, &yes).await?;
    perform(&app, &yes).await?;
    answer(&app, &app.owner_token, ("deny", &no), json!({})).await?;
    let body = json!({ "action": "linear.create_issue", "params": issue("Dry"), "dry_run": true });
    let path = format!("/v1/sessions/{}/actions/invoke", agent.session);
    app.send(Method::POST, &path, &agent.token, Some(body)).await?;

    let seen = overview(&app, "").await?;
    let totals = &seen["totals"];
    let counted =
        ["calls", "succeeded", "failed", "denied", "asked", "answered"].map(|field| totals[field].as_i64());
    assert_eq!(counted, [5, 2, 1, 1, 3, 2].map(Some), "{seen}");
    for field in ["calls", "succeeded", "failed", "denied", "asked", "answered", "drift", "cost_usd"] {
        assert!(
            (sum(&seen, field) - totals[field].as_f64().unwrap_or_default()).abs() < 1e-9,
            "{field}: {seen}"
        );
    }
    let buckets = seen["buckets"].as_array().cloned().unwrap_or_default();
    let busy: Vec<i64> =
        buckets.iter().filter_map(|bucket| bucket["calls"].as_i64()).filter(|calls| *calls > 0).collect();
    assert_eq!((busy, &seen["bucket_s"]), (vec![1, 4], &json!(21_600)));
    let waited = totals["approval_p50_s"].as_f64().unwrap_or_default();
    assert!((waited / 40.0 - 1.0).abs() < 0.03, "{waited}");
    assert_eq!(seen["waiting"], 1);
    assert_eq!(seen["sources"][0]["source"], "linear");
    assert_eq!(
        (&seen["sources"][0]["calls"], &seen["sources"][0]["failed"], seen["sources"][0]["p50_ms"].is_i64()),
        (&json!(5), &json!(1), true)
    );
    assert_eq!(seen["agents"], json!([{ "agent": "test-agent", "calls": 5 }]));
    Ok(())
}

#[tokio::test]
async fn runs_and_drift_are_counted_and_a_space_has_only_its_own() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let look = json!([{ "step_id": "look", "action": "linear.list_issues" }]);
    let automation = save(&app, &definition("Looks", &look)).await?;
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let mcp = FakeMcp::start(vec![tool("echo", json!({}))], None).await?;
    add(&app, "notes", &mcp, json!({ "kind": "none" })).await?;
    review(&app, "notes", "echo", json!({})).await?;
    mcp.set_tools(vec![tool("echo", json!({ "more": { "type": "string" } }))]);
    harvest(&app, "notes").await?;
    let body = json!({ "slug": "other", "name": "Other", "risk_band": "green" });
    app.send(Method::POST, "/v1/spaces", &app.owner_token, Some(body)).await?;
    let all = overview(&app, "&space=main").await?;
    let counted =
        |seen: &Value| ["calls", "runs_succeeded", "drift"].map(|field| seen["totals"][field].as_i64());
    // The tool was new, and then it changed: two drifts.
    assert_eq!(counted(&all), [1, 1, 2].map(Some), "{all}");
    let none = overview(&app, "&space=other").await?;
    assert_eq!(counted(&none), [0, 0, 2].map(Some), "{none}");
    assert_eq!((&none["sources"], &none["agents"]), (&json!([]), &json!([])));
    Ok(())
}

#[tokio::test]
async fn a_stretch_is_a_week_unless_it_is_named_and_never_longer_than_a_quarter() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let seen = get(&app, "/v1/overview").await?;
    assert_eq!((&seen["bucket_s"], seen["totals"]["calls"].as_i64()), (&json!(21_600), Some(0)));
    assert_eq!(seen["totals"].get("approval_p50_s"), None);
    let day = get(&app, "/v1/overview?since=2026-01-01T00:30:00Z&until=2026-01-02T00:00:00Z").await?;
    assert_eq!((&day["bucket_s"], &day["since"]), (&json!(3_600), &json!("2026-01-01T00:00:00Z")));
    assert_eq!(day["buckets"].as_array().map(Vec::len), Some(24));
    for query in [
        "since=2026-01-01T00:00:00Z&until=2026-04-04T00:00:00Z",
        "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
        "since=-009999-01-02T01:59:59Z",
        "since=yesterday",
    ] {
        let refused = app.send(Method::GET, &format!("/v1/overview?{query}"), &app.owner_token, None).await?;
        assert_eq!(refused.status, 422, "{query}: {}", refused.text);
    }
    assert_eq!(
        app.send(Method::GET, "/v1/overview?space=nowhere", &app.owner_token, None).await?.status,
        404
    );
    Ok(())
}
