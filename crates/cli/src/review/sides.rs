//! Two versions of a tool side by side, with every difference marked in the margin.
//!
//! Both texts come from the server, which may try to imitate the frame around them: a continued line begins with a bar
//! that no text can omit, and marks are in columns that no text reaches.

use api::ToolChange;
use comfy_table::{
    ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle, Width,
};
use ratatui::text::Span;
use serde_json::Value;

use crate::inbox::safe_text::SafeText;

/// The longest text of one place.
const LONGEST: usize = 20_000;
/// Lines per tool; the rest is counted.
const MOST_ROWS: usize = 1_000;
/// Deeper levels are not indented further, to leave room for text.
const DEEPEST: usize = 8;
/// A list of plain values up to this length is one line.
const SHORT_LIST: usize = 60;
/// Longer texts are split into their unchanged and changed parts.
const LONG_TEXT: usize = 40;
/// These fields come first, because agents read them.
const FIRST: [&str; 4] = ["name", "title", "description", "hints"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Same,
    /// Descriptions only: no call depends on them.
    Words,
    /// Parameters, result or claims changed.
    Shape,
}

impl Mark {
    const fn margin(self) -> &'static str {
        match self {
            Self::Same => "  ",
            Self::Words => "~ ",
            Self::Shape => "! ",
        }
    }
}

struct Row {
    depth: usize,
    /// Whether the row continues the text of the row above.
    continues: bool,
    old: Option<SafeText>,
    new: Option<SafeText>,
    mark: Mark,
}

pub(crate) struct Sides<'a> {
    changes: &'a [ToolChange],
    rows: Vec<Row>,
    /// Whether there is an accepted version.
    both: bool,
    left_out: usize,
}

/// A place in both versions.
#[derive(Clone, Copy)]
struct Place<'p> {
    depth: usize,
    pointer: &'p str,
    label: &'p str,
}

type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

impl<'a> Sides<'a> {
    /// The accepted version, if any, next to the current one.
    pub(crate) fn of(old: Option<&Value>, new: &Value, changes: &'a [ToolChange]) -> Self {
        let mut sides = Self { changes, rows: Vec::new(), both: old.is_some(), left_out: 0 };
        let names = names((old, Some(new)));
        let first = FIRST.iter().filter(|name| names.iter().any(|found| found == *name)).copied();
        let rest = names.iter().map(String::as_str).filter(|name| !FIRST.contains(name));
        for name in first.chain(rest) {
            let pair = (old.and_then(|old| old.get(name)), new.get(name));
            let place = Place { depth: 0, pointer: &format!("/{name}"), label: &label(name) };
            sides.walk(place, pair);
        }
        sides
    }

    /// Whether a part is omitted because it is too long.
    pub(crate) fn is_cut(&self) -> bool {
        let shown = self.rows.iter().flat_map(|row| [&row.old, &row.new]).flatten();
        self.left_out > 0 || shown.into_iter().any(|shown| shown.left_out > 0)
    }

    fn push(&mut self, place: Place<'_>, texts: (Option<String>, Option<String>), mark: Mark) {
        if self.rows.len() >= MOST_ROWS {
            self.left_out += 1;
            return;
        }
        let shown = |text: Option<String>| text.map(|text| SafeText::line(&text, LONGEST));
        let (old, new) = (shown(texts.0), shown(texts.1));
        let row = Row { depth: place.depth.min(DEEPEST), continues: place.label.is_empty(), old, new, mark };
        self.rows.push(row);
    }

    fn walk(&mut self, place: Place<'_>, (old, new): Pair<'_>) {
        let mark = self.mark(place.pointer, (old, new));
        match (old, new) {
            (Some(Value::String(before)), Some(Value::String(after)))
                if before != after && before.len().max(after.len()) > LONG_TEXT =>
            {
                self.long_text(place, before, after, mark);
            }
            (Some(Value::Object(_)), Some(Value::Object(_)) | None) | (None, Some(Value::Object(_)))
                if !is_short(old) || !is_short(new) =>
            {
                self.container(place, (old, new), mark);
                for name in names((old, new)) {
                    let at = |value: Option<&Value>| value.and_then(|value| value.get(&name)).cloned();
                    let pointer = format!("{}/{}", place.pointer, escaped(&name));
                    let place = Place { depth: place.depth + 1, pointer: &pointer, label: &label(&name) };
                    self.walk(place, (at(old).as_ref(), at(new).as_ref()));
                }
            }
            (Some(Value::Array(_)), Some(Value::Array(_)) | None) | (None, Some(Value::Array(_)))
                if !is_short(old) || !is_short(new) =>
            {
                self.container(place, (old, new), mark);
                for (index, pair) in paired(elements(old), elements(new)).into_iter().enumerate() {
                    let pointer = format!("{}/{index}", place.pointer);
                    self.walk(Place { depth: place.depth + 1, pointer: &pointer, label: "- " }, pair);
                }
            }
            (Some(before), Some(after)) if !(is_short(old) && is_short(new)) && before != after => {
                // One of them has parts and the other has not: there is nothing to align.
                self.walk(place, (old, None));
                self.walk(place, (None, new));
            }
            _ => {
                let text = |value: Option<&Value>| value.map(|value| format!("{}{value}", place.label));
                self.push(place, (text(old), text(new)), mark);
            }
        }
    }

    /// The line above the parts of an object or a list. It is marked only if it exists on one side.
    fn container(&mut self, place: Place<'_>, (old, new): Pair<'_>, mark: Mark) {
        let mark = if self.both && old.is_some() == new.is_some() { Mark::Same } else { mark };
        let text = |value: Option<&Value>| value.map(|_| place.label.trim_end().to_owned());
        self.push(place, (text(old), text(new)), mark);
    }

    /// The unchanged beginning, the changed part, and the unchanged end.
    fn long_text(&mut self, place: Place<'_>, before: &str, after: &str, mark: Mark) {
        let words = |text: &str| -> Vec<String> {
            text.split_inclusive(char::is_whitespace).map(ToOwned::to_owned).collect()
        };
        let (old, new) = (words(before), words(after));
        let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new);
        let tail = tail.count();
        let middle = |words: &[String]| words[head..words.len() - tail].concat();
        let mut place = place;
        let mut open = format!("{}\"", place.label);
        if head > 0 {
            let text = format!("{open}{}", unquoted(&old[..head].concat()));
            self.push(place, (Some(text.clone()), Some(text)), Mark::Same);
            open.clear();
            place = Place { depth: place.depth + 1, label: "", ..place };
        }
        let close = if tail == 0 { "\"" } else { "" };
        let text = |middle: String| {
            let text = format!("{open}{}{close}", unquoted(&middle));
            Some(text).filter(|text| !text.is_empty())
        };
        self.push(place, (text(middle(&old)), text(middle(&new))), mark);
        if tail > 0 {
            let place = if place.label.is_empty() {
                place
            } else {
                Place { depth: place.depth + 1, label: "", ..place }
            };
            let text = format!("{}\"", unquoted(&old[old.len() - tail..].concat()));
            self.push(place, (Some(text.clone()), Some(text)), Mark::Same);
        }
    }

    /// The gateway's classification of a change. An unlisted change counts as a change of behaviour.
    fn mark(&self, pointer: &str, (old, new): Pair<'_>) -> Mark {
        if !self.both || old == new {
            return Mark::Same;
        }
        let above = |change: &&ToolChange| {
            pointer.strip_prefix(&change.place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match self.changes.iter().find(above) {
            Some(change) if change.words => Mark::Words,
            _ => Mark::Shape,
        }
    }

    /// Which rows are drawn: all, or with an accepted version the marked ones and their parents.
    fn kept(&self) -> Vec<bool> {
        if !self.both {
            return vec![true; self.rows.len()];
        }
        let mut kept = vec![false; self.rows.len()];
        for index in (0..self.rows.len()).filter(|index| self.rows[*index].mark != Mark::Same) {
            let next = (index + 1).min(self.rows.len() - 1);
            kept[index.saturating_sub(1)..=next].fill(true);
            let mut depth = self.rows[index].depth;
            for above in (0..index).rev() {
                if self.rows[above].depth < depth {
                    kept[above] = true;
                    depth = self.rows[above].depth;
                }
            }
        }
        // A gap of one line would need a line itself.
        let is_kept = |index: Option<usize>, kept: &[bool]| {
            index.is_none_or(|index| kept.get(index).copied().unwrap_or(true))
        };
        let drawn = kept.clone();
        for (index, kept) in kept.iter_mut().enumerate() {
            *kept |= is_kept(index.checked_sub(1), &drawn) && is_kept(Some(index + 1), &drawn);
        }
        kept
    }

    pub(crate) fn text(&self, width: usize) -> String {
        let column = if self.both { (width.saturating_sub(1) / 2).max(19) } else { width.max(20) };
        let mut lines: Vec<[String; 2]> = Vec::new();
        let mut as_before = 0_usize;
        for (row, kept) in self.rows.iter().zip(self.kept()) {
            if !kept {
                as_before += 1;
                continue;
            }
            gap(&mut as_before, &mut lines);
            let (old, new) = (row.lines(row.old.as_ref(), column), row.lines(row.new.as_ref(), column));
            for index in 0..old.len().max(new.len()) {
                let at = |lines: &[String]| {
                    let text = lines.get(index).map_or("", String::as_str);
                    format!("{}{text}", row.mark.margin())
                };
                lines.push([at(&old), at(&new)]);
            }
        }
        gap(&mut as_before, &mut lines);
        if self.left_out > 0 {
            lines.push(["! …".to_owned(), format!("! {} more lines not shown", self.left_out)]);
        }
        if !self.both {
            return lines.into_iter().map(|[_, new]| format!("{}\n", new.trim_end())).collect();
        }
        draw(lines, column)
    }
}

/// Counts lines that are equal on both sides and not drawn.
fn gap(as_before: &mut usize, lines: &mut Vec<[String; 2]>) {
    let count = std::mem::take(as_before);
    if count > 0 {
        lines.push([format!("  ⋮ {count} unchanged"), "  ⋮".to_owned()]);
    }
}

impl Row {
    /// One side, wrapped to a column with its margin.
    fn lines(&self, side: Option<&SafeText>, column: usize) -> Vec<String> {
        let Some(shown) = side else { return Vec::new() };
        // Limited, so that a narrow column has room for text.
        let indent = " ".repeat((self.depth * 2).min(column / 3));
        let room = column.saturating_sub(2 + indent.len() + 2);
        let pieces = wrapped(&shown.text(), room);
        let bar = |index: usize| if index > 0 || self.continues { "┊ " } else { "" };
        pieces.iter().enumerate().map(|(index, piece)| format!("{indent}{}{piece}", bar(index))).collect()
    }
}

fn draw(lines: Vec<[String; 2]>, column: usize) -> String {
    const STYLE: TableStyle = TableStyle::new()
        .header_lines(ContentLineStyle::none().junction('│'))
        .header_separator(LineStyle::none().fill('─').junction('┼'))
        .content_lines(ContentLineStyle::none().junction('│'));
    let mut table = Table::new();
    table.load_style(STYLE).force_no_tty().set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["  accepted", "  current"]);
    table.add_rows(lines);
    let width = u16::try_from(column).unwrap_or(u16::MAX);
    for side in table.column_iter_mut() {
        side.set_padding((0, 0)).set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    let text = table.to_string();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Wraps a text, between words where possible.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let width = |text: &str| Span::raw(text).width();
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        if used > 0 && used + width(word.trim_end()) > room {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let wide = width(c.encode_utf8(&mut [0; 4]));
            if used + wide > room {
                if c == ' ' {
                    continue;
                }
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
            used += wide;
        }
    }
    lines
}

/// A name before its value, quoted if it could be misread.
fn label(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    if !name.is_empty() && name.chars().all(plain) {
        format!("{name}: ")
    } else {
        format!("{}: ", Value::from(name))
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A JSON string without its quotes.
fn unquoted(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&quoted).to_owned()
}

/// Whether a value fits into one line: it has no parts, or few plain ones.
fn is_short(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Object(parts)) => parts.is_empty(),
        Some(Value::Array(parts)) => {
            parts.iter().all(|part| !part.is_object() && !part.is_array())
                && parts.iter().map(|part| part.to_string().len() + 2).sum::<usize>() <= SHORT_LIST
        }
        _ => true,
    }
}

fn names((old, new): Pair<'_>) -> Vec<String> {
    let of = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_object).map(|parts| parts.keys().cloned().collect()).unwrap_or_default()
    };
    let mut names = [of(old), of(new)].concat();
    names.sort();
    names.dedup();
    names
}

fn elements(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Pairs the elements of two lists.
fn paired<'v>(old: &'v [Value], new: &'v [Value]) -> Vec<Pair<'v>> {
    let both = |(old, new): (&'v Value, &'v Value)| (Some(old), Some(new));
    if old.len() == new.len() {
        return old.iter().zip(new).map(both).collect();
    }
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let same = old[..head].iter().zip(&new[..head]).map(both);
    let gone = old[head..old_end].iter().map(|old| (Some(old), None));
    let come = new[head..new_end].iter().map(|new| (None, Some(new)));
    same.chain(gone).chain(come).chain(old[old_end..].iter().zip(&new[new_end..]).map(both)).collect()
}
