//! Hostile definitions, as the text of a request.

use serde_json::{Map, Value, json};

use crate::attacks::bombs::inputs::schemas::schemas;

/// A valid definition.
pub(crate) fn right() -> Value {
    json!({
        "schema_version": "1.0", "name": "Daily", "goal": "g",
        "inputs": { "schema": { "type": "object", "additionalProperties": false,
            "properties": { "since": { "type": "string", "default": "$last_fired_at" } } } },
        "triggers": [
            { "type": "schedule", "config": { "cron": "0 9 * * 1-5", "timezone": "Africa/Kigali" } },
            { "type": "webhook", "config": { "input_mapping": { "since": "$.since" }, "signed": true } },
            { "type": "event", "config": { "event_type": "drive.file_added", "filter": { "data.size": { "gt": 10 } },
                "input_mapping": { "since": "$.time" } } },
        ],
        "plan": [
            { "step_id": "tell", "action": "slack.send_message", "output_as": "told", "when": "{{ inputs.since is defined }}",
              "config": { "channel": "C0123", "text": "{{ inputs.since }} {{ run.id }}" } },
        ],
        "execution": { "timeout_seconds": 600, "max_retries": 2, "on_failure": [
            { "step_id": "cry", "action": "slack.send_message", "config": { "channel": "C", "text": "{{ run.error.message }}" } } ] },
        "metadata": { "tags": ["daily"] },
    })
}

/// The valid definition with one part replaced.
pub(crate) fn with(pointer: &str, part: Value) -> String {
    let mut source = right();
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    match source.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.insert(name.to_owned(), part)),
        Some(Value::Array(items)) => items[name.parse::<usize>().unwrap()] = part,
        _ => panic!("no place {pointer}"),
    }
    source.to_string()
}

pub(crate) fn many(count: usize, one: impl Fn(usize) -> (String, Value)) -> Value {
    (0..count).map(one).collect::<Map<_, _>>().into()
}

/// Definitions that each target one weakness.
pub(crate) fn written() -> Vec<(String, String)> {
    [large(), names(), twice(), schemas(), templates(), nested()].concat()
}

fn large() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for bytes in [1_000, 100_000, 250_000, 262_144, 1_000_000] {
        let long = Value::from("x".repeat(bytes));
        for place in [
            "/name",
            "/goal",
            "/schema_version",
            "/surprise",
            "/plan/0/action",
            "/plan/0/step_id",
            "/plan/0/output_as",
            "/plan/0/when",
            "/plan/0/config/text",
            "/plan/0/config/x",
            "/triggers/0/config/cron",
            "/triggers/0/config/timezone",
            "/triggers/0/type",
            "/triggers/2/config/event_type",
            "/inputs/schema/type",
            "/inputs/schema/properties/since/default",
            "/execution/retry_backoff",
            "/metadata/tags/0",
        ] {
            all.push((format!("{bytes} bytes at {place}"), with(place, long.clone())));
        }
    }
    for count in [50, 51, 1_000, 20_000] {
        let step = right()["plan"][0].clone();
        all.push((format!("{count} steps"), with("/plan", vec![step; count].into())));
        all.push((
            format!("{count} triggers"),
            with("/triggers", vec![right()["triggers"][2].clone(); count].into()),
        ));
        all.push((format!("{count} tags"), with("/metadata/tags", vec!["t"; count].into())));
        all.push((format!("{count} empty steps"), with("/plan", vec![json!({}); count].into())));
        let wrong = many(count, |n| (format!("text{n}"), json!("{{ nothing }}")));
        all.push((format!("{count} wrong fields"), with("/plan/0/config", wrong)));
        let mapped = many(count, |n| (format!("sinc{n}"), json!("time")));
        all.push((format!("{count} wrong mappings"), with("/triggers/1/config/input_mapping", mapped)));
    }
    all
}

fn names() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let long = "n".repeat(200_000);
    for name in [
        "\u{0}",
        "\u{1b}[31m",
        "\u{202e}evil",
        "\u{200b}",
        "~",
        "/",
        "~1~0",
        "a/b~c",
        "",
        "$",
        "__proto__",
        "__class__",
        "since.x",
        "{{",
        "*",
        "é",
        "𝕊",
        &long,
    ] {
        let shown: String = name.chars().take(8).collect::<String>().escape_debug().to_string();
        let mut add = |what: &str, text: String| all.push((format!("{what} called {shown}"), text));
        for (what, place) in [
            ("name", "/name"),
            ("action", "/plan/0/action"),
            ("step", "/plan/0/step_id"),
            ("result", "/plan/0/output_as"),
            ("tag", "/metadata/tags/0"),
            ("zone", "/triggers/0/config/timezone"),
            ("type", "/triggers/2/config/event_type"),
            ("path", "/triggers/1/config/input_mapping/since"),
        ] {
            add(what, with(place, name.into()));
        }
        add("template", with("/plan/0/config/text", format!("{{{{ inputs.{name} }}}}").into()));
        add("root", with("/plan/0/config/text", format!("{{{{ {name} }}}}").into()));
        add("filter", with("/plan/0/config/text", format!("{{{{ run.id | {name} }}}}").into()));
        for (what, place) in [
            ("field", "/plan/0/config"),
            ("surprise", "/execution"),
            ("mapping", "/triggers/1/config/input_mapping"),
            ("condition", "/triggers/2/config/filter"),
            ("input", "/inputs/schema/properties"),
        ] {
            add(what, with(place, json!({ name: { "default": "$nothing", "x": 1 } })));
            add(what, with(place, json!({ name: "{{ nothing }}" })));
        }
    }
    all
}

/// Duplicate fields, and JSONPath expressions.
fn twice() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let path = right().to_string();
    for twice in ["\"name\":\"a\",", "\"plan\":[],", "\"schema_version\":\"9\","] {
        all.push((format!("twice {twice}"), path.replacen('{', &format!("{{{twice}"), 1)));
    }
    for path in [
        "$",
        "$..",
        "$..*",
        "$..[?(@..a)]",
        "$[?(@.a=~/(a+)+$/)]",
        "$.a[0:99999999999]",
        "$['",
        "$.\u{0}",
        &format!("$.{}", "a.".repeat(50_000)),
        &format!("${}", "[*]".repeat(50_000)),
        &format!("${}", "..a".repeat(50_000)),
    ] {
        all.push((
            format!("mapping {path:.20}"),
            with("/triggers/1/config/input_mapping/since", path.into()),
        ));
    }
    all
}

/// Many or long templates, and many inputs with similar names.
fn templates() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for piece in [
        "{{ inputs.since }}",
        "{{ a }}",
        "{% if run.id %}{% endif %}",
        "{{ [[[[[[[[run.id]]]]]]]] }}",
        "{{",
        "{% for x in inputs.since %}{{ x.y }}{% endfor %}",
        "{{ run.id|trim|trim|trim }}",
        "{# #}",
        "{{ inputs.sinc }}",
    ] {
        for bytes in [4_000, 8_190, 8_200] {
            let text = piece.repeat(bytes / piece.len());
            for count in [1, 25, 30, 50] {
                let steps: Vec<Value> = (0..count).map(|n| json!({ "step_id": format!("s{n}"), "action": "slack.send_message", "when": text, "config": { "channel": text, "text": text } })).collect();
                all.push((format!("{count} steps of {bytes} bytes of {piece}"), with("/plan", steps.into())));
            }
        }
    }
    for (length, count) in [(10, 8_000), (60, 2_000), (120, 1_000), (4_000, 25), (100_000, 1)] {
        let mut source = right();
        let asked: String =
            (0..50).map(|n| format!("{{{{ inputs.{}{n} }}}}", "b".repeat(length.min(100)))).collect();
        source["inputs"]["schema"]["properties"] =
            many(count, |n| (format!("{}{n}", "b".repeat(length)), json!({})));
        source["plan"][0]["config"]["text"] = asked.into();
        all.push((format!("{count} inputs of {length} letters, all nearly meant"), source.to_string()));
        let asked = format!("{{{{ inputs.{} }}}}", "c".repeat(7_000));
        source["plan"] = (0..25).map(|n| json!({ "step_id": format!("s{n}"), "action": "a".repeat(130), "config": { "text": asked } })).collect::<Vec<_>>().into();
        all.push((format!("{count} inputs of {length} letters, and a long name"), source.to_string()));
    }
    let config = many(60_000, |n| (n.to_string(), Value::from("")));
    all.push(("60 000 texts".to_owned(), with("/plan/0/config", config)));
    all
}

fn nested() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for depth in [10, 16, 17, 60, 110, 127, 128, 1_000, 20_000] {
        for (open, close) in [
            ("[", "]"),
            ("{\"a\":", "}"),
            ("{\"$not\":", "}"),
            ("{\"allOf\":[", "]}"),
            ("{\"properties\":{\"a\":", "}}"),
            ("{\"items\":", "}"),
        ] {
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for place in [
                "/plan/0/config",
                "/plan/0/config/text",
                "/inputs/schema",
                "/inputs/schema/properties",
                "/triggers/2/config/filter",
                "/triggers/1/config/input_mapping",
                "/surprise",
                "/plan",
                "/metadata",
            ] {
                let text = with(place, "@deep@".into()).replace("\"@deep@\"", &deep);
                all.push((format!("{depth} × {open} at {place}"), text));
            }
        }
    }
    all
}
