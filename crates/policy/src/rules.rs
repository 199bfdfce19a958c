//! Rules: modes that people set for an action, a source, or everything.

use std::{collections::HashMap, sync::Arc};

use changes::{Author, Draft, Kind, Recorder};
use jiff::Timestamp;
use model::{
    ActionAddress, ActionName, AutomationId, Digest, Mode, ModeSource, OrgId, RuleId, SourceSlug, UserId,
};
use platform::{
    World,
    db::{self, Database},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Asked, Condition, Error, condition, store};

/// Where a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleScope {
    /// Everywhere in the org.
    Org,
    /// In the runs of one automation.
    Automation(AutomationId),
}

/// A mode for an action, a source (`action` is `*`) or everything (both are `*`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub scope: RuleScope,
    pub source: String,
    pub action: String,
    pub mode: Mode,
    pub reason: String,
    /// It applies only where this holds for the parameters.
    pub condition: Option<Condition>,
    /// It applies only to this step of an automation: the hash of its action and configuration.
    pub step: Option<Digest>,
}

impl Rule {
    /// Checks the key: a source and an action, `source.*`, or `*.*`.
    pub fn new(scope: RuleScope, source: &str, action: &str, mode: Mode) -> Result<Self, Error> {
        let well_formed = match (source, action) {
            ("*", "*") => true,
            (source, "*") => source.parse::<SourceSlug>().is_ok(),
            (source, action) => source.parse::<SourceSlug>().is_ok() && action.parse::<ActionName>().is_ok(),
        };
        if !well_formed {
            return Err(Error::Invalid("the action of a rule must be `source.action`, `source.*` or `*`"));
        }
        Ok(Self {
            scope,
            source: source.to_owned(),
            action: action.to_owned(),
            mode,
            reason: String::new(),
            condition: None,
            step: None,
        })
    }

    /// The same rule, for parameters that meet a condition.
    pub fn limited_to(mut self, condition: Option<Condition>) -> Result<Self, Error> {
        if condition.is_some() && self.action == "*" {
            return Err(Error::Invalid("a rule with a condition must be for one action"));
        }
        self.condition = condition;
        Ok(self)
    }

    /// Whether one of these decisions may have come from this rule. A decision does not name its rule, so all rules count that
    /// could have given it.
    pub fn is_used(&self, decided: &[(ActionAddress, ModeSource)]) -> bool {
        let source = match self.scope {
            RuleScope::Org => ModeSource::OrgRule,
            RuleScope::Automation(_) => ModeSource::AutomationRule,
        };
        decided.iter().any(|(address, by)| {
            let for_it = self.source == "*"
                || (self.source == address.source.as_str()
                    && (self.action == "*" || self.action == address.action.as_str()));
            for_it && *by == source
        })
    }

    fn applies(&self, asked: &Asked<'_>) -> bool {
        condition::applies(self.condition.as_ref(), self.step, asked)
    }

    /// The key as people write it.
    pub fn key(&self) -> String {
        if self.source == "*" { "*".to_owned() } else { format!("{}.{}", self.source, self.action) }
    }

    /// Whether another rule is for the same actions, or for more of them.
    fn is_within(&self, other: &Self) -> bool {
        let same_scope = other.scope == RuleScope::Org || other.scope == self.scope;
        let covers = other.source == "*"
            || (other.source == self.source && (other.action == "*" || other.action == self.action));
        same_scope && covers
    }

    /// Whether this rule already applied wherever a new one will. A rule that allows under a condition, or one step, says
    /// nothing about the rest; one that asks or denies counts wherever it applies.
    fn spoke_for(&self, new: &Self) -> bool {
        let is_as_wide = (self.condition.is_none() || self.condition == new.condition)
            && (self.step.is_none() || self.step == new.step);
        new.is_within(self) && (is_as_wide || self.mode != Mode::Allow)
    }
}

type Numbered = (RuleId, Arc<Rule>);

/// All rules of an organization, prepared for lookup.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    by_key: HashMap<(RuleScope, String), Vec<Numbered>>,
}

impl RuleSet {
    /// From rules with distinct scopes, keys, conditions and steps.
    pub fn new(rules: impl IntoIterator<Item = (RuleId, Rule)>) -> Self {
        let mut by_key: HashMap<_, Vec<_>> = HashMap::new();
        for (id, rule) in rules {
            by_key.entry((rule.scope, rule.key())).or_default().push((id, Arc::new(rule)));
        }
        Self { by_key }
    }

    /// The same rules with one that is set, instead of the one with the same scope, key, condition and step.
    #[must_use]
    pub fn with(&self, rule: Rule) -> Self {
        let mut changed = self.clone();
        let rules = changed.by_key.entry((rule.scope, rule.key())).or_default();
        rules.retain(|(_, old)| (&old.condition, old.step) != (&rule.condition, rule.step));
        rules.push((RuleId::from_uuid(Uuid::nil()), Arc::new(rule)));
        changed
    }

    /// The same rules without one.
    #[must_use]
    pub fn without(&self, id: RuleId) -> Self {
        let mut changed = self.clone();
        for rules in changed.by_key.values_mut() {
            rules.retain(|(other, _)| *other != id);
        }
        changed
    }

    /// The rule that applies to a request: the most specific one of the automation, otherwise of the organization.
    pub fn speaking(
        &self,
        automation: Option<AutomationId>,
        address: &ActionAddress,
        asked: &Asked<'_>,
    ) -> Option<(RuleId, &Rule)> {
        automation
            .and_then(|automation| self.most_specific(RuleScope::Automation(automation), address, asked))
            .or_else(|| self.most_specific(RuleScope::Org, address, asked))
    }

    fn most_specific(
        &self,
        scope: RuleScope,
        address: &ActionAddress,
        asked: &Asked<'_>,
    ) -> Option<(RuleId, &Rule)> {
        [address.to_string(), format!("{}.*", address.source), "*".to_owned()]
            .into_iter()
            .filter_map(|key| self.by_key.get(&(scope, key)))
            .find_map(|rules| strictest(rules, asked))
    }
}

/// Of the rules for one key that apply: one with a condition before one without, then one for this step; of several, the
/// strictest.
fn strictest<'a>(rules: &'a [Numbered], asked: &Asked<'_>) -> Option<(RuleId, &'a Rule)> {
    let applying = rules.iter().filter(|(_, rule)| rule.applies(asked));
    let rank =
        |rule: &Rule| (rule.condition.is_some(), rule.condition.is_none() && rule.step.is_some(), rule.mode);
    let found = applying.max_by_key(|(_, rule)| rank(rule))?;
    Some((found.0, &found.1))
}

/// A rule with its history, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRule {
    pub id: RuleId,
    pub rule: Rule,
    pub set_by: UserId,
    pub updated_at: Timestamp,
}

impl StoredRule {
    fn recorded(&self) -> Value {
        let rule = &self.rule;
        let scope = match rule.scope {
            RuleScope::Org => None,
            RuleScope::Automation(automation) => Some(automation),
        };
        json!({
            "action": rule.key(),
            "automation": scope,
            "mode": rule.mode,
            "where": rule.condition.as_ref().map(Condition::as_text),
            "step": rule.step,
            "reason": rule.reason,
        })
    }
}

/// The rules of orgs. Cheap to clone.
#[derive(Clone)]
pub struct Rules {
    db: Database,
    world: World,
    recorder: Recorder,
}

impl Rules {
    /// Over a database.
    pub const fn new(db: Database, world: World, recorder: Recorder) -> Self {
        Self { db, world, recorder }
    }

    /// Sets a rule, replacing the one with the same scope and key.
    pub async fn put(&self, by: &Author, rule: Rule) -> Result<StoredRule, Error> {
        let mut tx = self.db.begin(by.org).await?;
        let stored = self.put_in(&mut tx, by, rule).await?;
        db::commit(tx).await?;
        Ok(stored)
    }

    /// Sets a rule in the caller's transaction.
    pub async fn put_in(
        &self,
        conn: &mut PgConnection,
        by: &Author,
        rule: Rule,
    ) -> Result<StoredRule, Error> {
        let set_by = by.user.ok_or(Error::NotAPerson)?;
        let before = store::rules::lock_same(conn, by.org, &rule).await?;
        let id = before.as_ref().map_or_else(|| RuleId::from_uuid(self.world.uuid()), |before| before.id);
        let new = StoredRule { id, rule, set_by, updated_at: self.world.clock.now() };
        if let Some(before) = before.as_ref().filter(|before| before.rule == new.rule) {
            return Ok(before.clone());
        }
        let mut after = new.recorded();
        if before.is_none() {
            // What it takes precedence over: the strictest rule for the same actions, or for more of them.
            let all = store::rules::list(conn, by.org, None, i64::MAX).await?;
            let wider =
                all.iter().filter(|other| other.rule.spoke_for(&new.rule)).map(|other| other.rule.mode);
            let overrides = json!(wider.max());
            after.as_object_mut().map(|after| after.insert("overrides".to_owned(), overrides));
        }
        let draft = Draft {
            kind: Kind::RuleSet,
            subject: id.to_string(),
            name: new.rule.key(),
            before: before.as_ref().map(StoredRule::recorded),
            after: Some(after),
        };
        let by = by.because(Some(&new.rule.reason));
        let mut recorded = self.recorder.record(conn, &by, draft).await?;
        let stored = store::rules::upsert(&mut recorded, by.org, &new).await?;
        // Someone else set the same rule at the same moment, and the record would name another one.
        if stored.id != id {
            return Err(Error::SetByOthers);
        }
        self.end_for_steps(conn, &by, &stored.rule).await?;
        Ok(stored)
    }

    /// A rule for one step comes before one for the whole automation. So a rule that asks or denies ends those that allow
    /// single steps: whoever sets it means all of them.
    async fn end_for_steps(&self, conn: &mut PgConnection, by: &Author, new: &Rule) -> Result<(), Error> {
        if new.mode == Mode::Allow || new.step.is_some() || new.scope == RuleScope::Org {
            return Ok(());
        }
        let ends = |old: &Rule| {
            (old.scope, &old.source, &old.action) == (new.scope, &new.source, &new.action)
                && old.condition == new.condition
                && old.step.is_some()
                && old.mode == Mode::Allow
        };
        let all = store::rules::list(conn, by.org, None, i64::MAX).await?;
        for old in all.into_iter().filter(|old| ends(&old.rule)) {
            self.remove(conn, by, &old).await?;
        }
        Ok(())
    }

    /// The org's rules, a page of them.
    pub async fn list(&self, org: OrgId, after: Option<Uuid>, limit: i64) -> Result<Vec<StoredRule>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::rules::list(&mut tx, org, after, limit).await?)
    }

    /// Deletes a rule; the next one in the cascade applies.
    pub async fn delete(&self, by: &Author, id: RuleId) -> Result<(), Error> {
        let mut tx = self.db.begin(by.org).await?;
        let before = store::rules::lock(&mut tx, by.org, id).await?.ok_or(Error::NotFound)?;
        self.remove(&mut tx, by, &before).await?;
        Ok(db::commit(tx).await?)
    }

    async fn remove(&self, conn: &mut PgConnection, by: &Author, before: &StoredRule) -> Result<(), Error> {
        let draft = Draft {
            kind: Kind::RuleRemoved,
            subject: before.id.to_string(),
            name: before.rule.key(),
            before: Some(before.recorded()),
            after: None,
        };
        let mut recorded = self.recorder.record(conn, by, draft).await?;
        store::rules::delete(&mut recorded, by.org, before.id).await?;
        Ok(())
    }

    /// All rules of the org, read in the caller's transaction.
    pub async fn all(&self, conn: &mut PgConnection, org: OrgId) -> Result<RuleSet, Error> {
        let rules = store::rules::list(conn, org, None, i64::MAX).await?;
        Ok(RuleSet::new(rules.into_iter().map(|stored| (stored.id, stored.rule))))
    }
}
