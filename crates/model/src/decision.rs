//! What was decided about an invocation, and the whole derivation of it.

use serde::{Deserialize, Serialize};

use crate::GrantId;

/// May it happen? Ordered from the most permissive to the strictest, so `max` is "the stricter one".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It happens now.
    Allow,
    /// A person must say yes first.
    RequireApproval,
    /// It does not happen.
    Deny,
}

impl Mode {
    /// Every mode, from the most permissive to the strictest.
    pub const ALL: [Self; 3] = [Self::Allow, Self::RequireApproval, Self::Deny];

    /// The mode as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::RequireApproval => "require_approval",
            Self::Deny => "deny",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text)
    }
}

/// Which step of the cascade gave the mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeSource {
    /// A rule of the automation the session belongs to.
    AutomationRule,
    /// A rule of the org.
    OrgRule,
    /// No rule spoke; the risk tier's default.
    Inferred,
    /// A person gave a standing permission.
    Grant,
}

impl ModeSource {
    /// Every step of the cascade.
    pub const ALL: [Self; 4] = [Self::AutomationRule, Self::OrgRule, Self::Inferred, Self::Grant];

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == text)
    }

    /// The source as it is written and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AutomationRule => "automation_rule",
            Self::OrgRule => "org_rule",
            Self::Inferred => "inferred",
            Self::Grant => "grant",
        }
    }
}

/// A uniform check that can only make a mode stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guardrail {
    /// The most permissive mode the risk tier can ever have.
    Ceiling,
    /// The risk band of the space.
    Band,
    /// The definition changed since a person reviewed it, or nobody ever did.
    Drift,
    /// Data would go to somebody who may not see it, or somebody unknown chose where it goes.
    Flow,
    /// It was quarantined, and a person released it as text.
    Release,
    /// A policy of the organization, written as text.
    Policy,
}

impl Guardrail {
    /// The guardrail as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ceiling => "ceiling",
            Self::Band => "band",
            Self::Drift => "drift",
            Self::Flow => "flow",
            Self::Release => "release",
            Self::Policy => "policy",
        }
    }
}

/// One guardrail that changed the mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardrailChange {
    /// Which check.
    pub guardrail: Guardrail,
    /// The mode before it.
    pub from: Mode,
    /// The mode after it; always stricter.
    pub to: Mode,
    /// Why, for a person.
    pub reason: String,
}

impl GuardrailChange {
    /// What it did, in words.
    pub fn words(&self) -> String {
        let (from, to) = (self.from.as_str(), self.to.as_str());
        if from == to { format!("{to} holds") } else { format!("{from} raised to {to}") }
    }
}

/// What a gate said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing against it.
    Pass,
    /// It may not happen.
    Deny,
    /// It may not happen, and an admin should look at it.
    Quarantine,
}

impl Verdict {
    /// The verdict as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Deny => "deny",
            Self::Quarantine => "quarantine",
        }
    }
}

/// One gate's verdict, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateVerdict {
    /// Which gate: `capability`, `safety` …
    pub gate: String,
    /// What it said.
    pub verdict: Verdict,
    /// Why, for a person; empty when it passed.
    pub reason: String,
}

/// A policy that holds for a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyVerdict {
    /// Its name.
    pub name: String,
    /// The version that was evaluated.
    pub version: i32,
    /// The most permissive mode that it accepts.
    pub mode: Mode,
    /// Why, in the words of the policy; may be empty.
    pub why: String,
    /// Whether it is only recorded and not applied.
    #[serde(default, skip_serializing_if = "is_false")]
    pub observing: bool,
    /// Why it could not be evaluated. It holds then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A fact about the past that policies used, with its value at the time of the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactUsed {
    /// Its name.
    pub name: String,
    /// A number, or 0 and 1 for no and yes.
    pub value: i64,
    /// What this request adds to it, if it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<i64>,
    /// The number that a policy compares it with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// What it is, in words.
    pub words: String,
    /// Since when it sees what happened, if that is later than its window begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Who may see what is sent to a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Only people of the organization.
    Internal,
    /// People of other organizations that it knows.
    Partner,
    /// Anybody.
    Public,
}

impl Audience {
    /// The audience as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Partner => "partner",
            Self::Public => "public",
        }
    }
}

/// Who chose where data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// It stands in the definition of the automation.
    Definition,
    /// A person who started the run.
    Person,
    /// Data that was read or received.
    Data,
    /// A model.
    Model,
}

impl ChosenBy {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Person => "person",
            Self::Data => "data",
            Self::Model => "model",
        }
    }

    /// Who it is, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Definition => "the definition of the automation",
            Self::Person => "the person who started the run",
            Self::Data => "data that was read or received",
            Self::Model => "a model",
        }
    }
}

impl Flow {
    /// Of two parts of one request: the stricter, with the wider audience and everything that either was made of.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let (mut strict, other) = if other.mode > self.mode { (other, self) } else { (self, other) };
        let join = |names: &mut Vec<String>, more: Vec<String>| {
            names.extend(more);
            names.sort_unstable();
            names.dedup();
        };
        strict.audience = strict.audience.max(other.audience);
        strict.chosen_by = strict.chosen_by.max(other.chosen_by);
        strict.by_model |= other.by_model;
        join(&mut strict.untrusted, other.untrusted);
        join(&mut strict.private, other.private);
        join(&mut strict.steered_by, other.steered_by);
        strict
    }
}

/// Where a request goes, what its parameters were made of, and what follows from both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// The most permissive mode that is acceptable for it.
    pub mode: Mode,
    /// Why, for a person. Empty if nothing is held.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Whether it is only recorded and not applied.
    #[serde(default, skip_serializing_if = "is_false")]
    pub observing: bool,
    /// Whether an admin agreed in advance to this flow.
    #[serde(default, skip_serializing_if = "is_false")]
    pub consented: bool,
    /// The widest audience of the places that it goes to. The parameters tell which these are.
    pub audience: Audience,
    /// Who chose them.
    pub chosen_by: ChosenBy,
    /// Whether a model wrote the parameters.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_model: bool,
    /// What was read that may hold text of strangers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untrusted: Vec<String>,
    /// What was read that is not public.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<String>,
    /// What may hold text of strangers, of what the places were chosen by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steered_by: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// The decision with its derivation: enough to explain it, and to reach it again from the same facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What holds in the end.
    pub mode: Mode,
    /// Which step of the cascade gave the mode the guardrails started from.
    pub mode_source: ModeSource,
    /// Why the cascade gave that mode, for a person.
    pub reason: String,
    /// The guardrails that hold, in order: those that made it stricter, and those that agree with it.
    pub guardrails: Vec<GuardrailChange>,
    /// Every gate's verdict, in order.
    pub gates: Vec<GateVerdict>,
    /// Whether a gate asked for quarantine: refused like `deny`, and shown to admins.
    pub quarantined: bool,
    /// The grant that turned `require_approval` into `allow`; one of its calls is used by the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantId>,
    /// The policies that hold, the strictest last, also those that are only recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PolicyVerdict>,
    /// The facts that these and other policies for the action used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FactUsed>,
    /// How many people must approve, if a policy asks for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<u32>,
    /// Where data goes; only of actions that send data out that is not public, or is not trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<Box<Flow>>,
    /// Where there are no parameters yet: the policies whose answer depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<String>,
}

impl Decision {
    /// What a person is asked about. Numbers that move with every other request, and policies that are only recorded, are
    /// told but ask nothing: otherwise, each question would be asked again as soon as anything else happened.
    #[must_use]
    pub fn binding(&self) -> Self {
        let mut binding = self.clone();
        binding.policies.retain(|policy| !policy.observing);
        binding.flow = binding.flow.filter(|flow| !flow.observing && flow.mode != Mode::Allow);
        binding.facts.clear();
        binding.depends.clear();
        binding
    }
}
