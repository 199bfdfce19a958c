//! Two people to loosen: a change after which more can happen waits for a second owner; one after which less can happen
//! never waits.

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

/// An organization with two owners.
struct Stage {
    app: TestApp,
    second: String,
}

impl Stage {
    async fn start() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let second = app.person(app.org, Role::Owner).await?;
        Ok(Self { app, second })
    }

    async fn first(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Answered> {
        let body = Some(body).filter(|body| !body.is_null());
        self.app.send(method, path, &self.app.owner_token, body).await
    }

    /// Proposes a change as the first owner.
    async fn propose(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let asked = self.first(method.clone(), path, body).await?;
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{method} {path}: {}", asked.text);
        anyhow::ensure!(asked.body["status"] == "waiting", "{}", asked.text);
        Ok(asked.body)
    }

    async fn answer(&self, token: &str, proposed: &Value, verb: &str) -> anyhow::Result<Answered> {
        let path = format!("/v1/proposed-changes/{}/{verb}", proposed["id"].as_str().unwrap_or_default());
        let body = match verb {
            "approve" => Some(json!({ "digest": proposed["digest"], "reason": "agreed" })),
            "deny" => Some(json!({ "reason": "no" })),
            _ => None,
        };
        self.app.send(Method::POST, &path, token, body).await
    }

    async fn modes(&self) -> anyhow::Result<Vec<(String, String)>> {
        let rules = self.first(Method::GET, "/v1/rules", Value::Null).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = rules.body["items"].as_array().cloned().unwrap_or_default();
        Ok(items.iter().map(|rule| (text(&rule["action"]), text(&rule["mode"]))).collect())
    }
}

#[tokio::test]
async fn a_change_that_loosens_waits_for_a_second_owner_and_is_recorded_with_both() -> anyhow::Result<()> {
    let stage = Stage::start().await?;
    let allow = json!({ "action": "linear.create_issue", "mode": "allow" });
    let proposed = stage.propose(Method::PUT, "/v1/rules", allow.clone()).await?;
    assert_eq!(proposed["changes"][0]["loosens"], "allows without asking", "{proposed}");
    assert_eq!(proposed["changes"][0]["after"]["mode"], "allow");
    assert!(stage.modes().await?.is_empty(), "nothing has changed yet");
    // Not by the person who proposed it, not by an admin, and not with another digest.
    let own = stage.answer(&stage.app.owner_token, &proposed, "approve").await?;
    assert_eq!(
        (own.status, &own.body["code"]),
        (StatusCode::FORBIDDEN, &json!("own_proposal")),
        "{}",
        own.text
    );
    let admin = stage.app.person(stage.app.org, Role::Admin).await?;
    assert_eq!(stage.answer(&admin, &proposed, "approve").await?.status, StatusCode::FORBIDDEN);
    let mut other = proposed.clone();
    other["digest"] = json!(model::Digest::of_bytes(b"other"));
    let other = stage.answer(&stage.second, &other, "approve").await?;
    assert_eq!(other.body["code"], "subject_changed", "{}", other.text);
    let agreed = stage.answer(&stage.second, &proposed, "approve").await?;
    assert_eq!(agreed.body["status"], "approved", "{}", agreed.text);
    assert_eq!(stage.modes().await?, [("linear.create_issue".to_owned(), "allow".to_owned())]);
    let again = stage.answer(&stage.second, &proposed, "approve").await?;
    assert_eq!((again.status, &again.body["code"]), (StatusCode::CONFLICT, &json!("proposal_answered")));
    let records = stage.first(Method::GET, "/v1/changes?change=rule.set", Value::Null).await?;
    let by = &records.body["items"][0]["by"];
    assert_eq!(by["user"], proposed["proposed_by"], "{}", records.text);
    assert_eq!(by["countersigned_by"], agreed.body["answered_by"], "{}", records.text);
    // What changes nothing, and what tightens, does not wait.
    assert_eq!(stage.first(Method::PUT, "/v1/rules", allow).await?.status, StatusCode::OK);
    let deny = json!({ "action": "linear.create_issue", "mode": "deny" });
    assert_eq!(stage.first(Method::PUT, "/v1/rules", deny).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn everything_that_loosens_waits_and_everything_that_tightens_does_not() -> anyhow::Result<()> {
    let stage = Stage::start().await?;
    stage.app.agent().await?;
    let spaces = stage.first(Method::GET, "/v1/spaces", Value::Null).await?;
    let space = format!("/v1/spaces/{}", spaces.body["items"][0]["id"].as_str().unwrap_or_default());
    let member = stage.app.person(stage.app.org, Role::Member).await?;
    let member = stage.app.send(Method::GET, "/v1/me", &member, None).await?.body["user"].clone();
    let member = member.as_str().unwrap_or_default();
    let conduct = |conduct: &str| json!({ "scope": "org", "conduct": conduct, "reason": "a test" });
    let (put, post, patch) = (Method::PUT, Method::POST, Method::PATCH);
    // Each line: what tightens, and then what takes it back.
    let there_and_back = [
        (&put, "/v1/conduct", conduct("halted"), conduct("dry_run")),
        (
            &put,
            "/v1/rules",
            json!({ "action": "*", "mode": "deny" }),
            json!({ "action": "*", "mode": "require_approval" }),
        ),
        (&patch, &space, json!({ "risk_band": "red" }), json!({ "risk_band": "amber" })),
        (&patch, "/v1/org", json!({ "approval_quorum": 3 }), json!({ "approval_quorum": 1 })),
        (&patch, "/v1/org", json!({ "approval_four_eyes": true }), json!({ "approval_four_eyes": false })),
        (&patch, "/v1/org", json!({ "receipts_kept_days": 3_000 }), json!({ "receipts_kept_days": 1 })),
        (&patch, "/v1/org", json!({ "legal_hold": true }), json!({ "legal_hold": false })),
        (&patch, "/v1/org", json!({ "loosening": "two_people" }), json!({ "loosening": "one" })),
    ];
    for (method, path, tighter, looser) in there_and_back {
        let done = stage.first(method.clone(), path, tighter.clone()).await?;
        assert_eq!(done.status, StatusCode::OK, "{path} {tighter}: {}", done.text);
        stage.propose(method.clone(), path, looser).await?;
    }
    let person = json!({ "email": "third@example.test", "name": "Third", "role": "admin" });
    stage.propose(post.clone(), "/v1/invitations", person).await?;
    stage.propose(patch, &format!("/v1/members/{member}"), json!({ "role": "admin" })).await?;
    let green = json!({ "slug": "open", "name": "Open", "risk_band": "green" });
    stage.propose(post, "/v1/spaces", green).await?;
    stage.propose(put, "/v1/slack/people/U024BE7LH", json!({ "user": member })).await?;
    let waiting = stage.first(Method::GET, "/v1/proposed-changes?status=waiting", Value::Null).await?;
    assert_eq!(waiting.body["items"].as_array().map(Vec::len), Some(12), "{}", waiting.text);
    Ok(())
}

#[tokio::test]
async fn what_was_denied_or_withdrawn_or_would_change_something_else_by_now_is_not_made() -> anyhow::Result<()>
{
    let stage = Stage::start().await?;
    let rule = |action: &str, mode: &str| json!({ "action": action, "mode": mode });
    let denied = stage.propose(Method::PUT, "/v1/rules", rule("linear.*", "allow")).await?;
    let answered = stage.answer(&stage.second, &denied, "deny").await?;
    assert_eq!((&answered.body["status"], &answered.body["note"]), (&json!("denied"), &json!("no")));
    let withdrawn = stage.propose(Method::PUT, "/v1/rules", rule("linear.*", "allow")).await?;
    assert_eq!(stage.answer(&stage.second, &withdrawn, "withdraw").await?.status, StatusCode::FORBIDDEN);
    let answered = stage.answer(&stage.app.owner_token, &withdrawn, "withdraw").await?;
    assert_eq!(answered.body["status"], "withdrawn", "{}", answered.text);
    for old in [&denied, &withdrawn] {
        assert_eq!(stage.answer(&stage.second, old, "approve").await?.status, StatusCode::CONFLICT);
    }
    let stale = stage.propose(Method::PUT, "/v1/rules", rule("linear.*", "allow")).await?;
    stage.first(Method::PUT, "/v1/rules", rule("linear.*", "deny")).await?;
    let answered = stage.answer(&stage.second, &stale, "approve").await?;
    assert_eq!(answered.body["status"], "failed", "{}", answered.text);
    assert!(answered.body["note"].as_str().is_some_and(|note| note.contains("propose it again")));
    assert_eq!(stage.modes().await?, [("linear.*".to_owned(), "deny".to_owned())]);
    // With the proposer gone, nobody proposed it.
    let orphan = stage.app.person(stage.app.org, Role::Owner).await?;
    let asked = stage.app.send(Method::PUT, "/v1/rules", &orphan, Some(rule("sentry.*", "allow"))).await?;
    let user = stage.app.send(Method::GET, "/v1/me", &orphan, None).await?.body["user"].clone();
    let path = format!("/v1/members/{}", user.as_str().unwrap_or_default());
    stage.first(Method::DELETE, &path, Value::Null).await?;
    let answered = stage.answer(&stage.second, &asked.body, "approve").await?;
    assert_eq!(answered.body["status"], "failed", "{}", answered.text);
    Ok(())
}

/// The control: with one owner, or where the organization says so, one person loosens at once.
#[tokio::test]
async fn one_owner_alone_or_an_organization_that_wants_it_so_does_not_wait() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let rule = |action: &str| Some(json!({ "action": action, "mode": "allow" }));
    let done = app.send(Method::PUT, "/v1/rules", &app.owner_token, rule("linear.*")).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let alone =
        app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(json!({ "loosening": "two_people" })));
    assert_eq!(alone.await?.status, StatusCode::UNPROCESSABLE_ENTITY, "there is nobody to agree");
    let set =
        app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(json!({ "loosening": "one" }))).await?;
    assert_eq!((&set.body["loosening"], &set.body["loosening_is_default"]), (&json!("one"), &json!(false)));
    let second = app.person(app.org, Role::Owner).await?;
    let done = app.send(Method::PUT, "/v1/rules", &second, rule("sentry.*")).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    Ok(())
}

#[tokio::test]
async fn an_owner_who_removed_the_other_one_is_not_alone_for_a_week() -> anyhow::Result<()> {
    let stage = Stage::start().await?;
    let second = stage.app.send(Method::GET, "/v1/me", &stage.second, None).await?.body["user"].clone();
    let path = format!("/v1/members/{}", second.as_str().unwrap_or_default());
    let removed = stage.first(Method::DELETE, &path, Value::Null).await?;
    assert!(removed.status.is_success(), "{}", removed.text);
    let allow = json!({ "action": "linear.create_issue", "mode": "allow" });
    stage.propose(Method::PUT, "/v1/rules", allow.clone()).await?;
    let record = stage.first(Method::GET, "/v1/changes?change=change.proposed", Value::Null).await?;
    let record = &record.body["items"][0];
    assert_eq!(
        (&record["after"]["change"], &record["after"]["loosens"]),
        (&json!("rule.set"), &json!("allows without asking")),
        "what waits leaves a record: {record}"
    );
    // Without that, one step after the other would do what neither may do alone.
    let mut owner = stage.app.db.owner().await?;
    sqlx::query("ALTER TABLE orgs NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE orgs SET two_people_until = now()").execute(&mut owner).await?;
    assert_eq!(stage.first(Method::PUT, "/v1/rules", allow).await?.status, StatusCode::OK);
    Ok(())
}
