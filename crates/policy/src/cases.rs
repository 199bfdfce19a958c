//! Cases: requests with the mode that policies are expected to give them. They are data, kept beside the policies, and run
//! whenever a policy is saved. What a case does not say is the same on every day: nothing happened before, and it is noon.

use std::{borrow::Cow, collections::BTreeMap, str::FromStr as _};

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use model::{ActionDefinition, AutomationId, Mode, RiskBand, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    FactValue, FactValues,
    cedar::{Moment, PolicySet, Question, Requester, Stored},
};

/// The time of a case that names none: noon on a Wednesday, in the organization's time zone.
const USUAL_TIME: DateTime = DateTime::constant(2026, 1, 7, 12, 0, 0, 0);

/// A request and what is expected of the policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub request: CaseRequest,
    /// The mode that the policies alone give; `allow` if none holds.
    pub expect: Mode,
    /// Exactly the policies that must hold, if they are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policies: Option<Vec<String>>,
    /// The policies that are evaluated, also if they only observe. All that are applied, if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

/// The request of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseRequest {
    pub action: String,
    #[serde(default)]
    pub params: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<RiskBand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automation: Option<AutomationId>,
    #[serde(default)]
    pub unattended: bool,
    /// A time, or a date and a time on the organization's clocks: `2026-11-18T10:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// Numbers, and true or false, by the name of the fact.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub history: Map<String, Value>,
    /// The mode before policies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Mode>,
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseResult {
    pub name: String,
    pub passed: bool,
    pub expected: Mode,
    pub got: Option<Mode>,
    /// The policies that hold.
    pub held: Vec<String>,
    /// Why it could not be run.
    pub problem: Option<String>,
}

/// What cases are run against.
#[derive(Debug)]
pub struct CaseSetup<'a> {
    all: Vec<Stored>,
    applied: PolicySet,
    /// The facts, and whether each is a number; otherwise it is a yes or no.
    facts: &'a BTreeMap<String, bool>,
    zone: &'a TimeZone,
}

impl<'a> CaseSetup<'a> {
    pub fn new(all: Vec<Stored>, facts: &'a BTreeMap<String, bool>, zone: &'a TimeZone) -> Self {
        let applied = all.iter().filter(|stored| !stored.is_observing).cloned().collect();
        Self { applied: PolicySet::new(applied), all, facts, zone }
    }

    /// The policies that a case is about, or the name of one that does not exist.
    fn policies(&self, case: &Case) -> Result<Cow<'_, PolicySet>, String> {
        if case.only.is_empty() {
            return Ok(Cow::Borrowed(&self.applied));
        }
        let named = |name: &String| self.all.iter().find(|stored| stored.statement.name == *name);
        let chosen = case.only.iter().map(|name| named(name).cloned().ok_or_else(|| name.clone()));
        Ok(Cow::Owned(PolicySet::new(chosen.collect::<Result<_, _>>()?)))
    }
}

impl Case {
    /// Whether a policy can change what comes of it.
    pub fn is_about(&self, policy: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == policy)
    }

    /// Whether every policy that it names exists.
    pub fn can_run(&self, setup: &CaseSetup<'_>) -> bool {
        setup.policies(self).is_ok()
    }

    /// Runs it. `definition` is the action that it names, if there is one.
    pub fn run(&self, setup: &CaseSetup<'_>, definition: Option<&ActionDefinition>) -> CaseResult {
        let mut result = CaseResult {
            name: self.name.clone(),
            passed: false,
            expected: self.expect,
            got: None,
            held: vec![],
            problem: None,
        };
        let Some(definition) = definition else {
            result.problem = Some(format!("the action `{}` does not exist", self.request.action));
            return result;
        };
        let missing = |name| format!("the policy `{name}` does not exist");
        let known = setup.policies(self).map_err(missing);
        let known = known
            .and_then(|policies| Ok((policies, self.history(setup.facts)?, self.request.at(setup.zone)?)));
        let (policies, history, now) = match known {
            Ok(known) => known,
            Err(problem) => {
                result.problem = Some(problem);
                return result;
            }
        };
        let request = &self.request;
        let answer = policies.answer(&Question {
            definition,
            requester: Requester {
                session: Some(SessionId::from_uuid(Uuid::nil())),
                automation: request.automation,
                space: request.space.as_deref().unwrap_or("main"),
                band: request.band.unwrap_or(RiskBand::Green),
                agent: request.agent.as_deref().unwrap_or("agent"),
                is_unattended: request.unattended,
                opened_by: None,
            },
            params: Some(&request.params),
            history: &history,
            now: Moment::of(now, setup.zone),
            is_builtin: true,
            asked: request.asked.unwrap_or(Mode::Allow),
        });
        let got = answer.held.iter().map(|held| held.stored.statement.mode).max().unwrap_or(Mode::Allow);
        result.held = answer.held.iter().map(|held| held.stored.statement.name.clone()).collect();
        result.held.sort_unstable();
        let wanted = self.policies.as_ref().map(|names| {
            let mut names = names.clone();
            names.sort_unstable();
            names
        });
        result.passed = got == self.expect && wanted.is_none_or(|names| names == result.held);
        result.got = Some(got);
        result
    }

    /// The values of facts: those that it names, and otherwise that nothing happened.
    fn history(&self, facts: &BTreeMap<String, bool>) -> Result<FactValues, String> {
        let nothing = |is_number| if is_number { FactValue::Number(0) } else { FactValue::Truth(false) };
        let others = facts.iter().filter(|(name, _)| !self.request.history.contains_key(*name));
        let others = others.map(|(name, is_number)| Ok((name.clone(), nothing(*is_number))));
        let values = self.request.history.iter().map(|(name, value)| {
            let value = match value {
                Value::Bool(truth) => Some(FactValue::Truth(*truth)),
                value => value.as_i64().map(FactValue::Number),
            };
            let value =
                value.ok_or_else(|| format!("the fact `{name}` must be a whole number, or true or false"))?;
            Ok((name.clone(), value))
        });
        others.chain(values).collect()
    }
}

impl CaseRequest {
    fn at(&self, zone: &TimeZone) -> Result<Timestamp, String> {
        let here = |at: DateTime| at.to_zoned(zone.clone()).ok().map(|at| at.timestamp());
        let at = match &self.now {
            None => here(USUAL_TIME),
            Some(text) => {
                Timestamp::from_str(text).ok().or_else(|| DateTime::from_str(text).ok().and_then(here))
            }
        };
        at.ok_or_else(|| {
            let text = self.now.as_deref().unwrap_or_default();
            format!("`{text}` is no time; write `2026-11-18T10:00`")
        })
    }
}
