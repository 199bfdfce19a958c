//! The connection to the database breaks around a commit. The process lives and knows what it did: nothing waits for a
//! lease, and nothing is done twice.

use catalog::{Registry, SourceUrls};
use http::Method;
use model::{InvocationId, Status};
use pipeline::Performed;
use platform::config::Limits;
use serde_json::json;
use testkit::{Agent, Answered, Lost, Relay, Servers, TestApp, fakes::FakeGitHub};

const TOKEN: &str = "lin_api_test";

struct Stand {
    app: TestApp,
    agent: Agent,
    relay: Relay,
    github: FakeGitHub,
}

impl Stand {
    /// With a rule for the one action, which is done at most once.
    async fn start(mode: &str) -> Self {
        let github = FakeGitHub::start(TOKEN).await;
        let urls = SourceUrls::default().with(&catalog::integrations::GITHUB, github.url().parse().unwrap());
        let relay = Relay::start(&Servers::find().service_url("postgres")).await.unwrap();
        let registry = Registry::builtin(&urls).unwrap();
        let app = TestApp::behind(&relay, registry, Limits::default()).await.unwrap();
        app.connect("github", TOKEN).await.unwrap();
        app.rule("github.create_issue", mode).await.unwrap();
        let agent = app.agent().await.unwrap();
        Self { app, agent, relay, github }
    }

    async fn ask(&self, key: Option<&str>) -> Answered {
        let params = json!({ "owner": "acme", "repo": "web", "title": "Once" });
        let action = "github.create_issue";
        match key {
            None => self.app.invoke(&self.agent, action, params).await.unwrap(),
            Some(key) => self.app.invoke_keyed(&self.agent, (action, key), params).await.unwrap(),
        }
    }

    /// The cut was made, and this is how often the target did it; all else is as it must be.
    async fn check(&self, effects: u64) {
        assert!(self.relay.has_cut());
        assert_eq!(self.github.count_effect("Once"), effects);
        self.app.check_invariants().await.unwrap();
    }
}

#[tokio::test]
async fn a_claim_whose_commit_was_not_acknowledged_is_executed_once() {
    for key in [None, Some("key")] {
        let stand = Stand::start("allow").await;
        stand.relay.cut("COMMIT", 0, Lost::Answer);
        let answer = stand.ask(key).await;
        assert_eq!(answer.body["status"], "succeeded", "{}", answer.text);
        stand.check(1).await;
    }
}

#[tokio::test]
async fn a_claim_that_was_not_committed_is_not_executed() {
    for key in [None, Some("key")] {
        let stand = Stand::start("allow").await;
        stand.relay.cut("COMMIT", 0, Lost::Request);
        let answer = stand.ask(key).await;
        assert_eq!(answer.body["code"], "storage_unavailable", "{}", answer.text);
        assert_eq!(stand.github.count_requests(|_| true), 0);
        stand.check(0).await;
    }
}

#[tokio::test]
async fn a_settlement_is_written_again_whatever_of_it_broke_off() {
    let breaks =
        [("INTO receipts", 0, Lost::Request), ("COMMIT", 1, Lost::Request), ("COMMIT", 1, Lost::Answer)];
    for (text, others, lost) in breaks {
        let stand = Stand::start("allow").await;
        stand.relay.cut(text, others, lost);
        let answer = stand.ask(None).await;
        assert_eq!(answer.body["status"], "succeeded", "{text}, {lost:?}: {}", answer.text);
        stand.check(1).await;
    }
}

#[tokio::test]
async fn an_approved_invocation_whose_beginning_was_not_acknowledged_is_performed_once() {
    for (lost, attempts) in [(Lost::Answer, 1), (Lost::Request, 2)] {
        let stand = Stand::start("require_approval").await;
        let waiting = stand.ask(None).await.body;
        let id = waiting["id"].as_str().unwrap();
        let path = format!("/v1/invocations/{id}/approve?wait=0s");
        let opened = format!("/v1/inbox/{id}");
        let item = stand.app.send(Method::GET, &opened, &stand.app.owner_token, None).await.unwrap();
        let body = json!({ "shown_digest": testkit::shown_digest(&item.body).unwrap() });
        let said = stand.app.send(Method::POST, &path, &stand.app.owner_token, Some(body)).await.unwrap();
        assert!(said.status.is_success(), "{}", said.text);
        stand.relay.cut("COMMIT", 0, lost);
        let id: InvocationId = id.parse().unwrap();
        let mut performed = stand.app.app.pipeline.perform(stand.app.org, id).await;
        if attempts == 2 {
            // Nothing was begun, and the engine asks again.
            assert!(performed.is_err());
            performed = stand.app.app.pipeline.perform(stand.app.org, id).await;
        }
        let Performed::Ended(ended) = performed.unwrap() else { panic!("{lost:?}: it is not over") };
        assert_eq!(ended.status, Status::Succeeded);
        stand.check(1).await;
    }
}
