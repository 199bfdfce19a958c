//! Filling a new fact with what happened before it was declared, as far as that can be read.

use std::sync::PoisonError;

use jiff::Timestamp;
use model::{FactId, InvocationId, OrgId, Status};
use platform::{
    db::{self, Error},
    redact::REDACTED,
};
use serde_json::Value;

use super::{Contribution, Entry, FactPlace, Hasher, requests::waits};
use crate::{
    Policies, StoredFact,
    limits::facts::{ADDED_AT_ONCE, ADDED_IN_A_ROW, LONGEST_WINDOW},
    store,
};

/// An invocation of the past, as it is stored: redacted, and without what was erased.
#[derive(Debug)]
pub struct Recorded {
    pub invocation: InvocationId,
    pub place: FactPlace,
    pub definition: model::ActionDefinition,
    /// The part of a batch; 0 for a single action, and for the batch itself.
    pub part: i16,
    /// Whether it is a batch, whose parts are looked at by themselves.
    pub has_parts: bool,
    /// When it was asked, and when it happened or was denied.
    pub at: Timestamp,
    pub happened_at: Timestamp,
    pub status: Status,
    pub params: Value,
    pub result: Option<Value>,
    pub is_erased: bool,
}

/// Invocations, the newest first.
#[derive(Debug, Clone, Copy)]
pub struct RecordedPage<'a> {
    pub calls: &'a [Recorded],
    /// Whether there are no older ones.
    pub is_last: bool,
}

/// How far a fact was filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filled {
    /// From when on it has seen everything.
    pub sees_since: Timestamp,
    /// Whether nothing older can be read, or is in its window.
    pub is_done: bool,
}

/// How many facts are filled in one round. Some of one organization may have to wait, and keep nobody else waiting.
const MOST_FILLED: i32 = 1_000;

impl Policies {
    /// Facts that are not filled yet, in any org.
    pub async fn unfilled_facts(&self) -> Result<Vec<(OrgId, FactId)>, Error> {
        store::facts::unfilled(&mut *self.db.unscoped().await?, MOST_FILLED).await
    }

    /// Deletes entries that no window reaches any more. Returns how many.
    pub async fn purge_fact_entries(&self) -> Result<i64, Error> {
        let before = self.world.clock.now() - LONGEST_WINDOW - jiff::SignedDuration::from_hours(24);
        store::facts::purge(&mut *self.db.unscoped().await?, before).await
    }

    /// A fact of an org.
    pub async fn find_fact(&self, org: OrgId, id: FactId) -> Result<Option<StoredFact>, Error> {
        let all = store::facts::list(&mut *self.db.begin(org).await?, org).await?;
        Ok(all.into_iter().find(|fact| fact.definition.id == id))
    }

    /// Fills a fact with invocations, which the caller has locked.
    pub async fn fill(
        &self,
        conn: &mut db::Tx,
        (org, fact): (OrgId, &StoredFact),
        RecordedPage { calls: recorded, is_last }: RecordedPage<'_>,
        hash: Hasher<'_>,
    ) -> Result<Filled, Error> {
        let begins = self.world.clock.now() - fact.definition.within;
        let mut filled = Filled { sees_since: fact.sees_since, is_done: is_last };
        let mut entries: Vec<(&Recorded, Entry)> = Vec::new();
        for one in recorded {
            if fact.definition.is_of(&one.definition) {
                // What it would count may be in what cannot be read, so it sees no further back than this.
                if is_unreadable(fact, one) {
                    filled.is_done = true;
                    break;
                }
                let output = one.result.as_ref().filter(|_| fact.definition.needs_output());
                let of = Contribution {
                    definition: &one.definition,
                    input: &one.params,
                    output,
                    part: one.part,
                    has_parts: one.has_parts,
                };
                entries.extend(fact.definition.entry(one.place, of, hash).map(|entry| (one, entry)));
            }
            filled.sees_since = one.at.min(filled.sees_since);
        }
        if is_last && recorded.iter().all(|one| one.at >= filled.sees_since) {
            filled.sees_since = filled.sees_since.min(begins);
        }
        let statuses = fact.definition.source.state.statuses();
        let new = entries.iter().map(|(one, entry)| store::facts::NewEntry {
            invocation: one.invocation,
            at: one.happened_at,
            waits: waits(one.status),
            counts: statuses.contains(&one.status),
            adds_up: fact.definition.slice_s.is_some(),
            entry,
        });
        let new: Vec<store::facts::NewEntry<'_>> = new.collect();
        store::facts::insert_entries(conn, org, &new).await?;
        store::facts::set_filled(conn, org, fact.definition.id, (filled.sees_since, filled.is_done)).await?;
        self.add_up_soon(org);
        Ok(filled)
    }

    /// Lets `add_up` look at the entries of an org.
    pub fn add_up_soon(&self, org: OrgId) {
        self.unsummed.lock().unwrap_or_else(PoisonError::into_inner).insert(org);
    }

    /// Adds up the entries that this process wrote. What another process left behind is added up with them.
    pub async fn add_up(&self) -> Result<(), Error> {
        let orgs = std::mem::take(&mut *self.unsummed.lock().unwrap_or_else(PoisonError::into_inner));
        for org in orgs {
            if self.add_up_some(org).await? {
                self.add_up_soon(org);
            }
        }
        Ok(())
    }

    /// Returns whether there are more. A few transactions at a time, so that no org waits for a larger one.
    async fn add_up_some(&self, org: OrgId) -> Result<bool, Error> {
        for _ in 0..ADDED_IN_A_ROW {
            let mut tx = self.db.begin(org).await?;
            let added = store::facts::add_up(&mut tx, org, ADDED_AT_ONCE).await?;
            db::commit(tx).await?;
            if added < ADDED_AT_ONCE {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether something that the fact reads was redacted or erased.
fn is_unreadable(fact: &StoredFact, one: &Recorded) -> bool {
    let source = &fact.definition.source;
    let reads_values = source.field.is_some() || source.condition.is_some() || !source.same.is_empty();
    let lacks_result =
        fact.definition.needs_output() && one.status == Status::Succeeded && one.result.is_none();
    let hides = |value: &Value| value.to_string().contains(REDACTED);
    reads_values
        && (one.is_erased || lacks_result || hides(&one.params) || one.result.as_ref().is_some_and(hides))
}
