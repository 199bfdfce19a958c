//! The flow of data: who may see what is sent where, and who chose the place. Told while it is observed, held once it is held.

use axum::http::{Method, StatusCode};
use base64::Engine as _;
use catalog::{SourceUrls, integrations};
use model::RunId;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeLinear, FakeModel, FakeSlack, Says},
};

use crate::{
    approvals::answers::{approve, opened, perform},
    automations::definitions::{advance, definition, save, show, start, text, waiting},
    invocations::invoke::TOKEN,
};

const KEY: &str = "a-key-of-flows-271828";
pub(crate) const ISSUE: &str = "44444444-4444-4444-8444-444444444444";
/// What nobody outside may see.
pub(crate) const SECRET: &str = "Globex buys us on the third of May";

/// Linear, Slack and a model, with sending to Slack allowed by a rule.
pub(crate) struct Stage {
    pub(crate) app: TestApp,
    pub(crate) linear: FakeLinear,
    pub(crate) slack: FakeSlack,
    pub(crate) model: FakeModel,
}

impl Stage {
    pub(crate) async fn set(flow: Value) -> anyhow::Result<Self> {
        let (linear, slack) = (FakeLinear::start(TOKEN).await, FakeSlack::start(TOKEN).await);
        let urls = SourceUrls::default()
            .with(&integrations::LINEAR, linear.url().parse()?)
            .with(&integrations::SLACK, slack.url().parse()?);
        let app = TestApp::with(urls, Limits::default()).await?;
        for source in ["linear", "slack"] {
            app.connect(source, TOKEN).await?;
        }
        app.rule("slack.send_message", "allow").await?;
        linear.put_issue(ISSUE, SECRET);
        let stage = Self { app, linear, slack, model: FakeModel::start(KEY).await };
        stage.add_provider("fake", true).await?;
        stage.flow(flow).await?;
        Ok(stage)
    }

    pub(crate) async fn add_provider(&self, name: &str, may_see_private: bool) -> anyhow::Result<()> {
        self.model.otherwise(|asked| {
            let word = json!({ "word": "ready" });
            if asked.tools.is_empty() { Says::text(word.to_string()) } else { Says::calls([("note", word)]) }
        });
        self.owner(Method::PUT, "/v1/secrets/model-key", json!({ "value": KEY })).await?;
        let provider = json!({
            "preset": "anthropic", "base_url": format!("{}/v1", self.model.url()), "may_see_private": may_see_private,
            "auth": { "kind": "header", "header": "x-api-key", "secret": "model-key" },
            "models": [{ "name": "fake-1", "context": 60_000, "max_output": 4_000,
                         "price": { "input": 1_000, "output": 10_000 } }],
        });
        self.owner(Method::PUT, &format!("/v1/models/{name}"), provider).await?;
        Ok(())
    }

    pub(crate) async fn owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let body = Some(body).filter(|body| !body.is_null());
        let done = self.app.send(method.clone(), path, &self.app.owner_token, body).await?;
        anyhow::ensure!(done.status.is_success(), "{method} {path}: {}", done.text);
        Ok(done.body)
    }

    /// Replaces what is set about the flow of data.
    pub(crate) async fn flow(&self, flow: Value) -> anyhow::Result<()> {
        let present = self.owner(Method::GET, "/v1/gates", Value::Null).await?;
        let settings = json!({ "version": present["version"], "flow": flow });
        self.owner(Method::PUT, "/v1/gates", settings).await?;
        Ok(())
    }

    pub(crate) async fn agent(&self) -> anyhow::Result<Agent> {
        self.app.agent().await
    }

    pub(crate) async fn read(&self, agent: &Agent) -> anyhow::Result<()> {
        let read = self.app.invoke(agent, "linear.get_issue", json!({ "issue": ISSUE })).await?;
        anyhow::ensure!(read.body["status"] == "succeeded", "{}", read.text);
        Ok(())
    }

    pub(crate) async fn send(&self, agent: &Agent, channel: &str, text: &str) -> anyhow::Result<Answered> {
        let params = json!({ "channel": channel, "text": text });
        self.app.invoke(agent, "slack.send_message", params).await
    }

    /// Saves an automation and starts it.
    pub(crate) async fn run(&self, automation: &Value) -> anyhow::Result<RunId> {
        let saved = save(&self.app, automation).await?;
        start(&self.app, &saved, json!({})).await
    }

    /// How many messages have arrived.
    pub(crate) fn arrived(&self) -> usize {
        self.slack.messages().len()
    }
}

pub(crate) fn hold() -> Value {
    json!({ "mode": "hold" })
}

fn internal() -> Value {
    json!([{ "source": "slack", "destination": "C0GENERAL", "audience": "internal" }])
}

/// Reads an issue, and sends its title to a channel.
fn digest(name: &str, channel: &str) -> Value {
    let mut whole = definition(
        name,
        &json!([
            { "step_id": "read", "action": "linear.get_issue", "output_as": "found", "config": { "issue": ISSUE } },
            { "step_id": "send", "action": "slack.send_message",
              "config": { "channel": channel, "text": "{{ found.title }}" } },
        ]),
    );
    whole["execution"] = json!({ "concurrency": "allow_parallel" });
    whole
}

#[tokio::test]
async fn what_a_session_read_is_held_when_it_sends() -> anyhow::Result<()> {
    let stage = Stage::set(json!({})).await?;
    let agent = stage.agent().await?;
    let before = stage.send(&agent, "C0GENERAL", "nothing was read").await?;
    assert_eq!(
        (&before.body["status"], &before.body["decision"]["flow"]),
        (&json!("succeeded"), &Value::Null)
    );
    stage.read(&agent).await?;
    // Observed: it happens, and its receipt says what would have been asked.
    let observed = stage.send(&agent, "C0GENERAL", SECRET).await?;
    assert_eq!(observed.body["status"], "succeeded", "{}", observed.text);
    let flow = &observed.body["decision"]["flow"];
    assert_eq!((&flow["mode"], &flow["observing"]), (&json!("require_approval"), &json!(true)), "{flow}");
    assert_eq!(flow["untrusted"], json!(["linear.get_issue"]));
    let path = format!("/v1/receipts/{}", text(&observed.body["receipt"]));
    let receipt = stage.owner(Method::GET, &path, Value::Null).await?;
    let payload = text(&receipt["envelope"]["payload"]);
    let signed: Value = serde_json::from_slice(&base64::engine::general_purpose::STANDARD.decode(payload)?)?;
    assert_eq!(signed["decision"]["flow"]["chosen_by"], "model", "{signed}");
    // Held: the rule that allows it does not help, and another session is not concerned.
    stage.flow(hold()).await?;
    let held = stage.send(&agent, "C0GENERAL", SECRET).await?;
    assert_eq!(held.status, StatusCode::ACCEPTED, "{}", held.text);
    assert_eq!(held.body["decision"]["guardrails"][0]["guardrail"], "flow");
    let other = stage.agent().await?;
    assert_eq!(stage.send(&other, "C0GENERAL", "fresh").await?.body["status"], "succeeded");
    assert_eq!(stage.arrived(), 3);
    // An answer frees one call.
    let waiting = opened(&stage.app, &held.body["id"]).await?;
    approve(&stage.app, &waiting).await?;
    perform(&stage.app, &waiting).await?;
    assert_eq!(stage.arrived(), 4);
    assert_eq!(stage.send(&agent, "C0GENERAL", "again").await?.status, StatusCode::ACCEPTED);
    // People of the organization may see it.
    stage.flow(json!({ "mode": "hold", "audiences": internal() })).await?;
    assert_eq!(stage.send(&agent, "C0GENERAL", SECRET).await?.body["status"], "succeeded");
    let report = stage.owner(Method::GET, "/v1/flow/report", Value::Null).await?;
    assert_eq!((&report["questions"], &report["questions_of_runs"]), (&json!(3), &json!(0)), "{report}");
    stage.app.check_invariants().await
}

#[tokio::test]
async fn the_person_who_answers_sees_where_it_goes_and_what_it_is_made_of() -> anyhow::Result<()> {
    let stage = Stage::set(hold()).await?;
    let agent = stage.agent().await?;
    stage.read(&agent).await?;
    let held = stage.send(&agent, "C0PUBLIC", &format!("Did you know? {SECRET}.")).await?;
    let path = format!("/v1/inbox/{}", text(&held.body["id"]));
    let flow = stage.owner(Method::GET, &path, Value::Null).await?["shown"]["flow"].clone();
    assert_eq!((&flow["to"], &flow["audience"]), (&json!(["C0PUBLIC"]), &json!("public")), "{flow}");
    assert_eq!((&flow["chosen_by"], &flow["private"]), (&json!("model"), &json!(["linear.get_issue"])));
    assert_eq!(flow["passages"][0]["pointer"], "/text");
    assert_eq!(flow["passages"][0]["text"], SECRET);
    assert_eq!(flow["passages"][0]["action"], "linear.get_issue");
    assert!(text(&flow["why"]).contains("untrusted text"), "{flow}");
    Ok(())
}

#[tokio::test]
async fn trust_covers_what_was_read_and_nothing_later() -> anyhow::Result<()> {
    let stage = Stage::set(hold()).await?;
    stage.flow(json!({ "mode": "hold", "public": ["linear"] })).await?;
    let agent = stage.agent().await?;
    stage.read(&agent).await?;
    let held = stage.send(&agent, "C0GENERAL", "one").await?;
    assert_eq!(held.status, StatusCode::ACCEPTED, "{}", held.text);
    let waiting = opened(&stage.app, &held.body["id"]).await?;
    let path = format!("/v1/invocations/{}/endorse", waiting.id);
    let request = |shown: &str| json!({ "shown_digest": shown, "note": "by Ada" });
    let other = format!("sha256:{}", "0".repeat(64));
    let wrong = stage.app.send(Method::POST, &path, &stage.app.owner_token, Some(request(&other))).await?;
    assert_eq!(wrong.body["code"], "shown_digest_mismatch", "{}", wrong.text);
    let trusted = stage.owner(Method::POST, &path, request(&waiting.shown)).await?;
    assert_eq!(trusted["origins"], json!(["linear.get_issue"]));
    let changes = stage.owner(Method::GET, "/v1/changes?limit=1", Value::Null).await?;
    assert_eq!(changes["items"][0]["change"], "flow.endorsed", "{changes}");
    // The question itself still waits, and later ones are not asked.
    assert_eq!(stage.arrived(), 0);
    stage.app.advance(std::time::Duration::from_secs(1));
    assert_eq!(stage.send(&agent, "C0GENERAL", "two").await?.body["status"], "succeeded");
    stage.read(&agent).await?;
    let again = stage.send(&agent, "C0GENERAL", "three").await?;
    assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.text);
    // Where nothing was read there is nothing to trust.
    let fresh = stage.agent().await?;
    stage.app.rule("linear.create_issue", "require_approval").await?;
    let asked = crate::approvals::answers::ask(&stage.app, &fresh, "t").await?;
    let path = format!("/v1/invocations/{}/endorse", asked.id);
    let none =
        stage.app.send(Method::POST, &path, &stage.app.owner_token, Some(request(&asked.shown))).await?;
    assert_eq!(none.body["code"], "nothing_to_endorse", "{}", none.text);
    stage.app.check_invariants().await
}

#[tokio::test]
async fn a_plan_is_judged_value_by_value_and_asks_nobody_after_a_consent() -> anyhow::Result<()> {
    let stage = Stage::set(hold()).await?;
    let saved = save(&stage.app, &digest("Digest", "C0GENERAL")).await?;
    let path = format!("/v1/automations/{}/flows", text(&saved["id"]));
    let flows = stage.owner(Method::GET, &path, Value::Null).await?;
    let found = &flows["flows"][0];
    assert_eq!((&flows["holds"], &found["mode"]), (&json!(true), &json!("require_approval")), "{flows}");
    assert_eq!((&found["to"], &found["chosen_by"]), (&json!(["C0GENERAL"]), &json!("definition")));
    let consent = found["consents"][0].clone();
    assert_eq!(consent["from"], json!(["linear"]), "{found}");
    let run = start(&stage.app, &saved, json!({})).await?;
    assert!(matches!(advance(&stage.app, run).await?, automation::Turn::Await { .. }));
    // Data that matters is held although a rule allows it, until an admin agrees once.
    stage.flow(json!({ "mode": "hold", "consents": [consent] })).await?;
    for _ in 0..2 {
        let run = start(&stage.app, &saved, json!({})).await?;
        assert_eq!(advance(&stage.app, run).await?, automation::Turn::Over);
        assert_eq!(show(&stage.app, run).await?["status"], "succeeded");
    }
    assert_eq!(stage.arrived(), 2);
    let flows = stage.owner(Method::GET, &path, Value::Null).await?;
    assert_eq!(
        (&flows["flows"][0]["mode"], &flows["flows"][0]["consented"]),
        (&json!("allow"), &json!(true))
    );
    // The consent is no other automation's.
    let other = stage.run(&digest("Other", "C0GENERAL")).await?;
    assert!(matches!(advance(&stage.app, other).await?, automation::Turn::Await { .. }));
    // What was asked before is answered by the consent too, if somebody says yes.
    let waiting = waiting(&stage.app, run).await?;
    approve(&stage.app, &waiting).await?;
    perform(&stage.app, &waiting).await?;
    assert_eq!(advance(&stage.app, run).await?, automation::Turn::Over);
    stage.app.check_invariants().await
}

#[tokio::test]
async fn a_provider_that_may_not_see_private_data_is_not_asked_for_it() -> anyhow::Result<()> {
    let stage = Stage::set(json!({})).await?;
    stage.add_provider("outside", false).await?;
    let task = |name: &str, context: &str| {
        definition(
            name,
            &json!([
                { "step_id": "read", "action": "linear.get_issue", "output_as": "found", "config": { "issue": ISSUE } },
                { "step_id": "ask", "action": "agent_task", "config": {
                    "goal": "Say yes.", "context": context, "provider": "outside", "model": "fake-1", "max_turns": 1 } },
            ]),
        )
    };
    let run = stage.run(&task("Observed", "{{ found.title }}")).await?;
    assert_eq!(advance(&stage.app, run).await?, automation::Turn::Over);
    assert_eq!(show(&stage.app, run).await?["status"], "succeeded");
    stage.flow(hold()).await?;
    let before = stage.model.billed().calls;
    let run = stage.run(&task("Held", "{{ found.title }}")).await?;
    assert_eq!(advance(&stage.app, run).await?, automation::Turn::Over);
    let shown = show(&stage.app, run).await?;
    assert_eq!((&shown["status"], &shown["error"]["class"]), (&json!("failed"), &json!("denied")), "{shown}");
    assert_eq!(stage.model.billed().calls, before);
    let run = stage.run(&task("Nothing private", "a text of the definition")).await?;
    assert_eq!(advance(&stage.app, run).await?, automation::Turn::Over);
    assert_eq!(show(&stage.app, run).await?["status"], "succeeded");
    Ok(())
}
