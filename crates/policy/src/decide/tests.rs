//! Every combination of risk, rule, band and drift, held against the table of the design, written here a second time
//! in another form; and each gate and guardrail by itself.

use expect_test::{Expect, expect};
use model::{EffectClass, GrantId, Labels, RuleId, UserId};

use super::*;
use crate::{GrantScope, Rule};

fn definition(risk: Risk) -> ActionDefinition {
    ActionDefinition {
        address: "linear.create_issue".parse().unwrap(),
        description: String::new(),
        input_schema: serde_json::json!({}),
        output_schema: None,
        risk,
        effect: EffectClass::Once,
        labels: Labels::default(),
        capabilities: vec!["linear:write".to_owned()],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: true,
        key_fields: vec![],
        timeout_ms: 30_000,
    }
}

fn rule(scope: RuleScope, source: &str, action: &str, mode: Mode) -> Rule {
    Rule::new(scope, source, action, mode).unwrap()
}

fn asker() -> SessionId {
    SessionId::from_uuid(uuid::Uuid::from_u128(7))
}

fn grant(scope: GrantScope) -> Grant {
    Grant {
        id: GrantId::from_uuid(uuid::Uuid::from_u128(9)),
        scope,
        source: "linear".to_owned(),
        action: "create_issue".to_owned(),
        max_calls: 25,
        used_calls: 0,
        expires_at: Timestamp::MAX,
        revoked_at: None,
        created_by: UserId::from_uuid(uuid::Uuid::from_u128(8)),
        created_at: Timestamp::UNIX_EPOCH,
        from_invocation: None,
        from_request: None,
        reason: String::new(),
        condition: None,
        step: None,
    }
}

fn rule_set(rules: Vec<Rule>) -> RuleSet {
    RuleSet::new((1..).map(|number| RuleId::from_uuid(uuid::Uuid::from_u128(number))).zip(rules))
}

fn decided(definition: &ActionDefinition, rules: &[Rule], band: RiskBand, drift: Drift) -> Decision {
    decided_with(definition, rules, band, drift, &[])
}

fn decided_with(
    definition: &ActionDefinition,
    rules: &[Rule],
    band: RiskBand,
    drift: Drift,
    grants: &[Grant],
) -> Decision {
    let rules = rule_set(rules.to_vec());
    let capabilities = ["*".to_owned()];
    decide(&Facts {
        definition,
        automation: None,
        rules: &rules,
        band,
        drift,
        capabilities: &capabilities,
        asked: Asked::default(),
        session: asker(),
        grants,
        now: Timestamp::UNIX_EPOCH,
    })
}

/// The table of the design as arithmetic over strictness: 0 allow, 1 require approval, 2 deny.
fn expected(risk: u8, rule: Option<u8>, band: u8, drifted: bool) -> u8 {
    let start = rule.unwrap_or_else(|| [0, 0, 1, 1, 2][usize::from(risk)]);
    let ceiling = u8::from(risk >= 3);
    let band = match (band, risk) {
        (3, 2..) | (2, 3..) => 2,
        (1 | 2, 2..) => 1,
        _ => 0,
    };
    start.max(ceiling).max(band).max(u8::from(drifted))
}

#[test]
fn every_combination_of_risk_rule_band_and_drift_is_as_the_table_says() {
    let mut seen = 0;
    for (r, risk) in (0..).zip(Risk::ALL) {
        for (b, band) in (0..).zip(RiskBand::ALL) {
            for drift in [Drift::None, Drift::Changed, Drift::NeverReviewed] {
                for ruled in [None, Some(Mode::Allow), Some(Mode::RequireApproval), Some(Mode::Deny)] {
                    for key in [("linear", "create_issue"), ("linear", "*"), ("*", "*")] {
                        let rules: Vec<_> =
                            ruled.map(|mode| rule(RuleScope::Org, key.0, key.1, mode)).into_iter().collect();
                        let decision = decided(&definition(risk), &rules, band, drift);
                        let want = expected(r, ruled.map(|mode| mode as u8), b, drift != Drift::None);
                        assert_eq!(
                            decision.mode as u8, want,
                            "{risk:?} {ruled:?} {band:?} {drift:?} {key:?}"
                        );
                        assert_eq!(decision.mode_source == ModeSource::Inferred, ruled.is_none());
                        for change in &decision.guardrails {
                            assert!(change.to >= change.from, "a guardrail relaxed: {change:?}");
                        }
                        // Every guardrail that keeps the decision where it is, or made it stricter, is told.
                        let told =
                            |guardrail| decision.guardrails.iter().any(|one| one.guardrail == guardrail);
                        let ruled_out = ruled == Some(Mode::Deny);
                        assert_eq!(
                            told(Guardrail::Ceiling),
                            r >= 3 && !ruled_out && !(r == 4 && ruled.is_none())
                        );
                        // A grant answers for a person where only the cascade asks for one, and nowhere else.
                        let held = r >= 3 || (b >= 1 && r >= 2) || drift != Drift::None;
                        for scope in [GrantScope::Org, GrantScope::Session(asker())] {
                            let granted =
                                decided_with(&definition(risk), &rules, band, drift, &[grant(scope)]);
                            let lifted = want == 1 && !held;
                            assert_eq!(granted.mode as u8, if lifted { 0 } else { want });
                            assert_eq!(granted.grant.is_some(), lifted);
                            assert_eq!(granted.mode_source == ModeSource::Grant, lifted);
                        }
                        seen += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen, 5 * 4 * 3 * 4 * 3);
}

#[test]
fn the_most_specific_key_wins_and_an_automation_rule_beats_an_org_rule() {
    let automation = AutomationId::from_uuid(uuid::Uuid::from_u128(1));
    let other = AutomationId::from_uuid(uuid::Uuid::from_u128(2));
    let rules = rule_set(vec![
        rule(RuleScope::Org, "*", "*", Mode::Deny),
        rule(RuleScope::Org, "linear", "*", Mode::RequireApproval),
        rule(RuleScope::Org, "linear", "create_issue", Mode::Allow),
        rule(RuleScope::Automation(automation), "*", "*", Mode::Deny),
        rule(RuleScope::Automation(other), "linear", "create_issue", Mode::Allow),
    ]);
    let definition = definition(Risk::R2);
    let capabilities = ["*".to_owned()];
    let mode = |automation, address: &str| {
        let mut definition = definition.clone();
        definition.address = address.parse().unwrap();
        let facts = Facts {
            definition: &definition,
            automation,
            rules: &rules,
            band: RiskBand::Green,
            drift: Drift::None,
            capabilities: &capabilities,
            asked: Asked::default(),
            session: asker(),
            grants: &[],
            now: Timestamp::UNIX_EPOCH,
        };
        decide(&facts).mode
    };
    assert_eq!(mode(None, "linear.create_issue"), Mode::Allow);
    assert_eq!(mode(None, "linear.add_comment"), Mode::RequireApproval);
    assert_eq!(mode(None, "slack.send_message"), Mode::Deny);
    // Even the least specific rule of the automation comes before the most specific one of the org.
    assert_eq!(mode(Some(automation), "linear.create_issue"), Mode::Deny);
    assert_eq!(mode(Some(other), "linear.create_issue"), Mode::Allow);
}

#[test]
fn a_gate_refuses_whatever_the_rules_say_and_leaves_no_permit() {
    let definition = definition(Risk::R1);
    let rules = rule_set(vec![rule(RuleScope::Org, "*", "*", Mode::Allow)]);
    let facts = |capabilities, finding| Facts {
        definition: &definition,
        automation: None,
        rules: &rules,
        band: RiskBand::Green,
        drift: Drift::None,
        capabilities,
        asked: Asked { finding, ..Asked::default() },
        session: asker(),
        grants: &[],
        now: Timestamp::UNIX_EPOCH,
    };
    let all = ["*".to_owned()];
    let read_only = ["linear:read".to_owned()];
    let subject = Digest::of_bytes(b"subject");

    let passed = decide(&facts(&all, None));
    assert!(Permit::of(&passed, subject).is_some_and(|permit| *permit.subject() == subject));

    let without = decide(&facts(&read_only, None));
    assert_eq!((without.mode, without.quarantined), (Mode::Deny, false));
    assert!(Permit::of(&without, subject).is_none());

    let unsafe_ = decide(&facts(&all, Some("a bidirectional control character at /title")));
    assert_eq!((unsafe_.mode, unsafe_.quarantined), (Mode::Deny, true));
    assert!(Permit::of(&unsafe_, subject).is_none());
}

fn check(decision: &Decision, expect: &Expect) {
    let mut lines =
        vec![format!("{} ({}): {}", decision.mode.as_str(), decision.mode_source.as_str(), decision.reason)];
    lines.extend(
        decision.guardrails.iter().map(|change| format!("{:?}: {}", change.guardrail, change.reason)),
    );
    expect.assert_eq(&lines.join("\n"));
}

#[test]
fn a_decision_explains_itself() {
    let mut allow = rule(RuleScope::Org, "linear", "*", Mode::Allow);
    allow.reason = "triage is trusted".to_owned();
    check(
        &decided(&definition(Risk::R3), &[allow], RiskBand::Red, Drift::Changed),
        &expect![[r#"
            deny (org_rule): rule of the organization for `linear.*`: triage is trusted
            Ceiling: R3 always requires an approval
            Band: a red space denies actions that are hard to undo"#]],
    );
    check(
        &decided(&definition(Risk::R2), &[], RiskBand::Green, Drift::None),
        &expect!["require_approval (inferred): no rule matches; R2 actions need approval by default"],
    );
}
