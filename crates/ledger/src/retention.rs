//! Erases at the end of the organization's retention: the bodies of receipts, what the tables hold of the same calls, their
//! artifacts, the inputs of runs, and dead letters. Facts and proofs are kept.

use std::time::Duration;

use model::{InOrg, OrgId};
use platform::db;
use receipt::Kept;

use crate::{Body, Error, Ledger, store};

/// How many bodies are erased in one transaction.
const AT_ONCE: i64 = 200;

/// How many runs are erased in one statement.
const RUNS_AT_ONCE: i32 = 1_000;

impl Ledger {
    /// Erases bodies that are older than the organization's retention. Returns their number. The database checks the
    /// retention again, so nothing younger can be erased.
    pub async fn erase_overdue(&self, org: OrgId, kept_days: u32) -> Result<u64, Error> {
        let mut erased = 0;
        loop {
            let now = self.world.clock.now();
            let before = now - Duration::from_secs(u64::from(kept_days) * 86_400);
            let mut tx = self.db.begin(org).await?;
            let overdue = store::receipts::overdue(&mut tx, org, before, AT_ONCE).await?;
            let mut done = 0;
            for stored in &overdue {
                let Body::Whole { payload, seed: Some(seed), .. } = &stored.body else { continue };
                let Some(kept) = Kept::of(payload, seed) else { continue };
                if store::receipts::erase(&mut tx, InOrg { org, id: stored.entry.id }, &kept, now).await? {
                    done += 1;
                }
            }
            db::commit(tx).await?;
            erased += done;
            if done < AT_ONCE.unsigned_abs() {
                break;
            }
        }
        self.erase_rest(org).await?;
        // Runs even if nothing was erased: an artifact that could not be deleted before is still listed.
        self.drop_artifacts(org).await?;
        Ok(erased)
    }

    /// Inputs of runs and dead letters that are older than the retention.
    async fn erase_rest(&self, org: OrgId) -> Result<(), Error> {
        loop {
            let mut tx = self.db.begin(org).await?;
            let done =
                store::receipts::erase_rest(&mut tx, org, self.world.clock.now(), RUNS_AT_ONCE).await?;
            db::commit(tx).await?;
            if done < i64::from(RUNS_AT_ONCE) {
                return Ok(());
            }
        }
    }
}
