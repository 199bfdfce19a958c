//! Comparing policies with the solver, which `scripts/tools solver` installs.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::TestApp;

use super::{fact, owner, policy};
use crate::invocations::invoke::with_linear;

const FORBID: &str = r#"forbid (principal, action == Action::"linear.create_issue", resource)"#;

fn cap(name: &str, annotations: &str, condition: &str) -> String {
    format!("@id(\"{name}\") {annotations} {FORBID} when {{ {condition} }};")
}

async fn compare(app: &TestApp, request: Value) -> anyhow::Result<Value> {
    let answered = owner(app, Method::POST, "/v1/policies/compare", Some(request)).await?;
    anyhow::ensure!(answered.status == StatusCode::OK, "{}", answered.text);
    anyhow::ensure!(
        answered.body["solver"].as_str().is_some_and(|solver| solver.contains("cvc5")),
        "{}",
        answered.text
    );
    Ok(answered.body)
}

async fn loosened(app: &TestApp, text: &str) -> anyhow::Result<Value> {
    Ok(compare(app, json!({ "text": text })).await?["loosened"].clone())
}

const POINTS: &str = "context.input has priority && context.history.points + context.input.priority";

async fn with_a_cap() -> anyhow::Result<TestApp> {
    let (app, _linear) = with_linear().await?;
    let points = json!({
        "kind": "sum", "of": ["linear.create_issue"], "field": "input.priority", "within": "1h", "per": "space",
    });
    fact(&app, "points", points).await?;
    policy(&app, &cap("cap", "@mode(\"deny\")", &format!("{POINTS} > 10"))).await?;
    Ok(app)
}

#[tokio::test]
async fn a_loosened_policy_is_found_with_a_request_that_shows_it() -> anyhow::Result<()> {
    let app = with_a_cap().await?;
    let text = cap("cap", "@mode(\"deny\")", &format!("{POINTS} > 12"));
    let found = compare(&app, json!({ "text": text })).await?;
    assert_eq!(found["loosened"], true, "{found}");
    let action = &found["actions"][0];
    assert_eq!((&action["action"], &action["loosened"]), (&json!("linear.create_issue"), &json!(true)));
    // The example lies between the two caps.
    let (params, history) = (&action["example"]["params"], &action["example"]["history"]);
    let points =
        params["priority"].as_i64().unwrap_or_default() + history["points"].as_i64().unwrap_or_default();
    assert!((11..=12).contains(&points), "{found}");
    assert_eq!(
        (&action["example"]["before"], &action["example"]["after"]),
        (&json!("deny"), &json!("allow"))
    );
    // A tighter one, the same, and one that denies more.
    assert_eq!(loosened(&app, &cap("cap", "@mode(\"deny\")", &format!("{POINTS} > 9"))).await?, false);
    assert_eq!(loosened(&app, &cap("cap", "@mode(\"deny\")", &format!("{POINTS} > 10"))).await?, false);
    assert_eq!(loosened(&app, &cap("other", "@mode(\"ask\")", "context.now.hour < 8")).await?, false);
    // Asking where it was denied is looser, although both stop the request.
    assert_eq!(loosened(&app, &cap("cap", "@mode(\"ask\")", &format!("{POINTS} > 10"))).await?, true);
    Ok(())
}

#[tokio::test]
async fn a_removed_policy_loosens_unless_another_one_stops_the_same() -> anyhow::Result<()> {
    let app = with_a_cap().await?;
    assert_eq!(compare(&app, json!({ "remove": "cap" })).await?["loosened"], true);
    policy(&app, &cap("smaller", "@mode(\"deny\")", &format!("{POINTS} > 5"))).await?;
    assert_eq!(compare(&app, json!({ "remove": "cap" })).await?["loosened"], false);
    // Two people instead of one, and back.
    policy(&app, &cap("two", "@mode(\"ask\") @approvers(\"2\")", "context.input.title like \"*urgent*\""))
        .await?;
    let one = cap("two", "@mode(\"ask\")", "context.input.title like \"*urgent*\"");
    assert_eq!(loosened(&app, &one).await?, true);
    let more = cap("two", "@mode(\"ask\") @approvers(\"2\")", "context.input.title like \"*u*\"");
    assert_eq!(loosened(&app, &more).await?, false);
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_compared_is_told() -> anyhow::Result<()> {
    let app = with_a_cap().await?;
    for request in [
        json!({}),
        json!({ "text": "x", "remove": "cap" }),
        json!({ "text": "forbid (principal, action, resource" }),
        json!({ "text": cap("a", "", "context.input.nothing == 1") }),
    ] {
        let answered = owner(&app, Method::POST, "/v1/policies/compare", Some(request)).await?;
        assert_eq!(answered.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answered.text);
    }
    Ok(())
}
