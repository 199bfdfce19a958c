//! Policies as people write them: checked against the catalog, tried on cases and on the past, and saved.

mod backtest;
mod compare;
mod gates;
mod report;
mod starters;
mod vocabulary;

use std::{collections::BTreeMap, sync::Arc};

use catalog::Action;
use changes::Author;
use model::{ActionDefinition, ActionName, EffectClass, Labels, OrgId, Risk, SourceSlug};
use policy::{
    Case, CaseResult, CaseSetup, FactDefinition, FactKind, NewFact, Statutes, StoredCase, StoredFact,
    StoredPolicy,
    cedar::{self, Catalog, Problem, Severity, Statement, Stored},
};
use serde_json::Value;
use tenancy::Page;

pub use backtest::{BacktestOf, Change as BacktestChange, Step as BacktestStep};
pub use compare::Comparing;
pub use gates::GivenConsent;
pub use report::{ActionReport, Report};
pub use starters::{Need, Starter, starters};
pub use vocabulary::{NamedAction, NamedField, Vocabulary};

pub use crate::suggestions::Suggested;

use crate::{error::Error, parts::Oversight};

/// How many spaces an organization may have that policies can name.
const MOST_SPACES: i64 = 1_000;

/// Policies, facts and cases to check.
#[derive(Debug, Default)]
pub struct Draft {
    /// Texts, each of one or more policies.
    pub texts: Vec<String>,
    pub facts: Vec<NewFact>,
    pub cases: Vec<Case>,
    /// Without what the organization has.
    pub is_alone: bool,
    /// Actions that the organization may not have.
    pub actions: Vec<ActionDefinition>,
}

/// A policy to save.
#[derive(Debug)]
pub struct NewPolicy<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub is_observing: bool,
    /// The version that was read, 0 if there was none. `None` replaces any.
    pub version: Option<i32>,
}

/// A problem, and what it is of.
#[derive(Debug)]
pub struct Found {
    /// Name of the policy or the fact.
    pub name: Option<String>,
    /// The text it is in.
    pub text: Option<usize>,
    pub problem: Problem,
}

/// What is wrong with a draft, and what came of the cases.
#[derive(Debug, Default)]
pub struct Checked {
    pub problems: Vec<Found>,
    /// The policies that could be read, and how many actions each is for.
    pub policies: Vec<(Statement, usize)>,
    pub cases: Vec<CaseResult>,
}

impl Checked {
    pub fn is_ok(&self) -> bool {
        let is_error = |found: &Found| found.problem.severity == Severity::Error;
        !self.problems.iter().any(is_error) && self.cases.iter().all(|case| case.passed)
    }
}

/// What policies may name in an organization.
struct Known {
    actions: Vec<Arc<Action>>,
    /// Actions that a draft declares.
    declared: Vec<ActionDefinition>,
    facts: Vec<FactDefinition>,
    spaces: Vec<String>,
}

impl Known {
    fn catalog(&self) -> Catalog<'_> {
        let facts: BTreeMap<String, bool> = self
            .facts
            .iter()
            .map(|fact| (fact.name().to_owned(), fact.source.kind != FactKind::Any))
            .collect();
        Catalog { actions: self.definitions(), facts, spaces: self.spaces.clone() }
    }

    fn definitions(&self) -> Vec<&ActionDefinition> {
        // What the organization has counts, not what a draft says of it.
        let own = self.actions.iter().map(|action| &action.definition);
        let is_new = |declared: &&ActionDefinition| {
            self.actions.iter().all(|action| action.definition.address != declared.address)
        };
        own.chain(self.declared.iter().filter(is_new)).collect()
    }

    fn find(&self, address: &str) -> Option<&ActionDefinition> {
        self.definitions().into_iter().find(|action| action.address.to_string() == address)
    }
}

impl Oversight {
    async fn known(&self, org: OrgId, facts: Vec<FactDefinition>) -> Result<Known, Error> {
        let actions = self.parts.reader.actions(org).await?;
        let page = Page { after: None, limit: MOST_SPACES };
        let spaces = self.parts.tenancy.spaces(org, page).await?;
        let spaces = spaces.into_iter().map(|space| space.slug).collect();
        Ok(Known { actions, declared: vec![], facts, spaces })
    }

    async fn statutes(&self, org: OrgId) -> Result<Statutes, Error> {
        Ok(self.parts.policies.statutes(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// Checks a draft. Nothing is saved.
    pub async fn check_policies(&self, org: OrgId, draft: Draft) -> Result<Checked, Error> {
        let statutes = self.statutes(org).await?;
        let mut checked = Checked::default();
        let mut facts = check_facts(&draft.facts, &mut checked);
        if !draft.is_alone {
            let others = statutes.facts.iter().map(|fact| fact.definition.clone());
            let is_kept = |fact: &FactDefinition| facts.iter().all(|new| new.name() != fact.name());
            let others: Vec<FactDefinition> = others.filter(is_kept).collect();
            facts.extend(others);
        }
        let mut known = self.known(org, facts).await?;
        known.declared = draft.actions;
        for fact in &known.facts {
            if let Err(error) = fact.check(&known.definitions()) {
                checked.problems.push(of_fact(fact.name(), &error));
            }
        }
        check_texts(&draft.texts, &known.catalog(), &mut checked);
        let mut policies: BTreeMap<String, Stored> = BTreeMap::new();
        if !draft.is_alone {
            policies
                .extend(statutes.policies.all().iter().map(|one| (one.statement.name.clone(), one.clone())));
        }
        for (statement, _) in &checked.policies {
            let stored = Stored { statement: statement.clone(), version: 0, is_observing: false };
            policies.insert(statement.name.clone(), stored);
        }
        let facts = known.catalog().facts;
        let setup = CaseSetup::new(policies.into_values().collect(), &facts, &statutes.zone);
        let run = |case: &Case| case.run(&setup, known.find(&case.request.action));
        checked.cases = draft.cases.iter().map(run).collect();
        Ok(checked)
    }

    /// Sets a policy that has no problems and with which every case comes out as expected.
    pub async fn put_policy(&self, by: &Author, new: NewPolicy<'_>) -> Result<StoredPolicy, Error> {
        let NewPolicy { name, text, is_observing, version } = new;
        let statement = Statement::parse(text).map_err(|problems| policy::Error::Policy(told(&problems)))?;
        if statement.name != name {
            let message = format!("its `@id` is \"{}\", and it is set as \"{name}\"", statement.name);
            return Err(policy::Error::Policy(message).into());
        }
        let statutes = self.statutes(by.org).await?;
        let facts = statutes.facts.iter().map(|fact| fact.definition.clone()).collect();
        let known = self.known(by.org, facts).await?;
        let mut problems = cedar::check(&statement, &known.catalog());
        problems.retain(|problem| problem.severity == Severity::Error);
        if !problems.is_empty() {
            return Err(policy::Error::Policy(told(&problems)).into());
        }
        check_facts_of_actions(&statutes, &statement, &known)?;
        if !is_observing {
            self.check_cases(by.org, &statutes, &statement, &known).await?;
        }
        Ok(self.parts.policies.put(by, statement, is_observing, version).await?)
    }

    /// Runs the cases of the organization as if a policy were applied.
    async fn check_cases(
        &self,
        org: OrgId,
        statutes: &Statutes,
        statement: &Statement,
        known: &Known,
    ) -> Result<(), Error> {
        let others = statutes.policies.all().iter().filter(|one| one.statement.name != statement.name);
        let new = Stored { statement: statement.clone(), version: 0, is_observing: false };
        let facts = known.catalog().facts;
        let setup = CaseSetup::new(others.cloned().chain([new]).collect(), &facts, &statutes.zone);
        for StoredCase { case, .. } in self.parts.policies.cases(org).await? {
            // One that is about a policy that is not saved yet is run when it is.
            if !case.is_about(&statement.name) || !case.can_run(&setup) {
                continue;
            }
            let result = case.run(&setup, known.find(&case.request.action));
            if !result.passed {
                let got = result.got.map_or("an error", model::Mode::as_str);
                let held = if result.held.is_empty() { "none".to_owned() } else { result.held.join(", ") };
                let why = result.problem.unwrap_or_else(|| format!("policies that hold: {held}"));
                let message =
                    format!("`{}` expects {} and gets {got} ({why})", case.name, case.expect.as_str());
                return Err(policy::Error::CaseFailed(message).into());
            }
        }
        Ok(())
    }

    /// Sets a fact, and begins to fill it.
    pub async fn put_fact(&self, by: &Author, fact: NewFact) -> Result<StoredFact, Error> {
        let definition = FactDefinition::new(fact.clone())?;
        let known = self.known(by.org, vec![]).await?;
        definition.check(&known.definitions())?;
        Ok(self.parts.policies.put_fact(by, fact).await?)
    }
}

fn told(problems: &[Problem]) -> String {
    let words = problems.iter().map(|problem| {
        let at = problem.place.map(|place| format!("line {}, column {}: ", place.line, place.column));
        let help = problem.help.as_ref().map(|help| format!(" ({help})"));
        format!("{}{}{}", at.unwrap_or_default(), problem.message, help.unwrap_or_default())
    });
    words.collect::<Vec<_>>().join("; ")
}

fn of_fact(name: &str, error: &policy::Error) -> Found {
    let problem = Problem { severity: Severity::Error, message: error.to_string(), help: None, place: None };
    Found { name: Some(name.to_owned()), text: None, problem }
}

fn check_facts(facts: &[NewFact], checked: &mut Checked) -> Vec<FactDefinition> {
    let mut definitions = Vec::new();
    for fact in facts {
        match FactDefinition::new(fact.clone()) {
            Ok(definition) => definitions.push(definition),
            Err(error) => checked.problems.push(of_fact(&fact.name, &error)),
        }
    }
    definitions
}

fn check_texts(texts: &[String], catalog: &Catalog<'_>, checked: &mut Checked) {
    for (number, text) in texts.iter().enumerate() {
        let parts = cedar::split(text);
        if parts.is_empty() {
            let message = "the text holds no policy".to_owned();
            let problem = Problem { severity: Severity::Error, message, help: None, place: None };
            checked.problems.push(Found { name: None, text: Some(number), problem });
        }
        for part in parts {
            // A part is a slice of the text.
            let start = part.as_ptr().addr() - text.as_ptr().addr();
            let found = |name: Option<String>, problem: Problem| Found {
                name,
                text: Some(number),
                problem: Problem { place: problem.place.map(|place| place.after(text, start)), ..problem },
            };
            match Statement::parse(part) {
                Err(problems) => {
                    checked.problems.extend(problems.into_iter().map(|problem| found(None, problem)));
                }
                Ok(statement) => {
                    let problems = cedar::check(&statement, catalog);
                    let name = || Some(statement.name.clone());
                    checked.problems.extend(problems.into_iter().map(|problem| found(name(), problem)));
                    let covered = catalog.covered(&statement).count();
                    checked.policies.push((statement, covered));
                }
            }
        }
    }
}

/// Checks that the policies for one action together use no more facts than a decision may read.
fn check_facts_of_actions(statutes: &Statutes, new: &Statement, known: &Known) -> Result<(), Error> {
    if new.reads.facts.is_empty() {
        return Ok(());
    }
    let most = policy::limits::policies::MOST_FACTS;
    for action in known.definitions().into_iter().filter(|action| new.is_for(action)) {
        let others = statutes.policies.of(action).filter(|one| one.statement.name != new.name);
        let mut facts: Vec<&String> = others.flat_map(|one| &one.statement.reads.facts).collect();
        facts.extend(&new.reads.facts);
        facts.sort_unstable();
        facts.dedup();
        if facts.len() > most {
            let message = format!("the policies for `{}` would use more than {most} facts", action.address);
            return Err(policy::Error::Policy(message).into());
        }
    }
    Ok(())
}

/// An action that is declared for a check alone.
pub fn declared_action(
    address: &str,
    input_schema: Value,
    (risk, effect, labels): (Option<&str>, Option<&str>, Labels),
) -> Option<ActionDefinition> {
    let (source, action) = address.split_once('.')?;
    let (source, action): (SourceSlug, ActionName) = (source.parse().ok()?, action.parse().ok()?);
    Some(ActionDefinition {
        address: model::ActionAddress { source, action },
        description: String::new(),
        input_schema,
        output_schema: None,
        risk: risk.map_or(Some(Risk::R2), Risk::parse)?,
        effect: effect.map_or(Some(EffectClass::Once), EffectClass::parse)?,
        labels,
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 0,
    })
}
