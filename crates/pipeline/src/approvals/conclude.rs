//! Ending an invocation that is not executed: denied, expired, withdrawn or reconciled.

use model::{Failure, ReceiptId, Status};
use platform::db::Tx;
use receipt::Followup;

use crate::{
    error::Error,
    invocation::Invocation,
    parts::Pipeline,
    receipts::{self, Account, Pseudonyms},
    stages::state::{Record, Settlement},
    store,
};

/// The end of an invocation that is not executed.
pub(crate) struct Conclusion {
    pub(crate) from: Status,
    pub(crate) status: Status,
    pub(crate) failure: Option<Failure>,
    /// What a person found out.
    pub(crate) found: Option<Followup>,
}

/// Ends an invocation that is not executed. State, receipt and event change in the caller's transaction,
/// which holds the row.
pub(crate) async fn conclude(
    pipeline: &Pipeline,
    tx: &mut Tx,
    record: &Record,
    end: Conclusion,
) -> Result<Invocation, Error> {
    let mut invocation = record.invocation.clone();
    let receipt = ReceiptId::from_uuid(pipeline.parts.world.uuid());
    let finished_at = pipeline.parts.world.clock.now();
    let earlier = invocation.receipt.map(|earlier| receipt::Reference {
        receipt: earlier.to_string(),
        relation: ledger::RECONCILIATION.to_owned(),
    });
    let failure = end.failure.map(|failure| Failure {
        message: pipeline.reader.redactor.redact_text(&failure.message).into_owned(),
        ..failure
    });
    let pseudonyms = Pseudonyms::read(pipeline, tx, record.org).await?;
    let proof = receipts::prove(
        pipeline,
        &pseudonyms,
        &Account {
            record,
            id: receipt,
            status: end.status,
            outputs: invocation.result.as_ref(),
            artifact: None,
            failure: failure.as_ref(),
            followups: [end.found, None, None],
            attempts: invocation.attempts,
            started_at: None,
            finished_at,
            refers_to: earlier.into_iter().collect(),
        },
    )?;
    let settlement = Settlement {
        invocation: invocation.id,
        lease_epoch: record.lease_epoch,
        status: end.status,
        result: None,
        failure: failure.clone(),
        attempts: invocation.attempts,
        receipt,
        finished_at,
    };
    if !store::end(tx, record.org, end.from, &settlement).await? {
        return Err(Error::AlreadyAnswered(invocation.status));
    }
    receipts::append(pipeline, tx, record.org, std::iter::once(&proof)).await?;
    store::notify(tx, invocation.id).await?;
    metrics::counter!("countersign_settled_total", "status" => end.status.as_str()).increment(1);
    invocation.status = end.status;
    invocation.failure = failure;
    invocation.receipt = Some(receipt);
    invocation.finished_at = Some(finished_at);
    Ok(invocation)
}
