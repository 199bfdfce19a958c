//! The filters, and the time and memory limits that they obey. The engine's own limits count instructions, and a filter
//! is one instruction.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use minijinja::{
    Environment, Error, ErrorKind, State, Value, filters,
    value::{Kwargs, ValueKind},
};
use platform::processor_time;

use super::{Bounds, data::List};

use crate::limits::template::{MAKINGS, MAX_FORMAT};

/// The size of a list item in bytes, without its content.
const ITEM: usize = size_of::<Value>();

/// The deadline and the budget of one rendering.
#[derive(Debug)]
pub(super) struct Work {
    /// In processor time of the thread that renders.
    deadline: Duration,
    most: usize,
    /// Bytes that filters may still produce. All their results may be held at once, in a list literal.
    left: AtomicUsize,
}

/// Adds the filters that templates may use.
pub(super) fn add_filters(environment: &mut Environment<'_>, work: &Arc<Work>) {
    let with = || Arc::clone(work);
    environment.add_filter("abs", filters::abs);
    environment.add_filter("default", filters::default);
    environment.add_filter("first", filters::first);
    environment.add_filter("float", filters::float);
    environment.add_filter("int", filters::int);
    environment.add_filter("last", filters::last);
    environment.add_filter("length", filters::length);
    environment.add_filter("round", filters::round);
    let work = with();
    environment.add_filter("reverse", move |value: &Value| work.reverse(value));
    let work = with();
    environment.add_filter("sort", move |state: &State<'_, '_>, items: Value, how: Kwargs| {
        work.sort(state, items, how)
    });
    let work = with();
    environment.add_filter("trim", move |text: &str| work.made(text.trim().to_owned()));
    let work = with();
    environment.add_filter("upper", move |text: &str| work.sized(text.to_uppercase()));
    let work = with();
    environment.add_filter("lower", move |text: &str| work.sized(text.to_lowercase()));
    let work = with();
    environment.add_filter("tojson", move |value: &Value| work.to_json(value));
    let work = with();
    environment.add_filter("date", move |moment: &str, format: Option<&str>| work.date(moment, format));
    let work = with();
    environment.add_filter("slugify", move |text: &str| work.slugify(text));
    let work = with();
    environment.add_filter("truncate", move |text: &str, most: Option<usize>| work.truncate(text, most));
    let work = with();
    environment.add_filter("join", move |items: &Value, between: Option<&str>| {
        work.join(items, between.unwrap_or_default())
    });
    let work = with();
    environment.add_filter("replace", move |text: &str, from: &str, to: &str| work.replace(text, from, to));
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "a text grew too large")
}

impl Work {
    pub(super) fn new(bounds: Bounds) -> Self {
        let left = AtomicUsize::new((bounds.data + bounds.output).saturating_mul(MAKINGS));
        Self { deadline: processor_time() + bounds.time, most: bounds.output, left }
    }

    pub(super) fn is_over(&self) -> bool {
        processor_time() >= self.deadline
    }

    pub(super) fn in_time(&self) -> Result<(), Error> {
        if self.is_over() { Err(Error::new(ErrorKind::OutOfFuel, "out of time")) } else { Ok(()) }
    }

    /// Charges produced bytes to the budget.
    fn charge(&self, bytes: usize) -> Result<(), Error> {
        self.in_time()?;
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|_| too_large())
    }

    fn made(&self, text: String) -> Result<String, Error> {
        self.charge(text.len())?;
        Ok(text)
    }

    fn sized(&self, text: String) -> Result<String, Error> {
        if text.len() <= self.most { self.made(text) } else { Err(too_large()) }
    }

    fn listed(self: &Arc<Self>, items: Vec<Value>) -> Result<Value, Error> {
        Ok(Value::from_object(List::new(items, self)))
    }

    fn sort(self: &Arc<Self>, state: &State<'_, '_>, items: Value, how: Kwargs) -> Result<Value, Error> {
        self.charge(items.len().unwrap_or_default().saturating_mul(ITEM))?;
        self.listed(filters::sort(state, items, how)?.try_iter()?.collect())
    }

    fn reverse(self: &Arc<Self>, value: &Value) -> Result<Value, Error> {
        if let Some(text) = value.as_str() {
            return self.made(text.chars().rev().collect()).map(Value::from);
        }
        if value.kind() == ValueKind::None {
            return Ok(value.clone());
        }
        self.charge(value.len().unwrap_or_default().saturating_mul(ITEM))?;
        let mut items: Vec<Value> = value.try_iter()?.collect();
        items.reverse();
        self.listed(items)
    }

    pub(super) fn to_json(&self, value: &Value) -> Result<String, Error> {
        self.in_time()?;
        let mut output = Capped::new(self.most);
        serde_json::to_writer(&mut output, value).map_err(|_| too_large())?;
        self.made(String::from_utf8(output.bytes).map_err(|_| too_large())?)
    }

    fn join(&self, items: &Value, between: &str) -> Result<String, Error> {
        self.in_time()?;
        let mut joined = String::new();
        for (position, item) in items.try_iter()?.enumerate() {
            if position > 0 {
                joined.push_str(between);
            }
            match item.as_str() {
                Some(text) => joined.push_str(text),
                None => joined.push_str(&self.to_json(&item)?),
            }
            if joined.len() > self.most {
                return Err(too_large());
            }
        }
        self.made(joined)
    }

    fn replace(&self, text: &str, from: &str, to: &str) -> Result<String, Error> {
        self.in_time()?;
        let mut replaced = String::new();
        for (position, part) in text.split(from).enumerate() {
            if position > 0 {
                replaced.push_str(to);
            }
            replaced.push_str(part);
            if replaced.len() > self.most {
                return Err(too_large());
            }
        }
        self.made(replaced)
    }

    /// The beginning of a text, followed by `…` if it was truncated.
    fn truncate(&self, text: &str, most: Option<usize>) -> Result<String, Error> {
        let most = most.unwrap_or(255);
        match text.char_indices().nth(most) {
            None => self.sized(text.to_owned()),
            Some((end, _)) => self.sized(format!("{}…", text.get(..end).unwrap_or_default())),
        }
    }

    /// Lowercase ASCII letters and digits, with `-` in place of everything between them.
    fn slugify(&self, text: &str) -> Result<String, Error> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
        self.sized(words.join("-"))
    }

    /// Formats a time in UTC, as `%Y-%m-%d` by default.
    fn date(&self, moment: &str, format: Option<&str>) -> Result<String, Error> {
        let wrong = |what| Error::new(ErrorKind::InvalidOperation, what);
        let format = format.unwrap_or("%Y-%m-%d");
        if format.len() > MAX_FORMAT {
            return Err(wrong("the date format is too long"));
        }
        let moment: jiff::Timestamp = moment.parse().map_err(|_| wrong("not a time"))?;
        let shown = jiff::fmt::strtime::format(format, moment).map_err(|_| wrong("invalid date format"))?;
        self.sized(shown)
    }
}

/// A buffer that refuses to grow beyond its limit.
pub(super) struct Capped {
    pub(super) bytes: Vec<u8>,
    max: usize,
}

impl Capped {
    pub(super) fn new(max: usize) -> Self {
        Self { bytes: Vec::new(), max }
    }
}

impl io::Write for Capped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.max {
            return Err(io::Error::other("too large"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
