//! Rules about answers: how many are needed, whether one still counts, and whether one can be given for good.

use model::{ActionAddress, Actor, Decision, OrgId, Risk, Status, UserId};
use platform::db::Tx;
use policy::{Condition, Settings};
use serde_json::Value;

use crate::{error::Error, parts::Reader};

impl Reader {
    /// What the org requires of approvals.
    pub async fn approval_settings(&self, tx: &mut Tx, org: OrgId) -> Result<Settings, Error> {
        let settings = self.parts.tenancy.approval_settings(tx, org).await?;
        Ok(Settings { quorum: settings.quorum, four_eyes: settings.four_eyes, passkey: settings.passkey })
    }

    /// Checks that this person may answer what these people propose: that they are somebody else.
    pub(super) async fn check_voter(
        &self,
        tx: &mut Tx,
        (settings, risk): (&Settings, Risk),
        voter: Actor,
        proposers: &[UserId],
    ) -> Result<(), Error> {
        settings.check_voter(risk, voter.user, proposers)?;
        if settings.bars_proposers(risk) {
            self.parts.tenancy.check_not_one(tx, voter, proposers).await?;
        }
        Ok(())
    }
}

impl Reader {
    /// The condition of a rule or a grant. It is stored and shown, so it must not contain a secret.
    pub fn condition(&self, source: &Value) -> Result<Condition, Error> {
        let condition = Condition::parse(source)?;
        if self.redactor.redact_value(source) != *source {
            let message = "it contains something that looks like a secret".to_owned();
            return Err(policy::Error::Condition(message).into());
        }
        Ok(condition)
    }
}

/// The error for an answer to something that no longer waits.
pub fn no_longer_waits(status: Status) -> Error {
    if status == Status::Expired { Error::Expired } else { Error::AlreadyAnswered(status) }
}

/// Why approval is needed or why the invocation was denied, as sentences: the rule or the risk, then every guardrail and
/// every gate that objects.
pub fn why(decision: &Decision) -> Vec<String> {
    let raised = decision.guardrails.iter().map(|change| change.reason.clone());
    let gates = decision.gates.iter().map(|gate| gate.reason.clone()).filter(|reason| !reason.is_empty());
    std::iter::once(decision.reason.clone()).chain(raised).chain(gates).collect()
}

/// Why a grant or a rule would not allow the same action next time; `None` where it would.
pub fn only_once(action: &ActionAddress, decision: &Decision, risk: Risk) -> Option<String> {
    if action.source.as_str() == "batch" {
        return Some("the next batch has other parts".to_owned());
    }
    if risk >= Risk::R3 {
        return Some(format!("{} always requires an approval", risk.as_str()));
    }
    decision.guardrails.last().map(|change| change.reason.clone())
}
