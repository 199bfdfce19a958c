//! Attack 12, outgoing: an attacker without the secret sends deliveries to a receiver that verifies them as the
//! standard says. They are changed in any byte, old, too early, meant for another organization, or signed with an
//! expired secret. A slow receiver does not delay the deliveries of others. In the control the receiver does not
//! verify, and accepts everything.

use std::time::Duration;

use events::webhooks::{Delivery, Webhook, WebhookSettings};
use futures::future::join_all;
use model::{Actor, OrgId};
use platform::Clock;
use reqwest::Client;
use secrecy::ExposeSecret as _;
use testkit::{
    TestApp,
    fakes::{FakeReceiver, Received, Reception, TOLERANCE_S},
};

/// An organization's webhook, and its receiver, which knows the secret.
struct Place {
    org: OrgId,
    webhook: Webhook,
    secret: String,
    receiver: FakeReceiver,
}

impl Place {
    async fn of(app: &TestApp, org: OrgId) -> anyhow::Result<Self> {
        let receiver = FakeReceiver::start(app.app.world.clock.clone()).await?;
        let settings = WebhookSettings { url: receiver.url(), types: vec![], filter: None };
        let (webhook, secret) =
            app.app.pipeline.webhooks().add(Actor { org, user: app.owner }, settings).await?;
        let secret = secret.expose_secret().to_owned();
        receiver.trust(&[&secret]);
        Ok(Self { org, webhook, secret, receiver })
    }

    async fn make(&self, app: &TestApp) -> anyhow::Result<Delivery> {
        Ok(app.app.pipeline.webhooks().test(self.org, self.webhook.id).await?)
    }

    async fn deliver(&self, app: &TestApp, delivery: &Delivery) -> anyhow::Result<Option<Duration>> {
        Ok(app.app.pipeline.webhooks().deliver(self.org, delivery.id, delivery.round).await?)
    }

    /// A genuine delivery as it was received over the network.
    async fn genuine(&self, app: &TestApp) -> anyhow::Result<Received> {
        self.deliver(app, &self.make(app).await?).await?;
        self.receiver.taken().pop().ok_or_else(|| anyhow::anyhow!("the delivery did not arrive"))
    }
}

/// Sends a forged delivery; returns whether it was accepted.
async fn forge(client: &Client, to: &FakeReceiver, forged: &Received) -> anyhow::Result<bool> {
    let sent =
        client.post(to.url()).header("webhook-id", &forged.id).header("webhook-timestamp", &forged.timestamp);
    let sent = sent.header("webhook-signature", &forged.signature).body(forged.body.clone());
    Ok(sent.send().await?.status().is_success())
}

/// Variants of a text, each with one character changed; all are valid in a header.
fn changed(text: &str) -> Vec<String> {
    let other = |c: char| if c == 'A' { 'B' } else { 'A' };
    let at = |index: usize| {
        text.chars().enumerate().map(|(i, c)| if i == index { other(c) } else { c }).collect::<String>()
    };
    let without =
        |index: usize| text.chars().enumerate().filter(|(i, _)| *i != index).map(|(_, c)| c).collect();
    (0..text.len()).map(at).chain((0..text.len()).map(without)).collect()
}

/// Every change of one byte in each of the four parts.
fn mutants(genuine: &Received) -> Vec<Received> {
    let mut all = Vec::new();
    for id in changed(&genuine.id) {
        all.push(Received { id, ..genuine.clone() });
    }
    for timestamp in changed(&genuine.timestamp) {
        all.push(Received { timestamp, ..genuine.clone() });
    }
    // Other spellings of the same number.
    for timestamp in [format!("+{}", genuine.timestamp), format!("0{}", genuine.timestamp)] {
        all.push(Received { timestamp, ..genuine.clone() });
    }
    for signature in changed(&genuine.signature) {
        all.push(Received { signature, ..genuine.clone() });
    }
    for index in 0..genuine.body.len() {
        for bit in [0x01, 0x20] {
            let mut body = genuine.body.clone();
            body[index] ^= bit;
            all.push(Received { body, ..genuine.clone() });
        }
    }
    all
}

#[tokio::test]
async fn nothing_that_was_changed_is_taken() -> anyhow::Result<()> {
    let (app, client) = (TestApp::start().await?, testkit::http_client()?);
    let place = Place::of(&app, app.org).await?;
    let genuine = place.genuine(&app).await?;
    let mutants = mutants(&genuine);
    let (mut tried, mut wrong) = (0, Vec::new());
    for mutant in &mutants {
        tried += 1;
        if forge(&client, &place.receiver, mutant).await? {
            wrong.push(mutant.clone());
        }
    }
    testkit::tried(12, "deliveries changed in one byte", tried, wrong.len());
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    anyhow::ensure!(forge(&client, &place.receiver, &genuine).await?, "the genuine delivery is accepted");
    // The control: the same deliveries to a receiver that does not verify.
    place.receiver.stop_checking();
    let mut taken = 0;
    for mutant in &mutants {
        taken += usize::from(forge(&client, &place.receiver, mutant).await?);
    }
    testkit::tried(12, "control: taken by a receiver that does not verify", taken, 0);
    anyhow::ensure!(taken == mutants.len() && taken >= 500, "{taken} of {}", mutants.len());
    Ok(())
}

#[tokio::test]
async fn nothing_old_early_foreign_or_signed_with_a_spent_secret_is_taken() -> anyhow::Result<()> {
    let (app, client) = (TestApp::start().await?, testkit::http_client()?);
    let place = Place::of(&app, app.org).await?;
    let other = Place::of(&app, app.another_org().await?.0).await?;
    let (genuine, foreign) = (place.genuine(&app).await?, other.genuine(&app).await?);
    let (mut tried, mut wrong) = (0, Vec::new());
    let mut expect_refused = |what: &'static str, taken: bool| {
        tried += 1;
        if taken {
            wrong.push(what);
        }
    };
    expect_refused("another org's", forge(&client, &place.receiver, &foreign).await?);
    expect_refused("another org's", forge(&client, &other.receiver, &genuine).await?);
    let mixed = Received { signature: foreign.signature.clone(), ..genuine.clone() };
    expect_refused("another org's signature", forge(&client, &place.receiver, &mixed).await?);
    // For a receiver whose clock is behind, the delivery has a timestamp in the future.
    let behind = app.app.world.clock.now() - Duration::from_secs(TOLERANCE_S.unsigned_abs() + 2);
    let early = FakeReceiver::start(Clock::manual(behind)).await?;
    early.trust(&[&place.secret]);
    expect_refused("of the future", forge(&client, &early, &genuine).await?);
    let (_, new) = app.app.pipeline.webhooks().records().rotate(place.org, place.webhook.id).await?;
    for minutes in [6, 60, 24 * 60] {
        app.advance(Duration::from_secs(minutes * 60));
        expect_refused("old", forge(&client, &place.receiver, &genuine).await?);
    }
    // More than a day after the rotation, the old secret is no longer used for signing.
    let delivery = place.make(&app).await?;
    place.deliver(&app, &delivery).await?;
    let refused = place.receiver.refused().len();
    expect_refused(
        "of a spent secret",
        place.receiver.taken().iter().any(|taken| taken.id == delivery.event.to_string()),
    );
    anyhow::ensure!(refused > 0, "the delivery arrived and was refused");
    place.receiver.trust(&[new.expose_secret()]);
    app.advance(Duration::from_secs(10));
    anyhow::ensure!(place.deliver(&app, &delivery).await?.is_none(), "signed with the new secret");
    testkit::tried(12, "old, early, foreign, or signed with a spent secret", tried, wrong.len());
    anyhow::ensure!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}

#[tokio::test]
async fn a_receiver_that_hangs_holds_up_nobody_else() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let slow = Place::of(&app, app.org).await?;
    let quick = Place::of(&app, app.another_org().await?.0).await?;
    slow.receiver.receive([Reception::Hang]);
    let mut hanging = Vec::new();
    for _ in 0..60 {
        hanging.push(slow.make(&app).await?);
    }
    // The deliveries are repeated, so that some of them hang for as long as the others take.
    let hung = join_all(hanging.iter().map(async |delivery| {
        for _ in 0..300 {
            let _ = slow.deliver(&app, delivery).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }));
    let others = async {
        // Wait until the slow receiver has as many requests as it is given at once.
        while slow.receiver.came() < 16 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let came = slow.receiver.came();
        for _ in 0..20 {
            let delivery = quick.make(&app).await?;
            // This is less time than a hanging delivery takes to time out and free its place.
            let soon = Duration::from_secs(14);
            tokio::time::timeout(soon, quick.deliver(&app, &delivery)).await??;
        }
        anyhow::Ok(came)
    };
    let came = tokio::select! {
        came = others => came?,
        _ = hung => anyhow::bail!("the other deliveries took longer than the slow ones"),
    };
    let arrived = quick.receiver.taken().len();
    testkit::tried(12, "deliveries beside sixty to a receiver that hangs", 20, 20 - arrived);
    assert_eq!((arrived, came), (20, 16), "a webhook gets at most sixteen deliveries at once");
    Ok(())
}
