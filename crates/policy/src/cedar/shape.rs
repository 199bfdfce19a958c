//! Shapes: what Cedar can say about the parameters of an action. A shape follows from the action's JSON Schema; what it
//! cannot express is absent, so that a policy that names it fails when it is saved and never in use.
//!
//! The values of a request are put together here as expressions, from parsed JSON. They never pass Cedar's JSON reader,
//! which takes `{"__entity": …}` of an agent for an entity.

use std::collections::BTreeMap;

use cedar_policy::RestrictedExpression;
use serde_json::{Map, Number, Value, json};

use crate::limits::policies::{DEEPEST_RECORD, DEEPEST_SCHEMA, MOST_FIELDS, MOST_REFERENCES, MOST_SCHEMAS};

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Text,
    /// An integer of 64 bits.
    Whole,
    /// A decimal with four places.
    Number,
    Truth,
    Record(Fields),
    /// A list of scalars, as a set.
    Set(Box<Shape>),
    /// The number of items of a list.
    Count,
}

/// The fields of a record. The count of a list is a field of its own, which is read from the list.
pub type Fields = BTreeMap<String, Field>;

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub shape: Shape,
    /// Whether a request always has it.
    pub is_required: bool,
    /// The property that a count is of.
    pub counts: Option<String>,
}

/// A place in the parameters whose value the shape cannot take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inexpressible(pub(crate) String);

/// The shape of the parameters of an action.
pub fn of_schema(schema: &Value) -> Fields {
    let mut reader = Reader { root: schema, fields: 0, steps: 0, nested: 0 };
    match reader.shape(schema, 0) {
        Some(Found { shape: Shape::Record(fields), .. }) => fields,
        _ => Fields::new(),
    }
}

/// The parameters as Cedar's values.
pub(crate) fn express(fields: &Fields, params: &Value) -> Result<RestrictedExpression, Inexpressible> {
    record(fields, params, "")
}

struct Reader<'s> {
    root: &'s Value,
    fields: usize,
    /// How many schemas were looked at: references make a small text large.
    steps: usize,
    /// How many schemas the present one is in: references make a text endless.
    nested: usize,
}

struct Found {
    shape: Shape,
    /// Whether `null` is allowed, too: Cedar has none, so the field is then absent.
    is_nullable: bool,
}

impl From<Shape> for Found {
    fn from(shape: Shape) -> Self {
        Self { shape, is_nullable: false }
    }
}

impl<'s> Reader<'s> {
    fn shape(&mut self, schema: &'s Value, depth: usize) -> Option<Found> {
        self.steps += 1;
        if self.nested >= DEEPEST_SCHEMA || self.steps > MOST_SCHEMAS {
            return None;
        }
        self.nested += 1;
        let found = self.shape_within(schema, depth);
        self.nested -= 1;
        found
    }

    fn shape_within(&mut self, schema: &'s Value, depth: usize) -> Option<Found> {
        let schema = self.resolve(schema)?;
        if let Some(only) = schema.get("const") {
            return self.constants(std::slice::from_ref(only));
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return self.constants(values);
        }
        // What stands beside a type can only narrow it, so the type holds whatever `allOf` or `if` say.
        let Some((word, is_nullable)) = type_of(schema) else {
            let choices = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
            return self.choice(choices, depth);
        };
        let shape = match word {
            "string" => Shape::Text,
            "integer" => Shape::Whole,
            "number" => Shape::Number,
            "boolean" => Shape::Truth,
            "object" => Shape::Record(self.record(schema, depth)?),
            "array" => Shape::Set(Box::new(self.item(schema, depth)?)),
            _ => return None,
        };
        Some(Found { shape, is_nullable })
    }

    /// Follows `#/$defs/…`.
    fn resolve(&self, mut schema: &'s Value) -> Option<&'s Map<String, Value>> {
        for _ in 0..MOST_REFERENCES {
            let fields = schema.as_object()?;
            match fields.get("$ref") {
                None => return Some(fields),
                Some(Value::String(place)) => schema = self.root.pointer(place.strip_prefix('#')?)?,
                Some(_) => return None,
            }
        }
        None
    }

    /// Of several schemas beside `null`, the shape that all of them have.
    fn choice(&mut self, choices: &'s Value, depth: usize) -> Option<Found> {
        let is_null = |schema: &Value| schema.get("type").and_then(Value::as_str) == Some("null");
        let choices = choices.as_array()?;
        let mut found: Option<Found> = None;
        for choice in choices.iter().filter(|schema| !is_null(schema)) {
            let Found { shape, is_nullable } = self.shape(choice, depth)?;
            match &mut found {
                Some(found) if found.shape == shape => found.is_nullable |= is_nullable,
                Some(_) => return None,
                None => found = Some(Found { shape, is_nullable }),
            }
        }
        let found = found?;
        Some(Found { is_nullable: found.is_nullable || choices.iter().any(is_null), ..found })
    }

    fn constants(&self, values: &[Value]) -> Option<Found> {
        let is_nullable = values.iter().any(Value::is_null);
        let mut shapes = values.iter().filter(|value| !value.is_null()).map(|value| match value {
            Value::String(_) => Some(Shape::Text),
            Value::Bool(_) => Some(Shape::Truth),
            Value::Number(number) if number.is_i64() => Some(Shape::Whole),
            _ => None,
        });
        let shape = shapes.next()??;
        shapes.all(|other| other.as_ref() == Some(&shape)).then_some(Found { shape, is_nullable })
    }

    fn record(&mut self, schema: &'s Map<String, Value>, depth: usize) -> Option<Fields> {
        if depth >= DEEPEST_RECORD {
            return None;
        }
        let properties = schema.get("properties")?.as_object()?;
        let always = schema.get("required").and_then(Value::as_array);
        let is_always = |name: &str| always.is_some_and(|names| names.iter().any(|one| one == name));
        let mut fields = Fields::new();
        for (name, property) in properties {
            self.fields += 1;
            // Cedar keeps names that begin so for itself.
            if self.fields > MOST_FIELDS || name.starts_with("__") {
                continue;
            }
            let is_list = self.resolve(property).is_some_and(is_list);
            let count = format!("{name}_count");
            if is_list && !properties.contains_key(&count) {
                let counts = Some(name.clone());
                let field = Field { shape: Shape::Count, is_required: is_always(name), counts };
                fields.insert(count, field);
            }
            if let Some(Found { shape, is_nullable }) = self.shape(property, depth + 1) {
                let is_required = is_always(name) && !is_nullable;
                fields.insert(name.clone(), Field { shape, is_required, counts: None });
            }
        }
        Some(fields)
    }

    /// The items of a list, if they are scalars.
    fn item(&mut self, schema: &'s Map<String, Value>, depth: usize) -> Option<Shape> {
        let Found { shape, is_nullable } = self.shape(schema.get("items")?, depth + 1)?;
        let is_scalar = matches!(shape, Shape::Text | Shape::Whole | Shape::Number | Shape::Truth);
        (is_scalar && !is_nullable).then_some(shape)
    }
}

fn is_list(schema: &Map<String, Value>) -> bool {
    type_of(schema).is_some_and(|(word, _)| word == "array")
}

/// The one type beside `null`.
fn type_of(schema: &Map<String, Value>) -> Option<(&str, bool)> {
    match schema.get("type") {
        None if schema.contains_key("properties") => Some(("object", false)),
        Some(Value::String(word)) => Some((word, false)),
        Some(Value::Array(words)) => {
            let mut words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let all = words.len();
            words.retain(|word| *word != "null");
            match words.as_slice() {
                [only] => Some((*only, all > 1)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn record(fields: &Fields, value: &Value, at: &str) -> Result<RestrictedExpression, Inexpressible> {
    let given = value.as_object().ok_or_else(|| Inexpressible(at.to_owned()))?;
    let mut pairs = Vec::with_capacity(fields.len());
    for (name, field) in fields {
        let place = format!("{at}/{name}");
        let found = given.get(field.counts.as_ref().unwrap_or(name)).filter(|found| !found.is_null());
        match found {
            Some(found) => pairs.push((name.clone(), express_as(&field.shape, found, &place)?)),
            // A count of nothing: `null` or no list at all.
            None if field.is_required && field.shape != Shape::Count => return Err(Inexpressible(place)),
            None if field.is_required => pairs.push((name.clone(), RestrictedExpression::new_long(0))),
            None => {}
        }
    }
    RestrictedExpression::new_record(pairs).map_err(|_| Inexpressible(at.to_owned()))
}

fn express_as(shape: &Shape, value: &Value, at: &str) -> Result<RestrictedExpression, Inexpressible> {
    let found = match (shape, value) {
        (Shape::Text, Value::String(text)) => Some(RestrictedExpression::new_string(text.clone())),
        (Shape::Truth, Value::Bool(truth)) => Some(RestrictedExpression::new_bool(*truth)),
        (Shape::Whole, Value::Number(number)) => whole(number).map(RestrictedExpression::new_long),
        (Shape::Number, Value::Number(number)) => decimal(number).map(RestrictedExpression::new_decimal),
        (Shape::Record(fields), value) => Some(record(fields, value, at)?),
        (Shape::Set(shape), Value::Array(items)) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| express_as(shape, item, at)).collect();
            Some(RestrictedExpression::new_set(items?))
        }
        (Shape::Count, Value::Array(items)) => {
            i64::try_from(items.len()).ok().map(RestrictedExpression::new_long)
        }
        _ => None,
    };
    found.ok_or_else(|| Inexpressible(at.to_owned()))
}

/// An integer of 64 bits, also where it is written as `5.0`.
pub(crate) fn whole(number: &Number) -> Option<i64> {
    if number.is_i64() || number.is_u64() {
        return number.as_i64();
    }
    let float = number.as_f64()?;
    // Beyond 2^53, a float stands for several integers.
    let is_exact = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    is_exact.then(|| format!("{float:.0}").parse().ok()).flatten()
}

/// A decimal with four places, rounded away from zero: a cap never passes by rounding.
pub(crate) fn decimal(number: &Number) -> Option<String> {
    let text = match (number.as_i64(), number.as_u64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(whole)) => whole.to_string(),
        // The shortest text that reads as this float, without an exponent.
        (None, None) => format!("{}", number.as_f64().filter(|float| float.is_finite())?),
    };
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
    let (kept, rest) = places.split_at_checked(4).unwrap_or((places, ""));
    let units = format!("{whole}{kept:0<4}").parse::<i128>().ok()?;
    let units = if rest.bytes().any(|digit| digit != b'0') { units + 1 } else { units };
    let is_within = units <= i128::from(i64::MAX);
    is_within.then(|| format!("{sign}{}.{:04}", units / 10_000, units % 10_000))
}

impl Shape {
    /// Its name in Cedar.
    pub fn name(&self) -> String {
        match self {
            Self::Text => "String".to_owned(),
            Self::Whole | Self::Count => "Long".to_owned(),
            Self::Number => "decimal".to_owned(),
            Self::Truth => "Bool".to_owned(),
            Self::Record(_) => "record".to_owned(),
            Self::Set(shape) => format!("Set<{}>", shape.name()),
        }
    }

    /// The type in a schema of Cedar.
    pub(crate) fn to_schema(&self) -> Value {
        match self {
            Self::Text => json!({ "type": "String" }),
            Self::Whole | Self::Count => json!({ "type": "Long" }),
            Self::Number => json!({ "type": "Extension", "name": "decimal" }),
            Self::Truth => json!({ "type": "Boolean" }),
            Self::Record(fields) => to_schema(fields),
            Self::Set(shape) => json!({ "type": "Set", "element": shape.to_schema() }),
        }
    }
}

/// A record in a schema of Cedar.
pub(crate) fn to_schema(fields: &Fields) -> Value {
    let attributes: Map<String, Value> = fields
        .iter()
        .map(|(name, field)| {
            let mut schema = field.shape.to_schema();
            schema
                .as_object_mut()
                .map(|schema| schema.insert("required".to_owned(), json!(field.is_required)));
            (name.clone(), schema)
        })
        .collect();
    json!({ "type": "Record", "attributes": attributes })
}

/// Every field with its path, for people who write policies.
pub fn paths(fields: &Fields) -> Vec<(String, &Field)> {
    let mut all = Vec::new();
    for (name, field) in fields {
        all.push((name.clone(), field));
        if let Shape::Record(inner) = &field.shape {
            all.extend(paths(inner).into_iter().map(|(path, field)| (format!("{name}.{path}"), field)));
        }
    }
    all
}
