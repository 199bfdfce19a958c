//! Webhooks: the requests of each command, and where a secret is printed.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{Streams, Stub, USER};

const WEBHOOK: &str = "whk_0192f0c1d2e37a4b8c5d6e7f80910a23";
const DELIVERY: &str = "dlv_0192f0c1d2e37a4b8c5d6e7f80910a24";
const EVENT: &str = "evt_0192f0c1d2e37a4b8c5d6e7f80910a25";
const AT: &str = "2026-11-15T02:02:00Z";

fn webhook() -> Value {
    json!({
        "id": WEBHOOK, "url": "https://hooks.example.com/x", "types": [], "enabled": false,
        "disabled_reason": "all deliveries have failed for five days", "created_by": USER, "created_at": AT,
    })
}

fn delivery() -> Value {
    json!({
        "id": DELIVERY, "webhook": WEBHOOK, "event": EVENT, "status": "pending", "attempts": 1,
        "last_status": 503, "last_error": "the receiver answered 503", "next_at": AT, "created_at": AT,
    })
}

#[tokio::test]
async fn each_command_asks_for_what_it_says() {
    let patch = |enabled: bool| json!({ "enabled": enabled });
    let (page, deliveries) = (json!({ "items": [webhook()] }), json!({ "items": [delivery()] }));
    let resend = format!("POST /v1/webhooks/{WEBHOOK}/deliveries/{DELIVERY}/resend");
    for (arguments, answer, line, body, shown) in [
        (vec!["list"], page, "GET /v1/webhooks".to_owned(), Value::Null, WEBHOOK),
        (
            vec!["show", WEBHOOK],
            webhook(),
            format!("GET /v1/webhooks/{WEBHOOK}"),
            Value::Null,
            "all deliveries have failed",
        ),
        (vec!["enable", WEBHOOK], webhook(), format!("PATCH /v1/webhooks/{WEBHOOK}"), patch(true), ""),
        (vec!["disable", WEBHOOK], webhook(), format!("PATCH /v1/webhooks/{WEBHOOK}"), patch(false), ""),
        (vec!["remove", WEBHOOK], Value::Null, format!("DELETE /v1/webhooks/{WEBHOOK}"), Value::Null, ""),
        (vec!["test", WEBHOOK], delivery(), format!("POST /v1/webhooks/{WEBHOOK}/test"), json!({}), DELIVERY),
        (
            vec!["deliveries", WEBHOOK],
            deliveries,
            format!("GET /v1/webhooks/{WEBHOOK}/deliveries"),
            Value::Null,
            "the receiver answered 503",
        ),
        (vec!["resend", WEBHOOK, DELIVERY], delivery(), resend, json!({}), DELIVERY),
    ] {
        let text = if answer.is_null() { String::new() } else { answer.to_string() };
        let stub = Stub::answering([(if answer.is_null() { 204 } else { 200 }, text)]).await;
        let outcome = stub.run(&[&["webhooks"], arguments.as_slice()].concat()).await;
        assert_eq!(outcome.exit, Exit::Done, "{arguments:?}: {}", outcome.err);
        let asked = stub.asked().remove(0);
        assert_eq!((asked.line, asked.body), (line, body), "{arguments:?}");
        assert!(outcome.out.contains(shown), "{arguments:?}: {}", outcome.out);
    }
}

#[tokio::test]
async fn a_new_secret_alone_goes_to_stdout() {
    let new = json!({ "webhook": webhook(), "secret": "whsec_c2VjcmV0" });
    let stub = Stub::once(201, new.clone()).await;
    let streams = Streams { input: r#"{"data.status": {"equals": "failed"}}"#, ..Streams::default() };
    let add =
        ["webhooks", "add", "https://hooks.example.com/x", "--type", "action.executed", "--filter", "-"];
    let outcome = streams.run(&stub.url, &add).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, "whsec_c2VjcmV0\n"), "{}", outcome.err);
    assert!(outcome.err.contains(WEBHOOK) && !outcome.err.contains("c2VjcmV0"), "{}", outcome.err);
    let filter = json!({ "data.status": { "equals": "failed" } });
    let body =
        json!({ "url": "https://hooks.example.com/x", "types": ["action.executed"], "filter": filter });
    assert_eq!(stub.asked().remove(0).body, body);
    let stub = Stub::once(200, new).await;
    let outcome = stub.run(&["webhooks", "rotate", WEBHOOK, "--json"]).await;
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).unwrap()["secret"], "whsec_c2VjcmV0");
}
