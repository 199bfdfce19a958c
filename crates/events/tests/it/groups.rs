//! Groups: read, acknowledge, reject, claim, dead letters, replay.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use events::{Delivery, Error, GroupSettings, Nack, Replay, Takeover};
use model::{EventId, InOrg};
use serde_json::json;

use crate::stage::{Process, another_org, stage};

const NOW: Duration = Duration::ZERO;
const SOON: Duration = Duration::from_secs(20);

fn settings(max_attempts: u8) -> GroupSettings {
    GroupSettings { filter: None, ack_timeout: Duration::from_secs(30), max_attempts }
}

fn names(deliveries: &[Delivery]) -> Vec<(&str, u8)> {
    deliveries.iter().map(|delivery| (delivery.event.subject.as_str(), delivery.attempt)).collect()
}

fn ids(deliveries: &[Delivery]) -> Vec<EventId> {
    deliveries.iter().map(|delivery| delivery.event.id).collect()
}

fn takeover<'a>(consumer: &'a str, from: Option<&'a str>, idle: Duration) -> Takeover<'a> {
    Takeover { consumer, from, idle, most: 10 }
}

/// Reads until this many events were delivered.
async fn read(
    process: &Process,
    at: InOrg<&str>,
    consumer: &str,
    count: usize,
) -> anyhow::Result<Vec<Delivery>> {
    let mut found = Vec::new();
    while found.len() < count {
        let more = process.groups.read(at, consumer, count - found.len(), SOON).await?;
        anyhow::ensure!(!more.is_empty(), "only {} of {count} were delivered", found.len());
        found.extend(more);
    }
    Ok(found)
}

#[tokio::test]
async fn each_group_is_handed_every_event_and_each_event_to_one_consumer() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let org = app.org;
    for group in ["one", "two"] {
        process.groups.put(org, group, settings(3), Replay::End).await?;
    }
    process.tell(&app.app.world, org, &["a", "b", "c"]).await?;
    assert_eq!(
        names(&read(&process, InOrg { org, id: "one" }, "x", 3).await?),
        [("a", 1), ("b", 1), ("c", 1)]
    );
    let x = read(&process, InOrg { org, id: "two" }, "x", 2).await?;
    let y = read(&process, InOrg { org, id: "two" }, "y", 1).await?;
    assert_eq!((names(&x), names(&y)), (vec![("a", 1), ("b", 1)], vec![("c", 1)]));
    assert_eq!(process.groups.ack(org, "two", &ids(&x)).await?, 2);
    assert_eq!(process.groups.ack(org, "two", &ids(&x)).await?, 0, "a second acknowledgement does not count");
    let two = process.groups.find(org, "two").await?;
    assert_eq!(process.groups.backlog(org, &two).await?.in_flight, 1);
    Ok(())
}

#[tokio::test]
async fn what_is_not_acknowledged_comes_again_and_in_the_end_is_a_dead_letter() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let at = InOrg { org: app.org, id: "work" };
    process.groups.put(app.org, "work", settings(2), Replay::End).await?;
    process.tell(&app.app.world, app.org, &["a", "b"]).await?;
    let first = read(&process, at, "x", 2).await?;
    assert!(process.groups.read(at, "y", 10, NOW).await?.is_empty(), "both are delivered already");
    process.groups.ack(app.org, "work", &ids(&first)[1..]).await?;
    app.advance(Duration::from_secs(31));
    assert_eq!(names(&process.groups.read(at, "y", 10, NOW).await?), [("a", 2)]);
    let nack = Nack { events: ids(&first)[..1].to_vec(), delay: NOW, error: Some("no such file".to_owned()) };
    assert_eq!(process.groups.nack(app.org, "work", nack).await?, 1);
    assert!(process.groups.read(at, "y", 10, NOW).await?.is_empty());
    let dead = process.groups.dead_letters(app.org, "work", 10).await?;
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].attempts, dead[0].error.as_deref()), (2, Some("no such file")));
    assert_eq!(dead[0].event.as_ref().map(|event| event.subject.as_str()), Some("a"));
    assert_eq!(process.groups.revive(app.org, "work", &[]).await?, 1);
    assert_eq!(names(&process.groups.read(at, "z", 10, NOW).await?), [("a", 1)]);
    Ok(())
}

#[tokio::test]
async fn what_is_handed_back_waits_for_its_delay() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let at = InOrg { org: app.org, id: "work" };
    process.groups.put(app.org, "work", settings(5), Replay::End).await?;
    process.tell(&app.app.world, app.org, &["a"]).await?;
    let first = read(&process, at, "x", 1).await?;
    let nack = Nack { events: ids(&first), delay: Duration::from_secs(600), error: None };
    process.groups.nack(app.org, "work", nack).await?;
    app.advance(Duration::from_secs(599));
    assert!(process.groups.read(at, "x", 10, NOW).await?.is_empty());
    assert!(
        process.groups.claim(at, takeover("y", None, NOW)).await?.is_empty(),
        "no consumer has the event, so it cannot be claimed"
    );
    app.advance(Duration::from_secs(1));
    assert_eq!(names(&process.groups.read(at, "x", 10, NOW).await?), [("a", 2)]);
    Ok(())
}

#[tokio::test]
async fn what_a_dead_consumer_held_can_be_claimed_before_its_time_is_over() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let at = InOrg { org: app.org, id: "work" };
    process.groups.put(app.org, "work", settings(5), Replay::End).await?;
    process.tell(&app.app.world, app.org, &["a", "b"]).await?;
    read(&process, at, "dead", 1).await?;
    read(&process, at, "alive", 1).await?;
    app.advance(Duration::from_secs(10));
    let idle = Duration::from_secs(10);
    assert!(process.groups.claim(at, takeover("me", Some("nobody"), idle)).await?.is_empty());
    assert!(
        process.groups.claim(at, takeover("me", Some("dead"), idle * 2)).await?.is_empty(),
        "the consumer has not had it for so long"
    );
    assert_eq!(names(&process.groups.claim(at, takeover("me", Some("dead"), idle)).await?), [("a", 2)]);
    assert!(process.groups.claim(at, takeover("me", Some("dead"), NOW)).await?.is_empty(), "`me` has it now");
    Ok(())
}

#[tokio::test]
async fn a_group_is_replayed_from_an_event_and_from_a_moment() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let at = InOrg { org: app.org, id: "work" };
    process.groups.put(app.org, "work", settings(5), Replay::End).await?;
    process.tell(&app.app.world, app.org, &["a"]).await?;
    app.advance(Duration::from_secs(60));
    let between = app.app.world.clock.now();
    app.advance(Duration::from_secs(60));
    process.tell(&app.app.world, app.org, &["b", "c"]).await?;
    let all = read(&process, at, "x", 3).await?;
    process.groups.ack(app.org, "work", &ids(&all)[..2]).await?;
    process.groups.replay(app.org, "work", Replay::From(all[1].event.id)).await?;
    assert_eq!(names(&read(&process, at, "x", 2).await?), [("b", 1), ("c", 1)]);
    process.groups.replay(app.org, "work", Replay::At(between)).await?;
    assert_eq!(names(&read(&process, at, "x", 2).await?), [("b", 1), ("c", 1)]);
    process.groups.replay(app.org, "work", Replay::End).await?;
    assert!(process.groups.read(at, "x", 10, NOW).await?.is_empty());
    let other = another_org(&app).await?;
    process.groups.put(other, "work", settings(5), Replay::End).await?;
    let foreign = process.groups.replay(other, "work", Replay::From(all[0].event.id)).await;
    assert!(matches!(foreign, Err(Error::NotFound("event"))), "event of another organization: {foreign:?}");
    Ok(())
}

#[tokio::test]
async fn a_group_with_a_filter_passes_by_what_is_not_meant() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    let filter = json!({ "data.name": { "equals": "wanted" } });
    let settings = GroupSettings { filter: Some(filter), ..settings(3) };
    process.groups.put(app.org, "work", settings, Replay::End).await?;
    let many: Vec<&str> = std::iter::repeat_n("other", 1_200).chain(["wanted"]).collect();
    process.tell(&app.app.world, app.org, &many).await?;
    assert_eq!(names(&read(&process, InOrg { org: app.org, id: "work" }, "x", 1).await?), [("wanted", 1)]);
    Ok(())
}

#[tokio::test]
async fn many_consumers_of_a_group_are_handed_each_event_once() -> anyhow::Result<()> {
    let (app, process) = stage().await?;
    process.groups.put(app.org, "work", settings(3), Replay::End).await?;
    let told: Vec<String> = (0..120).map(|number| format!("{number:03}")).collect();
    process.tell(&app.app.world, app.org, &told.iter().map(String::as_str).collect::<Vec<_>>()).await?;
    let mut reading = tokio::task::JoinSet::new();
    let left = Arc::new(AtomicUsize::new(told.len()));
    let patient_until = std::time::Instant::now() + Duration::from_secs(20);
    for consumer in 0..4 {
        let (groups, org, left) = (process.groups.clone(), app.org, left.clone());
        reading.spawn(async move {
            let (mut seen, consumer) = (Vec::new(), format!("c{consumer}"));
            loop {
                // An empty response ends the loop only when all events were delivered: a busy machine may be slow to
                // relay the first.
                let is_over = left.load(Ordering::Relaxed) == 0 || std::time::Instant::now() > patient_until;
                match groups.read(InOrg { org, id: "work" }, &consumer, 7, Duration::from_millis(300)).await {
                    Ok(found) if found.is_empty() && is_over => return Ok(seen),
                    Ok(found) => {
                        let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                            Some(left.saturating_sub(found.len()))
                        });
                        seen.extend(found.into_iter().map(|delivery| delivery.event.subject));
                    }
                    Err(Error::Contended) => {}
                    Err(error) => return Err(error),
                }
            }
        });
    }
    let mut seen = Vec::new();
    while let Some(read) = reading.join_next().await {
        seen.extend(read??);
    }
    seen.sort();
    assert_eq!(seen, told);
    Ok(())
}
