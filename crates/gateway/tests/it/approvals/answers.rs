//! People see pending invocations and approve or deny them. An approved invocation, and only that one, is executed
//! once.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::{InvocationId, Role};
use pipeline::Performed;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp, fakes::FakeLinear};

use crate::invocations::invoke::{issue, with_linear};

/// A pending invocation: its id, and the digest of what was shown about it.
pub(crate) struct Waiting {
    pub(crate) id: String,
    pub(crate) shown: String,
}

pub(crate) async fn ask(app: &TestApp, agent: &Agent, title: &str) -> anyhow::Result<Waiting> {
    let asked = app.invoke(agent, "linear.create_issue", issue(title)).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    opened(app, &asked.body["id"]).await
}

/// Opens a pending invocation, as the owner.
pub(crate) async fn opened(app: &TestApp, id: &Value) -> anyhow::Result<Waiting> {
    opened_by(app, &app.owner_token, id).await
}

/// Opens a pending invocation with a token.
pub(crate) async fn opened_by(app: &TestApp, token: &str, id: &Value) -> anyhow::Result<Waiting> {
    let id = id.as_str().unwrap_or_default().to_owned();
    let item = app.send(Method::GET, &format!("/v1/inbox/{id}"), token, None).await?;
    anyhow::ensure!(item.status == StatusCode::OK, "{}", item.text);
    Ok(Waiting { id, shown: testkit::shown_digest(&item.body)? })
}

/// Answers an invocation with a token, without waiting for the execution.
pub(crate) async fn answer(
    app: &TestApp,
    token: &str,
    (verb, waiting): (&str, &Waiting),
    more: Value,
) -> anyhow::Result<Answered> {
    let wait = if verb == "approve" { "?wait=0s" } else { "" };
    let path = format!("/v1/invocations/{}/{verb}{wait}", waiting.id);
    let mut body = json!({ "shown_digest": waiting.shown });
    if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
        body.extend(more.clone());
    }
    app.send(Method::POST, &path, token, Some(body)).await
}

pub(crate) async fn approve(app: &TestApp, waiting: &Waiting) -> anyhow::Result<Answered> {
    answer(app, &app.owner_token, ("approve", waiting), json!({})).await
}

/// Executes an approved invocation, as the engine would.
pub(crate) async fn perform(
    app: &TestApp,
    waiting: &Waiting,
) -> anyhow::Result<Option<pipeline::Invocation>> {
    let id: InvocationId = waiting.id.parse()?;
    Ok(match app.app.pipeline.perform(app.org, id).await? {
        Performed::Ended(invocation) => Some(*invocation),
        Performed::NotYet => None,
    })
}

/// Checks that people are asked again because this part changed; returns the question of now.
pub(crate) async fn asked_again(app: &TestApp, waiting: &Waiting, part: &str) -> anyhow::Result<Waiting> {
    let path = format!("/v1/inbox/{}", waiting.id);
    let item = app.send(Method::GET, &path, &app.owner_token, None).await?;
    anyhow::ensure!(item.body["changed"] == json!([part]), "{}", item.text);
    anyhow::ensure!(item.body["votes"] == json!([]), "earlier votes no longer count: {}", item.text);
    anyhow::ensure!(item.body["shown"]["changed"] == json!([part]), "{}", item.text);
    let shown = testkit::shown_digest(&item.body)?;
    anyhow::ensure!(shown != waiting.shown, "{}", item.text);
    Ok(Waiting { id: waiting.id.clone(), shown })
}

async fn status(app: &TestApp, waiting: &Waiting) -> anyhow::Result<Value> {
    let path = format!("/v1/invocations/{}", waiting.id);
    Ok(app.send(Method::GET, &path, &app.owner_token, None).await?.body)
}

#[tokio::test]
async fn a_yes_is_performed_once_and_stands_in_the_receipt() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Please").await?;
    let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    let item = &inbox.body["items"][0];
    assert_eq!(
        (item["kind"].as_str(), item["invocation"]["id"].as_str()),
        (Some("approval"), Some(&*waiting.id))
    );
    assert_eq!(item["why"][0], "no rule matches; R2 actions need approval by default");
    assert_eq!(item["undo"], "archives the created issue");
    assert!(perform(&app, &waiting).await?.is_none(), "not approved yet");

    let said = approve(&app, &waiting).await?;
    assert_eq!(
        (said.status, said.body["status"].as_str()),
        (StatusCode::ACCEPTED, Some("approved")),
        "{}",
        said.text
    );
    let (first, second) = tokio::join!(perform(&app, &waiting), perform(&app, &waiting));
    let ended: Vec<_> = [first?, second?].into_iter().flatten().collect();
    assert!(ended.iter().all(|ended| ended.status == model::Status::Succeeded) && !ended.is_empty());
    assert_eq!(perform(&app, &waiting).await?.map(|ended| ended.status), Some(model::Status::Succeeded));
    assert_eq!(linear.effects().values().sum::<u64>(), 1);

    let again = approve(&app, &waiting).await?;
    assert_eq!((again.status, again.body["code"].as_str()), (StatusCode::CONFLICT, Some("already_answered")));
    let receipt = status(&app, &waiting).await?["receipt"].as_str().unwrap_or_default().to_owned();
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    let verified =
        receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap();
    assert_eq!(verified.approvals.len(), 1);
    assert_eq!(verified.approvals[0].shown_digest, waiting.shown);
    assert_eq!(verified.approvals[0].user, app.owner.to_string());
    app.check_invariants().await
}

#[tokio::test]
async fn a_no_ends_it_and_the_agent_reads_why() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Please").await?;
    let no =
        answer(&app, &app.owner_token, ("deny", &waiting), json!({ "reason": "not on Fridays" })).await?;
    assert_eq!((no.status, no.body["status"].as_str()), (StatusCode::OK, Some("denied")), "{}", no.text);
    let path = format!("/v1/sessions/{}/invocations/{}", agent.session, waiting.id);
    let seen = app.send(Method::GET, &path, &agent.token, None).await?;
    assert_eq!(seen.body["error"]["message"], "denied by a person: not on Fridays");
    assert_eq!(approve(&app, &waiting).await?.status, StatusCode::CONFLICT);
    assert!(perform(&app, &waiting).await?.is_some_and(|ended| ended.status == model::Status::Denied));
    assert!(linear.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn what_expired_answers_410_and_gives_its_place_back() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let mut all = Vec::new();
    for number in 0..10 {
        all.push(ask(&app, &agent, &format!("{number}")).await?);
    }
    let eleventh = app.invoke(&agent, "linear.create_issue", issue("one too many")).await?;
    assert_eq!(eleventh.status, StatusCode::TOO_MANY_REQUESTS);
    app.advance(Duration::from_secs(5 * 60));
    let late = approve(&app, &all[0]).await?;
    assert_eq!(
        (late.status, late.body["code"].as_str()),
        (StatusCode::GONE, Some("expired")),
        "{}",
        late.text
    );
    assert_eq!(app.app.pipeline.approvals().sweep().await?, 9);
    assert_eq!(app.app.pipeline.approvals().sweep().await?, 0);
    assert_eq!(approve(&app, &all[5]).await?.status, StatusCode::GONE);
    assert_eq!(status(&app, &all[5]).await?["status"], "expired");
    ask(&app, &agent, "there is room again").await?;
    app.check_invariants().await
}

#[tokio::test]
async fn an_answer_to_something_else_counts_for_nothing() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let (one, two) = (ask(&app, &agent, "One").await?, ask(&app, &agent, "Two").await?);
    let swapped = Waiting { id: one.id.clone(), shown: two.shown.clone() };
    let refused = approve(&app, &swapped).await?;
    assert_eq!(
        (refused.status, refused.body["code"].as_str()),
        (StatusCode::CONFLICT, Some("shown_digest_mismatch"))
    );
    let never = Waiting { id: one.id.replace('0', "1"), shown: one.shown.clone() };
    assert_eq!(approve(&app, &never).await?.status, StatusCode::NOT_FOUND);
    let member = app.person(app.org, Role::Member).await?;
    assert_eq!(answer(&app, &member, ("approve", &one), json!({})).await?.status, StatusCode::FORBIDDEN);
    assert_eq!(answer(&app, &agent.token, ("approve", &one), json!({})).await?.status, StatusCode::FORBIDDEN);
    assert_eq!(status(&app, &one).await?["status"], "pending");
    Ok(())
}

pub(crate) async fn ask_merge(app: &TestApp, agent: &Agent) -> anyhow::Result<Waiting> {
    let params = json!({ "owner": "acme", "repo": "web", "number": 1, "sha": "a".repeat(40) });
    let asked = app.invoke(agent, "github.merge_pull_request", params).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    opened(app, &asked.body["id"]).await
}

#[tokio::test]
async fn what_is_hard_to_undo_needs_as_many_as_the_org_says_and_other_eyes() -> anyhow::Result<()> {
    let (app, _github) = crate::invocations::invoke::with_github().await?;
    let settings = json!({ "approval_quorum": 2, "approval_four_eyes": true });
    let set = app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(settings)).await?;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    let (ann, bob) = (app.person(app.org, Role::Admin).await?, app.person(app.org, Role::Admin).await?);
    let agent = app.agent().await?;
    let waiting = ask_merge(&app, &agent).await?;

    let own = approve(&app, &waiting).await?;
    assert_eq!(
        (own.status, own.body["code"].as_str()),
        (StatusCode::FORBIDDEN, Some("four_eyes")),
        "{}",
        own.text
    );
    for extent in ["grant", "always"] {
        let more = answer(&app, &ann, ("approve", &waiting), json!({ "extent": extent })).await?;
        assert_eq!(
            (more.status, more.body["code"].as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, Some("only_once"))
        );
    }
    let first = answer(&app, &ann, ("approve", &waiting), json!({})).await?;
    assert_eq!(
        (first.status, first.body["status"].as_str()),
        (StatusCode::ACCEPTED, Some("pending")),
        "{}",
        first.text
    );
    let twice = answer(&app, &ann, ("approve", &waiting), json!({})).await?;
    assert_eq!(twice.status, StatusCode::CONFLICT);
    let item = app.send(Method::GET, &format!("/v1/inbox/{}", waiting.id), &bob, None).await?;
    assert_eq!(
        (item.body["votes_needed"].as_u64(), item.body["votes"].as_array().map(Vec::len)),
        (Some(2), Some(1))
    );
    let second = answer(&app, &bob, ("approve", &waiting), json!({})).await?;
    assert_eq!(second.body["status"], "approved", "{}", second.text);
    Ok(())
}

/// Each change that stops an approved invocation, with a part of the error message.
#[tokio::test]
async fn the_decision_is_checked_again_before_it_is_done() -> anyhow::Result<()> {
    for (change, words) in [
        ("a rule", "no longer permitted"),
        ("a band", "no longer permitted"),
        ("the session", "session has ended"),
        ("the approver", "may no longer approve"),
    ] {
        let (app, linear) = with_linear().await?;
        let agent = app.agent().await?;
        let admin = app.person(app.org, Role::Admin).await?;
        let waiting = ask(&app, &agent, "Please").await?;
        let said = answer(&app, &admin, ("approve", &waiting), json!({})).await?;
        assert_eq!(said.body["status"], "approved", "{}", said.text);
        apply(&app, &agent, change).await?;
        let ended = perform(&app, &waiting).await?.ok_or_else(|| anyhow::anyhow!("{change}: not ended"))?;
        assert_eq!(ended.status, model::Status::Denied, "{change}");
        let message = ended.failure.map(|failure| failure.message).unwrap_or_default();
        assert!(message.contains(words), "{change}: {message}");
        assert!(linear.effects().is_empty(), "{change}");
        app.check_invariants().await?;
    }
    Ok(())
}

#[tokio::test]
async fn people_are_asked_again_if_something_changed_before_or_after_their_yes() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let first = ask(&app, &agent, "Please").await?;
    app.connect("linear", "lin_api_test").await?;
    // Before the yes: it is not counted, and the part is named.
    let refused = approve(&app, &first).await?;
    assert_eq!(
        (refused.status, refused.body["code"].as_str()),
        (StatusCode::CONFLICT, Some("subject_changed")),
        "{}",
        refused.text
    );
    assert!(refused.text.contains("the credential changed since this was asked"), "{}", refused.text);
    let second = asked_again(&app, &first, "the credential").await?;
    assert_eq!(approve(&app, &first).await?.body["code"], "shown_digest_mismatch");
    // After the yes: nothing is sent.
    assert_eq!(approve(&app, &second).await?.body["status"], "approved");
    app.connect("linear", "lin_api_test").await?;
    assert!(perform(&app, &second).await?.is_none());
    assert!(linear.effects().is_empty());
    let third = asked_again(&app, &second, "the credential").await?;
    // The same person may answer again, and then it happens, once.
    assert_eq!(approve(&app, &third).await?.body["status"], "approved");
    let ended = perform(&app, &third).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    assert_eq!(ended.status, model::Status::Succeeded);
    assert_eq!(linear.effects().values().sum::<u64>(), 1);
    // Nobody answered the next one in time.
    let late = ask(&app, &agent, "Later").await?;
    assert_eq!(approve(&app, &late).await?.body["status"], "approved");
    app.connect("linear", "lin_api_test").await?;
    assert!(perform(&app, &late).await?.is_none());
    app.advance(Duration::from_secs(5 * 60 + 1));
    app.app.pipeline.approvals().sweep().await?;
    assert_eq!(status(&app, &late).await?["status"], "expired");
    app.check_invariants().await
}

async fn apply(app: &TestApp, agent: &Agent, change: &str) -> anyhow::Result<()> {
    let owner = &app.owner_token;
    match change {
        "a rule" => app.rule("linear.create_issue", "deny").await?,
        "a band" => {
            let spaces = app.send(Method::GET, "/v1/spaces", owner, None).await?;
            let path = format!("/v1/spaces/{}", spaces.body["items"][0]["id"].as_str().unwrap_or_default());
            app.send(Method::PATCH, &path, owner, Some(json!({ "risk_band": "black" }))).await?;
        }
        "the session" => {
            app.send(Method::DELETE, &format!("/v1/sessions/{}", agent.session), owner, None).await?;
        }
        _ => {
            let mut tx = app.app.db.begin(app.org).await?;
            sqlx::query("UPDATE memberships SET role = 'member' WHERE role = 'admin'")
                .execute(&mut *tx)
                .await?;
            platform::db::commit(tx).await?;
        }
    }
    Ok(())
}

async fn grants(app: &TestApp) -> anyhow::Result<Vec<Value>> {
    let found = app.send(Method::GET, "/v1/grants", &app.owner_token, None).await?;
    Ok(found.body["items"].as_array().cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_grant_answers_for_the_like_within_its_bounds_and_not_beyond() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let (agent, other) = (app.agent().await?, app.agent().await?);
    let waiting = ask(&app, &agent, "Please").await?;
    let bounds = json!({ "extent": "grant", "grant": { "max_calls": 5, "lifetime_s": 3_600 } });
    let said = answer(&app, &app.owner_token, ("approve", &waiting), bounds).await?;
    assert_eq!(said.status, StatusCode::ACCEPTED, "{}", said.text);

    let dry = json!({ "action": "linear.create_issue", "params": issue("Dry"), "dry_run": true });
    assert_eq!(app.invoke_raw(&agent, dry.to_string(), None).await?.body["status"], "skipped");
    let titles: Vec<String> = (0..16).map(|number| format!("Parallel {number}")).collect();
    let asked = titles.iter().map(|title| app.invoke(&agent, "linear.create_issue", issue(title)));
    let mut statuses: Vec<u16> = Vec::new();
    for done in futures::future::join_all(asked).await {
        statuses.push(done?.status.as_u16());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 5, "{statuses:?}");
    assert_eq!(linear.effects().values().sum::<u64>(), 5);
    assert_eq!(app.invoke(&other, "linear.create_issue", issue("Other")).await?.status, StatusCode::ACCEPTED);
    let all = grants(&app).await?;
    assert_eq!((all[0]["used_calls"].as_u64(), all[0]["state"].as_str()), (Some(5), Some("used_up")));
    app.check_invariants().await
}

#[tokio::test]
async fn a_grant_ends_when_it_is_taken_back_or_runs_out() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let give = json!({ "action": "linear.create_issue", "lifetime_s": 60, "reason": "triage" });
    for end in ["revoked", "expired"] {
        let given = app.send(Method::POST, "/v1/grants", &app.owner_token, Some(give.clone())).await?;
        assert_eq!(given.status, StatusCode::CREATED, "{}", given.text);
        let done = app.invoke(&agent, "linear.create_issue", issue("Granted")).await?;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text);
        assert_eq!(done.body["decision"]["mode_source"], "grant");
        if end == "revoked" {
            let path = format!("/v1/grants/{}", given.body["id"].as_str().unwrap_or_default());
            assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::OK);
        } else {
            app.advance(Duration::from_secs(61));
        }
        let done = app.invoke(&agent, "linear.create_issue", issue("Asked")).await?;
        assert_eq!(done.status, StatusCode::ACCEPTED, "{end}: {}", done.text);
        assert!(grants(&app).await?.iter().any(|grant| grant["state"] == end), "{end}");
    }
    app.advance(Duration::from_secs(32 * 24 * 60 * 60));
    assert_eq!(app.app.grants.sweep().await?, 2);
    assert!(grants(&app).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn an_agent_can_only_ask_and_a_wildcard_needs_an_owner() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let agent = app.agent().await?;
    let admin = app.person(app.org, Role::Admin).await?;
    let give = json!({ "action": "linear.create_issue" });
    assert_eq!(
        app.send(Method::POST, "/v1/grants", &agent.token, Some(give)).await?.status,
        StatusCode::FORBIDDEN
    );
    let wild = json!({ "action": "linear.*" });
    let refused = app.send(Method::POST, "/v1/grants", &admin, Some(wild.clone())).await?;
    assert_eq!((refused.status, refused.body["code"].as_str()), (StatusCode::FORBIDDEN, Some("needs_owner")));
    let given = app.send(Method::POST, "/v1/grants", &app.owner_token, Some(wild)).await?;
    assert_eq!(given.status, StatusCode::CREATED);
    let path = format!("/v1/grants/{}", given.body["id"].as_str().unwrap_or_default());
    app.send(Method::DELETE, &path, &app.owner_token, None).await?;

    let ask = json!({ "action": "linear.create_issue", "max_calls": 3, "reason": "triage of today" });
    let path = format!("/v1/sessions/{}/grants/request", agent.session);
    let asked = app.send(Method::POST, &path, &agent.token, Some(ask)).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let inbox = app.send(Method::GET, "/v1/inbox", &admin, None).await?;
    assert_eq!(inbox.body["items"][0]["kind"], "grant_request");
    let id = asked.body["id"].as_str().unwrap_or_default();
    let path = format!("/v1/grant-requests/{id}/answer");
    let more = json!({ "give": true, "max_calls": 100 });
    let given = app.send(Method::POST, &path, &admin, Some(more.clone())).await?;
    assert_eq!(
        (given.status, given.body["status"].as_str()),
        (StatusCode::OK, Some("granted")),
        "{}",
        given.text
    );
    assert_eq!(app.send(Method::POST, &path, &admin, Some(more)).await?.status, StatusCode::CONFLICT);
    let given: Vec<_> = grants(&app).await?.into_iter().filter(|grant| grant["state"] == "active").collect();
    assert_eq!((given.len(), given[0]["max_calls"].as_u64()), (1, Some(3)), "no more than requested");
    assert_eq!(app.invoke(&agent, "linear.create_issue", issue("Granted")).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn always_writes_a_rule() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    let waiting = ask(&app, &agent, "Please").await?;
    let said = answer(&app, &app.owner_token, ("approve", &waiting), json!({ "extent": "always" })).await?;
    assert_eq!(said.body["status"], "approved", "{}", said.text);
    assert!(perform(&app, &waiting).await?.is_some_and(|ended| ended.status == model::Status::Succeeded));
    let done = app.invoke(&agent, "linear.create_issue", issue("Another")).await?;
    assert_eq!(
        (done.status, done.body["decision"]["mode_source"].as_str()),
        (StatusCode::OK, Some("org_rule"))
    );
    assert_eq!(linear.effects().values().sum::<u64>(), 2);
    Ok(())
}

#[tokio::test]
async fn a_doubt_is_ended_once_by_a_second_receipt_that_refers_to_the_first() -> anyhow::Result<()> {
    let (app, github) = crate::invocations::invoke::with_github().await?;
    let agent = app.agent().await?;
    github.reset_after_request();
    let lost = app
        .invoke(&agent, "github.create_issue", json!({ "owner": "acme", "repo": "site", "title": "x" }))
        .await?;
    assert_eq!(lost.body["code"], "outcome_unknown", "{}", lost.text);
    let (id, first) = (lost.body["invocation"].as_str().unwrap_or_default(), lost.body["receipt"].clone());
    let inbox = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    assert_eq!(inbox.body["items"][0]["kind"], "unknown");
    let path = format!("/v1/invocations/{id}/reconcile");
    let empty = json!({ "outcome": "succeeded", "evidence": " " });
    assert_eq!(app.send(Method::POST, &path, &app.owner_token, Some(empty)).await?.status, 422);
    let found = json!({ "outcome": "succeeded", "evidence": "it is issue 1 of the repository" });
    let done = app.send(Method::POST, &path, &app.owner_token, Some(found.clone())).await?;
    assert_eq!(
        (done.status, done.body["status"].as_str()),
        (StatusCode::OK, Some("succeeded")),
        "{}",
        done.text
    );
    assert_eq!(
        app.send(Method::POST, &path, &app.owner_token, Some(found)).await?.status,
        StatusCode::CONFLICT
    );
    let receipt = done.body["receipt"].as_str().unwrap_or_default();
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    let verified =
        receipt::verify(found.body["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap();
    assert_eq!(verified.refers_to[0].receipt, first.as_str().unwrap_or_default());
    assert_eq!(
        (verified.error, done.body["error"].is_null()),
        (None, true),
        "the action was executed, so there is no error"
    );
    let found = verified.verification.map(|found| found.detail).unwrap_or_default();
    assert_eq!(found, format!("{}: it is issue 1 of the repository", app.owner));
    app.check_invariants().await
}

#[tokio::test]
async fn who_waits_is_told_when_it_is_over() -> anyhow::Result<()> {
    let (app, _linear): (TestApp, FakeLinear) = with_linear().await?;
    let agent = app.agent().await?;
    let mut took = Vec::new();
    for nth in 0..15 {
        let waiting = ask(&app, &agent, &format!("Number {nth}")).await?;
        approve(&app, &waiting).await?;
        let path = format!("/v1/sessions/{}/invocations/{}?wait=20s", agent.session, waiting.id);
        let began = std::time::Instant::now();
        let answered = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            perform(&app, &waiting).await
        };
        let (seen, done) = tokio::join!(app.send(Method::GET, &path, &agent.token, None), answered);
        assert!(done?.is_some());
        assert_eq!(seen?.body["status"], "succeeded");
        took.push(began.elapsed());
        // The waiter is notified before its second poll. On a busy machine a single attempt may take longer.
        if took.last() < Some(&Duration::from_secs(2)) {
            return Ok(());
        }
    }
    anyhow::bail!("no waiter was notified: {took:?}");
}
