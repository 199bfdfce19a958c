//! Encrypted values in the database of a deployment: storing many, and counting which of them a master key opens.

use anyhow::Context as _;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use ledger::Ledger;
use model::OrgId;
use platform::{
    World,
    db::{self, Database},
    seal::{Error, Keyring, Place, Sealer, rotation::COLUMNS},
};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::Deployment;

/// How many secrets are stored in one transaction.
const AT_ONCE: usize = 1_000;

/// What whoever has a master key and the database can read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Opened {
    /// Encrypted values in all tables and organizations.
    pub values: u64,
    /// Those of them that it opens.
    pub opened: u64,
    /// Whether it opens the key that signs receipts.
    pub signing_key: bool,
}

impl Deployment {
    /// Stores secrets as the gateway stores them, without a record for each.
    pub async fn store_secrets(&self, count: usize) -> anyhow::Result<()> {
        let keys = self.setting("COUNTERSIGN_MASTER_KEY").context("a master key")?;
        let sealer = Sealer::new(World::system(), Keyring::parse(&keys.into())?);
        // The name is not that of a process that needs keys.
        let database = Database::labelled(&self.db.service_url(), 2, "testkit")?;
        let (org, world) = (self.org.parse::<OrgId>()?, World::system());
        let mut left = count;
        while left > 0 {
            let mut tx = database.begin(org).await?;
            let (mut ids, mut names, mut values) = (vec![], vec![], vec![]);
            for _ in 0..left.min(AT_ONCE) {
                let id = world.uuid();
                let place = Place { table: "secrets", row: id, field: "sealed" };
                values.push(sealer.seal(&mut tx, org, place, format!("value of {id}").as_bytes()).await?);
                names.push(format!("s{}", id.simple()));
                ids.push(id);
            }
            left -= ids.len();
            let statement = "INSERT INTO secrets (org_id, id, name, sealed, set_by, created_at, updated_at)
                 SELECT $1, n.id, n.name, n.sealed, (SELECT user_id FROM memberships LIMIT 1), now(), now()
                 FROM unnest($2::uuid[], $3::text[], $4::bytea[]) n (id, name, sealed)";
            let insert = sqlx::query(statement).bind(org.uuid()).bind(ids).bind(names).bind(values);
            insert.execute(&mut *tx).await?;
            db::commit(tx).await?;
        }
        database.close().await;
        Ok(())
    }

    /// Tries the bytes of a master key (`name:base64`) on everything, under whatever name rows refer to a master key by.
    pub async fn opened_with(&self, key: &str) -> anyhow::Result<Opened> {
        let database = Database::labelled(&self.db.service_url(), 2, "testkit")?;
        let mut conn = database.unscoped().await?;
        let orgs: Vec<Uuid> =
            sqlx::query_scalar("SELECT org_id FROM receipt_periods()").fetch_all(&mut *conn).await?;
        let mut names: Vec<String> =
            sqlx::query_scalar("SELECT DISTINCT master_key FROM signing_keys").fetch_all(&mut *conn).await?;
        drop(conn);
        for org in &orgs {
            let mut tx = database.begin(OrgId::from_uuid(*org)).await?;
            let more = sqlx::query_scalar("SELECT DISTINCT master_key FROM data_keys");
            names.extend(more.fetch_all(&mut *tx).await?);
        }
        names.sort();
        names.dedup();
        let (_, bytes) = key.split_once(':').context("a master key has a name")?;
        let keys: Vec<String> = names.iter().map(|name| format!("{name}:{bytes}")).collect();
        let sealer = Sealer::new(World::system(), Keyring::parse(&keys.join(",").into())?);
        let ledger = Ledger::open(database.clone(), World::system(), sealer.clone()).await;
        let mut opened = Opened { signing_key: ledger.is_ok(), ..Opened::default() };
        for org in orgs {
            count(&database, &sealer, OrgId::from_uuid(org), &mut opened).await?;
        }
        database.close().await;
        Ok(opened)
    }
}

async fn count(database: &Database, sealer: &Sealer, org: OrgId, opened: &mut Opened) -> anyhow::Result<()> {
    let mut tx = database.begin(org).await?;
    for column in COLUMNS {
        let (table, id, field) = (column.table, column.id, column.field);
        let statement = format!("SELECT {id}, {field} FROM {table} WHERE {field} IS NOT NULL");
        let rows = sqlx::query_as::<_, (Uuid, Vec<u8>)>(AssertSqlSafe(statement));
        for (row, sealed) in rows.fetch_all(&mut *tx).await? {
            opened.values += 1;
            match sealer.open(&mut tx, org, column.place(row), &sealed).await {
                Ok(_) => opened.opened += 1,
                Err(Error::Broken | Error::UnknownMasterKey(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

/// A master key in the form that the configuration has.
pub fn master_key(name: &str) -> String {
    let mut key = [0; 32];
    World::system().dice.fill(&mut key);
    format!("{name}:{}", BASE64_STANDARD.encode(key))
}
