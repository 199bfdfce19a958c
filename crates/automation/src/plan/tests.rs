//! Runs that succeed, fail, are retried, cancelled or time out.

use serde_json::json;
use uuid::Uuid;

use super::*;

fn definition(more: serde_json::Value) -> Definition {
    let step = |id: &str| json!({ "step_id": id, "action": "data.compute" });
    let mut source = json!({
        "schema_version": "1.0", "name": "x", "plan": [step("a"), step("b")],
        "execution": { "max_retries": 2, "timeout_seconds": 60, "on_failure": [step("cry"), step("tell")] },
    });
    for (name, value) in more.as_object().unwrap() {
        source["execution"][name] = value.clone();
    }
    serde_json::from_value(source).unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn tried(ordinal: i16, attempt: i16, status: StepStatus, class: Option<&str>) -> RunStep {
    let over = !matches!(status, StepStatus::Running | StepStatus::Waiting);
    RunStep {
        ordinal,
        attempt,
        step_id: format!("s{ordinal}"),
        action: "data.compute".to_owned(),
        status,
        invocation: None,
        error: class.map(|class| RunError::new(class, "why")),
        started_at: at(0),
        finished_at: over.then(|| at(0)),
    }
}

fn moment(second: i64) -> Moment {
    let worked = Duration::from_secs(u64::try_from(second).unwrap());
    Moment { run: RunId::from_uuid(Uuid::nil()), now: at(second), worked, cancelled: false }
}

/// The next action as a short text.
fn word(next: &Next<'_>) -> String {
    match next {
        Next::Do(place) => {
            let begun = if place.begun { " goes on" } else { "" };
            format!("{}#{}{begun}", place.step.step_id, place.attempt)
        }
        Next::Rest(wait) => format!("rest {}", wait.as_secs()),
        Next::Over(status, error) => {
            let why = error.as_ref().map(|error| format!(": {}", error.class)).unwrap_or_default();
            format!("{}{why}", status.as_str())
        }
    }
}

#[test]
fn what_comes_next_follows_from_what_was_done() {
    use StepStatus::{Failed, Running, Skipped, Succeeded, Waiting};
    let ok = |ordinal| tried(ordinal, 1, Succeeded, None);
    for (done, second, expected) in [
        (vec![], 0, "a#1"),
        (vec![tried(0, 1, Running, None)], 0, "a#1 goes on"),
        (vec![tried(0, 1, Waiting, None)], 0, "a#1 goes on"),
        (vec![ok(0)], 0, "b#1"),
        (vec![tried(0, 1, Skipped, None)], 0, "b#1"),
        (vec![ok(0), ok(1)], 0, "succeeded"),
        (vec![ok(0), ok(1)], 99, "succeeded"),
        (vec![tried(0, 1, Failed, Some("denied"))], 0, "cry#1"),
        (vec![tried(0, 1, Failed, Some("transient"))], 0, "rest 2"),
        (vec![tried(0, 1, Failed, Some("transient"))], 9, "a#2"),
        (vec![tried(0, 1, Failed, Some("timeout")), tried(0, 2, Failed, Some("timeout"))], 0, "rest 4"),
        (
            vec![
                tried(0, 1, Failed, Some("timeout")),
                tried(0, 2, Failed, Some("timeout")),
                tried(0, 3, Failed, Some("timeout")),
            ],
            0,
            "cry#1",
        ),
        (vec![ok(0), tried(1, 1, Failed, Some("outcome_unknown"))], 0, "cry#1"),
        (vec![tried(0, 1, Failed, Some("denied")), tried(AFTER_FAILURE, 1, Failed, Some("x"))], 0, "tell#1"),
        (
            vec![tried(0, 1, Failed, Some("denied")), ok(AFTER_FAILURE), ok(AFTER_FAILURE + 1)],
            0,
            "failed: denied",
        ),
        (vec![ok(0)], 60, "cry#1"),
        (vec![ok(0), ok(AFTER_FAILURE), ok(AFTER_FAILURE + 1)], 61, "timed_out: timed_out"),
        (vec![ok(0), tried(1, 1, Running, None)], 99, "b#1 goes on"),
    ] {
        assert_eq!(
            word(&next(&definition(json!({})), &done, &moment(second))),
            expected,
            "{done:?} {second}"
        );
    }
}

#[test]
fn what_is_cancelled_ends_without_more_and_lets_a_step_under_way_end() {
    let cancelled = Moment { cancelled: true, ..moment(0) };
    let done = [tried(0, 1, StepStatus::Succeeded, None)];
    assert_eq!(word(&next(&definition(json!({})), &done, &cancelled)), "cancelled: cancelled");
    let done = [tried(0, 1, StepStatus::Running, None)];
    assert_eq!(word(&next(&definition(json!({})), &done, &cancelled)), "a#1 goes on");
    let mut done = vec![tried(0, 1, StepStatus::Failed, Some("denied"))];
    assert_eq!(word(&next(&definition(json!({})), &done, &cancelled)), "cancelled: cancelled");
    done.push(tried(AFTER_FAILURE, 1, StepStatus::Waiting, None));
    assert_eq!(word(&next(&definition(json!({})), &done, &cancelled)), "cry#1 goes on");
}

#[test]
fn waits_grow_within_their_ceiling_and_are_the_same_whenever_asked() {
    let failed = |attempt| [tried(0, attempt, StepStatus::Failed, Some("transient"))];
    let rest =
        |more: serde_json::Value, attempt: i16| match next(&definition(more), &failed(attempt), &moment(0)) {
            Next::Rest(wait) => wait,
            other => panic!("{other:?}"),
        };
    let (one, two) = (rest(json!({ "max_retries": 10 }), 1), rest(json!({ "max_retries": 10 }), 2));
    assert!(one >= Duration::from_millis(1_500) && one <= Duration::from_millis(2_500), "{one:?}");
    assert!(two >= Duration::from_secs(3) && two <= Duration::from_secs(5), "{two:?}");
    assert!(rest(json!({ "max_retries": 10 }), 10) <= LONGEST * 125 / 100);
    assert_eq!(one, rest(json!({ "max_retries": 10 }), 1));
    let none = json!({ "retry_backoff": "none" });
    assert_eq!(word(&next(&definition(none), &failed(1), &moment(0))), "a#2");
}
