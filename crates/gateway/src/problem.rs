//! Errors as problem documents (RFC 9457): the one place where a disposition becomes an HTTP status, with a hint about
//! what to do next.

mod codes;
pub(crate) mod page;

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

/// A response that is not a success.
#[derive(Debug)]
pub(crate) struct Answer {
    problem: Box<Problem>,
    retry_after_s: Option<u64>,
}

impl Answer {
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        let known = codes::find(code);
        let problem = Problem {
            kind: format!("{}#{code}", page::PATH),
            title: known.map_or("Error", |known| known.title).to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_owned(),
            hint: known.map_or("retry later", |known| known.hint).to_owned(),
            ..Problem::default()
        };
        Self { problem: Box::new(problem), retry_after_s: None }
    }

    /// The same, with the time after which it may be different, in seconds.
    pub(crate) fn after(self, seconds: u64) -> Self {
        Self { retry_after_s: Some(seconds), ..self }
    }

    pub(crate) fn no_route() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_route", "no route matches this method and path")
    }

    pub(crate) fn forbidden(access: Access) -> Self {
        let detail = match access {
            Access::OwnSession | Access::LivingSession => {
                "this route requires the token of the session itself".to_owned()
            }
            Access::Person(least) | Access::Human(least) | Access::OwnSessionOr(least) => {
                format!(
                    "this route requires the token of a person with the role `{}` or higher",
                    least.as_str()
                )
            }
            Access::Public => String::new(),
        };
        Self::new(StatusCode::FORBIDDEN, "role_too_low", detail)
    }

    pub(crate) fn origin() -> Self {
        let detail = "the request has an `Origin` header, and this route does not accept browsers";
        Self::new(StatusCode::FORBIDDEN, "origin_not_allowed", detail)
    }

    pub(crate) fn not_our_page() -> Self {
        let detail = "a signed-in browser may send changes only from the gateway's own pages";
        Self::new(StatusCode::FORBIDDEN, "not_our_page", detail)
    }

    pub(crate) fn invalid(pointer: &str, message: impl Into<String>) -> Self {
        let mut answer =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_request", "the request is invalid");
        answer.problem.errors = vec![FieldProblem { pointer: pointer.to_owned(), message: message.into() }];
        answer
    }

    /// The problem of an invocation that is recorded and did not succeed.
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
    /// A problem repeats parts of the request: a path, a field, a value. A credential that was sent there by mistake must
    /// not appear in the response, and so in the client's logs.
    fn redacted(mut self) -> Self {
        let redactor = Redactor::new();
        let problem = &mut self.problem;
        let texts = [&mut problem.detail, &mut problem.hint].into_iter();
        let fields = problem.errors.iter_mut().flat_map(|field| [&mut field.pointer, &mut field.message]);
        for text in texts.chain(fields) {
            if let Cow::Owned(clean) = redactor.redact_text(text) {
                *text = clean;
            }
        }
        self
    }

    /// The redacted problem, and after how many seconds to retry.
    pub(crate) fn into_parts(self) -> (Problem, Option<u64>) {
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

/// A failure of the gateway or its servers is logged here, once, with its causes; the response does not reveal them.
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
        tracing::error!(error, code, "request failed");
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
            automation::Error::Oversight(error) => return error.into(),
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
            pipeline::Error::CoolingDown { retry_after, .. } => {
                answer.retry_after_s = Some(retry_after.as_secs() + 1);
            }
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

impl From<oversight::Error> for Answer {
    fn from(error: oversight::Error) -> Self {
        match error {
            oversight::Error::Pipeline(error) => error.into(),
            oversight::Error::Events(error) => error.into(),
            error => of_error(&error, error.code(), error.disposition()),
        }
    }
}

impl From<notify::Error> for Answer {
    fn from(error: notify::Error) -> Self {
        let mut answer = of_error(&error, error.code(), error.disposition());
        match error {
            notify::Error::Malformed { pointer, message } => {
                answer.problem.errors = vec![FieldProblem { pointer, message }];
            }
            notify::Error::Pipeline(error) => return error.into(),
            notify::Error::Events(error) => return error.into(),
            _ => {}
        }
        answer
    }
}
