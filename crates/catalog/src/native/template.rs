//! Filling a template with data, for templates nobody trusts.
//!
//! The engine bounds instructions but not the memory one instruction may take, so the language is cut down
//! first: only listed statements, expressions and filters pass, and everything that could multiply text
//! (calls, assignments, repetition, unbounded joining) does not. What is left is bounded in output and time.

use std::{io, time::Duration};

use minijinja::{
    Environment, Error, ErrorKind, UndefinedBehavior, Value, filters, machinery, tests, value::Serde,
};
use serde_json::Map;
use tokio::time::Instant;

const MAX_SOURCE: usize = 8 * 1024;
const MAX_DATA: usize = 256 * 1024;
const MAX_OUTPUT: usize = 64 * 1024;
const MAX_ADDITIONS: usize = 16;
const FUEL: u64 = 20_000;
const RECURSION: usize = 64;
const TIME: Duration = Duration::from_secs(1);

const STATEMENTS: [&str; 5] = ["Template", "EmitExpr", "EmitRaw", "ForLoop", "IfCond"];
const EXPRESSIONS: [&str; 13] = [
    "Var", "Const", "Slice", "UnaryOp", "BinOp", "Compare", "IfExpr", "Filter", "Test", "GetAttr", "GetItem",
    "List", "Map",
];
const FILTERS: [&str; 14] = [
    "abs", "default", "first", "float", "int", "join", "last", "length", "lower", "replace", "round",
    "tojson", "trim", "upper",
];

/// Why a template gave no result. The messages are made for whoever wrote the template.
#[derive(Debug, thiserror::Error)]
pub(super) enum TemplateError {
    /// Too long.
    #[error("the {0} is too large")]
    TooLarge(&'static str),
    /// Not in the part of the language that is allowed.
    #[error("templates may not use {0}")]
    Forbidden(String),
    /// The engine's words.
    #[error("the template does not work: {0}")]
    Engine(String),
}

impl From<Error> for TemplateError {
    fn from(error: Error) -> Self {
        // Kind and line say enough; the detail can repeat data.
        let line = error.line().map(|line| format!(" in line {line}")).unwrap_or_default();
        Self::Engine(format!("{}{line}", error.kind()))
    }
}

/// Fills the template. One expression and nothing else gives a typed value, anything else a text.
pub(super) fn render(
    source: &str,
    data: &Map<String, serde_json::Value>,
) -> Result<serde_json::Value, TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError::TooLarge("template"));
    }
    let mut counted = Capped { bytes: Vec::new(), max: MAX_DATA };
    serde_json::to_writer(&mut counted, data).map_err(|_| TemplateError::TooLarge("data"))?;
    let source = source.trim();
    let typed = check(source)?;
    let environment = environment(typed);
    let template = environment.template_from_str(source)?;
    let mut output = Capped { bytes: Vec::new(), max: MAX_OUTPUT };
    template.render_captured_to(Serde(data), &mut output)?;
    if typed {
        return serde_json::from_slice(&output.bytes)
            .map_err(|_| TemplateError::Engine("the result has no JSON form".to_owned()));
    }
    Ok(serde_json::Value::String(String::from_utf8_lossy(&output.bytes).into_owned()))
}

fn environment<'source>(typed: bool) -> Environment<'source> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION);
    environment.set_debug(false);
    let deadline = Instant::now() + TIME;
    environment.set_formatter(move |out, _, value| {
        in_time(deadline)?;
        if value.is_undefined() {
            return Err(ErrorKind::UndefinedError.into());
        }
        match value.as_str().filter(|_| !typed) {
            Some(text) => out.write_str(text)?,
            None => out.write_str(&to_json(value)?)?,
        }
        Ok(())
    });
    environment.add_filter("abs", filters::abs);
    environment.add_filter("default", filters::default);
    environment.add_filter("first", filters::first);
    environment.add_filter("float", filters::float);
    environment.add_filter("int", filters::int);
    environment.add_filter("last", filters::last);
    environment.add_filter("length", filters::length);
    environment.add_filter("round", filters::round);
    environment.add_filter("trim", |text: &str| text.trim().to_owned());
    environment
        .add_filter("upper", move |text: &str| in_time(deadline).and_then(|()| sized(text.to_uppercase())));
    environment
        .add_filter("lower", move |text: &str| in_time(deadline).and_then(|()| sized(text.to_lowercase())));
    environment.add_filter("tojson", move |value: &Value| in_time(deadline).and_then(|()| to_json(value)));
    environment.add_filter("join", move |items: &Value, between: Option<&str>| {
        in_time(deadline)?;
        join(items, between.unwrap_or_default())
    });
    environment.add_filter("replace", move |text: &str, from: &str, to: &str| {
        in_time(deadline)?;
        replace(text, from, to)
    });
    environment.add_test("defined", tests::is_defined);
    environment.add_test("none", tests::is_none);
    environment.add_test("string", tests::is_string);
    environment.add_test("number", tests::is_number);
    environment
}

/// Refuses what is not listed, and says whether the template is one expression.
fn check(source: &str) -> Result<bool, TemplateError> {
    let tree = machinery::parse(source, "template", Default::default())?;
    let tree = serde_json::to_value(&tree).map_err(|error| TemplateError::Engine(error.to_string()))?;
    let mut additions = 0;
    walk(&tree, &mut additions)?;
    let children = tree.pointer("/inner/0/children").and_then(serde_json::Value::as_array);
    Ok(children.is_some_and(|children| matches!(&**children, [only] if only["stmt"] == "EmitExpr")))
}

fn walk(node: &serde_json::Value, additions: &mut usize) -> Result<(), TemplateError> {
    match node {
        serde_json::Value::Array(items) => items.iter().try_for_each(|item| walk(item, additions)),
        serde_json::Value::Object(fields) => {
            allowed(fields, additions)?;
            // A constant holds data, not program.
            if fields.get("expr").is_some_and(|kind| kind == "Const") {
                return Ok(());
            }
            fields.values().try_for_each(|field| walk(field, additions))
        }
        _ => Ok(()),
    }
}

fn allowed(node: &Map<String, serde_json::Value>, additions: &mut usize) -> Result<(), TemplateError> {
    let forbidden = |what: &str| Err(TemplateError::Forbidden(format!("`{what}`")));
    let inner = |field: &str| node.get("inner").and_then(|inner| inner.get(0)?.get(field)?.as_str());
    if let Some(statement) = node.get("stmt").and_then(serde_json::Value::as_str)
        && !STATEMENTS.contains(&statement)
    {
        return forbidden(statement);
    }
    let Some(expression) = node.get("expr").and_then(serde_json::Value::as_str) else { return Ok(()) };
    if !EXPRESSIONS.contains(&expression) {
        return forbidden(expression);
    }
    match (expression, inner("op"), inner("name")) {
        ("BinOp", Some(op @ ("Mul" | "Pow" | "Concat")), _) => forbidden(op),
        ("BinOp", Some("Add"), _) => {
            *additions += 1;
            if *additions > MAX_ADDITIONS { forbidden("so many additions") } else { Ok(()) }
        }
        ("BinOp", None, _) | ("Filter", _, None) => forbidden(expression),
        ("Filter", _, Some(name)) if !FILTERS.contains(&name) => forbidden(name),
        _ => Ok(()),
    }
}

fn in_time(deadline: Instant) -> Result<(), Error> {
    if Instant::now() < deadline { Ok(()) } else { Err(Error::new(ErrorKind::OutOfFuel, "out of time")) }
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "a text grew too large")
}

fn sized(text: String) -> Result<String, Error> {
    if text.len() <= MAX_OUTPUT { Ok(text) } else { Err(too_large()) }
}

fn to_json(value: &Value) -> Result<String, Error> {
    let mut output = Capped { bytes: Vec::new(), max: MAX_OUTPUT };
    serde_json::to_writer(&mut output, value).map_err(|_| too_large())?;
    String::from_utf8(output.bytes).map_err(|_| too_large())
}

fn join(items: &Value, between: &str) -> Result<String, Error> {
    let mut joined = String::new();
    for (position, item) in items.try_iter()?.enumerate() {
        if position > 0 {
            joined.push_str(between);
        }
        match item.as_str() {
            Some(text) => joined.push_str(text),
            None => joined.push_str(&to_json(&item)?),
        }
        if joined.len() > MAX_OUTPUT {
            return Err(too_large());
        }
    }
    Ok(joined)
}

fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let mut replaced = String::new();
    for (position, part) in text.split(from).enumerate() {
        if position > 0 {
            replaced.push_str(to);
        }
        replaced.push_str(part);
        if replaced.len() > MAX_OUTPUT {
            return Err(too_large());
        }
    }
    Ok(replaced)
}

/// A buffer that refuses to grow beyond its limit.
struct Capped {
    bytes: Vec<u8>,
    max: usize,
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
