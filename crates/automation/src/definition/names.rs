//! The names that a template can use at its place in a plan.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::limits::definition::{LONGEST_ASKED, MOST_COMPARED};

/// The fields of `run` that every template can use.
const RUN: [&str; 10] = [
    "attempt",
    "automation_id",
    "automation_name",
    "automation_version",
    "creator",
    "id",
    "space",
    "started_at",
    "trigger_id",
    "trigger_type",
];

/// The names at one place of a plan, each with its members where these are known.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeMap<String, Option<BTreeSet<String>>>);

impl Names {
    /// The names for the first step.
    pub(super) fn at_the_start(inputs: &Map<String, Value>) -> Self {
        let mut names = Self::default();
        let open = inputs.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
        let members = inputs.get("properties").and_then(Value::as_object);
        let members = members.map(|members| members.keys().cloned().collect()).unwrap_or_default();
        names.0.insert("inputs".to_owned(), (!open).then_some(members));
        let run = RUN.into_iter().map(str::to_owned).collect();
        names.0.insert("run".to_owned(), Some(run));
        names
    }

    /// Adds the names for steps that run because another step failed.
    pub(super) fn after_a_failure(mut self) -> Self {
        if let Some(Some(run)) = self.0.get_mut("run") {
            run.extend(["error".to_owned(), "failed_step_id".to_owned()]);
        }
        self
    }

    /// Adds the name of a step's result. Returns `false` if the name is already taken.
    pub(super) fn add(&mut self, name: &str) -> bool {
        self.0.insert(name.to_owned(), None).is_none()
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Why a path such as `inputs.since` is unknown, with a suggestion.
    pub(super) fn complaint(&self, path: &str) -> Option<(String, Option<String>)> {
        let mut parts = path.split('.');
        let (root, member) = (parts.next().unwrap_or_default(), parts.next());
        let Some(members) = self.0.get(root) else {
            let near = nearest(root, self.0.keys().map(String::as_str));
            return Some((format!("unknown name `{root}`"), near));
        };
        let (Some(members), Some(member)) = (members, member) else { return None };
        if members.contains(member) {
            return None;
        }
        let near = nearest(member, members.iter().map(String::as_str)).map(|near| format!("{root}.{near}"));
        Some((format!("`{root}` has no `{member}`"), near))
    }
}

/// The known name that was most likely meant.
pub(super) fn nearest<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    if asked.len() > LONGEST_ASKED {
        return None;
    }
    // Names of very different length cannot be close, so they are skipped without a comparison.
    let alike = known.filter(|name| name.len().abs_diff(asked.len()) * 2 <= name.len());
    let mut left = MOST_COMPARED / asked.len().max(1);
    let few = alike.take_while(|name| {
        left = left.saturating_sub(name.len());
        left > 0
    });
    model::suggest(asked, few.map(str::to_owned)).into_iter().next()
}
