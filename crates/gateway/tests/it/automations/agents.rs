//! Steps that a model performs, against a provider that answers from a script.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use automation::Turn;
use axum::http::{Method, StatusCode};
use model::RunId;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeLinear, FakeModel, Says, Step},
};

use crate::{
    approvals::answers::{approve, opened, perform},
    automations::definitions::{advance, definition, save, show, start, text, waiting},
    invocations::invoke::{TEAM, notified, with_linear},
};

const KEY: &str = "a-key-of-agent-steps-314159";

static NUMBER: AtomicU32 = AtomicU32::new(1);

struct Stage {
    app: TestApp,
    linear: FakeLinear,
    model: FakeModel,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let (app, linear) = with_linear().await?;
        let stage = Self { app, linear, model: FakeModel::start(KEY).await };
        stage.model.otherwise(|asked| {
            let word = json!({ "word": "ready" });
            if asked.tools.is_empty() { Says::text(word.to_string()) } else { Says::calls([("note", word)]) }
        });
        stage.owner(Method::PUT, "/v1/secrets/model-key", json!({ "value": KEY })).await?;
        let provider = json!({
            "preset": "anthropic", "base_url": format!("{}/v1", stage.model.url()),
            "auth": { "kind": "header", "header": "x-api-key", "secret": "model-key" },
            "models": [{ "name": "fake-1", "context": 60_000, "max_output": 4_000,
                         "price": { "input": 1_000, "output": 10_000 } }],
        });
        stage.owner(Method::PUT, "/v1/models/fake", provider).await?;
        stage.app.rule("data.notify", "allow").await?;
        Ok(stage)
    }

    async fn owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let body = Some(body).filter(|body| !body.is_null());
        let done = self.app.send(method.clone(), path, &self.app.owner_token, body).await?;
        anyhow::ensure!(done.status.is_success(), "{method} {path}: {}", done.text);
        Ok(done.body)
    }

    /// Starts a run of one agent step with a script, and of a step that reads its result.
    async fn start(&self, changes: Value, script: Vec<Step>) -> anyhow::Result<RunId> {
        self.model.script(script);
        let automation = save(&self.app, &task(&changes)).await?;
        start(&self.app, &automation, json!({})).await
    }

    async fn inbox(&self) -> anyhow::Result<Vec<Value>> {
        let inbox = self.owner(Method::GET, "/v1/inbox", Value::Null).await?;
        Ok(inbox["items"].as_array().cloned().unwrap_or_default())
    }

    /// Advances a run until it rests, waits or is over.
    async fn go(&self, run: RunId) -> anyhow::Result<Turn> {
        advance(&self.app, run).await
    }

    /// Runs to the end; returns the class of the error, or nothing.
    async fn end(&self, run: RunId) -> anyhow::Result<String> {
        let turn = self.go(run).await?;
        let shown = show(&self.app, run).await?;
        anyhow::ensure!(turn == Turn::Over, "{turn:?} {shown}");
        Ok(text(&shown["error"]["class"]))
    }
}

/// An automation with a step of a model. Each has another name.
fn task(changes: &Value) -> Value {
    let mut step = json!({
        "step_id": "sort", "action": "agent_task", "output_as": "verdict",
        "config": {
            "goal": "Say what kind of issue this is.", "context": { "title": "It crashes" },
            "tools": ["linear.*"], "provider": "fake", "model": "fake-1", "max_turns": 4,
        },
        "output_schema": {
            "type": "object", "required": ["kind"], "additionalProperties": false,
            "properties": { "kind": { "type": "string", "enum": ["bug", "question"] } },
        },
    });
    for (name, value) in changes.as_object().into_iter().flatten() {
        match name.as_str() {
            "output_schema" => step["output_schema"] = value.clone(),
            name => step["config"][name] = value.clone(),
        }
    }
    let told = json!({
        "step_id": "tell", "action": "data.notify",
        "config": { "title": "It is a {{ verdict.kind }}" },
    });
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    definition(&format!("Sorts {number}"), &json!([step, told]))
}

fn bug() -> Step {
    Step::text(r#"{"kind":"bug"}"#)
}

fn list() -> (&'static str, Value) {
    ("linear__list_issues", json!({}))
}

fn create(title: &str) -> (&'static str, Value) {
    ("linear__create_issue", json!({ "team_id": TEAM, "title": title }))
}

#[tokio::test]
async fn a_model_reads_acts_and_answers_and_later_steps_use_the_answer() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.app.rule("linear.create_issue", "allow").await?;
    let script = vec![
        Step::new(Says::text_and_calls("I look first.", [list(), list()]).usage(400, 50, 0))
            .expect_system("Say what kind of issue this is.")
            .expect_user("It crashes"),
        Step::new(Says::calls([create("one"), create("two")]).usage(600, 60, 0)).expect_result("["),
        Step::new(Says::text(r#"{"kind":"bug"}"#).usage(800, 10, 0)).expect_result("one"),
    ];
    let run = stage.start(json!({}), script).await?;
    let before = stage.model.billed().calls;
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    assert_eq!(stage.model.billed().calls - before, 3);
    assert_eq!(stage.linear.effects().values().sum::<u64>(), 2);
    let shown = show(&stage.app, run).await?;
    let nano = 1_800 * 1_000 + 120 * 10_000;
    assert_eq!(shown["cost_usd"].as_f64(), Some(f64::from(nano) / 1e9), "{shown}");
    let told = notified(&stage.app).await?;
    assert_eq!(told[0]["title"], json!("It is a bug"), "{told:?}");
    let turns = &shown["steps"][0]["turns"];
    let names: Vec<String> =
        turns[0]["calls"].as_array().into_iter().flatten().map(|call| text(&call["action"])).collect();
    assert_eq!(names, ["linear.list_issues", "linear.list_issues"], "{turns}");
    assert_eq!((&turns[2]["stop"], &turns[2]["input_tokens"]), (&json!("done"), &json!(800)), "{turns}");
    let path = format!("/v1/runs/{run}/steps/sort/transcript");
    let said = stage.owner(Method::GET, &path, Value::Null).await?;
    assert_eq!(said["is_whole"], json!(true), "{said}");
    assert!(text(&said["context"]).contains("It crashes"), "{said}");
    assert_eq!(said["turns"][1]["calls"][0]["params"]["title"], json!("one"), "{said}");
    stage.app.check_invariants().await
}

#[tokio::test]
async fn questions_that_follow_each_other_are_asked_at_once() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let script = vec![
        Step::new(Says::text_and_calls("Both are needed.", [create("one"), create("two"), list()])),
        bug().expect_result("one"),
    ];
    let run = stage.start(json!({}), script).await?;
    assert!(matches!(stage.go(run).await?, Turn::Await { .. }));
    let items = stage.inbox().await?;
    assert_eq!(items.len(), 2, "{items:?}");
    assert!(format!("{items:?}").contains("Both are needed."), "{items:?}");
    // The answer to the second comes first.
    let first = text(&show(&stage.app, run).await?["awaits"]);
    for item in items.iter().filter(|item| item["invocation"]["id"] != json!(first)) {
        let asked = opened(&stage.app, &item["invocation"]["id"]).await?;
        approve(&stage.app, &asked).await?;
        perform(&stage.app, &asked).await?;
    }
    assert!(matches!(stage.go(run).await?, Turn::Await { .. }), "the other one is not answered");
    let asked = waiting(&stage.app, run).await?;
    approve(&stage.app, &asked).await?;
    perform(&stage.app, &asked).await?;
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    assert_eq!(stage.linear.effects().values().sum::<u64>(), 2);
    stage.app.check_invariants().await
}

#[tokio::test]
async fn an_allowed_effect_waits_for_a_question_before_it_and_a_question_for_an_effect() -> anyhow::Result<()>
{
    let stage = Stage::set().await?;
    stage.linear.put_issue("ENG-1", "old");
    stage.app.rule("linear.update_issue", "allow").await?;
    let update = |title: &str| ("linear__update_issue", json!({ "issue": "ENG-1", "title": title }));
    let script = vec![Step::calls([create("asked"), update("after"), create("later")]), bug()];
    let run = stage.start(json!({}), script).await?;
    assert!(matches!(stage.go(run).await?, Turn::Await { .. }));
    assert!(stage.linear.effects().is_empty(), "the update waits");
    assert_eq!(stage.inbox().await?.len(), 1, "and so does what comes after it");
    for title in ["asked", "later"] {
        let asked = waiting(&stage.app, run).await?;
        approve(&stage.app, &asked).await?;
        perform(&stage.app, &asked).await?;
        assert_eq!(stage.linear.count_effect(title), 1);
        if title == "asked" {
            assert!(matches!(stage.go(run).await?, Turn::Await { .. }));
            assert_eq!(stage.linear.issue("ENG-1").unwrap()["title"], json!("after"));
        }
    }
    assert_eq!(stage.end(run).await?, "");
    Ok(())
}

#[tokio::test]
async fn after_a_call_that_ends_the_step_nothing_more_of_its_turn_is_done() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.app.rule("linear.update_issue", "allow").await?;
    stage.linear.put_issue("ENG-1", "old");
    // A credential in the parameters is quarantined.
    let leak = create("the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a");
    let update = ("linear__update_issue", json!({ "issue": "ENG-1", "title": "new" }));
    let run = stage.start(json!({}), vec![Step::calls([leak, update, create("asked")])]).await?;
    assert_eq!(stage.end(run).await?, "quarantined");
    assert!(stage.linear.effects().is_empty());
    let kinds: Vec<Value> =
        stage.inbox().await?.iter().map(|item| item["invocation"]["status"].clone()).collect();
    assert!(!kinds.contains(&json!("pending")), "{kinds:?}");
    Ok(())
}

#[tokio::test]
async fn what_no_database_stores_does_not_stop_a_run() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let nul = "a\u{0}b";
    let script = vec![
        Step::new(Says::text_and_calls(
            nul,
            [(nul, json!({})), ("linear__get_issue", json!({ "issue": nul }))],
        )),
        Step::text(json!({ "kind": "bug", nul: 1 }).to_string()).expect_result("U+0000"),
        Step::text(json!({ "kind": "bug" }).to_string()),
    ];
    let run = stage.start(json!({}), script).await?;
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    // What a target answers may hold it too.
    stage.linear.put_issue("ENG-9", nul);
    let script = vec![
        Step::calls([("linear__get_issue", json!({ "issue": "ENG-9" }))]),
        bug().expect_result("a\u{fffd}b"),
    ];
    let run = stage.start(json!({}), script).await?;
    assert_eq!(stage.end(run).await?, "");
    stage.app.check_invariants().await
}

#[tokio::test]
async fn a_turn_that_could_not_be_asked_is_not_asked_after_it_was_cancelled() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let run = stage.start(json!({}), vec![]).await?;
    let before = stage.model.asked().len();
    let stop = json!({ "scope": "source", "subject": "model", "conduct": "halted", "reason": "a test" });
    stage.owner(Method::PUT, "/v1/conduct", stop).await?;
    assert!(matches!(stage.go(run).await?, Turn::Rest { .. }), "the turn is written and not asked");
    stage.owner(Method::POST, &format!("/v1/runs/{run}/cancel"), Value::Null).await?;
    assert_eq!(stage.go(run).await?, Turn::Over);
    assert_eq!(show(&stage.app, run).await?["status"], "cancelled");
    assert_eq!(stage.model.asked().len(), before);
    Ok(())
}

#[tokio::test]
async fn mistakes_of_the_model_are_told_to_it_and_it_goes_on() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.app.rule("linear.create_issue", "deny").await?;
    let script = vec![
        Step::calls([("linear__lst_issues", json!({}))]),
        Step::new(Says::broken_arguments("linear__list_issues", "{\"a\": "))
            .expect_result("linear__list_issues"),
        Step::calls([("linear__get_issue", json!({ "ticket": "x" })), create("no")])
            .expect_result("not a JSON object"),
        bug().expect_result("denied").expect_no_tools(),
    ];
    let run = stage.start(json!({}), script).await?;
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    assert!(stage.linear.effects().is_empty());
    // An answer that does not fit goes back twice.
    let wrong = || Step::text(r#"{"kind":"cat"}"#);
    let script =
        vec![wrong(), wrong().expect_user("/kind"), bug().expect_user("does not fit").expect_schema()];
    let run = stage.start(json!({}), script).await?;
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    Ok(())
}

#[tokio::test]
async fn a_step_that_does_not_get_further_ends_with_a_reason() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let again = || Step::calls([("linear__get_issue", json!({ "issue": "none" }))]);
    let wrong = || Step::text("a cat");
    for (changes, script, class) in [
        (json!({}), vec![Says::Refusal.into()], "refused"),
        (json!({}), vec![wrong(), wrong(), wrong()], "output_mismatch"),
        (
            json!({ "max_output_tokens": 1_000 }),
            vec![Says::text("a lo").cut().into(), Says::text("a lo").cut().into()],
            "output_cut",
        ),
        (json!({}), vec![Says::text("no room left").cut().into()], "output_cut"),
        (json!({}), vec![again(), again(), again()], "stuck"),
        (json!({ "max_turns": 2 }), vec![Step::calls([list()]), Step::calls([list()])], "max_turns"),
        (json!({}), vec![Says::ContextExceeded.into()], "context_exceeded"),
        (
            json!({}),
            vec![Says::fail(429, "billing_error", Some("insufficient_quota")).into()],
            "quota_exhausted",
        ),
        (json!({}), vec![Says::fail(401, "authentication_error", None).into()], "auth"),
        (json!({ "budget_usd": 0.000_1 }), vec![], "over_budget"),
    ] {
        let told = format!("{class} {script:?}");
        let run = stage.start(changes, script).await?;
        assert_eq!(stage.end(run).await?, class, "{told}");
        assert_eq!(stage.model.finish(), Ok(()), "{told}");
    }
    stage.app.check_invariants().await
}

#[tokio::test]
async fn a_provider_that_fails_is_asked_again_after_the_wait_it_asks_for() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let busy = Says::fail(429, "rate_limit_error", None).retry_after("30");
    let run = stage
        .start(json!({}), vec![busy.into(), Says::fail(529, "overloaded_error", None).into(), bug()])
        .await?;
    assert_eq!(stage.go(run).await?, Turn::Rest { ms: 30_000 });
    assert!(matches!(stage.go(run).await?, Turn::Rest { .. }), "not before");
    stage.app.advance(Duration::from_secs(31));
    assert!(matches!(stage.go(run).await?, Turn::Rest { .. }));
    stage.app.advance(Duration::from_secs(10));
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.finish(), Ok(()));
    Ok(())
}

#[tokio::test]
async fn what_a_dead_process_paid_for_is_not_paid_for_again() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.app.rule("linear.create_issue", "allow").await?;
    let script = vec![Step::calls([create("once")]), bug()];
    let run = stage.start(json!({}), script).await?;
    assert_eq!(stage.end(run).await?, "");
    let (billed, effects) = (stage.model.billed().calls, stage.linear.effects());
    // As if the process had died before it recorded anything of what it did.
    let mut owner = stage.app.db.owner().await?;
    for forget in [
        "DELETE FROM agent_calls",
        "UPDATE agent_turns SET invocation_id = NULL, reply = NULL, stop = NULL, problems = NULL, finished_at = NULL",
        "DELETE FROM agent_turns WHERE turn > 1",
        "DELETE FROM run_steps",
        "UPDATE runs SET status = 'running', finished_at = NULL",
        "UPDATE sessions SET ended_at = NULL",
    ] {
        sqlx::query(forget).execute(&mut owner).await?;
    }
    assert_eq!(stage.end(run).await?, "");
    assert_eq!(stage.model.billed().calls, billed, "every reply is paid for once");
    assert_eq!(stage.linear.effects(), effects);
    Ok(())
}

#[tokio::test]
async fn cancelling_withdraws_every_question_of_a_turn() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let run = stage.start(json!({}), vec![Step::calls([create("one"), create("two")])]).await?;
    assert!(matches!(stage.go(run).await?, Turn::Await { .. }));
    stage.owner(Method::POST, &format!("/v1/runs/{run}/cancel"), Value::Null).await?;
    let inbox = stage.owner(Method::GET, "/v1/inbox", Value::Null).await?;
    assert_eq!(inbox["items"], json!([]));
    assert_eq!(show(&stage.app, run).await?["status"], "cancelled");
    assert!(stage.linear.effects().is_empty());
    stage.app.check_invariants().await
}

#[tokio::test]
async fn budgets_of_runs_and_days_hold() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.model.otherwise(|_| Says::text(r#"{"kind":"bug"}"#).usage(500, 100, 0));
    // One question costs 0.0015 USD, and reserves more than 0.01.
    for (field, cap, expected) in [
        ("budget_cap_usd", 0.02, 10..=10),
        ("daily_budget_usd", 0.02, 2..=6),
        ("budget_cap_usd", 0.01, 0..=0),
    ] {
        let mut automation = task(&json!({ "max_output_tokens": 1_000 }));
        automation["execution"] = json!({ field: cap });
        let automation = save(&stage.app, &automation).await?;
        let mut ends = Vec::new();
        for _ in 0..10 {
            let run = start(&stage.app, &automation, json!({})).await?;
            ends.push(stage.end(run).await?);
        }
        let succeeded = ends.iter().take_while(|end| end.is_empty()).count();
        assert!(expected.contains(&succeeded), "{field} {cap}: {ends:?}");
        assert!(ends.iter().skip(succeeded).all(|end| end == "over_budget"), "{field} {cap}: {ends:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_definition_says_what_a_step_of_a_model_cannot_be() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    for (changes, place) in [
        (json!({ "goal": "Sort {{ inputs.text }}" }), "/plan/0/config/goal"),
        (json!({ "goal": "In {{ run.space }}" }), ""),
        (json!({ "provider": "fak" }), "/plan/0/config/provider"),
        (json!({ "model": "{{ run.id }}" }), "/plan/0/config/model"),
        (json!({ "model": "fake-2" }), "/plan/0/config/model"),
        (json!({ "tools": ["linear.listissues"] }), "/plan/0/config/tools/0"),
        (json!({ "tools": ["model.fake"] }), "/plan/0/config/tools/0"),
        (json!({ "tools": ["batch.*"] }), "/plan/0/config/tools/0"),
        (json!({ "goal": "{{ run }}" }), "/plan/0/config/goal"),
        (json!({ "max_turns": 99 }), "/plan/0/config/max_turns"),
        (json!({ "surprise": 1 }), "/plan/0/config"),
    ] {
        let mut definition = task(&changes);
        definition["inputs"] = json!({ "schema": { "type": "object", "properties": { "text": {} } } });
        let body = json!({ "definition": definition });
        let found = stage.owner(Method::POST, "/v1/automations/validate", body).await?;
        let places: Vec<String> =
            found["problems"].as_array().into_iter().flatten().map(|one| text(&one["pointer"])).collect();
        let is_told =
            if place.is_empty() { places.is_empty() } else { places.iter().any(|at| at.starts_with(place)) };
        assert!(is_told, "{changes} {found}");
    }
    let direct = json!([{ "step_id": "ask", "action": "model.fake", "config": {} }]);
    let body = json!({ "definition": definition("Direct", &direct) });
    let refused = stage.app.send(Method::POST, "/v1/automations", &stage.app.owner_token, Some(body)).await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    Ok(())
}
