//! Passkeys, with which people sign approvals. The pipeline checks the signatures.

use jiff::Timestamp;
use model::{OrgId, PasskeyId, UserId};
use platform::db::Tx;

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
    /// A point of P-256, uncompressed.
    pub public_key: Vec<u8>,
    /// The signature counter of the device; 0 if it does not count.
    pub signed: u32,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// When the passkey was removed.
    pub removed_at: Option<Timestamp>,
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

    /// The usable passkeys of a person. The person is locked, so that their passkeys cannot change until the caller's
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
        org: OrgId,
        passkey: &Passkey,
        already: usize,
    ) -> Result<(), Error> {
        if already >= MOST {
            return Err(Error::Invalid("a person can have at most 20 passkeys: have an owner remove one"));
        }
        store::passkeys::insert(tx, org, passkey).await
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
    pub async fn remove_passkey(&self, tx: &mut Tx, org: OrgId, id: PasskeyId) -> Result<UserId, Error> {
        let removed = store::passkeys::remove(tx, org, id, self.world.clock.now()).await?;
        removed.ok_or(Error::NotFound("passkey"))
    }
}
