//! Attack 7, webhooks: an admin sets an address that leads into our own network. It is checked when the webhook is
//! added and again when a delivery is sent, because a name can resolve to another address in between. A listener there
//! must see nothing. In the control the guard is open, and the listener is reached.

use events::webhooks::{Webhook, WebhookSettings};
use model::Actor;
use platform::egress::EgressPolicy;
use testkit::{Door, INSIDE, LOOPBACK, TestApp};

fn settings(url: &str) -> WebhookSettings {
    WebhookSettings { url: url.to_owned(), types: vec![], filter: None }
}

/// Sends a delivery to any address, as if the address had been accepted when it was set.
async fn send(app: &TestApp, webhook: &Webhook, url: &str) -> anyhow::Result<()> {
    let mut tx = app.app.db.begin(app.org).await?;
    sqlx::query("UPDATE webhooks SET url = $1").bind(url).execute(&mut *tx).await?;
    platform::db::commit(tx).await?;
    let delivery = app.app.pipeline.webhooks().test(app.org, webhook.id).await?;
    app.app.pipeline.webhooks().deliver(app.org, delivery.id, delivery.round).await?;
    Ok(())
}

fn owner(app: &TestApp) -> Actor {
    Actor { org: app.org, user: app.owner }
}

/// Adds a webhook at an address and, if the address is accepted, sends to it and removes it; returns whether it was
/// accepted.
async fn add(app: &TestApp, url: &str) -> anyhow::Result<bool> {
    let pipeline = &app.app.pipeline;
    let Ok((webhook, _)) = pipeline.webhooks().add(owner(app), settings(url)).await else {
        return Ok(false);
    };
    let delivery = pipeline.webhooks().test(app.org, webhook.id).await?;
    pipeline.webhooks().deliver(app.org, delivery.id, delivery.round).await?;
    pipeline.webhooks().records().remove(app.org, webhook.id).await?;
    Ok(true)
}

async fn some_webhook(app: &TestApp) -> anyhow::Result<Webhook> {
    Ok(app.app.pipeline.webhooks().add(owner(app), settings("https://hooks.example.com/x")).await?.0)
}

#[tokio::test]
async fn no_address_of_a_webhook_leads_inside() -> anyhow::Result<()> {
    let (door, door6) = (Door::open("0.0.0.0:0", None).await?, Door::open("[::1]:0", None).await?);
    let app = TestApp::reaching(EgressPolicy::default()).await?;
    let webhook = some_webhook(&app).await?;
    let (mut tried, mut taken, mut wrong) = (0, 0, Vec::new());
    for host in LOOPBACK.iter().chain(&INSIDE) {
        for (scheme, port) in [("http", door.port), ("https", door.port), ("https", door6.port)] {
            tried += 2;
            let url = format!("{scheme}://{host}:{port}/hook");
            let before = door.came() + door6.came();
            taken += usize::from(add(&app, &url).await?);
            send(&app, &webhook, &url).await?;
            if door.came() + door6.came() != before {
                wrong.push(url);
            }
        }
    }
    testkit::tried(
        7,
        "an address inside, in many spellings, as webhook, set and sent to",
        tried,
        wrong.len(),
    );
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    // Host names are accepted when they are set; the address that they resolve to is checked at every request.
    anyhow::ensure!((1..20).contains(&taken), "only host names may be accepted: {taken}");
    Ok(())
}

#[tokio::test]
async fn no_redirect_of_a_receiver_leads_inside() -> anyhow::Result<()> {
    let inside = Door::open("127.0.0.1:0", None).await?;
    // The receiver itself may be reached, the target of its redirect may not.
    let app = TestApp::reaching(EgressPolicy { allow: vec!["127.0.0.2/32".parse()?] }).await?;
    let webhook = some_webhook(&app).await?;
    let (mut sent, mut wrong) = (0, Vec::new());
    for host in LOOPBACK {
        let onward = format!("http://{host}:{}/hook", inside.port);
        let receiver = Door::open("127.0.0.2:0", Some(onward)).await?;
        send(&app, &webhook, &format!("http://127.0.0.2:{}/hook", receiver.port)).await?;
        sent += usize::from(receiver.came() > 0);
        if inside.came() != 0 {
            wrong.push(host);
        }
    }
    testkit::tried(7, "a redirect of a receiver inside, in many spellings", LOOPBACK.len(), wrong.len());
    anyhow::ensure!(sent == LOOPBACK.len(), "not all receivers were reached: {sent}");
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn control_with_the_guard_open_a_webhook_reaches_the_listener() -> anyhow::Result<()> {
    let door = Door::open("0.0.0.0:0", None).await?;
    let app = TestApp::reaching(EgressPolicy::open()).await?;
    let webhook = some_webhook(&app).await?;
    let mut reached = 0;
    for host in LOOPBACK {
        let before = door.came();
        send(&app, &webhook, &format!("https://{host}:{}/hook", door.port)).await?;
        reached += usize::from(door.came() > before);
    }
    testkit::tried(7, "control: webhooks that reached the listener with the guard open", reached, 0);
    anyhow::ensure!(reached >= 15, "the addresses lead nowhere even without the guard: {reached}");
    Ok(())
}
