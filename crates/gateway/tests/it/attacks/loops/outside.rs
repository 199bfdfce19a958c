//! Attack 13, loops through an outside system, which does not say what caused its messages: an application that
//! publishes an event in response, and an issue that comes back as a webhook request because a run created or changed
//! it. Each loop is followed for fifty rounds; at most twenty runs a minute that an automation led to itself are
//! allowed. In the control no traces are stored, and all fifty rounds run.

use axum::http::StatusCode;
use model::RunId;
use serde_json::{Value, json};

use crate::{
    attacks::loops::setup::{A_MINUTE, ENOUGH, Saved, Scene, on},
    automations::definitions::{advance, make, text},
    invocations::invoke::TEAM,
};

/// How the effect of a run comes back.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// As an event that names the event that caused it.
    CausedBy,
    /// As an event that names the created object, and claims that an old and harmless event caused it.
    CausedByAnother,
    /// As an event that names the created object.
    Named,
    /// The same, with the object as the event's subject.
    NamedAsSubject,
    /// As a webhook request that contains the created object.
    Hook,
    /// The same, after more names than the product checks.
    HookDeepInside,
    /// The same, next to an object that another automation created just now.
    HookBesideAnother,
    /// As a webhook request that contains an object that the run only changed.
    Touched,
}

const WAYS: [Way; 8] = [
    Way::CausedBy,
    Way::CausedByAnother,
    Way::Named,
    Way::NamedAsSubject,
    Way::Hook,
    Way::HookDeepInside,
    Way::HookBesideAnother,
    Way::Touched,
];

/// A webhook trigger.
pub(crate) fn hook() -> Value {
    json!({ "type": "webhook", "config": { "input_mapping": { "issue": "$.data.id" } } })
}

/// A step that changes the issue that a request names.
pub(crate) fn touch() -> Value {
    json!({ "step_id": "touch", "action": "linear.update_issue",
            "config": { "issue": "{{ inputs.issue }}", "title": "touched by {{ run.id }}" } })
}

/// The request that Linear sends when somebody changes an issue.
pub(crate) fn told(issue: &Value) -> Value {
    json!({ "action": "update", "type": "Issue", "actor": { "id": "usr-5f1c9a", "name": "Somebody" },
            "data": issue, "url": issue["url"], "webhookTimestamp": 1_760_000_000 })
}

impl Way {
    async fn save(self, scene: &Scene) -> anyhow::Result<Saved> {
        let published = on("tracker.changed", &json!({}));
        let makes = json!([make("issue", "again")]);
        match self {
            Self::CausedBy | Self::CausedByAnother | Self::Named | Self::NamedAsSubject => {
                scene.save("Loop", &published, &makes).await
            }
            Self::Touched => scene.save("Loop", &hook(), &json!([touch()])).await,
            _ => scene.save("Loop", &hook(), &makes).await,
        }
    }

    /// The request that a run's issue causes.
    async fn payload(self, scene: &Scene, other: &Saved, issue: Value) -> anyhow::Result<Value> {
        let mut payload = told(&issue);
        match self {
            Self::HookDeepInside => {
                let word = |at: usize| format!("some-word-{at}");
                payload["about"] = (0..2_000).map(word).collect();
            }
            Self::HookBesideAnother => {
                // A newer trace must not hide the one that matters.
                scene.app.advance(std::time::Duration::from_secs(1));
                let run = scene.start(other).await?;
                advance(&scene.app, run).await?;
                payload["another"] = scene.issue(run).await?;
            }
            _ => {}
        }
        Ok(payload)
    }

    /// Sends the effect of a run back. An event with a true `causedby` may be refused as a loop.
    async fn back(self, scene: &mut Scene, (own, other): (&Saved, &Saved), run: RunId) -> anyhow::Result<()> {
        let issue = scene.issue(run).await?;
        let id = issue["id"].clone();
        let mut event =
            json!({ "specversion": "1.0", "id": run, "source": "/tracker", "type": "tracker.changed" });
        match self {
            Self::CausedBy => event["causedby"] = json!(scene.told(run).await?),
            Self::CausedByAnother => {
                let old = json!({ "specversion": "1.0", "id": "1", "source": "/old", "type": "old.thing" });
                event["causedby"] = scene.publish(&old).await?.body["items"][0]["eventid"].clone();
                event["data"] = json!({ "id": id });
            }
            Self::Named => event["data"] = json!({ "list": [{ "id": id }] }),
            Self::NamedAsSubject => event["subject"] = id,
            _ => {
                let payload = self.payload(scene, other, issue).await?;
                return scene.knock(own, &payload).await.map(drop);
            }
        }
        let published = scene.publish(&event).await?;
        let refused = published.status == StatusCode::UNPROCESSABLE_ENTITY && self == Self::CausedBy;
        anyhow::ensure!(published.status.is_success() || refused, "publishing: {}", published.text);
        scene.see_to_news().await.map(drop)
    }

    /// Follows the loop until it ends, or for fifty rounds.
    async fn follow(self, mut scene: Scene) -> anyhow::Result<crate::attacks::loops::setup::Tally> {
        let (own, other) =
            (self.save(&scene).await?, scene.save("Other", &hook(), &json!([make("x", "x")])).await?);
        scene.linear.put_issue("0b5a0f3e-issue", "was there before");
        if self == Self::Touched {
            let issue = scene.linear.issue("0b5a0f3e-issue").unwrap_or_default();
            scene.knock(&own, &told(&issue)).await?;
        } else {
            scene.start(&own).await?;
        }
        for _ in 0..ENOUGH {
            let Some(run) = scene.newest(&own).await? else { break };
            advance(&scene.app, run).await?;
            self.back(&mut scene, (&own, &other), run).await?;
        }
        if let Some(run) = scene.newest(&own).await? {
            advance(&scene.app, run).await?;
        }
        scene.app.check_invariants().await?;
        scene.tally(&own).await
    }
}

#[tokio::test]
async fn what_comes_back_from_outside_is_an_echo() -> anyhow::Result<()> {
    let (mut fires, mut wrong) = (0, Vec::new());
    for way in WAYS {
        let tally = way.follow(Scene::new().await?).await?;
        fires += usize::try_from(tally.ran + tally.refused)?;
        // The first run was not caused by the automation itself.
        if tally.ran > A_MINUTE + 1 {
            wrong.push((way, tally));
        }
        // An event that names its cause may be refused before it becomes a fire.
        anyhow::ensure!(
            tally.refused == 1 || way == Way::CausedBy || !wrong.is_empty(),
            "{way:?}: {tally:?}"
        );
    }
    testkit::tried(13, "what comes back from outside, in eight ways", fires, wrong.len());
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn control_with_nothing_remembered_it_comes_back_for_ever() -> anyhow::Result<()> {
    let mut gone_on = 0;
    for way in WAYS {
        let tally = way.follow(Scene::without_guard().await?).await?;
        anyhow::ensure!(tally.ran > ENOUGH && tally.refused == 0, "{way:?}: {tally:?}");
        gone_on += usize::try_from(tally.ran)?;
    }
    testkit::tried(13, "control: runs that came back with nothing remembered", gone_on, 0);
    Ok(())
}

/// Two automations that change the same issue whenever it is changed.
async fn two_that_touch(scene: &Scene) -> anyhow::Result<Vec<Saved>> {
    let plan = json!([touch()]);
    let pair = vec![scene.save("Ping", &hook(), &plan).await?, scene.save("Pong", &hook(), &plan).await?];
    scene.linear.put_issue(TEAM, "was there before");
    let mut issue = scene.linear.issue(TEAM).unwrap_or_default();
    for round in 0..2 * ENOUGH {
        let one = &pair[usize::try_from(round % 2)?];
        let taken = scene.knock(one, &told(&issue)).await?;
        if taken.body["status"] == "cancelled" {
            break;
        }
        let run: RunId = text(&taken.body["id"]).parse()?;
        advance(&scene.app, run).await?;
        issue = scene.issue(run).await?;
    }
    Ok(pair)
}

#[tokio::test]
async fn two_that_touch_the_same_are_stopped() -> anyhow::Result<()> {
    let scene = Scene::new().await?;
    let (mut fires, mut wrong) = (0, 0);
    for one in two_that_touch(&scene).await? {
        let tally = scene.tally(&one).await?;
        fires += usize::try_from(tally.ran + tally.refused)?;
        wrong += usize::try_from((tally.ran - A_MINUTE - 1).max(0))?;
    }
    testkit::tried(13, "two that touch the same outside, in turn", fires, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} beyond the limit");
    let scene = Scene::without_guard().await?;
    let mut ran = 0;
    for one in two_that_touch(&scene).await? {
        ran += scene.tally(&one).await?.ran;
    }
    testkit::tried(13, "control: the same with nothing remembered", usize::try_from(ran)?, 0);
    anyhow::ensure!(ran == 2 * ENOUGH, "the loop ended after {ran} runs");
    Ok(())
}
