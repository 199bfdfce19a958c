//! Rotation of the master key, part by part. The command, over real processes, is tested in `crates/app/tests/it/master_key.rs`.

use std::{collections::BTreeSet, time::Duration};

use model::OrgId;
use platform::{
    World,
    db::{self, Database},
    seal::{
        Error, Keyring, Place, Sealer,
        rotation::{self, COLUMNS, Column},
    },
};
use testkit::{TestApp, TestDb, master_key};
use uuid::Uuid;

use super::artifacts;

/// An organization whose values the master key `old` protects, and a key that is to follow.
struct Stage {
    db: TestDb,
    database: Database,
    world: World,
    org: OrgId,
    old: String,
    new: String,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let db = TestDb::create().await?;
        let (database, world) = (Database::open(&db.service_url(), 4)?, World::system());
        let org = OrgId::from_uuid(world.uuid());
        let (old, new) = (master_key("old"), master_key("new"));
        let stage = Self { db, database, world, org, old, new };
        let mut tx = stage.database.begin(org).await?;
        sqlx::query("INSERT INTO orgs (id, slug, name, created_at) VALUES ($1, 'ours', 'Ours', now())")
            .bind(org.uuid())
            .execute(&mut *tx)
            .await?;
        stage.sealer(&[&stage.old])?.make_data_key(&mut tx, org).await?;
        db::commit(tx).await?;
        Ok(stage)
    }

    /// A process with these master keys.
    fn sealer(&self, keys: &[&str]) -> anyhow::Result<Sealer> {
        Ok(Sealer::new(self.world.clone(), Keyring::parse(&keys.join(",").into())?))
    }

    fn both(&self) -> anyhow::Result<Sealer> {
        self.sealer(&[&self.new, &self.old])
    }

    async fn add_secrets(&self, sealer: &Sealer, count: usize) -> anyhow::Result<()> {
        let mut tx = self.database.begin(self.org).await?;
        let user = self.world.uuid();
        sqlx::query(
            "INSERT INTO users (id, email, created_at) VALUES ($1, $1::text || '@example.test', now())",
        )
        .bind(user)
        .execute(&mut *tx)
        .await?;
        for _ in 0..count {
            let id = self.world.uuid();
            let sealed = sealer.seal(&mut tx, self.org, SECRETS.place(id), b"hunter2").await?;
            sqlx::query(
                "INSERT INTO secrets (org_id, id, name, sealed, set_by, created_at, updated_at)
                 VALUES ($1, $2, 's' || replace($2::text, '-', ''), $3, $4, now(), now())",
            )
            .bind(self.org.uuid())
            .bind(id)
            .bind(sealed)
            .bind(user)
            .execute(&mut *tx)
            .await?;
        }
        Ok(db::commit(tx).await?)
    }

    /// How many of the secrets a process with these master keys opens.
    async fn opened(&self, keys: &[&str]) -> anyhow::Result<usize> {
        let sealer = self.sealer(keys)?;
        let mut tx = self.database.begin(self.org).await?;
        let rows: Vec<(Uuid, Vec<u8>)> =
            sqlx::query_as("SELECT id, sealed FROM secrets").fetch_all(&mut *tx).await?;
        let mut opened = 0;
        for (row, sealed) in rows {
            opened += usize::from(sealer.open(&mut tx, self.org, SECRETS.place(row), &sealed).await.is_ok());
        }
        Ok(opened)
    }

    async fn rotate_data_keys(&self, sealer: &Sealer) -> anyhow::Result<()> {
        let mut tx = self.database.begin(self.org).await?;
        sealer.use_newest_master_key(&mut tx).await?;
        sealer.rotate_data_keys(&mut tx, self.org).await?;
        Ok(db::commit(tx).await?)
    }
}

const SECRETS: &Column = &Column { table: "secrets", id: "id", field: "sealed" };

#[tokio::test]
async fn every_encrypted_column_is_rotated() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let mut owner = db.owner().await?;
    let columns = |like: &'static str| {
        sqlx::query_as::<_, (String, String)>(
            "SELECT c.relname::text, a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
               AND NOT a.attisdropped AND a.attname ~ $1 ORDER BY 1, 2",
        )
        .bind(like)
    };
    let sealed: BTreeSet<_> = columns("sealed$").fetch_all(&mut owner).await?.into_iter().collect();
    let known = COLUMNS.iter().map(|column| (column.table.to_owned(), column.field.to_owned())).collect();
    assert_eq!(sealed, known, "rotation must encrypt every column with encrypted values again");
    let wrapped = columns("^master_key$").fetch_all(&mut owner).await?;
    let wrapped: Vec<_> = wrapped.iter().map(|(table, _)| table.as_str()).collect();
    // The deployment names the key in use.
    assert_eq!(
        wrapped,
        ["data_keys", "deployment", "signing_keys"],
        "rotation must encrypt every key under a master key again"
    );
    Ok(())
}

#[tokio::test]
async fn a_key_that_some_processes_lack_encrypts_nothing_before_the_rotation() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (only_old, both) = (stage.sealer(&[&stage.old])?, stage.both()?);
    let place = Place { table: "secrets", row: Uuid::from_u128(1), field: "sealed" };
    let mut tx = stage.database.begin(stage.org).await?;
    both.make_data_key(&mut tx, stage.org).await?;
    let sealed = both.seal(&mut tx, stage.org, place, b"hunter2").await?;
    assert_eq!(only_old.open(&mut tx, stage.org, place, &sealed).await?.as_slice(), b"hunter2");

    // The control: after the switch, a process without the key can read nothing new, and creates nothing.
    both.use_newest_master_key(&mut tx).await?;
    both.make_data_key(&mut tx, stage.org).await?;
    let sealed = both.seal(&mut tx, stage.org, place, b"hunter2").await?;
    let refused = only_old.open(&mut tx, stage.org, place, &sealed).await;
    assert!(matches!(refused, Err(Error::UnknownMasterKey(name)) if name == "new"));
    let refused = only_old.make_data_key(&mut tx, stage.org).await;
    assert!(matches!(refused, Err(Error::UnknownMasterKey(name)) if name == "new"));
    Ok(())
}

#[tokio::test]
async fn values_move_to_the_new_key_and_a_locked_one_the_next_time() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.add_secrets(&stage.sealer(&[&stage.old])?, 450).await?;
    assert_eq!((stage.opened(&[&stage.old]).await?, stage.opened(&[&stage.new]).await?), (450, 0));
    let sealer = stage.both()?;
    stage.rotate_data_keys(&sealer).await?;
    // The older data key is under the new master key by now, so that every process can go on.
    assert_eq!((stage.opened(&[&stage.old]).await?, stage.opened(&[&stage.new]).await?), (0, 450));
    assert_eq!(sealer.count_older(&stage.database, stage.org).await?, 450);

    let mut request = stage.database.begin(stage.org).await?;
    sqlx::query("SELECT 1 FROM secrets ORDER BY id LIMIT 1 FOR UPDATE").execute(&mut *request).await?;
    let mut batches = Vec::new();
    let column = (stage.org, SECRETS);
    let unreadable = sealer.reseal_column(&stage.database, column, |done| batches.push(done)).await?;
    assert_eq!((batches.as_slice(), unreadable.len()), (&[200, 200, 49][..], 0));
    assert_eq!(sealer.count_older(&stage.database, stage.org).await?, 1);
    request.rollback().await?;
    sealer.reseal_column(&stage.database, column, |_| {}).await?;
    assert_eq!(sealer.count_older(&stage.database, stage.org).await?, 0);
    assert_eq!((stage.opened(&[&stage.old]).await?, stage.opened(&[&stage.new]).await?), (0, 450));
    Ok(())
}

#[tokio::test]
async fn a_value_that_nobody_can_decrypt_is_told_and_left() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.add_secrets(&stage.sealer(&[&stage.old])?, 3).await?;
    let mut tx = stage.database.begin(stage.org).await?;
    let spoil = "UPDATE secrets SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)
                 WHERE id = (SELECT id FROM secrets ORDER BY id LIMIT 1)";
    sqlx::query(spoil).execute(&mut *tx).await?;
    db::commit(tx).await?;
    let sealer = stage.both()?;
    stage.rotate_data_keys(&sealer).await?;
    let (mut done, column) = (0, (stage.org, SECRETS));
    let unreadable = sealer.reseal_column(&stage.database, column, |count| done += count).await?;
    assert_eq!((done, unreadable.len()), (2, 1));
    assert_eq!(sealer.count_older(&stage.database, stage.org).await?, 1);
    Ok(())
}

#[tokio::test]
async fn pseudonyms_stay_the_same_whichever_master_key_there_is() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let key = async |keys: &[&str]| -> anyhow::Result<_> {
        let mut tx = stage.database.begin(stage.org).await?;
        let key = stage.sealer(keys)?.pseudonym_key(&mut tx, stage.org).await?;
        db::commit(tx).await?;
        Ok(key.to_vec())
    };
    // The organization is one of an earlier version: its key was derived from the oldest master key.
    let before = key(&[&stage.old]).await?;
    sqlx::query("TRUNCATE pseudonym_keys").execute(&mut stage.db.owner().await?).await?;
    assert_eq!(key(&[&stage.new, &stage.old]).await?, before);
    sqlx::query("TRUNCATE pseudonym_keys").execute(&mut stage.db.owner().await?).await?;
    stage.rotate_data_keys(&stage.both()?).await?;
    assert_eq!(key(&[&stage.new]).await?, before, "the rotation stored it");

    // The control: derived, it would follow the master key.
    sqlx::query("TRUNCATE pseudonym_keys").execute(&mut stage.db.owner().await?).await?;
    assert_ne!(key(&[&stage.new]).await?, before);
    Ok(())
}

#[tokio::test]
async fn a_process_says_which_keys_it_has() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let prints = |sealer: &Sealer| sealer.keyring().fingerprints();
    let (old, both) = (prints(&stage.sealer(&[&stage.old])?), prints(&stage.both()?));
    let url = stage.db.service_url();
    let (with_old, with_both) = (
        Database::labelled(&url, 1, &rotation::label(&old))?,
        Database::labelled(&url, 1, &rotation::label(&both))?,
    );
    let (mut first, _second) = (with_old.unscoped().await?, with_both.unscoped().await?);
    let seen = rotation::processes(&mut first).await?;
    // The stage's own connection has the name of an earlier version, which says nothing.
    let has = |print: &String| seen.iter().filter(|process| process.has(print)).count();
    assert_eq!((seen.len(), has(&both[0]), has(&old[0])), (2, 1, 1), "{seen:?}");
    let mut lock = db::deployment::connect(&url).await?;
    assert_eq!(rotation::processes(&mut first).await?.len(), 2, "it decrypts nothing");
    assert!(rotation::try_lock(&mut lock).await?);
    assert!(!rotation::try_lock(&mut first).await?, "one rotation at a time");
    Ok(())
}

#[tokio::test]
async fn artifacts_are_encrypted_with_the_new_data_key() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let (digest, _) = artifacts::kept(&app, &agent, "rotated").await?;
    let stored = || std::fs::read(artifacts::file(&app, &digest));
    let before = stored()?;
    app.advance(Duration::from_secs(61));
    let mut tx = app.app.db.begin(app.org).await?;
    app.sealer.make_data_key(&mut tx, app.org).await?;
    db::commit(tx).await?;
    let done = app.app.ledger.reseal_artifacts(app.org).await?;
    assert_eq!((done.done, done.missing, done.unreadable), (1, 0, 0));
    assert_ne!(before[1..17], stored()?[1..17], "they name different keys");
    assert_eq!(artifacts::get(&app, &digest, &agent.token).await?.status, axum::http::StatusCode::OK);
    assert_eq!(app.app.ledger.reseal_artifacts(app.org).await?.done, 0, "nothing is left to do");
    std::fs::write(artifacts::file(&app, &digest), before.iter().map(|byte| byte ^ 1).collect::<Vec<_>>())?;
    assert_eq!(app.app.ledger.reseal_artifacts(app.org).await?.unreadable, 1);
    std::fs::remove_file(artifacts::file(&app, &digest))?;
    assert_eq!(app.app.ledger.reseal_artifacts(app.org).await?.missing, 1);
    Ok(())
}
