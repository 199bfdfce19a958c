//! GitHub: issues, pull requests and code, over REST.
//!
//! GitHub accepts neither an idempotency key nor an id of ours, so creating something has the effect class `once`.
//! Merging is checkable: a pull request shows whether it is merged, and at which commit.

mod api;
mod params;

use http::Method;
use model::{EffectClass, ErrorClass, Risk};
use serde_json::{Value, json};
use url::Url;

use self::{
    api::Api,
    params::{Comment, CreateIssue, Get, List, Merge, MergeMethod, Review, SearchCode},
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
const PAGE: u32 = 30;

/// The integration of GitHub.
pub static GITHUB: Integration = Integration {
    slug: "github",
    title: "GitHub",
    default_url: "https://api.github.com",
    url_variable: "COUNTERSIGN_GITHUB_URL",
    token_variable: "GITHUB_TOKEN",
    token_url: "https://github.com/settings/personal-access-tokens",
    token_hint: "Create a fine-grained token for the repositories you want, with read access to contents, and read and \
                 write access to issues and pull requests.",
    source,
};

fn source(base: Url) -> Result<Source, Error> {
    let once = EffectClass::Once;
    let source = DeclaredSource::new(GITHUB.slug, base)?
        .guide(include_str!("guide.md"))
        .with(
            Define::read("list_issues", "Lists issues of a repository, a page at a time.")
                .takes::<List>()
                .execute(list_issues),
        )?
        .with(Define::read("get_issue", "Reads one issue.").takes::<Get>().execute(get_issue))?
        .with(
            Define::read("list_pull_requests", "Lists pull requests of a repository, a page at a time.")
                .takes::<List>()
                .execute(list_pull_requests),
        )?
        .with(
            Define::read("get_pull_request", "Reads one pull request.")
                .takes::<Get>()
                .execute(get_pull_request),
        )?
        .with(Define::read("search_code", "Searches code.").takes::<SearchCode>().execute(search_code))?
        .with(
            Define::write("create_issue", once, "Creates an issue in a repository.")
                .sends_out()
                .gives_back()
                .takes::<CreateIssue>()
                .execute(create_issue)
                .describe(describe_issue)
                .undo("closes the created issue as not planned", close),
        )?
        .with(
            Define::write("comment", once, "Comments on an issue or a pull request.")
                .sends_out()
                .gives_back()
                .takes::<Comment>()
                .execute(comment)
                .describe(describe_comment),
        )?
        .with(
            Define::write("create_pull_request_review", once, "Reviews a pull request.")
                .sends_out()
                .gives_back()
                .takes::<Review>()
                .execute(review)
                .describe(describe_review),
        )?
        .with(
            Define::write("merge_pull_request", EffectClass::Checkable, "Merges a pull request.")
                .risk(Risk::R3)
                .capability(Some("merge"))
                .sends_out()
                .gives_back()
                .takes::<Merge>()
                .execute(merge)
                .lookup(find_merged)
                .preview(preview_merge)
                .verify(is_merged),
        )?;
    Ok(Box::new(source))
}

async fn list_issues(at: At<'_>, wanted: List) -> Result<Outcome, SourceError> {
    list(at, "issues", wanted).await
}

async fn list_pull_requests(at: At<'_>, wanted: List) -> Result<Outcome, SourceError> {
    list(at, "pulls", wanted).await
}

async fn get_issue(at: At<'_>, wanted: Get) -> Result<Outcome, SourceError> {
    get(at, "issues", wanted).await
}

async fn get_pull_request(at: At<'_>, wanted: Get) -> Result<Outcome, SourceError> {
    get(at, "pulls", wanted).await
}

async fn list(at: At<'_>, kind: &str, wanted: List) -> Result<Outcome, SourceError> {
    let state = wanted.state.map_or("open", params::State::as_str);
    let per_page = wanted.per_page.unwrap_or(PAGE).clamp(1, 100).to_string();
    let page = wanted.page.unwrap_or(1).to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, kind];
    let query = [("state", state), ("per_page", &*per_page), ("page", &*page)];
    Ok(Outcome::new(json!({kind: Api::new(at).get(&path, &query).await?})))
}

async fn get(at: At<'_>, kind: &str, wanted: Get) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    Ok(Outcome::new(Api::new(at).get(&["repos", &wanted.owner, &wanted.repo, kind, &number], &[]).await?))
}

async fn search_code(at: At<'_>, wanted: SearchCode) -> Result<Outcome, SourceError> {
    let per_page = wanted.per_page.unwrap_or(PAGE).clamp(1, 100).to_string();
    let page = wanted.page.unwrap_or(1).to_string();
    let query = [("q", &*wanted.query), ("per_page", &*per_page), ("page", &*page)];
    Ok(Outcome::new(Api::new(at).get(&["search", "code"], &query).await?))
}

async fn create_issue(at: At<'_>, wanted: CreateIssue) -> Result<Outcome, SourceError> {
    let mut body = json!({"title": wanted.title});
    if let Some(text) = &wanted.body {
        body["body"] = json!(text);
    }
    if let Some(labels) = &wanted.labels {
        body["labels"] = json!(labels);
    }
    let path = ["repos", &wanted.owner, &wanted.repo, "issues"];
    Ok(Outcome::new(Api::new(at).change(Method::POST, &path, &body).await?))
}

fn describe_issue(wanted: &CreateIssue) -> Preview {
    let title = wire::line(&wanted.title);
    Preview::of(format!("Creates the issue “{title}” in {}/{}", wanted.owner, wanted.repo))
}

async fn close(at: At<'_>, wanted: CreateIssue, done: &Outcome) -> Result<Undone, SourceError> {
    let missing = || SourceError::not_sent(ErrorClass::Permanent, "the outcome contains no issue");
    let number = done.output["number"].as_u64().ok_or_else(missing)?.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "issues", &number];
    let closed = json!({"state": "closed", "state_reason": "not_planned"});
    Api::new(at).change(Method::PATCH, &path, &closed).await?;
    Ok(Undone::Done("the issue was closed as not planned".to_owned()))
}

async fn comment(at: At<'_>, wanted: Comment) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "issues", &number, "comments"];
    Ok(Outcome::new(Api::new(at).change(Method::POST, &path, &json!({"body": wanted.body})).await?))
}

fn describe_comment(wanted: &Comment) -> Preview {
    let Comment { owner, repo, number, body } = wanted;
    Preview::of(format!("Comments on {owner}/{repo}#{number}: “{}”", wire::line(body)))
}

async fn review(at: At<'_>, wanted: Review) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "pulls", &number, "reviews"];
    let body = json!({"event": wanted.event, "body": wanted.body});
    Ok(Outcome::new(Api::new(at).change(Method::POST, &path, &body).await?))
}

fn describe_review(wanted: &Review) -> Preview {
    let Review { owner, repo, number, body, .. } = wanted;
    let event = json!(wanted.event);
    Preview::of(format!("Reviews {owner}/{repo}#{number} with {event}: “{}”", wire::line(body)))
}

async fn merge(at: At<'_>, wanted: Merge) -> Result<Outcome, SourceError> {
    let number = wanted.number.to_string();
    let path = ["repos", &wanted.owner, &wanted.repo, "pulls", &number, "merge"];
    let method = wanted.method.unwrap_or(MergeMethod::Merge);
    let body = json!({"sha": wanted.sha, "merge_method": method});
    Ok(Outcome::new(Api::new(at).change(Method::PUT, &path, &body).await?))
}

async fn preview_merge(at: At<'_>, wanted: Merge) -> Result<Preview, SourceError> {
    let pull = read_pull(at, &wanted).await?;
    let title = wire::line(pull["title"].as_str().unwrap_or_default());
    let summary = format!("Merges {}/{}#{} “{title}”", wanted.owner, wanted.repo, wanted.number);
    let merged = Change { field: "merged".to_owned(), before: pull["merged"].clone(), after: json!(true) };
    let mut changes = vec![merged];
    if pull["head"]["sha"] != wanted.sha {
        // The merge will be refused; an approver should see why before approving.
        let before = pull["head"]["sha"].clone();
        changes.push(Change { field: "head.sha".to_owned(), before, after: json!(wanted.sha) });
    }
    let basis = vec![
        Basis::new("head commit", pull["head"]["sha"].clone()),
        Basis::new("base branch", pull["base"]["ref"].clone()),
        Basis::new("state", pull["state"].clone()),
        Basis::new("merged", pull["merged"].clone()),
    ];
    Ok(Preview { summary, changes, basis })
}

async fn is_merged(at: At<'_>, wanted: Merge, _: &Outcome) -> Result<Verification, SourceError> {
    let pull = read_pull(at, &wanted).await?;
    Ok(match (pull["merged"] == true, pull["head"]["sha"] == wanted.sha) {
        (true, true) => Verification::Confirmed,
        (true, false) => Verification::Refuted("it was merged at another commit".to_owned()),
        (false, _) => Verification::Refuted("it is not merged".to_owned()),
    })
}

async fn find_merged(at: At<'_>, wanted: Merge) -> Result<Option<Outcome>, SourceError> {
    let pull = read_pull(at, &wanted).await?;
    let merged = pull["merged"] == true && pull["head"]["sha"] == wanted.sha;
    Ok(merged.then(|| Outcome::new(json!({"merged": true, "sha": pull["merge_commit_sha"]}))))
}

async fn read_pull(at: At<'_>, wanted: &Merge) -> Result<Value, SourceError> {
    let number = wanted.number.to_string();
    Api::new(at).get(&["repos", &wanted.owner, &wanted.repo, "pulls", &number], &[]).await
}
