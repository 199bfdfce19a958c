//! Keeping credentials and personal data out of everything that is stored, shown or logged.
//!
//! Four ways to know a secret: by the name of its field, by its format, by its exact value (the credential used
//! for the call at hand), and, for people, by the shape of an address or number. Whatever is found is replaced by
//! `[redacted]`; addresses and phone numbers in receipts by a keyed hash.
//!
//! Limits, on purpose: a secret of fewer than 8 bytes is not looked for by value; a secret split over different
//! fields of an object, encrypted, or encoded twice in unlike ways is not found.
//! INVARIANT: time and memory are linear in the text, whatever it holds.

mod formats;
mod hidden;
mod known;
mod names;
mod personal;
mod writer;

use std::{borrow::Cow, ops::Range, sync::Arc};

use serde_json::{Map, Value};

pub use hidden::{find_hidden_unicode, first_hidden, is_hidden_unicode};
pub use writer::{MakeRedactingWriter, RedactingWriter};

use known::Known;

/// What stands where a secret stood.
pub const REDACTED: &str = "[redacted]";

/// A longer text is redacted as a whole where known values are looked for: that takes some twenty times its size.
const MAX_KNOWN_TEXT_BYTES: usize = 8 << 20;

/// How much of what callers name as secret is looked for by value.
const MAX_NAMED_BYTES: usize = 16 << 10;

/// Finds and replaces secrets. Cheap to make and to clone.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    known: Option<Arc<Known>>,
}

impl Redactor {
    /// Knows names and formats.
    pub const fn new() -> Self {
        Self { known: None }
    }

    /// Also knows these exact values, in place of those it knew before. Values under 8 bytes are passed over.
    #[must_use]
    pub fn with_known<'s>(&self, secrets: impl IntoIterator<Item = &'s [u8]>) -> Self {
        Self { known: Known::new(secrets).map(Arc::new) }
    }

    /// A text without its credentials.
    pub fn redact_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut spans: Vec<_> = formats::scan(text, false).into_iter().map(|hit| hit.range).collect();
        if let Some(known) = &self.known {
            if text.len() > MAX_KNOWN_TEXT_BYTES {
                return Cow::Borrowed(REDACTED);
            }
            spans.extend(known.find(text));
        }
        replace(text, spans)
    }

    /// A value without its credentials: under telling names, in known formats, and by known value.
    pub fn redact_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.redact_text(text).into_owned()),
            Value::Array(items) => self.redact_array(items),
            Value::Object(members) => self.redact_object(members),
            Value::Number(number) if self.knows(&number.to_string()) => REDACTED.into(),
            other => other.clone(),
        }
    }

    /// What kind of credential a value holds, if any. Names do not count, only formats and known values: a
    /// parameter may be called `token`, but nobody should pass a real one.
    pub fn contains_credential(&self, value: &Value) -> Option<&'static str> {
        match value {
            Value::String(text) => self.credential_in(text),
            Value::Array(items) => items.iter().find_map(|item| self.contains_credential(item)),
            Value::Object(members) => members.iter().find_map(|(name, member)| {
                self.credential_in(name).or_else(|| self.contains_credential(member))
            }),
            _ => None,
        }
    }

    /// Replaces e-mail addresses and phone numbers by `pii:` and 16 hex digits of HMAC-SHA-256, so that equal ones
    /// stay comparable under one key and nobody without the key can test a guess.
    pub fn pseudonymise(&self, value: &Value, key: &[u8]) -> Value {
        personal::pseudonymise(value, key)
    }

    /// The texts that stand under telling names, as far as they can be looked for by value: what came in as
    /// `{"password": "…"}` may come back under any other name.
    pub fn named_secrets(value: &Value) -> Vec<&str> {
        let mut found = Vec::new();
        collect_named(value, false, &mut found);
        // A caller who names a megabyte of secrets must not make us build needles for all of it.
        let mut room = MAX_NAMED_BYTES;
        found.retain(|text| {
            let fits = text.len() <= room && *text != REDACTED;
            room -= if fits { text.len() } else { 0 };
            fits
        });
        found
    }

    fn credential_in(&self, text: &str) -> Option<&'static str> {
        let by_format = formats::scan(text, true).into_iter().find(|hit| hit.by_format).map(|hit| hit.kind);
        by_format.or_else(|| self.knows(text).then_some("credential in use"))
    }

    fn knows(&self, text: &str) -> bool {
        self.known.as_ref().is_some_and(|known| !known.find(text).is_empty())
    }

    fn redact_array(&self, items: &[Value]) -> Value {
        if self.known.is_some() && self.knows_bytes(items) {
            return REDACTED.into();
        }
        let split = self.split_over(items);
        let redact = |(index, item): (usize, &Value)| match item {
            // The parts were found together, so each goes as far as it took part.
            Value::String(text) if !split.is_empty() => {
                let first = split.partition_point(|(part, _)| *part < index);
                let own = split.iter().skip(first).take_while(|(part, _)| *part == index);
                let spans = own.map(|(_, span)| span.clone()).collect();
                Value::String(self.redact_text(&replace(text, spans)).into_owned())
            }
            item => self.redact_value(item),
        };
        Value::Array(items.iter().enumerate().map(redact).collect())
    }

    /// Where a known value is spread over neighbouring texts of an array: the item, and the part of it.
    fn split_over(&self, items: &[Value]) -> Vec<(usize, Range<usize>)> {
        let Some(known) = self.known.as_ref().filter(|_| items.len() > 1) else { return Vec::new() };
        let mut joined = String::new();
        let mut parts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Value::String(text) = item {
                parts.push((index, joined.len()..joined.len() + text.len()));
                joined.push_str(text);
            }
        }
        let mut split = Vec::new();
        for found in merged(&joined, known.find(&joined)) {
            let first = parts.partition_point(|(_, part)| part.end <= found.start);
            let touched = parts.iter().skip(first).take_while(|(_, part)| part.start < found.end);
            for (index, part) in touched {
                let start = found.start.max(part.start) - part.start;
                split.push((*index, start..found.end.min(part.end) - part.start));
            }
        }
        split
    }

    // A buffer printed as numbers.
    fn knows_bytes(&self, items: &[Value]) -> bool {
        let byte = |item: &Value| item.as_u64().and_then(|number| u8::try_from(number).ok());
        let bytes: Option<Vec<u8>> = items.iter().map(byte).collect();
        bytes.is_some_and(|bytes| bytes.len() >= 8 && self.knows(&String::from_utf8_lossy(&bytes)))
    }

    fn redact_object(&self, members: &Map<String, Value>) -> Value {
        let told = is_told(members);
        let mut object = Map::new();
        for (name, member) in members {
            let secret = names::is_secret(name) || (told && name == "value");
            // `null`, `true` and `false` tell whether there is a secret, not which.
            let member = match member {
                Value::Null | Value::Bool(_) => member.clone(),
                Value::String(text) if secret && text.is_empty() => member.clone(),
                _ if secret => REDACTED.into(),
                _ => self.redact_value(member),
            };
            let name = self.redact_text(name);
            object.insert(free_name(&object, &name), member);
        }
        Value::Object(object)
    }
}

// `{"name": "Authorization", "value": "…"}`: the telling name is a value itself.
fn is_told(members: &Map<String, Value>) -> bool {
    let telling = |name: &&str| members.get(*name).and_then(Value::as_str).is_some_and(names::is_secret);
    ["name", "key", "header"].iter().any(telling)
}

fn collect_named<'v>(value: &'v Value, secret: bool, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if secret && text.len() >= known::MIN_SECRET_BYTES => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_named(item, secret, found)),
        Value::Object(members) => {
            let told = is_told(members);
            for (name, member) in members {
                let secret = secret || names::is_secret(name) || (told && name == "value");
                collect_named(member, secret, found);
            }
        }
        _ => {}
    }
}

// Two names that are both secrets become one text; the second must not push the first one's value out.
fn free_name(object: &Map<String, Value>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = object.len();
    while object.contains_key(&free) {
        free = format!("{name} {number}");
        number += 1;
    }
    free
}

/// Ordered, without overlaps, and never through the middle of a character.
fn merged(text: &str, mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        let span = text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ if span.is_empty() => {}
            _ => merged.push(span),
        }
    }
    merged
}

fn replace(text: &str, spans: Vec<Range<usize>>) -> Cow<'_, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for span in merged(text, spans) {
        out.push_str(&text[end..span.start]);
        out.push_str(REDACTED);
        end = span.end;
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
