//! Estimates how expensive a schema can be to check, before it is compiled.
//!
//! References that multiply (`allOf` of two references to a schema that again has two references …) make compiling or
//! checking exponential in their number, and references that lead back twice to the same part of a value make it
//! exponential in the depth of the value. Both are counted here without doing the work: schemas that are applied to the
//! same part of a value add up, schemas that are applied to different parts (`properties`) do not.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::limits::weight::{FARTHEST, META, MOST, MOST_STEPS, MOST_TARGETS};

/// The depths of values that are tried.
const DEPTHS: [usize; 5] = [32, 16, 8, 4, 2];
const TOO_MUCH: &str = "its references multiply";
const TOO_FAR: &str = "its references lead in a circle, too far or nowhere";

/// The greatest depth of a value that can be checked against this schema at an acceptable cost, or why there is none.
pub(super) fn deepest(root: &Value) -> Result<usize, &'static str> {
    let (mut anchors, mut targets, mut renamed) = (HashMap::new(), HashSet::new(), false);
    survey(root, true, &mut |fields, is_root| {
        let references = fields.iter().filter(|(name, _)| is_reference(name));
        targets.extend(references.filter_map(|(_, target)| target.as_str()).map(str::to_owned));
        renamed |= !is_root && fields.get("$id").is_some_and(Value::is_string);
        for name in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = fields.get(name).and_then(Value::as_str) {
                anchors.insert(name.to_owned(), Value::Object(fields.clone()));
            }
        }
    });
    if renamed && !targets.is_empty() {
        return Err("only the whole schema may have an `$id` where there are references");
    }
    if targets.len() > MOST_TARGETS {
        return Err(TOO_FAR);
    }
    let mut found = None;
    for depth in DEPTHS {
        let mut scale = Scale::new(root, &anchors);
        match scale.weigh(root, depth, 0) {
            // The schema ends by itself, so a value may have any depth.
            Ok(_) if !scale.is_cut => return Ok(usize::MAX),
            // Recursion may add up, which is fine, or multiply.
            Ok(weight) => match found {
                None => found = Some((depth, weight)),
                Some((_, deeper)) if deeper <= weight * 4 => return Ok(usize::MAX),
                Some((depth, _)) => return Ok(depth),
            },
            Err(TOO_MUCH) => {}
            Err(why) => return Err(why),
        }
    }
    found.map(|(depth, _)| depth).ok_or(TOO_MUCH)
}

fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

fn survey(value: &Value, is_root: bool, see: &mut dyn FnMut(&Map<String, Value>, bool)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| survey(item, false, see)),
        Value::Object(fields) => {
            see(fields, is_root);
            fields.values().for_each(|field| survey(field, false, see));
        }
        _ => {}
    }
}

/// Keywords whose schemas are applied to parts of a value.
const DEEPER: [&str; 9] = [
    "additionalProperties",
    "contains",
    "items",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

struct Scale<'s> {
    root: &'s Value,
    anchors: &'s HashMap<String, Value>,
    known: HashMap<(String, usize), u64>,
    /// References that are being weighed. Reaching one of them again without going deeper into the value would never
    /// end.
    open: HashSet<(String, usize)>,
    steps: usize,
    /// Whether the schema continues deeper into a value than the depth that was asked for.
    is_cut: bool,
}

impl<'s> Scale<'s> {
    fn new(root: &'s Value, anchors: &'s HashMap<String, Value>) -> Self {
        Self { root, anchors, known: HashMap::new(), open: HashSet::new(), steps: 0, is_cut: false }
    }

    /// How many times parts are applied on the most expensive path into a value of this depth.
    fn weigh(&mut self, schema: &'s Value, depth: usize, far: usize) -> Result<u64, &'static str> {
        let Value::Object(fields) = schema else { return Ok(1) };
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(TOO_MUCH);
        }
        if far > FARTHEST {
            return Err(TOO_FAR);
        }
        let (mut here, mut below) = (0, 0);
        for (keyword, value) in fields {
            match keyword.as_str() {
                "allOf" | "anyOf" | "oneOf" | "dependentSchemas" => {
                    here += self.sum(value, depth, far + 1)?
                }
                "not" | "if" | "then" | "else" => here += self.weigh(value, depth, far + 1)?,
                name if is_reference(name) => {
                    here += self.refer(value.as_str().ok_or(TOO_FAR)?, depth, far + 1)?;
                }
                name if DEEPER.contains(&name) => match (name, depth.checked_sub(1)) {
                    (_, None) => self.is_cut = true,
                    ("properties" | "prefixItems", Some(depth)) => below += self.dearest(value, depth)?,
                    ("patternProperties", Some(depth)) => below += self.sum(value, depth, 0)?,
                    (_, Some(depth)) => below += self.weigh(value, depth, 0)?,
                },
                _ => {}
            }
            if here + below > MOST {
                return Err(TOO_MUCH);
            }
        }
        // To find what the other keywords have not evaluated, they are evaluated again.
        let again = fields.keys().any(|name| name.starts_with("unevaluated"));
        Ok(1 + here * if again { 2 } else { 1 } + below)
    }

    fn sum(&mut self, several: &'s Value, depth: usize, far: usize) -> Result<u64, &'static str> {
        let mut sum = 0;
        for part in parts(several) {
            sum += self.weigh(part, depth, far)?;
            if sum > MOST {
                return Err(TOO_MUCH);
            }
        }
        Ok(sum)
    }

    fn dearest(&mut self, several: &'s Value, depth: usize) -> Result<u64, &'static str> {
        parts(several).try_fold(0, |most, part| Ok(self.weigh(part, depth, 0)?.max(most)))
    }

    fn refer(&mut self, reference: &str, depth: usize, far: usize) -> Result<u64, &'static str> {
        let own = self.root.get("$id").and_then(Value::as_str).map(|id| id.trim_end_matches('#'));
        let reference = own.and_then(|id| reference.strip_prefix(id)).unwrap_or(reference);
        if reference.starts_with("https://json-schema.org/") {
            return Ok(META);
        }
        let place = if reference.is_empty() { Some("") } else { reference.strip_prefix('#') };
        let key = (place.and_then(decoded).ok_or(TOO_FAR)?, depth);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let target = self.root.pointer(&key.0).or_else(|| self.anchors.get(&key.0)).ok_or(TOO_FAR)?;
        if !self.open.insert(key.clone()) {
            return Err(TOO_FAR);
        }
        let weight = self.weigh(target, depth, far)?;
        self.open.remove(&key);
        self.known.insert(key, weight);
        Ok(weight)
    }
}

fn parts(several: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match several {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(fields) => Box::new(fields.values()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Percent-decodes the fragment of a reference: `%24` becomes `$`.
fn decoded(place: &str) -> Option<String> {
    let mut pieces = place.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(piece.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The number of patterns in a schema.
pub(super) fn patterns(root: &Value) -> usize {
    let mut found = 0;
    survey(root, true, &mut |fields, _| {
        found += usize::from(fields.get("pattern").is_some_and(Value::is_string));
        found += fields.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    });
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_multiplies_is_told_from_what_only_branches() {
        let tree = json!({ "$id": "http://x/tree", "properties": { "left": { "$ref": "#" }, "right": { "$ref": "http://x/tree#" } } });
        assert_eq!(deepest(&tree), Ok(usize::MAX));
        let named = json!({ "$defs": { "a b": { "$anchor": "n", "items": { "$ref": "#n" } } }, "$ref": "#/$defs/a%20b" });
        assert_eq!(deepest(&named), Ok(usize::MAX));
        let twice = json!({ "$defs": { "n": { "allOf": [{ "items": { "$ref": "#/$defs/n" } }, { "items": { "$ref": "#/$defs/n" } }] } },
            "properties": { "a": { "$ref": "#/$defs/n" } } });
        assert_eq!(deepest(&twice), Ok(8));
        for wrong in
            [json!({ "$ref": "#" }), json!({ "$ref": "file:///etc/passwd" }), json!({ "$ref": "#/nowhere" })]
        {
            assert!(deepest(&wrong).is_err(), "{wrong}");
        }
    }
}
