//! What policies and facts cost: the latency of an allowed action without them, with 20 and 200 policies that read its
//! parameters, and with five facts over 10, 1 000 and 100 000 events.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Finding, Size};

use crate::{
    allowed_action::{shots, unlimited},
    load::{Pace, Shot, fire, quantile},
};

/// The most milliseconds that 200 policies with five facts over 1 000 events may add to the median.
const BAR_MS: f64 = 5.0;
/// How long adding up may take.
const LONGEST_ADDING: Duration = Duration::from_secs(180);
const ACTION: &str = "data.transform";
const FACTS: [&str; 5] = ["calls", "of_source", "happened", "templates", "computed"];

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let deployment = unlimited(&[]).await?;
    let all = shots(&deployment).await?;
    let shot = all.first().ok_or_else(|| anyhow::anyhow!("no shot"))?;
    let seconds = size.pick(3, 15);
    let mut details = Vec::new();
    let none = p50(shot, seconds).await?;
    details.push(("p50 without policies, ms".to_owned(), json!(rounded(none))));
    let mut had = 0;
    for policies in [20, 200] {
        put_policies(&deployment, had..policies).await?;
        had = policies;
        let added = p50(shot, seconds).await? - none;
        details.push((format!("added by {policies} policies, ms"), json!(rounded(added))));
    }
    put_facts(&deployment).await?;
    let (mut figure, mut events) = (0.0, 0);
    for wanted in [10, 1_000, 100_000] {
        put_events(&deployment, wanted - events).await?;
        wait_until_added_up(&deployment, shot).await?;
        events = wanted;
        let added = p50(shot, seconds).await? - none;
        details.push((
            format!("added by 200 policies and 5 facts over {wanted} events, ms"),
            json!(rounded(added)),
        ));
        if wanted == 1_000 {
            figure = added;
        }
    }
    details.push(("bar".to_owned(), json!(BAR_MS)));
    Ok(Finding {
        bar: "policies".to_owned(),
        figure,
        unit: "ms added to the p50 by 200 policies and 5 facts over 1 000 events".to_owned(),
        pass: figure <= BAR_MS,
        details,
    })
}

fn rounded(ms: f64) -> f64 {
    (ms * 1_000.0).round() / 1_000.0
}

async fn p50(shot: &Shot, seconds: usize) -> anyhow::Result<f64> {
    let during = Duration::from_secs(u64::try_from(seconds)?);
    let pace = Pace { warm_up: Duration::from_secs(1), during, per_s: None };
    let measured = fire(std::slice::from_ref(shot), pace).await?;
    anyhow::ensure!(measured.not_ok == 0, "{} answers were not 200", measured.not_ok);
    Ok(quantile(&measured.latencies_ms, 500))
}

/// Policies that are evaluated and do not hold.
async fn put_policies(deployment: &Deployment, numbers: std::ops::Range<usize>) -> anyhow::Result<()> {
    for number in numbers {
        let text = format!(
            "@id(\"p{number}\") @mode(\"deny\") forbid (principal, action == Action::\"{ACTION}\", resource) \
             when {{ context.input.template like \"*no such text {number}*\" && !principal.unattended }};"
        );
        let path = format!("/v1/policies/p{number}");
        deployment.as_owner(Method::PUT, &path, json!({ "text": text })).await?;
    }
    Ok(())
}

/// Five facts, and a policy that reads all of them. The action has no number that could be summed; a sum is read as a count is.
async fn put_facts(deployment: &Deployment) -> anyhow::Result<()> {
    let fact = |kind: &str, of: &str| json!({ "kind": kind, "of": [of], "within": "1h", "per": "org" });
    let mut templates = fact("distinct", ACTION);
    templates["field"] = json!("input.template");
    let facts = [
        fact("count", ACTION),
        fact("count", "source:data"),
        fact("any", "risk:R4"),
        templates,
        fact("count", "risk:R0"),
    ];
    for (name, fact) in FACTS.into_iter().zip(facts) {
        deployment.as_owner(Method::PUT, &format!("/v1/facts/{name}"), fact).await?;
    }
    let never = "9000000000000";
    let text = format!(
        "@id(\"facts\") @mode(\"deny\") forbid (principal, action == Action::\"{ACTION}\", resource) \
         when {{ context.history.calls > {never} || context.history.of_source > {never} || context.history.happened \
         || context.history.templates > {never} || context.history.computed > {never} }};"
    );
    // One policy fewer, because an organization has at most 200.
    deployment.as_owner(Method::DELETE, "/v1/policies/p0", Value::Null).await?;
    deployment.as_owner(Method::PUT, "/v1/policies/facts", json!({ "text": text })).await?;
    Ok(())
}

/// More of what the facts count, over the last 50 minutes, with at most 1 000 different values. A fact of `any` is never true
/// here, or nothing would happen.
async fn put_events(deployment: &Deployment, more: i64) -> anyhow::Result<()> {
    let mut sql = deployment.sql().await?;
    sqlx::query(
        "INSERT INTO fact_entries (org_id, fact_id, scope_id, invocation_id, part, at, counts, amount, value, same, summed)
         SELECT f.org_id, f.id, '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 0,
                now() - interval '1 second' * (n % 3000), true, 1, sha256((n % 1000)::text::bytea), '', false
         FROM facts f, generate_series(1, $1) n WHERE f.name <> 'happened'",
    )
    .bind(more)
    .execute(&mut sql)
    .await?;
    Ok(())
}

/// As if the events had happened one after the other: a gateway adds up what is written within seconds.
async fn wait_until_added_up(deployment: &Deployment, shot: &Shot) -> anyhow::Result<()> {
    let mut sql = deployment.sql().await?;
    let begun = tokio::time::Instant::now();
    loop {
        // A request tells the gateway to look.
        let pace = Pace { warm_up: Duration::ZERO, during: Duration::from_millis(10), per_s: None };
        fire(std::slice::from_ref(shot), pace).await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM fact_entries WHERE counts AND NOT summed AND at < now() - interval '10 seconds'",
        )
        .fetch_one(&mut sql)
        .await?;
        if left == 0 {
            break;
        }
        anyhow::ensure!(begun.elapsed() < LONGEST_ADDING, "{left} events were not added up");
    }
    // As the database does by itself, but not at a moment of its own choice.
    sqlx::query("VACUUM ANALYZE fact_entries, fact_sums").execute(&mut deployment.db.owner().await?).await?;
    Ok(())
}
