//! Policies as text. This folder is the only place that knows Cedar.
//!
//! Parts: a [`Statement`] is one policy; a [`PolicySet`] holds all policies of an organization and says which of them hold
//! for a request; a [`Shape`] is what Cedar can say about the parameters of an action; [`check`] tells, before a policy is
//! saved, what is wrong with it.
//!
//! Only `forbid` is accepted, so a policy can make a decision stricter and never more permissive. One evaluation names every
//! policy that holds. INVARIANT: a policy whose evaluation fails holds, in its own mode. Cedar alone would skip it, so that an
//! amount of 2^63 − 1 would switch a cap off.

mod check;
mod compare;
mod domains;
mod evaluate;
mod problem;
mod reads;
mod shape;
mod statement;

use model::ActionDefinition;

pub use check::{Catalog, check};
pub use compare::{Compared, Example, Found, Sides, SolverError, compare, version};
pub(crate) use domains::{in_text as domains_in_text, of as domains_of};
pub(crate) use evaluate::{Answer, Held, Question};
pub use evaluate::{Moment, PolicySet, Requester, Stored};
pub use problem::{Place, Problem, Severity};
pub use reads::Reads;
pub(crate) use shape::whole;
pub use shape::{Field, Fields, Shape, of_schema, paths};
pub use statement::{Statement, split};
pub(crate) use statement::{is_fact_name, is_name};

/// The groups of an action: by source, risk, effect and label.
pub fn groups(definition: &ActionDefinition) -> Vec<String> {
    let labels = definition.labels;
    let mut groups = vec![
        format!("source:{}", definition.address.source),
        format!("risk:{}", definition.risk.as_str()),
        format!("effect:{}", definition.effect.as_str()),
    ];
    let does = [
        (labels.reads_untrusted, "does:reads_untrusted"),
        (labels.reads_private, "does:reads_private"),
        (labels.sends_out, "does:sends_out"),
    ];
    groups.extend(does.into_iter().filter(|(does, _)| *does).map(|(_, group)| group.to_owned()));
    groups
}

#[cfg(test)]
pub(crate) mod tests;
