//! The deployment that a database belongs to: whether this is the database it was, or one that was restored or copied.
//!
//! INVARIANT: a connection of the pool is used only while the deployment is current. A gateway that reconnects to a restored
//! database gets no connection, so it can neither repeat what happened nor answer with what was revoked.

use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::{Error, query};

/// A connection of its own.
pub type Connection = PgConnection;

/// The state of a deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// This is the database that it was.
    Current,
    /// No gateway or worker has started with it.
    New,
    /// Nothing may happen until the operator says what happened.
    Held(Held),
}

/// Why nothing may happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The database is in another PostgreSQL cluster: restored from a dump, copied or upgraded.
    AnotherCluster,
    /// The cluster continues another line of its history: a backup was restored, or a standby took over.
    AnotherTimeline,
    /// The database belongs to a deployment with this name: it was copied, or this one was renamed.
    AnotherName(String),
    /// Something outside the database knows more than it.
    Behind(String),
}

impl Held {
    /// A stable word.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AnotherCluster => "another_cluster",
            Self::AnotherTimeline => "another_timeline",
            Self::AnotherName(_) => "another_name",
            Self::Behind(_) => "behind",
        }
    }
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AnotherCluster => f.write_str(
                "the database is in another PostgreSQL cluster than before: restored, copied or upgraded",
            ),
            Self::AnotherTimeline => f.write_str(
                "the database continues another timeline: a backup was restored, or a standby took over",
            ),
            Self::AnotherName(name) => {
                write!(
                    f,
                    "the database belongs to the deployment `{name}`: it was copied, or this one was renamed"
                )
            }
            Self::Behind(why) => write!(f, "the database was restored: {why}"),
        }
    }
}

/// The row of the deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deployment {
    pub id: Uuid,
    pub name: Option<String>,
    pub epoch: i32,
    /// How many entries the ledger has.
    pub log_size: u64,
}

/// A connection that is open whatever the state of the deployment. Its name is not that of a process that decrypts something.
pub async fn connect(url: &str) -> Result<PgConnection, Error> {
    let options: sqlx::postgres::PgConnectOptions = url.parse().map_err(Error::Address)?;
    PgConnection::connect_with(&options.application_name("countersign-deployment"))
        .await
        .map_err(Error::Connect)
}

/// The deployment, and its state for a process with this name.
pub async fn look(conn: &mut PgConnection, name: &str) -> Result<(Deployment, State), Error> {
    let row = sqlx::query!(
        r#"
            SELECT d.id, d.name, d.epoch, d.held_because, deployment_state($1) AS "state!", h.size
            FROM deployment d, ledger_head h
        "#,
        name,
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading the deployment"))?;
    let state = match row.state.as_str() {
        "current" => State::Current,
        "new" => State::New,
        "another_cluster" => State::Held(Held::AnotherCluster),
        "another_timeline" => State::Held(Held::AnotherTimeline),
        "another_name" => State::Held(Held::AnotherName(row.name.clone().unwrap_or_default())),
        _ => State::Held(Held::Behind(row.held_because.unwrap_or_default())),
    };
    let log_size = u64::try_from(row.size).unwrap_or_default();
    Ok((Deployment { id: row.id, name: row.name, epoch: row.epoch, log_size }, state))
}

/// Refuses a connection to a database that is held for this deployment.
pub(super) async fn check(conn: &mut PgConnection, name: &str) -> Result<(), sqlx::Error> {
    match look(conn, name).await {
        Ok((_, State::Held(held))) => Err(sqlx::Error::Configuration(held.to_string().into())),
        Ok(_) => Ok(()),
        Err(Error::Query { source, .. }) => Err(source),
        Err(error) => Err(sqlx::Error::Configuration(error.into())),
    }
}

/// Takes the database as it is for this deployment. With a new epoch, if it was restored or copied.
pub async fn settle(conn: &mut PgConnection, name: &str, epoch: i32) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE deployment d SET name = $1, epoch = $2, held_because = NULL,
                id = CASE WHEN d.name IS DISTINCT FROM $1 THEN gen_random_uuid() ELSE d.id END,
                system_identifier = s.system_identifier, timeline = current_timeline()
         FROM pg_control_system() s",
        name,
        epoch,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("taking a database for a deployment"))
}

/// Lets nothing happen any more, because something outside knows more than the database.
pub async fn hold(conn: &mut PgConnection, why: &str) -> Result<(), Error> {
    let why: String = why.chars().take(1_000).collect();
    sqlx::query!("UPDATE deployment SET held_because = $1", why)
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("holding the deployment"))
}
