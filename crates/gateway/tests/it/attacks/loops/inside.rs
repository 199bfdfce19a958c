//! Attack 13, loops among automations: one that starts itself, rings of several, and runs that each publish ten events.
//! A chain ends within eight hops, and an automation leads to itself at most twenty times a minute. A refused fire is
//! stored as a row and publishes no event. In the control, events carry no origin, and the same loops go on.

use serde_json::{Value, json};

use crate::attacks::loops::setup::{A_MINUTE, ENOUGH, HOPS, Saved, Scene, on, tell};

/// Counts the fires of an automation, and its runs beyond the limits: deeper than the number of hops, or more of its
/// own than allowed in a minute.
async fn beyond(scene: &Scene, automation: &Saved) -> anyhow::Result<(usize, usize)> {
    let tally = scene.tally(automation).await?;
    let too_deep = tally.ran * i64::from(tally.deepest > HOPS);
    let too_many = (tally.own - A_MINUTE).max(0);
    Ok((usize::try_from(tally.ran + tally.refused)?, usize::try_from(too_deep + too_many)?))
}

#[tokio::test]
async fn an_automation_that_starts_itself_comes_to_an_end() -> anyhow::Result<()> {
    let own = json!({ "data.name": { "equals": "Own" } });
    let of_its_step = json!({ "data.action": { "equals": "data.notify" } });
    let (mut fires, mut wrong) = (0, 0);
    for (event_type, filter) in [
        ("automation.run.succeeded", &own),
        ("automation.run.started", &own),
        ("action.executed", &of_its_step),
        ("data.notification", &json!({})),
    ] {
        let mut scene = Scene::new().await?;
        let own = scene.save("Own", &on(event_type, filter), &json!([tell(1, "again")])).await?;
        scene.start(&own).await?;
        scene.settle(ENOUGH).await?;
        let tally = scene.tally(&own).await?;
        anyhow::ensure!(tally.own >= 1 && tally.refused >= 1, "{event_type}: {tally:?}");
        let (tried, bad) = beyond(&scene, &own).await?;
        (fires, wrong) = (fires + tried, wrong + bad);
        // A run that a person starts is not part of a loop, whatever happened before.
        scene.start(&own).await?;
        scene.settle(ENOUGH).await?;
        anyhow::ensure!(scene.tally(&own).await?.ran > tally.ran, "{event_type}: a person's run is refused");
        scene.app.check_invariants().await?;
    }
    testkit::tried(13, "an automation that starts itself, in four ways", fires, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} of {fires} beyond the limit");
    Ok(())
}

/// Automations in a ring: each publishes `times` events, and each of these starts the next automation.
async fn ring(scene: &Scene, length: usize, times: usize) -> anyhow::Result<Vec<Saved>> {
    let mut all = Vec::new();
    for at in 0..length {
        let hears = json!({ "data.title": { "equals": format!("ring {at}") } });
        let next = format!("ring {}", (at + 1) % length);
        let plan: Vec<Value> = (0..times).map(|step| tell(step, &next)).collect();
        let name = format!("Ring {at}");
        all.push(scene.save(&name, &on("data.notification", &hears), &json!(plan)).await?);
    }
    Ok(all)
}

#[tokio::test]
async fn rings_come_to_an_end_within_eight_hops() -> anyhow::Result<()> {
    let (mut fires, mut wrong) = (0, 0);
    for length in [2, 3, 5, 9, 12] {
        let mut scene = Scene::new().await?;
        let all = ring(&scene, length, 1).await?;
        scene.start(&all[0]).await?;
        scene.settle(ENOUGH).await?;
        let (mut ran, mut refused) = (0, 0);
        for one in &all {
            let (tried, bad) = beyond(&scene, one).await?;
            (fires, wrong) = (fires + tried, wrong + bad);
            let tally = scene.tally(one).await?;
            (ran, refused) = (ran + tally.ran, refused + tally.refused);
        }
        anyhow::ensure!(refused == 1 && ran > 2, "{length}: {ran} ran, {refused} refused");
        // The first run is not a hop.
        wrong += usize::from(ran > HOPS + 1);
        scene.app.check_invariants().await?;
    }
    testkit::tried(13, "rings of 2 to 12 automations", fires, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} of {fires} beyond the limit");
    Ok(())
}

#[tokio::test]
async fn a_fan_of_ten_comes_to_an_end() -> anyhow::Result<()> {
    let (mut fires, mut wrong) = (0, 0);
    for length in [1, 2] {
        let mut scene = Scene::new().await?;
        let all = ring(&scene, length, 10).await?;
        scene.start(&all[0]).await?;
        scene.settle(1_000).await?;
        for one in &all {
            let (tried, bad) = beyond(&scene, one).await?;
            (fires, wrong) = (fires + tried, wrong + bad);
        }
        let tally = scene.tally(&all[0]).await?;
        anyhow::ensure!(tally.refused >= 50, "each run publishes ten events: {tally:?}");
        scene.app.check_invariants().await?;
    }
    testkit::tried(13, "runs that each tell ten times", fires, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} of {fires} beyond the limit");
    Ok(())
}

#[tokio::test]
async fn control_without_their_origin_the_same_loops_go_on() -> anyhow::Result<()> {
    let mut gone_on = 0;
    for (length, times) in [(1, 1), (2, 1), (12, 1), (1, 10), (2, 10)] {
        let mut scene = Scene::without_guard().await?;
        let all = ring(&scene, length, times).await?;
        scene.start(&all[0]).await?;
        let ran = scene.settle(ENOUGH).await?;
        anyhow::ensure!(ran >= ENOUGH, "a ring of {length} with {times} events each ended after {ran} runs");
        gone_on += usize::try_from(ran)?;
    }
    testkit::tried(13, "control: runs of the same loops without their origin", gone_on, 0);
    Ok(())
}
