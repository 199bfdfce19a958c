//! The ledger: receipts and change records are signed, appended and never changed.
//!
//! Parts: a `receipt::Receipt` documents one finished invocation; [`Ledger`] signs it with the newest key and appends
//! it in the transaction that finishes the invocation; about a second later [`Ledger::sequence`] gives it a position
//! in the log and signs a checkpoint; [`Ledger::bundles`] proves that position to anyone, with the keys that
//! [`Ledger::key_set`] publishes; [`Ledger::erase_overdue`] erases bodies at the end of their retention and keeps the
//! proof; a [`mirror::Mirror`] stores checkpoints where the operator of the ledger cannot rewrite them. A result that
//! is too large for a receipt is an [`Artifact`], which the receipt names by its digest. Change records are written by
//! `changes` and get their place in the same log.
//!
//! INVARIANT: a stored receipt is always signed, and the service's database role can neither change nor delete it.
//! The process that extends the log locks its single head row, so the log cannot fork.
//! Not here: the format and the verification of receipts (`receipt`, which others can build alone).
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

mod artifacts;
mod error;
mod keys;
pub mod mirror;
mod proofs;
mod retention;
mod sequence;
mod store;
mod tree;

use std::sync::Arc;

use arc_swap::ArcSwap;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use model::{ActionAddress, InvocationId, OrgId, ReceiptId, SessionId, Status};
use platform::{World, db::Database, seal::Sealer};
use receipt::{Envelope, Kept, PAYLOAD_TYPE, Receipt, Seed, Signature, SigningKey};
use sqlx::PgConnection;

pub use artifacts::{Artifact, MAX_ARTIFACT_BYTES, Resealed};
pub use error::Error;
pub use sequence::Sequenced;

/// The relation of a second receipt to the first, after a person reconciled an unknown outcome.
pub const RECONCILIATION: &str = "reconciliation";

/// The searchable fields of a receipt.
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
    pub(crate) seed: Seed,
    pub(crate) commitment: [u8; 32],
}

/// A stored receipt.
#[derive(Debug, Clone)]
pub struct Stored {
    pub entry: Entry,
    pub body: Body,
}

/// The stored part of a receipt.
#[derive(Debug, Clone)]
pub enum Body {
    /// The complete receipt.
    Whole {
        /// The signed bytes.
        payload: Vec<u8>,
        envelope: Envelope,
        /// The seed of its salts, for proofs; `None` if the receipt is older than the log.
        seed: Option<Seed>,
    },
    /// The remaining facts after the body was erased.
    Erased(Kept),
}

/// A filter for receipts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// Only receipts of this session.
    pub session: Option<SessionId>,
    /// Only invocations that finished at or after this time.
    pub from: Option<Timestamp>,
    /// Only invocations that finished before this time.
    pub to: Option<Timestamp>,
    /// Only receipts older than this one.
    pub before: Option<ReceiptId>,
    /// Maximum number of receipts.
    pub limit: i64,
}

/// Signs and stores receipts. Cheap to clone.
#[derive(Clone)]
pub struct Ledger {
    db: Database,
    world: World,
    sealer: Sealer,
    key: Arc<ArcSwap<SigningKey>>,
    artifacts: Option<artifacts::Artifacts>,
}

impl Ledger {
    /// Loads the newest signing key, or creates the first one.
    pub async fn open(db: Database, world: World, sealer: Sealer) -> Result<Self, Error> {
        let key = keys::newest_or_first(&db, &world, &sealer).await?;
        Ok(Self { db, world, sealer, key: Arc::new(ArcSwap::from_pointee(key)), artifacts: None })
    }

    /// The key that signs now, for the recorder of changes.
    pub fn key(&self) -> Arc<ArcSwap<SigningKey>> {
        self.key.clone()
    }

    /// Signs a receipt in its canonical form.
    pub fn sign(&self, receipt: &Receipt) -> Result<Signed, Error> {
        let mut seed = Seed([0; 32]);
        self.world.dice.fill(&mut seed.0);
        let (payload, commitment) = receipt::commit(receipt, &seed).map_err(Error::Canonical)?;
        let key = self.key.load();
        let signature = key.sign_bytes(&receipt::pae(PAYLOAD_TYPE, &payload));
        Ok(Signed { payload, keyid: key.keyid().to_owned(), signature, seed, commitment })
    }

    /// Appends signed receipts of one org in the caller's transaction.
    pub async fn append(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        receipts: impl Iterator<Item = &(Entry, Signed)> + Clone,
    ) -> Result<(), Error> {
        Ok(store::receipts::insert(conn, org, receipts).await?)
    }

    /// One receipt of the org.
    pub async fn find(&self, org: OrgId, id: ReceiptId) -> Result<Stored, Error> {
        let mut tx = self.db.begin(org).await?;
        store::receipts::find(&mut tx, org, id).await?.ok_or(Error::NotFound)
    }

    /// A receipt and the earlier ones of the same invocation, newest first, as far as they are stored.
    pub async fn chain(&self, org: OrgId, newest: ReceiptId) -> Result<Vec<Stored>, Error> {
        let mut tx = self.db.begin(org).await?;
        let mut chain: Vec<Stored> = Vec::new();
        let mut next = Some(newest);
        while let Some(id) = next {
            let Some(stored) = store::receipts::find(&mut tx, org, id).await? else { break };
            next = earlier(&stored.body).filter(|earlier| *earlier < id);
            chain.push(stored);
        }
        Ok(chain)
    }

    /// Receipts of the org, newest first.
    pub async fn list(&self, org: OrgId, filter: Filter) -> Result<Vec<Stored>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::receipts::list(&mut tx, org, filter).await?)
    }
}

/// The earlier receipt that a reconciliation refers to.
fn earlier(body: &Body) -> Option<ReceiptId> {
    let references = match body {
        Body::Whole { payload, .. } => serde_json::from_slice::<Receipt>(payload).ok()?.refers_to,
        Body::Erased(kept) => serde_json::from_value(kept.facts.get("refers_to")?.clone()).ok()?,
    };
    references.iter().find(|reference| reference.relation == RECONCILIATION)?.receipt.parse().ok()
}

fn envelope(payload: &[u8], keyid: String, signature: &[u8]) -> Envelope {
    Envelope {
        payload: BASE64_STANDARD.encode(payload),
        payload_type: PAYLOAD_TYPE.to_owned(),
        signatures: vec![Signature { keyid, sig: BASE64_STANDARD.encode(signature) }],
    }
}
