//! Strict parsing of JSON that will be hashed, approved or signed: a text has exactly one meaning, or it is refused.
//!
//! `serde_json` alone keeps the last of two equal keys, rounds large integers and unwraps a magic key of its own; each
//! of these lets one approval stand for two different requests. This parser makes one pass, builds the value, and
//! refuses all of that with the place where it was found.

use std::{borrow::Cow, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How deep arrays and objects may nest.
pub const MAX_DEPTH: usize = 64;

/// The largest integer that a double represents unambiguously, 2^53 − 1 (RFC 7493).
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// `serde_json` gives keys with this prefix a special meaning when it reads a `Value`: with its feature `raw_value`,
/// `{"$serde_json::private::RawValue":"…"}` becomes the JSON in the string. Such a key would mean one thing to this
/// parser and another to the next reader.
const RESERVED: &str = "$serde_json::private::";

/// A pointer helps a person to find the place; a hostile key must not make it a megabyte long.
const MAX_POINTER_BYTES: usize = 256;

/// A problem of a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Problem {
    /// More bytes than allowed.
    TooLarge,
    /// Not JSON, or not UTF-8.
    Syntax,
    /// A key occurs twice in one object.
    DuplicateKey,
    /// A number beyond ±(2^53 − 1), which other readers may round.
    Number,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A key or string holds U+0000, which a `jsonb` column cannot store.
    Nul,
    /// A key to which a JSON library gives a special meaning.
    ReservedKey,
}

impl Problem {
    /// A stable code for the problem.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::Syntax => "syntax",
            Self::DuplicateKey => "duplicate_key",
            Self::Number => "number",
            Self::TooDeep => "too_deep",
            Self::Nul => "nul",
            Self::ReservedKey => "reserved_key",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::TooLarge => "the text is larger than allowed",
            Self::Syntax => "the text is not JSON",
            Self::DuplicateKey => "a key occurs twice",
            Self::Number => "a number is beyond what every reader keeps exactly; send it as a string",
            Self::TooDeep => "nested deeper than 64 levels",
            Self::Nul => "a text holds U+0000",
            Self::ReservedKey => "a key is reserved",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

/// Why a JSON text was refused, and where.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ParseError {
    pub problem: Problem,
    /// JSON Pointer (RFC 6901) to the place; empty for the whole text. Truncated if it is very long.
    pub pointer: String,
    /// Line, from 1; 0 if unknown.
    pub line: usize,
    /// Column, from 1; 0 if unknown.
    pub column: usize,
    #[source]
    cause: Option<serde_json::Error>,
}

impl ParseError {
    pub(crate) fn at(problem: Problem, pointer: String) -> Self {
        Self { problem, pointer, line: 0, column: 0, cause: None }
    }
}

/// Parses JSON of at most `max_bytes`; refuses everything that two readers could understand differently.
pub fn parse_strict(bytes: &[u8], max_bytes: usize) -> Result<Value, ParseError> {
    if bytes.len() > max_bytes {
        return Err(ParseError::at(Problem::TooLarge, String::new()));
    }
    let mut trail = Trail::default();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let seed = Seed { depth: 0, trail: &mut trail };
    seed.deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|cause| trail.into_error(cause))
}

/// The problem and its place, filled while unwinding, so that parsing a valid text does not pay for it.
#[derive(Default)]
struct Trail {
    problem: Option<Problem>,
    /// From the innermost step outwards.
    steps: Vec<Step>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Trail {
    fn refuse<E: de::Error>(&mut self, problem: Problem) -> E {
        self.problem = Some(problem);
        E::custom(problem.sentence())
    }

    fn into_error(self, cause: serde_json::Error) -> ParseError {
        ParseError {
            problem: self.problem.unwrap_or(Problem::Syntax),
            pointer: pointer(self.steps.iter().rev()),
            line: cause.line(),
            column: cause.column(),
            cause: Some(cause),
        }
    }
}

fn pointer<'a>(steps: impl Iterator<Item = &'a Step>) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Key(key) => push_key(&mut text, key),
            Step::Index(index) => push_index(&mut text, *index),
        }
        if text.len() >= MAX_POINTER_BYTES {
            text.truncate(text.floor_char_boundary(MAX_POINTER_BYTES));
            break;
        }
    }
    text
}

/// Whether the values to be parsed into structs are objects: serde would also accept an array, in the order of the
/// fields.
pub(crate) fn are_objects(value: &Value, places: &[&str]) -> bool {
    value.is_object()
        && places
            .iter()
            .filter_map(|place| value.pointer(place))
            .all(|found| found.is_object() || found.is_null())
}

pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

pub(crate) fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(&index.to_string());
}

struct Seed<'t> {
    depth: usize,
    trail: &'t mut Trail,
}

impl Seed<'_> {
    fn enter<E: de::Error>(&mut self) -> Result<usize, E> {
        if self.depth < MAX_DEPTH { Ok(self.depth + 1) } else { Err(self.trail.refuse(Problem::TooDeep)) }
    }

    fn number<E: de::Error>(self, number: Number, safe: bool) -> Result<Value, E> {
        if safe { Ok(Value::Number(number)) } else { Err(self.trail.refuse(Problem::Number)) }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        self.number(value.into(), value <= MAX_SAFE_INTEGER)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        self.number(value.into(), value.unsigned_abs() <= MAX_SAFE_INTEGER)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        // An integer beyond u64 arrives here already rounded, and every double of that size is an integer, so only the
        // magnitude decides, however the number was written.
        match Number::from_f64(value) {
            Some(number) => self.number(number, is_safe_double(value)),
            None => Err(self.trail.refuse(Problem::Number)),
        }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.visit_string(value.to_owned())
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Value, E> {
        if value.contains('\0') { Err(self.trail.refuse(Problem::Nul)) } else { Ok(Value::String(value)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Value, A::Error> {
        let depth = self.enter()?;
        let mut items = Vec::new();
        loop {
            match seq.next_element_seed(Seed { depth, trail: &mut *self.trail }) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => return Ok(Value::Array(items)),
                Err(error) => {
                    self.trail.steps.push(Step::Index(items.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        let depth = self.enter()?;
        let mut object = Map::new();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let key = key.into_owned();
            let problem = match key.as_str() {
                key if key.starts_with(RESERVED) => Some(Problem::ReservedKey),
                key if key.contains('\0') => Some(Problem::Nul),
                key if object.contains_key(key) => Some(Problem::DuplicateKey),
                _ => None,
            };
            if let Some(problem) = problem {
                self.trail.steps.push(Step::Key(key));
                return Err(self.trail.refuse(problem));
            }
            match map.next_value_seed(Seed { depth, trail: &mut *self.trail }) {
                Ok(value) => object.insert(key, value),
                Err(error) => {
                    self.trail.steps.push(Step::Key(key));
                    return Err(error);
                }
            };
        }
        // One order, whichever the writer chose and whatever features `serde_json` is built with: what is sent to a target
        // says nothing that an approver does not see.
        object.sort_keys();
        Ok(Value::Object(object))
    }
}

#[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exactly a double")]
pub(crate) fn is_safe_double(value: f64) -> bool {
    value.abs() <= MAX_SAFE_INTEGER as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_in_the_order_of_their_names() {
        let value = parse_strict(br#"{"b":{"z":1,"y":2},"a":[{"d":1,"c":2}]}"#, 100).unwrap();
        assert_eq!(value.to_string(), r#"{"a":[{"c":2,"d":1}],"b":{"y":2,"z":1}}"#);
    }

    fn refusal(text: &str) -> (Problem, String) {
        let error = parse_strict(text.as_bytes(), 1 << 20).unwrap_err();
        (error.problem, error.pointer)
    }

    #[test]
    fn plain_json_is_read_as_serde_json_reads_it() {
        for text in [
            "null",
            "[]",
            "{}",
            " [1, -2, 0.5, true, \"\\u00e9\\ud83d\\ude00\"] ",
            r#"{"a":{"b":[{"c":null}]},"d":9007199254740991,"e":-9007199254740991,"f":1e-7,"g":1E3}"#,
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse_strict(text.as_bytes(), 1000).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_two_readers_could_read_differently_is_refused_with_its_place() {
        let cases = [
            (r#"{"to":"alice","to":"mallory"}"#, Problem::DuplicateKey, "/to"),
            (r#"{"to":"alice","t\u006f":"mallory"}"#, Problem::DuplicateKey, "/to"),
            (r#"{"a":[0,{"x/y":1,"x/y":2}]}"#, Problem::DuplicateKey, "/a/1/x~1y"),
            (r#"{"n":9007199254740992}"#, Problem::Number, "/n"),
            (r#"{"n":-9007199254740992}"#, Problem::Number, "/n"),
            (r#"{"n":18446744073709551616}"#, Problem::Number, "/n"),
            (r#"{"n":9007199254740993.0}"#, Problem::Number, "/n"),
            (r#"[1e30]"#, Problem::Number, "/0"),
            (r#"["a\u0000b"]"#, Problem::Nul, "/0"),
            (r#"{"a\u0000b":1}"#, Problem::Nul, "/a\0b"),
            (
                r#"{"p":{"$serde_json::private::RawValue":"{}"}}"#,
                Problem::ReservedKey,
                "/p/$serde_json::private::RawValue",
            ),
            ("{\"a\":1}x", Problem::Syntax, ""),
            ("[1,]", Problem::Syntax, "/1"),
            ("[NaN]", Problem::Syntax, "/0"),
            ("[1e400]", Problem::Syntax, "/0"),
            ("[01]", Problem::Syntax, "/0"),
            ("\u{feff}{}", Problem::Syntax, ""),
            (r#"["\ud800"]"#, Problem::Syntax, "/0"),
            ("", Problem::Syntax, ""),
        ];
        for (text, problem, pointer) in cases {
            assert_eq!(refusal(text), (problem, pointer.to_owned()), "{text}");
        }
    }

    #[test]
    fn invalid_utf8_is_refused() {
        assert_eq!(parse_strict(b"[\"\xff\"]", 100).unwrap_err().problem, Problem::Syntax);
    }

    #[test]
    fn depth_and_size_have_exact_ends() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse_strict(nested(MAX_DEPTH).as_bytes(), 1000).is_ok());
        assert_eq!(refusal(&nested(MAX_DEPTH + 1)).0, Problem::TooDeep);
        assert!(parse_strict(b"[1]", 3).is_ok());
        assert_eq!(parse_strict(b"[1]", 2).unwrap_err().problem, Problem::TooLarge);
    }

    #[test]
    fn a_hostile_key_does_not_make_a_long_pointer() {
        let text = format!("{{\"{}\":[1e99]}}", "é/".repeat(100_000));
        assert!(refusal(&text).1.len() <= MAX_POINTER_BYTES);
    }

    #[test]
    fn serde_json_itself_unwraps_the_reserved_key_which_is_why_it_is_refused() {
        let text = r#"{"$serde_json::private::RawValue":"{\"to\":\"mallory\"}"}"#;
        let seen: Value = serde_json::from_str(text).unwrap();
        assert_eq!(seen, serde_json::json!({"to": "mallory"}));
    }
}
