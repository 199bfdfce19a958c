//! Artifacts: results that are too large for a receipt, stored whole under the digest in the receipt.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use axum::http::{Method, StatusCode, header};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use catalog::{ActionSource, Call, CallContext, Outcome, Registry, SourceError};
use model::{ActionDefinition, Destination, Digest, EffectClass, Labels, Risk, Role, SourceSlug};
use platform::{config::Limits, objects::Objects};
use receipt::Receipt;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp, fakes::FakeS3};

/// A value that is too large for a receipt.
fn lines(name: &str) -> Vec<String> {
    (0..3_000).map(|line| format!("{name} {line}")).collect()
}

/// Invokes an action whose result is the given value.
async fn answered(app: &TestApp, agent: &Agent, value: Value) -> anyhow::Result<Answered> {
    let params = json!({ "template": "{{ it }}", "data": { "it": value } });
    let done = app.invoke(agent, "data.transform", params).await?;
    anyhow::ensure!(done.status == StatusCode::OK, "{}", done.text);
    Ok(done)
}

/// The receipt's signed content, as the holder of a token reads it.
async fn receipt(app: &TestApp, token: &str, done: &Answered) -> anyhow::Result<Receipt> {
    let id = done.body["receipt"].as_str().unwrap();
    let shown = app.send(Method::GET, &format!("/v1/receipts/{id}"), token, None).await?;
    let payload = shown.body["envelope"]["payload"].as_str().unwrap();
    Ok(serde_json::from_slice(&BASE64_STANDARD.decode(payload)?)?)
}

/// Creates a result that is stored as an artifact; returns its digest and the answer. On a busy machine the object
/// store may be slow for a moment; then it is not used for a while, and the attempt is repeated.
pub(crate) async fn kept(app: &TestApp, agent: &Agent, name: &str) -> anyhow::Result<(String, Answered)> {
    for _ in 0..5 {
        let done = answered(app, agent, json!({ "lines": lines(name) })).await?;
        let receipt = receipt(app, &agent.token, &done).await?;
        if let [digest] = receipt.artifacts.as_slice() {
            return Ok((digest.clone(), done));
        }
        app.advance(Duration::from_secs(11));
    }
    anyhow::bail!("the artifact was never stored")
}

pub(crate) async fn get(app: &TestApp, digest: &str, token: &str) -> anyhow::Result<Answered> {
    app.send(Method::GET, &format!("/v1/artifacts/{digest}"), token, None).await
}

fn refusal(answer: &Answered) -> (u16, &str) {
    (answer.status.as_u16(), answer.body["code"].as_str().unwrap_or_default())
}

/// The file that holds an organization's artifact.
pub(crate) fn file(app: &TestApp, digest: &str) -> PathBuf {
    let name = digest.strip_prefix("sha256:").unwrap();
    app.workspace.join("artifacts").join(app.org.to_string()).join(name)
}

#[tokio::test]
async fn a_large_result_is_kept_whole_and_found_by_the_digest_in_its_receipt() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let whole = json!({ "lines": lines("whole"), "password": "correct horse battery" });
    let done = answered(&app, &agent, whole).await?;
    let signed = receipt(&app, &agent.token, &done).await?;
    assert!(signed.outputs.as_ref().unwrap().to_string().len() <= 10 * 1024);
    let [digest] = signed.artifacts.as_slice() else { panic!("{:?}", signed.artifacts) };

    let found = get(&app, digest, &agent.token).await?;
    assert_eq!(found.status, StatusCode::OK);
    assert_eq!(Digest::of_bytes(&found.bytes).to_string(), *digest);
    assert_eq!(found.body["result"]["lines"], json!(lines("whole")));
    assert_eq!(found.body["result"]["password"], "[redacted]");
    assert!(!found.text.contains("correct horse"));
    let headers = &found.headers;
    assert_eq!(headers[header::CONTENT_TYPE], "application/json");
    assert!(headers[header::CONTENT_DISPOSITION].to_str()?.starts_with("attachment; filename="));
    assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");

    let at_rest = std::fs::read(file(&app, digest))?;
    assert!(!at_rest.windows(9).any(|part| part == b"whole 100"), "the stored artifact is encrypted");
    let small = answered(&app, &agent, json!("a few words")).await?;
    assert_eq!(receipt(&app, &agent.token, &small).await?.artifacts, Vec::<String>::new());
    app.check_invariants().await
}

#[tokio::test]
async fn an_artifact_is_for_people_of_its_org_and_for_its_own_session() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (agent, other) = (app.agent().await?, app.agent().await?);
    let (_, stranger) = app.another_org().await?;
    let foreign = app.agent_of(&stranger).await?;
    let (digest, _) = kept(&app, &agent, "ours").await?;
    let member = app.person(app.org, Role::Member).await?;
    for token in [&agent.token, &member, &app.owner_token] {
        assert_eq!(get(&app, &digest, token).await?.status, StatusCode::OK);
    }
    for token in [&other.token, &stranger, &foreign.token] {
        assert_eq!(refusal(&get(&app, &digest, token).await?), (404, "not_found"));
    }
    assert_eq!(get(&app, &digest, "").await?.status, StatusCode::UNAUTHORIZED);
    for nothing in ["sha256:00", "00", &"sha256:0".repeat(8), &format!("{}0", &digest[..digest.len() - 1])] {
        let answer = get(&app, nothing, &app.owner_token).await?;
        assert!(answer.status == StatusCode::NOT_FOUND || *nothing == *digest, "{nothing}");
    }
    // The same result in another organization is stored separately: they can read theirs, and ours stays ours.
    let (same, _) = kept(&app, &foreign, "ours").await?;
    assert_eq!(same, digest);
    assert_eq!(get(&app, &digest, &stranger).await?.status, StatusCode::OK);
    assert_eq!(refusal(&get(&app, &digest, &other.token).await?), (404, "not_found"));
    app.check_invariants().await
}

#[tokio::test]
async fn what_was_changed_where_it_is_kept_is_not_handed_out() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let ((one, _), (two, _)) = (kept(&app, &agent, "one").await?, kept(&app, &agent, "two").await?);
    let good = std::fs::read(file(&app, &one))?;
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let other = std::fs::read(file(&app, &two))?;
    for (what, bytes) in
        [("a bit", flipped), ("another's", other), ("cut", good[..20].to_vec()), ("long", vec![0; 5 << 20])]
    {
        std::fs::write(file(&app, &one), bytes)?;
        assert_eq!(refusal(&get(&app, &one, &agent.token).await?), (502, "artifact_changed"), "{what}");
    }
    std::fs::remove_file(file(&app, &one))?;
    assert_eq!(refusal(&get(&app, &one, &agent.token).await?), (503, "artifact_away"));
    // The next invocation with the same result stores the artifact again.
    kept(&app, &agent, "one").await?;
    assert_eq!(get(&app, &one, &agent.token).await?.status, StatusCode::OK);
    app.check_invariants().await
}

/// Makes a receipt older than the retention of its organization, and has overdue bodies erased.
async fn erase(app: &TestApp, done: &Answered) -> anyhow::Result<u64> {
    let id: model::ReceiptId = done.body["receipt"].as_str().unwrap().parse()?;
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE receipts NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE receipts SET finished_at = finished_at - interval '200 days' WHERE id = $1")
        .bind(id.uuid())
        .execute(&mut owner)
        .await?;
    sqlx::query("ALTER TABLE receipts FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    Ok(app.app.ledger.erase_overdue(app.org, 0).await?)
}

#[tokio::test]
async fn an_artifact_goes_with_the_body_of_its_receipt() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let (agent, other) = (app.agent().await?, app.agent().await?);
    let (digest, first) = kept(&app, &agent, "mine").await?;
    let (same, second) = kept(&app, &other, "mine").await?;
    assert_eq!(digest, same);
    app.sequence().await?;
    app.advance(Duration::from_secs(2 * 3_600));

    assert_eq!(erase(&app, &first).await?, 1);
    assert_eq!(refusal(&get(&app, &digest, &agent.token).await?), (404, "not_found"));
    assert_eq!(get(&app, &digest, &other.token).await?.status, StatusCode::OK, "another receipt names it");
    assert_eq!(erase(&app, &second).await?, 1);
    assert_eq!(refusal(&get(&app, &digest, &app.owner_token).await?), (404, "not_found"));
    assert!(!file(&app, &digest).exists());
    let mut tx = app.app.db.begin(app.org).await?;
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM artifacts").fetch_one(&mut *tx).await?;
    assert_eq!(left, 0);
    drop(tx);
    app.check_invariants().await
}

#[tokio::test]
async fn a_place_that_hangs_holds_no_action_up_for_long() -> anyhow::Result<()> {
    let s3 = FakeS3::start().await;
    let place = Objects::with_keys("s3://bucket/kept", &s3.endpoint(), "id", "secret")?;
    let app = TestApp::keeping(place).await?;
    let agent = app.agent().await?;
    let (digest, _) = kept(&app, &agent, "before").await?;
    assert_eq!(get(&app, &digest, &agent.token).await?.status, StatusCode::OK);
    let name = format!("kept/{}/{}", app.org, digest.strip_prefix("sha256:").unwrap());
    assert_eq!(s3.names(), [name]);

    s3.hang(true);
    for why in ["it is waited for a moment", "and then left alone"] {
        let begun = Instant::now();
        let done = answered(&app, &agent, json!(lines("while"))).await?;
        assert!(begun.elapsed() < Duration::from_secs(9), "{why}: {:?}", begun.elapsed());
        assert_eq!(s3.hung(), 1, "{why}");
        assert_eq!(done.body["status"], "succeeded");
        assert_eq!(receipt(&app, &agent.token, &done).await?.artifacts, Vec::<String>::new());
    }
    s3.hang(false);
    app.advance(Duration::from_secs(11));
    kept(&app, &agent, "after").await?;
    app.check_invariants().await
}

/// A source whose result is larger than the limit for artifacts.
struct Flood {
    slug: SourceSlug,
    definitions: Vec<ActionDefinition>,
}

#[async_trait]
impl ActionSource for Flood {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        Destination::NATIVE
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, _: &Call, _: &CallContext) -> Result<Outcome, SourceError> {
        Ok(Outcome::new(json!({ "rows": vec!["0123456789abcdef"; 300_000] })))
    }
}

#[tokio::test]
async fn of_what_is_too_large_to_keep_it_is_told_that_it_is_not_kept() -> anyhow::Result<()> {
    let definition = ActionDefinition {
        address: "flood.read".parse()?,
        description: "Answers with much.".to_owned(),
        input_schema: json!({ "type": "object" }),
        output_schema: None,
        risk: Risk::R0,
        effect: EffectClass::Read,
        labels: Labels::default(),
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 10_000,
    };
    let mut registry = Registry::default();
    registry.add(Arc::new(Flood { slug: "flood".parse()?, definitions: vec![definition] }))?;
    let app = TestApp::over(registry, Limits::default()).await?;
    let agent = app.agent().await?;
    let done = app.invoke(&agent, "flood.read", json!({})).await?;
    let signed = receipt(&app, &agent.token, &done).await?;
    assert_eq!(signed.artifacts, Vec::<String>::new());
    let outputs = signed.outputs.unwrap();
    assert_eq!(outputs["_whole"]["_not_kept"], true, "{outputs}");
    assert!(outputs["_whole"]["_bytes"].as_u64().unwrap() > 4 << 20);
    assert!(outputs.to_string().len() <= 10 * 1024);
    app.check_invariants().await
}
