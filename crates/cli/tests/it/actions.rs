//! Running actions: the requests, the output and the exit codes.

use cli::Exit;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

use crate::stub::{
    INVOCATION, ORG, RECEIPT, REQUEST, SESSION, Streams, Stub, USER, grant_request, invocation, me, problem,
};

fn catalog() -> Value {
    let action = |address: &str| {
        json!({
            "action": address, "description": "Does \u{1b}[2Jit\nand more", "risk": "R2", "effect": "once",
            "mode": "deny", "reason": "r", "input_schema": {}, "later": 1,
        })
    };
    json!({
        "sources": [
            { "source": "linear", "connected": true },
            { "source": "slack", "connected": false, "problem": "no credential\u{202e}" },
        ],
        "actions": [action("linear.create_issue"), action("slack.send_message")],
    })
}

#[tokio::test]
async fn a_session_token_knows_its_session() {
    let stub = Stub::answering([me(), (200, catalog().to_string())]).await;
    let outcome = stub.run(&["actions", "list"]).await;
    assert_eq!(outcome.exit, Exit::Done);
    let lines: Vec<_> = stub.asked().into_iter().map(|asked| asked.line).collect();
    assert_eq!(lines, ["GET /v1/me", &format!("GET /v1/sessions/{SESSION}/actions/available")]);
    assert!(
        outcome.out.starts_with("ACTION               RISK  MODE  EFFECT  DESCRIPTION\n"),
        "{}",
        outcome.out
    );
    assert!(
        outcome.out.contains("linear.create_issue  R2    deny  once    Does \\u{1b}[2Jit\n"),
        "{}",
        outcome.out
    );
    assert_eq!(outcome.err, "note: source slack is unavailable: no credential\\u{202e}\n");
}

#[tokio::test]
async fn a_persons_token_must_name_the_session() {
    let person = json!({ "org": ORG, "user": USER, "role": "admin" }).to_string();
    let stub = Stub::answering([(200, person), (200, catalog().to_string())]).await;
    let outcome = stub.run(&["actions", "list"]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("--session"), "{}", outcome.err);

    let outcome = stub.run(&["actions", "list", "--session", SESSION, "--source", "slack", "--json"]).await;
    assert_eq!(outcome.exit, Exit::Done);
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(shown["actions"].as_array().unwrap().len(), 1);
    assert_eq!(shown["actions"][0]["later"], 1, "fields of a later version are kept");
    assert_eq!(shown["sources"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_guide_is_text_that_a_terminal_does_not_obey() {
    let stub = Stub::answering([(200, "# Linear\n\u{1b}]0;owned\u{7}\n".to_owned())]).await;
    let outcome = stub.run(&["actions", "guide", "linear", "--session", SESSION]).await;
    assert_eq!(outcome.out, "# Linear\n\\u{1b}]0;owned\\u{7}\n");
    assert_eq!(stub.asked()[0].line, format!("GET /v1/sessions/{SESSION}/actions/guide/linear"));
}

#[tokio::test]
async fn run_sends_parameters_and_key_and_prints_the_result() {
    let mut done = invocation("succeeded");
    done["result"] = json!({ "id": "ISS-12", "title": "\u{202e}" });
    done["receipt"] = RECEIPT.into();
    let stub = Stub::answering([me(), (200, done.to_string())]).await;
    let run = ["actions", "run", "linear.create_issue", "--param", "title=x", "--param", "estimate:=3"];
    let outcome = stub.run(&[&run[..], &["--key", "issue-42"]].concat()).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert_eq!(outcome.out, "{\n  \"id\": \"ISS-12\",\n  \"title\": \"\\u202e\"\n}\n");
    assert_eq!(outcome.err, format!("linear.create_issue succeeded: {INVOCATION}, receipt {RECEIPT}\n"));
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, format!("POST /v1/sessions/{SESSION}/actions/invoke"));
    assert_eq!(asked.key.as_deref(), Some("issue-42"));
    let expected = json!({ "action": "linear.create_issue", "params": { "title": "x", "estimate": 3 }, "dry_run": false });
    assert_eq!(asked.body, expected);
}

#[tokio::test]
async fn a_dry_run_shows_what_would_happen() {
    let mut dry = invocation("skipped");
    dry["dry_run"] = true.into();
    dry["preview"] = json!({
        "summary": "would create an issue",
        "changes": [{ "field": "title", "before": null, "after": "x" }],
    });
    let stub = Stub::answering([(200, dry.to_string())]).await;
    let streams = Streams { input: "{\"title\":\"x\"}", ..Streams::default() };
    let arguments =
        ["actions", "run", "linear.create_issue", "--params", "-", "--dry-run", "--session", SESSION];
    let outcome = streams.run(&stub.url, &arguments).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.contains("would create an issue"), "{}", outcome.out);
    assert!(outcome.out.contains("title  null    \"x\""), "{}", outcome.out);
    assert_eq!(stub.asked()[0].body["dry_run"], true);
}

#[tokio::test]
async fn json_is_printed_as_it_came() {
    let exact = invocation("pending").to_string().replace("\"attempts\":1", "\"attempts\": 1,\"later\":1.50");
    let stub = Stub::answering([(202, exact.clone())]).await;
    let arguments = ["actions", "run", "linear.create_issue", "--json", "--no-wait", "--session", SESSION];
    let outcome = stub.run(&arguments).await;
    assert_eq!(outcome.exit, Exit::Pending);
    assert_eq!(outcome.out, format!("{exact}\n"));
}

#[tokio::test]
async fn every_status_ends_with_its_code() {
    for (status, exit) in [
        ("pending", Exit::Pending),
        ("denied", Exit::Denied),
        ("expired", Exit::Denied),
        ("failed", Exit::ActionFailed),
        ("reverted", Exit::ActionFailed),
        ("unknown", Exit::Unknown),
        ("succeeded", Exit::Done),
    ] {
        let stub = Stub::once(200, invocation(status)).await;
        let outcome = stub.run(&["actions", "status", INVOCATION, "--session", SESSION]).await;
        assert_eq!(outcome.exit, exit, "{status}");
        assert!(outcome.out.contains(status), "{}", outcome.out);
        assert_eq!(stub.asked()[0].line, format!("GET /v1/sessions/{SESSION}/invocations/{INVOCATION}"));
    }
}

#[tokio::test]
async fn waiting_ends_with_the_answer_of_the_person_and_survives_an_outage() {
    let stub = Stub::answering([
        (202, invocation("pending").to_string()),
        (503, problem(503, "unavailable").to_string()),
        (200, invocation("denied").to_string()),
    ])
    .await;
    let streams = Streams { terminal: true, ..Streams::default() };
    let arguments = ["actions", "run", "linear.create_issue", "--wait", "30", "--session", SESSION];
    let outcome = streams.run(&stub.url, &arguments).await;
    assert_eq!(outcome.exit, Exit::Denied);
    assert_eq!(stub.asked().len(), 3);
    assert!(outcome.err.contains("pending: "), "{:?}", outcome.err);
}

#[tokio::test]
async fn run_waits_for_the_person_unless_told_otherwise() {
    let mut pending = invocation("pending");
    pending["expires_at"] = "2026-11-15T02:07:00Z".into();
    let pending = (202, pending.to_string());
    let stub = Stub::answering([
        pending.clone(),
        pending.clone(),
        (200, invocation("executing").to_string()),
        (200, invocation("succeeded").to_string()),
        pending,
    ])
    .await;
    let arguments = ["actions", "run", "linear.create_issue", "--session", SESSION];
    let outcome = stub.run(&arguments).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.err.starts_with(&format!("waiting for approval of {INVOCATION}")), "{}", outcome.err);
    let line = format!("GET /v1/sessions/{SESSION}/invocations/{INVOCATION}?wait=30000ms");
    assert!(stub.asked()[1..4].iter().all(|asked| asked.line == line), "{:?}", stub.asked());

    let outcome = stub.run(&[&arguments[..], &["--no-wait"]].concat()).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Pending, 5));
}

#[tokio::test]
async fn a_token_that_is_refused_while_waiting_ends_the_wait() {
    let stub = Stub::answering([
        (202, invocation("pending").to_string()),
        (401, problem(401, "unauthenticated").to_string()),
    ])
    .await;
    let outcome = stub.run(&["actions", "run", "linear.create_issue", "--session", SESSION]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Unreachable, 2), "{}", outcome.err);
}

#[tokio::test]
async fn an_agent_can_only_ask_for_a_grant() {
    let request =
        |status: &str| (if status == "pending" { 202 } else { 200 }, grant_request(status).to_string());
    let stub = Stub::answering([me(), request("pending"), request("granted"), request("denied")]).await;
    let outcome = stub
        .run(&[
            "actions",
            "request",
            "linear.add_comment",
            "--calls",
            "10",
            "--for",
            "2h",
            "--reason",
            "triage",
        ])
        .await;
    assert_eq!(outcome.exit, Exit::Pending, "{}", outcome.err);
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, format!("POST /v1/sessions/{SESSION}/grants/request"));
    let body =
        json!({ "action": "linear.add_comment", "max_calls": 10, "lifetime_s": 7_200, "reason": "triage" });
    assert_eq!(asked.body, body);
    assert!(outcome.out.contains("10 calls within 2h 00m"), "{}", outcome.out);
    for exit in [Exit::Done, Exit::Denied] {
        let outcome = stub.run(&["actions", "status", REQUEST, "--session", SESSION]).await;
        assert_eq!(outcome.exit, exit);
    }
    assert_eq!(stub.asked()[2].line, format!("GET /v1/sessions/{SESSION}/grants/requests/{REQUEST}"));
}

#[tokio::test]
async fn problems_are_explained_and_end_with_their_code() {
    let mut denied = problem(403, "denied");
    denied["invocation"] = INVOCATION.into();
    denied["errors"] = json!([{ "pointer": "/title", "message": "is required" }]);
    let exact = denied.to_string();
    let stub = Stub::answering([(403, exact.clone()), (403, exact.clone())]).await;
    let arguments = ["actions", "run", "linear.create_issue", "--session", SESSION];
    let outcome = stub.run(&arguments).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Denied, ""));
    assert_eq!(
        outcome.err,
        format!(
            "error: It did not work: because (denied, 403)\n  at /title: is required\n  invocation: \
             {INVOCATION}\nhint:  try something else\n"
        )
    );
    let outcome = stub.run(&[&arguments[..], &["--json"]].concat()).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Denied, format!("{exact}\n")));
}

#[tokio::test]
async fn an_answer_nobody_can_read_leaves_the_outcome_unknown() {
    let arguments = ["actions", "run", "linear.create_issue", "--session", SESSION];
    for answer in [
        (504, "<html>gateway timeout\u{1b}[2J</html>".to_owned()),
        (500, problem(500, "bug").to_string()),
        (200, "{}".to_owned()),
    ] {
        let stub = Stub::answering([answer.clone(), answer]).await;
        let outcome = stub.run(&arguments).await;
        assert_eq!(outcome.exit, Exit::Unknown, "{}", outcome.err);
        assert!(outcome.err.contains("actions history"), "{}", outcome.err);
        assert!(!outcome.err.contains('\u{1b}'));
        let outcome = stub.run(&[&arguments[..], &["--dry-run"]].concat()).await;
        assert_ne!(outcome.exit, Exit::Unknown, "the outcome of a dry run is never unknown");
    }
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_request_leaves_the_outcome_unknown() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // The request is accepted and read, but never answered.
            stream.readable().await.unwrap();
            let _ = stream.try_read(&mut [0; 4096]);
        }
    });
    let arguments = ["actions", "run", "linear.create_issue", "--session", SESSION];
    assert_eq!(Streams::default().run(&url, &arguments).await.exit, Exit::Unknown);
    let dry = [&arguments[..], &["--dry-run"]].concat();
    assert_eq!(Streams::default().run(&url, &dry).await.exit, Exit::Unreachable);
}

#[tokio::test]
async fn waiting_has_an_end() {
    let pending = (202, invocation("pending").to_string());
    let stub = Stub::answering([pending.clone(), pending]).await;
    let arguments = ["actions", "run", "linear.create_issue", "--wait", "1", "--session", SESSION];
    let outcome = stub.run(&arguments).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Pending, 2));
    assert!(outcome.err.contains(&format!("actions status {INVOCATION}")), "{}", outcome.err);
    assert!(!outcome.err.contains('\r'), "progress is shown only on terminals");
}

#[tokio::test]
async fn a_gateway_that_is_not_there_was_asked_nothing() {
    // Port 1 of loopback: no process listens there.
    let arguments = ["actions", "run", "linear.create_issue", "--session", SESSION];
    let outcome = Streams::default().run("http://127.0.0.1:1", &arguments).await;
    assert_eq!(outcome.exit, Exit::Unreachable);
    assert!(outcome.err.contains("cannot reach the gateway at http://127.0.0.1:1/"), "{}", outcome.err);
}

#[tokio::test]
async fn history_is_a_list() {
    let page = json!({ "items": [invocation("failed")], "next_cursor": "c1" });
    let stub = Stub::once(200, page).await;
    let outcome = stub.run(&["actions", "history", "--session", SESSION]).await;
    assert!(outcome.out.contains(INVOCATION) && outcome.out.contains("failed"), "{}", outcome.out);
    assert_eq!(outcome.err, "more results: use --cursor c1 or --all\n");
}
