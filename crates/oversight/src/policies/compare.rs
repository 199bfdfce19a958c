//! Comparing a changed policy with what is saved, with a solver.

use std::collections::BTreeSet;

use model::OrgId;
use policy::{
    Error as PolicyError,
    cedar::{self, Compared, Sides, Statement},
};

use super::told;
use crate::{error::Error, parts::Oversight};

/// What came of a comparison.
#[derive(Debug)]
pub enum Comparing {
    Compared {
        /// Name and version of the solver.
        solver: String,
        actions: Vec<Compared>,
    },
    /// There is no solver where this runs.
    NoSolver,
}

impl Oversight {
    /// Compares the policies that are applied with the same ones after a change: one has a new text, or is deleted.
    pub async fn compare_policies(
        &self,
        org: OrgId,
        text: Option<&str>,
        remove: Option<&str>,
    ) -> Result<Comparing, Error> {
        let new = text.map(Statement::parse).transpose();
        let new = new.map_err(|problems| PolicyError::Policy(told(&problems)))?;
        let statutes = self.statutes(org).await?;
        let facts = statutes.facts.iter().map(|fact| fact.definition.clone()).collect();
        let known = self.known(org, facts).await?;
        let catalog = known.catalog();
        if let Some(new) = &new {
            let mut problems = cedar::check(new, &catalog);
            problems.retain(|problem| problem.severity == cedar::Severity::Error);
            if !problems.is_empty() {
                return Err(PolicyError::Policy(told(&problems)).into());
            }
        }
        let changed: BTreeSet<String> =
            new.iter().map(|one| one.name.clone()).chain(remove.map(str::to_owned)).collect();
        let enforced = statutes.policies.all().iter().filter(|one| !one.is_observing);
        let before: Vec<Statement> = enforced.map(|one| one.statement.clone()).collect();
        let kept = before.iter().filter(|one| !changed.contains(&one.name)).cloned();
        let after: Vec<Statement> = kept.chain(new).collect();
        let (program, _turn) = self.parts.policies.solver().await;
        let Ok(solver) = cedar::version(program).await else { return Ok(Comparing::NoSolver) };
        let sides = Sides { before: &before, after: &after };
        let actions = cedar::compare(program, sides, &changed, &catalog).await;
        Ok(Comparing::Compared { solver, actions })
    }
}
