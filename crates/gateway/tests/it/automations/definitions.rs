//! Automations from a definition to receipts: saving, starting, steps, approvals, failures, cancelling.

use std::time::Duration;

use automation::Turn;
use axum::http::{Method, StatusCode};
use model::RunId;
use serde_json::{Value, json};
use sqlx::Connection as _;
use testkit::{Answered, TestApp};

use crate::{
    approvals::answers::{Waiting, answer, approve, opened, perform},
    invocations::invoke::with_linear,
};

pub(crate) fn definition(name: &str, plan: &Value) -> Value {
    json!({ "schema_version": "1.0", "name": name, "plan": plan })
}

/// A step that creates an issue.
pub(crate) fn make(step: &str, title: &str) -> Value {
    json!({ "step_id": step, "action": "linear.create_issue", "output_as": step,
            "config": { "team_id": crate::invocations::invoke::TEAM, "title": title } })
}

fn change(issue: &str) -> Value {
    json!({ "step_id": "bad", "action": "linear.update_issue", "config": { "issue": issue, "title": "changed" } })
}

pub(crate) async fn save(app: &TestApp, definition: &Value) -> anyhow::Result<Value> {
    let body = json!({ "definition": definition });
    let saved = app.send(Method::POST, "/v1/automations", &app.owner_token, Some(body)).await?;
    anyhow::ensure!(saved.status == StatusCode::CREATED, "saving: {}", saved.text);
    Ok(saved.body)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Starts a run manually; returns its id.
pub(crate) async fn start(app: &TestApp, automation: &Value, inputs: Value) -> anyhow::Result<RunId> {
    let started = ask(app, automation, inputs).await?;
    anyhow::ensure!(started.status == StatusCode::ACCEPTED, "starting: {}", started.text);
    Ok(text(&started.body["id"]).parse()?)
}

async fn ask(app: &TestApp, automation: &Value, inputs: Value) -> anyhow::Result<Answered> {
    let path = format!("/v1/automations/{}/runs", text(&automation["id"]));
    app.send(Method::POST, &path, &app.owner_token, Some(json!({ "inputs": inputs }))).await
}

pub(crate) async fn advance(app: &TestApp, run: RunId) -> anyhow::Result<Turn> {
    Ok(app.app.automations.advance(app.org, run).await?)
}

pub(crate) async fn show(app: &TestApp, run: RunId) -> anyhow::Result<Value> {
    Ok(app.send(Method::GET, &format!("/v1/runs/{run}"), &app.owner_token, None).await?.body)
}

/// The steps of a run, each as one line of text.
fn words(run: &Value) -> Vec<String> {
    let steps = run["steps"].as_array().cloned().unwrap_or_default();
    let word =
        |step: &Value| format!("{}#{} {}", text(&step["step_id"]), step["attempt"], text(&step["status"]));
    steps.iter().map(word).collect()
}

/// The invocation that a run waits for, as a person sees it.
pub(crate) async fn waiting(app: &TestApp, run: RunId) -> anyhow::Result<Waiting> {
    opened(app, &show(app, run).await?["awaits"]).await
}

#[tokio::test]
async fn a_plan_is_done_step_by_step_and_each_step_has_its_receipt() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let mut plan = definition(
        "Issue and echo",
        &json!([
            make("first", "{{ inputs.title | upper }}"),
            { "step_id": "never", "action": "linear.create_issue", "when": "{{ inputs.title == 'x' }}",
              "config": { "team_id": crate::invocations::invoke::TEAM, "title": "never" } },
            make("second", "after {{ first.title }} by {{ run.automation_name }} #{{ run.attempt }}"),
            { "step_id": "list", "action": "linear.list_issues", "output_as": "all" },
        ]),
    );
    plan["inputs"] = json!({ "schema": { "type": "object", "required": ["title"], "additionalProperties": false,
        "properties": { "title": { "type": "string" }, "who": { "type": "string", "default": "$creator" } } } });
    let automation = save(&app, &plan).await?;
    let refused = ask(&app, &automation, json!({})).await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    let run = start(&app, &automation, json!({ "title": "hello" })).await?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "succeeded", "{shown}");
    assert_eq!(
        words(&shown),
        ["first#1 succeeded", "never#1 skipped", "second#1 succeeded", "list#1 succeeded"]
    );
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    assert!(text(&shown["inputs"]["who"]).contains('@'));
    let last = text(&shown["steps"][3]["invocation"]);
    let path = format!("/v1/invocations/{last}");
    let listed = app.send(Method::GET, &path, &app.owner_token, None).await?;
    let titles: Vec<String> = listed.body["result"]["issues"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| text(&one["title"]))
        .collect();
    assert!(titles.contains(&"HELLO".to_owned()), "{titles:?}");
    assert!(titles.contains(&"after HELLO by Issue and echo #1".to_owned()), "{titles:?}");
    // The session has ended, and advancing the run again changes nothing.
    let session = format!("/v1/sessions/{}", text(&shown["session"]));
    let session = app.send(Method::GET, &session, &app.owner_token, None).await?;
    assert!(session.body["ended_at"].is_string(), "{}", session.text);
    assert_eq!(advance(&app, run).await?, Turn::Over);
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    app.check_invariants().await
}

#[tokio::test]
async fn a_step_that_needs_a_person_has_the_run_wait_and_go_on() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let steps = json!([
        { "step_id": "look", "action": "linear.list_issues" },
        make("ask", "May I?"),
        make("then", "and {{ ask.title }}"),
    ]);
    let automation = save(&app, &definition("Asks", &steps)).await?;
    let run = start(&app, &automation, json!({})).await?;
    let Turn::Await { .. } = advance(&app, run).await? else { anyhow::bail!("the run does not wait") };
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "waiting");
    assert_eq!(words(&shown), ["look#1 succeeded", "ask#1 waiting"]);
    assert!(matches!(advance(&app, run).await?, Turn::Await { .. }), "not answered yet");
    for expected in ["ask", "then"] {
        let asked = waiting(&app, run).await?;
        assert_eq!(approve(&app, &asked).await?.body["status"], "approved", "{expected}");
        perform(&app, &asked).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
        advance(&app, run).await?;
    }
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "succeeded", "{shown}");
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    app.check_invariants().await
}

#[tokio::test]
async fn an_always_of_an_approver_is_for_this_step_of_the_automation_alone() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let asked = waiting(&app, run).await?;
    let yes = answer(&app, &app.owner_token, ("approve", &asked), json!({ "extent": "always" })).await?;
    assert_eq!(yes.body["status"], "approved", "{}", yes.text);
    perform(&app, &asked).await?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    let run = start(&app, &automation, json!({})).await?;
    assert_eq!(advance(&app, run).await?, Turn::Over, "the second run needs no approval");
    // It was given for the step that was seen. With another configuration it asks again.
    let changed = definition("Asks", &json!([make("ask", "Something else")]));
    let path = format!("/v1/automations/{}", text(&automation["id"]));
    let body = json!({ "definition": changed, "from_version": 1 });
    let saved = app.send(Method::PATCH, &path, &app.owner_token, Some(body)).await?;
    assert!(saved.status.is_success(), "{}", saved.text);
    let ended = &saved.body["ended_permissions"];
    assert_eq!(
        (ended.as_array().map(Vec::len), &ended[0]["action"]),
        (Some(1), &json!("linear.create_issue"))
    );
    let run = start(&app, &automation, json!({})).await?;
    assert!(matches!(advance(&app, run).await?, Turn::Await { .. }), "the changed step needs an approval");
    // Without the binding to the step, it would not.
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE rules NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE rules SET step = NULL").execute(&mut owner).await?;
    sqlx::query("UPDATE orgs SET policy_version = policy_version + 1").execute(&mut owner).await?;
    let run = start(&app, &automation, json!({})).await?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    let agent = app.agent().await?;
    let other = app.invoke(&agent, "linear.create_issue", crate::invocations::invoke::issue("x")).await?;
    assert_eq!(other.status, StatusCode::ACCEPTED, "others still need an approval: {}", other.text);
    Ok(())
}

#[tokio::test]
async fn what_fails_is_tried_again_then_seen_to_once_and_can_be_done_again_from_there() -> anyhow::Result<()>
{
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let mut plan =
        definition("Fails", &json!([make("good", "good"), change("missing-1"), make("last", "last")]));
    plan["execution"] = json!({
        "max_retries": 1, "retry_backoff": "none",
        "on_failure": [
            { "step_id": "cry", "action": "linear.create_issue",
              "config": { "team_id": crate::invocations::invoke::TEAM, "title": "{{ run.failed_step_id }}: {{ run.error.class }}" } },
        ],
    });
    let automation = save(&app, &plan).await?;
    app.rule("linear.create_issue", "allow").await?;
    let run = start(&app, &automation, json!({})).await?;
    // A refusal by policy is not a transient error, so it is not retried.
    app.rule("linear.create_issue", "deny").await?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "failed");
    assert_eq!(words(&shown), ["good#1 failed", "cry#1 failed"]);
    assert_eq!(shown["error"]["step_id"], "good", "{shown}");
    app.rule("linear.create_issue", "allow").await?;
    let path = format!("/v1/runs/{run}/rerun");
    let again = app.send(Method::POST, &path, &app.owner_token, Some(json!({}))).await?;
    assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.text);
    let again: RunId = text(&again.body["id"]).parse()?;
    assert_eq!(advance(&app, again).await?, Turn::Over);
    let shown = show(&app, again).await?;
    assert_eq!(words(&shown), ["good#1 succeeded", "bad#1 failed", "cry#1 succeeded"], "{shown}");
    let before = linear.effects().values().sum::<u64>();
    linear.put_issue("missing-1", "here after all");
    let path = format!("/v1/runs/{again}/rerun");
    let third = app.send(Method::POST, &path, &app.owner_token, Some(json!({}))).await?;
    let third: RunId = text(&third.body["id"]).parse()?;
    assert_eq!(advance(&app, third).await?, Turn::Over);
    let shown = show(&app, third).await?;
    assert_eq!(shown["status"], "succeeded", "{shown}");
    assert_eq!(linear.effects().values().sum::<u64>(), before + 2, "the first step is not repeated");
    let path = format!("/v1/runs/{third}/rerun");
    let none = app.send(Method::POST, &path, &app.owner_token, Some(json!({}))).await?;
    assert_eq!(none.status, StatusCode::CONFLICT, "{}", none.text);
    app.check_invariants().await
}

#[tokio::test]
async fn a_run_that_waits_can_be_cancelled_and_nobody_is_asked_any_more() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let asked = waiting(&app, run).await?;
    let path = format!("/v1/runs/{run}/cancel");
    let cancelled = app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert_eq!(cancelled.body["status"], "cancelled", "{}", cancelled.text);
    let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    assert_eq!(inbox.body["items"], json!([]), "{}", inbox.text);
    let late = approve(&app, &asked).await?;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text);
    assert_eq!(advance(&app, run).await?, Turn::Over);
    assert_eq!(linear.effects().len(), 0);
    let again = app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert_eq!(again.status, StatusCode::CONFLICT);
    app.check_invariants().await
}

/// Advances a run, blocks its first step with a lock, and cancels the run meanwhile.
async fn cancel_on_the_way(app: &TestApp, run: RunId) -> anyhow::Result<Turn> {
    let mut owner = app.db.owner().await?;
    let mut held = owner.begin().await?;
    sqlx::query("LOCK TABLE invocations IN SHARE MODE").execute(&mut *held).await?;
    let cancelling = async {
        for _ in 0..1_200 {
            if show(app, run).await?["status"] == "running" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let path = format!("/v1/runs/{run}/cancel");
        let cancelled = app.send(Method::POST, &path, &app.owner_token, None).await?;
        held.rollback().await?;
        anyhow::ensure!(cancelled.body["status"] == "running", "the run is not running: {}", cancelled.text);
        Ok(())
    };
    let (turn, cancelled) = tokio::join!(advance(app, run), cancelling);
    cancelled?;
    turn
}

#[tokio::test]
async fn a_run_that_is_cancelled_does_the_step_under_way_and_no_other() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let plan = json!([make("first", "First"), make("next", "Next")]);
    let automation = save(&app, &definition("Two steps", &plan)).await?;
    let run = start(&app, &automation, json!({})).await?;
    assert_eq!(cancel_on_the_way(&app, run).await?, Turn::Over);
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "cancelled", "{shown}");
    assert_eq!(words(&shown), ["first#1 succeeded"]);
    assert_eq!(linear.effects(), [("First".to_owned(), 1)].into());
    app.check_invariants().await
}

#[tokio::test]
async fn a_run_that_is_cancelled_while_it_begins_to_ask_waits_for_nobody() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    assert_eq!(cancel_on_the_way(&app, run).await?, Turn::Over);
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "cancelled", "{shown}");
    assert_eq!(words(&shown), ["ask#1 failed"]);
    let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    assert_eq!(inbox.body["items"], json!([]), "{}", inbox.text);
    assert_eq!(linear.effects().len(), 0);
    app.check_invariants().await
}

#[tokio::test]
async fn what_was_approved_before_its_run_is_cancelled_is_done_and_not_done_again() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let plan = json!([make("ask", "May I?"), make("next", "Next")]);
    let automation = save(&app, &definition("Asks", &plan)).await?;
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let asked = waiting(&app, run).await?;
    approve(&app, &asked).await?;
    let path = format!("/v1/runs/{run}/cancel");
    let cancelled = app.send(Method::POST, &path, &app.owner_token, None).await?;
    assert_eq!(cancelled.body["status"], "waiting", "{}", cancelled.text);
    perform(&app, &asked).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    assert_eq!(advance(&app, run).await?, Turn::Over);
    let shown = show(&app, run).await?;
    assert_eq!(shown["status"], "cancelled", "{shown}");
    assert_eq!(words(&shown), ["ask#1 succeeded"]);
    // The rerun continues after the step that was done, and does not repeat it.
    app.rule("linear.*", "allow").await?;
    let path = format!("/v1/runs/{run}/rerun");
    let again = app.send(Method::POST, &path, &app.owner_token, Some(json!({}))).await?;
    assert_eq!(advance(&app, text(&again.body["id"]).parse()?).await?, Turn::Over);
    assert_eq!(linear.effects(), [("May I?".to_owned(), 1), ("Next".to_owned(), 1)].into());
    app.check_invariants().await
}

#[tokio::test]
async fn what_a_run_did_before_it_was_ended_is_kept() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let plan = json!([make("first", "First {{ run.id }}"), make("next", "Next {{ run.id }}")]);
    let automation = save(&app, &definition("Two steps", &plan)).await?;
    linear.answer_late(|title| Duration::from_millis(if title.starts_with("First") { 300 } else { 0 }));
    for _ in 0..10 {
        let run = start(&app, &automation, json!({})).await?;
        let first = format!("First {run}");
        // The run is cancelled while its first step, which is too fast to be recorded separately, is in progress.
        let cancelling = async {
            while linear.count_effect(&first) == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let path = format!("/v1/runs/{run}/cancel");
            app.send(Method::POST, &path, &app.owner_token, None).await
        };
        let (turn, cancelled) = tokio::join!(advance(&app, run), cancelling);
        assert_eq!(turn?, Turn::Over);
        // On a busy machine the cancellation may come too late, when the last step is in progress or over; then try again.
        let shown = show(&app, run).await?;
        if cancelled?.status.is_success() && shown["status"] == "cancelled" {
            assert_eq!(words(&shown), ["first#1 succeeded"]);
            assert_eq!((linear.count_effect(&first), linear.count_effect(&format!("Next {run}"))), (1, 0));
            return app.check_invariants().await;
        }
    }
    anyhow::bail!("every cancellation came too late")
}

#[tokio::test]
async fn versions_are_kept_with_what_they_changed_and_nobody_saves_over_another() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let automation = save(&app, &definition("Versions", &json!([make("a", "one")]))).await?;
    let path = format!("/v1/automations/{}", text(&automation["id"]));
    let change = async |body: Value| app.send(Method::PATCH, &path, &app.owner_token, Some(body)).await;
    let next = definition("Versions", &json!([make("a", "two")]));
    let changed = change(json!({ "definition": next, "from_version": 1 })).await?;
    assert_eq!(changed.body["version"], 2, "{}", changed.text);
    let stale = change(json!({ "definition": next, "from_version": 1 })).await?;
    assert_eq!(
        (stale.status, text(&stale.body["code"])),
        (StatusCode::CONFLICT, "version_changed".to_owned())
    );
    let same = change(json!({ "definition": next, "from_version": 2 })).await?;
    assert_eq!(same.body["version"], 2, "an unchanged definition is no new version");
    let listed = app.send(Method::GET, &format!("{path}/versions"), &app.owner_token, None).await?;
    let changes = &listed.body["items"][0]["changes"];
    assert_eq!(*changes, json!([{ "op": "replace", "path": "/plan/0/config/title", "value": "two" }]));
    let wrong = change(json!({ "definition": definition("Versions", &json!([{ "step_id": "a", "action": "linear.creat_issue" }])) })).await?;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text.contains("linear.create_issue"), "{}", wrong.text);
    let taken = app
        .send(Method::POST, "/v1/automations", &app.owner_token, Some(json!({ "definition": next })))
        .await?;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.text);
    let gone = change(json!({ "status": "archived" })).await?;
    assert_eq!(gone.body["status"], "archived", "{}", gone.text);
    let none = ask(&app, &automation, json!({})).await?;
    assert_eq!(none.status, StatusCode::CONFLICT, "{}", none.text);
    save(&app, &next).await?;
    Ok(())
}
