//! Facts: what happened before, as declared numbers and yes-or-no answers that policies read as `context.history.NAME`.
//!
//! Parts: a [`FactDefinition`] says what is counted; an [`Entry`] is what one request contributes to one fact; a [`Lookup`]
//! is a fact as one request sees it; [`FactValues`] hold the values.
//!
//! Entries hold amounts and keyed hashes, never values of parameters: whatever would be a secret is not in them.

mod definition;
mod entry;
mod fill;
mod requests;
mod values;

pub use definition::{FactDefinition, FactKind, FactScope, FactState, NewFact};
pub(crate) use definition::{is_key, is_of};
pub use entry::{Contribution, Entry, Hasher, Lookup, Place as FactPlace, keyed_hash};
pub use fill::{Filled, Recorded as RecordedCall, RecordedPage};
pub use requests::{NewEntries, Wanted, delete_entries, read_facts, write_entries};
pub use values::{FactValue, FactValues};

#[cfg(test)]
mod tests;
