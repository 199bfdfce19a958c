//! The order of the log, and what happens to it when Redis, a relay or a transaction misbehaves.

use std::time::{Duration, Instant};

use platform::World;

use crate::stage::{Process, another_org, event, names, stage, stream_key};

#[tokio::test]
async fn what_is_committed_late_is_neither_skipped_nor_overtaken() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    process.tell(world, org, &["first"]).await?;
    assert_eq!(names(&process.read(org, 1).await?), ["first"]);
    // This transaction takes its position and stays open while others commit.
    let mut slow = process.db.begin(org).await?;
    process.log.stage(&mut slow, org, [event(world, "slow")].iter()).await?;
    process.tell(world, org, &["after slow"]).await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(
        names(&process.log.after(org, 0, 10).await?),
        ["first"],
        "no event is read before an earlier one is committed"
    );
    platform::db::commit(slow).await?;
    assert_eq!(names(&process.read(org, 3).await?), ["first", "slow", "after slow"]);
    Ok(())
}

#[tokio::test]
async fn without_waiting_for_open_transactions_an_event_would_be_skipped() -> anyhow::Result<()> {
    // Control: a reader that trusts the greatest position it sees.
    let (app, process) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    let mut slow = process.db.begin(org).await?;
    process.log.stage(&mut slow, org, [event(world, "slow")].iter()).await?;
    process.tell(world, org, &["quick"]).await?;
    let mut tx = process.db.begin(org).await?;
    let naive = "SELECT subject, position FROM events WHERE position > $1 ORDER BY position";
    let seen: Vec<(String, i64)> = sqlx::query_as(naive).bind(0_i64).fetch_all(&mut *tx).await?;
    assert_eq!(seen.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["quick"]);
    platform::db::commit(slow).await?;
    let later: Vec<(String, i64)> = sqlx::query_as(naive).bind(seen[0].1).fetch_all(&mut *tx).await?;
    assert!(later.is_empty(), "the slow event is before the position, so it is never seen: {later:?}");
    Ok(())
}

#[tokio::test]
async fn what_is_rolled_back_is_not_told_and_holds_nothing_up() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    let mut gone = process.db.begin(org).await?;
    process.log.stage(&mut gone, org, [event(world, "gone")].iter()).await?;
    process.tell(world, org, &["kept"]).await?;
    drop(gone);
    assert_eq!(names(&process.read(org, 1).await?), ["kept"]);
    Ok(())
}

#[tokio::test]
async fn a_wiped_redis_loses_nothing_and_is_used_again() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    let mut redis = testkit::connect_redis(&app.db.servers.redis_url).await?;
    let mut expected: Vec<String> = Vec::new();
    for round in 0..5 {
        for one in 0..4 {
            let name = format!("{round}.{one}");
            process.tell(world, org, &[&name]).await?;
            expected.push(name);
        }
        let read = process.read(org, expected.len()).await?;
        assert_eq!(names(&read), expected);
        let length: i64 = redis::cmd("XLEN").arg(stream_key(org)).query_async(&mut redis).await?;
        assert!(length >= 1, "the stream is not used");
        // Only this organization's stream, because other tests share the server.
        let (): () = redis::cmd("DEL").arg(stream_key(org)).query_async(&mut redis).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_stream_that_lost_its_newest_entries_is_not_believed() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    process.tell(world, org, &["a", "b", "c"]).await?;
    let read = process.read(org, 3).await?;
    let mut redis = testkit::connect_redis(&app.db.servers.redis_url).await?;
    // This is the state after a restart of a Redis that did not write its last second to disk.
    for lost in &read[1..] {
        let (): () = redis::cmd("XDEL")
            .arg(stream_key(org))
            .arg(format!("{}-0", lost.position))
            .query_async(&mut redis)
            .await?;
    }
    assert_eq!(names(&process.log.after(org, read[0].position, 10).await?), ["b", "c"]);
    // A gap in the middle never occurs, because the stream is started again.
    process.tell(world, org, &["d"]).await?;
    assert_eq!(names(&process.read(org, 4).await?), ["a", "b", "c", "d"]);
    assert_eq!(names(&process.log.after(org, read[0].position, 10).await?), ["b", "c", "d"]);
    Ok(())
}

#[tokio::test]
async fn another_process_relays_when_one_is_gone() -> anyhow::Result<()> {
    let (app, first) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    let second = Process::start(&app.db, &app.db.servers.redis_url, &World::system())?.relaying();
    first.tell(world, org, &["a"]).await?;
    first.read(org, 1).await?;
    // Gives the lease to a holder that does not exist, as after a process was killed.
    let dead = "UPDATE event_followers SET holder = gen_random_uuid(),
                    lease_until = clock_timestamp() + interval '2500 milliseconds' WHERE name = 'relay'";
    sqlx::query(dead).execute(&mut app.db.service().await?).await?;
    let since = Instant::now();
    second.tell(world, org, &["b"]).await?;
    assert_eq!(names(&second.read(org, 2).await?), ["a", "b"]);
    assert!(since.elapsed() < Duration::from_secs(25), "took over after {:?}", since.elapsed());
    Ok(())
}

#[tokio::test]
async fn without_redis_everything_is_read_from_the_database() -> anyhow::Result<()> {
    let (app, _) = stage().await?;
    let (world, org) = (&app.app.world, app.org);
    let process = Process::start(&app.db, "redis://127.0.0.1:1/", world)?.relaying();
    process.tell(world, org, &["a", "b"]).await?;
    assert_eq!(names(&process.read(org, 2).await?), ["a", "b"]);
    Ok(())
}

#[tokio::test]
async fn one_org_never_reads_anothers_log() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let other = another_org(&app).await?;
    process.tell(&app.app.world, app.org, &["mine"]).await?;
    process.tell(&app.app.world, other, &["theirs"]).await?;
    assert_eq!(names(&process.read(other, 1).await?), ["theirs"]);
    let mine = process.read(app.org, 1).await?;
    assert_eq!(names(&mine), ["mine"]);
    assert!(process.log.find(other, &[mine[0].event.id]).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_follower_sees_every_event_once_and_goes_on_where_the_last_one_stopped() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let world = &app.app.world;
    let other = another_org(&app).await?;
    let mut owner = app.db.owner().await?;
    sqlx::query("INSERT INTO event_followers (name) VALUES ('test')").execute(&mut owner).await?;
    for round in ["a", "b"] {
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let follower = Process::start(&app.db, &app.db.servers.redis_url, world)?;
        let log = follower.log.clone();
        let following = tokio::spawn(async move {
            log.follow("test", |stretch| {
                let tell = tell.clone();
                async move {
                    for event in stretch.events {
                        let _ = tell.send((stretch.org, event));
                    }
                    Ok(())
                }
            })
            .await;
        });
        process.tell(world, app.org, &[round, round]).await?;
        process.tell(world, other, &[round]).await?;
        let mut seen = Vec::new();
        for _ in 0..3 {
            seen.push(tokio::time::timeout(Duration::from_secs(60), told.recv()).await?);
        }
        assert_eq!(seen.iter().flatten().filter(|(org, _)| *org == other).count(), 1);
        follower.shutdown.begin();
        following.await?;
        assert!(told.try_recv().is_err(), "an event was seen twice");
    }
    Ok(())
}
