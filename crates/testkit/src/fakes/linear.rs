//! Linear's GraphQL API, as far as the catalog uses it.

use std::{collections::BTreeMap, ops::Deref};

use hyper::Method;
use serde_json::{Map, Value, json};

use super::{
    integrations::Fake,
    stage::{Answer, Seen, Service, Stage},
};

/// A running fake of Linear.
pub struct FakeLinear(Stage<Linear>);

impl FakeLinear {
    /// Starts the fake on any free port; requests must have this token.
    pub async fn start(token: &str) -> Self {
        Self::start_on(token, 0).await.expect("a loopback port is free")
    }

    /// Starts the fake on a port.
    pub async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        Stage::start(Linear::new(token), port).await.map(Self)
    }

    /// Adds an issue that existed before.
    pub fn put_issue(&self, id: &str, title: &str) {
        self.state(|linear| linear.insert(id, &json!({"title": title, "teamId": "team-1"})));
    }

    /// The current state of the issues whose title begins with a text.
    pub fn issues_titled(&self, title: &str) -> Vec<Value> {
        let like = |issue: &&Value| issue["title"].as_str().is_some_and(|found| found.starts_with(title));
        self.state(|linear| linear.issues.iter().filter(like).cloned().collect())
    }

    /// Changes the title of an issue, as somebody else would.
    pub fn retitle(&self, id: &str, title: &str) {
        self.state(|linear| {
            if let Some(issue) = linear.issues.iter_mut().find(|issue| issue["id"] == id) {
                issue["title"] = json!(title);
            }
        });
    }

    /// The current state of an issue.
    pub fn issue(&self, id: &str) -> Option<Value> {
        self.state(|linear| linear.find(id).cloned())
    }
}

impl Fake for FakeLinear {
    const SLUG: &'static str = "linear";
    const READ: (&'static str, &'static str) = ("linear.list_issues", "{}");

    async fn start_on(token: &str, port: u16) -> std::io::Result<Self> {
        Self::start_on(token, port).await
    }

    fn url(&self) -> String {
        self.0.url()
    }

    fn seed(&self) {
        self.put_issue("11111111-1111-4111-8111-111111111111", "An issue that was there before");
    }
}

impl Deref for FakeLinear {
    type Target = Stage<Linear>;

    fn deref(&self) -> &Stage<Linear> {
        &self.0
    }
}

/// The state of the fake.
pub struct Linear {
    token: String,
    issues: Vec<Value>,
    comments: BTreeMap<String, Value>,
}

fn failure(status: u16, message: &str, kind: &str, code: &str) -> Answer {
    let extensions = json!({"type": kind, "code": code, "userPresentableMessage": message});
    Answer::new(status, json!({"errors": [{"message": message, "extensions": extensions}], "data": null}))
}

fn invalid(message: &str) -> Answer {
    failure(200, message, "invalid input", "INPUT_ERROR")
}

fn missing(entity: &str) -> Answer {
    shown(&format!("Entity not found: {entity}"), &format!("Could not find referenced {entity}."))
}

fn taken(entity: &str, id: &str) -> Answer {
    shown(
        &format!("conflict on insert of {entity}"),
        &format!("Entity {entity} with id {id} already exists."),
    )
}

/// Linear's error has two texts: one for logs, one for people.
fn shown(message: &str, to_people: &str) -> Answer {
    let mut answer = invalid(message);
    answer.body["errors"][0]["extensions"]["userPresentableMessage"] = json!(to_people);
    answer
}

fn data(value: Value) -> Answer {
    Answer::new(200, json!({"data": value}))
}

impl Linear {
    fn new(token: &str) -> Self {
        Self { token: token.to_owned(), issues: Vec::new(), comments: BTreeMap::new() }
    }

    fn find(&self, id: &str) -> Option<&Value> {
        self.issues.iter().find(|issue| issue["id"] == id || issue["identifier"] == id)
    }

    fn insert(&mut self, id: &str, input: &Value) {
        let number = self.issues.len() + 1;
        let mut issue = json!({
            "id": id,
            "identifier": format!("ENG-{number}"),
            "title": "", "description": null, "priority": 0,
            "url": format!("https://linear.app/acme/issue/ENG-{number}"),
            "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
            "archivedAt": null,
            "state": {"id": "state-todo", "name": "Todo", "type": "unstarted"},
            "team": {"id": input["teamId"], "key": "ENG", "name": "Engineering"},
            "assignee": null, "labels": {"nodes": []}, "comments": {"nodes": []},
        });
        apply(&mut issue, input);
        self.issues.push(issue);
    }

    fn list(&self, variables: &Value) -> Answer {
        let first = variables["first"].as_u64().unwrap_or(50);
        if first > 250 {
            return invalid("Argument Validation Error - first must not be greater than 250");
        }
        let from: usize = variables["after"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let wanted = variables["filter"]["title"]["containsIgnoreCase"].as_str().unwrap_or_default();
        let state = variables["filter"]["state"]["name"]["eq"].as_str();
        let matching: Vec<&Value> = (self.issues.iter())
            .filter(|issue| {
                issue["title"].as_str().unwrap_or_default().to_lowercase().contains(&wanted.to_lowercase())
            })
            .filter(|issue| state.is_none_or(|state| issue["state"]["name"] == state))
            .collect();
        let to = matching.len().min(from + usize::try_from(first).unwrap_or(50));
        let page = matching.get(from..to).unwrap_or_default();
        let more = to < matching.len();
        data(json!({"issues": {
            "nodes": page,
            "pageInfo": {"hasNextPage": more, "endCursor": to.to_string()},
        }}))
    }

    fn create(&mut self, input: &Map<String, Value>, corrupt: bool) -> Answer {
        let (Some(title), Some(_)) = (input.get("title").and_then(Value::as_str), input.get("teamId")) else {
            return failure(
                400,
                "Variable \"$input\" got invalid value; Field \"title\" and \"teamId\" are required.",
                "graphql error",
                "GRAPHQL_VALIDATION_FAILED",
            );
        };
        let generated = format!("00000000-0000-4000-8000-{:012}", self.issues.len() + 1);
        let id = input.get("id").and_then(Value::as_str).unwrap_or(&generated).to_owned();
        if id.len() != 36 {
            return invalid("Argument Validation Error - id must be a UUID");
        }
        if self.find(&id).is_some() {
            return taken("Issue", &id);
        }
        let mut stored = json!(input);
        if corrupt {
            stored["title"] = json!(format!("{title} (as the fake wanted it)"));
        }
        self.insert(&id, &stored);
        data(json!({"issueCreate": {"success": true, "issue": self.find(&id)}})).effect(title)
    }

    fn update(&mut self, id: &str, input: &Value, corrupt: bool) -> Answer {
        let Some(issue) = self.issues.iter_mut().find(|it| it["id"] == id || it["identifier"] == id) else {
            return missing("Issue");
        };
        apply(issue, input);
        if corrupt {
            issue["title"] = json!("as the fake wanted it");
        }
        data(json!({"issueUpdate": {"success": true, "issue": issue}})).effect(format!("update {id}"))
    }

    fn archive(&mut self, id: &str) -> Answer {
        let Some(issue) = self.issues.iter_mut().find(|it| it["id"] == id) else {
            return missing("Issue");
        };
        issue["archivedAt"] = json!("2026-01-02T00:00:00.000Z");
        data(json!({"issueArchive": {"success": true}})).effect(format!("archive {id}"))
    }

    fn comment(&mut self, input: &Value) -> Answer {
        let (Some(issue), Some(body)) = (input["issueId"].as_str(), input["body"].as_str()) else {
            return invalid("Argument Validation Error - issueId and body are required");
        };
        let Some(issue) = self.find(issue) else { return missing("Issue") };
        let id = input["id"].as_str().unwrap_or("comment-without-id").to_owned();
        if self.comments.contains_key(&id) {
            return taken("Comment", &id);
        }
        let comment = json!({
            "id": id, "body": body, "url": "https://linear.app/acme/comment",
            "createdAt": "2026-01-01T00:00:00.000Z",
            "issue": {"id": issue["id"], "identifier": issue["identifier"]},
        });
        self.comments.insert(id, comment.clone());
        data(json!({"commentCreate": {"success": true, "comment": comment}})).effect(body)
    }

    fn is_authorized(&self, seen: &Seen) -> bool {
        let bare = self.token.starts_with("lin_api_");
        let expected = if bare { self.token.clone() } else { format!("Bearer {}", self.token) };
        seen.header("authorization") == expected
    }
}

/// Sets the fields of an issue that are in the input.
fn apply(issue: &mut Value, input: &Value) {
    let fields = input.as_object().into_iter().flatten();
    for (field, value) in fields {
        let of = |name: &str| if value.is_null() { Value::Null } else { json!({"id": value, "name": name}) };
        match field.as_str() {
            "title" | "description" | "priority" => issue[field.as_str()] = value.clone(),
            "assigneeId" => issue["assignee"] = of("Somebody"),
            "stateId" => issue["state"] = of("Some state"),
            "labelIds" => {
                let ids = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let nodes: Vec<Value> = ids.iter().map(|id| json!({"id": id, "name": id})).collect();
                issue["labels"] = json!({"nodes": nodes});
            }
            _ => {}
        }
    }
}

impl Service for Linear {
    fn answer(&mut self, seen: &Seen) -> Answer {
        if seen.path != "/graphql" || seen.method != Method::POST {
            return Answer::new(404, json!({"message": "Not found"}));
        }
        if !seen.header("content-type").starts_with("application/json") {
            return failure(
                400,
                "This operation has been blocked as a potential Cross-Site Request Forgery (CSRF).",
                "invalid input",
                "BAD_REQUEST",
            );
        }
        if !self.is_authorized(seen) {
            let said = "Authentication required, not authenticated";
            return failure(401, said, "authentication error", "AUTHENTICATION_ERROR");
        }
        let (variables, id) = (&seen.body["variables"], seen.body["variables"]["id"].as_str());
        let query = seen.body["query"].as_str().unwrap_or_default();
        let operation = seen.body["operationName"].as_str().unwrap_or_default();
        // The operation name must belong to the document, and the document must select the matching field.
        let asks = |field: &str| query.contains(&format!(" {operation}(")) && query.contains(field);
        let none = Map::new();
        match (operation, id.unwrap_or_default()) {
            ("ListIssues", _) if asks("issues(first: $first") => self.list(variables),
            ("GetIssue", id) if asks("issue(id: $id)") => match self.find(id) {
                Some(issue) => data(json!({"issue": issue})),
                None => missing("Issue"),
            },
            ("CreateIssue", _) if asks("issueCreate(input: $input)") => {
                self.create(variables["input"].as_object().unwrap_or(&none), seen.corrupt)
            }
            ("UpdateIssue", id) if asks("issueUpdate(id: $id, input: $input)") => {
                self.update(id, &variables["input"], seen.corrupt)
            }
            ("ArchiveIssue", id) if asks("issueArchive(id: $id)") => self.archive(id),
            ("AddComment", _) if asks("commentCreate(input: $input)") => self.comment(&variables["input"]),
            ("GetComment", id) if asks("comment(id: $id)") => match self.comments.get(id) {
                Some(comment) => data(json!({"comment": comment})),
                None => missing("Comment"),
            },
            _ => failure(
                400,
                &format!("Unknown operation named \"{operation}\"."),
                "graphql error",
                "GRAPHQL_VALIDATION_FAILED",
            ),
        }
    }
}
