//! Facts: what policies need to know about the past. They are read before a decision and again in its claim, where requests
//! that could miss each other take turns: of several at once that would together go beyond a cap, exactly those that fit are
//! let through. What waits for a person holds its share. Consents are looked up in the same places.

mod fill;

use model::{ActionDefinition, FactUsed, InvocationId, OrgId};
use platform::db::{self, Tx};
use policy::{
    Consented, ConsentsWanted, Contribution, Entry, FactPlace, FactValues, NewEntries, Statutes, StoredFact,
    Wanted,
};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::{
    batch::{params_of, parts_of},
    error::Error,
    parts::{Pipeline, Reader},
    policy_snapshot::Snapshot,
    stages::state::{Claimed, Resolved},
};

/// What is known about the past for one request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Past {
    /// For the action, and for each part of a batch. A part sees what those before it add.
    values: Vec<FactValues>,
    /// Whether everybody agreed who must, for each of the same that needs it.
    consents: Vec<Option<Consented>>,
    /// The values for people.
    pub(crate) told: Vec<FactUsed>,
    /// What the request itself contributes.
    pub(crate) entries: Vec<Entry>,
}

impl Past {
    /// For the action itself, or for a part of a batch, counted from 1.
    pub(crate) fn of(&self, part: usize) -> Option<&FactValues> {
        self.values.get(part)
    }

    /// What came of looking for consents, of the same.
    pub(crate) fn consent(&self, part: usize) -> Option<&Consented> {
        self.consents.get(part)?.as_ref()
    }
}

/// What must be read for one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Needs {
    facts: Vec<Wanted>,
    consents: Vec<Option<ConsentsWanted>>,
}

impl Needs {
    /// Whether no policy for it reads a fact, and nobody must have agreed to it.
    pub(crate) fn is_empty(&self) -> bool {
        self.facts.iter().all(Wanted::is_empty) && self.consents.iter().all(Option::is_none)
    }

    /// The locks to take, in order.
    pub(crate) fn locks(&self) -> Vec<i64> {
        let mut locks: Vec<i64> = self.facts.iter().flat_map(Wanted::locks).collect();
        locks.sort_unstable();
        locks.dedup();
        locks
    }
}

/// The key under which values are compared; `None` where the organization has no facts and needs no consents.
pub(crate) type Key = Option<Zeroizing<[u8; 32]>>;

impl Reader {
    /// The key of the facts of an organization.
    pub(crate) async fn fact_key(&self, org: OrgId, statutes: &Statutes) -> Result<Key, Error> {
        if statutes.facts.is_empty() && !statutes.gates.has_purposes() {
            return Ok(None);
        }
        self.key_of(org).await.map(Some)
    }

    async fn key_of(&self, org: OrgId) -> Result<Zeroizing<[u8; 32]>, Error> {
        let sealer = &self.parts.sealer;
        if let Some(key) = sealer.pseudonym_key_from_memory(org) {
            return Ok(key);
        }
        let mut tx = self.parts.db.begin(org).await?;
        let key = sealer.pseudonym_key(&mut tx, org).await?;
        db::commit(tx).await?;
        Ok(key)
    }

    /// The hash under which somebody's consents are stored and found.
    pub async fn subject_hash(&self, org: OrgId, subject: &str) -> Result<[u8; 32], Error> {
        let key = self.key_of(org).await?;
        Ok(policy::subject_hash(&|value| policy::keyed_hash(key.as_slice(), value), subject))
    }

    /// What a request needs, and what it contributes.
    pub(crate) fn fact_needs(&self, resolved: &Resolved, key: &Key) -> (Needs, Vec<Entry>) {
        let Some(key) = key else { return (Needs::default(), vec![]) };
        let hash = |value: &[u8]| policy::keyed_hash(key.as_slice(), value);
        let statutes = &resolved.snapshot.org.statutes;
        let (place, now) = (place_of(&resolved.snapshot), self.parts.world.clock.now());
        let (mut needs, mut entries) = (Needs::default(), Vec::new());
        for (part, (definition, input)) in (0..).zip(acts(resolved)) {
            needs.facts.push(statutes.wanted(place, (definition, &input), now, &hash));
            needs.consents.push(statutes.gates.consents_wanted(definition, &input, &hash));
            let has_parts = part == 0 && !resolved.action.parts.is_empty();
            let of = Contribution { definition, input: &input, output: None, part, has_parts };
            entries.extend(statutes.entries(place, of, &hash));
        }
        (needs, entries)
    }

    /// Reads the past for a request. What it holds itself, if it waits already, is left out.
    pub(crate) async fn past(
        &self,
        tx: &mut Tx,
        resolved: &Resolved,
        (needs, entries): (&Needs, &[Entry]),
        without: Option<InvocationId>,
    ) -> Result<Past, Error> {
        let org = resolved.request.org;
        let mut values = policy::read_facts(tx, org, &needs.facts, without).await?;
        let now = self.parts.world.clock.now();
        let consents = policy::read_consents(tx, org, &needs.consents, now).await?;
        let told = self.told(resolved, &values, entries);
        add_earlier_parts(needs, &mut values, entries);
        Ok(Past { values, consents, told, entries: entries.to_vec() })
    }

    /// The same in a transaction of its own, for the decision before the claim.
    pub(crate) async fn past_of(&self, resolved: &Resolved) -> Result<(Needs, Past), Error> {
        let org = resolved.request.org;
        let key = self.fact_key(org, &resolved.snapshot.org.statutes).await?;
        let (needs, entries) = self.fact_needs(resolved, &key);
        if needs.is_empty() {
            return Ok((needs, Past { entries, ..Past::default() }));
        }
        let mut tx = self.parts.db.begin(org).await?;
        let past = self.past(&mut tx, resolved, (&needs, &entries), None).await?;
        Ok((needs, past))
    }

    /// What facts there are, and where a claim comes from that another process made.
    async fn statutes_of(&self, claimed: &Claimed) -> Result<(FactPlace, Statutes), Error> {
        let (org, session) = (claimed.record.org, claimed.record.invocation.session);
        let mut tx = self.parts.db.begin(org).await?;
        let statutes = self.parts.policies.statutes(&mut tx, org).await?;
        let places = tenancy::places(&mut tx, org, &[session]).await?;
        let run = places.get(&session).and_then(|place| place.run.as_ref());
        let automation = run.map(|run| run.automation);
        Ok((FactPlace { session, automation, space: claimed.record.space }, statutes))
    }

    /// What facts are told to people: of a batch, the highest value of all parts and what all of them add.
    fn told(&self, resolved: &Resolved, values: &[FactValues], entries: &[Entry]) -> Vec<FactUsed> {
        let statutes = &resolved.snapshot.org.statutes;
        let now = self.parts.world.clock.now();
        let mut told: Vec<FactUsed> = Vec::new();
        for ((definition, input), values) in acts(resolved).iter().zip(values) {
            let of = Contribution { definition, input, output: None, part: 0, has_parts: false };
            for fact in statutes.told(of, values, now, entries) {
                match told.iter_mut().find(|other| other.name == fact.name) {
                    Some(other) => other.value = other.value.max(fact.value),
                    None => told.push(fact),
                }
            }
        }
        told
    }
}

/// The action of a request, and the parts of a batch, with their parameters.
fn acts(resolved: &Resolved) -> Vec<(&ActionDefinition, std::borrow::Cow<'_, Value>)> {
    let Resolved { request, action, .. } = resolved;
    let itself = (&action.definition, std::borrow::Cow::Borrowed(&request.params));
    let parts = action.parts.iter().zip(parts_of(&request.params));
    let parts = parts.map(|(part, asked)| (&part.definition, std::borrow::Cow::Owned(params_of(asked))));
    std::iter::once(itself).chain(parts).collect()
}

fn place_of(snapshot: &Snapshot) -> FactPlace {
    let session = &snapshot.facts.session;
    FactPlace {
        session: session.id,
        automation: session.run.as_ref().map(|run| run.automation),
        space: session.space,
    }
}

/// Judges the parts of a batch on their sum: each sees what those before it would add to the same facts. For facts that tell
/// values apart that is at most too much.
fn add_earlier_parts(needs: &Needs, values: &mut [FactValues], entries: &[Entry]) {
    for (part, (values, wanted)) in values.iter_mut().zip(&needs.facts).enumerate().skip(2) {
        let is_earlier = |entry: &&Entry| usize::try_from(entry.part).is_ok_and(|other| other < part);
        for entry in entries.iter().filter(is_earlier) {
            for name in wanted.seen_by(entry) {
                values.add(name, entry.amount);
            }
        }
    }
}

/// What a result contributes to facts that read results.
pub(crate) struct NewOutcomes {
    pub(crate) entries: Vec<Entry>,
    pub(crate) facts: Vec<StoredFact>,
}

/// What a result contributes to facts, and what the results of the parts of a batch do; `None` if that is nothing.
pub(crate) async fn outcomes(pipeline: &Pipeline, claimed: &Claimed, output: &Value) -> Option<NewOutcomes> {
    let found = match &claimed.snapshot {
        Some(snapshot) => {
            let statutes = &snapshot.org.statutes;
            entries_of_result(pipeline, claimed, output, (place_of(snapshot), statutes)).await
        }
        // A recovered execution: the facts of now are those that will be read.
        None => match pipeline.reader.statutes_of(claimed).await {
            Ok((place, statutes)) => entries_of_result(pipeline, claimed, output, (place, &statutes)).await,
            Err(error) => Err(error),
        },
    };
    found.unwrap_or_else(|error| {
        let error = &error as &dyn std::error::Error;
        tracing::error!(error, "a result was not counted in the facts that read results");
        None
    })
}

async fn entries_of_result(
    pipeline: &Pipeline,
    claimed: &Claimed,
    output: &Value,
    (place, statutes): (FactPlace, &Statutes),
) -> Result<Option<NewOutcomes>, Error> {
    if !statutes.facts.iter().any(|fact| fact.definition.needs_output()) {
        return Ok(None);
    }
    let Some(key) = pipeline.reader.fact_key(claimed.record.org, statutes).await? else { return Ok(None) };
    let hash = |value: &[u8]| policy::keyed_hash(key.as_slice(), value);
    let Claimed { action, call, .. } = claimed;
    let has_parts = !action.parts.is_empty();
    let (definition, input) = (&action.definition, &call.params);
    let itself = Contribution { definition, input, output: Some(output), part: 0, has_parts };
    let mut entries = statutes.entries(place, itself, &hash);
    let reports = output["parts"].as_array().map_or(&[][..], Vec::as_slice);
    let parts = action.parts.iter().zip(parts_of(&call.params)).zip(reports);
    for (part, ((acted, asked), report)) in (1..).zip(parts) {
        let Some(output) = Some(&report["output"]).filter(|output| !output.is_null()) else { continue };
        let (definition, input) = (&acted.definition, &params_of(asked));
        let of = Contribution { definition, input, output: Some(output), part, has_parts: false };
        entries.extend(statutes.entries(place, of, &hash));
    }
    Ok((!entries.is_empty()).then(|| NewOutcomes { entries, facts: statutes.facts.clone() }))
}

/// Writes what requests contribute, in the transaction of their claims or of their ends.
pub(crate) async fn write(
    pipeline: &Pipeline,
    tx: &mut Tx,
    (org, facts): (OrgId, &[StoredFact]),
    entries: &[NewEntries<'_>],
) -> Result<(), Error> {
    policy::write_entries(tx, org, facts, entries).await?;
    pipeline.parts.policies.add_up_soon(org);
    Ok(())
}
