//! One tool on one page: its state, its changes, and hidden characters in it.

use api::{ToolState, ToolView};
use serde_json::Value;

use super::sides::Sides;
use crate::{inbox::safe_text::SafeText, table, visible::is_hidden};

const LONGEST_NAME: usize = 200;

pub(crate) const fn state_name(state: ToolState) -> &'static str {
    match state {
        ToolState::Reviewed => "reviewed",
        ToolState::Reworded => "reworded",
        ToolState::Changed => "changed",
        ToolState::New => "new",
        ToolState::Gone => "gone",
        ToolState::Unusable => "unusable",
    }
}

/// What the state means for callers.
const fn meaning(state: ToolState) -> &'static str {
    match state {
        ToolState::Reviewed => "accepted as it is",
        ToolState::Reworded => "descriptions changed; agents still see the accepted ones",
        ToolState::Changed => "changed since it was accepted; every call needs approval",
        ToolState::New => "not reviewed; every call needs approval",
        ToolState::Gone => "no longer offered by the server; cannot be called",
        ToolState::Unusable => "cannot be called",
    }
}

/// Whether the tool needs a review.
pub(crate) const fn waits(tool: &ToolView) -> bool {
    matches!(tool.state, ToolState::New | ToolState::Changed | ToolState::Reworded)
}

/// The action, or the server's name if the tool has no action.
pub(crate) fn name(tool: &ToolView) -> String {
    let name = tool.action.as_deref().unwrap_or(&tool.tool);
    SafeText::line(name, LONGEST_NAME).text()
}

pub(crate) fn page(tool: &ToolView, width: usize) -> String {
    let sides = Sides::of(tool.reviewed.as_ref(), &tool.seen, &tool.changes);
    let line = |text: &str| SafeText::line(text, 1_000).text();
    let accepted = tool.reviewed_at.map(|at| {
        let by = tool.reviewed_by.map(|by| format!(" by {by}")).unwrap_or_default();
        format!("{}{by}", table::moment(at))
    });
    let pairs = vec![
        ("tool", Some(name(tool))),
        ("state", Some(format!("{}: {}", state_name(tool.state), meaning(tool.state)))),
        ("problem", tool.problem.as_deref().map(line)),
        ("risk", Some(tool.risk.as_str().to_owned())),
        ("effect", Some(tool.effect.as_str().to_owned())),
        ("accepted", accepted),
        ("note", Some(tool.note.as_str()).filter(|note| !note.is_empty()).map(line)),
        ("changes", changes(tool)),
        ("warning", hidden_characters(tool)),
        (
            "warning",
            sides.is_cut().then(|| "too long to be shown completely; --json prints all of it".to_owned()),
        ),
    ];
    let head = table::pairs(pairs, false);
    let body = match tool.reviewed {
        Some(_) if tool.changes.is_empty() => Sides::of(None, &tool.seen, &[]).text(width),
        _ => sides.text(width),
    };
    format!("{head}\n\n{body}")
}

/// The number of changed places, with the marks in the margin.
fn changes(tool: &ToolView) -> Option<String> {
    let words = tool.changes.iter().filter(|change| change.words).count();
    let shape = tool.changes.len() - words;
    let places = |count: usize| if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
    match (shape, words) {
        (0, 0) => None,
        (0, words) => Some(format!("descriptions only, at {} (~)", places(words))),
        (shape, 0) => Some(format!("behaviour, at {} (!)", places(shape))),
        (shape, words) => {
            Some(format!("behaviour, at {} (!), and descriptions at {words} (~)", places(shape)))
        }
    }
}

fn hidden_characters(tool: &ToolView) -> Option<String> {
    let before = tool.reviewed.as_ref().map_or(0, hidden);
    let now = hidden(&tool.seen);
    let hidden = match (before, now) {
        (0, 0) => return None,
        (0, now) => now.to_string(),
        (before, now) => format!("{now} (before: {before})"),
    };
    Some(format!("invisible characters are shown as \\u…: {hidden}"))
}

/// The number of invisible characters.
fn hidden(value: &Value) -> usize {
    let text =
        |text: &str| text.chars().filter(|c| is_hidden(*c) && !matches!(c, '\n' | '\r' | '\t')).count();
    match value {
        Value::String(found) => text(found),
        Value::Array(parts) => parts.iter().map(hidden).sum(),
        Value::Object(parts) => parts.iter().map(|(name, part)| text(name) + hidden(part)).sum(),
        _ => 0,
    }
}
