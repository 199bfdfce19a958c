//! Oversight: what people look at and set up. The inbox, activity, overview, sources, outlook, connectors with their
//! authorizations, passkeys, the settings of an org; and the catalog as a session sees it.
//!
//! INVARIANT: nothing here has an effect at a target. This crate names of `pipeline` only its `read` module and its
//! engine, and never a `policy::Permit`; crates/app/tests/it/edges.rs holds that.
//! Not here: SQL (each table's owner has it), HTTP (`gateway`), answers to approvals (`pipeline`), messages (`notify`).
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

mod activity;
mod agents;
mod authorizations;
mod available;
mod changes;
mod connectors;
mod error;
mod grant_requests;
mod harvest;
mod inbox;
mod models;
mod org;
mod outlook;
mod overview;
mod parts;
mod passkeys;
pub mod policies;
mod proposals;
mod sources;
mod suggestions;
mod timer;

pub use activity::ActivityPage;
pub use agents::{Agent, AgentDetail, Calls};
pub use authorizations::OAuthCallback;
pub use available::{Available, AvailableAction, AvailableSource};
pub use connectors::{By, ConnectorChange, NewConnector, ToolCounts, ToolReview};
pub use error::Error;
pub use inbox::{Explained, Inbox, PACE_OF, Waiting, WaitingApproval};
pub use models::{ModelChange, ModelProviderChange};
pub use outlook::{Outlook, PredictedDecision};
pub use overview::{AgentTally, Overview, SourceTally, Tally};
pub use parts::{Oversight, Parts};
pub use passkeys::{NewPasskey, PasskeyOptions, SignedAt};
pub use pipeline::read::DaySpent;
pub use proposals::Asked;
pub use sources::{Source, SourceKind, USAGE_DAYS, Usage};
pub use suggestions::Suggestion;
pub use timer::bind;
