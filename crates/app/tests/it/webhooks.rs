//! Webhooks with the whole program and a real engine: a delivery that the receiver refused is repeated by the engine's
//! timer, once, even if the engine has lost its data in between.

use std::time::{Duration, Instant};

use platform::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    Deployment, Options,
    fakes::{FakeReceiver, Reception},
};

const BINARY: &str = env!("CARGO_BIN_EXE_countersign");
/// The first retry comes after five seconds. A delivery that the engine lost is submitted again half a minute after it
/// was due, and once more if the engine did not have its worker registered yet.
const PATIENCE: Duration = Duration::from_secs(180);

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_delivery_that_was_refused_arrives_once_even_if_the_engine_forgot_it() -> anyhow::Result<()> {
    let options = Options { binary: Some(BINARY.into()), engine: Some(vec![]), ..Options::default() };
    let mut deployment = Deployment::start(options).await?;
    let mut worker = deployment.worker()?;
    worker.launch(&[]).await?;
    let receiver = FakeReceiver::start(Clock::system()).await?;
    let body = json!({ "url": receiver.url(), "types": ["action.executed"] });
    let added = deployment.as_owner(Method::POST, "/v1/webhooks", body).await?;
    receiver.trust(&[added["secret"].as_str().unwrap()]);
    let path = format!("/v1/webhooks/{}/deliveries", added["webhook"]["id"].as_str().unwrap());
    let newest = async |deployment: &Deployment| {
        let listed = deployment.as_owner(Method::GET, &path, Value::Null).await?;
        anyhow::Ok(listed["items"][0].clone())
    };
    let agent = deployment.agent("webhooks").await?;
    let act = async |deployment: &Deployment| {
        let template = json!({ "template": "something happens" });
        let (status, answer) = deployment.invoke(&agent, "data.transform", &template, None).await?;
        anyhow::ensure!(status == 200, "{status}: {answer}");
        Ok(())
    };

    receiver.receive([Reception::Status(503), Reception::Take]);
    act(&deployment).await?;
    until("the event arrives at the second attempt", || !receiver.taken().is_empty()).await;
    assert_eq!(receiver.taken()[0].event()["type"], "action.executed");
    assert_eq!((receiver.came(), receiver.refused().len()), (2, 0));

    // The engine stores only ids of a delivery. Finding the id in the journal shows that the search would also find
    // other data.
    let first = newest(&deployment).await?;
    let journal = deployment.engine.as_ref().unwrap().query("SELECT * FROM sys_journal").await?;
    let kept = Value::from(journal).to_string();
    let stands = |text: &str| {
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        kept.contains(text) || kept.contains(&hex)
    };
    assert!(stands(first["id"].as_str().unwrap()), "{kept}");
    let secret = added["secret"].as_str().unwrap();
    for never in [&secret[6..], "action.executed", "/hook", "webhook-signature"] {
        assert!(!stands(never), "`{never}` is in the engine's journal: {kept}");
    }

    // Between two attempts the engine loses its data; the sweep submits the delivery again.
    receiver.receive([Reception::Status(503), Reception::Take]);
    act(&deployment).await?;
    until("the second event is sent", || receiver.came() == 3).await;
    let engine = deployment.engine.as_mut().unwrap();
    engine.kill()?;
    engine.wipe()?;
    engine.launch().await?;
    until("the event arrives although the engine lost it", || receiver.taken().len() == 2).await;
    until("nothing is sent twice", || receiver.came() == 4).await;
    assert_eq!(receiver.counts().into_values().collect::<Vec<_>>(), [1, 1]);
    let begun = Instant::now();
    while newest(&deployment).await?["status"] != "delivered" {
        anyhow::ensure!(begun.elapsed() < PATIENCE, "{}", newest(&deployment).await?);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(newest(&deployment).await?["attempts"], 2);
    Ok(())
}
