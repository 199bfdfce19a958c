//! Rows of `shown_documents`, `seen_documents` and `revealed_values`.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{Digest, InvocationId, OrgId, SessionId, UserId};
use platform::db::{Error, column, query};
use policy::Reading;
use serde_json::Value;
use sqlx::PgConnection;

use super::invocations::digest;

/// How many documents about one invocation are kept besides those that were answered.
const MOST: i64 = 20;

/// A document in canonical form.
pub(crate) struct NewDocument<'a> {
    pub(crate) invocation: InvocationId,
    pub(crate) digest: &'a Digest,
    pub(crate) subject: &'a Digest,
    pub(crate) basis: Option<&'a Digest>,
    pub(crate) text: &'a str,
    /// The length of what is particular to the request.
    pub(crate) characters: i32,
    pub(crate) at: Timestamp,
}

/// Stores a document, and deletes old ones that nobody answered.
pub(crate) async fn insert_document(
    conn: &mut PgConnection,
    org: OrgId,
    new: &NewDocument<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            WITH old AS (
                SELECT digest FROM shown_documents WHERE org_id = $1 AND invocation_id = $2
                ORDER BY shown_at DESC, digest OFFSET $7
            ), gone AS (
                DELETE FROM shown_documents d USING old
                WHERE d.org_id = $1 AND d.invocation_id = $2 AND d.digest = old.digest AND NOT EXISTS (
                    SELECT 1 FROM approvals a
                    WHERE a.org_id = $1 AND a.invocation_id = $2 AND a.shown_digest = d.digest
                )
            )
            INSERT INTO shown_documents
                (org_id, invocation_id, digest, subject_digest, document, shown_at, basis_digest, characters)
            VALUES ($1, $2, $3, $4, $5, $6, $8, $9)
        "#,
        org.uuid(),
        new.invocation.uuid(),
        new.digest.as_bytes().as_slice(),
        new.subject.as_bytes().as_slice(),
        new.text,
        new.at.to_sqlx(),
        MOST - 1,
        new.basis.map(|basis| basis.as_bytes().as_slice()),
        new.characters,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("storing a shown document"))
}

/// A document as it is stored.
pub(crate) struct StoredDocument {
    pub(crate) text: String,
    /// The digest of what it relies on about the target.
    pub(crate) basis: Option<Digest>,
}

struct DocumentRow {
    document: String,
    basis_digest: Option<Vec<u8>>,
}

impl DocumentRow {
    fn into_stored(self) -> Result<StoredDocument, Error> {
        let basis =
            self.basis_digest.map(|basis| digest(&basis, "shown_documents.basis_digest")).transpose()?;
        Ok(StoredDocument { text: self.document, basis })
    }
}

/// Every document that is kept about an invocation.
pub(crate) async fn all_documents(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
) -> Result<Vec<StoredDocument>, Error> {
    let rows = sqlx::query_as!(
        DocumentRow,
        "SELECT document, basis_digest FROM shown_documents WHERE org_id = $1 AND invocation_id = $2",
        org.uuid(),
        id.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing shown documents"))?;
    rows.into_iter().map(DocumentRow::into_stored).collect()
}

/// The subject that a shown document is about; `None` if it was never shown about this invocation.
pub(crate) async fn shown_subject(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    shown: &Digest,
) -> Result<Option<Digest>, Error> {
    let found = sqlx::query_scalar!(
        "SELECT subject_digest FROM shown_documents WHERE org_id = $1 AND invocation_id = $2 AND digest = $3",
        org.uuid(),
        id.uuid(),
        shown.as_bytes().as_slice(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a shown document"))?;
    found.map(|found| digest(&found, "shown_documents.subject_digest")).transpose()
}

/// The shown documents with these digests, in a fixed order.
pub(crate) async fn documents(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    shown: &[Digest],
) -> Result<Vec<StoredDocument>, Error> {
    let rows = sqlx::query_as!(
        DocumentRow,
        r#"
            SELECT document, basis_digest FROM shown_documents
            WHERE org_id = $1 AND invocation_id = $2 AND digest = ANY($3)
            ORDER BY digest
        "#,
        org.uuid(),
        id.uuid(),
        &column(shown.iter(), |digest| digest.as_bytes().as_slice()) as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading shown documents"))?;
    rows.into_iter().map(DocumentRow::into_stored).collect()
}

/// Deletes documents from before this time about invocations that have ended.
pub(crate) async fn purge_documents(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_shown_documents($1) AS "gone!""#, before.to_sqlx())
        .fetch_one(conn)
        .await
        .map_err(query("purging shown documents"))
}

/// An action that a session used for reading.
pub(crate) struct ReadAction {
    pub(crate) source: String,
    pub(crate) action: String,
    pub(crate) times: i64,
}

/// What a session read before an invocation, newest first, among the last 500 of its invocations.
pub(crate) async fn read_before(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
    before: InvocationId,
) -> Result<Vec<ReadAction>, Error> {
    sqlx::query_as!(
        ReadAction,
        r#"
            SELECT source, action, count(*) AS "times!" FROM (
                SELECT id, source, action, effect, status FROM invocations
                WHERE org_id = $1 AND session_id = $2 AND id < $3 ORDER BY id DESC LIMIT 500
            ) AS earlier
            WHERE effect = 'read' AND status = 'succeeded'
            GROUP BY source, action ORDER BY max(id::text) DESC LIMIT 20
        "#,
        org.uuid(),
        session.uuid(),
        before.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing what a session read"))
}

/// The last results that a session read, newest first.
pub(crate) async fn results_before(
    conn: &mut PgConnection,
    org: OrgId,
    session: SessionId,
    before: InvocationId,
) -> Result<Vec<ReadResult>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, source, action, result AS "result!" FROM (
                SELECT id, source, action, status, result FROM invocations
                WHERE org_id = $1 AND session_id = $2 AND id < $3 ORDER BY id DESC LIMIT 500
            ) AS earlier
            WHERE status = 'succeeded' AND result IS NOT NULL AND source <> 'model'
            ORDER BY id DESC LIMIT 50
        "#,
        org.uuid(),
        session.uuid(),
        before.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the results that a session read"))?;
    let reads = rows.into_iter().map(|row| ReadResult {
        invocation: InvocationId::from_uuid(row.id),
        action: format!("{}.{}", row.source, row.action),
        result: row.result,
    });
    Ok(reads.collect())
}

/// Something that a session read.
pub(crate) struct ReadResult {
    pub(crate) invocation: InvocationId,
    pub(crate) action: String,
    pub(crate) result: Value,
}

/// Values that a person saw.
pub(crate) struct NewReveal<'a> {
    pub(crate) invocation: InvocationId,
    pub(crate) user: UserId,
    pub(crate) subject: &'a Digest,
    pub(crate) pointers: &'a [String],
    pub(crate) at: Timestamp,
}

/// Records that a person saw hidden values.
pub(crate) async fn add_revealed(
    conn: &mut PgConnection,
    org: OrgId,
    new: &NewReveal<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO revealed_values (org_id, invocation_id, user_id, subject_digest, pointer, revealed_at)
            SELECT $1, $2, $3, $4, pointer, $6 FROM unnest($5::text[]) AS pointer
            ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        new.invocation.uuid(),
        new.user.uuid(),
        new.subject.as_bytes().as_slice(),
        new.pointers,
        new.at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording revealed values"))
}

/// The places that a person saw of a question.
pub(crate) async fn revealed(
    conn: &mut PgConnection,
    org: OrgId,
    invocation: InvocationId,
    user: UserId,
    subject: &Digest,
) -> Result<BTreeSet<String>, Error> {
    let found = sqlx::query_scalar!(
        r#"
            SELECT pointer FROM revealed_values
            WHERE org_id = $1 AND invocation_id = $2 AND user_id = $3 AND subject_digest = $4
        "#,
        org.uuid(),
        invocation.uuid(),
        user.uuid(),
        subject.as_bytes().as_slice(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading revealed values"))?;
    Ok(found.into_iter().collect())
}

/// Records that a person opened a document, the first time.
pub(crate) async fn add_seen(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    (user, shown): (UserId, &Digest),
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO seen_documents (org_id, invocation_id, user_id, digest, seen_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        id.uuid(),
        user.uuid(),
        shown.as_bytes().as_slice(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording that a document was opened"))
}

/// How long a person has had a document, if they opened it.
pub(crate) async fn reading(
    conn: &mut PgConnection,
    org: OrgId,
    id: InvocationId,
    (user, shown): (UserId, &Digest),
    now: Timestamp,
) -> Result<Option<Reading>, Error> {
    let row = sqlx::query!(
        r#"
            SELECT s.seen_at, d.characters FROM seen_documents s
            JOIN shown_documents d USING (org_id, invocation_id, digest)
            WHERE s.org_id = $1 AND s.invocation_id = $2 AND s.user_id = $3 AND s.digest = $4
        "#,
        org.uuid(),
        id.uuid(),
        user.uuid(),
        shown.as_bytes().as_slice(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding when a document was opened"))?;
    Ok(row.map(|row| {
        let ms = now.as_millisecond() - row.seen_at.to_jiff().as_millisecond();
        Reading { ms: ms.max(0), characters: row.characters }
    }))
}
