//! Two organizations in one database do not see each other's data.

use changes::Author;
use model::{OrgId, SourceSlug};
use platform::db::Database;
use secrecy::{ExposeSecret as _, SecretString};
use tenancy::Error;

use crate::stage::{ALL, Stage, founding};

async fn spaces(db: &Database, org: OrgId) -> anyhow::Result<i64> {
    let mut tx = db.begin(org).await?;
    Ok(sqlx::query_scalar("SELECT count(*) FROM spaces").fetch_one(&mut *tx).await?)
}

#[tokio::test]
async fn without_its_org_a_connection_sees_nothing_and_with_it_only_its_own() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let without: i64 = sqlx::query_scalar("SELECT count(*) FROM spaces")
        .fetch_one(&mut stage.test_db.service().await?)
        .await?;
    assert_eq!(without, 0);
    assert_eq!(spaces(&stage.db, stage.ours.org).await?, 1);
    assert_eq!(spaces(&stage.db, stage.theirs.org).await?, 1);
    Ok(())
}

#[tokio::test]
async fn members_secrets_and_connections_of_another_org_are_not_there() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (owner, theirs, tenancy) = (stage.owner(), stage.theirs.org, &stage.tenancy);
    let (value, linear) = (SecretString::from("hunter2"), "linear".parse::<SourceSlug>()?);
    tenancy.put_secret(&stage.by(), "password", &value).await?;
    tenancy.put_connection(&stage.by(), &linear, "Linear", &value).await?;

    assert!(matches!(tenancy.member(theirs, owner.user).await, Err(Error::NotFound("member"))));
    assert_eq!(tenancy.secrets(theirs, ALL).await?, []);
    assert_eq!(tenancy.connections(theirs, ALL).await?, []);
    assert!(tenancy.credential(theirs, &linear).await?.is_none());
    assert!(matches!(
        tenancy.delete_secret(&Author::operator(theirs), "password").await,
        Err(Error::NotFound("secret"))
    ));
    assert!(tenancy.delete_connection(&Author::operator(theirs), &linear).await.is_err());

    let kept = tenancy.credential(owner.org, &linear).await?.expect("our credential exists");
    assert_eq!((kept.token.expose_secret(), kept.version.version), ("hunter2", 1));
    Ok(())
}

#[tokio::test]
async fn a_sealed_value_of_one_org_does_not_open_in_another() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let (owner, tenancy) = (stage.owner(), &stage.tenancy);
    tenancy.put_secret(&stage.by(), "password", &SecretString::from("hunter2")).await?;
    let mut tx = stage.db.begin(owner.org).await?;
    let sealed = tenancy.sealed_secrets(&mut tx, owner.org, &["password".to_owned()]).await?;
    drop(tx);
    let opened = tenancy.open_credential(owner.org, &sealed["password"]).await?;
    assert_eq!(opened.token.expose_secret(), "hunter2");
    let stolen = tenancy.open_credential(stage.theirs.org, &sealed["password"]).await;
    assert!(matches!(stolen, Err(Error::Seal(_))), "{:?}", stolen.err());
    Ok(())
}

#[tokio::test]
async fn a_slug_names_one_org() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let twice = stage.tenancy.found(founding("ours")).await.err();
    assert!(matches!(twice, Some(Error::Exists(_))), "{twice:?}");
    for nonsense in ["", "Ours", "-ours", "our org"] {
        let refused = stage.tenancy.found(founding(nonsense)).await.err();
        assert!(matches!(refused, Some(Error::Invalid(_))), "{nonsense}: {refused:?}");
    }
    Ok(())
}
