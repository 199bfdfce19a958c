//! Details in lines of a given width.
//!
//! Names are in the first column and values in the second, also on continued lines: no value can imitate a row.

use ratatui::{
    style::{Color, Modifier, Style},
    text::{Line, Span},
};

use crate::inbox::{
    details::{Details, Row, Section, Tone},
    safe_text::{Piece, SafeText},
};

/// Shorter names are next to their values, longer ones above them.
const NAME_WIDTH: usize = 14;

pub(super) const fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Title => Style::new().add_modifier(Modifier::BOLD),
        Tone::Warning => Style::new().fg(Color::Yellow),
        Tone::Minus => Style::new().fg(Color::Red),
        Tone::Plus => Style::new().fg(Color::Green),
        Tone::Faint => Style::new().fg(Color::DarkGray),
    }
}

/// The style of replacements in a safe text.
const OURS: Style = Style::new().fg(Color::Black).bg(Color::Yellow);

/// All lines, and how many of them are essential.
pub(super) fn lines(details: &Details, width: usize) -> (Vec<Line<'static>>, usize) {
    let mut lines = Vec::new();
    let mut essential = 0;
    for section in &details.sections {
        if !section.title.is_empty() {
            lines.push(Line::default());
            lines.push(Line::styled(section.title, Style::new().fg(Color::Cyan)));
        }
        write_section(section, width, &mut lines);
        if section.is_essential() {
            essential = lines.len();
        }
    }
    (lines, essential)
}

fn write_section(section: &Section, width: usize, lines: &mut Vec<Line<'static>>) {
    let widest = section
        .rows
        .iter()
        .map(|row| display_width(&row.name.text()))
        .filter(|width| *width <= NAME_WIDTH)
        .max();
    let column = match widest.unwrap_or_default() {
        0 => 2,
        widest => widest + 2,
    };
    for (index, row) in section.rows.iter().enumerate() {
        // A sentence at the start of a section belongs to no column.
        let opens = index == 0 && row.name.pieces.is_empty();
        write_row(row, if opens { 2 } else { column }, width, lines);
    }
}

fn write_row(row: &Row, column: usize, width: usize, lines: &mut Vec<Line<'static>>) {
    let name_style = Style::new().fg(Color::DarkGray);
    let mut name = display_width(&row.name.text());
    if name > NAME_WIDTH {
        lines.extend(wrap(&row.name, width, name_style).into_iter().map(Line::from));
        name = 0;
    }
    let value = wrap(&row.value, width.saturating_sub(column).max(8), style(row.tone));
    for (index, spans) in value.into_iter().enumerate() {
        let mut line = Vec::new();
        if index == 0 && name > 0 {
            line.extend(row.name.pieces.iter().map(|piece| span(&piece.text, piece.ours, name_style)));
            line.push(Span::raw(" ".repeat(column.saturating_sub(name))));
        } else {
            line.push(Span::raw(" ".repeat(column)));
        }
        line.extend(spans);
        lines.push(Line::from(line));
    }
}

fn span(text: &str, ours: bool, style: Style) -> Span<'static> {
    Span::styled(text.to_owned(), if ours { OURS } else { style })
}

/// Wraps a text. A line breaks after a word only in its second half, so that a long word cannot leave lines empty.
pub(crate) fn wrap(shown: &SafeText, width: usize, style: Style) -> Vec<Vec<Span<'static>>> {
    let mut out: Vec<Vec<(char, bool)>> = vec![Vec::new()];
    let mut used = 0;
    for (c, ours) in shown.pieces.iter().flat_map(|Piece { text, ours }| text.chars().map(|c| (c, *ours))) {
        if c == '\n' {
            out.push(Vec::new());
            used = 0;
            continue;
        }
        let room = char_width(c);
        if used + room > width {
            let rest = out.last_mut().map(|line| carry(line, width)).unwrap_or_default();
            used = rest.iter().map(|(c, _)| char_width(*c)).sum();
            out.push(rest);
        }
        used += room;
        if let Some(line) = out.last_mut() {
            line.push((c, ours));
        }
    }
    out.into_iter().map(|line| spans(&line, style)).collect()
}

/// The part of a word that moves to the next line.
fn carry(line: &mut Vec<(char, bool)>, width: usize) -> Vec<(char, bool)> {
    let space = line.iter().rposition(|(c, ours)| *c == ' ' && !ours);
    match space.filter(|space| *space > width / 2) {
        Some(space) => line.split_off(space + 1),
        None => Vec::new(),
    }
}

fn spans(line: &[(char, bool)], style: Style) -> Vec<Span<'static>> {
    let runs = line.chunk_by(|one, next| one.1 == next.1);
    runs.map(|run| {
        let text: String = run.iter().map(|(c, _)| *c).collect();
        span(&text, run.first().is_some_and(|(_, ours)| *ours), style)
    })
    .collect()
}

fn char_width(c: char) -> usize {
    if c.is_ascii() { 1 } else { display_width(c.encode_utf8(&mut [0; 4])) }
}

pub(crate) fn display_width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Pads or cuts a text to a width; a cut text ends with `…`.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    let whole = display_width(text) <= width;
    let room = if whole { width } else { width.saturating_sub(1) };
    for c in text.chars() {
        let next = char_width(c);
        if used + next > room {
            break;
        }
        used += next;
        out.push(c);
    }
    if !whole && width > 0 {
        out.push('…');
        used += 1;
    }
    out.push_str(&" ".repeat(width.saturating_sub(used)));
    out
}
