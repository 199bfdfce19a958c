//! Saving the gate settings and consents of an organization, each change with its record.

use changes::{Author, Draft, Kind};
use jiff::Timestamp;
use model::{ConsentId, OrgId, UserId};
use platform::db;
use serde_json::json;
use uuid::Uuid;

use super::{
    consent::StoredConsent,
    settings::{GateSettings, Gates, IS_NAME, is_text},
};
use crate::{
    Error, Policies, cedar,
    limits::gates::{LONGEST_NOTE, LONGEST_PERSON},
    store,
};

/// The gate settings as they are stored.
#[derive(Debug, Clone)]
pub struct StoredGates {
    pub settings: GateSettings,
    /// Rises with each change; 0 before the first one.
    pub version: i32,
    pub set_by: Option<UserId>,
    pub updated_at: Option<Timestamp>,
}

/// A consent to store.
#[derive(Debug, Clone)]
pub struct NewConsent {
    pub purpose: String,
    /// Who it is, to check the texts beside it. It is not stored.
    pub subject: String,
    /// The same as a hash.
    pub subject_hash: [u8; 32],
    pub expires_at: Option<Timestamp>,
    pub note: String,
}

/// Which consents to list.
#[derive(Debug, Clone, Default)]
pub struct ConsentFilter {
    pub purpose: Option<String>,
    pub subject: Option<[u8; 32]>,
    pub before: Option<Uuid>,
}

impl Policies {
    /// The gate settings of an org.
    pub async fn gates(&self, org: OrgId) -> Result<StoredGates, Error> {
        Ok(store::gates::read(&mut *self.db.begin(org).await?, org).await?)
    }

    /// Replaces the gate settings that were read at a version.
    pub async fn put_gates(
        &self,
        by: &Author,
        settings: GateSettings,
        version: i32,
    ) -> Result<StoredGates, Error> {
        let set_by = by.user.ok_or(Error::NotAPerson)?;
        Gates::new(settings.clone())?;
        let mut tx = self.db.begin(by.org).await?;
        store::policies::lock_all(&mut tx, by.org).await?;
        let before = store::gates::read(&mut tx, by.org).await?;
        if before.version != version {
            return Err(Error::Changed(before.version));
        }
        if before.settings == settings {
            return Ok(before);
        }
        let draft = Draft {
            kind: Kind::GatesChanged,
            subject: by.org.to_string(),
            name: "gates".to_owned(),
            before: Some(json!(before.settings)),
            after: Some(json!(settings)),
        };
        let new = StoredGates {
            settings,
            version: version + 1,
            set_by: Some(set_by),
            updated_at: Some(self.world.clock.now()),
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::gates::upsert(&mut recorded, by.org, &new).await?;
        db::commit(tx).await?;
        Ok(new)
    }

    /// Stores that somebody agreed to a purpose.
    pub async fn give_consent(&self, by: &Author, new: NewConsent) -> Result<StoredConsent, Error> {
        let given_by = by.user.ok_or(Error::NotAPerson)?;
        let now = self.world.clock.now();
        check(by, &new, now)?;
        let consent = StoredConsent {
            id: ConsentId::from_uuid(self.world.uuid()),
            purpose: new.purpose,
            subject: new.subject_hash,
            note: new.note,
            given_by,
            created_at: now,
            expires_at: new.expires_at,
            revoked_at: None,
        };
        let draft = Draft {
            kind: Kind::ConsentGiven,
            subject: consent.id.to_string(),
            name: consent.purpose.clone(),
            before: None,
            after: Some(json!({ "expires_at": consent.expires_at, "note": consent.note })),
        };
        let mut tx = self.db.begin(by.org).await?;
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::consents::insert(&mut recorded, by.org, &consent).await?;
        db::commit(tx).await?;
        Ok(consent)
    }

    /// Consents, newest first.
    pub async fn consents(
        &self,
        org: OrgId,
        filter: &ConsentFilter,
        limit: i64,
    ) -> Result<Vec<StoredConsent>, Error> {
        Ok(store::consents::list(&mut *self.db.begin(org).await?, org, filter, limit).await?)
    }

    /// Revokes a consent. Requests that are claimed afterwards are without it.
    pub async fn revoke_consent(&self, by: &Author, id: ConsentId) -> Result<StoredConsent, Error> {
        let mut tx = self.db.begin(by.org).await?;
        let found = store::consents::lock(&mut tx, by.org, id).await?.ok_or(Error::NotFound)?;
        if found.revoked_at.is_some() {
            return Ok(found);
        }
        let draft = Draft {
            kind: Kind::ConsentRevoked,
            subject: id.to_string(),
            name: found.purpose.clone(),
            before: Some(json!({ "expires_at": found.expires_at, "note": found.note })),
            after: None,
        };
        let now = self.world.clock.now();
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        store::consents::revoke(&mut recorded, by.org, id, now).await?;
        db::commit(tx).await?;
        Ok(StoredConsent { revoked_at: Some(now), ..found })
    }
}

fn check(by: &Author, new: &NewConsent, now: Timestamp) -> Result<(), Error> {
    if !cedar::is_name(&new.purpose) {
        return Err(Error::Consent(format!("the purpose {IS_NAME}")));
    }
    if new.subject.trim().is_empty() || !is_text(&new.subject, LONGEST_PERSON) {
        return Err(Error::Consent(format!("the subject must have 1 to {LONGEST_PERSON} characters")));
    }
    if !is_text(&new.note, LONGEST_NOTE) {
        return Err(Error::Consent(format!("the note must have at most {LONGEST_NOTE} characters")));
    }
    if new.expires_at.is_some_and(|until| until <= now) {
        return Err(Error::Consent("it must expire in the future".to_owned()));
    }
    // Both are stored as they are, and a record is for ever.
    let subject = new.subject.trim().to_lowercase();
    let texts = [Some(new.note.as_str()), by.reason.as_deref()];
    if texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&subject)) {
        let message = "the note and the reason must not contain the subject, which is stored as a hash alone";
        return Err(Error::Consent(message.to_owned()));
    }
    Ok(())
}
