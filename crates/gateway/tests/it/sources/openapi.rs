//! HTTP services connected by their OpenAPI document: reviewed, called as described, and drifted when the document
//! changes.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp, fakes::FakeOpenApi};

use crate::approvals::answers::{Waiting, approve, asked_again, opened, perform};

type Change = fn(&mut Value);

const TOKEN: &str = "pets-token-0123456789";

fn document() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Pets", "version": "1.2" },
        "servers": [{ "url": "/v1" }],
        "paths": {
            "/pets/{id}": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                "get": {
                    "operationId": "getPet", "summary": "Get a pet",
                    "parameters": [{ "name": "fields", "in": "query", "schema": { "type": "string" } }],
                },
                "post": {
                    "operationId": "feedPet", "summary": "Feed a pet",
                    "parameters": [
                        { "name": "dry", "in": "query", "schema": { "type": "boolean" } },
                        { "name": "X-Kitchen", "in": "header", "schema": { "type": "string" } },
                        { "name": "Idempotency-Key", "in": "header", "schema": { "type": "string" } },
                    ],
                    "requestBody": { "required": true, "content": { "application/json": { "schema": {
                        "$ref": "#/components/schemas/Meal" } } } },
                },
                "delete": { "operationId": "removePet" },
            },
            "/pets/{id}/photo": { "post": { "operationId": "upload", "requestBody": { "required": true,
                "content": { "multipart/form-data": {} } } } },
        },
        "components": { "schemas": { "Meal": {
            "type": "object", "required": ["what"], "additionalProperties": false,
            "properties": { "what": { "type": "string" }, "grams": { "type": "integer" } } } } },
    })
}

async fn connected() -> anyhow::Result<(TestApp, FakeOpenApi)> {
    let fake = FakeOpenApi::start(document(), Some(&format!("Bearer {TOKEN}"))).await;
    let app = TestApp::start().await?;
    send(&app, Method::PUT, "/v1/secrets/pets-token", json!({ "value": TOKEN })).await?;
    let body = json!({ "source": "pets", "kind": "openapi", "place": fake.document_url(),
        "auth": { "kind": "bearer", "secret": "pets-token" } });
    let added = send(&app, Method::POST, "/v1/connectors", body).await?;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert_eq!(added.body["problem"], Value::Null, "{}", added.text);
    assert_eq!(added.body["server"], "Pets 1.2");
    Ok((app, fake))
}

async fn send(app: &TestApp, method: Method, path: &str, body: Value) -> anyhow::Result<Answered> {
    app.send(method, path, &app.owner_token, Some(body)).await
}

async fn tool(app: &TestApp, name: &str) -> anyhow::Result<Value> {
    let found = app.send(Method::GET, "/v1/connectors/pets", &app.owner_token, None).await?;
    let tools = found.body["tools"].as_array().cloned().unwrap_or_default();
    tools
        .into_iter()
        .find(|tool| tool["tool"] == name)
        .ok_or_else(|| anyhow::anyhow!("{name}: {}", found.text))
}

async fn review(app: &TestApp, name: &str, effect: Option<&str>) -> anyhow::Result<Value> {
    let seen = tool(app, name).await?;
    let mut body = json!({ "tool": name, "verdict": "accept", "shape_hash": seen["shape_hash"],
        "text_hash": seen["text_hash"] });
    if let Some(effect) = effect {
        body["effect"] = json!(effect);
    }
    let reviewed = send(app, Method::POST, "/v1/connectors/pets/review", body).await?;
    anyhow::ensure!(reviewed.status == StatusCode::OK, "{}", reviewed.text);
    Ok(reviewed.body)
}

async fn harvest(app: &TestApp) -> anyhow::Result<Answered> {
    app.send(Method::POST, "/v1/connectors/pets/harvest", &app.owner_token, None).await
}

/// Requests an invocation that must wait for an approval.
async fn ask(app: &TestApp, agent: &Agent, action: &str, params: Value) -> anyhow::Result<Waiting> {
    let asked = app.invoke(agent, action, params).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    opened(app, &asked.body["id"]).await
}

#[tokio::test]
async fn operations_are_reviewed_and_then_called_exactly_as_described() -> anyhow::Result<()> {
    let (app, fake) = connected().await?;
    let agent = app.agent().await?;
    for (name, risk) in [("getPet", "R2"), ("feedPet", "R2"), ("removePet", "R3")] {
        let seen = tool(&app, name).await?;
        assert_eq!((seen["state"].as_str(), seen["risk"].as_str()), (Some("new"), Some(risk)), "{name}");
        assert_eq!(seen["seen"]["request"]["base"], format!("{}/v1", fake.url()));
    }
    let upload = tool(&app, "upload").await?;
    assert_eq!(
        (upload["state"].as_str(), upload["problem"].as_str()),
        (Some("unusable"), Some("its body is not JSON"))
    );

    // The operation has not been reviewed, so its invocation waits, although the document describes it as harmless.
    ask(&app, &agent, "pets.getpet", json!({ "id": "1" })).await?;
    let reviewed = review(&app, "getPet", Some("read")).await?;
    assert_eq!((reviewed["state"].as_str(), reviewed["risk"].as_str()), (Some("reviewed"), Some("R1")));
    let got = app.invoke(&agent, "pets.getpet", json!({ "id": "a b", "fields": "x&y" })).await?;
    assert_eq!(got.status, StatusCode::OK, "{}", got.text);
    assert_eq!(got.body["result"]["untrusted"], true);
    assert_eq!(got.body["result"]["status"], 200);
    assert_eq!(got.body["result"]["body"]["query"], json!({ "fields": "x&y" }));

    review(&app, "feedPet", None).await?;
    let meal =
        json!({ "id": "7", "dry": false, "X-Kitchen": "main", "body": { "what": "fish", "grams": 80 } });
    let waiting = ask(&app, &agent, "pets.feedpet", meal).await?;
    assert_eq!(fake.calls().len(), 1);
    approve(&app, &waiting).await?;
    let done = perform(&app, &waiting).await?.expect("the invocation was approved");
    assert_eq!(done.status.as_str(), "succeeded");
    assert!(perform(&app, &waiting).await?.is_some());
    assert_eq!(fake.effects(), [("POST /v1/pets/7".to_owned(), 1)].into());

    let calls = fake.calls();
    let call = &calls[1];
    assert_eq!((calls.len(), call.method.as_str(), call.path.as_str()), (2, "POST", "/v1/pets/7"));
    assert_eq!(call.query, [("dry".to_owned(), "false".to_owned())].into());
    assert_eq!(call.body, json!({ "what": "fish", "grams": 80 }));
    assert_eq!(call.header("authorization"), format!("Bearer {TOKEN}"));
    assert_eq!((call.header("x-kitchen"), call.header("content-type")), ("main", "application/json"));
    assert_eq!(call.header("idempotency-key"), waiting.id);
    app.check_invariants().await
}

#[tokio::test]
async fn a_changed_document_is_drift_with_or_without_a_harvest() -> anyhow::Result<()> {
    let changes: [(&str, Change); 3] = [
        ("/request/path", |document| {
            let item = document["paths"].as_object_mut().unwrap().remove("/pets/{id}").unwrap();
            document["paths"]["/admins/{id}"] = item;
        }),
        ("/input_schema/required", |document| {
            document["paths"]["/pets/{id}"]["get"]["parameters"][0]["required"] = json!(true);
        }),
        ("/input_schema/properties/bcc", |document| {
            let more = json!({ "name": "bcc", "in": "query", "schema": { "type": "string" } });
            document["paths"]["/pets/{id}"]["get"]["parameters"].as_array_mut().unwrap().push(more);
        }),
    ];
    for (place, change) in changes {
        let (app, fake) = connected().await?;
        let agent = app.agent().await?;
        review(&app, "getPet", Some("read")).await?;
        fake.change(change);
        // Without a harvest the change is not known here; the check before the call detects it.
        let params = json!({ "id": "1", "fields": "x" });
        let refused = app.invoke(&agent, "pets.getpet", params.clone()).await?;
        assert_eq!(refused.body["class"], "conflict", "{place}: {}", refused.text);
        harvest(&app).await?;
        let seen = tool(&app, "getPet").await?;
        assert_eq!(seen["state"], "changed", "{place}");
        let places: Vec<_> =
            seen["changes"].as_array().unwrap().iter().map(|change| &change["place"]).collect();
        assert!(places.contains(&&json!(place)), "{places:?}");
        ask(&app, &agent, "pets.getpet", params.clone()).await?;
        assert!(fake.calls().is_empty(), "{place}");
        // After another review it can be called again.
        review(&app, "getPet", Some("read")).await?;
        assert_eq!(app.invoke(&agent, "pets.getpet", params).await?.status, StatusCode::OK, "{place}");
        app.check_invariants().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_yes_is_void_when_the_request_becomes_another() -> anyhow::Result<()> {
    let (app, fake) = connected().await?;
    let agent = app.agent().await?;
    // The operation was never reviewed: its invocation waits, and the address of the request is not part of the
    // definition.
    let meal = json!({ "id": "7", "body": { "what": "fish" } });
    let waiting = ask(&app, &agent, "pets.feedpet", meal).await?;
    approve(&app, &waiting).await?;
    fake.change(|document| document["servers"][0]["url"] = json!("/v1/admin"));
    harvest(&app).await?;
    assert!(perform(&app, &waiting).await?.is_none());
    asked_again(&app, &waiting, "the definition of the action").await?;
    assert!(fake.calls().is_empty() && fake.effects().is_empty());
    app.check_invariants().await
}

#[tokio::test]
async fn a_document_that_cannot_be_read_leaves_a_mark_and_the_last_known_operations() -> anyhow::Result<()> {
    let (app, fake) = connected().await?;
    for (location, words) in
        [("http://169.254.169.254/latest", "metadata address"), ("http://127.0.0.1:1/", "lost before")]
    {
        fake.redirect("/openapi.json", location);
        let found = harvest(&app).await?;
        let problem = found.body["connector"]["problem"].as_str().unwrap_or_default();
        assert!(problem.contains(words), "{location}: {}", found.text);
        assert_eq!(tool(&app, "getPet").await?["state"], "new");
    }
    let fresh =
        json!({ "source": "yaml", "kind": "openapi", "place": format!("{}/v1/openapi.yaml", fake.url()) });
    let added = send(&app, Method::POST, "/v1/connectors", fresh).await?;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert!(added.body["problem"].as_str().is_some_and(|problem| problem.contains("401")), "{}", added.text);
    for place in ["ftp://pets.example/x", "https://user:pw@pets.example/x", "pets.example"] {
        let body = json!({ "source": "odd", "kind": "openapi", "place": place });
        let refused = send(&app, Method::POST, "/v1/connectors", body).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{place}: {}", refused.text);
    }
    Ok(())
}

#[tokio::test]
async fn values_cannot_lead_elsewhere_and_documents_cannot_lead_inside() -> anyhow::Result<()> {
    let (app, fake) = connected().await?;
    let agent = app.agent().await?;
    review(&app, "getPet", Some("read")).await?;
    for value in ["../admin", "..", ".", "x/../../admin", "..\\admin"] {
        let refused = app.invoke(&agent, "pets.getpet", json!({ "id": value })).await?;
        assert_eq!(refused.body["class"], "invalid", "{value}: {}", refused.text);
    }
    assert!(fake.calls().is_empty());
    for (value, path) in [
        ("%2e%2e", "/v1/pets/%252e%252e"),
        ("1?admin=1", "/v1/pets/1%3Fadmin=1"),
        ("1#x", "/v1/pets/1%23x"),
        ("//evil.example", "/v1/pets/%2F%2Fevil.example"),
    ] {
        let got = app.invoke(&agent, "pets.getpet", json!({ "id": value })).await?;
        assert_eq!(got.body["result"]["body"]["path"], path, "{}", got.text);
        assert_eq!(got.body["result"]["body"]["query"], json!({}));
    }
    let before = fake.calls().len();

    // A schema in another document makes an operation unusable, and the document is not fetched.
    fake.change(|document| {
        let body = &mut document["paths"]["/pets/{id}"]["post"]["requestBody"]["content"]["application/json"];
        body["schema"] = json!({ "$ref": "http://169.254.169.254/schema.json" });
        document["servers"][0]["url"] = json!("http://169.254.169.254/latest");
    });
    harvest(&app).await?;
    assert_eq!(tool(&app, "feedPet").await?["problem"], "it refers to another document");
    let moved = tool(&app, "getPet").await?;
    assert_eq!(
        (moved["state"].as_str(), moved["seen"]["request"]["base"].as_str()),
        (Some("changed"), Some("http://169.254.169.254/latest"))
    );
    // Even after an acceptance, the operation gets neither the credential nor a connection.
    review(&app, "getPet", Some("read")).await?;
    let refused = app.invoke(&agent, "pets.getpet", json!({ "id": "1" })).await?;
    assert_eq!(refused.body["class"], "auth", "{}", refused.text);
    assert_eq!(fake.calls().len(), before);
    app.check_invariants().await
}
