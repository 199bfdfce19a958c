//! May it be done: the decision about one invocation, and the rules people set for it.
//!
//! Cast: [`Facts`] is everything a decision is made from; [`decide`] is pure and gives a `Decision` with its whole
//! derivation; a [`Permit`] is the proof of a yes, which `pipeline::dispatch` demands; [`Rules`] are what people set.
//!
//! Flow: cascade (automation rule, org rule, inferred from risk) → guardrails (ceiling, band, drift) → gates.
//!
//! INVARIANT: a guardrail or a gate only ever makes the answer stricter.
//! INVARIANT: a [`Permit`] is made here and nowhere else, and only from an `allow`.
//! Not here: what the parameters look like (`catalog` validates them), who calls (`tenancy`), doing it (`pipeline`).
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable
    )
)]

mod decide;
mod error;
mod gates;
mod rules;
mod store;

pub use decide::{Drift, Facts, Permit, decide};
pub use error::Error;
pub use rules::{AutomationId, NewRule, Rule, RuleScope, RuleSet, Rules, StoredRule};
