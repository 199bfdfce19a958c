//! Rows of `approvals`.

use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, ApiTokenId, ApprovalId, Digest, InvocationId, OrgId, UserId};
use platform::db::{Error, column, known, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    approvals::{Answer, Answered, KnownBy, Vote},
    cool_down::Told,
    pace::{Answerer, Length, Pace, Reading},
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
    method: Option<String>,
    token_id: Option<Uuid>,
    signed_in_at: Option<jiff_sqlx::Timestamp>,
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
            known_by: row.method.map(|method| KnownBy {
                method,
                token: row.token_id.map(ApiTokenId::from_uuid),
                since: row.signed_in_at.map(|at| at.to_jiff()),
            }),
        })
    }
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    vote: &Vote,
    of: &Answered<'_>,
    reading: Option<Reading>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO approvals
                (org_id, id, invocation_id, user_id, verdict, extent, channel, shown_digest, note, source, action, at,
                 assertion, subject_digest, proposer, read_ms, characters, method, token_id, signed_in_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
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
        reading.map(|reading| reading.ms),
        reading.map(|reading| reading.characters),
        vote.known_by.as_ref().map(|known| known.method.as_str()),
        vote.known_by.as_ref().and_then(|known| known.token).map(|token| token.uuid()),
        vote.known_by.as_ref().and_then(|known| known.since).map(|at| at.to_sqlx()) as _,
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
                   coalesce(subject_digest, shown_digest) AS "subject_digest!", note, at, assertion,
                   method, token_id, signed_in_at AS "signed_in_at: _"
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
                   coalesce(subject_digest, shown_digest) AS "subject_digest!", note, at, assertion,
                   method, token_id, signed_in_at AS "signed_in_at: _"
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

/// The pace of a person since an id, by the length of what they approved.
pub(crate) async fn pace(
    conn: &mut PgConnection,
    org: OrgId,
    user: UserId,
    since: Uuid,
) -> Result<Vec<Pace>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT width_bucket(characters, $4::integer[]) AS "class!", count(*) AS "answers!",
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms) / 1000 AS "median_s!",
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY characters) AS "characters!"
            FROM approvals
            WHERE org_id = $1 AND user_id = $2 AND id >= $3 AND verdict = 'approved' AND read_ms IS NOT NULL
            GROUP BY 1 ORDER BY 1
        "#,
        org.uuid(),
        user.uuid(),
        since,
        &Length::BOUNDS[..],
    )
    .fetch_all(conn)
    .await
    .map_err(query("measuring the pace of a person"))?;
    let pace = rows.into_iter().map(|row| Pace {
        length: Length::of_class(row.class),
        answers: row.answers,
        median_s: row.median_s,
        characters: row.characters,
    });
    Ok(pace.collect())
}

/// Who answered between two ids, those with the most answers first.
pub(crate) async fn answerers(
    conn: &mut PgConnection,
    org: OrgId,
    (first, end): (Uuid, Uuid),
    limit: i64,
) -> Result<Vec<Answerer>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT user_id, count(*) AS "answers!",
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms) / 1000 AS median_s
            FROM approvals WHERE org_id = $1 AND id >= $2 AND id < $3
            GROUP BY user_id ORDER BY count(*) DESC, user_id LIMIT $4
        "#,
        org.uuid(),
        first,
        end,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("counting the answers of people"))?;
    let all = rows.into_iter().map(|row| Answerer {
        user: UserId::from_uuid(row.user_id),
        answers: row.answers,
        median_s: row.median_s,
    });
    Ok(all.collect())
}

/// The last answers between two ids, newest first.
pub(crate) async fn recent(
    conn: &mut PgConnection,
    org: OrgId,
    (first, end): (Uuid, Uuid),
    limit: i64,
) -> Result<Vec<(InvocationId, Answer)>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT invocation_id, verdict FROM approvals WHERE org_id = $1 AND id >= $2 AND id < $3
            ORDER BY id DESC LIMIT $4
        "#,
        org.uuid(),
        first,
        end,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing recent answers"))?;
    let answers = rows.into_iter().map(|row| {
        let answer = known(Answer::parse(&row.verdict), "approvals.verdict")?;
        Ok((InvocationId::from_uuid(row.invocation_id), answer))
    });
    answers.collect()
}
