//! Reconciliation: a person found out the outcome of an `unknown` invocation. A second receipt refers to the first.

use model::{ErrorClass, Failure, InvocationId, OrgId, Status, UserId};
use platform::db;
use receipt::Followup;

use super::{
    conclude::{Conclusion, conclude},
    shown::read_votes,
};
use crate::{error::Error, invocation::Invocation, parts::Pipeline, store};

/// What a person found out.
#[derive(Debug, Clone)]
pub struct Finding {
    pub happened: bool,
    /// How they know.
    pub evidence: String,
    pub by: UserId,
}

pub(super) async fn reconcile(
    pipeline: &Pipeline,
    org: OrgId,
    id: InvocationId,
    finding: Finding,
) -> Result<Invocation, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    let mut locked = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
    if locked.record.invocation.status != Status::Unknown {
        return Err(Error::NotInDoubt(locked.record.invocation.status));
    }
    read_votes(&mut tx, &mut locked.record).await?;
    let evidence = pipeline.reader.redactor.redact_text(&finding.evidence).into_owned();
    let found = Followup { outcome: "reconciled".to_owned(), detail: format!("{}: {evidence}", finding.by) };
    let failure = (!finding.happened).then(|| Failure {
        class: ErrorClass::Reconciled,
        message: format!("a person stated that the action did not happen: {evidence}"),
        sent: false,
        retry_after_ms: None,
    });
    let status = if finding.happened { Status::Succeeded } else { Status::Failed };
    let end = Conclusion { from: Status::Unknown, status, failure, found: Some(found) };
    let ended = conclude(pipeline, &mut tx, &locked.record, end).await?;
    db::commit(tx).await?;
    metrics::counter!("countersign_reconciled_total", "status" => status.as_str()).increment(1);
    Ok(ended)
}
