//! What can be done: the sources, their actions, and how each is called, checked and undone.
//!
//! Cast: an [`ActionSource`] is an origin of actions; the [`Registry`] holds the built-in ones with their
//! definitions, hashes and compiled schemas; an [`Action`] is one entry of it. `integrations/` are sources
//! that speak to a service over [`platform::egress`]; `native/` are sources that need nobody else.
//!
//! Flow: the pipeline resolves an address to an [`Action`], validates parameters with it, and hands a
//! [`Call`] and a [`CallContext`] to its source. The source answers with an [`Outcome`] or a [`SourceError`].
//!
//! INVARIANT: a source holds no credential and no state between calls.
//! INVARIANT: `SourceError::sent == false` is a proof that the effect was not requested.
//! INVARIANT: a `None` of `lookup` means that repeating the call is harmless; doubt is an error.
//! INVARIANT: everything an agent may pass has a limit in the schema, and what becomes part of a path is
//! encoded as exactly one segment of it whatever the schema let through.
//!
//! [`template`] fills templates nobody trusts, for actions and for whoever puts parameters together.
//!
//! Not here: whether something may be done (`policy`), retries and leases (`pipeline`), storing (`ledger`).

pub mod connector;
mod declared;
mod define;
pub mod integrations;
pub mod limits;
pub mod mcp;
pub mod native;
pub mod openapi;
mod registry;
mod schema;
mod source;
pub mod template;
mod wire;

pub use integrations::SourceUrls;
pub(crate) use registry::guide_of;
pub use registry::{Action, Error, Registry};
pub use schema::{Checker, FieldError};
pub use source::{
    ActionSource, Announcement, Call, CallContext, Change, Credential, Outcome, Preview, SourceError, Undone,
    Verification,
};
