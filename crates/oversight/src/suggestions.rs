//! Suggestions: which rule with a condition would have answered most questions, judging by what people approved and never
//! denied; which actions they always denied; and which rules nothing used.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::SignedDuration;
use model::{ActionAddress, InvocationId, Mode, OrgId, RuleId};
use pipeline::read::{self, AskedParam};
use platform::{db::Tx, period::Period, redact::REDACTED};
use policy::{Answer, Asked, Condition, Rule, RuleSet};
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

/// A change of policy that follows from what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggested {
    /// People approved these questions and denied none of them.
    Grant { address: ActionAddress, condition: Condition, questions: usize },
    /// It allows, and nothing used it.
    RemoveRule { id: RuleId, rule: Rule },
    /// People denied these questions and approved none.
    Deny { address: ActionAddress, denials: usize },
}

impl Oversight {
    /// Changes of policy that follow from the last days. Only rules that allow are suggested for removal: one that asks or
    /// denies and is not used may be a safeguard.
    pub async fn policy_suggestions(&self, org: OrgId, days: u32) -> Result<Vec<Suggested>, Error> {
        let until = self.parts.world.clock.now();
        let since = until - SignedDuration::from_hours(24 * i64::from(days));
        let period = Period::new(since, until).ok_or(Error::NotFound("period"))?;
        let mut tx = self.parts.db.begin(org).await?;
        let answers = policy::recent_answers(&mut tx, org, period, ANSWERS).await?;
        let asked: Vec<InvocationId> = answers.iter().map(|(id, _)| *id).collect();
        let params = read::asked_params(&mut tx, org, &asked).await?;
        let addresses = read::addresses(&mut tx, org, &asked).await?;
        let rules = self.parts.rules.all(&mut tx, org).await?;
        let used = read::actions_by_rule(&mut tx, org, period.ids().0).await?;
        let grants = self.parts.grants.usable(&mut tx, org).await?;
        drop(tx);
        let mut all = Vec::new();
        for Suggestion { address, condition, questions } in suggest(&answers, params, &rules) {
            let is_given = grants.iter().any(|one| one.condition.as_ref() == Some(&condition));
            if !is_given {
                all.push(Suggested::Grant { address, condition, questions });
            }
        }
        let verdicts = verdicts(&answers);
        all.extend(always_denied(&addresses, &verdicts, &rules));
        let stored = self.parts.rules.list(org, None, i64::MAX).await?;
        let old = stored.into_iter().filter(|one| one.updated_at < since);
        let unused = old.filter(|one| one.rule.mode == Mode::Allow && !one.rule.is_used(&used));
        all.extend(unused.map(|one| Suggested::RemoveRule { id: one.id, rule: one.rule }));
        Ok(all)
    }

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

/// The answer to each question.
fn verdicts(answers: &[(InvocationId, Answer)]) -> HashMap<InvocationId, Answer> {
    let mut verdicts: HashMap<InvocationId, Answer> = HashMap::new();
    for (id, answer) in answers {
        // One denial among several votes is a denial.
        if *answer == Answer::Denied || !verdicts.contains_key(id) {
            verdicts.insert(*id, *answer);
        }
    }
    verdicts
}

/// Actions that people denied each time.
fn always_denied(
    asked: &[(InvocationId, ActionAddress)],
    verdicts: &HashMap<InvocationId, Answer>,
    rules: &RuleSet,
) -> Vec<Suggested> {
    let mut actions: BTreeMap<&ActionAddress, (usize, usize)> = BTreeMap::new();
    for (id, address) in asked {
        let (denials, all) = actions.entry(address).or_default();
        *all += 1;
        *denials += usize::from(verdicts.get(id) == Some(&Answer::Denied));
    }
    let denied = |address: &ActionAddress| {
        let speaking = rules.speaking(None, address, &Asked::default());
        speaking.is_some_and(|(_, rule)| rule.mode == Mode::Deny)
    };
    let always = actions.into_iter().filter(|(_, (denials, all))| denials == all && *all >= ENOUGH);
    let always = always.filter(|(address, _)| !denied(address));
    always.map(|(address, (denials, _))| Suggested::Deny { address: address.clone(), denials }).collect()
}

fn suggest(answers: &[(InvocationId, Answer)], params: Vec<AskedParam>, rules: &RuleSet) -> Vec<Suggestion> {
    let verdicts = verdicts(answers);
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
    fn what_was_always_denied_is_suggested_to_be_denied() {
        let all = |action: &str, from: u128| -> Vec<(InvocationId, ActionAddress)> {
            (from..from + 3).map(|number| (id(number), action.parse().unwrap())).collect()
        };
        let asked = [all("a.denied", 0), all("a.mixed", 3), all("a.twice", 6)].concat();
        let mut answers: Vec<_> = (0..9).map(|number| (id(number), Answer::Denied)).collect();
        answers[4].1 = Answer::Approved;
        let found = |asked: &[_], rules: &RuleSet| always_denied(asked, &verdicts(&answers), rules);
        let denied = Suggested::Deny { address: "a.denied".parse().unwrap(), denials: 3 };
        // The last question about `a.twice` is not there, and two are not a habit.
        assert_eq!(found(&asked[..8], &RuleSet::default()), std::slice::from_ref(&denied));
        let rule = Rule::new(policy::RuleScope::Org, "a", "denied", Mode::Deny).unwrap();
        assert_eq!(found(&asked[..8], &RuleSet::default().with(rule)), []);
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
