//! What operators rely on, with real processes: who may call a worker, and where metrics are.

use reqwest::StatusCode;
use serde_json::json;
use testkit::{Deployment, IdentityKey, Options, Waiting, Worker, free_port};

const BINARY: &str = env!("CARGO_BIN_EXE_countersign");
const IDENTITY: &str = "COUNTERSIGN_RESTATE_IDENTITY_KEY";

/// Asks a worker what it can perform, as an engine does.
async fn discover(worker: &Worker, signature: Option<String>) -> anyhow::Result<StatusCode> {
    #[expect(clippy::disallowed_methods, reason = "workers speak HTTP/2 only, as no other server here does")]
    let http = reqwest::Client::builder().http2_prior_knowledge().no_proxy().build()?;
    let mut request = http.get(format!("{}/discover", worker.url));
    request = request.header("accept", "application/vnd.restate.endpointmanifest.v4+json");
    if let Some(signature) = signature {
        request = request.header("x-restate-signature-scheme", "v1").header("x-restate-jwt-v1", signature);
    }
    Ok(request.send().await?.status())
}

#[tokio::test]
async fn a_worker_with_the_key_of_its_engine_answers_nobody_else() -> anyhow::Result<()> {
    let (key, other) = (IdentityKey::generate(), IdentityKey::generate());
    let file = std::env::temp_dir().join(format!("countersign-{}.pem", key.public()));
    std::fs::write(&file, key.pem())?;
    let engine = vec![("RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE", &*file.display().to_string().leak())];
    let env = vec![(IDENTITY.to_owned(), key.public())];
    let options = Options { binary: Some(BINARY.into()), env, engine: Some(engine), ..Options::default() };
    let deployment = Deployment::start(options).await?;
    let mut worker = deployment.worker()?;
    worker.launch(&[]).await?;

    // The engine itself is answered: what it hands over is performed.
    let agent = deployment.agent("signed").await?;
    let params = json!({ "path": "note.txt", "text": "countersigned" });
    let (_, asked) = deployment.invoke(&agent, "files.write_text", &params, None).await?;
    let (status, done) = deployment.owner().approve(&Waiting::of(&asked)?, "30s").await?;
    assert_eq!((status, &done["status"]), (200, &json!("succeeded")), "{done}");

    for (who, signature) in [
        ("nobody", None),
        ("another key", Some(other.sign("/discover"))),
        ("a request to another path", Some(key.sign("/invoke/Effect/perform"))),
        ("not a token", Some("e30.e30.e30".to_owned())),
    ] {
        assert_eq!(discover(&worker, signature).await?, StatusCode::UNAUTHORIZED, "signed by {who}");
    }
    assert_eq!(discover(&worker, Some(key.sign("/discover"))).await?, StatusCode::OK);

    // Control: without the key everyone is answered.
    worker.launch(&[(IDENTITY, "")]).await?;
    assert_eq!(discover(&worker, None).await?, StatusCode::OK);
    std::fs::remove_file(file)?;
    Ok(())
}

#[tokio::test]
async fn metrics_are_served_on_their_own_listener_only() -> anyhow::Result<()> {
    let listen = format!("127.0.0.1:{}", free_port()?);
    let env = vec![("COUNTERSIGN_METRICS_LISTEN".to_owned(), listen.clone())];
    let options = Options { binary: Some(BINARY.into()), env, ..Options::default() };
    let deployment = Deployment::start(options).await?;
    let agent = deployment.agent("counted").await?;
    let (status, done) =
        deployment.invoke(&agent, "data.transform", &json!({ "template": "x" }), None).await?;
    assert_eq!(status, 200, "{done}");
    let get = async |url: String| deployment.client.get(url).send().await;
    let shown = get(format!("http://{listen}/metrics")).await?;
    assert_eq!(shown.status(), StatusCode::OK);
    let text = shown.text().await?;
    assert!(text.contains("# TYPE countersign_"), "{text}");
    assert_eq!(get(format!("{}/metrics", deployment.url)).await?.status(), StatusCode::NOT_FOUND);
    for path in ["/", "/healthz", "/v1/me", "/v1/signin"] {
        assert_eq!(get(format!("http://{listen}{path}")).await?.status(), StatusCode::NOT_FOUND, "{path}");
    }
    Ok(())
}
