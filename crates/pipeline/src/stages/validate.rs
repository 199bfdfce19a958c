//! Stage 2: validate the parameters against the action's input schema. The bytes themselves were parsed strictly by
//! [`Request::parse`](crate::Request::parse).

use super::state::{Resolved, Validated};
use crate::{credentials::references, error::Error};

/// Validates the parameters. Each error has a JSON pointer and never the value it points at.
pub(crate) fn validate(resolved: Resolved) -> Result<Validated, Error> {
    resolved.action.validate(&resolved.request.params).map_err(Error::InvalidParams)?;
    references::check(&resolved.action, &resolved.snapshot, &resolved.request.params)?;
    Ok(Validated(resolved))
}
