//! Rotation of the master key, while gateways and workers run.
//!
//! Order: every process has the new key; new keys are encrypted with it; each organization gets a new data key, and its
//! older ones are encrypted with the new master key, because processes use one from memory for [`NEWEST_FOR`]; then every
//! value is encrypted again with the new data key. How far that is stands in the rows: a value names its data key, and a
//! data key its master key. So a rotation that was interrupted goes on where it stopped.

use model::{DataKeyId, OrgId};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use super::{Error, Place, SealedParts, Sealer, purpose, store};
use crate::{
    db::{self, Database, Tx, query},
    fault,
};

/// Number of values that are encrypted in one transaction. Requests for one of them wait that long.
const AT_ONCE: usize = 200;

/// Another number than other locks.
const LOCK: i64 = 0x726f_7461_7465_0001;

/// A column with encrypted values. Each value is bound to its table, row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub table: &'static str,
    /// The column that identifies the row.
    pub id: &'static str,
    pub field: &'static str,
}

impl Column {
    const fn of(table: &'static str, field: &'static str) -> Self {
        Self { table, id: "id", field }
    }

    /// The place of one value.
    pub const fn place(&self, row: Uuid) -> Place<'static> {
        Place { table: self.table, row, field: self.field }
    }
}

/// Every column with encrypted values. A test compares it with the schema.
pub const COLUMNS: &[Column] = &[
    Column::of("secrets", "sealed"),
    Column::of("connections", "sealed"),
    Column::of("webhooks", "sealed"),
    Column::of("webhooks", "previous_sealed"),
    Column::of("triggers", "sealed"),
    Column::of("connector_authorizations", "sealed"),
    Column::of("proposed_changes", "body_sealed"),
    Column { table: "pseudonym_keys", id: "org_id", field: "sealed" },
    Column { table: "quarantined", id: "invocation_id", field: "params_sealed" },
    Column::of("invocations", "params_sealed"),
    Column::of("runs", "inputs_sealed"),
];

/// Connections of processes that use this database, by the name that they gave.
#[derive(Debug, Clone)]
pub struct Process {
    /// IP address, if it does not come over a local socket.
    pub address: Option<String>,
    /// Name of its connections, which contains the fingerprints of its master keys.
    pub name: String,
    pub connections: i64,
}

impl Process {
    /// Whether it has the key with this fingerprint. One that says nothing is of an earlier version, and has not.
    pub fn has(&self, fingerprint: &str) -> bool {
        let keys = self.name.strip_prefix(LABEL);
        keys.is_some_and(|keys| keys.split(',').any(|key| key == fingerprint))
    }
}

/// How names of connections begin.
const LABEL: &str = "countersign keys=";

/// The name of a process's connections, from the fingerprints of its master keys.
pub fn label(fingerprints: &[String]) -> String {
    format!("{LABEL}{}", fingerprints.join(","))
}

/// All gateways, workers and commands that are connected to the database.
pub async fn processes(conn: &mut PgConnection) -> Result<Vec<Process>, Error> {
    Ok(store::processes(conn).await?)
}

/// Takes the lock that one rotation holds, until the connection ends. Returns `false` if another one has it.
pub async fn try_lock(conn: &mut PgConnection) -> Result<bool, Error> {
    let taken = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
    Ok(taken.fetch_one(conn).await.map_err(query("locking the rotation"))?)
}

/// The data keys of an organization before its rotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// The names of the master keys that encrypt them.
    pub master_keys: Vec<String>,
}

impl Sealer {
    /// Encrypts new keys with the first master key of the configuration from now on.
    pub async fn use_newest_master_key(&self, conn: &mut PgConnection) -> Result<(), Error> {
        Ok(store::use_master_key(conn, self.keyring.newest()).await?)
    }

    /// Which other master keys encrypt data keys of the organization; `None` if only the newest does. The data keys are
    /// locked until the transaction ends.
    pub async fn needs_rotation(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
    ) -> Result<Option<Earlier>, Error> {
        let rows = store::wrapped_otherwise(conn, org, self.keyring.newest()).await?;
        let mut master_keys: Vec<String> = rows.into_iter().map(|row| row.master_key).collect();
        master_keys.sort();
        master_keys.dedup();
        Ok((!master_keys.is_empty()).then_some(Earlier { master_keys }))
    }

    /// Creates a data key and encrypts the older ones with the newest master key.
    pub async fn rotate_data_keys(&self, conn: &mut PgConnection, org: OrgId) -> Result<DataKeyId, Error> {
        let newest = self.keyring.newest();
        for mut row in store::wrapped_otherwise(conn, org, newest).await? {
            let purpose = purpose(org, DataKeyId::from_uuid(row.id));
            let key = self.keyring.unwrap(&row.master_key, &purpose, &row.wrapped)?;
            row.wrapped = self.keyring.wrap(&self.world, newest, &purpose, &key)?;
            newest.clone_into(&mut row.master_key);
            store::rewrap(conn, org, &row).await?;
        }
        let made = self.make_data_key(conn, org).await?;
        // An organization of an earlier version gets its key while the oldest master key is there to derive it from.
        self.pseudonym_key(conn, org).await?;
        Ok(made)
    }

    /// The same value, encrypted with the newest data key; `None` if it already is.
    pub async fn reseal(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        place: Place<'_>,
        sealed: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        let newest = match self.current(org) {
            Some(id) => id,
            None => self.load_newest(conn, org).await?,
        };
        if SealedParts::of(sealed)?.key == newest {
            return Ok(None);
        }
        let plain = self.open(conn, org, place, sealed).await?;
        self.seal_with(org, newest, place, &plain).map(Some)
    }

    /// How many values of an organization an older data key encrypts.
    pub async fn count_older(&self, db: &Database, org: OrgId) -> Result<u64, Error> {
        let mut tx = db.begin(org).await?;
        let newest = self.load_newest(&mut tx, org).await?;
        let mut count = 0;
        for Column { table, field, .. } in COLUMNS {
            let statement = format!("SELECT count(*) FROM {table} WHERE org_id = $1 AND {}", is_older(field));
            let counted = sqlx::query_scalar::<_, i64>(AssertSqlSafe(statement))
                .bind(org.uuid())
                .bind(newest.uuid().as_bytes().to_vec());
            let counted = counted.fetch_one(&mut *tx).await.map_err(query("counting encrypted values"))?;
            count += u64::try_from(counted).unwrap_or_default();
        }
        Ok(count)
    }

    /// Encrypts the values of a column with the newest data key, and tells how many after each transaction. Returns the rows
    /// whose value cannot be decrypted: it was changed or moved, and nobody can use it. A row that is locked is left to
    /// the next time, so that this never waits for a request that waits for it.
    pub async fn reseal_column(
        &self,
        db: &Database,
        (org, column): (OrgId, &Column),
        mut told: impl FnMut(u64),
    ) -> Result<Vec<Uuid>, Error> {
        let (mut after, mut unreadable) = (Uuid::nil(), Vec::new());
        loop {
            let mut tx = db.begin(org).await?;
            let newest = self.load_newest(&mut tx, org).await?;
            let rows = older_rows(&mut tx, org, column, (newest, after)).await?;
            let Some((last, _)) = rows.last() else { return Ok(unreadable) };
            let (is_last, mut resealed) = (rows.len() < AT_ONCE, Vec::new());
            after = *last;
            for (row, sealed) in rows {
                match self.reseal(&mut tx, org, column.place(row), &sealed).await {
                    Ok(Some(sealed)) => resealed.push((row, sealed)),
                    Ok(None) => {}
                    Err(Error::Broken) => unreadable.push(row),
                    Err(error) => return Err(error),
                }
            }
            let done = replace(&mut tx, org, column, resealed).await?;
            db::commit(tx).await?;
            told(done);
            fault::point(fault::Point::InsideRotation);
            if is_last {
                return Ok(unreadable);
            }
        }
    }
}

/// The data key's ID follows the first byte of a value. An empty one was erased.
fn is_older(field: &str) -> String {
    format!("length({field}) > 0 AND substring({field} FROM 2 FOR 16) <> $2")
}

async fn older_rows(
    tx: &mut Tx,
    org: OrgId,
    Column { table, id, field }: &Column,
    (newest, after): (DataKeyId, Uuid),
) -> Result<Vec<(Uuid, Vec<u8>)>, Error> {
    let statement = format!(
        "SELECT {id}, {field} FROM {table} WHERE org_id = $1 AND {} AND {id} > $3
         ORDER BY {id} LIMIT {AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED",
        is_older(field)
    );
    let rows = sqlx::query_as::<_, (Uuid, Vec<u8>)>(AssertSqlSafe(statement))
        .bind(org.uuid())
        .bind(newest.uuid().as_bytes().to_vec())
        .bind(after);
    Ok(rows.fetch_all(&mut **tx).await.map_err(query("reading encrypted values"))?)
}

async fn replace(
    tx: &mut Tx,
    org: OrgId,
    Column { table, id, field }: &Column,
    values: Vec<(Uuid, Vec<u8>)>,
) -> Result<u64, Error> {
    let statement = format!(
        "UPDATE {table} t SET {field} = n.sealed FROM unnest($2::uuid[], $3::bytea[]) n (row, sealed)
         WHERE t.org_id = $1 AND t.{id} = n.row"
    );
    let (rows, sealed): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let written = sqlx::query(AssertSqlSafe(statement)).bind(org.uuid()).bind(rows).bind(sealed);
    let written = written.execute(&mut **tx).await.map_err(query("replacing encrypted values"))?;
    Ok(written.rows_affected())
}
