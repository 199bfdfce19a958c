//! The subject: everything that a permission is bound to. It is computed when a decision is made, when a person answers,
//! and again from what is about to be sent; a difference in any part voids the permission.

use std::collections::BTreeMap;

use model::{
    ActionAddress, CanonicalError, CredentialVersion, Decision, Destination, Digest, OrgId, Proposer,
};
use serde::Serialize;
use serde_json::Value;

/// What would happen, where, with which credential, for whom, and why it is allowed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    pub org: OrgId,
    pub action: ActionAddress,
    /// The hash of the definition, and of the shape of the tool for connectors.
    pub definition: Digest,
    /// The digest of the parameters, exactly as they will be sent.
    pub params: Digest,
    /// By source: a batch may have several.
    pub destination: BTreeMap<String, Destination>,
    /// By source.
    pub credential: BTreeMap<String, CredentialVersion>,
    pub proposer: Proposer,
    pub decision: Decision,
    /// How often people were asked about it before, and the target changed after they had approved.
    pub asked_before: u32,
}

/// The parts, with the words for people. The order is that of importance: the first one that changed is named first.
const PARTS: [(&str, &str); 9] = [
    ("destination", "the destination"),
    ("credential", "the credential"),
    ("params", "the parameters"),
    ("action", "the action"),
    ("definition", "the definition of the action"),
    ("proposer", "who proposes it"),
    ("org", "the organization"),
    ("decision", "the decision"),
    ("asked_before", "the target"),
];

impl Subject {
    /// The digest that permits, votes and receipts carry.
    pub fn digest(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(self)
    }

    /// The subject as it is stored, to be compared later.
    pub fn to_value(&self) -> Value {
        // Every field is plain data, so this does not fail.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The same subject under an earlier decision: whether it is still the same act is asked apart from whether it is
    /// still permitted.
    #[must_use]
    pub fn decided_as(&self, decision: &Decision) -> Self {
        Self { decision: decision.clone(), ..self.clone() }
    }

    /// The parts in which this subject differs from a stored one, in words.
    pub fn changed_since(&self, stored: &Value) -> Vec<&'static str> {
        let now = self.to_value();
        PARTS.iter().filter(|(name, _)| now.get(name) != stored.get(name)).map(|(_, words)| *words).collect()
    }
}

#[cfg(test)]
mod tests {
    use model::{GuardrailChange, Mode, SessionId, StepOrigin, UserId};
    use uuid::Uuid;

    use super::*;

    fn subject() -> Subject {
        let decision = r#"{"mode":"require_approval","mode_source":"inferred","reason":"R2","guardrails":[],"gates":[],"quarantined":false}"#;
        Subject {
            org: OrgId::from_uuid(Uuid::from_u128(1)),
            action: "slack.send_message".parse().unwrap(),
            definition: Digest::of_bytes(b"definition"),
            params: Digest::of_bytes(b"params"),
            destination: [("slack".to_owned(), Destination::NATIVE)].into(),
            credential: [("slack".to_owned(), CredentialVersion { row: "conn_1".to_owned(), version: 3 })]
                .into(),
            proposer: Proposer {
                session: SessionId::from_uuid(Uuid::from_u128(2)),
                opened_by: UserId::from_uuid(Uuid::from_u128(3)),
                started_by: None,
                agent: "agent".to_owned(),
                automation: None,
                step: None,
            },
            decision: serde_json::from_str(decision).unwrap(),
            asked_before: 0,
        }
    }

    #[test]
    fn a_change_of_any_part_is_another_subject_and_is_named() {
        let before = subject();
        let stored = before.to_value();
        assert!(before.changed_since(&stored).is_empty());
        type Change = fn(&mut Subject);
        let changes: [(&str, Change); 13] = [
            ("the organization", |it| it.org = OrgId::from_uuid(Uuid::from_u128(9))),
            ("the action", |it| it.action = "slack.list_channels".parse().unwrap()),
            ("the definition of the action", |it| it.definition = Digest::of_bytes(b"other")),
            ("the parameters", |it| it.params = Digest::of_bytes(b"other")),
            ("the destination", |it| {
                let origin = Some("https://evil.example".to_owned());
                it.destination.insert("slack".to_owned(), Destination { origin, ..Destination::NATIVE });
            }),
            ("the destination", |it| it.destination.clear()),
            ("the credential", |it| it.credential.get_mut("slack").unwrap().version = 4),
            ("the credential", |it| it.credential.get_mut("slack").unwrap().row = "conn_2".to_owned()),
            ("who proposes it", |it| it.proposer.agent = "other".to_owned()),
            ("who proposes it", |it| {
                it.proposer.step = Some(StepOrigin { version: 1, hash: Digest::of_bytes(b"step") });
            }),
            ("the target", |it| it.asked_before += 1),
            ("the decision", |it| it.decision.mode = Mode::Allow),
            ("the decision", |it| {
                it.decision.guardrails.push(GuardrailChange {
                    guardrail: model::Guardrail::Drift,
                    from: Mode::Allow,
                    to: Mode::RequireApproval,
                    reason: "changed".to_owned(),
                });
            }),
        ];
        for (words, change) in changes {
            let mut after = before.clone();
            change(&mut after);
            assert_ne!(before.digest().unwrap(), after.digest().unwrap(), "{words}");
            assert_eq!(after.changed_since(&stored), [words]);
            let same = after.decided_as(&before.decision);
            assert_eq!(same.changed_since(&stored).is_empty(), words == "the decision");
        }
    }
}
