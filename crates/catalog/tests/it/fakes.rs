//! The control endpoints of the fakes, as a script would use them.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method};
use platform::egress::Request;
use serde_json::{Value, json};
use testkit::fakes::FakeLinear;
use tokio::sync::Notify;

use crate::support::{Subject, TOKEN, context, registry};

async fn ask(url: &str, method: Method, body: Option<Value>) -> (u16, Value) {
    let request = Request {
        method,
        url: url.parse().unwrap(),
        headers: HeaderMap::new(),
        body: body.map(|body| Bytes::from(body.to_string())),
        timeout: Duration::from_secs(10),
    };
    let answer = context("k").egress.send(request).await.unwrap();
    (answer.status.as_u16(), serde_json::from_slice(&answer.body).unwrap())
}

#[tokio::test]
async fn scripts_can_order_faults_and_count_effects() {
    let fake = FakeLinear::start(TOKEN).await;
    let (control, effects) = (format!("{}/_control", fake.url()), format!("{}/_effects", fake.url()));
    let order = json!({"fault": "fail_after", "status": 500});
    assert_eq!(ask(&control, Method::POST, Some(order)).await, (200, json!({"ok": true})));
    assert_eq!(ask(&control, Method::POST, Some(json!({"fault": "dance"}))).await.0, 400);
    let params = json!({"team_id": "team-1", "title": "Once"});
    let subject = Subject::new(&registry("linear", &fake.url()), "linear.create_issue", params);
    let ctx = context("k");
    assert!(!subject.execute(&ctx).await.unwrap_err().nothing_happened());
    subject.execute(&ctx).await.unwrap();
    assert_eq!(ask(&effects, Method::GET, None).await, (200, json!({"Once": 1})));
    let (_, asked) = ask(&format!("{}/_requests", fake.url()), Method::GET, None).await;
    assert_eq!(asked[0]["body"]["operationName"], "CreateIssue");
}

#[tokio::test]
async fn a_test_is_told_when_an_effect_has_happened_though_no_answer_comes() {
    let fake = FakeLinear::start(TOKEN).await;
    let params = json!({"team_id": "team-1", "title": "Once"});
    let subject = Subject::new(&registry("linear", &fake.url()), "linear.create_issue", params);
    let happened = Arc::new(Notify::new());
    fake.on_next_effect(happened.clone());
    fake.hang();
    let ctx = context("k");
    tokio::select! {
        answer = subject.execute(&ctx) => panic!("{answer:?}"),
        () = happened.notified() => {}
    }
    assert_eq!(fake.effects()["Once"], 1);
    fake.delay_next(Duration::from_millis(1));
    assert!(subject.lookup(&ctx).await.unwrap().is_some());
}

#[tokio::test]
async fn every_integration_has_a_fake_that_starts() {
    let mut missing: Vec<&str> =
        catalog::integrations::ALL.iter().map(|integration| integration.slug).collect();
    for fake in testkit::fakes::INTEGRATIONS {
        let running = fake.start(TOKEN, 0).await.unwrap();
        assert!(running.url.starts_with("http://127.0.0.1:"), "{}", fake.slug);
        missing.retain(|slug| *slug != fake.slug);
    }
    assert!(missing.is_empty(), "no fake for {missing:?}");
}
