//! Rows of `facts` and `fact_entries`.

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{FactId, InvocationId, OrgId, UserId};
use platform::db::{Error, column, query};
use sqlx::{PgConnection, types::Json};

use crate::{Entry, FactDefinition, FactKind, FactValue, Lookup, NewFact, policies::StoredFact};

/// Another number than other locks of an organization.
const ADDING: u64 = 0x0adf_ac75_0adf_ac75;

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId) -> Result<Vec<StoredFact>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT id, definition AS "definition: Json<NewFact>", sees_since AS "sees_since: jiff_sqlx::Timestamp",
                   is_filled, slice_s, set_by, created_at AS "created_at: jiff_sqlx::Timestamp"
            FROM facts WHERE org_id = $1 ORDER BY name
        "#,
        org.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing facts"))?;
    let stored = rows.into_iter().map(|row| {
        let definition = FactDefinition::new(row.definition.0);
        let definition = definition.map_err(|_| Error::Inconsistent { column: "facts.definition" })?;
        let sees_since = row.sees_since.to_jiff();
        Ok(StoredFact {
            definition: FactDefinition {
                id: FactId::from_uuid(row.id),
                slice_s: row.slice_s,
                sees_since: Some(sees_since),
                ..definition
            },
            sees_since,
            is_filled: row.is_filled,
            set_by: UserId::from_uuid(row.set_by),
            created_at: row.created_at.to_jiff(),
        })
    });
    stored.collect()
}

pub(crate) async fn insert(recorded: &mut Recorded<'_>, org: OrgId, new: &StoredFact) -> Result<(), Error> {
    let statuses = new.definition.source.state.statuses().iter().map(|status| status.as_str());
    sqlx::query!(
        r#"
            INSERT INTO facts (org_id, id, name, definition, statuses, sees_since, is_filled, slice_s, set_by, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        "#,
        org.uuid(),
        new.definition.id.uuid(),
        new.definition.name(),
        Json(&new.definition.source) as _,
        &column(statuses, |status| status.to_owned()),
        new.sees_since.to_sqlx() as _,
        new.is_filled,
        new.definition.slice_s,
        new.set_by.uuid(),
        new.created_at.to_sqlx() as _,
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("setting a fact"))
}

/// Deletes a fact. Nobody reads its entries any more; there may be many, and claims wait meanwhile, so the purge takes them.
pub(crate) async fn delete(recorded: &mut Recorded<'_>, org: OrgId, id: FactId) -> Result<(), Error> {
    sqlx::query!("DELETE FROM facts WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(&mut **recorded)
        .await
        .map(drop)
        .map_err(query("deleting a fact"))
}

/// How far back a fact sees by now.
pub(crate) async fn set_filled(
    conn: &mut PgConnection,
    org: OrgId,
    id: FactId,
    (sees_since, is_filled): (Timestamp, bool),
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE facts SET sees_since = $3, is_filled = $4 WHERE org_id = $1 AND id = $2",
        org.uuid(),
        id.uuid(),
        sees_since.to_sqlx() as _,
        is_filled,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("noting how far back a fact sees"))
}

/// Facts that are not filled yet, in any org.
pub(crate) async fn unfilled(conn: &mut PgConnection, most: i32) -> Result<Vec<(OrgId, FactId)>, Error> {
    let rows = sqlx::query!(r#"SELECT org_id AS "org_id!", id AS "id!" FROM unfilled_facts($1)"#, most)
        .fetch_all(conn)
        .await
        .map_err(query("finding facts that are not filled"))?;
    Ok(rows.into_iter().map(|row| (OrgId::from_uuid(row.org_id), FactId::from_uuid(row.id))).collect())
}

/// Deletes entries that no window reaches any more.
pub(crate) async fn purge(conn: &mut PgConnection, before: Timestamp) -> Result<i64, Error> {
    sqlx::query_scalar!(r#"SELECT purge_fact_entries($1) AS "gone!""#, before.to_sqlx() as _)
        .fetch_one(conn)
        .await
        .map_err(query("purging entries of facts"))
}

/// An entry of an invocation, as it is written.
pub(crate) struct NewEntry<'a> {
    pub(crate) invocation: InvocationId,
    pub(crate) at: Timestamp,
    /// Whether it waits for a person.
    pub(crate) waits: bool,
    /// Whether it counts now.
    pub(crate) counts: bool,
    /// Whether its fact adds entries up.
    pub(crate) adds_up: bool,
    pub(crate) entry: &'a Entry,
}

/// Writes entries. Those that were written before stay as they are.
pub(crate) async fn insert_entries(
    conn: &mut PgConnection,
    org: OrgId,
    entries: &[NewEntry<'_>],
) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        r#"
            INSERT INTO fact_entries (
                org_id, fact_id, scope_id, invocation_id, part, at, counts, amount, value, same, summed
            )
            SELECT $1, e.fact, e.scope, e.invocation, e.part, CASE WHEN e.waits THEN 'infinity' ELSE e.at END, e.counts,
                   e.amount, e.value, e.same, NOT e.adds_up
            FROM unnest(
                $2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::timestamptz[], $7::boolean[], $8::bigint[],
                $9::bytea[], $10::bytea[], $11::boolean[], $12::boolean[]
            ) AS e (fact, scope, invocation, part, at, counts, amount, value, same, waits, adds_up)
            ON CONFLICT DO NOTHING
        "#,
        org.uuid(),
        &column(entries.iter(), |new| new.entry.fact.uuid()),
        &column(entries.iter(), |new| new.entry.scope),
        &column(entries.iter(), |new| new.invocation.uuid()),
        &column(entries.iter(), |new| new.entry.part),
        &column(entries.iter(), |new| new.at.to_sqlx()) as _,
        &column(entries.iter(), |new| new.counts),
        &column(entries.iter(), |new| new.entry.amount),
        &column(entries.iter(), |new| new.entry.value.as_ref().map(<[u8; 32]>::as_slice)) as _,
        &column(entries.iter(), |new| new.entry.same.as_slice()) as _,
        &column(entries.iter(), |new| new.waits),
        &column(entries.iter(), |new| new.adds_up),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing entries of facts"))
}

/// Adds up entries of an org that are not in its sums yet, and merges the sums of their slices; returns how many. One process at
/// a time: another one returns 0.
pub(crate) async fn add_up(conn: &mut PgConnection, org: OrgId, most: i64) -> Result<i64, Error> {
    let (_, low) = org.uuid().as_u64_pair();
    let alone = sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_xact_lock($1) AS "alone!""#,
        (low ^ ADDING).cast_signed()
    );
    if !alone.fetch_one(&mut *conn).await.map_err(query("taking the turn to add up entries of facts"))? {
        return Ok(0);
    }
    sqlx::query_scalar!(
        r#"
            WITH taken AS (
                SELECT e.invocation_id, e.fact_id, e.part FROM fact_entries e
                WHERE e.org_id = $1 AND e.counts AND NOT e.summed AND e.at < 'infinity'
                LIMIT $2 FOR UPDATE SKIP LOCKED
            ), entered AS (
                UPDATE fact_entries e SET summed = true FROM taken t
                WHERE e.org_id = $1 AND e.invocation_id = t.invocation_id AND e.fact_id = t.fact_id AND e.part = t.part
                RETURNING e.fact_id, e.scope_id, e.same, e.at, e.value, e.amount
            ), added AS (
                SELECT e.fact_id, e.scope_id, e.same, date_bin(make_interval(secs => f.slice_s), e.at, 'epoch') AS at,
                       coalesce(e.value, '') AS value, count(*) AS entries, sum(e.amount) AS amount
                FROM entered e JOIN facts f ON f.org_id = $1 AND f.id = e.fact_id
                GROUP BY 1, 2, 3, 4, 5
            ), merged AS (
                DELETE FROM fact_sums s USING added a
                WHERE s.org_id = $1 AND s.fact_id = a.fact_id AND s.scope_id = a.scope_id AND s.same = a.same
                  AND s.at = a.at AND s.value = a.value
                RETURNING s.fact_id, s.scope_id, s.same, s.at, s.value, s.entries, s.amount
            ), written AS (
                INSERT INTO fact_sums (org_id, fact_id, scope_id, same, at, value, entries, amount)
                SELECT $1, fact_id, scope_id, same, at, value, sum(entries), sum(amount)
                FROM (SELECT * FROM added UNION ALL SELECT * FROM merged) AS parts
                GROUP BY fact_id, scope_id, same, at, value
                HAVING sum(entries) <> 0
            )
            SELECT count(*) AS "added!" FROM entered
        "#,
        org.uuid(),
        most,
    )
    .fetch_one(conn)
    .await
    .map_err(query("adding up entries of facts"))
}

/// Deletes what an invocation contributed, because its parameters were corrected.
pub(crate) async fn delete_entries(
    conn: &mut PgConnection,
    org: OrgId,
    of: InvocationId,
) -> Result<(), Error> {
    sqlx::query!("DELETE FROM fact_entries WHERE org_id = $1 AND invocation_id = $2", org.uuid(), of.uuid())
        .execute(conn)
        .await
        .map(drop)
        .map_err(query("deleting entries of an invocation"))
}

/// The values of facts, in the order of the lookups. The entries of one invocation are left out: what waits for a person holds
/// its share already. What waits is in no sum.
pub(crate) async fn read(
    conn: &mut PgConnection,
    org: OrgId,
    lookups: &[Lookup],
    without: Option<InvocationId>,
) -> Result<Vec<FactValue>, Error> {
    let values = sqlx::query_scalar!(
        r#"
            SELECT CASE w.kind
                WHEN 'any' THEN (
                    SELECT count(*) FROM (
                        SELECT FROM fact_entries e
                        WHERE e.org_id = $1 AND e.fact_id = w.fact_id AND e.scope_id = w.scope_id AND e.same = w.same
                          AND e.at >= w.since AND e.counts AND e.invocation_id <> $8
                        LIMIT 1
                    ) AS one
                )
                WHEN 'distinct' THEN (
                    SELECT count(DISTINCT told.value) FROM (
                        SELECT s.value FROM fact_sums s
                        WHERE s.org_id = $1 AND s.fact_id = w.fact_id AND s.scope_id = w.scope_id AND s.same = w.same
                          AND s.at >= w.slices_since
                        GROUP BY s.value HAVING sum(s.entries) > 0
                        UNION ALL
                        SELECT e.value FROM fact_entries e
                        WHERE e.org_id = $1 AND e.fact_id = w.fact_id AND e.scope_id = w.scope_id AND e.same = w.same
                          AND e.at >= w.since AND e.counts AND NOT e.summed AND e.invocation_id <> $8
                        UNION ALL
                        SELECT e.value FROM fact_entries e
                        WHERE e.org_id = $1 AND e.fact_id = w.fact_id AND e.scope_id = w.scope_id AND e.same = w.same
                          AND e.at >= w.since AND e.at < w.slices_since AND e.counts AND e.summed
                    ) AS told
                )
                ELSE (
                    SELECT least(coalesce(sum(told.amount), 0), 9223372036854775807)::bigint FROM (
                        SELECT s.amount FROM fact_sums s
                        WHERE s.org_id = $1 AND s.fact_id = w.fact_id AND s.scope_id = w.scope_id AND s.same = w.same
                          AND s.at >= w.slices_since
                        UNION ALL
                        SELECT e.amount FROM fact_entries e
                        WHERE e.org_id = $1 AND e.fact_id = w.fact_id AND e.scope_id = w.scope_id AND e.same = w.same
                          AND e.at >= w.since AND e.counts AND NOT e.summed AND e.invocation_id <> $8
                        UNION ALL
                        SELECT e.amount FROM fact_entries e
                        WHERE e.org_id = $1 AND e.fact_id = w.fact_id AND e.scope_id = w.scope_id AND e.same = w.same
                          AND e.at >= w.since AND e.at < w.slices_since AND e.counts AND e.summed
                    ) AS told
                )
            END AS "value!"
            FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::timestamptz[], $7::text[])
                WITH ORDINALITY AS w (fact_id, scope_id, same, since, slices_since, kind, number)
            ORDER BY w.number
        "#,
        org.uuid(),
        &column(lookups.iter(), |lookup| lookup.fact.uuid()),
        &column(lookups.iter(), |lookup| lookup.scope),
        &column(lookups.iter(), |lookup| lookup.same.as_slice()) as _,
        &column(lookups.iter(), |lookup| lookup.since.to_sqlx()) as _,
        &column(lookups.iter(), |lookup| lookup.slices_since.to_sqlx()) as _,
        &column(lookups.iter(), |lookup| lookup.kind.as_str().to_owned()),
        without.map_or_else(uuid::Uuid::nil, InvocationId::uuid),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the values of facts"))?;
    let value = |(kind, value)| {
        if kind == FactKind::Any { FactValue::Truth(value > 0) } else { FactValue::Number(value) }
    };
    Ok(lookups.iter().map(|lookup| lookup.kind).zip(values).map(value).collect())
}
