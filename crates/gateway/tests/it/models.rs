//! Model calls through the whole product: providers over HTTP, prompts by digest, replies kept, budgets held.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::{Method, StatusCode};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use catalog::models::{Message, Prompt, Reply, describe};
use futures::future::join_all;
use model::{AutomationId, Digest, ErrorClass, RunId, Status, StepOrigin};
use pipeline::{Budget, Cap, Error, Invocation, Request};
use serde_json::{Value, json};
use testkit::{
    Agent, TestApp,
    fakes::{FakeModel, Says, Step},
};

use crate::invocations::invoke::notified;

const KEY: &str = "a-key-of-models-2718281828";
const CLIENTS: usize = 64;
const AGENTS: usize = 10;

struct Stage {
    app: TestApp,
    fake: FakeModel,
    agent: Agent,
    /// Each may ask a number of times in a minute only, so they take turns.
    agents: Vec<Agent>,
    turn: AtomicUsize,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let (app, fake) = (TestApp::start().await?, FakeModel::start(KEY).await);
        fake.otherwise(|asked| {
            let word = json!({ "word": "ready" });
            if asked.tools.is_empty() { Says::text(word.to_string()) } else { Says::calls([("note", word)]) }
        });
        let agent = app.agent().await?;
        let mut agents = Vec::new();
        for _ in 0..AGENTS {
            agents.push(app.agent().await?);
        }
        let stage = Self { app, fake, agent, agents, turn: AtomicUsize::new(0) };
        stage.owner(Method::PUT, "/v1/secrets/model-key", json!({ "value": KEY })).await?;
        stage.put(json!({})).await?;
        Ok(stage)
    }

    async fn owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        let body = Some(body).filter(|body| !body.is_null());
        let done = self.app.send(method.clone(), path, &self.app.owner_token, body).await?;
        anyhow::ensure!(done.status.is_success(), "{method} {path}: {}", done.text);
        Ok(done.body)
    }

    /// Saves the provider, with changes.
    async fn put(&self, changes: Value) -> anyhow::Result<Value> {
        let price = json!({ "input": 1_000, "output": 10_000 });
        let mut provider = json!({
            "preset": "openai", "base_url": format!("{}/v1", self.fake.url()),
            "auth": { "kind": "bearer", "secret": "model-key" },
            "models": [{ "name": "fake-1", "context": 8_000, "max_output": 1_000, "price": price }],
        });
        for (name, value) in changes.as_object().unwrap() {
            provider[name] = value.clone();
        }
        self.owner(Method::PUT, "/v1/models/fake", provider).await
    }

    /// Asks the model as a step does.
    async fn ask(&self, text: &str) -> Result<Invocation, Error> {
        self.ask_with(text, Some(self.budget())).await
    }

    fn budget(&self) -> Box<Budget> {
        Box::new(Budget {
            automation: AutomationId::from_uuid(uuid::Uuid::nil()),
            run: RunId::from_uuid(uuid::Uuid::nil()),
            run_created_at: "2026-11-19T08:00:00Z".parse().unwrap(),
            per_day: Cap::default(),
            per_run: Cap::default(),
        })
    }

    async fn ask_with(&self, text: &str, budget: Option<Box<Budget>>) -> Result<Invocation, Error> {
        let prompt = Prompt { messages: vec![Message::User { text: text.to_owned() }], ..Prompt::default() };
        let parts = prompt.parts().unwrap();
        let pipeline = &self.app.app.pipeline;
        pipeline.put_prompt(self.app.org, &parts).await?;
        let params = serde_json::to_value(describe(&prompt, &parts, "fake-1", 100)).unwrap();
        let agent = &self.agents[self.turn.fetch_add(1, Ordering::Relaxed) % AGENTS];
        let origin = StepOrigin { version: 1, hash: Digest::of_bytes(b"step") };
        let request = Request {
            org: self.app.org,
            session: agent.session.parse().unwrap(),
            action: "model.fake".to_owned(),
            params,
            dry_run: false,
            key: None,
            trace_id: None,
            timeout: None,
            step: Some(origin),
            reason: String::new(),
            released: None,
            provenance: None,
            budget,
        };
        pipeline.invoke(request).await
    }

    /// What was spent and is reserved today, in USD.
    async fn spent(&self) -> anyhow::Result<(f64, f64)> {
        let found = self.owner(Method::GET, "/v1/models/spending?days=1", Value::Null).await?;
        let day = &found["days"][0];
        Ok((day["spent_usd"].as_f64().unwrap_or_default(), day["reserved_usd"].as_f64().unwrap_or_default()))
    }
}

#[tokio::test]
async fn a_model_is_asked_and_its_reply_is_kept_whole_and_told_in_short() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let listed = stage.owner(Method::GET, "/v1/models", Value::Null).await?;
    let provider = &listed["items"][0];
    assert_eq!((&provider["action"], &provider["has_credential"]), (&json!("model.fake"), &json!(true)));
    assert_eq!(provider["tested"]["calls_tools"], json!(true), "{provider}");
    let long = "a very long answer ".repeat(300);
    stage.fake.script(vec![Step::new(Says::text(&long).usage(500, 700, 0)).expect_user("the question")]);
    let done = stage.ask("the question").await?;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.failure);
    let told = done.result.unwrap();
    assert_eq!(told["cost"]["nano_usd"], json!(500 * 1_000 + 700 * 10_000));
    assert!(told["text"].as_str().unwrap().len() <= 2_000);
    let digest: Digest = serde_json::from_value(told["reply"].clone())?;
    let kept = stage.app.app.pipeline.reader().payloads(stage.app.org, &[digest]).await?;
    let reply: Reply = serde_json::from_slice(&kept[&digest])?;
    assert_eq!(reply.text, long);
    // The receipt tells tokens and cost, and neither prompt nor key.
    let path = format!("/v1/receipts/{}", done.receipt.unwrap());
    let envelope = stage.owner(Method::GET, &path, Value::Null).await?;
    let receipt = String::from_utf8(STANDARD.decode(envelope["envelope"]["payload"].as_str().unwrap())?)?;
    assert!(receipt.contains("nano_usd") && receipt.contains("price_version"), "{receipt}");
    let body: Value = serde_json::from_str(&receipt)?;
    assert_eq!(body["cost"], json!({ "micros": 7_500, "unit": "USD" }), "{receipt}");
    assert!(!receipt.contains("the question") && !receipt.contains(KEY), "{receipt}");
    assert_eq!(stage.spent().await?, (0.007_5, 0.0));
    assert_eq!(stage.fake.finish(), Ok(()));
    Ok(())
}

#[tokio::test]
async fn agents_cannot_ask_models_by_themselves() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let before = stage.fake.billed().calls;
    assert!(matches!(stage.ask_with("x", None).await, Err(Error::UnknownAction { .. })));
    let batch = json!({ "action": "batch.run", "params": { "parts": [
        { "action": "model.fake", "params": { "model": "fake-1" } },
        { "action": "data.transform", "params": { "template": "x" } },
    ] } });
    let path = format!("/v1/sessions/{}/actions/invoke", stage.agent.session);
    let answered = stage.app.send(Method::POST, &path, &stage.agent.token, Some(batch)).await?;
    assert!(answered.status.is_client_error(), "{}", answered.text);
    let path = format!("/v1/sessions/{}/actions/available", stage.agent.session);
    let listed = stage.app.send(Method::GET, &path, &stage.agent.token, None).await?;
    assert!(listed.status == StatusCode::OK && !listed.text.contains("model.fake"), "{}", listed.text);
    assert_eq!(stage.fake.billed().calls, before);
    assert_eq!(stage.ask("x").await?.status, Status::Succeeded, "control");
    Ok(())
}

#[tokio::test]
async fn a_failure_is_told_once_and_its_reservation_ends() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let quota = || Says::fail(429, "insufficient_quota", Some("credit_balance_exhausted"));
    for (says, class) in [
        (quota(), ErrorClass::QuotaExhausted),
        (Says::fail(529, "overloaded_error", None), ErrorClass::RateLimited),
        (Says::fail(429, "rate_limit_error", None).retry_after("3"), ErrorClass::RateLimited),
    ] {
        let asked = stage.fake.asked().len();
        stage.fake.script(vec![says.into()]);
        let failed = stage.ask("x").await?;
        assert_eq!(failed.failure.map(|failure| failure.class), Some(class));
        assert_eq!(stage.fake.asked().len(), asked + 1, "it is asked once: {class:?}");
        assert_eq!(stage.spent().await?, (0.0, 0.0), "{class:?}");
    }
    let told = notified(&stage.app).await?;
    assert_eq!(told[0]["title"], json!("`model.fake` has no money or quota left"), "{told:?}");
    Ok(())
}

#[tokio::test]
async fn what_many_spend_at_once_is_never_above_the_cap_and_nothing_that_fits_is_refused()
-> anyhow::Result<()> {
    let stage = Stage::set().await?;
    // Each call reserves its estimate, 100 tokens of output among them, and uses all of that output.
    stage.fake.otherwise(|_| Says::text("ok").usage(10, 100, 0));
    let one = 10 * 1_000 + 100 * 10_000;
    stage.ask("the same question").await?;
    let cap = 20;
    let budget = json!({ "model_budget": { "usd_per_day": f64::from(one) * f64::from(cap) / 1e9 } });
    stage.owner(Method::PATCH, "/v1/org", budget).await?;
    let mut refused = 0;
    let before = stage.fake.billed().calls;
    // What was reserved and not used lets more through in the next round.
    for _ in 0..4 {
        let all = (0..CLIENTS).map(|_| stage.ask("the same question"));
        for answer in join_all(all).await {
            match answer {
                Ok(done) => assert_eq!(done.status, Status::Succeeded, "{:?}", done.failure),
                Err(Error::OverBudget(_)) => refused += 1,
                Err(other) => return Err(other.into()),
            }
        }
        let (spent, reserved) = stage.spent().await?;
        assert!(spent <= f64::from(one) * f64::from(cap) / 1e9 && reserved == 0.0, "{spent} {reserved}");
    }
    let paid = stage.fake.billed().calls - before + 1;
    // The provider's own count. The last call fits only while its estimate does.
    assert!((18..=20).contains(&paid), "{paid}");
    assert_eq!(refused, 4 * CLIENTS as u64 - (paid - 1));
    // Control: without a limit all are let through.
    stage.owner(Method::PATCH, "/v1/org", json!({ "model_budget": {} })).await?;
    for answer in join_all((0..CLIENTS).map(|_| stage.ask("the same question"))).await {
        assert_eq!(answer?.status, Status::Succeeded);
    }
    Ok(())
}

#[tokio::test]
async fn an_unknown_price_is_not_zero() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.put(json!({ "models": [{ "name": "fake-1" }] })).await?;
    assert!(matches!(stage.ask("x").await, Err(Error::Unpriced(_))));
    stage.put(json!({ "models": [{ "name": "fake-1" }], "is_free": true })).await?;
    assert_eq!(stage.ask("x").await?.status, Status::Succeeded, "it is free");
    stage.put(json!({ "models": [{ "name": "fake-1" }], "is_free": false })).await?;
    stage.owner(Method::PATCH, "/v1/org", json!({ "model_budget": { "tokens_per_day": 100_000 } })).await?;
    let done = stage.ask("x").await?;
    assert_eq!((done.status, &done.result.unwrap()["cost"]), (Status::Succeeded, &Value::Null));
    stage.owner(Method::PATCH, "/v1/org", json!({ "model_budget": { "tokens_per_day": 10 } })).await?;
    assert!(matches!(stage.ask("x").await, Err(Error::OverBudget(_))), "tokens are counted all the same");
    Ok(())
}
