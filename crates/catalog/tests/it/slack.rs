//! Slack's actions against the fake.

use std::time::Duration;

use catalog::{Undone, Verification};
use model::ErrorClass;
use serde_json::{Value, json};
use testkit::fakes::{FakeSlack, Fault};

use crate::support::{Subject, TOKEN, context, registry};

async fn fake() -> FakeSlack {
    FakeSlack::start(TOKEN).await
}

fn subject(fake: &FakeSlack, action: &str, params: Value) -> Subject {
    Subject::new(&registry("slack", &fake.url()), &format!("slack.{action}"), params)
}

fn send(fake: &FakeSlack, text: &str) -> Subject {
    subject(fake, "send_message", json!({"channel": "C0GENERAL", "text": text}))
}

#[tokio::test]
async fn a_message_is_sent_found_again_and_deleted() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = send(&fake, "Deployed");
    let preview = subject.preview(&ctx).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Posts to Slack channel C0GENERAL: “Deployed”");
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    let done = subject.execute(&ctx).await.unwrap();
    assert_eq!(subject.lookup(&ctx).await, Ok(Some(done.clone())));
    assert_eq!(subject.lookup(&context("another")).await, Ok(None));
    assert_eq!(subject.verify(&done, &ctx).await, Ok(Verification::Unchecked));
    for _ in 0..2 {
        assert!(matches!(subject.rollback(&done, &ctx).await, Ok(Undone::Done(_))));
    }
    assert!(fake.messages().is_empty());
    assert_eq!(fake.effects()["Deployed"], 1);
}

#[tokio::test]
async fn an_undo_that_was_not_answered_by_slack_is_not_done() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = send(&fake, "Deployed");
    let done = subject.execute(&ctx).await.unwrap();
    let unseen = json!({"ok": false, "error": "channel_not_found"});
    for (status, body) in [(404, json!({})), (200, unseen), (500, json!({}))] {
        fake.fault(Fault::Fail { status, retry_after: None, body });
        assert!(subject.rollback(&done, &ctx).await.is_err(), "{status}");
    }
    assert_eq!(fake.messages().len(), 1);
}

#[tokio::test]
async fn the_channel_never_sees_the_key_itself() {
    let fake = fake().await;
    send(&fake, "Deployed").execute(&context("customer-4711")).await.unwrap();
    let message = fake.messages().remove(0);
    assert_eq!(message["metadata"]["event_type"], "countersign");
    assert!(!message.to_string().contains("4711"), "{message}");
}

#[tokio::test]
async fn an_answer_in_a_thread_is_found_in_the_thread() {
    let (fake, ctx) = (fake().await, context("k"));
    let thread = fake.put_message("A question");
    let params = json!({"channel": "C0GENERAL", "text": "An answer", "thread_ts": thread});
    let subject = subject(&fake, "send_message", params);
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    fake.reset_after_request();
    let lost = subject.execute(&ctx).await.unwrap_err();
    assert!(lost.sent);
    assert!(subject.lookup(&ctx).await.unwrap().is_some());
    let read = Subject::new(
        &registry("slack", &fake.url()),
        "slack.read_thread",
        json!({"channel": "C0GENERAL", "thread_ts": thread, "limit": 1}),
    );
    let page = read.execute(&ctx).await.unwrap().output;
    assert_eq!(page["messages"][0]["text"], "A question");
    assert_eq!(page["next_cursor"], "1");
}

#[tokio::test]
async fn a_channel_too_long_to_look_through_is_no_proof() {
    let (fake, ctx) = (fake().await, context("k"));
    let subject = send(&fake, "Deployed");
    for number in 0..2000 {
        fake.put_message(&format!("{number}"));
    }
    assert_eq!(subject.lookup(&ctx).await, Ok(None));
    fake.put_message("one more than ten pages hold");
    let unknown = subject.lookup(&ctx).await.unwrap_err();
    assert_eq!(unknown.class, ErrorClass::OutcomeUnknown);
}

#[tokio::test]
async fn channels_are_listed() {
    let (fake, ctx) = (fake().await, context("k"));
    let list = subject(&fake, "list_channels", json!({"limit": 1, "include_private": true}));
    let page = list.execute(&ctx).await.unwrap().output;
    assert_eq!(page["channels"][0]["id"], "C0GENERAL");
    assert_eq!(fake.requests()[0].query["types"], "public_channel,private_channel");
}

#[tokio::test]
async fn failures_have_the_class_that_slack_means() {
    let (fake, ctx) = (fake().await, context("k"));
    for (word, class) in [
        ("invalid_auth", ErrorClass::Auth),
        ("missing_scope", ErrorClass::Auth),
        ("channel_not_found", ErrorClass::NotFound),
        ("not_in_channel", ErrorClass::Conflict),
        ("msg_too_long", ErrorClass::Invalid),
        ("ratelimited", ErrorClass::RateLimited),
        ("internal_error", ErrorClass::Transient),
        ("something_new", ErrorClass::Permanent),
    ] {
        fake.fault(Fault::Fail { status: 200, retry_after: None, body: json!({"ok": false, "error": word}) });
        let error = send(&fake, "Deployed").execute(&ctx).await.unwrap_err();
        assert_eq!((error.class, error.sent), (class, true), "{word}");
    }
    fake.fault(Fault::Fail { status: 429, retry_after: Some(30), body: json!({}) });
    let error = send(&fake, "Deployed").execute(&ctx).await.unwrap_err();
    assert_eq!((error.class, error.retry_after), (ErrorClass::RateLimited, Some(Duration::from_secs(30))));
    let archived = subject(&fake, "send_message", json!({"channel": "C0OLD", "text": "x"}));
    assert_eq!(archived.execute(&ctx).await.unwrap_err().class, ErrorClass::Conflict);
    assert!(fake.effects().is_empty());
}

#[test]
fn every_action_is_there_with_its_risk_and_effect() {
    expect_test::expect![[r#"
        slack.list_channels R1 read [slack:read]
        slack.read_thread R1 read [slack:read]
        slack.send_message R2 checkable [slack:write] undo previews"#]]
    .assert_eq(&crate::support::table("slack"));
}
