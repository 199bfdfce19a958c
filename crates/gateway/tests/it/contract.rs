//! The published OpenAPI document and the routes are the ones that this code serves.

use expect_test::expect_file;
use testkit::TestApp;

/// `UPDATE_EXPECT=1 cargo nextest run -p countersign-gateway contract` rewrites the file.
#[test]
fn the_published_openapi_document_is_the_one_of_this_code() {
    let text = serde_json::to_value(gateway::openapi()).unwrap();
    // The canonical form is used so that the order of keys does not depend on the features of other crates.
    let sorted = receipt::canonical::to_bytes(&text).unwrap();
    let sorted: serde_json::Value = serde_json::from_slice(&sorted).unwrap();
    assert_eq!(sorted["openapi"], "3.1.0");
    let pretty = serde_json::to_string_pretty(&sorted).unwrap() + "\n";
    expect_file!["../../../../schemas/openapi.json"].assert_eq(&pretty);
}

#[tokio::test]
async fn every_operation_has_the_name_of_its_handler_and_a_row_in_the_table_of_access() -> anyhow::Result<()>
{
    let document = serde_json::to_value(gateway::openapi())?;
    let mut described: Vec<(String, String)> = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(operation["operationId"].as_str().is_some_and(|id| id.contains('_')), "{method} {path}");
            described.push((method.to_uppercase(), path.clone()));
        }
    }
    let mut listed: Vec<_> = gateway::access_table()
        .iter()
        .map(|(method, path, _)| (method.to_string(), (*path).to_owned()))
        .collect();
    described.sort();
    listed.sort();
    assert_eq!(described, listed);
    Ok(())
}

#[tokio::test]
async fn health_and_the_reader_are_there_for_anyone() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    for path in ["/healthz", "/readyz", "/v1/openapi.json", "/docs", "/docs/reader.js", "/docs/problems"] {
        let answered = app.send(axum::http::Method::GET, path, "", None).await?;
        assert_eq!(answered.status.as_u16(), 200, "{path}");
    }
    let lost = app.send(axum::http::Method::GET, "/nowhere", "", None).await?;
    assert_eq!((lost.status.as_u16(), lost.body["code"].as_str()), (404, Some("no_such_route")));
    let elsewhere = app.send(axum::http::Method::GET, "/metrics", "", None).await?;
    assert_eq!(elsewhere.status.as_u16(), 404, "metrics have a listener of their own");
    let wrong = app.send(axum::http::Method::POST, "/healthz", "", None).await?;
    assert_eq!(wrong.status.as_u16(), 404);
    Ok(())
}
