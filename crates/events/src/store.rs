//! Rows of `events`.

use jiff_sqlx::ToSqlx as _;
use platform::db::{Error, query};
use sqlx::PgConnection;

use crate::Event;

/// Writes an event in the caller's transaction.
pub async fn stage(conn: &mut PgConnection, event: &Event) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO events (org_id, id, type, subject, space_id, session_id, data, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        event.org.uuid(),
        event.id.uuid(),
        event.event_type.as_str(),
        event.subject,
        event.space.map(|space| space.uuid()),
        event.session.map(|session| session.uuid()),
        event.data,
        event.at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("staging an event"))
}
