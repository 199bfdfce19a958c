//! Every part of what a yes covers is changed, before the yes and after it: where the call goes, with which credential,
//! for whom, by which step, and why a person was asked. Nothing is performed, and the question comes back or ends with
//! the name of the part. In the control the binding of the same part is forged, and the call is made.

use axum::http::{Method, StatusCode};
use model::Status;
use serde_json::{Value, json};
use testkit::{
    Agent, TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    approvals::answers::{Waiting, answer, opened, perform},
    sources::connectors::{add, review},
};

/// How often each way is tried at each moment.
const EACH: usize = 15;

/// The ways, each with the part that must be named.
const WAYS: [(&str, &str); 12] = [
    ("the connector moved to another server", "the destination"),
    ("the connector moved to another path", "the destination"),
    ("the credential sent in another header", "the destination"),
    ("another secret of the same version", "the destination"),
    ("the secret replaced", "the credential"),
    ("the secret removed and added again", "the credential"),
    ("the connector removed and added again elsewhere", "the destination"),
    ("the name of the agent changed in the row", "who proposes it"),
    ("the opener of the session changed in the row", "who proposes it"),
    ("the step of an automation forged in the row", "who proposes it"),
    ("the band of the space raised", "the decision"),
    ("a rule that asks for another reason", "the decision"),
];

struct Scene {
    app: TestApp,
    ours: FakeMcp,
    theirs: FakeMcp,
    agent: Agent,
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let tools = || vec![tool("send", json!({ "text": { "type": "string" } }))];
        let ours = FakeMcp::start(tools(), None).await?;
        let theirs = FakeMcp::start(tools(), None).await?;
        let agent = app.agent().await?;
        let scene = Self { app, ours, theirs, agent };
        scene.put_secret("bank").await?;
        scene.put_secret("other").await?;
        scene.connect(&scene.ours).await?;
        Ok(scene)
    }

    async fn owner(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let done = self.app.send(method, path, &self.app.owner_token, body).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(done.body)
    }

    async fn put_secret(&self, name: &str) -> anyhow::Result<()> {
        let path = format!("/v1/secrets/{name}");
        self.owner(Method::PUT, &path, Some(json!({ "value": "the same value" }))).await.map(drop)
    }

    async fn connect(&self, server: &FakeMcp) -> anyhow::Result<()> {
        add(&self.app, "bank", server, json!({ "kind": "bearer", "secret": "bank" })).await?;
        self.accept().await
    }

    /// Reviews the tool as it is now, so that only the subject stands between the yes and the call.
    async fn accept(&self) -> anyhow::Result<()> {
        let reviewed = review(&self.app, "bank", "send", json!({ "risk": "R2", "effect": "once" })).await?;
        anyhow::ensure!(reviewed.status == StatusCode::OK, "{}", reviewed.text);
        Ok(())
    }

    async fn patch(&self, change: Value) -> anyhow::Result<()> {
        self.owner(Method::PATCH, "/v1/connectors/bank", Some(change)).await?;
        self.accept().await
    }

    fn called(&self) -> usize {
        self.ours.called() + self.theirs.called()
    }

    async fn ask(&self) -> anyhow::Result<Waiting> {
        let asked = self.app.invoke(&self.agent, "bank.send", json!({ "text": "hello" })).await?;
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
        opened(&self.app, &asked.body["id"]).await
    }

    async fn done(&self, waiting: &Waiting) -> anyhow::Result<bool> {
        let ended = perform(&self.app, waiting).await?;
        Ok(ended.is_some_and(|ended| ended.status == Status::Succeeded))
    }

    async fn forge(&self, statement: &'static str, ids: &[&Waiting]) -> anyhow::Result<()> {
        super::forge(&self.app, statement, ids).await
    }

    /// The server that the connector does not call, if it changes with every number.
    fn other_server(&self, number: usize) -> &FakeMcp {
        if number.is_multiple_of(2) { &self.theirs } else { &self.ours }
    }

    /// Makes the gateway read sessions again, by a rule about something else.
    async fn forget(&self) -> anyhow::Result<()> {
        let rule = json!({ "action": "linear.create_issue", "mode": "deny" });
        self.owner(Method::PUT, "/v1/rules", Some(rule)).await.map(drop)
    }

    /// Makes a change that differs from the one with the number before.
    async fn change(&self, way: &str, waiting: &Waiting, number: usize) -> anyhow::Result<()> {
        match way {
            "the connector moved to another server" => {
                self.patch(json!({ "place": self.other_server(number).url() })).await
            }
            "the connector moved to another path" => {
                self.patch(json!({ "place": format!("{}?tenant={number}", self.ours.url()) })).await
            }
            "the credential sent in another header" => {
                let auth = json!({ "kind": "header", "header": format!("X-Key-{number}"), "secret": "bank" });
                self.patch(json!({ "auth": auth })).await
            }
            "another secret of the same version" => {
                let secret = if number.is_multiple_of(2) { "other" } else { "bank" };
                self.patch(json!({ "auth": { "kind": "bearer", "secret": secret } })).await
            }
            "the secret replaced" => self.put_secret("bank").await,
            "the secret removed and added again" => {
                self.owner(Method::DELETE, "/v1/secrets/bank", None).await?;
                self.put_secret("bank").await
            }
            "the connector removed and added again elsewhere" => {
                self.owner(Method::DELETE, "/v1/connectors/bank", None).await?;
                self.connect(self.other_server(number)).await
            }
            "the name of the agent changed in the row" => {
                let rename = "UPDATE sessions SET agent = agent || 'x'
                              WHERE id = (SELECT session_id FROM invocations WHERE id = $1)";
                self.forge(rename, &[waiting]).await?;
                self.forget().await
            }
            "the opener of the session changed in the row" => {
                let hand_over = "UPDATE sessions SET created_by = (SELECT user_id FROM memberships
                                     WHERE user_id <> sessions.created_by LIMIT 1)
                                 WHERE id = (SELECT session_id FROM invocations WHERE id = $1)";
                if number == 0 {
                    self.app.person(self.app.org, model::Role::Admin).await?;
                }
                self.forge(hand_over, &[waiting]).await?;
                self.forget().await
            }
            "the step of an automation forged in the row" => {
                let forged = "UPDATE invocations
                              SET step = jsonb_build_object('version', 1, 'hash', 'sha256:' || repeat('0', 64))
                              WHERE id = $1";
                self.forge(forged, &[waiting]).await
            }
            "the band of the space raised" => {
                let band = if number.is_multiple_of(2) { "amber" } else { "green" };
                let spaces = self.owner(Method::GET, "/v1/spaces", None).await?;
                let path = format!("/v1/spaces/{}", spaces["items"][0]["id"].as_str().unwrap_or_default());
                self.owner(Method::PATCH, &path, Some(json!({ "risk_band": band }))).await.map(drop)
            }
            "a rule that asks for another reason" => {
                let rule = json!({ "action": "bank.send", "mode": "require_approval",
                    "reason": format!("finance must know {number}") });
                self.owner(Method::PUT, "/v1/rules", Some(rule)).await.map(drop)
            }
            other => anyhow::bail!("no such way: {other}"),
        }
    }

    /// One attack; returns whether anything was not as it must be.
    async fn attack(&self, (way, part): (&str, &str), after: bool, number: usize) -> anyhow::Result<bool> {
        let before = self.called();
        let waiting = self.ask().await?;
        let yes = || answer(&self.app, &self.app.owner_token, ("approve", &waiting), json!({}));
        if after {
            let said = yes().await?;
            anyhow::ensure!(said.body["status"] == "approved", "{}", said.text);
        }
        self.change(way, &waiting, number).await?;
        let mut wrong = false;
        if !after {
            let said = yes().await?;
            let detail = said.body["detail"].as_str().unwrap_or_default();
            wrong |= said.status != StatusCode::CONFLICT || !detail.contains(part);
        }
        wrong |= self.done(&waiting).await? || self.called() != before;
        // People are asked again, about what would happen now.
        let again = opened(&self.app, &json!(waiting.id)).await?;
        wrong |= again.shown == waiting.shown;
        self.app.app.pipeline.approvals().withdraw(self.app.org, again.id.parse()?, "tried").await?;
        // A session may make at most sixty requests a minute.
        self.app.advance(std::time::Duration::from_secs(2));
        Ok(wrong)
    }
}

#[tokio::test]
async fn a_part_that_changed_voids_the_yes_and_is_named() -> anyhow::Result<()> {
    for way in WAYS {
        for after in [false, true] {
            let scene = Scene::set().await?;
            let mut wrong = 0;
            for number in 0..EACH {
                wrong += usize::from(scene.attack(way, after, number).await?);
            }
            let when = if after { "after the yes" } else { "before the yes" };
            testkit::tried(2, &format!("{}, {when}", way.0), EACH, wrong);
            assert_eq!(wrong, 0, "{} {when}", way.0);
        }
    }
    Ok(())
}

/// With the binding of the changed part forged as well, every one of these attacks succeeds.
#[tokio::test]
async fn with_the_binding_forged_the_changed_call_is_made() -> anyhow::Result<()> {
    for (way, _) in WAYS {
        let scene = Scene::set().await?;
        let waiting = scene.ask().await?;
        let said = answer(&scene.app, &scene.app.owner_token, ("approve", &waiting), json!({})).await?;
        anyhow::ensure!(said.body["status"] == "approved", "{}", said.text);
        scene.change(way, &waiting, 0).await?;
        let twin = scene.ask().await?;
        if way == "the step of an automation forged in the row" {
            let same = "UPDATE invocations SET step = NULL WHERE id = $1";
            scene.forge(same, &[&waiting]).await?;
        }
        let forged = "WITH twin AS (SELECT shown_digest, subject, decision FROM invocations WHERE id = $2),
                           row AS (UPDATE invocations i SET shown_digest = twin.shown_digest, subject = twin.subject,
                                   decision = twin.decision FROM twin WHERE i.id = $1)
                      UPDATE approvals SET shown_digest = twin.shown_digest, subject_digest = twin.shown_digest
                      FROM twin WHERE invocation_id = $1";
        scene.forge(forged, &[&waiting, &twin]).await?;
        let before = scene.called();
        let done = scene.done(&waiting).await? && scene.called() == before + 1;
        testkit::tried(2, &format!("control: {way}, and the binding forged"), usize::from(done), 0);
        assert!(done, "{way}");
    }
    Ok(())
}
