//! Checks before a policy is saved: whether its names and types are right for every action that it is for.

use std::collections::BTreeMap;

use cedar_policy::{Schema, ValidationMode, Validator};
use miette::Diagnostic;
use model::{ActionDefinition, suggest};
use serde_json::{Map, Value, json};

use super::{Problem, Severity, Statement, groups, shape};
use crate::limits::policies::{MOST_FACTS, MOST_VALIDATED, STACK};

/// What policies may name.
#[derive(Debug, Default)]
pub struct Catalog<'a> {
    pub actions: Vec<&'a ActionDefinition>,
    /// The facts, and whether each is a number; otherwise it is a yes or no.
    pub facts: BTreeMap<String, bool>,
    pub spaces: Vec<String>,
}

impl Catalog<'_> {
    /// The actions that a policy is for.
    pub fn covered<'s>(&'s self, statement: &'s Statement) -> impl Iterator<Item = &'s ActionDefinition> {
        self.actions.iter().copied().filter(|action| statement.is_for(action))
    }

    fn all_groups(&self) -> Vec<String> {
        let mut all: Vec<String> = self.actions.iter().flat_map(|action| groups(action)).collect();
        // A policy for all of a kind may be written before there is one.
        all.extend(["R0", "R1", "R2", "R3", "R4"].map(|risk| format!("risk:{risk}")));
        all.extend(["read", "keyed", "checkable", "once"].map(|effect| format!("effect:{effect}")));
        all.extend(["reads_untrusted", "reads_private", "sends_out"].map(|does| format!("does:{does}")));
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The problems of a policy. An error keeps it from being saved.
pub fn check(statement: &Statement, catalog: &Catalog<'_>) -> Vec<Problem> {
    stacker::grow(STACK, || check_within(statement, catalog))
}

fn check_within(statement: &Statement, catalog: &Catalog<'_>) -> Vec<Problem> {
    let problems = names(statement, catalog);
    if !problems.is_empty() {
        return problems;
    }
    let mut covered: Vec<&ActionDefinition> = catalog.covered(statement).collect();
    if covered.is_empty() {
        let message = "no action of the catalog is in one of the groups that it names, so it never holds";
        return vec![Problem { severity: Severity::Warning, ..Problem::error(message) }];
    }
    // Actions differ in their input alone, so what does not read it need not be validated for each of thousands.
    if !statement.reads.input {
        covered.truncate(MOST_VALIDATED);
    }
    let schema = match Schema::from_json_value(schema(&covered, catalog)) {
        Ok(schema) => schema,
        Err(error) => {
            return vec![Problem::error(format!("the catalog cannot be put into a schema: {error}"))];
        }
    };
    let policies = match cedar_policy::PolicySet::from_policies([statement.policy.clone()]) {
        Ok(policies) => policies,
        Err(error) => return vec![Problem::error(error.to_string())],
    };
    let found = Validator::new(schema).validate(&policies, ValidationMode::Strict);
    let problem = |found: &dyn Diagnostic, severity| Problem::of(&statement.text, found, severity);
    let errors = found.validation_errors().map(|error| problem(error, Severity::Error));
    let warnings = found.validation_warnings().map(|warning| problem(warning, Severity::Warning));
    let mut all: Vec<Problem> = Vec::new();
    for one in errors.chain(warnings) {
        // The same place is wrong for every action that it covers.
        if !all.contains(&one) {
            all.push(Problem { message: plain(&one.message, statement), ..one });
        }
    }
    all
}

/// Cedar's messages begin with the name of the policy, which people see beside it.
fn plain(message: &str, statement: &Statement) -> String {
    let prefix = format!("for policy `{}`, ", statement.name);
    message.strip_prefix(&prefix).unwrap_or(message).to_owned()
}

/// Names of actions, groups, spaces, sources and facts that do not exist.
fn names(statement: &Statement, catalog: &Catalog<'_>) -> Vec<Problem> {
    let addresses: Vec<String> = catalog.actions.iter().map(|action| action.address.to_string()).collect();
    let mut sources: Vec<String> =
        catalog.actions.iter().map(|action| action.address.source.to_string()).collect();
    sources.dedup();
    let actions: Vec<String> = addresses.into_iter().chain(catalog.all_groups()).collect();
    let mut problems = Vec::new();
    for (kind, id) in statement.entities() {
        let (what, known) = match kind.as_str() {
            "Action" => ("action", &actions),
            "Space" => ("space", &catalog.spaces),
            "Source" => ("source", &sources),
            _ => continue,
        };
        if !known.contains(&id) {
            problems.push(unknown(statement, what, &id, known));
        }
    }
    let facts: Vec<String> = catalog.facts.keys().cloned().collect();
    for fact in statement.reads.facts.iter().filter(|fact| !catalog.facts.contains_key(*fact)) {
        problems.push(unknown(statement, "fact", fact, &facts));
    }
    if statement.reads.facts.len() > MOST_FACTS {
        problems.push(Problem::error(format!("a policy may use at most {MOST_FACTS} facts")));
    }
    problems
}

fn unknown(statement: &Statement, what: &str, name: &str, known: &[String]) -> Problem {
    let text = &statement.text;
    Problem {
        help: suggest(name, known.iter().cloned()).first().map(|near| format!("did you mean `{near}`?")),
        place: text.find(name).map(|at| super::Place::of(text, at, name.len())),
        ..Problem::error(format!("the {what} `{name}` does not exist"))
    }
}

/// A schema of Cedar with these actions.
pub(super) fn schema(actions: &[&ActionDefinition], catalog: &Catalog<'_>) -> Value {
    let text = json!({ "type": "String" });
    let record = |attributes: Value| json!({ "type": "Record", "attributes": attributes });
    let whole = json!({ "type": "Long" });
    let facts: Map<String, Value> = catalog
        .facts
        .iter()
        .map(|(name, is_number)| {
            (name.clone(), json!({ "type": if *is_number { "Long" } else { "Boolean" } }))
        })
        .collect();
    let now = record(json!({ "hour": whole, "minute": whole, "weekday": whole, "date": text }));
    let mut declared: Map<String, Value> =
        catalog.all_groups().into_iter().map(|group| (group, json!({}))).collect();
    for action in actions {
        let member_of: Vec<Value> = groups(action).into_iter().map(|group| json!({ "id": group })).collect();
        let context = json!({
            "input": shape::to_schema(&shape::of_schema(&action.input_schema)),
            "text": text,
            "domains": { "type": "Set", "element": text },
            "now": now,
            "history": record(Value::Object(facts.clone())),
            "asked": text,
        });
        let applies =
            json!({ "principalTypes": ["Session"], "resourceTypes": ["Source"], "context": record(context) });
        declared.insert(action.address.to_string(), json!({ "memberOf": member_of, "appliesTo": applies }));
    }
    // Others may be named in a condition.
    for action in &catalog.actions {
        declared.entry(action.address.to_string()).or_insert_with(|| json!({}));
    }
    let session = record(json!({ "agent": text, "unattended": { "type": "Boolean" }, "opened_by": text }));
    json!({ "": {
        "entityTypes": {
            "Session": { "memberOfTypes": ["Space", "Automation"], "shape": session },
            "Space": { "shape": record(json!({ "band": text })) },
            "Automation": {},
            "Source": { "shape": record(json!({ "trust": text })) },
        },
        "actions": declared,
    } })
}
