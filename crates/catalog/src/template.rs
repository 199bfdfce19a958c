//! Filling a template with data, for templates nobody trusts.
//!
//! The engine bounds instructions but neither the memory nor the time one instruction may take, so the language is cut down
//! first (`language`): only listed statements, expressions and filters pass, and everything that could multiply text or work
//! (calls, assignments, repetition, slices, loops over what is not data) does not. What is left asks for data and for filters,
//! and both look at the clock and at a budget (`data`, `work`).

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

/// How much one filling may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of data, as JSON.
    pub data: usize,
    /// Bytes of what comes out, and of every text on the way.
    pub output: usize,
    pub time: Duration,
}

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
    #[error("invalid template: {0}")]
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
    let source = source.trim();
    let typed = is_typed(source)?;
    let work = Arc::new(Work::new(bounds));
    let root = data::root(data, &work)?;
    let mut counted = Capped::new(bounds.data);
    serde_json::to_writer(&mut counted, data).map_err(|_| TemplateError::TooLarge("data"))?;
    let environment = environment(typed, &work);
    let template = environment.template_from_str(source)?;
    let mut output = Capped::new(bounds.output);
    template.render_captured_to(root, &mut output)?;
    // Once the time is over, data is not given out any more, and what was compared with it is not true.
    work.in_time()?;
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
            // Nothing is shown as nothing; typed, it is what it is.
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
