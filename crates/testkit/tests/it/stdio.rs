//! A connector over the standard streams of a command that the operator declared, and one that tells of its changes.

use std::{collections::BTreeMap, time::Duration};

use axum::http::{Method, StatusCode};
use catalog::mcp::{Command, Commands, Organizations};
use serde_json::{Value, json};
use testkit::{Answered, TestApp};

async fn app() -> TestApp {
    let env = BTreeMap::from([("RUST_LOG".to_owned(), "off".to_owned())]);
    let program = env!("CARGO_BIN_EXE_mcp_server");
    let everybody = Command {
        command: vec![program.to_owned()],
        env,
        organizations: Organizations::ALL,
        ..Command::default()
    };
    let nobody = Command { organizations: Organizations::default(), ..everybody.clone() };
    let declared = [("example".to_owned(), everybody), ("of-others".to_owned(), nobody)];
    TestApp::commanding(Commands::new(declared.into(), Some(program.into()))).await.unwrap()
}

async fn send(app: &TestApp, method: Method, path: &str, body: Option<Value>) -> Answered {
    app.send(method, path, &app.owner_token, body).await.unwrap()
}

async fn connect(app: &TestApp, body: Value) -> Answered {
    let added = send(app, Method::POST, "/v1/connectors", Some(body)).await;
    assert_eq!((added.status, &added.body["problem"]), (StatusCode::CREATED, &Value::Null), "{}", added.text);
    added
}

/// The names of the tools, with their states.
async fn tools(app: &TestApp) -> Vec<(String, String)> {
    let found = send(app, Method::GET, "/v1/connectors/example", None).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tools = found.body["tools"].as_array().unwrap();
    tools.iter().map(|tool| (text(&tool["tool"]), text(&tool["state"]))).collect()
}

async fn accept(app: &TestApp, name: &str, effect: &str) {
    let found = send(app, Method::GET, "/v1/connectors/example", None).await;
    let tool =
        found.body["tools"].as_array().unwrap().iter().find(|tool| tool["tool"] == name).unwrap().clone();
    let review = json!({
        "tool": name, "shape_hash": tool["shape_hash"], "text_hash": tool["text_hash"], "verdict": "accept",
        "risk": "R1", "effect": effect,
    });
    let said = send(app, Method::POST, "/v1/connectors/example/review", Some(review)).await;
    assert_eq!(said.status, StatusCode::OK, "{}", said.text);
}

/// A change is told, and harvested without anybody asking.
async fn changes_are_heard(app: &TestApp) {
    accept(app, "add", "read").await;
    accept(app, "learn", "once").await;
    let agent = app.agent().await.unwrap();
    let added = app.invoke(&agent, "example.add", json!({ "a": 2, "b": 3 })).await.unwrap();
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    assert!(added.text.contains("\"5\"") && added.text.contains("untrusted"), "{}", added.text);
    let names = |tools: &[(String, String)]| tools.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&tools(app).await), ["add", "learn", "note"]);

    let learnt = app.invoke(&agent, "example.learn", json!({})).await.unwrap();
    assert_eq!(learnt.status, StatusCode::OK, "{}", learnt.text);
    for _ in 0..1_200 {
        if tools(app).await.contains(&("shout".to_owned(), "new".to_owned())) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody heard that there is a new tool: {:?}", tools(app).await);
}

#[tokio::test]
async fn a_declared_command_is_harvested_called_and_heard() {
    let app = app().await;
    let added = connect(&app, json!({ "source": "example", "kind": "stdio", "place": "example" })).await;
    assert_eq!((&added.body["tools"], &added.body["to_review"]), (&json!(3), &json!(3)));
    assert!(added.body["server"].as_str().unwrap().starts_with("example "), "{}", added.text);
    changes_are_heard(&app).await;
}

#[tokio::test]
async fn the_same_server_over_http_is_heard_as_well() {
    let app = app().await;
    let mut server = tokio::process::Command::new(env!("CARGO_BIN_EXE_mcp_server"));
    server.args(["--listen", "127.0.0.1:0"]).stdout(std::process::Stdio::piped()).kill_on_drop(true);
    let mut server = server.spawn().unwrap();
    let mut line = String::new();
    let mut out = server.stdout.take().unwrap();
    while !line.ends_with('\n') {
        use tokio::io::AsyncReadExt as _;
        line.push(char::from(out.read_u8().await.unwrap()));
    }
    connect(&app, json!({ "source": "example", "kind": "mcp", "place": line.trim() })).await;
    changes_are_heard(&app).await;
}

#[tokio::test]
async fn nobody_but_the_operator_names_a_command() {
    let app = app().await;
    for place in ["/bin/sh", "other", "of-others", ""] {
        let body = json!({ "source": "x", "kind": "stdio", "place": place });
        let refused = send(&app, Method::POST, "/v1/connectors", Some(body)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{place}: {}", refused.text);
    }
    let body = json!({
        "source": "x", "kind": "stdio", "place": "example", "auth": { "kind": "bearer", "secret": "s" },
    });
    let refused = send(&app, Method::POST, "/v1/connectors", Some(body)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
}
