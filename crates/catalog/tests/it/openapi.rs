//! Services with an OpenAPI document, called as sources: where credentials are sent, and what is refused before it is
//! sent.

use std::{sync::Arc, time::Duration};

use catalog::{
    ActionSource, Call, CallContext, Outcome, SourceError,
    connector::{Auth, Connector, Kind, Sources, Tool},
};
use jiff::Timestamp;
use model::{ConnectorId, ErrorClass, OrgId, UserId};
use platform::egress::{Egress, EgressPolicy};
use serde_json::{Value, json};
use testkit::fakes::{FakeOpenApi, Fault};
use uuid::Uuid;

use crate::support::{TOKEN, context};

type Change = fn(&mut Value);

const ORG: OrgId = OrgId::from_uuid(Uuid::from_u128(1));

fn document(server: &str) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Pets", "version": "1" },
        "servers": [{ "url": server }],
        "paths": {
            "/pets": { "post": { "operationId": "add", "requestBody": { "content": { "application/json": { "schema": {
                "type": "object" } } } } } },
            "/pets/{id}": { "get": { "operationId": "get", "parameters": [
                { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
                { "name": "fields", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } },
            ] } },
        },
    })
}

fn bearer() -> Auth {
    Auth::Bearer { secret: "pets".to_owned() }
}

fn connector(place: &str, base: Option<&str>, auth: Auth) -> Connector {
    Connector {
        id: ConnectorId::from_uuid(Uuid::from_u128(2)),
        slug: "pets".parse().unwrap(),
        kind: Kind::parse("openapi", place, base).unwrap(),
        auth,
        enabled: true,
        server: None,
        last_harvested_at: None,
        last_error: None,
        created_by: UserId::from_uuid(Uuid::nil()),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

/// The source with its current operations, as an organization has it after a harvest.
async fn connected(connector: &Connector, ctx: &CallContext) -> Result<Arc<dyn ActionSource>, SourceError> {
    let sources = Sources::default();
    let harvest = sources.of(ORG, connector, &[]).harvest(ctx).await?;
    let tools = harvest.offers.into_iter().map(|offer| Tool {
        name: offer.name.clone(),
        action: Ok(offer.name.parse().unwrap()),
        shape_hash: offer.shape().unwrap().to_string(),
        text_hash: offer.text().unwrap().to_string(),
        offer,
        first_seen_at: Timestamp::UNIX_EPOCH,
        gone_at: None,
        reviewed: None,
        risk: None,
        effect: None,
        note: String::new(),
        destination: String::new(),
    });
    Ok(sources.of(ORG, connector, &tools.collect::<Vec<_>>()))
}

#[expect(clippy::disallowed_methods, reason = "what a source sends is what these tests are about")]
async fn call(
    source: &Arc<dyn ActionSource>,
    (action, params): (&str, Value),
    ctx: &CallContext,
) -> Result<Outcome, SourceError> {
    source.execute(&Call { action: action.parse().unwrap(), params }, ctx).await
}

#[tokio::test]
async fn a_call_is_made_as_described_after_a_look_at_the_document() {
    let fake = FakeOpenApi::start(document("/v1"), Some(&format!("Bearer {TOKEN}"))).await;
    let ctx = context("k");
    let pets = connected(&connector(&fake.document_url(), None, bearer()), &ctx).await.unwrap();
    let got = call(&pets, ("get", json!({ "id": "a/b?c", "fields": ["x"] })), &ctx).await.unwrap();
    let expected = json!({ "path": "/v1/pets/a%2Fb%3Fc", "query": { "fields": "x" }, "body": null });
    assert_eq!(got.output, json!({ "untrusted": true, "status": 200, "body": expected }));
    let added = call(&pets, ("add", json!({ "body": { "name": "Rex" } })), &ctx).await.unwrap();
    assert_eq!(added.output["body"]["body"], json!({ "name": "Rex" }));
    assert_eq!((fake.looks(), fake.count_effect("POST /v1/pets")), (3, 1));
    // The document is public, so the credential is not sent for it.
    let told = |seen: &testkit::fakes::Seen| !seen.header("authorization").is_empty();
    assert_eq!(fake.count_requests(|seen| seen.path == "/openapi.json" && told(seen)), 0);
}

#[tokio::test]
async fn a_changed_operation_is_not_called() {
    let ctx = context("k");
    let changes: [(&str, Change); 4] = [
        ("path", |document| {
            let item = document["paths"].as_object_mut().unwrap().remove("/pets").unwrap();
            document["paths"]["/admins"] = item;
        }),
        ("server", |document| document["servers"][0]["url"] = json!("http://127.0.0.1:9/")),
        ("a required field more", |document| {
            document["paths"]["/pets"]["post"]["requestBody"]["content"]["application/json"]["schema"]["required"] =
                json!(["iban"]);
        }),
        ("gone", |document| drop(document["paths"].as_object_mut().unwrap().remove("/pets"))),
    ];
    for (what, change) in changes {
        let fake = FakeOpenApi::start(document("/v1"), None).await;
        let pets = connected(&connector(&fake.document_url(), None, Auth::None), &ctx).await.unwrap();
        fake.change(change);
        let refused = call(&pets, ("add", json!({ "body": {} })), &ctx).await.unwrap_err();
        assert_eq!((refused.class, refused.sent), (ErrorClass::Conflict, false), "{what}: {refused}");
        assert!(fake.calls().is_empty(), "{what}");
    }
    // A reworded operation is still the same operation.
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let pets = connected(&connector(&fake.document_url(), None, Auth::None), &ctx).await.unwrap();
    fake.change(|document| document["paths"]["/pets"]["post"]["summary"] = json!("Other words"));
    assert!(call(&pets, ("add", json!({ "body": {} })), &ctx).await.is_ok());
}

#[tokio::test]
async fn a_document_that_cannot_be_read_stops_the_call_before_it() {
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let ctx = CallContext { timeout: Duration::from_secs(10), ..context("k") };
    let pets = connected(&connector(&fake.document_url(), None, Auth::None), &ctx).await.unwrap();
    for (fault, class) in [
        (Fault::Fail { status: 500, retry_after: None, body: json!({}) }, ErrorClass::Transient),
        (Fault::Fail { status: 404, retry_after: None, body: json!({}) }, ErrorClass::NotFound),
        (Fault::ResetAfterRequest, ErrorClass::Transient),
        (Fault::Hang, ErrorClass::Timeout),
    ] {
        fake.fault(fault.clone());
        let failed = call(&pets, ("add", json!({ "body": {} })), &ctx).await.unwrap_err();
        assert_eq!((failed.class, failed.sent), (class, false), "{fault:?}: {failed}");
    }
    assert!(fake.calls().is_empty());
}

#[tokio::test]
async fn a_failure_says_what_it_was_and_whether_it_was_sent() {
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let ctx = CallContext { timeout: Duration::from_secs(6), ..context("k") };
    let pets = connected(&connector(&fake.document_url(), None, Auth::None), &ctx).await.unwrap();
    let words = json!({ "message": "no such \u{7}pet" });
    for (fault, class) in [
        (Fault::Fail { status: 404, retry_after: None, body: words }, ErrorClass::NotFound),
        (Fault::Fail { status: 422, retry_after: None, body: json!({}) }, ErrorClass::Invalid),
        (Fault::Fail { status: 429, retry_after: Some(7), body: json!({}) }, ErrorClass::RateLimited),
        (Fault::Fail { status: 503, retry_after: None, body: json!({}) }, ErrorClass::Transient),
        (Fault::Fail { status: 304, retry_after: None, body: json!({}) }, ErrorClass::Permanent),
        (Fault::ResetAfterRequest, ErrorClass::Transient),
        (Fault::Hang, ErrorClass::Timeout),
    ] {
        fake.fault(Fault::Pass);
        fake.fault(fault.clone());
        let failed = call(&pets, ("add", json!({ "body": {} })), &ctx).await.unwrap_err();
        assert_eq!((failed.class, failed.sent), (class, true), "{fault:?}: {failed}");
        match class {
            ErrorClass::RateLimited => assert_eq!(failed.retry_after, Some(Duration::from_secs(7))),
            ErrorClass::NotFound => assert_eq!(failed.message, "`pets` answered 404: no such pet"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn calls_at_the_same_time_share_looks() {
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let ctx = context("k");
    let pets = connected(&connector(&fake.document_url(), None, Auth::None), &ctx).await.unwrap();
    let calls = (0..20).map(|n| call(&pets, ("get", json!({ "id": n.to_string() })), &ctx));
    let answers = futures::future::join_all(calls).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!((fake.looks(), fake.calls().len()), (1 + 2, 20));
}

#[tokio::test]
async fn a_credential_goes_only_where_an_admin_sent_it() {
    let authorization = format!("Bearer {TOKEN}");
    let (docs, api) = tokio::join!(
        FakeOpenApi::start(json!(null), Some(&authorization)),
        FakeOpenApi::start(json!(null), Some(&authorization)),
    );
    docs.change(|it| *it = document(&format!("{}/v1", api.url())));
    let told = |fake: &FakeOpenApi| fake.count_requests(|seen| !seen.header("authorization").is_empty());
    let ctx = context("k");

    // Only the document names the host for calls, which is not enough.
    let pets = connected(&connector(&docs.document_url(), None, bearer()), &ctx).await.unwrap();
    let refused = call(&pets, ("get", json!({ "id": "1" })), &ctx).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Auth, false), "{refused}");
    assert_eq!((told(&docs), told(&api), api.requests().len()), (0, 0, 0));

    // The admin names the host.
    let base = format!("{}/v1", api.url());
    let named = connector(&docs.document_url(), Some(&base), bearer());
    let pets = connected(&named, &ctx).await.unwrap();
    assert!(call(&pets, ("get", json!({ "id": "1" })), &ctx).await.is_ok());
    assert_eq!((told(&docs), told(&api)), (0, 1));

    // A document that requires a credential gets it only if it is on the host that the calls go to.
    docs.hide_document();
    let refused = connected(&named, &ctx).await.err().unwrap();
    assert_eq!((refused.class, told(&docs)), (ErrorClass::Auth, 0));
    api.change(|it| *it = document("/v1"));
    api.hide_document();
    let pets = connected(&connector(&api.document_url(), None, bearer()), &ctx).await.unwrap();
    assert!(call(&pets, ("get", json!({ "id": "1" })), &ctx).await.is_ok());

    // A read that is redirected to another host goes there without the credential.
    api.redirect("/v1/pets/2", &format!("{}/v1/pets/2", docs.url()));
    let sent_on = call(&pets, ("get", json!({ "id": "2" })), &ctx).await.unwrap_err();
    assert_eq!((sent_on.class, told(&docs)), (ErrorClass::Auth, 0), "{sent_on}");
    // A missing credential is noticed before anything is sent.
    let ctx = CallContext { credential: None, ..ctx };
    let refused = call(&pets, ("get", json!({ "id": "1" })), &ctx).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Auth, false));
}

#[tokio::test]
async fn no_document_leads_inside() {
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let open = context("k");
    let closed = CallContext { egress: Egress::new(EgressPolicy::default()).unwrap(), ..context("k") };
    let here = connector(&fake.document_url(), None, Auth::None);
    let refused = connected(&here, &closed).await.err().unwrap();
    assert_eq!((refused.class, fake.looks()), (ErrorClass::Permanent, 0), "{refused}");

    // Through a redirect of the document.
    for location in ["http://169.254.169.254/latest", "http://[::1]:1/", "file:///etc/passwd"] {
        fake.redirect("/openapi.json", location);
        let refused = connected(&here, &open).await.err().unwrap();
        assert!(refused.message.contains("redirect"), "{refused}");
    }

    // Through the URL of a server, and through a redirect of a call.
    let fake = FakeOpenApi::start(document("http://169.254.169.254/latest"), None).await;
    let here = connector(&fake.document_url(), None, Auth::None);
    let inside = connected(&here, &open).await.unwrap();
    let refused = call(&inside, ("get", json!({ "id": "meta-data" })), &open).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Permanent, false), "{refused}");

    let fake = FakeOpenApi::start(document("/v1"), None).await;
    let here = connector(&fake.document_url(), None, Auth::None);
    let pets = connected(&here, &open).await.unwrap();
    fake.redirect("/v1/pets/1", "http://169.254.169.254/latest");
    let refused = call(&pets, ("get", json!({ "id": "1" })), &open).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Permanent, true), "{refused}");
    // A write follows no redirect, not even to an allowed address.
    fake.redirect("/v1/pets", "/v1/others");
    let refused = call(&pets, ("add", json!({ "body": {} })), &open).await.unwrap_err();
    assert_eq!((refused.class, refused.sent), (ErrorClass::Permanent, true), "{refused}");
    assert_eq!(fake.count_requests(|seen| seen.path == "/v1/others"), 0);
}

#[tokio::test]
async fn a_document_that_is_too_large_is_not_read() {
    let fake = FakeOpenApi::start(document("/v1"), None).await;
    fake.change(|document| document["info"]["description"] = json!("x".repeat(5 << 20)));
    let refused =
        connected(&connector(&fake.document_url(), None, Auth::None), &context("k")).await.err().unwrap();
    assert!(refused.message.contains("larger than 4194304 bytes"), "{refused}");
}
