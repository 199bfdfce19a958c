//! What tokens authenticate, and for how long.

use std::time::Duration;

use changes::Author;
use model::{Actor, Role, SessionKind};
use platform::token::Kind;
use tenancy::{Caller, Error, MemberChange, NewSession};

use crate::stage::{ALL, Stage};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_revoked_or_ended_token_opens_nothing() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (owner, tenancy) = (stage.owner(), &stage.tenancy);
    let (id, revoked) = tenancy.create_token(&stage.by(), owner.user, "laptop", None).await?;
    let (_, other) = tenancy.create_token(&stage.by(), owner.user, "phone", None).await?;
    assert_eq!(stage.holder(revoked.reveal()).await?.map(|person| person.actor()), Some(owner));
    tenancy.revoke_token(&stage.by(), Some(owner.user), id).await?;
    assert!(stage.holder(revoked.reveal()).await?.is_none());
    assert!(stage.holder(other.reveal()).await?.is_some(), "other tokens stay valid");

    let ends = stage.world.clock.now() + MINUTE;
    let (_, brief) = tenancy.create_token(&stage.by(), owner.user, "brief", Some(ends)).await?;
    stage.advance(MINUTE - Duration::from_secs(1));
    assert!(stage.holder(brief.reveal()).await?.is_some());
    stage.advance(Duration::from_secs(1));
    assert!(stage.holder(brief.reveal()).await?.is_none());
    assert!(stage.holder(other.reveal()).await?.is_some(), "a token without an expiry stays valid");
    Ok(())
}

#[tokio::test]
async fn a_token_that_nobody_was_given_opens_nothing() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let real = stage.ours.token.reveal();
    let mut changed = real.to_owned();
    let last = changed.pop();
    changed.push(if last == Some('0') { '1' } else { '0' });
    let unknown = stage.tenancy.make_token(Kind::Api);
    let (hook, browser) = (stage.tenancy.make_token(Kind::Hook), stage.tenancy.make_token(Kind::Browser));
    for token in ["", "x", "csn_api_", &changed, unknown.reveal(), hook.reveal(), browser.reveal()] {
        assert!(stage.holder(token).await?.is_none(), "{token}");
    }
    assert!(stage.holder(real).await?.is_some());
    Ok(())
}

#[tokio::test]
async fn only_its_own_person_in_its_own_org_revokes_a_token() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (owner, tenancy) = (stage.owner(), &stage.tenancy);
    let (id, token) = tenancy.create_token(&stage.by(), owner.user, "laptop", None).await?;
    let colleague = stage.add(owner.org, "colleague", Role::Owner).await?;
    let stranger = Actor { org: stage.theirs.org, user: stage.theirs.owner };
    for Actor { org, user } in
        [Actor { user: colleague, ..owner }, stranger, Actor { org: stage.theirs.org, ..owner }]
    {
        let refused = tenancy.revoke_token(&Author::operator(org), Some(user), id).await;
        assert!(matches!(refused, Err(Error::NotFound("token"))), "{refused:?}");
    }
    assert!(stage.holder(token.reveal()).await?.is_some());
    let theirs = tenancy.tokens(owner.org, Some(colleague), ALL).await?;
    assert!(theirs.iter().all(|token| token.user == colleague && token.id != id), "{theirs:?}");
    Ok(())
}

#[tokio::test]
async fn the_holder_of_a_token_has_the_role_that_they_have_now() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (org, tenancy) = (stage.ours.org, &stage.tenancy);
    let user = stage.add(org, "ada", Role::Member).await?;
    let (_, token) = tenancy.create_token(&Author::operator(org), user, "laptop", None).await?;
    let role = async || anyhow::Ok(stage.holder(token.reveal()).await?.map(|person| person.role));
    assert_eq!(role().await?, Some(Role::Member));
    let promoted = MemberChange { role: Some(Role::Admin), ..MemberChange::default() };
    tenancy.change_member(&Author::operator(org), user, promoted).await?;
    assert_eq!(role().await?, Some(Role::Admin));
    tenancy.remove_member(&Author::operator(org), user).await?;
    assert_eq!(role().await?, None, "they are no longer a member");
    Ok(())
}

#[tokio::test]
async fn a_session_belongs_to_one_org_and_ends_once() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (owner, tenancy) = (stage.owner(), &stage.tenancy);
    let new = NewSession {
        space: None,
        kind: SessionKind::Interactive,
        agent: "agent".to_owned(),
        title: String::new(),
        capabilities: tenancy::Capabilities::Exactly(vec!["*".to_owned()]),
        lifetime: 10 * MINUTE,
    };
    let (session, token) = tenancy.create_session(&stage.by(), new).await?;
    match tenancy.authenticate(token.reveal()).await? {
        Caller::Session { org, session: found } => assert_eq!((org, found), (owner.org, session.id)),
        other => anyhow::bail!("not a session: {other:?}"),
    }
    let stranger = tenancy.session(stage.theirs.org, session.id).await;
    assert!(matches!(stranger, Err(Error::NotFound("session"))), "{stranger:?}");
    assert!(tenancy.end_session(&Author::operator(stage.theirs.org), session.id).await.is_err());

    assert!(!tenancy.session(owner.org, session.id).await?.is_over(stage.world.clock.now()));
    let ended = tenancy.end_session(&Author::operator(owner.org), session.id).await?;
    assert!(ended.is_over(stage.world.clock.now()));
    stage.advance(MINUTE);
    let again = tenancy.end_session(&Author::operator(owner.org), session.id).await?;
    assert_eq!(again.ended_at, ended.ended_at, "the time of the end does not change");
    Ok(())
}
