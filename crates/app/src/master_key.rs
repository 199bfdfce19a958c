//! `countersign master-key rotate`: everything that a master key protects is encrypted again under the newest one, while
//! gateways and workers run.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use changes::{Author, Recorder};
use clap::Args;
use ledger::{Ledger, Resealed};
use model::OrgId;
use platform::{
    World,
    config::Config,
    db::deployment,
    seal::{self, Keyring, Sealer, rotation},
    telemetry,
};
use secrecy::ExposeSecret as _;
use serde_json::json;
use tenancy::Tenancy;

use crate::{commands::say, wire::Wiring};

/// After this time every process uses the new data keys, and what it began with an older one has ended.
const SETTLED_AFTER: Duration = seal::NEWEST_FOR.saturating_add(Duration::from_secs(2));
/// How long to wait for another rotation: one that was killed leaves its lock for a moment.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);
/// How long connections of a process that has ended may be left.
const ENDING: Duration = Duration::from_secs(2);
const TELL_EVERY: Duration = Duration::from_secs(1);
/// How often values that requests had locked are tried again.
const MOST_SWEEPS: u32 = 20;

#[derive(Debug, Args)]
pub(crate) struct Rotate {
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Prints a new master key.
pub(crate) fn create(id: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        !id.is_empty() && !id.contains([':', ',']),
        "the name of a master key must not be empty or contain `:` or `,`. Choose another --id"
    );
    say(Keyring::generate(id, &World::system().dice).expose_secret());
    Ok(())
}

pub(crate) async fn rotate(command: Rotate, json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let config = Config::from_environment()?;
    let mut lock = deployment::connect(config.database_url.expose_secret()).await?;
    take_turn(&mut lock).await?;
    let wiring = Wiring::new(config)?;
    let ledger = wiring.ledger().await?;
    let tenancy = wiring.tenancy(Recorder::new(wiring.world.clone(), ledger.key(), None));
    let mut rotation = Rotation {
        sealer: wiring.sealer.clone(),
        reason: command.reason,
        done: Done::default(),
        told: Told { json, at: Instant::now(), total: 0 },
        rotated_at: Some(Instant::now()),
        tenancy,
        ledger,
        wiring,
    };
    rotation.run().await?;
    rotation.report(json);
    Ok(())
}

/// Waits until no other rotation runs. The lock ends with the connection, also if this process is killed.
async fn take_turn(lock: &mut deployment::Connection) -> anyhow::Result<()> {
    let begun = Instant::now();
    while !rotation::try_lock(lock).await? {
        anyhow::ensure!(
            begun.elapsed() < LOCK_PATIENCE,
            "another rotation is running. Wait until it has ended"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

/// What was encrypted again so far.
#[derive(Debug, Default)]
struct Done {
    signing_key: String,
    is_new_signing_key: bool,
    orgs: usize,
    /// Organizations that got a data key.
    data_keys: u64,
    values: u64,
    artifacts: Resealed,
    /// Values that nobody can decrypt.
    unreadable: Vec<String>,
}

/// Progress on standard error, at most once a second.
struct Told {
    json: bool,
    at: Instant,
    total: u64,
}

impl Told {
    #[expect(clippy::print_stderr, reason = "a person, or a program that reads lines, follows the progress")]
    fn tell(&mut self, values: u64, is_due: bool) {
        if !is_due && self.at.elapsed() < TELL_EVERY {
            return;
        }
        self.at = Instant::now();
        if self.json {
            eprintln!("{}", json!({ "progress": { "values": values, "of": self.total } }));
        } else {
            eprintln!("{values} of {} values encrypted again", self.total);
        }
    }
}

struct Rotation {
    wiring: Wiring,
    sealer: Sealer,
    tenancy: Tenancy,
    ledger: Ledger,
    reason: Option<String>,
    done: Done,
    told: Told,
    /// When the last data key was committed: from then on processes forget older ones.
    rotated_at: Option<Instant>,
}

impl Rotation {
    async fn run(&mut self) -> anyhow::Result<()> {
        self.check_processes().await?;
        let mut conn = self.wiring.db.unscoped().await?;
        self.sealer.use_newest_master_key(&mut conn).await?;
        drop(conn);
        let signing = self.ledger.rotate_master_key().await.context("rotating the signing key")?;
        (self.done.signing_key, self.done.is_new_signing_key) = signing;
        self.rotate_data_keys().await?;
        self.sweep().await?;
        // Organizations that were created meanwhile, and values that a process encrypted with a key from its memory.
        for _ in 0..MOST_SWEEPS {
            self.check_processes().await?;
            let orgs = self.rotate_data_keys().await?;
            self.settle().await;
            self.sweep().await?;
            if self.count_older(&orgs).await? <= self.done.unreadable.len() as u64 {
                return Ok(());
            }
            tokio::time::sleep(TELL_EVERY).await;
        }
        anyhow::bail!("some values stay locked by others. Run this command again")
    }

    /// Refuses while a process lacks the newest key: it could not read what the others encrypt.
    async fn check_processes(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let lacking = loop {
            let lacking = self.lacking().await?;
            if lacking.is_empty() || begun.elapsed() > ENDING {
                break lacking;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        anyhow::ensure!(
            lacking.is_empty(),
            "processes without the master key `{}` use the database: {}. Restart them with the new key first and the \
             old one second in COUNTERSIGN_MASTER_KEY, then run this command again",
            self.sealer.keyring().newest(),
            lacking.join("; ")
        );
        Ok(())
    }

    /// Where connections of processes without the newest key come from.
    async fn lacking(&self) -> anyhow::Result<Vec<String>> {
        let fingerprint = self.sealer.keyring().fingerprints().into_iter().next().unwrap_or_default();
        let mut conn = self.wiring.db.unscoped().await?;
        let mut processes = rotation::processes(&mut conn).await?;
        processes.retain(|process| !process.has(&fingerprint));
        let told = processes.into_iter().map(|process| {
            let address = process.address.unwrap_or_else(|| "a local socket".to_owned());
            format!("from {address} with {} connections", process.connections)
        });
        Ok(told.collect())
    }

    async fn orgs(&self) -> anyhow::Result<Vec<OrgId>> {
        Ok(self.tenancy.receipt_periods().await?.into_iter().map(|(org, _)| org).collect())
    }

    /// Gives every organization a data key under the newest master key.
    async fn rotate_data_keys(&mut self) -> anyhow::Result<Vec<OrgId>> {
        let orgs = self.orgs().await?;
        for org in &orgs {
            let by = Author::operator(*org).because(self.reason.as_deref());
            let rotated = self.tenancy.rotate_data_keys(&by).await;
            let rotated = rotated.with_context(|| format!("rotating the data keys of {org}"))?;
            self.done.data_keys += u64::from(rotated);
            if rotated {
                self.rotated_at = Some(Instant::now());
            }
        }
        self.done.orgs = orgs.len();
        Ok(orgs)
    }

    async fn count_older(&self, orgs: &[OrgId]) -> anyhow::Result<u64> {
        let mut count = 0;
        for org in orgs {
            count += self.sealer.count_older(&self.wiring.db, *org).await?;
        }
        Ok(count)
    }

    /// Encrypts every value that an older data key encrypts.
    async fn sweep(&mut self) -> anyhow::Result<()> {
        let orgs = self.orgs().await?;
        self.told.total = self.done.values + self.count_older(&orgs).await?;
        (self.done.unreadable, self.done.artifacts.missing, self.done.artifacts.unreadable) = (vec![], 0, 0);
        for org in orgs {
            for column in rotation::COLUMNS {
                let (done, told) = (&mut self.done, &mut self.told);
                let count = |values| {
                    done.values += values;
                    told.tell(done.values, false);
                };
                let unreadable = self.sealer.reseal_column(&self.wiring.db, (org, column), count).await;
                let doing = || format!("encrypting {}.{} of {org} again", column.table, column.field);
                let unreadable = unreadable.with_context(doing)?;
                let place = |row| format!("{}.{} of row {row} in {org}", column.table, column.field);
                self.done.unreadable.extend(unreadable.into_iter().map(place));
            }
            let resealed = self.ledger.reseal_artifacts(org).await;
            let resealed = resealed.with_context(|| format!("encrypting the artifacts of {org} again"))?;
            let artifacts = &mut self.done.artifacts;
            artifacts.done += resealed.done;
            artifacts.missing += resealed.missing;
            artifacts.unreadable += resealed.unreadable;
        }
        self.told.tell(self.done.values, true);
        Ok(())
    }

    /// Waits until no process uses an older data key from its memory. Also where an interrupted rotation made the keys.
    async fn settle(&mut self) {
        if let Some(at) = self.rotated_at.take() {
            tokio::time::sleep(SETTLED_AFTER.saturating_sub(at.elapsed())).await;
        }
    }

    fn report(&self, json: bool) {
        let (keyring, done) = (self.sealer.keyring(), &self.done);
        let older: Vec<&str> = keyring.older().collect();
        if json {
            say(json!({
                "master_key": keyring.newest(),
                "retired": older,
                "signing_key": done.signing_key,
                "new_signing_key": done.is_new_signing_key,
                "orgs": done.orgs,
                "data_keys": done.data_keys,
                "values": done.values,
                "artifacts": {
                    "encrypted": done.artifacts.done,
                    "missing": done.artifacts.missing,
                    "unreadable": done.artifacts.unreadable,
                },
                "unreadable": done.unreadable,
            }));
            return;
        }
        say(format!(
            "master key `{}` is in use in {} organizations: {} new data keys, {} values and {} artifacts encrypted again",
            keyring.newest(),
            done.orgs,
            done.data_keys,
            done.values,
            done.artifacts.done
        ));
        for place in &done.unreadable {
            say(format!("cannot be decrypted by anyone, left as it is: {place}"));
        }
        let Resealed { missing, unreadable, .. } = done.artifacts;
        if missing + unreadable > 0 {
            say(format!("artifacts: {missing} are not in the storage, {unreadable} cannot be decrypted"));
        }
        match older.as_slice() {
            [] => say(
                "To replace it, put a new key first in COUNTERSIGN_MASTER_KEY: countersign master-key create --id NAME",
            ),
            older => say(format!(
                "Remove `{}` from COUNTERSIGN_MASTER_KEY and restart every process. Keep it where it is safe for as long as \
                 you keep backups from before",
                older.join("`, `")
            )),
        }
    }
}
