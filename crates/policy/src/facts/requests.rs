//! The facts that a request needs, and those that look at it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use model::{ActionDefinition, Digest, FactUsed, InvocationId, OrgId};
use platform::db::Error;
use serde_json::Value;
use sqlx::PgConnection;

use super::{Contribution, Entry, FactKind, FactPlace as Place, FactValue, FactValues, Hasher, Lookup};
use crate::{Statutes, StoredFact, cedar::Stored, store, store::facts::NewEntry};

/// The facts that policies for one action read, as one request sees them.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    lookups: Vec<(String, Lookup)>,
    /// Facts about automations, where there is none: nothing happened.
    nothing: Vec<(String, FactValue)>,
    /// Locks that requests take which could miss each other.
    locks: BTreeSet<i64>,
}

impl Wanted {
    pub fn is_empty(&self) -> bool {
        self.lookups.is_empty() && self.nothing.is_empty()
    }

    /// The names of the facts in which a request sees an entry.
    pub fn seen_by<'a>(&'a self, entry: &'a Entry) -> impl Iterator<Item = &'a str> {
        let sees = |lookup: &Lookup| {
            lookup.fact == entry.fact && lookup.scope == entry.scope && lookup.same == entry.same
        };
        self.lookups.iter().filter(move |(_, lookup)| sees(lookup)).map(|(name, _)| name.as_str())
    }

    /// In their order, so that no two requests wait for each other.
    pub fn locks(&self) -> impl Iterator<Item = i64> {
        self.locks.iter().copied()
    }
}

impl Statutes {
    /// The facts that policies for an action read.
    pub fn read_for<'a>(&'a self, definition: &'a ActionDefinition) -> impl Iterator<Item = &'a StoredFact> {
        let names: BTreeSet<&str> = self
            .policies
            .of(definition)
            .flat_map(|stored| &stored.statement.reads.facts)
            .map(String::as_str)
            .collect();
        self.facts.iter().filter(move |fact| names.contains(fact.definition.name()))
    }

    /// What a request needs to know before it is decided.
    pub fn wanted(
        &self,
        place: Place,
        (definition, input): (&ActionDefinition, &Value),
        now: Timestamp,
        hash: Hasher<'_>,
    ) -> Wanted {
        let mut wanted = Wanted::default();
        for fact in self.read_for(definition) {
            let (fact, name) = (&fact.definition, fact.definition.name().to_owned());
            match fact.lookup(place, input, now, hash) {
                Some(Some(lookup)) => {
                    if fact.is_cap() {
                        wanted.locks.insert(lock(&lookup));
                    }
                    wanted.lookups.push((name, lookup));
                }
                Some(None) if fact.source.kind == FactKind::Any => {
                    wanted.nothing.push((name, FactValue::Truth(false)));
                }
                Some(None) => wanted.nothing.push((name, FactValue::Number(0))),
                // A field that must be the same is missing: the fact stays unknown, and what reads it holds.
                None => {}
            }
        }
        wanted
    }

    /// What a request contributes to facts.
    pub fn entries(&self, place: Place, of: Contribution<'_>, hash: Hasher<'_>) -> Vec<Entry> {
        let known = |fact: &&StoredFact| fact.definition.needs_output() == of.output.is_some();
        self.facts.iter().filter(known).filter_map(|fact| fact.definition.entry(place, of, hash)).collect()
    }

    /// The facts that were read for a request, for people.
    pub fn told(
        &self,
        of: Contribution<'_>,
        values: &FactValues,
        now: Timestamp,
        adds: &[Entry],
    ) -> Vec<FactUsed> {
        let limit = |name: &str| {
            let reads = self.policies.of(of.definition).map(|stored: &Stored| &stored.statement.reads);
            reads.filter_map(|reads| reads.limits.get(name)).min().copied()
        };
        let read = self.read_for(of.definition);
        let told = read.filter_map(|fact| {
            let definition = &fact.definition;
            let begins = now.checked_sub(definition.within).unwrap_or(Timestamp::MIN);
            let mine = adds.iter().filter(|entry| entry.fact == definition.id);
            let adds = mine.map(|entry| entry.amount).reduce(i64::saturating_add);
            Some(FactUsed {
                name: definition.name().to_owned(),
                value: readable(values.get(definition.name())?.as_number()),
                adds: adds.map(readable),
                limit: limit(definition.name()).map(readable),
                words: definition.words(),
                since: (fact.sees_since > begins).then(|| fact.sees_since.to_string()),
            })
        });
        told.collect()
    }
}

/// A number that every reader of JSON keeps exactly. Decisions are hashed and signed, and an amount of 2^63 − 1 must not keep
/// them from that.
fn readable(number: i64) -> i64 {
    const MOST: i64 = (1 << 53) - 1;
    number.clamp(-MOST, MOST)
}

/// Another number than other locks of the database, with all likelihood; two that are equal only wait for each other.
fn lock(lookup: &Lookup) -> i64 {
    let mut bytes = b"countersign fact".to_vec();
    bytes.extend(lookup.fact.uuid().as_bytes());
    bytes.extend(lookup.scope.as_bytes());
    bytes.extend(&lookup.same);
    let digest = Digest::of_bytes(&bytes);
    digest.as_bytes().first_chunk().map_or(0, |first: &[u8; 8]| i64::from_be_bytes(*first))
}

/// The values of facts for several requests, or for the parts of a batch, in one statement.
pub async fn read_facts(
    conn: &mut PgConnection,
    org: OrgId,
    wanted: &[Wanted],
    without: Option<InvocationId>,
) -> Result<Vec<FactValues>, Error> {
    let lookups: Vec<Lookup> =
        wanted.iter().flat_map(|one| &one.lookups).map(|(_, lookup)| lookup.clone()).collect();
    let read =
        if lookups.is_empty() { vec![] } else { store::facts::read(conn, org, &lookups, without).await? };
    let mut read = read.into_iter();
    let values = wanted.iter().map(|one| {
        let looked_up = one.lookups.iter().map(|(name, _)| name.clone()).zip(read.by_ref());
        looked_up.chain(one.nothing.iter().cloned()).collect()
    });
    Ok(values.collect())
}

/// Entries of one invocation.
#[derive(Debug, Clone)]
pub struct NewEntries<'a> {
    pub invocation: InvocationId,
    pub at: Timestamp,
    pub status: model::Status,
    pub entries: &'a [Entry],
}

/// Whether an invocation in this state waits for a person.
pub(super) const fn waits(status: model::Status) -> bool {
    matches!(status, model::Status::Pending | model::Status::Approved)
}

/// Writes what invocations contribute.
pub async fn write_entries(
    conn: &mut PgConnection,
    org: OrgId,
    facts: &[StoredFact],
    all: &[NewEntries<'_>],
) -> Result<(), Error> {
    let known = |entry: &Entry| facts.iter().find(|fact| fact.definition.id == entry.fact);
    let mut new = Vec::new();
    for NewEntries { invocation, at, status, entries } in all {
        for entry in *entries {
            let Some(StoredFact { definition, .. }) = known(entry) else { continue };
            new.push(NewEntry {
                invocation: *invocation,
                at: *at,
                waits: waits(*status),
                counts: definition.source.state.statuses().contains(status),
                adds_up: definition.slice_s.is_some(),
                entry,
            });
        }
    }
    store::facts::insert_entries(conn, org, &new).await
}

/// Replaces what an invocation contributes, because its parameters were corrected.
pub async fn delete_entries(conn: &mut PgConnection, org: OrgId, of: InvocationId) -> Result<(), Error> {
    store::facts::delete_entries(conn, org, of).await
}
