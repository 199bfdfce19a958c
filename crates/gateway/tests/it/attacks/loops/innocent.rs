//! Automations beside a loop, and requests from outside to an automation that loops, all run. A real webhook request
//! names many objects that a run is connected with but did not create, such as the team that an issue belongs to.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    attacks::loops::outside::{hook, told, touch},
    attacks::loops::setup::{A_MINUTE, Scene, on},
    automations::definitions::{advance, make, text},
    invocations::invoke::TEAM,
};

/// An issue that somebody else created, in the same team as ours.
fn foreign(at: usize) -> Value {
    json!({ "id": format!("7d1c0000-0000-4000-8000-{at:012}"), "identifier": format!("OPS-{at:04}"),
            "title": format!("Somebody's issue {at}"), "url": format!("https://linear.app/acme/issue/OPS-{at:04}"),
            "state": { "id": "state-todo", "name": "Todo" }, "team": { "id": TEAM, "key": "ENG", "name": "Engineering" } })
}

#[tokio::test]
async fn nothing_innocent_is_refused_beside_a_loop() -> anyhow::Result<()> {
    let mut scene = Scene::new().await?;
    // This automation changes an issue and is triggered by the change, until it is stopped.
    let looping = scene.save("Loops", &hook(), &json!([touch(), make("more", "more")])).await?;
    scene.linear.put_issue("5c0de000-issue", "was there before");
    let issue = scene.linear.issue("5c0de000-issue").unwrap_or_default();
    for _ in 0..=A_MINUTE + 1 {
        let run = text(&scene.knock(&looping, &told(&issue)).await?.body["id"]).parse()?;
        advance(&scene.app, run).await?;
    }
    let stopped = scene.tally(&looping).await?;
    anyhow::ensure!(stopped.refused == 1, "the automation does not loop: {stopped:?}");

    let beside =
        scene.save("Beside", &on("tracker.changed", &json!({})), &json!([make("one", "one")])).await?;
    for batch in 0..2 {
        let event = |at: usize| {
            json!({ "specversion": "1.0", "id": at.to_string(), "source": "/tracker", "type": "tracker.changed",
                    "data": told(&foreign(at)) })
        };
        let events: Vec<Value> = (batch * 100..batch * 100 + 100).map(event).collect();
        scene.publish(&json!(events)).await?;
        // The second half of the events arrives when the first half has run and left its traces.
        scene.settle(10_000).await?;
    }
    for at in 1_000..1_100 {
        scene.linear.put_issue(&text(&foreign(at)["id"]), "somebody's");
        let run = text(&scene.knock(&looping, &told(&foreign(at))).await?.body["id"]).parse()?;
        advance(&scene.app, run).await?;
    }
    let (outside, own) = (scene.tally(&beside).await?, scene.tally(&looping).await?);
    let wrong = (200 - outside.ran) + (100 - (own.ran - stopped.ran));
    testkit::tried(13, "innocent events and requests in the minute of a loop", 300, usize::try_from(wrong)?);
    anyhow::ensure!(wrong == 0, "other automation: {outside:?}; looping one: {own:?}, before: {stopped:?}");

    // The automation was not paused: a minute later a change of the issue starts it again.
    scene.app.advance(Duration::from_secs(61));
    let again = scene.knock(&looping, &told(&issue)).await?;
    anyhow::ensure!(again.body["status"] == "pending", "{}", again.text);
    Ok(())
}

#[tokio::test]
async fn what_one_makes_may_start_another_any_number_of_times() -> anyhow::Result<()> {
    let scene = Scene::new().await?;
    let maker = scene.save("Maker", &hook(), &json!([make("one", "one")])).await?;
    let reader = scene.save("Reader", &hook(), &json!([touch()])).await?;
    for at in 0..100 {
        let made = text(&scene.knock(&maker, &told(&foreign(at))).await?.body["id"]).parse()?;
        advance(&scene.app, made).await?;
        let issue = scene.issue(made).await?;
        let read = text(&scene.knock(&reader, &told(&issue)).await?.body["id"]).parse()?;
        advance(&scene.app, read).await?;
    }
    let (made, read) = (scene.tally(&maker).await?, scene.tally(&reader).await?);
    let wrong = usize::try_from(200 - made.ran - read.ran)?;
    testkit::tried(13, "a hundred issues of one that each start another", 200, wrong);
    anyhow::ensure!(wrong == 0, "{made:?} {read:?}");
    Ok(())
}
