//! Stage 2: validate the parameters against the action's input schema. The bytes themselves were parsed strictly by
//! [`Request::parse`](crate::Request::parse).

use super::state::{Resolved, Validated};
use crate::error::Error;

/// Validates the parameters. Each error has a JSON pointer and never the value it points at.
pub(crate) fn validate(resolved: Resolved) -> Result<Validated, Error> {
    match resolved.action.validate(&resolved.request.params) {
        Ok(()) => Ok(Validated(resolved)),
        Err(errors) => Err(Error::InvalidParams(errors)),
    }
}
