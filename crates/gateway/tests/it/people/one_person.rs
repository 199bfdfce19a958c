//! Nobody is two people: whoever was let in within the last day counts as one with the person who let them in, and a
//! first passkey counts when another approver has confirmed it.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::Role;
use receipt::passkey::Statement;
use serde_json::{Value, json};
use testkit::{Answered, Passkey, TestApp};

use crate::{
    approvals::answers::{answer, ask_merge},
    attacks::stolen_token::fresh_token,
};

const HOUR: Duration = Duration::from_secs(60 * 60);

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn refusal(answered: &Answered) -> (u16, &str) {
    (answered.status.as_u16(), answered.body["code"].as_str().unwrap_or_default())
}

/// Somebody whom the owner invited, with their token.
async fn invited(app: &TestApp, role: &str) -> anyhow::Result<String> {
    let body = json!({ "email": format!("{role}@example.test"), "name": "Sock", "role": role });
    let link = app.send(Method::POST, "/v1/invitations", &app.owner_token, Some(body)).await?;
    let join = json!({ "token": link.body["token"] });
    Ok(text(&app.send(Method::POST, "/v1/join", "", Some(join)).await?.body["token"]["token"]))
}

async fn register(app: &TestApp, token: &str, device: &Passkey) -> anyhow::Result<Answered> {
    let offered = app.send(Method::POST, "/v1/passkeys/registration", token, None).await?;
    let body = device.register(&text(&offered.body["challenge"]), "laptop");
    app.send(Method::POST, "/v1/passkeys", token, Some(body)).await
}

#[tokio::test]
async fn for_a_day_whoever_was_invited_is_no_second_person() -> anyhow::Result<()> {
    let (app, github) = crate::invocations::invoke::with_github().await?;
    github.put_pull_request("Site", &"a".repeat(40));
    let sock = invited(&app, "admin").await?;
    let other = app.person(app.org, Role::Admin).await?;
    let rules = json!({ "approval_four_eyes": true, "approval_quorum": 2 });
    let set = app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(rules)).await?;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    // The owner opened the session, so neither they nor whom they let in can answer.
    let waiting = ask_merge(&app, &app.agent().await?).await?;
    let body = || json!({ "channel": "api" });
    let own = answer(&app, &app.owner_token, ("approve", &waiting), body()).await?;
    assert_eq!(refusal(&own), (403, "four_eyes"), "{}", own.text);
    let refused = answer(&app, &sock, ("approve", &waiting), body()).await?;
    assert_eq!(refusal(&refused), (403, "counts_as_one"), "{}", refused.text);
    let yes = answer(&app, &other, ("approve", &waiting), body()).await?;
    assert!(yes.status.is_success(), "{}", yes.text);

    // Of a quorum of two, they are one vote.
    let theirs = app.agent_of(&other).await?;
    let waiting = ask_merge(&app, &theirs).await?;
    let first = answer(&app, &app.owner_token, ("approve", &waiting), body()).await?;
    assert_eq!(first.body["status"], "pending", "{}", first.text);
    let refused = answer(&app, &sock, ("approve", &waiting), body()).await?;
    assert_eq!(refusal(&refused), (403, "counts_as_one"), "{}", refused.text);
    // The control: without the guard of a day, the same person completes the quorum.
    app.advance(25 * HOUR);
    let theirs = app.agent_of(&other).await?;
    let waiting = ask_merge(&app, &theirs).await?;
    answer(&app, &app.owner_token, ("approve", &waiting), body()).await?;
    let second = answer(&app, &sock, ("approve", &waiting), body()).await?;
    assert_eq!(second.body["status"], "approved", "{}", second.text);
    Ok(())
}

#[tokio::test]
async fn a_sole_owner_does_not_agree_with_themselves_under_another_name() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let sock = invited(&app, "owner").await?;
    let rule = json!({ "action": "linear.*", "mode": "allow" });
    for (proposer, second) in [(&app.owner_token, &sock), (&sock, &app.owner_token)] {
        let proposed = app.send(Method::PUT, "/v1/rules", proposer, Some(rule.clone())).await?;
        assert_eq!(proposed.status, StatusCode::ACCEPTED, "{}", proposed.text);
        let path = format!("/v1/proposed-changes/{}/approve", text(&proposed.body["id"]));
        let agree = json!({ "digest": proposed.body["digest"] });
        let refused = app.send(Method::POST, &path, second, Some(agree)).await?;
        assert_eq!(refusal(&refused), (403, "counts_as_one"), "{}", refused.text);
    }
    Ok(())
}

#[tokio::test]
async fn a_vote_says_how_its_person_was_signed_in() -> anyhow::Result<()> {
    let (app, github) = crate::invocations::invoke::with_github().await?;
    github.put_pull_request("Site", &"a".repeat(40));
    app.advance(3 * HOUR);
    let agent = app.agent().await?;
    let waiting = ask_merge(&app, &agent).await?;
    answer(&app, &app.owner_token, ("approve", &waiting), json!({ "channel": "api" })).await?;
    let path = format!("/v1/sessions/{}/invocations/{}/decision", agent.session, waiting.id);
    let decision = app.send(Method::GET, &path, &app.owner_token, None).await?;
    let vote = &decision.body["votes"][0];
    assert_eq!(vote["method"], "api_token", "{}", decision.text);
    assert!(text(&vote["token"]).starts_with("tok_"), "{}", decision.text);
    let moment = |value: &Value| text(value).parse::<jiff::Timestamp>();
    let age = moment(&vote["at"])?.duration_since(moment(&vote["signed_in_at"])?);
    assert_eq!(age.as_hours(), 3, "{}", decision.text);
    Ok(())
}

#[tokio::test]
async fn a_first_passkey_counts_when_another_approver_confirmed_it() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (stolen, other) = (app.person(app.org, Role::Admin).await?, app.person(app.org, Role::Admin).await?);
    // Within half an hour after joining, nobody else is needed.
    let own = register(&app, &other, &Passkey::new(1)?).await?;
    assert!(own.body["confirmed_at"].is_string(), "{}", own.text);
    app.advance(HOUR);
    let added = register(&app, &stolen, &Passkey::new(2)?).await?;
    assert_eq!(
        (added.status, &added.body["confirmed_at"]),
        (StatusCode::CREATED, &Value::Null),
        "{}",
        added.text
    );
    let confirm = format!("/v1/passkeys/{}/confirm", text(&added.body["id"]));
    let refused = app.send(Method::POST, &confirm, &stolen, None).await?;
    assert_eq!(refusal(&refused), (403, "own_passkey"), "{}", refused.text);
    // A second one is not signed by the first while that one waits.
    let again = register(&app, &stolen, &Passkey::new(3)?).await?;
    assert_eq!(again.body["confirmed_at"], Value::Null, "{}", again.text);
    let stale = app.send(Method::POST, &confirm, &other, None).await?;
    assert_eq!(refusal(&stale), (403, "fresh_sign_in_needed"), "{}", stale.text);
    let user = text(&app.send(Method::GET, "/v1/me", &other, None).await?.body["user"]);
    let fresh = fresh_token(&app, app.org, user.parse()?).await?;
    let done = app.send(Method::POST, &confirm, &fresh, None).await?;
    assert!(done.body["confirmed_by"].is_string(), "{}", done.text);
    let records = app.send(Method::GET, "/v1/changes?change=passkey.confirmed", &other, None).await?;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(1), "{}", records.text);
    Ok(())
}

#[tokio::test]
async fn whom_the_owner_let_in_today_has_no_passkey_that_the_owner_confirms() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let sock = invited(&app, "admin").await?;
    app.advance(HOUR);
    let added = register(&app, &sock, &Passkey::new(1)?).await?;
    assert_eq!(added.body["confirmed_at"], Value::Null, "{}", added.text);
    let confirm = format!("/v1/passkeys/{}/confirm", text(&added.body["id"]));
    let refused = app.send(Method::POST, &confirm, &app.owner_token, None).await?;
    assert_eq!(refusal(&refused), (403, "counts_as_one"), "{}", refused.text);
    Ok(())
}

#[tokio::test]
async fn only_a_passkey_switches_signed_approvals_off_and_makes_a_sign_in_fresh() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let device = Passkey::new(1)?;
    let added = register(&app, &app.owner_token, &device).await?;
    assert!(added.body["confirmed_at"].is_string(), "{}", added.text);
    let set = |body: Value| app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(body));
    assert_eq!(set(json!({ "approval_passkey": true })).await?.status, StatusCode::OK);
    let refused = set(json!({ "approval_passkey": false })).await?;
    assert_eq!(refusal(&refused), (403, "passkey_needed"), "{}", refused.text);
    let (org, user) = (app.org.to_string(), app.owner.to_string());
    let signed = |at: &str, statement: &Statement<'_>| -> anyhow::Result<Value> {
        let mut signed = device.sign(statement)?;
        signed["at"] = json!(at);
        Ok(signed)
    };
    app.advance(HOUR);
    let now = app.app.world.clock.now().to_string();
    let old = (app.app.world.clock.now() - jiff::SignedDuration::from_mins(6)).to_string();
    // For another purpose, or too long ago.
    let sign_in = Statement::SignIn { org: &org, user: &user, at: &now };
    let late = Statement::UnsignedApprovals { org: &org, user: &user, at: &old };
    for wrong in [signed(&now, &sign_in)?, signed(&old, &late)?] {
        let refused = set(json!({ "approval_passkey": false, "signed": wrong })).await?;
        assert_eq!(refusal(&refused), (403, "assertion_refused"), "{}", refused.text);
    }
    let off = Statement::UnsignedApprovals { org: &org, user: &user, at: &now };
    let done = set(json!({ "approval_passkey": false, "signed": signed(&now, &off)? })).await?;
    assert_eq!(done.body["approval_passkey"], false, "{}", done.text);

    let named = || Some(json!({ "name": "another" }));
    let stale = app.send(Method::POST, "/v1/tokens", &app.owner_token, named()).await?;
    assert_eq!(refusal(&stale), (403, "fresh_sign_in_needed"), "{}", stale.text);
    let body = signed(&now, &sign_in)?;
    let confirmed = app.send(Method::POST, "/v1/signin/passkey", &app.owner_token, Some(body)).await?;
    assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{}", confirmed.text);
    let made = app.send(Method::POST, "/v1/tokens", &app.owner_token, named()).await?;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    Ok(())
}
