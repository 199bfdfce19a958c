//! Members and their roles.

use changes::Author;
use model::Role;
use tenancy::{Error, MemberChange, NewMember};

use crate::stage::{ALL, Stage};

fn to(role: Role) -> MemberChange {
    MemberChange { role: Some(role), ..MemberChange::default() }
}

#[tokio::test]
async fn an_org_keeps_an_owner() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (org, owner, tenancy) = (stage.ours.org, stage.ours.owner, &stage.tenancy);
    stage.add(org, "admin", Role::Admin).await?;
    let demoted = tenancy.change_member(&Author::operator(org), owner, to(Role::Admin)).await;
    assert!(matches!(demoted, Err(Error::Invalid(_))), "{demoted:?}");
    assert!(matches!(tenancy.remove_member(&Author::operator(org), owner).await, Err(Error::Invalid(_))));
    assert_eq!(tenancy.member(org, owner).await?.role, Role::Owner);

    let second = stage.add(org, "second", Role::Owner).await?;
    tenancy.remove_member(&Author::operator(org), owner).await?;
    let last = tenancy.change_member(&Author::operator(org), second, to(Role::Member)).await;
    assert!(matches!(last, Err(Error::Invalid(_))), "the second owner is the last one now");
    Ok(())
}

#[tokio::test]
async fn of_two_owners_who_leave_at_once_one_stays() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (org, tenancy) = (stage.ours.org, &stage.tenancy);
    let second = stage.add(org, "second", Role::Owner).await?;
    let by = Author::operator(org);
    let (first, other) =
        tokio::join!(tenancy.remove_member(&by, stage.ours.owner), tenancy.remove_member(&by, second));
    assert!(first.is_ok() != other.is_ok(), "{first:?} {other:?}");
    let owners = tenancy.members(org, ALL).await?;
    assert_eq!(owners.iter().map(|member| member.role).collect::<Vec<_>>(), [Role::Owner]);
    Ok(())
}

#[tokio::test]
async fn a_person_is_a_member_once_whatever_the_case_of_their_address() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (org, tenancy) = (stage.ours.org, &stage.tenancy);
    let ada = |email: &str| NewMember { email: email.to_owned(), name: "Ada".to_owned(), role: Role::Member };
    let user = stage.join(org, ada("ada@example.test")).await?;
    assert_eq!(stage.join(org, ada(" Ada@Example.test ")).await?, user, "a new link for the same member");
    let raised = NewMember { role: Role::Owner, ..ada("ada@example.test") };
    let refused = tenancy.invite(&Author::operator(org), raised).await.map(|(invited, _)| invited);
    assert!(
        matches!(refused, Err(Error::Exists(_))),
        "an invitation is no way to a higher role: {refused:?}"
    );
    assert_eq!(stage.join(stage.theirs.org, ada("ADA@example.test")).await?, user);
    for nonsense in ["", "ada", "@example.test", "ada@"] {
        let refused = tenancy.invite(&Author::operator(org), ada(nonsense)).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{nonsense}");
    }
    Ok(())
}

#[tokio::test]
async fn what_one_org_calls_a_person_is_not_told_to_another() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (ours, theirs, tenancy) = (stage.ours.org, stage.theirs.org, &stage.tenancy);
    let named = |name: &str| NewMember {
        email: "shared@example.test".to_owned(),
        name: name.to_owned(),
        role: Role::Member,
    };
    let user = stage.join(ours, named("Ada, under notice")).await?;
    stage.join(theirs, named("Ada")).await?;
    assert_eq!(tenancy.member(theirs, user).await?.name, "Ada");
    let listed = tenancy.members(theirs, ALL).await?;
    assert!(!listed.iter().any(|member| member.name.contains("notice")), "{listed:?}");
    tenancy.remove_member(&Author::operator(theirs), user).await?;
    assert_eq!(tenancy.member(ours, user).await?.name, "Ada, under notice", "they left one only");
    Ok(())
}
