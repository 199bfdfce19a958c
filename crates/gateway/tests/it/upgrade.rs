//! The upgrade of a database that version 0.1 left (`tests/dumps/v0.1.sql`): what waits is asked again, what was approved
//! and not performed too, and what is over stays as it is and verifies.

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use serde_json::json;
use testkit::{Dump, TestApp, fakes::FakeLinear};

use crate::approvals::answers::{Waiting, approve, opened, perform};

const DUMP: &str = include_str!("../dumps/v0.1.sql");
/// For this dump alone.
const MASTER_KEY: &str = "k1:EyveXvr/3OYJECpq5mkF0W3i/s1aWg9x1YzIoqhYLBM=";
const OWNER_TOKEN: &str = "csn_api_00yZdXe7Ywd2EzZ9bHENEJWQZic3kJ0xFjQf";
/// Just after the dump was made, so that nothing in it has expired.
const AT: &str = "2026-11-17T17:30:00Z";
const PENDING: &str = "inv_01a1ea879044782f95630de87c1e665a";
const APPROVED: &str = "inv_01a1ea8790da7dfb90afc22e2048ad30";
const DENIED: &str = "inv_01a1ea879147797890cb19cb4edd4677";

async fn upgraded() -> anyhow::Result<(TestApp, FakeLinear)> {
    let linear = FakeLinear::start("lin_api_test").await;
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let dump = Dump { sql: DUMP, master_key: MASTER_KEY, owner_token: OWNER_TOKEN, at: AT.parse()? };
    Ok((TestApp::upgraded(&dump, urls).await?, linear))
}

async fn status(app: &TestApp, id: &str) -> anyhow::Result<serde_json::Value> {
    Ok(app.send(Method::GET, &format!("/v1/invocations/{id}"), &app.owner_token, None).await?.body)
}

#[tokio::test]
async fn what_waits_since_version_0_1_is_asked_again_and_then_performed_once() -> anyhow::Result<()> {
    let (app, linear) = upgraded().await?;
    let old = opened(&app, &json!(PENDING)).await?;
    let said = approve(&app, &old).await?;
    assert_eq!(
        (said.status, said.body["code"].as_str()),
        (StatusCode::CONFLICT, Some("subject_changed")),
        "{}",
        said.text
    );
    assert!(said.text.contains("this was asked by an earlier version"), "{}", said.text);
    let item = app.send(Method::GET, &format!("/v1/inbox/{PENDING}"), &app.owner_token, None).await?.body;
    assert!(item["shown"]["destinations"][0]["address"].is_string(), "{item}");
    let asked = Waiting { id: PENDING.to_owned(), shown: testkit::shown_digest(&item)? };
    assert_eq!(approve(&app, &asked).await?.body["status"], "approved");
    let ended = perform(&app, &asked).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    assert_eq!(ended.status, model::Status::Succeeded, "{:?}", ended.failure);
    assert_eq!(linear.effects().values().sum::<u64>(), 1);
    app.check_invariants().await
}

#[tokio::test]
async fn what_version_0_1_approved_is_not_performed_but_asked_again() -> anyhow::Result<()> {
    let (app, linear) = upgraded().await?;
    assert_eq!(status(&app, APPROVED).await?["status"], "approved");
    let waiting = Waiting { id: APPROVED.to_owned(), shown: String::new() };
    assert!(perform(&app, &waiting).await?.is_none());
    assert!(linear.effects().is_empty());
    let again = opened(&app, &json!(APPROVED)).await?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{APPROVED}"), &app.owner_token, None).await?.body;
    assert_eq!(item["votes"], json!([]), "the vote of version 0.1 no longer counts: {item}");
    assert_eq!(approve(&app, &again).await?.body["status"], "approved");
    assert!(perform(&app, &again).await?.is_some_and(|ended| ended.status == model::Status::Succeeded));
    assert_eq!(linear.effects().values().sum::<u64>(), 1);
    Ok(())
}

#[tokio::test]
async fn what_was_over_in_version_0_1_stays_and_verifies_and_rules_hold() -> anyhow::Result<()> {
    let (app, _linear) = upgraded().await?;
    let denied = status(&app, DENIED).await?;
    assert_eq!(denied["status"], "denied");
    let path = format!("/v1/receipts/{}", denied["receipt"].as_str().unwrap_or_default());
    let receipt = app.send(Method::GET, &path, &app.owner_token, None).await?.body;
    let keys = receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?;
    let verified =
        receipt::verify(receipt["envelope"].to_string().as_bytes(), &keys)?.into_receipt().unwrap();
    assert_eq!((verified.approvals.len(), verified.shown.len()), (1, 0));
    let agent = app.agent().await?;
    let comment = json!({ "issue": "11111111-1111-4111-8111-111111111111", "body": "hello" });
    let asked = app.invoke(&agent, "linear.add_comment", comment).await?;
    assert_eq!(asked.status, StatusCode::FORBIDDEN, "{}", asked.text);
    Ok(())
}
