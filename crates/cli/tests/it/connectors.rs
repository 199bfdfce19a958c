//! Connectors: the requests, what a reviewer is shown, and what a review is bound to.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{Outcome, Streams, Stub, USER, problem};

const CONNECTOR: &str = "cnr_0192f0c1d2e37a4b8c5d6e7f80910a24";

fn connector(problem: Option<&str>) -> Value {
    let mut view = json!({
        "id": CONNECTOR, "source": "docs", "kind": "mcp", "place": "https://docs.example/mcp",
        "auth": { "kind": "bearer", "secret": "docs-token" }, "enabled": true, "server": "Docs\u{202e} 1.0",
        "last_harvested_at": "2026-11-15T02:02:00Z", "tools": 3, "to_review": 2,
    });
    if let Some(problem) = problem {
        view["problem"] = problem.into();
    }
    view
}

fn tool(name: &str, state: &str, shape: &str) -> Value {
    let offer = |description: &str| json!({ "name": name, "description": description, "input_schema": { "type": "object" } });
    let mut view = json!({
        "tool": name, "action": format!("docs.{name}"), "state": state, "risk": "R2", "effect": "once",
        "seen": offer("Finds pages.\u{200b}"), "changes": [], "shape_hash": shape, "text_hash": format!("t-{shape}"),
    });
    if state != "new" {
        view["reviewed"] = offer("Finds.");
        view["reviewed_by"] = USER.into();
        view["reviewed_at"] = "2026-11-14T02:02:00Z".into();
        view["changes"] = json!([{ "place": "/description", "words": true }]);
    }
    view
}

fn detail() -> Value {
    let tools = [tool("read", "reviewed", "s1"), tool("find", "new", "s2"), tool("list", "changed", "s3")];
    json!({ "connector": connector(None), "tools": tools })
}

fn answers(answers: impl IntoIterator<Item = Value>) -> Vec<(u16, String)> {
    answers.into_iter().map(|answer| (200, answer.to_string())).collect()
}

fn changed() -> (u16, String) {
    (409, problem(409, "tool_changed").to_string())
}

/// The body of a review.
fn word(name: &str, shape: &str, verdict: &str) -> Value {
    json!({ "tool": name, "shape_hash": shape, "text_hash": format!("t-{shape}"), "verdict": verdict, "note": "" })
}

async fn typed(input: &'static str, answers: Vec<(u16, String)>, arguments: &[&str]) -> (Stub, Outcome) {
    let stub = Stub::answering(answers).await;
    let outcome = Streams { input, terminal: true, ..Streams::default() }.run(&stub.url, arguments).await;
    (stub, outcome)
}

#[tokio::test]
async fn a_server_is_connected_with_the_name_of_a_secret() {
    let openapi = "https://billing.example/openapi.json";
    for (arguments, body) in [
        (
            vec!["--mcp", "https://docs.example/mcp", "--bearer", "docs-token"],
            json!({ "kind": "mcp", "place": "https://docs.example/mcp", "auth": { "kind": "bearer", "secret": "docs-token" } }),
        ),
        (
            vec!["--stdio", "search"],
            json!({ "kind": "stdio", "place": "search", "auth": { "kind": "none" } }),
        ),
        (
            vec!["--openapi", openapi, "--base-url", "https://b.example", "--header", "X-Key=billing"],
            json!({
                "kind": "openapi", "place": openapi, "base_url": "https://b.example",
                "auth": { "kind": "header", "header": "X-Key", "secret": "billing" },
            }),
        ),
        (
            vec!["--mcp", "https://docs.example/mcp", "--oauth", "docs-token"],
            json!({ "kind": "mcp", "place": "https://docs.example/mcp", "auth": { "kind": "oauth", "secret": "docs-token" } }),
        ),
    ] {
        let stub = Stub::once(201, connector(Some("the server cannot be reached"))).await;
        let outcome = stub.run(&[&["connectors", "add", "docs"], &arguments[..]].concat()).await;
        assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
        assert!(
            outcome.err.contains("docs cannot be reached: the server cannot be reached"),
            "{}",
            outcome.err
        );
        assert!(outcome.out.contains("Docs\\u{202e} 1.0"), "{}", outcome.out);
        let mut expected = body;
        expected["source"] = "docs".into();
        assert_eq!(
            (stub.asked()[0].line.as_str(), &stub.asked()[0].body),
            ("POST /v1/connectors", &expected)
        );
    }
}

#[tokio::test]
async fn each_command_asks_for_what_it_says() {
    let harvest = json!({ "connector": connector(None), "news": [{ "tool": "x\u{1b}", "what": "new" }] });
    for (verb, line, body, answer) in [
        ("list", "GET /v1/connectors", Value::Null, json!({ "items": [connector(None)] })),
        ("show", "GET /v1/connectors/docs", Value::Null, detail()),
        ("harvest", "POST /v1/connectors/docs/harvest", json!({}), harvest),
        ("enable", "PATCH /v1/connectors/docs", json!({ "enabled": true }), connector(None)),
        ("disable", "PATCH /v1/connectors/docs", json!({ "enabled": false }), connector(None)),
        ("remove", "DELETE /v1/connectors/docs", Value::Null, Value::Null),
    ] {
        for json in [false, true] {
            let text = if answer.is_null() { String::new() } else { answer.to_string() };
            let stub = Stub::answering([(if answer.is_null() { 204 } else { 200 }, text.clone())]).await;
            let source = if verb == "list" { vec![] } else { vec!["docs"] };
            let flags = if json { vec!["--json"] } else { vec![] };
            let outcome = stub.run(&[&["connectors", verb][..], &source, &flags].concat()).await;
            assert_eq!(outcome.exit, Exit::Done, "{verb}: {}", outcome.err);
            assert_eq!((stub.asked()[0].line.as_str(), &stub.asked()[0].body), (line, &body));
            if json {
                assert_eq!(outcome.out.trim_end(), text, "{verb}");
            } else {
                assert!(!outcome.out.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{verb}: {}", outcome.out);
            }
        }
    }
}

#[tokio::test]
async fn where_a_person_goes_stands_alone_on_stdout() {
    let url = "https://login.example/authorize?state=x";
    let stub = Stub::once(200, json!({ "authorize_url": format!("{url}\u{1b}") })).await;
    let outcome = stub.run(&["connectors", "authorize", "docs"]).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Done, format!("{url}\\u{{1b}}\n")));
    assert_eq!(stub.asked()[0].line, "POST /v1/connectors/docs/authorize");
}

#[tokio::test]
async fn a_harvest_that_failed_ends_as_a_failure_of_the_target() {
    let harvest = json!({ "connector": connector(Some("no answer")), "news": [] });
    let outcome = Stub::once(200, harvest).await.run(&["connectors", "harvest", "docs"]).await;
    assert_eq!(outcome.exit, Exit::ActionFailed);
}

#[tokio::test]
async fn one_tool_is_shown_in_full() {
    let stub = Stub::answering(answers([detail(), detail(), detail()])).await;
    let outcome = stub.run(&["connectors", "show", "docs", "docs.list"]).await;
    for text in ["docs.list", "accepted", "│", "~", "Finds pages.\\u{200b}"] {
        assert!(outcome.out.contains(text), "{text}: {}", outcome.out);
    }
    let outcome = stub.run(&["connectors", "show", "docs", "list", "--json"]).await;
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(shown, tool("list", "changed", "s3"));
    assert_eq!(stub.run(&["connectors", "show", "docs", "nothing"]).await.exit, Exit::NotFound);
}

#[tokio::test]
async fn without_a_terminal_it_prints_what_waits_and_asks_nobody() {
    let stub = Stub::answering(answers([detail(), detail()])).await;
    let outcome = stub.run(&["connectors", "review", "docs"]).await;
    assert_eq!(outcome.exit, Exit::Pending, "{}", outcome.err);
    let place = |text: &str| outcome.out.find(text).unwrap_or_else(|| panic!("{text}: {}", outcome.out));
    assert!(place("docs.list") < place("docs.find"), "changed tools come before new ones");
    assert!(!outcome.out.contains("docs.read") && outcome.err.contains("--accept or --deny"));
    let outcome = stub.run(&["connectors", "review", "docs", "--json"]).await;
    assert_eq!((outcome.exit, outcome.out.trim_end()), (Exit::Pending, detail().to_string().as_str()));
}

#[tokio::test]
async fn an_answer_by_flags_is_bound_to_what_was_printed() {
    let mut done = tool("find", "reviewed", "s2");
    done["risk"] = "R1".into();
    done["effect"] = "read".into();
    let stub = Stub::answering(answers([detail(), done.clone()])).await;
    let flags = ["--accept", "--risk", "R1", "--effect", "read", "--note", "ok"];
    let outcome = stub.run(&[&["connectors", "review", "docs", "find"][..], &flags].concat()).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, "accepted docs.find: R1, read\n"));
    assert!(outcome.err.contains("Finds pages.\\u{200b}"), "shown before it is answered: {}", outcome.err);
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, "POST /v1/connectors/docs/review");
    let mut expected = word("find", "s2", "accept");
    expected["risk"] = "R1".into();
    expected["effect"] = "read".into();
    expected["note"] = "ok".into();
    assert_eq!(asked.body, expected);

    let stub = Stub::answering(answers([detail(), done.clone()])).await;
    let outcome = stub.run(&["connectors", "review", "docs", "find", "--deny", "--json"]).await;
    assert_eq!((outcome.exit, outcome.out.trim_end()), (Exit::Done, done.to_string().as_str()));
    assert_eq!(stub.asked()[1].body, word("find", "s2", "deny"));
}

#[tokio::test]
async fn all_that_waits_is_answered_and_what_changed_meanwhile_is_told() {
    let mut script = answers([detail()]);
    script.extend([changed(), (200, tool("find", "reviewed", "s2").to_string())]);
    let stub = Stub::answering(script).await;
    let outcome = stub.run(&["connectors", "review", "docs", "--accept", "--all"]).await;
    assert_eq!(outcome.exit, Exit::Conflict, "{}", outcome.err);
    assert!(outcome.err.contains("docs.list changed in the meantime"), "{}", outcome.err);
    assert_eq!(outcome.out, "accepted docs.find: R2, once\n");
    let sent: Vec<Value> = stub.asked().into_iter().skip(1).map(|asked| asked.body).collect();
    assert_eq!(sent, [word("list", "s3", "accept"), word("find", "s2", "accept")]);

    let mut script = answers([detail()]);
    script.push(changed());
    let stub = Stub::answering(script).await;
    let outcome = stub.run(&["connectors", "review", "docs", "list", "--accept", "--json"]).await;
    assert_eq!((outcome.exit, outcome.out.contains("tool_changed")), (Exit::Conflict, true));
}

#[tokio::test]
async fn answers_that_could_mean_two_things_are_refused() {
    for arguments in [vec!["--accept"], vec!["--all"], vec!["list", "--note", "x"]] {
        let stub = Stub::answering([]).await;
        let outcome = stub.run(&[&["connectors", "review", "docs"], &arguments[..]].concat()).await;
        assert_eq!((outcome.exit, stub.asked().len()), (Exit::Usage, 0), "{arguments:?}");
    }
}

#[tokio::test]
async fn on_a_terminal_one_is_asked_after_the_other() {
    let script = answers([detail(), tool("list", "reviewed", "s3"), tool("find", "reviewed", "s2")]);
    let (stub, outcome) =
        typed("x\na\nr\nr1\nread\nlooked\n", script, &["connectors", "review", "docs"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.out.contains("1 of 2") && outcome.err.contains("type one letter"), "{}", outcome.err);
    let mut second = word("find", "s2", "accept");
    second["risk"] = "R1".into();
    second["effect"] = "read".into();
    second["note"] = "looked".into();
    let sent: Vec<Value> = stub.asked().into_iter().skip(1).map(|asked| asked.body).collect();
    assert_eq!(sent, [word("list", "s3", "accept"), second]);
}

#[tokio::test]
async fn on_a_terminal_what_changed_meanwhile_is_shown_again() {
    let mut later = detail();
    later["tools"][2] = tool("list", "changed", "s4");
    let mut script = answers([detail()]);
    script.push(changed());
    script.extend(answers([later, tool("list", "reviewed", "s4")]));
    let (stub, outcome) = typed("d\nno\nd\nno\ns\n", script, &["connectors", "review", "docs"]).await;
    assert_eq!(outcome.exit, Exit::Pending, "one was skipped: {}", outcome.err);
    assert!(outcome.err.contains("changed in the meantime"), "{}", outcome.err);
    let sent: Vec<Value> = stub.asked().into_iter().map(|asked| asked.body["shape_hash"].clone()).collect();
    assert_eq!(sent, [Value::Null, "s3".into(), Value::Null, "s4".into()]);
    assert!(outcome.err.contains("denied docs.list") && outcome.err.contains("not reviewed: 1"));
}

#[tokio::test]
async fn whoever_leaves_has_answered_nothing() {
    for input in ["q\n", "", "r\nR9\n\n\n", "s\ns\n"] {
        let (stub, outcome) = typed(input, answers([detail()]), &["connectors", "review", "docs"]).await;
        assert_eq!((outcome.exit, stub.asked().len()), (Exit::Pending, 1), "{input:?}: {}", outcome.err);
    }
}
