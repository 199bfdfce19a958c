//! Sentry: issues and their events, over REST.

mod params;

use std::borrow::Cow;

use async_trait::async_trait;
use http::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LINK},
};
use model::{ActionDefinition, EffectClass, ErrorClass, SourceSlug};
use platform::egress::Response;
use serde_json::{Map, Value, json};
use url::Url;

use self::params::{GetEvent, GetIssue, ListIssueEvents, ListIssues, UpdateIssue};
use crate::{
    ActionSource, Call, CallContext, Change, Outcome, Preview, SourceError, Undone, Verification,
    define::{self, Define},
    registry::Error,
    wire::{self, Wire},
};

const PAGE: u32 = 25;

/// The source `sentry`.
pub struct Sentry {
    slug: SourceSlug,
    base: Url,
    definitions: Vec<ActionDefinition>,
}

impl Sentry {
    /// The source, speaking to the service at `base`.
    pub fn new(base: Url) -> Result<Self, Error> {
        let slug: SourceSlug = "sentry".parse().map_err(Error::Slug)?;
        let definitions = vec![
            Define::read("list_issues", "Lists issues of an organization or a project.")
                .takes::<ListIssues>(&slug)?,
            Define::read("get_issue", "Reads one issue.").takes::<GetIssue>(&slug)?,
            Define::read("list_issue_events", "Lists the events of an issue.")
                .takes::<ListIssueEvents>(&slug)?,
            Define::read("get_event", "Reads one event of an issue, with its stack trace.")
                .takes::<GetEvent>(&slug)?,
            Define::write("update_issue", EffectClass::Checkable, "Sets the status or assignee of an issue.")
                .undo("gives the issue the status and assignee it had before")
                .verifies()
                .previews()
                .takes::<UpdateIssue>(&slug)?,
        ];
        Ok(Self { slug, base, definitions })
    }
}

#[async_trait]
impl ActionSource for Sentry {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn guide(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(include_str!("guide.md")))
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        let api = Api { wire: Wire::new(ctx, &self.base) };
        match call.action.as_str() {
            "list_issues" => list_issues(&api, define::params(call)?).await,
            "get_issue" => {
                let wanted: GetIssue = define::params(call)?;
                Ok(Outcome::new(api.issue(&wanted.organization, &wanted.issue_id).await?))
            }
            "list_issue_events" => list_issue_events(&api, define::params(call)?).await,
            "get_event" => get_event(&api, define::params(call)?).await,
            "update_issue" => update_issue(&api, define::params(call)?).await,
            _ => Err(define::unknown(call)),
        }
    }

    async fn preview(&self, call: &Call, ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        if call.action.as_str() != "update_issue" {
            return Ok(None);
        }
        let wanted: UpdateIssue = define::params(call)?;
        let api = Api { wire: Wire::new(ctx, &self.base) };
        let issue = api.issue(&wanted.organization, &wanted.issue_id).await?;
        let changes: Vec<Change> = (wanted.body().into_iter())
            .map(|(field, after)| Change { before: current(&issue, &field), field, after })
            .filter(|change| change.before != change.after)
            .collect();
        let name = issue["shortId"].as_str().unwrap_or(&wanted.issue_id);
        let title = wire::line(issue["title"].as_str().unwrap_or_default());
        let summary = match changes.len() {
            0 => format!("Changes nothing: {name} “{title}” already is as wanted"),
            count => format!("Changes {count} field(s) of {name} “{title}”"),
        };
        Ok(Some(Preview { summary, changes }))
    }

    async fn verify(&self, call: &Call, _: &Outcome, ctx: &CallContext) -> Result<Verification, SourceError> {
        if call.action.as_str() != "update_issue" {
            return Ok(Verification::Unchecked);
        }
        let wanted: UpdateIssue = define::params(call)?;
        let api = Api { wire: Wire::new(ctx, &self.base) };
        let issue = api.issue(&wanted.organization, &wanted.issue_id).await?;
        let differing = differing(&wanted.body(), &issue);
        if differing.is_empty() {
            return Ok(Verification::Confirmed);
        }
        Ok(Verification::Refuted(format!("not as wanted: {}", differing.join(", "))))
    }

    async fn rollback(&self, call: &Call, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        let Some(before) = done.undo.as_ref().filter(|_| call.action.as_str() == "update_issue") else {
            return Ok(Undone::NotPossible("the values before are not known".to_owned()));
        };
        let wanted: UpdateIssue = define::params(call)?;
        let api = Api { wire: Wire::new(ctx, &self.base) };
        api.put(&wanted.organization, &wanted.issue_id, before).await?;
        Ok(Undone::Done("the issue has its former status and assignee".to_owned()))
    }

    async fn lookup(&self, call: &Call, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        if call.action.as_str() != "update_issue" {
            return Err(SourceError::not_sent(ErrorClass::Permanent, "reads are repeated, not looked up"));
        }
        let wanted: UpdateIssue = define::params(call)?;
        let api = Api { wire: Wire::new(ctx, &self.base) };
        let issue = api.issue(&wanted.organization, &wanted.issue_id).await?;
        // The values before are gone, so an update found this way cannot be undone.
        Ok(differing(&wanted.body(), &issue).is_empty().then(|| Outcome::new(issue)))
    }
}

struct Api<'a> {
    wire: Wire<'a>,
}

impl Api<'_> {
    async fn send(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Response, SourceError> {
        let mut headers = HeaderMap::new();
        let bearer = format!("Bearer {}", self.wire.token()?);
        headers.insert(AUTHORIZATION, wire::secret_header(&bearer)?);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let response = self.wire.send(method, url, headers, body).await?;
        if response.status.is_success() {
            return Ok(response);
        }
        Err(self.wire.refused("Sentry", &response, wire::class_of(response.status)))
    }

    // Sentry's paths end with a slash; without it a write would be answered with a redirect.
    fn url(&self, segments: &[&str]) -> Result<Url, SourceError> {
        let mut url = self.wire.url(&[&["api", "0"], segments].concat())?;
        url.set_path(&format!("{}/", url.path()));
        Ok(url)
    }

    async fn issue(&self, organization: &str, id: &str) -> Result<Value, SourceError> {
        let url = self.url(&["organizations", organization, "issues", id])?;
        wire::json("Sentry", &self.send(Method::GET, url, None).await?)
    }

    async fn put(&self, organization: &str, id: &str, body: &Value) -> Result<Value, SourceError> {
        let url = self.url(&["organizations", organization, "issues", id])?;
        wire::json("Sentry", &self.send(Method::PUT, url, Some(body)).await?)
    }

    async fn page(&self, url: Url, name: &str) -> Result<Outcome, SourceError> {
        let response = self.send(Method::GET, url, None).await?;
        let items = wire::json("Sentry", &response)?;
        Ok(Outcome::new(json!({name: items, "next_cursor": next_cursor(&response.headers)})))
    }
}

async fn list_issues(api: &Api<'_>, wanted: ListIssues) -> Result<Outcome, SourceError> {
    let mut url = match &wanted.project {
        Some(project) => api.url(&["projects", &wanted.organization, project, "issues"])?,
        None => api.url(&["organizations", &wanted.organization, "issues"])?,
    };
    let limit = wanted.limit.unwrap_or(PAGE).clamp(1, 100);
    url.query_pairs_mut()
        .append_pair("query", wanted.query.as_deref().unwrap_or("is:unresolved"))
        .append_pair("limit", &limit.to_string());
    if let Some(cursor) = &wanted.cursor {
        url.query_pairs_mut().append_pair("cursor", cursor);
    }
    api.page(url, "issues").await
}

async fn list_issue_events(api: &Api<'_>, wanted: ListIssueEvents) -> Result<Outcome, SourceError> {
    let mut url = api.url(&["organizations", &wanted.organization, "issues", &wanted.issue_id, "events"])?;
    if let Some(cursor) = &wanted.cursor {
        url.query_pairs_mut().append_pair("cursor", cursor);
    }
    api.page(url, "events").await
}

async fn get_event(api: &Api<'_>, wanted: GetEvent) -> Result<Outcome, SourceError> {
    let (organization, issue) = (&wanted.organization, &wanted.issue_id);
    let url = api.url(&["organizations", organization, "issues", issue, "events", &wanted.event_id])?;
    Ok(Outcome::new(wire::json("Sentry", &api.send(Method::GET, url, None).await?)?))
}

async fn update_issue(api: &Api<'_>, wanted: UpdateIssue) -> Result<Outcome, SourceError> {
    let body = wanted.body();
    let before = api.issue(&wanted.organization, &wanted.issue_id).await;
    let before = before.map_err(SourceError::before_effect)?;
    let undo = body.keys().map(|field| (field.clone(), current(&before, field))).collect();
    let changed = api.put(&wanted.organization, &wanted.issue_id, &Value::Object(body)).await?;
    Ok(Outcome { undo: Some(Value::Object(undo)), ..Outcome::new(changed) })
}

fn differing(wanted: &Map<String, Value>, issue: &Value) -> Vec<String> {
    wanted
        .iter()
        .filter(|(field, value)| **value != current(issue, field))
        .map(|(field, _)| field.clone())
        .collect()
}

/// A field's present value, in the form in which it is written.
fn current(issue: &Value, field: &str) -> Value {
    if field != "assignedTo" {
        return issue[field].clone();
    }
    match (issue["assignedTo"]["type"].as_str(), issue["assignedTo"]["id"].as_str()) {
        (Some(kind), Some(id)) => json!(format!("{kind}:{id}")),
        _ => json!(""),
    }
}

/// `Link: <…>; rel="previous"; results="false"; cursor="0:0:1", <…>; rel="next"; results="true"; cursor="0:100:0"`
fn next_cursor(headers: &HeaderMap) -> Option<String> {
    let links = headers.get(LINK)?.to_str().ok()?;
    let next = links.split(", <").find(|link| link.contains("rel=\"next\""))?;
    if !next.contains("results=\"true\"") {
        return None;
    }
    let cursor = next.split("cursor=\"").nth(1)?.split('"').next()?;
    Some(cursor.to_owned())
}
