//! Triggers: requests from outside, events and schedules, and what happens while a run is in progress.

use std::time::Duration;

use automation::Turn;
use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use events::Stretch;
use model::{EventId, TriggerId};
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

use crate::{
    automations::definitions::{advance, definition, make, save, start, text},
    invocations::invoke::with_linear,
};

/// An automation with a trigger and an input `title`.
pub(crate) fn triggered(name: &str, trigger: Value) -> Value {
    let mut whole = definition(name, &json!([make("a", "{{ inputs.title }}")]));
    whole["inputs"] = json!({ "schema": { "type": "object", "additionalProperties": false, "required": ["title"],
        "properties": { "title": { "type": "string" } } } });
    whole["triggers"] = json!([trigger]);
    whole["execution"] = json!({ "concurrency": "allow_parallel" });
    whole
}

/// Sends a request to a webhook trigger.
pub(crate) async fn knock(
    app: &TestApp,
    trigger: &str,
    (token, more): (&str, &[(&str, &str)]),
    body: &str,
) -> anyhow::Result<Answered> {
    let mut request = Request::builder().method(Method::POST).uri(format!("/v1/hooks/{trigger}"));
    request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    app.request(request.body(Body::from(body.to_owned()))?).await
}

/// The runs of the org, the newest first.
pub(crate) async fn runs(app: &TestApp) -> anyhow::Result<Vec<Value>> {
    let listed = app.send(Method::GET, "/v1/runs?limit=100", &app.owner_token, None).await?;
    Ok(listed.body["items"].as_array().cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_request_with_the_token_of_its_trigger_starts_one_run() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let hook = json!({ "type": "webhook", "config": { "input_mapping": { "title": "$.commit.message" } } });
    let saved = save(&app, &triggered("Hook", hook.clone())).await?;
    let token = text(&saved["new_tokens"][0]["token"]);
    let trigger = text(&saved["triggers"][0]["id"]);
    let body = r#"{"commit":{"message":"fix"}}"#;
    let keyed = [("Idempotency-Key", "push-1")];
    let first = knock(&app, &trigger, (&token, &keyed), body).await?;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.text);
    let place = first.headers.get(header::LOCATION).and_then(|place| place.to_str().ok());
    assert_eq!(place, Some(format!("/v1/runs/{}", text(&first.body["id"])).as_str()));
    let again = knock(&app, &trigger, (&token, &keyed), body).await?;
    assert_eq!(again.body["id"], first.body["id"], "a repeated request starts no second run");
    let other = knock(&app, &trigger, (&token, &keyed), r#"{"commit":{"message":"else"}}"#).await?;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", other.text);
    let wrong = knock(&app, &trigger, (&token, &[]), "not json").await?;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.text);
    let without = knock(&app, &trigger, (&token, &[]), "{}").await?;
    assert_eq!(without.body["error"]["class"], "invalid_inputs", "{}", without.text);
    let other = save(&app, &triggered("Other hook", hook)).await?;
    let theirs = text(&other["new_tokens"][0]["token"]);
    for bad in [&theirs, &app.owner_token, "", "csn_hook_"] {
        let refused = knock(&app, &trigger, (bad, &[]), body).await?;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{bad}");
    }
    let run = text(&first.body["id"]).parse()?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    assert_eq!(runs(&app).await?.len(), 2, "one run, and one with invalid inputs");
    app.check_invariants().await
}

#[tokio::test]
async fn a_token_can_be_replaced_and_taken_away_and_a_paused_automation_takes_nothing() -> anyhow::Result<()>
{
    let (app, _linear) = with_linear().await?;
    let hook = json!({ "type": "webhook", "config": { "input_mapping": { "title": "$.t" } } });
    let saved = save(&app, &triggered("Hook", hook)).await?;
    let (old, trigger) = (text(&saved["new_tokens"][0]["token"]), text(&saved["triggers"][0]["id"]));
    let body = r#"{"t":"x"}"#;
    let rotate = format!("/v1/triggers/{trigger}/rotate");
    let rotated = app.send(Method::POST, &rotate, &app.owner_token, None).await?;
    let new = text(&rotated.body["token"]);
    assert_eq!(knock(&app, &trigger, (&old, &[]), body).await?.status, StatusCode::UNAUTHORIZED);
    assert_eq!(knock(&app, &trigger, (&new, &[]), body).await?.status, StatusCode::ACCEPTED);
    let path = format!("/v1/automations/{}", text(&saved["id"]));
    // A new version whose trigger has other settings keeps the trigger's token.
    let other = json!({ "type": "webhook", "config": { "input_mapping": { "title": "$.u" } } });
    let changed = json!({ "definition": triggered("Hook", other) });
    let changed = app.send(Method::PATCH, &path, &app.owner_token, Some(changed)).await?;
    assert_eq!(changed.body["triggers"][0]["id"], trigger.as_str(), "{}", changed.text);
    assert_eq!(knock(&app, &trigger, (&new, &[]), r#"{"u":"x"}"#).await?.status, StatusCode::ACCEPTED);
    for (status, expected) in [("paused", StatusCode::CONFLICT), ("active", StatusCode::ACCEPTED)] {
        let body = Some(json!({ "status": status }));
        app.send(Method::PATCH, &path, &app.owner_token, body).await?;
        assert_eq!(knock(&app, &trigger, (&new, &[]), r#"{"u":"x"}"#).await?.status, expected, "{status}");
    }
    let token = format!("/v1/triggers/{trigger}/token");
    let taken = app.send(Method::DELETE, &token, &app.owner_token, None).await?;
    assert_eq!(taken.status, StatusCode::NO_CONTENT);
    assert_eq!(knock(&app, &trigger, (&new, &[]), r#"{"u":"x"}"#).await?.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn an_event_that_meets_the_filter_starts_one_run_however_often_it_is_told() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let trigger = json!({ "type": "event", "config": { "event_type": "drive.file_added",
        "filter": { "data.size": { "gt": 10 } }, "input_mapping": { "title": "$.data.name" } } });
    let saved = save(&app, &triggered("Event", trigger)).await?;
    let publish = async |id: &str, size: u64| -> anyhow::Result<EventId> {
        let event = json!({ "specversion": "1.0", "id": id, "source": "/drive", "type": "drive.file_added",
            "data": { "size": size, "name": format!("file {id}") } });
        let told = app.send(Method::POST, "/v1/events", &app.owner_token, Some(event)).await?;
        anyhow::ensure!(told.status.is_success(), "{}", told.text);
        let first = text(&told.body["items"][0]["eventid"]);
        Ok(first.parse()?)
    };
    let small = publish("1", 5).await?;
    let large = publish("2", 50).await?;
    let stretch = |events: Vec<EventId>| Stretch { org: app.org, events };
    for _ in 0..3 {
        app.app.automations.see_to(stretch(vec![small, large])).await?;
    }
    let found = runs(&app).await?;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["trigger_type"], "event");
    assert_eq!(found[0]["trigger"], saved["triggers"][0]["id"]);
    let path = format!("/v1/automations/{}", text(&saved["id"]));
    app.send(Method::PATCH, &path, &app.owner_token, Some(json!({ "status": "paused" }))).await?;
    let third = publish("3", 50).await?;
    app.app.automations.see_to(stretch(vec![third])).await?;
    assert_eq!(runs(&app).await?.len(), 1, "a paused automation starts no run");
    Ok(())
}

#[tokio::test]
async fn a_schedule_comes_once_for_each_moment_and_missed_ones_as_it_says() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let schedule = |missed: &str| {
        let config = json!({ "cron": "0 * * * *", "timezone": "UTC", "missed": missed });
        let mut whole = definition(missed, &json!([make("a", "x")]));
        whole["triggers"] = json!([{ "type": "schedule", "config": config }]);
        whole["execution"] = json!({ "concurrency": "allow_parallel" });
        whole
    };
    let automations = &app.app.automations;
    for (missed, after_a_day_away) in [("skip", 2), ("once", 3)] {
        let saved = save(&app, &schedule(missed)).await?;
        let trigger: TriggerId = text(&saved["triggers"][0]["id"]).parse()?;
        let due: jiff::Timestamp = text(&saved["triggers"][0]["next_at"]).parse()?;
        let count = async || -> anyhow::Result<usize> {
            let of = |run: &&Value| run["automation"] == saved["id"];
            Ok(runs(&app).await?.iter().filter(of).count())
        };
        let early = automations.tick(app.org, trigger, due).await?;
        assert_eq!(early.map(|(at, _)| at), Some(due), "too early: the same due time again");
        assert_eq!(count().await?, 0);
        let far = due.duration_since(app.app.world.clock.now());
        app.advance(Duration::try_from(far)?);
        let (next, _) = automations.tick(app.org, trigger, due).await?.unwrap_or_default();
        assert_eq!(next, due + Duration::from_secs(3_600));
        automations.tick(app.org, trigger, due).await?;
        assert_eq!(count().await?, 1, "a second tick starts no second run");
        // A delay of less than three hours counts as late, not as missed; a due time that passed meanwhile is skipped.
        app.advance(Duration::from_secs(3_600 + 1_800));
        let (next, _) = automations.tick(app.org, trigger, next).await?.unwrap_or_default();
        assert_eq!(count().await?, 2);
        // An hourly schedule always has a due time within the last hour, so a missed day is tested with a daily
        // schedule.
        app.advance(Duration::from_secs(26 * 3_600));
        let (_, far) = automations.tick(app.org, trigger, next).await?.unwrap_or_default();
        assert!(far <= Duration::from_secs(3_600));
        assert_eq!(count().await?, 3, "{missed}: the last due time is less than three hours ago");
        let daily =
            json!({ "cron": format!("0 {} * * *", hour(&app, 3)), "timezone": "UTC", "missed": missed });
        let mut changed = schedule(missed);
        changed["triggers"][0]["config"] = daily;
        let path = format!("/v1/automations/{}", text(&saved["id"]));
        let body = Some(json!({ "definition": changed }));
        let changed = app.send(Method::PATCH, &path, &app.owner_token, body).await?;
        let due: jiff::Timestamp = text(&changed.body["triggers"][0]["next_at"]).parse()?;
        app.advance(Duration::from_secs(10 * 3_600));
        automations.tick(app.org, trigger, due).await?;
        assert_eq!(count().await?, after_a_day_away + 1, "{missed}: seven hours late");
    }
    Ok(())
}

/// The hour of the day, in UTC, `hours` from now.
fn hour(app: &TestApp, hours: i64) -> i8 {
    let at = app.app.world.clock.now() + jiff::SignedDuration::from_hours(hours);
    at.to_zoned(jiff::tz::TimeZone::UTC).hour()
}

#[tokio::test]
async fn what_is_running_is_not_started_or_queued_in_order_as_its_policy_says() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    for (policy, expected) in [("drop_if_running", 1), ("queue", 5), ("allow_parallel", 5)] {
        let mut whole = definition(policy, &json!([make("a", &format!("{policy} {{{{ run.id }}}}"))]));
        whole["execution"] = json!({ "concurrency": policy });
        let automation = save(&app, &whole).await?;
        let before = linear.effects().len();
        let mut started = Vec::new();
        for _ in 0..5 {
            started.push(start(&app, &automation, json!({})).await?);
        }
        // A run that is advanced before its turn does nothing yet.
        for run in started.iter().rev() {
            assert_eq!(advance(&app, *run).await?, Turn::Over);
        }
        for run in &started {
            advance(&app, *run).await?;
        }
        assert_eq!(linear.effects().len() - before, expected, "{policy}");
        let mut all = runs(&app).await?;
        all.retain(|run| run["automation"] == automation["id"]);
        all.sort_by_key(|run| run["number"].as_i64());
        let dropped = all.iter().filter(|run| run["error"]["class"] == "already_running").count();
        assert_eq!(dropped, 5 - expected, "{policy}");
        let ends: Vec<String> = all.iter().map(|run| text(&run["finished_at"])).collect();
        assert!(policy != "queue" || ends.is_sorted(), "{ends:?}");
    }
    app.check_invariants().await
}

#[tokio::test]
async fn a_fire_that_was_dropped_is_the_same_when_it_is_repeated() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let hook = json!({ "type": "webhook", "config": { "input_mapping": { "title": "$.t" } } });
    let mut whole = triggered("Hook", hook);
    whole["execution"] = json!({ "concurrency": "drop_if_running" });
    let saved = save(&app, &whole).await?;
    let (token, trigger) = (text(&saved["new_tokens"][0]["token"]), text(&saved["triggers"][0]["id"]));
    let keyed = |key: &'static str| [("Idempotency-Key", key)];
    let told = async |key, body: &str| knock(&app, &trigger, (&token, &keyed(key)), body).await;
    told("first", r#"{"t":"one"}"#).await?;
    let dropped = told("second", r#"{"t":"two"}"#).await?;
    assert_eq!(dropped.body["error"]["class"], "already_running", "{}", dropped.text);
    let again = told("second", r#"{"t":"two"}"#).await?;
    assert_eq!(
        (again.status, &again.body["id"]),
        (StatusCode::ACCEPTED, &dropped.body["id"]),
        "{}",
        again.text
    );
    let other = told("second", r#"{"t":"three"}"#).await?;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", other.text);
    Ok(())
}

#[tokio::test]
async fn inputs_are_shown_without_secrets_and_an_automation_of_somebody_who_left_starts_nothing()
-> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let hook = json!({ "type": "webhook", "config": { "input_mapping": { "title": "$.t" } } });
    let member = app.person(app.org, model::Role::Member).await?;
    let body = json!({ "definition": triggered("Hook", hook) });
    let saved = app.send(Method::POST, "/v1/automations", &member, Some(body)).await?.body;
    let (token, trigger) = (text(&saved["new_tokens"][0]["token"]), text(&saved["triggers"][0]["id"]));
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    let hooked = knock(&app, &trigger, (&token, &[]), &json!({ "t": secret }).to_string()).await?;
    let path = format!("/v1/runs/{}", text(&hooked.body["id"]));
    let shown = app.send(Method::GET, &path, &app.owner_token, None).await?;
    assert!(!shown.text.contains(secret) && shown.text.contains("redacted"), "{}", shown.text);
    let mut tx = app.app.db.begin(app.org).await?;
    let rows: String = sqlx::query_scalar("SELECT string_agg(to_jsonb(r)::text, ' ') FROM runs r")
        .fetch_one(&mut *tx)
        .await?;
    assert!(!rows.contains(secret));
    sqlx::query("DELETE FROM memberships WHERE user_id = (SELECT created_by FROM automations LIMIT 1)")
        .execute(&mut *tx)
        .await?;
    platform::db::commit(tx).await?;
    let refused = knock(&app, &trigger, (&token, &[]), r#"{"t":"x"}"#).await?;
    assert_eq!(refused.body["error"]["class"], "nobody_answers_for_it", "{}", refused.text);
    // A run that was started before its creator left is not repeated in their name.
    let cancel = format!("{path}/cancel");
    app.send(Method::POST, &cancel, &app.owner_token, None).await?;
    let rerun = format!("{path}/rerun");
    let again = app.send(Method::POST, &rerun, &app.owner_token, Some(json!({}))).await?;
    assert_eq!(again.body["code"], "nobody_answers_for_it", "{}", again.text);
    Ok(())
}
