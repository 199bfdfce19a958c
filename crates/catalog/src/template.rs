//! Filling a template with data, for templates nobody trusts.
//!
//! The engine bounds instructions but not the memory one instruction may take, so the language is cut down
//! first: only listed statements, expressions and filters pass, and everything that could multiply text
//! (calls, assignments, repetition, unbounded joining) does not. What is left is bounded in output and time.

use std::{collections::BTreeSet, io, time::Duration};

use minijinja::{
    Environment, Error, ErrorKind, UndefinedBehavior, Value, filters, machinery, tests as kinds, value::Serde,
};
use serde_json::Map;
use tokio::time::Instant;

/// No template is longer.
pub const MAX_SOURCE: usize = 8 * 1024;
const MAX_ADDITIONS: usize = 16;
const MAX_FORMAT: usize = 64;
const FUEL: u64 = 20_000;
const RECURSION: usize = 64;

/// How much one filling may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of data, as JSON.
    pub data: usize,
    /// Bytes of what comes out, and of every text on the way.
    pub output: usize,
    pub time: Duration,
}

const STATEMENTS: [&str; 5] = ["Template", "EmitExpr", "EmitRaw", "ForLoop", "IfCond"];
const EXPRESSIONS: [&str; 13] = [
    "Var", "Const", "Slice", "UnaryOp", "BinOp", "Compare", "IfExpr", "Filter", "Test", "GetAttr", "GetItem",
    "List", "Map",
];
const FILTERS: [&str; 19] = [
    "abs", "date", "default", "first", "float", "int", "join", "last", "length", "lower", "replace",
    "reverse", "round", "slugify", "sort", "tojson", "trim", "truncate", "upper",
];
const TESTS: [&str; 7] = ["boolean", "defined", "mapping", "none", "number", "sequence", "string"];

/// Why a template gave no result. The messages are made for whoever wrote the template.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
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

/// What a template is, before anything is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Whether it is one expression and nothing else, whose value keeps its type.
    pub typed: bool,
    /// The data it uses, as paths: `inputs.since`.
    pub names: BTreeSet<String>,
}

/// Whether a template is in the part of the language that is allowed, and what it uses.
pub fn check(source: &str) -> Result<Checked, TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError::TooLarge("template"));
    }
    let source = source.trim();
    let typed = is_typed(source)?;
    let environment = Environment::empty();
    let names = environment.template_from_str(source)?.undeclared_variables(true).into_iter().collect();
    Ok(Checked { typed, names })
}

/// Fills the template. One expression and nothing else gives a typed value, anything else a text.
pub fn render(
    source: &str,
    data: &Map<String, serde_json::Value>,
    bounds: Bounds,
) -> Result<serde_json::Value, TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError::TooLarge("template"));
    }
    let mut counted = Capped { bytes: Vec::new(), max: bounds.data };
    serde_json::to_writer(&mut counted, data).map_err(|_| TemplateError::TooLarge("data"))?;
    let source = source.trim();
    let typed = is_typed(source)?;
    let environment = environment(typed, bounds);
    let template = environment.template_from_str(source)?;
    let mut output = Capped { bytes: Vec::new(), max: bounds.output };
    template.render_captured_to(Serde(data), &mut output)?;
    if typed {
        return serde_json::from_slice(&output.bytes)
            .map_err(|_| TemplateError::Engine("the result has no JSON form".to_owned()));
    }
    Ok(serde_json::Value::String(String::from_utf8_lossy(&output.bytes).into_owned()))
}

fn environment<'source>(typed: bool, bounds: Bounds) -> Environment<'source> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION);
    environment.set_debug(false);
    let work = Work { deadline: Instant::now() + bounds.time, most: bounds.output };
    environment.set_formatter(move |out, _, value| {
        work.in_time()?;
        if value.is_undefined() {
            return Err(ErrorKind::UndefinedError.into());
        }
        match value.as_str().filter(|_| !typed) {
            Some(text) => out.write_str(text)?,
            // Nothing is shown as nothing; typed, it is what it is.
            None if value.is_none() && !typed => {}
            None => out.write_str(&work.to_json(value)?)?,
        }
        Ok(())
    });
    add_filters(&mut environment, work);
    environment.add_test("boolean", kinds::is_boolean);
    environment.add_test("defined", kinds::is_defined);
    environment.add_test("mapping", kinds::is_mapping);
    environment.add_test("none", kinds::is_none);
    environment.add_test("number", kinds::is_number);
    environment.add_test("sequence", kinds::is_sequence);
    environment.add_test("string", kinds::is_string);
    environment
}

fn add_filters(environment: &mut Environment<'_>, work: Work) {
    environment.add_filter("abs", filters::abs);
    environment.add_filter("default", filters::default);
    environment.add_filter("first", filters::first);
    environment.add_filter("float", filters::float);
    environment.add_filter("int", filters::int);
    environment.add_filter("last", filters::last);
    environment.add_filter("length", filters::length);
    environment.add_filter("reverse", filters::reverse);
    environment.add_filter("round", filters::round);
    environment.add_filter("sort", filters::sort);
    environment.add_filter("trim", |text: &str| text.trim().to_owned());
    environment.add_filter("upper", move |text: &str| work.sized(text.to_uppercase()));
    environment.add_filter("lower", move |text: &str| work.sized(text.to_lowercase()));
    environment.add_filter("tojson", move |value: &Value| work.to_json(value));
    environment.add_filter("date", move |moment: &str, format: Option<&str>| work.date(moment, format));
    environment.add_filter("slugify", move |text: &str| work.slugify(text));
    environment.add_filter("truncate", move |text: &str, most: Option<usize>| work.truncate(text, most));
    environment.add_filter("join", move |items: &Value, between: Option<&str>| {
        work.join(items, between.unwrap_or_default())
    });
    environment.add_filter("replace", move |text: &str, from: &str, to: &str| work.replace(text, from, to));
}

/// Refuses what is not listed, and says whether the template is one expression.
fn is_typed(source: &str) -> Result<bool, TemplateError> {
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
        ("Test", _, Some(name)) if !TESTS.contains(&name) => forbidden(name),
        ("Var", ..) if inner("id").is_some_and(|id| id.starts_with('_')) => {
            forbidden("names that begin with `_`")
        }
        ("GetAttr", _, Some(name)) if name.starts_with('_') => forbidden("names that begin with `_`"),
        _ => Ok(()),
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "a text grew too large")
}

/// What filters must keep within. The engine's own limits count instructions, and one filter is one.
#[derive(Clone, Copy)]
struct Work {
    deadline: Instant,
    most: usize,
}

impl Work {
    fn in_time(self) -> Result<(), Error> {
        if Instant::now() < self.deadline {
            return Ok(());
        }
        Err(Error::new(ErrorKind::OutOfFuel, "out of time"))
    }

    fn sized(self, text: String) -> Result<String, Error> {
        self.in_time()?;
        if text.len() <= self.most { Ok(text) } else { Err(too_large()) }
    }

    fn to_json(self, value: &Value) -> Result<String, Error> {
        self.in_time()?;
        let mut output = Capped { bytes: Vec::new(), max: self.most };
        serde_json::to_writer(&mut output, value).map_err(|_| too_large())?;
        String::from_utf8(output.bytes).map_err(|_| too_large())
    }

    fn join(self, items: &Value, between: &str) -> Result<String, Error> {
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
        Ok(joined)
    }

    fn replace(self, text: &str, from: &str, to: &str) -> Result<String, Error> {
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
        Ok(replaced)
    }

    /// The beginning of a text, with a sign where it was cut.
    fn truncate(self, text: &str, most: Option<usize>) -> Result<String, Error> {
        let most = most.unwrap_or(255);
        match text.char_indices().nth(most) {
            None => self.sized(text.to_owned()),
            Some((end, _)) => self.sized(format!("{}…", text.get(..end).unwrap_or_default())),
        }
    }

    /// Lower-case letters and digits of ASCII, with `-` for whatever is between them.
    fn slugify(self, text: &str) -> Result<String, Error> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
        self.sized(words.join("-"))
    }

    /// A moment in another form, in UTC: `%Y-%m-%d` when none is named.
    fn date(self, moment: &str, format: Option<&str>) -> Result<String, Error> {
        let wrong = |what| Error::new(ErrorKind::InvalidOperation, what);
        let format = format.unwrap_or("%Y-%m-%d");
        if format.len() > MAX_FORMAT {
            return Err(wrong("the form of a date is too long"));
        }
        let moment: jiff::Timestamp = moment.parse().map_err(|_| wrong("not a moment"))?;
        let shown = jiff::fmt::strtime::format(format, moment).map_err(|_| wrong("not a form of a date"))?;
        self.sized(shown)
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SMALL: Bounds = Bounds { data: 4_096, output: 1_024, time: Duration::from_millis(500) };

    fn filled(source: &str) -> Result<serde_json::Value, TemplateError> {
        let data = json!({
            "name": "Ada Lovelace", "when": "2026-11-15T09:30:00Z", "nothing": null, "list": [3, 1, 2],
            "long": "x".repeat(1_000),
        });
        render(source, data.as_object().unwrap(), SMALL)
    }

    #[test]
    fn each_filter_does_what_it_says() {
        for (source, expected) in [
            ("{{ when | date }}", json!("2026-11-15")),
            ("{{ when | date('%H:%M on %d %b') }}", json!("09:30 on 15 Nov")),
            ("{{ name | slugify }}", json!("ada-lovelace")),
            ("{{ name | truncate(3) }}", json!("Ada…")),
            ("{{ name | truncate }}", json!("Ada Lovelace")),
            ("{{ list | sort }}", json!([1, 2, 3])),
            ("{{ list | reverse }}", json!([2, 1, 3])),
            ("{{ nothing }}", json!(null)),
            ("[{{ nothing }}]", json!("[]")),
            ("{{ list is sequence and name is string and nothing is none }}", json!(true)),
        ] {
            assert_eq!(filled(source).unwrap(), expected, "{source}");
        }
    }

    #[test]
    fn what_is_not_listed_or_grows_too_large_is_refused() {
        for source in [
            "{{ name | pprint }}",
            "{{ name is odd }}",
            "{{ _private }}",
            "{{ name._private }}",
            "{{ 'a' * 9999999 }}",
            "{% set a = 1 %}",
            "{{ range(9) }}",
            "{{ long ~ long }}",
            "{{ long | replace('x', long) }}",
            "{{ [long, long] | join }}",
            "{{ when | date(long) }}",
            "{{ name | date }}",
            "{{ missing }}",
        ] {
            assert!(filled(source).is_err(), "{source}");
        }
    }

    #[test]
    fn what_a_template_uses_is_known_before_it_is_filled() {
        let names = |source: &str| check(source).unwrap().names.into_iter().collect::<Vec<_>>();
        assert_eq!(names("{{ inputs.since }} {{ issues.nodes | length }}"), ["inputs.since", "issues.nodes"]);
        assert_eq!(names("{% for one in issues.nodes %}{{ one.title }}{% endfor %}"), ["issues.nodes"]);
        assert!(check("{{ a }}").unwrap().typed && !check("{{ a }}!").unwrap().typed);
        assert!(check(&"x".repeat(MAX_SOURCE + 1)).is_err());
    }
}
