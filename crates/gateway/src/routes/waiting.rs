//! Requests that wait for a result: how long, and whether the caller may still be told afterwards.

use std::time::Duration;

use api::WaitQuery;
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use model::{OrgId, SessionId};
use tenancy::Caller;
use tokio::time::Instant;

use crate::{
    App,
    access::{JUST_CHECKED, Presented},
    extract::{Query, patience},
    problem::Answer,
};

/// The wait that a request asks for, with the credential that it is checked with afterwards.
pub(crate) struct Wait {
    query: WaitQuery,
    headers: HeaderMap,
    since: Instant,
}

impl<S: Send + Sync> FromRequestParts<S> for Wait {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let Query(query) = Query::<WaitQuery>::from_request_parts(parts, state).await?;
        Ok(Self { query, headers: parts.headers.clone(), since: Instant::now() })
    }
}

impl Wait {
    /// The waiting time; this one if the request names none.
    pub(crate) fn patience(&self, default: Duration) -> Result<Duration, Answer> {
        patience(&self.query, default)
    }

    /// Checks the caller again if it waited: a result is not told to a caller whose token was revoked, or whose
    /// session ended, meanwhile.
    pub(crate) async fn check_again(&self, app: &App) -> Result<(), Answer> {
        if self.since.elapsed() <= JUST_CHECKED {
            return Ok(());
        }
        match Presented::by(app, &self.headers)?.caller(&app.tenancy).await? {
            // The token of a session says nothing about whether the session has ended.
            Caller::Session { org, session } => check_session(app, org, session).await,
            Caller::Person(_) => Ok(()),
        }
    }
}

/// Checks that a session has not ended.
pub(crate) async fn check_session(app: &App, org: OrgId, session: SessionId) -> Result<(), Answer> {
    let session = app.tenancy.session(org, session).await?;
    if session.is_over(app.world.clock.now()) { Err(pipeline::Error::SessionOver.into()) } else { Ok(()) }
}
