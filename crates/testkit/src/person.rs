//! A person with a token who invokes, approves and denies at one gateway. The value outlives the gateway.

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};

/// An invocation that waits for approval.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Its id, as the API writes it.
    pub id: String,
}

/// The digest of the document of an opened inbox item, computed as a client computes it.
pub fn shown_digest(item: &Value) -> anyhow::Result<String> {
    let shown = item.get("shown").with_context(|| format!("the item has no document: {item}"))?;
    Ok(model::Digest::of_canonical(shown)?.to_string())
}

impl Waiting {
    /// Reads it from a response, or from an item of the inbox.
    pub fn of(answer: &Value) -> anyhow::Result<Self> {
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        let found = text(&answer["id"]).filter(|_| answer["subject_digest"].is_string());
        let id = found.with_context(|| format!("no invocation waits for approval: {answer}"))?;
        Ok(Self { id })
    }

    /// Its id, as the database writes it.
    pub fn uuid(&self) -> anyhow::Result<uuid::Uuid> {
        let bare = self.id.rsplit_once('_').map_or(self.id.as_str(), |(_, bare)| bare);
        Ok(bare.parse()?)
    }
}

/// A person.
#[derive(Debug, Clone)]
pub struct Person {
    pub http: reqwest::Client,
    /// The gateway.
    pub url: String,
    pub token: String,
}

impl Person {
    /// The same person at another gateway.
    #[must_use]
    pub fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }

    /// A request; returns the status and the body as JSON. An error means that no response came.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<(u16, Value)> {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        let bytes = answer.bytes().await?;
        Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }

    /// Opens the item and approves it as it is shown; waits this long for the result: `0s`, `30s`.
    pub async fn approve(&self, waiting: &Waiting, wait: &str) -> anyhow::Result<(u16, Value)> {
        let path = format!("/v1/invocations/{}/approve?wait={wait}", waiting.id);
        self.answer(waiting, &path, json!({})).await
    }

    /// Opens the item and denies it.
    pub async fn deny(&self, waiting: &Waiting, reason: &str) -> anyhow::Result<(u16, Value)> {
        let path = format!("/v1/invocations/{}/deny", waiting.id);
        self.answer(waiting, &path, json!({ "reason": reason })).await
    }

    async fn answer(&self, waiting: &Waiting, path: &str, mut body: Value) -> anyhow::Result<(u16, Value)> {
        let (status, item) = self.call(Method::GET, &format!("/v1/inbox/{}", waiting.id), None).await?;
        if status != 200 {
            return Ok((status, item));
        }
        body["shown_digest"] = shown_digest(&item)?.into();
        self.call(Method::POST, path, Some(&body)).await
    }

    /// One page of the inbox, newest first.
    pub async fn inbox(&self) -> anyhow::Result<Vec<Value>> {
        let (status, page) = self.call(Method::GET, "/v1/inbox", None).await?;
        anyhow::ensure!(status == 200, "the inbox answered {status}: {page}");
        Ok(page["items"].as_array().cloned().unwrap_or_default())
    }
}
