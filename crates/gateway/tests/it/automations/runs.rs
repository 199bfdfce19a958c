//! Races of runs and schedules: between two commits, and between two clocks.

use std::time::Duration;

use automation::{Automations, Parts, Turn};
use axum::http::Method;
use events::Stretch;
use gateway::App;
use jiff::{SignedDuration, Timestamp};
use model::{EventId, TriggerId};
use pipeline::Engine;
use platform::Clock;
use serde_json::json;
use testkit::{TestApp, free_port};

use crate::{
    approvals::answers::{approve, opened, perform},
    automations::definitions::{advance, definition, make, save, show, start, text, waiting},
    invocations::invoke::with_linear,
};

/// A trigger that makes the update of a run to `waiting` wait for a lock that the test holds.
const HELD: &str = "
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER hold BEFORE UPDATE ON runs
        FOR EACH ROW WHEN (NEW.status = 'waiting') EXECUTE FUNCTION hold();
    SELECT pg_advisory_lock(1)";

#[tokio::test]
async fn a_run_whose_answer_comes_before_it_is_written_that_it_waits_goes_on_at_once() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    let mut owner = app.db.owner().await?;
    sqlx::raw_sql(HELD).execute(&mut owner).await?;
    let answering = async {
        let item = loop {
            let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
            if let Some(item) = inbox.body["items"].get(0) {
                break item.clone();
            }
        };
        let asked = opened(&app, &item["invocation"]["id"]).await?;
        approve(&app, &asked).await?;
        perform(&app, &asked).await?.ok_or_else(|| anyhow::anyhow!("not finished"))?;
        assert_ne!(show(&app, run).await?["status"], "waiting", "the waiting is not recorded yet");
        sqlx::raw_sql("SELECT pg_advisory_unlock(1)").execute(&mut owner).await?;
        Ok::<_, anyhow::Error>(())
    };
    let (turn, answered) = tokio::join!(advance(&app, run), answering);
    answered?;
    assert_eq!(turn?, Turn::Over, "nothing would wake the run later");
    assert_eq!(show(&app, run).await?["status"], "succeeded");
    assert_eq!(linear.effects().values().sum::<u64>(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn what_a_slow_clock_put_off_is_not_missed_by_a_fast_one() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let look = json!([{ "step_id": "look", "action": "files.list", "config": {} }]);
    let mut daily = definition("Daily", &look);
    daily["triggers"] = json!([{ "type": "schedule", "config": { "cron": "0 9 * * *", "timezone": "UTC" } }]);
    let saved = save(&app, &daily).await?;
    let trigger: TriggerId = text(&saved["triggers"][0]["id"]).parse()?;
    let at: Timestamp = text(&saved["triggers"][0]["next_at"]).parse()?;
    // The schedule is due at nine. The clock of one worker shows eight, so it postpones for an hour; then the clock of
    // the other shows eleven.
    app.app.world.clock.set(at - SignedDuration::from_hours(1));
    let put_off = app.app.automations.tick(app.org, trigger, at).await?;
    assert_eq!(put_off, Some((at, Duration::from_secs(3_600))));
    let fast = app.another_clock(Clock::manual(at + SignedDuration::from_hours(2))).await?;
    let (next, _) = fast.automations.tick(app.org, trigger, at).await?.expect("a next time");
    assert_eq!(next.duration_since(at), SignedDuration::from_hours(24));
    let runs = app.send(Method::GET, "/v1/runs", &app.owner_token, None).await?;
    assert_eq!(runs.body["items"].as_array().map(Vec::len), Some(1), "{}", runs.text);
    Ok(())
}

#[tokio::test]
async fn a_run_that_could_not_be_handed_over_is_looked_after_again_within_seconds() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    assert!(matches!(advance(&app, run).await?, Turn::Await { .. }));
    // The same automations with an engine that is unavailable.
    let App { db, world, tenancy, events, pipeline, oversight, .. } = app.app.clone();
    let engine = Some(Engine::new(&format!("http://127.0.0.1:{}", free_port()?))?);
    let (sealer, recorder) = (app.sealer.clone(), testkit::recorder(&world));
    let parts = Parts { db, world, sealer, tenancy, recorder, events, pipeline, oversight, engine };
    let away = Automations::new(parts);
    app.advance(Duration::from_secs(3_600));
    assert_eq!(away.sweep_runs().await?, 0, "a run that waits for a person is not due");
    let asked = waiting(&app, run).await?;
    approve(&app, &asked).await?;
    perform(&app, &asked).await?;
    let mut tx = app.app.db.begin(app.org).await?;
    let told = "SELECT id FROM events WHERE type = 'action.executed'";
    let told: Vec<uuid::Uuid> = sqlx::query_scalar(told).fetch_all(&mut *tx).await?;
    drop(tx);
    let events = told.into_iter().map(EventId::from_uuid).collect();
    // The event for the end of the awaited invocation arrives while the engine is unavailable.
    away.see_to(Stretch { org: app.org, events }).await?;
    assert_eq!(away.sweep_runs().await?, 0, "not due immediately");
    app.advance(Duration::from_secs(11));
    assert_eq!(away.sweep_runs().await?, 1, "the run is submitted");
    app.advance(Duration::from_secs(11));
    assert_eq!(away.sweep_runs().await?, 1, "and again, because the engine did not accept it");
    // An engine may accept the run and lose it with all its data, so it is submitted until it goes on.
    for _ in 0..2 {
        app.advance(Duration::from_secs(11));
        assert_eq!(app.app.automations.sweep_runs().await?, 1);
    }
    assert!(matches!(advance(&app, run).await?, Turn::Over));
    app.advance(Duration::from_secs(11));
    assert_eq!(app.app.automations.sweep_runs().await?, 0);
    Ok(())
}
