//! Rows of `session_reads` and `flow_endorsements`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{InvocationId, OrgId, SessionId, UserId};
use platform::db::{Error, query};
use serde_json::Value;
use sqlx::PgConnection;

use crate::flow::Given;

/// Records that a session was given something. What settled executions gave is recorded as they settle.
pub(crate) async fn add_read(
    conn: &mut PgConnection,
    org: OrgId,
    (session, given): (SessionId, &Given),
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO session_reads (org_id, session_id, source, action, anything, read_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (org_id, session_id, source, action, anything) DO UPDATE
                SET read_at = greatest(session_reads.read_at, EXCLUDED.read_at)
        "#,
        org.uuid(),
        session.uuid(),
        given.address.source.as_str(),
        given.address.action.as_str(),
        given.anything,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("recording what a session was given"))?;
    Ok(())
}

/// What a session was given.
pub(crate) async fn reads(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
) -> Result<Vec<Given>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT source, action, anything, EXISTS (
                SELECT 1 FROM flow_endorsements e
                WHERE e.org_id = $1 AND e.session_id = $2 AND e.covers_until >= r.read_at
                    AND e.origins ? (r.source || '.' || r.action)
            ) AS "trusted!"
            FROM session_reads r WHERE org_id = $1 AND session_id = $2
        "#,
        org.uuid(),
        session.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing what a session was given"))?;
    let given = rows.into_iter().map(|row| {
        let address = super::past::address(&row.source, &row.action)?;
        Ok(Given { address, anything: row.anything, trusted: row.trusted })
    });
    given.collect()
}

/// An endorsement to store.
pub(crate) struct NewEndorsement<'a> {
    pub(crate) session: SessionId,
    pub(crate) invocation: InvocationId,
    pub(crate) covers_until: Timestamp,
    pub(crate) origins: &'a Value,
    pub(crate) note: &'a str,
    pub(crate) by: UserId,
    pub(crate) at: Timestamp,
}

/// Stores an endorsement; returns whether it is new.
pub(crate) async fn insert_endorsement(
    recorded: &mut changes::Recorded<'_>,
    org: OrgId,
    new: &NewEndorsement<'_>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            INSERT INTO flow_endorsements (
                org_id, session_id, invocation_id, covers_until, origins, note, endorsed_by, created_at
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        new.session.uuid(),
        new.invocation.uuid(),
        new.covers_until.to_sqlx() as _,
        new.origins,
        new.note,
        new.by.uuid(),
        new.at.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("storing an endorsement"))?;
    Ok(done.rows_affected() == 1)
}

/// Until when what a session was given is endorsed.
pub(crate) async fn endorsed_until(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
) -> Result<Option<Timestamp>, Error> {
    let until = sqlx::query_scalar!(
        r#"
            SELECT max(covers_until) AS "until: jiff_sqlx::Timestamp" FROM flow_endorsements
            WHERE org_id = $1 AND session_id = $2
        "#,
        org.uuid(),
        session.uuid(),
    )
    .fetch_one(conn)
    .await
    .map_err(query("reading what is endorsed"))?;
    Ok(until.map(|until| until.to_jiff()))
}
