//! Encrypted values can be decrypted only for the row they were encrypted for.

use std::time::Duration;

use platform::{
    db,
    seal::{Error, Place},
};
use testkit::TestApp;
use uuid::Uuid;

fn place(table: &'static str, row: u128, field: &'static str) -> Place<'static> {
    Place { table, row: Uuid::from_u128(row), field }
}

#[tokio::test]
async fn a_sealed_value_that_was_moved_or_changed_does_not_open() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (other, _) = app.another_org().await?;
    let mut tx = app.app.db.begin(app.org).await?;
    let here = place("secrets", 1, "sealed");
    let sealed = app.sealer.seal(&mut tx, app.org, here, b"hunter2").await?;
    assert_eq!(app.sealer.open(&mut tx, app.org, here, &sealed).await?.as_slice(), b"hunter2");
    for elsewhere in
        [place("connections", 1, "sealed"), place("secrets", 2, "sealed"), place("secrets", 1, "name")]
    {
        assert!(matches!(app.sealer.open(&mut tx, app.org, elsewhere, &sealed).await, Err(Error::Broken)));
    }
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        assert!(app.sealer.open(&mut tx, app.org, here, &changed).await.is_err(), "changed at {at}");
    }
    drop(tx);
    let mut tx = app.app.db.begin(other).await?;
    assert!(matches!(app.sealer.open(&mut tx, other, here, &sealed).await, Err(Error::Broken)));
    Ok(())
}

#[tokio::test]
async fn a_new_data_key_seals_from_then_on_and_the_old_one_still_opens() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let here = place("secrets", 1, "sealed");
    let mut tx = app.app.db.begin(app.org).await?;
    let old = app.sealer.seal(&mut tx, app.org, here, b"old").await?;
    app.advance(Duration::from_secs(61));
    app.sealer.make_data_key(&mut tx, app.org).await?;
    db::commit(tx).await?;
    let mut tx = app.app.db.begin(app.org).await?;
    let new = app.sealer.seal(&mut tx, app.org, here, b"new").await?;
    assert_eq!(app.sealer.open(&mut tx, app.org, here, &old).await?.as_slice(), b"old");
    assert_eq!(app.sealer.open(&mut tx, app.org, here, &new).await?.as_slice(), b"new");
    assert_ne!(old[1..17], new[1..17], "they name different keys");
    Ok(())
}
