//! keys: the master key is replaced while two gateways answer requests. The gateways are restarted one after the other, as
//! behind a load balancer; the rotation is killed and run again. No request fails, and the old key opens nothing
//! afterwards.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use testkit::{Finding, Gateway, MANY_PENDING, Opened, Size, master_key};
use tokio::{task::JoinSet, time::Instant};

use crate::{
    kills::windows::Kind,
    setup::{Client, Setup, Stand, UNHURRIED},
};

const CLIENTS: usize = 4;
const KEYS: &str = "COUNTERSIGN_MASTER_KEY";
const ROTATE: [&str; 5] = ["master-key", "rotate", "--reason", "a trial", "--json"];
/// How long requests go on before the first and after the last step.
const CALM: Duration = Duration::from_secs(1);

/// Which of two gateways takes requests, as a load balancer knows it.
struct Balancer {
    urls: [String; 2],
    takes: [AtomicBool; 2],
    busy: [AtomicUsize; 2],
}

impl Balancer {
    /// A gateway that takes requests; it counts as busy until [`Self::done`].
    fn pick(&self, number: usize) -> usize {
        for at in number.. {
            let at = at % 2;
            // Counted before it is looked at, so that nobody restarts it in between.
            self.busy[at].fetch_add(1, Ordering::SeqCst);
            if self.takes[at].load(Ordering::SeqCst) {
                return at;
            }
            self.done(at);
        }
        0
    }

    fn done(&self, at: usize) {
        self.busy[at].fetch_sub(1, Ordering::SeqCst);
    }

    /// Sends no more requests to a gateway, and waits until it has answered all.
    async fn drain(&self, at: usize) {
        self.takes[at].store(false, Ordering::SeqCst);
        while self.busy[at].load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn take(&self, at: usize) {
        self.takes[at].store(true, Ordering::SeqCst);
    }
}

/// Clients that ask until they are stopped. Every answer must be the one of a quiet day.
struct Load {
    over: Arc<AtomicBool>,
    failed: Arc<Mutex<Vec<String>>>,
    titles: Arc<Mutex<Vec<String>>>,
    clients: JoinSet<()>,
}

impl Load {
    fn start(client: &Client, balancer: &Arc<Balancer>) -> Self {
        let (over, failed, titles) = (Arc::<AtomicBool>::default(), Arc::default(), Arc::default());
        let mut clients = JoinSet::new();
        for name in 0..CLIENTS {
            let load = (client.clone(), balancer.clone());
            clients.spawn(ask(name, load, over.clone(), Arc::clone(&failed), Arc::clone(&titles)));
        }
        Self { clients, over, failed, titles }
    }

    /// Waits for the last answers; returns the titles that were asked for, and what failed.
    async fn stop(self) -> anyhow::Result<(Vec<String>, Vec<String>)> {
        self.over.store(true, Ordering::Relaxed);
        let mut clients = self.clients;
        while let Some(ended) = clients.join_next().await {
            ended?;
        }
        let all = |list: &Mutex<Vec<String>>| list.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok((all(&self.titles), all(&self.failed)))
    }
}

/// Every other request creates an issue, for which the credential of the source is decrypted; the others wait for a
/// person, with their parameters encrypted.
async fn ask(
    name: usize,
    (client, balancer): (Client, Arc<Balancer>),
    over: Arc<AtomicBool>,
    failed: Arc<Mutex<Vec<String>>>,
    titles: Arc<Mutex<Vec<String>>>,
) {
    for number in 0_usize.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let title = format!("rotation-{name}-{number}-end");
        let (kind, wanted) = if number % 2 == 0 { (Kind::Checkable, 200) } else { (Kind::Once, 202) };
        let at = balancer.pick(number / 2);
        let answer = client.at(&balancer.urls[at]).ask((kind, &title), Some(&title)).await;
        balancer.done(at);
        let add = |list: &Mutex<Vec<String>>, text: String| {
            list.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        };
        match answer {
            Ok((status, _)) if status == wanted => {}
            Ok((status, answer)) => add(&failed, format!("{title}: {status} {answer}")),
            Err(error) => add(&failed, format!("{title}: {error:#}")),
        }
        if kind == Kind::Checkable {
            add(&titles, title);
        }
    }
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (count, started) = (size.pick(600, 100_000), Instant::now());
    let mut env = MANY_PENDING.to_vec();
    env.push(UNHURRIED);
    let mut stand = Stand::set_up(Setup { env, ..Setup::default() }).await?;
    stand.deployment.rule(Kind::Once.action(), "require_approval").await?;
    stand.deployment.store_secrets(count).await?;
    let old = stand.deployment.setting(KEYS).unwrap_or_default().to_owned();
    let (new, mut wrong) = (master_key("new"), Vec::new());
    let both = format!("{new},{old}");
    let before = stand.deployment.opened_with(&old).await?;
    let mut second = stand.deployment.another_gateway()?;
    second.launch().await?;
    let balancer = Arc::new(Balancer {
        urls: [stand.deployment.url.clone(), second.url.clone()],
        takes: [true.into(), true.into()],
        busy: Default::default(),
    });
    let load = Load::start(&stand.client, &balancer);
    tokio::time::sleep(CALM).await;

    let (code, said) = stand.deployment.fail(&ROTATE, &[(KEYS, &both)])?;
    if code != Some(1) || !said.contains("processes without the master key") {
        wrong.push(format!("not refused while gateways lack the key: {code:?} {said}"));
    }
    restart(&mut stand, &mut second, &balancer, &both).await?;
    let killed = interrupt(&mut stand, (&both, size == Size::Full), count, &mut wrong).await?;
    let begun = Instant::now();
    let rotated: Value = serde_json::from_str(&stand.deployment.run_with(&ROTATE, &[(KEYS, &both)])?)?;
    let seconds = begun.elapsed().as_secs_f64();
    restart(&mut stand, &mut second, &balancer, &new).await?;
    tokio::time::sleep(CALM).await;
    let (titles, failed) = load.stop().await?;

    let after = (stand.deployment.opened_with(&old).await?, stand.deployment.opened_with(&new).await?);
    judge(&before, &after, &mut wrong);
    let once = titles.iter().filter(|title| stand.linear.count_effect(title) == 1).count();
    wrong.extend(failed.iter().take(10).cloned());
    Ok(Finding {
        bar: "keys".to_owned(),
        figure: failed.len() as f64,
        unit: format!("failed requests of {}", titles.len() * 2),
        pass: failed.is_empty() && wrong.is_empty() && once == titles.len(),
        details: vec![
            ("issues created once, of".to_owned(), json!([once, titles.len()])),
            ("encrypted values before".to_owned(), json!(before.values)),
            ("the old key opened before".to_owned(), json!(before.opened)),
            ("the old key opens after".to_owned(), json!(after.0.opened)),
            ("the new key opens after, of".to_owned(), json!([after.1.opened, after.1.values])),
            ("the rotation was killed".to_owned(), json!(killed)),
            ("the last rotation".to_owned(), rotated),
            ("its seconds".to_owned(), json!(seconds)),
            ("seconds".to_owned(), json!(started.elapsed().as_secs())),
            ("wrong".to_owned(), json!(wrong)),
        ],
    })
}

/// Restarts the gateways one after the other with these keys; the other one takes the requests.
async fn restart(
    stand: &mut Stand,
    second: &mut Gateway,
    balancer: &Balancer,
    keys: &str,
) -> anyhow::Result<()> {
    balancer.drain(0).await;
    stand.deployment.launch(&[(KEYS, keys)]).await?;
    balancer.take(0);
    balancer.drain(1).await;
    second.launch_with(&[(KEYS, keys)]).await?;
    balancer.take(1);
    Ok(())
}

/// Kills the rotation after its first transaction with values; at full size also half-way, from outside. Returns how often.
async fn interrupt(
    stand: &mut Stand,
    (keys, twice): (&str, bool),
    count: usize,
    wrong: &mut Vec<String>,
) -> anyhow::Result<usize> {
    let (code, said) =
        stand.deployment.fail(&ROTATE, &[(KEYS, keys), ("COUNTERSIGN_FAULT", "inside-rotation")])?;
    if code.is_some() {
        wrong.push(format!("the rotation was not killed: {code:?} {said}"));
    }
    if !twice {
        return Ok(1);
    }
    let mut rotation = stand.deployment.program(&ROTATE);
    rotation.spawn(&[(KEYS, keys)])?;
    let query = "SELECT count(*) FROM secrets WHERE substring(sealed FROM 2 FOR 16) =
                 (SELECT decode(replace(id::text, '-', ''), 'hex') FROM data_keys ORDER BY id DESC LIMIT 1)";
    loop {
        let done: i64 = sqlx::query_scalar(query).fetch_one(&mut stand.sql).await?;
        if usize::try_from(done)? > count / 2 {
            break;
        }
        anyhow::ensure!(!rotation.has_died()?, "the rotation ended before it could be killed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    rotation.kill()?;
    Ok(2)
}

fn judge(before: &Opened, (old, new): &(Opened, Opened), wrong: &mut Vec<String>) {
    if before.opened != before.values || !before.signing_key {
        wrong.push(format!("control: the old key did not open everything before: {before:?}"));
    }
    if old.opened > 0 || old.signing_key || old.values < before.values {
        wrong.push(format!("the old key opens something after: {old:?}"));
    }
    if new.opened != new.values || !new.signing_key {
        wrong.push(format!("the new key does not open everything: {new:?}"));
    }
}
