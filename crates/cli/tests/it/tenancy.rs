//! People, spaces, tokens, sessions, rules, and values that must not be shown.

use std::fs;

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{ORG, Outcome, RECEIPT, SESSION, SPACE, Streams, Stub, TOKEN, USER, problem};

const AT: &str = "2026-11-15T02:02:00Z";

/// Runs a command and returns the request that it sent.
async fn sent(answer: Value, streams: Streams, arguments: &[&str]) -> (String, Value, Outcome) {
    let text = if answer.is_null() { String::new() } else { answer.to_string() };
    let stub = Stub::answering([(if answer.is_null() { 204 } else { 200 }, text)]).await;
    let outcome = streams.run(&stub.url, arguments).await;
    assert_eq!(outcome.exit, Exit::Done, "{arguments:?}: {}", outcome.err);
    let asked = stub.asked().remove(0);
    (asked.line, asked.body, outcome)
}

#[tokio::test]
async fn each_command_asks_for_what_it_says() {
    let rule = "rul_0192f0c1d2e37a4b8c5d6e7f80910a20";
    let token = "tok_0192f0c1d2e37a4b8c5d6e7f80910a20";
    let at = "2026-11-18T08:00:00Z";
    let member = json!({ "user": USER, "name": "A", "role": "admin", "kind": "service", "joined_at": at });
    let space = json!({ "id": SPACE, "slug": "prod", "name": "prod", "risk_band": "red", "outbound_redaction": false,
        "open_to": "members", "may_open": true });
    for (arguments, answer, line, body) in [
        (
            vec!["rules", "set", "linear.*", "deny", "--reason", "no"],
            Value::Null,
            "PUT /v1/rules".to_owned(),
            json!({ "action": "linear.*", "mode": "deny", "reason": "no" }),
        ),
        (vec!["rules", "remove", rule], Value::Null, format!("DELETE /v1/rules/{rule}"), Value::Null),
        (
            vec!["sessions", "end", SESSION],
            Value::Null,
            format!("DELETE /v1/sessions/{SESSION}"),
            Value::Null,
        ),
        (vec!["tokens", "revoke", token], Value::Null, format!("DELETE /v1/tokens/{token}"), Value::Null),
        (
            vec!["connections", "remove", "linear"],
            Value::Null,
            "DELETE /v1/connections/linear".to_owned(),
            Value::Null,
        ),
        (vec!["secrets", "remove", "a/b"], Value::Null, "DELETE /v1/secrets/a%2Fb".to_owned(), Value::Null),
        (
            vec!["members", "add-service", "deploy pipeline", "--role", "admin"],
            member,
            "POST /v1/service-accounts".to_owned(),
            json!({ "name": "deploy pipeline", "role": "admin" }),
        ),
        (
            vec!["spaces", "create", "prod", "--band", "red"],
            space,
            "POST /v1/spaces".to_owned(),
            json!({ "slug": "prod", "name": "prod", "risk_band": "red", "open_to": "members" }),
        ),
        (
            vec!["spaces", "set", SPACE, "--band", "black", "--outbound-redaction", "true"],
            Value::Null,
            format!("PATCH /v1/spaces/{SPACE}"),
            json!({ "risk_band": "black", "outbound_redaction": true }),
        ),
        (
            vec!["whoami"],
            json!({ "org": ORG, "user": USER, "role": "owner" }),
            "GET /v1/me".to_owned(),
            Value::Null,
        ),
    ] {
        let (asked, sent, _) = sent(answer, Streams::default(), &arguments).await;
        assert_eq!((asked, sent), (line, body), "{arguments:?}");
    }
}

#[tokio::test]
async fn each_command_about_notifiers_asks_for_what_it_says() {
    let notifier = "ntf_0192f0c1d2e37a4b8c5d6e7f80910a20";
    for (arguments, answer, line, body) in [
        (
            vec!["notifiers", "remove", notifier],
            Value::Null,
            format!("DELETE /v1/notifiers/{notifier}"),
            Value::Null,
        ),
        (
            vec!["notifiers", "add", "--slack", "C024BE91L", "--space", SPACE],
            json!({ "id": notifier, "kind": "slack", "target": "C024BE91L", "space": SPACE, "created_at": AT }),
            "POST /v1/notifiers".to_owned(),
            json!({ "kind": "slack", "target": "C024BE91L", "space": SPACE }),
        ),
        (
            vec!["notifiers", "test", notifier],
            json!({ "delivered": true }),
            format!("POST /v1/notifiers/{notifier}/test"),
            json!({}),
        ),
        (
            vec!["slack", "link", "U024BE7LH", USER],
            Value::Null,
            "PUT /v1/slack/people/U024BE7LH".to_owned(),
            json!({ "user": USER }),
        ),
        (
            vec!["slack", "unlink", "U024BE7LH"],
            Value::Null,
            "DELETE /v1/slack/people/U024BE7LH".to_owned(),
            Value::Null,
        ),
    ] {
        let (asked, sent, _) = sent(answer, Streams::default(), &arguments).await;
        assert_eq!((asked, sent), (line, body), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_new_session_leaves_its_token_alone_on_stdout() {
    let answer = json!({
        "session": {
            "id": SESSION, "space": SPACE, "kind": "unattended", "agent": "nightly\u{1b}", "title": "",
            "capabilities": ["linear:read"], "created_by": USER, "created_at": AT, "expires_at": AT,
        },
        "token": "csn_ses_new",
    });
    let arguments = [
        "sessions",
        "create",
        "--agent",
        "nightly",
        "--kind",
        "unattended",
        "--lifetime",
        "8h",
        "--capability",
        "linear:read",
        "--space",
        SPACE,
    ];
    let (line, body, outcome) = sent(answer, Streams::default(), &arguments).await;
    assert_eq!(line, "POST /v1/sessions");
    assert_eq!(
        body,
        json!({
            "agent": "nightly", "title": "", "space": SPACE, "kind": "unattended",
            "capabilities": ["linear:read"], "lifetime_s": 28800,
        })
    );
    assert_eq!(outcome.out, "csn_ses_new\n");
    assert!(outcome.err.contains("nightly\\u{1b}"), "{}", outcome.err);
}

#[tokio::test]
async fn a_token_can_be_made_for_a_service_account() {
    let answer = json!({ "id": "tok_0192f0c1d2e37a4b8c5d6e7f80910a20", "token": "csn_api_new" });
    let arguments = ["tokens", "create", "laptop", "--user", USER];
    let (line, body, outcome) = sent(answer, Streams::default(), &arguments).await;
    assert_eq!((line, body), (format!("POST /v1/members/{USER}/tokens"), json!({ "name": "laptop" })));
    assert_eq!(outcome.out, "csn_api_new\n");
}

#[tokio::test]
async fn credentials_come_from_stdin_or_a_file_and_are_not_repeated() {
    let piped = Streams { input: "lin_api_secret\n", ..Streams::default() };
    let arguments = ["connections", "add", "linear", "--name", "acme"];
    let (line, body, outcome) = sent(Value::Null, piped, &arguments).await;
    assert_eq!(line, "PUT /v1/connections/linear");
    assert_eq!(body, json!({ "name": "acme", "token": "lin_api_secret" }));
    assert!(!outcome.out.contains("lin_api") && !outcome.err.contains("lin_api"));

    let file = std::env::temp_dir().join(format!("countersign-cli-secret-{}", std::process::id()));
    fs::write(&file, "from a file\r\n").unwrap();
    let arguments = ["secrets", "set", "db", "--from-file", file.to_str().unwrap()];
    let (line, body, _) = sent(Value::Null, Streams::default(), &arguments).await;
    assert_eq!((line.as_str(), body), ("PUT /v1/secrets/db", json!({ "value": "from a file" })));
    fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn values_that_would_be_seen_or_are_missing_are_refused_before_anything_is_asked() {
    for (streams, arguments) in [
        (Streams { input: "v", terminal: true, ..Streams::default() }, vec!["secrets", "set", "x"]),
        (Streams { input: "\n", ..Streams::default() }, vec!["secrets", "set", "x"]),
        (Streams::default(), vec!["secrets", "set", "x", "--from-env", "COUNTERSIGN_NO_SUCH_VARIABLE"]),
        (Streams::default(), vec!["secrets", "set", "x", "--from-file", "/does/not/exist"]),
        (Streams { input: "v", ..Streams::default() }, vec!["secrets", "set", ".."]),
        (Streams { token: None, ..Streams::default() }, vec!["whoami"]),
    ] {
        let stub = Stub::answering([]).await;
        let outcome = streams.run(&stub.url, &arguments).await;
        assert_eq!(outcome.exit, Exit::Usage, "{arguments:?}: {}", outcome.err);
        assert!(stub.asked().is_empty(), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_token_file_wins_over_the_environment() {
    let file = std::env::temp_dir().join(format!("countersign-cli-token-{}", std::process::id()));
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let stub = Stub::once(200, json!({ "org": ORG })).await;
    let streams = Streams { token: Some("csn_api_other"), ..Streams::default() };
    let outcome = streams.run(&stub.url, &["whoami", "--token-file", file.to_str().unwrap()]).await;
    fs::remove_file(file).unwrap();
    assert_eq!((outcome.exit, outcome.out), (Exit::Done, format!("org  {ORG}\n")));
}

#[tokio::test]
async fn a_token_the_gateway_does_not_know_ends_as_unreachable() {
    let stub = Stub::answering([]).await;
    let streams = Streams { token: Some("csn_api_other"), ..Streams::default() };
    let outcome = streams.run(&stub.url, &["receipts", "show", RECEIPT]).await;
    assert_eq!(outcome.exit, Exit::Unreachable);
    assert!(
        outcome.err.contains("unauthenticated") && !outcome.err.contains("csn_api_other"),
        "{}",
        outcome.err
    );
}

#[tokio::test]
async fn a_body_cannot_soften_the_status_it_came_with() {
    let stub = Stub::once(403, problem(404, "not_found")).await;
    let outcome = stub.run(&["receipts", "show", RECEIPT]).await;
    assert_eq!(outcome.exit, Exit::Denied, "{}", outcome.err);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let me = json!({ "org": ORG }).to_string();
    let stub = Stub::answering([(302, String::new()), (200, me)]).await;
    let outcome = stub.run(&["whoami"]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Failed, 1));
    assert!(outcome.err.contains("redirects are not followed"), "{}", outcome.err);
}
