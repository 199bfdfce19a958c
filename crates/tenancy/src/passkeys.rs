//! Passkeys, with which people sign approvals. The pipeline checks the signatures.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use changes::{Author, Draft, Kind as Change};
use jiff::Timestamp;
use model::{Actor, OrgId, PasskeyId, UserId};
use platform::db::Tx;
use serde_json::json;

use crate::{Error, Page, Tenancy, store};

/// Maximum number of passkeys of a person.
const MOST: usize = 20;

/// A registered passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub user: UserId,
    /// The name that the person gave it.
    pub name: String,
    /// The credential ID, assigned by the device.
    pub credential: Vec<u8>,
    /// An uncompressed point of P-256, or an RSA key as DER `SubjectPublicKeyInfo`.
    pub public_key: Vec<u8>,
    /// The signature counter of the device; 0 if it does not count.
    pub signed: u32,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// Since when it signs: at once, or after another approver confirmed it.
    pub confirmed_at: Option<Timestamp>,
    /// The approver who confirmed it; `None` where nobody had to.
    pub confirmed_by: Option<UserId>,
    /// When the passkey was removed.
    pub removed_at: Option<Timestamp>,
}

impl Passkey {
    /// The change that adds or removes it.
    fn draft(&self, kind: Change) -> Draft {
        let credential = BASE64_URL_SAFE_NO_PAD.encode(&self.credential);
        let public_key = BASE64_URL_SAFE_NO_PAD.encode(&self.public_key);
        let mut state = json!({ "user": self.user, "id": credential, "public_key": public_key });
        state["confirmed"] = json!(self.confirmed_at.is_some());
        let is_added = kind == Change::PasskeyAdded;
        Draft {
            kind,
            subject: self.id.to_string(),
            name: self.name.clone(),
            before: (!is_added).then(|| state.clone()),
            after: is_added.then_some(state),
        }
    }
}

impl Tenancy {
    /// The passkeys of an organization, or of one person, including removed ones.
    pub async fn passkeys(
        &self,
        org: OrgId,
        user: Option<UserId>,
        page: Page,
    ) -> Result<Vec<Passkey>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::passkeys::list(&mut tx, org, user, page).await?)
    }

    /// Whether any member has a passkey.
    pub(crate) async fn has_passkeys(&self, tx: &mut Tx, org: OrgId) -> Result<bool, Error> {
        Ok(store::passkeys::exist(tx, org).await?)
    }

    /// Whether anyone else could confirm a passkey of this person: an admin or an owner.
    pub async fn has_other_approvers(&self, tx: &mut Tx, Actor { org, user }: Actor) -> Result<bool, Error> {
        Ok(store::people::other_approvers_exist(tx, org, user).await?)
    }

    /// The passkeys of a person that were not removed; those that are not confirmed sign nothing. The person is locked, so that their passkeys cannot change until the caller's
    /// transaction ends.
    pub async fn lock_passkeys(&self, tx: &mut Tx, org: OrgId, user: UserId) -> Result<Vec<Passkey>, Error> {
        if !store::people::lock_member(tx, org, user).await? {
            return Err(Error::NotFound("member"));
        }
        Ok(store::passkeys::list_active(tx, org, user).await?)
    }

    /// Adds a passkey to those `already` there, in the caller's transaction.
    pub async fn add_passkey(
        &self,
        tx: &mut Tx,
        by: &Author,
        passkey: &Passkey,
        already: usize,
    ) -> Result<(), Error> {
        if already >= MOST {
            return Err(Error::Invalid("a person can have at most 20 passkeys: have an owner remove one"));
        }
        let mut recorded = self.recorder.record(tx, by, passkey.draft(Change::PasskeyAdded)).await?;
        store::passkeys::insert(&mut recorded, by.org, passkey).await
    }

    /// Another approver confirms a passkey, in the caller's transaction.
    pub async fn confirm_passkey(&self, tx: &mut Tx, by: &Author, id: PasskeyId) -> Result<Passkey, Error> {
        let Actor { org, user } = crate::person(by)?;
        let found = store::passkeys::lock(tx, org, id).await?.ok_or(Error::NotFound("passkey"))?;
        if found.user == user {
            return Err(Error::OwnPasskey);
        }
        if found.confirmed_at.is_some() {
            return Ok(found);
        }
        let now = self.world.clock.now();
        let confirmed = Passkey { confirmed_at: Some(now), confirmed_by: Some(user), ..found.clone() };
        let draft = Draft {
            before: found.draft(Change::PasskeyAdded).after,
            ..confirmed.draft(Change::PasskeyAdded)
        };
        let draft = Draft { kind: Change::PasskeyConfirmed, ..draft };
        let mut recorded = self.recorder.record(tx, by, draft).await?;
        store::passkeys::confirm(&mut recorded, org, &confirmed).await?;
        Ok(confirmed)
    }

    /// Stores that a passkey signed, in the caller's transaction.
    pub async fn note_passkey_use(
        &self,
        tx: &mut Tx,
        org: OrgId,
        id: PasskeyId,
        signed: u32,
    ) -> Result<(), Error> {
        Ok(store::passkeys::note_use(tx, org, id, signed, self.world.clock.now()).await?)
    }

    /// Removes a passkey in the caller's transaction. Returns its owner.
    pub async fn remove_passkey(&self, tx: &mut Tx, by: &Author, id: PasskeyId) -> Result<UserId, Error> {
        let found = store::passkeys::lock(tx, by.org, id).await?.ok_or(Error::NotFound("passkey"))?;
        let mut recorded = self.recorder.record(tx, by, found.draft(Change::PasskeyRemoved)).await?;
        let removed = store::passkeys::remove(&mut recorded, by.org, id, self.world.clock.now()).await?;
        removed.ok_or(Error::NotFound("passkey"))
    }
}
