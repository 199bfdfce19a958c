//! Sentry: issues and their events, over REST.

mod params;

use http::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LINK},
};
use model::EffectClass;
use platform::egress::Response;
use serde_json::{Map, Value, json};
use url::Url;

use self::params::{GetEvent, GetIssue, ListIssueEvents, ListIssues, UpdateIssue};
use super::{Integration, Source};
use crate::{
    Basis, Change, Outcome, Preview, SourceError, Undone, Verification,
    declared::DeclaredSource,
    define::{At, Define},
    registry::Error,
    wire::{self, Wire},
};

/// The page size if the caller does not set one.
const PAGE: u32 = 25;

/// The integration of Sentry.
pub static SENTRY: Integration = Integration {
    slug: "sentry",
    title: "Sentry",
    default_url: "https://sentry.io",
    url_variable: "COUNTERSIGN_SENTRY_URL",
    token_variable: "SENTRY_AUTH_TOKEN",
    token_url: "https://sentry.io/settings/account/api/auth-tokens/",
    token_hint: "Create an auth token with the scopes org:read, project:read, event:read and event:write.",
    source,
};

fn source(base: Url) -> Result<Source, Error> {
    let update = "Sets the status or assignee of an issue.";
    let source = DeclaredSource::new(SENTRY.slug, base)?
        .guide(include_str!("guide.md"))
        .with(
            Define::read("list_issues", "Lists issues of an organization or a project.")
                .takes::<ListIssues>()
                .execute(list_issues),
        )?
        .with(Define::read("get_issue", "Reads one issue.").takes::<GetIssue>().execute(get_issue))?
        .with(
            Define::read("list_issue_events", "Lists the events of an issue.")
                .takes::<ListIssueEvents>()
                .execute(list_issue_events),
        )?
        .with(
            Define::read("get_event", "Reads one event of an issue, with its stack trace.")
                .takes::<GetEvent>()
                .execute(get_event),
        )?
        .with(
            Define::write("update_issue", EffectClass::Checkable, update)
                .gives_back()
                .takes::<UpdateIssue>()
                .execute(update_issue)
                .lookup(find_updated)
                .preview(preview_update)
                .verify(is_updated)
                .undo("gives the issue the status and assignee it had before", restore),
        )?;
    Ok(Box::new(source))
}

struct Api<'a> {
    wire: Wire<'a>,
}

impl<'a> Api<'a> {
    fn new(at: At<'a>) -> Self {
        Self { wire: Wire::new(at.ctx, at.service) }
    }

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

async fn list_issues(at: At<'_>, wanted: ListIssues) -> Result<Outcome, SourceError> {
    let api = Api::new(at);
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

async fn get_issue(at: At<'_>, wanted: GetIssue) -> Result<Outcome, SourceError> {
    Ok(Outcome::new(Api::new(at).issue(&wanted.organization, &wanted.issue_id).await?))
}

async fn list_issue_events(at: At<'_>, wanted: ListIssueEvents) -> Result<Outcome, SourceError> {
    let api = Api::new(at);
    let mut url = api.url(&["organizations", &wanted.organization, "issues", &wanted.issue_id, "events"])?;
    if let Some(cursor) = &wanted.cursor {
        url.query_pairs_mut().append_pair("cursor", cursor);
    }
    api.page(url, "events").await
}

async fn get_event(at: At<'_>, wanted: GetEvent) -> Result<Outcome, SourceError> {
    let api = Api::new(at);
    let (organization, issue) = (&wanted.organization, &wanted.issue_id);
    let url = api.url(&["organizations", organization, "issues", issue, "events", &wanted.event_id])?;
    Ok(Outcome::new(wire::json("Sentry", &api.send(Method::GET, url, None).await?)?))
}

async fn update_issue(at: At<'_>, wanted: UpdateIssue) -> Result<Outcome, SourceError> {
    let (api, body) = (Api::new(at), wanted.body());
    let before = api.issue(&wanted.organization, &wanted.issue_id).await;
    let before = before.map_err(SourceError::before_effect)?;
    let undo = body.keys().map(|field| (field.clone(), current(&before, field))).collect();
    let changed = api.put(&wanted.organization, &wanted.issue_id, &Value::Object(body)).await?;
    Ok(Outcome { undo: Some(Value::Object(undo)), ..Outcome::new(changed) })
}

async fn find_updated(at: At<'_>, wanted: UpdateIssue) -> Result<Option<Outcome>, SourceError> {
    let issue = Api::new(at).issue(&wanted.organization, &wanted.issue_id).await?;
    // The previous values are lost, so an update found this way cannot be undone.
    Ok(differing(&wanted.body(), &issue).is_empty().then(|| Outcome::new(issue)))
}

async fn preview_update(at: At<'_>, wanted: UpdateIssue) -> Result<Preview, SourceError> {
    let issue = Api::new(at).issue(&wanted.organization, &wanted.issue_id).await?;
    let mut basis = vec![Basis::new("issue", issue["id"].clone())];
    basis.extend(wanted.body().keys().map(|field| Basis::new(field, current(&issue, field))));
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
    Ok(Preview { summary, changes, basis })
}

async fn is_updated(at: At<'_>, wanted: UpdateIssue, _: &Outcome) -> Result<Verification, SourceError> {
    let issue = Api::new(at).issue(&wanted.organization, &wanted.issue_id).await?;
    let differing = differing(&wanted.body(), &issue);
    if differing.is_empty() {
        return Ok(Verification::Confirmed);
    }
    Ok(Verification::Refuted(format!("not as wanted: {}", differing.join(", "))))
}

async fn restore(at: At<'_>, wanted: UpdateIssue, done: &Outcome) -> Result<Undone, SourceError> {
    let Some(before) = &done.undo else {
        return Ok(Undone::NotPossible("the values before are not known".to_owned()));
    };
    Api::new(at).put(&wanted.organization, &wanted.issue_id, before).await?;
    Ok(Undone::Done("the issue has its former status and assignee".to_owned()))
}

fn differing(wanted: &Map<String, Value>, issue: &Value) -> Vec<String> {
    wanted
        .iter()
        .filter(|(field, value)| **value != current(issue, field))
        .map(|(field, _)| field.clone())
        .collect()
}

/// The current value of a field, in the form in which it is written.
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
