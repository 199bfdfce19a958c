//! Everything about one tool on one page: how it stands, what differs, and what is hidden in it.

use api::{ToolState, ToolView};
use serde_json::Value;

use super::sides::Sides;
use crate::{inbox::shown::Shown, table, visible::is_hidden};

const LONGEST_NAME: usize = 200;

/// How a tool stands, in a word.
pub(crate) const fn word(state: ToolState) -> &'static str {
    match state {
        ToolState::Reviewed => "reviewed",
        ToolState::Reworded => "reworded",
        ToolState::Changed => "changed",
        ToolState::New => "new",
        ToolState::Gone => "gone",
        ToolState::Unusable => "unusable",
    }
}

/// What that means for whoever calls it.
const fn meaning(state: ToolState) -> &'static str {
    match state {
        ToolState::Reviewed => "as a person accepted it",
        ToolState::Reworded => "other words than were accepted; agents go on reading the accepted ones",
        ToolState::Changed => "not what was accepted; every call waits for a person",
        ToolState::New => "nobody has reviewed it; every call waits for a person",
        ToolState::Gone => "the server no longer lists it; it cannot be called",
        ToolState::Unusable => "it cannot be called, whoever reviews it",
    }
}

/// Whether it waits for a review.
pub(crate) const fn waits(tool: &ToolView) -> bool {
    matches!(tool.state, ToolState::New | ToolState::Changed | ToolState::Reworded)
}

/// What a person calls it: its address, or the server's name for what has none.
pub(crate) fn name(tool: &ToolView) -> String {
    let name = tool.action.as_deref().unwrap_or(&tool.tool);
    Shown::line(name, LONGEST_NAME).text()
}

/// The page.
pub(crate) fn page(tool: &ToolView, width: usize) -> String {
    let sides = Sides::of(tool.reviewed.as_ref(), &tool.seen, &tool.changes);
    let line = |text: &str| Shown::line(text, 1_000).text();
    let accepted = tool.reviewed_at.map(|at| {
        let by = tool.reviewed_by.map(|by| format!(" by {by}")).unwrap_or_default();
        format!("{}{by}", table::moment(at))
    });
    let pairs = vec![
        ("tool", Some(name(tool))),
        ("state", Some(format!("{}: {}", word(tool.state), meaning(tool.state)))),
        ("why", tool.problem.as_deref().map(line)),
        ("risk", Some(tool.risk.as_str().to_owned())),
        ("effect", Some(tool.effect.as_str().to_owned())),
        ("accepted", accepted),
        ("note", Some(tool.note.as_str()).filter(|note| !note.is_empty()).map(line)),
        ("changes", changes(tool)),
        ("careful", careful(tool)),
        (
            "careful",
            sides.is_cut().then(|| "it is too long to be shown here; --json has all of it".to_owned()),
        ),
    ];
    let head = table::pairs(pairs, false);
    let body = match tool.reviewed {
        Some(_) if tool.changes.is_empty() => Sides::of(None, &tool.seen, &[]).text(width),
        _ => sides.text(width),
    };
    format!("{head}\n\n{body}")
}

/// How many places differ, with the marks that stand before them.
fn changes(tool: &ToolView) -> Option<String> {
    let words = tool.changes.iter().filter(|change| change.words).count();
    let shape = tool.changes.len() - words;
    let places = |count: usize| if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
    match (shape, words) {
        (0, 0) => None,
        (0, words) => Some(format!("words only, at {} (~)", places(words))),
        (shape, 0) => Some(format!("the shape, at {} (!)", places(shape))),
        (shape, words) => Some(format!("the shape, at {} (!), and words at {words} (~)", places(shape))),
    }
}

fn careful(tool: &ToolView) -> Option<String> {
    let before = tool.reviewed.as_ref().map_or(0, hidden);
    let now = hidden(&tool.seen);
    let hidden = match (before, now) {
        (0, 0) => return None,
        (0, now) => now.to_string(),
        (before, now) => format!("{now} (before: {before})"),
    };
    Some(format!("characters that cannot be seen are written out as \\u…: {hidden}"))
}

/// How many characters of a description nobody would see.
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
