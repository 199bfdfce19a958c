//! Rows of `proposed_changes`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{ApiTokenId, Digest, OrgId, ProposedChangeId, UserId};
use platform::db::{Error, known, query};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Recorded,
    proposals::{Answer, NewProposed, Proposal, Proposed, Status},
};

/// How many are listed.
const MOST: i64 = 200;

/// Whether a change that loosens needs a second owner in this org.
pub async fn needs_two_people(conn: &mut PgConnection, org: OrgId) -> Result<bool, Error> {
    let needed = sqlx::query_scalar!(r#"SELECT needs_two_people($1) AS "needed!""#, org.uuid());
    needed.fetch_one(conn).await.map_err(query("asking whether loosening needs two people"))
}

struct Row {
    id: Uuid,
    change: String,
    subject: String,
    name: String,
    before: Option<Value>,
    after: Option<Value>,
    loosens: String,
    digest: Vec<u8>,
    method: String,
    path: String,
    body_sealed: Vec<u8>,
    reason: Option<String>,
    address: Option<String>,
    proposed_by: Uuid,
    token_id: Uuid,
    proposed_at: jiff_sqlx::Timestamp,
    expires_at: jiff_sqlx::Timestamp,
    status: String,
    answered_by: Option<Uuid>,
    answered_at: Option<jiff_sqlx::Timestamp>,
    note: Option<String>,
}

impl Row {
    fn into_proposed(self, now: Timestamp) -> Result<Proposed, Error> {
        let expires_at = self.expires_at.to_jiff();
        let stored = known(Status::parse(&self.status), "proposed_changes.status")?;
        let is_late = stored == Status::Waiting && expires_at <= now;
        let digest = self.digest.try_into().ok().map(Digest::from_bytes);
        Ok(Proposed {
            id: ProposedChangeId::from_uuid(self.id),
            proposal: Proposal {
                change: self.change,
                subject: self.subject,
                name: self.name,
                before: self.before,
                after: self.after,
                loosens: self.loosens,
                digest: known(digest, "proposed_changes.digest")?,
            },
            method: self.method,
            path: self.path,
            body_sealed: self.body_sealed,
            reason: self.reason,
            address: self.address,
            proposed_by: UserId::from_uuid(self.proposed_by),
            token: ApiTokenId::from_uuid(self.token_id),
            proposed_at: self.proposed_at.to_jiff(),
            expires_at,
            status: if is_late { Status::Expired } else { stored },
            answered_by: self.answered_by.map(UserId::from_uuid),
            answered_at: self.answered_at.map(|at| at.to_jiff()),
            note: self.note,
        })
    }
}

/// Keeps a change that waits for a second owner.
pub async fn insert_proposed(recorded: &mut Recorded<'_>, new: &NewProposed) -> Result<(), Error> {
    let proposal = &new.proposal;
    sqlx::query!(
        r#"
            INSERT INTO proposed_changes
                (org_id, id, change, subject, name, before, after, loosens, digest, method, path, body_sealed, reason,
                 address, proposed_by, token_id, proposed_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        "#,
        new.org.uuid(),
        new.id.uuid(),
        proposal.change,
        proposal.subject,
        proposal.name,
        proposal.before,
        proposal.after,
        proposal.loosens,
        proposal.digest.as_bytes().as_slice(),
        new.method,
        new.path,
        new.body_sealed,
        new.reason,
        new.address,
        new.proposed_by.uuid(),
        new.token.uuid(),
        new.proposed_at.to_sqlx() as _,
        new.expires_at.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("proposing a change"))
}

/// Proposed changes since a moment, or those that wait; newest first.
pub async fn list_proposed(
    conn: &mut PgConnection,
    org: OrgId,
    (waiting, since): (bool, Timestamp),
    now: Timestamp,
) -> Result<Vec<Proposed>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT id, change, subject, name, before, after, loosens, digest, method, path, body_sealed, reason, address,
                   proposed_by, token_id, proposed_at AS "proposed_at: _", expires_at AS "expires_at: _", status,
                   answered_by, answered_at AS "answered_at: _", note
            FROM proposed_changes
            WHERE org_id = $1 AND proposed_at >= $2 AND (NOT $3 OR (status = 'waiting' AND expires_at > $4))
            ORDER BY id DESC LIMIT $5
        "#,
        org.uuid(),
        since.to_sqlx() as _,
        waiting,
        now.to_sqlx() as _,
        MOST,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing proposed changes"))?;
    rows.into_iter().map(|row| row.into_proposed(now)).collect()
}

/// One of them, locked until the transaction ends.
pub async fn find_proposed(
    conn: &mut PgConnection,
    org: OrgId,
    id: ProposedChangeId,
    now: Timestamp,
) -> Result<Option<Proposed>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"
            SELECT id, change, subject, name, before, after, loosens, digest, method, path, body_sealed, reason, address,
                   proposed_by, token_id, proposed_at AS "proposed_at: _", expires_at AS "expires_at: _", status,
                   answered_by, answered_at AS "answered_at: _", note
            FROM proposed_changes WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a proposed change"))?;
    row.map(|row| row.into_proposed(now)).transpose()
}

/// Ends every change that waits, after a restore: what it was answered with since the backup is not known. Returns how
/// many.
pub async fn end_proposed(recorded: &mut Recorded<'_>, org: OrgId, now: Timestamp) -> Result<u64, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE proposed_changes SET status = 'expired', answered_at = $2, body_sealed = ''
            WHERE org_id = $1 AND status = 'waiting'
        "#,
        org.uuid(),
        now.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("ending proposed changes"))?;
    Ok(done.rows_affected())
}

/// Notes the answer, and forgets the request: it is not made twice.
pub async fn answer_proposed(
    conn: &mut PgConnection,
    org: OrgId,
    id: ProposedChangeId,
    answer: &Answer,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE proposed_changes SET status = $3, answered_by = $4, answered_at = $5, note = $6, body_sealed = ''
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
        answer.status.as_str(),
        answer.by.uuid(),
        answer.at.to_sqlx() as _,
        answer.note,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("answering a proposed change"))
}
