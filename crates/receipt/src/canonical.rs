//! The canonical form of a document: RFC 8785, for values that every reader preserves exactly.
//!
//! Implemented here rather than by a library, because every receipt that is signed or verified passes through it, and
//! the library takes seven times as long; a property test compares the output with the library's.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::strict::{MAX_DEPTH, MAX_SAFE_INTEGER, ParseError, Problem, is_safe_double, push_index, push_key};

/// Why a document has no canonical form.
#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    /// The document cannot be serialized as JSON.
    #[error("writing a document as JSON")]
    Write(#[source] serde_json::Error),
    /// The document contains a value that [`crate::parse_strict`] would refuse.
    #[error("a document that cannot be read back exactly")]
    Unsafe(#[source] ParseError),
}

/// The RFC 8785 bytes of a document; an error if a reader could not read them back exactly.
pub fn to_bytes(document: &impl Serialize) -> Result<Vec<u8>, CanonicalError> {
    let value = serde_json::to_value(document).map_err(CanonicalError::Write)?;
    check(&value).map_err(CanonicalError::Unsafe)?;
    value_bytes(&value).map_err(CanonicalError::Write)
}

pub(crate) fn value_bytes(value: &Value) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::with_capacity(256);
    write(value, &mut bytes)?;
    Ok(bytes)
}

/// Writes the RFC 8785 form of a value: no whitespace, sorted members, numbers as ECMAScript writes them.
fn write(value: &Value, into: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    match value {
        // These have one form; `serde_json` escapes a string only where it must.
        Value::Null | Value::Bool(_) | Value::String(_) => serde_json::to_writer(into, value)?,
        Value::Number(number) => {
            let double = number.as_f64().filter(|double| double.is_finite());
            let double = double.ok_or_else(|| serde::ser::Error::custom("a number that is not a double"))?;
            into.extend_from_slice(ryu_js::Buffer::new().format_finite(double).as_bytes());
        }
        Value::Array(items) => {
            into.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    into.push(b',');
                }
                write(item, into)?;
            }
            into.push(b']');
        }
        Value::Object(object) => write_object(object, into, |_, _| ())?,
    }
    Ok(())
}

/// Writes an object and reports the position of each member and of its value, by key.
pub(crate) fn write_object<'v>(
    object: &'v Map<String, Value>,
    into: &mut Vec<u8>,
    mut tell: impl FnMut(&'v str, Member),
) -> Result<(), serde_json::Error> {
    let mut members: Vec<_> = object.iter().collect();
    members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    into.push(b'{');
    for (place, (key, value)) in members.into_iter().enumerate() {
        if place > 0 {
            into.push(b',');
        }
        let start = into.len();
        serde_json::to_writer(&mut *into, key)?;
        into.push(b':');
        let middle = into.len();
        write(value, into)?;
        tell(key, Member { whole: start..into.len(), value: middle..into.len() });
    }
    into.push(b'}');
    Ok(())
}

/// The position of a member in the canonical form of its object.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Key and value.
    pub(crate) whole: Range<usize>,
    /// The value alone.
    pub(crate) value: Range<usize>,
}

/// `sha256:<hex>` of bytes.
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}

/// The digest of all bytes written to it, for data larger than memory.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// `sha256:<hex>` of everything that was written.
    pub fn finish(self) -> String {
        format!("sha256:{}", hex::encode(self.0.finalize()))
    }
}

impl std::io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Checks that a value can be read back exactly: safe numbers, no U+0000, not too deep, no reserved key.
pub fn check(value: &Value) -> Result<(), ParseError> {
    let mut pointer = String::new();
    match find(value, 0, &mut pointer) {
        None => Ok(()),
        Some(problem) => Err(ParseError::at(problem, pointer)),
    }
}

fn find(value: &Value, depth: usize, pointer: &mut String) -> Option<Problem> {
    let container = value.is_array() || value.is_object();
    if container && depth >= MAX_DEPTH {
        return Some(Problem::TooDeep);
    }
    let here = pointer.len();
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) if is_safe(number) => {}
        Value::Number(_) => return Some(Problem::Number),
        Value::String(text) if text.contains('\0') => return Some(Problem::Nul),
        Value::String(_) => {}
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                push_index(pointer, index);
                if let Some(problem) = find(item, depth + 1, pointer) {
                    return Some(problem);
                }
                pointer.truncate(here);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                push_key(pointer, key);
                let problem = key_problem(key).or_else(|| find(member, depth + 1, pointer));
                if problem.is_some() {
                    return problem;
                }
                pointer.truncate(here);
            }
        }
    }
    None
}

fn key_problem(key: &str) -> Option<Problem> {
    if key.starts_with("$serde_json::private::") {
        Some(Problem::ReservedKey)
    } else if key.contains('\0') {
        Some(Problem::Nul)
    } else {
        None
    }
}

fn is_safe(number: &serde_json::Number) -> bool {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(n), ..) => n <= MAX_SAFE_INTEGER,
        (_, Some(n), _) => n.unsigned_abs() <= MAX_SAFE_INTEGER,
        (.., Some(n)) => is_safe_double(n),
        _ => false,
    }
}

/// Makes any value fit for a receipt, so that no answer of a target leaves an effect without a receipt.
///
/// Numbers beyond ±(2^53 − 1) become strings of the same digits, U+0000 becomes U+FFFD, reserved keys get a leading
/// `_`, and values deeper than `max_depth` levels become the string `[too deep]`.
pub fn portable(value: Value, max_depth: usize) -> Value {
    match value {
        Value::Number(number) if !is_safe(&number) => Value::String(number.to_string()),
        Value::String(text) if text.contains('\0') => Value::String(text.replace('\0', "\u{fffd}")),
        Value::Array(_) | Value::Object(_) if max_depth == 0 => Value::String("[too deep]".to_owned()),
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| portable(item, max_depth - 1)).collect())
        }
        Value::Object(members) => {
            let mut object = Map::new();
            for (key, member) in members {
                object.insert(portable_key(key), portable(member, max_depth - 1));
            }
            Value::Object(object)
        }
        other => other,
    }
}

fn portable_key(key: String) -> String {
    match key_problem(&key) {
        None => key,
        Some(_) => format!("_{}", key.replace('\0', "\u{fffd}")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::parse_strict;

    fn canonical(text: &str) -> String {
        let value: Value = serde_json::from_str(text).unwrap();
        String::from_utf8(value_bytes(&value).unwrap()).unwrap()
    }

    #[test]
    fn the_sample_of_rfc_8785_section_3_2_comes_out_as_printed_there() {
        let input = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let expected = concat!(
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
            r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        assert_eq!(canonical(input), expected);
    }

    #[test]
    fn keys_sort_by_utf16_as_in_rfc_8785_section_3_2_3() {
        let input = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
            "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
        let text = canonical(input);
        let order = ["Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"];
        let places: Vec<_> = order.iter().map(|word| text.find(word).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn numbers_follow_rfc_8785_appendix_b() {
        for (bits, text) in [
            (0x0000_0000_0000_0000_u64, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            let bytes = value_bytes(&json!(f64::from_bits(bits))).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), text);
        }
    }

    #[test]
    fn what_cannot_be_read_back_has_no_canonical_form_and_can_be_made_portable() {
        let value =
            json!({"id": u64::MAX, "text": "a\0b", "far": 1e300, "$serde_json::private::RawValue": 1});
        assert!(check(&value).is_err());
        assert!(to_bytes(&value).is_err());
        let portable = portable(value, 8);
        assert!(check(&portable).is_ok());
        assert_eq!(portable["id"], "18446744073709551615");
        assert_eq!(portable["text"], "a\u{fffd}b");
    }

    #[test]
    fn portable_bounds_depth() {
        let mut value = json!(1);
        for _ in 0..100 {
            value = json!([value]);
        }
        assert_eq!(check(&value).unwrap_err().problem, Problem::TooDeep);
        assert!(check(&portable(value, 40)).is_ok());
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_is_written_as_another_implementation_writes_it(value in values()) {
            let other = serde_json_canonicalizer::to_vec(&value).unwrap();
            prop_assert_eq!(value_bytes(&value).unwrap(), other);
        }

        #[test]
        fn canonical_bytes_read_back_to_the_same_bytes(value in values()) {
            let value = portable(value, 32);
            let bytes = to_bytes(&value).unwrap();
            let back = parse_strict(&bytes, usize::MAX).unwrap();
            prop_assert_eq!(to_bytes(&back).unwrap(), bytes);
        }
    }
}
