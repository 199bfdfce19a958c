//! Retention: what is erased together with a receipt's body, when a shorter period holds, and a legal hold.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::Connection as _;
use testkit::{Answered, TestApp};

use crate::{
    automations::definitions::{advance, definition, save, show, start},
    ledger::receipts::act,
};

async fn org(app: &TestApp, patch: Value) -> anyhow::Result<Value> {
    let done: Answered = app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(patch)).await?;
    anyhow::ensure!(done.status == StatusCode::OK, "{}", done.text);
    Ok(done.body)
}

/// Runs statements of the database's owner, for whom the fences are down meanwhile.
async fn as_owner(app: &TestApp, statements: &[&str]) -> anyhow::Result<()> {
    let mut owner = app.db.owner().await?;
    let tables = ["orgs", "receipts", "runs", "group_entries"];
    let mut tx = owner.begin().await?;
    for table in tables {
        let statement = format!("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *tx).await?;
    }
    for statement in statements {
        sqlx::query(sqlx::AssertSqlSafe((*statement).to_owned())).execute(&mut *tx).await?;
    }
    for table in tables {
        let statement = format!("ALTER TABLE {table} FORCE ROW LEVEL SECURITY");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *tx).await?;
    }
    Ok(tx.commit().await?)
}

const OLD: &[&str] = &[
    "UPDATE receipts SET finished_at = finished_at - interval '200 days'",
    "UPDATE runs SET finished_at = finished_at - interval '200 days'",
];

#[tokio::test]
async fn parameters_results_and_inputs_go_with_the_body_and_not_before() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    act(&app, &agent, 1).await?;
    let steps = json!([{
        "step_id": "make", "action": "data.transform", "config": { "template": "secret of the run" },
    }]);
    let mut wanted = definition("Makes", &steps);
    wanted["inputs"] =
        json!({ "schema": { "type": "object", "properties": { "word": { "type": "string" } } } });
    let automation = save(&app, &wanted).await?;
    let run = start(&app, &automation, json!({ "word": "secret input" })).await?;
    advance(&app, run).await?;
    assert_eq!(show(&app, run).await?["inputs"]["word"], "secret input");
    app.sequence().await?;

    let days = 0;
    assert_eq!(app.app.ledger.erase_overdue(app.org, days).await?, 0, "nothing is old");
    as_owner(&app, OLD).await?;
    org(&app, json!({ "legal_hold": true })).await?;
    assert_eq!(app.app.ledger.erase_overdue(app.org, days).await?, 0, "a legal hold");
    assert_eq!(app.app.tenancy.receipt_periods().await?, [(app.org, None)]);
    assert!(show(&app, run).await?["erased_at"].is_null());
    org(&app, json!({ "legal_hold": false })).await?;
    assert_eq!(app.app.ledger.erase_overdue(app.org, days).await?, 2);

    let left = show(&app, run).await?;
    assert!(left["erased_at"].is_string() && left["inputs"] == json!({}), "{left}");
    let listed = app.send(Method::GET, "/v1/activity", &app.owner_token, None).await?;
    for item in listed.body["items"].as_array().into_iter().flatten() {
        let path = format!("/v1/invocations/{}", item["id"].as_str().unwrap_or_default());
        let found = app.send(Method::GET, &path, &app.owner_token, None).await?;
        assert!(found.body["erased_at"].is_string() && !found.text.contains("secret"), "{}", found.text);
    }
    let mut owner = app.db.owner().await?;
    for table in ["invocations", "attempts", "runs", "run_steps", "receipts", "shown_documents"] {
        let statement = format!("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut owner).await?;
        let statement = format!("SELECT coalesce(string_agg(t::text, ' '), '') FROM {table} t");
        let left: String = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_one(&mut owner).await?;
        assert!(!left.contains("secret"), "{table}: {left}");
    }
    app.sequence().await?;
    app.check_invariants().await
}

#[tokio::test]
async fn a_shorter_period_holds_after_a_week_and_a_longer_one_at_once() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let period =
        |found: &Value| (found["receipts_kept_days"].as_u64(), found["receipts_kept_days_before"].as_u64());
    let shorter = org(&app, json!({ "receipts_kept_days": 30 })).await?;
    assert_eq!(period(&shorter), (Some(30), Some(180)));
    assert!(shorter["receipts_shorter_at"].is_string(), "{shorter}");
    let mut tx = app.app.db.begin(app.org).await?;
    let ahead = "SELECT extract(epoch FROM receipts_shorter_at - now())::float8 FROM orgs";
    let ahead: f64 = sqlx::query_scalar(ahead).fetch_one(&mut *tx).await?;
    drop(tx);
    assert!(ahead > 6.0 * 86_400.0 && ahead <= 7.0 * 86_400.0, "{ahead}");
    assert_eq!(app.app.tenancy.receipt_periods().await?, [(app.org, Some(180))]);
    // Less shortened: the week goes on. Shortened more: it begins again, and the longest period still holds.
    let less = org(&app, json!({ "receipts_kept_days": 60 })).await?;
    assert_eq!(less["receipts_shorter_at"], shorter["receipts_shorter_at"]);
    let more = org(&app, json!({ "receipts_kept_days": 10 })).await?;
    assert_eq!(period(&more), (Some(10), Some(180)));
    assert_ne!(more["receipts_shorter_at"], shorter["receipts_shorter_at"]);
    // The service cannot end the week.
    let mut tx = app.app.db.begin(app.org).await?;
    let refused = sqlx::query("UPDATE orgs SET receipts_shorter_at = now()").execute(&mut *tx).await;
    assert!(refused.is_err(), "the service has no right to that column");
    drop(tx);
    as_owner(&app, &["UPDATE orgs SET receipts_shorter_at = now() - interval '1 second'"]).await?;
    assert_eq!(app.app.tenancy.receipt_periods().await?, [(app.org, Some(10))]);
    let longer = org(&app, json!({ "receipts_kept_days": 365 })).await?;
    assert_eq!((period(&longer), &longer["receipts_shorter_at"]), ((Some(365), None), &Value::Null));
    Ok(())
}
