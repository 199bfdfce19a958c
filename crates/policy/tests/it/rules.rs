//! Rules as they are stored, and which of them speaks.

use model::{AutomationId, Mode, ModeSource, OrgId};
use policy::{Error, Rule, RuleScope, StoredRule};

use crate::stage::Stage;

async fn put(
    stage: &Stage,
    org: OrgId,
    scope: RuleScope,
    key: &str,
    mode: Mode,
) -> anyhow::Result<StoredRule> {
    let (source, action) = key.split_once('.').unwrap();
    let rule = Rule::new(scope, source, action, mode)?;
    Ok(stage.rules.put(&stage.by(org), rule).await?)
}

#[tokio::test]
async fn the_most_specific_rule_speaks_and_without_it_the_next_one() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let automation = AutomationId::from_uuid(stage.world.uuid());
    let (of_it, asker) = (RuleScope::Automation(automation), stage.asker_for(automation));
    let mode = async || anyhow::Ok(stage.decide(stage.ours, asker, "linear.create_issue").await?.mode);
    let inferred = stage.decide(stage.ours, asker, "linear.create_issue").await?;
    assert_eq!((inferred.mode, inferred.mode_source), (Mode::RequireApproval, ModeSource::Inferred));

    // From the weakest to the strongest; each one speaks as soon as it is there.
    let mut set = Vec::new();
    for (scope, key, set_to) in [
        (RuleScope::Org, "*.*", Mode::Deny),
        (RuleScope::Org, "linear.*", Mode::Allow),
        (RuleScope::Org, "linear.create_issue", Mode::Deny),
        (of_it, "*.*", Mode::Allow),
        (of_it, "linear.*", Mode::Deny),
        (of_it, "linear.create_issue", Mode::Allow),
    ] {
        set.push((put(&stage, stage.ours, scope, key, set_to).await?.id, mode().await?));
        assert_eq!(mode().await?, set_to, "{scope:?} {key}");
    }
    while let Some((strongest, said)) = set.pop() {
        assert_eq!(mode().await?, said);
        stage.rules.delete(&stage.by(stage.ours), strongest).await?;
    }
    assert_eq!(mode().await?, Mode::RequireApproval, "no rule is left");
    Ok(())
}

#[tokio::test]
async fn a_rule_for_a_source_is_for_that_source_alone() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    put(&stage, stage.ours, RuleScope::Org, "linear.*", Mode::Deny).await?;
    put(&stage, stage.ours, RuleScope::Org, "slack.send", Mode::Deny).await?;
    for (action, expected) in [
        ("linear.create_issue", Mode::Deny),
        ("linear.list_issues", Mode::Deny),
        ("linear2.create_issue", Mode::RequireApproval),
        ("line.create_issue", Mode::RequireApproval),
        ("slack.send", Mode::Deny),
        ("slack.send_message", Mode::RequireApproval),
    ] {
        assert_eq!(stage.decide(stage.ours, stage.asker(), action).await?.mode, expected, "{action}");
    }
    for (source, action) in [("*", "create_issue"), ("", "*"), ("linear", ""), ("linear", "create*")] {
        let refused = Rule::new(RuleScope::Org, source, action, Mode::Allow);
        assert!(matches!(refused, Err(Error::Invalid(_))), "{source}.{action}");
    }
    Ok(())
}

#[tokio::test]
async fn a_rule_of_one_automation_does_not_speak_about_another() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let automation = AutomationId::from_uuid(stage.world.uuid());
    put(&stage, stage.ours, RuleScope::Automation(automation), "*.*", Mode::Allow).await?;
    let other = AutomationId::from_uuid(stage.world.uuid());
    for (asker, expected) in [
        (stage.asker_for(automation), Mode::Allow),
        (stage.asker_for(other), Mode::RequireApproval),
        (stage.asker(), Mode::RequireApproval),
    ] {
        assert_eq!(stage.decide(stage.ours, asker, "linear.create_issue").await?.mode, expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_rule_with_the_same_key_replaces_the_one_before_it() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let first = put(&stage, stage.ours, RuleScope::Org, "linear.*", Mode::Deny).await?;
    stage.world.clock.advance(std::time::Duration::from_secs(60));
    let second = put(&stage, stage.ours, RuleScope::Org, "linear.*", Mode::Allow).await?;
    assert_eq!((second.id, second.rule.mode), (first.id, Mode::Allow));
    assert!(second.updated_at > first.updated_at);
    assert_eq!(stage.rules.list(stage.ours, None, 100).await?, [second]);
    Ok(())
}

#[tokio::test]
async fn rules_of_another_org_are_not_there() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let rule = put(&stage, stage.ours, RuleScope::Org, "*.*", Mode::Allow).await?;
    assert_eq!(stage.rules.list(stage.theirs, None, 100).await?, []);
    let decision = stage.decide(stage.theirs, stage.asker(), "linear.create_issue").await?;
    assert_eq!(decision.mode, Mode::RequireApproval);
    let removed = stage.rules.delete(&stage.by(stage.theirs), rule.id).await;
    assert!(matches!(removed, Err(Error::NotFound)), "{removed:?}");
    assert_eq!(stage.rules.list(stage.ours, None, 100).await?, [rule]);
    Ok(())
}

#[tokio::test]
async fn a_rule_that_denies_for_an_automation_ends_what_allows_its_steps() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let automation = AutomationId::from_uuid(stage.world.uuid());
    let of_it = RuleScope::Automation(automation);
    let by = stage.by(stage.ours);
    let step = |text: &str| Some(model::Digest::of_bytes(text.as_bytes()));
    for (action, step) in
        [("create_issue", step("a")), ("create_issue", step("b")), ("add_comment", step("c"))]
    {
        let rule = Rule::new(of_it, "linear", action, Mode::Allow)?;
        stage.rules.put(&by, Rule { step, ..rule }).await?;
    }
    put(&stage, stage.ours, of_it, "linear.create_issue", Mode::Deny).await?;
    let left: Vec<_> = stage.rules.list(stage.ours, None, 100).await?;
    let left: Vec<_> = left.into_iter().map(|stored| (stored.rule.action, stored.rule.mode)).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.contains(&("create_issue".to_owned(), Mode::Deny)), "{left:?}");
    assert!(left.contains(&("add_comment".to_owned(), Mode::Allow)), "{left:?}");
    Ok(())
}
