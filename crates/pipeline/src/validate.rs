//! Stage 2: the parameters fit the action's input schema. The bytes themselves were read strictly by
//! [`Request::parse`](crate::Request::parse).

use crate::{
    Error,
    state::{Resolved, Validated},
};

/// Checks the parameters; every wrong place is named by a JSON pointer, none of them by its value.
pub(crate) fn validate(resolved: Resolved) -> Result<Validated, Error> {
    match resolved.action.validate(&resolved.request.params) {
        Ok(()) => Ok(Validated(resolved)),
        Err(errors) => Err(Error::InvalidParams(errors)),
    }
}
