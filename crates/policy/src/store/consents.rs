//! Rows of `consents`.

use std::collections::BTreeSet;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ConsentId, OrgId, UserId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::gates::{ConsentFilter, ConsentLookup, StoredConsent};

struct Row {
    id: Uuid,
    purpose: String,
    subject: Vec<u8>,
    note: String,
    given_by: Uuid,
    created_at: jiff_sqlx::Timestamp,
    expires_at: Option<jiff_sqlx::Timestamp>,
    revoked_at: Option<jiff_sqlx::Timestamp>,
}

fn hash(bytes: &[u8]) -> Result<[u8; 32], Error> {
    bytes.try_into().map_err(|_| Error::Inconsistent { column: "consents.subject" })
}

impl Row {
    fn read(self) -> Result<StoredConsent, Error> {
        Ok(StoredConsent {
            id: ConsentId::from_uuid(self.id),
            purpose: self.purpose,
            subject: hash(&self.subject)?,
            note: self.note,
            given_by: UserId::from_uuid(self.given_by),
            created_at: self.created_at.to_jiff(),
            expires_at: self.expires_at.map(|at| at.to_jiff()),
            revoked_at: self.revoked_at.map(|at| at.to_jiff()),
        })
    }
}

pub(crate) async fn insert(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    new: &StoredConsent,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO consents (org_id, id, purpose, subject, note, given_by, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        "#,
        org.uuid(),
        new.id.uuid(),
        new.purpose,
        &new.subject,
        new.note,
        new.given_by.uuid(),
        new.created_at.to_sqlx() as _,
        new.expires_at.map(|at| at.to_sqlx()) as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("storing a consent"))
}

/// Consents, newest first.
pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    filter: &ConsentFilter,
    limit: i64,
) -> Result<Vec<StoredConsent>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT id, purpose, subject, note, given_by, created_at AS "created_at: _", expires_at AS "expires_at: _",
                   revoked_at AS "revoked_at: _"
            FROM consents
            WHERE org_id = $1 AND ($2::text IS NULL OR purpose = $2) AND ($3::bytea IS NULL OR subject = $3)
              AND ($4::uuid IS NULL OR id < $4)
            ORDER BY id DESC LIMIT $5
        "#,
        org.uuid(),
        filter.purpose.as_deref(),
        filter.subject.as_ref().map(|hash| hash.as_slice()),
        filter.before,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing consents"))?;
    rows.into_iter().map(Row::read).collect()
}

/// Locks a consent until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: ConsentId,
) -> Result<Option<StoredConsent>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"
            SELECT id, purpose, subject, note, given_by, created_at AS "created_at: _", expires_at AS "expires_at: _",
                   revoked_at AS "revoked_at: _"
            FROM consents WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a consent"))?;
    row.map(Row::read).transpose()
}

pub(crate) async fn revoke(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    id: ConsentId,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE consents SET revoked_at = $3 WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL",
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("revoking a consent"))
}

/// Those of the wanted consents that are in force. They are locked against being revoked until the caller's transaction ends:
/// a request is claimed before its consent ends, or without it.
pub(crate) async fn lock_given(
    conn: &mut PgConnection,
    org: OrgId,
    wanted: &[&ConsentLookup],
    now: Timestamp,
) -> Result<BTreeSet<ConsentLookup>, Error> {
    let purposes: Vec<String> = wanted.iter().map(|one| one.purpose.clone()).collect();
    let subjects: Vec<Vec<u8>> = wanted.iter().map(|one| one.subject.to_vec()).collect();
    let rows = sqlx::query!(
        r#"
            SELECT purpose, subject FROM consents
            WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
              AND (purpose, subject) IN (SELECT * FROM unnest($3::text[], $4::bytea[]))
            ORDER BY id FOR SHARE OF consents
        "#,
        org.uuid(),
        now.to_sqlx() as _,
        &purposes,
        &subjects,
    )
    .fetch_all(conn)
    .await
    .map_err(query("looking up consents"))?;
    let given =
        rows.into_iter().map(|row| Ok(ConsentLookup { purpose: row.purpose, subject: hash(&row.subject)? }));
    given.collect()
}
