//! S9: three gateways and two workers on one database. Limits, caps and budgets are exact: never exceeded, and fully
//! usable.

use std::{collections::BTreeMap, time::Duration};

use futures::future::{join_all, try_join_all};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Finding, Gateway, Size, Waiting};
use tokio::time::Instant;

use crate::{
    kills::windows::Kind,
    setup::{Client, Setup, Stand, UNHURRIED},
};

const CLIENTS: usize = 64;
/// How many requests a session may make per minute.
const PER_MINUTE: &str = "300";
const MOST_A_MINUTE: u64 = 300;
/// How many invocations may wait for a person at once; the default.
const MOST_PENDING: usize = 10;
/// The number of calls of a grant.
const BUDGET: u64 = 25;

/// The log message of a gateway that counts alone.
const ALONE: &str = "each process counts rate limits alone";
/// How often a round is repeated until no gateway counted alone in it.
const TRIES: usize = 10;

/// How long approved invocations may take to end.
const OVER: Duration = Duration::from_secs(240);

/// How often each answer came, by status and code.
type Answers = BTreeMap<String, u64>;

/// The result of one check of one limit: the deviation from the exact value.
struct Look {
    off_by: u64,
    answers: Answers,
}

/// The whole deployment.
struct Crowd {
    stand: Stand,
    gateways: [Gateway; 2],
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (rounds, started) = (size.pick(3, 20), Instant::now());
    let mut setup = Setup::approved();
    setup.env = vec![("COUNTERSIGN_INVOCATIONS_PER_MINUTE", PER_MINUTE), UNHURRIED];
    let mut stand = Stand::set_up(setup).await?;
    stand.deployment.rule(Kind::Read.action(), "allow").await?;
    let mut gateways = [stand.deployment.another_gateway()?, stand.deployment.another_gateway()?];
    let mut workers = [stand.deployment.worker()?, stand.deployment.worker()?];
    for gateway in &mut gateways {
        gateway.launch().await?;
    }
    for worker in &mut workers {
        worker.launch(&[]).await?;
    }
    let mut crowd = Crowd { stand, gateways };
    let (mut rates, mut caps, mut budgets) = (vec![], vec![], vec![]);
    for round in 0..rounds {
        caps.push(crowd.cap(round).await?);
        budgets.push(crowd.budget(round).await?);
        rates.push(crowd.counted_rate(round).await?);
    }
    let left = crowd.stand.wait_until_over(OVER).await?;
    let alone = crowd.alone()?;
    stand = crowd.stand;
    let stuck = left.max(stand.stuck().await?);
    let mut finding = finding([&rates, &caps, &budgets], stuck, started.elapsed());
    finding.details.push(("gateways took Redis for dead".to_owned(), json!(alone)));
    Ok(finding)
}

impl Crowd {
    /// Clients, distributed over the three gateways.
    fn spread(&self, client: &Client) -> Vec<Client> {
        let urls = [&self.stand.deployment.url, &self.gateways[0].url, &self.gateways[1].url];
        (0..CLIENTS).map(|number| client.at(urls[number % urls.len()])).collect()
    }

    /// All clients at once, each sending `each` requests.
    async fn storm(
        &self,
        client: &Client,
        what: (Kind, &str),
        each: usize,
    ) -> anyhow::Result<Vec<(u16, Value)>> {
        let clients = self.spread(client);
        let asked = clients.iter().enumerate().map(|(number, client)| async move {
            let mut answers = Vec::new();
            for time in 0..each {
                let title = format!("{}-{number}-{time}-end", what.1);
                answers.push(client.ask((what.0, &title), None).await?);
            }
            Ok::<_, anyhow::Error>(answers)
        });
        Ok(try_join_all(asked).await?.into_iter().flatten().collect())
    }

    /// How often a gateway considered Redis dead or too slow. Each one counts alone meanwhile.
    fn alone(&self) -> anyhow::Result<usize> {
        let first = std::fs::read_to_string(&self.stand.deployment.log)?.matches(ALONE).count();
        let others = self.gateways.iter().map(|gateway| gateway.program.count_in_log(ALONE));
        Ok(first + others.sum::<usize>())
    }

    /// Checks the rate in a round in which the gateways counted together.
    async fn counted_rate(&self, round: usize) -> anyhow::Result<Look> {
        for attempt in 0..TRIES {
            let before = self.alone()?;
            let look = self.rate((round, attempt)).await?;
            if self.alone()? == before {
                return Ok(look);
            }
        }
        anyhow::bail!("gateways took Redis for dead in each of {TRIES} tries")
    }

    /// Sends more reads than a minute allows, within one minute.
    async fn rate(&self, (round, attempt): (usize, usize)) -> anyhow::Result<Look> {
        let client = self.stand.another_client("rate").await?;
        let title = format!("rate-{round}-{attempt}");
        early_in_a_minute().await;
        let answers = self.storm(&client, (Kind::Read, &title), 8).await?;
        let admitted = count(&answers).get("200").copied().unwrap_or(0);
        // The target is the judge: every request that reached it was let through. A read that was not answered in time
        // is sent again, so titles are counted once.
        let mut titles: Vec<String> = (self.stand.linear.requests().into_iter())
            .map(|seen| seen.body.to_string())
            .filter(|body| body.contains(&format!("{title}-")))
            .collect();
        titles.sort_unstable();
        titles.dedup();
        let reached = titles.len() as u64;
        Ok(Look {
            off_by: admitted.abs_diff(MOST_A_MINUTE) + reached.abs_diff(MOST_A_MINUTE),
            answers: count(&answers),
        })
    }

    /// Proposals against answers: never more than ten wait, and after all proposals exactly ten do.
    async fn cap(&mut self, round: usize) -> anyhow::Result<Look> {
        let client = self.stand.another_client("cap").await?;
        let title = format!("cap-{round}");
        let first = self.storm(&client, (Kind::Once, &title), 1).await?;
        let waiting = pending(&first)?;
        let mut off_by = waiting.len().abs_diff(MOST_PENDING) as u64;
        // Half are answered while the clients go on proposing: as many places as were freed are taken again.
        let owner = &self.stand.owner;
        let answered =
            join_all(waiting.iter().take(5).enumerate().map(async |(number, one)| match number % 2 {
                0 => owner.approve(one, "0s").await,
                _ => owner.deny(one, "no").await,
            }));
        let more = format!("{title}-more");
        let (answered, second) = tokio::join!(answered, self.storm(&client, (Kind::Once, &more), 2));
        let (second, third) =
            (second?, self.storm(&client, (Kind::Once, &format!("{title}-last")), 1).await?);
        off_by += answered.iter().filter(|answer| !matches!(answer, Ok((200 | 202, _)))).count() as u64;
        let taken = [pending(&second)?, pending(&third)?].concat();
        off_by += taken.len().abs_diff(5) as u64;
        let rest: Vec<Waiting> = waiting.into_iter().skip(5).chain(taken).collect();
        off_by += self.finish(&rest, (3, &title)).await?;
        let mut answers = count(&first);
        for (answer, times) in count(&second).into_iter().chain(count(&third)) {
            *answers.entry(answer).or_default() += times;
        }
        Ok(Look { off_by, answers })
    }

    /// Approves what still waits and compares the target's count with it; returns the deviation.
    async fn finish(&mut self, rest: &[Waiting], (before, title): (u64, &str)) -> anyhow::Result<u64> {
        let said = join_all(rest.iter().map(|one| self.stand.owner.approve(one, "0s"))).await;
        let mut bad = said.iter().filter(|said| !matches!(said, Ok((200 | 202, _)))).count() as u64;
        self.stand.wait_until_over(OVER).await?;
        for one in rest {
            let path = format!("/v1/invocations/{}", one.id);
            let (_, found) = self.stand.owner.call(Method::GET, &path, None).await?;
            bad += u64::from(found["status"] != "succeeded");
        }
        Ok(bad + self.done(title).abs_diff(before + rest.len() as u64))
    }

    /// The target's count of effects whose titles begin with this one.
    fn done(&self, title: &str) -> u64 {
        let effects = self.stand.github.effects();
        effects
            .iter()
            .filter(|(name, _)| name.starts_with(&format!("{title}-")))
            .map(|(_, count)| count)
            .sum()
    }

    /// A grant for some calls: exactly so many are performed without approval, ten wait, and the others are refused.
    async fn budget(&mut self, round: usize) -> anyhow::Result<Look> {
        let client = self.stand.another_client("budget").await?;
        let title = format!("budget-{round}");
        let action = Kind::Once.action();
        let body =
            json!({ "action": action, "session": client.session(), "max_calls": BUDGET, "lifetime_s": 600 });
        let grant = self.stand.deployment.as_owner(Method::POST, "/v1/grants", body).await?;
        let answers = self.storm(&client, (Kind::Once, &title), 3).await?;
        let counted = count(&answers);
        let at_once = counted.get("200").copied().unwrap_or(0);
        let mut off_by = at_once.abs_diff(BUDGET) + self.done(&title).abs_diff(BUDGET);
        let waiting = pending(&answers)?;
        off_by += waiting.len().abs_diff(MOST_PENDING) as u64;
        off_by += self.finish(&waiting, (BUDGET, &title)).await?;
        let (_, grants) = self.stand.owner.call(Method::GET, "/v1/grants", None).await?;
        let used = grants["items"].as_array().into_iter().flatten().find(|one| one["id"] == grant["id"]);
        let used = used.and_then(|one| one["used_calls"].as_u64()).unwrap_or(0);
        Ok(Look { off_by: off_by + used.abs_diff(BUDGET), answers: counted })
    }
}

fn count(answers: &[(u16, Value)]) -> Answers {
    let mut counted = Answers::new();
    for (status, body) in answers {
        let code = body["code"].as_str().map(|code| format!(" {code}")).unwrap_or_default();
        *counted.entry(format!("{status}{code}")).or_default() += 1;
    }
    counted
}

fn pending(answers: &[(u16, Value)]) -> anyhow::Result<Vec<Waiting>> {
    answers.iter().filter(|(status, _)| *status == 202).map(|(_, body)| Waiting::of(body)).collect()
}

/// The limit applies to minutes of the clock, so a trial must not cross the end of one.
async fn early_in_a_minute() {
    let clock = platform::World::system().clock;
    let second = || clock.now().as_second() % 60;
    while !(1..30).contains(&second()) {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn finding([rates, caps, budgets]: [&[Look]; 3], stuck: i64, took: Duration) -> Finding {
    let off = |looks: &[Look]| looks.iter().map(|look| look.off_by).sum::<u64>();
    let bad = off(rates) + off(caps) + off(budgets) + stuck.unsigned_abs();
    let sum = |looks: &[Look]| {
        let mut all = Answers::new();
        for (answer, times) in looks.iter().flat_map(|look| &look.answers) {
            *all.entry(answer.clone()).or_default() += times;
        }
        json!(all)
    };
    Finding {
        bar: "S9".to_owned(),
        figure: bad as f64,
        unit: format!("off what {} limits, caps and budgets say", rates.len() + caps.len() + budgets.len()),
        pass: bad == 0 && !rates.is_empty(),
        details: vec![
            ("gateways, workers, clients".to_owned(), json!([3, 2, CLIENTS])),
            (format!("off {MOST_A_MINUTE} a minute"), json!(off(rates))),
            (format!("off {MOST_PENDING} waiting"), json!(off(caps))),
            (format!("off {BUDGET} calls of a grant"), json!(off(budgets))),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("answers under the rate".to_owned(), sum(rates)),
            ("answers under the cap".to_owned(), sum(caps)),
            ("answers under the grant".to_owned(), sum(budgets)),
            ("rounds".to_owned(), json!(rates.len())),
            ("seconds".to_owned(), json!(took.as_secs())),
        ],
    }
}
