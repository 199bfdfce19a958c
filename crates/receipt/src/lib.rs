//! Receipts and change records, and how anyone verifies one without trusting the server that wrote it.
//!
//! Cast: a [`Receipt`] states what was requested, decided and done; a [`Change`] states who changed what anyone may do;
//! [`canonical`] gives it exactly one form in bytes
//! (RFC 8785); a [`SigningKey`] wraps those bytes in a DSSE [`Envelope`]; a [`KeySet`] is the published list of public
//! keys with their validity; [`verify`] takes an envelope and a key set and reports what is wrong, if anything is. An
//! [`Entry`] is what the log stores about a receipt, under a [`merkle`] root that a [`Checkpoint`] signs; a [`Bundle`]
//! is a receipt with everything that proves its place, and an [`Audit`] checks a whole log.
//!
//! INVARIANT: verification works on the bytes that were signed. The payload is checked as it is and only then parsed
//! into a struct, so a field that this version does not know survives and is covered by the signature.
//! Not here: clocks, stores, networks, any other crate of this workspace. The crate can be published alone.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo
    )
)]

mod audit;
mod body;
mod bundle;
pub mod canonical;
mod change;
mod entry;
mod keys;
mod kind;
pub mod merkle;
mod ml_dsa;
mod moment;
mod note;
pub mod passkey;
mod reward;
mod shown;
mod sign;
mod strict;
pub mod tile;
mod verify;
mod walk;

pub use audit::{Audit, Audited, Finding, Mark, Progress};
pub use body::{
    Approval, Cost, Decision, FactUsed, Failure, Flow, Followup, GateVerdict, GuardrailChange, KnownBy,
    PolicyVerdict, Receipt, Reference, Timing, VERSION,
};
pub use bundle::{Bundle, BundleError, Found, MAX_BUNDLE_BYTES, ProvenErasure, Record};
pub use change::{Author, CHANGE_TYPE, CHANGE_VERSION, Change};
pub use entry::{ENTRY_VERSION, Entry, Kept, Seed, commit, commit_change};
pub use keys::{
    ALGORITHM, KEY_SET_VERSION, KeyDocument, KeyError, KeySet, KeySetDocument, Logged, PublicKey,
};
pub use kind::Statement;
pub use ml_dsa::MlDsaError;
pub use note::{Checkpoint, CheckpointError, MAX_NOTE_BYTES};
pub use reward::{Reward, reward};
pub use shown::{ShownError, documented_votes};
pub use sign::{Envelope, PAYLOAD_TYPE, SignError, Signature, SigningKey, pae};
pub use strict::{MAX_DEPTH, MAX_SAFE_INTEGER, ParseError, Problem, parse_strict};
pub use verify::{MAX_ENVELOPE_BYTES, Verified, VerifyError, verify};
pub use walk::{Before, Walk, WalkError, account};
