//! Conduct: people stop an organization, a space, a source, an agent or an automation, or turn it into a dry run.

use std::{collections::HashMap, time::Duration};

use changes::{Author, Draft, Kind, Recorder};
use jiff::Timestamp;
use model::{AutomationId, Conduct, ConductScope, OrgId, SourceSlug, SpaceId, UserId};
use platform::{
    World,
    db::{self, Database},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::{Error, store};

/// How long a permit may be used without looking at the conduct again. A stop waits as long before it returns, so that
/// what was claimed before is sent by then, or is just being sent.
pub const GRACE: Duration = Duration::from_millis(100);

/// A conduct that people set, with who, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetConduct {
    pub scope: ConductScope,
    /// What people call it.
    pub name: String,
    pub conduct: Conduct,
    pub reason: String,
    pub set_by: Option<UserId>,
    pub set_at: Timestamp,
}

impl SetConduct {
    fn recorded(&self) -> Value {
        json!({ "scope": self.scope.kind(), "conduct": self.conduct, "reason": self.reason })
    }
}

/// A conduct to set.
#[derive(Debug, Clone)]
pub struct NewConduct {
    pub scope: ConductScope,
    /// What people call it.
    pub name: String,
    pub conduct: Conduct,
    pub reason: String,
}

/// Who acts where: everything a conduct can be for. A part that is absent is not known yet.
#[derive(Debug, Clone, Copy)]
pub struct Doer<'a> {
    pub space: SpaceId,
    pub source: Option<&'a SourceSlug>,
    pub agent: Option<&'a str>,
    pub automation: Option<AutomationId>,
}

/// Everything that is not normal in an organization.
#[derive(Debug, Clone, Default)]
pub struct ConductSet(HashMap<ConductScope, SetConduct>);

impl ConductSet {
    pub(crate) fn new(all: impl IntoIterator<Item = SetConduct>) -> Self {
        Self(all.into_iter().map(|one| (one.scope.clone(), one)).collect())
    }

    /// The strictest conduct that this is subject to; `None` if all is normal.
    pub fn of(&self, doer: Doer<'_>) -> Option<&SetConduct> {
        if self.0.is_empty() {
            return None;
        }
        let scopes = [
            Some(ConductScope::Org),
            Some(ConductScope::Space(doer.space)),
            doer.source.cloned().map(ConductScope::Source),
            doer.agent.map(str::to_owned).map(ConductScope::Agent),
            doer.automation.map(ConductScope::Automation),
        ];
        let found = scopes.into_iter().flatten().filter_map(|scope| self.0.get(&scope));
        // Of two that are as strict, the wider one: it is the one that has to be lifted last.
        found.rev().max_by_key(|one| one.conduct)
    }
}

/// The conducts of orgs. Cheap to clone.
#[derive(Clone)]
pub struct Conducts {
    db: Database,
    world: World,
    recorder: Recorder,
}

impl Conducts {
    /// Over a database.
    pub const fn new(db: Database, world: World, recorder: Recorder) -> Self {
        Self { db, world, recorder }
    }

    /// Sets a conduct. Once this is committed no claim that it forbids can be: claims that are being made are waited
    /// for, and those that follow see it. When this returns, what was claimed before is sent, is just being sent, or
    /// will not be.
    pub async fn set(&self, by: &Author, new: NewConduct) -> Result<SetConduct, Error> {
        let NewConduct { scope, name, conduct, reason } = new;
        let set_at = self.world.clock.now();
        let mut new = SetConduct { scope, name, conduct, reason, set_by: by.user, set_at };
        let mut tx = self.db.begin_alone(by.org).await?;
        let before = store::conducts::lock(&mut tx, by.org, &new.scope).await?;
        if before.as_ref().map_or(Conduct::Normal, |before| before.conduct) == conduct {
            return Ok(before.unwrap_or(new));
        }
        if let Some(before) = &before {
            new.name.clone_from(&before.name);
        }
        let kind = if conduct == Conduct::Normal { Kind::Resumed } else { Kind::Stopped };
        let draft = Draft {
            kind,
            subject: if new.scope == ConductScope::Org { by.org.to_string() } else { new.scope.subject() },
            name: new.name.clone(),
            before: before.as_ref().map(SetConduct::recorded),
            after: Some(new.recorded()),
        };
        let by = by.because(Some(&new.reason));
        let mut recorded = self.recorder.record(&mut tx, &by, draft).await?;
        store::conducts::put(&mut recorded, by.org, &new).await?;
        db::commit(tx).await?;
        if conduct != Conduct::Normal {
            tokio::time::sleep(GRACE).await;
        }
        Ok(new)
    }

    /// Everything that is not normal.
    pub async fn list(&self, org: OrgId) -> Result<Vec<SetConduct>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::conducts::list(&mut tx, org).await?)
    }

    /// The same, read in the caller's transaction, for decisions.
    pub async fn all(&self, conn: &mut PgConnection, org: OrgId) -> Result<ConductSet, Error> {
        Ok(ConductSet::new(store::conducts::list(conn, org).await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(scope: ConductScope, conduct: Conduct) -> SetConduct {
        let (name, reason) = (String::new(), String::new());
        SetConduct { scope, name, conduct, reason, set_by: None, set_at: Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn the_strictest_conduct_holds_and_nothing_else_is_touched() {
        let (space, other) = (SpaceId::from_uuid(uuid::Uuid::nil()), SpaceId::from_uuid(uuid::Uuid::max()));
        let (linear, slack): (SourceSlug, SourceSlug) = ("linear".parse().unwrap(), "slack".parse().unwrap());
        let all = ConductSet::new([
            set(ConductScope::Space(space), Conduct::DryRun),
            set(ConductScope::Source(linear.clone()), Conduct::Halted),
            set(ConductScope::Agent("wild".to_owned()), Conduct::Halted),
        ]);
        let conduct = |space, source, agent| {
            let doer = Doer { space, source: Some(source), agent: Some(agent), automation: None };
            all.of(doer).map(|found| (found.conduct, found.scope.kind()))
        };
        assert_eq!(conduct(space, &linear, "tame"), Some((Conduct::Halted, "source")));
        assert_eq!(conduct(space, &slack, "tame"), Some((Conduct::DryRun, "space")));
        assert_eq!(conduct(other, &slack, "wild"), Some((Conduct::Halted, "agent")));
        assert_eq!(conduct(other, &slack, "tame"), None);
        let all = ConductSet::new([
            set(ConductScope::Org, Conduct::Halted),
            set(ConductScope::Agent("wild".to_owned()), Conduct::Halted),
        ]);
        let doer = Doer { space, source: Some(&slack), agent: Some("wild"), automation: None };
        assert_eq!(all.of(doer).unwrap().scope, ConductScope::Org, "the wider of two");
    }
}
