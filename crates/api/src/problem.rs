//! Problem details (RFC 9457): the body of every response that is not a success.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An error response in the format of RFC 9457: what happened, and what to do next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Link to the explanation of `code`, relative to the gateway.
    #[serde(rename = "type")]
    pub kind: String,
    /// A short title for `code`.
    pub title: String,
    /// The HTTP status code.
    pub status: u16,
    /// What happened in this case. Absent if the title says everything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// A stable code for programs, for example `rate_limited`.
    pub code: String,
    /// What to do next. Written so that an agent can follow it.
    pub hint: String,
    /// The invalid fields. Absent if no field is invalid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// ID of the recorded invocation. Absent if none was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// ID of the invocation's receipt. Absent until the invocation has finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Class of the failure, for example `timeout`. Present only if an action failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// An invalid field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldProblem {
    /// JSON pointer to the field, relative to the request's parameters.
    pub pointer: String,
    /// What is wrong with the field. Never contains the field's value.
    pub message: String,
}
