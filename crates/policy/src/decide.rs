//! The decision: a pure function from facts to a mode, with everything that led to it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::{
    ActionDefinition, Decision, Digest, Drift, FactUsed, Flow, GateVerdict, Guardrail, GuardrailChange, Mode,
    ModeSource, PolicyVerdict, Risk, RiskBand, SessionId, Verdict,
};
use serde_json::Value;

use crate::{
    Asker, Consented, Gates, Grant, Provenance,
    cedar::{Answer, Moment, PolicySet, Question, Requester},
    condition,
    facts::FactValues,
    flow, gates,
    rules::{RuleScope, RuleSet},
};

/// The input of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The definition of the action.
    pub definition: &'a ActionDefinition,
    /// Whether the source is a part of the program; otherwise somebody connected it.
    pub is_builtin: bool,
    /// Who asks, and in which space.
    pub requester: Requester<'a>,
    /// The rules of the organization.
    pub rules: &'a RuleSet,
    /// Its policies.
    pub policies: &'a PolicySet,
    /// What it set for gates.
    pub gates: &'a Gates,
    /// Its time zone.
    pub zone: &'a TimeZone,
    /// Whether the definition is the reviewed one.
    pub drift: Drift,
    /// The capabilities of the session.
    pub capabilities: &'a [String],
    /// What is asked, besides the action.
    pub asked: Asked<'a>,
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
    /// Whether it is a part of a batch. A grant is for an action and not for a batch: it would be used without being counted.
    pub is_part: bool,
    /// The hash of the step of an automation that asks.
    pub step: Option<Digest>,
    /// What the safety gate found in the parameters, if anything.
    pub finding: Option<&'a str>,
    /// What came of looking for the consents that the request needs, if it needs any.
    pub consent: Option<&'a Consented>,
    /// Who released these parameters as text after they had been quarantined, and why.
    pub released: Option<&'a str>,
    /// The facts that policies for the action read.
    pub history: Option<&'a FactValues>,
    /// The same facts as they are told to people.
    pub facts: &'a [FactUsed],
    /// What the parameters were made of, where that is known.
    pub provenance: Option<&'a Provenance>,
}

/// Decides. The same facts always give the same decision.
pub fn decide(facts: &Facts<'_>) -> Decision {
    let (mut mode, mut mode_source, mut reason) = cascade(facts);
    let mut guardrails = Vec::new();
    let flow = flow_of(facts);
    let floors = [ceiling(facts), band(facts), drift(facts), hold(flow.as_ref()), release(facts)];
    let is_held = floors.iter().any(|(_, floor)| floor.is_some());
    for (guardrail, floor) in floors {
        // A guardrail names the most permissive mode it would accept; it never relaxes. One that agrees with the mode is
        // told too: people should know that it holds, and a grant or a rule would not help.
        if let Some((floor, reason)) = floor.filter(|(floor, _)| *floor >= mode) {
            guardrails.push(GuardrailChange { guardrail, from: mode, to: floor, reason });
            mode = floor;
        }
    }
    // A grant that would lift the question is looked at below; a policy about what runs unasked must know of it.
    let is_asked = mode == Mode::RequireApproval && !is_held;
    let granted = is_asked.then(|| usable_grant(facts)).flatten();
    let answer = ask_policies(facts, if granted.is_some() { Mode::Allow } else { mode });
    let is_held = is_held || answer.held.iter().any(|held| !held.stored.is_observing);
    let policies = verdicts(&answer);
    for policy in policies.iter().filter(|policy| !policy.observing) {
        if policy.mode < mode {
            continue;
        }
        let reason = said_by(policy);
        let change = GuardrailChange { guardrail: Guardrail::Policy, from: mode, to: policy.mode, reason };
        mode = policy.mode;
        guardrails.push(change);
    }
    let applied = answer.held.iter().filter(|held| !held.stored.is_observing);
    let approvers = applied.filter_map(|held| held.stored.statement.approvers).max();
    let gates = pass_gates(facts);
    let refused = gates.iter().any(|gate| gate.verdict != Verdict::Pass);
    let quarantined = gates.iter().any(|gate| gate.verdict == Verdict::Quarantine);
    if refused {
        mode = Mode::Deny;
    }
    let mut grant = None;
    // Grants come last, and only if the cascade alone requires an approval: they never override a guardrail.
    if mode == Mode::RequireApproval
        && !is_held
        && let Some(given) = granted
    {
        (mode, mode_source, grant) = (Mode::Allow, ModeSource::Grant, Some(given.id));
        let (key, only) = (given.key(), condition::suffix(given.condition.as_ref()));
        reason = format!("{reason}; granted for `{key}`{only} by {} as {}", given.created_by, given.id);
    }
    Decision {
        mode,
        mode_source,
        reason,
        guardrails,
        gates,
        quarantined,
        grant,
        policies,
        facts: facts.asked.facts.to_vec(),
        approvers,
        flow: flow.map(Box::new),
        depends: depends(&answer, mode),
    }
}

/// Where data goes, if that is known and matters.
fn flow_of(facts: &Facts<'_>) -> Option<Flow> {
    let Asked { params, provenance, .. } = facts.asked;
    flow::verdict(&flow::Asked {
        flows: facts.gates.flows(),
        definition: facts.definition,
        params: params?,
        automation: facts.requester.automation,
        band: facts.requester.band,
        provenance: provenance?,
    })
}

/// The verdict of every gate, in order.
fn pass_gates(facts: &Facts<'_>) -> Vec<GateVerdict> {
    vec![
        gates::capability(facts.definition, facts.capabilities),
        gates::consent(facts.gates, facts.definition, &facts.asked),
        gates::space(facts.gates, facts.definition, facts.requester.space),
        gates::safety(facts.asked.finding),
    ]
}

/// The policies that hold. They come last of the guardrails, and are told the mode so far.
fn ask_policies<'a>(facts: &Facts<'a>, asked: Mode) -> Answer<'a> {
    if facts.policies.is_empty() {
        return Answer::default();
    }
    facts.policies.answer(&Question {
        definition: facts.definition,
        requester: facts.requester,
        params: facts.asked.params,
        history: facts.asked.history.unwrap_or(FactValues::EMPTY),
        now: Moment::of(facts.now, facts.zone),
        is_builtin: facts.is_builtin,
        asked,
    })
}

/// The policies that could make the mode stricter if the parameters were known.
fn depends(answer: &Answer<'_>, mode: Mode) -> Vec<String> {
    let can_tighten = |stored: &&&crate::cedar::Stored| !stored.is_observing && stored.statement.mode > mode;
    answer.depends.iter().filter(can_tighten).map(|stored| stored.statement.name.clone()).collect()
}

fn verdicts(answer: &Answer<'_>) -> Vec<PolicyVerdict> {
    let verdict = |held: &crate::cedar::Held<'_>| PolicyVerdict {
        name: held.stored.statement.name.clone(),
        version: held.stored.version,
        mode: held.stored.statement.mode,
        why: held.stored.statement.why.clone(),
        observing: held.stored.is_observing,
        error: held.error.clone(),
    };
    answer.held.iter().map(verdict).collect()
}

fn said_by(policy: &PolicyVerdict) -> String {
    let why = if policy.why.is_empty() { String::new() } else { format!(": {}", policy.why) };
    match &policy.error {
        None => format!("policy `{}`{why}", policy.name),
        Some(error) => format!("policy `{}` could not be evaluated ({error}), so it holds{why}", policy.name),
    }
}

fn usable_grant<'a>(facts: &Facts<'a>) -> Option<&'a Grant> {
    // Without a session there is none whose grants count, and the nil ID is nobody's.
    let session = facts.requester.session.unwrap_or_else(|| SessionId::from_uuid(uuid::Uuid::nil()));
    let asker = Asker { session, automation: facts.requester.automation };
    if facts.asked.is_part {
        return None;
    }
    let covers = |grant: &&Grant| grant.covers(&facts.definition.address, asker, facts.now);
    facts.grants.iter().filter(covers).find(|grant| grant.applies(&facts.asked))
}

fn cascade(facts: &Facts<'_>) -> (Mode, ModeSource, String) {
    let address = &facts.definition.address;
    match facts.rules.speaking(facts.requester.automation, address, &facts.asked) {
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
    let floor = match facts.requester.band {
        RiskBand::Black if risk >= Risk::R2 => {
            Some((Mode::Deny, "a black space allows only computing and reading".to_owned()))
        }
        RiskBand::Red if risk >= Risk::R3 => {
            Some((Mode::Deny, "a red space denies actions that are hard to undo".to_owned()))
        }
        RiskBand::Red | RiskBand::Amber if risk >= Risk::R2 => Some((
            Mode::RequireApproval,
            format!("writes in a space of band {} require an approval", facts.requester.band.as_str()),
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

fn hold(flow: Option<&Flow>) -> (Guardrail, Floor) {
    let held = flow.filter(|flow| !flow.observing && flow.mode != Mode::Allow);
    (Guardrail::Flow, held.map(|flow| (flow.mode, flow.why.clone())))
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
