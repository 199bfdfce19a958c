//! The data of a template, as the engine sees it. Every list and object checks the clock on each access, because
//! comparing, searching and looping are single instructions, however large the data is.

use std::{collections::BTreeMap, sync::Arc};

use minijinja::{
    Value,
    value::{Enumerator, Object, ObjectExt as _, ObjectRepr},
};
use serde_json::Map;

use super::{TemplateError, work::Work};

use crate::limits::template::DEEPEST;

#[derive(Debug)]
pub(super) struct List {
    items: Vec<Value>,
    work: Arc<Work>,
}

/// An object.
#[derive(Debug)]
struct Fields {
    fields: BTreeMap<String, Value>,
    work: Arc<Work>,
}

/// The top-level names that a template can use.
pub(super) fn root(data: &Map<String, serde_json::Value>, work: &Arc<Work>) -> Result<Value, TemplateError> {
    fields(data, work, DEEPEST)
}

fn fields(
    data: &Map<String, serde_json::Value>,
    work: &Arc<Work>,
    left: usize,
) -> Result<Value, TemplateError> {
    let fields = data.iter().map(|(name, field)| Ok((name.clone(), value(field, work, left)?)));
    let fields = fields.collect::<Result<_, TemplateError>>()?;
    Ok(Value::from_object(Fields { fields, work: Arc::clone(work) }))
}

fn value(data: &serde_json::Value, work: &Arc<Work>, left: usize) -> Result<Value, TemplateError> {
    let Some(left) = left.checked_sub(1) else { return Err(TemplateError::TooLarge("depth of the data")) };
    Ok(match data {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(is) => Value::from(*is),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Value::from(whole),
            (None, Some(whole)) => Value::from(whole),
            (None, None) => Value::from(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => {
            let items = items.iter().map(|item| value(item, work, left)).collect::<Result<_, _>>()?;
            Value::from_object(List::new(items, work))
        }
        serde_json::Value::Object(data) => fields(data, work, left)?,
    })
}

/// The value that is returned in place of data after the deadline.
///
/// Almost every use of it fails, and the rendering fails at the end. (An error value would fail immediately, but the
/// engine cannot compare two of them.)
const TOO_LATE: Value = Value::UNDEFINED;

impl List {
    pub(super) fn new(items: Vec<Value>, work: &Arc<Work>) -> Self {
        Self { items, work: Arc::clone(work) }
    }
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        if self.work.is_over() {
            return Some(TOO_LATE);
        }
        self.items.get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        if self.work.is_over() { Enumerator::Empty } else { Enumerator::Seq(self.items.len()) }
    }
}

impl Object for Fields {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        if self.work.is_over() { Some(TOO_LATE) } else { self.fields.get(key).cloned() }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        if self.work.is_over() {
            return Enumerator::Empty;
        }
        self.mapped_enumerator(|this| Box::new(this.fields.keys().map(|name| Value::from(name.as_str()))))
    }
}
