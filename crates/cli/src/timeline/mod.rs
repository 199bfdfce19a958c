//! The timeline of a run: its steps, their durations, and what the run waits for.
//!
//! Pure: a run, a time and a size go in, lines come out. `lines` draws the whole run, `changes` one change per line.
//!
//! INVARIANT: every text of the gateway passes [`SafeText`] or [`inline`], so none can imitate a line.

mod changes;
#[cfg(test)]
mod tests;

use api::{PlannedStep, RunDetail, RunError, RunStepView, RunView};
use jiff::Timestamp;
use model::{RunStatus, StepStatus, TriggerType};
use ratatui::style::Style;

use crate::{
    inbox::{safe_text::SafeText, span},
    screen::{display_width, fit, wrap},
    visible::inline,
};
pub(crate) use changes::changes;

/// Longer names are cut.
const WIDEST_STEP: usize = 24;
const WIDEST_ACTION: usize = 34;
/// The longest bar, and the shortest useful one.
const WIDEST_BAR: usize = 24;
const LEAST_BAR: usize = 6;
/// `12h 45m` is the longest.
const DURATION: usize = 7;
/// Characters of a message; the invocation has the rest.
const LONGEST_MESSAGE: usize = 300;
/// Characters of the cause of a run.
const LONGEST_CAUSE: usize = 80;
/// A bar grows by eighths of a character.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Time and size of the output.
pub(crate) struct Viewport {
    pub(crate) now: Timestamp,
    pub(crate) width: usize,
    /// Maximum number of lines; `None` for all.
    pub(crate) rows: Option<usize>,
    pub(crate) colours: bool,
}

/// A step of the plan with all its attempts.
struct Row<'r> {
    step_id: &'r str,
    action: &'r str,
    attempts: Vec<&'r RunStepView>,
}

impl Row<'_> {
    fn last(&self) -> Option<&RunStepView> {
        self.attempts.last().copied()
    }

    /// From the start of the first attempt to the end of the last, or to now.
    fn milliseconds(&self, now: Timestamp) -> Option<i64> {
        let (first, last) = (self.attempts.first()?, self.last()?);
        (last.status != StepStatus::Skipped)
            .then(|| between(first.started_at, last.finished_at.unwrap_or(now)))
    }
}

/// Widths of the columns.
struct Columns {
    step: usize,
    action: usize,
    attempt: usize,
    bar: usize,
}

pub(crate) fn lines(run: &RunDetail, viewport: &Viewport) -> Vec<String> {
    let end = run.run.finished_at.unwrap_or(viewport.now);
    let rows = rows(run);
    let columns = columns(&rows, viewport.width);
    let longest = rows.iter().filter_map(|row| row.milliseconds(end)).max().unwrap_or_default();
    let mut body = Vec::new();
    let mut focus = 0;
    for row in &rows {
        body.push(step_line(row, &columns, end, longest, viewport));
        if let Some(last) = row.last() {
            body.extend(below(last, end, viewport));
            focus = body.len() - 1;
        }
    }
    if let Some(error) = run.run.error.as_ref().filter(|error| !is_shown(error, &rows)) {
        body.extend(detail(&format!("{}: {}", error.class, error.message), 2, viewport));
    }
    let head = head(&run.run, end, viewport);
    window(head, body, focus, viewport)
}

/// The steps of the plan, failure steps only if they were started, and steps that the plan does not have.
fn rows(run: &RunDetail) -> Vec<Row<'_>> {
    let attempts = |id: &str| run.steps.iter().filter(|step| step.step_id == id).collect::<Vec<_>>();
    let planned = run.plan.iter().map(|PlannedStep { step_id, action, on_failure }| {
        (*on_failure, Row { step_id, action, attempts: attempts(step_id) })
    });
    let mut rows: Vec<Row<'_>> = planned
        .filter(|(on_failure, row)| !on_failure || !row.attempts.is_empty())
        .map(|(_, row)| row)
        .collect();
    for step in &run.steps {
        if !rows.iter().any(|row| row.step_id == step.step_id) {
            let attempts = attempts(&step.step_id);
            rows.push(Row { step_id: &step.step_id, action: &step.action, attempts });
        }
    }
    rows
}

fn columns(rows: &[Row<'_>], width: usize) -> Columns {
    let widest = |cell: &dyn Fn(&Row<'_>) -> String| rows.iter().map(|row| display_width(&cell(row))).max();
    let step = widest(&|row| inline(row.step_id)).unwrap_or_default().min(WIDEST_STEP).min(width / 4);
    let action = widest(&|row| inline(row.action)).unwrap_or_default().min(WIDEST_ACTION).min(width / 3);
    let attempt = widest(&attempt).unwrap_or_default();
    let gap = usize::from(attempt > 0) * 2;
    let used = 4 + step + 2 + action + 2 + DURATION + gap + attempt + 2;
    let bar = Some(width.saturating_sub(used).min(WIDEST_BAR)).filter(|bar| *bar >= LEAST_BAR);
    Columns { step, action, attempt, bar: bar.unwrap_or_default() }
}

fn attempt(row: &Row<'_>) -> String {
    row.last()
        .filter(|last| last.attempt > 1)
        .map(|last| format!("attempt {}", last.attempt))
        .unwrap_or_default()
}

fn head(run: &RunView, end: Timestamp, viewport: &Viewport) -> [String; 3] {
    let since = run.started_at.unwrap_or(run.created_at);
    let name = SafeText::line(&run.automation_name, LONGEST_CAUSE).text();
    let first = format!(
        "{name} #{}  version {}  {}  {}",
        run.number,
        run.version,
        run.status.as_str().replace('_', " "),
        duration(between(since, end), run.finished_at.is_none()),
    );
    let glyph = match run.status {
        RunStatus::Pending => '◌',
        RunStatus::Running => '●',
        RunStatus::Waiting => '⏸',
        RunStatus::Succeeded => '✓',
        RunStatus::Failed | RunStatus::Cancelled | RunStatus::TimedOut => '✗',
    };
    let second = format!("  {}  {}", run.id, started_by(run));
    let first =
        format!("{} {}", paint(glyph, viewport.colours), cut(&first, viewport.width.saturating_sub(2)));
    [first, cut(&second, viewport.width), String::new()]
}

fn started_by(run: &RunView) -> String {
    let cause = SafeText::line(&run.cause, LONGEST_CAUSE).text();
    let cause = if cause.is_empty() { cause } else { format!(": {cause}") };
    let by = match run.trigger_type {
        TriggerType::Schedule => "a schedule",
        TriggerType::Webhook => "a webhook",
        TriggerType::Event => "an event",
        TriggerType::Person => "a person",
    };
    let again = run.rerun_of.map(|run| format!(", rerun of {run}")).unwrap_or_default();
    format!("started by {by}{cause}{again}")
}

fn step_line(
    row: &Row<'_>,
    columns: &Columns,
    end: Timestamp,
    longest_ms: i64,
    viewport: &Viewport,
) -> String {
    let took = row.milliseconds(end);
    let is_open = row.last().is_some_and(|last| last.finished_at.is_none());
    let time = match (took, row.last()) {
        (Some(took), _) => duration(took, is_open),
        (None, Some(_)) => "skipped".to_owned(),
        (None, None) => String::new(),
    };
    let mut text = format!(
        "{}  {}  {time:>DURATION$}",
        fit(&inline(row.step_id), columns.step),
        fit(&inline(row.action), columns.action),
    );
    if columns.attempt > 0 {
        text.push_str(&format!("  {}", fit(&attempt(row), columns.attempt)));
    }
    text.push_str(&format!("  {}", bar(took.unwrap_or_default(), longest_ms, columns.bar)));
    let text = cut(text.trim_end(), viewport.width.saturating_sub(4));
    format!("  {} {text}", paint(glyph(row.last().map(|last| last.status)), viewport.colours))
}

const fn glyph(status: Option<StepStatus>) -> char {
    match status {
        None => '◌',
        Some(StepStatus::Running) => '●',
        Some(StepStatus::Waiting) => '⏸',
        Some(StepStatus::Succeeded) => '✓',
        Some(StepStatus::Failed) => '✗',
        Some(StepStatus::Skipped) => '↷',
    }
}

/// The lines below a step: what it waits for, or why it failed.
fn below(last: &RunStepView, end: Timestamp, viewport: &Viewport) -> Vec<String> {
    let mut lines = Vec::new();
    if last.status == StepStatus::Waiting {
        let invocation = last.invocation.map(|id| format!("{id}, ")).unwrap_or_default();
        let since = duration(between(last.started_at, end), true);
        lines.extend(detail(
            &format!("waiting for approval: countersign inbox  ({invocation}for {since})"),
            6,
            viewport,
        ));
    }
    if let Some(error) = &last.error {
        lines.extend(detail(&error.message, 6, viewport));
    }
    lines
}

/// A wrapped, indented sentence.
fn detail(text: &str, indent: usize, viewport: &Viewport) -> Vec<String> {
    let shown = SafeText::line(text, LONGEST_MESSAGE);
    let wrapped = wrap(&shown, viewport.width.saturating_sub(indent).max(8), Style::new());
    let texts = wrapped.iter().map(|line| line.iter().map(|span| span.content.as_ref()).collect::<String>());
    texts.map(|text| format!("{:indent$}{text}", "").trim_end().to_owned()).collect()
}

/// Whether a step already shows the error of the run.
fn is_shown(error: &RunError, rows: &[Row<'_>]) -> bool {
    let errors = rows.iter().filter_map(|row| row.last()?.error.as_ref());
    errors.into_iter().any(|shown| shown.message == error.message)
}

/// The lines that fit, around the current step.
fn window(head: [String; 3], body: Vec<String>, focus: usize, viewport: &Viewport) -> Vec<String> {
    let mut lines = head.to_vec();
    let room = viewport.rows.map_or(usize::MAX, |rows| rows.saturating_sub(lines.len() + 1));
    if body.len() <= room {
        lines.extend(body);
        return lines;
    }
    // Two lines count what is omitted.
    let room = room.saturating_sub(2).max(1);
    let from = focus.saturating_sub(room / 2).min(body.len().saturating_sub(room));
    let after = body.len().saturating_sub(from + room);
    lines.push(format!("  … {from} lines above"));
    lines.extend(body.into_iter().skip(from).take(room));
    lines.push(format!("  … {after} lines below"));
    lines
}

fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width { text.to_owned() } else { fit(text, width) }
}

fn paint(glyph: char, colours: bool) -> String {
    let colour = match glyph {
        '✓' => 32,
        '✗' => 31,
        '⏸' => 33,
        '●' => 36,
        _ => 90,
    };
    if colours { format!("\u{1b}[{colour}m{glyph}\u{1b}[0m") } else { glyph.to_string() }
}

/// Not negative, although the clocks of two machines can differ.
fn between(from: Timestamp, to: Timestamp) -> i64 {
    to.as_millisecond().saturating_sub(from.as_millisecond()).max(0)
}

/// `240ms`, `12.4s`, `4m 05s`; a duration in progress has whole seconds.
fn duration(milliseconds: i64, is_open: bool) -> String {
    match milliseconds {
        0..1_000 if !is_open => format!("{milliseconds}ms"),
        1_000..60_000 if !is_open => format!("{}.{}s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        _ => span(milliseconds / 1_000),
    }
}

/// A bar in proportion to the longest one.
fn bar(milliseconds: i64, longest: i64, room: usize) -> String {
    if milliseconds <= 0 || longest <= 0 || room == 0 {
        return String::new();
    }
    let (part, whole) = (i128::from(milliseconds), i128::from(longest));
    let eighths = part * i128::try_from(room * 8).unwrap_or_default() / whole;
    let eighths = usize::try_from(eighths).unwrap_or_default().clamp(1, room * 8);
    let rest = (eighths % 8).checked_sub(1).and_then(|rest| EIGHTHS.get(rest));
    "█".repeat(eighths / 8) + &rest.map(char::to_string).unwrap_or_default()
}
