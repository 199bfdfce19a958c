//! A run as a person sees it: its steps under each other, how long each took, and what it waits for.
//!
//! Pure: what the run is, what time it is and how much room there is go in, lines come out. `lines` draws the whole,
//! `changes` tells one state after another.
//!
//! INVARIANT: every text of the gateway passes [`Shown`] or [`inline`]; none can draw a line of its own.

mod changes;
#[cfg(test)]
mod tests;

use api::{PlannedStep, RunDetail, RunError, RunStepView, RunView};
use jiff::Timestamp;
use model::{RunStatus, StepStatus, TriggerType};
use ratatui::style::Style;

use crate::{
    inbox::{shown::Shown, span},
    screen::{fit, wide, wrap},
    visible::inline,
};
pub(crate) use changes::changes;

/// Longer names are cut: the id of a step and the address of an action, with the definition at hand, still tell enough.
const WIDEST_STEP: usize = 24;
const WIDEST_ACTION: usize = 34;
/// The longest bar, and the shortest that still says something.
const WIDEST_BAR: usize = 24;
const LEAST_BAR: usize = 6;
/// `12h 45m` is the longest.
const DURATION: usize = 7;
/// Of a message; the invocation has the rest.
const LONGEST_MESSAGE: usize = 300;
/// Of what started a run.
const LONGEST_CAUSE: usize = 80;
/// A bar grows by eighths of a character.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Who looks, and when.
pub(crate) struct Look {
    pub(crate) now: Timestamp,
    pub(crate) width: usize,
    /// How many lines there may be; `None` where all of them are wanted.
    pub(crate) rows: Option<usize>,
    pub(crate) colours: bool,
}

/// A step of the plan with all its tries.
struct Row<'r> {
    step_id: &'r str,
    action: &'r str,
    tries: Vec<&'r RunStepView>,
}

impl Row<'_> {
    fn last(&self) -> Option<&RunStepView> {
        self.tries.last().copied()
    }

    /// From the beginning of the first try to the end of the last, or to now.
    fn milliseconds(&self, now: Timestamp) -> Option<i64> {
        let (first, last) = (self.tries.first()?, self.last()?);
        (last.status != StepStatus::Skipped)
            .then(|| between(first.started_at, last.finished_at.unwrap_or(now)))
    }
}

/// How wide the columns are.
struct Columns {
    step: usize,
    action: usize,
    attempt: usize,
    bar: usize,
}

/// The whole run, each line no wider than there is room.
pub(crate) fn lines(run: &RunDetail, look: &Look) -> Vec<String> {
    let end = run.run.finished_at.unwrap_or(look.now);
    let rows = rows(run);
    let columns = columns(&rows, look.width);
    let longest = rows.iter().filter_map(|row| row.milliseconds(end)).max().unwrap_or_default();
    let mut body = Vec::new();
    let mut focus = 0;
    for row in &rows {
        body.push(step_line(row, &columns, (end, longest), look));
        if let Some(last) = row.last() {
            body.extend(below(last, end, look));
            focus = body.len() - 1;
        }
    }
    if let Some(error) = run.run.error.as_ref().filter(|error| !is_told(error, &rows)) {
        body.extend(detail(&format!("{}: {}", error.class, error.message), 2, look));
    }
    let head = head(&run.run, end, look);
    window(head, body, focus, look)
}

/// The steps of the plan, those for a failure only when it came to them, and whatever else was tried.
fn rows(run: &RunDetail) -> Vec<Row<'_>> {
    let tries = |id: &str| run.steps.iter().filter(|step| step.step_id == id).collect::<Vec<_>>();
    let planned = run.plan.iter().map(|PlannedStep { step_id, action, on_failure }| {
        (*on_failure, Row { step_id, action, tries: tries(step_id) })
    });
    let mut rows: Vec<Row<'_>> = planned
        .filter(|(on_failure, row)| !on_failure || !row.tries.is_empty())
        .map(|(_, row)| row)
        .collect();
    for step in &run.steps {
        if !rows.iter().any(|row| row.step_id == step.step_id) {
            let tries = tries(&step.step_id);
            rows.push(Row { step_id: &step.step_id, action: &step.action, tries });
        }
    }
    rows
}

fn columns(rows: &[Row<'_>], width: usize) -> Columns {
    let widest = |cell: &dyn Fn(&Row<'_>) -> String| rows.iter().map(|row| wide(&cell(row))).max();
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

fn head(run: &RunView, end: Timestamp, look: &Look) -> [String; 3] {
    let since = run.started_at.unwrap_or(run.created_at);
    let name = Shown::line(&run.automation_name, LONGEST_CAUSE).text();
    let cost = if run.cost_usd > 0.0 { format!("  ${:.4}", run.cost_usd) } else { String::new() };
    let first = format!(
        "{name} #{}  version {}  {}  {}{cost}",
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
    let first = format!("{} {}", paint(glyph, look.colours), cut(&first, look.width.saturating_sub(2)));
    [first, cut(&second, look.width), String::new()]
}

/// What started a run, in words.
fn started_by(run: &RunView) -> String {
    let cause = Shown::line(&run.cause, LONGEST_CAUSE).text();
    let cause = if cause.is_empty() { cause } else { format!(": {cause}") };
    let by = match run.trigger_type {
        TriggerType::Schedule => "a schedule",
        TriggerType::Webhook => "a webhook",
        TriggerType::Event => "an event",
        TriggerType::Person => "a person",
    };
    let again = run.rerun_of.map(|run| format!(", again after {run}")).unwrap_or_default();
    format!("started by {by}{cause}{again}")
}

fn step_line(row: &Row<'_>, columns: &Columns, (end, longest): (Timestamp, i64), look: &Look) -> String {
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
    text.push_str(&format!("  {}", bar(took.unwrap_or_default(), longest, columns.bar)));
    let text = cut(text.trim_end(), look.width.saturating_sub(4));
    format!("  {} {text}", paint(glyph(row.last().map(|last| last.status)), look.colours))
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

/// What there is to say below a step: whom it waits for, or why it did not succeed.
fn below(last: &RunStepView, end: Timestamp, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    if last.status == StepStatus::Waiting {
        let invocation = last.invocation.map(|id| format!("{id}, ")).unwrap_or_default();
        let since = duration(between(last.started_at, end), true);
        lines.extend(detail(
            &format!("waits for a person: countersign inbox  ({invocation}for {since})"),
            6,
            look,
        ));
    }
    if let Some(error) = &last.error {
        lines.extend(detail(&error.message, 6, look));
    }
    lines
}

/// A sentence below a step or below all of them; where it goes on, it stays there.
fn detail(text: &str, indent: usize, look: &Look) -> Vec<String> {
    let shown = Shown::line(text, LONGEST_MESSAGE);
    let wrapped = wrap(&shown, look.width.saturating_sub(indent).max(8), Style::new());
    let texts = wrapped.iter().map(|line| line.iter().map(|span| span.content.as_ref()).collect::<String>());
    texts.map(|text| format!("{:indent$}{text}", "").trim_end().to_owned()).collect()
}

/// Whether a step already says why the run failed.
fn is_told(error: &RunError, rows: &[Row<'_>]) -> bool {
    let errors = rows.iter().filter_map(|row| row.last()?.error.as_ref());
    errors.into_iter().any(|told| told.message == error.message)
}

/// As many lines as there is room for, around the step it has come to.
fn window(head: [String; 3], body: Vec<String>, focus: usize, look: &Look) -> Vec<String> {
    let mut lines = head.to_vec();
    let room = look.rows.map_or(usize::MAX, |rows| rows.saturating_sub(lines.len() + 1));
    if body.len() <= room {
        lines.extend(body);
        return lines;
    }
    // Two of the lines say how much is not there.
    let room = room.saturating_sub(2).max(1);
    let from = focus.saturating_sub(room / 2).min(body.len().saturating_sub(room));
    let after = body.len().saturating_sub(from + room);
    lines.push(format!("  … {from} lines above"));
    lines.extend(body.into_iter().skip(from).take(room));
    lines.push(format!("  … {after} lines below"));
    lines
}

/// The text, unless it is too long.
fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width { text.to_owned() } else { fit(text, width) }
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

/// Clocks of two machines differ, and nothing takes less than no time.
fn between(from: Timestamp, to: Timestamp) -> i64 {
    to.as_millisecond().saturating_sub(from.as_millisecond()).max(0)
}

/// `240ms`, `12.4s`, `4m 05s`; what still grows is told in whole seconds.
fn duration(milliseconds: i64, is_open: bool) -> String {
    match milliseconds {
        0..1_000 if !is_open => format!("{milliseconds}ms"),
        1_000..60_000 if !is_open => format!("{}.{}s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        _ => span(milliseconds / 1_000),
    }
}

/// So much of the room as this is of the longest.
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
