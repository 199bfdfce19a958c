//! The timeline of runs.

use api::RunDetail;
use expect_test::{Expect, expect};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Viewport, bar, changes, duration, lines};
use crate::screen::display_width;

const RUN: &str = "run_0192f0c1d2e37a4b8c5d6e7f80910a41";
const INVOCATION: &str = "inv_0192f0c1d2e37a4b8c5d6e7f80910a1c";

fn run(status: &str, steps: Value, more: Value) -> RunDetail {
    let mut run = json!({
        "id": RUN, "automation": "aut_0192f0c1d2e37a4b8c5d6e7f80910a40", "automation_name": "Morning digest",
        "number": 12, "version": 3, "status": status, "trigger_type": "schedule", "cause": "2026-11-15T09:00:00Z",
        "lane": "fast", "depth": 0, "cost_usd": 0.0, "revision": 4, "created_at": "2026-11-15T09:00:00Z",
        "started_at": "2026-11-15T09:00:01Z", "inputs": {}, "steps": steps,
        "plan": [
            { "step_id": "issues", "action": "linear.list_issues", "on_failure": false },
            { "step_id": "summary", "action": "data.transform", "on_failure": false },
            { "step_id": "deliver", "action": "slack.send_message", "on_failure": false },
            { "step_id": "tell", "action": "slack.send_message", "on_failure": true },
        ],
    });
    if let (Value::Object(run), Value::Object(more)) = (&mut run, more) {
        run.extend(more);
    }
    serde_json::from_value(run).unwrap()
}

fn step(id: &str, attempt: i16, status: &str, from: &str, to: Option<&str>) -> Value {
    let at = |time: &str| format!("2026-11-15T09:{time}Z");
    let action = match id {
        "issues" => "linear.list_issues",
        "summary" => "data.transform",
        _ => "slack.send_message",
    };
    json!({ "step_id": id, "action": action, "attempt": attempt, "status": status,
            "started_at": at(from), "finished_at": to.map(at) })
}

fn failed(mut step: Value, message: &str) -> Value {
    step["error"] = json!({ "class": "permanent", "message": message });
    step
}

fn issues() -> Value {
    step("issues", 1, "succeeded", "00:01", Some("00:01.8"))
}

fn summary() -> Value {
    step("summary", 2, "succeeded", "00:02", Some("00:14.4"))
}

fn waiting() -> Value {
    let mut step = step("deliver", 1, "waiting", "00:15", None);
    step["invocation"] = INVOCATION.into();
    step
}

fn look(width: usize) -> Viewport {
    let now: Timestamp = "2026-11-15T09:01:20Z".parse().unwrap();
    Viewport { now, width, rows: None, colours: false }
}

fn check(run: &RunDetail, viewport: &Viewport, expected: &Expect) {
    let lines = lines(run, viewport);
    for line in &lines {
        assert!(display_width(line) <= viewport.width || viewport.colours, "{line}");
    }
    expected.assert_eq(&format!("{}\n", lines.join("\n")));
}

#[test]
fn a_run_that_has_not_begun_is_its_plan() {
    let run = run("pending", json!([]), json!({ "started_at": null }));
    check(
        &run,
        &look(100),
        &expect![[r#"
        ◌ Morning digest #12  version 3  pending  1m 20s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedule: 2026-11-15T09:00:00Z

          ◌ issues   linear.list_issues
          ◌ summary  data.transform
          ◌ deliver  slack.send_message
    "#]],
    );
}

#[test]
fn a_run_that_waits_says_for_whom_and_how_long() {
    let run = run("waiting", json!([issues(), summary(), waiting()]), json!({ "awaits": INVOCATION }));
    check(
        &run,
        &look(100),
        &expect![[r#"
        ⏸ Morning digest #12  version 3  waiting  1m 19s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedule: 2026-11-15T09:00:00Z

          ✓ issues   linear.list_issues    800ms             ▎
          ✓ summary  data.transform        12.4s  attempt 2  ████▌
          ⏸ deliver  slack.send_message   1m 05s             ████████████████████████
              waiting for approval: countersign inbox  (inv_0192f0c1d2e37a4b8c5d6e7f80910a1c, for 1m 05s)
    "#]],
    );
}

#[test]
fn a_run_that_succeeded_stands_still() {
    let deliver = step("deliver", 1, "skipped", "00:15", Some("00:15"));
    let end = json!({ "finished_at": "2026-11-15T09:00:15Z" });
    check(
        &run("succeeded", json!([issues(), summary(), deliver]), end),
        &look(100),
        &expect![[r#"
        ✓ Morning digest #12  version 3  succeeded  14.0s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedule: 2026-11-15T09:00:00Z

          ✓ issues   linear.list_issues    800ms             █▌
          ✓ summary  data.transform        12.4s  attempt 2  ████████████████████████
          ↷ deliver  slack.send_message  skipped
    "#]],
    );
}

#[test]
fn steps_for_a_failure_are_shown_when_it_came_to_them() {
    let first = step("summary", 1, "failed", "00:02", Some("00:05"));
    let second =
        failed(step("summary", 2, "failed", "00:06", Some("00:09.25")), "the template\nsaid \u{202e}no");
    let tell = step("tell", 1, "succeeded", "00:10", Some("00:10.04"));
    let end = json!({
        "finished_at": "2026-11-15T09:00:11Z", "trigger_type": "person", "cause": "",
        "error": { "class": "permanent", "message": "the template\nsaid \u{202e}no", "step_id": "summary" },
    });
    check(
        &run("failed", json!([issues(), first, second, tell]), end),
        &look(100),
        &expect![[r#"
        ✗ Morning digest #12  version 3  failed  10.0s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a person

          ✓ issues   linear.list_issues    800ms             ██▋
          ✗ summary  data.transform         7.2s  attempt 2  ████████████████████████
              the template\nsaid \u{202e}no
          ◌ deliver  slack.send_message
          ✓ tell     slack.send_message     40ms             ▏
    "#]],
    );
}

#[test]
fn why_a_run_failed_is_told_also_where_no_step_tells_it() {
    let end = json!({
        "finished_at": "2026-11-15T09:10:02Z", "error": { "class": "timeout", "message": "it took more than 600 s" },
    });
    check(
        &run("timed_out", json!([issues()]), end),
        &look(100),
        &expect![[r#"
        ✗ Morning digest #12  version 3  timed out  10m 01s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedule: 2026-11-15T09:00:00Z

          ✓ issues   linear.list_issues    800ms  ████████████████████████
          ◌ summary  data.transform
          ◌ deliver  slack.send_message
          timeout: it took more than 600 s
    "#]],
    );
}

#[test]
fn a_narrow_terminal_is_not_overrun() {
    let run = run("waiting", json!([issues(), summary(), waiting()]), json!({}));
    check(
        &run,
        &look(48),
        &expect![[r#"
        ⏸ Morning digest #12  version 3  waiting  1m 19s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started…

          ✓ issues   linear.list_iss…    800ms
          ✓ summary  data.transform      12.4s  attempt…
          ⏸ deliver  slack.send_mess…   1m 05s
              waiting for approval: countersign inbox
              (inv_0192f0c1d2e37a4b8c5d6e7f80910a1c,
              for 1m 05s)
    "#]],
    );
}

#[test]
fn what_does_not_fit_is_counted_around_the_step_it_has_come_to() {
    let ids: Vec<String> = (0..30).map(|n| format!("step_{n}")).collect();
    let plan: Vec<Value> =
        ids.iter().map(|id| json!({ "step_id": id, "action": "a.b", "on_failure": false })).collect();
    let done = ids.iter().take(20).map(|id| step(id, 1, "succeeded", "00:01", Some("00:02")));
    let run = run("running", done.collect(), json!({ "plan": plan }));
    check(
        &run,
        &Viewport { rows: Some(12), ..look(60) },
        &expect![[r#"
        ● Morning digest #12  version 3  running  1m 19s
          run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedu…

          … 16 lines above
          ✓ step_16  a.b     1.0s  ████████████████████████
          ✓ step_17  a.b     1.0s  ████████████████████████
          ✓ step_18  a.b     1.0s  ████████████████████████
          ✓ step_19  a.b     1.0s  ████████████████████████
          ◌ step_20  a.b
          ◌ step_21  a.b
          … 8 lines below
    "#]],
    );
}

#[test]
fn nothing_of_the_gateway_can_draw() {
    let mut evil = failed(step("issues", 1, "failed", "00:01", Some("00:02")), "\u{1b}[2J\r✓ all well");
    evil["action"] = "a.b\u{1b}[31m\n  ✓ deliver".into();
    let more = json!({ "automation_name": "x\u{202e}\n✓", "cause": "y\u{1b}]8;;", "plan": [
        { "step_id": "issues", "action": "a.b\u{1b}[31m\n  ✓ deliver", "on_failure": false },
    ] });
    let run = run("running", json!([evil]), more);
    let drawn = lines(&run, &look(200));
    assert_eq!(drawn.len(), 5, "{drawn:?}");
    let told = changes(None, &run);
    assert_eq!(told.len(), 2, "{told:?}");
    for line in drawn.iter().chain(&told) {
        assert!(!line.contains(['\u{1b}', '\u{202e}', '\n', '\r']), "{line:?}");
    }
}

#[test]
fn colours_touch_the_glyph_alone() {
    let run = run("running", json!([issues()]), json!({}));
    let with = lines(&run, &Viewport { colours: true, ..look(100) }).join("\n");
    let without = lines(&run, &look(100)).join("\n");
    assert!(with.contains("\u{1b}[32m✓\u{1b}[0m issues"), "{with:?}");
    let bare = [32, 36, 90].iter().fold(with, |text, colour| text.replace(&format!("\u{1b}[{colour}m"), ""));
    assert_eq!(bare.replace("\u{1b}[0m", ""), without);
}

#[test]
fn changes_are_told_once_each() {
    let begun = run("running", json!([step("issues", 1, "running", "00:01", None)]), json!({}));
    let waits = run("waiting", json!([issues(), summary(), waiting()]), json!({}));
    let no = failed(step("deliver", 1, "failed", "00:15", Some("01:00")), "denied by a person");
    let end = json!({
        "finished_at": "2026-11-15T09:01:01Z",
        "error": { "class": "denied", "message": "denied by a person", "step_id": "deliver" },
    });
    let over = run("failed", json!([issues(), summary(), no]), end);
    let mut told = changes(None, &begun);
    told.extend(changes(Some(&begun), &begun));
    told.extend(changes(Some(&begun), &waits));
    told.extend(changes(Some(&waits), &over));
    expect![[r#"
        2026-11-15T09:00:00Z  Morning digest #12  version 3  run_0192f0c1d2e37a4b8c5d6e7f80910a41  started by a schedule: 2026-11-15T09:00:00Z
        2026-11-15T09:00:01Z  issues  linear.list_issues  running
        2026-11-15T09:00:02Z  issues  linear.list_issues  succeeded  800ms
        2026-11-15T09:00:14Z  summary  data.transform  succeeded  12.4s  attempt 2
        2026-11-15T09:00:15Z  deliver  slack.send_message  waiting  waiting for approval: countersign inbox  (inv_0192f0c1d2e37a4b8c5d6e7f80910a1c)
        2026-11-15T09:00:15Z  run waiting
        2026-11-15T09:01:00Z  deliver  slack.send_message  failed  45.0s  denied by a person
        2026-11-15T09:01:01Z  run failed  1m 00s  denied: denied by a person
    "#]].assert_eq(&format!("{}\n", told.join("\n")));
}

#[test]
fn durations_are_short_and_bars_are_in_proportion() {
    for (milliseconds, is_open, expected) in [
        (0, false, "0ms"),
        (240, false, "240ms"),
        (12_449, false, "12.4s"),
        (245_000, false, "4m 05s"),
        (240, true, "0s"),
        (12_449, true, "12s"),
    ] {
        assert_eq!(duration(milliseconds, is_open), expected);
    }
    assert_eq!(bar(100, 100, 4), "████");
    assert_eq!(bar(50, 100, 4), "██");
    assert_eq!(bar(30, 100, 4), "█▏");
    assert_eq!(bar(1, 1_000_000, 4), "▏");
    assert_eq!(bar(0, 100, 4), "");
    assert_eq!(bar(5, 0, 4), "");
}
