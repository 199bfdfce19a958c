//! S2: the time the gateway adds to a direct call of the same upstream, at half of S1's load, compared with one bare
//! commit.

use std::time::Duration;

use serde_json::json;
use testkit::{Finding, Size, fakes::FakeLinear};

use crate::{
    allowed_action::unlimited,
    load::{Pace, Shot, fire, quantile},
    pgbench,
};

/// The bar of the first stage: the added p50, in bare commits.
const BAR: f64 = 4.0;
const TOKEN: &str = "lin_api_test";
const CLIENTS: usize = 16;

/// Direct calls and calls through the gateway, one after the other, at the same steady rate.
pub(crate) async fn run(size: Size, per_s: f64) -> anyhow::Result<Finding> {
    let linear = FakeLinear::start(TOKEN).await;
    linear.put_issue("11111111-1111-4111-8111-111111111111", "Something to list");
    let deployment = unlimited(&[("COUNTERSIGN_LINEAR_URL", &linear.url())]).await?;
    deployment.connect_source("linear", TOKEN).await?;
    pgbench::prepare(&deployment.db).await?;
    let mut through = Vec::new();
    for number in 0..CLIENTS {
        let agent = deployment.agent(&format!("bench-{number}")).await?;
        let path = format!("/v1/sessions/{}/actions/invoke", agent.session);
        let bearer = format!("Bearer {}", agent.token);
        let body = json!({ "action": "linear.list_issues", "params": {} }).to_string();
        through.push(Shot::post(&deployment.url, &path, &[("Authorization", &bearer)], &body)?);
    }
    // The direct call sends exactly what the gateway sends, recorded from one call.
    let agent = deployment.agent("recorder").await?;
    deployment.invoke(&agent, "linear.list_issues", &json!({}), None).await?;
    let recorded = linear.requests().last().map(|request| request.body.clone()).unwrap_or_default();
    let body = recorded.to_string();
    let direct = vec![Shot::post(&linear.url(), "/graphql", &[("Authorization", TOKEN)], &body)?; CLIENTS];

    let seconds = size.pick(4, 20);
    let pace = Pace {
        warm_up: Duration::from_secs(1),
        during: Duration::from_secs(u64::try_from(seconds)?),
        per_s: Some(per_s),
    };
    let commit = pgbench::run(&deployment.db, "commit.sql", 1, seconds)?;
    let direct = fire(&direct, pace).await?;
    let through = fire(&through, pace).await?;
    anyhow::ensure!(
        direct.not_ok + through.not_ok == 0,
        "not every answer was 200; see {}",
        deployment.log.display()
    );
    let commit_p50 = quantile(&commit.latencies_ms, 500);
    let added =
        |permille| quantile(&through.latencies_ms, permille) - quantile(&direct.latencies_ms, permille);
    let (p50, p99) = (added(500), added(990));
    Ok(Finding {
        bar: "S2".to_owned(),
        figure: p50 / commit_p50,
        unit: "bare commits added, p50".to_owned(),
        pass: p50 <= BAR * commit_p50,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("load, requests a second".to_owned(), json!(per_s.round())),
            ("reached through the gateway, a second".to_owned(), json!(through.per_s.round())),
            ("one bare commit p50, ms".to_owned(), json!(commit_p50)),
            ("one bare commit p99, ms".to_owned(), json!(quantile(&commit.latencies_ms, 990))),
            ("added p50, ms".to_owned(), json!(p50)),
            ("added p99, ms".to_owned(), json!(p99)),
            ("added p99, in bare commits (p50)".to_owned(), json!(p99 / commit_p50)),
            ("direct p50, ms".to_owned(), json!(quantile(&direct.latencies_ms, 500))),
        ],
    })
}
