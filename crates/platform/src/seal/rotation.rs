//! Rotation of the master key, while gateways and workers run.
//!
//! Order: every process has the new key; new keys are encrypted with it; each organization gets a new data key, and its
//! older ones are encrypted with the new master key, because processes use one from memory for [`NEWEST_FOR`]; then every
//! value is encrypted again with the new data key. How far that is stands in the rows: a value names its data key, and a
//! data key its master key. So a rotation that was interrupted goes on where it stopped.

use model::{DataKeyId, OrgId};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Error, Place, SealedParts, Sealer, purpose, store};
use crate::{
    db::{self, Database},
    fault,
};

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
    Column::of("payloads", "sealed"),
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
    Ok(store::values::try_lock(conn).await?)
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
        for column in COLUMNS {
            count += store::values::count_older(&mut tx, org, column, newest).await?;
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
            let rows = store::values::older(&mut tx, org, column, (newest, after)).await?;
            let Some((last, _)) = rows.last() else { return Ok(unreadable) };
            let (is_last, mut resealed) = (rows.len() < store::values::AT_ONCE, Vec::new());
            after = *last;
            for (row, sealed) in rows {
                match self.reseal(&mut tx, org, column.place(row), &sealed).await {
                    Ok(Some(sealed)) => resealed.push((row, sealed)),
                    Ok(None) => {}
                    Err(Error::Broken) => unreadable.push(row),
                    Err(error) => return Err(error),
                }
            }
            let done = store::values::replace(&mut tx, org, column, resealed).await?;
            db::commit(tx).await?;
            told(done);
            fault::point(fault::Point::InsideRotation);
            if is_last {
                return Ok(unreadable);
            }
        }
    }
}
