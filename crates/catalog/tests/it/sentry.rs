//! Sentry's actions against the fake.

use catalog::{Undone, Verification};
use model::ErrorClass;
use serde_json::{Value, json};
use testkit::fakes::{FakeSentry, Fault};

use crate::support::{Subject, TOKEN, context, registry};

async fn fake() -> FakeSentry {
    let fake = FakeSentry::start(TOKEN).await;
    for number in 1..=3 {
        fake.put_issue(number, &format!("TypeError {number}"));
    }
    fake
}

fn subject(fake: &FakeSentry, action: &str, params: Value) -> Subject {
    Subject::new(&registry("sentry", &fake.url()), &format!("sentry.{action}"), params)
}

#[tokio::test]
async fn issues_are_listed_page_by_page() {
    let (fake, ctx) = (fake().await, context("k"));
    let first = subject(&fake, "list_issues", json!({"organization": "acme", "limit": 2}));
    let page = first.execute(&ctx).await.unwrap().output;
    assert_eq!(page["issues"].as_array().unwrap().len(), 2);
    let params = json!({"organization": "acme", "project": "web", "limit": 2, "cursor": page["next_cursor"], "query": "is:x&a=b"});
    let page = subject(&fake, "list_issues", params).execute(&ctx).await.unwrap().output;
    assert_eq!(page["issues"].as_array().unwrap().len(), 1);
    assert_eq!(page["next_cursor"], Value::Null);
    let asked = fake.requests();
    assert_eq!(asked[0].path, "/api/0/organizations/acme/issues/");
    assert_eq!(asked[0].query["query"], "is:unresolved");
    assert_eq!(asked[1].query["query"], "is:x&a=b");
}

#[tokio::test]
async fn issues_and_events_are_read() {
    let (fake, ctx) = (fake().await, context("k"));
    let issue = json!({"organization": "acme", "issue_id": "2"});
    let found = subject(&fake, "get_issue", issue.clone()).execute(&ctx).await.unwrap();
    assert_eq!(found.output["title"], "TypeError 2");
    let events = subject(&fake, "list_issue_events", issue).execute(&ctx).await.unwrap();
    assert_eq!(events.output["events"][0]["groupID"], "2");
    let event = json!({"organization": "acme", "issue_id": "2", "event_id": "latest"});
    assert_eq!(subject(&fake, "get_event", event).execute(&ctx).await.unwrap().output["groupID"], "2");
}

#[tokio::test]
async fn an_update_is_shown_confirmed_found_and_undone() {
    let (fake, ctx) = (fake().await, context("k"));
    let params =
        json!({"organization": "acme", "issue_id": "1", "status": "resolved", "assigned_to": "user:7"});
    let subject = subject(&fake, "update_issue", params);
    let preview = subject.preview(&ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Changes 2 field(s) of WEB-1 “TypeError 1”");
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Confirmed));
    assert!(subject.lookup(&ctx).await.unwrap().is_some());
    assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    let issue = fake.issue(1).unwrap();
    assert_eq!((&issue["status"], &issue["assignedTo"]), (&json!("unresolved"), &Value::Null));
}

#[tokio::test]
async fn an_update_stored_otherwise_is_refuted() {
    let (fake, ctx) = (fake().await, context("k"));
    let params = json!({"organization": "acme", "issue_id": "1", "status": "resolved"});
    let subject = subject(&fake, "update_issue", params);
    fake.corrupt_next_write();
    let done = subject.execute(&ctx).await.unwrap();
    let verdict = subject.verify(&done, &ctx).await.unwrap();
    assert_eq!(verdict, Verification::Refuted("not as wanted: status".to_owned()));
}

#[tokio::test]
async fn failures_have_the_class_of_their_status() {
    let (fake, ctx) = (fake().await, context("k"));
    for (status, class) in [
        (400, ErrorClass::Invalid),
        (401, ErrorClass::Auth),
        (403, ErrorClass::Auth),
        (404, ErrorClass::NotFound),
        (409, ErrorClass::Conflict),
        (429, ErrorClass::RateLimited),
        (500, ErrorClass::Transient),
    ] {
        fake.fault(Fault::Fail { status, retry_after: None, body: json!({"detail": "told why"}) });
        let read = subject(&fake, "get_issue", json!({"organization": "acme", "issue_id": "1"}));
        let error = read.execute(&ctx).await.unwrap_err();
        assert_eq!(error.class, class, "{status}");
        assert!(error.message.ends_with("told why"), "{error}");
    }
    let missing = subject(&fake, "get_issue", json!({"organization": "acme", "issue_id": "99"}));
    assert_eq!(missing.execute(&ctx).await.unwrap_err().class, ErrorClass::NotFound);
}

#[test]
fn every_action_is_there_with_its_risk_and_effect() {
    expect_test::expect![[r#"
        sentry.get_event R1 read [sentry:read]
        sentry.get_issue R1 read [sentry:read]
        sentry.list_issue_events R1 read [sentry:read]
        sentry.list_issues R1 read [sentry:read]
        sentry.update_issue R2 checkable [sentry:write] undo verifies previews"#]]
    .assert_eq(&crate::support::table("sentry"));
}
