//! Abuse 5, slow target: it performs what was approved and answers long after the engine's own timeouts, which are one
//! second each here. There must be one effect and one call.
//!
//! Two guards prevent a second effect: the timeouts of our handlers, and the lease. The first control removes these
//! timeouts through the engine's admin interface; the engine then calls again, and the lease must hold. The second
//! control has neither: a bare handler of the same engine that calls the same target.

use std::{collections::BTreeSet, time::Duration};

use anyhow::Context as _;
use serde_json::{Value, json};
use testkit::{
    Agent, Deployment, Engine, Finding, MANY_PENDING, Options, Size, Waiting,
    fakes::{FakeGitHub, FakeLinear, Seen},
};
use tokio::{net::TcpListener, time::Instant};

use crate::unguarded_call;

const TOKEN: &str = "lin_api_slow";
/// Restate's own timeouts, for handlers that set none: how long a handler may be silent, and how long it then has to
/// end.
const IMPATIENT: [(&str, &str); 2] =
    [("RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT", "1s"), ("RESTATE_WORKER__INVOKER__ABORT_TIMEOUT", "1s")];
/// How long after the effect the target answers. All are longer than both timeouts together, and none is longer than
/// the 30 s that an action may take.
const LATE_MS: [u64; 3] = [4_000, 10_000, 18_000];
const CONTROL_LATE_MS: u64 = 10_000;
/// The number of calls of the bare handler.
const BARE: usize = 3;
const PATIENCE: Duration = Duration::from_secs(180);

/// The requested action: one whose target cannot be asked whether it happened, and one whose target can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Once,
    Checkable,
}

struct Asked {
    kind: Kind,
    /// The name by which the target counts effects.
    title: String,
    waiting: Waiting,
}

/// The system under attack.
struct Trial {
    deployment: Deployment,
    linear: FakeLinear,
    github: FakeGitHub,
    agent: Agent,
}

/// The result of a round.
#[derive(Default)]
struct Round {
    asked: Vec<Asked>,
    /// The invocations that the engine started more than once, those of them that it had aborted, and its error
    /// messages.
    again: BTreeSet<String>,
    cut_off: BTreeSet<String>,
    said: BTreeSet<String>,
}

#[derive(Default)]
struct Judged {
    /// Effects beyond the first of each invocation.
    too_many: u64,
    /// No effect, more than one call, or a status other than `succeeded`.
    wrong: u64,
    complaints: Vec<String>,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let trial = Trial::start().await?;
    let mut worker = trial.deployment.worker()?;
    worker.launch(&[]).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let bare_url = format!("http://{}", listener.local_addr()?);
    let target = (trial.deployment.client.clone(), trial.github.url(), TOKEN);
    tokio::select! {
        () = unguarded_call::serve(listener, target) => anyhow::bail!("the bare handler ended"),
        found = trial.attack(size, &bare_url, started) => found,
    }
}

impl Trial {
    async fn start() -> anyhow::Result<Self> {
        let (linear, github) = (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await);
        let env = [
            ("COUNTERSIGN_LINEAR_URL", linear.url()),
            ("COUNTERSIGN_GITHUB_URL", github.url()),
            ("COUNTERSIGN_INVOCATIONS_PER_MINUTE", "1000000".to_owned()),
        ];
        let many = MANY_PENDING.map(|(name, value)| (name, value.to_owned()));
        let env = env.into_iter().chain(many).map(|(name, value)| (name.to_owned(), value)).collect();
        let options = Options { env, engine: Some(IMPATIENT.into()), ..Options::default() };
        let deployment = Deployment::start(options).await?;
        for (source, kind) in [("linear", Kind::Checkable), ("github", Kind::Once)] {
            deployment.connect_source(source, TOKEN).await?;
            deployment.rule(kind.action(), "require_approval").await?;
        }
        linear.answer_late(lateness);
        github.answer_late(lateness);
        let agent = deployment.agent("patient").await?;
        Ok(Self { deployment, linear, github, agent })
    }

    async fn attack(&self, size: Size, bare_url: &str, started: Instant) -> anyhow::Result<Finding> {
        let each = size.pick(3, 40);
        let (product, bare) = futures::try_join!(self.round("product", &LATE_MS, each), self.bare(bare_url))?;
        let limits = json!({ "inactivity_timeout": "1s", "abort_timeout": "1s" });
        self.engine()?.modify_service("Effect", &limits).await?;
        let lease_alone = self.round("lease", &[CONTROL_LATE_MS], each).await?;
        // Judged only now, so that a late second call is counted as well.
        let judged = (self.judge(&product).await?, self.judge(&lease_alone).await?);
        Ok(finding((&product, &lease_alone), judged, &bare, started.elapsed()))
    }

    fn engine(&self) -> anyhow::Result<&Engine> {
        self.deployment.engine.as_ref().context("there is an engine")
    }

    /// Approves invocations, all at once, and waits for their end while watching the engine.
    async fn round(&self, name: &str, late_ms: &[u64], each: usize) -> anyhow::Result<Round> {
        let mut round = Round::default();
        for late_ms in late_ms {
            for (kind, number) in
                (0..each).flat_map(|number| [(Kind::Once, number), (Kind::Checkable, number)])
            {
                let title = format!("{name}-{late_ms}-{number}-{kind:?}-end");
                let params = kind.params(&title);
                let asked = self.deployment.invoke(&self.agent, kind.action(), &params, None).await?;
                round.asked.push(Asked { kind, title, waiting: Waiting::of(&asked.1)? });
            }
        }
        let owner = self.deployment.owner();
        futures::future::try_join_all(round.asked.iter().map(async |asked| {
            let (status, answer) = owner.approve(&asked.waiting, "0s").await?;
            anyhow::ensure!(status == 200 || status == 202, "a yes was answered with {status}: {answer}");
            Ok(())
        }))
        .await?;
        let (begun, mut sql) = (Instant::now(), self.deployment.sql().await?);
        while begun.elapsed() < PATIENCE {
            self.watch(&mut round).await?;
            let left: i64 = sqlx::query_scalar("SELECT count(*) FROM invocations WHERE receipt_id IS NULL")
                .fetch_one(&mut sql)
                .await?;
            if left == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.read_log(&mut round)?;
        Ok(round)
    }

    /// Notes which of our handler's invocations the engine has started more than once.
    async fn watch(&self, round: &mut Round) -> anyhow::Result<()> {
        let sql = "SELECT target_service_key, retry_count, last_failure FROM sys_invocation
                   WHERE target_service_name = 'Effect' AND (retry_count > 1 OR last_failure IS NOT NULL)";
        for row in self.engine()?.query(sql).await? {
            let key = row["target_service_key"].as_str().unwrap_or_default();
            if !round.asked.iter().any(|asked| asked.waiting.id == key) {
                continue;
            }
            if row["retry_count"].as_u64() > Some(1) {
                round.again.insert(key.to_owned());
            }
            let Some(said) = row["last_failure"].as_str() else { continue };
            round.said.insert(said.chars().take(120).collect());
        }
        Ok(())
    }

    /// Notes which of them the engine aborted: its log has an entry for each, so the time of reading does not matter.
    fn read_log(&self, round: &mut Round) -> anyhow::Result<()> {
        let log = self.engine()?.log()?;
        // An entry begins with its timestamp.
        for entry in log.split("\n20").filter(|entry| entry.contains("'abort timeout'")) {
            let cut_off = round.asked.iter().find(|asked| entry.contains(&asked.waiting.id));
            round.cut_off.extend(cut_off.map(|asked| asked.waiting.id.clone()));
        }
        Ok(())
    }

    async fn judge(&self, round: &Round) -> anyhow::Result<Judged> {
        let (mut judged, mut sql) = (Judged::default(), self.deployment.sql().await?);
        for asked in &round.asked {
            let status: String = sqlx::query_scalar("SELECT status FROM invocations WHERE id = $1")
                .bind(asked.waiting.uuid()?)
                .fetch_one(&mut sql)
                .await?;
            let (effects, calls) = (self.effects(asked), self.calls(asked));
            judged.too_many += effects.saturating_sub(1);
            if effects != 1 || calls != 1 || status != "succeeded" {
                judged.wrong += 1;
                let title = &asked.title;
                judged.complaints.push(format!("{title}: {status}, {effects} effects, {calls} calls"));
            }
        }
        judged.complaints.truncate(20);
        Ok(judged)
    }

    fn effects(&self, asked: &Asked) -> u64 {
        match asked.kind {
            Kind::Once => self.github.count_effect(&asked.title),
            Kind::Checkable => self.linear.count_effect(&asked.title),
        }
    }

    fn calls(&self, asked: &Asked) -> usize {
        let named = |seen: &Seen| seen.body.to_string().contains(&asked.title);
        match asked.kind {
            Kind::Once => self.github.count_requests(named),
            Kind::Checkable => {
                self.linear.count_requests(|seen| named(seen) && seen.body["operationName"] == "CreateIssue")
            }
        }
    }

    /// Makes the same call through the bare handler; returns the number of effects of each of its invocations.
    async fn bare(&self, url: &str) -> anyhow::Result<Vec<u64>> {
        let engine = self.engine()?;
        engine.register(url).await?;
        let titles: Vec<String> = (0..BARE).map(|number| format!("bare-{}-{number}", LATE_MS[0])).collect();
        for title in &titles {
            let sent = self.deployment.client.post(format!("{}/Bare/call/send", engine.ingress_url));
            sent.json(title).send().await?.error_for_status()?;
        }
        let begun = Instant::now();
        loop {
            let effects: Vec<u64> = titles.iter().map(|title| self.github.count_effect(title)).collect();
            if effects.iter().all(|effects| *effects > 1) || begun.elapsed() > PATIENCE {
                return Ok(effects);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Kind {
    const fn action(self) -> &'static str {
        match self {
            Self::Once => "github.create_issue",
            Self::Checkable => "linear.create_issue",
        }
    }

    fn params(self, title: &str) -> Value {
        match self {
            Self::Once => json!({ "owner": "acme", "repo": "web", "title": title }),
            Self::Checkable => json!({ "team_id": "team-1", "title": title }),
        }
    }
}

fn counts(round: &Round) -> Value {
    json!([round.cut_off.len(), round.again.len()])
}

/// The delay of the answer, which is part of the title.
fn lateness(title: &str) -> Duration {
    let late_ms = title.split('-').nth(1).and_then(|late_ms| late_ms.parse().ok());
    Duration::from_millis(late_ms.unwrap_or_default())
}

/// Passes if nothing happened twice and everything succeeded, with both guards and with the lease alone; if the engine
/// aborted and called again exactly where that was possible; and if it doubled every effect without both guards.
fn finding(
    (product, lease_alone): (&Round, &Round),
    (judged, control): (Judged, Judged),
    bare: &[u64],
    took: Duration,
) -> Finding {
    let too_many = judged.too_many + control.too_many;
    let well = too_many + judged.wrong + control.wrong == 0 && !product.asked.is_empty();
    // A handler may ask to be called again when the database is busy; only the engine aborts.
    let struck = product.cut_off.is_empty()
        && !lease_alone.cut_off.is_empty()
        && lease_alone.again.len() == lease_alone.asked.len();
    let doubled = bare.len() == BARE && bare.iter().all(|effects| *effects > 1);
    let tried = product.asked.len() + lease_alone.asked.len();
    let bound = well.then(|| (3.0e4 / tried as f64).round() / 1e4);
    let complaints: Vec<String> = judged.complaints.into_iter().chain(control.complaints).collect();
    Finding {
        bar: "5".to_owned(),
        figure: too_many as f64,
        unit: "effects too many".to_owned(),
        pass: well && struck && doubled,
        details: vec![
            ("tried".to_owned(), json!(product.asked.len())),
            ("of these cut off by the engine, called again".to_owned(), counts(product)),
            ("what the engine said of these".to_owned(), json!(product.said)),
            ("of these ended otherwise than once and well".to_owned(), json!(judged.wrong)),
            ("control, limits off: tried with the lease alone".to_owned(), json!(lease_alone.asked.len())),
            ("of those cut off by the engine, called again".to_owned(), counts(lease_alone)),
            ("what the engine said of those".to_owned(), json!(lease_alone.said)),
            ("of those ended otherwise than once and well".to_owned(), json!(control.wrong)),
            ("control, both guards off: effects of each call".to_owned(), json!(bare)),
            ("rate, below (95 %)".to_owned(), json!(bound)),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("complaints".to_owned(), json!(complaints)),
        ],
    }
}
