//! What ends loops: how deep a fire is, which automations are on the way to it, and whether it is an echo of what a run
//! brought about outside.
//!
//! An event of ours says what led to it. What comes from outside does not, so what runs make there is remembered by a hash of
//! its name for a while: when a payload names it, it is an echo. Something a run made leads to what it caused as surely as an
//! event does; something it merely touched may be anything, so of those only many in a short time are refused.
//!
//! Of what several traces and the sender say, the strictest counts: a sender who tells half of it, or tells of something else
//! as well, must not get further than one who tells nothing.

use std::borrow::Cow;

use model::{AutomationId, InOrg, OrgId, RunId};
use platform::db::Tx;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    Automations, Error, Run,
    limits::guard::{DEEPEST, MINUTE, MOST_A_MINUTE, MOST_MADE, MOST_NAMED, MOST_TIMES},
    store,
    store::traces::Trace,
};

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
        InOrg { org, id: automation }: InOrg<AutomationId>,
        origin: &Origin,
    ) -> Result<Option<String>, Error> {
        if origin.depth > events::DEEPEST {
            return Ok(Some(format!("a chain of {} events led to this run", origin.depth)));
        }
        let own = automation.to_string();
        let times = origin.chain.iter().filter(|one| **one == own).count();
        if times >= MOST_TIMES {
            return Ok(Some("the automation triggered itself more than once".to_owned()));
        }
        if times == 0 && origin.echo_of.is_none() {
            return Ok(None);
        }
        let since = self.parts.world.clock.now() - MINUTE;
        let lately = store::runs::own_since(tx, InOrg { org, id: automation }, since).await?;
        Ok((lately >= MOST_A_MINUTE)
            .then(|| format!("the automation triggered itself {lately} times within a minute")))
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
        if found.is_empty() {
            return Ok(origin);
        }
        let mut ids: Vec<RunId> = found.iter().map(|trace| trace.run).collect();
        ids.sort_unstable();
        ids.dedup();
        let runs = store::runs::find(&mut tx, org, &ids).await?;
        let (touched, made): (Vec<&Trace>, Vec<&Trace>) = found.iter().partition(|trace| trace.carried);
        for run in runs.iter().filter(|run| made.iter().any(|trace| trace.run == run.id)) {
            let own = super::of(run);
            origin.take_in(automation, own.depth, own.chain);
        }
        let touches = |run: &&Run| touched.iter().any(|trace| trace.run == run.id);
        let own = runs.iter().filter(touches).find(|run| run.automation == automation);
        origin.echo_of = own.map(|run| run.id);
        if origin.echo_of.is_none() && !touched.is_empty() {
            // Somebody else touched it last. If it has started this automation a moment ago, the two may well keep each
            // other going.
            let hashes: Vec<i64> = touched.iter().map(|trace| trace.hash).collect();
            origin.echo_of =
                store::traces::named_since(&mut tx, InOrg { org, id: automation }, &hashes, now - MINUTE)
                    .await?;
        }
        Ok(origin)
    }
}

impl Origin {
    /// Takes in what else led to it: the greater depth, and the way on which this automation is more often.
    pub(crate) fn take_in(&mut self, automation: AutomationId, depth: u8, chain: Vec<String>) {
        let own = automation.to_string();
        let strict = |chain: &[String]| (chain.iter().filter(|one| **one == own).count(), chain.len());
        self.depth = self.depth.max(depth);
        if strict(&chain) > strict(&self.chain) {
            self.chain = chain;
        }
    }
}

/// What a run's step brought about or touched, by the names in its result.
pub(crate) fn traces(run: &Run, result: &Value) -> Vec<Trace> {
    let mut names = Vec::new();
    made(result, &mut names, 0);
    let trace = |hash: i64| Trace { hash, run: run.id, carried: run.named.contains(&hash) };
    names.into_iter().map(trace).collect()
}

/// The names of what a result is about. What has a name itself is gone no further into: below it stand the names of what it
/// belongs to, such as a team or a person, and everything that comes from there would be taken for an echo.
fn made(value: &Value, found: &mut Vec<i64>, depth: usize) {
    if depth > DEEPEST || found.len() >= MOST_MADE {
        return;
    }
    match value {
        Value::Object(fields) => {
            let before = found.len();
            NAMES
                .iter()
                .filter_map(|name| text(fields.get(*name)?))
                .for_each(|name| add(&name, found, MOST_MADE));
            if found.len() == before {
                fields.values().for_each(|field| made(field, found, depth + 1));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| made(item, found, depth + 1)),
        // Many MCP servers answer with JSON that is written as text.
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(text).iter().for_each(|value| made(value, found, depth + 1));
        }
        _ => {}
    }
}

/// Hashes of what in a payload could be names. What stands where names stand comes first, so that no amount of other words
/// can crowd it out.
fn named(payload: &Value) -> Vec<i64> {
    fn walk(value: &Value, is_name: bool, found: &mut [Vec<i64>; 2], depth: usize) {
        match value {
            _ if depth > DEEPEST => {}
            Value::Object(fields) => {
                for (name, field) in fields {
                    walk(field, NAMES.contains(&name.as_str()), found, depth + 1);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, is_name, found, depth + 1)),
            value => {
                let [names, words] = found;
                let list = if is_name { names } else { words };
                text(value).iter().for_each(|text| add(text, list, MOST_NAMED));
            }
        }
    }
    let mut found = [vec![], vec![]];
    walk(payload, false, &mut found, 0);
    let [mut names, words] = found;
    names.extend(words);
    names.truncate(MOST_NAMED);
    names
}

/// What could be a name: a text, or a number as databases count things.
fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) if number.is_u64() => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MOST_NAMED, add, made, named};

    fn hashes(names: &[&str]) -> Vec<i64> {
        let mut found = Vec::new();
        names.iter().for_each(|name| add(name, &mut found, MOST_NAMED));
        found
    }

    #[test]
    fn a_result_is_about_what_has_a_name_and_not_about_what_that_belongs_to() {
        let check = |result: Value, names: &[&str]| {
            let mut found = Vec::new();
            made(&result, &mut found, 0);
            assert_eq!(found, hashes(names), "{result}");
        };
        let issue =
            json!({ "id": "issue-1", "url": "https://x/1", "team": { "id": "team-1" }, "title": "a title" });
        check(issue.clone(), &["issue-1", "https://x/1"]);
        check(json!({ "success": true, "issue": issue }), &["issue-1", "https://x/1"]);
        check(
            json!([{ "id": "first-1" }, { "id": "second-2", "in": { "id": "third-3" } }]),
            &["first-1", "second-2"],
        );
        check(json!({ "id": 4_000_123, "node_id": "I_kwDO" }), &["4000123", "I_kwDO"]);
        check(
            json!({ "content": [{ "type": "text", "text": issue.to_string() }] }),
            &["issue-1", "https://x/1"],
        );
        // Too short to be the name of anything, so what stands below counts.
        check(json!({ "id": "1", "of": { "id": "thing-1" } }), &["thing-1"]);
        check(json!({ "announced": true }), &[]);
    }

    #[test]
    fn no_number_of_words_crowds_out_a_name() {
        let words: Vec<String> = (0..10_000).map(|at| format!("word-{at}")).collect();
        let found = named(&json!({ "about": words, "data": { "id": "issue-1", "count": 123_456 } }));
        assert_eq!(found.len(), MOST_NAMED);
        assert_eq!(found[..1], hashes(&["issue-1"]));
        let found = named(&json!({ "text": "some words", "n": 123_456, "short": "word" }));
        assert_eq!(found, hashes(&["123456", "some words"]));
    }
}
