//! While the database is away: what must not be left undone is tried again, and what nobody can tell is asked later.

use std::time::Duration;

use model::{Disposition, InvocationId, OrgId};

use crate::{Error, Pipeline, state::Record, store};

/// How long it is waited between tries, in milliseconds: a restart takes seconds.
pub(crate) const WAITS_MS: [u64; 6] = [50, 200, 1_000, 2_000, 4_000, 8_000];

/// What is recorded of an invocation, asked until there is an answer, as long as a restart of the database may take.
pub(crate) async fn find(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<Option<Record>, Error> {
    for wait_ms in WAITS_MS {
        match look(pipeline, org, id).await {
            Err(error) if error.disposition() == Disposition::Retry => {
                tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            }
            found => return found,
        }
    }
    look(pipeline, org, id).await
}

async fn look(pipeline: &Pipeline, org: OrgId, id: InvocationId) -> Result<Option<Record>, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    Ok(store::lock(&mut tx, org, id).await?.map(|held| held.record))
}
