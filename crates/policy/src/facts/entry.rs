//! What a request contributes to facts, and what it sees of them.

use jiff::Timestamp;
use model::{ActionDefinition, AutomationId, FactId, SessionId, SpaceId};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::definition::{FactDefinition, FactKind, FactScope};
use crate::cedar;

/// Hashes with the organization's key: equal values stay comparable, and nobody without the key can guess them.
pub type Hasher<'h> = &'h (dyn Fn(&[u8]) -> [u8; 32] + Sync);

/// The hash of a value with a key of the organization.
pub fn keyed_hash(key: &[u8], value: &[u8]) -> [u8; 32] {
    use hmac::{KeyInit as _, Mac as _};
    // HMAC takes keys of every length.
    let Ok(mut mac) = hmac::Hmac::<sha2::Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(b"countersign fact v1");
    mac.update(value);
    mac.finalize().into_bytes().into()
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub session: SessionId,
    pub automation: Option<AutomationId>,
    pub space: SpaceId,
}

/// What one request, or one part of a batch, contributes to one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub fact: FactId,
    pub scope: Uuid,
    /// The number of the part of a batch; 0 for a single action.
    pub part: i16,
    /// 1 for facts that count.
    pub amount: i64,
    /// A hash of the value, for facts that tell values apart.
    pub value: Option<[u8; 32]>,
    /// A hash of the fields that must be the same; empty if there are none.
    pub same: Vec<u8>,
}

/// A fact as a request sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    pub fact: FactId,
    pub scope: Uuid,
    pub same: Vec<u8>,
    pub kind: FactKind,
    /// Earlier requests are outside of the window.
    pub since: Timestamp,
    /// Where the first slice begins that is inside of the window as a whole.
    pub slices_since: Timestamp,
}

/// The action of a request with its parameters, and its result where it is known.
#[derive(Clone, Copy)]
pub struct Contribution<'a> {
    pub definition: &'a ActionDefinition,
    pub input: &'a Value,
    pub output: Option<&'a Value>,
    pub part: i16,
    /// Whether it is a batch: facts about groups of actions look at its parts.
    pub has_parts: bool,
}

impl FactDefinition {
    /// The ID of the scope that a request is in; `None` if it is in none, as an interactive session is in no automation.
    fn scope(&self, place: Place) -> Option<Uuid> {
        match self.source.per {
            FactScope::Session => Some(place.session.uuid()),
            FactScope::Automation => place.automation.map(AutomationId::uuid),
            FactScope::Space => Some(place.space.uuid()),
            FactScope::Org => Some(Uuid::nil()),
        }
    }

    /// What a request contributes; `None` if the fact does not look at it.
    pub fn entry(&self, place: Place, of: Contribution<'_>, hash: Hasher<'_>) -> Option<Entry> {
        if !self.is_of(of.definition) || of.has_parts && !self.names(of.definition) {
            return None;
        }
        let mut whole = Map::new();
        if self.condition.is_some() || self.source.field.is_some() {
            whole.insert("input".to_owned(), of.input.clone());
            whole.extend(of.output.map(|output| ("output".to_owned(), output.clone())));
        }
        let whole = Value::Object(whole);
        if self.condition.as_ref().is_some_and(|condition| !condition.holds(Some(&whole))) {
            return None;
        }
        let field = self.source.field.as_deref().and_then(|path| find(&whole, path));
        let (amount, value) = match self.source.kind {
            FactKind::Any | FactKind::Count => (1, None),
            FactKind::Sum => (amount(field?), None),
            FactKind::Distinct => (1, Some(hash(notation(field?).to_string().as_bytes()))),
        };
        let (scope, same) = (self.scope(place)?, self.same(of.input, hash)?);
        Some(Entry { fact: self.id, scope, part: of.part, amount, value, same })
    }

    /// What a request with these parameters sees. The outer `None`: it cannot be told, because a field that must be the same
    /// is missing; the inner one: the fact is about automations, and this is none.
    pub fn lookup(
        &self,
        place: Place,
        input: &Value,
        now: Timestamp,
        hash: Hasher<'_>,
    ) -> Option<Option<Lookup>> {
        let same = self.same(input, hash)?;
        let since = now.checked_sub(self.within).unwrap_or(Timestamp::MIN);
        let slices_since = first_slice(since, self.slice_s);
        let lookup =
            |scope| Lookup { fact: self.id, scope, same, kind: self.source.kind, since, slices_since };
        Some(self.scope(place).map(lookup))
    }

    fn same(&self, input: &Value, hash: Hasher<'_>) -> Option<Vec<u8>> {
        if self.source.same.is_empty() {
            return Some(vec![]);
        }
        let whole = Value::Object([("input".to_owned(), input.clone())].into_iter().collect());
        let fields = self.source.same.iter().map(|path| find(&whole, path).map(notation));
        let fields: Option<Vec<Value>> = fields.collect();
        Some(hash(Value::Array(fields?).to_string().as_bytes()).to_vec())
    }
}

/// The first slice that does not begin before this. Slices are counted from 1970.
fn first_slice(since: Timestamp, slice_s: Option<i32>) -> Timestamp {
    let (Some(slice), micros) =
        (slice_s.map(|seconds| i64::from(seconds) * 1_000_000), since.as_microsecond())
    else {
        return since;
    };
    let begins = micros.div_euclid(slice) * slice;
    let next = if begins == micros { begins } else { begins.saturating_add(slice) };
    Timestamp::from_microsecond(next).unwrap_or(Timestamp::MAX)
}

/// A scalar at a dotted path.
fn find<'v>(whole: &'v Value, path: &str) -> Option<&'v Value> {
    let found = path.split('.').try_fold(whole, |found, name| found.get(name))?;
    (!found.is_null() && !found.is_array() && !found.is_object()).then_some(found)
}

/// A scalar in one notation: `7.0` is the same value as `7`, also for those who would rather be somebody else.
fn notation(value: &Value) -> Value {
    match value {
        Value::Number(number) => match (cedar::whole(number), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(float)) => float.into(),
            (None, None) => value.clone(),
        },
        value => value.clone(),
    }
}

/// A value as an amount: rounded up, never below zero, and as much as fits.
fn amount(value: &Value) -> i64 {
    let Value::Number(number) = value else { return 0 };
    if let Some(whole) = cedar::whole(number) {
        return whole.max(0);
    }
    match number.as_f64() {
        Some(float) if float <= 0.0 => 0,
        // Beyond the range, Rust's conversion takes the largest number.
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        Some(float) => float.ceil() as i64,
        None => i64::MAX,
    }
}
