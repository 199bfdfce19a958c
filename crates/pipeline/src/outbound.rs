//! Outbound redaction: secrets taken out of what would be sent, where the session's space asks for that.

use crate::{batch, credentials::references, error::Error, parts::Reader, stages::state::Admitted};

/// Redacts the parameters of a request. It runs before the decision binds anything to them, so that what is approved is
/// what is sent.
pub(crate) fn redact(reader: &Reader, mut admitted: Admitted) -> Result<Admitted, Error> {
    let Admitted(resolved) = &mut admitted;
    if resolved.snapshot.facts.outbound_redaction {
        resolved.request.params =
            references::redact(&reader.redactor, &resolved.action, &resolved.request.params);
        let catalog = &resolved.snapshot.org.catalog;
        resolved.action = batch::expand(reader, catalog, resolved.action.clone(), &resolved.request.params)?;
    }
    Ok(admitted)
}
