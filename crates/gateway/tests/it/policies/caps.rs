//! Facts over history: what is counted, exactly, also for many at once; and what people read of it.

use axum::http::{Method, StatusCode};
use futures::future::try_join_all;
use serde_json::{Value, json};
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeMcp, tool},
};

use super::{fact, owner, policy};
use crate::{
    approvals::answers::{answer, opened, perform},
    invocations::invoke::with_linear,
    sources::connectors::{add, review},
};

const TEAM: &str = "11111111-1111-4111-8111-111111111111";

/// At most ten points of priority within an hour.
const CAP: &str = r#"@id("cap") @mode("deny") @why("At most 10 points an hour")
forbid (principal, action == Action::"linear.create_issue", resource)
when { context.input has priority && context.history.points + context.input.priority > 10 };"#;

fn points(per: &str) -> Value {
    json!({ "kind": "sum", "of": ["linear.create_issue"], "field": "input.priority", "within": "1h", "per": per })
}

async fn create(app: &TestApp, agent: &Agent, priority: i64) -> anyhow::Result<Answered> {
    // Two equal requests would be one effect.
    let title = format!("Issue {}", app.app.world.uuid());
    let params = json!({ "team_id": TEAM, "title": title, "priority": priority });
    app.invoke(agent, "linear.create_issue", params).await
}

#[tokio::test]
async fn a_cap_counts_what_waits_and_gives_back_what_did_not_happen() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    fact(&app, "points", points("session")).await?;
    policy(&app, CAP).await?;
    let agent = app.agent().await?;
    // It needs an approval by default, and holds its share while it waits.
    let (first, second) = (create(&app, &agent, 4).await?, create(&app, &agent, 4).await?);
    assert_eq!(
        (first.status, second.status),
        (StatusCode::ACCEPTED, StatusCode::ACCEPTED),
        "{}",
        second.text
    );
    let told = json!([{ "name": "points", "value": 4, "adds": 4, "limit": 10,
        "words": "sum of input.priority of linear.create_issue, counted, within 1h, per session" }]);
    assert_eq!(second.body["decision"]["facts"], told);
    let third = create(&app, &agent, 4).await?;
    assert_eq!(third.status, StatusCode::FORBIDDEN, "{}", third.text);
    assert!(third.text.contains("At most 10 points an hour"), "{}", third.text);
    assert_eq!(create(&app, &agent, 2).await?.status, StatusCode::ACCEPTED, "it fits exactly");
    // What a person denies gives its share back; what they approve is judged without itself.
    let waiting = opened(&app, &first.body["id"]).await?;
    answer(&app, &app.owner_token, ("deny", &waiting), json!({})).await?;
    let waiting = opened(&app, &second.body["id"]).await?;
    let said = answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
    assert_eq!(said.body["status"], "approved", "{}", said.text);
    perform(&app, &waiting).await?;
    assert_eq!(linear.effects().len(), 1);
    assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::ACCEPTED);
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::FORBIDDEN);
    // Another session has its own cap, and an hour later so has this one. Nothing that is negative makes room.
    let other = app.agent().await?;
    assert_eq!(create(&app, &other, 4).await?.status, StatusCode::ACCEPTED);
    app.advance(std::time::Duration::from_secs(3_601));
    assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::ACCEPTED);
    app.check_invariants().await
}

#[tokio::test]
async fn of_many_at_once_exactly_those_that_fit_are_let_through() -> anyhow::Result<()> {
    for per in ["session", "space", "org"] {
        let (app, linear) = with_linear().await?;
        app.rule("linear.create_issue", "allow").await?;
        fact(&app, "points", points(per)).await?;
        policy(&app, CAP).await?;
        let agent = app.agent().await?;
        let asked = (0..24).map(|_| create(&app, &agent, 1));
        let answers = try_join_all(asked).await?;
        let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
        let refused = answers.iter().filter(|answer| answer.status == StatusCode::FORBIDDEN).count();
        assert_eq!((passed, refused), (10, 14), "{per}: {}", answers[0].text);
        assert_eq!(linear.effects().len(), 10, "{per}");
        app.check_invariants().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_batch_is_judged_on_the_sum_of_its_parts() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    fact(&app, "points", points("session")).await?;
    policy(&app, CAP).await?;
    let agent = app.agent().await?;
    let batch = |priorities: &[i64]| {
        let part = |(number, priority): (usize, &i64)| {
            let params = json!({ "team_id": TEAM, "title": format!("Part {number}"), "priority": priority });
            json!({ "action": "linear.create_issue", "params": params })
        };
        json!({ "parts": priorities.iter().enumerate().map(part).collect::<Vec<_>>() })
    };
    let over = app.invoke(&agent, "batch.run", batch(&[4, 4, 3])).await?;
    assert_eq!(over.status, StatusCode::FORBIDDEN, "{}", over.text);
    let fits = app.invoke(&agent, "batch.run", batch(&[4, 4])).await?;
    assert_eq!(fits.body["status"], "succeeded", "{}", fits.text);
    assert_eq!(create(&app, &agent, 3).await?.status, StatusCode::FORBIDDEN);
    assert_eq!(create(&app, &agent, 2).await?.status, StatusCode::OK);
    assert_eq!(linear.effects().len(), 3);
    app.check_invariants().await
}

#[tokio::test]
async fn an_edit_is_judged_by_what_it_would_add_and_counts_as_that() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    fact(&app, "points", points("session")).await?;
    policy(&app, &CAP.replace("deny", "ask")).await?;
    let agent = app.agent().await?;
    let asked = create(&app, &agent, 4).await?;
    let id = asked.body["id"].as_str().unwrap_or_default().to_owned();
    let waiting = opened(&app, &asked.body["id"]).await?;
    let params = json!({ "team_id": TEAM, "title": "Something", "priority": 1 });
    let edit = json!({ "params": params, "note": "less", "shown_digest": waiting.shown });
    let edited = owner(&app, Method::POST, &format!("/v1/invocations/{id}/edit"), Some(edit)).await?;
    assert!(edited.status.is_success(), "{}", edited.text);
    for priority in [4, 4, 1] {
        let asked = create(&app, &agent, priority).await?;
        let holds = asked.body["decision"]["policies"].as_array().is_some();
        assert!(!holds, "1 + 4 + 4 + 1 is 10: {}", asked.text);
    }
    let over = create(&app, &agent, 1).await?;
    assert_eq!(over.body["decision"]["policies"][0]["name"], "cap", "{}", over.text);
    Ok(())
}

#[tokio::test]
async fn a_new_fact_sees_what_happened_before_it_and_says_since_when() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    for _ in 0..2 {
        assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::OK);
    }
    app.advance(std::time::Duration::from_secs(60));
    fact(&app, "points", points("session")).await?;
    policy(&app, CAP).await?;
    let listed = owner(&app, Method::GET, "/v1/facts", None).await?.body;
    assert_eq!(
        (&listed["items"][0]["complete"], &listed["items"][0]["used_by"]),
        (&json!(true), &json!(["cap"]))
    );
    assert_eq!(create(&app, &agent, 3).await?.status, StatusCode::FORBIDDEN, "4 + 4 + 3");
    assert_eq!(create(&app, &agent, 2).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn what_must_have_happened_before_is_told_by_results() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let looked = json!({
        "kind": "any", "of": ["linear.list_issues"], "state": "succeeded", "within": "30m", "per": "session",
        "where": { "output.issues.0.title": { "equals": "Reviewed" } },
    });
    fact(&app, "looked", looked).await?;
    policy(&app, r#"@id("look-first") @why("Look at the issues first")
        forbid (principal, action == Action::"linear.create_issue", resource) unless { context.history.looked };"#).await?;
    let agent = app.agent().await?;
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::FORBIDDEN);
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::FORBIDDEN, "nothing was found");
    linear.put_issue(TEAM, "Reviewed");
    app.invoke(&agent, "linear.list_issues", json!({})).await?;
    let done = create(&app, &agent, 1).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    assert_eq!(create(&app, &app.agent().await?, 1).await?.status, StatusCode::FORBIDDEN, "per session");
    app.advance(std::time::Duration::from_secs(1_801));
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::FORBIDDEN, "too long ago");
    Ok(())
}

#[tokio::test]
async fn what_waits_keeps_its_share_longer_than_the_window() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    fact(&app, "points", points("session")).await?;
    policy(&app, CAP).await?;
    let unattended = json!({ "agent": "nightly", "kind": "unattended", "capabilities": ["*"] });
    let agent = app.open_session(&app.owner_token, unattended).await?;
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let asked = create(&app, &agent, 4).await?;
        assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
        waiting.push(asked);
        app.advance(std::time::Duration::from_secs(3_700));
    }
    assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::FORBIDDEN, "8 wait");
    // What is performed now counts from now on, however long ago it was asked.
    for asked in waiting {
        let waiting = opened(&app, &asked.body["id"]).await?;
        answer(&app, &app.owner_token, ("approve", &waiting), json!({})).await?;
        perform(&app, &waiting).await?;
    }
    assert_eq!(linear.effects().len(), 2);
    assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::FORBIDDEN);
    app.advance(std::time::Duration::from_secs(3_700));
    assert_eq!(create(&app, &agent, 4).await?.status, StatusCode::ACCEPTED);
    app.check_invariants().await
}

#[tokio::test]
async fn a_batch_that_fails_on_purpose_does_not_give_back_what_happened() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let schema = json!({ "amount": { "type": "integer" } });
    let bank = FakeMcp::start(vec![tool("send", schema)], None).await?;
    add(&app, "bank", &bank, json!({ "kind": "none" })).await?;
    let reviewed = review(&app, "bank", "send", json!({ "risk": "R2", "effect": "once" })).await?;
    anyhow::ensure!(reviewed.status == StatusCode::OK, "{}", reviewed.text);
    app.rule("bank.send", "allow").await?;
    let spent = json!({
        "kind": "sum", "of": ["bank.send"], "field": "input.amount", "within": "1h", "per": "session",
    });
    fact(&app, "spent", spent).await?;
    policy(
        &app,
        r#"@id("cap") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has amount && context.history.spent + context.input.amount > 10 };"#,
    )
    .await?;
    let agent = app.agent().await?;
    let send = |amount: u64| json!({ "action": "bank.send", "params": { "amount": amount } });
    let fails = json!({ "action": "linear.get_issue", "params": { "issue": "there-is-none" } });
    let batch = json!({ "parts": [send(4), send(4), fails] });
    let done = app.invoke(&agent, "batch.run", batch).await?;
    assert_eq!(done.body["code"], "action_failed", "{}", done.text);
    assert_eq!(bank.calls("send").len(), 2, "it happened, and a bank cannot undo it");
    let over = app.invoke(&agent, "bank.send", json!({ "amount": 4 })).await?;
    assert_eq!(over.status, StatusCode::FORBIDDEN, "8 of 10 are spent: {}", over.text);
    let fits = app.invoke(&agent, "bank.send", json!({ "amount": 2 })).await?;
    assert_eq!(fits.status, StatusCode::OK, "{}", fits.text);
    Ok(())
}

#[tokio::test]
async fn a_part_of_a_batch_does_not_speak_for_another_order() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let known = json!({
        "kind": "any", "of": ["linear.create_issue"], "same": ["input.team_id"], "within": "30d", "per": "org",
    });
    fact(&app, "known", known).await?;
    policy(
        &app,
        r#"@id("first-use") @mode("deny")
        forbid (principal, action == Action::"linear.create_issue", resource)
        when { context.input.title == "careful" && !context.history.known };"#,
    )
    .await?;
    let agent = app.agent().await?;
    let other = "22222222-2222-4222-8222-222222222222";
    let batch = |teams: [&str; 2]| {
        let part = |team: &str, title: &str| json!({ "action": "linear.create_issue", "params": { "team_id": team, "title": title } });
        json!({ "parts": [part(teams[0], "plain"), part(teams[1], "careful")] })
    };
    let refused = app.invoke(&agent, "batch.run", batch([TEAM, other])).await?;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    let passed = app.invoke(&agent, "batch.run", batch([TEAM, TEAM])).await?;
    assert_ne!(passed.status, StatusCode::FORBIDDEN, "{}", passed.text);
    Ok(())
}

#[tokio::test]
async fn what_may_happen_once_happens_once_however_many_ask() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let made = json!({ "kind": "any", "of": ["linear.create_issue"], "within": "1h", "per": "session" });
    fact(&app, "made", made).await?;
    policy(
        &app,
        r#"@id("once") forbid (principal, action == Action::"linear.create_issue", resource)
        when { context.history.made };"#,
    )
    .await?;
    let agent = app.agent().await?;
    let answers = try_join_all((0..12).map(|_| create(&app, &agent, 1))).await?;
    assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::OK).count(), 1);
    assert_eq!(linear.effects().len(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn the_result_of_a_part_of_a_batch_counts_as_any_other() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.*", "allow").await?;
    let saw = json!({
        "kind": "any", "of": ["linear.list_issues"], "state": "succeeded", "within": "30m", "per": "session",
        "where": { "output.issues.0.title": { "equals": "Secret" } },
    });
    fact(&app, "saw", saw).await?;
    policy(
        &app,
        r#"@id("saw-secrets") forbid (principal, action == Action::"linear.create_issue", resource)
        when { context.history.saw };"#,
    )
    .await?;
    let agent = app.agent().await?;
    linear.put_issue(TEAM, "Secret");
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::OK);
    let batch = json!({ "parts": [{ "action": "linear.list_issues", "params": {} }] });
    let read = app.invoke(&agent, "batch.run", batch).await?;
    assert_eq!(read.body["status"], "succeeded", "{}", read.text);
    assert_eq!(create(&app, &agent, 1).await?.status, StatusCode::FORBIDDEN);
    Ok(())
}
