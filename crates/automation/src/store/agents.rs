//! Rows of `agent_steps`, `agent_turns` and `agent_calls`.

use catalog::models::Stop;
use jiff_sqlx::ToSqlx as _;
use model::{ActionAddress, Digest, InOrg, InvocationId, OrgId, RunId};
use platform::db::{Error, column, known, query};
use sqlx::{PgConnection, types::Json};

use crate::{
    RunError,
    agent::{AgentCall, AgentTurn, At, Beginning, CallStatus, Recorded, TurnUsage},
    plan::AFTER_FAILURE,
};

fn digest(bytes: Vec<u8>, column: &'static str) -> Result<Digest, Error> {
    Ok(Digest::from_bytes(bytes.try_into().map_err(|_| Error::Inconsistent { column })?))
}

fn amount(value: i64) -> u64 {
    u64::try_from(value).unwrap_or_default()
}

fn bigint(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Records what a step begins with, unless it has begun.
pub(crate) async fn begin(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
    beginning: &Beginning,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO agent_steps (org_id, run_id, ordinal, attempt, beginning) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (org_id, run_id, ordinal, attempt) DO NOTHING
        "#,
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
        Json(beginning) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording the beginning of an agent step"))
}

/// Everything that is recorded of a step.
pub(crate) async fn find(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
) -> Result<Recorded, Error> {
    let beginning = sqlx::query_scalar!(
        r#"
            SELECT beginning AS "beginning: Json<Beginning>" FROM agent_steps
            WHERE org_id = $1 AND run_id = $2 AND ordinal = $3 AND attempt = $4
        "#,
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
    )
    .fetch_optional(&mut *conn)
    .await
    .map_err(query("reading an agent step"))?;
    let all = list(conn, org, run).await?.into_iter().find(|(place, _)| *place == at);
    let recorded = all.map(|(_, recorded)| recorded).unwrap_or_default();
    Ok(Recorded { beginning: beginning.map(|beginning| beginning.0), ..recorded })
}

/// The turns and calls of all agent steps of a run, by their places.
pub(crate) async fn list(
    conn: &mut PgConnection,
    org: OrgId,
    run: RunId,
) -> Result<Vec<(At, Recorded)>, Error> {
    let mut steps: Vec<(At, Recorded)> = Vec::new();
    for (at, turn) in turns(conn, org, run).await? {
        match steps.last_mut().filter(|(last, _)| *last == at) {
            Some((_, step)) => step.turns.push(turn),
            None => steps.push((at, Recorded { turns: vec![turn], ..Recorded::default() })),
        }
    }
    for (at, call) in calls(conn, org, run).await? {
        if let Some((_, step)) = steps.iter_mut().find(|(of, _)| *of == at) {
            step.calls.push(call);
        }
    }
    Ok(steps)
}

async fn turns(conn: &mut PgConnection, org: OrgId, run: RunId) -> Result<Vec<(At, AgentTurn)>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT ordinal, attempt, turn, ask, prompt, max_output_tokens, invocation_id, reply, stop,
                   problems AS "problems: Json<Vec<String>>", error AS "error: Json<RunError>", retry_at,
                   input_tokens, output_tokens, nano_usd, started_at, finished_at
            FROM agent_turns WHERE org_id = $1 AND run_id = $2 ORDER BY ordinal, attempt, turn, ask
        "#,
        org.uuid(),
        run.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the turns of agent steps"))?;
    let turns = rows.into_iter().map(|row| {
        let at = At { ordinal: row.ordinal, attempt: row.attempt };
        let turn = AgentTurn {
            turn: row.turn,
            ask: row.ask,
            prompt: digest(row.prompt, "agent_turns.prompt")?,
            max_output_tokens: u32::try_from(row.max_output_tokens).unwrap_or_default(),
            invocation: row.invocation_id.map(InvocationId::from_uuid),
            reply: row.reply.map(|reply| digest(reply, "agent_turns.reply")).transpose()?,
            stop: match row.stop {
                Some(stop) => Some(known(Stop::parse(&stop), "agent_turns.stop")?),
                None => None,
            },
            problems: row.problems.map(|problems| problems.0),
            error: row.error.map(|error| error.0),
            retry_at: row.retry_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
            usage: TurnUsage {
                input_tokens: amount(row.input_tokens),
                output_tokens: amount(row.output_tokens),
                nano_usd: row.nano_usd.map(amount),
            },
            started_at: row.started_at.to_jiff(),
            finished_at: row.finished_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
        };
        Ok((at, turn))
    });
    turns.collect()
}

async fn calls(conn: &mut PgConnection, org: OrgId, run: RunId) -> Result<Vec<(At, AgentCall)>, Error> {
    let rows = sqlx::query!(
        r#"
            SELECT ordinal, attempt, turn, call, provider_id, name, action, params, status, invocation_id, result, class,
                   started_at, finished_at
            FROM agent_calls WHERE org_id = $1 AND run_id = $2 ORDER BY ordinal, attempt, turn, call
        "#,
        org.uuid(),
        run.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the calls of agent steps"))?;
    let calls = rows.into_iter().map(|row| {
        let at = At { ordinal: row.ordinal, attempt: row.attempt };
        let call = AgentCall {
            turn: row.turn,
            call: row.call,
            id: row.provider_id,
            name: row.name,
            action: match row.action {
                Some(action) => Some(known(action.parse::<ActionAddress>().ok(), "agent_calls.action")?),
                None => None,
            },
            params: row.params.map(|params| digest(params, "agent_calls.params")).transpose()?,
            status: known(CallStatus::parse(&row.status), "agent_calls.status")?,
            invocation: row.invocation_id.map(InvocationId::from_uuid),
            result: row.result.map(|result| digest(result, "agent_calls.result")).transpose()?,
            class: row.class,
            started_at: row.started_at.to_jiff(),
            finished_at: row.finished_at.map(|at: jiff_sqlx::Timestamp| at.to_jiff()),
        };
        Ok((at, call))
    });
    calls.collect()
}

/// Writes a turn. One that has ended is not changed.
pub(crate) async fn put_turn(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
    turn: &AgentTurn,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO agent_turns (
                org_id, run_id, ordinal, attempt, turn, ask, prompt, max_output_tokens, invocation_id, reply, stop, problems,
                error, retry_at, input_tokens, output_tokens, nano_usd, started_at, finished_at
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
            ON CONFLICT (org_id, run_id, ordinal, attempt, turn, ask) DO UPDATE
            SET invocation_id = coalesce($9, agent_turns.invocation_id), reply = $10, stop = $11, problems = $12, error = $13, retry_at = $14,
                input_tokens = $15, output_tokens = $16, nano_usd = $17, finished_at = $19
            WHERE agent_turns.finished_at IS NULL
        "#,
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
        turn.turn,
        turn.ask,
        turn.prompt.as_bytes().as_slice(),
        i32::try_from(turn.max_output_tokens).unwrap_or(i32::MAX),
        turn.invocation.map(|id| id.uuid()),
        turn.reply.map(|reply| reply.as_bytes().to_vec()),
        turn.stop.map(Stop::as_str),
        turn.problems.as_ref().map(Json) as _,
        turn.error.as_ref().map(Json) as _,
        turn.retry_at.map(|at| at.to_sqlx()) as _,
        bigint(turn.usage.input_tokens),
        bigint(turn.usage.output_tokens),
        turn.usage.nano_usd.map(bigint),
        turn.started_at.to_sqlx() as _,
        turn.finished_at.map(|at| at.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing a turn of an agent step"))
}

/// Writes calls. One that has ended is not changed.
pub(crate) async fn put_calls(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
    calls: &[AgentCall],
) -> Result<(), Error> {
    let all = || calls.iter();
    sqlx::query!(
        r#"
            INSERT INTO agent_calls (
                org_id, run_id, ordinal, attempt, turn, call, provider_id, name, action, params, status, invocation_id, result,
                class, started_at, finished_at
            )
            SELECT $1, $2, $3, $4, c.*
            FROM unnest(
                $5::smallint[], $6::smallint[], $7::text[], $8::text[], $9::text[], $10::bytea[], $11::text[], $12::uuid[],
                $13::bytea[], $14::text[], $15::timestamptz[], $16::timestamptz[]
            ) AS c (turn, call, provider_id, name, action, params, status, invocation_id, result, class, started_at, finished_at)
            ON CONFLICT (org_id, run_id, ordinal, attempt, turn, call) DO UPDATE
            SET status = CASE excluded.status WHEN 'wanted' THEN agent_calls.status ELSE excluded.status END,
                invocation_id = coalesce(excluded.invocation_id, agent_calls.invocation_id), result = excluded.result,
                class = excluded.class, finished_at = excluded.finished_at
            WHERE agent_calls.finished_at IS NULL
        "#,
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
        &column(all(), |call| call.turn),
        &column(all(), |call| call.call),
        &column(all(), |call| call.id.as_str()) as _,
        &column(all(), |call| call.name.as_str()) as _,
        &column(all(), |call| call.action.as_ref().map(ToString::to_string)) as _,
        &column(all(), |call| call.params.map(|params| params.as_bytes().to_vec())) as _,
        &column(all(), |call| call.status.as_str()) as _,
        &column(all(), |call| call.invocation.map(|id| id.uuid())) as _,
        &column(all(), |call| call.result.map(|result| result.as_bytes().to_vec())) as _,
        &column(all(), |call| call.class.as_deref()) as _,
        &column(all(), |call| call.started_at.to_sqlx()) as _,
        &column(all(), |call| call.finished_at.map(|at| at.to_sqlx())) as _,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("writing calls of an agent step"))
}

/// Records the result of a step, and what its run cost so far.
pub(crate) async fn set_output(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
    output: Digest,
) -> Result<(), Error> {
    sqlx::query!(
        "UPDATE agent_steps SET output = $5 WHERE org_id = $1 AND run_id = $2 AND ordinal = $3 AND attempt = $4",
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
        output.as_bytes().as_slice(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("recording the result of an agent step"))
}

/// The result of a step, by digest.
pub(crate) async fn output(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
    at: At,
) -> Result<Option<Digest>, Error> {
    let found = sqlx::query_scalar!(
        "SELECT output FROM agent_steps WHERE org_id = $1 AND run_id = $2 AND ordinal = $3 AND attempt = $4",
        org.uuid(),
        run.uuid(),
        at.ordinal,
        at.attempt,
    )
    .fetch_optional(conn)
    .await
    .map_err(query("reading the result of an agent step"))?;
    found.flatten().map(|output| digest(output, "agent_steps.output")).transpose()
}

/// Adds up what the turns of a run cost.
pub(crate) async fn add_up(
    conn: &mut PgConnection,
    InOrg { org, id: run }: InOrg<RunId>,
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            UPDATE runs r SET cost_usd = coalesce((
                SELECT sum(t.nano_usd)::double precision / 1e9 FROM agent_turns t WHERE t.org_id = $1 AND t.run_id = $2
            ), 0)
            WHERE r.org_id = $1 AND r.id = $2
        "#,
        org.uuid(),
        run.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("adding up what a run cost"))
}

/// The invocations that calls of a run wait for.
pub(crate) async fn waiting(
    conn: &mut PgConnection,
    org: OrgId,
    run: RunId,
) -> Result<Vec<InvocationId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"
            SELECT invocation_id AS "id!" FROM agent_calls
            WHERE org_id = $1 AND run_id = $2 AND status = 'waiting' AND invocation_id IS NOT NULL
        "#,
        org.uuid(),
        run.uuid(),
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading the calls that wait"))?;
    Ok(ids.into_iter().map(InvocationId::from_uuid).collect())
}

/// Gives the results of a run's agent steps to the run that repeats the rest of it.
pub(crate) async fn keep_outputs(
    conn: &mut PgConnection,
    org: OrgId,
    (from, to): (RunId, RunId),
) -> Result<(), Error> {
    sqlx::query!(
        r#"
            INSERT INTO agent_steps (org_id, run_id, ordinal, attempt, beginning, output)
            SELECT org_id, $3, ordinal, 1, beginning, output FROM agent_steps
            WHERE org_id = $1 AND run_id = $2 AND output IS NOT NULL AND ordinal < $4
            ON CONFLICT (org_id, run_id, ordinal, attempt) DO NOTHING
        "#,
        org.uuid(),
        from.uuid(),
        to.uuid(),
        AFTER_FAILURE,
    )
    .execute(conn)
    .await
    .map(drop)
    .map_err(query("keeping results of agent steps"))
}

/// The results of the agent steps of a run's plan.
pub(crate) async fn outputs(conn: &mut PgConnection, org: OrgId, run: RunId) -> Result<Vec<Digest>, Error> {
    let outputs = sqlx::query_scalar!(
        r#"
            SELECT output AS "output!" FROM agent_steps
            WHERE org_id = $1 AND run_id = $2 AND output IS NOT NULL AND ordinal < $3
        "#,
        org.uuid(),
        run.uuid(),
        AFTER_FAILURE,
    )
    .fetch_all(conn)
    .await
    .map_err(query("reading results of agent steps"))?;
    outputs.into_iter().map(|output| digest(output, "agent_steps.output")).collect()
}
