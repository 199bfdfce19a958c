//! Rows of `invocations`, searched from the newest back.

use std::collections::HashMap;

use jiff::Timestamp;
use model::{
    ActionAddress, Failure, InvocationId, Mode, ModeSource, OrgId, ReceiptId, Risk, SessionId, SpaceId,
    Status,
};
use platform::db::{Error, known, query};
use sqlx::{PgConnection, types::Json};
use tenancy::{SessionPlace, SessionRun};
use uuid::Uuid;

/// How many characters of the parameters are shown.
const LINE: usize = 300;

/// Which invocations; a field that is absent or empty does not restrict.
#[derive(Debug, Clone, Default)]
pub struct ActivityFilter {
    pub session: Option<SessionId>,
    pub space: Option<SpaceId>,
    pub agent: Option<String>,
    pub source: Option<String>,
    pub action: Option<String>,
    pub status: Vec<Status>,
    pub risk: Vec<Risk>,
    /// A part of the id, the address, the agent's name, the redacted parameters or the error, in any case.
    pub text: Option<String>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// An invocation in a list.
#[derive(Debug, Clone)]
pub struct Activity {
    pub id: InvocationId,
    pub session: SessionId,
    /// The slug of the space of its session.
    pub space: String,
    pub run: Option<SessionRun>,
    pub agent: String,
    pub address: ActionAddress,
    pub risk: Risk,
    pub status: Status,
    pub mode: Mode,
    pub mode_source: ModeSource,
    pub dry_run: bool,
    pub attempts: i32,
    /// The redacted parameters as JSON in one line, cut.
    pub params_line: String,
    pub failure: Option<Failure>,
    pub receipt: Option<ReceiptId>,
    pub requested_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// When its parameters and results were erased.
    pub erased_at: Option<Timestamp>,
}

/// The part of the invocations that one search scans.
#[derive(Debug, Clone, Copy)]
pub struct Scan {
    /// The first id.
    pub first: Uuid,
    /// The id after the last.
    pub end: Uuid,
    /// How many invocations are scanned at most, from the newest back.
    pub window: i64,
}

struct Row {
    id: Uuid,
    session_id: Uuid,
    agent: String,
    source: String,
    action: String,
    risk: String,
    mode: String,
    mode_source: String,
    status: String,
    dry_run: bool,
    params_line: String,
    error: Option<Json<Failure>>,
    attempts: i32,
    receipt_id: Option<Uuid>,
    requested_at: jiff_sqlx::Timestamp,
    started_at: Option<jiff_sqlx::Timestamp>,
    finished_at: Option<jiff_sqlx::Timestamp>,
    erased_at: Option<jiff_sqlx::Timestamp>,
}

impl Row {
    fn into_activity(self, place: SessionPlace) -> Result<Activity, Error> {
        Ok(Activity {
            id: InvocationId::from_uuid(self.id),
            session: SessionId::from_uuid(self.session_id),
            space: place.space,
            run: place.run,
            agent: self.agent,
            address: ActionAddress {
                source: known(self.source.parse().ok(), "invocations.source")?,
                action: known(self.action.parse().ok(), "invocations.action")?,
            },
            risk: known(Risk::parse(&self.risk), "invocations.risk")?,
            status: known(Status::parse(&self.status), "invocations.status")?,
            mode: known(Mode::parse(&self.mode), "invocations.mode")?,
            mode_source: known(ModeSource::parse(&self.mode_source), "invocations.mode_source")?,
            dry_run: self.dry_run,
            attempts: self.attempts,
            params_line: cut(self.params_line),
            failure: self.error.map(|error| error.0),
            receipt: self.receipt_id.map(ReceiptId::from_uuid),
            requested_at: self.requested_at.to_jiff(),
            started_at: self.started_at.map(|at| at.to_jiff()),
            finished_at: self.finished_at.map(|at| at.to_jiff()),
            erased_at: self.erased_at.map(|at| at.to_jiff()),
        })
    }
}

fn cut(line: String) -> String {
    if line.chars().nth(LINE).is_none() {
        return line;
    }
    line.chars().take(LINE - 1).chain(['…']).collect()
}

/// The scanned invocations that match the filter, newest first.
///
/// One of the two halves of the query is empty: a session's rows are found by an index of their own, and the plan is made
/// before it is known whether a session is given.
pub async fn search(
    conn: &mut PgConnection,
    org: OrgId,
    filter: &ActivityFilter,
    scan: Scan,
    limit: i64,
) -> Result<Vec<Activity>, Error> {
    let status: Vec<&str> = filter.status.iter().map(|status| status.as_str()).collect();
    let risk: Vec<&str> = filter.risk.iter().map(|risk| risk.as_str()).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"
            SELECT id AS "id!", session_id AS "session_id!", agent AS "agent!", source AS "source!", action AS "action!",
                   risk AS "risk!", mode AS "mode!", mode_source AS "mode_source!", status AS "status!",
                   dry_run AS "dry_run!", left(params::text, $12) AS "params_line!", error AS "error: _",
                   attempts AS "attempts!", receipt_id, requested_at AS "requested_at!: _",
                   started_at AS "started_at: _", finished_at AS "finished_at: _",
                   erased_at AS "erased_at: _"
            FROM (
                (SELECT id, session_id, space_id, agent, source, action, risk, mode, mode_source, status, dry_run, params,
                        error, attempts, receipt_id, requested_at, started_at, finished_at, erased_at
                 FROM invocations
                 WHERE $2::uuid IS NULL AND org_id = $1 AND id >= $3 AND id < $4 ORDER BY id DESC LIMIT $5)
                UNION ALL
                (SELECT id, session_id, space_id, agent, source, action, risk, mode, mode_source, status, dry_run, params,
                        error, attempts, receipt_id, requested_at, started_at, finished_at, erased_at
                 FROM invocations
                 WHERE session_id = $2 AND org_id = $1 AND id >= $3 AND id < $4 ORDER BY id DESC LIMIT $5)
            ) AS looked
            WHERE ($6::uuid IS NULL OR space_id = $6) AND ($14::text IS NULL OR agent = $14)
              AND ($7::text IS NULL OR source = $7) AND ($8::text IS NULL OR action = $8)
              AND (cardinality($9::text[]) = 0 OR status = ANY($9))
              AND (cardinality($10::text[]) = 0 OR risk = ANY($10))
              AND ($11::text IS NULL OR strpos(lower(concat_ws(
                      E'\n', 'inv_' || replace(id::text, '-', ''), source || '.' || action, agent, error ->> 'message',
                      error ->> 'class', params::text
                  )), lower($11)) > 0)
            ORDER BY id DESC LIMIT $13
        "#,
        org.uuid(),
        filter.session.map(|session| session.uuid()),
        scan.first,
        scan.end,
        scan.window,
        filter.space.map(|space| space.uuid()),
        filter.source,
        filter.action,
        &status as _,
        &risk as _,
        filter.text,
        i32::try_from(LINE + 1).unwrap_or(i32::MAX),
        limit,
        filter.agent,
    )
    .fetch_all(&mut *conn)
    .await
    .map_err(query("looking through invocations"))?;
    let mut sessions: Vec<_> = rows.iter().map(|row| SessionId::from_uuid(row.session_id)).collect();
    sessions.sort_unstable();
    sessions.dedup();
    let places = match sessions.as_slice() {
        [] => HashMap::new(),
        sessions => tenancy::places(conn, org, sessions).await?,
    };
    let found = rows.into_iter().map(|row| {
        let place = places.get(&SessionId::from_uuid(row.session_id)).cloned();
        row.into_activity(place.unwrap_or_default())
    });
    found.collect()
}

/// The last invocation that [`search`] scans; `None` where it reaches the oldest one.
pub async fn oldest_scanned(
    conn: &mut PgConnection,
    org: OrgId,
    session: Option<SessionId>,
    scan: Scan,
) -> Result<Option<InvocationId>, Error> {
    let edge = sqlx::query_scalar!(
        r#"
            SELECT id AS "id!" FROM (
                (SELECT id FROM invocations
                 WHERE $2::uuid IS NULL AND org_id = $1 AND id >= $3 AND id < $4 ORDER BY id DESC LIMIT $5)
                UNION ALL
                (SELECT id FROM invocations
                 WHERE session_id = $2 AND org_id = $1 AND id >= $3 AND id < $4 ORDER BY id DESC LIMIT $5)
            ) AS looked
            ORDER BY id DESC OFFSET $5 - 1 LIMIT 1
        "#,
        org.uuid(),
        session.map(|session| session.uuid()),
        scan.first,
        scan.end,
        scan.window,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("finding how far a search looked"))?;
    Ok(edge.map(InvocationId::from_uuid))
}
