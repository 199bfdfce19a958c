//! Activity: filters and search find every invocation of the organization, by its fields and by the text in it, and
//! none of another organization.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, TestApp};

use crate::{
    approvals::answers::{approve, ask, perform},
    automations::definitions::{advance, definition, make, save, start, text, waiting},
    invocations::invoke::{issue, with_github, with_linear},
};

pub(crate) async fn get(app: &TestApp, path: &str) -> anyhow::Result<Value> {
    let found = app.send(Method::GET, path, &app.owner_token, None).await?;
    anyhow::ensure!(found.status == StatusCode::OK, "{path}: {}", found.text);
    Ok(found.body)
}

/// The ids of the invocations that a query finds.
async fn found(app: &TestApp, query: &str) -> anyhow::Result<Vec<String>> {
    let page = get(app, &format!("/v1/invocations?{query}")).await?;
    Ok(page["items"].as_array().into_iter().flatten().map(|item| text(&item["id"])).collect())
}

async fn list(app: &TestApp, agent: &Agent) -> anyhow::Result<String> {
    Ok(text(&app.invoke(agent, "linear.list_issues", json!({})).await?.body["id"]))
}

#[tokio::test]
async fn every_filter_finds_what_it_names_and_nothing_else() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let (one, other) = (app.agent().await?, app.agent().await?);
    let read = list(&app, &one).await?;
    app.advance(Duration::from_secs(60));
    let middle = app.app.world.clock.now();
    let asked = ask(&app, &other, "Größe of the naïve Title").await?.id;
    app.advance(Duration::from_secs(1));
    let body = json!({"action": "linear.create_issue", "params": issue("Only look"), "dry_run": true});
    let path = format!("/v1/sessions/{}/actions/invoke", other.session);
    let dry = text(&app.send(Method::POST, &path, &other.token, Some(body)).await?.body["id"]);
    let space = text(&get(&app, "/v1/spaces").await?["items"][0]["slug"]);
    for (query, wanted) in [
        (String::new(), vec![&dry, &asked, &read]),
        (format!("session={}", one.session), vec![&read]),
        (format!("space={space}"), vec![&dry, &asked, &read]),
        ("space=nowhere".to_owned(), vec![]),
        ("source=linear".to_owned(), vec![&dry, &asked, &read]),
        ("source=slack".to_owned(), vec![]),
        ("action=linear.list_issues".to_owned(), vec![&read]),
        ("action=create_issue".to_owned(), vec![&dry, &asked]),
        ("source=slack&action=linear.list_issues".to_owned(), vec![]),
        ("status=pending,succeeded".to_owned(), vec![&asked, &read]),
        ("risk=R1".to_owned(), vec![&read]),
        ("risk=R2,R3&status=skipped".to_owned(), vec![&dry]),
        (format!("since={middle}"), vec![&dry, &asked]),
        (format!("until={middle}"), vec![&read]),
        ("q=NA%C3%AFVE%20title".to_owned(), vec![&asked]),
        ("q=test-AGENT".to_owned(), vec![&dry, &asked, &read]),
        ("q=linear.list".to_owned(), vec![&read]),
        (format!("q={asked}"), vec![&asked]),
        (format!("q={}", &asked[4..]), vec![&asked]),
        (format!("q={asked}&status=succeeded"), vec![]),
        ("q=nowhere".to_owned(), vec![]),
    ] {
        assert_eq!(found(&app, &query).await?.iter().collect::<Vec<_>>(), wanted, "{query}");
    }
    for query in ["status=lost", "risk=R9", "session=x", "run=x", "source=A!", "q=%00", "since=then", "x=y"] {
        let path = format!("/v1/invocations?{query}");
        let refused = app.send(Method::GET, &path, &app.owner_token, None).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {}", refused.text);
    }
    let long = format!("/v1/invocations?q={}", "x".repeat(201));
    assert_eq!(app.send(Method::GET, &long, &app.owner_token, None).await?.status, 422);
    Ok(())
}

#[tokio::test]
async fn a_page_leads_to_the_next_and_a_line_of_parameters_is_redacted_and_cut() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let mut params = issue("Long");
    params["description"] = json!(format!("token ghp_{} {}", "a".repeat(36), "é".repeat(400)));
    // The invocation is quarantined because of its content, and reported as a problem.
    let long = text(&app.invoke(&agent, "linear.create_issue", params).await?.body["invocation"]);
    let mut all = vec![long];
    for _ in 0..4 {
        app.advance(Duration::from_millis(5));
        all.push(list(&app, &agent).await?);
    }
    all.reverse();
    let mut seen = Vec::new();
    let mut path = "/v1/invocations?limit=2".to_owned();
    loop {
        let page = get(&app, &path).await?;
        seen.extend(page["items"].as_array().cloned().unwrap_or_default());
        assert_eq!(page.get("searched_until"), None, "not on a full page, nor on the last one");
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/invocations?limit=2&cursor={cursor}");
    }
    assert_eq!(seen.iter().map(|item| text(&item["id"])).collect::<Vec<_>>(), all);
    let line = text(&seen[4]["params_line"]);
    assert_eq!((line.chars().count(), line.ends_with('…')), (300, true), "{line}");
    assert!(!line.contains("ghp_aaa"), "{line}");
    let read = &seen[0];
    assert_eq!((&read["params_line"], &read["status"]), (&json!("{}"), &json!("succeeded")));
    assert!(read["started_at"].is_string() && read["receipt"].is_string(), "{read}");
    Ok(())
}

#[tokio::test]
async fn a_search_stops_after_a_window_and_goes_on_from_there() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let oldest = ask(&app, &agent, "The needle").await?.id;
    app.advance(Duration::from_secs(1));
    let hay = list(&app, &agent).await?.parse::<model::InvocationId>()?;
    let mut tx = app.app.db.begin(app.org).await?;
    // Copies of the same invocation, each a millisecond later than the one before.
    let columns = "session_id, space_id, agent, source, action, definition_hash, risk, effect, mode, mode_source, decision, \
        status, dry_run, params, shown_digest, attempts, receipt_id, requested_at, started_at, finished_at";
    let many = format!(
        "INSERT INTO invocations (org_id, id, {columns})
         SELECT org_id, uuid_at(requested_at + n * interval '1 ms'), {columns}
         FROM invocations, generate_series(1, 7000) n WHERE id = $1"
    );
    sqlx::query(sqlx::AssertSqlSafe(many)).bind(hay.uuid()).execute(&mut *tx).await?;
    platform::db::commit(tx).await?;
    for session in [String::new(), format!("&session={}", agent.session)] {
        let first = get(&app, &format!("/v1/invocations?q=needle{session}")).await?;
        assert_eq!(first["items"], json!([]), "the first window does not reach the oldest invocation");
        let cursor = text(&first["next_cursor"]);
        assert!(first["searched_until"].is_string(), "{first}");
        let second = get(&app, &format!("/v1/invocations?q=needle{session}&cursor={cursor}")).await?;
        assert_eq!(text(&second["items"][0]["id"]), oldest);
        assert_eq!((second.get("next_cursor"), second.get("searched_until")), (None, None));
        assert_eq!(
            found(&app, &format!("q={oldest}{session}")).await?,
            [oldest.as_str()],
            "a whole id is found at once"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_step_of_a_run_names_its_run_wherever_it_is_shown() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let automation = save(&app, &definition("Asks", &json!([make("ask", "May I?")]))).await?;
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let agent = app.agent().await?;
    let read = list(&app, &agent).await?;
    let asked = waiting(&app, run).await?.id;
    assert_eq!(found(&app, &format!("run={run}")).await?, [asked.as_str()]);
    let listed = get(&app, &format!("/v1/invocations?run={run}")).await?["items"][0].clone();
    let shown = get(&app, &format!("/v1/invocations/{asked}")).await?;
    let inbox = get(&app, "/v1/inbox").await?["items"][0]["invocation"].clone();
    for place in [listed, shown, inbox] {
        assert_eq!(
            (&place["run"], &place["automation"]),
            (&json!(run.to_string()), &automation["id"]),
            "{place}"
        );
        assert_eq!(place["space"], "main", "{place}");
    }
    let own = get(&app, &format!("/v1/invocations/{read}")).await?;
    assert_eq!((own.get("run"), own.get("automation"), &own["space"]), (None, None, &json!("main")));
    Ok(())
}

#[tokio::test]
async fn tries_that_failed_are_listed_in_order() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    linear.fail_next(503);
    let read = list(&app, &agent).await?;
    let attempts = get(&app, &format!("/v1/invocations/{read}/attempts")).await?;
    let first = &attempts["items"][0];
    assert_eq!(attempts["items"].as_array().map(Vec::len), Some(1), "{attempts}");
    assert_eq!(
        (&first["number"], &first["class"], &first["retried"]),
        (&json!(1), &json!("transient"), &json!(true)),
        "{first}"
    );
    let calm = list(&app, &agent).await?;
    assert_eq!(get(&app, &format!("/v1/invocations/{calm}/attempts")).await?, json!({ "items": [] }));
    Ok(())
}

#[tokio::test]
async fn both_receipts_of_a_doubt_are_found_by_its_invocation() -> anyhow::Result<()> {
    let (app, github) = with_github().await?;
    let agent = app.agent().await?;
    github.reset_after_request();
    let params = json!({ "owner": "acme", "repo": "site", "title": "x" });
    let lost = app.invoke(&agent, "github.create_issue", params).await?.body;
    let (id, first) = (text(&lost["invocation"]), text(&lost["receipt"]));
    app.advance(Duration::from_secs(1));
    let path = format!("/v1/invocations/{id}/reconcile");
    let evidence = json!({ "outcome": "succeeded", "evidence": "issue 1" });
    let done = app.send(Method::POST, &path, &app.owner_token, Some(evidence)).await?.body;
    let receipts = get(&app, &format!("/v1/receipts?invocation={id}")).await?;
    let ids: Vec<String> =
        receipts["items"].as_array().into_iter().flatten().map(|item| text(&item["id"])).collect();
    assert_eq!(ids, [text(&done["receipt"]), first]);
    let elsewhere = app.agent().await?;
    let path = format!("/v1/receipts?invocation={id}&session={}", elsewhere.session);
    assert_eq!(get(&app, &path).await?["items"], json!([]));
    Ok(())
}

#[tokio::test]
async fn what_waits_has_no_receipt_to_be_found_until_it_is_over() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Please").await?;
    let path = format!("/v1/receipts?invocation={}", waiting.id);
    assert_eq!(get(&app, &path).await?["items"], json!([]));
    approve(&app, &waiting).await?;
    perform(&app, &waiting).await?;
    assert_eq!(get(&app, &path).await?["items"][0]["invocation"], json!(waiting.id));
    Ok(())
}
