//! After a restore: what was open may have happened since the backup, so none of it is done again.

use model::{ErrorClass, Failure, OrgId, Status};
use platform::db;

use super::{
    conclude::{Conclusion, conclude},
    shown::read_votes,
};
use crate::{error::Error, parts::Pipeline, store};

/// How many invocations are ended in one transaction.
const AT_ONCE: i64 = 100;

/// What was ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Frozen {
    /// Approved or being executed: each may have happened.
    pub unknown: usize,
    /// Waiting for an answer, which may have been given.
    pub expired: usize,
}

/// Ends everything of an organization that is open.
pub(crate) async fn freeze(pipeline: &Pipeline, org: OrgId) -> Result<Frozen, Error> {
    let mut frozen = Frozen::default();
    loop {
        let mut tx = pipeline.parts.db.begin(org).await?;
        let open = store::open(&mut tx, org, AT_ONCE).await?;
        if open.is_empty() {
            return Ok(frozen);
        }
        for id in open {
            let Some(mut locked) = store::lock(&mut tx, org, id).await? else { continue };
            let from = locked.record.invocation.status;
            let (status, class, message, sent) = match from {
                Status::Pending => {
                    frozen.expired += 1;
                    let message = "the database was restored while this waited for an answer; ask again";
                    (Status::Expired, ErrorClass::Expired, message, false)
                }
                Status::Approved | Status::Executing => {
                    frozen.unknown += 1;
                    (Status::Unknown, ErrorClass::OutcomeUnknown, "restored; may have happened", true)
                }
                // Somebody ended it just now.
                _ => continue,
            };
            read_votes(&mut tx, &mut locked.record).await?;
            let failure = Some(Failure { class, message: message.to_owned(), sent, retry_after_ms: None });
            conclude(pipeline, &mut tx, &locked.record, Conclusion { from, status, failure, found: None })
                .await?;
        }
        db::commit(tx).await?;
    }
}
