//! The allowed part of the template language, and the limits on its size.

use minijinja::machinery::{self, Token};
use serde_json::Map;

use super::TemplateError;

use crate::limits::template::{MAX_ADDITIONS, MAX_ELIFS, MAX_PARTS, MAX_SHOWN};

const STATEMENTS: [&str; 5] = ["Template", "EmitExpr", "EmitRaw", "ForLoop", "IfCond"];
const EXPRESSIONS: [&str; 12] = [
    "Var", "Const", "UnaryOp", "BinOp", "Compare", "IfExpr", "Filter", "Test", "GetAttr", "GetItem", "List",
    "Map",
];
/// What a loop may iterate over: data and results of filters, which check the clock for every item. A literal text or
/// list does not.
const LOOPED: [&str; 4] = ["Var", "GetAttr", "GetItem", "Filter"];
const FILTERS: [&str; 19] = [
    "abs", "date", "default", "first", "float", "int", "join", "last", "length", "lower", "replace",
    "reverse", "round", "slugify", "sort", "tojson", "trim", "truncate", "upper",
];
const TESTS: [&str; 7] = ["boolean", "defined", "mapping", "none", "number", "sequence", "string"];

/// Refuses everything that is not listed. Returns whether the template is a single expression.
pub(super) fn is_typed(source: &str) -> Result<bool, TemplateError> {
    measure(source)?;
    let tree = machinery::parse(source, "template", Default::default())?;
    let tree = serde_json::to_value(&tree).map_err(|error| TemplateError::Engine(error.to_string()))?;
    let mut additions = 0;
    walk(&tree, &mut additions)?;
    let children = tree.pointer("/inner/0/children").and_then(serde_json::Value::as_array);
    Ok(children.is_some_and(|children| matches!(&**children, [only] if only["stmt"] == "EmitExpr")))
}

/// Refuses a template whose syntax tree would be too deep, before it is parsed.
fn measure(source: &str) -> Result<(), TemplateError> {
    let (mut parts, mut elifs, mut begins) = (0, 0, false);
    for token in machinery::tokenize(source, false, Default::default()) {
        let (token, _) = token?;
        let in_tag = !matches!(token, Token::TemplateData(_) | Token::VariableStart | Token::BlockStart);
        parts = if in_tag { parts + 1 } else { 0 };
        elifs += usize::from(begins && matches!(token, Token::Ident("elif")));
        begins = matches!(token, Token::BlockStart);
        if parts > MAX_PARTS || elifs > MAX_ELIFS {
            return Err(TemplateError::Forbidden("an expression of this length".to_owned()));
        }
    }
    Ok(())
}

fn walk(node: &serde_json::Value, additions: &mut usize) -> Result<(), TemplateError> {
    match node {
        serde_json::Value::Array(items) => items.iter().try_for_each(|item| walk(item, additions)),
        serde_json::Value::Object(fields) => {
            allowed(fields, additions)?;
            // A constant contains data, not code.
            if fields.get("expr").is_some_and(|kind| kind == "Const") {
                return Ok(());
            }
            fields.values().try_for_each(|field| walk(field, additions))
        }
        _ => Ok(()),
    }
}

fn allowed(node: &Map<String, serde_json::Value>, additions: &mut usize) -> Result<(), TemplateError> {
    let forbidden = |what: &str| Err(TemplateError::Forbidden(format!("`{}`", shown(what))));
    let inner = |field: &str| node.get("inner").and_then(|inner| inner.get(0)?.get(field)?.as_str());
    if let Some(statement) = node.get("stmt").and_then(serde_json::Value::as_str)
        && !STATEMENTS.contains(&statement)
    {
        return forbidden(statement);
    }
    if node.get("stmt").is_some_and(|statement| statement == "ForLoop") {
        let looped = node.get("inner").and_then(|inner| inner.get(0)?.get("iter")?.get("expr")?.as_str());
        if !looped.is_some_and(|looped| LOOPED.contains(&looped)) {
            return forbidden("`for` over something that is not data");
        }
    }
    let Some(expression) = node.get("expr").and_then(serde_json::Value::as_str) else { return Ok(()) };
    if !EXPRESSIONS.contains(&expression) {
        return forbidden(expression);
    }
    match (expression, inner("op"), inner("name")) {
        ("BinOp", Some(op @ ("Mul" | "Pow" | "Concat")), _) => forbidden(op),
        ("BinOp", Some("Add"), _) => {
            *additions += 1;
            if *additions > MAX_ADDITIONS { forbidden("this many additions") } else { Ok(()) }
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

/// The beginning of an untrusted name, without characters that could mislead a terminal or a reader.
fn shown(name: &str) -> String {
    let plain =
        |c: char| if c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ' { c } else { '\u{fffd}' };
    let end = if name.chars().count() > MAX_SHOWN { "…" } else { "" };
    name.chars().take(MAX_SHOWN).map(plain).chain(end.chars()).collect()
}
