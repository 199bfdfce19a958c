//! Rows of `events`.

use jiff_sqlx::ToSqlx as _;
use model::OrgId;
use platform::db::{Error, column, query};
use sqlx::{PgConnection, types::Json};

use crate::Event;

/// Writes events of one org in the caller's transaction.
pub async fn stage(
    conn: &mut PgConnection,
    org: OrgId,
    events: impl Iterator<Item = &Event> + Clone,
) -> Result<(), Error> {
    let all = || events.clone();
    sqlx::query!(
        r#"
            INSERT INTO events (org_id, id, type, subject, space_id, session_id, data, at)
            SELECT $1, e.* FROM unnest(
                $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::jsonb[], $8::timestamptz[]
            ) AS e
        "#,
        org.uuid(),
        &column(all(), |event| event.id.uuid()),
        &column(all(), |event| event.event_type.as_str()) as _,
        &column(all(), |event| event.subject.as_str()) as _,
        &column(all(), |event| event.space.map(|space| space.uuid())) as _,
        &column(all(), |event| event.session.map(|session| session.uuid())) as _,
        &column(all(), |event| Json(&event.data)) as _,
        &column(all(), |event| event.at.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("staging events"))
}
