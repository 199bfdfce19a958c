//! The parameters of an invocation at rest: sealed in its row until it ends.

use model::{InvocationId, OrgId};
use platform::{db, db::Tx, seal::Place};
use serde_json::Value;
use uuid::Uuid;

use crate::{error::Error, parts::Reader, store::LockedInvocation};

fn place(row: Uuid) -> Place<'static> {
    Place { table: "invocations", row, field: "params_sealed" }
}

/// The sealed parameters of an invocation.
pub(crate) async fn seal(
    reader: &Reader,
    tx: &mut Tx,
    org: OrgId,
    id: InvocationId,
    plain: &[u8],
) -> Result<Vec<u8>, Error> {
    Ok(reader.parts.sealer.seal(tx, org, place(id.uuid()), plain).await?)
}

/// The parameters of an invocation, in the clear.
pub(crate) async fn open(reader: &Reader, tx: &mut Tx, locked: &LockedInvocation) -> Result<Value, Error> {
    let record = &locked.record;
    let sealed = locked.params_sealed.as_ref();
    let sealed = sealed.ok_or(db::Error::Inconsistent { column: "invocations.params_sealed" })?;
    let plain = reader.parts.sealer.open(tx, record.org, place(record.invocation.id.uuid()), sealed).await?;
    // The parameters were parsed strictly before they were sealed, so only a damaged row fails here.
    receipt::parse_strict(&plain, usize::MAX)
        .map_err(|_| db::Error::Inconsistent { column: "invocations.params_sealed" }.into())
}
