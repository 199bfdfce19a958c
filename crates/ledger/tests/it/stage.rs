//! What these tests share: a ledger over a database of its own, receipts to put into it, and a clock that a test sets.

use std::time::Duration;

use ledger::{Entry, Filter, Ledger, Sequenced};
use model::{InvocationId, OrgId, ReceiptId, SessionId, Status};
use platform::{
    Clock, Dice, World,
    db::{self, Database},
    seal::{Keyring, Sealer},
};
use receipt::{Bundle, Checkpoint, Decision, KeySet, Receipt, Record, Timing, merkle::Hash, tile};
use serde_json::json;
use testkit::TestDb;

pub(crate) struct Stage {
    pub(crate) ledger: Ledger,
    pub(crate) database: Database,
    pub(crate) world: World,
    pub(crate) org: OrgId,
    pub(crate) db: TestDb,
}

impl Stage {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let db = TestDb::create().await?;
        // Real time at the start, so that ids fall into existing partitions.
        let world = World::new(Clock::manual(World::system().clock.now()), Dice::system());
        let keyring = Keyring::parse(&Keyring::generate("test", &world.dice))?;
        let database = Database::open(&db.service_url(), 12)?;
        let sealer = Sealer::new(world.clone(), keyring);
        let ledger = Ledger::open(database.clone(), world.clone(), sealer).await?;
        let org = OrgId::from_uuid(world.uuid());
        let stage = Self { ledger, database, world, org, db };
        stage.add_org(org, "ours").await?;
        Ok(stage)
    }

    async fn add_org(&self, org: OrgId, slug: &str) -> anyhow::Result<()> {
        let mut tx = self.database.begin(org).await?;
        sqlx::query("INSERT INTO orgs (id, slug, name, created_at) VALUES ($1, $2, $2, now())")
            .bind(org.uuid())
            .bind(slug)
            .execute(&mut *tx)
            .await?;
        Ok(db::commit(tx).await?)
    }

    pub(crate) async fn another_org(&self) -> anyhow::Result<OrgId> {
        let org = OrgId::from_uuid(self.world.uuid());
        self.add_org(org, "theirs").await?;
        Ok(org)
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.world.clock.advance(by);
    }

    /// Appends receipts that say `secret 0`, `secret 1` and so on.
    pub(crate) async fn append(&self, org: OrgId, times: usize) -> anyhow::Result<Vec<ReceiptId>> {
        let mut signed = Vec::new();
        for nth in 0..times {
            let entry = Entry {
                id: ReceiptId::from_uuid(self.world.uuid()),
                org,
                invocation: InvocationId::from_uuid(self.world.uuid()),
                session: SessionId::from_uuid(self.world.uuid()),
                action: "data.transform".parse()?,
                status: Status::Succeeded,
                finished_at: self.world.clock.now(),
            };
            let written = self.ledger.sign(&receipt_of(&entry, nth))?;
            signed.push((entry, written));
        }
        let mut tx = self.database.begin(org).await?;
        self.ledger.append(&mut tx, org, signed.iter()).await?;
        db::commit(tx).await?;
        Ok(signed.into_iter().map(|(entry, _)| entry.id).collect())
    }

    /// Continues the log until nothing waits; says how many entries it has. It waits for every open transaction of the
    /// PostgreSQL server, those of other tests too.
    pub(crate) async fn sequence(&self) -> anyhow::Result<u64> {
        // A log that was just signed is not signed again.
        self.advance(Duration::from_secs(2));
        let patience = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            match self.ledger.sequence().await? {
                Sequenced::Signed { size, more: false } => return Ok(size),
                Sequenced::Signed { .. } => {}
                Sequenced::Nothing => {
                    anyhow::ensure!(tokio::time::Instant::now() < patience, "the log was not continued");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    /// Appends receipts and continues the log.
    pub(crate) async fn grow(&self, times: usize) -> anyhow::Result<u64> {
        self.append(self.org, times).await?;
        self.sequence().await
    }

    pub(crate) async fn keys(&self) -> anyhow::Result<KeySet> {
        Ok(KeySet::new(&self.ledger.key_set().await?.keys)?)
    }

    pub(crate) async fn note(&self) -> anyhow::Result<String> {
        self.ledger.checkpoint().await?.ok_or_else(|| anyhow::anyhow!("the log has not begun"))
    }

    pub(crate) async fn checkpoint(&self) -> anyhow::Result<Checkpoint> {
        Ok(Checkpoint::verify(&self.note().await?, &self.keys().await?)?)
    }

    pub(crate) async fn records(&self, org: OrgId) -> anyhow::Result<Vec<Record>> {
        Ok(self.ledger.records(org, 0, 1_000).await?)
    }

    /// Every receipt of an org that has its place, with its proof.
    pub(crate) async fn bundles(&self, org: OrgId) -> anyhow::Result<Vec<Bundle>> {
        let stored = self.ledger.list(org, Filter { limit: 1_000, ..Filter::default() }).await?;
        Ok(self.ledger.bundles(org, stored).await?)
    }

    pub(crate) async fn leaves(&self, size: u64) -> anyhow::Result<Vec<Hash>> {
        let mut leaves = Vec::new();
        for tile in tile::Tile::all(size).filter(|tile| tile.level == 0) {
            let bytes = self.ledger.tile(tile, tile.width(size)).await?;
            leaves.extend(bytes.and_then(|bytes| tile::hashes(&bytes)).unwrap_or_default());
        }
        Ok(leaves)
    }

    /// Checks that every receipt gets into the log and verifies with its proof.
    pub(crate) async fn is_whole(&self) -> anyhow::Result<()> {
        let stored = self.ledger.list(self.org, Filter { limit: 1_000, ..Filter::default() }).await?.len();
        if self.bundles(self.org).await?.len() < stored {
            self.sequence().await?;
        }
        let (bundles, keys) = (self.bundles(self.org).await?, self.keys().await?);
        anyhow::ensure!(bundles.len() == stored, "{} of {stored} receipts are in the log", bundles.len());
        for bundle in bundles {
            bundle.verify(&keys)?;
        }
        Ok(())
    }
}

fn receipt_of(entry: &Entry, nth: usize) -> Receipt {
    let at = entry.finished_at.to_string();
    Receipt {
        version: receipt::VERSION.to_owned(),
        id: entry.id.to_string(),
        invocation: entry.invocation.to_string(),
        org: entry.org.to_string(),
        space: "main".to_owned(),
        session: entry.session.to_string(),
        agent: "agent".to_owned(),
        action: entry.action.to_string(),
        definition_hash: "sha256:00".to_owned(),
        effect: "read".to_owned(),
        risk: "R0".to_owned(),
        inputs: json!({ "template": format!("secret {nth}") }),
        outputs: None,
        artifacts: vec![],
        status: entry.status.as_str().to_owned(),
        error: None,
        decision: Decision {
            mode: "allow".to_owned(),
            mode_source: "inferred".to_owned(),
            reason: String::new(),
            guardrails: vec![],
            gates: vec![],
            policies: vec![],
            facts: vec![],
            flow: None,
        },
        approvals: vec![],
        shown: vec![],
        shown_digest: None,
        verification: None,
        repair: None,
        rollback: None,
        attempts: 1,
        timing: Timing { requested_at: at.clone(), started_at: None, finished_at: at, duration_ms: 1 },
        cost: None,
        reward: receipt::reward(1.0, 0.0, 0.0, 0.0),
        idempotency_key: None,
        trace_id: None,
        refers_to: vec![],
        dry_run: false,
    }
}
