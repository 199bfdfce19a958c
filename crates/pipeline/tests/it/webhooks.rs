//! Webhooks from the event to the receiver, without the engine: the tests make the attempts themselves.

use std::time::{Duration, Instant};

use events::{
    Publishing, Stretch,
    webhooks::{Delivery, DeliveryStatus, Webhook, WebhookChange, WebhookSettings},
};
use model::{Actor, EventId};
use pipeline::Pipeline;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeReceiver, Reception},
};

const HOUR: Duration = Duration::from_secs(3_600);

struct Scene {
    app: TestApp,
    receiver: FakeReceiver,
    webhook: Webhook,
}

fn settings(url: &str, types: &[&str], filter: Option<Value>) -> WebhookSettings {
    let types = types.iter().map(|name| (*name).to_owned()).collect();
    WebhookSettings { url: url.to_owned(), types, filter }
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let app = TestApp::start().await?;
        let receiver = FakeReceiver::start(app.app.world.clock.clone()).await?;
        let owner = Actor { org: app.org, user: app.owner };
        let (webhook, secret) =
            app.app.pipeline.webhooks().add(owner, settings(&receiver.url(), &[], None)).await?;
        receiver.trust(&[secret.expose_secret()]);
        Ok(Self { app, receiver, webhook })
    }

    fn pipeline(&self) -> &Pipeline {
        &self.app.app.pipeline
    }

    async fn publish(&self, id: &str, event_type: &str, data: Value) -> anyhow::Result<EventId> {
        let event = Publishing {
            id: id.to_owned(),
            source: "/drive".to_owned(),
            event_type: event_type.to_owned(),
            subject: String::new(),
            at: None,
            data,
            caused_by: None,
        };
        let by = model::Actor { org: self.app.org, user: self.app.owner };
        Ok(self.app.app.events.publish(by, vec![event]).await?[0].event)
    }

    /// Publishes an event and makes its deliveries, as the follower would.
    async fn told(&self, id: &str) -> anyhow::Result<Delivery> {
        let event = self.publish(id, "drive.file_added", json!({ "name": id })).await?;
        let stretch = Stretch { org: self.app.org, events: vec![event] };
        let made = self.pipeline().webhooks().records().create(&stretch).await?;
        assert!(
            self.pipeline().webhooks().records().create(&stretch).await?.is_empty(),
            "making them twice is once"
        );
        Ok(self.pipeline().webhooks().records().delivery(self.app.org, made[0]).await?)
    }

    async fn attempt(&self, delivery: &Delivery) -> anyhow::Result<Option<Duration>> {
        Ok(self.pipeline().webhooks().deliver(self.app.org, delivery.id, delivery.round).await?)
    }

    async fn now(&self, delivery: &Delivery) -> anyhow::Result<Delivery> {
        Ok(self.pipeline().webhooks().records().delivery(self.app.org, delivery.id).await?)
    }

    async fn webhook_now(&self) -> anyhow::Result<Webhook> {
        Ok(self.pipeline().webhooks().records().find(self.app.org, self.webhook.id).await?)
    }

    async fn events(&self, event_type: &str) -> anyhow::Result<Vec<String>> {
        let mut tx = self.app.app.db.begin(self.app.org).await?;
        let found = sqlx::query_scalar("SELECT data::text FROM events WHERE type = $1");
        Ok(found.bind(event_type).fetch_all(&mut *tx).await?)
    }
}

#[tokio::test]
async fn an_event_arrives_once_signed_as_the_standard_says() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let delivery = scene.told("one").await?;
    assert_eq!(scene.attempt(&delivery).await?, None);
    assert_eq!(scene.attempt(&delivery).await?, None, "what is over stays over");
    let taken = scene.receiver.taken();
    assert_eq!((taken.len(), scene.receiver.came(), scene.receiver.refused().len()), (1, 1, 0));
    assert_eq!(taken[0].id, delivery.event.to_string());
    assert_eq!(taken[0].event()["type"], "drive.file_added");
    assert_eq!(taken[0].event()["data"]["name"], "one");
    let now = scene.now(&delivery).await?;
    assert_eq!((now.status, now.attempts, now.last_status), (DeliveryStatus::Delivered, 1, Some(204)));
    Ok(())
}

#[tokio::test]
async fn the_follower_makes_deliveries_of_what_a_webhook_means() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let filter = json!({ "data.name": { "equals": "wanted" } });
    let change = WebhookChange {
        types: Some(vec!["drive.file_added".to_owned()]),
        filter: Some(Some(filter)),
        ..WebhookChange::default()
    };
    scene.pipeline().webhooks().change(scene.app.org, scene.webhook.id, change).await?;
    scene.app.relay();
    let webhooks = scene.pipeline().webhooks();
    scene.app.app.shutdown.spawn(async move { webhooks.follow().await });
    scene.publish("1", "drive.file_removed", json!({ "name": "wanted" })).await?;
    scene.publish("2", "drive.file_added", json!({ "name": "unwanted" })).await?;
    let wanted = scene.publish("3", "drive.file_added", json!({ "name": "wanted" })).await?;
    let made = async || {
        let webhooks = scene.pipeline().webhooks();
        Ok::<_, anyhow::Error>(
            webhooks.records().deliveries(scene.app.org, scene.webhook.id, None, 10).await?,
        )
    };
    for _ in 0..1_200 {
        if !made().await?.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let events: Vec<EventId> = made().await?.iter().map(|delivery| delivery.event).collect();
    assert_eq!(events, [wanted]);
    Ok(())
}

#[tokio::test]
async fn what_fails_is_tried_again_by_the_table_and_then_no_more() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    scene.receiver.receive([Reception::Status(503)]);
    let delivery = scene.told("one").await?;
    let mut waits = Vec::new();
    while let Some(wait) = scene.attempt(&delivery).await? {
        let early = scene.attempt(&delivery).await?;
        assert!(early.is_some_and(|early| early <= wait), "nobody tries before it is due");
        waits.push(wait);
        scene.app.advance(wait);
    }
    assert_eq!((waits.len(), scene.receiver.came()), (9, 10));
    assert!(waits[0] <= Duration::from_secs(6) && waits[8] >= HOUR * 19, "{waits:?}");
    let now = scene.now(&delivery).await?;
    assert_eq!((now.status, now.attempts, now.last_status), (DeliveryStatus::Failed, 10, Some(503)));
    assert_eq!(now.last_error.as_deref(), Some("the receiver answered 503"));
    let webhook = scene.webhook_now().await?;
    assert!(webhook.enabled && webhook.failing_since.is_some(), "three days are not five");
    // A person has it sent again; it is another round, and the old one is nobody's business any more.
    scene.receiver.receive([Reception::Take]);
    let again = scene.pipeline().webhooks().resend(scene.app.org, scene.webhook.id, delivery.id).await?;
    assert_eq!((again.round, again.attempts, again.status), (2, 0, DeliveryStatus::Pending));
    assert_eq!(scene.attempt(&delivery).await?, None);
    assert_eq!(scene.attempt(&again).await?, None);
    assert_eq!(scene.receiver.counts().into_values().collect::<Vec<_>>(), [1]);
    assert_eq!(scene.webhook_now().await?.failing_since, None, "a success ends the failing");
    Ok(())
}

#[tokio::test]
async fn of_many_who_try_at_once_one_sends() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let delivery = scene.told("one").await?;
    let tries = (0..12).map(|_| scene.attempt(&delivery));
    futures::future::try_join_all(tries).await?;
    assert_eq!(scene.receiver.came(), 1);
    Ok(())
}

#[tokio::test]
async fn an_attempt_whose_process_died_is_made_again_after_its_lease() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let delivery = scene.told("one").await?;
    let claimed = scene.pipeline().webhooks().records().claim(scene.app.org, delivery.id, 1).await?;
    drop(claimed);
    assert!(scene.attempt(&delivery).await?.is_some());
    assert_eq!(scene.receiver.came(), 0);
    scene.app.advance(Duration::from_secs(61));
    let overdue = scene.pipeline().webhooks().records().overdue(scene.app.app.world.clock.now(), 10).await?;
    assert_eq!(overdue, [(scene.app.org, delivery.id)]);
    assert_eq!(scene.attempt(&delivery).await?, None);
    assert_eq!(scene.receiver.came(), 1);
    Ok(())
}

#[tokio::test]
async fn a_receiver_that_is_gone_or_fails_for_five_days_is_disabled_and_people_are_told() -> anyhow::Result<()>
{
    let scene = Scene::set().await?;
    scene.receiver.receive([Reception::Status(500)]);
    let (first, other) = (scene.told("one").await?, scene.told("other").await?);
    scene.attempt(&first).await?;
    scene.app.advance(HOUR * 24 * 5);
    scene.attempt(&first).await?;
    let webhook = scene.webhook_now().await?;
    assert!(!webhook.enabled);
    assert_eq!(webhook.disabled_reason.as_deref(), Some("all deliveries have failed for five days"));
    assert_eq!(scene.events("webhook.disabled").await?.len(), 1);
    assert_eq!(scene.attempt(&other).await?, None, "what was on its way is given up");
    assert_eq!(scene.now(&other).await?.status, DeliveryStatus::Failed);
    assert_eq!(scene.receiver.came(), 2);
    // A person enables it again; this time the receiver says that it is gone.
    let enable = WebhookChange { enabled: Some(true), ..WebhookChange::default() };
    let webhook = scene.pipeline().webhooks().change(scene.app.org, webhook.id, enable).await?;
    assert_eq!((webhook.enabled, webhook.failing_since, webhook.disabled_reason), (true, None, None));
    scene.receiver.receive([Reception::Status(410)]);
    assert_eq!(scene.attempt(&scene.told("two").await?).await?, None);
    assert!(!scene.webhook_now().await?.enabled);
    let told = scene.events("webhook.disabled").await?;
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|data| !data.contains("127.0.0.1")), "an address can hold a secret: {told:?}");
    Ok(())
}

#[tokio::test]
async fn a_rotated_secret_signs_beside_the_new_one_for_a_day() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let (rotated, new) =
        scene.pipeline().webhooks().records().rotate(scene.app.org, scene.webhook.id).await?;
    assert!(rotated.previous_until.is_some());
    assert_eq!(scene.attempt(&scene.told("by the old").await?).await?, None);
    scene.receiver.trust(&[new.expose_secret()]);
    assert_eq!(scene.attempt(&scene.told("by the new").await?).await?, None);
    assert_eq!(scene.receiver.taken()[1].signature.split(' ').count(), 2);
    scene.app.advance(HOUR * 24);
    assert_eq!(scene.attempt(&scene.told("a day later").await?).await?, None);
    assert_eq!(scene.receiver.taken()[2].signature.split(' ').count(), 1);
    assert_eq!(scene.receiver.refused().len(), 0);
    Ok(())
}

#[tokio::test]
async fn answers_that_do_not_end_and_redirects_do_no_harm() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let elsewhere = FakeReceiver::start(scene.app.app.world.clock.clone()).await?;
    scene.receiver.receive([
        Reception::Huge(64 << 20),
        Reception::Drip,
        Reception::Redirect(elsewhere.url()),
    ]);
    assert_eq!(scene.attempt(&scene.told("huge").await?).await?, None);
    assert_eq!(scene.attempt(&scene.told("drip").await?).await?, None);
    let redirected = scene.told("redirected").await?;
    assert!(scene.attempt(&redirected).await?.is_some(), "it is tried again where it belongs");
    assert_eq!(elsewhere.came(), 0);
    Ok(())
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_is_left_after_fifteen_seconds() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    scene.receiver.receive([Reception::Hang]);
    let (delivery, begun) = (scene.told("one").await?, Instant::now());
    assert!(scene.attempt(&delivery).await?.is_some());
    assert!((14..29).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    let now = scene.now(&delivery).await?;
    assert_eq!(now.last_error.as_deref(), Some("the target did not answer in time"));
    Ok(())
}

#[tokio::test]
async fn failures_at_once_disable_a_webhook_once_and_hold_each_other_up_never() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    scene.receiver.receive([Reception::Status(500)]);
    scene.attempt(&scene.told("first").await?).await?;
    scene.app.advance(HOUR * 24 * 5);
    let mut deliveries = Vec::new();
    for number in 0..12 {
        deliveries.push(scene.told(&number.to_string()).await?);
    }
    futures::future::try_join_all(deliveries.iter().map(|delivery| scene.attempt(delivery))).await?;
    assert!(!scene.webhook_now().await?.enabled);
    assert_eq!(scene.events("webhook.disabled").await?.len(), 1);
    for delivery in &deliveries {
        assert_eq!(scene.now(delivery).await?.status, DeliveryStatus::Failed);
    }
    Ok(())
}

#[tokio::test]
async fn a_delivery_of_which_every_process_dies_is_given_up() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let delivery = scene.told("one").await?;
    for _ in 0..10 {
        drop(scene.pipeline().webhooks().records().claim(scene.app.org, delivery.id, 1).await?);
        scene.app.advance(Duration::from_secs(61));
    }
    assert_eq!(scene.attempt(&delivery).await?, None);
    assert_eq!((scene.now(&delivery).await?.status, scene.receiver.came()), (DeliveryStatus::Failed, 0));
    Ok(())
}

#[tokio::test]
async fn a_test_event_goes_to_its_webhook_alone() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let owner = Actor { org: scene.app.org, user: scene.app.owner };
    let other = settings(&scene.receiver.url(), &[], None);
    let (other, _) = scene.pipeline().webhooks().add(owner, other).await?;
    let delivery = scene.pipeline().webhooks().test(scene.app.org, scene.webhook.id).await?;
    let stretch = Stretch { org: scene.app.org, events: vec![delivery.event] };
    assert!(scene.pipeline().webhooks().records().create(&stretch).await?.is_empty(), "{}", other.id);
    assert_eq!(scene.attempt(&delivery).await?, None);
    assert_eq!(scene.receiver.taken()[0].event()["type"], "webhook.test");
    Ok(())
}

#[tokio::test]
async fn deliveries_are_forgotten_after_thirty_days_and_go_with_their_webhook() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let delivery = scene.told("one").await?;
    assert_eq!(scene.pipeline().webhooks().records().purge().await?, 0);
    scene.app.advance(HOUR * 24 * 30 + HOUR);
    assert_eq!(scene.pipeline().webhooks().records().purge().await?, 1);
    let kept = scene.told("two").await?;
    scene.pipeline().webhooks().records().remove(scene.app.org, scene.webhook.id).await?;
    assert!(scene.now(&delivery).await.is_err() && scene.now(&kept).await.is_err());
    assert_eq!(scene.attempt(&kept).await?, None);
    Ok(())
}
