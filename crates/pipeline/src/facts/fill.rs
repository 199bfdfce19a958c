//! Filling new facts with what happened before they were declared, page by page, the newest first.

use std::sync::Arc;

use catalog::connector::OrgCatalog;
use jiff::SignedDuration;
use model::{ActionAddress, ActionDefinition, FactId, Labels, OrgId, SessionKind};
use platform::{
    db::{self, Tx},
    period,
};
use policy::{FactPlace, RecordedCall, RecordedPage, StoredFact};
use serde_json::Value;

use crate::{
    batch::{params_of, parts_of},
    error::Error,
    parts::{Pipeline, Reader},
    stages::claim::patience,
    store::{self, PastCall},
};

/// How many invocations one transaction reads: their rows are locked meanwhile.
const PAGE: i64 = policy::limits::facts::FILLED_AT_ONCE;
/// How far the clocks of two processes may be apart.
const SKEW: SignedDuration = SignedDuration::from_mins(10);

impl Pipeline {
    /// Fills the facts that are not filled yet, in every org.
    pub async fn fill_facts(&self) -> Result<(), Error> {
        for (org, fact) in self.parts.policies.unfilled_facts().await? {
            self.fill_fact(org, fact).await?;
        }
        Ok(())
    }

    /// Deletes entries of facts that no window reaches any more. Returns how many.
    pub async fn purge_fact_entries(&self) -> Result<i64, Error> {
        Ok(self.parts.policies.purge_fact_entries().await?)
    }

    /// Adds up the entries of facts that this process wrote, so that decisions read sums.
    pub async fn add_up_facts(&self) -> Result<(), Error> {
        Ok(self.parts.policies.add_up().await?)
    }

    /// Fills one fact. This may be done twice, also at the same time.
    pub async fn fill_fact(&self, org: OrgId, id: FactId) -> Result<(), Error> {
        let policies = &self.parts.policies;
        let Some(mut fact) = policies.find_fact(org, id).await?.filter(|fact| !fact.is_filled) else {
            return Ok(());
        };
        // What waited for a person may have been asked long before it happened, and what still waits holds its share.
        let now = self.parts.world.clock.now();
        let begins = now - fact.definition.within - patience(SessionKind::Unattended) - SKEW;
        let begins = period::least_uuid(begins);
        let mut before = period::least_uuid(fact.sees_since + SKEW);
        loop {
            let mut tx = self.parts.db.begin(org).await?;
            // Their results are not stored yet, and those who perform them do not know the fact. It is filled when they are over.
            if fact.definition.needs_output() && store::is_any_executing(&mut tx, org, before, now).await? {
                return Ok(());
            }
            let key = self.parts.sealer.pseudonym_key(&mut tx, org).await?;
            let calls = store::lock_past(&mut tx, org, (begins, before), PAGE).await?;
            let is_last = i64::try_from(calls.len()).is_ok_and(|count| count < PAGE);
            before = calls.last().map_or(before, |call| call.id.uuid());
            let catalog = self.reader.catalog(&mut tx, org).await?;
            let calls = recorded(&self.reader, &mut tx, (org, &catalog), calls, &fact).await?;
            let hash = |value: &[u8]| policy::keyed_hash(key.as_slice(), value);
            let page = RecordedPage { calls: &calls, is_last };
            let filled = policies.fill(&mut tx, (org, &fact), page, &hash).await?;
            db::commit(tx).await?;
            fact.sees_since = filled.sees_since;
            if filled.is_done {
                return Ok(());
            }
        }
    }
}

/// The calls with their actions as they are now.
async fn recorded(
    reader: &Reader,
    tx: &mut Tx,
    (org, catalog): (OrgId, &Arc<OrgCatalog>),
    calls: Vec<PastCall>,
    fact: &StoredFact,
) -> Result<Vec<RecordedCall>, Error> {
    let mut sessions: Vec<_> = calls.iter().map(|call| call.session).collect();
    sessions.sort_unstable();
    sessions.dedup();
    let places = tenancy::places(tx, org, &sessions).await?;
    let (mut recorded, mut counted) = (Vec::new(), Vec::new());
    for call in calls {
        let run = places.get(&call.session).and_then(|place| place.run.as_ref());
        let automation = run.map(|run| run.automation);
        let place = FactPlace { session: call.session, automation, space: call.space };
        let acts = acts(reader, catalog, &call);
        let is_batch = acts.len() > 1;
        for (part, (definition, params)) in (0..).zip(acts) {
            if fact.definition.is_of(&definition) {
                counted.push(call.id);
            }
            recorded.push(RecordedCall {
                invocation: call.id,
                place,
                definition,
                part,
                has_parts: part == 0 && is_batch,
                at: call.requested_at,
                happened_at: call.happened_at,
                status: call.status,
                params,
                // That of a batch is of all of its parts.
                result: call.result.clone().filter(|_| part == 0),
                is_erased: call.is_erased,
            });
        }
    }
    store::set_counted(tx, org, &counted).await?;
    Ok(recorded)
}

/// The action of a call, and the parts of a batch.
fn acts(reader: &Reader, catalog: &OrgCatalog, call: &PastCall) -> Vec<(ActionDefinition, Value)> {
    let found = |address: &ActionAddress| {
        reader.find_action(catalog, address).map(|action| action.definition.clone())
    };
    let itself = found(&call.address).unwrap_or_else(|| of_former(call));
    let parts = parts_of(&call.params).iter().filter(|_| itself.address.to_string() == "batch.run");
    let parts = parts.filter_map(|part| {
        let address = part["action"].as_str()?.parse().ok()?;
        Some((found(&address)?, params_of(part)))
    });
    std::iter::once((itself.clone(), call.params.clone())).chain(parts).collect()
}

/// An action that no longer exists, as far as a call of it tells.
fn of_former(call: &PastCall) -> ActionDefinition {
    ActionDefinition {
        address: call.address.clone(),
        description: String::new(),
        input_schema: serde_json::json!({}),
        output_schema: None,
        risk: call.risk,
        effect: call.effect,
        labels: Labels::default(),
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 0,
    }
}
