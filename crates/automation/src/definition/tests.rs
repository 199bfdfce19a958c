//! Valid definitions, and every kind of problem.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Known, Problem, check, schema};

struct Org;

impl Known for Org {
    fn input_schema(&self, address: &str) -> Option<Value> {
        let takes = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        match address {
            "slack.send_message" => {
                Some(takes(json!({ "channel": {}, "text": {} }), json!(["channel", "text"])))
            }
            "linear.list_issues" => Some(takes(json!({ "team_id": {} }), json!([]))),
            _ => None,
        }
    }

    fn addresses(&self) -> Vec<String> {
        ["linear.list_issues", "slack.send_message"].map(str::to_owned).into()
    }
}

fn digest() -> Value {
    json!({
        "schema_version": "1.0",
        "name": "Daily digest",
        "inputs": { "schema": {
            "type": "object", "additionalProperties": false,
            "properties": { "since": { "type": "string", "default": "$last_fired_at" } },
        } },
        "triggers": [
            { "type": "schedule", "config": { "cron": "0 9 * * 1-5", "timezone": "Africa/Kigali" } },
            { "type": "event", "config": { "event_type": "drive.file_added",
                "filter": { "data.size": { "gt": 10 } }, "input_mapping": { "since": "$.time" } } },
        ],
        "plan": [
            { "step_id": "find", "action": "linear.list_issues", "output_as": "issues", "config": {} },
            { "step_id": "tell", "action": "slack.send_message", "when": "{{ issues.nodes | length > 0 }}",
              "config": { "channel": "C0123",
                  "text": "{% for one in issues.nodes %}• {{ one.title }} since {{ inputs.since }} ({{ run.id }})\n{% endfor %}" } },
        ],
        "execution": { "timeout_seconds": 600, "max_retries": 2, "retry_backoff": "exponential",
            "concurrency": "drop_if_running",
            "on_failure": [ { "step_id": "cry", "action": "slack.send_message",
                "config": { "channel": "C0123", "text": "{{ run.failed_step_id }}: {{ run.error.message }}" } } ] },
        "metadata": { "tags": ["daily"] },
    })
}

fn problems(source: &Value) -> Vec<Problem> {
    let now: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
    check(source, &Org, now).err().unwrap_or_default()
}

#[test]
fn a_definition_that_is_right_is_read_as_it_was_written() {
    let now: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
    let read = check(&digest(), &Org, now).unwrap();
    assert_eq!(read.plan.len(), 2);
    assert!(problems(&serde_json::to_value(&read).unwrap()).is_empty(), "must be valid when serialized");
}

#[test]
fn everything_wrong_is_told_with_its_place_and_what_was_meant() {
    for (pointer, wrong, expected_at, meant) in [
        ("/plan/1/action", json!("slack.sendmessage"), "/plan/1/action", Some("slack.send_message")),
        ("/plan/1/config/txt", json!("hello"), "/plan/1/config/txt", Some("text")),
        ("/plan/1/config/text", json!("{{ issue_s }}"), "/plan/1/config/text", Some("issues")),
        ("/plan/1/config/text", json!("{{ inputs.sincee }}"), "/plan/1/config/text", Some("inputs.since")),
        ("/plan/1/config/text", json!("{{ run.error }}"), "/plan/1/config/text", None),
        ("/plan/1/config/text", json!("{{ issues | shout }}"), "/plan/1/config/text", None),
        ("/plan/1/config/text", json!("{{ issues._secret }}"), "/plan/1/config/text", None),
        ("/plan/1/config/text", json!("{{ 'a' * 999999999 }}"), "/plan/1/config/text", None),
        ("/plan/0/config/team_id", json!("{{ issues }}"), "/plan/0/config/team_id", Some("inputs")),
        ("/plan/1/when", json!("if {{ issues }}"), "/plan/1/when", None),
        ("/plan/1/step_id", json!("find"), "/plan/1/step_id", None),
        ("/plan/1/output_as", json!("issues"), "/plan/1/output_as", None),
        ("/plan/1/output_as", json!("inputs"), "/plan/1/output_as", None),
        ("/triggers/0/config/cron", json!("0 9 * *"), "/triggers/0/config/cron", None),
        ("/triggers/0/config/cron", json!("0 0 30 2 *"), "/triggers/0/config/cron", None),
        ("/triggers/0/config/timezone", json!("Africa/Kigalli"), "/triggers/0/config/timezone", None),
        ("/triggers/1/config/event_type", json!("File Added"), "/triggers/1/config/event_type", None),
        ("/triggers/1/config/filter/x", json!({ "like": 1 }), "/triggers/1/config/filter/x/like", None),
        (
            "/triggers/1/config/input_mapping/sinc",
            json!("$.x"),
            "/triggers/1/config/input_mapping/sinc",
            Some("since"),
        ),
        (
            "/triggers/1/config/input_mapping/since",
            json!("time"),
            "/triggers/1/config/input_mapping/since",
            None,
        ),
        (
            "/inputs/schema/properties/since/default",
            json!("$last_fired"),
            "/inputs/schema/properties/since/default",
            Some("$last_fired_at"),
        ),
        ("/plan/1/action", json!("agent_task"), "/plan/1/config", None),
        ("/execution/budget_cap_usd", json!(-1.5), "/execution/budget_cap_usd", None),
        ("/execution/max_retries", json!(99), "/execution/max_retries", None),
        ("/triggers/0/config/cron", json!(9), "/triggers/0/config/cron", None),
        ("/triggers/0/type", json!("cron"), "/triggers/0/type", None),
        ("/schema_version", json!("2.0"), "/schema_version", None),
        ("/surprise", json!(true), "", None),
        ("/plan", json!([]), "/plan", None),
    ] {
        let mut source = digest();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        source.pointer_mut(parent).unwrap()[name] = wrong;
        let found = problems(&source);
        let here = found.iter().find(|problem| problem.pointer.starts_with(expected_at));
        assert!(here.is_some(), "{pointer}: {found:?}");
        assert_eq!(here.and_then(|problem| problem.suggestion.as_deref()), meant, "{pointer}: {found:?}");
    }
}

#[test]
fn several_problems_are_told_at_once() {
    let mut source = digest();
    source["plan"][0]["action"] = json!("linear.listissues");
    source["plan"][1]["config"]["text"] = json!("{{ nothing }} {{ inputs.none }}");
    source["triggers"][0]["config"]["timezone"] = json!("Nowhere");
    let places: Vec<String> = problems(&source).into_iter().map(|problem| problem.pointer).collect();
    assert_eq!(
        places,
        ["/triggers/0/config/timezone", "/plan/0/action", "/plan/1/config/text", "/plan/1/config/text"]
    );
}

#[test]
fn the_published_schema_is_the_one_of_this_code() {
    let text = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    expect_test::expect_file!["../../../../schemas/automation.schema.json"].assert_eq(&text);
}
