//! What a fact is, and how it is written.

use jiff::{SignedDuration, Timestamp};
use model::{ActionDefinition, FactId, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Condition, Error,
    cedar::{self, Shape},
    limits::facts::{LONGEST_WINDOW, MOST_OF, MOST_SAME, SHORTEST_WINDOW, SLICES, SLICES_OF_VALUES},
};

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Whether there was one.
    Any,
    Count,
    /// The sum of a field. What is negative counts as zero, so that nothing lowers a sum.
    Sum,
    /// How many different values a field had.
    Distinct,
}

/// Which requests are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactState {
    /// All that have happened or still may: pending, approved, executing, succeeded or unknown.
    #[default]
    Counted,
    /// The same, and those that failed: their agent may have read what the target answered.
    Tried,
    Succeeded,
    Unknown,
    Denied,
}

/// Whose requests are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactScope {
    Session,
    Automation,
    Space,
    Org,
}

/// A fact as people write it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFact {
    pub name: String,
    pub kind: FactKind,
    /// Actions (`source.action`, `source.*`) and groups (`does:reads_untrusted`).
    pub of: Vec<String>,
    /// The field that is summed, or whose values are told apart: `input.amount_cents`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A condition on `input` and `output`.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<Value>,
    /// Fields that must be as in the present request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    #[serde(default)]
    pub state: FactState,
    /// `10m`, `1h`, `30d`
    pub within: String,
    pub per: FactScope,
}

/// A fact that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct FactDefinition {
    /// A nil ID before it is saved.
    pub id: FactId,
    /// As it was written.
    pub source: NewFact,
    pub within: SignedDuration,
    pub(crate) condition: Option<Condition>,
    /// The seconds of a slice of its window, by which its entries are added up; `None` where nothing is. Those that it was
    /// saved with, because its sums have them.
    pub(crate) slice_s: Option<i32>,
    /// From when on it has seen everything that it could.
    pub sees_since: Option<Timestamp>,
}

impl FactKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Distinct => "distinct",
        }
    }
}

impl FactState {
    /// The states of a request in which it counts.
    pub const fn statuses(self) -> &'static [Status] {
        match self {
            Self::Counted => {
                &[Status::Pending, Status::Approved, Status::Executing, Status::Succeeded, Status::Unknown]
            }
            Self::Tried => &[
                Status::Pending,
                Status::Approved,
                Status::Executing,
                Status::Succeeded,
                Status::Unknown,
                Status::Failed,
            ],
            Self::Succeeded => &[Status::Succeeded],
            Self::Unknown => &[Status::Unknown],
            Self::Denied => &[Status::Denied],
        }
    }

    /// Whether requests count in it from when they are claimed.
    pub(crate) const fn counts_at_once(self) -> bool {
        matches!(self, Self::Counted | Self::Tried)
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Tried => "tried",
            Self::Succeeded => "that succeeded",
            Self::Unknown => "with an unknown outcome",
            Self::Denied => "that were denied",
        }
    }
}

impl FactScope {
    const fn words(self) -> &'static str {
        match self {
            Self::Session => "per session",
            Self::Automation => "per automation",
            Self::Space => "per space",
            Self::Org => "in the organization",
        }
    }
}

impl FactDefinition {
    /// Checks a fact.
    pub fn new(source: NewFact) -> Result<Self, Error> {
        let wrong = |message: String| Err(Error::Fact(message));
        if !cedar::is_fact_name(&source.name) {
            return wrong("a name has 1 to 64 of a-z, 0-9 and `_`, and starts with a letter".to_owned());
        }
        if source.of.is_empty() || source.of.len() > MOST_OF {
            return wrong(format!("`of` must name 1 to {MOST_OF} actions"));
        }
        if let Some(unknown) = source.of.iter().find(|key| !is_key(key)) {
            return wrong(format!(
                "`{unknown}` is no action: write `source.action`, `source.*` or a group such as `does:sends_out`"
            ));
        }
        let needs_field = matches!(source.kind, FactKind::Sum | FactKind::Distinct);
        if needs_field != source.field.is_some() {
            let words = if needs_field { "needs a `field`" } else { "has no `field`" };
            return wrong(format!("a fact of this kind {words}"));
        }
        if source.same.len() > MOST_SAME {
            return wrong(format!("`same` may name at most {MOST_SAME} fields"));
        }
        if let Some(bad) = source.same.iter().find(|path| !path.starts_with("input.")) {
            return wrong(format!("`{bad}` is no field of the request: write `input.NAME`"));
        }
        if let Some(bad) =
            source.field.iter().find(|path| !path.starts_with("input.") && !path.starts_with("output."))
        {
            return wrong(format!("`{bad}` is no field: write `input.NAME` or `output.NAME`"));
        }
        let within = window(&source.within)?;
        let condition = source.condition.as_ref().map(Condition::parse).transpose()?;
        let (id, slice_s) = (FactId::from_uuid(uuid::Uuid::nil()), slice(source.kind, within));
        let fact = Self { id, source, within, condition, slice_s, sees_since: None };
        if fact.needs_output() && !matches!(fact.source.state, FactState::Succeeded) {
            return wrong("a fact that reads `output` needs `state` to be `succeeded`".to_owned());
        }
        Ok(fact)
    }

    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Whether requests for this action are looked at.
    pub fn is_of(&self, definition: &ActionDefinition) -> bool {
        is_of(&self.source.of, definition)
    }

    /// Checks that its fields are there, with the right type, in every action of the catalog that it looks at. A sum over a
    /// field that is a text would be zero for ever.
    pub fn check(&self, actions: &[&ActionDefinition]) -> Result<(), Error> {
        let fields = self.source.field.iter().map(|field| (field, matches!(self.source.kind, FactKind::Sum)));
        let same = self.source.same.iter().map(|field| (field, false));
        let wanted: Vec<_> = fields.chain(same).collect();
        for action in actions.iter().filter(|action| self.is_of(action)) {
            let shape = cedar::of_schema(&action.input_schema);
            let known = cedar::paths(&shape);
            for (path, must_be_number) in &wanted {
                let Some(name) = path.strip_prefix("input.") else { continue };
                let found = known.iter().find(|(path, _)| path == name).map(|(_, field)| &field.shape);
                let is_scalar =
                    matches!(found, Some(Shape::Text | Shape::Truth | Shape::Whole | Shape::Number));
                let is_number = matches!(found, Some(Shape::Whole | Shape::Number));
                if !is_scalar || (*must_be_number && !is_number) {
                    let what = if *must_be_number { "number" } else { "single value" };
                    return Err(Error::Fact(format!("`{path}` is no {what} of `{}`", action.address)));
                }
            }
        }
        Ok(())
    }

    /// Whether it names the action or its source, and not only a group that the action is in.
    pub fn names(&self, definition: &ActionDefinition) -> bool {
        name(&self.source.of, definition)
    }

    /// Whether it reads the results of requests, which are known only at their end.
    pub fn needs_output(&self) -> bool {
        let reads = |path: &str| path.starts_with("output.") || path.starts_with("/output/");
        self.source.field.as_deref().is_some_and(reads)
            || self.source.condition.as_ref().is_some_and(mentions_output)
    }

    /// Whether two requests at once could each miss the other: then they wait for each other.
    pub const fn is_cap(&self) -> bool {
        self.source.state.counts_at_once()
    }

    /// What it is, in words.
    pub fn words(&self) -> String {
        let NewFact { kind, of, field, same, state, within, per, .. } = &self.source;
        let of = of.join(", ");
        let field = field.as_deref().unwrap_or_default();
        let what = match kind {
            FactKind::Any => format!("any {of}"),
            FactKind::Count => format!("number of {of}"),
            FactKind::Sum => format!("sum of {field} of {of}"),
            FactKind::Distinct => format!("different values of {field} of {of}"),
        };
        let condition =
            self.condition.as_ref().map(|one| format!(" where {}", one.words())).unwrap_or_default();
        let same =
            if same.is_empty() { String::new() } else { format!(" with the same {}", same.join(", ")) };
        format!("{what}, {}, within {within}{condition}{same}, {}", state.words(), per.words())
    }
}

/// Whether one of these keys is for the action: by its name, by its source, or by one of its groups.
pub(crate) fn is_of(keys: &[String], definition: &ActionDefinition) -> bool {
    name(keys, definition) || cedar::groups(definition).iter().any(|group| keys.contains(group))
}

/// Whether one of these keys names the action or its source.
fn name(keys: &[String], definition: &ActionDefinition) -> bool {
    let source = &definition.address.source;
    let names = [definition.address.to_string(), format!("{source}.*"), format!("source:{source}")];
    names.iter().any(|name| keys.contains(name))
}

/// Whether a text names an action, all actions of a source, or a group of actions.
pub(crate) fn is_key(key: &str) -> bool {
    if let Some((kind, name)) = key.split_once(':') {
        let is_word = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        return matches!(kind, "source" | "risk" | "effect" | "does") && is_word;
    }
    match key.split_once('.') {
        Some((source, "*")) => source.parse::<model::SourceSlug>().is_ok(),
        _ => key.parse::<model::ActionAddress>().is_ok(),
    }
}

fn mentions_output(condition: &Value) -> bool {
    match condition {
        Value::Object(fields) => fields.iter().any(|(name, inner)| {
            name == "output"
                || name.starts_with("output.")
                || name.starts_with("/output")
                || mentions_output(inner)
        }),
        Value::Array(items) => items.iter().any(mentions_output),
        _ => false,
    }
}

/// The seconds of a slice of a window.
fn slice(kind: FactKind, window: SignedDuration) -> Option<i32> {
    let slices = match kind {
        // One entry is read.
        FactKind::Any => return None,
        FactKind::Count | FactKind::Sum => SLICES,
        FactKind::Distinct => SLICES_OF_VALUES,
    };
    i32::try_from(window.as_secs() / slices).ok().map(|seconds| seconds.max(1))
}

/// `10m`, `1h` or `30d`.
fn window(text: &str) -> Result<SignedDuration, Error> {
    let wrong =
        || Error::Fact("`within` must be between `1m` and `30d`, such as `10m`, `1h` or `7d`".to_owned());
    let (at, unit) = text.char_indices().last().ok_or_else(wrong)?;
    let count: i64 = text.get(..at).and_then(|count| count.parse().ok()).ok_or_else(wrong)?;
    let minutes = match unit {
        'm' => Some(count),
        'h' => count.checked_mul(60),
        'd' => count.checked_mul(24 * 60),
        _ => None,
    };
    let window = minutes.and_then(SignedDuration::try_from_mins).ok_or_else(wrong)?;
    (SHORTEST_WINDOW..=LONGEST_WINDOW).contains(&window).then_some(window).ok_or_else(wrong)
}
