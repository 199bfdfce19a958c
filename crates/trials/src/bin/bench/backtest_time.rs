//! How long the backtest of 100 000 invocations takes, with a policy that reads parameters and a cap.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Size};

use crate::allowed_action::unlimited;

const BAR_S: f64 = 30.0;
const INVOCATIONS: i64 = 100_000;

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let deployment = unlimited(&[]).await?;
    let agent = deployment.agent("bench").await?;
    let params = json!({ "template": "{{ n }}", "data": { "n": 1 } });
    let (status, done) = deployment.invoke(&agent, "data.transform", &params, None).await?;
    anyhow::ensure!(status == 200, "{done}");
    copy_until(&deployment, INVOCATIONS).await?;
    let text = "@id(\"cap\") @mode(\"ask\") forbid (principal, action == Action::\"data.transform\", resource) \
                when { context.history.calls >= 100 };\n\
                @id(\"text\") @mode(\"deny\") forbid (principal, action == Action::\"data.transform\", resource) \
                when { context.input.template like \"*forbidden*\" };";
    let fact = json!({ "name": "calls", "kind": "count", "of": ["data.transform"], "within": "1h", "per": "session" });
    let request = json!({ "days": 30, "policies": [{ "text": text }], "facts": [fact] });
    let (mut seconds, mut steps, mut result) = (Vec::new(), 0, Value::Null);
    for _ in 0..size.pick(1, 3) {
        let began = Instant::now();
        (result, steps) = backtest(&deployment, &request).await?;
        seconds.push(began.elapsed().as_secs_f64());
    }
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let decided = result["invocations"].as_i64().unwrap_or_default();
    Ok(Finding {
        bar: "backtest".to_owned(),
        figure: longest,
        unit: format!("seconds for the backtest of {INVOCATIONS} invocations"),
        pass: longest <= BAR_S && decided >= INVOCATIONS && steps > 10,
        details: vec![
            ("bar".to_owned(), json!(BAR_S)),
            ("invocations decided again".to_owned(), json!(decided)),
            ("newly asked".to_owned(), result["newly_asked"].clone()),
            ("lines of progress".to_owned(), json!(steps)),
            ("seconds of each".to_owned(), json!(seconds)),
        ],
    })
}

async fn backtest(deployment: &Deployment, request: &Value) -> anyhow::Result<(Value, usize)> {
    let url = format!("{}/v1/policies/backtest", deployment.url);
    let call = deployment.owner().http.request(Method::POST, url).bearer_auth(&deployment.owner_token);
    let text = call.json(request).send().await?.error_for_status()?.text().await?;
    let last: Value = serde_json::from_str(text.lines().last().unwrap_or_default())?;
    anyhow::ensure!(last.get("result").is_some(), "{last}");
    Ok((last["result"].clone(), text.lines().count() - 1))
}

/// Copies the invocation until there are so many, spread over the last 29 days.
async fn copy_until(deployment: &Deployment, wanted: i64) -> anyhow::Result<()> {
    let mut sql = deployment.sql().await?;
    let copied = sqlx::query(
        "INSERT INTO invocations (
            org_id, id, session_id, space_id, agent, source, action, definition_hash, risk, effect, mode, mode_source,
            decision, status, dry_run, params, shown_digest, receipt_id, result, requested_at, started_at, finished_at
         )
         SELECT t.org_id,
                (lpad(to_hex((extract(epoch FROM a.at) * 1000)::bigint), 12, '0') || '7000' || substr(md5(n::text), 1, 16))::uuid,
                t.session_id, t.space_id, t.agent, t.source, t.action, t.definition_hash, t.risk, t.effect, t.mode,
                t.mode_source, t.decision, t.status, t.dry_run, t.params, t.shown_digest, gen_random_uuid(), t.result,
                a.at, a.at, a.at + interval '5 milliseconds'
         FROM (SELECT * FROM invocations WHERE status = 'succeeded' ORDER BY id LIMIT 1) t,
              generate_series(1, $1 - 1) n, LATERAL (SELECT now() - interval '25 seconds' * n AS at) a",
    )
    .bind(wanted)
    .execute(&mut sql)
    .await?;
    anyhow::ensure!(copied.rows_affected() == u64::try_from(wanted - 1)?, "not all were copied");
    sqlx::query("ANALYZE invocations").execute(&mut deployment.db.owner().await?).await?;
    Ok(())
}
