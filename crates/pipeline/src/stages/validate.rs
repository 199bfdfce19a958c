//! Stage 2: validate the parameters against the action's input schema. The bytes themselves were parsed strictly by
//! [`Request::parse`](crate::Request::parse).

use super::{
    resolve,
    state::{Resolved, Validated},
};
use crate::{credentials::references, error::Error, parts::Pipeline};

/// Validates the parameters. Each error has a JSON pointer and never the value it points at.
pub(crate) fn validate(resolved: Resolved) -> Result<Validated, Error> {
    check(&resolved)?;
    Ok(Validated(resolved))
}

/// The same. A cached snapshot may be older than the schema, and no later stage would notice, so it is read again before
/// anything is refused.
pub(crate) async fn validate_by_newest(pipeline: &Pipeline, resolved: Resolved) -> Result<Validated, Error> {
    if check(&resolved).is_ok() {
        return Ok(Validated(resolved));
    }
    validate(resolve::by_newest(pipeline, resolved.request).await?)
}

fn check(resolved: &Resolved) -> Result<(), Error> {
    resolved.action.validate(&resolved.request.params).map_err(Error::InvalidParams)?;
    references::check(&resolved.action, &resolved.snapshot, &resolved.request.params)
}
