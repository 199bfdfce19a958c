//! Renders untrusted templates with data.
//!
//! The engine bounds the number of instructions, but neither the memory nor the time of one instruction. The language
//! is therefore restricted first (`language`): only listed statements, expressions and filters are allowed, and nothing
//! that could multiply text or work (calls, assignments, repetition, slices, loops over anything but data). What
//! remains reads data and calls filters, and both check the clock and a budget (`data`, `work`).

mod data;
mod language;
mod work;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, tests as kinds};
use serde_json::Map;

use language::is_typed;
use work::{Capped, Work, add_filters};

pub use crate::limits::template::MAX_SOURCE;
use crate::limits::template::{FUEL, RECURSION};

/// The limits of one rendering.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of data, as JSON.
    pub data: usize,
    /// Bytes of the output, and of every intermediate text.
    pub output: usize,
    pub time: Duration,
}

/// Why a template could not be rendered. The messages are for the author of the template.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The template or its data is too large.
    #[error("the {0} is too large")]
    TooLarge(&'static str),
    /// The template uses something outside the allowed part of the language.
    #[error("templates may not use {0}")]
    Forbidden(String),
    /// An error of the engine, or a result without a JSON form.
    #[error("invalid template: {0}")]
    Engine(String),
}

impl From<Error> for TemplateError {
    fn from(error: Error) -> Self {
        // Only the kind and the line, because the details can contain data.
        let line = error.line().map(|line| format!(" in line {line}")).unwrap_or_default();
        Self::Engine(format!("{}{line}", error.kind()))
    }
}

/// The properties of a template that are known before it is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Whether it is a single expression, whose value keeps its type.
    pub typed: bool,
    /// The data it uses, as paths, for example `inputs.since`.
    pub names: BTreeSet<String>,
}

/// Whether a text has marks of a template; all others are taken as they are.
pub fn has_marks(source: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|mark| source.contains(mark))
}

/// Whether a name means something else in templates, so that they do not tell that they read it.
pub fn hides(name: &str) -> bool {
    ["self", "loop", "super", "caller", "true", "false", "none"].contains(&name)
}

/// Checks that a template uses only the allowed part of the language, and returns its properties.
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

/// Renders a template. A single expression gives a typed value, anything else a text.
pub fn render(
    source: &str,
    data: &Map<String, serde_json::Value>,
    bounds: Bounds,
) -> Result<serde_json::Value, TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError::TooLarge("template"));
    }
    let source = source.trim();
    let typed = is_typed(source)?;
    let work = Arc::new(Work::new(bounds));
    let root = data::root(data, &work)?;
    let mut counted = Capped::new(bounds.data);
    serde_json::to_writer(&mut counted, data).map_err(|_| TemplateError::TooLarge("data"))?;
    let environment = environment(typed, &work);
    let template = environment.template_from_str(source)?;
    let mut output = Capped::new(bounds.output);
    let rendered = template.render_captured_to(root, &mut output);
    // After the deadline no data is returned: what failed, failed because of that, and the results of comparisons are wrong.
    work.in_time()?;
    rendered?;
    if typed {
        return serde_json::from_slice(&output.bytes)
            .map_err(|_| TemplateError::Engine("the result has no JSON form".to_owned()));
    }
    Ok(serde_json::Value::String(String::from_utf8_lossy(&output.bytes).into_owned()))
}

fn environment<'source>(typed: bool, work: &Arc<Work>) -> Environment<'source> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION);
    environment.set_debug(false);
    let clock = Arc::clone(work);
    environment.set_formatter(move |out, _, value| {
        clock.in_time()?;
        if value.is_undefined() {
            return Err(ErrorKind::UndefinedError.into());
        }
        match value.as_str().filter(|_| !typed) {
            Some(text) => out.write_str(text)?,
            // `none` is written as an empty text, or as `null` in a typed template.
            None if value.is_none() && !typed => {}
            None => out.write_str(&clock.to_json(value)?)?,
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

#[cfg(test)]
mod tests;
