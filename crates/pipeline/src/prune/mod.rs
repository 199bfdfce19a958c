//! Making a result small enough to keep: arrays lose their end first, then deep objects, then long strings.
//!
//! What is left out leaves a marker in its place, `{"_truncated": true, "_omitted": 1204}` in arrays and objects
//! and `…[_omitted 1204 bytes]` at the end of a string, so the shape stays and nobody takes a part for the whole.
//!
//! A candidate is built under limits and abandoned as soon as it outgrows the budget, so each try costs what the
//! answer may weigh and not what the value weighs. About a hundred tries find the widest limits that fit.

use serde_json::{Map, Value};

/// How much of a result is stored and stands in the receipt.
pub const STORED_BYTES: usize = 10 * 1024;

/// Deeper levels are always left out, so that a receipt, which may nest 64 levels, can hold any pruned result.
pub const MAX_DEPTH: usize = 32;

/// Below this not even a marker fits; a smaller limit is taken as this one.
pub const MIN_BYTES: usize = 64;

/// A value within its limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Pruned {
    /// What is left.
    pub value: Value,
    /// Whether anything was left out.
    pub truncated: bool,
}

/// Brings a value to at most `max_bytes` of JSON. A value that fits comes back as it was.
pub fn prune(value: Value, max_bytes: usize) -> Pruned {
    let max_bytes = max_bytes.max(MIN_BYTES);
    let mut limits = Limits::widest(max_bytes);
    match limits.apply(&value, max_bytes) {
        // The common case: nothing to do, so the value itself goes back.
        Some(Pruned { truncated: false, .. }) => return Pruned { value, truncated: false },
        Some(pruned) => return pruned,
        None => {}
    }
    for (knob, floor) in STAGES {
        *limits.knob(knob) = floor;
        if limits.fits(&value, max_bytes) {
            return widen(limits, &value, max_bytes);
        }
    }
    Pruned { value: marker(size_hint(&value)), truncated: true }
}

#[derive(Clone, Copy)]
enum Knob {
    Items,
    Depth,
    Text,
    Members,
    Key,
}

/// In this order the limits are tightened until the value fits.
const STAGES: [(Knob, usize); 9] = [
    (Knob::Items, 1),
    (Knob::Depth, 4),
    (Knob::Text, 256),
    (Knob::Depth, 2),
    (Knob::Text, 32),
    (Knob::Key, 128),
    (Knob::Members, 1),
    (Knob::Items, 0),
    (Knob::Depth, 1),
];

/// In this order they are widened again, each until so many quarters of the budget are used: what the last
/// stages took comes back first, but no single long string or deep object may starve every array.
const WIDENING: [(Knob, usize); 9] = [
    (Knob::Key, 2),
    (Knob::Members, 2),
    (Knob::Text, 2),
    (Knob::Depth, 3),
    (Knob::Items, 4),
    (Knob::Depth, 4),
    (Knob::Text, 4),
    (Knob::Members, 4),
    (Knob::Key, 4),
];

fn widen(mut limits: Limits, value: &Value, max_bytes: usize) -> Pruned {
    for (knob, quarters) in WIDENING {
        let mut good = *limits.knob(knob);
        let mut bad = *Limits::widest(max_bytes).knob(knob) + 1;
        while good + 1 < bad {
            let middle = good.midpoint(bad);
            *limits.knob(knob) = middle;
            if limits.fits(value, max_bytes * quarters / 4) { good = middle } else { bad = middle }
        }
        *limits.knob(knob) = good;
    }
    let whole = || Pruned { value: marker(size_hint(value)), truncated: true };
    limits.apply(value, max_bytes).unwrap_or_else(whole)
}

/// How much of each kind may stay. Texts and keys are measured as they are written, with their escapes.
#[derive(Clone, Copy)]
struct Limits {
    items: usize,
    depth: usize,
    text: usize,
    members: usize,
    key: usize,
}

impl Limits {
    // More than `max_bytes` of anything cannot fit, so this leaves out nothing that could stay.
    const fn widest(max_bytes: usize) -> Self {
        Self { items: max_bytes, depth: MAX_DEPTH, text: max_bytes, members: max_bytes, key: max_bytes }
    }

    const fn knob(&mut self, knob: Knob) -> &mut usize {
        match knob {
            Knob::Items => &mut self.items,
            Knob::Depth => &mut self.depth,
            Knob::Text => &mut self.text,
            Knob::Members => &mut self.members,
            Knob::Key => &mut self.key,
        }
    }

    /// The value under these limits, or `None` as soon as it is clear that it does not fit.
    fn apply(&self, value: &Value, max_bytes: usize) -> Option<Pruned> {
        let mut cutter = Cutter { limits: self, left: max_bytes, cut: false, build: true };
        let value = cutter.value(value, 0)?;
        Some(Pruned { value, truncated: cutter.cut })
    }

    /// Whether [`Self::apply`] would give an answer: the same walk, without building it.
    fn fits(&self, value: &Value, max_bytes: usize) -> bool {
        let mut cutter = Cutter { limits: self, left: max_bytes, cut: false, build: false };
        cutter.value(value, 0).is_some()
    }
}

struct Cutter<'l> {
    limits: &'l Limits,
    left: usize,
    cut: bool,
    /// Otherwise everything comes back as `null` and only the size counts.
    build: bool,
}

impl Cutter<'_> {
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    fn value(&mut self, value: &Value, depth: usize) -> Option<Value> {
        match value {
            Value::Null | Value::Bool(true) => self.pay(4)?,
            Value::Bool(false) => self.pay(5)?,
            Value::Number(number) => self.pay(number.to_string().len())?,
            Value::String(text) => return self.text(text),
            Value::Array(items) => return self.array(items, depth),
            Value::Object(members) => return self.object(members, depth),
        }
        Some(value.clone())
    }

    fn array(&mut self, items: &[Value], depth: usize) -> Option<Value> {
        if let [Value::Object(only)] = items
            && let Some(omitted) = earlier_marker(only)
        {
            self.pay(2 + MARKER_BYTES + omitted.to_string().len())?;
            return Some(Value::Array(items.to_vec()));
        }
        let room = if depth < self.limits.depth { self.limits.items } else { 0 };
        let omitted = items.len().saturating_sub(room);
        let kept = items.len() - omitted;
        // Brackets, and a comma between what stays.
        self.pay(2 + (kept + usize::from(omitted > 0)).saturating_sub(1))?;
        let mut array = Vec::new();
        for item in items.iter().take(kept) {
            let item = self.value(item, depth + 1)?;
            if self.build {
                array.push(item);
            }
        }
        if omitted > 0 {
            array.push(self.marker(omitted)?);
        }
        Some(Value::Array(array))
    }

    fn object(&mut self, members: &Map<String, Value>, depth: usize) -> Option<Value> {
        if depth >= self.limits.depth && !members.is_empty() {
            return self.deep(members);
        }
        let fits = |key: &str| escaped_len(key, self.limits.key).is_some();
        let partial = members.len() > self.limits.members || !members.keys().all(|key| fits(key));
        // Where a marker is needed, it takes the place of members of the same name.
        let stays = |key: &str| !partial || (fits(key) && !matches!(key, "_truncated" | "_omitted"));
        let kept: Vec<_> = members.iter().filter(|(key, _)| stays(key)).take(self.limits.members).collect();
        // Braces, a colon for each member, and a comma between them.
        self.pay(2 + (2 * kept.len()).saturating_sub(1))?;
        let mut object = Map::new();
        for (key, member) in &kept {
            self.pay(2 + escaped_len(key, self.left)?)?;
            let member = self.value(member, depth + 1)?;
            if self.build {
                object.insert((*key).clone(), member);
            }
        }
        if partial {
            self.mark(&mut object, members.len() - kept.len())?;
        }
        Some(Value::Object(object))
    }

    fn deep(&mut self, members: &Map<String, Value>) -> Option<Value> {
        match earlier_marker(members) {
            Some(omitted) => {
                self.pay(MARKER_BYTES + omitted.to_string().len())?;
                Some(Value::Object(members.clone()))
            }
            None => self.marker(members.len()),
        }
    }

    fn mark(&mut self, object: &mut Map<String, Value>, omitted: usize) -> Option<()> {
        if let Value::Object(marker) = self.marker(omitted)? {
            object.extend(marker);
        }
        Some(())
    }

    fn marker(&mut self, omitted: usize) -> Option<Value> {
        self.cut = true;
        self.pay(MARKER_BYTES + omitted.to_string().len())?;
        Some(if self.build { marker(omitted) } else { Value::Null })
    }

    fn text(&mut self, text: &str) -> Option<Value> {
        if let Some(bytes) = escaped_len(text, self.limits.text) {
            self.pay(2 + bytes)?;
            return Some(if self.build { Value::String(text.to_owned()) } else { Value::Null });
        }
        self.cut = true;
        let short = if looks_like_json(text) {
            // Half a JSON document misleads whoever parses it; better none of it.
            format!("[_omitted {} bytes of JSON]", text.len())
        } else {
            let kept = escaped_prefix(text, self.limits.text);
            format!("{kept}…[_omitted {} bytes]", text.len() - kept.len())
        };
        self.pay(2 + escaped_len(&short, self.left)?)?;
        Some(Value::String(short))
    }
}

/// `{"_truncated":true,"_omitted":}` without the number.
const MARKER_BYTES: usize = 31;

fn marker(omitted: usize) -> Value {
    serde_json::json!({"_truncated": true, "_omitted": omitted})
}

/// The count of a marker an earlier pruning left, which a later one must not replace by its own.
fn earlier_marker(members: &Map<String, Value>) -> Option<u64> {
    let marked = members.len() == 2 && members.get("_truncated") == Some(&Value::Bool(true));
    members.get("_omitted").and_then(Value::as_u64).filter(|_| marked)
}

fn size_hint(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 1,
    }
}

// The first and the last character decide: parsing a text of any length to be sure would cost its length.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'))
}

const fn escaped_char_len(char: char) -> usize {
    match char {
        '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
        '\0'..='\u{1f}' => 6,
        _ => char.len_utf8(),
    }
}

/// How many bytes a text takes between its quotes, unless that is more than `most`.
fn escaped_len(text: &str, most: usize) -> Option<usize> {
    if text.len() > most {
        return None;
    }
    let mut bytes = text.len();
    for byte in text.bytes() {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            bytes += escaped_char_len(char::from(byte)) - 1;
        }
    }
    (bytes <= most).then_some(bytes)
}

/// The longest start of a text that takes at most `most` bytes when written.
fn escaped_prefix(text: &str, most: usize) -> &str {
    let mut left = most;
    for (place, char) in text.char_indices() {
        match left.checked_sub(escaped_char_len(char)) {
            Some(rest) => left = rest,
            None => return text.get(..place).unwrap_or_default(),
        }
    }
    text
}

#[cfg(test)]
mod tests;
