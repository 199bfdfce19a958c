//! Asking again until something has ended.

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

/// A gateway that does not wait is not asked more often than this.
pub(crate) const LEAST_INTERVAL: Duration = Duration::from_secs(1);
/// For how long the gateway is asked to keep one request open.
pub(crate) const LONG_POLL: Duration = Duration::from_secs(30);
/// After so long without an answer the last one is what there is to tell.
pub(crate) const LONGEST_OUTAGE: Duration = Duration::from_secs(300);
/// What the way there and back may take besides.
pub(crate) const MARGIN: Duration = Duration::from_secs(15);

/// How long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until it has ended; a request that nobody answers ends too.
    UntilItEnds,
    /// At most so long.
    For(Duration),
}

/// Following one invocation.
pub(crate) struct Poll<'a> {
    pub(crate) client: &'a Client,
    /// Where it is asked for, without its id.
    pub(crate) path: &'a [&'a str],
    pub(crate) patience: Patience,
}

impl Poll<'_> {
    /// Where it stands, at once or as soon as that changes.
    pub(crate) async fn ask(&self, invocation: &str, wait: Duration) -> Result<Answer, Error> {
        let path = [self.path, &[invocation]].concat();
        let call = self.client.get(&path)?;
        if wait.is_zero() {
            return call.send().await;
        }
        call.query("wait", &format!("{}ms", wait.as_millis())).timeout(wait + MARGIN).send().await
    }

    /// The last answer there is when the invocation has ended or the time is over.
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
                // It is recorded and will end without us; an outage meanwhile is no reason to stop looking.
                Err(error) if is_outage(&error) && heard.elapsed() < LONGEST_OUTAGE => {}
                Err(error) if is_outage(&error) => {
                    cx.console.progress("")?;
                    cx.console.note(&format!("{}this is the last that is known", error.explain()))?;
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

/// Whether asking later may help. A token that is refused stays refused.
pub(crate) fn is_outage(error: &Error) -> bool {
    let refused = matches!(error, Error::Problem { problem, .. } if problem.status == 401);
    !refused && matches!(error.exit(), Exit::Unreachable | Exit::RateLimited)
}

fn waits(view: &InvocationView) -> String {
    let id = view.id;
    match (view.status, view.expires_at) {
        (model::Status::Pending, Some(until)) => format!(
            "waiting for a person to answer {id} (`countersign inbox`), {} at most",
            left(until, now())
        ),
        (model::Status::Pending, None) => {
            format!("waiting for a person to answer {id} (`countersign inbox`)")
        }
        _ => format!("waiting for {id} to end"),
    }
}

fn progress(view: &InvocationView, since: Duration) -> String {
    let until = view.expires_at.map(|until| format!(", {} left", left(until, now()))).unwrap_or_default();
    format!("{}: {} s{until}", view.status.as_str(), since.as_secs())
}
