//! The matrix, the sources and the validation of a definition show the decision that the policy would make.

use axum::http::Method;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    activity::get,
    automations::definitions::{advance, definition, make, save, start, text},
    invocations::invoke::{issue, with_linear},
    sources::connectors::{add, review, shown_to},
};

async fn row(app: &TestApp, query: &str, action: &str) -> anyhow::Result<Value> {
    let matrix = get(app, &format!("/v1/policy/matrix?{query}")).await?;
    let rows = matrix["rows"].as_array().cloned().unwrap_or_default();
    Ok(rows.into_iter().find(|row| row["action"] == action).unwrap_or_default())
}

async fn put(app: &TestApp, rule: Value) -> anyhow::Result<Value> {
    Ok(app.send(Method::PUT, "/v1/rules", &app.owner_token, Some(rule)).await?.body["id"].clone())
}

#[tokio::test]
async fn every_mode_of_the_matrix_is_the_one_a_session_is_shown() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let mcp = FakeMcp::start(vec![tool("echo", json!({}))], None).await?;
    add(&app, "notes", &mcp, json!({ "kind": "none" })).await?;
    put(&app, json!({ "action": "linear.*", "mode": "allow" })).await?;
    put(&app, json!({ "action": "sentry.*", "mode": "deny", "reason": "not yet" })).await?;
    let agent = app.agent().await?;
    let path = format!("/v1/sessions/{}/actions/available", agent.session);
    for band in ["green", "amber", "red", "black"] {
        let space = text(&get(&app, "/v1/spaces").await?["items"][0]["id"]);
        let body = json!({ "risk_band": band });
        app.send(Method::PATCH, &format!("/v1/spaces/{space}"), &app.owner_token, Some(body)).await?;
        let matrix = get(&app, "/v1/policy/matrix").await?;
        assert_eq!((&matrix["band"], &matrix["space"]), (&json!(band), &json!("main")));
        let mut shown: Vec<Value> =
            get(&app, &path).await?["actions"].as_array().cloned().unwrap_or_default();
        shown.sort_by_key(|action| text(&action["action"]));
        let told = |action: &Value| {
            [&action["action"], &action["mode"], &action["reason"], &action["risk"]].map(Clone::clone)
        };
        let shown: Vec<_> = shown.iter().map(told).collect();
        let rows: Vec<_> = matrix["rows"].as_array().into_iter().flatten().map(told).collect();
        assert_eq!(rows, shown, "{band}");
        assert!(rows.len() > 20);
    }
    Ok(())
}

#[tokio::test]
async fn a_row_names_the_rule_that_spoke_and_every_step_that_followed() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let everything = put(&app, json!({ "action": "linear.*", "mode": "allow", "reason": "trusted" })).await?;
    let automation = save(&app, &definition("Makes", &json!([make("make", "One")]))).await?;
    let body = json!({ "action": "linear.create_issue", "mode": "deny", "automation": automation["id"] });
    let own = put(&app, body).await?;
    let of_org = row(&app, "", "linear.create_issue").await?;
    assert_eq!(
        (&of_org["rule"], &of_org["mode_source"], &of_org["mode"]),
        (&everything, &json!("org_rule"), &json!("allow"))
    );
    assert_eq!(
        of_org["steps"],
        json!([
            "org_rule: rule of the organization for `linear.*`: trusted",
            "gate capability: pass",
            "gate consent: pass",
            "gate space: pass",
            "gate safety: pass",
            "so: allow"
        ])
    );
    let query = format!("automation={}", text(&automation["id"]));
    let of_automation = row(&app, &query, "linear.create_issue").await?;
    assert_eq!((&of_automation["rule"], &of_automation["mode"]), (&own, &json!("deny")));
    let inferred = row(&app, &query, "slack.send_message").await?;
    assert_eq!((inferred.get("rule"), &inferred["mode_source"]), (None, &json!("inferred")));
    let space = json!({ "slug": "careful", "name": "Careful", "risk_band": "black" });
    app.send(Method::POST, "/v1/spaces", &app.owner_token, Some(space)).await?;
    let held = row(&app, "space=careful", "linear.create_issue").await?;
    assert_eq!((&held["mode"], &held["guardrails"]), (&json!("deny"), &json!(["band"])));
    assert_eq!(held["rule"], everything, "the rule applied, and the band overrode it");
    Ok(())
}

#[tokio::test]
async fn a_source_shows_its_actions_with_their_state_and_how_they_went() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    for _ in 0..2 {
        app.invoke(&agent, "linear.list_issues", json!({})).await?;
    }
    linear.fail_next(400);
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    app.invoke(&agent, "linear.create_issue", issue("Please")).await?;
    let mcp = FakeMcp::start(vec![tool("echo", json!({})), tool("read", json!({}))], None).await?;
    add(&app, "notes", &mcp, json!({ "kind": "none" })).await?;
    review(&app, "notes", "read", json!({ "risk": "R1" })).await?;
    let sources = get(&app, "/v1/sources").await?;
    let source = |name: &str| {
        let items = sources["items"].as_array().cloned().unwrap_or_default();
        items.into_iter().find(|item| item["source"] == name).unwrap_or_default()
    };
    let used = source("linear");
    assert_eq!((&used["kind"], &used["connected"]), (&json!("integration"), &json!(true)), "{used}");
    let usage = &used["usage"];
    assert_eq!(
        (&usage["calls"], &usage["succeeded"], &usage["failed"], &usage["days"]),
        (&json!(4), &json!(2), &json!(1), &json!(30)),
        "{usage}"
    );
    assert!(usage["p50_ms"].is_i64() && usage["last_at"].is_string(), "{usage}");
    assert_eq!(source("files")["kind"], "native");
    assert_eq!(source("slack")["connected"], false);
    let notes = source("notes");
    assert_eq!(
        (&notes["kind"], &notes["actions"], &notes["to_review"], notes["connector"].is_string()),
        (&json!("mcp"), &json!(2), &json!(1), true),
        "{notes}"
    );
    let detail = get(&app, "/v1/sources/notes").await?;
    for action in detail["actions"].as_array().into_iter().flatten() {
        let shown = shown_to(&app, &agent, &text(&action["action"])).await?;
        assert_eq!((&action["mode"], &action["reason"]), (&shown["mode"], &shown["reason"]));
        let wanted = if action["action"] == "notes.read" { "reviewed" } else { "new" };
        assert_eq!(action["state"], wanted, "{action}");
    }
    let detail = get(&app, "/v1/sources/linear").await?;
    let actions = detail["actions"].as_array().cloned().unwrap_or_default();
    let lists =
        actions.iter().find(|action| action["action"] == "linear.list_issues").cloned().unwrap_or_default();
    assert_eq!((&lists["usage"]["calls"], lists.get("state")), (&json!(3), None), "{lists}");
    // A disabled connector is still listed, with the reason.
    let off = json!({ "enabled": false });
    app.send(Method::PATCH, "/v1/connectors/notes", &app.owner_token, Some(off)).await?;
    let off = get(&app, "/v1/sources/notes").await?;
    assert_eq!(
        (&off["source"]["connected"], &off["source"]["problem"], &off["actions"]),
        (&json!(false), &json!("disabled"), &json!([]))
    );
    let nowhere = app.send(Method::GET, "/v1/sources/nowhere", &app.owner_token, None).await?;
    assert_eq!(nowhere.status, 404);
    Ok(())
}

#[tokio::test]
async fn a_definition_is_told_what_policy_would_say_to_its_steps_even_while_it_is_wrong() -> anyhow::Result<()>
{
    let (app, _linear) = with_linear().await?;
    app.rule("linear.add_comment", "deny").await?;
    let plan = json!([
        make("make", "One"),
        { "step_id": "list", "action": "linear.list_issues" },
        { "step_id": "lost", "action": "linear.no_such_thing" },
        { "step_id": "both", "action": "batch.run", "config": { "parts": [
            { "action": "linear.list_issues" }, { "action": "linear.add_comment" }
        ] } },
        { "step_id": 7 },
    ]);
    let body = json!({ "definition": { "plan": plan } });
    let seen = app.send(Method::POST, "/v1/automations/validate", &app.owner_token, Some(body)).await?.body;
    assert_eq!(seen["valid"], false);
    let steps = seen["steps"].as_array().cloned().unwrap_or_default();
    let modes: Vec<_> = steps.iter().map(|step| (text(&step["step_id"]), text(&step["mode"]))).collect();
    let wanted = [("make", "require_approval"), ("list", "allow"), ("both", "deny")];
    assert_eq!(modes, wanted.map(|(step, mode)| (step.to_owned(), mode.to_owned())));
    // The rules of the automation that the definition would become a new version of apply as well.
    let automation = save(&app, &definition("Makes", &json!([make("make", "One")]))).await?;
    let rule = json!({ "action": "linear.create_issue", "mode": "allow", "automation": automation["id"] });
    put(&app, rule).await?;
    let body = json!({ "definition": definition("Makes", &json!([make("make", "One")])), "automation": automation["id"] });
    let seen = app.send(Method::POST, "/v1/automations/validate", &app.owner_token, Some(body)).await?.body;
    assert_eq!((&seen["valid"], &seen["steps"][0]["mode"]), (&json!(true), &json!("allow")), "{seen}");
    Ok(())
}

#[tokio::test]
async fn an_automation_shows_its_last_twenty_runs_the_oldest_first() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let mut plan = definition("Lists", &json!([{ "step_id": "list", "action": "linear.list_issues" }]));
    plan["execution"] = json!({ "concurrency": "allow_parallel" });
    let automation = save(&app, &plan).await?;
    assert_eq!(automation["recent"], json!([]));
    let mut runs = Vec::new();
    for number in 0..22 {
        // The runs are spread over time, because many in one minute would be refused as a loop.
        app.advance(std::time::Duration::from_secs(30));
        let run = start(&app, &automation, json!({})).await?;
        if number > 0 {
            advance(&app, run).await?;
        }
        runs.push(run.to_string());
    }
    let listed = get(&app, "/v1/automations").await?["items"][0].clone();
    let recent = listed["recent"].as_array().cloned().unwrap_or_default();
    assert_eq!(recent.iter().map(|run| text(&run["run"])).collect::<Vec<_>>(), runs[2..]);
    assert_eq!(
        (&recent[19]["status"], recent[19]["took_ms"].is_i64()),
        (&json!("succeeded"), true),
        "{listed}"
    );
    assert_eq!(listed["last_run"]["id"], recent[19]["run"]);
    Ok(())
}
