//! What a template may name at its place in a plan.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::limits::definition::{LONGEST_ASKED, MOST_COMPARED};

/// What is known of a run to every template.
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

/// The names at one place of a plan, each with the members it has, where those are known.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeMap<String, Option<BTreeSet<String>>>);

impl Names {
    /// What the first step may name.
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

    /// What a step may name that runs because another failed.
    pub(super) fn after_a_failure(mut self) -> Self {
        if let Some(Some(run)) = self.0.get_mut("run") {
            run.extend(["error".to_owned(), "failed_step_id".to_owned()]);
        }
        self
    }

    /// What a step's result is called from then on. Says `false` when something is called so already.
    pub(super) fn add(&mut self, name: &str) -> bool {
        self.0.insert(name.to_owned(), None).is_none()
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Why a path such as `inputs.since` names nothing, and what was perhaps meant.
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

/// The name that was most likely meant.
pub(super) fn nearest<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    if asked.len() > LONGEST_ASKED {
        return None;
    }
    // What is much shorter or longer is not near, and need not be compared to know that.
    let alike = known.filter(|name| name.len().abs_diff(asked.len()) * 2 <= name.len());
    let mut left = MOST_COMPARED / asked.len().max(1);
    let few = alike.take_while(|name| {
        left = left.saturating_sub(name.len());
        left > 0
    });
    model::suggest(asked, few.map(str::to_owned)).into_iter().next()
}
