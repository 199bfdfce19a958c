//! What the log proves, and to whom.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ledger::Error;
use receipt::{
    Bundle, Walk,
    merkle::{self, Tree},
};

use crate::stage::Stage;

#[tokio::test]
async fn a_receipt_in_the_log_is_proven_and_a_changed_one_is_not() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.append(stage.org, 5).await?;
    assert_eq!(stage.bundles(stage.org).await?.len(), 0, "none has a place yet");
    assert_eq!(stage.sequence().await?, 6, "a key, then receipts");
    let (bundles, keys) = (stage.bundles(stage.org).await?, stage.keys().await?);
    assert_eq!(bundles.len(), 5);
    for bundle in &bundles {
        bundle.verify(&keys)?;
    }

    let code = |bundle: &Bundle| bundle.verify(&keys).map(drop).map_err(|error| error.code());
    let mut changed = bundles[0].clone();
    let envelope = changed.record.envelope.as_mut().unwrap();
    let payload = String::from_utf8(BASE64_STANDARD.decode(&envelope.payload)?)?;
    envelope.payload = BASE64_STANDARD.encode(payload.replace("secret", "public"));
    assert_eq!(code(&changed), Err("bad_signature"));

    let mut reseeded = bundles[0].clone();
    reseeded.record.seed.clone_from(&bundles[1].record.seed);
    assert_eq!(code(&reseeded), Err("commitment_differs"));

    let mut swapped = bundles[0].clone();
    swapped.record.envelope.clone_from(&bundles[1].record.envelope);
    assert_eq!(code(&swapped), Err("entry_differs"), "genuine, and of another receipt");

    let mut moved = bundles[0].clone();
    moved.record.index -= 1;
    assert_eq!(code(&moved), Err("not_included"));

    let mut unproven = bundles[0].clone();
    unproven.proof.clone_from(&bundles[4].proof);
    assert_eq!(code(&unproven), Err("not_included"));
    Ok(())
}

#[tokio::test]
async fn a_receipt_that_is_changed_in_the_database_no_longer_verifies() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.grow(2).await?;
    let mut owner = stage.db.owner().await?;
    sqlx::query("ALTER TABLE receipts NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    let changed = sqlx::query(
        "UPDATE receipts SET payload = convert_to(replace(convert_from(payload, 'UTF8'), 'secret 0', 'public'), 'UTF8')
         WHERE convert_from(payload, 'UTF8') LIKE '%secret 0%'",
    )
    .execute(&mut owner)
    .await?;
    assert_eq!(changed.rows_affected(), 1);
    let keys = stage.keys().await?;
    let bundles = stage.bundles(stage.org).await?;
    let genuine = bundles.iter().filter(|bundle| bundle.verify(&keys).is_ok()).count();
    assert_eq!((bundles.len(), genuine), (2, 1));
    Ok(())
}

#[tokio::test]
async fn every_checkpoint_is_proven_to_continue_the_ones_before_it() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let mut signed = Vec::new();
    for times in [1, 3, 2] {
        stage.grow(times).await?;
        signed.push(stage.checkpoint().await?);
    }
    assert_eq!(signed.iter().map(|one| one.size).collect::<Vec<_>>(), [2, 5, 7]);
    let leaves = stage.leaves(7).await?;
    let mut walk = Walk::new(signed[2].clone(), signed[..2].to_vec())?;
    for leaf in &leaves {
        walk.push(*leaf)?;
    }
    walk.finish()?;
    let newest = Tree { size: 7, root: &signed[2].root };
    for older in &signed[..2] {
        let proof = stage.ledger.consistency(older.size, 7).await?.unwrap();
        let older = Tree { size: older.size, root: &older.root };
        assert!(merkle::is_consistent(older, newest, &proof));
        assert!(!merkle::is_consistent(Tree { root: &leaves[0], ..older }, newest, &proof), "another log");
    }
    for (index, leaf) in (0..).zip(&leaves) {
        let proof = stage.ledger.inclusion(index, 7).await?.unwrap();
        assert!(merkle::is_included(leaf, index, newest, &proof));
        assert!(!merkle::is_included(leaf, (index + 1) % 7, newest, &proof));
    }
    assert_eq!(stage.ledger.consistency(5, 8).await?, None, "the log is not that long");
    assert_eq!(stage.ledger.consistency(7, 5).await?, None);
    assert_eq!(stage.ledger.inclusion(7, 7).await?, None);
    Ok(())
}

#[tokio::test]
async fn an_org_sees_its_own_receipts_and_entries_alone() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let theirs = stage.another_org().await?;
    let own = stage.append(stage.org, 2).await?;
    stage.append(theirs, 3).await?;
    stage.sequence().await?;
    assert_eq!((stage.bundles(stage.org).await?.len(), stage.bundles(theirs).await?.len()), (2, 3));
    let numbers = async |org| {
        let records = stage.records(org).await?.into_iter();
        anyhow::Ok(records.map(|record| record.entry.place().unwrap().1).collect::<Vec<_>>())
    };
    assert_eq!((numbers(stage.org).await?, numbers(theirs).await?), (vec![1, 2], vec![1, 2, 3]));
    assert!(stage.ledger.find(stage.org, own[0]).await.is_ok());
    assert!(matches!(stage.ledger.find(theirs, own[0]).await, Err(Error::NotFound)));
    Ok(())
}
