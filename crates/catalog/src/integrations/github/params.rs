//! The parameters of GitHub's actions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of an issue or a pull request.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Not closed.
    Open,
    /// Closed or merged.
    Closed,
    /// Either.
    All,
}

impl State {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::All => "all",
        }
    }
}

/// A selection of issues or pull requests of a repository.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// `open` if left out.
    pub(super) state: Option<State>,
    /// Maximum number of results, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub(super) per_page: Option<u32>,
    /// Number of the page, from 1.
    #[schemars(range(min = 1, max = 1000))]
    pub(super) page: Option<u32>,
}

/// An issue or a pull request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// Its number in the repository.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(super) number: u64,
}

/// A search.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchCode {
    /// GitHub's search language, for example `addClass repo:jquery/jquery`.
    #[schemars(length(min = 1, max = 256))]
    pub(super) query: String,
    /// Maximum number of results, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub(super) per_page: Option<u32>,
    /// Number of the page, from 1.
    #[schemars(range(min = 1, max = 100))]
    pub(super) page: Option<u32>,
}

/// The issue to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateIssue {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// The title, one line.
    #[schemars(length(min = 1, max = 256))]
    pub(super) title: String,
    /// The description, in Markdown.
    #[schemars(length(max = 60_000))]
    pub(super) body: Option<String>,
    /// Names of labels, at most 20.
    #[schemars(length(max = 20), inner(length(min = 1, max = 50)))]
    pub(super) labels: Option<Vec<String>>,
}

/// The comment to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Comment {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// The number of the issue or pull request.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(super) number: u64,
    /// The text, in Markdown.
    #[schemars(length(min = 1, max = 60_000))]
    pub(super) body: String,
}

/// The result of a review.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ReviewEvent {
    /// It may be merged.
    Approve,
    /// It needs other changes first.
    RequestChanges,
    /// Neither.
    Comment,
}

/// The review to give.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// The pull request's number.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(super) number: u64,
    /// The result of the review.
    pub(super) event: ReviewEvent,
    /// The text, in Markdown.
    #[schemars(length(min = 1, max = 60_000))]
    pub(super) body: String,
}

/// The merge method.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MergeMethod {
    /// A merge commit is created.
    Merge,
    /// As one commit.
    Squash,
    /// Each commit is rebased onto the base.
    Rebase,
}

/// The pull request to merge.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Merge {
    /// The account that owns the repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$"))]
    pub(super) owner: String,
    /// The repository's name.
    #[schemars(regex(pattern = r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$"))]
    pub(super) repo: String,
    /// The pull request's number.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(super) number: u64,
    /// The head commit of the pull request. If it has changed, nothing is merged.
    #[schemars(regex(pattern = r"^[0-9a-f]{40}$"))]
    pub(super) sha: String,
    /// `merge` if left out.
    pub(super) method: Option<MergeMethod>,
}
