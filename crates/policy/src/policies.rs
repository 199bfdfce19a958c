//! The policies, facts and cases of organizations.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use changes::{Author, Draft, Kind, Recorder};
use jiff::Timestamp;
use model::{FactId, OrgId, PolicyId, UserId};
use platform::{
    World,
    db::{self, Database},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    Case, Error, FactDefinition, Gates, NewFact,
    cedar::{PolicySet, Statement, Stored, is_name},
    limits::{facts, policies},
    store,
};

/// A policy as it is stored.
#[derive(Debug, Clone)]
pub struct StoredPolicy {
    pub id: PolicyId,
    pub statement: Statement,
    pub version: i32,
    /// Since when it is recorded and not applied; `None` if it is applied.
    pub observing_since: Option<Timestamp>,
    pub set_by: UserId,
    pub updated_at: Timestamp,
}

/// A fact as it is stored.
#[derive(Debug, Clone)]
pub struct StoredFact {
    pub definition: FactDefinition,
    /// From when on it has seen everything.
    pub sees_since: Timestamp,
    /// Whether it was filled with what is older, as far as that can be read.
    pub is_filled: bool,
    pub set_by: UserId,
    pub created_at: Timestamp,
}

/// A case as it is stored.
#[derive(Debug, Clone)]
pub struct StoredCase {
    pub case: Case,
    pub updated_at: Timestamp,
}

/// What of an organization's policies a decision needs.
#[derive(Debug, Clone)]
pub struct Statutes {
    pub policies: PolicySet,
    pub facts: Vec<StoredFact>,
    /// What it set for gates.
    pub gates: Arc<Gates>,
    pub zone: jiff::tz::TimeZone,
}

/// The policies of orgs. Cheap to clone.
#[derive(Clone)]
pub struct Policies {
    pub(crate) db: Database,
    pub(crate) world: World,
    pub(crate) recorder: Recorder,
    solver: Arc<str>,
    /// One comparison at a time: a solver takes a processor.
    solving: Arc<Semaphore>,
    /// Orgs of which this process wrote entries of facts that are not added up yet.
    pub(crate) unsummed: Arc<Mutex<HashSet<OrgId>>>,
}

impl StoredPolicy {
    fn recorded(&self) -> Value {
        json!({ "text": self.statement.text, "state": self.state(), "version": self.version })
    }

    /// `enforced` or `observing`.
    pub const fn state(&self) -> &'static str {
        if self.observing_since.is_some() { "observing" } else { "enforced" }
    }
}

impl From<StoredPolicy> for Stored {
    fn from(stored: StoredPolicy) -> Self {
        let StoredPolicy { statement, version, observing_since, .. } = stored;
        Self { statement, version, is_observing: observing_since.is_some() }
    }
}

impl Policies {
    /// Over a database.
    pub fn new(db: Database, world: World, recorder: Recorder) -> Self {
        let solving = Arc::new(Semaphore::new(1));
        Self { db, world, recorder, solver: "cvc5".into(), solving, unsummed: Arc::default() }
    }

    /// The same, with another program as the solver.
    #[must_use]
    pub fn with_solver(self, program: &str) -> Self {
        Self { solver: program.into(), ..self }
    }

    /// Where changes of policy are recorded.
    pub const fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The program that compares policies, when no other comparison uses it.
    pub async fn solver(&self) -> (&str, Option<SemaphorePermit<'_>>) {
        (&self.solver, self.solving.acquire().await.ok())
    }

    /// Everything that a decision needs, in the caller's transaction.
    pub async fn statutes(&self, conn: &mut PgConnection, org: OrgId) -> Result<Statutes, Error> {
        let policies = store::policies::list(conn, org).await?.into_iter().map(Stored::from).collect();
        let zone = store::policies::time_zone(conn, org).await?;
        // A zone that this machine does not know any more: its hours are those of UTC.
        let zone = jiff::tz::TimeZone::get(&zone).unwrap_or(jiff::tz::TimeZone::UTC);
        let facts = store::facts::list(conn, org).await?;
        let gates = Arc::new(Gates::new(store::gates::read(conn, org).await?.settings)?);
        Ok(Statutes { policies: PolicySet::new(policies), facts, gates, zone })
    }

    /// The policies of an org, by name.
    pub async fn list(&self, org: OrgId) -> Result<Vec<StoredPolicy>, Error> {
        Ok(store::policies::list(&mut *self.db.begin(org).await?, org).await?)
    }

    /// Sets a policy, replacing the one with the same name. Whoever calls this has checked it against the catalog.
    pub async fn put(
        &self,
        by: &Author,
        statement: Statement,
        observing: bool,
        version: Option<i32>,
    ) -> Result<StoredPolicy, Error> {
        let set_by = by.user.ok_or(Error::NotAPerson)?;
        let now = self.world.clock.now();
        let mut tx = self.db.begin(by.org).await?;
        store::policies::lock_all(&mut tx, by.org).await?;
        let all = store::policies::list(&mut tx, by.org).await?;
        let before = all.iter().find(|one| one.statement.name == statement.name);
        let current = before.map_or(0, |one| one.version);
        if version.is_some_and(|read| read != current) {
            return Err(Error::Changed(current));
        }
        check_size(&all, &statement)?;
        let observing_since = observing.then(|| before.and_then(|one| one.observing_since).unwrap_or(now));
        let new = StoredPolicy {
            id: before.map_or_else(|| PolicyId::from_uuid(self.world.uuid()), |one| one.id),
            statement,
            version: before.map_or(1, |one| one.version + 1),
            observing_since,
            set_by,
            updated_at: now,
        };
        if let Some(before) = before
            && before.statement.text == new.statement.text
            && before.observing_since.is_some() == observing
        {
            return Ok(before.clone());
        }
        let draft = Draft {
            kind: Kind::PolicySet,
            subject: new.id.to_string(),
            name: new.statement.name.clone(),
            before: before.map(StoredPolicy::recorded),
            after: Some(new.recorded()),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::policies::upsert(&mut recorded, by.org, &new).await?;
        db::commit(tx).await?;
        Ok(new)
    }

    /// Deletes a policy.
    pub async fn delete(&self, by: &Author, name: &str) -> Result<(), Error> {
        let mut tx = self.db.begin(by.org).await?;
        store::policies::lock_all(&mut tx, by.org).await?;
        let all = store::policies::list(&mut tx, by.org).await?;
        let before = all.iter().find(|one| one.statement.name == name).ok_or(Error::NotFound)?;
        let draft = Draft {
            kind: Kind::PolicyRemoved,
            subject: before.id.to_string(),
            name: name.to_owned(),
            before: Some(before.recorded()),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::policies::delete(&mut recorded, by.org, before.id).await?;
        Ok(db::commit(tx).await?)
    }

    /// The facts of an org, by name.
    pub async fn facts(&self, org: OrgId) -> Result<Vec<StoredFact>, Error> {
        Ok(store::facts::list(&mut *self.db.begin(org).await?, org).await?)
    }

    /// Sets a fact. One that is changed is a new one, which is filled anew. Nobody claims while it is saved: every claim
    /// before it can be read when it is filled, and every later one knows it.
    pub async fn put_fact(&self, by: &Author, fact: NewFact) -> Result<StoredFact, Error> {
        let set_by = by.user.ok_or(Error::NotAPerson)?;
        let definition =
            FactDefinition { id: FactId::from_uuid(self.world.uuid()), ..FactDefinition::new(fact)? };
        let now = self.world.clock.now();
        let mut tx = self.db.begin_alone(by.org).await?;
        let all = store::facts::list(&mut tx, by.org).await?;
        let before = all.iter().find(|one| one.definition.name() == definition.name());
        if let Some(same) = before.filter(|before| before.definition.source == definition.source) {
            return Ok(same.clone());
        }
        if before.is_none() && all.len() >= facts::MOST {
            return Err(Error::Fact(format!("an organization has at most {} facts", facts::MOST)));
        }
        let draft = Draft {
            kind: Kind::FactSet,
            // That of the one before it, so that a second owner's approval is of the same change.
            subject: before.map_or(definition.id, |before| before.definition.id).to_string(),
            name: definition.name().to_owned(),
            before: before.map(|before| json!(before.definition.source)),
            after: Some(json!(definition.source)),
        };
        let replaced = before.map(|before| before.definition.id);
        let new = StoredFact { definition, sees_since: now, is_filled: false, set_by, created_at: now };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        if let Some(replaced) = replaced {
            store::facts::delete(&mut recorded, by.org, replaced).await?;
        }
        store::facts::insert(&mut recorded, by.org, &new).await?;
        db::commit(tx).await?;
        Ok(new)
    }

    /// Deletes a fact that no policy reads.
    pub async fn delete_fact(&self, by: &Author, name: &str) -> Result<(), Error> {
        let mut tx = self.db.begin_alone(by.org).await?;
        store::policies::lock_all(&mut tx, by.org).await?;
        let all = store::facts::list(&mut tx, by.org).await?;
        let before = all.iter().find(|one| one.definition.name() == name).ok_or(Error::NotFound)?;
        let policies = store::policies::list(&mut tx, by.org).await?;
        if let Some(user) = policies.iter().find(|one| one.statement.reads.facts.contains(name)) {
            return Err(Error::FactInUse(user.statement.name.clone()));
        }
        let draft = Draft {
            kind: Kind::FactRemoved,
            subject: before.definition.id.to_string(),
            name: name.to_owned(),
            before: Some(json!(before.definition.source)),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::facts::delete(&mut recorded, by.org, before.definition.id).await?;
        Ok(db::commit(tx).await?)
    }

    /// The cases of an org, by name.
    pub async fn cases(&self, org: OrgId) -> Result<Vec<StoredCase>, Error> {
        Ok(store::cases::list(&mut *self.db.begin(org).await?, org).await?)
    }

    /// Sets a case, replacing the one with the same name.
    pub async fn put_case(&self, org: OrgId, case: Case) -> Result<StoredCase, Error> {
        if !is_name(&case.name) {
            return Err(Error::Invalid(
                "the name of a case has 1 to 64 of a-z, 0-9, `_` and `-`, and starts with a letter",
            ));
        }
        let size = serde_json::to_string(&case).map_or(usize::MAX, |text| text.len());
        if size > policies::LONGEST_CASE {
            return Err(Error::Invalid("a case must have at most 16 KB"));
        }
        let mut tx = self.db.begin(org).await?;
        let all = store::cases::list(&mut tx, org).await?;
        if all.len() >= policies::MOST_CASES && all.iter().all(|one| one.case.name != case.name) {
            return Err(Error::Invalid("an organization has at most 500 cases"));
        }
        let new = StoredCase { case, updated_at: self.world.clock.now() };
        store::cases::upsert(&mut tx, org, &new).await?;
        db::commit(tx).await?;
        Ok(new)
    }

    /// Deletes a case.
    pub async fn delete_case(&self, org: OrgId, name: &str) -> Result<(), Error> {
        let mut tx = self.db.begin(org).await?;
        if !store::cases::delete(&mut tx, org, name).await? {
            return Err(Error::NotFound);
        }
        Ok(db::commit(tx).await?)
    }
}

fn check_size(all: &[StoredPolicy], new: &Statement) -> Result<(), Error> {
    let others = || all.iter().filter(|one| one.statement.name != new.name);
    if others().count() >= policies::MOST {
        return Err(Error::Policy(format!("an organization has at most {} policies", policies::MOST)));
    }
    let size = others().map(|one| one.statement.text.len()).sum::<usize>() + new.text.len();
    if size > policies::LONGEST_SET {
        return Err(Error::Policy(format!(
            "all policies together have at most {} bytes",
            policies::LONGEST_SET
        )));
    }
    Ok(())
}
