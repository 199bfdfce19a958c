//! GitHub's REST API, as far as the catalog uses it.

use std::{collections::BTreeMap, ops::Deref};

use hyper::Method;
use serde_json::{Value, json};

use super::{
    integrations::Fake,
    stage::{Answer, Seen, Service, Stage},
};

/// A running fake of GitHub, with the repository `acme/web`.
pub struct FakeGitHub(Stage<GitHub>);

impl FakeGitHub {
    /// Starts the fake on any free port; requests must have this token.
    pub async fn start(token: &str) -> Self {
        Self::start_on(token, 0).await.expect("a loopback port is free")
    }

    /// Starts the fake on a port.
    pub async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        let github =
            GitHub { token: token.to_owned(), next: 1, issues: BTreeMap::new(), pulls: BTreeMap::new() };
        Stage::start(github, port).await.map(Self)
    }

    /// Adds an open pull request and returns its number.
    pub fn put_pull_request(&self, title: &str, sha: &str) -> u64 {
        self.state(|github| {
            let number = github.take_number();
            let pull = json!({
                "number": number, "title": title, "state": "open", "merged": false, "mergeable": true,
                "head": {"sha": sha}, "base": {"ref": "main"}, "merge_commit_sha": null,
            });
            github.pulls.insert(number, pull);
            number
        })
    }

    /// Moves the head of a pull request, as a push by somebody else would.
    pub fn push(&self, number: u64, sha: &str) {
        self.state(|github| {
            if let Some(pull) = github.pulls.get_mut(&number) {
                pull["head"]["sha"] = json!(sha);
            }
        });
    }

    /// The current state of an issue.
    pub fn issue(&self, number: u64) -> Option<Value> {
        self.state(|github| github.issues.get(&number).cloned())
    }

    /// The current state of a pull request.
    pub fn pull_request(&self, number: u64) -> Option<Value> {
        self.state(|github| github.pulls.get(&number).cloned())
    }
}

impl Fake for FakeGitHub {
    const SLUG: &'static str = "github";
    const READ: (&'static str, &'static str) =
        ("github.get_issue", r#"{"owner":"acme","repo":"web","number":1}"#);

    async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        Self::start_on(token, port).await
    }

    fn url(&self) -> String {
        self.0.url()
    }

    fn seed(&self) {
        self.put_pull_request("A pull request that was there before", &"a".repeat(40));
    }
}

impl Deref for FakeGitHub {
    type Target = Stage<GitHub>;

    fn deref(&self) -> &Stage<GitHub> {
        &self.0
    }
}

/// The state of the fake.
pub struct GitHub {
    token: String,
    next: u64,
    issues: BTreeMap<u64, Value>,
    pulls: BTreeMap<u64, Value>,
}

fn missing() -> Answer {
    Answer::new(404, json!({"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}))
}

fn unprocessable(field: &str) -> Answer {
    let errors = json!([{"resource": "Issue", "code": "missing_field", "field": field}]);
    Answer::new(422, json!({"message": "Validation Failed", "errors": errors}))
}

impl GitHub {
    fn take_number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        number
    }

    fn create_issue(&mut self, seen: &Seen) -> Answer {
        let Some(title) = seen.body["title"].as_str() else { return unprocessable("title") };
        let number = self.take_number();
        let stored = if seen.corrupt { "as the fake wanted it" } else { title };
        let issue = json!({
            "number": number, "title": stored, "body": seen.body["body"], "state": "open",
            "state_reason": null, "html_url": format!("https://github.com/acme/web/issues/{number}"),
            "labels": seen.body["labels"],
        });
        self.issues.insert(number, issue.clone());
        Answer::new(201, issue).effect(title)
    }

    fn close_issue(&mut self, number: u64, seen: &Seen) -> Answer {
        let Some(issue) = self.issues.get_mut(&number) else { return missing() };
        issue["state"] = seen.body["state"].clone();
        issue["state_reason"] = seen.body["state_reason"].clone();
        Answer::new(200, issue.clone()).effect(format!("edit #{number}"))
    }

    fn comment(&mut self, number: u64, seen: &Seen) -> Answer {
        if !self.issues.contains_key(&number) && !self.pulls.contains_key(&number) {
            return missing();
        }
        let Some(body) = seen.body["body"].as_str() else { return unprocessable("body") };
        Answer::new(201, json!({"id": 1000 + number, "body": body})).effect(body)
    }

    fn review(&mut self, number: u64, seen: &Seen) -> Answer {
        if !self.pulls.contains_key(&number) {
            return missing();
        }
        let event = seen.body["event"].as_str().unwrap_or_default();
        let state = match event {
            "APPROVE" => "APPROVED",
            "REQUEST_CHANGES" => "CHANGES_REQUESTED",
            "COMMENT" => "COMMENTED",
            _ => return unprocessable("event"),
        };
        let body = seen.body["body"].as_str().unwrap_or_default();
        Answer::new(200, json!({"id": 2000 + number, "state": state, "body": body}))
            .effect(format!("review {body}"))
    }

    fn merge(&mut self, number: u64, seen: &Seen) -> Answer {
        let Some(pull) = self.pulls.get_mut(&number) else { return missing() };
        if pull["merged"] == true || pull["mergeable"] == false {
            return Answer::new(405, json!({"message": "Pull Request is not mergeable"}));
        }
        if seen.body["sha"].is_string() && seen.body["sha"] != pull["head"]["sha"] {
            let message = "Head branch was modified. Review and try the merge again.";
            return Answer::new(409, json!({"message": message}));
        }
        let commit = "f".repeat(40);
        if !seen.corrupt {
            pull["merged"] = json!(true);
            pull["state"] = json!("closed");
            pull["merge_commit_sha"] = json!(commit);
        }
        let message = "Pull Request successfully merged";
        Answer::new(200, json!({"sha": commit, "merged": true, "message": message}))
            .effect(format!("merge #{number}"))
    }

    fn list(all: &BTreeMap<u64, Value>, seen: &Seen) -> Answer {
        let number =
            |name: &str, or: usize| seen.query.get(name).and_then(|it| it.parse().ok()).unwrap_or(or);
        let (page, per_page) = (number("page", 1), number("per_page", 30));
        let state = seen.query.get("state").map(String::as_str).unwrap_or("open");
        let items: Vec<&Value> = (all.values().rev())
            .filter(|it| state == "all" || it["state"] == state)
            .skip((page - 1) * per_page)
            .take(per_page)
            .collect();
        Answer::new(200, json!(items))
    }

    fn within_repository(&mut self, seen: &Seen, path: &[&str]) -> Answer {
        let get = seen.method == Method::GET;
        let post = seen.method == Method::POST;
        let number = path.get(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        match path {
            ["issues"] if get => Self::list(&self.issues, seen),
            ["pulls"] if get => Self::list(&self.pulls, seen),
            ["issues", _] if get => {
                self.issues.get(&number).map_or_else(missing, |it| Answer::new(200, it.clone()))
            }
            ["pulls", _] if get => {
                self.pulls.get(&number).map_or_else(missing, |it| Answer::new(200, it.clone()))
            }
            ["issues"] if post => self.create_issue(seen),
            ["issues", _] if seen.method == Method::PATCH => self.close_issue(number, seen),
            ["issues", _, "comments"] if post => self.comment(number, seen),
            ["pulls", _, "reviews"] if post => self.review(number, seen),
            ["pulls", _, "merge"] if seen.method == Method::PUT => self.merge(number, seen),
            _ => missing(),
        }
    }
}

impl Service for GitHub {
    fn answer(&mut self, seen: &Seen) -> Answer {
        if seen.header("user-agent").is_empty() {
            return Answer::new(403, json!({"message": "Request forbidden by administrative rules."}));
        }
        if seen.header("authorization") != format!("Bearer {}", self.token) {
            return Answer::new(401, json!({"message": "Bad credentials"}));
        }
        if seen.header("x-github-api-version") != "2022-11-28"
            || seen.header("accept") != "application/vnd.github+json"
        {
            return Answer::new(400, json!({"message": "Unsupported API version"}));
        }
        let parts: Vec<&str> = seen.path.trim_start_matches('/').split('/').collect();
        match &*parts {
            ["repos", "acme", "web", rest @ ..] => self.within_repository(seen, rest),
            ["search", "code"] if seen.method == Method::GET => match seen.query.get("q") {
                Some(q) => Answer::new(
                    200,
                    json!({"total_count": 1, "incomplete_results": false, "items": [{"name": "main.rs", "q": q}]}),
                ),
                None => unprocessable("q"),
            },
            _ => missing(),
        }
    }
}
