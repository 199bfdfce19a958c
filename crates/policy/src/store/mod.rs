//! The tables of this crate, one file each.

pub(crate) mod approvals;
pub(crate) mod cases;
pub(crate) mod conducts;
pub(crate) mod consents;
pub(crate) mod facts;
pub(crate) mod gates;
pub(crate) mod grants;
pub(crate) mod policies;
pub(crate) mod rules;

use model::Digest;
use platform::db::Error;

use crate::Condition;

/// A stored condition. One that cannot be read must not be taken for none: that would allow everything.
fn condition(text: &str, column: &'static str) -> Result<Option<Condition>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    Condition::from_text(text).map(Some).ok_or(Error::Inconsistent { column })
}

/// A stored hash of a step.
fn step(bytes: Option<Vec<u8>>, column: &'static str) -> Result<Option<Digest>, Error> {
    let read = |bytes: Vec<u8>| bytes.as_slice().try_into().map(Digest::from_bytes);
    bytes.map(read).transpose().map_err(|_| Error::Inconsistent { column })
}
