//! Rows of `notifiers`, `notices`, `slack_people` and `slack_clicks`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{NoticeId, NotifierId, OrgId, SpaceId, UserId};
use platform::db::{Error, known, query};
use sqlx::PgConnection;

use crate::{
    notifiers::{Kind, Notifier, SlackPerson},
    slack::MessageRef,
};

pub(crate) async fn insert_notifier(
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

/// All notifiers of an org, oldest first. Their number is bounded where they are added.
pub(crate) async fn list_notifiers(conn: &mut PgConnection, org: OrgId) -> Result<Vec<Notifier>, Error> {
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

pub(crate) async fn delete_notifier(
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

/// A notice to be sent.
pub(crate) struct NewNotice<'a> {
    pub(crate) id: NoticeId,
    pub(crate) notifier: NotifierId,
    pub(crate) subject: &'a str,
}

/// Adds a notice, unless its notifier has one about the subject; returns whether it did.
pub(crate) async fn add_notice(
    conn: &mut PgConnection,
    org: OrgId,
    new: &NewNotice<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        r#"
            INSERT INTO notices (org_id, id, notifier_id, kind, subject, due_at, created_at)
            VALUES ($1, $2, $3, 'asked', $4, $5, $5)
            ON CONFLICT ON CONSTRAINT notices_subject_key DO NOTHING
        "#,
        org.uuid(),
        new.id.uuid(),
        new.notifier.uuid(),
        new.subject,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map_err(query("noticing"))?;
    Ok(done.rows_affected() == 1)
}

/// Makes the notices about these subjects due again. A process that sends one of them right now sees `again` when it is
/// done, so no change is lost and no other process sends at the same time.
pub(crate) async fn mark_changed(
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

/// The notices that are due, in any org.
pub(crate) async fn due(
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

/// A notice that this process alone sends until its claim ends.
pub(crate) struct Claimed {
    pub(crate) id: NoticeId,
    pub(crate) kind: Kind,
    pub(crate) target: String,
    pub(crate) subject: String,
    pub(crate) attempts: i32,
    /// The message in Slack, if there is one.
    pub(crate) message: Option<MessageRef>,
    pub(crate) status: String,
    pub(crate) shown: Option<String>,
}

/// Claims a notice if it is due and no other process has it.
pub(crate) async fn claim(
    conn: &mut PgConnection,
    org: OrgId,
    id: NoticeId,
    now: Timestamp,
    until: Timestamp,
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
    .map_err(query("claiming a notice"))?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Claimed {
        id,
        kind: known(Kind::parse(&row.kind), "notifiers.kind")?,
        target: row.target,
        subject: row.subject,
        attempts: row.attempts,
        message: row.channel.zip(row.ts).map(|(channel, ts)| MessageRef { channel, ts }),
        status: row.status,
        shown: row.shown,
    }))
}

impl Claimed {
    /// Whether the message is yet to be sent.
    pub(crate) fn is_pending(&self) -> bool {
        self.status == "pending"
    }
}

/// The result of sending a notice.
pub(crate) struct Ended<'a> {
    pub(crate) status: &'a str,
    pub(crate) message: Option<&'a MessageRef>,
    pub(crate) shown: Option<&'a str>,
    pub(crate) error: Option<&'a str>,
    /// When to try again; without it, when its subject changes.
    pub(crate) due_at: Option<Timestamp>,
}

/// Records the result. If the subject changed meanwhile, the notice is due at once.
pub(crate) async fn end(
    conn: &mut PgConnection,
    org: OrgId,
    id: NoticeId,
    ended: &Ended<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let (channel, ts) = ended.message.map(|message| (message.channel.as_str(), message.ts.as_str())).unzip();
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

/// Whether one of our notices about a subject is this message.
pub(crate) async fn is_ours(
    conn: &mut PgConnection,
    org: OrgId,
    subject: &str,
    message: &MessageRef,
) -> Result<bool, Error> {
    let row = sqlx::query!(
        r#"
            SELECT 1 AS one FROM notices
            WHERE org_id = $1 AND subject = $2 AND channel = $3 AND ts = $4 LIMIT 1
        "#,
        org.uuid(),
        subject,
        message.channel,
        message.ts
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a message"))?;
    Ok(row.is_some())
}

pub(crate) async fn find_person(
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
    .map_err(query("finding the member of a Slack user"))?;
    Ok(row.map(|row| UserId::from_uuid(row.user_id)))
}

/// All linked Slack users. Their number is bounded where they are linked.
pub(crate) async fn list_people(conn: &mut PgConnection, org: OrgId) -> Result<Vec<SlackPerson>, Error> {
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

/// Who a Slack user is, locked until the caller's transaction ends.
pub(crate) async fn lock_person(
    conn: &mut PgConnection,
    org: OrgId,
    slack_user: &str,
) -> Result<Option<UserId>, Error> {
    let found = sqlx::query_scalar!(
        "SELECT user_id FROM slack_people WHERE org_id = $1 AND slack_user = $2 FOR UPDATE",
        org.uuid(),
        slack_user
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a Slack user"))?;
    Ok(found.map(UserId::from_uuid))
}

pub(crate) async fn put_person(
    recorded: &mut Recorded<'_>,
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
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("linking a Slack user"))
}

pub(crate) async fn delete_person(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    slack_user: &str,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "DELETE FROM slack_people WHERE org_id = $1 AND slack_user = $2",
        org.uuid(),
        slack_user
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("unlinking a Slack user"))?;
    Ok(done.rows_affected() == 1)
}

/// Records a click by its signature; returns whether it is new.
pub(crate) async fn note_click(
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
    .map_err(query("storing a click"))?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the clicks of all orgs before a moment.
pub(crate) async fn purge_clicks(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    let gone: Option<i64> = sqlx::query_scalar!("SELECT purge_slack_clicks($1)", before.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("deleting old clicks"))?;
    Ok(gone.unwrap_or_default())
}

/// Whether the error says that the space does not exist.
pub(crate) fn breaks_space(error: &Error) -> bool {
    error.constraint() == Some("notifiers_space_fkey")
}

/// Whether the error says that such a notifier exists.
pub(crate) fn breaks_target(error: &Error) -> bool {
    error.constraint() == Some("notifiers_target_key")
}
