//! Linear's GraphQL API: the documents, and what its errors mean.

use http::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use model::ErrorClass;
use platform::egress::Response;
use serde_json::{Value, json};

use crate::{
    SourceError,
    define::At,
    wire::{self, Wire},
};

/// One document with the name of its only operation.
pub(super) struct Operation {
    pub(super) name: &'static str,
    document: &'static str,
}

macro_rules! issue_parts {
    () => {
        " fragment IssueParts on Issue { id identifier title description priority url createdAt updatedAt \
         archivedAt state { id name type } team { id key name } assignee { id name } \
         labels { nodes { id name } } }"
    };
}

pub(super) const LIST_ISSUES: Operation = Operation {
    name: "ListIssues",
    document: concat!(
        "query ListIssues($first: Int!, $after: String, $filter: IssueFilter) { \
         issues(first: $first, after: $after, filter: $filter, orderBy: updatedAt) { \
         nodes { ...IssueParts } pageInfo { hasNextPage endCursor } } }",
        issue_parts!()
    ),
};

pub(super) const GET_ISSUE: Operation = Operation {
    name: "GetIssue",
    document: concat!(
        "query GetIssue($id: String!) { issue(id: $id) { ...IssueParts \
         comments(first: 50) { nodes { id body createdAt user { id name } } } } }",
        issue_parts!()
    ),
};

pub(super) const CREATE_ISSUE: Operation = Operation {
    name: "CreateIssue",
    document: concat!(
        "mutation CreateIssue($input: IssueCreateInput!) { \
         issueCreate(input: $input) { success issue { ...IssueParts } } }",
        issue_parts!()
    ),
};

pub(super) const UPDATE_ISSUE: Operation = Operation {
    name: "UpdateIssue",
    document: concat!(
        "mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { \
         issueUpdate(id: $id, input: $input) { success issue { ...IssueParts } } }",
        issue_parts!()
    ),
};

pub(super) const ARCHIVE_ISSUE: Operation = Operation {
    name: "ArchiveIssue",
    document: "mutation ArchiveIssue($id: String!) { issueArchive(id: $id) { success } }",
};

pub(super) const ADD_COMMENT: Operation = Operation {
    name: "AddComment",
    document: "mutation AddComment($input: CommentCreateInput!) { commentCreate(input: $input) { success \
               comment { id body url createdAt issue { id identifier } } } }",
};

pub(super) const GET_COMMENT: Operation = Operation {
    name: "GetComment",
    document: "query GetComment($id: String!) { comment(id: $id) { \
               id body url createdAt issue { id identifier } } }",
};

/// A client of the service for one call.
pub(super) struct Api<'a> {
    wire: Wire<'a>,
}

impl<'a> Api<'a> {
    pub(super) fn new(at: At<'a>) -> Self {
        Self { wire: Wire::new(at.ctx, at.service) }
    }

    /// Runs a document and returns the field at `pointer` of its data.
    pub(super) async fn run(
        &self,
        operation: &Operation,
        variables: Value,
        pointer: &str,
    ) -> Result<Value, SourceError> {
        let response = self.ask(operation, variables).await?;
        self.field(&response, pointer)
    }

    async fn ask(&self, operation: &Operation, variables: Value) -> Result<Response, SourceError> {
        let url = self.wire.url(&["graphql"])?;
        let body = json!({
            "operationName": operation.name,
            "query": operation.document,
            "variables": variables,
        });
        self.wire.send(Method::POST, url, self.headers()?, Some(&body)).await
    }

    fn field(&self, response: &Response, pointer: &str) -> Result<Value, SourceError> {
        let mut answer = self.data(response)?;
        let found = answer.pointer_mut(pointer).map(Value::take).filter(|found| !found.is_null());
        found.ok_or_else(|| {
            SourceError::sent(ErrorClass::Transient, "the response of Linear lacks the requested data")
        })
    }

    /// Queries one object; `None` if Linear says that it does not exist.
    pub(super) async fn find(&self, operation: &Operation, id: &str) -> Result<Option<Value>, SourceError> {
        let is_comment = operation.name == GET_COMMENT.name;
        let (field, missing) = if is_comment {
            ("/comment", "Entity not found: Comment")
        } else {
            ("/issue", "Entity not found: Issue")
        };
        let response = self.ask(operation, json!({"id": id})).await?;
        // Only Linear's own message proves that an object does not exist; a status 404 can come from any proxy.
        let said: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if said["errors"][0]["message"].as_str().is_some_and(|said| said.starts_with(missing)) {
            return Ok(None);
        }
        self.field(&response, field).map(Some)
    }

    fn headers(&self) -> Result<HeaderMap, SourceError> {
        let token = self.wire.token()?;
        // Personal keys are sent as they are, OAuth tokens as bearer tokens.
        let value = if token.starts_with("lin_api_") { token.to_owned() } else { format!("Bearer {token}") };
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, wire::secret_header(&value)?);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        Ok(headers)
    }

    fn data(&self, response: &Response) -> Result<Value, SourceError> {
        let parsed = wire::json("Linear", response);
        // Errors come with status 200 as well as 400; the list in the body says more than the status.
        let listed = parsed.as_ref().ok().and_then(|body| body.pointer("/errors/0"));
        if let Some(listed) = listed {
            let mut error = self.listed(listed, response);
            // Errors together with data mean that a part was done; only a lookup shows how much.
            let data = parsed.as_ref().ok().and_then(|body| body["data"].as_object());
            if data.is_some_and(|data| data.values().any(|field| !field.is_null())) {
                error.class = ErrorClass::Transient;
            }
            error.retry_after = wire::retry_after(&response.headers);
            return Err(error);
        }
        if !response.status.is_success() {
            return Err(self.wire.refused("Linear", response, wire::class_of(response.status)));
        }
        let mut body = parsed?;
        Ok(body.get_mut("data").map(Value::take).unwrap_or_default())
    }

    fn listed(&self, error: &Value, response: &Response) -> SourceError {
        let text = |pointer: &str| error.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let said = text("/message");
        let shown = text("/extensions/userPresentableMessage");
        let class = match (text("/extensions/code"), text("/extensions/type")) {
            ("RATELIMITED", _) | (_, "ratelimited") => ErrorClass::RateLimited,
            ("AUTHENTICATION_ERROR" | "FORBIDDEN", _) | (_, "authentication error" | "forbidden") => {
                ErrorClass::Auth
            }
            // Linear has no error code for these two cases; only the message identifies them.
            _ if said.starts_with("Entity not found") => ErrorClass::NotFound,
            _ if said.to_lowercase().contains("conflict on insert") || shown.ends_with("already exists.") => {
                ErrorClass::Conflict
            }
            ("INTERNAL_SERVER_ERROR", _) | (_, "internal error" | "lock timeout") => ErrorClass::Transient,
            ("INPUT_ERROR" | "INVALID_INPUT" | "BAD_USER_INPUT" | "GRAPHQL_VALIDATION_FAILED", _)
            | (_, "invalid input" | "user error" | "graphql error") => ErrorClass::Invalid,
            _ if response.status.is_success() => ErrorClass::Permanent,
            _ => wire::class_of(response.status),
        };
        self.wire.told(class, &format!("Linear: {}", if shown.is_empty() { said } else { shown }))
    }
}
