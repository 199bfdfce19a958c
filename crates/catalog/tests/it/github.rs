//! GitHub's actions against the fake.

use std::time::Duration;

use catalog::{Undone, Verification};
use model::ErrorClass;
use serde_json::{Value, json};
use testkit::fakes::{FakeGitHub, Fault};

use crate::support::{Subject, TOKEN, context, registry};

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

async fn fake() -> FakeGitHub {
    FakeGitHub::start(TOKEN).await
}

fn subject(fake: &FakeGitHub, action: &str, mut params: Value) -> Subject {
    if action != "search_code" {
        params["owner"] = json!("acme");
        params["repo"] = json!("web");
    }
    Subject::new(&registry("github", &fake.url()), &format!("github.{action}"), params)
}

#[tokio::test]
async fn issues_pull_requests_and_code_are_read() {
    let (fake, ctx) = (fake().await, context("k"));
    let created = subject(&fake, "create_issue", json!({"title": "Broken", "labels": ["bug"]}));
    created.execute(&ctx).await.unwrap();
    let number = fake.put_pull_request("Repair", SHA);
    let read = |action: &'static str, params: Value| {
        let subject = subject(&fake, action, params);
        let ctx = ctx.clone();
        async move { subject.execute(&ctx).await.unwrap().output }
    };
    assert_eq!(read("list_issues", json!({"per_page": 1})).await["issues"][0]["title"], "Broken");
    assert_eq!(read("list_issues", json!({"page": 2})).await["issues"], json!([]));
    assert_eq!(read("list_pull_requests", json!({"state": "all"})).await["pulls"][0]["title"], "Repair");
    assert_eq!(read("get_issue", json!({"number": 1})).await["labels"], json!(["bug"]));
    assert_eq!(read("get_pull_request", json!({"number": number})).await["head"]["sha"], SHA);
    let found = read("search_code", json!({"query": "fn main repo:acme/web&x=1"})).await;
    assert_eq!(found["items"][0]["q"], "fn main repo:acme/web&x=1");
}

#[tokio::test]
async fn a_created_issue_is_closed_when_undone_and_cannot_be_looked_up() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = subject(&fake, "create_issue", json!({"title": "Broken", "body": "Very"}));
    let preview = subject.preview(&ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Creates the issue “Broken” in acme/web");
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.lookup(&ctx).await.unwrap_err().class, ErrorClass::OutcomeUnknown);
    for _ in 0..2 {
        assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    }
    let issue = fake.issue(1).unwrap();
    assert_eq!((&issue["state"], &issue["state_reason"]), (&json!("closed"), &json!("not_planned")));
    assert_eq!(fake.effects()["Broken"], 1);
}

#[tokio::test]
async fn comments_and_reviews_arrive_and_stay() {
    let (fake, ctx) = (fake().await, context("k"));
    let number = fake.put_pull_request("Repair", SHA);
    let comment = subject(&fake, "comment", json!({"number": number, "body": "Nice"}));
    let done = comment.execute(&ctx).await.unwrap();
    assert!(matches!(comment.rollback(&done, &ctx).await, Ok(Undone::NotPossible(_))));
    assert!(comment.lookup(&ctx).await.is_err());
    let params = json!({"number": number, "event": "REQUEST_CHANGES", "body": "Tests?"});
    let review = subject(&fake, "create_pull_request_review", params);
    assert_eq!(review.execute(&ctx).await.unwrap().output["state"], "CHANGES_REQUESTED");
    let preview = review.preview(&ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Reviews acme/web#1 with \"REQUEST_CHANGES\": “Tests?”");
    assert_eq!(fake.effects(), [("Nice".to_owned(), 1), ("review Tests?".to_owned(), 1)].into());
}

#[tokio::test]
async fn a_merge_is_shown_looked_up_and_confirmed() {
    let (fake, ctx) = (fake().await, context("k"));
    let number = fake.put_pull_request("Repair", SHA);
    let subject =
        subject(&fake, "merge_pull_request", json!({"number": number, "sha": SHA, "method": "squash"}));
    assert_eq!(subject.preview(&ctx).await.unwrap().unwrap().summary, "Merges acme/web#1 “Repair”");
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    fake.fault(Fault::FailAfter { status: 502 });
    let lost = subject.execute(&ctx).await.unwrap_err();
    assert_eq!((lost.class, lost.sent), (ErrorClass::Transient, true));
    let done = subject.lookup(&ctx).await.unwrap().unwrap();
    assert_eq!(done.output["merged"], true);
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Confirmed));
    assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::NotPossible(_))));
    assert_eq!(subject.execute(&ctx).await.unwrap_err().class, ErrorClass::Conflict);
    assert_eq!(fake.requests().iter().filter(|it| it.body["merge_method"] == "squash").count(), 2);
}

#[tokio::test]
async fn a_merge_of_another_commit_is_refused_and_one_that_did_not_happen_refuted() {
    let (fake, ctx) = (fake().await, context("k"));
    let number = fake.put_pull_request("Repair", SHA);
    let moved = subject(&fake, "merge_pull_request", json!({"number": number, "sha": "a".repeat(40)}));
    assert_eq!(moved.execute(&ctx).await.unwrap_err().class, ErrorClass::Conflict);
    let changes = moved.preview(&ctx).await.unwrap().unwrap().changes;
    assert_eq!(changes[1].field, "head.sha");
    let merge = subject(&fake, "merge_pull_request", json!({"number": number, "sha": SHA}));
    fake.corrupt_next_write();
    let done = merge.execute(&ctx).await.unwrap();
    let verdict = merge.verify(&done, &ctx).await.unwrap();
    assert_eq!(verdict, Verification::Refuted("it is not merged".to_owned()));
}

#[tokio::test]
async fn a_reached_limit_is_told_from_a_missing_right() {
    let (fake, ctx) = (fake().await, context("k"));
    let issue = || subject(&fake, "create_issue", json!({"title": "Broken"}));
    let fail = |status, retry_after, message: &str| {
        fake.fault(Fault::Fail { status, retry_after, body: json!({"message": message}) });
    };
    fail(403, None, "Resource not accessible by personal access token");
    assert_eq!(issue().execute(&ctx).await.unwrap_err().class, ErrorClass::Auth);
    fail(403, Some(42), "Forbidden");
    let limited = issue().execute(&ctx).await.unwrap_err();
    assert_eq!(
        (limited.class, limited.retry_after),
        (ErrorClass::RateLimited, Some(Duration::from_secs(42)))
    );
    fail(403, None, "You have exceeded a secondary rate limit");
    let limited = issue().execute(&ctx).await.unwrap_err();
    assert_eq!(
        (limited.class, limited.retry_after),
        (ErrorClass::RateLimited, Some(Duration::from_secs(60)))
    );
    for (status, class) in [
        (401, ErrorClass::Auth),
        (404, ErrorClass::NotFound),
        (405, ErrorClass::Conflict),
        (409, ErrorClass::Conflict),
        (410, ErrorClass::NotFound),
        (422, ErrorClass::Invalid),
        (429, ErrorClass::RateLimited),
        (503, ErrorClass::Transient),
        (301, ErrorClass::Permanent),
    ] {
        fail(status, None, "told why");
        assert_eq!(issue().execute(&ctx).await.unwrap_err().class, class, "{status}");
    }
    assert!(fake.effects().is_empty());
}

#[test]
fn every_action_is_there_with_its_risk_and_effect() {
    expect_test::expect![[r#"
        github.comment R2 once [github:write] previews
        github.create_issue R2 once [github:write] undo previews
        github.create_pull_request_review R2 once [github:write] previews
        github.get_issue R1 read [github:read]
        github.get_pull_request R1 read [github:read]
        github.list_issues R1 read [github:read]
        github.list_pull_requests R1 read [github:read]
        github.merge_pull_request R3 checkable [github:merge] verifies previews
        github.search_code R1 read [github:read]"#]]
    .assert_eq(&crate::support::table("github"));
}
