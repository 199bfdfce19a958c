//! F6: two approvals, a denial and an expiry race for one invocation, and a gateway dies now and then. Each invocation
//! has one outcome.

use std::{collections::BTreeMap, time::Duration};

use futures::future::{join_all, try_join_all};
use platform::Dice;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use testkit::{Finding, Gateway, Person, Size, Waiting};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    kills::windows::Kind,
    setup::{Setup, Stand, UNHURRIED},
};

/// How many races are run at once.
const AT_ONCE: usize = 20;
/// The answers of people come within this time …
const SPREAD_MS: u64 = 40;
/// … and the invocation expires within this time, or within the duration of the previous round, so that all three have
/// similar chances on a busy machine too: answers queue when so many come at once.
const EXPIRY_MS: u64 = 500;
/// A gateway is killed in one of this many rounds.
const ROUNDS_PER_CRASH: usize = 5;
/// How many receipts are fetched and verified with the published keys. For all invocations it is checked that there is
/// one.
const VERIFIED: usize = 200;

/// The participants of the races.
struct Racers {
    yes: [Person; 2],
    /// The same person, at either gateway in turn.
    no: [Person; 2],
    owner_sql: PgConnection,
    /// Within how many milliseconds the next invocations expire.
    expiry_ms: u64,
}

/// One invocation, and the answer to each of the three people; `None` if the connection broke.
struct Race {
    waiting: Waiting,
    title: String,
    yes: Vec<Option<u16>>,
    no: Option<u16>,
}

/// The results.
#[derive(Default)]
struct Tally {
    ends: BTreeMap<String, u64>,
    answers: BTreeMap<String, u64>,
    /// More than one accepted answer, or a record that contradicts the accepted answer.
    two_outcomes: u64,
    doubled: u64,
    lost: u64,
    complaints: Vec<String>,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let (races, started) = (size.pick(600, 10_000), Instant::now());
    let mut setup = Setup::approved();
    // The sweep ends expired invocations, so it runs as often as the race needs.
    setup.env.extend([("COUNTERSIGN_RECOVERY_INTERVAL_MS", "20"), UNHURRIED]);
    let mut stand = Stand::set_up(setup).await?;
    let mut second = stand.deployment.another_gateway()?;
    second.launch().await?;
    let mut worker = stand.deployment.worker()?;
    worker.launch(&[]).await?;
    let mut racers = racers(&stand, &second).await?;
    let (mut all, mut crashes) = (Vec::with_capacity(races), 0);
    while all.len() < races {
        let round = all.len() / AT_ONCE;
        let waiting = propose(&stand, all.len()..races.min(all.len() + AT_ONCE)).await?;
        let crash = round % ROUNDS_PER_CRASH == ROUNDS_PER_CRASH - 1;
        let run = race(&mut racers, waiting);
        if crash {
            let (run, crashed) = tokio::join!(run, crash_and_return(&mut second));
            crashed?;
            crashes += 1;
            all.extend(run?);
        } else {
            all.extend(run.await?);
        }
    }
    // Invocations that nobody answered because the gateway was dead end when they expire.
    let left = stand.wait_until_over(Duration::from_secs(240)).await?;
    let tally = judge(&mut stand, &all).await?;
    let stuck = stand.stuck().await?;
    let verified = verify(&mut stand).await?;
    Ok(finding(&tally, (races, crashes, verified), left.max(stuck), started.elapsed()))
}

async fn racers(stand: &Stand, second: &Gateway) -> anyhow::Result<Racers> {
    let deployment = &stand.deployment;
    let mut owner_sql = deployment.db.owner().await?;
    // Row-level security applies even to the owner of the tables; it is lifted here, to change when an invocation
    // expires.
    sqlx::raw_sql("ALTER TABLE invocations NO FORCE ROW LEVEL SECURITY").execute(&mut owner_sql).await?;
    owner_sql.ping().await?;
    let no = deployment.member("admin").await?;
    Ok(Racers {
        yes: [deployment.owner(), deployment.member("admin").await?.at(&second.url)],
        no: [no.at(&second.url), no],
        owner_sql,
        expiry_ms: EXPIRY_MS,
    })
}

/// Each round has a session of its own: one that was denied an action three times must wait before it asks again.
async fn propose(stand: &Stand, numbers: std::ops::Range<usize>) -> anyhow::Result<Vec<(Waiting, String)>> {
    let client = &stand.another_client("race").await?;
    try_join_all(numbers.map(|number| async move {
        let title = format!("race-{number:05}-end");
        Ok((client.propose((Kind::Once, &title), Some(&title)).await?, title))
    }))
    .await
}

/// All four at random times within the same few milliseconds.
async fn race(racers: &mut Racers, waiting: Vec<(Waiting, String)>) -> anyhow::Result<Vec<Race>> {
    let (mut ids, mut ends) = (Vec::new(), Vec::new());
    for (one, _) in &waiting {
        ids.push(one.uuid()?);
        ends.push(i32::try_from(within(racers.expiry_ms))?);
    }
    sqlx::query(
        "UPDATE invocations SET expires_at = clock_timestamp() + make_interval(secs => ends.ms / 1000.0)
         FROM unnest($1::uuid[], $2::int[]) AS ends (id, ms) WHERE invocations.id = ends.id",
    )
    .bind(&ids)
    .bind(&ends)
    .execute(&mut racers.owner_sql)
    .await?;
    let begun = Instant::now();
    let (yes, no) = (&racers.yes, &racers.no);
    let races = waiting.into_iter().zip(no.iter().cycle()).map(|((waiting, title), no)| async move {
        let soon = || tokio::time::sleep(Duration::from_millis(within(SPREAD_MS)));
        let code = |answer: anyhow::Result<(u16, Value)>| answer.ok().map(|(code, _)| code);
        let said_yes = join_all(yes.iter().map(async |person| {
            soon().await;
            code(person.approve(&waiting, "0s").await)
        }));
        // One denial against two approvals, so it comes a little sooner.
        let said_no = async {
            tokio::time::sleep(Duration::from_millis(within(SPREAD_MS / 2))).await;
            code(no.deny(&waiting, "no").await)
        };
        let (yes, no) = tokio::join!(said_yes, said_no);
        Race { waiting, title, yes, no }
    });
    let races = join_all(races).await;
    racers.expiry_ms = u64::try_from(begun.elapsed().as_millis())?.max(EXPIRY_MS);
    Ok(races)
}

fn within(most_ms: u64) -> u64 {
    let mut bytes = [0; 2];
    Dice::system().fill(&mut bytes);
    u64::from(u16::from_be_bytes(bytes)) % most_ms
}

/// Kills the gateway at a random time during the race, and restarts it.
async fn crash_and_return(gateway: &mut Gateway) -> anyhow::Result<()> {
    tokio::time::sleep(Duration::from_millis(within(SPREAD_MS * 2))).await;
    gateway.program.kill()?;
    gateway.launch().await
}

/// Our records of an invocation: its id, its status, and the number of approvals and denials.
type Recorded = (Uuid, String, i64, i64);

async fn judge(stand: &mut Stand, races: &[Race]) -> anyhow::Result<Tally> {
    let rows: Vec<Recorded> = sqlx::query_as(
        "SELECT i.id, i.status, count(a.id) FILTER (WHERE a.verdict = 'approved'),
                count(a.id) FILTER (WHERE a.verdict = 'denied')
         FROM invocations i LEFT JOIN approvals a ON a.invocation_id = i.id GROUP BY i.id, i.status",
    )
    .fetch_all(&mut stand.sql)
    .await?;
    let rows: BTreeMap<Uuid, (String, i64, i64)> =
        rows.into_iter().map(|(id, status, yes, no)| (id, (status, yes, no))).collect();
    let effects = stand.github.effects();
    let mut tally = Tally::default();
    for race in races {
        let done = effects.get(&race.title).copied().unwrap_or(0);
        match rows.get(&race.waiting.uuid()?) {
            Some(recorded) => tally.judge(race, recorded, done),
            None => tally.lost += 1,
        }
    }
    Ok(tally)
}

impl Tally {
    fn judge(&mut self, race: &Race, (status, yes, no): &(String, i64, i64), done: u64) {
        *self.ends.entry(status.clone()).or_default() += 1;
        for answer in race.yes.iter().chain(std::iter::once(&race.no)) {
            let answer = answer.map_or_else(|| "none".to_owned(), |code| code.to_string());
            *self.answers.entry(answer).or_default() += 1;
        }
        let taken = |answer: &&Option<u16>| matches!(answer, Some(200 | 202));
        let (said_yes, said_no) =
            (race.yes.iter().filter(taken).count(), std::iter::once(&race.no).filter(taken).count());
        // The record, the votes and the target must agree …
        let (votes, effects) = match status.as_str() {
            "succeeded" => ((1, 0), 1),
            "denied" => ((0, 1), 0),
            "expired" => ((0, 0), 0),
            _ => ((-1, -1), 0),
        };
        // … and no answer may contradict them. A person whose connection broke got no answer.
        let told = said_yes + said_no <= 1
            && (said_yes == 0 || status == "succeeded")
            && (said_no == 0 || status == "denied");
        if (*yes, *no) != votes || !told {
            self.two_outcomes += 1;
            self.complain(race, status, done);
        }
        if done > effects {
            self.doubled += 1;
            self.complain(race, status, done);
        }
        if done < effects {
            self.lost += 1;
            self.complain(race, status, done);
        }
    }

    fn complain(&mut self, race: &Race, status: &str, done: u64) {
        if self.complaints.len() < 20 {
            let Race { title, yes, no, .. } = race;
            self.complaints.push(format!("{title}: {status} with {done} effects; told {yes:?} and {no:?}"));
        }
    }
}

/// Fetches receipts as anybody would, and verifies them with the published keys; returns how many are genuine.
async fn verify(stand: &mut Stand) -> anyhow::Result<usize> {
    let keys = stand.keys().await?;
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM receipts ORDER BY md5(id::text) LIMIT $1")
        .bind(i64::try_from(VERIFIED)?)
        .fetch_all(&mut stand.sql)
        .await?;
    let mut genuine = 0;
    for id in ids {
        let path = format!("/v1/receipts/rcp_{}", id.simple());
        let (code, found) = stand.owner.call(reqwest::Method::GET, &path, None).await?;
        anyhow::ensure!(code == 200, "{path} was answered with {code}");
        genuine += usize::from(receipt::verify(&serde_json::to_vec(&found["envelope"])?, &keys).is_ok());
    }
    Ok(genuine)
}

fn finding(
    tally: &Tally,
    (races, crashes, verified): (usize, usize, usize),
    stuck: i64,
    took: Duration,
) -> Finding {
    let bad = tally.two_outcomes + tally.doubled + tally.lost + stuck.unsigned_abs();
    let judged: u64 = tally.ends.values().sum();
    // Each of the three must really have won sometimes, or it was no race.
    let won = |status: &str| tally.ends.get(status).copied().unwrap_or(0) * 20 >= races as u64;
    let contested = won("succeeded") && won("denied") && won("expired");
    let pass = bad == 0 && judged == races as u64 && contested && crashes > 0 && verified == VERIFIED;
    let bound = (bad == 0).then(|| (3.0e5 / races as f64).round() / 1e5);
    Finding {
        bar: "F6".to_owned(),
        figure: bad as f64,
        unit: format!("of {races} races with anything but one outcome"),
        pass,
        details: vec![
            ("ended".to_owned(), json!(tally.ends)),
            ("answers to two yeses and a no".to_owned(), json!(tally.answers)),
            ("two outcomes, or told another one".to_owned(), json!(tally.two_outcomes)),
            ("doubled".to_owned(), json!(tally.doubled)),
            ("lost".to_owned(), json!(tally.lost)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("gateways killed in a race".to_owned(), json!(crashes)),
            ("receipts fetched and verified".to_owned(), json!(verified)),
            ("rate, below (95 %)".to_owned(), json!(bound)),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("complaints".to_owned(), json!(tally.complaints)),
        ],
    }
}
