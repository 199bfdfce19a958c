//! Linear: issues and comments, over GraphQL.
//!
//! Creating is checkable because Linear lets the caller choose the id: ours is made from the idempotency key,
//! so a look for that id tells whether the effect happened. Changing sets absolute values, so it is checked
//! by reading them.

mod api;
mod params;

use std::borrow::Cow;

use async_trait::async_trait;
use model::{ActionDefinition, EffectClass, ErrorClass, SourceSlug};
use serde_json::{Map, Value, json};
use url::Url;

use self::{
    api::Api,
    params::{AddComment, CreateIssue, GetIssue, ListIssues, UpdateIssue},
};
use crate::{
    ActionSource, Call, CallContext, Change, Outcome, Preview, SourceError, Undone, Verification,
    define::{self, Define},
    registry::Error,
    wire,
};

const PAGE: u32 = 25;

/// The source `linear`.
pub struct Linear {
    slug: SourceSlug,
    base: Url,
    definitions: Vec<ActionDefinition>,
}

impl Linear {
    /// The source, speaking to the service at `base`.
    pub fn new(base: Url) -> Result<Self, Error> {
        let slug: SourceSlug = "linear".parse().map_err(Error::Slug)?;
        let checkable = EffectClass::Checkable;
        let definitions = vec![
            Define::read("list_issues", "Lists issues, the last changed first, a page at a time.")
                .takes::<ListIssues>(&slug)?,
            Define::read("get_issue", "Reads one issue with its newest comments.")
                .takes::<GetIssue>(&slug)?,
            Define::write("create_issue", checkable, "Creates an issue in a team.")
                .undo("archives the created issue")
                .verifies()
                .previews()
                .takes::<CreateIssue>(&slug)?,
            Define::write("update_issue", checkable, "Sets fields of an issue to new values.")
                .undo("gives the changed fields the values they had before")
                .verifies()
                .previews()
                .takes::<UpdateIssue>(&slug)?,
            Define::write("add_comment", checkable, "Adds a comment to an issue, seen by all who follow it.")
                .sends_out()
                .previews()
                .takes::<AddComment>(&slug)?,
        ];
        Ok(Self { slug, base, definitions })
    }
}

#[async_trait]
impl ActionSource for Linear {
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
        let api = Api::new(ctx, &self.base);
        match call.action.as_str() {
            "list_issues" => list_issues(&api, define::params(call)?).await,
            "get_issue" => get_issue(&api, define::params(call)?).await,
            "create_issue" => create_issue(&api, define::params(call)?, ctx).await,
            "update_issue" => update_issue(&api, define::params(call)?).await,
            "add_comment" => add_comment(&api, define::params(call)?, ctx).await,
            _ => Err(define::unknown(call)),
        }
    }

    async fn preview(&self, call: &Call, ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        match call.action.as_str() {
            "create_issue" => {
                let wanted: CreateIssue = define::params(call)?;
                let summary = format!("Creates the issue “{}” in Linear", wire::line(&wanted.title));
                let changes = (wanted.input().into_iter())
                    .map(|(field, after)| Change { field, before: Value::Null, after })
                    .collect();
                Ok(Some(Preview { summary, changes }))
            }
            "add_comment" => {
                let wanted: AddComment = define::params(call)?;
                let summary = format!("Comments on {}: “{}”", wanted.issue, wire::line(&wanted.body));
                Ok(Some(Preview { summary, changes: Vec::new() }))
            }
            "update_issue" => {
                let wanted: UpdateIssue = define::params(call)?;
                let issue = must_find(&Api::new(ctx, &self.base), &wanted.issue).await?;
                Ok(Some(preview_update(&wanted, &issue)))
            }
            _ => Ok(None),
        }
    }

    async fn verify(
        &self,
        call: &Call,
        done: &Outcome,
        ctx: &CallContext,
    ) -> Result<Verification, SourceError> {
        let wanted = match call.action.as_str() {
            "create_issue" => define::params::<CreateIssue>(call)?.input(),
            "update_issue" => define::params::<UpdateIssue>(call)?.input(),
            _ => return Ok(Verification::Unchecked),
        };
        let id = id_of(done)?;
        let Some(issue) = Api::new(ctx, &self.base).find(&api::GET_ISSUE, id).await? else {
            return Ok(Verification::Refuted("the issue is not there".to_owned()));
        };
        // A process that died while undoing leaves an archived issue behind; its successor must not call that success.
        if call.action.as_str() == "create_issue" && !issue["archivedAt"].is_null() {
            return Ok(Verification::Refuted("the issue is archived".to_owned()));
        }
        // Linear rewrites Markdown on its way in, so an equal description can read differently.
        let differing: Vec<&str> =
            differing(&wanted, &issue).filter(|field| *field != "description").collect();
        if differing.is_empty() {
            return Ok(Verification::Confirmed);
        }
        Ok(Verification::Refuted(format!("not as wanted: {}", differing.join(", "))))
    }

    async fn rollback(&self, call: &Call, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        let api = Api::new(ctx, &self.base);
        match call.action.as_str() {
            "create_issue" => {
                let archived = api
                    .run(&api::ARCHIVE_ISSUE, json!({"id": id_of(done)?}), "/issueArchive/success")
                    .await?;
                must_succeed(&archived)?;
                Ok(Undone::Done("the issue was archived".to_owned()))
            }
            "update_issue" => {
                let Some(before) = &done.undo else {
                    return Ok(Undone::NotPossible("the values before are not known".to_owned()));
                };
                let variables = json!({"id": id_of(done)?, "input": before});
                must_succeed(&api.run(&api::UPDATE_ISSUE, variables, "/issueUpdate/success").await?)?;
                Ok(Undone::Done("the fields have their former values".to_owned()))
            }
            _ => Ok(Undone::NotPossible(format!("`{}` cannot be undone", call.action))),
        }
    }

    async fn lookup(&self, call: &Call, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        let api = Api::new(ctx, &self.base);
        match call.action.as_str() {
            "create_issue" => {
                let id = wire::effect_uuid(ctx, "linear issue").to_string();
                Ok(api.find(&api::GET_ISSUE, &id).await?.map(Outcome::new))
            }
            "add_comment" => {
                let id = wire::effect_uuid(ctx, "linear comment").to_string();
                Ok(api.find(&api::GET_COMMENT, &id).await?.map(Outcome::new))
            }
            "update_issue" => {
                let wanted: UpdateIssue = define::params(call)?;
                let issue = must_find(&api, &wanted.issue).await?;
                let as_wanted = differing(&wanted.input(), &issue).next().is_none();
                // The values before are gone, so an update found this way cannot be undone.
                Ok(as_wanted.then(|| Outcome::new(issue)))
            }
            _ => Err(SourceError::not_sent(ErrorClass::Permanent, "reads are repeated, not looked up")),
        }
    }
}

async fn list_issues(api: &Api<'_>, wanted: ListIssues) -> Result<Outcome, SourceError> {
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
    let page = api.run(&api::LIST_ISSUES, variables, "/issues").await?;
    let more = page.pointer("/pageInfo/hasNextPage") == Some(&Value::Bool(true));
    let next = page.pointer("/pageInfo/endCursor").filter(|_| more).cloned();
    Ok(Outcome::new(json!({"issues": page["nodes"], "next_cursor": next})))
}

async fn get_issue(api: &Api<'_>, wanted: GetIssue) -> Result<Outcome, SourceError> {
    Ok(Outcome::new(api.run(&api::GET_ISSUE, json!({"id": wanted.issue}), "/issue").await?))
}

async fn create_issue(api: &Api<'_>, wanted: CreateIssue, ctx: &CallContext) -> Result<Outcome, SourceError> {
    let id = wire::effect_uuid(ctx, "linear issue").to_string();
    let mut input = wanted.input();
    input.insert("id".to_owned(), json!(id));
    let created = api.run(&api::CREATE_ISSUE, json!({"input": input}), "/issueCreate/issue").await;
    created_before(created, api.find(&api::GET_ISSUE, &id)).await
}

async fn update_issue(api: &Api<'_>, wanted: UpdateIssue) -> Result<Outcome, SourceError> {
    let input = wanted.input();
    let before = must_find(api, &wanted.issue).await.map_err(SourceError::before_effect)?;
    let undo = input.keys().map(|field| (field.clone(), current(&before, field))).collect();
    let variables = json!({"id": wanted.issue, "input": input});
    let issue = api.run(&api::UPDATE_ISSUE, variables, "/issueUpdate/issue").await?;
    Ok(Outcome { undo: Some(Value::Object(undo)), ..Outcome::new(issue) })
}

async fn add_comment(api: &Api<'_>, wanted: AddComment, ctx: &CallContext) -> Result<Outcome, SourceError> {
    let id = wire::effect_uuid(ctx, "linear comment").to_string();
    let input = json!({"id": id, "issueId": wanted.issue, "body": wanted.body});
    let created = api.run(&api::ADD_COMMENT, json!({"input": input}), "/commentCreate/comment").await;
    created_before(created, api.find(&api::GET_COMMENT, &id)).await
}

/// What is in the way of an id made from our own key is our own effect, of a try whose answer was lost.
async fn created_before(
    created: Result<Value, SourceError>,
    find: impl Future<Output = Result<Option<Value>, SourceError>>,
) -> Result<Outcome, SourceError> {
    match created {
        Err(error) if error.class == ErrorClass::Conflict => find.await?.map(Outcome::new).ok_or(error),
        created => created.map(Outcome::new),
    }
}

fn preview_update(wanted: &UpdateIssue, issue: &Value) -> Preview {
    let input = wanted.input();
    let changes: Vec<Change> = differing(&input, issue)
        .map(|field| Change {
            field: field.to_owned(),
            before: current(issue, field),
            after: input[field].clone(),
        })
        .collect();
    let name = issue["identifier"].as_str().unwrap_or(&wanted.issue);
    let title = wire::line(issue["title"].as_str().unwrap_or_default());
    let summary = match changes.len() {
        0 => format!("Changes nothing: {name} “{title}” already is as wanted"),
        count => format!("Changes {count} field(s) of {name} “{title}”"),
    };
    Preview { summary, changes }
}

async fn must_find(api: &Api<'_>, issue: &str) -> Result<Value, SourceError> {
    let missing = || SourceError::sent(ErrorClass::NotFound, format!("Linear has no issue `{issue}`"));
    api.find(&api::GET_ISSUE, issue).await?.ok_or_else(missing)
}

fn must_succeed(success: &Value) -> Result<(), SourceError> {
    match success {
        Value::Bool(true) => Ok(()),
        _ => Err(SourceError::sent(ErrorClass::Permanent, "Linear said that it did not succeed")),
    }
}

fn id_of(done: &Outcome) -> Result<&str, SourceError> {
    let missing = || SourceError::not_sent(ErrorClass::Permanent, "the outcome names no issue");
    done.output["id"].as_str().ok_or_else(missing)
}

/// The names of the wanted fields that the issue has otherwise.
fn differing<'a>(wanted: &'a Map<String, Value>, issue: &'a Value) -> impl Iterator<Item = &'a str> {
    wanted
        .iter()
        .filter(|(field, value)| normal((*value).clone()) != normal(current(issue, field)))
        .map(|(field, _)| field.as_str())
}

/// An input field's present value.
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

// Linear trims texts and keeps labels in an order of its own; an absent text and an empty one are the same.
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
