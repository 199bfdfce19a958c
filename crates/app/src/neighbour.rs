//! Asking the servers that belong to this deployment, the engine and the gateway, over HTTP.
//!
//! They are named by the operator and usually not on the public internet, so every address is open here. What agents
//! cause to be sent goes through the pipeline's own egress, never through this.

use std::time::Duration;

use anyhow::Context as _;
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use platform::egress::{self, Egress, EgressPolicy};
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A client for servers of our own.
#[derive(Clone)]
pub(crate) struct Neighbour(Egress);

/// What one of them answered.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// `Null` where it was no JSON.
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        self.status.is_success()
    }
}

impl Neighbour {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self(Egress::new(EgressPolicy::open())?))
    }

    /// One request. An error means that no answer came.
    pub(crate) async fn call(
        &self,
        method: Method,
        url: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> anyhow::Result<Answer> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(token) = token {
            let mut bearer = HeaderValue::from_str(&format!("Bearer {token}")).context("the token")?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let request = egress::Request {
            method,
            url: url.parse().with_context(|| format!("`{url}` is not an address"))?,
            headers,
            body: body.map(|body| Bytes::from(body.to_string())),
            timeout: TIMEOUT,
        };
        let answer = self.0.send(request).await?;
        let body = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
        Ok(Answer { status: answer.status, body })
    }

    /// Whether something answers there, and well.
    pub(crate) async fn is_well(&self, url: &str) -> bool {
        self.call(Method::GET, url, None, None).await.is_ok_and(|answer| answer.is_success())
    }

    /// Tells an engine where a worker is. Over what was registered there before: this program is newer, and its handlers
    /// take the same orders.
    pub(crate) async fn register_worker(&self, admin: &str, worker: &str) -> anyhow::Result<()> {
        let order = json!({ "uri": worker, "force": true });
        let answer = self.call(Method::POST, &deployments(admin), None, Some(&order)).await?;
        let said: String = answer.body.to_string().chars().take(500).collect();
        anyhow::ensure!(answer.is_success(), "the engine answered {}: {said}", answer.status);
        Ok(())
    }

    /// Where the workers are that an engine knows.
    pub(crate) async fn workers(&self, admin: &str) -> anyhow::Result<Vec<String>> {
        let answer = self.call(Method::GET, &deployments(admin), None, None).await?;
        anyhow::ensure!(answer.is_success(), "the engine answered {}", answer.status);
        let known = answer.body["deployments"].as_array().cloned().unwrap_or_default();
        Ok(known
            .iter()
            .filter_map(|one| Some(one["uri"].as_str()?.trim_end_matches('/').to_owned()))
            .collect())
    }
}

fn deployments(admin: &str) -> String {
    format!("{}/deployments", admin.trim_end_matches('/'))
}
