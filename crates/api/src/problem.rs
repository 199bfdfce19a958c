//! Problem details (RFC 9457): every answer that is not a success, with what to do next.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What went wrong, and what may be done about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Names the kind of problem; the same as `code`, as an address relative to the API.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// A stable name for programs, for example `rate_limited`.
    pub code: String,
    /// What to do next, fit for an agent.
    pub hint: String,
    /// Where the request is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// The invocation that was recorded, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// Its receipt, where it is terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// For failed actions: what kind of failure the target or the way to it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// One wrong place in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldProblem {
    /// JSON pointer into the request's parameters.
    pub pointer: String,
    /// What is wrong there; never repeats the value.
    pub message: String,
}
