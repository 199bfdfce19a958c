//! Waiting for the end of an invocation.

use std::time::Duration;

use api::InvocationView;
use tokio::time::Instant;

use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    inbox::{left, now},
};

/// Least time between two requests, for a gateway that does not keep them open.
pub(crate) const LEAST_INTERVAL: Duration = Duration::from_secs(1);
/// How long the gateway keeps one request open.
pub(crate) const LONG_POLL: Duration = Duration::from_secs(30);
/// After an outage of this length, waiting ends.
pub(crate) const LONGEST_OUTAGE: Duration = Duration::from_secs(300);
/// Network time on top of the time a request is kept open.
pub(crate) const MARGIN: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until the invocation has ended; a request that nobody answers expires.
    UntilItEnds,
    For(Duration),
}

/// Polls one invocation.
pub(crate) struct Poll<'a> {
    pub(crate) client: &'a Client,
    /// The path of the invocation, without its id.
    pub(crate) path: &'a [&'a str],
    pub(crate) patience: Patience,
}

impl Poll<'_> {
    /// The current state, or after `wait` the next one.
    pub(crate) async fn ask(&self, invocation: &str, wait: Duration) -> Result<Answer, Error> {
        let path = [self.path, &[invocation]].concat();
        let call = self.client.get(&path)?;
        if wait.is_zero() {
            return call.send().await;
        }
        call.query("wait", &format!("{}ms", wait.as_millis())).timeout(wait + MARGIN).send().await
    }

    /// The last response when the invocation has ended or the time is over.
    pub(crate) async fn settle(
        &self,
        cx: &mut Context<'_>,
        mut answer: Answer,
    ) -> Result<(Answer, InvocationView), Error> {
        let begun = Instant::now();
        let mut view: InvocationView = answer.parse()?;
        let mut heard = begun;
        if !view.status.is_terminal() && !self.remaining(begun).is_zero() {
            cx.console.note(&waits(&view))?;
        }
        while !view.status.is_terminal() && !self.remaining(begun).is_zero() {
            cx.console.progress(&progress(&view, begun.elapsed()))?;
            let asked = Instant::now();
            match self.ask(&view.id.to_string(), LONG_POLL.min(self.remaining(begun))).await {
                Ok(next) => {
                    view = next.parse()?;
                    answer = next;
                    heard = Instant::now();
                }
                // The invocation continues without this client, so an outage is no reason to stop waiting.
                Err(error) if is_outage(&error) && heard.elapsed() < LONGEST_OUTAGE => {}
                Err(error) if is_outage(&error) => {
                    cx.console.progress("")?;
                    cx.console.note(&format!("{}showing the last known state", error.explain()))?;
                    return Ok((answer, view));
                }
                Err(error) => {
                    cx.console.progress("")?;
                    return Err(error);
                }
            }
            if !view.status.is_terminal() {
                let pause = LEAST_INTERVAL.saturating_sub(asked.elapsed());
                tokio::time::sleep(pause.min(self.remaining(begun))).await;
            }
        }
        cx.console.progress("")?;
        Ok((answer, view))
    }

    fn remaining(&self, begun: Instant) -> Duration {
        match self.patience {
            Patience::UntilItEnds => Duration::MAX,
            Patience::For(time) => time.saturating_sub(begun.elapsed()),
        }
    }
}

/// Whether a retry may help. A refused token stays refused.
pub(crate) fn is_outage(error: &Error) -> bool {
    let refused = matches!(error, Error::Problem { problem, .. } if problem.status == 401);
    !refused && matches!(error.exit(), Exit::Unreachable | Exit::RateLimited)
}

fn waits(view: &InvocationView) -> String {
    let id = view.id;
    match (view.status, view.expires_at) {
        (model::Status::Pending, Some(until)) if until > now() => {
            format!("waiting for approval of {id} (`countersign inbox`), expires in {}", left(until, now()))
        }
        (model::Status::Pending, _) => format!("waiting for approval of {id} (`countersign inbox`)"),
        _ => format!("waiting for the result of {id}"),
    }
}

fn progress(view: &InvocationView, since: Duration) -> String {
    let until = view.expires_at.map(|until| format!(", {} left", left(until, now()))).unwrap_or_default();
    format!("{}: {} s{until}", view.status.as_str(), since.as_secs())
}
