//! Automations: saving versions, and checking a definition before it is saved.

use std::{collections::BTreeMap, sync::Arc};

use catalog::Action;
use changes::{Author, Draft, Kind};
use jiff::Timestamp;
use model::{Actor, AutomationId, AutomationStatus, Digest, InOrg, OrgId, RunId, SpaceId, UserId};
use platform::db;
use serde_json::{Value, json};

use crate::{
    Automations, Definition, Error, Known, Problem, Recent, Run, Step, Upcoming, check, dispatch,
    limits::keep::RECENT,
    schedule,
    store::{self, triggers::Which},
    triggers::{NewToken, TriggerRow},
};

/// An automation with its current version.
#[derive(Debug, Clone)]
pub struct Automation {
    pub id: AutomationId,
    pub space: SpaceId,
    pub name: String,
    pub status: AutomationStatus,
    pub version: i32,
    /// How many runs it has had.
    pub runs: i64,
    pub created_by: UserId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub definition: Value,
    /// The user who saved this version and is responsible for it.
    pub saved_by: UserId,
}

impl Automation {
    /// What a record says about it. The definition is named by its digest: versions hold it whole.
    fn recorded(&self) -> Value {
        json!({
            "name": self.name,
            "status": self.status,
            "version": self.version,
            "space": self.space,
            "definition": Digest::of_canonical(&self.definition).ok(),
        })
    }

    fn draft(&self, kind: Kind, before: Option<Value>) -> Draft {
        let (subject, name) = (self.id.to_string(), self.name.clone());
        Draft { kind, subject, name, before, after: Some(self.recorded()) }
    }

    /// The hashes of its steps. A permission that was given for a step is for one of these.
    pub fn step_hashes(&self) -> Result<Vec<Digest>, Error> {
        Ok(read_back(&self.definition)?.steps().map(Step::hash).collect())
    }

    /// The hash of the step that has this action, if exactly one has.
    pub fn only_step(&self, action: &str) -> Result<Option<Digest>, Error> {
        let definition = read_back(&self.definition)?;
        let mut having = definition.steps().filter(|step| step.kind.as_str() == action).map(Step::hash);
        Ok(having.next().filter(|_| having.next().is_none()))
    }
}

#[derive(Debug, Clone)]
pub struct Version {
    pub version: i32,
    pub definition: Value,
    pub saved_by: UserId,
    pub saved_at: Timestamp,
}

/// An automation with its triggers and its newest runs.
pub struct Listed {
    pub automation: Automation,
    pub triggers: Vec<TriggerRow>,
    pub last_run: Option<Run>,
    /// Oldest first.
    pub recent: Vec<Recent>,
}

/// A change of an automation; a field that is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub definition: Option<Value>,
    /// The version that the definition was edited from.
    pub from_version: Option<i32>,
    pub status: Option<AutomationStatus>,
}

/// The actions of an org, for checking a definition.
struct OrgActions(BTreeMap<String, Arc<Action>>);

impl Known for OrgActions {
    fn input_schema(&self, address: &str) -> Option<Value> {
        self.0.get(address).map(|action| action.definition.input_schema.clone())
    }

    fn addresses(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

impl Automations {
    /// Parses a definition for an org; returns every problem if it is invalid.
    pub async fn validate(
        &self,
        org: OrgId,
        source: &Value,
    ) -> Result<Result<Definition, Vec<Problem>>, Error> {
        let actions = self.parts.pipeline.reader().actions(org).await?;
        let known = actions.into_iter().map(|action| (action.definition.address.to_string(), action));
        Ok(check(source, &OrgActions(known.collect()), self.parts.world.clock.now()))
    }

    /// The next times of the schedules in a definition that have no problem.
    pub fn upcoming(&self, source: &Value, problems: &[Problem]) -> Vec<Upcoming> {
        schedule::upcoming(source, problems, self.parts.world.clock.now())
    }

    async fn checked(&self, org: OrgId, source: &Value) -> Result<Definition, Error> {
        self.validate(org, source).await?.map_err(Error::Definition)
    }

    /// Saves a new automation; returns the tokens of its webhooks, which are shown only once.
    pub async fn create(
        &self,
        by: &Author,
        source: Value,
        space: Option<SpaceId>,
    ) -> Result<(Listed, Vec<NewToken>), Error> {
        let Actor { org, user } = by.actor().ok_or(tenancy::Error::Unauthenticated)?;
        let definition = self.checked(org, &source).await?;
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let space = match space {
            Some(space) => self.parts.tenancy.space(&mut tx, org, space).await?.id,
            None => self.parts.tenancy.first_space(&mut tx, org).await?,
        };
        self.check_reach(&mut tx, Actor { org, user }, space, &definition).await?;
        let automation = Automation {
            id: AutomationId::from_uuid(self.parts.world.uuid()),
            space,
            name: definition.name.clone(),
            status: AutomationStatus::Active,
            version: 1,
            runs: 0,
            created_by: user,
            created_at: now,
            updated_at: now,
            definition: source.clone(),
            saved_by: user,
        };
        let draft = automation.draft(Kind::AutomationCreated, None);
        let mut recorded = self.parts.recorder.record(&mut tx, by, draft).await?;
        store::automations::insert(&mut recorded, org, &automation).await.map_err(named)?;
        let version = Version { version: 1, definition: source, saved_by: user, saved_at: now };
        store::automations::insert_version(&mut recorded, InOrg { org, id: automation.id }, &version).await?;
        let owner = (by, automation.id);
        let (tokens, triggers) = self.set_triggers(&mut recorded, owner, &definition.triggers, true).await?;
        db::commit(tx).await?;
        self.arm_all(org, &triggers).await;
        Ok((Listed { automation, triggers, last_run: None, recent: vec![] }, tokens))
    }

    /// Changes an automation: its definition, its status, or both.
    pub async fn change(
        &self,
        by: &Author,
        id: AutomationId,
        change: Change,
    ) -> Result<(Listed, Vec<NewToken>), Error> {
        let Actor { org, user } = by.actor().ok_or(tenancy::Error::Unauthenticated)?;
        let read = match &change.definition {
            None => None,
            Some(source) => Some(self.checked(org, source).await?),
        };
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        store::automations::lock(&mut tx, org, id).await?;
        let mut automation = self.find_in(&mut tx, org, id).await?;
        if change.from_version.is_some_and(|from| from != automation.version) {
            return Err(Error::Changed(automation.version));
        }
        if automation.status == AutomationStatus::Archived && change.status.is_none() {
            return Err(Error::Archived);
        }
        let status = change.status.unwrap_or(automation.status);
        let source = change.definition.filter(|source| *source != automation.definition);
        let changed = source.is_some() || status != automation.status;
        let mut tokens = vec![];
        if changed {
            let before = automation.recorded();
            if let (Some(source), Some(read)) = (&source, &read) {
                self.check_reach(&mut tx, Actor { org, user }, automation.space, read).await?;
                automation.version += 1;
                automation.name.clone_from(&read.name);
                (automation.definition, automation.saved_by) = (source.clone(), user);
            }
            (automation.status, automation.updated_at) = (status, now);
            let draft = automation.draft(Kind::AutomationChanged, Some(before));
            let mut recorded = self.parts.recorder.record(&mut tx, by, draft).await?;
            if let Some(definition) = source {
                let version =
                    Version { version: automation.version, definition, saved_by: user, saved_at: now };
                store::automations::insert_version(&mut recorded, InOrg { org, id }, &version).await?;
            }
            store::automations::update(&mut recorded, org, &automation).await.map_err(named)?;
            let definition = read_back(&automation.definition)?;
            let enabled = status == AutomationStatus::Active;
            (tokens, _) = self.set_triggers(&mut recorded, (by, id), &definition.triggers, enabled).await?;
        }
        db::commit(tx).await?;
        let listed = self.find(org, id).await?;
        self.arm_all(org, &listed.triggers).await;
        Ok((listed, tokens))
    }

    /// Whoever saves an automation belongs to its space, and may use something of every source that it names. Its runs
    /// may use no more than they.
    async fn check_reach(
        &self,
        tx: &mut db::Tx,
        saver: Actor,
        space: SpaceId,
        definition: &Definition,
    ) -> Result<(), Error> {
        let reach = self.parts.tenancy.reach(tx, saver, space).await?;
        let beyond = dispatch::sources(definition).into_iter().find(|named| !reach.allows_some_of(named));
        beyond.map_or(Ok(()), |named| Err(tenancy::Error::BeyondReach(named).into()))
    }

    async fn find_in(&self, tx: &mut db::Tx, org: OrgId, id: AutomationId) -> Result<Automation, Error> {
        store::automations::find(tx, org, &[id]).await?.pop().ok_or(Error::NotFound("automation"))
    }

    pub async fn find(&self, org: OrgId, id: AutomationId) -> Result<Listed, Error> {
        let mut listed = self.listed(org, &[id]).await?;
        listed.pop().ok_or(Error::NotFound("automation"))
    }

    /// The space of an automation, if one is named.
    pub async fn own_space(&self, org: OrgId, id: Option<AutomationId>) -> Result<Option<SpaceId>, Error> {
        let Some(id) = id else { return Ok(None) };
        let mut tx = self.parts.db.begin(org).await?;
        Ok(Some(self.find_in(&mut tx, org, id).await?.space))
    }

    /// A page of the org's automations, oldest first.
    pub async fn list(
        &self,
        org: OrgId,
        after: Option<uuid::Uuid>,
        limit: i64,
    ) -> Result<Vec<Listed>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let ids = store::automations::page(&mut tx, org, after, limit).await?;
        drop(tx);
        self.listed(org, &ids).await
    }

    async fn listed(&self, org: OrgId, ids: &[AutomationId]) -> Result<Vec<Listed>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let automations = store::automations::find(&mut tx, org, ids).await?;
        let triggers = store::triggers::find(&mut tx, org, Which::Of(ids)).await?;
        let recent = store::runs::newest(&mut tx, org, ids, RECENT).await?;
        let last = |id: AutomationId| recent.iter().find(move |run| run.automation == id).map(|run| run.run);
        let last: Vec<RunId> = ids.iter().copied().filter_map(last).collect();
        let runs = store::runs::find(&mut tx, org, &last).await?;
        let listed = automations.into_iter().map(|automation| Listed {
            triggers: triggers.iter().filter(|row| row.automation == automation.id).cloned().collect(),
            last_run: runs.iter().find(|run| run.automation == automation.id).cloned(),
            recent: recent.iter().rev().filter(|run| run.automation == automation.id).copied().collect(),
            automation,
        });
        Ok(listed.collect())
    }

    /// Versions of an automation before `before`, newest first, each with its changes to the previous version.
    pub async fn versions(
        &self,
        org: OrgId,
        id: AutomationId,
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<(Version, Vec<Value>)>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        self.find_in(&mut tx, org, id).await?;
        // One more than the page has, to compare the oldest version with.
        let all = store::automations::versions(&mut tx, InOrg { org, id }, before, limit + 1).await?;
        let compared = all.iter().enumerate().map(|(at, version)| {
            let changes = all.get(at + 1).map(|older| changes(&older.definition, &version.definition));
            (version.clone(), changes.unwrap_or_default())
        });
        Ok(compared.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect())
    }

    /// The definition of a version, cached.
    pub(crate) async fn definition(
        &self,
        tx: &mut db::Tx,
        InOrg { org, id }: InOrg<AutomationId>,
        version: i32,
    ) -> Result<Arc<Definition>, Error> {
        if let Some(known) = self.definitions.get(&(org, id, version)) {
            return Ok(known);
        }
        let found = store::automations::versions(tx, InOrg { org, id }, Some(version + 1), 1).await?;
        let found = found.into_iter().find(|found| found.version == version);
        let found = found.ok_or(Error::NotFound("version"))?;
        let definition = Arc::new(read_back(&found.definition)?);
        self.definitions.insert((org, id, version), definition.clone());
        Ok(definition)
    }
}

/// Parses a stored definition, which was checked before it was saved.
fn read_back(kept: &Value) -> Result<Definition, Error> {
    serde_json::from_value(kept.clone())
        .map_err(|_| db::Error::Inconsistent { column: "automation_versions.definition" }.into())
}

/// The changes from one definition to another, as JSON Patch.
fn changes(from: &Value, to: &Value) -> Vec<Value> {
    json_patch::diff(from, to).0.iter().map(|one| serde_json::to_value(one).unwrap_or_default()).collect()
}

fn named(error: db::Error) -> Error {
    match error.constraint() {
        Some("automations_name_key") => Error::NameTaken,
        _ => error.into(),
    }
}
