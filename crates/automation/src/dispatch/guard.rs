//! Loop detection: the depth of a fire, the automations in its chain, and whether it is an echo of something that a run
//! created outside.
//!
//! Our own events carry their origin. Requests and events from outside do not, so the objects that runs create there
//! are remembered for a while by a hash of their names; a payload that names one of them is an echo. An object that a
//! run created leads to its consequences as certainly as an event does. An object that a run only touched may have
//! changed for any reason, so such echoes are refused only when there are many in a short time.
//!
//! If several traces and the sender disagree about the origin, the strictest one applies: a sender that states half of
//! the origin, or something unrelated as well, must not get further than one that states nothing.

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

/// The fields of a result or payload that hold names of objects.
const NAMES: [&str; 9] = ["id", "identifier", "key", "url", "ts", "uuid", "node_id", "html_url", "permalink"];

/// What led to a fire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub(crate) depth: u8,
    /// The automations in the chain of causes, oldest first.
    pub(crate) chain: Vec<String>,
    /// Hashes of the names in the payload.
    pub(crate) named: Vec<i64>,
    /// The run of the same automation whose echo this fire seems to be.
    pub(crate) echo_of: Option<RunId>,
}

impl Automations {
    /// The reason why a fire is refused as a loop, if it is one.
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

    /// The origin of a payload from outside, as far as it follows from the names in it.
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
            // Another automation touched the object last. If the object started this automation a moment ago, the two
            // may be triggering each other.
            let hashes: Vec<i64> = touched.iter().map(|trace| trace.hash).collect();
            origin.echo_of =
                store::traces::named_since(&mut tx, InOrg { org, id: automation }, &hashes, now - MINUTE)
                    .await?;
        }
        Ok(origin)
    }
}

impl Origin {
    /// Merges another origin: the greater depth, and the chain in which this automation occurs more often.
    pub(crate) fn take_in(&mut self, automation: AutomationId, depth: u8, chain: Vec<String>) {
        let own = automation.to_string();
        let strict = |chain: &[String]| (chain.iter().filter(|one| **one == own).count(), chain.len());
        self.depth = self.depth.max(depth);
        if strict(&chain) > strict(&self.chain) {
            self.chain = chain;
        }
    }
}

/// The objects that a step of a run created or touched, by the names in its result.
pub(crate) fn traces(run: &Run, result: &Value) -> Vec<Trace> {
    let mut names = Vec::new();
    made(result, &mut names, 0);
    let trace = |hash: i64| Trace { hash, run: run.id, carried: run.named.contains(&hash) };
    names.into_iter().map(trace).collect()
}

/// Collects the names of the objects that a result is about. The search does not descend below an object that has a
/// name: the names below belong to its context, such as a team or a person, and everything that comes from there would
/// be taken for an echo.
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
        // Many MCP servers return JSON as a string.
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(text).iter().for_each(|value| made(value, found, depth + 1));
        }
        _ => {}
    }
}

/// Hashes of the values in a payload that could be names. Values of fields that usually hold names come first, so that
/// no number of other words can displace them.
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

/// A value that could be a name: a string, or a number such as a database id.
fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) if number.is_u64() => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

fn add(text: &str, found: &mut Vec<i64>, most: usize) {
    // Shorter strings are words, longer ones are prose.
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
        // The outer id is too short to be a name, so the one below counts.
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
        assert_eq!(found, hashes(&["some words", "123456"]));
    }
}
