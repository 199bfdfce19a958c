//! Outcomes nobody knew: a person found out, and says how they know. A second receipt refers to the first.

use model::{ErrorClass, Failure, InvocationId, OrgId, Status, UserId};
use platform::db;
use receipt::Followup;

use crate::{
    Error, Invocation, Pipeline,
    settle::{self, Conclusion},
    store,
};

/// What a person found out.
#[derive(Debug, Clone)]
pub struct Finding {
    pub happened: bool,
    /// How they know.
    pub evidence: String,
    pub by: UserId,
}

impl Pipeline {
    /// Ends the doubt about an invocation, once.
    pub async fn reconcile(
        &self,
        org: OrgId,
        id: InvocationId,
        finding: Finding,
    ) -> Result<Invocation, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let mut held = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        if held.record.invocation.status != Status::Unknown {
            return Err(Error::NotInDoubt(held.record.invocation.status));
        }
        held.record.votes = policy::votes(&mut tx, org, &[id]).await?;
        let evidence = self.redactor.redact_text(&finding.evidence).into_owned();
        let found =
            Followup { outcome: "reconciled".to_owned(), detail: format!("{}: {evidence}", finding.by) };
        let failure = (!finding.happened).then(|| Failure {
            class: ErrorClass::Reconciled,
            message: format!("a person found out that it did not happen: {evidence}"),
            sent: false,
        });
        let status = if finding.happened { Status::Succeeded } else { Status::Failed };
        let end = Conclusion { from: Status::Unknown, status, failure, found: Some(found) };
        let ended = settle::conclude(self, &mut tx, &held.record, end).await?;
        db::commit(tx).await?;
        metrics::counter!("countersign_reconciled_total", "status" => status.as_str()).increment(1);
        Ok(ended)
    }
}
