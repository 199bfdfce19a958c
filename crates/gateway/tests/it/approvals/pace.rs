//! How fast people approve, and which rule would have answered most questions.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use testkit::{Agent, TestApp};

use crate::{
    approvals::answers::{answer, opened},
    invocations::invoke::{TEAM, with_linear},
};

/// Asks, opens, and answers so many seconds later.
async fn answered(
    app: &TestApp,
    agent: &Agent,
    params: Value,
    (verb, seconds): (&str, u64),
) -> anyhow::Result<()> {
    let asked = app.invoke(agent, "linear.create_issue", params).await?;
    let waiting = opened(app, &asked.body["id"]).await?;
    app.advance(Duration::from_secs(seconds));
    // Opening it again does not begin again.
    opened(app, &asked.body["id"]).await?;
    let said = answer(app, &app.owner_token, (verb, &waiting), json!({})).await?;
    anyhow::ensure!(said.status.is_success(), "{}", said.text);
    Ok(())
}

#[tokio::test]
async fn who_approves_faster_than_they_can_read_is_told() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let pace = async || -> anyhow::Result<Value> {
        Ok(app.send(Method::GET, "/v1/inbox/pace", &app.owner_token, None).await?.body)
    };
    assert_eq!(pace().await?, json!({ "days": 7, "lengths": [], "too_fast": false }));
    let long = json!({ "team_id": TEAM, "title": "long", "description": "word ".repeat(600) });
    for _ in 0..5 {
        answered(&app, &agent, long.clone(), ("approve", 2)).await?;
        // Short ones may be approved quickly, and denials may be quick.
        let short = json!({ "team_id": TEAM, "title": "short" });
        answered(&app, &agent, short.clone(), ("approve", 20)).await?;
    }
    answered(&app, &agent, long, ("deny", 0)).await?;
    let found = pace().await?;
    let [short, long] = [&found["lengths"][0], &found["lengths"][1]];
    assert_eq!((&short["length"], &long["length"]), (&json!("short"), &json!("long")), "{found}");
    assert_eq!((&short["answers"], &long["answers"]), (&json!(5), &json!(5)), "{found}");
    assert_eq!((&short["median_s"], &long["median_s"]), (&json!(20.0), &json!(2.0)), "{found}");
    assert_eq!((&short["too_fast"], &long["too_fast"]), (&json!(false), &json!(true)), "{found}");
    assert!(long["reading_s"].as_f64().is_some_and(|seconds| seconds > 45.0), "{found}");
    assert_eq!(found["too_fast"], true);
    app.advance(Duration::from_secs(8 * 24 * 60 * 60));
    assert_eq!(pace().await?["lengths"], json!([]));
    Ok(())
}

#[tokio::test]
async fn the_overview_says_who_answered_and_which_rule_would_have() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    for n in 0..4 {
        answered(&app, &agent, json!({ "team_id": TEAM, "title": format!("t{n}") }), ("approve", 4)).await?;
    }
    answered(&app, &agent, json!({ "team_id": "other", "title": "t9" }), ("deny", 4)).await?;
    let overview = async || -> anyhow::Result<Value> {
        // What happens at this moment is not in the period yet.
        app.advance(Duration::from_secs(1));
        Ok(app.send(Method::GET, "/v1/overview", &app.owner_token, None).await?.body)
    };
    let found = overview().await?;
    assert_eq!(found["people"][0]["answers"], 5, "{found}");
    assert_eq!(found["people"][0]["median_s"], 4.0, "{found}");
    let suggested = &found["suggestions"][0];
    assert_eq!(suggested["action"], "linear.create_issue", "{found}");
    assert_eq!(suggested["where"], json!({ "team_id": { "equals": TEAM } }), "{found}");
    assert_eq!(suggested["questions"], 4, "{found}");
    // It can be set as it is, and then it is no longer suggested.
    let rule = json!({ "action": suggested["action"], "mode": "allow", "where": suggested["where"] });
    let set = app.send(Method::PUT, "/v1/rules", &app.owner_token, Some(rule)).await?;
    assert!(set.status.is_success(), "{}", set.text);
    assert_eq!(overview().await?["suggestions"], json!([]));
    Ok(())
}
