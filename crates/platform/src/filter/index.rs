//! An index over many filters: an event is checked only against those that can match it.
//!
//! Each filter is stored under a condition that it requires: a value of one path, the prefix of a text or, without
//! either, only its event type. An event is split into its paths once, and each path is looked up, independent of the
//! number of filters. The filters found are then evaluated completely.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

use serde_json::Value;

use super::{Filter, Node, Path, Scalar, Test};
use crate::limits::{
    filter::{MOST_KEYS, MOST_PLACES},
    path::DEEPEST,
};

/// Filters by a required condition. `K` identifies a filter.
#[derive(Debug)]
pub struct Index<K> {
    filters: HashMap<K, Entry>,
    types: HashMap<String, Shelf<K>>,
    /// Filters for all types.
    any_type: Shelf<K>,
}

#[derive(Debug)]
struct Entry {
    event_type: Option<String>,
    filter: Filter,
    keys: Vec<Need>,
}

/// The filters of one event type.
#[derive(Debug)]
struct Shelf<K> {
    equal: HashMap<(Path, Scalar), Vec<K>>,
    /// By path, then by length, then by prefix: an event's text is cut once for each length.
    prefix: HashMap<Path, BTreeMap<usize, HashMap<String, Vec<K>>>>,
    rest: Vec<K>,
}

/// A condition that a filter requires.
#[derive(Debug, Clone)]
enum Need {
    Equal(Path, Scalar),
    Prefix(Path, String),
    Nothing,
}

impl<K> Default for Shelf<K> {
    fn default() -> Self {
        Self { equal: HashMap::new(), prefix: HashMap::new(), rest: Vec::new() }
    }
}

impl<K: Clone + Eq + Hash> Default for Index<K> {
    fn default() -> Self {
        Self { filters: HashMap::new(), types: HashMap::new(), any_type: Shelf::default() }
    }
}

impl<K: Clone + Eq + Hash> Index<K> {
    /// Adds a filter for events of a type, or of any type; replaces the one with the same key.
    pub fn insert(&mut self, name: K, event_type: Option<&str>, filter: Filter) {
        self.remove(&name);
        let shelf = match event_type {
            Some(event_type) => self.types.entry(event_type.to_owned()).or_default(),
            None => &mut self.any_type,
        };
        let keys = shelf.best(&filter.node);
        for key in &keys {
            shelf.slot(key).push(name.clone());
        }
        let event_type = event_type.map(ToOwned::to_owned);
        self.filters.insert(name, Entry { event_type, filter, keys });
    }

    /// Removes a filter.
    pub fn remove(&mut self, name: &K) {
        let Some(entry) = self.filters.remove(name) else { return };
        let shelf = match &entry.event_type {
            Some(event_type) => self.types.get_mut(event_type),
            None => Some(&mut self.any_type),
        };
        if let Some(shelf) = shelf {
            entry.keys.iter().for_each(|key| shelf.take(key, name));
        }
    }

    /// The number of filters.
    pub fn len(&self) -> usize {
        self.filters.len()
    }

    /// Whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty()
    }

    /// The keys of the filters that match an event, without duplicates, in no order.
    pub fn matches(&self, event: &Value) -> Vec<K> {
        let of_type = event.get("type").and_then(Value::as_str).and_then(|found| self.types.get(found));
        let shelves: Vec<&Shelf<K>> = of_type.into_iter().chain(std::iter::once(&self.any_type)).collect();
        let mut found: Vec<&K> = Vec::new();
        let mut places = Places { left: MOST_PLACES, shelves: &shelves, found: &mut found };
        places.walk(event, &mut Path(Vec::with_capacity(DEEPEST)));
        let all_seen = places.left > 0;
        if !all_seen {
            // A very large event is checked against every filter of its type.
            return self.asked(event);
        }
        for shelf in &shelves {
            found.extend(&shelf.rest);
        }
        let mut met: Vec<K> = Vec::new();
        let mut seen = std::collections::HashSet::with_capacity(found.len());
        for name in found {
            let is_met =
                seen.insert(name) && self.filters.get(name).is_some_and(|entry| entry.filter.matches(event));
            if is_met {
                met.push(name.clone());
            }
        }
        met
    }

    fn asked(&self, event: &Value) -> Vec<K> {
        let event_type = event.get("type").and_then(Value::as_str);
        let met = self.filters.iter().filter(|(_, entry)| {
            entry.event_type.as_deref().is_none_or(|wanted| Some(wanted) == event_type)
                && entry.filter.matches(event)
        });
        met.map(|(name, _)| name.clone()).collect()
    }
}

impl<K: Clone + Eq> Shelf<K> {
    /// The conditions under which to store a filter: of all that it requires, the ones with the fewest other filters.
    fn best(&self, node: &Node) -> Vec<Need> {
        let keys = self.needs(node).unwrap_or_default();
        if keys.is_empty() || keys.len() > MOST_KEYS { vec![Need::Nothing] } else { keys }
    }

    /// Conditions of which a matching event fulfils at least one; `None` if there are none.
    fn needs(&self, node: &Node) -> Option<Vec<Need>> {
        match node {
            Node::Test(path, test) => needs_of(path, test),
            Node::All(nodes) => {
                nodes.iter().filter_map(|node| self.needs(node)).min_by_key(|keys| self.crowd(keys))
            }
            Node::Any(nodes) => {
                let mut keys = Vec::new();
                for node in nodes {
                    keys.extend(self.needs(node)?);
                }
                Some(keys).filter(|keys| !keys.is_empty())
            }
            Node::Not(_) => None,
        }
    }

    fn crowd(&self, keys: &[Need]) -> usize {
        let sizes = keys.iter().map(|key| match key {
            Need::Equal(path, value) => self.equal.get(&(path.clone(), value.clone())).map_or(0, Vec::len),
            // A prefix selects less than a value, all else being equal.
            Need::Prefix(path, start) => {
                let lengths = self.prefix.get(path).and_then(|lengths| lengths.get(&start.len()));
                1 + lengths.and_then(|starts| starts.get(start)).map_or(0, Vec::len) * 2
            }
            Need::Nothing => usize::MAX / 2,
        });
        sizes.fold(0, usize::saturating_add)
    }

    fn slot(&mut self, key: &Need) -> &mut Vec<K> {
        match key {
            Need::Equal(path, value) => self.equal.entry((path.clone(), value.clone())).or_default(),
            Need::Prefix(path, start) => {
                let lengths = self.prefix.entry(path.clone()).or_default();
                lengths.entry(start.len()).or_default().entry(start.clone()).or_default()
            }
            Need::Nothing => &mut self.rest,
        }
    }

    fn take(&mut self, key: &Need, name: &K) {
        let slot = self.slot(key);
        slot.retain(|kept| kept != name);
        if !slot.is_empty() {
            return;
        }
        // Empty entries are removed.
        match key {
            Need::Equal(path, value) => drop(self.equal.remove(&(path.clone(), value.clone()))),
            Need::Prefix(path, start) => {
                if let Some(lengths) = self.prefix.get_mut(path) {
                    if let Some(starts) = lengths.get_mut(&start.len()) {
                        starts.remove(start);
                    }
                    lengths.retain(|_, starts| !starts.is_empty());
                    if lengths.is_empty() {
                        self.prefix.remove(path);
                    }
                }
            }
            Need::Nothing => {}
        }
    }
}

fn needs_of(path: &Path, test: &Test) -> Option<Vec<Need>> {
    match test {
        Test::Equals(value) => Scalar::of(value).map(|value| vec![Need::Equal(path.clone(), value)]),
        Test::In(values) => {
            let keys =
                values.iter().map(|value| Scalar::of(value).map(|value| Need::Equal(path.clone(), value)));
            keys.collect()
        }
        Test::StartsWith(start) => Some(vec![Need::Prefix(path.clone(), start.clone())]),
        _ => None,
    }
}

/// The paths of an event, each looked up once.
struct Places<'p, 'i, K> {
    left: usize,
    shelves: &'p [&'i Shelf<K>],
    found: &'p mut Vec<&'i K>,
}

impl<K> Places<'_, '_, K> {
    fn walk(&mut self, value: &Value, at: &mut Path) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match value {
            Value::Object(fields) if at.0.len() < DEEPEST => {
                for (name, field) in fields {
                    at.0.push(name.clone());
                    self.walk(field, at);
                    at.0.pop();
                }
            }
            Value::Array(items) if at.0.len() < DEEPEST => {
                for (number, item) in items.iter().enumerate() {
                    at.0.push(number.to_string());
                    self.walk(item, at);
                    at.0.pop();
                }
            }
            // A filter cannot name a list or an object that is nested too deep.
            Value::Object(_) | Value::Array(_) => {}
            scalar => self.look_up(scalar, at),
        }
    }

    fn look_up(&mut self, value: &Value, at: &Path) {
        let Some(scalar) = Scalar::of(value) else { return };
        let key = (at.clone(), scalar);
        for shelf in self.shelves {
            self.found.extend(shelf.equal.get(&key).into_iter().flatten());
            let (Some(lengths), Some(text)) = (shelf.prefix.get(at), value.as_str()) else { continue };
            for (_, starts) in lengths.range(..=text.len()) {
                let length = starts.keys().next().map_or(0, String::len);
                let start = text.get(..length);
                self.found.extend(start.and_then(|start| starts.get(start)).into_iter().flatten());
            }
        }
    }
}
