//! May it be done: the decision about one invocation, and the rules people set for it.
//!
//! Cast: [`Facts`] is everything a decision is made from; [`decide`] is pure and gives a `Decision` with its whole
//! derivation; a [`Permit`] is the proof of a yes, which `pipeline::dispatch` demands; [`Rules`] are what people set;
//! a [`Vote`] is a person's answer to one invocation; a [`Grant`] is a yes to a bounded number of the like.
//!
//! Flow: cascade (automation rule, org rule, inferred from risk) → guardrails (ceiling, band, drift) → gates → grant.
//!
//! INVARIANT: a guardrail or a gate only ever makes the answer stricter, and a grant never lifts what one of them said.
//! INVARIANT: a [`Permit`] is made here and nowhere else: from an `allow`, or from enough votes for exactly that.
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

mod approvals;
mod decide;
mod error;
mod gates;
mod grants;
mod rules;
mod store;

pub use approvals::{Answer, Ballot, History, Needed, Settings, Vote, add_vote, history, votes};
pub use decide::{Facts, Permit, decide};
pub use error::Error;
pub use grants::{Ask, Grant, GrantRequest, GrantScope, Grants, NewGrant, RequestAnswer};
pub use rules::{NewRule, Rule, RuleScope, RuleSet, Rules, StoredRule};
