//! S1: `invoke` of an action that does nothing, with all checks on and the receipt signed, compared with the least that
//! PostgreSQL could do to record it.

use std::time::Duration;

use serde_json::json;
use testkit::{Deployment, Finding, Options, Size};

use crate::{
    load::{Pace, Shot, fire, median, quantile},
    pgbench,
};

/// The bar of the first stage.
const BAR: f64 = 0.5;
const CLIENTS: usize = 32;

/// The measurements of both sides.
pub(crate) struct Throughput {
    pub(crate) ours_per_s: f64,
    bare_per_s: f64,
    rounds: Vec<f64>,
    p50_ms: f64,
    p99_ms: f64,
}

impl Throughput {
    pub(crate) fn finding(&self) -> Finding {
        let ratio = self.ours_per_s / self.bare_per_s;
        Finding {
            bar: "S1".to_owned(),
            figure: ratio,
            unit: "of bare PostgreSQL".to_owned(),
            pass: ratio >= BAR,
            details: vec![
                ("bar".to_owned(), json!(BAR)),
                ("invocations a second".to_owned(), json!(self.ours_per_s.round())),
                ("bare PostgreSQL, records a second".to_owned(), json!(self.bare_per_s.round())),
                ("ratio of each round".to_owned(), json!(self.rounds)),
                ("latency p50, ms".to_owned(), json!(self.p50_ms)),
                ("latency p99, ms".to_owned(), json!(self.p99_ms)),
                ("clients".to_owned(), json!(CLIENTS)),
            ],
        }
    }
}

/// A deployment without a rate limit for sessions.
pub(crate) async fn unlimited(env: &[(&str, &str)]) -> anyhow::Result<Deployment> {
    let mut all = vec![
        ("COUNTERSIGN_INVOCATIONS_PER_MINUTE".to_owned(), "1000000000".to_owned()),
        ("COUNTERSIGN_DATABASE_CONNECTIONS".to_owned(), "16".to_owned()),
        ("RUST_LOG".to_owned(), "warn".to_owned()),
    ];
    all.extend(env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    Deployment::start(Options { env: all, ..Options::default() }).await
}

/// One request per client, each in its own session.
pub(crate) async fn shots(deployment: &Deployment) -> anyhow::Result<Vec<Shot>> {
    let mut shots = Vec::new();
    for number in 0..CLIENTS {
        let agent = deployment.agent(&format!("bench-{number}")).await?;
        let path = format!("/v1/sessions/{}/actions/invoke", agent.session);
        let bearer = format!("Bearer {}", agent.token);
        let body =
            json!({ "action": "data.transform", "params": { "template": "{{ n }}", "data": { "n": 1 } } });
        shots.push(Shot::post(&deployment.url, &path, &[("Authorization", &bearer)], &body.to_string())?);
    }
    Ok(shots)
}

/// Alternates between bare and ours, so that other load on the machine affects both.
pub(crate) async fn run(size: Size) -> anyhow::Result<Throughput> {
    let deployment = unlimited(&[]).await?;
    pgbench::prepare(&deployment.db).await?;
    let shots = shots(&deployment).await?;
    let (rounds, seconds) = (3, size.pick(4, 20));
    let pace = Pace {
        warm_up: Duration::from_secs(1),
        during: Duration::from_secs(u64::try_from(seconds)?),
        per_s: None,
    };
    let (mut ours, mut bares, mut ratios, mut latencies) = (vec![], vec![], vec![], vec![]);
    for round in 1..=rounds {
        let bare = pgbench::run(&deployment.db, "bare.sql", CLIENTS, seconds)?;
        let measured = fire(&shots, pace).await?;
        anyhow::ensure!(
            measured.not_ok == 0,
            "{} answers were not 200; see {}",
            measured.not_ok,
            deployment.log.display()
        );
        println!("S1 round {round}: bare {:.0}/s, ours {:.0}/s", bare.per_s, measured.per_s);
        ratios.push((measured.per_s / bare.per_s * 1_000.0).round() / 1_000.0);
        ours.push(measured.per_s);
        bares.push(bare.per_s);
        latencies.extend(measured.latencies_ms);
    }
    latencies.sort_by(f64::total_cmp);
    Ok(Throughput {
        ours_per_s: median(ours),
        bare_per_s: median(bares),
        rounds: ratios,
        p50_ms: quantile(&latencies, 500),
        p99_ms: quantile(&latencies, 990),
    })
}
