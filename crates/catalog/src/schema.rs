//! Checking parameters against an action's schema, in bounded time and with bounded errors.

mod recursion;
pub(crate) mod references;
mod weight;

pub use references::{Reference, allowing as allowing_references};

use jsonschema::{Draft, PatternOptions, Validator};
use serde::Serialize;
use serde_json::Value;

use crate::limits::schema::{MAX_DEPTH, MAX_ERRORS, MAX_MESSAGE, MAX_PATTERNS, REGEX_SIZE, REGEXES_SIZE};

/// A problem with one part of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The location as a JSON pointer; empty for the whole.
    pub pointer: String,
    /// The problem, without the value.
    pub message: String,
}

/// A compiled schema.
pub struct Checker {
    validator: Validator,
    /// Whether errors may be collected. Checking only whether a value is valid is always cheap.
    explains: bool,
    /// How deeply a value may be nested.
    deepest: usize,
}

impl Checker {
    /// Compiles a schema: nothing is fetched, and every pattern runs in linear time. The error describes the problem.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        compile(schema).map_err(|error| error.masked().to_string().chars().take(MAX_MESSAGE).collect())
    }

    /// Checks a value. Returns at most the first few errors.
    pub fn check(&self, value: &Value) -> Result<(), Vec<FieldError>> {
        check(self, value)
    }
}

/// Compiles a schema: nothing is fetched, and every pattern runs in linear time.
pub(crate) fn compile(schema: &Value) -> Result<Checker, Box<jsonschema::ValidationError<'static>>> {
    let deepest = weight::deepest(schema).map_err(jsonschema::ValidationError::custom).map_err(Box::new)?;
    let patterns = weight::patterns(schema);
    if patterns > MAX_PATTERNS {
        let why = format!("it has more than {MAX_PATTERNS} patterns");
        return Err(Box::new(jsonschema::ValidationError::custom(why)));
    }
    let size = REGEX_SIZE.min(REGEXES_SIZE / patterns.max(1));
    let validator = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex().size_limit(size).dfa_size_limit(size))
        .build(schema)
        .map_err(Box::new)?;
    let explains = !recursion::is_recursive_through_alternatives(schema);
    Ok(Checker { validator, explains, deepest })
}

/// Checks a value. Returns at most the first few errors.
pub(crate) fn check(checker: &Checker, value: &Value) -> Result<(), Vec<FieldError>> {
    let whole = |message: String| Err(vec![FieldError { pointer: String::new(), message }]);
    if depth_exceeds(value, checker.deepest.saturating_add(1)) {
        return whole(format!(
            "nested more than {} levels deep, which this schema does not allow",
            checker.deepest
        ));
    }
    if checker.validator.is_valid(value) {
        return Ok(());
    }
    if depth_exceeds(value, MAX_DEPTH) {
        return whole(format!(
            "the parameters do not match, and are nested more than {MAX_DEPTH} levels deep"
        ));
    }
    if !checker.explains {
        return whole("the parameters do not match the input schema, which refers to itself".to_owned());
    }
    let found = checker.validator.iter_errors(value).take(MAX_ERRORS);
    Err(found
        .map(|error| FieldError {
            pointer: error.instance_path().to_string(),
            // A message can contain names of fields, which the caller chose.
            message: error.masked().to_string().chars().take(MAX_MESSAGE).collect(),
        })
        .collect())
}

fn depth_exceeds(value: &Value, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else { return true };
    match value {
        Value::Array(items) => items.iter().any(|item| depth_exceeds(item, left)),
        Value::Object(fields) => fields.values().any(|field| depth_exceeds(field, left)),
        _ => false,
    }
}
