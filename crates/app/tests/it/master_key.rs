//! `countersign master-key rotate` with the real program: refused while a process lacks the key, killed half-way, run again;
//! afterwards the new key opens everything and the old one nothing.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Deployment, Opened, Options, Waiting, master_key};

use crate::examples::BINARY;

const KEYS: &str = "COUNTERSIGN_MASTER_KEY";
const ROTATE: [&str; 5] = ["master-key", "rotate", "--reason", "a drill", "--json"];

#[tokio::test]
async fn the_new_key_opens_everything_and_the_old_one_nothing() -> anyhow::Result<()> {
    let mut deployment =
        Deployment::start(Options { binary: Some(BINARY.into()), ..Options::default() }).await?;
    let old = deployment.setting(KEYS).unwrap().to_owned();
    let new = master_key("new");
    let both = format!("{new},{old}");
    let waiting = prepare(&deployment).await?;
    let before = deployment.opened_with(&old).await?;
    assert!(before.values > 250 && before.opened == before.values && before.signing_key, "{before:?}");
    assert_eq!(deployment.opened_with(&new).await?.opened, 0);

    // The gateway has the old key only.
    let (code, said) = deployment.fail(&ROTATE, &[(KEYS, &both)])?;
    assert!(code == Some(1) && said.contains("processes without the master key `new`"), "{code:?} {said}");
    assert_eq!(deployment.opened_with(&old).await?, before, "nothing was changed");

    deployment.set(KEYS, &both);
    deployment.launch(&[]).await?;
    let (code, said) = deployment.fail(&ROTATE, &[("COUNTERSIGN_FAULT", "inside-rotation")])?;
    assert_eq!(code, None, "it was killed: {said}");
    let rotated: Value = serde_json::from_str(&deployment.run(&ROTATE)?)?;
    // The first two hundred were encrypted by the one that was killed, and so was the organization's data key.
    assert_eq!(rotated["values"], json!(before.values - 200), "{rotated}");
    assert_eq!((&rotated["data_keys"], &rotated["new_signing_key"]), (&json!(0), &json!(false)), "{rotated}");
    assert_eq!((&rotated["master_key"], &rotated["retired"]), (&json!("new"), &json!(["k1"])));

    let none = Opened { values: before.values, opened: 0, signing_key: false };
    assert_eq!(deployment.opened_with(&old).await?, none);
    let all = Opened { opened: before.values, signing_key: true, ..none };
    assert_eq!(deployment.opened_with(&new).await?, all);

    deployment.kill()?;
    let (code, said) = deployment.fail(&["serve"], &[(KEYS, &old)])?;
    assert!(code == Some(1) && said.contains("the master key `new` is not configured"), "{code:?} {said}");
    deployment.set(KEYS, &new);
    deployment.launch(&[]).await?;
    goes_on(&deployment, &waiting).await?;
    let again: Value = serde_json::from_str(&deployment.run(&ROTATE)?)?;
    assert_eq!((&again["values"], &again["data_keys"]), (&json!(0), &json!(0)), "{again}");
    Ok(())
}

/// Stores values of several kinds; returns an invocation that waits.
async fn prepare(deployment: &Deployment) -> anyhow::Result<Waiting> {
    deployment.store_secrets(250).await?;
    deployment.connect_source("linear", "lin_api_test").await?;
    let webhook = json!({ "url": "http://127.0.0.1:9/hook", "types": ["connector.added"] });
    deployment.as_owner(Method::POST, "/v1/webhooks", webhook).await?;
    deployment.rule("data.transform", "require_approval").await?;
    let (agent, template) = (deployment.agent("rotation").await?, json!({ "template": "hello" }));
    let (status, asked) = deployment.invoke(&agent, "data.transform", &template, None).await?;
    anyhow::ensure!(status == 202, "{status}: {asked}");
    Waiting::of(&asked)
}

/// With the new key alone, requests are answered, and the records say what happened.
async fn goes_on(deployment: &Deployment, waiting: &Waiting) -> anyhow::Result<()> {
    let (status, denied) = deployment.owner().deny(waiting, "no").await?;
    assert_eq!((status, &denied["status"]), (200, &json!("denied")), "{denied}");
    deployment.rule("data.transform", "allow").await?;
    let (agent, template) = (deployment.agent("rotation").await?, json!({ "template": "hello" }));
    let (status, done) = deployment.invoke(&agent, "data.transform", &template, None).await?;
    assert_eq!((status, &done["status"]), (200, &json!("succeeded")), "{done}");
    let path = "/v1/changes?limit=100";
    let (_, changes) = deployment.call(Method::GET, path, &deployment.owner_token, None).await?;
    let rotated: Vec<&Value> =
        changes["items"].as_array().unwrap().iter().filter(|one| one["change"] == "keys.rotated").collect();
    let [rotated] = rotated.as_slice() else { panic!("{changes}") };
    assert_eq!((&rotated["by"]["method"], &rotated["reason"]), (&json!("operator"), &json!("a drill")));
    assert_eq!(rotated["before"]["master_keys"], json!(["k1"]));
    assert_eq!(rotated["after"]["master_keys"], json!(["new"]));
    Ok(())
}
