//! The order of the log, its keys, and what nobody can do to it.

use std::time::Duration;

use ledger::Sequenced;
use receipt::Checkpoint;

use crate::stage::Stage;

#[tokio::test]
async fn many_who_continue_the_log_at_once_make_one_log() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    for round in 1..=5_u64 {
        stage.append(stage.org, 4).await?;
        stage.advance(Duration::from_secs(2));
        let mut signed = 0;
        // All eight may be held up, by a transaction of a test beside this one.
        for _ in 0..40 {
            let mut tries = tokio::task::JoinSet::new();
            for _ in 0..8 {
                let ledger = stage.ledger.clone();
                tries.spawn(async move { ledger.sequence().await });
            }
            while let Some(done) = tries.join_next().await {
                signed += u64::from(matches!(done??, Sequenced::Signed { .. }));
            }
            if signed > 0 {
                break;
            }
        }
        assert_eq!((signed, stage.checkpoint().await?.size), (1, round * 4 + 1));
    }
    let records = stage.records(stage.org).await?;
    let numbers: Vec<_> = records.iter().map(|record| record.entry.place().unwrap().1).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    stage.is_whole().await
}

#[tokio::test]
async fn keys_come_and_go_inside_the_log() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.grow(1).await?;
    let before = stage.keys().await?;
    let old = before.iter().next().unwrap().keyid().to_owned();
    let new = stage.ledger.rotate_key().await?;
    stage.grow(1).await?;
    // Whoever trusts the old key alone accepts the checkpoint that holds the entry of the new one.
    let signed = Checkpoint::verify(&stage.note().await?, &before)?;
    let document = stage.ledger.key_set().await?;
    let begun = document.keys.iter().find(|key| key.keyid == new).unwrap().entries();
    let leaves = stage.leaves(signed.size).await?;
    assert_eq!(leaves[usize::try_from(begun[0].0)?], begun[0].1.leaf()?);
    // An hour after its last day the old key has ended, and signs neither checkpoints nor receipts any more.
    stage.advance(Duration::from_secs(2 * 3_600));
    stage.sequence().await?;
    let (all, note) = (stage.keys().await?, stage.note().await?);
    assert!(Checkpoint::verify(&note, &before).is_err() && Checkpoint::verify(&note, &all).is_ok());
    let records = stage.records(stage.org).await?;
    let signers: Vec<_> =
        records.iter().map(|record| record.verify(&all).unwrap().verified.unwrap().keyid).collect();
    assert_eq!(signers, [old, new]);
    let mut late = records[0].clone();
    late.index = 100;
    assert_eq!(late.verify(&all).unwrap_err().code(), "key_ended_in_log");
    stage.is_whole().await
}

#[tokio::test]
async fn checkpoints_are_signed_twice_and_a_key_of_version_0_1_is_replaced() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.grow(1).await?;
    let demanding = stage.keys().await?.requiring_ml_dsa(true);
    Checkpoint::verify(&stage.note().await?, &demanding)?;
    // As version 0.1 left it: the log names the first public key alone.
    let mut owner = stage.db.owner().await?;
    sqlx::query("UPDATE ledger_keys SET ml_dsa_65 = NULL").execute(&mut owner).await?;
    let keys = stage.keys().await?;
    stage.grow(1).await?;
    let once = stage.note().await?;
    Checkpoint::verify(&once, &keys)?;
    assert!(!Checkpoint::is_post_quantum(&once, &keys));
    stage.ledger.refresh_key().await?;
    stage.ledger.refresh_key().await?;
    stage.grow(1).await?;
    let (all, note) = (stage.keys().await?, stage.note().await?);
    assert_eq!(all.iter().count(), 2, "the key was replaced, once");
    Checkpoint::verify(&note, &all.requiring_ml_dsa(true))?;
    // Whoever knows the old key alone still verifies it.
    Checkpoint::verify(&note, &keys)?;
    Ok(())
}

#[tokio::test]
async fn the_service_can_neither_shorten_the_log_nor_change_a_hash() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.grow(2).await?;
    for attack in [
        "UPDATE ledger_head SET size = size - 1",
        "UPDATE ledger_head SET position = 0",
        "UPDATE ledger_head SET origin = 'countersign/other'",
        "UPDATE ledger_tiles SET hashes = substr(hashes, 1, 32)",
        "UPDATE ledger_tiles SET hashes = overlay(hashes placing '\\x00' from 1)",
        "DELETE FROM ledger_tiles",
        "DELETE FROM ledger_checkpoints",
        "UPDATE ledger_checkpoints SET size = 0",
        "INSERT INTO ledger_entries (org_id, receipt_id, kind, number, index, logged_at)
            VALUES (current_org(), gen_random_uuid(), 'erasure', 9, 9, now())",
        "UPDATE receipts SET payload = NULL",
        "DELETE FROM receipts",
        "INSERT INTO erasures (org_id, receipt_id, erased_at) SELECT org_id, id, now() FROM receipts",
    ] {
        let mut tx = stage.database.begin(stage.org).await?;
        assert!(sqlx::query(sqlx::AssertSqlSafe(attack)).execute(&mut *tx).await.is_err(), "{attack}");
    }
    stage.is_whole().await
}
