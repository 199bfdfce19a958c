//! Policy: the decision about one invocation, and the rules that people set for it.
//!
//! Parts: [`Facts`] is the input of a decision; [`decide`] is pure and returns a `Decision` with all its steps; a
//! [`Permit`] proves that an invocation is allowed, and `pipeline::dispatch` requires one; a [`Subject`] is what the
//! permit is bound to; [`Gates`] are checks that can only refuse; [`Rules`] are set by people; a [`Vote`] is a person's answer to one invocation; a [`Grant`] allows a limited number of similar
//! invocations.
//!
//! Flow: cascade (automation rule, org rule, inferred from risk) → guardrails (ceiling, band, drift, flow, release, policies) → gates → grant.
//!
//! INVARIANT: a guardrail or a gate can only make a decision stricter, and a grant never overrides one of them.
//! INVARIANT: only this crate creates a [`Permit`]: from an `allow`, or from enough votes for exactly this
//! invocation.
//! Not here: validation of parameters (`catalog`), authentication (`tenancy`), execution (`pipeline`).
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
pub mod backtest;
mod cases;
pub mod cedar;
mod condition;
mod conduct;
mod cool_down;
mod decide;
mod error;
mod facts;
mod flow;
mod gates;
mod grants;
pub mod limits;
mod pace;
mod places;
mod policies;
mod rules;
mod store;
mod subject;

pub use approvals::{
    Answer, Answered, Ballot, History, KnownBy, Needed, Settings, Vote, add_vote, history, votes,
};
pub use cases::{Case, CaseRequest, CaseResult, CaseSetup};
pub use condition::Condition;
pub use conduct::{ConductSet, Conducts, Doer, GRACE, NewConduct, SetConduct};
pub use cool_down::{CoolDown, cool_down};
pub use decide::{Asked, Facts, Permit, decide};
pub use error::Error;
pub use facts::{
    Contribution, Entry, FactDefinition, FactKind, FactPlace, FactScope, FactState, FactValue, FactValues,
    Filled, Hasher, Lookup, NewEntries, NewFact, RecordedCall, RecordedPage, Wanted, delete_entries,
    keyed_hash, read_facts, write_entries,
};
pub use flow::{
    EVERYWHERE, FlowConsent, FlowMode, FlowSettings, Place as FlowPlace, Provenance, destinations,
    foresee_flow, given_labels, source_of,
};
pub use gates::{
    AllowedRecipients, ConsentFilter, ConsentLookup, Consented, ConsentsWanted, Crossing, Detector,
    GateSettings, Gates, Home, Inspected, NewConsent, OwnDetector, Purpose, StoredConsent, StoredGates,
    read_consents, subject_hash,
};
pub use grants::{Ask, Asker, Grant, GrantRequest, GrantScope, Grants, NewGrant, RequestAnswer};
pub use pace::{Answerer, Length, Pace, Reading, answerers, pace, recent_answers};
pub use places::{Caps, Full, Place, Position, Waiting};
pub use policies::{Policies, Statutes, StoredCase, StoredFact, StoredPolicy};
pub use rules::{Rule, RuleScope, RuleSet, Rules, StoredRule};
pub use subject::Subject;
