//! Grants as they are stored: for whom, for how many calls, and until when.

use std::time::Duration;

use model::{AutomationId, GrantId, Mode, OrgId, Role};
use platform::db;
use policy::{Asker, Error, GrantScope, NewGrant};

use crate::stage::Stage;

const HOUR: Duration = Duration::from_secs(3_600);

fn new(scope: GrantScope, key: &str) -> NewGrant {
    NewGrant {
        scope,
        key: key.to_owned(),
        max_calls: 3,
        lifetime: HOUR,
        role: Role::Owner,
        from_invocation: None,
        from_request: None,
        reason: "testing".to_owned(),
        condition: None,
        step: None,
    }
}

async fn use_one(stage: &Stage, org: OrgId, id: GrantId) -> anyhow::Result<bool> {
    let mut tx = stage.db.begin(org).await?;
    let used = stage.grants.consume(&mut tx, org, id).await?;
    db::commit(tx).await?;
    Ok(used)
}

async fn mode(stage: &Stage, asker: Asker) -> anyhow::Result<Mode> {
    Ok(stage.decide(stage.ours, asker, "linear.create_issue").await?.mode)
}

#[tokio::test]
async fn a_grant_answers_until_it_expires() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let asker = stage.asker();
    assert_eq!(mode(&stage, asker).await?, Mode::RequireApproval);
    let given = new(GrantScope::Session(asker.session), "linear.create_issue");
    let grant = stage.grants.give(&stage.by(stage.ours), given).await?;
    let decision = stage.decide(stage.ours, asker, "linear.create_issue").await?;
    assert_eq!((decision.mode, decision.grant), (Mode::Allow, Some(grant.id)));
    assert_eq!(mode(&stage, stage.asker()).await?, Mode::RequireApproval, "it is for one session");

    stage.world.clock.advance(HOUR - Duration::from_secs(1));
    assert_eq!(mode(&stage, asker).await?, Mode::Allow);
    assert!(use_one(&stage, stage.ours, grant.id).await?);
    stage.world.clock.advance(Duration::from_secs(1));
    assert_eq!(mode(&stage, asker).await?, Mode::RequireApproval);
    assert!(!use_one(&stage, stage.ours, grant.id).await?, "calls are left, and its time is over");
    let listed = stage.grants.list(stage.ours, None, 100).await?;
    assert_eq!(listed[0].state(stage.world.clock.now()), "expired");
    Ok(())
}

#[tokio::test]
async fn any_number_who_use_a_grant_at_once_use_no_more_than_it_has() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let asker = stage.asker();
    let grant = stage.grants.give(&stage.by(stage.ours), new(GrantScope::Org, "linear.*")).await?;
    let (a, b, c, d, e) = tokio::try_join!(
        use_one(&stage, stage.ours, grant.id),
        use_one(&stage, stage.ours, grant.id),
        use_one(&stage, stage.ours, grant.id),
        use_one(&stage, stage.ours, grant.id),
        use_one(&stage, stage.ours, grant.id),
    )?;
    assert_eq!([a, b, c, d, e].into_iter().filter(|used| *used).count(), 3);
    assert_eq!(mode(&stage, asker).await?, Mode::RequireApproval);
    let listed = stage.grants.list(stage.ours, None, 100).await?;
    assert_eq!((listed[0].used_calls, listed[0].state(stage.world.clock.now())), (3, "used_up"));
    Ok(())
}

#[tokio::test]
async fn a_grant_that_was_taken_back_answers_nothing() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let grant = stage.grants.give(&stage.by(stage.ours), new(GrantScope::Org, "*")).await?;
    assert_eq!(mode(&stage, stage.asker()).await?, Mode::Allow);
    let revoked = stage.grants.revoke(&stage.by(stage.ours), grant.id).await?;
    assert_eq!(mode(&stage, stage.asker()).await?, Mode::RequireApproval);
    assert!(!use_one(&stage, stage.ours, grant.id).await?);
    stage.world.clock.advance(HOUR);
    let again = stage.grants.revoke(&stage.by(stage.ours), grant.id).await?;
    assert_eq!(again.revoked_at, revoked.revoked_at, "the moment when it was taken back stays");
    Ok(())
}

#[tokio::test]
async fn a_grant_is_for_its_automation_and_for_its_org_alone() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let automation = AutomationId::from_uuid(stage.world.uuid());
    let given = new(GrantScope::Automation(automation), "linear.*");
    let grant = stage.grants.give(&stage.by(stage.ours), given).await?;
    assert_eq!(mode(&stage, stage.asker_for(automation)).await?, Mode::Allow);
    assert_eq!(mode(&stage, stage.asker()).await?, Mode::RequireApproval);
    let slack = stage.decide(stage.ours, stage.asker_for(automation), "slack.send_message").await?;
    assert_eq!(slack.mode, Mode::RequireApproval);

    let asker = stage.asker_for(automation);
    let theirs = stage.decide(stage.theirs, asker, "linear.create_issue").await?;
    assert_eq!(theirs.mode, Mode::RequireApproval);
    assert!(!use_one(&stage, stage.theirs, grant.id).await?);
    let revoked = stage.grants.revoke(&stage.by(stage.theirs), grant.id).await;
    assert!(matches!(revoked, Err(Error::NotFound)), "{revoked:?}");
    Ok(())
}

#[tokio::test]
async fn what_is_given_has_bounds_and_a_wildcard_needs_an_owner() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let by = stage.by(stage.ours);
    let give = |change: &dyn Fn(&mut NewGrant)| {
        let mut given = new(GrantScope::Org, "linear.create_issue");
        change(&mut given);
        stage.grants.give(&by, given)
    };
    for wildcard in ["linear.*", "*"] {
        let refused = give(&|given| (given.key, given.role) = (wildcard.to_owned(), Role::Admin)).await;
        assert!(matches!(refused, Err(Error::NeedsOwner)), "{wildcard}: {refused:?}");
    }
    for nonsense in ["", "linear", "linear.", "*.create_issue", "linear.create*"] {
        let refused = give(&|given| nonsense.clone_into(&mut given.key)).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{nonsense}: {refused:?}");
    }
    let unbounded: [&dyn Fn(&mut NewGrant); 4] = [
        &|given| given.max_calls = 0,
        &|given| given.max_calls = 10_001,
        &|given| given.lifetime = Duration::ZERO,
        &|given| given.lifetime = 30 * 24 * HOUR + Duration::from_secs(1),
    ];
    for change in unbounded {
        let refused = give(change).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    }
    assert_eq!(stage.grants.list(stage.ours, None, 100).await?, [], "nothing was given");
    give(&|given| given.role = Role::Admin).await?;
    Ok(())
}
