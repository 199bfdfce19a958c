//! Passkeys: what people sign their yes with. What they sign and how that is checked is the pipeline's.

use jiff::Timestamp;
use model::{OrgId, PasskeyId, UserId};
use platform::db::Tx;

use crate::{Error, Page, Tenancy, store};

/// No person needs more.
const MOST: usize = 20;

/// A passkey, as it was registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub user: UserId,
    /// What its person calls it.
    pub name: String,
    /// What the device calls it.
    pub credential: Vec<u8>,
    /// A point of P-256, uncompressed.
    pub public_key: Vec<u8>,
    /// How often the device says that it has signed; 0 where it does not count.
    pub signed: u32,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// Since when it signs nothing more.
    pub removed_at: Option<Timestamp>,
}

impl Tenancy {
    /// The passkeys of an org, or of one person of it, with those that were removed.
    pub async fn passkeys(
        &self,
        org: OrgId,
        user: Option<UserId>,
        page: Page,
    ) -> Result<Vec<Passkey>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::passkeys::list(&mut tx, org, user, page).await?)
    }

    /// Whether anybody in the org has a passkey.
    pub(crate) async fn has_passkeys(&self, tx: &mut Tx, org: OrgId) -> Result<bool, Error> {
        Ok(store::passkeys::exist(tx, org).await?)
    }

    /// The passkeys a person signs with. The person is locked: nothing of theirs comes or goes until the caller's
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
            return Err(Error::Invalid("a person has 20 passkeys at most: have an owner remove one"));
        }
        store::passkeys::insert(tx, org, passkey).await
    }

    /// Notes that a passkey signed, in the caller's transaction.
    pub async fn note_passkey_use(
        &self,
        tx: &mut Tx,
        org: OrgId,
        id: PasskeyId,
        signed: u32,
    ) -> Result<(), Error> {
        Ok(store::passkeys::note_use(tx, org, id, signed, self.world.clock.now()).await?)
    }

    /// Takes a passkey out of use, in the caller's transaction; says whose it was.
    pub async fn remove_passkey(&self, tx: &mut Tx, org: OrgId, id: PasskeyId) -> Result<UserId, Error> {
        let removed = store::passkeys::remove(tx, org, id, self.world.clock.now()).await?;
        removed.ok_or(Error::NotFound("passkey"))
    }
}
