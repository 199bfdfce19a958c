//! Prove it: receipts are signed, appended and never changed.
//!
//! Cast: a `receipt::Receipt` is the account of one terminal invocation; [`Ledger`] signs it with the newest key and
//! appends it in the transaction that makes the invocation terminal; [`Ledger::key_set`] publishes the keys with which
//! anyone can verify.
//!
//! INVARIANT: a stored receipt is always signed, and no privilege of the service lets it be changed or removed.
//! Not here: what a receipt is and how it is verified (`receipt`, which outsiders can build alone).
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable
    )
)]

mod error;
mod keys;
mod store;

use std::sync::Arc;

use arc_swap::ArcSwap;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use model::{ActionAddress, InvocationId, OrgId, ReceiptId, SessionId, Status};
use platform::{World, db::Database, seal::Sealer};
use receipt::{Envelope, PAYLOAD_TYPE, Receipt, Signature, SigningKey};
use sqlx::PgConnection;

pub use error::Error;

/// How a receipt relates to the one before it, when a person found out what became of an invocation.
pub const RECONCILIATION: &str = "reconciliation";

/// What is stored beside the signed bytes, to find a receipt by.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: ReceiptId,
    pub org: OrgId,
    pub invocation: InvocationId,
    pub session: SessionId,
    pub action: ActionAddress,
    pub status: Status,
    pub finished_at: Timestamp,
}

/// A receipt's bytes with its signature, ready to be stored.
#[derive(Debug, Clone)]
pub struct Signed {
    pub(crate) payload: Vec<u8>,
    pub(crate) keyid: String,
    pub(crate) signature: [u8; 64],
}

/// A stored receipt.
#[derive(Debug, Clone)]
pub struct Stored {
    pub entry: Entry,
    pub envelope: Envelope,
}

/// What to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// Of one session only.
    pub session: Option<SessionId>,
    /// Older than this one.
    pub before: Option<ReceiptId>,
    /// At most this many.
    pub limit: i64,
}

/// Signs and keeps receipts. Cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    db: Database,
    world: World,
    sealer: Sealer,
    key: Arc<ArcSwap<SigningKey>>,
}

impl Ledger {
    /// Takes the newest signing key, or makes the first one.
    pub async fn open(db: Database, world: World, sealer: Sealer) -> Result<Self, Error> {
        let key = keys::newest_or_first(&db, &world, &sealer).await?;
        Ok(Self { db, world, sealer, key: Arc::new(ArcSwap::from_pointee(key)) })
    }

    /// Signs a receipt in its canonical form.
    pub fn sign(&self, receipt: &Receipt) -> Result<Signed, Error> {
        let payload = receipt::canonical::to_bytes(receipt).map_err(Error::Canonical)?;
        let key = self.key.load();
        let signature = key.sign_bytes(&receipt::pae(PAYLOAD_TYPE, &payload));
        Ok(Signed { payload, keyid: key.keyid().to_owned(), signature })
    }

    /// Appends signed receipts of one org in the caller's transaction.
    pub async fn append(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        receipts: impl Iterator<Item = &(Entry, Signed)> + Clone,
    ) -> Result<(), Error> {
        Ok(store::insert(conn, org, receipts).await?)
    }

    /// One receipt of the org.
    pub async fn find(&self, org: OrgId, id: ReceiptId) -> Result<Stored, Error> {
        let mut tx = self.db.begin(org).await?;
        store::find(&mut tx, org, id).await?.ok_or(Error::NotFound)
    }

    /// A receipt and those of the same invocation that it continues, the newest first, as far as they are kept.
    pub async fn chain(&self, org: OrgId, newest: ReceiptId) -> Result<Vec<Stored>, Error> {
        let mut tx = self.db.begin(org).await?;
        let mut chain: Vec<Stored> = Vec::new();
        let mut next = Some(newest);
        while let Some(id) = next {
            let Some(stored) = store::find(&mut tx, org, id).await? else { break };
            next = earlier(&stored.envelope).filter(|earlier| *earlier < id);
            chain.push(stored);
        }
        Ok(chain)
    }

    /// Receipts of the org, newest first.
    pub async fn list(&self, org: OrgId, filter: Filter) -> Result<Vec<Stored>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::list(&mut tx, org, filter).await?)
    }
}

/// The receipt that one continues because a person found out what became of its invocation.
fn earlier(envelope: &Envelope) -> Option<ReceiptId> {
    let payload = BASE64_STANDARD.decode(&envelope.payload).ok()?;
    let receipt: Receipt = serde_json::from_slice(&payload).ok()?;
    let reference = receipt.refers_to.iter().find(|reference| reference.relation == RECONCILIATION)?;
    reference.receipt.parse().ok()
}

fn envelope(payload: &[u8], keyid: String, signature: &[u8]) -> Envelope {
    Envelope {
        payload: BASE64_STANDARD.encode(payload),
        payload_type: PAYLOAD_TYPE.to_owned(),
        signatures: vec![Signature { keyid, sig: BASE64_STANDARD.encode(signature) }],
    }
}
