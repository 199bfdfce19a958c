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
    upgraded_from(DUMP).await
}

async fn upgraded_from(sql: &str) -> anyhow::Result<(TestApp, FakeLinear)> {
    let linear = FakeLinear::start("lin_api_test").await;
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let dump = Dump { sql, master_key: MASTER_KEY, owner_token: OWNER_TOKEN, at: AT.parse()? };
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

#[tokio::test]
async fn those_who_were_there_are_told_of_the_upgrade_and_those_who_come_later_are_not() -> anyhow::Result<()>
{
    let (app, _linear) = upgraded().await?;
    let me = async |token: &str| app.send(Method::GET, "/v1/me", token, None).await;
    assert!(me(&app.owner_token).await?.body["upgraded_at"].is_string());
    app.advance(std::time::Duration::from_secs(3_650 * 86_400));
    let admin = app.person(app.org, model::Role::Admin).await?;
    assert!(me(&admin).await?.body["upgraded_at"].is_null());
    Ok(())
}

// Row-level security is forced on the owner of the tables too, so a migration that forgot it would change nothing.
#[tokio::test]
async fn passkeys_stay_confirmed_and_what_was_erased_is_erased_everywhere() -> anyhow::Result<()> {
    let (org, owner) = ("01a1ea87-82a5-7b31-975e-aaeaa7a40b57", "01a1ea87-82ae-74df-8d2e-bf2f23d9fc70");
    let (read, receipt) = ("inv_01a1ea878fee728d8aba794a1756c174", "01a1ea87-8ff8-7cd2-9934-baf2da96874f");
    let public_key = hex::encode(testkit::Passkey::new(7)?.public_key());
    let sql = format!(
        "{DUMP}
        ALTER TABLE public.passkeys NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE public.erasures NO FORCE ROW LEVEL SECURITY;
        INSERT INTO public.passkeys VALUES
            ('{org}', '{receipt}', '{owner}', 'key', '\\x01', '\\x{public_key}', 0, '2026-11-17', NULL, NULL);
        INSERT INTO public.erasures (org_id, receipt_id, erased_at) VALUES ('{org}', '{receipt}', '2026-11-17');
        ALTER TABLE public.passkeys FORCE ROW LEVEL SECURITY;
        ALTER TABLE public.erasures FORCE ROW LEVEL SECURITY;"
    );
    let (app, _linear) = upgraded_from(&sql).await?;
    let passkeys = app.send(Method::GET, "/v1/passkeys", &app.owner_token, None).await?;
    assert!(passkeys.body["items"][0]["confirmed_at"].is_string(), "{}", passkeys.text);
    let erased = status(&app, read).await?;
    assert!(erased["erased_at"].is_string() && erased["result"].is_null(), "{erased}");
    let (app, _linear) = upgraded().await?;
    let kept = status(&app, read).await?;
    assert!(kept["erased_at"].is_null() && !kept["result"].is_null(), "{kept}");
    Ok(())
}
