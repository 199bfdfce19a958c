//! Rows of `notifiers`, `notices`, `slack_people` and `slack_clicks`.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{NoticeId, NotifierId, OrgId, SpaceId, UserId};
use platform::db::{Error, known, query};
use sqlx::PgConnection;

use super::{Kind, Notifier, SlackPerson};

pub(super) async fn insert_notifier(
    conn: &mut PgConnection,
    org: OrgId,
    new: &Notifier,
) -> Result<(), Error> {
    sqlx::query!(
        "INSERT INTO notifiers (org_id, id, kind, space_id, target, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        org.uuid(),
        new.id.uuid(),
        new.kind.as_str(),
        new.space.map(SpaceId::uuid),
        new.target,
        new.created_at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding a notifier"))
}

/// All notifiers of an org, oldest first. How many there may be is bounded where they are added.
pub(super) async fn list_notifiers(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Notifier>, Error> {
    let rows = sqlx::query!(
        "SELECT id, kind, space_id, target, created_at FROM notifiers WHERE org_id = $1 ORDER BY id",
        org.uuid()
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing notifiers"))?;
    let notifiers = rows.into_iter().map(|row| {
        let created_at: jiff_sqlx::Timestamp = row.created_at;
        Ok(Notifier {
            id: NotifierId::from_uuid(row.id),
            kind: known(Kind::parse(&row.kind), "notifiers.kind")?,
            space: row.space_id.map(SpaceId::from_uuid),
            target: row.target,
            created_at: created_at.to_jiff(),
        })
    });
    notifiers.collect()
}

pub(super) async fn delete_notifier(
    conn: &mut PgConnection,
    org: OrgId,
    id: NotifierId,
) -> Result<bool, Error> {
    let done = sqlx::query!("DELETE FROM notifiers WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(conn)
        .await
        .map_err(query("removing a notifier"))?;
    Ok(done.rows_affected() == 1)
}

/// Notes that a notifier is to tell something; noticing twice is once. Says whether it is new.
pub(super) async fn notice(
    conn: &mut PgConnection,
    (org, id): (OrgId, NoticeId),
    notifier: NotifierId,
    subject: &str,
    now: Timestamp,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            INSERT INTO notices (org_id, id, notifier_id, kind, subject, due_at, created_at)
            VALUES ($1, $2, $3, 'asked', $4, $5, $5)
            ON CONFLICT ON CONSTRAINT notices_subject_key DO NOTHING
        "#,
        org.uuid(),
        id.uuid(),
        notifier.uuid(),
        subject,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("noticing"))?;
    Ok(done.rows_affected() == 1)
}

/// Has what tells of these subjects looked at again. Who sends such a notice right now sees `again` when it is done, so
/// no change is lost and nobody sends beside them.
pub(super) async fn mark_changed(
    conn: &mut PgConnection,
    org: OrgId,
    subjects: &[String],
    now: Timestamp,
) -> Result<u64, Error> {
    let done = sqlx::query!(
        r#"
            UPDATE notices SET again = true, due_at = coalesce(due_at, $3)
            WHERE org_id = $1 AND subject = ANY ($2) AND (status = 'pending' OR ts IS NOT NULL)
        "#,
        org.uuid(),
        subjects,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("marking notices"))?;
    Ok(done.rows_affected())
}

/// Which notices are due, in any org.
pub(super) async fn due(
    conn: &mut PgConnection,
    now: Timestamp,
    most: i32,
) -> Result<Vec<(OrgId, NoticeId)>, Error> {
    let rows = sqlx::query!(
        r#"SELECT org_id AS "org_id!", id AS "id!" FROM due_notices($1, $2)"#,
        now.to_sqlx() as _,
        most
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding notices that are due"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), NoticeId::from_uuid(row.id))).collect())
}

/// A notice that this process, and no other, sees to until its claim ends.
pub(super) struct Claimed {
    pub(super) id: NoticeId,
    pub(super) kind: Kind,
    pub(super) target: String,
    pub(super) subject: String,
    pub(super) attempts: i32,
    /// Slack's name for the message, if there is one.
    pub(super) message: Option<(String, String)>,
    pub(super) status: String,
    pub(super) shown: Option<String>,
}

/// Takes up a notice if it is due and nobody else has it.
pub(super) async fn claim(
    conn: &mut PgConnection,
    (org, id): (OrgId, NoticeId),
    (now, until): (Timestamp, Timestamp),
) -> Result<Option<Claimed>, Error> {
    let row = sqlx::query!(
        r#"
            WITH due AS (
                SELECT id FROM notices WHERE org_id = $1 AND id = $2 AND due_at <= $3 FOR UPDATE SKIP LOCKED
            )
            UPDATE notices n SET due_at = $4, again = false, attempts = n.attempts + 1
            FROM due, notifiers f
            WHERE n.org_id = $1 AND n.id = due.id AND f.org_id = $1 AND f.id = n.notifier_id
            RETURNING f.kind, f.target, n.subject, n.attempts, n.channel, n.ts, n.status, n.shown
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx() as _,
        until.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("taking up a notice"))?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Claimed {
        id,
        kind: known(Kind::parse(&row.kind), "notifiers.kind")?,
        target: row.target,
        subject: row.subject,
        attempts: row.attempts,
        message: row.channel.zip(row.ts),
        status: row.status,
        shown: row.shown,
    }))
}

impl Claimed {
    /// Whether nobody was told yet, and somebody is to be.
    pub(super) fn is_pending(&self) -> bool {
        self.status == "pending"
    }
}

/// What became of a notice that was taken up.
pub(super) struct Ended<'a> {
    pub(super) status: &'a str,
    pub(super) message: Option<(&'a str, &'a str)>,
    pub(super) shown: Option<&'a str>,
    pub(super) error: Option<&'a str>,
    /// When to try again; without it, when its subject changes.
    pub(super) due_at: Option<Timestamp>,
}

/// Writes down what became of it. If its subject changed meanwhile it is due at once.
pub(super) async fn end(
    conn: &mut PgConnection,
    (org, id): (OrgId, NoticeId),
    ended: &Ended<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let (channel, ts) = ended.message.unzip();
    sqlx::query!(
        r#"
            UPDATE notices SET
                status = $3, channel = coalesce($4, channel), ts = coalesce($5, ts), shown = coalesce($6, shown),
                last_error = $7, due_at = coalesce($8, CASE WHEN again THEN $9::timestamptz END),
                attempts = CASE WHEN $8::timestamptz IS NULL THEN 0 ELSE attempts END
            WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
        ended.status,
        channel,
        ts,
        ended.shown,
        ended.error,
        ended.due_at.map(|at| at.to_sqlx()) as _,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("ending a notice"))
}

/// Whether one of our notices of a subject is this very message.
pub(super) async fn is_ours(
    conn: &mut PgConnection,
    org: OrgId,
    subject: &str,
    (channel, ts): (&str, &str),
) -> Result<bool, Error> {
    let row = sqlx::query!(
        r#"
            SELECT 1 AS one FROM notices
            WHERE org_id = $1 AND subject = $2 AND channel = $3 AND ts = $4 LIMIT 1
        "#,
        org.uuid(),
        subject,
        channel,
        ts
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a message"))?;
    Ok(row.is_some())
}

pub(super) async fn find_person(
    conn: &mut PgConnection,
    org: OrgId,
    slack_user: &str,
) -> Result<Option<UserId>, Error> {
    let row = sqlx::query!(
        "SELECT user_id FROM slack_people WHERE org_id = $1 AND slack_user = $2",
        org.uuid(),
        slack_user
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding who a Slack user is"))?;
    Ok(row.map(|row| UserId::from_uuid(row.user_id)))
}

/// All that are linked. How many there may be is bounded where they are linked.
pub(super) async fn list_people(conn: &mut PgConnection, org: OrgId) -> Result<Vec<SlackPerson>, Error> {
    let rows = sqlx::query!(
        "SELECT slack_user, user_id FROM slack_people WHERE org_id = $1 ORDER BY slack_user",
        org.uuid()
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing Slack users"))?;
    let people = rows
        .into_iter()
        .map(|row| SlackPerson { slack_user: row.slack_user, user: UserId::from_uuid(row.user_id) });
    Ok(people.collect())
}

pub(super) async fn put_person(
    conn: &mut PgConnection,
    org: OrgId,
    person: &SlackPerson,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO slack_people (org_id, slack_user, user_id) VALUES ($1, $2, $3)
            ON CONFLICT (org_id, slack_user) DO UPDATE SET user_id = excluded.user_id
        "#,
        org.uuid(),
        person.slack_user,
        person.user.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("linking a Slack user"))
}

pub(super) async fn delete_person(
    conn: &mut PgConnection,
    org: OrgId,
    slack_user: &str,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "DELETE FROM slack_people WHERE org_id = $1 AND slack_user = $2",
        org.uuid(),
        slack_user
    )
    .execute(conn)
    .await
    .map_err(query("unlinking a Slack user"))?;
    Ok(done.rows_affected() == 1)
}

/// Notes a click by its signature; says whether it is new.
pub(super) async fn note_click(
    conn: &mut PgConnection,
    org: OrgId,
    signature_sha256: &[u8],
    now: Timestamp,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "INSERT INTO slack_clicks (org_id, signature_sha256, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        org.uuid(),
        signature_sha256,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("noting a click"))?;
    Ok(done.rows_affected() == 1)
}

/// Forgets the clicks of all orgs before a moment.
pub(super) async fn purge_clicks(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    let gone: Option<i64> = sqlx::query_scalar!("SELECT purge_slack_clicks($1)", before.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("forgetting clicks"))?;
    Ok(gone.unwrap_or_default())
}

/// Whether the org has this space.
pub(super) fn breaks_space(error: &Error) -> bool {
    error.constraint() == Some("notifiers_space_fkey")
}

/// Whether there is a notifier like it.
pub(super) fn breaks_target(error: &Error) -> bool {
    error.constraint() == Some("notifiers_target_key")
}
