//! Runs: the requests of each command, and watching a run to its end.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{INVOCATION, Streams, Stub, problem};

pub(crate) const RUN: &str = "run_0192f0c1d2e37a4b8c5d6e7f80910a41";
const AUTOMATION: &str = "aut_0192f0c1d2e37a4b8c5d6e7f80910a40";

/// A run with its steps; views without steps ignore them.
pub(crate) fn run(status: &str, revision: i32, steps: &Value) -> Value {
    let mut run = json!({
        "id": RUN, "automation": AUTOMATION, "automation_name": "Morning digest", "number": 12, "version": 3,
        "status": status, "trigger_type": "person", "cause": "", "lane": "fast", "depth": 0, "cost_usd": 0.0,
        "revision": revision, "created_at": "2026-11-15T09:00:00Z", "inputs": { "since": "today" },
        "plan": [{ "step_id": "deliver", "action": "slack.send_message", "on_failure": false }], "steps": steps,
    });
    if ["succeeded", "failed", "cancelled", "timed_out"].contains(&status) {
        run["finished_at"] = "2026-11-15T09:01:00Z".into();
    }
    run
}

fn step(status: &str) -> Value {
    let mut step = json!({
        "step_id": "deliver", "action": "slack.send_message", "attempt": 1, "status": status,
        "invocation": INVOCATION, "started_at": "2026-11-15T09:00:01Z",
    });
    if status == "succeeded" {
        step["finished_at"] = "2026-11-15T09:00:59Z".into();
    }
    step
}

/// The states of a run that starts, waits for a person, and succeeds.
fn states() -> [(u16, String); 3] {
    let state = |status, revision, of_step| (200, run(status, revision, &json!([step(of_step)])).to_string());
    [state("running", 1, "running"), state("waiting", 2, "waiting"), state("succeeded", 3, "succeeded")]
}

#[tokio::test]
async fn each_command_asks_for_what_it_says() {
    let detail = run("running", 1, &json!([step("running")]));
    let page = json!({ "items": [detail] });
    for (arguments, answer, line, body, shown) in [
        (
            vec!["list", "--automation", AUTOMATION, "--status", "timed_out"],
            page,
            format!("GET /v1/runs?automation={AUTOMATION}&status=timed_out"),
            Value::Null,
            "Morning digest",
        ),
        (
            vec!["show", RUN],
            detail.clone(),
            format!("GET /v1/runs/{RUN}"),
            Value::Null,
            "{\"since\":\"today\"}",
        ),
        (vec!["cancel", RUN], detail.clone(), format!("POST /v1/runs/{RUN}/cancel"), json!({}), ""),
        (
            vec!["rerun", RUN, "--from-start"],
            detail.clone(),
            format!("POST /v1/runs/{RUN}/rerun"),
            json!({ "from_start": true }),
            RUN,
        ),
    ] {
        let stub = Stub::once(200, answer).await;
        let outcome = stub.run(&[&["runs"], arguments.as_slice()].concat()).await;
        assert_eq!(outcome.exit, Exit::Done, "{arguments:?}: {}", outcome.err);
        let asked = stub.asked().remove(0);
        assert_eq!((asked.line, asked.body), (line, body), "{arguments:?}");
        assert!(outcome.out.contains(shown), "{arguments:?}: {}", outcome.out);
    }
}

#[tokio::test]
async fn a_run_is_followed_from_one_revision_to_the_next() {
    let stub = Stub::answering(states()).await;
    let outcome = stub.run(&["runs", "watch", RUN]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let told: Vec<&str> = outcome.out.lines().map(|line| &line[22..]).collect();
    let waits = format!(
        "deliver  slack.send_message  waiting  waiting for approval: countersign inbox  ({INVOCATION})"
    );
    assert_eq!(
        told,
        [
            &format!("Morning digest #12  version 3  {RUN}  started by a person"),
            "deliver  slack.send_message  running",
            waits.as_str(),
            "run waiting",
            "deliver  slack.send_message  succeeded  58.0s",
            "run succeeded  1m 00s",
        ]
    );
    let asked: Vec<String> = stub.asked().into_iter().map(|asked| asked.line).collect();
    let path = format!("GET /v1/runs/{RUN}");
    assert_eq!(
        asked,
        [path.clone(), format!("{path}?wait=30000ms&seen=1"), format!("{path}?wait=30000ms&seen=2")]
    );
}

#[tokio::test]
async fn a_terminal_is_drawn_over_and_a_pipe_never_is() {
    let stub = Stub::answering(states()).await;
    let streams = Streams { terminal: true, ..Streams::default() };
    let outcome = streams.run(&stub.url, &["runs", "watch", RUN]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    // Header, id, blank line and one step; one line more while the run waits.
    let drawn: Vec<&str> = outcome.out.split("\u{1b}[").filter(|part| part.contains("Morning")).collect();
    assert_eq!(drawn.len(), 3, "{:?}", outcome.out);
    assert!(outcome.out.contains("\u{1b}[4A\r\u{1b}[J") && outcome.out.contains("\u{1b}[5A\r\u{1b}[J"));
    assert!(drawn[1].contains("⏸ deliver") && drawn[1].contains("waiting for approval: countersign inbox"));
    assert!(drawn[2].contains("✓ deliver") && !drawn[2].contains("waits for"), "{}", drawn[2]);
    let stub = Stub::answering(states()).await;
    assert!(!stub.run(&["runs", "watch", RUN]).await.out.contains('\u{1b}'));
}

#[tokio::test]
async fn with_json_each_revision_is_one_line() {
    let same = (200, run("running", 1, &json!([step("running")])).to_string());
    let stub = Stub::answering([same].into_iter().chain(states())).await;
    let outcome = stub.run(&["runs", "watch", RUN, "--json"]).await;
    let revisions: Vec<Value> = outcome
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["revision"].clone())
        .collect();
    assert_eq!((outcome.exit, revisions), (Exit::Done, vec![json!(1), json!(2), json!(3)]));
}

#[tokio::test]
async fn the_code_says_how_it_ended() {
    let with = |class: &str| {
        let mut over = run("failed", 9, &json!([]));
        over["error"] = json!({ "class": class, "message": "because" });
        over
    };
    for (over, expected) in [
        (run("succeeded", 9, &json!([])), Exit::Done),
        (run("cancelled", 9, &json!([])), Exit::Denied),
        (run("timed_out", 9, &json!([])), Exit::ActionFailed),
        (with("permanent"), Exit::ActionFailed),
        (with("denied"), Exit::Denied),
        (with("outcome_unknown"), Exit::Unknown),
    ] {
        let stub = Stub::once(200, over.clone()).await;
        assert_eq!(stub.run(&["runs", "watch", RUN]).await.exit, expected, "{over}");
    }
}

#[tokio::test]
async fn an_outage_does_not_end_the_watching_and_a_refused_token_does() {
    let [first, _, last] = states();
    let away = (503, problem(503, "unavailable").to_string());
    let stub = Stub::answering([first.clone(), away, last]).await;
    let outcome = stub.run(&["runs", "watch", RUN]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Done, 3), "{}", outcome.err);
    let refused = (401, problem(401, "unauthenticated").to_string());
    let stub = Stub::answering([first, refused]).await;
    assert_eq!(stub.run(&["runs", "watch", RUN]).await.exit, Exit::Unreachable);
}
