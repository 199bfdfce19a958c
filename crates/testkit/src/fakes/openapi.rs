//! An HTTP service with an OpenAPI document that a test can change at any time.

use std::{collections::BTreeMap, ops::Deref};

use hyper::Method;
use serde_json::{Value, json};

use super::stage::{Answer, Seen, Service, Stage};

/// The path of the document.
const DOCUMENT: &str = "/openapi.json";

/// A running service. It accepts every request below `/v1`, and echoes it.
pub struct FakeOpenApi(Stage<OpenApi>);

impl FakeOpenApi {
    /// Starts the service on any free port; calls must have this `Authorization` header, if given.
    pub async fn start(document: Value, authorization: Option<&str>) -> Self {
        let service = OpenApi {
            document,
            authorization: authorization.map(ToOwned::to_owned),
            is_private: false,
            redirects: BTreeMap::new(),
        };
        Self(Stage::start(service, 0).await.expect("a loopback port is free"))
    }

    /// The URL of the document.
    pub fn document_url(&self) -> String {
        format!("{}{DOCUMENT}", self.url())
    }

    /// Changes the document.
    pub fn change(&self, change: impl FnOnce(&mut Value)) {
        self.state(|service| change(&mut service.document));
    }

    /// Requires authentication for the document from now on.
    pub fn hide_document(&self) {
        self.state(|service| service.is_private = true);
    }

    /// Redirects requests for this path from now on.
    pub fn redirect(&self, path: &str, location: &str) {
        self.state(|service| service.redirects.insert(path.to_owned(), location.to_owned()));
    }

    /// The number of requests for the document.
    pub fn looks(&self) -> usize {
        self.count_requests(|seen| seen.path == DOCUMENT)
    }

    /// The calls of operations so far, in order.
    pub fn calls(&self) -> Vec<Seen> {
        self.requests().into_iter().filter(|seen| seen.path != DOCUMENT).collect()
    }
}

impl Deref for FakeOpenApi {
    type Target = Stage<OpenApi>;

    fn deref(&self) -> &Stage<OpenApi> {
        &self.0
    }
}

/// The state of the fake.
pub struct OpenApi {
    document: Value,
    authorization: Option<String>,
    is_private: bool,
    redirects: BTreeMap<String, String>,
}

impl Service for OpenApi {
    fn answer(&mut self, seen: &Seen) -> Answer {
        if let Some(location) = self.redirects.get(&seen.path) {
            return Answer::new(307, json!({})).header("location", location.clone());
        }
        let may_call =
            self.authorization.as_ref().is_none_or(|wanted| seen.header("authorization") == wanted);
        match (seen.path.as_str(), may_call) {
            (DOCUMENT, _) if may_call || !self.is_private => Answer::new(200, self.document.clone()),
            (_, false) => Answer::new(401, json!({ "message": "who are you?" })),
            _ => {
                let answer = json!({ "path": seen.path, "query": seen.query, "body": seen.body });
                match seen.method {
                    Method::GET | Method::HEAD => Answer::new(200, answer),
                    _ => Answer::new(201, answer).effect(format!("{} {}", seen.method, seen.path)),
                }
            }
        }
    }
}
