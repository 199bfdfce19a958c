//! Stopping: once a stop is committed nothing begins, and after it is resumed nothing is lost.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::{AutomationId, Role, RunId, TriggerId};
use pipeline::Performed;
use serde_json::json;
use testkit::{Answered, TestApp};

use crate::{
    approvals::answers::{answer, ask, opened},
    automations::{
        definitions::{definition, make, save, text},
        triggers::runs,
    },
    invocations::invoke::{issue, with_linear},
};

async fn put(app: &TestApp, (scope, subject): (&str, &str), conduct: &str) -> anyhow::Result<Answered> {
    let body = json!({ "scope": scope, "subject": subject, "conduct": conduct, "reason": "it went wild" });
    app.send(Method::PUT, "/v1/conduct", &app.owner_token, Some(body)).await
}

async fn set(app: &TestApp, scope: (&str, &str), conduct: &str) -> anyhow::Result<()> {
    let set = put(app, scope, conduct).await?;
    anyhow::ensure!(set.status == StatusCode::OK && set.body["conduct"] == conduct, "{}", set.text);
    Ok(())
}

fn said(answered: &Answered) -> (StatusCode, Option<&str>) {
    (answered.status, answered.body["code"].as_str())
}

const STOPPED: (StatusCode, Option<&str>) = (StatusCode::CONFLICT, Some("stopped"));

#[tokio::test]
async fn what_is_stopped_does_not_begin_in_any_scope_and_in_a_dry_run_it_only_reads() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let agent = app.agent().await?;
    let spaces = app.send(Method::GET, "/v1/spaces", &app.owner_token, None).await?;
    let space = spaces.body["items"][0]["id"].as_str().unwrap_or_default();
    let read = || app.invoke(&agent, "linear.list_issues", json!({}));
    let act = |title: &str| app.invoke(&agent, "linear.create_issue", issue(title));
    for scope in [("org", ""), ("space", space), ("source", "linear"), ("agent", "test-agent")] {
        let title = format!("in {}", scope.0);
        set(&app, scope, "halted").await?;
        for refused in [read().await?, act(&title).await?] {
            assert_eq!(said(&refused), STOPPED, "{scope:?}: {}", refused.text);
            assert!(refused.text.contains("it went wild"), "{}", refused.text);
        }
        set(&app, scope, "dry_run").await?;
        assert_eq!(read().await?.body["status"], "succeeded", "{scope:?}");
        let told = act(&title).await?;
        assert_eq!(
            (&told.body["status"], &told.body["dry_run"]),
            (&json!("skipped"), &json!(true)),
            "{}",
            told.text
        );
        assert!(linear.issues_titled(&title).is_empty(), "{scope:?}");
        set(&app, scope, "normal").await?;
        assert_eq!(act(&title).await?.body["status"], "succeeded", "{scope:?}");
        assert_eq!(linear.issues_titled(&title).len(), 1, "{scope:?}");
    }
    set(&app, ("source", "data"), "halted").await?;
    assert_eq!(read().await?.status, StatusCode::OK, "another source");
    app.check_invariants().await
}

#[tokio::test]
async fn only_what_exists_is_stopped_by_admins_and_all_members_see_it() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let nobody = model::SpaceId::from_uuid(uuid::Uuid::max()).to_string();
    let no_automation = AutomationId::from_uuid(uuid::Uuid::max()).to_string();
    let missing =
        [("agent", "tset-agent"), ("source", "liner"), ("space", &nobody), ("automation", &no_automation)];
    for scope in missing {
        let answered = put(&app, scope, "halted").await?;
        assert_eq!(answered.status, StatusCode::NOT_FOUND, "{scope:?}: {}", answered.text);
    }
    for scope in [("org", "x"), ("agent", ""), ("planet", "mars"), ("space", "mars")] {
        let answered = put(&app, scope, "halted").await?;
        assert_eq!(answered.status, StatusCode::UNPROCESSABLE_ENTITY, "{scope:?}: {}", answered.text);
    }
    let silent = json!({ "scope": "org", "conduct": "halted", "reason": " " });
    let silent = app.send(Method::PUT, "/v1/conduct", &app.owner_token, Some(silent)).await?;
    assert_eq!(silent.status, StatusCode::UNPROCESSABLE_ENTITY);
    set(&app, ("agent", "test-agent"), "halted").await?;
    set(&app, ("agent", "test-agent"), "halted").await?;
    let member = app.person(app.org, Role::Member).await?;
    let listed = app.send(Method::GET, "/v1/conduct", &member, None).await?;
    let items = listed.body["items"].as_array().cloned().unwrap_or_default();
    assert_eq!(items.len(), 1, "{}", listed.text);
    assert_eq!((&items[0]["name"], &items[0]["reason"]), (&json!("test-agent"), &json!("it went wild")));
    assert!(items[0]["set_by_name"].is_string(), "{}", listed.text);
    for token in [&member, &agent.token] {
        let body = json!({ "scope": "org", "conduct": "halted", "reason": "no" });
        let answered = app.send(Method::PUT, "/v1/conduct", token, Some(body)).await?;
        assert_eq!(answered.status, StatusCode::FORBIDDEN, "{}", answered.text);
    }
    let found = app.send(Method::GET, "/v1/agents", &member, None).await?;
    assert_eq!(found.body["items"][0]["conduct"]["conduct"], "halted", "{}", found.text);
    let records = app.send(Method::GET, "/v1/changes?change=conduct.stopped", &app.owner_token, None).await?;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(1), "once: {}", records.text);
    Ok(())
}

#[tokio::test]
async fn approved_work_rests_while_it_is_stopped_and_is_done_once_afterwards_or_expires() -> anyhow::Result<()>
{
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let (first, second) = (ask(&app, &agent, "First").await?, ask(&app, &agent, "Second").await?);
    set(&app, ("source", "linear"), "halted").await?;
    let refused = answer(&app, &app.owner_token, ("approve", &first), json!({})).await?;
    assert_eq!(said(&refused), STOPPED, "nothing is approved that cannot be done: {}", refused.text);
    let third = ask(&app, &agent, "Third").await;
    assert!(third.is_err(), "no new question while it is stopped");
    set(&app, ("source", "linear"), "normal").await?;
    for waiting in [&first, &second] {
        let approved = answer(&app, &app.owner_token, ("approve", waiting), json!({})).await?;
        assert!(approved.status.is_success(), "{}", approved.text);
    }
    for conduct in ["halted", "dry_run"] {
        set(&app, ("org", ""), conduct).await?;
        for waiting in [&first, &second] {
            let rested = app.app.pipeline.perform(app.org, waiting.id.parse()?).await?;
            assert!(matches!(rested, Performed::NotYet), "{conduct}: {rested:?}");
        }
    }
    set(&app, ("org", ""), "normal").await?;
    let done = app.app.pipeline.perform(app.org, first.id.parse()?).await?;
    let Performed::Ended(done) = done else { anyhow::bail!("{done:?}") };
    assert_eq!((done.status.as_str(), linear.issues_titled("First").len()), ("succeeded", 1));
    set(&app, ("org", ""), "halted").await?;
    app.advance(Duration::from_secs(6 * 60));
    let late = app.app.pipeline.perform(app.org, second.id.parse()?).await?;
    let Performed::Ended(late) = late else { anyhow::bail!("{late:?}") };
    assert_eq!((late.status.as_str(), linear.issues_titled("Second").len()), ("expired", 0));
    set(&app, ("org", ""), "normal").await?;
    app.check_invariants().await
}

#[tokio::test]
async fn a_question_can_be_read_and_denied_while_it_is_stopped() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "First").await?;
    set(&app, ("org", ""), "halted").await?;
    opened(&app, &json!(waiting.id)).await?;
    let denied = answer(&app, &app.owner_token, ("deny", &waiting), json!({ "reason": "no" })).await?;
    assert_eq!(
        (denied.status, &denied.body["status"]),
        (StatusCode::OK, &json!("denied")),
        "{}",
        denied.text
    );
    Ok(())
}

/// The guard at work, and what happens without it: a claim that had begun before the stop is committed after it.
#[tokio::test]
async fn a_stop_waits_for_claims_that_are_being_made() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let stop = || put(&app, ("org", ""), "halted");
    for (claims, is_waited_for) in [(false, false), (true, true)] {
        let claim = match claims {
            true => app.app.db.begin_claim(app.org).await?,
            false => app.app.db.begin(app.org).await?,
        };
        let mut stopping = Box::pin(stop());
        let early = tokio::time::timeout(Duration::from_secs(1), &mut stopping).await;
        assert_eq!(early.is_err(), is_waited_for);
        drop(claim);
        let stopped = match early {
            Ok(stopped) => stopped?,
            Err(_) => stopping.await?,
        };
        assert_eq!(stopped.status, StatusCode::OK, "{}", stopped.text);
        let refused = app.invoke(&agent, "data.transform", json!({ "template": "x" })).await?;
        assert_eq!(said(&refused), STOPPED);
        set(&app, ("org", ""), "normal").await?;
    }
    Ok(())
}

#[tokio::test]
async fn runs_wait_and_schedules_follow_their_policy_for_missed_times() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let schedule = |missed: &str| {
        let config = json!({ "cron": "0 * * * *", "timezone": "UTC", "missed": missed });
        let mut whole = definition(missed, &json!([make("a", missed)]));
        whole["triggers"] = json!([{ "type": "schedule", "config": config }]);
        whole
    };
    for (missed, afterwards) in [("skip", 0), ("once", 1)] {
        let saved = save(&app, &schedule(missed)).await?;
        let automation = text(&saved["id"]);
        let count = async || -> anyhow::Result<usize> {
            Ok(runs(&app).await?.iter().filter(|run| run["automation"] == automation.as_str()).count())
        };
        let trigger: TriggerId = text(&saved["triggers"][0]["id"]).parse()?;
        let due: jiff::Timestamp = text(&saved["triggers"][0]["next_at"]).parse()?;
        set(&app, ("automation", &automation), "halted").await?;
        let path = format!("/v1/automations/{automation}/runs");
        let refused = app.send(Method::POST, &path, &app.owner_token, Some(json!({}))).await?;
        assert_eq!(said(&refused), STOPPED, "{}", refused.text);
        app.advance(Duration::try_from(due.duration_since(app.app.world.clock.now()))?);
        let (next, _) = app.app.automations.tick(app.org, trigger, due).await?.unwrap_or_default();
        assert_eq!((next == due, count().await?), (missed == "once", 0), "{missed}");
        set(&app, ("automation", &automation), "normal").await?;
        app.app.automations.tick(app.org, trigger, next).await?;
        assert_eq!(count().await?, afterwards, "{missed}");
    }
    let run = runs(&app).await?.into_iter().next().unwrap_or_default();
    let id: RunId = text(&run["id"]).parse()?;
    set(&app, ("source", "linear"), "halted").await?;
    let rests = app.app.automations.advance(app.org, id).await?;
    assert!(!matches!(rests, automation::Turn::Over), "{rests:?}");
    assert!(linear.issues_titled("once").is_empty());
    set(&app, ("source", "linear"), "normal").await?;
    let over = app.app.automations.advance(app.org, id).await?;
    assert!(matches!(over, automation::Turn::Over), "{over:?}");
    assert_eq!(linear.issues_titled("once").len(), 1);
    Ok(())
}
