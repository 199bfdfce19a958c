//! Recovery: what a dead process left is taken up by the next one that looks, through the same stages.

use catalog::Call;
use model::{InvocationId, OrgId};
use platform::seal::Place;
use policy::Permit;
use serde_json::Value;

use crate::{
    Error, Pipeline,
    decide::decide,
    dispatch::MOST_ATTEMPTS,
    standing,
    state::{Admitted, Claimed, Request, Resolved},
    store::{self, Orphan},
};

/// How many are taken up in one look; what is left is found by the next.
const BATCH: i32 = 50;

impl Pipeline {
    /// Finds executions whose lease ran out, in every org, and brings each to its end. Says how many it finished.
    pub async fn recover(&self) -> Result<usize, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        let expired = store::expired_leases(&mut conn, self.parts.world.clock.now(), BATCH).await?;
        drop(conn);
        let mut finished = 0;
        for (org, id) in expired {
            match Box::pin(self.recover_one(org, id)).await {
                Ok(true) => finished += 1,
                Ok(false) => {}
                // One that cannot be finished must not keep the others waiting; its new lease runs out as well.
                Err(error) => {
                    tracing::error!(invocation.id = %id, error = &error as &dyn std::error::Error, "recovering an execution");
                }
            }
        }
        Ok(finished)
    }

    /// Forgets idempotency keys past their end.
    pub async fn purge_keys(&self) -> Result<i64, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        Ok(store::purge_keys(&mut conn, self.parts.world.clock.now()).await?)
    }

    async fn recover_one(&self, org: OrgId, id: InvocationId) -> Result<bool, Error> {
        let now = self.parts.world.clock.now();
        let lease = self.parts.limits.lease_margin + std::time::Duration::from_secs(30) * MOST_ATTEMPTS;
        let mut tx = self.parts.db.begin(org).await?;
        let Some(orphan) = store::take_over(&mut tx, (org, id), now, now + lease).await? else {
            return Ok(false);
        };
        let place = Place { table: "invocations", row: id.uuid(), field: "params_sealed" };
        let plain = self.parts.sealer.open(&mut tx, org, place, &orphan.params_sealed).await?;
        platform::db::commit(tx).await?;
        let params = receipt::parse_strict(&plain, usize::MAX).unwrap_or_default();
        let claimed = self.reclaim(orphan, params).await?;
        let settled = self.execute(claimed).await?;
        metrics::counter!("countersign_recovered_total", "status" => settled.status.as_str()).increment(1);
        tracing::warn!(invocation.id = %id, status = settled.status.as_str(), "recovered an execution");
        Ok(true)
    }

    /// The claim of a dead process as this one's. Whether it may be repeated is decided anew: rules may have changed,
    /// the session may be over, the action may be another one by now.
    async fn reclaim(&self, orphan: Orphan, params: Value) -> Result<Claimed, Error> {
        let invocation = &orphan.record.invocation;
        let action = self.parts.registry.resolve(&invocation.address).ok_or(Error::NotFound("action"))?;
        let permit = self.permit_again(&orphan, &params).await;
        Ok(Claimed {
            call: Call { action: action.definition.address.action.clone(), params },
            action,
            permit,
            recovered: true,
            started_at: orphan.started_at,
            record: orphan.record,
        })
    }

    async fn permit_again(&self, orphan: &Orphan, params: &Value) -> Option<Permit> {
        let record = &orphan.record;
        let invocation = &record.invocation;
        let action = self.parts.registry.resolve(&invocation.address)?;
        let standing = standing::load(self, record.org, invocation.session).await.ok()?;
        if standing.facts.is_over(self.parts.world.clock.now()) {
            return None;
        }
        let request = Request {
            org: record.org,
            session: invocation.session,
            action: invocation.address.to_string(),
            params: params.clone(),
            dry_run: false,
            key: None,
            trace_id: None,
        };
        let decided = decide(self, Admitted(Resolved { request, standing, action })).ok()?;
        // Only what was recorded may be repeated: the same definition, parameters and credential.
        decided.permit.filter(|permit| *permit.subject() == invocation.shown_digest)
    }
}
