//! Backtests agree with what the product decides when the change is made.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, TestApp};

use super::{fact, owner, policy};
use crate::{
    approvals::answers::{answer, opened, perform},
    invocations::invoke::with_linear,
};

const TEAM: &str = "11111111-1111-4111-8111-111111111111";
const CAP: &str = r#"@id("cap") @mode("deny")
forbid (principal, action == Action::"linear.create_issue", resource)
when { context.input has priority && context.history.points + context.input.priority > 10 };"#;
const TITLES: &str = r#"@id("titles") @mode("ask") forbid (principal, action == Action::"linear.create_issue", resource)
when { context.input.title like "*urgent*" };"#;

/// The last line of the answer, and how many there were before it.
async fn backtest(app: &TestApp, request: Value) -> anyhow::Result<(Value, usize)> {
    let answered = owner(app, Method::POST, "/v1/policies/backtest", Some(request)).await?;
    anyhow::ensure!(answered.status == StatusCode::OK, "{}", answered.text);
    let lines: Vec<Value> = answered.text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let last = lines.last().cloned().unwrap_or_default();
    anyhow::ensure!(last.get("result").is_some(), "{}", answered.text);
    Ok((last["result"].clone(), lines.len() - 1))
}

fn points() -> Value {
    json!({ "kind": "sum", "of": ["linear.create_issue"], "field": "input.priority", "within": "1h", "per": "session" })
}

/// The requests of this test: priorities and titles that follow from a number, with pauses in between.
fn request(number: u64) -> Value {
    let title = if number.is_multiple_of(7) { "urgent" } else { "calm" };
    json!({ "team_id": TEAM, "title": title, "priority": number * 31 % 5 })
}

async fn play(app: &TestApp, agents: &[Agent; 2], count: u64) -> anyhow::Result<Vec<String>> {
    let mut modes = Vec::new();
    for number in 0..count {
        let agent = &agents[usize::try_from(number % 2)?];
        let done = app.invoke(agent, "linear.create_issue", request(number)).await?;
        let mode = match done.status {
            StatusCode::OK => "allow",
            // A person answers at once; how long it would have taken, nobody knows.
            StatusCode::ACCEPTED => {
                let waiting = opened(app, &done.body["id"]).await?;
                answer(app, &app.owner_token, ("approve", &waiting), json!({})).await?;
                perform(app, &waiting).await?;
                "require_approval"
            }
            StatusCode::FORBIDDEN => "deny",
            _ => anyhow::bail!("{}", done.text),
        };
        modes.push(mode.to_owned());
        app.advance(std::time::Duration::from_secs(137));
    }
    Ok(modes)
}

#[tokio::test]
async fn a_backtest_says_what_the_product_then_does() -> anyhow::Result<()> {
    const COUNT: u64 = 55;
    let (app, _linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agents = [app.agent().await?, app.agent().await?];
    let modes = play(&app, &agents, COUNT).await?;
    assert!(modes.iter().all(|mode| mode == "allow"));
    let proposed = json!({
        "days": 1, "policies": [{ "text": format!("{CAP}\n{TITLES}") }],
        "facts": [{ "name": "points", "kind": "sum", "of": ["linear.create_issue"], "field": "input.priority",
            "within": "1h", "per": "session" }],
    });
    let (result, progress) = backtest(&app, proposed).await?;
    assert!(progress > 0);
    assert_eq!(result["before"], json!({ "allow": COUNT, "require_approval": 0, "deny": 0 }));

    // The same requests, at the same pace, in another organization's product with the change made.
    let (other, _linear) = with_linear().await?;
    other.rule("linear.create_issue", "allow").await?;
    fact(&other, "points", points()).await?;
    policy(&other, CAP).await?;
    policy(&other, TITLES).await?;
    let agents = [other.agent().await?, other.agent().await?];
    let modes = play(&other, &agents, COUNT).await?;
    let count = |mode: &str| modes.iter().filter(|one| *one == mode).count();
    let after = json!({ "allow": count("allow"), "require_approval": count("require_approval"), "deny": count("deny") });
    assert_eq!(result["after"], after);
    assert!(count("deny") > 3 && count("require_approval") > 2, "{after}");
    assert_eq!(result["newly_denied"], after["deny"]);
    let examples = result["actions"][0]["examples"].as_array().cloned().unwrap_or_default();
    assert_eq!(examples.len(), 10);
    assert!(examples[0]["invocation"].as_str().is_some_and(|id| id.starts_with("inv_")));
    // Nothing was changed by it.
    assert_eq!(owner(&app, Method::GET, "/v1/policies", None).await?.body["items"], json!([]));
    Ok(())
}

#[tokio::test]
async fn a_rule_and_a_band_are_tried_as_well_and_a_removed_policy_lets_more_through() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    policy(&app, TITLES).await?;
    let agents = [app.agent().await?, app.agent().await?];
    play(&app, &agents, 14).await?;
    let rule = json!({ "days": 1, "rule": { "action": "linear.*", "mode": "deny" } });
    assert_eq!(backtest(&app, rule).await?.0["newly_denied"], 0, "the rule for the action comes first");
    let rule = json!({ "days": 1, "rule": { "action": "linear.create_issue", "mode": "deny" } });
    assert_eq!(backtest(&app, rule).await?.0["newly_denied"], 14);
    let me = owner(&app, Method::GET, "/v1/spaces", None).await?.body;
    let band = json!({ "days": 1, "band": { "space": me["items"][0]["id"], "band": "black" } });
    assert_eq!(backtest(&app, band).await?.0["newly_denied"], 14);
    let (removed, _) = backtest(&app, json!({ "days": 1, "remove": ["titles"] })).await?;
    assert_eq!((&removed["newly_allowed"], &removed["newly_asked"]), (&json!(2), &json!(0)));
    let refused = owner(&app, Method::POST, "/v1/policies/backtest", Some(json!({ "days": 31 }))).await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}
