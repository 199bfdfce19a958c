//! Rows of `approvals`.

use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, ApprovalId, Digest, InvocationId, OrgId, UserId};
use platform::db::{Error, column, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    approvals::{Answer, Answered, Vote},
    cool_down::Told,
};

struct VoteRow {
    id: Uuid,
    invocation_id: Uuid,
    user_id: Uuid,
    verdict: String,
    extent: String,
    channel: String,
    shown_digest: Vec<u8>,
    subject_digest: Vec<u8>,
    note: String,
    at: jiff_sqlx::Timestamp,
    assertion: Option<serde_json::Value>,
}

impl TryFrom<VoteRow> for Vote {
    type Error = Error;

    fn try_from(row: VoteRow) -> Result<Self, Error> {
        let digest = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).ok().map(Digest::from_bytes);
        Ok(Self {
            id: ApprovalId::from_uuid(row.id),
            invocation: InvocationId::from_uuid(row.invocation_id),
            user: UserId::from_uuid(row.user_id),
            answer: known(Answer::parse(&row.verdict), "approvals.verdict")?,
            extent: row.extent,
            channel: row.channel,
            shown_digest: known(digest(&row.shown_digest), "approvals.shown_digest")?,
            subject: known(digest(&row.subject_digest), "approvals.subject_digest")?,
            note: row.note,
            at: row.at.to_jiff(),
            assertion: row.assertion,
        })
    }
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    vote: &Vote,
    of: &Answered<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO approvals
                (org_id, id, invocation_id, user_id, verdict, extent, channel, shown_digest, note, source, action, at,
                 assertion, subject_digest, proposer)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        "#,
        org.uuid(),
        vote.id.uuid(),
        vote.invocation.uuid(),
        vote.user.uuid(),
        vote.answer.as_str(),
        vote.extent,
        vote.channel,
        vote.shown_digest.as_bytes().as_slice(),
        vote.note,
        of.address.source.as_str(),
        of.address.action.as_str(),
        vote.at.to_sqlx(),
        vote.assertion,
        vote.subject.as_bytes().as_slice(),
        of.proposer,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a vote"))
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    invocations: &[InvocationId],
) -> Result<Vec<Vote>, Error> {
    let rows = sqlx::query_as!(
        VoteRow,
        r#"
            SELECT id, invocation_id, user_id, verdict, extent, channel, shown_digest,
                   coalesce(subject_digest, shown_digest) AS "subject_digest!", note, at, assertion
            FROM approvals WHERE org_id = $1 AND invocation_id = ANY($2) ORDER BY id
        "#,
        org.uuid(),
        &column(invocations.iter(), |invocation| invocation.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing votes"))?;
    rows.into_iter().map(Vote::try_from).collect()
}

/// The last hundred answers to an action, the newest first.
pub(crate) async fn list_of_action(
    conn: &mut PgConnection,
    org: OrgId,
    address: &ActionAddress,
) -> Result<Vec<Vote>, Error> {
    let rows = sqlx::query_as!(
        VoteRow,
        r#"
            SELECT id, invocation_id, user_id, verdict, extent, channel, shown_digest,
                   coalesce(subject_digest, shown_digest) AS "subject_digest!", note, at, assertion
            FROM approvals WHERE org_id = $1 AND source = $2 AND action = $3 ORDER BY id DESC LIMIT 100
        "#,
        org.uuid(),
        address.source.as_str(),
        address.action.as_str(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the answers to an action"))?;
    rows.into_iter().map(Vote::try_from).collect()
}

/// The last answers to an action of a proposer, the newest first.
pub(crate) async fn list_of_proposer(
    conn: &mut PgConnection,
    org: OrgId,
    of: &Answered<'_>,
    limit: i64,
) -> Result<Vec<Told>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT invocation_id, verdict, at FROM approvals
            WHERE org_id = $1 AND proposer = $2 AND source = $3 AND action = $4 ORDER BY id DESC LIMIT $5
        "#,
        org.uuid(),
        of.proposer,
        of.address.source.as_str(),
        of.address.action.as_str(),
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the answers to a proposer"))?;
    let told = rows.into_iter().map(|row| {
        Ok(Told {
            invocation: InvocationId::from_uuid(row.invocation_id),
            answer: known(Answer::parse(&row.verdict), "approvals.verdict")?,
            at: row.at.to_jiff(),
        })
    });
    told.collect()
}
