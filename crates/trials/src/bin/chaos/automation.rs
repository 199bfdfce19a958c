//! An automation under trial, and the three ways to start a run of it.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Person};
use tokio::time::Instant;

/// How long a caller repeats the request for a run.
const STUBBORN: Duration = Duration::from_secs(240);
/// The type of the events that start it.
const EVENT: &str = "trial.wanted";

/// How a run is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Person,
    Hook,
    Event,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Person, Self::Hook, Self::Event];

    /// The name in the rows.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Hook => "webhook",
            Self::Event => "event",
        }
    }
}

/// A saved automation, with everything needed to start it.
#[derive(Debug, Clone)]
pub(crate) struct Saved {
    owner: Person,
    pub(crate) id: String,
    /// The path of its webhook, and its token.
    hook: (String, String),
}

/// A definition with this plan, whose runs have a name as input.
pub(crate) fn definition(name: &str, plan: &Value, concurrency: &str) -> Value {
    let named = json!({ "name": "$.data.name" });
    json!({
        "schema_version": "1.0", "name": name, "plan": plan,
        "inputs": { "schema": { "type": "object", "required": ["name"], "additionalProperties": false,
            "properties": { "name": { "type": "string" } } } },
        "triggers": [
            { "type": "webhook", "config": { "input_mapping": { "name": "$.name" } } },
            { "type": "event", "config": { "event_type": EVENT, "input_mapping": named } },
        ],
        "execution": { "concurrency": concurrency, "timeout_seconds": 3_600 },
    })
}

impl Saved {
    /// Saves a definition.
    pub(crate) async fn save(deployment: &Deployment, definition: Value) -> anyhow::Result<Self> {
        let body = json!({ "definition": definition });
        let kept = deployment.as_owner(Method::POST, "/v1/automations", body).await?;
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        let hook = text(&kept["new_tokens"][0]["path"]).zip(text(&kept["new_tokens"][0]["token"]));
        Ok(Self {
            owner: deployment.owner(),
            id: text(&kept["id"]).context("what was saved has an id")?,
            hook: hook.context("a webhook has a token")?,
        })
    }

    /// The same automation at another gateway.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self { owner: self.owner.at(url), ..self.clone() }
    }

    /// Requests a run with this name once, with an idempotency key or without; returns the status and the response.
    pub(crate) async fn ask(&self, way: Way, name: &str, key: Option<&str>) -> anyhow::Result<(u16, Value)> {
        let (path, token, body) = match way {
            Way::Person => {
                let path = format!("/v1/automations/{}/runs", self.id);
                (path, &self.owner.token, json!({ "inputs": { "name": name } }))
            }
            Way::Hook => (self.hook.0.clone(), &self.hook.1, json!({ "name": name })),
            Way::Event => {
                let event = json!({
                    "specversion": "1.0", "id": key.unwrap_or(name), "source": "/trial", "type": EVENT,
                    "data": { "name": name },
                });
                ("/v1/events".to_owned(), &self.owner.token, json!([event]))
            }
        };
        let request = self.owner.http.post(format!("{}{path}", self.owner.url)).bearer_auth(token);
        let request = match key {
            Some(key) if way != Way::Event => request.header("Idempotency-Key", key),
            _ => request,
        };
        let answer = request.timeout(Duration::from_secs(60)).json(&body).send().await?;
        Ok((answer.status().as_u16(), answer.json().await?))
    }

    /// Requests a run with this name, repeatedly with the same key until it is acknowledged; returns the run, if the
    /// response names one. An error means that the request was refused, or that it was never answered.
    pub(crate) async fn want(&self, way: Way, name: &str) -> anyhow::Result<Option<String>> {
        let (start, mut last) = (Instant::now(), String::new());
        while start.elapsed() < STUBBORN {
            match self.ask(way, name, Some(name)).await {
                Ok((200 | 202, answer)) => return Ok(answer["id"].as_str().map(ToOwned::to_owned)),
                Ok((code, answer)) if code < 500 && code != 429 => {
                    anyhow::bail!("{name} was answered with {code}: {answer}")
                }
                Ok((code, answer)) => last = format!("{code}: {answer}"),
                Err(error) => last = format!("{error:#}"),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        anyhow::bail!("{name} was never acknowledged: {last}")
    }
}
