//! Saved work under trial: an automation that is kept, and the three ways in which somebody has it run.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Person};
use tokio::time::Instant;

/// How long somebody who wants a run goes on asking for it.
const STUBBORN: Duration = Duration::from_secs(240);
/// The type of the events that start it.
const EVENT: &str = "trial.wanted";

/// Who starts a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Person,
    Hook,
    Event,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Person, Self::Hook, Self::Event];

    /// As the rows call it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Hook => "webhook",
            Self::Event => "event",
        }
    }
}

/// An automation that was saved, and what one needs to start it.
#[derive(Debug, Clone)]
pub(crate) struct Saved {
    owner: Person,
    pub(crate) id: String,
    /// The address of its webhook and the token for it.
    hook: (String, String),
}

/// A definition with this plan, whose runs are given a name.
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

    /// The same one at another gateway.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self { owner: self.owner.at(url), ..self.clone() }
    }

    /// Asks once for a run of that name, under a key or as something new; gives back the status and the answer.
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

    /// Asks for a run of that name, and again under the same key until it is acknowledged; gives back the run, where the
    /// answer names one. An error means that it was refused, or that nobody ever answered.
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
