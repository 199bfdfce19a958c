//! Rows of `changes`.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff_sqlx::ToSqlx as _;
use model::{ChangeId, OrgId, UserId};
use platform::db::{Error, query};
use receipt::{CHANGE_TYPE, Envelope, Seed, Signature};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Kind, New, Stored};

/// A filter for change records.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only this kind of change, or those with this beginning.
    pub change: Option<String>,
    /// Only changes of this.
    pub subject: Option<String>,
    /// Only changes by this person.
    pub user: Option<UserId>,
    /// Only records older than this one.
    pub before: Option<ChangeId>,
    /// Maximum number of records.
    pub limit: i64,
}

pub(crate) async fn insert(conn: &mut PgConnection, new: &New<'_>) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO changes
                (org_id, id, change, subject, user_id, payload, keyid, signature, seed, commitment, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        "#,
        new.org.uuid(),
        new.id.uuid(),
        new.change.change,
        new.change.subject,
        new.user.map(|user| user.uuid()),
        new.payload,
        new.keyid,
        new.signature,
        new.seed,
        new.commitment,
        new.at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording a change"))
}

struct Row {
    id: Uuid,
    payload: Vec<u8>,
    keyid: String,
    signature: Vec<u8>,
    seed: Vec<u8>,
}

impl Row {
    fn into_stored(self) -> Result<Stored, Error> {
        let seed = self.seed.try_into().map_err(|_| Error::Inconsistent { column: "changes.seed" })?;
        let signature = Signature { keyid: self.keyid, sig: BASE64_STANDARD.encode(&self.signature) };
        let envelope = Envelope {
            payload: BASE64_STANDARD.encode(&self.payload),
            payload_type: CHANGE_TYPE.to_owned(),
            signatures: vec![signature],
        };
        Ok(Stored { id: ChangeId::from_uuid(self.id), payload: self.payload, envelope, seed: Seed(seed) })
    }
}

/// Change records of the org, newest first.
pub async fn list(conn: &mut PgConnection, org: OrgId, filter: &Filter) -> Result<Vec<Stored>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT id, payload, keyid, signature, seed FROM changes
            WHERE org_id = $1
              AND ($2::text IS NULL OR starts_with(change, $2))
              AND ($3::text IS NULL OR subject = $3)
              AND ($4::uuid IS NULL OR user_id = $4)
              AND ($5::uuid IS NULL OR id < $5)
            ORDER BY id DESC LIMIT $6
        "#,
        org.uuid(),
        filter.change,
        filter.subject,
        filter.user.map(|user| user.uuid()),
        filter.before.map(|before| before.uuid()),
        filter.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing change records"))?;
    rows.into_iter().map(Row::into_stored).collect()
}

/// The state after the newest change of a kind to what has this name.
pub(crate) async fn last_after(
    conn: &mut PgConnection,
    org: OrgId,
    kind: Kind,
    name: &str,
) -> Result<Option<Value>, Error> {
    let found = sqlx::query_scalar!(
        r#"
            SELECT convert_from(payload, 'UTF8')::jsonb -> 'after' FROM changes
            WHERE org_id = $1 AND change = $2 AND convert_from(payload, 'UTF8')::jsonb ->> 'name' = $3
            ORDER BY id DESC LIMIT 1
        "#,
        org.uuid(),
        kind.as_str(),
        name,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding the last change of this name"))?;
    Ok(found.flatten())
}

/// These change records of the org, in no order.
pub async fn find_many(conn: &mut PgConnection, org: OrgId, ids: &[Uuid]) -> Result<Vec<Stored>, Error> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, payload, keyid, signature, seed FROM changes WHERE org_id = $1 AND id = ANY ($2)",
        org.uuid(),
        ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding change records"))?;
    rows.into_iter().map(Row::into_stored).collect()
}
