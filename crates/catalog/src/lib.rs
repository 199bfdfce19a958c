//! The catalog of actions: the sources, their actions, and how each action is called, checked and undone.
//!
//! Parts: an [`ActionSource`] provides actions; the [`Registry`] holds the built-in sources with their definitions,
//! hashes and compiled schemas; an [`Action`] is one entry of it. `integrations/` are sources that call a service
//! through [`platform::egress`]; `native/` are sources that call no service.
//!
//! Flow: the pipeline resolves an address to an [`Action`], validates parameters with it, and passes a [`Call`] and a
//! [`CallContext`] to its source. The source returns an [`Outcome`] or a [`SourceError`].
//!
//! INVARIANT: a source holds no credential and no state between calls.
//! INVARIANT: `SourceError::sent == false` is a proof that the effect was not requested.
//! INVARIANT: `None` from `lookup` means that repeating the call is harmless; in case of doubt, `lookup` returns an
//! error.
//! INVARIANT: every value that an agent can pass is limited by the schema, and a value that becomes part of a path is
//! encoded as exactly one segment, whatever the schema accepted.
//!
//! [`template`] renders untrusted templates, for actions and for code that builds parameters.
//!
//! Not here: whether an action is allowed (`policy`), retries and leases (`pipeline`), storage (`ledger`).

pub mod connector;
mod declared;
mod define;
pub mod integrations;
pub mod limits;
pub mod mcp;
pub mod models;
pub mod native;
pub mod openapi;
mod registry;
mod schema;
mod source;
pub mod template;
mod wire;

pub use integrations::SourceUrls;
pub use model::{Basis, Change, Preview};
pub(crate) use registry::guide_of;
pub use registry::{Action, Error, Registry};
pub use schema::{Checker, FieldError, Reference, allowing_references};
pub use source::{
    ActionSource, Announcement, Call, CallContext, Credential, Outcome, Payload, SourceError, Undone,
    Verification,
};
