//! Follows a run until it has ended: live on a terminal, line by line or as JSON elsewhere.

use std::time::Duration;

use api::RunDetail;
use model::RunId;
use tokio::time::Instant;

use crate::{
    Console, Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    inbox::now,
    timeline::{self, Viewport},
    wait::{LEAST_INTERVAL, LONG_POLL, LONGEST_OUTAGE, MARGIN, is_outage},
};

/// Interval of redrawing while nothing changes, for the durations.
const TICK: Duration = Duration::from_secs(1);
/// Faster changes are shown together.
const LEAST_PAUSE: Duration = Duration::from_millis(100);
/// Interval of retries while the gateway is unavailable.
const AGAIN: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    /// Redrawn in place.
    Live,
    /// One line per change.
    Lines,
    /// One JSON document per change, one per line.
    Json,
    /// Only the final state, formatted or as JSON.
    End { json: bool },
}

impl Show {
    /// The form that suits stdout.
    pub(crate) fn fitting(cx: &Context<'_>) -> Self {
        match (cx.json(), cx.console.out_is_terminal) {
            (true, _) => Self::Json,
            (false, true) => Self::Live,
            (false, false) => Self::Lines,
        }
    }
}

pub(crate) struct Watch<'a> {
    client: &'a Client,
    run: RunId,
    show: Show,
    /// The last state.
    last: Option<RunDetail>,
    /// Lines of it on the terminal.
    drawn: usize,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(client: &'a Client, run: RunId, show: Show) -> Self {
        Self { client, run, show, last: None, drawn: 0 }
    }

    /// Follows the run to its end, or until Ctrl-C.
    pub(crate) async fn follow(mut self, cx: &mut Context<'_>) -> Result<Exit, Error> {
        let run = self.run;
        let ended = tokio::select! {
            ended = self.until_over(cx) => Some(ended),
            Ok(()) = tokio::signal::ctrl_c() => None,
        };
        let Some(ended) = ended else {
            cx.console
                .note(&format!("\nthe run continues; watch it again with `countersign runs watch {run}`"))?;
            return Ok(Exit::Pending);
        };
        ended
    }

    async fn until_over(&mut self, cx: &mut Context<'_>) -> Result<Exit, Error> {
        let mut heard = Instant::now();
        loop {
            let asked = Instant::now();
            match self.next(cx).await {
                Ok(answer) => {
                    heard = Instant::now();
                    let seen = self.last.as_ref().map(|last| last.run.revision);
                    if let Some(exit) = self.news(cx.console, &answer)? {
                        return Ok(exit);
                    }
                    // A gateway that does not keep requests open must not be polled without a pause.
                    let is_new = self.last.as_ref().map(|last| last.run.revision) != seen;
                    let interval = if is_new { LEAST_PAUSE } else { LEAST_INTERVAL };
                    tokio::time::sleep(interval.saturating_sub(asked.elapsed())).await;
                }
                // The run continues without this client, so an outage is no reason to stop.
                Err(error)
                    if self.last.is_some() && is_outage(&error) && heard.elapsed() < LONGEST_OUTAGE =>
                {
                    cx.console.progress("gateway unavailable; reconnecting")?;
                    tokio::time::sleep(AGAIN).await;
                    cx.console.progress("")?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next state; redraws while waiting for it.
    async fn next(&mut self, cx: &mut Context<'_>) -> Result<Answer, Error> {
        let ask = ask(self.client, self.run, self.last.as_ref().map(|last| last.run.revision));
        let mut ask = std::pin::pin!(ask);
        loop {
            tokio::select! {
                answer = &mut ask => return answer,
                () = tokio::time::sleep(TICK), if self.show == Show::Live => self.draw(cx.console)?,
            }
        }
    }

    /// Shows a new state; returns the exit code if the run has ended.
    fn news(&mut self, console: &mut Console, answer: &Answer) -> Result<Option<Exit>, Error> {
        let next: RunDetail = answer.parse()?;
        let is_over = next.run.status.is_terminal();
        let is_new = self.last.as_ref().is_none_or(|last| last.run.revision != next.run.revision);
        let before = self.last.replace(next);
        let Some(next) = &self.last else { return Ok(None) };
        let class = next.run.error.as_ref().map(|error| error.class.as_str());
        let exit = Exit::of_run(next.run.status, class);
        match self.show {
            Show::Live => self.draw(console)?,
            Show::Lines => {
                for line in timeline::changes(before.as_ref(), next) {
                    console.data(&line)?;
                }
            }
            Show::Json if is_new => {
                let document: serde_json::Value = answer.parse()?;
                console.json_text(&document.to_string())?;
            }
            Show::Json => {}
            Show::End { json } if is_over => {
                console.progress("")?;
                let text = page(next, console);
                if json { console.json_text(&answer.text)? } else { console.data(&text)? }
            }
            Show::End { .. } => {
                console.progress(&format!("{}: {}", next.run.id, next.run.status.as_str()))?
            }
        }
        Ok(is_over.then_some(exit))
    }

    fn draw(&mut self, console: &mut Console) -> Result<(), Error> {
        let Some(run) = &self.last else { return Ok(()) };
        console.measure();
        // A run that has ended is written in full, because it is not redrawn.
        let rows = console.rows.filter(|_| !run.run.status.is_terminal()).map(usize::from);
        // The terminal's own width, however narrow: a wrapped line could not be redrawn.
        let width = console.columns.map_or_else(|| console.width(), usize::from);
        let viewport = Viewport { now: now(), width, rows, colours: console.colours };
        let lines = timeline::lines(run, &viewport);
        console.redraw(self.drawn, &format!("{}\n", lines.join("\n")))?;
        self.drawn = lines.len();
        Ok(())
    }
}

/// A run in full.
pub(crate) fn page(run: &RunDetail, console: &Console) -> String {
    let viewport = Viewport { now: now(), width: console.width(), rows: None, colours: console.colours };
    timeline::lines(run, &viewport).join("\n")
}

/// The run, as soon as its revision differs from `seen`.
async fn ask(client: &Client, run: RunId, seen: Option<i32>) -> Result<Answer, Error> {
    let call = client.get(&["v1", "runs", &run.to_string()])?;
    let Some(seen) = seen else { return call.send().await };
    let wait = format!("{}ms", LONG_POLL.as_millis());
    call.query("wait", &wait).query("seen", &seen.to_string()).timeout(LONG_POLL + MARGIN).send().await
}
