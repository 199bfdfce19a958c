//! Comparing policies with a solver: is there any request that the changed policies let through, and today's stop?
//!
//! All requests are looked at, not only those of the past; facts may have any value. An example that the solver finds is
//! evaluated before it is told, with the rule that a policy that cannot be evaluated holds. Requests for which one of
//! today's policies cannot be evaluated are not compared.

use std::collections::{BTreeMap, BTreeSet};

use cedar_policy::{Authorizer, Decision, Policy, RequestEnv, Schema};
use cedar_policy_symcc::{CedarSymCompiler, CompiledPolicySet, Env, solver::LocalSolver};
use model::{ActionDefinition, Mode};
use serde_json::{Map, Value, json};
use tokio::{process::Command, time::timeout};

use super::{Catalog, Shape, Statement, check, groups, shape};
use crate::limits::policies::{LONGEST_SOLVING, MOST_COMPARED};

/// What a change of policies does to the requests for one action, and for others like it.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    pub action: String,
    /// How many other actions have the same answer.
    pub alike: usize,
    pub found: Found,
}

/// Whether a change lets anything through.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Nothing,
    Loosened(Box<Example>),
    /// Why it cannot be told.
    Unknown(String),
}

/// A request that the change treats less strictly.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    pub params: Value,
    pub history: Value,
    /// The mode that today's policies give, and the one that the changed ones give.
    pub before: Mode,
    pub after: Mode,
    /// Today's policies that hold.
    pub held: Vec<String>,
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    #[error("the solver cannot be started")]
    Missing(#[source] std::io::Error),
}

/// How strict a policy is: its mode, and how many people it asks.
type Rank = (Mode, u32);

impl Statement {
    fn rank(&self) -> Rank {
        (self.mode, self.approvers.unwrap_or(1))
    }
}

/// Policies before and after a change.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    pub before: &'a [Statement],
    pub after: &'a [Statement],
}

impl<'a> Sides<'a> {
    /// The policies that are for an action.
    fn of(&self, action: &ActionDefinition) -> [Vec<&'a Statement>; 2] {
        [self.before, self.after].map(|all| all.iter().filter(|one| one.is_for(action)).collect())
    }
}

/// The version that a solver tells of itself.
pub async fn version(solver: &str) -> Result<String, SolverError> {
    let mut command = Command::new(solver);
    command.arg("--version").env_clear().kill_on_drop(true);
    let asked = timeout(LONGEST_SOLVING, command.output()).await;
    let output = asked.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()));
    let output = output.map_err(SolverError::Missing)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or_default().trim();
    Ok(line.strip_prefix("This is ").unwrap_or(line).chars().take(100).collect())
}

/// Compares policies for every action that one of those with these names is for.
pub async fn compare(
    solver: &str,
    sides: Sides<'_>,
    changed: &BTreeSet<String>,
    catalog: &Catalog<'_>,
) -> Vec<Compared> {
    let mut groups: BTreeMap<String, Vec<&ActionDefinition>> = BTreeMap::new();
    for action in &catalog.actions {
        let [before, after] = sides.of(action);
        if before.iter().chain(&after).any(|one| changed.contains(&one.name)) {
            groups.entry(signature(action, &before, &after)).or_default().push(action);
        }
    }
    let mut all = Vec::new();
    for alike in groups.into_values() {
        let Some((action, others)) = alike.split_first() else { continue };
        let found = if all.len() < MOST_COMPARED {
            let comparing = timeout(LONGEST_SOLVING, compare_one(solver, sides, action, catalog));
            comparing.await.unwrap_or_else(|_| Found::Unknown("the solver took too long".to_owned()))
        } else {
            Found::Unknown(format!("only {MOST_COMPARED} kinds of actions are compared at once"))
        };
        all.push(Compared { action: action.address.to_string(), alike: others.len(), found });
    }
    all
}

/// Equal for actions that no policy can tell apart.
fn signature(action: &ActionDefinition, before: &[&Statement], after: &[&Statement]) -> String {
    let address = action.address.to_string();
    let all = || before.iter().chain(after);
    let names = |what: &str| all().any(|one| one.entities().iter().any(|(_, id)| id == what));
    let input = all().any(|one| one.reads.input).then(|| shape::of_schema(&action.input_schema));
    let own = names(&address).then_some(&address);
    let source = names(action.address.source.as_str()).then_some(action.address.source.as_str());
    let texts: Vec<&str> = all().map(|one| one.name.as_str()).collect();
    let named: Vec<String> = groups(action).into_iter().filter(|group| names(group)).collect();
    format!("{own:?} {source:?} {named:?} {texts:?} {input:?}")
}

async fn compare_one(
    solver: &str,
    sides: Sides<'_>,
    action: &ActionDefinition,
    catalog: &Catalog<'_>,
) -> Found {
    let [before, after] = sides.of(action);
    let ranks: BTreeSet<Rank> = before.iter().map(|one| one.rank()).collect();
    let mut unknown = None;
    // The strictest first: what was denied and now is only asked about matters most.
    for rank in ranks.into_iter().rev() {
        let at_least = |all: &[&Statement]| -> Vec<Statement> {
            all.iter().filter(|one| one.rank() >= rank).map(|one| (*one).clone()).collect()
        };
        let tier = [at_least(&before), at_least(&after)];
        match solve(solver, &tier, action, catalog).await {
            Ok(None) => {}
            Ok(Some(env)) => match example(&env, &before, &after) {
                Some(example) => return Found::Loosened(Box::new(example)),
                None => {
                    unknown.get_or_insert_with(|| {
                        "it differs only for requests for which the changed policy cannot be evaluated; it holds for them"
                            .to_owned()
                    });
                }
            },
            Err(error) => unknown = Some(error),
        }
    }
    unknown.map_or(Found::Nothing, Found::Unknown)
}

/// A request that the second set allows and the first one forbids.
async fn solve(
    solver: &str,
    [before, after]: &[Vec<Statement>; 2],
    action: &ActionDefinition,
    catalog: &Catalog<'_>,
) -> Result<Option<Env>, String> {
    let unusable =
        |error: &dyn std::fmt::Display| format!("it cannot be put into a form for the solver: {error}");
    let facts: BTreeMap<String, bool> = catalog
        .facts
        .iter()
        .filter(|(name, _)| before.iter().chain(after).any(|one| one.reads.facts.contains(*name)))
        .map(|(name, is_number)| (name.clone(), *is_number))
        .collect();
    let named: BTreeSet<String> =
        before.iter().chain(after).flat_map(Statement::entities).map(|(_, id)| id).collect();
    let mut actions = vec![action];
    actions.extend(
        catalog
            .actions
            .iter()
            .filter(|one| one.address != action.address && named.contains(&one.address.to_string())),
    );
    let narrow = Catalog { actions, facts, spaces: catalog.spaces.clone() };
    let schema =
        Schema::from_json_value(check::schema(&[action], &narrow)).map_err(|error| unusable(&error))?;
    let env = schema.request_envs().next().ok_or("the action cannot be requested")?;
    let sensible = sensible(action, &narrow.facts).map_err(|error| unusable(&error))?;
    let compiled = |all: &[Statement]| compiled(all, &sensible, &env, &schema);
    let (before, after) = (compiled(before)?, compiled(after)?);
    let mut command = Command::new(solver);
    let limit = format!("--tlimit={}", LONGEST_SOLVING.as_millis());
    command.args(["--lang", "smt", "--strings-exp", &limit]).env_clear().kill_on_drop(true);
    let solver = LocalSolver::from_command(&mut command).map_err(|error| error.to_string())?;
    let mut compiler = CedarSymCompiler::new(solver).map_err(|error| error.to_string())?;
    compiler
        .check_implies_with_counterexample_opt(&after, &before)
        .await
        .map_err(|error| format!("the solver found no answer: {error}"))
}

fn compiled(
    all: &[Statement],
    sensible: &[Policy],
    env: &RequestEnv,
    schema: &Schema,
) -> Result<CompiledPolicySet, String> {
    let policies = all.iter().map(|one| one.policy.clone()).chain(sensible.iter().cloned());
    let set = cedar_policy::PolicySet::from_policies(policies).map_err(|error| error.to_string())?;
    CompiledPolicySet::compile(&set, env, schema)
        .map_err(|error| format!("it cannot be put into a form for the solver: {error}"))
}

/// Policies for both sides that forbid what cannot be, so that it is no example: the 31st hour, a count below zero.
fn sensible(action: &ActionDefinition, facts: &BTreeMap<String, bool>) -> Result<Vec<Policy>, String> {
    let mut conditions = vec![
        "context.now.hour >= 0 && context.now.hour <= 23".to_owned(),
        "context.now.minute >= 0 && context.now.minute <= 59".to_owned(),
        "context.now.weekday >= 1 && context.now.weekday <= 7".to_owned(),
        r#"["allow", "require_approval"].contains(context.asked)"#.to_owned(),
    ];
    let numbers = facts.iter().filter(|(_, is_number)| **is_number);
    conditions.extend(numbers.map(|(name, _)| format!("context.history.{name} >= 0")));
    for (name, field) in shape::of_schema(&action.input_schema) {
        if field.shape == Shape::Count {
            let name = json!(name);
            let holds = format!("context.input[{name}] >= 0");
            conditions.push(if field.is_required {
                holds
            } else {
                format!("if context.input has {name} then {holds} else true")
            });
        }
    }
    let mut all = vec![("permit (principal, action, resource);".to_owned())];
    all.extend(
        conditions
            .into_iter()
            .map(|condition| format!("forbid (principal, action, resource) unless {{ {condition} }};")),
    );
    let parsed = all.iter().enumerate().map(|(number, text)| {
        // An `@id` holds no space, so no policy has this name.
        let id = cedar_policy::PolicyId::new(format!("sensible {number}"));
        Policy::parse(Some(id), text).map_err(|error| error.to_string())
    });
    parsed.collect()
}

/// The example, if it is one also where a policy that cannot be evaluated holds.
fn example(env: &Env, before: &[&Statement], after: &[&Statement]) -> Option<Example> {
    let (was, is) = (holding(env, before), holding(env, after));
    let strictest = |held: &[&Statement]| held.iter().map(|one| one.rank()).max().unwrap_or((Mode::Allow, 0));
    if strictest(&is) >= strictest(&was) {
        return None;
    }
    let context = env.request.context()?.to_json_value().ok()?;
    let field = |name: &str| context.get(name).map_or_else(|| Value::Object(Map::new()), plain);
    Some(Example {
        params: field("input"),
        history: field("history"),
        before: strictest(&was).0,
        after: strictest(&is).0,
        held: was.iter().map(|one| one.name.clone()).collect(),
    })
}

fn holding<'a>(env: &Env, all: &[&'a Statement]) -> Vec<&'a Statement> {
    let is_held = |one: &&&Statement| {
        let set = cedar_policy::PolicySet::from_policies([one.policy.clone()]);
        set.is_ok_and(|set| {
            let response = Authorizer::new().is_authorized(&env.request, &set, &env.entities);
            let errs = response.diagnostics().errors().next().is_some();
            let forbids = response.diagnostics().reason().next().is_some();
            errs || response.decision() == Decision::Deny && forbids
        })
    };
    all.iter().filter(is_held).copied().collect()
}

/// A value in Cedar's form of JSON as it stands in parameters.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => match fields.get("__extn").and_then(|extension| extension.get("arg")) {
            Some(argument) => argument.clone(),
            None => Value::Object(fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect()),
        },
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}
