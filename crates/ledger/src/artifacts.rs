//! Artifacts: what is too large for a receipt, kept whole under its digest, which the receipt names.
//!
//! What is kept was redacted before, as everything that is stored; it is sealed for its org and its digest all the same,
//! because a result may hold what people take for private. The digest is that of the plain bytes: whoever has them and the
//! receipt needs nobody to compare them.
//!
//! Order: the object comes before its row and goes before it. What ends in between leaves an object that nobody finds, or
//! a row that is seen to again; never a row without its object.

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

/// The largest artifact that is kept.
pub const MAX_ARTIFACT_BYTES: usize = 4 << 20;
/// More than what sealing adds.
const SEALED_BYTES: u64 = (MAX_ARTIFACT_BYTES + 1_024) as u64;
/// How long an action waits for its artifact to be kept.
const PATIENCE: Duration = Duration::from_secs(2);
/// A place that did not take one is left alone this long, so that not every action waits for it.
const LEFT_ALONE: Duration = Duration::from_secs(10);
/// An object that was put later than this may belong to an invocation that is about to end.
const SETTLED_AFTER: Duration = Duration::from_secs(3_600);
/// How many are looked at together when they are removed.
const AT_ONCE: i64 = 200;

/// An artifact that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Artifact {
    pub digest: Digest,
    pub bytes: usize,
    pub media_type: &'static str,
}

/// Where artifacts are kept. Clones share what they know of the place.
#[derive(Debug, Clone)]
pub(crate) struct Artifacts {
    objects: Objects,
    away_until: Arc<Mutex<Option<Timestamp>>>,
}

impl Ledger {
    /// Keeps artifacts in a place from now on.
    #[must_use]
    pub fn with_artifacts(self, objects: Objects) -> Self {
        Self { artifacts: Some(Artifacts { objects, away_until: Arc::default() }), ..self }
    }

    /// Whether there is a place for artifacts.
    pub const fn keeps_artifacts(&self) -> bool {
        self.artifacts.is_some()
    }

    /// Keeps JSON under its digest, if that can be done soon. An effect that has happened neither fails nor waits for long
    /// because a place is away: then it is as if there were none.
    pub async fn keep_artifact(&self, org: OrgId, json: &[u8]) -> Option<Artifact> {
        let artifacts = self.artifacts.as_ref()?;
        let now = self.world.clock.now();
        if json.len() > MAX_ARTIFACT_BYTES || artifacts.is_away(now) {
            return None;
        }
        let digest = Digest::of_bytes(json);
        let kept = tokio::time::timeout(PATIENCE, self.put_artifact(artifacts, (org, &digest), json)).await;
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
        tracing::warn!(error, "an artifact was not kept; its receipt names none");
        None
    }

    async fn put_artifact(
        &self,
        artifacts: &Artifacts,
        (org, digest): (OrgId, &Digest),
        json: &[u8],
    ) -> Result<(), Error> {
        let field = hex::encode(digest.as_bytes());
        let mut tx = self.db.begin(org).await?;
        let sealed = self.sealer.seal(&mut tx, org, place(org, &field), json).await.map_err(Error::Seal)?;
        drop(tx);
        // Over one that is there: it is the same, or was changed.
        Ok(artifacts.objects.put_over(&name(org, &field), sealed).await?)
    }

    /// Notes which artifacts receipts name, in the caller's transaction.
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

    /// An artifact of the org, or of one of its sessions alone; with its media type.
    pub async fn artifact(
        &self,
        org: OrgId,
        digest: &Digest,
        session: Option<SessionId>,
    ) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
        let mut tx = self.db.begin(org).await?;
        let media_type = store::artifacts::find(&mut tx, (org, digest), session).await?;
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

    /// Removes the artifacts of receipts whose bodies were erased; says how many. An object that another receipt of the org
    /// names stays.
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

/// Moved to another org or under another digest, it does not open.
fn place(org: OrgId, digest: &str) -> Place<'_> {
    Place { table: "artifacts", row: org.uuid(), field: digest }
}
