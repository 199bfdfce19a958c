//! Errors as answers: the one place where a disposition becomes an HTTP status, with a hint what to do next.

use std::borrow::Cow;

use api::{FieldProblem, Problem};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::{Disposition, Status};
use pipeline::Invocation;
use platform::redact::Redactor;

use crate::access::Access;

/// An answer that is not a success.
#[derive(Debug)]
pub(crate) struct Answer {
    problem: Box<Problem>,
    retry_after_s: Option<u64>,
}

impl Answer {
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        let problem = Problem {
            kind: format!("/docs#problem-{code}"),
            title: title(code).to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_owned(),
            hint: hint(code).to_owned(),
            ..Problem::default()
        };
        Self { problem: Box::new(problem), retry_after_s: None }
    }

    pub(crate) fn no_route() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_route", "there is nothing at this address")
    }

    pub(crate) fn forbidden(access: Access) -> Self {
        let detail = match access {
            Access::OwnSession | Access::LivingSession => {
                "only the session's own token may do this".to_owned()
            }
            Access::Person(least) | Access::OwnSessionOr(least) => {
                format!(
                    "this needs the token of a person with the role `{}` or a greater one",
                    least.as_str()
                )
            }
            Access::Public => String::new(),
        };
        Self::new(StatusCode::FORBIDDEN, "role_too_low", detail)
    }

    pub(crate) fn origin() -> Self {
        let detail = "this is not for pages in a browser, and the request says that it comes from one";
        Self::new(StatusCode::FORBIDDEN, "origin_not_allowed", detail)
    }

    pub(crate) fn not_our_page() -> Self {
        let detail = "a browser that is signed in may change something for our own page only";
        Self::new(StatusCode::FORBIDDEN, "not_our_page", detail)
    }

    pub(crate) fn invalid(pointer: &str, message: impl Into<String>) -> Self {
        let mut answer =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_request", "the request is not valid");
        answer.problem.errors = vec![FieldProblem { pointer: pointer.to_owned(), message: message.into() }];
        answer
    }

    /// The answer for an invocation that is recorded and did not succeed.
    pub(crate) fn of_invocation(invocation: &Invocation) -> Self {
        let (status, code) = match invocation.status {
            Status::Denied => (StatusCode::FORBIDDEN, "denied"),
            Status::Quarantined => (StatusCode::FORBIDDEN, "quarantined"),
            Status::Expired => (StatusCode::GONE, "expired"),
            Status::Reverted => (StatusCode::BAD_GATEWAY, "action_reverted"),
            Status::Unknown => (StatusCode::BAD_GATEWAY, "outcome_unknown"),
            _ => (StatusCode::BAD_GATEWAY, "action_failed"),
        };
        let refusals =
            invocation.decision.gates.iter().map(|gate| &gate.reason).filter(|reason| !reason.is_empty());
        let raised = invocation.decision.guardrails.iter().map(|change| &change.reason);
        let detail = match &invocation.failure {
            Some(failure) => failure.message.clone(),
            None => refusals.chain(raised).last().unwrap_or(&invocation.decision.reason).clone(),
        };
        let mut answer = Self::new(status, code, detail);
        answer.problem.invocation = Some(invocation.id.to_string());
        answer.problem.receipt = invocation.receipt.map(|receipt| receipt.to_string());
        answer.problem.class = invocation.failure.as_ref().map(|failure| failure.class.as_str().to_owned());
        answer
    }
}

impl Answer {
    /// A refusal repeats what it refuses: an address, a field, a word. Whoever sent a credential there by mistake must not
    /// find it in the answer, and so in their own logs.
    fn redacted(mut self) -> Self {
        let redactor = Redactor::new();
        let problem = &mut self.problem;
        let said = [&mut problem.detail, &mut problem.hint].into_iter();
        let fields = problem.errors.iter_mut().flat_map(|field| [&mut field.pointer, &mut field.message]);
        for text in said.chain(fields) {
            if let Cow::Owned(clean) = redactor.redact_text(text) {
                *text = clean;
            }
        }
        self
    }

    /// The problem as it may be told, and after how many seconds to try again.
    pub(crate) fn into_told(self) -> (Problem, Option<u64>) {
        let Self { problem, retry_after_s } = self.redacted();
        (*problem, retry_after_s)
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let Self { problem, retry_after_s } = self.redacted();
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A failure of ours or of what we depend on is logged here, once, with its causes; the answer says nothing of them.
fn of_error(
    error: &(dyn std::error::Error + 'static),
    code: &'static str,
    disposition: Disposition,
) -> Answer {
    let status = match disposition {
        Disposition::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Disposition::Unauthenticated => StatusCode::UNAUTHORIZED,
        Disposition::Denied => StatusCode::FORBIDDEN,
        Disposition::NotFound => StatusCode::NOT_FOUND,
        Disposition::Conflict => StatusCode::CONFLICT,
        Disposition::Gone => StatusCode::GONE,
        Disposition::Busy => StatusCode::TOO_MANY_REQUESTS,
        Disposition::Retry => StatusCode::SERVICE_UNAVAILABLE,
        Disposition::Terminal => StatusCode::BAD_GATEWAY,
        Disposition::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    };
    if status.is_server_error() {
        tracing::error!(error, code, "answering a request");
        return Answer::new(status, code, "");
    }
    Answer::new(status, code, error.to_string())
}

macro_rules! answers {
    ($($error:ty),*) => {$(
        impl From<$error> for Answer {
            fn from(error: $error) -> Self {
                of_error(&error, error.code(), error.disposition())
            }
        }
    )*};
}

answers!(catalog::connector::Error, tenancy::Error, policy::Error, ledger::Error);

impl From<events::Error> for Answer {
    fn from(error: events::Error) -> Self {
        let mut answer = of_error(&error, error.code(), error.disposition());
        answer.problem.errors = match error {
            events::Error::Invalid { pointer, message } => vec![FieldProblem { pointer, message }],
            events::Error::Filter(complaints) => complaints
                .into_iter()
                .map(|complaint| FieldProblem {
                    pointer: format!("/filter{}", complaint.pointer),
                    message: complaint.message,
                })
                .collect(),
            events::Error::Contended => {
                answer.retry_after_s = Some(1);
                vec![]
            }
            _ => vec![],
        };
        answer
    }
}

impl From<automation::Error> for Answer {
    fn from(error: automation::Error) -> Self {
        let mut answer = of_error(&error, error.code(), error.disposition());
        let fields = |problems: Vec<(String, String)>| {
            problems.into_iter().map(|(pointer, message)| FieldProblem { pointer, message }).collect()
        };
        answer.problem.errors = match error {
            automation::Error::Definition(problems) => fields(
                (problems.into_iter())
                    .map(|found| {
                        let meant = found.suggestion.map(|near| format!("; did you mean `{near}`?"));
                        let message = format!("{}{}", found.message, meant.unwrap_or_default());
                        (format!("/definition{}", found.pointer), message)
                    })
                    .collect(),
            ),
            automation::Error::Inputs(errors) => fields(
                errors.into_iter().map(|one| (format!("/inputs{}", one.pointer), one.message)).collect(),
            ),
            automation::Error::TooManyQueued(_) => {
                answer.retry_after_s = Some(30);
                vec![]
            }
            automation::Error::Pipeline(error) => return error.into(),
            automation::Error::Events(error) => return error.into(),
            _ => vec![],
        };
        answer
    }
}

impl From<pipeline::Error> for Answer {
    fn from(error: pipeline::Error) -> Self {
        let mut answer = of_error(&error, error.code(), error.disposition());
        match error {
            pipeline::Error::InvalidParams(errors) => {
                let errors = errors.into_iter();
                answer.problem.errors = errors
                    .map(|error| FieldProblem { pointer: error.pointer, message: error.message })
                    .collect();
            }
            pipeline::Error::Malformed { pointer, message } => {
                answer.problem.errors = vec![FieldProblem { pointer, message }];
            }
            pipeline::Error::UnknownAction { near, .. } if !near.is_empty() => {
                answer.problem.hint = format!("did you mean {}?", near.join(", "));
            }
            pipeline::Error::NotConnected(source) => {
                answer.problem.hint = format!("ask an admin to run `countersign connections add {source}`");
            }
            pipeline::Error::RateLimited { retry_after, .. } => {
                answer.retry_after_s = Some(retry_after.as_secs().max(1));
            }
            pipeline::Error::TooManyPending(_) => answer.retry_after_s = Some(30),
            pipeline::Error::UnderWay(invocation) => {
                answer.problem.invocation = Some(invocation.to_string());
                answer.retry_after_s = Some(1);
            }
            pipeline::Error::Events(error) => return error.into(),
            _ => {}
        }
        answer
    }
}

/// Each code in words.
fn title(code: &str) -> &'static str {
    CODES.iter().find(|(known, _, _)| *known == code).map_or("Something went wrong", |(_, title, _)| title)
}

/// What may be done next, fit for an agent.
fn hint(code: &str) -> &'static str {
    CODES.iter().find(|(known, _, _)| *known == code).map_or("try again later", |(_, _, hint)| hint)
}

const CODES: &[(&str, &str, &str)] = &[
    ("unauthenticated", "Not authenticated", "send `Authorization: Bearer <token>` with a valid token"),
    (
        "invalid_definition",
        "The definition is not valid",
        "correct what `errors` names; `GET /v1/schemas/automation/1.0` says what a definition is",
    ),
    (
        "invalid_inputs",
        "The inputs do not fit",
        "correct what `errors` names; the automation's definition says what it takes",
    ),
    (
        "version_changed",
        "Somebody else saved a version",
        "read the automation again, make your change from its newest version, and send that one as `from_version`",
    ),
    ("paused", "The automation is paused", "a person may resume it, or run it by hand"),
    ("nobody_answers_for_it", "Nobody answers for this version", "have a member save the automation again"),
    ("archived", "The automation is archived", "set its status to `active` first"),
    ("too_many_queued", "Too many runs wait", "wait until some are over, or let them run in parallel"),
    ("run_over", "The run is over", "there is nothing left to end"),
    ("nothing_to_rerun", "There is nothing to do again", "start a new run instead"),
    ("session_over", "The session is over", "ask the person who opened it for a new session"),
    (
        "role_too_low",
        "Not allowed",
        "use a token with the role named in the detail; asking again with this one will not help",
    ),
    (
        "not_our_page",
        "Not from our own page",
        "open the web at the gateway's own address (COUNTERSIGN_PUBLIC_URL); programs send `Authorization: Bearer <token>`",
    ),
    ("origin_not_allowed", "Not for browsers", "call from a program that sends no `Origin`"),
    ("no_such_route", "No such address", "see /v1/openapi.json for every address and method"),
    ("not_found", "Not found", "check the id; it may belong to another org or session"),
    ("already_exists", "Already there", "choose another name, or change the one that is there"),
    ("invalid_request", "Not valid", "correct what `errors` names and send it again"),
    (
        "malformed_request",
        "Not readable",
        "send JSON without repeated keys and without numbers beyond 2^53; see `errors`",
    ),
    ("unknown_action", "No such action", "list what there is with GET …/actions/available"),
    ("source_not_connected", "The source is not connected", "ask an admin to connect it"),
    (
        "invalid_params",
        "Parameters do not fit",
        "correct what `errors` names; the schema is in GET …/actions/available",
    ),
    ("rate_limited", "Too many requests", "wait as long as `Retry-After` says, then send the same request"),
    ("too_many_pending", "Too many waiting", "wait until a person has answered some of them"),
    (
        "idempotency_key_reused",
        "Key used before",
        "use a new key for a new request; the same key means the same request",
    ),
    (
        "idempotency_key_under_way",
        "Under way",
        "ask for the invocation named here, or send the same request again later",
    ),
    (
        "tool_changed",
        "The tool changed",
        "look at the connector again and review the tool with the hashes that stand there now",
    ),
    (
        "connector_unreachable",
        "The connector cannot be reached",
        "check its address and credential, then harvest it again",
    ),
    (
        "event_id_reused",
        "Published before with other content",
        "give each event an `id` of its own; the same `source` and `id` mean the same event",
    ),
    ("busy", "Busy", "wait as long as `Retry-After` says, then send the same request"),
    ("policy_in_motion", "Policy is changing", "nothing was done; send the same request again"),
    (
        "storage_unavailable",
        "Storage is away",
        "send the same request with the same Idempotency-Key again later; with a key it is safe",
    ),
    (
        "denied",
        "Denied by policy",
        "do not repeat it; the decision is in the invocation, and an admin can change the rules",
    ),
    (
        "quarantined",
        "Set aside as unsafe",
        "remove what the detail names from the parameters; an admin can see this request",
    ),
    (
        "shown_digest_mismatch",
        "Not what was shown",
        "read the item in the inbox again and answer with its `shown_digest`",
    ),
    (
        "not_logged_yet",
        "Not in the ledger yet",
        "try again in a second; if it stays so, ask an operator whether a worker or gateway runs",
    ),
    (
        "artifact_changed",
        "Not what was kept",
        "do not use a copy of it; tell an operator that somebody changed what is kept under this digest",
    ),
    (
        "artifact_away",
        "The artifact cannot be read now",
        "try again later; if it stays so, ask an operator about COUNTERSIGN_ARTIFACTS",
    ),
    ("already_answered", "Answered already", "nothing is left to do; see the invocation for how it ended"),
    (
        "click_replayed",
        "Taken before",
        "nothing is left to do; click again in Slack if the message still asks",
    ),
    ("four_eyes", "Another person must answer", "ask another admin or owner; the org demands four eyes here"),
    (
        "passkey_needed",
        "This needs your passkey",
        "answer in the web, which asks for it; register one there under Settings, Passkeys",
    ),
    (
        "passkey_confirm",
        "Sign the new passkey with one you have",
        "send `confirmed_by`; where all are lost, have an owner remove them",
    ),
    (
        "assertion_refused",
        "The passkey did not sign this",
        "read the item in the inbox again and sign it anew; the detail says what was wrong",
    ),
    (
        "passkeys_unavailable",
        "Passkeys cannot be used here",
        "have the operator set COUNTERSIGN_PUBLIC_URL to the https address, or open http://localhost",
    ),
    ("no_passkeys", "Nobody has a passkey", "register one under Settings, Passkeys; then switch the rule on"),
    ("needs_owner", "An owner must give this", "ask an owner, or give a grant for one action"),
    (
        "only_once",
        "A standing permission would not help",
        "approve it `once`; see the detail for what stands above it",
    ),
    ("not_in_doubt", "Its outcome is known", "nothing is left to find out; see its receipt"),
    ("expired", "Nobody answered in time", "ask again with a new key if it is still wanted"),
    (
        "action_failed",
        "The action failed",
        "nothing happened at the target; see `class` whether to correct the request or to try later",
    ),
    (
        "action_reverted",
        "The action was undone",
        "it happened, was not as wanted, and was undone; see the receipt",
    ),
    (
        "outcome_unknown",
        "Nobody knows whether it happened",
        "do not repeat it: it may have happened; a person was told and will find out",
    ),
    ("too_large", "Too large", "send less than 1 MiB"),
    ("too_slow", "Too slow", "send the body faster"),
    (
        "internal",
        "Our mistake",
        "the request may have had its effect; ask for the invocation, or repeat with the same Idempotency-Key",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_hint_of_its_own() {
        let mut codes: Vec<_> = CODES.iter().map(|(code, _, _)| code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), CODES.len());
        assert!(
            CODES
                .iter()
                .all(|(_, title, hint)| !title.is_empty() && !hint.is_empty() && !hint.ends_with('.'))
        );
    }
}
