//! Sentry's REST API, as far as the catalog uses it.

use std::{collections::BTreeMap, ops::Deref};

use hyper::Method;
use serde_json::{Value, json};

use super::{
    integrations::Fake,
    stage::{Answer, Seen, Service, Stage},
};

/// A running fake of Sentry, with the organization `acme` and its project `web`.
pub struct FakeSentry(Stage<Sentry>);

impl FakeSentry {
    /// Starts the fake on any free port; requests must have this token.
    pub async fn start(token: &str) -> Self {
        Self::start_on(token, 0).await.expect("a loopback port is free")
    }

    /// Starts the fake on a port.
    pub async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        let sentry = Sentry { token: token.to_owned(), issues: BTreeMap::new() };
        Stage::start(sentry, port).await.map(Self)
    }

    /// Adds an issue.
    pub fn put_issue(&self, id: u64, title: &str) {
        let issue = json!({
            "id": id.to_string(), "shortId": format!("WEB-{id}"), "title": title, "level": "error",
            "status": "unresolved", "assignedTo": null, "count": "3", "project": {"slug": "web"},
        });
        self.state(|sentry| sentry.issues.insert(id, issue));
    }

    /// Changes the status of an issue, as somebody else would.
    pub fn set_status(&self, id: u64, status: &str) {
        self.state(|sentry| {
            if let Some(issue) = sentry.issues.get_mut(&id) {
                issue["status"] = json!(status);
            }
        });
    }

    /// The current state of an issue.
    pub fn issue(&self, id: u64) -> Option<Value> {
        self.state(|sentry| sentry.issues.get(&id).cloned())
    }
}

impl Fake for FakeSentry {
    const SLUG: &'static str = "sentry";
    const READ: (&'static str, &'static str) = ("sentry.list_issues", r#"{"organization":"acme"}"#);

    async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        Self::start_on(token, port).await
    }

    fn url(&self) -> String {
        self.0.url()
    }

    fn seed(&self) {
        self.put_issue(1, "TypeError: undefined is not a function");
    }
}

impl Deref for FakeSentry {
    type Target = Stage<Sentry>;

    fn deref(&self) -> &Stage<Sentry> {
        &self.0
    }
}

/// The state of the fake.
pub struct Sentry {
    token: String,
    issues: BTreeMap<u64, Value>,
}

fn missing() -> Answer {
    Answer::new(404, json!({"detail": "The requested resource does not exist"}))
}

impl Sentry {
    fn list(&self, seen: &Seen) -> Answer {
        let limit: usize = seen.query.get("limit").and_then(|it| it.parse().ok()).unwrap_or(100);
        let cursor = seen.query.get("cursor").map(String::as_str).unwrap_or("0:0:0");
        let from: usize = cursor.split(':').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let all: Vec<&Value> = self.issues.values().collect();
        let to = all.len().min(from + limit);
        let more = to < all.len();
        let link = format!(
            "<https://sentry.io{path}?cursor=0:0:1>; rel=\"previous\"; results=\"false\"; cursor=\"0:0:1\", \
             <https://sentry.io{path}?cursor=0:{to}:0>; rel=\"next\"; results=\"{more}\"; cursor=\"0:{to}:0\"",
            path = seen.path
        );
        Answer::new(200, json!(all.get(from..to).unwrap_or_default())).header("link", link)
    }

    fn update(&mut self, id: &str, seen: &Seen) -> Answer {
        let Some(issue) = id.parse().ok().and_then(|id: u64| self.issues.get_mut(&id)) else {
            return missing();
        };
        if seen.header("content-type") != "application/json" {
            return Answer::new(415, json!({"detail": "Unsupported media type in request."}));
        }
        if let Some(status) = seen.body["status"].as_str() {
            if !["resolved", "unresolved", "ignored"].contains(&status) {
                return Answer::new(400, json!({"status": [format!("\"{status}\" is not a valid choice.")]}));
            }
            issue["status"] = json!(if seen.corrupt { "ignored" } else { status });
        }
        if let Some(assigned) = seen.body["assignedTo"].as_str() {
            issue["assignedTo"] = match assigned.split_once(':') {
                Some((kind, id)) => json!({"type": kind, "id": id, "name": "Somebody"}),
                None => Value::Null,
            };
        }
        Answer::new(200, issue.clone()).effect(format!("update {id}"))
    }

    fn event(id: &str, event: &str) -> Value {
        let event = if event.len() == 32 { event } else { "0123456789abcdef0123456789abcdef" };
        json!({"id": event, "eventID": event, "groupID": id, "title": "TypeError", "entries": []})
    }
}

impl Service for Sentry {
    fn answer(&mut self, seen: &Seen) -> Answer {
        if seen.header("authorization") != format!("Bearer {}", self.token) {
            return Answer::new(401, json!({"detail": "Invalid token"}));
        }
        // A path without its trailing slash is redirected to the one with it.
        let Some(path) = seen.path.strip_suffix('/') else {
            return Answer::new(301, json!({})).header("location", format!("{}/", seen.path));
        };
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (&seen.method, &*parts) {
            (&Method::GET, ["api", "0", "organizations", "acme", "issues"])
            | (&Method::GET, ["api", "0", "projects", "acme", "web", "issues"]) => self.list(seen),
            (&Method::GET, ["api", "0", "organizations", "acme", "issues", id, rest @ ..]) => {
                let Some(issue) = id.parse().ok().and_then(|id: u64| self.issues.get(&id)) else {
                    return missing();
                };
                match rest {
                    [] => Answer::new(200, issue.clone()),
                    ["events"] => Answer::new(200, json!([Self::event(id, "latest")])),
                    ["events", event] => Answer::new(200, Self::event(id, event)),
                    _ => missing(),
                }
            }
            (&Method::PUT, ["api", "0", "organizations", "acme", "issues", id]) => self.update(id, seen),
            _ => missing(),
        }
    }
}
