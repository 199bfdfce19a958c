//! Attack 8, the rows: the service's own database role executes SQL as if every `WHERE` had been forgotten. The list of
//! tables is read from the database, so a new table is tested without a change here. The control disables the row-level
//! security of each table in turn and expects the check to report that table.

use std::collections::BTreeSet;

use anyhow::Context as _;
use model::OrgId;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Postgres, Transaction};
use testkit::TestDb;
use uuid::Uuid;

use crate::attacks::tenancy::setup::{Stage, TENANT_TABLES};

const SERVICE: &str = "countersign_service";

/// Policies other than `tenant`: for rows that must be read before the organization is known, by functions that return
/// only ids.
const LOOKUPS: &[(&str, &str)] = &[
    ("sessions", "lookup"),
    ("api_tokens", "lookup"),
    ("invitations", "lookup"),
    ("memberships", "lookup"),
    ("orgs", "lookup"),
    ("agent_calls", "erase"),
    ("agent_steps", "erase"),
    ("agent_turns", "erase"),
    ("approvals", "erase"),
    ("attempts", "erase"),
    ("group_entries", "erase"),
    ("invocations", "erase"),
    ("run_steps", "erase"),
    ("runs", "erase"),
    ("invocations", "lookup"),
    ("connectors", "lookup"),
    ("connector_authorizations", "lookup"),
    ("events", "lookup"),
    ("changes", "lookup"),
    ("receipts", "lookup"),
    ("receipts", "erase"),
    ("erasures", "lookup"),
    ("erasures", "erase"),
    ("ledger_entries", "lookup"),
    ("ledger_orgs", "lookup"),
    ("idempotency_keys", "purge"),
    ("notices", "lookup"),
    ("published_events", "purge"),
    ("slack_clicks", "purge"),
    ("grants", "purge"),
    ("facts", "lookup"),
    ("fact_entries", "purge"),
    ("fact_sums", "purge"),
    ("payloads", "purge"),
    ("quarantined", "purge"),
    ("revealed_values", "purge"),
    ("run_traces", "purge"),
    ("runs", "lookup"),
    ("runs", "purge"),
    ("seen_documents", "purge"),
    ("shown_documents", "purge"),
    ("spending", "purge"),
    ("triggers", "lookup"),
    ("webhook_deliveries", "lookup"),
    ("webhook_deliveries", "purge"),
];
/// Tables that belong to no organization.
const NOBODYS: &[&str] = &[
    "_sqlx_migrations",
    "deployment",
    "event_followers",
    "event_positions",
    "identities",
    "ledger_checkpoints",
    "ledger_head",
    "ledger_keys",
    "ledger_positions",
    "ledger_tiles",
    "signing_keys",
    "users",
];
/// Functions that run with other rights than their caller's (`SECURITY DEFINER`), and their result types.
const RAISED: &[(&str, &str)] = &[
    ("drop_events", "integer"),
    ("due_notices", "TABLE(org_id uuid, id uuid)"),
    ("ensure_partitions", "integer"),
    ("erase_overdue", "bigint"),
    ("erase_receipt", "boolean"),
    ("events_after", "TABLE(org_id uuid, id uuid, \"position\" bigint)"),
    ("expired_leases", "TABLE(org_id uuid, id uuid)"),
    ("find_api_token", "TABLE(org_id uuid, id uuid)"),
    ("find_authorization", "TABLE(org_id uuid, id uuid)"),
    ("find_hook_token", "TABLE(org_id uuid, id uuid)"),
    ("find_invitation", "TABLE(org_id uuid, id uuid)"),
    ("find_org", "uuid"),
    ("find_session_token", "TABLE(org_id uuid, id uuid)"),
    ("invitations_of", "TABLE(org_id uuid, id uuid)"),
    ("ledger_put", "void"),
    ("ledger_sizes", "TABLE(org_id uuid, size bigint)"),
    (
        "ledger_waiting",
        "TABLE(org_id uuid, record_id uuid, kind text, \"position\" bigint, keyid text, commitment bytea)",
    ),
    ("orgs_of", "TABLE(org_id uuid, slug text, name text, role text)"),
    ("overdue_deliveries", "TABLE(org_id uuid, id uuid)"),
    ("overdue_harvests", "TABLE(org_id uuid, id uuid)"),
    ("overdue_invocations", "TABLE(org_id uuid, id uuid, status text)"),
    ("overdue_runs", "TABLE(org_id uuid, id uuid)"),
    ("overdue_triggers", "TABLE(org_id uuid, id uuid)"),
    ("purge_deliveries", "bigint"),
    ("purge_fact_entries", "bigint"),
    ("purge_grants", "bigint"),
    ("purge_idempotency_keys", "bigint"),
    ("purge_payloads", "bigint"),
    ("purge_published_events", "bigint"),
    ("purge_quarantined", "bigint"),
    ("purge_runs", "bigint"),
    ("purge_shown_documents", "bigint"),
    ("purge_slack_clicks", "bigint"),
    ("receipt_periods", "TABLE(org_id uuid, days integer)"),
    ("skip_events", "void"),
    ("unfilled_facts", "TABLE(org_id uuid, id uuid)"),
];

/// The columns that the role of the lookups may read: ids, states and times, and the content of the ledger.
const READ: &[&str] = &[
    "accepted_at",
    "approved_at",
    "at",
    "commitment",
    "created_at",
    "day",
    "dead_at",
    "due_at",
    "email",
    "enabled",
    "erased_at",
    "expires_at",
    "fact_id",
    "finished_at",
    "group_name",
    "id",
    "invocation_id",
    "is_filled",
    "keyid",
    "kind",
    "last_harvested_at",
    "lease_until",
    "legal_hold",
    "name",
    "next_at",
    "org_id",
    "position",
    "published_at",
    "receipt_id",
    "receipts_kept_days",
    "receipts_kept_days_before",
    "receipts_shorter_at",
    "revealed_at",
    "role",
    "run_id",
    "seen_at",
    "shown_at",
    "size",
    "slug",
    "state_sha256",
    "status",
    "token_sha256",
    "used_at",
    "user_id",
    "withdrawn_at",
];
/// The columns that it may write: the ledger, and the columns that are cleared when a body is erased. None of these
/// privileges allows reading.
const WRITTEN: &[&str] = &[
    "changed",
    "commitment",
    "edits",
    "erased_at",
    "error",
    "index",
    "inputs",
    "inputs_sealed",
    "kept",
    "keyid",
    "kind",
    "logged_at",
    "message",
    "note",
    "number",
    "org_id",
    "params",
    "payload",
    "position",
    "reason",
    "receipt_id",
    "released",
    "result",
    "seed",
    "signature",
    "size",
    "subject",
];

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Flaw {
    table: String,
    what: String,
}

/// Two organizations whose rows are tried, and their database.
struct Ground<'a> {
    db: &'a TestDb,
    a: OrgId,
    b: OrgId,
}

impl Ground<'_> {
    async fn tables(&self) -> anyhow::Result<Vec<String>> {
        Ok(sqlx::query_scalar(TENANT_TABLES).fetch_all(&mut self.db.service().await?).await?)
    }
}

async fn inside(conn: &mut PgConnection, org: Option<OrgId>) -> anyhow::Result<Transaction<'_, Postgres>> {
    let mut tx = conn.begin().await?;
    if let Some(org) = org {
        let org = org.uuid().to_string();
        sqlx::query("SELECT set_config('app.org', $1, true)").bind(org).execute(&mut *tx).await?;
    }
    Ok(tx)
}

async fn asked(conn: &mut PgConnection, question: String) -> anyhow::Result<bool> {
    Ok(sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(conn).await?)
}

/// The result of a statement: the number of rows it touched, or the SQLSTATE of its refusal.
async fn ran(tx: &mut PgConnection, statement: String, row: Option<&Value>) -> Result<u64, String> {
    let mut query = sqlx::query(AssertSqlSafe(statement));
    if let Some(row) = row {
        query = query.bind(row);
    }
    let code = |error: sqlx::Error| match error.as_database_error().and_then(|error| error.code()) {
        Some(code) => code.into_owned(),
        None => error.to_string(),
    };
    query.execute(tx).await.map(|done| done.rows_affected()).map_err(code)
}

const REFUSED: &str = "42501";

/// The statements that are tried on one table, and which privileges the service has on it.
struct Statements {
    org_column: &'static str,
    may: [bool; 3],
    update: String,
}

async fn statements(conn: &mut PgConnection, table: &str) -> anyhow::Result<Statements> {
    let mut may = [false; 3];
    for (may, privilege) in may.iter_mut().zip(["INSERT", "UPDATE", "DELETE"]) {
        let whole = format!("SELECT has_table_privilege('{SERVICE}', '{table}', '{privilege}')");
        *may = asked(conn, whole).await?;
    }
    let column: Option<String> = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT attname::text FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0
           AND NOT attisdropped AND has_column_privilege('{SERVICE}', attrelid, attnum, 'UPDATE') LIMIT 1"
    )))
    .fetch_optional(&mut *conn)
    .await?;
    let org_column = if table == "orgs" { "id" } else { "org_id" };
    may[1] = column.is_some();
    let column = column.as_deref().unwrap_or(org_column);
    Ok(Statements { org_column, may, update: format!("UPDATE {table} SET {column} = {column}") })
}

/// Tries select, insert, update and delete on A's rows of one table, as A, as B and without an organization.
async fn try_table(ground: &Ground<'_>, table: &str) -> anyhow::Result<(usize, Vec<Flaw>)> {
    let mut conn = ground.db.service().await?;
    let statements = statements(&mut conn, table).await?;
    let (column, a) = (statements.org_column, ground.a.uuid());
    let mut flaws = Vec::new();
    let mut flaw = |what: String| flaws.push(Flaw { table: table.to_owned(), what });
    let row: Option<Value> = {
        let mut tx = inside(&mut conn, Some(ground.a)).await?;
        let first = format!("SELECT to_jsonb(t) FROM {table} t WHERE {column} = '{a}' LIMIT 1");
        sqlx::query_scalar(AssertSqlSafe(first)).fetch_optional(&mut *tx).await?
    };
    let Some(row) = row else {
        flaw("its own org sees no row of it; is one put there by the stage?".to_owned());
        return Ok((1, flaws));
    };
    let mut tried = 1;
    for (name, org, own) in
        [("own", Some(ground.a), true), ("other", Some(ground.b), false), ("none", None, false)]
    {
        let seen = format!("SELECT * FROM {table} WHERE {column} = '{a}'");
        let rest = org.map_or_else(Uuid::nil, OrgId::uuid);
        let strangers = format!("SELECT * FROM {table} WHERE {column} <> '{rest}'");
        let insert = format!("INSERT INTO {table} SELECT * FROM jsonb_populate_record(NULL::{table}, $1)");
        let update = format!("{} WHERE {column} = '{a}'", statements.update);
        let delete = format!("DELETE FROM {table} WHERE {column} = '{a}'");
        for (verb, statement, may) in [
            ("select", seen, true),
            ("select of everything", strangers, true),
            ("insert", insert, statements.may[0]),
            ("update", update, statements.may[1]),
            ("delete", delete, statements.may[2]),
        ] {
            tried += 1;
            let mut tx = inside(&mut conn, org).await?;
            let bound = (verb == "insert").then_some(&row);
            let ended = ran(&mut tx, statement, bound).await;
            tx.rollback().await?;
            if !as_it_should_be((verb, own, may), &ended) {
                flaw(format!("{verb} with the org `{name}`: {ended:?}"));
            }
        }
    }
    Ok((tried, flaws))
}

/// Whether the result of a statement agrees with row-level security and the privileges.
fn as_it_should_be((verb, own, may): (&str, bool, bool), ended: &Result<u64, String>) -> bool {
    match (verb, ended) {
        (_, Err(code)) if !may => code == REFUSED,
        (_, Ok(_)) if !may => false,
        ("select of everything", ended) => *ended == Ok(0),
        // The row exists already, so an insert that row-level security permits fails at the primary key.
        ("insert", Err(code)) => (code == REFUSED) != own,
        ("insert", Ok(_)) => own,
        // Foreign keys may prevent the deletion of a row; that is not row-level security.
        ("delete", Err(code)) => own && code == "23503",
        (_, ended) => {
            if own {
                ended.as_ref().is_ok_and(|rows| *rows > 0)
            } else {
                *ended == Ok(0)
            }
        }
    }
}

/// Checks the row-level security of a table in the database's catalog.
async fn described(ground: &Ground<'_>, table: &str) -> anyhow::Result<Vec<Flaw>> {
    let mut conn = ground.db.owner().await?;
    let fence = format!(
        "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = '{table}'::regclass"
    );
    let mut wrong = Vec::new();
    if !asked(&mut conn, fence).await? {
        wrong.push("row-level security is not enabled and forced".to_owned());
    }
    let policies: Vec<(String, String, String, String, String)> = sqlx::query_as(
        "SELECT policyname::text, roles::text, permissive || ' ' || cmd, coalesce(qual, ''), coalesce(with_check, '')
         FROM pg_policies WHERE schemaname = 'public' AND tablename = $1 ORDER BY 1",
    )
    .bind(table)
    .fetch_all(&mut conn)
    .await?;
    let column = if table == "orgs" { "id" } else { "org_id" };
    let rule = format!("({column} = current_org())");
    let fence = ("tenant", "{countersign_service}", "PERMISSIVE ALL", rule.as_str(), rule.as_str());
    let mut fenced = false;
    for policy in &policies {
        let (name, roles, kind, using, check) = policy;
        let found = (name.as_str(), roles.as_str(), kind.as_str(), using.as_str(), check.as_str());
        let lookup = LOOKUPS.contains(&(table, name)) && roles == "{countersign_lookup}";
        fenced |= found == fence;
        if found != fence && !lookup {
            wrong.push(format!("an unexpected policy: {found:?}"));
        }
    }
    if !fenced {
        wrong.push("the policy `tenant` is missing".to_owned());
    }
    Ok(wrong.into_iter().map(|what| Flaw { table: table.to_owned(), what }).collect())
}

async fn check(ground: &Ground<'_>) -> anyhow::Result<(usize, Vec<Flaw>)> {
    check_tables(ground, &ground.tables().await?).await
}

async fn check_tables(ground: &Ground<'_>, tables: &[String]) -> anyhow::Result<(usize, Vec<Flaw>)> {
    let (mut tried, mut flaws) = (0, Vec::new());
    for table in tables {
        let (more, found) = try_table(ground, table).await?;
        tried += more;
        flaws.extend(found);
        flaws.extend(described(ground, table).await?);
    }
    Ok((tried, flaws))
}

fn ground(stage: &Stage) -> Ground<'_> {
    Ground { db: &stage.app.db, a: stage.a.id, b: stage.b.id }
}

#[tokio::test]
async fn the_service_reaches_no_row_of_another_org_by_any_statement() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (tried, flaws) = check(&ground(&stage)).await?;
    testkit::tried(8, "rows", tried, flaws.len());
    assert!(flaws.is_empty(), "{flaws:#?}");
    Ok(())
}

#[tokio::test]
async fn a_fence_that_is_down_is_reported_for_that_very_table() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let ground = ground(&stage);
    let mut owner = stage.app.db.owner().await?;
    let mut taken_down = 0;
    let tables = ground.tables().await?;
    for table in &tables {
        let alter = |what: &str| format!("ALTER TABLE {table} {what} ROW LEVEL SECURITY");
        let column = if table == "orgs" { "id" } else { "org_id" };
        let rule = format!("{column} = current_org()");
        let drop = format!("DROP POLICY tenant ON {table}");
        let policy = |rule: &str| {
            format!("CREATE POLICY tenant ON {table} TO {SERVICE} USING ({rule}) WITH CHECK ({rule})")
        };
        let (open, fence) = (format!("{drop};{}", policy("true")), policy(&rule));
        for (how, down, up, leaks) in [
            ("disabled", alter("DISABLE"), alter("ENABLE"), true),
            ("open to all", open, format!("{drop};{fence}"), true),
            ("not forced", alter("NO FORCE"), alter("FORCE"), false),
            ("without its policy", drop.clone(), fence.clone(), false),
        ] {
            sqlx::raw_sql(AssertSqlSafe(down)).execute(&mut owner).await?;
            // All tables are checked in one case only, to show that no other table is reported: this takes the longest.
            let tried = if how == "disabled" { tables.as_slice() } else { std::slice::from_ref(table) };
            let (_, flaws) = check_tables(&ground, tried).await?;
            sqlx::raw_sql(AssertSqlSafe(up)).execute(&mut owner).await?;
            let named: BTreeSet<_> = flaws.iter().map(|flaw| flaw.table.as_str()).collect();
            assert_eq!(named, BTreeSet::from([table.as_str()]), "{table} {how}: {flaws:#?}");
            let leaked = flaws.iter().any(|flaw| flaw.what.starts_with("select with the org `other`: Ok("));
            assert_eq!(leaked, leaks, "{table} {how}: {flaws:#?}");
            taken_down += 1;
        }
    }
    let (_, flaws) = check(&ground).await?;
    assert!(flaws.is_empty(), "row-level security is restored: {flaws:#?}");
    testkit::tried(8, "control: fences taken down, and seen", taken_down, 0);
    Ok(())
}

#[tokio::test]
async fn a_new_table_without_a_fence_is_reported() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let mut owner = stage.app.db.owner().await?;
    let new = "CREATE TABLE forgotten (org_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (org_id, id));
               GRANT SELECT, INSERT, UPDATE, DELETE ON forgotten TO countersign_service";
    sqlx::raw_sql(new).execute(&mut owner).await?;
    for org in [stage.a.id, stage.b.id] {
        let insert = "INSERT INTO forgotten VALUES ($1, gen_random_uuid())";
        sqlx::query(insert).bind(org.uuid()).execute(&mut owner).await?;
    }
    let (_, flaws) = check(&ground(&stage)).await?;
    assert!(!flaws.is_empty() && flaws.iter().all(|flaw| flaw.table == "forgotten"), "{flaws:#?}");
    Ok(())
}

#[tokio::test]
async fn every_table_belongs_to_an_org_or_is_listed_as_nobodys() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let all: Vec<String> = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'I', 'v')
           AND NOT relispartition AND relname NOT IN ({TENANT_TABLES}) ORDER BY 1"
    )))
    .fetch_all(&mut db.owner().await?)
    .await?;
    assert_eq!(all, NOBODYS);
    Ok(())
}

/// A plain view reads with the rights of its owner, and so bypasses the row-level security of its reader.
#[tokio::test]
async fn every_view_sees_what_its_reader_may_see() -> anyhow::Result<()> {
    let app = testkit::TestApp::start().await?;
    app.agent().await?;
    let (other, _) = app.another_org().await?;
    let views: Vec<(String, bool)> = sqlx::query_as(
        "SELECT relname::text, coalesce('security_invoker=true' = ANY (reloptions), false) FROM pg_class
         WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace",
    )
    .fetch_all(&mut app.db.owner().await?)
    .await?;
    assert_eq!(views, [("standings".to_owned(), true)]);
    for (org, expected) in [(app.org, 1), (other, 0)] {
        let mut tx = app.app.db.begin(org).await?;
        let seen: i64 = sqlx::query_scalar("SELECT count(*) FROM standings").fetch_one(&mut *tx).await?;
        assert_eq!(seen, expected);
    }
    // Without an organization, the view has no rows.
    let unscoped: i64 =
        sqlx::query_scalar("SELECT count(*) FROM standings").fetch_one(&mut app.db.service().await?).await?;
    assert_eq!(unscoped, 0);
    Ok(())
}

#[tokio::test]
async fn the_service_has_no_way_around_the_parents_of_partitions() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let mut service = db.service().await?;
    let partitions: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relispartition AND relkind IN ('r', 'p')
           AND relnamespace = 'public'::regnamespace",
    )
    .fetch_all(&mut service)
    .await?;
    assert!(partitions.len() > 8, "{partitions:?}");
    for partition in &partitions {
        for statement in [
            format!("SELECT * FROM {partition}"),
            format!("INSERT INTO {partition} SELECT * FROM {partition}"),
            format!("UPDATE {partition} SET org_id = org_id"),
            format!("DELETE FROM {partition}"),
            format!("TRUNCATE {partition}"),
        ] {
            assert_eq!(
                ran(&mut service, statement.clone(), None).await,
                Err(REFUSED.to_owned()),
                "{statement}"
            );
        }
    }
    testkit::tried(8, "partitions", partitions.len() * 5, 0);
    Ok(())
}

#[tokio::test]
async fn functions_with_raised_rights_show_ids_alone() -> anyhow::Result<()> {
    let db = TestDb::create().await?;
    let mut owner = db.owner().await?;
    let raised: Vec<(String, String)> = sqlx::query_as(
        "SELECT proname::text, pg_get_function_result(oid) FROM pg_proc
         WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await?;
    let raised: Vec<_> = raised.iter().map(|(name, shows)| (name.as_str(), shows.as_str())).collect();
    assert_eq!(raised, RAISED);
    let loose: Vec<String> = sqlx::query_scalar(
        "SELECT proname::text FROM pg_proc
         WHERE prosecdef AND pronamespace = 'public'::regnamespace AND (
            has_function_privilege('public', oid, 'EXECUTE')
            OR NOT coalesce('search_path=pg_catalog, public' = ANY (proconfig), false))",
    )
    .fetch_all(&mut owner)
    .await?;
    assert!(loose.is_empty(), "executable by everybody, or with the caller's search path: {loose:?}");
    assert_eq!(columns(&mut owner, "privilege_type = 'SELECT'").await?, READ);
    assert_eq!(columns(&mut owner, "privilege_type IN ('INSERT', 'UPDATE')").await?, WRITTEN);
    Ok(())
}

/// The columns on which the role of the lookups has a privilege.
async fn columns(owner: &mut PgConnection, privilege: &str) -> anyhow::Result<Vec<String>> {
    let question = format!(
        "SELECT DISTINCT column_name::text FROM information_schema.column_privileges
         WHERE grantee = 'countersign_lookup' AND {privilege} ORDER BY 1"
    );
    Ok(sqlx::query_scalar(AssertSqlSafe(question)).fetch_all(owner).await?)
}

#[tokio::test]
async fn the_service_cannot_change_what_is_proof_nor_become_somebody_else() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let mut conn = stage.app.db.service().await?;
    for statement in [
        "UPDATE receipts SET status = status",
        "DELETE FROM receipts",
        "TRUNCATE receipts",
        "UPDATE events SET type = type",
        "DELETE FROM events",
        "DELETE FROM invocations",
        "UPDATE invocations SET params = '{}' WHERE status NOT IN ('pending', 'approved')",
        "UPDATE invocations SET decision = '{}' WHERE status NOT IN ('pending', 'approved')",
        "ALTER TABLE receipts DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON receipts",
        "SET ROLE countersign_owner",
        "SET ROLE countersign_lookup",
        "CREATE TABLE mine (id integer)",
    ] {
        let mut tx = inside(&mut conn, Some(stage.a.id)).await?;
        assert_eq!(ran(&mut tx, statement.to_owned(), None).await, Err(REFUSED.to_owned()), "{statement}");
    }
    let plain = "SELECT NOT (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
                 FROM pg_roles WHERE rolname = 'countersign_service'";
    assert!(asked(&mut conn, plain.to_owned()).await.context("asking about the role")?);
    Ok(())
}
