//! Evaluation: which policies hold for a request.

use std::{
    collections::{HashMap, HashSet},
    str::FromStr as _,
    sync::LazyLock,
};

use cedar_policy::{
    Authorizer, Context, Decision, Entities, Entity, EntityId, EntityTypeName, EntityUid, EvaluationError,
    Policy, PolicyId, Request, RestrictedExpression,
};
use jiff::{Timestamp, tz::TimeZone};
use model::{ActionDefinition, AutomationId, Mode, RiskBand, SessionId, UserId};
use serde_json::Value;

use super::{Statement, groups, shape};
use crate::facts::FactValues;

/// A policy of an organization.
#[derive(Debug, Clone)]
pub struct Stored {
    pub statement: Statement,
    pub version: i32,
    /// Recorded, and not applied.
    pub is_observing: bool,
}

/// Who asks, and where.
#[derive(Debug, Clone, Copy)]
pub struct Requester<'a> {
    /// `None` for a session that does not exist yet.
    pub session: Option<SessionId>,
    /// The automation the session works for, if any.
    pub automation: Option<AutomationId>,
    /// The slug of its space.
    pub space: &'a str,
    pub band: RiskBand,
    pub agent: &'a str,
    pub is_unattended: bool,
    pub opened_by: Option<UserId>,
}

/// The time of a decision, as a clock and a calendar in the organization's time zone show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    pub hour: i64,
    pub minute: i64,
    /// 1 is Monday.
    pub weekday: i64,
    /// `2026-11-18`
    pub date: String,
}

impl Moment {
    pub fn of(now: Timestamp, zone: &TimeZone) -> Self {
        let here = now.to_zoned(zone.clone());
        Self {
            hour: here.hour().into(),
            minute: here.minute().into(),
            weekday: here.weekday().to_monday_one_offset().into(),
            date: here.date().to_string(),
        }
    }
}

/// What a request is judged by.
pub(crate) struct Question<'a> {
    pub(crate) definition: &'a ActionDefinition,
    pub(crate) requester: Requester<'a>,
    /// `None` where there are no parameters yet.
    pub(crate) params: Option<&'a Value>,
    pub(crate) history: &'a FactValues,
    pub(crate) now: Moment,
    /// Whether the source is a part of the program.
    pub(crate) is_builtin: bool,
    /// The mode before policies.
    pub(crate) asked: Mode,
}

/// A policy that holds.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    pub(crate) stored: &'a Stored,
    /// Why it could not be evaluated.
    pub(crate) error: Option<String>,
}

/// The policies that hold, and those whose answer depends on parameters that are not there yet.
#[derive(Debug, Default)]
pub(crate) struct Answer<'a> {
    pub(crate) held: Vec<Held<'a>>,
    pub(crate) depends: Vec<&'a Stored>,
}

/// All policies of an organization, parsed once for each version of its policy.
#[derive(Debug, Clone, Default)]
pub struct PolicySet {
    /// In the order of their names.
    all: Vec<Stored>,
    /// All of them and the blanket permit, put together once. `None` if that failed: then all of them hold.
    compiled: Option<cedar_policy::PolicySet>,
}

impl PolicySet {
    pub fn new(mut all: Vec<Stored>) -> Self {
        all.sort_by(|one, other| one.statement.name.cmp(&other.statement.name));
        let compiled = KNOWN.as_ref().and_then(|known| {
            let policies = all.iter().map(|stored| stored.statement.policy.clone());
            cedar_policy::PolicySet::from_policies(policies.chain([known.blanket.clone()])).ok()
        });
        Self { all, compiled }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them, in the order of their names.
    pub fn all(&self) -> &[Stored] {
        &self.all
    }

    /// The policies that are for an action.
    pub fn of<'a>(&'a self, definition: &'a ActionDefinition) -> impl Iterator<Item = &'a Stored> {
        self.all.iter().filter(|stored| stored.statement.is_for(definition))
    }

    /// Whether the answer changes with the time of day.
    pub fn reads_time(&self) -> bool {
        self.all.iter().any(|stored| stored.statement.reads.now)
    }

    pub(crate) fn answer<'a>(&'a self, question: &Question<'a>) -> Answer<'a> {
        let mut answer = Answer::default();
        let mut asked = Vec::new();
        for stored in self.of(question.definition) {
            let reads = &stored.statement.reads;
            if question.params.is_none() && reads.needs_params()
                || question.requester.session.is_none() && reads.principal
            {
                answer.depends.push(stored);
            } else {
                asked.push(stored);
            }
        }
        if !asked.is_empty() {
            answer.held = question.ask(&asked, self.compiled.as_ref());
        }
        // The strictest last: what the last one says is what counts.
        answer.held.sort_by_key(|held| held.stored.statement.mode);
        answer
    }
}

impl<'q> Question<'q> {
    fn ask<'a>(&self, asked: &[&'a Stored], all: Option<&cedar_policy::PolicySet>) -> Vec<Held<'a>> {
        let reads =
            |pick: fn(&super::Reads) -> bool| asked.iter().any(|stored| pick(&stored.statement.reads));
        let input = match self.params {
            Some(params) if reads(|reads| reads.input) => {
                Some(shape::express(&shape::of_schema(&self.definition.input_schema), params))
            }
            _ => None,
        };
        // A value that Cedar cannot express: what reads the parameters holds, whatever it says about them.
        let (input, missing) = match input {
            Some(Ok(input)) => (Some(input), None),
            Some(Err(shape::Inexpressible(at))) => {
                (None, Some(format!("the parameter `{at}` has a value that policies cannot express")))
            }
            None => (None, None),
        };
        let (ready, mut held): (Vec<&'a Stored>, Vec<Held<'a>>) = match missing {
            None => (asked.to_vec(), vec![]),
            Some(missing) => {
                let (read, ready): (Vec<_>, Vec<_>) =
                    asked.iter().partition(|stored| stored.statement.reads.input);
                let held = read.into_iter().map(|stored| Held { stored, error: Some(missing.clone()) });
                (ready, held.collect())
            }
        };
        match self.evaluate(&ready, all, input) {
            Ok(found) => held.extend(found),
            Err(error) => {
                held.extend(ready.into_iter().map(|stored| Held { stored, error: Some(error.to_owned()) }))
            }
        }
        held
    }

    fn evaluate<'a>(
        &self,
        asked: &[&'a Stored],
        all: Option<&cedar_policy::PolicySet>,
        input: Option<RestrictedExpression>,
    ) -> Result<Vec<Held<'a>>, &'static str> {
        const UNUSABLE: &str = "the request cannot be put into the form of policies";
        if asked.is_empty() {
            return Ok(vec![]);
        }
        let (known, policies) = KNOWN.as_ref().zip(all).ok_or(UNUSABLE)?;
        let context = self.context(asked, input).map_err(|_| UNUSABLE)?;
        let (entities, [principal, action, resource]) = self.entities(known).map_err(|_| UNUSABLE)?;
        let request = Request::new(principal, action, resource, context, None).map_err(|_| UNUSABLE)?;
        let response = Authorizer::new().is_authorized(&request, policies, &entities);
        let mut errors: HashMap<&str, &'static str> = HashMap::new();
        for error in response.diagnostics().errors() {
            let cedar_policy::AuthorizationError::PolicyEvaluationError(error) = error;
            errors.insert(error.policy_id().as_ref(), words(error.inner()));
        }
        let holds: HashSet<&str> = match response.decision() {
            Decision::Deny => response.diagnostics().reason().map(AsRef::as_ref).collect(),
            Decision::Allow => HashSet::new(),
        };
        let held = asked.iter().filter_map(|stored| {
            let name = stored.statement.name.as_str();
            let error = errors.get(name).map(|error| (*error).to_owned());
            (error.is_some() || holds.contains(name)).then_some(Held { stored, error })
        });
        Ok(held.collect())
    }

    fn context(
        &self,
        asked: &[&Stored],
        input: Option<RestrictedExpression>,
    ) -> Result<Context, Box<dyn std::error::Error>> {
        let text = |text: &str| RestrictedExpression::new_string(text.to_owned());
        let whole = RestrictedExpression::new_long;
        let reads =
            |pick: fn(&super::Reads) -> bool| asked.iter().any(|stored| pick(&stored.statement.reads));
        let now = [
            ("hour".to_owned(), whole(self.now.hour)),
            ("minute".to_owned(), whole(self.now.minute)),
            ("weekday".to_owned(), whole(self.now.weekday)),
            ("date".to_owned(), text(&self.now.date)),
        ];
        let history = self.history.iter().map(|(name, value)| {
            let value =
                value.as_truth().map_or_else(|| whole(value.as_number()), RestrictedExpression::new_bool);
            (name.to_owned(), value)
        });
        let mut pairs = vec![
            ("asked".to_owned(), text(self.asked.as_str())),
            ("now".to_owned(), RestrictedExpression::new_record(now)?),
            ("history".to_owned(), RestrictedExpression::new_record(history)?),
        ];
        pairs.extend(input.map(|input| ("input".to_owned(), input)));
        if let Some(params) = self.params {
            if reads(|reads| reads.text) {
                pairs.push(("text".to_owned(), text(&super::domains::canonical(params))));
            }
            if reads(|reads| reads.domains) {
                let domains = super::domains::of(params).into_iter().map(RestrictedExpression::new_string);
                pairs.push(("domains".to_owned(), RestrictedExpression::new_set(domains)));
            }
        }
        Ok(Context::from_pairs(pairs)?)
    }

    fn entities(&self, known: &Known) -> Result<(Entities, [EntityUid; 3]), Box<dyn std::error::Error>> {
        let text = |text: &str| RestrictedExpression::new_string(text.to_owned());
        let Requester { session, automation, space, band, agent, is_unattended, opened_by } = self.requester;
        let space = known.uid(&known.space, space);
        let automation = automation.map(|id| known.uid(&known.automation, &id.to_string()));
        let principal = known.uid(&known.session, &session.map(|id| id.to_string()).unwrap_or_default());
        let attributes = [
            ("agent".to_owned(), text(agent)),
            ("unattended".to_owned(), RestrictedExpression::new_bool(is_unattended)),
            ("opened_by".to_owned(), text(&opened_by.map(|user| user.to_string()).unwrap_or_default())),
        ];
        let parents = automation.iter().cloned().chain([space.clone()]).collect();
        let action = known.uid(&known.action, &self.definition.address.to_string());
        let groups = groups(self.definition);
        let groups: HashSet<EntityUid> = groups.iter().map(|group| known.uid(&known.action, group)).collect();
        let resource = known.uid(&known.source, self.definition.address.source.as_str());
        let trust = if self.is_builtin { "builtin" } else { "connected" };
        let mut all = vec![
            Entity::new(principal.clone(), attributes.into_iter().collect(), parents)?,
            Entity::new(space, [("band".to_owned(), text(band.as_str()))].into(), HashSet::new())?,
            Entity::new_no_attrs(action.clone(), groups),
            Entity::new(resource.clone(), [("trust".to_owned(), text(trust))].into(), HashSet::new())?,
        ];
        all.extend(automation.map(|automation| Entity::new_no_attrs(automation, HashSet::new())));
        Ok((Entities::from_entities(all, None)?, [principal, action, resource]))
    }
}

/// The error of a policy in words. Cedar's own message may hold a value of the request, which may be a secret.
const fn words(error: &EvaluationError) -> &'static str {
    match error {
        EvaluationError::IntegerOverflow(_) => "a number gets too large",
        EvaluationError::RecordAttrDoesNotExist(_) | EvaluationError::EntityAttrDoesNotExist(_) => {
            "a field that it reads is missing"
        }
        EvaluationError::TypeError(_) => "a value has another type than it expects",
        EvaluationError::FailedExtensionFunctionExecution(_) => "a value is malformed",
        _ => "it cannot be evaluated",
    }
}

/// Names and a policy that every evaluation needs.
struct Known {
    session: EntityTypeName,
    space: EntityTypeName,
    automation: EntityTypeName,
    action: EntityTypeName,
    source: EntityTypeName,
    /// Allows everything, so that every `forbid` that holds is told.
    blanket: Policy,
}

impl Known {
    fn uid(&self, of: &EntityTypeName, id: &str) -> EntityUid {
        EntityUid::from_type_name_and_id(of.clone(), EntityId::new(id))
    }
}

static KNOWN: LazyLock<Option<Known>> = LazyLock::new(|| {
    let name = |name: &str| EntityTypeName::from_str(name).ok();
    // No policy can have this name: an `@id` holds no space.
    let blanket =
        Policy::parse(Some(PolicyId::new("blanket permit")), "permit (principal, action, resource);");
    Some(Known {
        session: name("Session")?,
        space: name("Space")?,
        automation: name("Automation")?,
        action: name("Action")?,
        source: name("Source")?,
        blanket: blanket.ok()?,
    })
});
