//! The triggers of an automation as rows. They follow the definition, and keep their tokens when it changes.

use changes::{Author, Draft, Kind as Change, Recorded};
use jiff::Timestamp;
use model::{AutomationId, InOrg, OrgId, TriggerId, TriggerType, UserId};
use platform::{db, seal::Place, token::Kind};
use secrecy::SecretString;
use serde_json::Value;

use crate::{
    Automations, Error, Missed, Schedule, Trigger,
    store::{self, triggers::Which},
};

/// A trigger of an automation.
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerRow {
    pub id: TriggerId,
    pub automation: AutomationId,
    /// Its index in the definition.
    pub ordinal: i16,
    pub trigger_type: TriggerType,
    pub config: Value,
    pub enabled: bool,
    /// Webhooks only: whether there is a token.
    pub has_token: bool,
    /// Who made the token.
    pub token_by: Option<UserId>,
    /// Signed webhooks only: the sealed key.
    pub(crate) sealed: Option<Vec<u8>>,
    /// Schedules only: the next due time.
    pub next_at: Option<Timestamp>,
    pub last_fired_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl TriggerRow {
    /// The trigger as the definition states it.
    pub(crate) fn definition(&self) -> Option<Trigger> {
        let source = serde_json::json!({ "type": self.trigger_type.as_str(), "config": self.config });
        serde_json::from_value(source).ok()
    }

    /// The change of its token: another one, or none.
    fn token_draft(&self, is_replaced: bool) -> Draft {
        Draft {
            kind: if is_replaced { Change::TriggerTokenReplaced } else { Change::TriggerTokenRevoked },
            subject: self.id.to_string(),
            name: self.automation.to_string(),
            // A token has no version, so one that is replaced is gone, and another one is there.
            before: self.has_token.then(|| serde_json::json!({ "made": "earlier" })),
            after: is_replaced.then(|| serde_json::json!({ "made": "now" })),
        }
    }

    /// The schedule, and what to do about missed fires.
    pub(crate) fn schedule(&self) -> Option<(Schedule, Missed)> {
        match self.definition()? {
            Trigger::Schedule { cron, timezone, missed } => {
                Some((Schedule::parse(&cron, &timezone).ok()?, missed))
            }
            _ => None,
        }
    }
}

/// A token of a webhook, in plain text. It is shown only once.
pub struct NewToken {
    pub trigger: TriggerId,
    pub token: SecretString,
    /// The secret that requests are signed with, where signatures are required.
    pub signing_secret: Option<SecretString>,
}

fn key_place(trigger: TriggerId) -> Place<'static> {
    Place { table: "triggers", row: trigger.uuid(), field: "sealed" }
}

/// Matches the triggers of a definition with the present rows; returns the rows, and the ids of those that are left
/// over and must be deleted.
pub(crate) fn follow(
    mut present: Vec<TriggerRow>,
    wanted: &[Trigger],
    mut fresh: impl FnMut() -> TriggerRow,
) -> (Vec<TriggerRow>, Vec<TriggerId>) {
    let mut rows: Vec<TriggerRow> = Vec::with_capacity(wanted.len());
    for (ordinal, trigger) in (0..).zip(wanted) {
        let written = serde_json::to_value(trigger).unwrap_or_default();
        let trigger_type = written["type"].as_str().and_then(TriggerType::parse);
        let trigger_type = trigger_type.unwrap_or(TriggerType::Event);
        let config = written["config"].clone();
        let same = present.iter().position(|row| row.trigger_type == trigger_type && row.config == config);
        // A trigger with changed settings is still the one whose token somebody holds.
        let like = || present.iter().position(|row| row.trigger_type == trigger_type);
        let row = same.or_else(like).map(|at| present.remove(at));
        let row = row.unwrap_or_else(&mut fresh);
        let next_at = row.next_at.filter(|_| row.config == config);
        rows.push(TriggerRow { ordinal, trigger_type, config, next_at, ..row });
    }
    (rows, present.into_iter().map(|row| row.id).collect())
}

impl Automations {
    /// Updates the trigger rows of an automation to match its definition; returns the tokens of new webhooks, and the
    /// rows.
    pub(crate) async fn set_triggers(
        &self,
        recorded: &mut Recorded<'_>,
        (by, automation): (&Author, AutomationId),
        wanted: &[Trigger],
        enabled: bool,
    ) -> Result<(Vec<NewToken>, Vec<TriggerRow>), Error> {
        let org = by.org;
        let now = self.parts.world.clock.now();
        let present = store::triggers::find(recorded, org, Which::Of(&[automation])).await?;
        let known: Vec<TriggerId> = present.iter().map(|row| row.id).collect();
        let (mut rows, gone) = follow(present, wanted, || TriggerRow {
            id: TriggerId::from_uuid(self.parts.world.uuid()),
            automation,
            ordinal: 0,
            trigger_type: TriggerType::Event,
            config: Value::Null,
            enabled,
            has_token: false,
            token_by: None,
            sealed: None,
            next_at: None,
            last_fired_at: None,
            created_at: now,
        });
        for id in gone {
            store::triggers::delete(recorded, org, id).await?;
        }
        let mut tokens = Vec::new();
        for row in &mut rows {
            row.enabled = enabled;
            // An unchanged schedule continues from its due time; a new or changed one starts now.
            let next = row.schedule().and_then(|(schedule, _)| schedule.next_after(now).ok());
            row.next_at = if enabled { row.next_at.or(next) } else { None };
            store::triggers::put(recorded, org, row).await?;
            if row.trigger_type == TriggerType::Webhook && !known.contains(&row.id) {
                tokens.push(self.make_token(recorded, by, row).await?);
                row.has_token = true;
            }
        }
        Ok((tokens, rows))
    }

    async fn make_token(
        &self,
        recorded: &mut Recorded<'_>,
        by: &Author,
        row: &TriggerRow,
    ) -> Result<NewToken, Error> {
        let org = by.org;
        let token = self.parts.tenancy.make_token(Kind::Hook);
        let signed = matches!(row.definition(), Some(Trigger::Webhook { signed: true, .. }));
        let key = signed.then(|| events::webhooks::new_key(&self.parts.world.dice));
        let sealed = match &key {
            None => None,
            Some(key) => Some(self.parts.sealer.seal(recorded, org, key_place(row.id), key).await?),
        };
        let hash = token.hash();
        let owner = InOrg { org, id: row.id };
        if !store::triggers::set_token(recorded, owner, (Some(&hash), by.user), sealed.as_deref()).await? {
            return Err(Error::NotFound("webhook trigger"));
        }
        let signing_secret = key.map(|key| events::webhooks::written(&key));
        Ok(NewToken { trigger: row.id, token: SecretString::from(token.reveal()), signing_secret })
    }

    pub(crate) async fn trigger(&self, org: OrgId, id: TriggerId) -> Result<TriggerRow, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        store::triggers::find(&mut tx, org, Which::One(id)).await?.pop().ok_or(Error::NotFound("trigger"))
    }

    /// The key that requests to a webhook are signed with.
    pub(crate) async fn signing_key(
        &self,
        org: OrgId,
        row: &TriggerRow,
    ) -> Result<Option<zeroize::Zeroizing<Vec<u8>>>, Error> {
        let Some(sealed) = &row.sealed else { return Ok(None) };
        let mut tx = self.parts.db.begin(org).await?;
        Ok(Some(self.parts.sealer.open(&mut tx, org, key_place(row.id), sealed).await?))
    }

    /// Creates a new token for a webhook, and a new secret where signatures are required; the old ones become invalid.
    pub async fn rotate_token(&self, by: &Author, id: TriggerId) -> Result<NewToken, Error> {
        let row = self.trigger(by.org, id).await?;
        let mut tx = self.parts.db.begin(by.org).await?;
        let draft = row.token_draft(true);
        let mut recorded = self.parts.recorder.record(&mut tx, by, draft).await?;
        let token = self.make_token(&mut recorded, by, &row).await?;
        db::commit(tx).await?;
        Ok(token)
    }

    /// Revokes the tokens of all webhooks of an organization, for the operator. Returns how many.
    pub async fn revoke_all_tokens(&self, by: &Author) -> Result<usize, Error> {
        let mut tx = self.parts.db.begin(by.org).await?;
        let ids = store::triggers::with_token(&mut tx, by.org).await?;
        drop(tx);
        for id in &ids {
            self.revoke_token(by, *id).await?;
        }
        Ok(ids.len())
    }

    /// Revokes the token of a webhook: it cannot be triggered until there is a new one.
    pub async fn revoke_token(&self, by: &Author, id: TriggerId) -> Result<(), Error> {
        let row = self.trigger(by.org, id).await?;
        if !row.has_token {
            return if row.trigger_type == TriggerType::Webhook {
                Ok(())
            } else {
                Err(Error::NotFound("webhook trigger"))
            };
        }
        let owner = InOrg { org: by.org, id };
        let mut tx = self.parts.db.begin(by.org).await?;
        let mut recorded = self.parts.recorder.record(&mut tx, by, row.token_draft(false)).await?;
        if !store::triggers::set_token(&mut recorded, owner, (None, None), None).await? {
            return Err(Error::NotFound("webhook trigger"));
        }
        Ok(db::commit(tx).await?)
    }
}
