//! Tables without borders and colours, so that tools such as `grep` and `cut` can read them.

use comfy_table::{ContentArrangement, Table, presets};
use jiff::{Timestamp, Unit};

use crate::visible::{inline, visible};

/// Rows with a header. A terminal gets wrapped cells, a pipe one line per row.
pub(crate) fn rows(header: &[&str], rows: Vec<Vec<String>>, on_terminal: bool) -> String {
    let mut table = blank(on_terminal);
    table.set_header(header.to_vec());
    table.add_rows(rows.into_iter().map(|row| row.iter().map(|cell| inline(cell)).collect::<Vec<_>>()));
    finish(table)
}

/// Names and values, one pair per line; pairs without a value are omitted.
pub(crate) fn pairs(pairs: Vec<(&str, Option<String>)>, on_terminal: bool) -> String {
    let mut table = blank(on_terminal);
    let present = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    table.add_rows(present.map(|(name, value)| vec![name.to_owned(), visible(&value)]));
    finish(table)
}

fn blank(on_terminal: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if on_terminal {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    } else {
        table.force_no_tty().set_content_arrangement(ContentArrangement::Disabled);
    }
    table
}

fn finish(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// A time, to the second.
pub(crate) fn moment(at: Timestamp) -> String {
    at.round(Unit::Second).unwrap_or(at).to_string()
}

/// An optional time.
pub(crate) fn maybe(at: Option<Timestamp>) -> String {
    at.map(moment).unwrap_or_default()
}
