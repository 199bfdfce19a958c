//! Rows of `sessions`.

use std::collections::HashMap;

use changes::Recorded;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx as _;
use model::{
    Actor, ApiTokenId, AutomationId, InOrg, OrgId, RiskBand, RunId, SessionId, SessionKind, SpaceId, UserId,
};
use platform::{
    db::{self, known, query},
    period::least_uuid,
    token::Hash,
};
use sqlx::PgConnection;

use crate::{
    Error, Page,
    sessions::{AgentSessions, Session, SessionFacts, SessionPlace, SessionRun},
};

/// How many agents are listed.
const MOST_AGENTS: i64 = 500;

struct SessionRow {
    id: uuid::Uuid,
    space_id: uuid::Uuid,
    kind: String,
    agent: String,
    title: String,
    capabilities: Vec<String>,
    created_by: uuid::Uuid,
    created_at: jiff_sqlx::Timestamp,
    expires_at: jiff_sqlx::Timestamp,
    ended_at: Option<jiff_sqlx::Timestamp>,
    automation_id: Option<uuid::Uuid>,
    run_id: Option<uuid::Uuid>,
    started_by: Option<uuid::Uuid>,
    caused_by: Option<uuid::Uuid>,
    depth: i16,
    origin_chain: Vec<String>,
}

impl TryFrom<SessionRow> for Session {
    type Error = db::Error;

    fn try_from(row: SessionRow) -> Result<Self, db::Error> {
        let chain = (row.depth, row.origin_chain);
        let run = run(row.automation_id, row.run_id, (row.started_by, row.caused_by), chain);
        Ok(Self {
            run,
            id: SessionId::from_uuid(row.id),
            space: SpaceId::from_uuid(row.space_id),
            kind: known(SessionKind::parse(&row.kind), "sessions.kind")?,
            agent: row.agent,
            title: row.title,
            capabilities: row.capabilities,
            created_by: UserId::from_uuid(row.created_by),
            created_at: row.created_at.to_jiff(),
            expires_at: row.expires_at.to_jiff(),
            ended_at: row.ended_at.map(|at| at.to_jiff()),
        })
    }
}

fn run(
    automation: Option<uuid::Uuid>,
    run: Option<uuid::Uuid>,
    (started_by, caused_by): (Option<uuid::Uuid>, Option<uuid::Uuid>),
    (depth, chain): (i16, Vec<String>),
) -> Option<SessionRun> {
    automation.zip(run).map(|(automation, run)| SessionRun {
        automation: AutomationId::from_uuid(automation),
        run: RunId::from_uuid(run),
        started_by: started_by.map(UserId::from_uuid),
        caused_by: caused_by.map(UserId::from_uuid),
        depth: u8::try_from(depth).unwrap_or(u8::MAX),
        chain,
    })
}

pub(crate) async fn open(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    session: &Session,
    (hash, opened_with): (&Hash, Option<ApiTokenId>),
) -> Result<(), Error> {
    insert(recorded, org, session, (hash, opened_with)).await
}

/// Opens the session of a run, which has the authority of its automation.
pub(crate) async fn open_for_run(
    conn: &mut PgConnection,
    org: OrgId,
    session: &Session,
    hash: &Hash,
) -> Result<(), Error> {
    insert(conn, org, session, (hash, None)).await
}

async fn insert(
    conn: &mut PgConnection,
    org: OrgId,
    session: &Session,
    (hash, opened_with): (&Hash, Option<ApiTokenId>),
) -> Result<(), Error> {
    let run = session.run.as_ref();
    sqlx::query!(
        r#"
            INSERT INTO sessions
                (org_id, id, space_id, kind, agent, title, capabilities, token_sha256, created_by, created_at, expires_at,
                 automation_id, run_id, depth, origin_chain, started_by, opened_with, caused_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        "#,
        org.uuid(),
        session.id.uuid(),
        session.space.uuid(),
        session.kind.as_str(),
        session.agent,
        session.title,
        &session.capabilities,
        hash.as_bytes().as_slice(),
        session.created_by.uuid(),
        session.created_at.to_sqlx(),
        session.expires_at.to_sqlx(),
        run.map(|run| run.automation.uuid()),
        run.map(|run| run.run.uuid()),
        run.map_or(0, |run| i16::from(run.depth)),
        run.map_or(&[][..], |run| &run.chain),
        run.and_then(|run| run.started_by).map(|user| user.uuid()),
        opened_with.map(|token| token.uuid()),
        run.and_then(|run| run.caused_by).map(|user| user.uuid()),
    )
    .execute(conn)
    .await
    .map_err(query("adding a session"))
    .map_err(|error| Error::named(error, &[("sessions_space_fkey", Error::NotFound("space"))]))?;
    Ok(())
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    org: OrgId,
    id: SessionId,
) -> Result<Option<Session>, db::Error> {
    let row = sqlx::query_as!(
        SessionRow,
        r#"
            SELECT id, space_id, kind, agent, title, capabilities, created_by, created_at, expires_at, ended_at,
                   automation_id, run_id, started_by, caused_by, depth, origin_chain
            FROM sessions WHERE org_id = $1 AND id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding a session"))?;
    row.map(Session::try_from).transpose()
}

pub(crate) async fn find_many(
    conn: &mut PgConnection,
    org: OrgId,
    ids: &[SessionId],
) -> Result<Vec<Session>, db::Error> {
    let rows = sqlx::query_as!(
        SessionRow,
        r#"
            SELECT id, space_id, kind, agent, title, capabilities, created_by, created_at, expires_at, ended_at,
                   automation_id, run_id, started_by, caused_by, depth, origin_chain
            FROM sessions WHERE org_id = $1 AND id = ANY ($2)
        "#,
        org.uuid(),
        &db::column(ids.iter(), |id| id.uuid()),
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding sessions"))?;
    rows.into_iter().map(Session::try_from).collect()
}

pub(crate) async fn list(conn: &mut PgConnection, org: OrgId, page: Page) -> Result<Vec<Session>, db::Error> {
    let rows = sqlx::query_as!(
        SessionRow,
        r#"
            SELECT id, space_id, kind, agent, title, capabilities, created_by, created_at, expires_at, ended_at,
                   automation_id, run_id, started_by, caused_by, depth, origin_chain
            FROM sessions WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3
        "#,
        org.uuid(),
        page.after,
        page.limit,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing sessions"))?;
    rows.into_iter().map(Session::try_from).collect()
}

/// The agents with sessions that people opened since a moment, with how many are open and when the last one was opened.
pub(crate) async fn agents(
    conn: &mut PgConnection,
    org: OrgId,
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<AgentSessions>, db::Error> {
    let rows = sqlx::query!(
        r#"
            SELECT agent, count(*) FILTER (WHERE ended_at IS NULL AND expires_at > $3) AS "open!",
                   max(created_at) AS "last_opened!: jiff_sqlx::Timestamp"
            FROM sessions WHERE org_id = $1 AND id >= $2 AND run_id IS NULL
            GROUP BY agent ORDER BY 3 DESC LIMIT $4
        "#,
        org.uuid(),
        least_uuid(since),
        now.to_sqlx() as _,
        MOST_AGENTS,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing agents"))?;
    let agents = rows.into_iter().map(|row| AgentSessions {
        agent: row.agent,
        open: row.open,
        last_opened: row.last_opened.to_jiff(),
    });
    Ok(agents.collect())
}

/// The open sessions of an agent, newest first.
pub(crate) async fn open_of(
    conn: &mut PgConnection,
    org: OrgId,
    agent: &str,
    (since, now): (Timestamp, Timestamp),
) -> Result<Vec<Session>, db::Error> {
    let rows = sqlx::query_as!(
        SessionRow,
        r#"
            SELECT id, space_id, kind, agent, title, capabilities, created_by, created_at, expires_at, ended_at,
                   automation_id, run_id, started_by, caused_by, depth, origin_chain
            FROM sessions
            WHERE org_id = $1 AND id >= $2 AND agent = $3 AND run_id IS NULL AND ended_at IS NULL AND expires_at > $4
            ORDER BY id DESC LIMIT 50
        "#,
        org.uuid(),
        least_uuid(since),
        agent,
        now.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
    .map_err(query("listing the sessions of an agent"))?;
    rows.into_iter().map(Session::try_from).collect()
}

/// Ends all sessions of a person: those that they opened, and those of runs of what they saved.
pub(crate) async fn end_all_of(
    recorded: &mut Recorded<'_>,
    Actor { org, user }: Actor,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        "UPDATE sessions SET ended_at = $3 WHERE org_id = $1 AND created_by = $2 AND ended_at IS NULL",
        org.uuid(),
        user.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("ending the sessions of a person"))
}

/// Ends all sessions of an organization; returns how many.
pub(crate) async fn end_all(
    recorded: &mut Recorded<'_>,
    org: OrgId,
    now: Timestamp,
) -> Result<u64, db::Error> {
    let done = sqlx::query!(
        "UPDATE sessions SET ended_at = $2 WHERE org_id = $1 AND ended_at IS NULL",
        org.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map_err(query("ending all sessions"))?;
    Ok(done.rows_affected())
}

/// Ends the sessions that were opened with a token, or in a browser that was signed in with it.
pub(crate) async fn end_opened_with(
    recorded: &mut Recorded<'_>,
    InOrg { org, id: token }: InOrg<ApiTokenId>,
    now: Timestamp,
) -> Result<(), db::Error> {
    sqlx::query!(
        r#"
            UPDATE sessions SET ended_at = $3
            WHERE org_id = $1 AND ended_at IS NULL AND opened_with IN (
                SELECT id FROM api_tokens WHERE org_id = $1 AND (id = $2 OR from_token = $2)
            )
        "#,
        org.uuid(),
        token.uuid(),
        now.to_sqlx(),
    )
    .execute(&mut **recorded)
    .await
    .map(drop)
    .map_err(query("ending the sessions of a token"))
}

pub(crate) async fn end(
    conn: &mut PgConnection,
    org: OrgId,
    id: SessionId,
    now: Timestamp,
) -> Result<Option<Session>, db::Error> {
    let row = sqlx::query_as!(
        SessionRow,
        r#"
            UPDATE sessions SET ended_at = coalesce(ended_at, $3) WHERE org_id = $1 AND id = $2
            RETURNING id, space_id, kind, agent, title, capabilities, created_by, created_at, expires_at, ended_at,
                   automation_id, run_id, started_by, caused_by, depth, origin_chain
        "#,
        org.uuid(),
        id.uuid(),
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("ending a session"))?;
    row.map(Session::try_from).transpose()
}

/// The spaces and runs of these sessions.
pub(crate) async fn places(
    conn: &mut PgConnection,
    org: OrgId,
    sessions: &[SessionId],
) -> Result<HashMap<SessionId, SessionPlace>, db::Error> {
    let ids: Vec<uuid::Uuid> = sessions.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"
            SELECT s.id, s.automation_id, s.run_id, s.started_by, s.caused_by, s.depth, s.origin_chain, spaces.slug
            FROM sessions s JOIN spaces ON spaces.org_id = s.org_id AND spaces.id = s.space_id
            WHERE s.org_id = $1 AND s.id = ANY($2)
        "#,
        org.uuid(),
        &ids,
    )
    .fetch_all(conn)
    .await
    .map_err(query("finding the spaces of sessions"))?;
    let places = rows.into_iter().map(|row| {
        let chain = (row.depth, row.origin_chain);
        let run = run(row.automation_id, row.run_id, (row.started_by, row.caused_by), chain);
        (SessionId::from_uuid(row.id), SessionPlace { space: row.slug, run })
    });
    Ok(places.collect())
}

/// One statement, so that the facts and their version come from one snapshot.
pub(crate) async fn find_facts(
    conn: &mut PgConnection,
    org: OrgId,
    id: SessionId,
) -> Result<Option<SessionFacts>, db::Error> {
    let row = sqlx::query!(
        r#"
            SELECT s.id, s.space_id, s.kind, s.agent, s.title, s.capabilities, s.created_by, s.created_at, s.expires_at,
                   s.ended_at, s.automation_id, s.run_id, s.started_by, s.caused_by, s.depth, s.origin_chain, spaces.slug,
                   spaces.risk_band, spaces.outbound_redaction, orgs.policy_version
            FROM sessions s
            JOIN spaces ON spaces.org_id = s.org_id AND spaces.id = s.space_id
            JOIN orgs ON orgs.id = s.org_id
            WHERE s.org_id = $1 AND s.id = $2
        "#,
        org.uuid(),
        id.uuid(),
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading the facts of a session"))?;
    let Some(row) = row else { return Ok(None) };
    let session = SessionRow {
        id: row.id,
        space_id: row.space_id,
        kind: row.kind,
        agent: row.agent,
        title: row.title,
        capabilities: row.capabilities,
        created_by: row.created_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        ended_at: row.ended_at,
        automation_id: row.automation_id,
        run_id: row.run_id,
        started_by: row.started_by,
        caused_by: row.caused_by,
        depth: row.depth,
        origin_chain: row.origin_chain,
    };
    Ok(Some(SessionFacts {
        session: Session::try_from(session)?,
        space: row.slug,
        band: known(RiskBand::parse(&row.risk_band), "spaces.risk_band")?,
        outbound_redaction: row.outbound_redaction,
        policy_version: row.policy_version,
    }))
}

pub(crate) async fn lock(conn: &mut PgConnection, org: OrgId, id: SessionId) -> Result<(), db::Error> {
    sqlx::query!(
        "SELECT 1 AS one FROM sessions WHERE org_id = $1 AND id = $2 FOR UPDATE",
        org.uuid(),
        id.uuid()
    )
    .fetch_optional(conn)
    .await
    .map(drop)
    .map_err(query("locking a session"))
}
