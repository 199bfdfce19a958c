//! A migrated database for one test, copied from a template that is migrated once.

use anyhow::Context as _;
use platform::{Dice, db};
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::Servers;

/// A database for one test. It is dropped with this value.
pub struct TestDb {
    pub servers: Servers,
    /// Its name.
    pub name: String,
}

impl TestDb {
    /// Creates one on the server that the environment names.
    pub async fn create() -> anyhow::Result<Self> {
        Self::create_on(Servers::find()).await
    }

    /// Creates one on these servers.
    pub async fn create_on(servers: Servers) -> anyhow::Result<Self> {
        let mut owner = connect(&servers.owner_url("postgres")).await?;
        let template = template(&servers, &mut owner).await?;
        let name = format!("test_{}", random());
        execute(&mut owner, format!("CREATE DATABASE {name} TEMPLATE {template}")).await?;
        Ok(Self { servers, name })
    }

    /// Creates one from a dump of an earlier version, with the current schema.
    pub async fn restored(dump: &str) -> anyhow::Result<Self> {
        let servers = Servers::find();
        let mut owner = connect(&servers.owner_url("postgres")).await?;
        let restored = Self { name: format!("test_{}", random()), servers };
        execute(&mut owner, format!("CREATE DATABASE {}", restored.name)).await?;
        let mut conn = restored.owner().await?;
        // A function is given to the role of the lookups, which may create nothing otherwise.
        execute(&mut conn, "GRANT CREATE ON SCHEMA public TO countersign_lookup".to_owned()).await?;
        execute(&mut conn, dump.to_owned()).await?;
        execute(&mut conn, "REVOKE CREATE ON SCHEMA public FROM countersign_lookup".to_owned()).await?;
        // The dump sets the search path of its connection.
        conn.close().await?;
        db::migrate(&mut restored.owner().await?).await?;
        Ok(restored)
    }

    /// Its address, as the service role.
    pub fn service_url(&self) -> String {
        self.servers.service_url(&self.name)
    }

    /// Its address, as the owner role.
    pub fn owner_url(&self) -> String {
        self.servers.owner_url(&self.name)
    }

    /// A connection as the owner, for reading and for breaking things on purpose. Row-level security holds for it too.
    pub async fn owner(&self) -> anyhow::Result<PgConnection> {
        connect(&self.owner_url()).await
    }

    /// A connection as the service role, without an org.
    pub async fn service(&self) -> anyhow::Result<PgConnection> {
        connect(&self.service_url()).await
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        let (url, name) = (self.servers.owner_url("postgres"), self.name.clone());
        // On another thread, because the test's runtime may be ending.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut owner = connect(&url).await?;
                execute(&mut owner, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await
            })
        });
        let _ = dropped.join();
    }
}

/// Eight random bytes as text.
pub(crate) fn random() -> String {
    let mut bytes = [0; 8];
    Dice::system().fill(&mut bytes);
    hex::encode(bytes)
}

pub(crate) async fn connect(url: &str) -> anyhow::Result<PgConnection> {
    PgConnection::connect(url).await.context("connecting to PostgreSQL; start it with `scripts/services up`")
}

pub(crate) async fn execute(conn: &mut PgConnection, statement: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(conn).await.map(drop).context("preparing a test database")
}

/// The template for the current migrations. The first test creates it, the others wait.
async fn template(servers: &Servers, owner: &mut PgConnection) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    for migration in db::MIGRATOR.iter() {
        hasher.update(&migration.checksum);
    }
    let name = format!("template_{}", &hex::encode(hasher.finalize())[..16]);
    execute(owner, "SELECT pg_advisory_lock(7878)".to_owned()).await?;
    let there: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
        .bind(&name)
        .fetch_one(&mut *owner)
        .await?;
    if !there {
        let unfinished = format!("unfinished_{}", random());
        execute(owner, format!("CREATE DATABASE {unfinished}")).await?;
        let mut conn = connect(&servers.owner_url(&unfinished)).await?;
        db::migrate(&mut conn).await?;
        conn.close().await?;
        // Renamed only when it is complete: a process that dies in between leaves no unfinished template.
        execute(owner, format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await?;
    }
    execute(owner, "SELECT pg_advisory_unlock(7878)".to_owned()).await?;
    Ok(name)
}
