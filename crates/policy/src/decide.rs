//! The decision: a pure function from facts to a mode, with everything that led to it.

use jiff::Timestamp;
use model::{
    ActionDefinition, AutomationId, Decision, Digest, Drift, Guardrail, GuardrailChange, Mode, ModeSource,
    Risk, RiskBand, SessionId, Verdict,
};
use serde_json::Value;

use crate::{
    Asker, Grant, condition, gates,
    rules::{RuleScope, RuleSet},
};

/// The input of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The definition of the action.
    pub definition: &'a ActionDefinition,
    /// The automation the session works for, if any.
    pub automation: Option<AutomationId>,
    /// The rules of the organization.
    pub rules: &'a RuleSet,
    /// The band of the session's space.
    pub band: RiskBand,
    /// Whether the definition is the reviewed one.
    pub drift: Drift,
    /// The capabilities of the session.
    pub capabilities: &'a [String],
    /// What is asked, besides the action.
    pub asked: Asked<'a>,
    /// The session that requests the action.
    pub session: SessionId,
    /// The usable grants, in the order in which they are used.
    pub grants: &'a [Grant],
    /// The time of the decision.
    pub now: Timestamp,
}

/// What a request says besides its action. Where it is not known yet, as in a list of actions, rules and grants that are
/// bound to it do not apply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The parameters, as they would be sent.
    pub params: Option<&'a Value>,
    /// The hash of the step of an automation that asks.
    pub step: Option<Digest>,
    /// What the safety gate found in the parameters, if anything.
    pub finding: Option<&'a str>,
    /// Who released these parameters as text after they had been quarantined, and why.
    pub released: Option<&'a str>,
}

/// Decides. The same facts always give the same decision.
pub fn decide(facts: &Facts<'_>) -> Decision {
    let (mut mode, mut mode_source, mut reason) = cascade(facts);
    let mut guardrails = Vec::new();
    let floors = [ceiling(facts), band(facts), drift(facts), release(facts)];
    let is_held = floors.iter().any(|(_, floor)| floor.is_some());
    for (guardrail, floor) in floors {
        // A guardrail names the most permissive mode it would accept; it never relaxes. One that agrees with the mode is
        // told too: people should know that it holds, and a grant or a rule would not help.
        if let Some((floor, reason)) = floor.filter(|(floor, _)| *floor >= mode) {
            guardrails.push(GuardrailChange { guardrail, from: mode, to: floor, reason });
            mode = floor;
        }
    }
    let gates =
        vec![gates::capability(facts.definition, facts.capabilities), gates::safety(facts.asked.finding)];
    let refused = gates.iter().any(|gate| gate.verdict != Verdict::Pass);
    let quarantined = gates.iter().any(|gate| gate.verdict == Verdict::Quarantine);
    if refused {
        mode = Mode::Deny;
    }
    let mut grant = None;
    // Grants come last, and only if the cascade alone requires an approval: they never override a guardrail.
    if mode == Mode::RequireApproval
        && !is_held
        && let Some(given) = usable_grant(facts)
    {
        (mode, mode_source, grant) = (Mode::Allow, ModeSource::Grant, Some(given.id));
        let (key, only) = (given.key(), condition::suffix(given.condition.as_ref()));
        reason = format!("{reason}; granted for `{key}`{only} by {} as {}", given.created_by, given.id);
    }
    Decision { mode, mode_source, reason, guardrails, gates, quarantined, grant }
}

fn usable_grant<'a>(facts: &Facts<'a>) -> Option<&'a Grant> {
    let asker = Asker { session: facts.session, automation: facts.automation };
    let covers = |grant: &&Grant| grant.covers(&facts.definition.address, asker, facts.now);
    facts.grants.iter().filter(covers).find(|grant| grant.applies(&facts.asked))
}

fn cascade(facts: &Facts<'_>) -> (Mode, ModeSource, String) {
    let address = &facts.definition.address;
    match facts.rules.speaking(facts.automation, address, &facts.asked) {
        Some((_, rule)) => {
            let (source, whose) = match rule.scope {
                RuleScope::Automation(_) => (ModeSource::AutomationRule, "rule of the automation"),
                RuleScope::Org => (ModeSource::OrgRule, "rule of the organization"),
            };
            let said = if rule.reason.is_empty() { String::new() } else { format!(": {}", rule.reason) };
            let only = condition::suffix(rule.condition.as_ref());
            (rule.mode, source, format!("{whose} for `{}`{only}{said}", rule.key()))
        }
        None => {
            let risk = facts.definition.risk;
            (
                inferred(risk),
                ModeSource::Inferred,
                format!("no rule matches; {} actions {} by default", risk.as_str(), by_default(risk)),
            )
        }
    }
}

/// The default mode of a risk level.
const fn inferred(risk: Risk) -> Mode {
    match risk {
        Risk::R0 | Risk::R1 => Mode::Allow,
        Risk::R2 | Risk::R3 => Mode::RequireApproval,
        Risk::R4 => Mode::Deny,
    }
}

const fn by_default(risk: Risk) -> &'static str {
    match inferred(risk) {
        Mode::Allow => "are allowed",
        Mode::RequireApproval => "need approval",
        Mode::Deny => "are denied",
    }
}

type Floor = Option<(Mode, String)>;

fn ceiling(facts: &Facts<'_>) -> (Guardrail, Floor) {
    let risk = facts.definition.risk;
    let floor = (risk >= Risk::R3)
        .then(|| (Mode::RequireApproval, format!("{} always requires an approval", risk.as_str())));
    (Guardrail::Ceiling, floor)
}

fn band(facts: &Facts<'_>) -> (Guardrail, Floor) {
    let risk = facts.definition.risk;
    let floor = match facts.band {
        RiskBand::Black if risk >= Risk::R2 => {
            Some((Mode::Deny, "a black space allows only computing and reading".to_owned()))
        }
        RiskBand::Red if risk >= Risk::R3 => {
            Some((Mode::Deny, "a red space denies actions that are hard to undo".to_owned()))
        }
        RiskBand::Red | RiskBand::Amber if risk >= Risk::R2 => Some((
            Mode::RequireApproval,
            format!("writes in a space of band {} require an approval", facts.band.as_str()),
        )),
        _ => None,
    };
    (Guardrail::Band, floor)
}

fn drift(facts: &Facts<'_>) -> (Guardrail, Floor) {
    let floor = match facts.drift {
        Drift::None => None,
        Drift::Changed => {
            Some((Mode::RequireApproval, "the action changed since a person reviewed it".to_owned()))
        }
        Drift::NeverReviewed => {
            Some((Mode::RequireApproval, "no person has reviewed this action".to_owned()))
        }
    };
    (Guardrail::Drift, floor)
}

/// Whoever released it looked at the finding, not at the request, so a person is asked whatever the rules say.
fn release(facts: &Facts<'_>) -> (Guardrail, Floor) {
    (Guardrail::Release, facts.asked.released.map(|words| (Mode::RequireApproval, words.to_owned())))
}

/// Proof that policy allowed exactly this invocation. Execution requires one.
#[derive(Debug)]
pub struct Permit {
    subject: Digest,
}

impl Permit {
    /// A permit for the digest, if the decision was `allow`.
    pub fn of(decision: &Decision, subject: Digest) -> Option<Self> {
        (decision.mode == Mode::Allow && !decision.quarantined).then_some(Self { subject })
    }

    pub(crate) const fn new(subject: Digest) -> Self {
        Self { subject }
    }

    /// What was permitted: the digest of a [`crate::Subject`].
    pub const fn subject(&self) -> &Digest {
        &self.subject
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "permits are what is tested")]
mod tests;
