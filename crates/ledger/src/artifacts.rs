//! Artifacts: results that are too large for a receipt, stored complete under their digest, which the receipt names.
//!
//! An artifact is redacted like everything that is stored. It is encrypted too, bound to its organization and digest,
//! because a result may be private. The digest is that of the plain bytes, so anyone with the bytes and the receipt
//! can compare them.
//!
//! Order: the object is written before its row and deleted before it. An interruption leaves an object that nothing
//! refers to, or a row that is processed again; never a row without its object.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use model::{Digest, OrgId, SessionId};
use platform::{
    db,
    objects::{self, Objects},
    seal::Place,
};
use sqlx::PgConnection;
use zeroize::Zeroizing;

use crate::{Entry, Error, Ledger, store};

/// Maximum size of an artifact.
pub const MAX_ARTIFACT_BYTES: usize = 4 << 20;
/// More than the overhead of encryption.
const SEALED_BYTES: u64 = (MAX_ARTIFACT_BYTES + 1_024) as u64;
/// How long an action waits for its artifact to be stored.
const PATIENCE: Duration = Duration::from_secs(2);
/// After a failure the storage is not used for this long, so that not every action waits for it.
const LEFT_ALONE: Duration = Duration::from_secs(10);
/// A newer object may belong to an invocation that is about to finish.
const SETTLED_AFTER: Duration = Duration::from_secs(3_600);
/// How long after an artifact was stored its row may be missing.
const ROW_AFTER: Duration = Duration::from_secs(30);
/// Number of artifacts that are deleted in one batch.
const AT_ONCE: i64 = 200;

/// A stored artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Artifact {
    pub digest: Digest,
    pub bytes: usize,
    pub media_type: &'static str,
}

/// The artifact storage. Clones share its state.
#[derive(Debug, Clone)]
pub(crate) struct Artifacts {
    objects: Objects,
    away_until: Arc<Mutex<Option<Timestamp>>>,
}

impl Ledger {
    /// Sets the storage for artifacts.
    #[must_use]
    pub fn with_artifacts(self, objects: Objects) -> Self {
        Self { artifacts: Some(Artifacts { objects, away_until: Arc::default() }), ..self }
    }

    /// Whether a storage is configured.
    pub const fn keeps_artifacts(&self) -> bool {
        self.artifacts.is_some()
    }

    /// Stores JSON under its digest, if that is possible soon. An effect that has happened neither fails nor waits
    /// long because the storage is unavailable: then no artifact is stored.
    pub async fn keep_artifact(&self, org: OrgId, json: &[u8]) -> Option<Artifact> {
        let artifacts = self.artifacts.as_ref()?;
        let now = self.world.clock.now();
        if json.len() > MAX_ARTIFACT_BYTES || artifacts.is_away(now) {
            return None;
        }
        let digest = Digest::of_bytes(json);
        let kept = tokio::time::timeout(PATIENCE, self.put_artifact(artifacts, org, &digest, json)).await;
        let error = match kept {
            Ok(Ok(())) => {
                return Some(Artifact { digest, bytes: json.len(), media_type: "application/json" });
            }
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        artifacts.leave_alone(now + LEFT_ALONE);
        metrics::counter!("countersign_artifacts_not_kept_total").increment(1);
        let error = error.as_ref().map(|error| error as &dyn std::error::Error);
        tracing::warn!(error, "storing an artifact failed; its receipt names none");
        None
    }

    async fn put_artifact(
        &self,
        artifacts: &Artifacts,
        org: OrgId,
        digest: &Digest,
        json: &[u8],
    ) -> Result<(), Error> {
        let field = hex::encode(digest.as_bytes());
        let mut tx = self.db.begin(org).await?;
        let sealed = self.sealer.seal(&mut tx, org, place(org, &field), json).await.map_err(Error::Seal)?;
        drop(tx);
        // Overwrites an existing object: it is the same, or was modified.
        Ok(artifacts.objects.put_over(&name(org, &field), sealed).await?)
    }

    /// Stores which artifacts receipts name, in the caller's transaction.
    pub async fn note_artifacts(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        artifacts: impl Iterator<Item = (&Entry, &Artifact)>,
    ) -> Result<(), Error> {
        for (entry, artifact) in artifacts {
            store::artifacts::insert(conn, org, entry, artifact).await?;
        }
        Ok(())
    }

    /// An artifact of the organization, or of one session, with its media type.
    pub async fn artifact(
        &self,
        org: OrgId,
        digest: &Digest,
        session: Option<SessionId>,
    ) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
        let mut tx = self.db.begin(org).await?;
        let media_type = store::artifacts::find(&mut tx, org, digest, session).await?;
        let media_type = media_type.ok_or(Error::NoArtifact)?;
        drop(tx);
        let artifacts = self.artifacts.as_ref().ok_or(Error::ArtifactAway(None))?;
        let field = hex::encode(digest.as_bytes());
        let found = artifacts.objects.get(&name(org, &field), SEALED_BYTES).await;
        let found = match found {
            Err(objects::Error::TooLarge { .. }) => return Err(Error::ArtifactChanged),
            found => found?.ok_or(Error::ArtifactAway(None))?,
        };
        let mut tx = self.db.begin(org).await?;
        let plain = self.sealer.open(&mut tx, org, place(org, &field), &found.bytes).await;
        let plain = plain.map_err(|error| match error {
            platform::seal::Error::Broken => Error::ArtifactChanged,
            other => Error::Seal(other),
        })?;
        if Digest::of_bytes(&plain) != *digest {
            return Err(Error::ArtifactChanged);
        }
        Ok((media_type, plain))
    }

    /// Deletes the artifacts of receipts whose bodies were erased, unless another receipt of the organization names
    /// them. Returns their number.
    pub async fn drop_artifacts(&self, org: OrgId) -> Result<u64, Error> {
        let Some(artifacts) = &self.artifacts else { return Ok(0) };
        let mut dropped = 0;
        loop {
            let mut tx = self.db.begin(org).await?;
            let erased = store::artifacts::erased(&mut tx, org, AT_ONCE).await?;
            drop(tx);
            let mut done = 0;
            for found in &erased {
                let object = name(org, &hex::encode(&found.digest));
                if !found.shared {
                    let fresh = self.world.clock.now() - SETTLED_AFTER;
                    if artifacts.objects.put_at(&object).await?.is_some_and(|at| at > fresh) {
                        continue;
                    }
                    artifacts.objects.delete(&object).await?;
                }
                let mut tx = self.db.begin(org).await?;
                store::artifacts::delete(&mut tx, org, found).await?;
                db::commit(tx).await?;
                done += 1;
            }
            dropped += done;
            if done < AT_ONCE.unsigned_abs() {
                return Ok(dropped);
            }
        }
    }
}

/// What became of artifacts that were to be encrypted again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Encrypted with the newest data key.
    pub done: u64,
    /// No storage is configured, or it does not have the object.
    pub missing: u64,
    /// The object was changed, so nobody can read it.
    pub unreadable: u64,
}

impl Ledger {
    /// Encrypts the artifacts of an organization with its newest data key. Which key encrypts an object stands in the
    /// object, so each is read.
    pub async fn reseal_artifacts(&self, org: OrgId) -> Result<Resealed, Error> {
        let (mut resealed, mut after) = (Resealed::default(), Vec::new());
        loop {
            let mut tx = self.db.begin(org).await?;
            let digests = store::artifacts::digests(&mut tx, org, &after, AT_ONCE).await?;
            drop(tx);
            let Some(last) = digests.last() else { return Ok(resealed) };
            after.clone_from(last);
            for digest in digests {
                let digest = <[u8; 32]>::try_from(digest.as_slice()).map(Digest::from_bytes);
                let digest = digest.map_err(|_| db::Error::Inconsistent { column: "artifacts.digest" })?;
                self.reseal_artifact(org, &digest, &mut resealed).await?;
            }
        }
    }

    async fn reseal_artifact(
        &self,
        org: OrgId,
        digest: &Digest,
        resealed: &mut Resealed,
    ) -> Result<(), Error> {
        let field = hex::encode(digest.as_bytes());
        let name = name(org, &field);
        let found = match &self.artifacts {
            None => None,
            Some(artifacts) => match artifacts.objects.get(&name, SEALED_BYTES).await {
                Err(objects::Error::TooLarge { .. }) => {
                    resealed.unreadable += 1;
                    return Ok(());
                }
                found => found?.map(|found| (&artifacts.objects, found)),
            },
        };
        let Some((objects, found)) = found else {
            resealed.missing += 1;
            return Ok(());
        };
        // No transaction is open while the storage is asked: the ledger would wait for it.
        let mut tx = self.db.begin(org).await?;
        let sealed = self.sealer.reseal(&mut tx, org, place(org, &field), &found.bytes).await;
        drop(tx);
        let sealed = match sealed {
            Ok(Some(sealed)) => sealed,
            Ok(None) => return Ok(()),
            Err(platform::seal::Error::Broken) => {
                resealed.unreadable += 1;
                return Ok(());
            }
            Err(error) => return Err(Error::Seal(error)),
        };
        // One that was replaced meanwhile was encrypted with the newest data key, or is seen the next time.
        if !objects.replace(&name, sealed, Some(&found)).await? {
            return Ok(());
        }
        resealed.done += 1;
        // If its receipt was erased meanwhile, the object may have been deleted before it was written again. A call that
        // stores the same result at this moment has its row soon.
        if !self.is_named(org, digest).await? {
            tokio::time::sleep(ROW_AFTER).await;
            if !self.is_named(org, digest).await? {
                objects.delete(&name).await?;
            }
        }
        Ok(())
    }

    /// Whether a receipt with a body names this artifact.
    async fn is_named(&self, org: OrgId, digest: &Digest) -> Result<bool, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::artifacts::find(&mut tx, org, digest, None).await?.is_some())
    }
}

impl Artifacts {
    fn is_away(&self, now: Timestamp) -> bool {
        let until = *self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| now < until)
    }

    fn leave_alone(&self, until: Timestamp) {
        *self.away_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }
}

fn name(org: OrgId, digest: &str) -> String {
    format!("{org}/{digest}")
}

/// Bound to organization and digest: moved elsewhere, the object cannot be decrypted.
fn place(org: OrgId, digest: &str) -> Place<'_> {
    Place { table: "artifacts", row: org.uuid(), field: digest }
}
