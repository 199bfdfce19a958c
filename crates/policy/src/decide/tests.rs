//! Every combination of risk, rule, band and drift, held against the table of the design, written here a second time
//! in another form; and each gate and guardrail by itself.

use expect_test::{Expect, expect};
use model::{AutomationId, EffectClass, GrantId, Labels, RuleId, UserId};

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    GrantScope, Rule,
    cedar::{Statement, Stored},
};

fn definition(risk: Risk) -> ActionDefinition {
    ActionDefinition {
        address: "linear.create_issue".parse().unwrap(),
        description: String::new(),
        input_schema: serde_json::json!({}),
        output_schema: None,
        risk,
        effect: EffectClass::Once,
        labels: Labels::default(),
        recipients: vec![],
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

fn who(automation: Option<AutomationId>, band: RiskBand) -> Requester<'static> {
    Requester {
        session: Some(asker()),
        automation,
        space: "main",
        band,
        agent: "triage",
        is_unattended: false,
        opened_by: Some(UserId::from_uuid(uuid::Uuid::from_u128(6))),
    }
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
    let none = PolicySet::default();
    decided_under(&none, (&serde_json::json!({}), FactValues::EMPTY), definition, rules, band, drift, grants)
}

#[expect(clippy::too_many_arguments, reason = "everything that a decision depends on")]
fn decided_under(
    policies: &PolicySet,
    (params, history): (&Value, &FactValues),
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
        is_builtin: true,
        requester: who(None, band),
        rules: &rules,
        policies,
        gates: &Gates::default(),
        zone: &TimeZone::UTC,
        drift,
        capabilities: &capabilities,
        asked: Asked { params: Some(params), history: Some(history), ..Asked::default() },
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
            is_builtin: true,
            requester: who(automation, RiskBand::Green),
            rules: &rules,
            policies: &PolicySet::default(),
            gates: &Gates::default(),
            zone: &TimeZone::UTC,
            drift: Drift::None,
            capabilities: &capabilities,
            asked: Asked::default(),
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
    let (policies, gates, zone) = (PolicySet::default(), Gates::default(), TimeZone::UTC);
    let facts = |capabilities, finding| Facts {
        definition: &definition,
        is_builtin: true,
        requester: who(None, RiskBand::Green),
        rules: &rules,
        policies: &policies,
        gates: &gates,
        zone: &zone,
        drift: Drift::None,
        capabilities,
        asked: Asked { finding, ..Asked::default() },
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

/// The ways in which a policy may speak: its text, whether it only observes, and the least mode that it gives (0 is allow).
const POLICIES: [(&str, bool, u8); 6] = [
    (r#"@id("silent") forbid (principal, action, resource) when { context.now.hour > 23 };"#, false, 0),
    (r#"@id("ask") @mode("ask") forbid (principal, action, resource);"#, false, 1),
    (r#"@id("deny") forbid (principal, action, resource);"#, false, 2),
    (
        r#"@id("errs-ask") @mode("ask") forbid (principal, action, resource) when { context.history.gone > 1 };"#,
        false,
        1,
    ),
    (
        r#"@id("errs-deny") forbid (principal, action, resource) unless { context.input.gone == 1 };"#,
        false,
        2,
    ),
    (r#"@id("observes") forbid (principal, action, resource);"#, true, 0),
];

fn policies_of(chosen: &[usize]) -> PolicySet {
    let all = chosen.iter().map(|number| {
        let (text, is_observing, _) = POLICIES[*number];
        Stored { statement: Statement::parse(text).unwrap(), version: 1, is_observing }
    });
    PolicySet::new(all.collect())
}

#[test]
fn every_combination_with_policies_is_the_stricter_of_both_and_a_grant_never_lifts_one() {
    let mut seen = 0;
    for (r, risk) in (0..).zip(Risk::ALL) {
        for (b, band) in (0..).zip(RiskBand::ALL) {
            for drift in [Drift::None, Drift::Changed] {
                for ruled in [None, Some(Mode::Allow), Some(Mode::RequireApproval), Some(Mode::Deny)] {
                    for chosen in 0..1usize << POLICIES.len() {
                        let chosen: Vec<usize> =
                            (0..POLICIES.len()).filter(|number| chosen >> number & 1 == 1).collect();
                        let rules: Vec<_> =
                            ruled.map(|mode| rule(RuleScope::Org, "*", "*", mode)).into_iter().collect();
                        let policies = policies_of(&chosen);
                        let least = chosen.iter().map(|number| POLICIES[*number].2).max().unwrap_or(0);
                        let before = expected(r, ruled.map(|mode| mode as u8), b, drift != Drift::None);
                        let given = [grant(GrantScope::Org)];
                        for grants in [&[][..], &given] {
                            let known = (&serde_json::json!({}), FactValues::EMPTY);
                            let decision = decided_under(
                                &policies,
                                known,
                                &definition(risk),
                                &rules,
                                band,
                                drift,
                                grants,
                            );
                            let held = r >= 3 || (b >= 1 && r >= 2) || drift != Drift::None || least > 0;
                            let granted = !grants.is_empty() && before == 1 && !held;
                            let want = if granted { 0 } else { before.max(least) };
                            assert_eq!(decision.mode as u8, want, "{risk:?} {band:?} {ruled:?} {chosen:?}");
                            let told = |name: &str| decision.policies.iter().any(|one| one.name == name);
                            assert!(!told("silent"));
                            assert_eq!(told("errs-ask"), chosen.contains(&3));
                            assert_eq!(told("observes"), chosen.contains(&5));
                            let errors = decision.policies.iter().filter(|one| one.error.is_some()).count();
                            assert_eq!(
                                errors,
                                chosen.iter().filter(|number| [3, 4].contains(*number)).count()
                            );
                        }
                        seen += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen, 5 * 4 * 2 * 4 * 64);
}

#[test]
fn a_policy_asks_for_people_and_says_why() {
    let texts = [
        r#"@id("two") @mode("ask") @approvers("2") @why("Production needs two") forbid (principal, action, resource);"#,
        r#"@id("three") @mode("ask") @approvers("3") forbid (principal, action, resource);"#,
    ];
    let stored = texts.map(|text| Stored {
        statement: Statement::parse(text).unwrap(),
        version: 4,
        is_observing: false,
    });
    let allow = rule(RuleScope::Org, "*", "*", Mode::Allow);
    let policies = PolicySet::new(stored.into());
    let known = (&serde_json::json!({}), FactValues::EMPTY);
    let decision =
        decided_under(&policies, known, &definition(Risk::R2), &[allow], RiskBand::Green, Drift::None, &[]);
    assert_eq!(decision.approvers, Some(3));
    check(
        &decision,
        &expect![[r#"
            require_approval (org_rule): rule of the organization for `*`
            Policy: policy `three`
            Policy: policy `two`: Production needs two"#]],
    );
}

#[test]
fn a_policy_about_what_runs_unasked_knows_of_a_grant() {
    let text = r#"@id("unasked") forbid (principal, action, resource) when { context.asked == "allow" };"#;
    let stored = Stored { statement: Statement::parse(text).unwrap(), version: 1, is_observing: false };
    let policies = PolicySet::new(vec![stored]);
    let known = (&serde_json::json!({}), FactValues::EMPTY);
    let decided = |grants: &[Grant]| {
        decided_under(&policies, known, &definition(Risk::R2), &[], RiskBand::Green, Drift::None, grants)
    };
    assert_eq!(decided(&[]).mode, Mode::RequireApproval);
    let granted = decided(&[grant(GrantScope::Org)]);
    assert_eq!((granted.mode, granted.grant), (Mode::Deny, None));
}

#[test]
fn without_parameters_the_policies_that_need_them_are_named_instead() {
    let texts = [
        r#"@id("input") forbid (principal, action, resource) when { context.input.title == "x" };"#,
        r#"@id("history") forbid (principal, action, resource) when { context.history.spent > 1 };"#,
        r#"@id("general") @mode("ask") forbid (principal, action, resource) when { context.now.hour >= 0 };"#,
    ];
    let stored = texts.map(|text| Stored {
        statement: Statement::parse(text).unwrap(),
        version: 1,
        is_observing: false,
    });
    let (policies, rules, zone) = (PolicySet::new(stored.into()), rule_set(vec![]), TimeZone::UTC);
    let (definition, capabilities) = (definition(Risk::R1), ["*".to_owned()]);
    let decision = decide(&Facts {
        definition: &definition,
        is_builtin: true,
        requester: who(None, RiskBand::Green),
        rules: &rules,
        policies: &policies,
        gates: &Gates::default(),
        zone: &zone,
        drift: Drift::None,
        capabilities: &capabilities,
        asked: Asked::default(),
        grants: &[],
        now: Timestamp::UNIX_EPOCH,
    });
    assert_eq!(decision.mode, Mode::RequireApproval);
    assert_eq!(decision.depends, ["history", "input"]);
    assert_eq!(decision.policies.len(), 1);
}

#[test]
fn every_gate_gives_its_verdict_in_order() {
    let decision = decided(&definition(Risk::R2), &[], RiskBand::Green, Drift::None);
    let names: Vec<&str> = decision.gates.iter().map(|gate| gate.gate.as_str()).collect();
    assert_eq!(names, ["capability", "consent", "space", "safety"]);
    assert!(decision.gates.iter().all(|gate| gate.verdict == Verdict::Pass && gate.reason.is_empty()));
}

proptest! {
    /// Whatever an organization sets for gates, and whatever came of it: no mode becomes more permissive, and what a gate
    /// refuses is denied.
    #[test]
    fn no_gate_setting_makes_a_mode_laxer(
        r in 0usize..5, b in 0usize..4, ruled in 0usize..4, has_grant in any::<bool>(), home in 0usize..3,
        crosses in any::<bool>(), listed in prop::option::of(any::<bool>()), purpose in any::<bool>(),
        given in prop::option::of(any::<bool>()), found in any::<bool>(),
    ) {
        let homes = [json!([]), json!([{ "source": "linear", "space": "main" }]),
            json!([{ "source": "linear", "space": "other" }])][home].clone();
        let crossings = if crosses { json!([{ "from": "main", "to": "other" }]) } else { json!([]) };
        let allow: Vec<&str> = listed.into_iter().filter(|listed| *listed).map(|_| "acme.example").collect();
        let purposes = json!([{ "action": "linear.create_issue", "purpose": "p", "subject": "input.to" }]);
        let settings = json!({
            "recipients": listed.map(|_| json!({ "allow": allow })), "homes": homes, "crossings": crossings,
            "purposes": if purpose { purposes } else { json!([]) },
        });
        let gates = Gates::new(serde_json::from_value(settings).unwrap()).unwrap();
        let mut definition = definition(Risk::ALL[r]);
        definition.labels.sends_out = true;
        let params = json!({ "to": "ada@acme.example" });
        let mode = [None, Some(Mode::Allow), Some(Mode::RequireApproval), Some(Mode::Deny)][ruled];
        let rules = rule_set(mode.map(|mode| rule(RuleScope::Org, "*", "*", mode)).into_iter().collect());
        let grants: Vec<Grant> = has_grant.then(|| grant(GrantScope::Org)).into_iter().collect();
        let consent = given.map(|given| if given { Consented::Given } else { Consented::Missing("why".to_owned()) });
        let policies = PolicySet::default();
        let of = |gates: &Gates, finding: Option<&str>| decide(&Facts {
            definition: &definition, is_builtin: true, requester: who(None, RiskBand::ALL[b]), rules: &rules,
            policies: &policies, gates, zone: &TimeZone::UTC, drift: Drift::None, capabilities: &["*".to_owned()],
            asked: Asked { params: Some(&params), consent: consent.as_ref(), finding, ..Asked::default() },
            grants: &grants, now: Timestamp::UNIX_EPOCH,
        });
        let redactor = platform::redact::Redactor::new();
        let inspected = crate::Inspected { definition: &definition, params: &params };
        let own = gates.inspect(inspected, &redactor);
        prop_assert_eq!(own.is_some(), listed == Some(false));
        let finding = own.as_deref().or_else(|| found.then_some("found"));
        let (without, with) = (of(&Gates::default(), None), of(&gates, finding));
        prop_assert!(with.mode >= without.mode);
        let refused = with.gates.iter().any(|gate| gate.verdict != Verdict::Pass);
        prop_assert_eq!(refused, with.mode == Mode::Deny && (with.gates != without.gates));
        prop_assert_eq!(with.quarantined, finding.is_some());
        let away = home == 2 && !crosses;
        prop_assert_eq!(refused, finding.is_some() || away || (purpose && given != Some(true)));
        prop_assert!(!refused || with.grant.is_none());
    }

    /// Whatever policies there are, whatever they read and whatever its value is: no mode becomes more permissive.
    #[test]
    fn no_policy_no_fact_and_no_error_makes_a_mode_laxer(
        r in 0usize..5, b in 0usize..4, ruled in 0usize..4, drifted in any::<bool>(), has_grant in any::<bool>(),
        modes in prop::collection::vec((any::<bool>(), any::<bool>(), 0usize..6, any::<i8>()), 0..5),
        spent in prop::option::of(any::<i64>()), amount in prop_oneof![
            any::<i64>().prop_map(|number| serde_json::json!(number)),
            any::<u64>().prop_map(|number| serde_json::json!(number)),
            any::<String>().prop_map(|text| serde_json::json!(text)), Just(Value::Null)],
    ) {
        let conditions = |which: usize, bound: i8| match which {
            0 => format!("when {{ context.history.spent > {bound} }}"),
            1 => format!("unless {{ context.history.spent > {bound} }}"),
            2 => format!("when {{ context.input.amount + context.history.spent > {bound} }}"),
            3 => format!("unless {{ context has input && context.input has amount && context.input.amount <= {bound} }}"),
            4 => format!("when {{ context.text like \"*{bound}*\" || context.domains.contains(\"x\") }}"),
            _ => format!("when {{ context.now.hour > {bound} && context.asked == \"allow\" }}"),
        };
        let texts = modes.iter().enumerate().map(|(number, (asks, observes, which, bound))| {
            let mode = if *asks { "ask" } else { "deny" };
            let condition = conditions(*which, *bound);
            let text = format!("@id(\"p{number}\") @mode(\"{mode}\") forbid (principal, action, resource) {condition};");
            Stored { statement: Statement::parse(&text).unwrap(), version: 1, is_observing: *observes }
        });
        let policies = PolicySet::new(texts.collect());
        let mut definition = definition(Risk::ALL[r]);
        definition.input_schema =
            serde_json::json!({ "type": "object", "properties": { "amount": { "type": "integer" } } });
        let mode = [None, Some(Mode::Allow), Some(Mode::RequireApproval), Some(Mode::Deny)][ruled];
        let rules: Vec<_> = mode.map(|mode| rule(RuleScope::Org, "*", "*", mode)).into_iter().collect();
        let drift = if drifted { Drift::Changed } else { Drift::None };
        let grants: Vec<Grant> = has_grant.then(|| grant(GrantScope::Org)).into_iter().collect();
        let history: FactValues =
            spent.map(|spent| ("spent".to_owned(), crate::FactValue::Number(spent))).into_iter().collect();
        let params = serde_json::json!({ "amount": amount });
        let decide = |policies: &PolicySet| {
            decided_under(policies, (&params, &history), &definition, &rules, RiskBand::ALL[b], drift, &grants)
        };
        let (without, with) = (decide(&PolicySet::default()), decide(&policies));
        prop_assert!(with.mode >= without.mode);
        for policy in with.policies.iter().filter(|policy| !policy.observing) {
            prop_assert!(with.mode >= policy.mode, "{policy:?}");
        }
        for change in &with.guardrails {
            prop_assert!(change.to >= change.from);
        }
    }
}
