//! GitHub: issues, pull requests and code, over REST.
//!
//! GitHub takes no idempotency key and no id of ours, so creating something is done `once`. Merging can be
//! checked: a pull request knows whether it is merged, and at which commit.

mod api;
mod params;

use std::borrow::Cow;

use async_trait::async_trait;
use http::Method;
use model::{ActionDefinition, EffectClass, ErrorClass, Risk, SourceSlug};
use serde_json::{Value, json};
use url::Url;

use self::{
    api::Api,
    params::{Comment, CreateIssue, Get, List, Merge, MergeMethod, Review, SearchCode},
};
use crate::{
    ActionSource, Call, CallContext, Change, Outcome, Preview, SourceError, Undone, Verification,
    define::{self, Define},
    registry::Error,
    wire,
};

const PAGE: u32 = 30;

/// The source `github`.
pub struct GitHub {
    slug: SourceSlug,
    base: Url,
    definitions: Vec<ActionDefinition>,
}

impl GitHub {
    /// The source, speaking to the service at `base`.
    pub fn new(base: Url) -> Result<Self, Error> {
        let slug: SourceSlug = "github".parse().map_err(Error::Slug)?;
        let once = EffectClass::Once;
        let definitions = vec![
            Define::read("list_issues", "Lists issues of a repository, a page at a time.")
                .takes::<List>(&slug)?,
            Define::read("get_issue", "Reads one issue.").takes::<Get>(&slug)?,
            Define::read("list_pull_requests", "Lists pull requests of a repository, a page at a time.")
                .takes::<List>(&slug)?,
            Define::read("get_pull_request", "Reads one pull request.").takes::<Get>(&slug)?,
            Define::read("search_code", "Searches code.").takes::<SearchCode>(&slug)?,
            Define::write("create_issue", once, "Creates an issue in a repository.")
                .sends_out()
                .undo("closes the created issue as not planned")
                .previews()
                .takes::<CreateIssue>(&slug)?,
            Define::write("comment", once, "Comments on an issue or a pull request.")
                .sends_out()
                .previews()
                .takes::<Comment>(&slug)?,
            Define::write("create_pull_request_review", once, "Reviews a pull request.")
                .sends_out()
                .previews()
                .takes::<Review>(&slug)?,
            Define::write("merge_pull_request", EffectClass::Checkable, "Merges a pull request.")
                .risk(Risk::R3)
                .capability(Some("merge"))
                .sends_out()
                .verifies()
                .previews()
                .takes::<Merge>(&slug)?,
        ];
        Ok(Self { slug, base, definitions })
    }
}

#[async_trait]
impl ActionSource for GitHub {
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
            "list_issues" => list(&api, "issues", define::params(call)?).await,
            "list_pull_requests" => list(&api, "pulls", define::params(call)?).await,
            "get_issue" => get(&api, "issues", define::params(call)?).await,
            "get_pull_request" => get(&api, "pulls", define::params(call)?).await,
            "search_code" => search_code(&api, define::params(call)?).await,
            "create_issue" => create_issue(&api, define::params(call)?).await,
            "comment" => comment(&api, define::params(call)?).await,
            "create_pull_request_review" => review(&api, define::params(call)?).await,
            "merge_pull_request" => merge(&api, define::params(call)?).await,
            _ => Err(define::unknown(call)),
        }
    }

    async fn preview(&self, call: &Call, ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        let summary = match call.action.as_str() {
            "create_issue" => {
                let it: CreateIssue = define::params(call)?;
                format!("Creates the issue “{}” in {}/{}", wire::line(&it.title), it.owner, it.repo)
            }
            "comment" => {
                let it: Comment = define::params(call)?;
                format!("Comments on {}/{}#{}: “{}”", it.owner, it.repo, it.number, wire::line(&it.body))
            }
            "create_pull_request_review" => {
                let it: Review = define::params(call)?;
                let event = json!(it.event);
                format!(
                    "Reviews {}/{}#{} with {event}: “{}”",
                    it.owner,
                    it.repo,
                    it.number,
                    wire::line(&it.body)
                )
            }
            "merge_pull_request" => {
                let wanted = define::params(call)?;
                return preview_merge(&Api::new(ctx, &self.base), wanted).await.map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(Preview { summary, changes: Vec::new() }))
    }

    async fn verify(&self, call: &Call, _: &Outcome, ctx: &CallContext) -> Result<Verification, SourceError> {
        if call.action.as_str() != "merge_pull_request" {
            return Ok(Verification::Unchecked);
        }
        let wanted: Merge = define::params(call)?;
        let pull = read_pull(&Api::new(ctx, &self.base), &wanted).await?;
        Ok(match (pull["merged"] == true, pull["head"]["sha"] == wanted.sha) {
            (true, true) => Verification::Confirmed,
            (true, false) => Verification::Refuted("it was merged at another commit".to_owned()),
            (false, _) => Verification::Refuted("it is not merged".to_owned()),
        })
    }

    async fn rollback(&self, call: &Call, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        if call.action.as_str() != "create_issue" {
            return Ok(Undone::NotPossible(format!("`{}` cannot be undone", call.action)));
        }
        let wanted: CreateIssue = define::params(call)?;
        let missing = || SourceError::not_sent(ErrorClass::Permanent, "the outcome names no issue");
        let number = done.output["number"].as_u64().ok_or_else(missing)?.to_string();
        let path = ["repos", &wanted.owner, &wanted.repo, "issues", &number];
        let closed = json!({"state": "closed", "state_reason": "not_planned"});
        Api::new(ctx, &self.base).change(Method::PATCH, &path, &closed).await?;
        Ok(Undone::Done("the issue was closed as not planned".to_owned()))
    }

    async fn lookup(&self, call: &Call, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        if call.action.as_str() != "merge_pull_request" {
            return Err(SourceError::not_sent(
                ErrorClass::OutcomeUnknown,
                format!("GitHub cannot say whether `{}` happened", call.action),
            ));
        }
        let wanted: Merge = define::params(call)?;
        let pull = read_pull(&Api::new(ctx, &self.base), &wanted).await?;
        let merged = pull["merged"] == true && pull["head"]["sha"] == wanted.sha;
        Ok(merged.then(|| Outcome::new(json!({"merged": true, "sha": pull["merge_commit_sha"]}))))
    }
}

async fn list(api: &Api<'_>, kind: &str, wanted: List) -> Result<Outcome, SourceError> {
    let state = wanted.state.map_or("open", params::State::as_str);
    let per_page = wanted.per_page.unwrap_or(PAGE).clamp(1, 100).to_string();
    let page = wanted.page.unwrap_or(1).to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, kind];
    let query = [("state", state), ("per_page", &*per_page), ("page", &*page)];
    Ok(Outcome::new(json!({kind: api.get(&path, &query).await?})))
}

async fn get(api: &Api<'_>, kind: &str, wanted: Get) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    Ok(Outcome::new(api.get(&["repos", &wanted.owner, &wanted.repo, kind, &number], &[]).await?))
}

async fn search_code(api: &Api<'_>, wanted: SearchCode) -> Result<Outcome, SourceError> {
    let per_page = wanted.per_page.unwrap_or(PAGE).clamp(1, 100).to_string();
    let page = wanted.page.unwrap_or(1).to_string();
    let query = [("q", &*wanted.query), ("per_page", &*per_page), ("page", &*page)];
    Ok(Outcome::new(api.get(&["search", "code"], &query).await?))
}

async fn create_issue(api: &Api<'_>, wanted: CreateIssue) -> Result<Outcome, SourceError> {
    let mut body = json!({"title": wanted.title});
    if let Some(text) = &wanted.body {
        body["body"] = json!(text);
    }
    if let Some(labels) = &wanted.labels {
        body["labels"] = json!(labels);
    }
    let path = ["repos", &wanted.owner, &wanted.repo, "issues"];
    Ok(Outcome::new(api.change(Method::POST, &path, &body).await?))
}

async fn comment(api: &Api<'_>, wanted: Comment) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "issues", &number, "comments"];
    Ok(Outcome::new(api.change(Method::POST, &path, &json!({"body": wanted.body})).await?))
}

async fn review(api: &Api<'_>, wanted: Review) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "pulls", &number, "reviews"];
    let body = json!({"event": wanted.event, "body": wanted.body});
    Ok(Outcome::new(api.change(Method::POST, &path, &body).await?))
}

async fn merge(api: &Api<'_>, wanted: Merge) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "pulls", &number, "merge"];
    let method = wanted.method.unwrap_or(MergeMethod::Merge);
    let body = json!({"sha": wanted.sha, "merge_method": method});
    Ok(Outcome::new(api.change(Method::PUT, &path, &body).await?))
}

async fn preview_merge(api: &Api<'_>, wanted: Merge) -> Result<Preview, SourceError> {
    let pull = read_pull(api, &wanted).await?;
    let title = wire::line(pull["title"].as_str().unwrap_or_default());
    let summary = format!("Merges {}/{}#{} “{title}”", wanted.owner, wanted.repo, wanted.number);
    let merged = Change { field: "merged".to_owned(), before: pull["merged"].clone(), after: json!(true) };
    let mut changes = vec![merged];
    if pull["head"]["sha"] != wanted.sha {
        // The merge will be refused; an approver should see why before saying yes.
        let before = pull["head"]["sha"].clone();
        changes.push(Change { field: "head.sha".to_owned(), before, after: json!(wanted.sha) });
    }
    Ok(Preview { summary, changes })
}

async fn read_pull(api: &Api<'_>, wanted: &Merge) -> Result<Value, SourceError> {
    let number = wanted.number.to_string();
    api.get(&["repos", &wanted.owner, &wanted.repo, "pulls", &number], &[]).await
}
