//! A process that outlives its lease, and the one that takes over from it.

use std::time::Duration;

use catalog::SourceUrls;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    Answered, TestApp,
    fakes::{FakeGitHub, FakeLinear, Fault},
};

const TOKEN: &str = "lin_api_test";
const LIMITS: Limits = Limits {
    invocations_per_minute: 1_000,
    opener_per_minute: None,
    space_per_minute: None,
    org_per_minute: None,
    pending_per_session: 10,
    pending_per_opener: 50,
    pending_per_org: 500,
    // Long enough for a busy machine to take over within it.
    action_timeout: Duration::from_secs(10),
    model_timeout: Duration::from_secs(10),
    lease_margin: Duration::from_secs(1),
    recovery_interval: Duration::from_secs(1),
};
/// Longer than any lease here.
const LATER: Duration = Duration::from_secs(60);

struct Stand {
    app: TestApp,
    linear: FakeLinear,
    github: FakeGitHub,
}

impl Stand {
    async fn start() -> Self {
        let (linear, github) = (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await);
        let urls = SourceUrls::default()
            .with(&catalog::integrations::LINEAR, linear.url().parse().unwrap())
            .with(&catalog::integrations::GITHUB, github.url().parse().unwrap());
        let app = TestApp::with(urls, LIMITS).await.unwrap();
        for (source, action) in [("linear", "linear.create_issue"), ("github", "github.create_issue")] {
            app.connect(source, TOKEN).await.unwrap();
            app.rule(action, "allow").await.unwrap();
        }
        Self { app, linear, github }
    }

    /// Asks for something; once the target has been called, time passes, and `then` happens before it could answer.
    async fn invoke_slowly(&self, action: &str, params: Value, then: impl Future<Output = ()>) -> Answered {
        let agent = self.app.agent().await.unwrap();
        let called = || self.linear.count_requests(|_| true) + self.github.count_requests(|_| true) > 0;
        let (answer, ()) = tokio::join!(self.app.invoke(&agent, action, params), async {
            while !called() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            self.app.advance(LATER);
            then.await;
        });
        answer.unwrap()
    }

    async fn recover(&self) {
        assert_eq!(self.app.app.pipeline.recover().await.unwrap(), 1);
    }
}

#[tokio::test]
async fn no_try_begins_when_another_process_may_have_taken_over() {
    let stand = Stand::start().await;
    stand.linear.fault(Fault::HangBefore);
    let params = json!({ "team_id": "team-1", "title": "Slow" });
    let answer = stand.invoke_slowly("linear.create_issue", params, async {}).await;
    assert_eq!(answer.body["code"], "action_failed", "{}", answer.text);
    let creates = stand.linear.count_requests(|seen| seen.body["operationName"] == "CreateIssue");
    assert_eq!((creates, stand.linear.count_effect("Slow")), (1, 0));
    stand.app.check_invariants().await.unwrap();
}

#[tokio::test]
async fn a_once_only_action_that_is_taken_over_ends_unknown_and_happens_once() {
    let stand = Stand::start().await;
    stand.github.hang();
    let params = json!({ "owner": "acme", "repo": "web", "title": "Slow" });
    let answer = stand.invoke_slowly("github.create_issue", params, stand.recover()).await;
    assert_eq!(answer.body["code"], "outcome_unknown", "{}", answer.text);
    assert_eq!(stand.github.count_effect("Slow"), 1);
    stand.app.check_invariants().await.unwrap();
}

#[tokio::test]
async fn a_checkable_action_that_is_taken_over_is_found_and_both_give_the_same_answer() {
    let stand = Stand::start().await;
    stand.linear.hang();
    let params = json!({ "team_id": "team-1", "title": "Slow" });
    let answer = stand.invoke_slowly("linear.create_issue", params, stand.recover()).await;
    assert_eq!(answer.body["status"], "succeeded", "{}", answer.text);
    assert!(answer.body["receipt"].is_string());
    assert_eq!(stand.linear.count_effect("Slow"), 1);
    stand.app.check_invariants().await.unwrap();
}
