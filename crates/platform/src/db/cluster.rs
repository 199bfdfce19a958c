//! Administration of a PostgreSQL server: creating the roles and the database, and checking for them.
//!
//! Only `countersign dev` and `countersign doctor` need this. Queries here are not checked against the schema, because
//! they ask the server about itself, mostly before there is a schema.

use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use super::{Error, MIGRATOR, query};

/// The same file that an operator runs with psql, so that the roles are defined in one place.
const ROLES_SQL: &str = include_str!("../../../../deploy/roles.sql");
/// The marker after which psql would execute the result of the statement.
const GEXEC: &str = "\\gexec";
/// Connection timeout. An available server answers sooner; a firewall that drops packets never does.
const PATIENCE: Duration = Duration::from_secs(5);

/// The roles that `deploy/roles.sql` creates.
pub const ROLES: [&str; 3] = ["countersign_owner", "countersign_service", "countersign_lookup"];

/// The passwords that roles get when they are created.
#[derive(Debug, Clone)]
pub struct Passwords {
    /// Of `countersign_owner`.
    pub owner: SecretString,
    /// Of `countersign_service`.
    pub service: SecretString,
}

/// Information about a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// For example `15.18`.
    pub version: String,
    /// For comparing: 150018.
    pub version_number: i32,
    /// Those of [`ROLES`] that do not exist.
    pub missing_roles: Vec<&'static str>,
}

/// The state of a database's schema compared with this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schema {
    /// Every migration was applied.
    Current,
    /// This many migrations are missing.
    Behind(usize),
    /// A migration was applied that this program does not know, or one of them failed halfway.
    Foreign(i64),
}

/// Connects within a few seconds.
pub async fn connect(url: &str) -> Result<PgConnection, Error> {
    let late = |_| Error::Connect(sqlx::Error::PoolTimedOut);
    tokio::time::timeout(PATIENCE, PgConnection::connect(url)).await.map_err(late)?.map_err(Error::Connect)
}

/// Reads the version of a server, and which roles exist.
pub async fn look(conn: &mut PgConnection) -> Result<Server, Error> {
    let asked = "SELECT current_setting('server_version'), current_setting('server_version_num')::int4, \
                 array(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1))";
    let roles: Vec<&str> = ROLES.to_vec();
    let row = sqlx::query(asked)
        .bind(roles)
        .fetch_one(conn)
        .await
        .map_err(query("asking for the server's version"))?;
    let wrong = query("reading the server's version");
    let (version, version_number, there): (String, i32, Vec<String>) =
        row.try_get(0).and_then(|version| Ok((version, row.try_get(1)?, row.try_get(2)?))).map_err(wrong)?;
    let missing_roles = ROLES.into_iter().filter(|role| !there.iter().any(|name| name == role)).collect();
    // Debian appends its package's version in brackets.
    let version = version.split(' ').next().unwrap_or_default().to_owned();
    Ok(Server { version, version_number, missing_roles })
}

/// Creates missing roles and the database, as a superuser. An existing role keeps its password, because others may
/// use it.
pub async fn prepare(superuser: &mut PgConnection, passwords: &Passwords) -> Result<(), Error> {
    let missing = look(superuser).await?.missing_roles;
    let mut statements = ROLES_SQL.split(GEXEC);
    let first = statements.next().unwrap_or_default();
    // One batch is one transaction: otherwise a role without its password would be kept as it is next time.
    let mut batch = String::new();
    for (role, password) in [(ROLES[0], &passwords.owner), (ROLES[1], &passwords.service)] {
        if missing.contains(&role) {
            batch += &format!("CREATE ROLE {role} PASSWORD '{}';", quoted(password));
        }
    }
    run(superuser, batch + first).await?;
    for rest in statements {
        run(superuser, rest.to_owned()).await?;
    }
    Ok(())
}

/// Sets the passwords of both roles, on a server that is not shared.
pub async fn set_passwords(superuser: &mut PgConnection, passwords: &Passwords) -> Result<(), Error> {
    let set = |role, password| format!("ALTER ROLE {role} PASSWORD '{}';", quoted(password));
    run(superuser, set(ROLES[0], &passwords.owner) + &set(ROLES[1], &passwords.service)).await
}

/// The state of the schema, as the owner role: no other role may read the applied migrations.
pub async fn schema(owner: &mut PgConnection) -> Result<Schema, Error> {
    let what = || query("reading which migrations were applied");
    let there = sqlx::query_scalar::<_, bool>("SELECT to_regclass('_sqlx_migrations') IS NOT NULL");
    if !there.fetch_one(&mut *owner).await.map_err(what())? {
        return Ok(Schema::Behind(MIGRATOR.iter().count()));
    }
    let applied =
        sqlx::query_as::<_, (i64, bool)>("SELECT version, success FROM _sqlx_migrations ORDER BY 1");
    let applied = applied.fetch_all(owner).await.map_err(what())?;
    let known = |version: i64| MIGRATOR.iter().any(|migration| migration.version == version);
    if let Some((version, _)) = applied.iter().find(|(version, success)| !success || !known(*version)) {
        return Ok(Schema::Foreign(*version));
    }
    Ok(match MIGRATOR.iter().count() - applied.len() {
        0 => Schema::Current,
        behind => Schema::Behind(behind),
    })
}

/// Executes statements and then their results, as psql does for `\gexec`.
async fn run(conn: &mut PgConnection, statements: String) -> Result<(), Error> {
    let what = || query("making the roles and the database");
    let rows = sqlx::raw_sql(AssertSqlSafe(statements)).fetch_all(&mut *conn).await.map_err(what())?;
    for row in rows {
        let statement: String = row.try_get(0).map_err(what())?;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *conn).await.map_err(what())?;
    }
    Ok(())
}

fn quoted(password: &SecretString) -> String {
    password.expose_secret().replace('\'', "''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_roles_is_what_this_reads() {
        assert_eq!(ROLES_SQL.matches(GEXEC).count(), 1, "one statement makes the database");
        let (before, after) = ROLES_SQL.split_once(GEXEC).unwrap();
        assert!(before.contains("'CREATE DATABASE countersign"));
        for role in ROLES {
            assert!(before.contains(&format!("CREATE ROLE {role};")), "{role}");
        }
        let commands = ROLES_SQL.lines().filter(|line| line.starts_with('\\'));
        assert_eq!(commands.collect::<Vec<_>>(), [GEXEC], "only psql knows the others");
        assert!(!after.contains("SELECT"), "what it returns would be executed");
    }
}
