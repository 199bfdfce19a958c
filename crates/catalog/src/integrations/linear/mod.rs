//! Linear: issues and comments, over GraphQL.
//!
//! Creating is checkable because Linear lets the caller choose the id: ours is derived from the idempotency key, so a
//! lookup of that id shows whether the effect happened. Updating sets absolute values, so it is checked by reading
//! them.

mod api;
mod params;

use model::{EffectClass, ErrorClass};
use serde_json::{Map, Value, json};
use url::Url;

use self::{
    api::Api,
    params::{AddComment, CreateIssue, GetIssue, ListIssues, UpdateIssue},
};
use super::{Integration, Source};
use crate::{
    Basis, Change, Outcome, Preview, SourceError, Undone, Verification,
    declared::DeclaredSource,
    define::{At, Define},
    registry::Error,
    wire,
};

/// The page size if the caller does not set one.
const PAGE: u32 = 25;

/// The integration of Linear.
pub static LINEAR: Integration = Integration {
    slug: "linear",
    title: "Linear",
    default_url: "https://api.linear.app",
    url_variable: "COUNTERSIGN_LINEAR_URL",
    token_variable: "LINEAR_API_KEY",
    token_url: "https://linear.app/settings/account/security",
    token_hint: "Create a personal API key, or an OAuth token of an application, with read and write access.",
    source,
};

fn source(base: Url) -> Result<Source, Error> {
    let checkable = EffectClass::Checkable;
    let source = DeclaredSource::new(LINEAR.slug, base)?
        .guide(include_str!("guide.md"))
        .with(
            Define::read("list_issues", "Lists issues, the last changed first, a page at a time.")
                .takes::<ListIssues>()
                .execute(list_issues),
        )?
        .with(
            Define::read("get_issue", "Reads one issue with its newest comments.")
                .takes::<GetIssue>()
                .execute(get_issue),
        )?
        .with(
            Define::write("create_issue", checkable, "Creates an issue in a team.")
                .gives_back()
                .takes::<CreateIssue>()
                .execute(create_issue)
                .lookup(find_created)
                .describe(describe_issue)
                .verify(is_created)
                .undo("archives the created issue", archive),
        )?
        .with(
            Define::write("update_issue", checkable, "Sets fields of an issue to new values.")
                .gives_back()
                .takes::<UpdateIssue>()
                .execute(update_issue)
                .lookup(find_updated)
                .preview(preview_update)
                .verify(is_updated)
                .undo("gives the changed fields the values they had before", restore),
        )?
        .with(
            Define::write("add_comment", checkable, "Adds a comment to an issue, seen by all who follow it.")
                .sends_out()
                .gives_back()
                .takes::<AddComment>()
                .execute(add_comment)
                .lookup(find_comment)
                .describe(describe_comment),
        )?;
    Ok(Box::new(source))
}

async fn list_issues(at: At<'_>, wanted: ListIssues) -> Result<Outcome, SourceError> {
    let mut filter = Map::new();
    if let Some(key) = wanted.team_key {
        filter.insert("team".to_owned(), json!({"key": {"eq": key}}));
    }
    if let Some(state) = wanted.state {
        filter.insert("state".to_owned(), json!({"name": {"eq": state}}));
    }
    if let Some(id) = wanted.assignee_id {
        filter.insert("assignee".to_owned(), json!({"id": {"eq": id}}));
    }
    if let Some(text) = wanted.title_contains {
        filter.insert("title".to_owned(), json!({"containsIgnoreCase": text}));
    }
    let first = wanted.first.unwrap_or(PAGE).clamp(1, 50);
    let variables = json!({"first": first, "after": wanted.cursor, "filter": filter});
    let page = Api::new(at).run(&api::LIST_ISSUES, variables, "/issues").await?;
    let more = page.pointer("/pageInfo/hasNextPage") == Some(&Value::Bool(true));
    let next = page.pointer("/pageInfo/endCursor").filter(|_| more).cloned();
    Ok(Outcome::new(json!({"issues": page["nodes"], "next_cursor": next})))
}

async fn get_issue(at: At<'_>, wanted: GetIssue) -> Result<Outcome, SourceError> {
    Ok(Outcome::new(Api::new(at).run(&api::GET_ISSUE, json!({"id": wanted.issue}), "/issue").await?))
}

fn id_of_issue(at: At<'_>) -> String {
    wire::effect_uuid(at.ctx, "linear issue").to_string()
}

async fn create_issue(at: At<'_>, wanted: CreateIssue) -> Result<Outcome, SourceError> {
    let (api, id) = (Api::new(at), id_of_issue(at));
    let mut input = wanted.input();
    input.insert("id".to_owned(), json!(id));
    let created = api.run(&api::CREATE_ISSUE, json!({"input": input}), "/issueCreate/issue").await;
    created_before(created, api.find(&api::GET_ISSUE, &id)).await
}

async fn find_created(at: At<'_>, _: CreateIssue) -> Result<Option<Outcome>, SourceError> {
    Ok(Api::new(at).find(&api::GET_ISSUE, &id_of_issue(at)).await?.map(Outcome::new))
}

fn describe_issue(wanted: &CreateIssue) -> Preview {
    let summary = format!("Creates the issue “{}” in Linear", wire::line(&wanted.title));
    let changes = (wanted.input().into_iter())
        .map(|(field, after)| Change { field, before: Value::Null, after })
        .collect();
    Preview { summary, changes, basis: vec![] }
}

async fn is_created(at: At<'_>, wanted: CreateIssue, done: &Outcome) -> Result<Verification, SourceError> {
    let issue = Api::new(at).find(&api::GET_ISSUE, id_of(done)?).await?;
    // A process that died while undoing leaves an archived issue behind; the process that takes over must not report
    // that as success.
    if issue.as_ref().is_some_and(|issue| !issue["archivedAt"].is_null()) {
        return Ok(Verification::Refuted("the issue is archived".to_owned()));
    }
    Ok(compared(&wanted.input(), issue.as_ref()))
}

async fn archive(at: At<'_>, _: CreateIssue, done: &Outcome) -> Result<Undone, SourceError> {
    let id = json!({"id": id_of(done)?});
    must_succeed(&Api::new(at).run(&api::ARCHIVE_ISSUE, id, "/issueArchive/success").await?)?;
    Ok(Undone::Done("the issue was archived".to_owned()))
}

async fn update_issue(at: At<'_>, wanted: UpdateIssue) -> Result<Outcome, SourceError> {
    let (api, input) = (Api::new(at), wanted.input());
    let before = must_find(&api, &wanted.issue).await.map_err(SourceError::before_effect)?;
    let undo = input.keys().map(|field| (field.clone(), current(&before, field))).collect();
    let variables = json!({"id": wanted.issue, "input": input});
    let issue = api.run(&api::UPDATE_ISSUE, variables, "/issueUpdate/issue").await?;
    Ok(Outcome { undo: Some(Value::Object(undo)), ..Outcome::new(issue) })
}

async fn find_updated(at: At<'_>, wanted: UpdateIssue) -> Result<Option<Outcome>, SourceError> {
    let issue = must_find(&Api::new(at), &wanted.issue).await?;
    let as_wanted = differing(&wanted.input(), &issue).next().is_none();
    // The previous values are lost, so an update found this way cannot be undone.
    Ok(as_wanted.then(|| Outcome::new(issue)))
}

async fn is_updated(at: At<'_>, wanted: UpdateIssue, done: &Outcome) -> Result<Verification, SourceError> {
    let issue = Api::new(at).find(&api::GET_ISSUE, id_of(done)?).await?;
    Ok(compared(&wanted.input(), issue.as_ref()))
}

async fn restore(at: At<'_>, _: UpdateIssue, done: &Outcome) -> Result<Undone, SourceError> {
    let Some(before) = &done.undo else {
        return Ok(Undone::NotPossible("the values before are not known".to_owned()));
    };
    let variables = json!({"id": id_of(done)?, "input": before});
    must_succeed(&Api::new(at).run(&api::UPDATE_ISSUE, variables, "/issueUpdate/success").await?)?;
    Ok(Undone::Done("the fields have their former values".to_owned()))
}

fn id_of_comment(at: At<'_>) -> String {
    wire::effect_uuid(at.ctx, "linear comment").to_string()
}

async fn add_comment(at: At<'_>, wanted: AddComment) -> Result<Outcome, SourceError> {
    let (api, id) = (Api::new(at), id_of_comment(at));
    let input = json!({"id": id, "issueId": wanted.issue, "body": wanted.body});
    let created = api.run(&api::ADD_COMMENT, json!({"input": input}), "/commentCreate/comment").await;
    created_before(created, api.find(&api::GET_COMMENT, &id)).await
}

async fn find_comment(at: At<'_>, _: AddComment) -> Result<Option<Outcome>, SourceError> {
    Ok(Api::new(at).find(&api::GET_COMMENT, &id_of_comment(at)).await?.map(Outcome::new))
}

fn describe_comment(wanted: &AddComment) -> Preview {
    let summary = format!("Comments on {}: “{}”", wanted.issue, wire::line(&wanted.body));
    Preview::of(summary)
}

/// Handles a conflict on creation. The id is derived from our own key, so an existing object with that id is our own
/// effect, from an attempt whose response was lost.
async fn created_before(
    created: Result<Value, SourceError>,
    find: impl Future<Output = Result<Option<Value>, SourceError>>,
) -> Result<Outcome, SourceError> {
    match created {
        Err(error) if error.class == ErrorClass::Conflict => find.await?.map(Outcome::new).ok_or(error),
        created => created.map(Outcome::new),
    }
}

async fn preview_update(at: At<'_>, wanted: UpdateIssue) -> Result<Preview, SourceError> {
    let issue = must_find(&Api::new(at), &wanted.issue).await?;
    let input = wanted.input();
    let changes: Vec<Change> = differing(&input, &issue)
        .map(|field| Change {
            field: field.to_owned(),
            before: current(&issue, field),
            after: input[field].clone(),
        })
        .collect();
    // The issue itself, and the values that would be lost.
    let mut basis = vec![Basis::new("issue", issue["id"].clone())];
    basis.extend(input.keys().map(|field| Basis::new(field, current(&issue, field))));
    let name = issue["identifier"].as_str().unwrap_or(&wanted.issue);
    let title = wire::line(issue["title"].as_str().unwrap_or_default());
    let summary = match changes.len() {
        0 => format!("Changes nothing: {name} “{title}” already is as wanted"),
        count => format!("Changes {count} field(s) of {name} “{title}”"),
    };
    Ok(Preview { summary, changes, basis })
}

/// Whether an issue is as requested. The description is not compared: Linear rewrites Markdown when it stores it, so an
/// equal description can read differently.
fn compared(wanted: &Map<String, Value>, issue: Option<&Value>) -> Verification {
    let Some(issue) = issue else {
        return Verification::Refuted("the issue does not exist".to_owned());
    };
    let differing: Vec<&str> = differing(wanted, issue).filter(|field| *field != "description").collect();
    match differing.is_empty() {
        true => Verification::Confirmed,
        false => Verification::Refuted(format!("not as wanted: {}", differing.join(", "))),
    }
}

async fn must_find(api: &Api<'_>, issue: &str) -> Result<Value, SourceError> {
    let missing = || SourceError::sent(ErrorClass::NotFound, format!("Linear has no issue `{issue}`"));
    api.find(&api::GET_ISSUE, issue).await?.ok_or_else(missing)
}

fn must_succeed(success: &Value) -> Result<(), SourceError> {
    match success {
        Value::Bool(true) => Ok(()),
        _ => Err(SourceError::sent(ErrorClass::Permanent, "Linear reported a failure")),
    }
}

fn id_of(done: &Outcome) -> Result<&str, SourceError> {
    let missing = || SourceError::not_sent(ErrorClass::Permanent, "the outcome contains no issue");
    done.output["id"].as_str().ok_or_else(missing)
}

/// The names of the requested fields whose current value differs.
fn differing<'a>(wanted: &'a Map<String, Value>, issue: &'a Value) -> impl Iterator<Item = &'a str> {
    wanted
        .iter()
        .filter(|(field, value)| normal((*value).clone()) != normal(current(issue, field)))
        .map(|(field, _)| field.as_str())
}

/// The current value of an input field.
fn current(issue: &Value, field: &str) -> Value {
    match field {
        "teamId" => issue["team"]["id"].clone(),
        "assigneeId" => issue["assignee"]["id"].clone(),
        "stateId" => issue["state"]["id"].clone(),
        "labelIds" => {
            let nodes = issue["labels"]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
            nodes.iter().map(|label| label["id"].clone()).collect()
        }
        _ => issue[field].clone(),
    }
}

// Linear trims texts and keeps labels in its own order; a missing text and an empty one are the same.
fn normal(value: Value) -> Value {
    match value {
        Value::String(text) => json!(text.trim()),
        Value::Null => json!(""),
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(mut items) => {
            items.sort_by_key(ToString::to_string);
            Value::Array(items)
        }
        other => other,
    }
}
