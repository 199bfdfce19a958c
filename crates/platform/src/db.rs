//! PostgreSQL: the pool, and transactions that are limited to one organization.

mod begin;
pub mod cluster;
pub mod deployment;
pub mod listener;
pub mod order;

use std::{fmt::Write as _, sync::Arc, time::Duration};

use model::OrgId;
use sqlx::{
    AssertSqlSafe, PgConnection, PgPool, Postgres, Transaction,
    migrate::Migrator,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use self::begin::Begin;

/// Every migration, embedded in the binary.
pub static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

/// A database error, with the operation that failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not one of a PostgreSQL server.
    #[error("reading the database address")]
    Address(#[source] sqlx::Error),
    /// The connection failed.
    #[error("connecting to the database")]
    Connect(#[source] sqlx::Error),
    /// A transaction could not be opened or closed.
    #[error("{what} a transaction")]
    Transaction {
        /// `beginning` or `committing`.
        what: &'static str,
        #[source]
        source: sqlx::Error,
    },
    /// A statement failed.
    #[error("{what}")]
    Query {
        /// What the statement was for.
        what: &'static str,
        #[source]
        source: sqlx::Error,
    },
    /// A row contains a value that this program would not have written.
    #[error("reading `{column}`: the stored value is not one this version knows")]
    Inconsistent {
        /// Table and column.
        column: &'static str,
    },
    /// A change could not be brought into the form that is signed.
    #[error("recording a change")]
    Record(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A change that loosens was not made, because a second owner must agree.
    #[error("a second owner must agree to this change")]
    SecondPerson,
    /// The schema could not be brought up to date.
    #[error("migrating the database")]
    Migrate(#[source] sqlx::migrate::MigrateError),
}

impl Error {
    /// The constraint that a statement violated, if that is the error.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Query { source, .. } => source.as_database_error()?.constraint(),
            _ => None,
        }
    }

    /// Whether the same statement may succeed later: the server is unavailable, full or restarting.
    pub fn is_transient(&self) -> bool {
        let (Self::Connect(source) | Self::Transaction { source, .. } | Self::Query { source, .. }) = self
        else {
            return false;
        };
        match source {
            sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Protocol(_) => true,
            // Class 57: the operator intervened (shutdown, crash); 53: no resources; 40: roll-back, try again.
            sqlx::Error::Database(error) => error
                .code()
                .is_some_and(|code| ["57", "53", "40", "08"].iter().any(|class| code.starts_with(class))),
            _ => false,
        }
    }
}

/// Names the statement that failed: `.map_err(query("finding a session"))`.
pub fn query(what: &'static str) -> impl FnOnce(sqlx::Error) -> Error {
    move |source| Error::Query { what, source }
}

/// Parses a stored word; the error names the column if this version does not know the word.
pub fn known<T>(value: Option<T>, column: &'static str) -> Result<T, Error> {
    value.ok_or(Error::Inconsistent { column })
}

/// One column of many rows, for statements that write them together with `unnest`.
pub fn column<T, C>(rows: impl Iterator<Item = T>, value: impl FnMut(T) -> C) -> Vec<C> {
    rows.map(value).collect()
}

/// Distinguishes the lock of claims.
const CLAIMS: u64 = 0x636c_6169_6d73_0001;

/// A transaction that sees one organization.
pub type Tx = Transaction<'static, Postgres>;

/// The pool of connections as the service role.
#[derive(Debug, Clone)]
pub struct Database {
    pool: PgPool,
    listener: Arc<listener::Listener>,
}

impl Database {
    /// Creates a pool. Connections are opened when needed, so this succeeds while the server is unavailable.
    pub fn open(url: &str, max_connections: u32) -> Result<Self, Error> {
        Self::labelled(url, max_connections, "countersign")
    }

    /// Creates a pool whose connections have a name that others can see.
    pub fn labelled(url: &str, max_connections: u32, label: &str) -> Result<Self, Error> {
        Self::open_with(url, max_connections, label, |options| options)
    }

    /// Creates a pool for a process of this deployment. While the database is held for it, there is no connection.
    pub fn guarded(url: &str, max_connections: u32, deployment: &str, label: &str) -> Result<Self, Error> {
        let name: Arc<str> = deployment.into();
        Self::open_with(url, max_connections, label, move |options| {
            options.after_connect(move |conn, _| {
                let name = name.clone();
                Box::pin(async move { deployment::check(conn, &name).await })
            })
        })
    }

    fn open_with(
        url: &str,
        max_connections: u32,
        label: &str,
        more: impl FnOnce(PgPoolOptions) -> PgPoolOptions,
    ) -> Result<Self, Error> {
        let options: PgConnectOptions = url.parse().map_err(Error::Address)?;
        let pool = more(PgPoolOptions::new())
            .max_connections(max_connections)
            // Checking a connection before each use costs a round trip; a dead one fails its first statement
            // instead, which every caller must be able to take anyway.
            .test_before_acquire(false)
            .acquire_timeout(Duration::from_secs(5))
            // Statements are planned once per connection. Left to itself the planner would plan those over partitioned
            // tables anew at each execution, which costs more than executing them.
            .connect_lazy_with(
                options.application_name(label).options([("plan_cache_mode", "force_generic_plan")]),
            );
        Ok(Self { pool, listener: Arc::default() })
    }

    /// Begins a transaction that sees only this organization. The ID is a typed value that prints as hexadecimal
    /// digits only, so it is safe to put it into the text, and that saves a round trip.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place where transactions begin, with their org"
    )]
    pub async fn begin(&self, org: OrgId) -> Result<Tx, Error> {
        let statement = format!("BEGIN; SET LOCAL app.org = '{}'", org.uuid());
        let pool = self.pool.clone();
        let beginning = async move { pool.begin_with(AssertSqlSafe(statement)).await };
        Begin::new(beginning).await.map_err(|source| Error::Transaction { what: "beginning", source })
    }

    /// Begins a transaction that claims: it waits while the organization is being stopped, and a stop waits for it. What
    /// is read afterwards is read after the wait, because each statement sees what was committed when it began.
    pub async fn begin_claim(&self, org: OrgId) -> Result<Tx, Error> {
        self.begin_locked(org, "pg_advisory_xact_lock_shared", &[]).await
    }

    /// The same, alone among the claims that have one of these locks in common. They must be in order.
    pub async fn begin_claim_in_turn(&self, org: OrgId, locks: &[i64]) -> Result<Tx, Error> {
        self.begin_locked(org, "pg_advisory_xact_lock_shared", locks).await
    }

    /// Begins a transaction while nobody claims in the organization, until it ends.
    pub async fn begin_alone(&self, org: OrgId) -> Result<Tx, Error> {
        self.begin_locked(org, "pg_advisory_xact_lock", &[]).await
    }

    #[expect(clippy::disallowed_methods, reason = "as above, with a lock")]
    async fn begin_locked(&self, org: OrgId, lock: &'static str, others: &[i64]) -> Result<Tx, Error> {
        let uuid = org.uuid();
        let (_, low) = uuid.as_u64_pair();
        // Another number than other locks of the organization.
        let key = (low ^ CLAIMS).cast_signed();
        let mut statement = format!("BEGIN; SET LOCAL app.org = '{uuid}'; SELECT {lock}({key})");
        for other in others {
            // Numbers, and in the same message: a lock costs no round trip.
            let _ = write!(statement, "; SELECT pg_advisory_xact_lock({other})");
        }
        let pool = self.pool.clone();
        let beginning = async move { pool.begin_with(AssertSqlSafe(statement)).await };
        Begin::new(beginning).await.map_err(|source| Error::Transaction { what: "beginning", source })
    }

    /// Begins a transaction that sees no organization, for data of the deployment.
    #[expect(clippy::disallowed_methods, reason = "what is written here belongs to no org")]
    pub async fn begin_unscoped(&self) -> Result<Tx, Error> {
        let pool = self.pool.clone();
        let beginning = async move { pool.begin().await };
        Begin::new(beginning).await.map_err(|source| Error::Transaction { what: "beginning", source })
    }

    /// A connection that sees no organization: only the lookup functions return data.
    #[expect(clippy::disallowed_methods, reason = "what is asked here belongs to no org")]
    pub async fn unscoped(&self) -> Result<PoolConnection<Postgres>, Error> {
        self.pool.acquire().await.map_err(Error::Connect)
    }

    /// Whether the database is available.
    pub async fn ping(&self) -> Result<(), Error> {
        let mut conn = self.unscoped().await?;
        sqlx::query("SELECT 1").execute(&mut *conn).await.map(drop).map_err(query("pinging the database"))
    }

    /// Notifies the listeners of a channel in all processes.
    pub async fn tell(&self, channel: &'static str, payload: &str) -> Result<(), Error> {
        let mut conn = self.unscoped().await?;
        let told = sqlx::query("SELECT pg_notify($1, $2)").bind(channel).bind(payload);
        told.execute(&mut *conn).await.map(drop).map_err(query("sending a notification"))
    }

    /// Creates the partitions of the coming weeks.
    pub async fn ensure_partitions(&self, now: jiff::Timestamp) -> Result<i32, Error> {
        let mut conn = self.unscoped().await?;
        sqlx::query_scalar("SELECT ensure_partitions($1)")
            .bind(jiff_sqlx::Timestamp::from(now))
            .fetch_one(&mut *conn)
            .await
            .map_err(query("making partitions"))
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Takes locks in the caller's transaction: it is alone among those that have one of them in common. They must be in order.
pub async fn take_turns(conn: &mut PgConnection, locks: &[i64]) -> Result<(), Error> {
    if locks.is_empty() {
        return Ok(());
    }
    // A set-returning function is called in the order of its rows.
    let taking =
        sqlx::query("SELECT pg_advisory_xact_lock(lock) FROM unnest($1::bigint[]) AS lock").bind(locks);
    taking.execute(conn).await.map(drop).map_err(query("taking turns"))
}

/// Commits a transaction, with a named error.
pub async fn commit(tx: Tx) -> Result<(), Error> {
    tx.commit().await.map_err(|source| Error::Transaction { what: "committing", source })
}

/// Brings the schema up to date, as the owner role.
pub async fn migrate(owner: &mut PgConnection) -> Result<(), Error> {
    MIGRATOR.run(owner).await.map_err(Error::Migrate)
}

/// Connects as the owner role, for migrations.
pub async fn connect_owner(url: &str) -> Result<PgConnection, Error> {
    use sqlx::Connection as _;
    PgConnection::connect(url).await.map_err(Error::Connect)
}
