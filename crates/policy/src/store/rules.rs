//! Rows of `rules`.

use changes::Recorded;
use jiff_sqlx::ToSqlx as _;
use model::{AutomationId, Mode, OrgId, RuleId, UserId};
use platform::db::{Error, query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Condition,
    rules::{Rule, RuleScope, StoredRule},
};

struct RuleRow {
    id: Uuid,
    automation_id: Option<Uuid>,
    source: String,
    action: String,
    mode: String,
    reason: String,
    condition: String,
    step: Option<Vec<u8>>,
    set_by: Uuid,
    updated_at: jiff_sqlx::Timestamp,
}

impl TryFrom<RuleRow> for StoredRule {
    type Error = Error;

    fn try_from(row: RuleRow) -> Result<Self, Error> {
        let scope =
            row.automation_id.map_or(RuleScope::Org, |id| RuleScope::Automation(AutomationId::from_uuid(id)));
        let mode = Mode::parse(&row.mode).ok_or(Error::Inconsistent { column: "rules.mode" })?;
        Ok(Self {
            id: RuleId::from_uuid(row.id),
            rule: Rule {
                scope,
                source: row.source,
                action: row.action,
                mode,
                reason: row.reason,
                condition: super::condition(&row.condition, "rules.condition")?,
                step: super::step(row.step, "rules.step")?,
            },
            set_by: UserId::from_uuid(row.set_by),
            updated_at: row.updated_at.to_jiff(),
        })
    }
}

const fn scope_of(rule: &Rule) -> (&'static str, Option<Uuid>) {
    match rule.scope {
        RuleScope::Org => ("org", None),
        RuleScope::Automation(id) => ("automation", Some(id.uuid())),
    }
}

/// The rule that setting this one replaces, locked until the caller's transaction ends.
pub(crate) async fn lock_same(
    conn: &mut PgConnection,
    org: OrgId,
    rule: &Rule,
) -> Result<Option<StoredRule>, Error> {
    let (scope, automation) = scope_of(rule);
    let row = sqlx::query_as!(
        RuleRow,
        r#"
            SELECT id, automation_id, source, action, mode, reason, set_by, updated_at, condition, step FROM rules
            WHERE org_id = $1 AND scope = $2 AND automation_id IS NOT DISTINCT FROM $3 AND source = $4 AND action = $5
              AND condition = $6 AND step IS NOT DISTINCT FROM $7
            FOR UPDATE
        "#,
        org.uuid(),
        scope,
        automation,
        rule.source,
        rule.action,
        rule.condition.as_ref().map(Condition::as_text).unwrap_or_default(),
        rule.step.as_ref().map(|step| step.as_bytes().as_slice()),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking the rule that is replaced"))?;
    row.map(StoredRule::try_from).transpose()
}

/// A rule, locked until the caller's transaction ends.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    org: OrgId,
    id: RuleId,
) -> Result<Option<StoredRule>, Error> {
    let row = sqlx::query_as!(
        RuleRow,
        r#"
            SELECT id, automation_id, source, action, mode, reason, set_by, updated_at, condition, step FROM rules
            WHERE org_id = $1 AND id = $2 FOR UPDATE
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("locking a rule"))?;
    row.map(StoredRule::try_from).transpose()
}

pub(crate) async fn upsert(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    new: &StoredRule,
) -> Result<StoredRule, Error> {
    let (scope, automation) = scope_of(&new.rule);
    let row = sqlx::query_as!(
        RuleRow,
        r#"
            INSERT INTO rules
                (org_id, id, scope, automation_id, source, action, mode, reason, set_by, created_at, updated_at,
                 condition, step)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)
            ON CONFLICT ON CONSTRAINT rules_key DO UPDATE
                SET mode = excluded.mode, reason = excluded.reason, set_by = excluded.set_by, updated_at = excluded.updated_at
            RETURNING id, automation_id, source, action, mode, reason, set_by, updated_at, condition, step
        "#,
        org.uuid(),
        new.id.uuid(),
        scope,
        automation,
        new.rule.source,
        new.rule.action,
        new.rule.mode.as_str(),
        new.rule.reason,
        new.set_by.uuid(),
        new.updated_at.to_sqlx(),
        new.rule.condition.as_ref().map(Condition::as_text).unwrap_or_default(),
        new.rule.step.as_ref().map(|step| step.as_bytes().as_slice()),
    )
    .fetch_one(&mut **recorded)
    .await
    .map_err(query("setting a rule"))?;
    StoredRule::try_from(row)
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<StoredRule>, Error> {
    let rows = sqlx::query_as!(
        RuleRow,
        r#"
            SELECT id, automation_id, source, action, mode, reason, set_by, updated_at, condition, step FROM rules
            WHERE org_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        "#,
        org.uuid(),
        after,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing rules"))?;
    rows.into_iter().map(StoredRule::try_from).collect()
}

pub(crate) async fn delete(recorded: &mut Recorded<'_>, org: OrgId, id: RuleId) -> Result<bool, Error> {
    let done = sqlx::query!("DELETE FROM rules WHERE org_id = $1 AND id = $2", org.uuid(), id.uuid())
        .execute(&mut **recorded)
        .await
        .map_err(query("deleting a rule"))?;
    Ok(done.rows_affected() == 1)
}
