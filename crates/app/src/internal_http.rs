//! HTTP requests to servers of this deployment: Restate and the gateway.
//!
//! The operator names these servers, and they are usually on a private network, so every address is allowed here.
//! Requests that agents cause go through the pipeline's own egress, never through this client.

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

#[derive(Clone)]
pub(crate) struct InternalHttp(Egress);

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// `Null` if the body is not JSON.
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        self.status.is_success()
    }
}

impl InternalHttp {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self(Egress::new(EgressPolicy::open())?))
    }

    /// Sends one request. An error means that no response came.
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
            let mut bearer = HeaderValue::from_str(&format!("Bearer {token}"))
                .context("the token contains characters that a header cannot hold")?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let request = egress::Request {
            method,
            url: url.parse().with_context(|| format!("`{url}` is not a URL"))?,
            headers,
            body: body.map(|body| Bytes::from(body.to_string())),
            timeout: TIMEOUT,
        };
        let answer = self.0.send(request).await?;
        let body = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
        Ok(Answer { status: answer.status, body })
    }

    /// Whether a GET request gets a 2xx response.
    pub(crate) async fn is_well(&self, url: &str) -> bool {
        self.call(Method::GET, url, None, None).await.is_ok_and(|answer| answer.is_success())
    }

    /// Registers a worker at Restate. `force` replaces an earlier registration of the same address: this program is newer,
    /// and its handlers accept the same requests.
    pub(crate) async fn register_worker(&self, admin: &str, worker: &str) -> anyhow::Result<()> {
        let order = json!({ "uri": worker, "force": true });
        let answer = self.call(Method::POST, &deployments(admin), None, Some(&order)).await?;
        let said: String = answer.body.to_string().chars().take(500).collect();
        anyhow::ensure!(answer.is_success(), "Restate answered {}: {said}", answer.status);
        Ok(())
    }

    /// The addresses of the registered workers.
    pub(crate) async fn workers(&self, admin: &str) -> anyhow::Result<Vec<String>> {
        let answer = self.call(Method::GET, &deployments(admin), None, None).await?;
        anyhow::ensure!(answer.is_success(), "Restate answered {}", answer.status);
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
