//! Recovery: what a dead process left is taken up by the next one that looks, through the same stages.

use std::sync::Arc;

use catalog::{Action, Call};
use futures::StreamExt as _;
use jiff::Timestamp;
use model::{ErrorClass, Failure, InvocationId, OrgId, Status};
use policy::Permit;
use serde_json::Value;

use crate::{
    Error, Pipeline, batch, context, settle,
    standing::{self, Standing},
    state::{Captured, Claimed, Record},
    store::{self, Held},
};

/// How many are taken up in one look; what is left is found by the next.
const BATCH: i32 = 50;
/// How many of them at once: one target that does not answer must not hold up the executions of others.
const AT_ONCE: usize = 8;

impl Pipeline {
    /// Finds executions whose lease ran out, in every org, and brings each to its end. Says how many it finished.
    pub async fn recover(&self) -> Result<usize, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        let expired = store::expired_leases(&mut conn, self.parts.world.clock.now(), BATCH).await?;
        drop(conn);
        let finished = futures::stream::iter(expired)
            .map(|(org, id)| Box::pin(self.recover_or_log(org, id)))
            .buffer_unordered(AT_ONCE)
            .filter(|finished| std::future::ready(*finished));
        Ok(finished.count().await)
    }

    /// One that cannot be finished must not keep the others waiting; its new lease runs out as well.
    async fn recover_or_log(&self, org: OrgId, id: InvocationId) -> bool {
        self.recover_one(org, id).await.unwrap_or_else(|error| {
            tracing::error!(invocation.id = %id, error = &error as &dyn std::error::Error, "recovering an execution");
            false
        })
    }

    /// Forgets idempotency keys past their end.
    pub async fn purge_keys(&self) -> Result<i64, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        Ok(store::purge_keys(&mut conn, self.parts.world.clock.now()).await?)
    }

    pub(crate) async fn recover_one(&self, org: OrgId, id: InvocationId) -> Result<bool, Error> {
        let now = self.parts.world.clock.now();
        // What it is, and so how long it may take, is known only once it is taken: the longest there is. Twice, because
        // a recovery looks, patiently, before it tries.
        let lease = context::lease(self, self.parts.limits.action_timeout) * 2;
        let mut tx = self.parts.db.begin(org).await?;
        let Some(mut orphan) = store::take_over(&mut tx, (org, id), now, now + lease).await? else {
            return Ok(false);
        };
        let params = self.unseal(&mut tx, &orphan).await?;
        orphan.record.votes = policy::votes(&mut tx, org, &[id]).await?;
        let catalog = self.catalog(&mut tx, org).await?;
        platform::db::commit(tx).await?;
        let action = self.find_action(&catalog, &orphan.record.invocation.address);
        let action = action.and_then(|action| batch::expand(self, &catalog, action, &params).ok());
        let settled = match action {
            Some(action) => self.execute(self.reclaim(orphan, action, params).await?).await?,
            None => settle::settle(self, given_up(orphan)).await?,
        };
        metrics::counter!("countersign_recovered_total", "status" => settled.status.as_str()).increment(1);
        tracing::warn!(invocation.id = %id, status = settled.status.as_str(), "recovered an execution");
        Ok(true)
    }

    /// The claim of a dead process as this one's. Whether it may be repeated is decided anew: rules may have changed,
    /// the session may be over, the action may be another one by now.
    async fn reclaim(&self, orphan: Held, action: Arc<Action>, params: Value) -> Result<Claimed, Error> {
        let permit = self.permit_again(&orphan, action.clone(), &params).await?;
        let started_at = began(&orphan);
        Ok(Claimed {
            call: Call { action: action.definition.address.action.clone(), params },
            action,
            permit,
            standing: None,
            recovered: true,
            started_at,
            timeout: None,
            record: orphan.record,
        })
    }

    /// The standing with the grant this execution used one call of, which may have been its last one; unless it was
    /// taken back since.
    async fn with_its_grant(&self, record: &Record, standing: Arc<Standing>) -> Result<Arc<Standing>, Error> {
        let Some(used) = record.invocation.decision.grant else { return Ok(standing) };
        let mut tx = self.parts.db.begin(record.org).await?;
        let grant = self.parts.grants.find(&mut tx, record.org, used).await?;
        Ok(match grant {
            Some(grant) => Arc::new(standing.with_grant(grant)),
            None => standing,
        })
    }

    /// `None` when it would not be allowed today. A database that cannot be asked is no refusal: it is an error, and
    /// the execution is taken up again later.
    async fn permit_again(
        &self,
        orphan: &Held,
        action: Arc<Action>,
        params: &Value,
    ) -> Result<Option<Permit>, Error> {
        let record = &orphan.record;
        let invocation = &record.invocation;
        let standing = match standing::load(self, record.org, invocation.session).await {
            Err(Error::SessionOver) => return Ok(None),
            standing => standing?,
        };
        if standing.facts.session.is_over(self.parts.world.clock.now()) {
            return Ok(None);
        }
        let standing = self.with_its_grant(record, standing).await?;
        let decided = self.decide_again(record, (action, params.clone()), standing)?;
        let permit = if record.votes.is_empty() {
            decided.permit
        } else {
            let mut tx = self.parts.db.begin(record.org).await?;
            self.permit_of_votes(&mut tx, record, &decided).await?.ok()
        };
        // Only what was recorded may be repeated: the same definition, parameters and credential.
        Ok(permit.filter(|permit| *permit.subject() == invocation.shown_digest))
    }
}

/// When it began; an execution always did.
fn began(orphan: &Held) -> Timestamp {
    orphan.started_at.unwrap_or(orphan.record.invocation.requested_at)
}

/// The end of an execution whose action this program no longer has: nobody here can find out what came of it.
fn given_up(orphan: Held) -> Captured {
    let message = "the process executing it died, and the action is no longer known; it may have happened";
    let failure = Failure { class: ErrorClass::OutcomeUnknown, message: message.to_owned(), sent: true };
    let started_at = began(&orphan);
    Captured {
        record: orphan.record,
        status: Status::Unknown,
        failure: Some(failure),
        kept: None,
        answered: None,
        artifact: None,
        tries: vec![],
        attempts: 0,
        verification: None,
        repair: None,
        rollback: None,
        announce: None,
        started_at,
    }
}
