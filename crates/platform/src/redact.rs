//! Redaction: keeps credentials and personal data out of everything that is stored, shown or logged.
//!
//! A secret is recognized in four ways: by the name of its field, by its format, by its exact value (the credential
//! of the current call) and, for personal data, by the shape of an address or number. It is replaced by `[redacted]`;
//! e-mail addresses and phone numbers in receipts by a keyed hash.
//!
//! Deliberate limits: a secret of fewer than 8 bytes is not searched for by value; a secret that is split over
//! different fields of an object, encrypted, or encoded twice in different ways is not found.

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

use crate::limits::redact::{MAX_KNOWN_TEXT_BYTES, MAX_NAMED_BYTES};

/// The replacement for a secret.
pub const REDACTED: &str = "[redacted]";

/// Finds and replaces secrets. Cheap to make and to clone.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    known: Option<Arc<Known>>,
}

impl Redactor {
    /// A redactor for names and formats.
    pub const fn new() -> Self {
        Self { known: None }
    }

    /// Also searches for these exact values, replacing earlier ones. Values under 8 bytes are ignored.
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

    /// A value without its credentials: by name of the field, by format, and by known value.
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

    /// The texts in fields with secret names, as far as they can be searched for by value: a value that was sent as
    /// `{"password": "…"}` may come back under any other name.
    pub fn named_secrets(value: &Value) -> Vec<&str> {
        let mut found = Vec::new();
        collect_named(value, false, &mut found);
        // Limited, so that a caller with a megabyte of secrets does not make the search expensive.
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
            // The parts were found together, so the matched range of each is replaced.
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

    /// Finds a known value that is split over neighbouring texts of an array: the item, and the range in it.
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
            // `null`, `true` and `false` reveal only whether there is a secret.
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

// `{"name": "Authorization", "value": "…"}`: the secret name is itself a value.
fn is_told(members: &Map<String, Value>) -> bool {
    let telling = |name: &&str| members.get(*name).and_then(Value::as_str).is_some_and(names::is_secret);
    ["name", "key", "header"].iter().any(telling)
}

fn collect_named<'v>(value: &'v Value, secret: bool, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if secret && text.len() >= crate::limits::redact::MIN_SECRET_BYTES => {
            found.push(text)
        }
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

// If two names are both redacted they become equal; the second must not replace the value of the first.
fn free_name(object: &Map<String, Value>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = object.len();
    while object.contains_key(&free) {
        free = format!("{name} {number}");
        number += 1;
    }
    free
}

/// Sorted, without overlaps, and never within a multi-byte character.
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
