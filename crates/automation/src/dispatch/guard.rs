//! What ends loops: how deep a fire is, which automations are on the way to it, and whether it is an echo of what a run
//! brought about outside.
//!
//! An event of ours says what led to it. What comes from outside does not, so what runs make there is remembered by a hash of
//! its name for a while: when a payload names it, it is an echo. Something a run made leads to what it caused as surely as an
//! event does; something it merely touched may be anything, so of those only many in a short time are refused.

use std::time::Duration;

use model::{AutomationId, OrgId, RunId};
use platform::db::Tx;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{Automations, Error, Run, store, store::traces::Trace};

/// How many runs of an automation its own runs may lead to in a minute.
const MOST_A_MINUTE: i64 = 20;
const MINUTE: Duration = Duration::from_secs(60);
/// How often an automation may be on the way to itself.
const MOST_TIMES: usize = 2;
/// How long what a run brought about is remembered.
pub(crate) const REMEMBERED: Duration = Duration::from_secs(60 * 60);
/// How many names of a payload and of a result are looked at.
const MOST_NAMED: usize = 256;
const MOST_MADE: usize = 32;
/// How deep names are looked for.
const DEEPEST: usize = 8;
/// What things are called by in results.
const NAMES: [&str; 9] = ["id", "identifier", "key", "url", "ts", "uuid", "node_id", "html_url", "permalink"];

/// What led to a fire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub(crate) depth: u8,
    /// The automations on the way, the first first.
    pub(crate) chain: Vec<String>,
    /// Hashes of what the payload names.
    pub(crate) named: Vec<i64>,
    /// The run of the same automation whose echo it seems to be.
    pub(crate) echo_of: Option<RunId>,
}

impl Automations {
    /// Why a fire is refused as a loop, if it is one.
    pub(crate) async fn loops(
        &self,
        tx: &mut Tx,
        (org, automation): (OrgId, AutomationId),
        origin: &Origin,
    ) -> Result<Option<String>, Error> {
        if origin.depth > events::DEEPEST {
            return Ok(Some(format!("{} events one after the other led to it", origin.depth)));
        }
        let own = automation.to_string();
        let times = origin.chain.iter().filter(|one| **one == own).count();
        if times >= MOST_TIMES {
            return Ok(Some("it led to itself more than once".to_owned()));
        }
        if times == 0 && origin.echo_of.is_none() {
            return Ok(None);
        }
        let since = self.parts.world.clock.now() - MINUTE;
        let lately = store::runs::own_since(tx, (org, automation), since).await?;
        Ok((lately >= MOST_A_MINUTE).then(|| format!("it led to itself {lately} times within a minute")))
    }

    /// What led to something that comes from outside, as far as that can be told from what it names.
    pub(crate) async fn origin_of(
        &self,
        org: OrgId,
        automation: AutomationId,
        payload: &Value,
    ) -> Result<Origin, Error> {
        let named = named(payload);
        let mut origin = Origin { named, ..Origin::default() };
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let found = store::traces::find(&mut tx, org, &origin.named, now).await?;
        let Some(first) = found.first() else { return Ok(origin) };
        let Some(run) = store::runs::find(&mut tx, org, &[first.run]).await?.pop() else { return Ok(origin) };
        if first.carried {
            origin.echo_of = (run.automation == automation).then_some(run.id);
        } else {
            let own = super::of(&run);
            (origin.depth, origin.chain) = (own.depth, own.chain);
        }
        Ok(origin)
    }
}

/// What a run's step brought about or touched, by the names in its result.
pub(crate) fn traces(run: &Run, result: &Value) -> Vec<Trace> {
    let mut names = Vec::new();
    made(result, &mut names, 0);
    let trace = |hash: i64| Trace { hash, run: run.id, carried: run.named.contains(&hash) };
    names.into_iter().map(trace).collect()
}

fn made(value: &Value, found: &mut Vec<i64>, depth: usize) {
    if depth > DEEPEST || found.len() >= MOST_MADE {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_str() {
                    Some(text) if NAMES.contains(&name.as_str()) => add(text, found, MOST_MADE),
                    _ => made(field, found, depth + 1),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| made(item, found, depth + 1)),
        _ => {}
    }
}

/// Hashes of the texts in a payload that could be names.
fn named(payload: &Value) -> Vec<i64> {
    fn walk(value: &Value, found: &mut Vec<i64>, depth: usize) {
        match value {
            _ if depth > DEEPEST => {}
            Value::String(text) => add(text, found, MOST_NAMED),
            Value::Object(fields) => fields.values().for_each(|field| walk(field, found, depth + 1)),
            Value::Array(items) => items.iter().for_each(|item| walk(item, found, depth + 1)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(payload, &mut found, 0);
    found
}

fn add(text: &str, found: &mut Vec<i64>, most: usize) {
    // Shorter texts are words, longer ones are prose.
    if (6..=200).contains(&text.len()) && found.len() < most {
        let hash = Sha256::digest(text.as_bytes());
        let first: [u8; 8] = std::array::from_fn(|at| hash[at]);
        let hash = i64::from_be_bytes(first);
        if !found.contains(&hash) {
            found.push(hash);
        }
    }
}
