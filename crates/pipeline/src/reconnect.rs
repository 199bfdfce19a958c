//! Waiting for the database to come back, to learn whether an interrupted commit succeeded.

use std::time::Duration;

use model::{Disposition, InvocationId, OrgId};

use crate::{error::Error, parts::Pipeline, stages::state::Record, store};

/// The waits between attempts, in milliseconds: a restart takes seconds.
pub(crate) const WAITS_MS: [u64; 6] = [50, 200, 1_000, 2_000, 4_000, 8_000];

/// The record of an invocation, asked for until the database answers, as long as a restart may take.
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
    Ok(store::lock(&mut tx, org, id).await?.map(|locked| locked.record))
}
