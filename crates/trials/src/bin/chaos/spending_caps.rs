//! Caps of policies: three gateways, 64 clients, caps per session, space and organization, gateways that are killed in each
//! window, and requests that wait for people. What is spent is never above the cap, and nothing is refused that would have
//! fitted. The judge is the target, which counts effects by titles that say what each spends.

use std::{collections::BTreeMap, time::Duration};

use futures::future::{join_all, try_join_all};
use platform::fault::Point;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Finding, Gateway, MANY_PENDING, Size, Waiting};
use tokio::time::Instant;

use crate::setup::{Client, Setup, Stand};

const CLIENTS: usize = 64;
/// What may be spent in a round.
const CAP: u64 = 30;
/// How many requests may wait or happen in a round of proposals.
const MOST_PROPOSED: usize = 12;
/// How many of these people deny.
const DENIED: usize = 5;
const SPENDS: &str = "linear.create_issue";
const PROPOSES: &str = "github.create_issue";
const SCOPES: [&str; 3] = ["session", "space", "org"];
/// Where a gateway is killed; one of the three, in the middle of a storm.
const WINDOWS: [Option<Point>; 5] = [
    None,
    Some(Point::AfterClaim),
    Some(Point::BeforeClaim),
    Some(Point::AfterAnswer),
    Some(Point::AfterSettle),
];

/// How long work may take to end; it contains the lease of a killed gateway.
const OVER: Duration = Duration::from_secs(240);

type Answers = BTreeMap<String, u64>;

/// What came of one round.
#[derive(Default)]
struct Look {
    /// What was spent beyond the cap.
    above: u64,
    /// What could have been spent and was refused.
    refused: u64,
    /// Requests that came to another end than they should.
    wrong: u64,
    answers: Answers,
}

struct Crowd {
    stand: Stand,
    gateways: [Gateway; 2],
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let started = Instant::now();
    let mut setup = Setup::approved();
    setup.env = MANY_PENDING.to_vec();
    let stand = Stand::set_up(setup).await?;
    stand.deployment.rule(SPENDS, "allow").await?;
    let mut gateways = [stand.deployment.another_gateway()?, stand.deployment.another_gateway()?];
    let mut worker = stand.deployment.worker()?;
    for gateway in &mut gateways {
        gateway.launch().await?;
    }
    worker.launch(&[]).await?;
    let mut crowd = Crowd { stand, gateways };
    let (mut spent, mut proposed) = (vec![], vec![]);
    for (number, per) in SCOPES.into_iter().enumerate() {
        // In CI each scope is tried with another window, of which one kills; the full size tries all of them.
        let (from, to) = (size.pick(number.min(1), 0), size.pick(number.min(1) + 1, WINDOWS.len()));
        for window in &WINDOWS[from..to] {
            spent.push(crowd.spend(per, *window).await?);
        }
        proposed.push(crowd.propose(per).await?);
    }
    let left = crowd.stand.wait_until_over(OVER).await?;
    let stuck = left.max(crowd.stand.stuck().await?);
    Ok(finding(&spent, &proposed, stuck, started.elapsed()))
}

impl Crowd {
    fn spread(&self, client: &Client) -> Vec<Client> {
        let urls = [&self.stand.deployment.url, &self.gateways[0].url, &self.gateways[1].url];
        (0..CLIENTS).map(|number| client.at(urls[number % urls.len()])).collect()
    }

    /// Declares a fact that looks only at the titles of this round, and a policy that caps it.
    async fn cap(&self, title: &str, fact: Value, condition: &str) -> anyhow::Result<()> {
        let name = title.replace('-', "_");
        let deployment = &self.stand.deployment;
        deployment.as_owner(Method::PUT, &format!("/v1/facts/{name}"), fact.clone()).await?;
        let action = fact["of"][0].as_str().unwrap_or_default();
        let condition = condition.replace("FACT", &name);
        let text = format!(
            "@id(\"{title}\") forbid (principal, action == Action::\"{action}\", resource) \
             when {{ context.input.title like \"{title}-*\" && {condition} }};"
        );
        deployment.as_owner(Method::PUT, &format!("/v1/policies/{title}"), json!({ "text": text })).await?;
        Ok(())
    }

    /// Everybody spends at once, one to three points each, more than there is; then the rest is spent one by one.
    async fn spend(&mut self, per: &str, window: Option<Point>) -> anyhow::Result<Look> {
        let title = format!("spend-{per}-{}", window.map_or("calm", Point::as_str));
        let fact = json!({
            "kind": "sum", "of": [SPENDS], "field": "input.priority", "within": "1h", "per": per,
            "where": { "input.title": { "starts_with": format!("{title}-") } },
        });
        let condition =
            format!("context.input has priority && context.history.FACT + context.input.priority > {CAP}");
        self.cap(&title, fact, &condition).await?;
        let client = self.stand.another_client("spend").await?;
        if let Some(point) = window {
            self.gateways[0].program.kill()?;
            self.gateways[0].launch_with(&[("COUNTERSIGN_FAULT", point.as_str())]).await?;
        }
        let mut look = Look::default();
        self.storm(&client, &format!("{title}-first"), |number| 1 + number % 3, &mut look).await?;
        if window.is_some() {
            self.gateways[0].program.kill()?;
            self.gateways[0].launch().await?;
            // What the killed gateway held is settled by another one, and until then it is counted.
            self.stand.wait_until_over(OVER).await?;
        }
        look.above = self.spent(&title).saturating_sub(CAP);
        self.storm(&client, &format!("{title}-second"), |_| 1, &mut look).await?;
        self.stand.wait_until_over(OVER).await?;
        // The policies for one action read at most eight facts, and no other round asks about this title.
        let policy = format!("/v1/policies/{title}");
        self.stand.deployment.as_owner(Method::DELETE, &policy, Value::Null).await?;
        let spent = self.spent(&title);
        look.above += spent.saturating_sub(CAP);
        look.refused = CAP.saturating_sub(spent);
        Ok(look)
    }

    /// All clients at once, with one request each. What breaks off with its gateway is no answer.
    async fn storm(
        &self,
        client: &Client,
        title: &str,
        points: impl Fn(usize) -> usize,
        look: &mut Look,
    ) -> anyhow::Result<()> {
        let clients = self.spread(client);
        let asked = clients.iter().enumerate().map(|(number, client)| {
            let points = points(number);
            let name = format!("{title}-{number}-points-{points}");
            let params = json!({ "team_id": "team-1", "title": name, "priority": points });
            async move { client.ask_until_taken(SPENDS, params, &name).await }
        });
        for answer in join_all(asked).await {
            let words = match answer {
                Ok((status, body)) => {
                    look.wrong += u64::from(!matches!(status, 200 | 403));
                    format!("{status} {}", body["code"].as_str().unwrap_or_default()).trim_end().to_owned()
                }
                Err(_) => "broken off".to_owned(),
            };
            *look.answers.entry(words).or_default() += 1;
        }
        Ok(())
    }

    /// What the target says was spent in a round.
    fn spent(&self, title: &str) -> u64 {
        let effects = self.stand.linear.effects();
        let ours = effects.iter().filter(|(name, _)| name.starts_with(&format!("{title}-")));
        let points = |name: &str| name.rsplit('-').next().and_then(|points| points.parse().ok()).unwrap_or(0);
        ours.map(|(name, count)| points(name) * count).sum()
    }

    /// Everybody proposes at once: exactly as many wait as may happen, and what is denied makes room for as many again.
    async fn propose(&mut self, per: &str) -> anyhow::Result<Look> {
        let title = format!("propose-{per}");
        let fact = json!({
            "kind": "count", "of": [PROPOSES], "within": "1h", "per": per,
            "where": { "input.title": { "starts_with": format!("{title}-") } },
        });
        self.cap(&title, fact, &format!("context.history.FACT >= {MOST_PROPOSED}")).await?;
        let client = self.stand.another_client("propose").await?;
        let mut look = Look::default();
        let first = self.proposals(&client, &format!("{title}-first"), &mut look).await?;
        look.wrong += first.len().abs_diff(MOST_PROPOSED) as u64;
        let owner = &self.stand.owner;
        let said = join_all(first.iter().enumerate().map(async |(number, one)| match number < DENIED {
            true => owner.deny(one, "no").await,
            false => owner.approve(one, "0s").await,
        }));
        look.wrong += said.await.iter().filter(|said| !matches!(said, Ok((200 | 202, _)))).count() as u64;
        let second = self.proposals(&client, &format!("{title}-second"), &mut look).await?;
        look.refused += DENIED.saturating_sub(second.len()) as u64;
        look.above += second.len().saturating_sub(DENIED) as u64;
        let said = join_all(second.iter().map(|one| owner.approve(one, "0s"))).await;
        look.wrong += said.iter().filter(|said| !matches!(said, Ok((200 | 202, _)))).count() as u64;
        self.stand.wait_until_over(OVER).await?;
        let effects = self.stand.github.effects();
        let ours = effects.iter().filter(|(name, _)| name.starts_with(&format!("{title}-")));
        let done: u64 = ours.map(|(_, count)| count).sum();
        look.above += done.saturating_sub(MOST_PROPOSED as u64);
        look.wrong += (MOST_PROPOSED as u64).saturating_sub(done);
        Ok(look)
    }

    async fn proposals(&self, client: &Client, title: &str, look: &mut Look) -> anyhow::Result<Vec<Waiting>> {
        let clients = self.spread(client);
        let asked = clients.iter().enumerate().map(|(number, client)| {
            let name = format!("{title}-{number}-end");
            let params = json!({ "owner": "acme", "repo": "web", "title": name });
            async move { client.ask_until_taken(PROPOSES, params, &name).await }
        });
        let mut waiting = Vec::new();
        for (status, body) in try_join_all(asked).await? {
            look.wrong += u64::from(!matches!(status, 202 | 403));
            let words = format!("{status} {}", body["code"].as_str().unwrap_or_default());
            *look.answers.entry(words.trim_end().to_owned()).or_default() += 1;
            if status == 202 {
                waiting.push(Waiting::of(&body)?);
            }
        }
        Ok(waiting)
    }
}

fn finding(spent: &[Look], proposed: &[Look], stuck: i64, took: Duration) -> Finding {
    let all = || spent.iter().chain(proposed);
    let sum = |pick: fn(&Look) -> u64| all().map(pick).sum::<u64>();
    let (above, refused, wrong) = (sum(|look| look.above), sum(|look| look.refused), sum(|look| look.wrong));
    let mut answers = Answers::new();
    for (answer, times) in all().flat_map(|look| &look.answers) {
        *answers.entry(answer.clone()).or_default() += times;
    }
    let bad = above + refused + wrong + stuck.unsigned_abs();
    Finding {
        bar: "caps".to_owned(),
        figure: bad as f64,
        unit: format!("off what {} caps say", spent.len() + proposed.len()),
        pass: bad == 0 && !spent.is_empty(),
        details: vec![
            ("gateways, workers, clients".to_owned(), json!([3, 1, CLIENTS])),
            ("spent above the caps".to_owned(), json!(above)),
            ("refused although it would have fitted".to_owned(), json!(refused)),
            ("another end than it should be".to_owned(), json!(wrong)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("rounds of spending, of proposals".to_owned(), json!([spent.len(), proposed.len()])),
            ("answers".to_owned(), json!(answers)),
            ("seconds".to_owned(), json!(took.as_secs())),
        ],
    }
}
