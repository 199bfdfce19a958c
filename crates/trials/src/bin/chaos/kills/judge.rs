//! The judgement of one invocation: first the target's count, then our tables, answers and receipts compared with it.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    kills::windows::{Kind, Window},
    setup::{Client, LEASE, Stand},
};

/// How long a client keeps asking: the work of a dead process is recovered when its lease ends, and once more if that
/// failed.
const PATIENCE: Duration = Duration::from_secs(4 * LEASE.as_secs());

/// One invocation whose gateway was killed.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub(crate) kind: Kind,
    /// The name by which the target counts effects.
    pub(crate) title: String,
    pub(crate) key: String,
}

/// The final answer to a client.
pub(crate) struct Told {
    /// The last response; `None` if there never was one.
    answer: Option<(u16, Value)>,
    /// How often the response was that the request is in progress.
    under_way: u64,
}

/// The results of many invocations.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// How often each kind ended in each status, and the target's count for it.
    pub(crate) ends: BTreeMap<(Kind, String), u64>,
    pub(crate) effects: BTreeMap<Kind, u64>,
    pub(crate) judged: u64,
    pub(crate) doubled: u64,
    pub(crate) lost: u64,
    /// Ended once, but in the wrong way.
    pub(crate) wrong: u64,
    pub(crate) under_way: u64,
    pub(crate) complaints: Vec<String>,
}

/// Repeats the request with the same key until the answer is not "in progress", as a client would.
pub(crate) async fn ask_again(client: &Client, trial: &Trial) -> Told {
    let (start, mut under_way) = (Instant::now(), 0);
    while start.elapsed() < PATIENCE {
        match client.ask((trial.kind, &trial.title), Some(&trial.key)).await {
            Ok((409, body)) if body["code"] == "idempotency_key_under_way" => under_way += 1,
            // A gateway that is too busy has not answered yet.
            Ok((503, _)) | Err(_) => {}
            Ok(answer) => return Told { answer: Some(answer), under_way },
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    Told { answer: None, under_way }
}

/// Our own records of one invocation.
struct Account {
    invocation: String,
    receipt: String,
    status: String,
}

impl Tally {
    /// Judges one invocation after its client has its answer.
    pub(crate) async fn judge(
        &mut self,
        stand: &mut Stand,
        window: Window,
        (trial, told): (&Trial, &Told),
        keys: &receipt::KeySet,
    ) -> anyhow::Result<()> {
        self.judged += 1;
        self.under_way += told.under_way;
        let effects = stand.effects(trial.kind, &trial.title);
        *self.effects.entry(trial.kind).or_default() += effects;
        let by_part = stand.effects_by_part(trial.kind, &trial.title);
        if by_part.iter().any(|effects| *effects > 1) {
            self.doubled += 1;
            self.complain(window, trial, format!("the target did its parts {by_part:?} times"));
        }
        if window == Window::InsideBatch && by_part != [1, 0] {
            self.wrong += 1;
            self.complain(window, trial, format!("killed after its first part, it did {by_part:?}"));
        }
        let account = match account(stand, trial, told, keys).await {
            Ok(account) => account,
            Err(error) => {
                self.lost += 1;
                self.complain(window, trial, format!("{error:#}"));
                return Ok(());
            }
        };
        *self.ends.entry((trial.kind, account.status.clone())).or_default() += 1;
        let (status, count) = window.end(trial.kind);
        if account.status != status || effects != count {
            self.wrong += 1;
            let ended = &account.status;
            self.complain(
                window,
                trial,
                format!("ended {ended} with {effects} effects, not {status} with {count}"),
            );
        }
        if window == Window::InsideRollback && !stand.archived(&trial.title) {
            self.wrong += 1;
            self.complain(window, trial, "what was to be undone is still there".to_owned());
        }
        self.judge_replay(stand, window, trial, (&account, effects)).await
    }

    /// One more request with the same key must return the same answer and cause no effect.
    async fn judge_replay(
        &mut self,
        stand: &Stand,
        window: Window,
        trial: &Trial,
        (account, effects): (&Account, u64),
    ) -> anyhow::Result<()> {
        let (_, again) = stand.client.ask((trial.kind, &trial.title), Some(&trial.key)).await?;
        if named(&again) != (&account.invocation, &account.receipt) {
            self.wrong += 1;
            self.complain(window, trial, format!("another answer to the same key: {again}"));
        }
        if stand.effects(trial.kind, &trial.title) != effects {
            self.doubled += 1;
            self.complain(window, trial, "a replay had an effect".to_owned());
        }
        Ok(())
    }

    /// Notes a problem, up to a number that people would read.
    pub(crate) fn complain(&mut self, window: Window, trial: &Trial, what: String) {
        if self.complaints.len() < 20 {
            let (name, kind, title) = (window.name(), trial.kind.as_str(), &trial.title);
            self.complaints.push(format!("{name}, {kind}, {title}: {what}"));
        }
    }
}

/// The invocation and the receipt that an answer names, be it a result or a problem.
fn named(answer: &Value) -> (&str, &str) {
    let invocation = answer["invocation"].as_str().or_else(|| answer["id"].as_str());
    (invocation.unwrap_or_default(), answer["receipt"].as_str().unwrap_or_default())
}

/// The records of an invocation: one row in a terminal state, with one receipt that verifies and agrees; anything else
/// is an error.
async fn account(
    stand: &mut Stand,
    trial: &Trial,
    told: &Told,
    keys: &receipt::KeySet,
) -> anyhow::Result<Account> {
    let (code, answer) = told.answer.as_ref().context("no answer ever came")?;
    let rows: Vec<(uuid::Uuid, String, i64)> = sqlx::query_as(
        "SELECT i.id, i.status, (SELECT count(*) FROM receipts r WHERE r.invocation_id = i.id)
         FROM invocations i WHERE i.idempotency_key = $1",
    )
    .bind(&trial.key)
    .fetch_all(&mut stand.sql)
    .await?;
    let [(id, status, receipts)] = rows.as_slice() else {
        anyhow::bail!("{} records under one key", rows.len());
    };
    anyhow::ensure!(*receipts == 1, "{status} with {receipts} receipts");
    let (invocation, receipt) = named(answer);
    let same = invocation.rsplit_once('_').and_then(|(_, hex)| hex.parse().ok());
    anyhow::ensure!(same == Some(*id), "answered {code} about another invocation: {answer}");
    let path = format!("/v1/receipts/{receipt}");
    let (code, found) =
        stand.deployment.call(Method::GET, &path, &stand.deployment.owner_token, None).await?;
    anyhow::ensure!(code == 200, "the receipt `{receipt}` was answered with {code}");
    let verified = receipt::verify(&serde_json::to_vec(&found["envelope"])?, keys)?
        .into_receipt()
        .context("not a receipt")?;
    anyhow::ensure!(
        verified.invocation == invocation && verified.status == *status && verified.id == receipt,
        "the receipt tells of {} as {}, the record of {invocation} as {status}",
        verified.invocation,
        verified.status
    );
    Ok(Account { invocation: invocation.to_owned(), receipt: receipt.to_owned(), status: status.clone() })
}
