//! S3: runs of three steps that do nothing, from the request that starts each to its end, compared with a bare workflow
//! of the same engine with three journaled steps.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use futures::StreamExt as _;
use reqwest::Method;
use restate_sdk::prelude::{ContextSideEffects as _, Endpoint, HandlerResult, HttpServer, WorkflowContext};
use serde_json::json;
use testkit::{Deployment, Finding, Options, Size};
use tokio::net::TcpListener;

use crate::load::median;

const BAR: f64 = 0.4;
/// How many runs are being started at the same time.
const CLIENTS: usize = 32;
/// The time limit of a round.
const PATIENCE: Duration = Duration::from_secs(300);

/// The bare side: three journaled steps, and a count of the workflows that ended.
struct Bare {
    ended: Arc<AtomicUsize>,
}

#[restate_sdk::workflow(name = "Bare", workflow_completion_retention = "0s", journal_retention = "0s")]
impl Bare {
    #[handler]
    async fn run(&self, ctx: WorkflowContext<'_>) -> HandlerResult<()> {
        for _ in 0..3 {
            ctx.run(async move || Ok(())).await?;
        }
        self.ended.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Both sides, on one engine.
struct Ground {
    deployment: Deployment,
    automation: String,
    bare_ended: Arc<AtomicUsize>,
}

impl Ground {
    async fn prepare() -> anyhow::Result<Self> {
        let env = [
            ("COUNTERSIGN_INVOCATIONS_PER_MINUTE", "1000000000"),
            ("COUNTERSIGN_DATABASE_CONNECTIONS", "16"),
            ("RUST_LOG", "warn,countersign::worker=info"),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let options = Options { env, engine: Some(vec![]), ..Options::default() };
        let deployment = Deployment::start(options).await?;
        let step = |id: &str| json!({ "step_id": id, "action": "data.transform", "config": { "template": "x", "data": {} } });
        let definition = json!({
            "schema_version": "1.0", "name": "Three steps", "plan": [step("a"), step("b"), step("c")],
            "execution": { "concurrency": "allow_parallel" },
        });
        let body = json!({ "definition": definition });
        let saved = deployment.as_owner(Method::POST, "/v1/automations", body).await?;
        let automation = saved["id"].as_str().context("an id")?.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let ended = Arc::new(AtomicUsize::new(0));
        let endpoint = Endpoint::builder().bind(Bare { ended: ended.clone() }).build();
        let serving = platform::shutdown::Shutdown::default();
        serving.spawn(async move { HttpServer::new(endpoint).serve(listener).await });
        deployment.engine.as_ref().context("an engine")?.register(&url).await?;
        Ok(Self { deployment, automation, bare_ended: ended })
    }

    /// Measures bare workflows per second.
    async fn bare(&self, round: usize, count: usize) -> anyhow::Result<f64> {
        let ingress = &self.deployment.engine.as_ref().context("an engine")?.ingress_url;
        let client = &self.deployment.client;
        let (before, start) = (self.bare_ended.load(Ordering::Relaxed), Instant::now());
        each(count, |number| async move {
            let url = format!("{ingress}/Bare/{round}-{number}/run/send");
            let answer = client.post(url).send().await?;
            anyhow::ensure!(answer.status().is_success(), "the engine answered {}", answer.status());
            Ok(())
        })
        .await?;
        let all = async || Ok(self.bare_ended.load(Ordering::Relaxed) - before);
        per_s(count, start, all).await
    }

    /// Measures runs per second.
    async fn ours(&self, count: usize) -> anyhow::Result<f64> {
        let path = format!("/v1/automations/{}/runs", self.automation);
        let ended = async || -> anyhow::Result<usize> {
            let mut conn = self.deployment.sql().await?;
            let sql = "SELECT count(*) FROM runs WHERE status = 'succeeded'";
            let ended: i64 = sqlx::query_scalar(sql).fetch_one(&mut conn).await?;
            Ok(usize::try_from(ended)?)
        };
        let (before, start) = (ended().await?, Instant::now());
        let deployment = &self.deployment;
        each(count, |_| async {
            let (status, answer) =
                deployment.call(Method::POST, &path, &deployment.owner_token, Some(json!({}))).await?;
            anyhow::ensure!(status == 202, "starting answered {status}: {answer}");
            Ok(())
        })
        .await?;
        per_s(count, start, async || Ok(ended().await? - before)).await
    }
}

/// Performs `work` `count` times, at most [`CLIENTS`] of them at once.
async fn each<F: Future<Output = anyhow::Result<()>>>(
    count: usize,
    work: impl Fn(usize) -> F,
) -> anyhow::Result<()> {
    let mut all = futures::stream::iter(0..count).map(work).buffer_unordered(CLIENTS);
    while let Some(done) = all.next().await {
        done?;
    }
    Ok(())
}

/// How many ended per second, once all of them have ended.
async fn per_s(
    count: usize,
    start: Instant,
    ended: impl AsyncFn() -> anyhow::Result<usize>,
) -> anyhow::Result<f64> {
    while start.elapsed() < PATIENCE {
        if ended().await? >= count {
            return Ok(count as f64 / start.elapsed().as_secs_f64());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    anyhow::bail!("{} of {count} ended within {PATIENCE:?}", ended().await?)
}

/// Alternates between bare and ours, so that other load on the machine affects both.
pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let ground = Ground::prepare().await?;
    let mut worker = ground.deployment.worker()?;
    worker.launch(&[]).await?;
    let count = size.pick(400, 3_000);
    ground.bare(0, 100).await?;
    ground.ours(100).await?;
    let (mut bares, mut ours) = (vec![], vec![]);
    for round in 1..=3 {
        bares.push(ground.bare(round, count).await?);
        ours.push(ground.ours(count).await?);
        println!("S3 round {round}: bare {:.0}/s, ours {:.0}/s", bares[round - 1], ours[round - 1]);
    }
    let (bare, ours) = (median(bares), median(ours));
    Ok(Finding {
        bar: "S3".to_owned(),
        figure: ours / bare,
        unit: "of a bare workflow of three steps".to_owned(),
        pass: ours / bare >= BAR,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("runs of three steps a second".to_owned(), json!(ours.round())),
            ("bare workflows a second".to_owned(), json!(bare.round())),
            ("runs of each round".to_owned(), json!(count)),
            ("clients".to_owned(), json!(CLIENTS)),
        ],
    })
}
