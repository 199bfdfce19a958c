//! Suggestions: which rule with a condition would have answered most questions, judging by what people approved and never
//! denied.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{ActionAddress, InvocationId, Mode, OrgId};
use pipeline::read::{self, AskedParam};
use platform::{db::Tx, period::Period, redact::REDACTED};
use policy::{Answer, Asked, Condition, RuleSet};
use serde_json::{Map, Value, json};

use crate::{error::Error, parts::Oversight};

/// How many answers are looked at, the newest of the period.
const ANSWERS: i64 = 1_000;
/// How many equal approvals make a suggestion.
const ENOUGH: usize = 3;
/// How many suggestions are made.
const MOST: usize = 3;

/// A rule that would have answered questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub address: ActionAddress,
    /// The parameters that these questions have in common.
    pub condition: Condition,
    /// How many questions people approved that it would have answered. They denied none of these.
    pub questions: usize,
}

impl Oversight {
    /// The rules that would have answered most questions of a period.
    pub(crate) async fn suggestions(
        &self,
        tx: &mut Tx,
        org: OrgId,
        period: Period,
    ) -> Result<Vec<Suggestion>, Error> {
        let answers = policy::recent_answers(tx, org, period, ANSWERS).await?;
        if answers.is_empty() {
            return Ok(vec![]);
        }
        let asked: Vec<InvocationId> = answers.iter().map(|(id, _)| *id).collect();
        let params = read::asked_params(tx, org, &asked).await?;
        let rules = self.parts.rules.all(tx, org).await?;
        Ok(suggest(&answers, params, &rules))
    }
}

/// The questions with one value of a parameter.
#[derive(Default)]
struct Alike {
    approved: BTreeSet<InvocationId>,
    denied: bool,
}

/// By the name of the parameter and the value as a text.
type Values = BTreeMap<(String, String), (Value, Alike)>;

fn suggest(answers: &[(InvocationId, Answer)], params: Vec<AskedParam>, rules: &RuleSet) -> Vec<Suggestion> {
    let mut verdicts: HashMap<InvocationId, Answer> = HashMap::new();
    for (id, answer) in answers {
        // One denial among several votes is a denial.
        if *answer == Answer::Denied || !verdicts.contains_key(id) {
            verdicts.insert(*id, *answer);
        }
    }
    let mut actions: BTreeMap<String, (ActionAddress, Values)> = BTreeMap::new();
    for AskedParam { invocation, address, name, value } in params {
        let text = value.to_string();
        if text.contains(REDACTED) {
            continue;
        }
        let (_, values) = actions.entry(address.to_string()).or_insert_with(|| (address, BTreeMap::new()));
        let (_, alike) = values.entry((name, text)).or_insert_with(|| (value, Alike::default()));
        match verdicts.get(&invocation) {
            Some(Answer::Approved) => drop(alike.approved.insert(invocation)),
            _ => alike.denied = true,
        }
    }
    let mut found: Vec<Suggestion> =
        actions.into_values().filter_map(|(address, values)| best(address, values, rules)).collect();
    found.sort_by(|one, other| {
        (other.questions, one.address.to_string()).cmp(&(one.questions, other.address.to_string()))
    });
    found.truncate(MOST);
    found
}

/// The condition that would have answered most questions about an action: the value that was approved most often, with
/// every other value that all of the same questions have.
fn best(address: ActionAddress, values: Values, rules: &RuleSet) -> Option<Suggestion> {
    let safe = || values.iter().filter(|(_, (_, alike))| !alike.denied && alike.approved.len() >= ENOUGH);
    let (_, (_, most)) = safe().max_by_key(|(_, (_, alike))| alike.approved.len())?;
    let same = safe().filter(|(_, (_, alike))| alike.approved == most.approved);
    let params: Map<String, Value> =
        same.map(|((name, _), (value, _))| (name.clone(), value.clone())).collect();
    let condition: Map<String, Value> = params
        .iter()
        .map(|(name, value)| {
            // A name that the grammar would read as a path or an operator is written as a pointer.
            let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
            let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
            (if plain { name.clone() } else { pointer }, json!({ "equals": value }))
        })
        .collect();
    let condition = Condition::parse(&Value::Object(condition)).ok()?;
    let params = Value::Object(params);
    let asked = Asked { params: Some(&params), ..Asked::default() };
    let allowed = rules.speaking(None, &address, &asked).is_some_and(|(_, rule)| rule.mode == Mode::Allow);
    (!allowed && condition.holds(Some(&params))).then(|| Suggestion {
        address,
        condition,
        questions: most.approved.len(),
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> InvocationId {
        InvocationId::from_uuid(Uuid::from_u128(number))
    }

    fn asked(number: u128, action: &str, params: &Value) -> Vec<AskedParam> {
        let all = params.as_object().into_iter().flatten();
        all.map(|(name, value)| AskedParam {
            invocation: id(number),
            address: action.parse().unwrap(),
            name: name.clone(),
            value: value.clone(),
        })
        .collect()
    }

    #[test]
    fn what_was_always_approved_is_suggested_as_narrowly_as_possible() {
        let mut params = Vec::new();
        let mut answers = Vec::new();
        for number in 0..8 {
            // Five in one channel and thread, three in another channel, of which one was denied.
            let channel = if number < 5 { "C1" } else { "C2" };
            let said = json!({ "channel": channel, "thread.id": 7, "text": format!("n{number}") });
            params.extend(asked(number, "slack.send_message", &said));
            let answer = if number == 5 { Answer::Denied } else { Answer::Approved };
            answers.push((id(number), answer));
        }
        // The thread was denied once, so it is not part of what is suggested.
        let found = suggest(&answers, params.clone(), &RuleSet::default());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].condition.source(), &json!({ "channel": { "equals": "C1" } }));
        assert_eq!((found[0].questions, found[0].condition.words()), (5, r#"channel is "C1""#.to_owned()));
        let all_approved: Vec<_> = answers.iter().map(|(id, _)| (*id, Answer::Approved)).collect();
        let found = suggest(&all_approved, params, &RuleSet::default());
        assert_eq!(found[0].condition.source(), &json!({ "/thread.id": { "equals": 7 } }));
        assert_eq!(found[0].questions, 8);
    }

    #[test]
    fn two_are_not_a_habit_and_a_hidden_value_is_no_condition() {
        let two: Vec<_> = (0..2).flat_map(|n| asked(n, "a.b", &json!({ "x": 1 }))).collect();
        let answers: Vec<_> = (0..5).map(|n| (id(n), Answer::Approved)).collect();
        assert_eq!(suggest(&answers, two, &RuleSet::default()), []);
        let hidden: Vec<_> = (0..5).flat_map(|n| asked(n, "a.b", &json!({ "key": REDACTED }))).collect();
        assert_eq!(suggest(&answers, hidden, &RuleSet::default()), []);
    }
}
