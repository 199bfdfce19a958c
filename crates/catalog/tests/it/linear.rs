//! Linear's actions against the fake.

use std::time::Duration;

use catalog::{Outcome, Undone, Verification};
use model::ErrorClass;
use serde_json::{Value, json};
use testkit::fakes::{FakeLinear, Fault};

use crate::support::{Subject, TOKEN, context, registry};

async fn fake() -> FakeLinear {
    FakeLinear::start(TOKEN).await
}

fn subject(fake: &FakeLinear, action: &str, params: Value) -> Subject {
    Subject::new(&registry("linear", &fake.url()), &format!("linear.{action}"), params)
}

fn create(fake: &FakeLinear, title: &str) -> Subject {
    let params = json!({"team_id": "team-1", "title": title, "description": "why", "priority": 2,
                        "assignee_id": "user-1", "label_ids": ["b", "a"]});
    subject(fake, "create_issue", params)
}

#[tokio::test]
async fn issues_are_listed_page_by_page() {
    let fake = fake().await;
    for number in 0..5 {
        fake.put_issue(&format!("id-{number}"), &format!("Issue {number}"));
    }
    let ctx = context("k");
    let first = subject(&fake, "list_issues", json!({"first": 3, "title_contains": "issue"}));
    let page = first.execute(&ctx).await.unwrap().output;
    assert_eq!(page["issues"].as_array().unwrap().len(), 3);
    let rest = subject(&fake, "list_issues", json!({"first": 3, "cursor": page["next_cursor"]}));
    let page = rest.execute(&ctx).await.unwrap().output;
    assert_eq!(page["issues"].as_array().unwrap().len(), 2);
    assert_eq!(page["next_cursor"], Value::Null);
}

#[tokio::test]
async fn an_issue_is_read_by_identifier_and_a_missing_one_is_not_found() {
    let fake = fake().await;
    fake.put_issue("id-1", "There");
    let ctx = context("k");
    let found = subject(&fake, "get_issue", json!({"issue": "ENG-1"})).execute(&ctx).await.unwrap();
    assert_eq!(found.output["title"], "There");
    let missing = subject(&fake, "get_issue", json!({"issue": "ENG-9"})).execute(&ctx).await.unwrap_err();
    assert_eq!(missing.class, ErrorClass::NotFound);
}

#[tokio::test]
async fn a_created_issue_is_confirmed_found_again_and_archived() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = create(&fake, "Fix login");
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Confirmed));
    let looked_up = subject.lookup(&ctx).await.unwrap().unwrap();
    assert_eq!(looked_up.output["id"], done.output["id"]);
    assert_eq!(subject.lookup(&context("another")).await, Ok(None));
    for _ in 0..2 {
        assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    }
    let id = done.output["id"].as_str().unwrap();
    assert!(fake.issue(id).unwrap()["archivedAt"].is_string());
    assert_eq!(fake.effects()["Fix login"], 1);
}

#[tokio::test]
async fn an_issue_that_was_archived_meanwhile_is_not_confirmed() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = create(&fake, "Fix login");
    let done = subject.execute(&ctx).await.unwrap();
    assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    // A process finds this state when it takes over from one that died between undoing the effect and recording that.
    let found = subject.lookup(&ctx).await.unwrap().unwrap();
    assert!(matches!(subject.verify(&found, &ctx).await, Ok(Verification::Refuted(_))));
    assert!(matches!(subject.rollback(&found, &ctx).await, Ok(Undone::Done(_))), "undoing again is harmless");
}

#[tokio::test]
async fn the_same_key_cannot_create_twice() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = create(&fake, "Fix login");
    let first = subject.execute(&ctx).await.unwrap();
    let again = subject.execute(&ctx).await.unwrap();
    assert_eq!(again.output["id"], first.output["id"]);
    assert_eq!(fake.effects()["Fix login"], 1);
}

#[tokio::test]
async fn a_create_whose_answer_was_lost_is_found_by_its_key() {
    let (fake, mut ctx) = (fake().await, context("k"));
    let subject = create(&fake, "Fix login");
    fake.reset_after_request();
    let lost = subject.execute(&ctx).await.unwrap_err();
    assert_eq!((lost.class, lost.sent), (ErrorClass::Transient, true));
    assert!(subject.lookup(&ctx).await.unwrap().is_some());
    let slow = create(&fake, "Other");
    ctx.key = "k2".parse().unwrap();
    ctx.timeout = Duration::from_secs(5);
    fake.hang();
    let lost = slow.execute(&ctx).await.unwrap_err();
    assert_eq!((lost.class, lost.sent), (ErrorClass::Timeout, true));
    ctx.timeout = Duration::from_secs(10);
    assert!(slow.lookup(&ctx).await.unwrap().is_some());
    assert_eq!(fake.effects(), [("Fix login".to_owned(), 1), ("Other".to_owned(), 1)].into());
}

#[tokio::test]
async fn an_issue_stored_otherwise_is_refuted() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = create(&fake, "Fix login");
    fake.corrupt_next_write();
    let done = subject.execute(&ctx).await.unwrap();
    let verdict = subject.verify(&done, &ctx).await.unwrap();
    assert_eq!(verdict, Verification::Refuted("not as wanted: title".to_owned()));
}

#[tokio::test]
async fn an_update_shows_its_changes_and_gives_back_what_was_there() {
    let (fake, ctx) = (fake().await, context("k"));
    fake.put_issue("id-1", "Old");
    let params =
        json!({"issue": "ENG-1", "title": "New", "priority": 1, "assignee_id": "user-1", "label_ids": ["x"]});
    let subject = subject(&fake, "update_issue", params);
    let preview = subject.preview(&ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Changes 4 field(s) of ENG-1 “Old”");
    let title = preview.changes.iter().find(|change| change.field == "title").unwrap();
    assert_eq!((&title.before, &title.after), (&json!("Old"), &json!("New")));
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Confirmed));
    let looked_up = subject.lookup(&ctx).await.unwrap().unwrap();
    assert!(matches!(subject.rollback(&looked_up, &ctx).await, Ok(Undone::NotPossible(_))));
    assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    let issue = fake.issue("id-1").unwrap();
    assert_eq!((&issue["title"], &issue["priority"]), (&json!("Old"), &json!(0)));
    assert_eq!((&issue["assignee"], &issue["labels"]["nodes"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn an_update_stored_otherwise_is_refuted_and_one_whose_answer_was_lost_is_found() {
    let (fake, ctx) = (fake().await, context("k"));
    fake.put_issue("id-1", "Old");
    let subject = subject(&fake, "update_issue", json!({"issue": "ENG-1", "title": "New"}));
    fake.corrupt_next_write();
    let done = subject.execute(&ctx).await.unwrap();
    assert!(matches!(subject.verify(&done, &ctx).await, Ok(Verification::Refuted(_))));
    fake.fault(Fault::Pass);
    fake.reset_after_request();
    let lost = subject.execute(&ctx).await.unwrap_err();
    assert!(!lost.nothing_happened());
    assert!(subject.lookup(&ctx).await.unwrap().is_some());
}

#[tokio::test]
async fn an_update_that_fails_while_reading_was_not_requested() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = subject(&fake, "update_issue", json!({"issue": "ENG-1", "title": "New"}));
    let missing = subject.execute(&ctx).await.unwrap_err();
    assert_eq!((missing.class, missing.sent), (ErrorClass::NotFound, false));
    fake.reset_after_request();
    assert!(!subject.execute(&ctx).await.unwrap_err().sent);
    assert!(fake.effects().is_empty());
}

#[tokio::test]
async fn a_comment_is_found_by_its_key_and_stays() {
    let (fake, ctx) = (fake().await, context("k"));
    fake.put_issue("id-1", "There");
    let subject = subject(&fake, "add_comment", json!({"issue": "ENG-1", "body": "On it"}));
    assert_eq!(subject.preview(&ctx).await.unwrap().unwrap().summary, "Comments on ENG-1: “On it”");
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.lookup(&ctx).await.unwrap().unwrap().output["id"], done.output["id"]);
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Unchecked));
    assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::NotPossible(_))));
}

#[tokio::test]
async fn failures_have_the_class_that_linear_means() {
    let (fake, ctx) = (fake().await, context("k"));
    let listed = |message: &str, kind: &str, code: &str| json!({"errors": [{"message": message, "extensions": {"type": kind, "code": code}}]});
    for (status, body, class) in [
        (400, listed("slow down", "ratelimited", "RATELIMITED"), ErrorClass::RateLimited),
        (200, listed("no", "forbidden", "FORBIDDEN"), ErrorClass::Auth),
        (200, listed("bad", "invalid input", "INPUT_ERROR"), ErrorClass::Invalid),
        (200, listed("oops", "internal error", "INTERNAL_SERVER_ERROR"), ErrorClass::Transient),
        (200, listed("what", "", ""), ErrorClass::Permanent),
        (429, json!({}), ErrorClass::RateLimited),
        (401, json!({}), ErrorClass::Auth),
        (404, json!({}), ErrorClass::NotFound),
        (409, json!({}), ErrorClass::Conflict),
        (422, json!({}), ErrorClass::Invalid),
        (503, json!({}), ErrorClass::Transient),
        (200, json!("no object"), ErrorClass::Transient),
        (200, json!({"data": {"issueCreate": {"success": false, "issue": null}}}), ErrorClass::Transient),
        (200, json!({"data": {"issueCreate": {}}, "errors": [{"message": "half"}]}), ErrorClass::Transient),
    ] {
        fake.fault(Fault::Fail { status, retry_after: Some(7), body: body.clone() });
        let error = create(&fake, "Fix login").execute(&ctx).await.unwrap_err();
        assert_eq!((error.class, error.sent), (class, true), "{status} {body}");
        let open = matches!(class, ErrorClass::Transient | ErrorClass::Permanent);
        assert_eq!(error.nothing_happened(), !open, "{status} {body}");
        if class == ErrorClass::RateLimited {
            assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
        }
    }
    assert!(fake.effects().is_empty());
}

#[tokio::test]
async fn a_lookup_that_fails_is_no_proof() {
    let (fake, ctx) = (fake().await, context("k"));
    for status in [401, 404, 429, 500] {
        fake.fail_next(status);
        assert!(create(&fake, "Fix login").lookup(&ctx).await.is_err());
    }
}

#[tokio::test]
async fn tokens_of_oauth_are_bearer_tokens_and_wrong_ones_are_refused() {
    let fake = FakeLinear::start("oauth-token").await;
    let mut ctx = context("k");
    let list = subject(&fake, "list_issues", json!({}));
    let refused = list.execute(&ctx).await.unwrap_err();
    assert_eq!(refused.class, ErrorClass::Auth);
    ctx.credential = Some(catalog::Credential { token: "oauth-token".to_owned().into() });
    list.execute(&ctx).await.unwrap();
    ctx.credential = None;
    let refused = list.execute(&ctx).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Auth, false));
}

#[tokio::test]
async fn nobody_listening_is_proof_that_nothing_was_sent() {
    let registry = registry("linear", "http://127.77.77.1:1");
    let params = json!({"team_id": "team-1", "title": "T"});
    let subject = Subject::new(&registry, "linear.create_issue", params);
    let error = subject.execute(&context("k")).await.unwrap_err();
    assert_eq!((error.class, error.sent), (ErrorClass::Transient, false));
    assert!(subject.verify(&Outcome::new(json!({"id": "x"})), &context("k")).await.is_err());
}

#[tokio::test]
async fn an_error_never_tells_the_token() {
    let (fake, ctx) = (fake().await, context("k"));
    let body = json!({"errors": [{"message": format!("bad token {TOKEN}")}]});
    fake.fault(Fault::Fail { status: 401, retry_after: None, body });
    let error = create(&fake, "Fix login").execute(&ctx).await.unwrap_err();
    assert!(error.message.contains("[redacted]") && !error.message.contains(TOKEN), "{error}");
}

#[test]
fn every_action_is_there_with_its_risk_and_effect() {
    expect_test::expect![[r#"
        linear.add_comment R2 checkable [linear:write] previews
        linear.create_issue R2 checkable [linear:write] undo verifies previews
        linear.get_issue R1 read [linear:read]
        linear.list_issues R1 read [linear:read]
        linear.update_issue R2 checkable [linear:write] undo verifies previews"#]]
    .assert_eq(&crate::support::table("linear"));
}
