//! The decision: a pure function from facts to a mode, with everything that led to it.

use jiff::Timestamp;
use model::{
    ActionDefinition, AutomationId, Decision, Digest, Drift, Guardrail, GuardrailChange, Mode, ModeSource,
    Risk, RiskBand, SessionId, Verdict,
};

use crate::{
    Grant, gates,
    rules::{RuleScope, RuleSet},
};

/// Everything a decision is made from.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// What is to be done.
    pub definition: &'a ActionDefinition,
    /// The automation the session works for, if any.
    pub automation: Option<AutomationId>,
    /// What people set.
    pub rules: &'a RuleSet,
    /// The band of the session's space.
    pub band: RiskBand,
    /// Whether the definition is the reviewed one.
    pub drift: Drift,
    /// What the session may do at most.
    pub capabilities: &'a [String],
    /// What the detectors found in the parameters, if anything.
    pub finding: Option<&'a str>,
    /// Who asks.
    pub session: SessionId,
    /// The standing permissions that may still be used, in the order they are.
    pub grants: &'a [Grant],
    /// The moment of the decision.
    pub now: Timestamp,
}

/// Decides. The same facts always give the same decision.
pub fn decide(facts: &Facts<'_>) -> Decision {
    let (mut mode, mut mode_source, mut reason) = cascade(facts);
    let mut guardrails = Vec::new();
    let floors = [ceiling(facts), band(facts), drift(facts)];
    let is_held = floors.iter().any(|(_, floor)| floor.is_some());
    for (guardrail, floor) in floors {
        // A guardrail names the most permissive mode it would accept; it never relaxes.
        if let Some((floor, reason)) = floor.filter(|(floor, _)| *floor > mode) {
            guardrails.push(GuardrailChange { guardrail, from: mode, to: floor, reason });
            mode = floor;
        }
    }
    let gates = vec![gates::capability(facts.definition, facts.capabilities), gates::safety(facts.finding)];
    let refused = gates.iter().any(|gate| gate.verdict != Verdict::Pass);
    let quarantined = gates.iter().any(|gate| gate.verdict == Verdict::Quarantine);
    if refused {
        mode = Mode::Deny;
    }
    let mut grant = None;
    // Looked at last, and only where the cascade alone asks for a person: no guardrail would let it be.
    if mode == Mode::RequireApproval
        && !is_held
        && let Some(given) = usable_grant(facts)
    {
        (mode, mode_source, grant) = (Mode::Allow, ModeSource::Grant, Some(given.id));
        reason = format!("{reason}; granted for `{}` by {} as {}", given.key(), given.created_by, given.id);
    }
    Decision { mode, mode_source, reason, guardrails, gates, quarantined, grant }
}

fn usable_grant<'a>(facts: &Facts<'a>) -> Option<&'a Grant> {
    let who = (facts.session, facts.automation);
    facts.grants.iter().find(|grant| grant.covers(&facts.definition.address, who, facts.now))
}

fn cascade(facts: &Facts<'_>) -> (Mode, ModeSource, String) {
    let address = &facts.definition.address;
    match facts.rules.speaking(facts.automation, address) {
        Some((_, rule)) => {
            let (source, whose) = match rule.scope {
                RuleScope::Automation(_) => (ModeSource::AutomationRule, "rule of the automation"),
                RuleScope::Org => (ModeSource::OrgRule, "rule of the org"),
            };
            let said = if rule.reason.is_empty() { String::new() } else { format!(": {}", rule.reason) };
            (rule.mode, source, format!("{whose} for `{}`{said}", rule.key()))
        }
        None => {
            let risk = facts.definition.risk;
            (
                inferred(risk),
                ModeSource::Inferred,
                format!("no rule; {} is the default for {}", inferred(risk).as_str(), risk.as_str()),
            )
        }
    }
}

/// What holds for a tier when nobody said anything.
const fn inferred(risk: Risk) -> Mode {
    match risk {
        Risk::R0 | Risk::R1 => Mode::Allow,
        Risk::R2 | Risk::R3 => Mode::RequireApproval,
        Risk::R4 => Mode::Deny,
    }
}

type Floor = Option<(Mode, String)>;

fn ceiling(facts: &Facts<'_>) -> (Guardrail, Floor) {
    let risk = facts.definition.risk;
    let floor = (risk >= Risk::R3)
        .then(|| (Mode::RequireApproval, format!("{} never executes without a person's yes", risk.as_str())));
    (Guardrail::Ceiling, floor)
}

fn band(facts: &Facts<'_>) -> (Guardrail, Floor) {
    let risk = facts.definition.risk;
    let floor = match facts.band {
        RiskBand::Black if risk >= Risk::R2 => {
            Some((Mode::Deny, "a black space permits computing and reading only".to_owned()))
        }
        RiskBand::Red if risk >= Risk::R3 => {
            Some((Mode::Deny, "a red space permits nothing that is hard to undo".to_owned()))
        }
        RiskBand::Red | RiskBand::Amber if risk >= Risk::R2 => Some((
            Mode::RequireApproval,
            format!("writes in a space of band {} need a person's yes", facts.band.as_str()),
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

/// Proof that policy said yes to exactly this: the only key to an execution.
#[derive(Debug)]
pub struct Permit {
    subject: Digest,
}

impl Permit {
    /// A permit for what the digest names, if the decision was `allow`.
    pub fn of(decision: &Decision, subject: Digest) -> Option<Self> {
        (decision.mode == Mode::Allow && !decision.quarantined).then_some(Self { subject })
    }

    pub(crate) const fn new(subject: Digest) -> Self {
        Self { subject }
    }

    /// What was permitted: the digest of action, definition, parameters, credential and target.
    pub const fn subject(&self) -> &Digest {
        &self.subject
    }
}

#[cfg(test)]
mod tests;
