//! The registry: what it contains, and what its schemas accept.

use catalog::{Registry, SourceUrls};
use expect_test::expect;
use model::{EffectClass, Risk};
use serde_json::{Value, json};

use crate::support::table;

fn builtin() -> Registry {
    Registry::builtin(&SourceUrls::default()).unwrap()
}

fn errors(address: &str, params: Value) -> Vec<String> {
    let action = builtin().resolve(&address.parse().unwrap()).unwrap();
    let found = action.validate(&params).err().unwrap_or_default();
    found.into_iter().map(|error| format!("{} {}", error.pointer, error.message)).collect()
}

#[test]
fn every_native_action_is_there_with_its_risk_and_effect() {
    let tables = ["batch", "data", "files"].map(table);
    expect![[r#"
        batch.run R0 read [] undo
        data.notify R2 keyed [data:write] previews
        data.transform R0 read []
        files.list R1 read [files:read]
        files.read_text R1 read [files:read]
        files.write_text R2 checkable [files:write] undo verifies previews"#]]
    .assert_eq(&tables.join("\n"));
}

#[test]
fn definitions_hold_together() {
    let registry = builtin();
    for action in registry.actions() {
        let it = &action.definition;
        assert_eq!(it.risk <= Risk::R1, it.effect == EffectClass::Read, "{}", it.address);
        assert_eq!(it.hash().unwrap(), action.hash);
        assert_eq!(it.input_schema["additionalProperties"], false, "{}", it.address);
        assert!(it.description.ends_with('.'), "{}", it.address);
        assert_eq!(it.timeout_ms, 30_000);
    }
}

#[test]
fn everything_an_agent_may_pass_has_a_limit() {
    for action in builtin().actions() {
        let properties = action.definition.input_schema["properties"].as_object().unwrap().clone();
        for (name, property) in properties {
            let limits =
                ["maxLength", "maximum", "pattern", "maxItems", "enum", "$ref", "anyOf", "maxProperties"];
            let is_bool = property["type"] == "boolean";
            let limited = is_bool || limits.iter().any(|limit| property.get(limit).is_some());
            assert!(limited, "{}: {name} {property}", action.definition.address);
            assert!(property["description"].is_string(), "{}: {name}", action.definition.address);
        }
    }
}

#[test]
fn every_source_has_a_guide() {
    let registry = builtin();
    for source in registry.sources() {
        let guide = registry.guide(source.slug()).unwrap();
        assert!(guide.starts_with("# "), "{guide}");
    }
    let generated = registry.guide(&"files".parse().unwrap()).unwrap();
    assert!(generated.contains("## `files.write_text`") && generated.contains("- `path`: "), "{generated}");
}

#[test]
fn wrong_parameters_are_named_by_pointer_and_never_repeated() {
    let found = errors(
        "linear.create_issue",
        json!({"team_id": "../secret", "title": "", "priority": 9, "label_ids": ["a", "b?c"], "x": "secret"}),
    );
    let text = found.join("\n");
    expect![[r#"
        /team_id value does not match "^[A-Za-z0-9-]{1,64}$"
        /title value is shorter than 1 character
        /priority value is greater than the maximum of 4
        /label_ids/1 value does not match "^[A-Za-z0-9-]{1,64}$"
         Additional properties are not allowed ('x' was unexpected)"#]]
    .assert_eq(&text);
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn errors_are_few_however_many_there_are() {
    let labels = vec!["?"; 15];
    let found = errors("linear.update_issue", json!({"issue": "ENG-1", "label_ids": labels}));
    assert_eq!(found.len(), 15);
    let many: serde_json::Map<String, Value> = (0..200).map(|n| (format!("f{n}"), json!(1))).collect();
    assert!(errors("linear.update_issue", Value::Object(many)).len() <= 20);
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    assert_eq!(errors("linear.get_issue", json!({"issue": deep})).len(), 1);
}

#[test]
fn no_parameter_can_leave_its_place_in_a_path() {
    for bad in ["..", "../x", "a/b", "a?b", "a#b", "a%2fb", "a b", "", "x\n", "ä"] {
        for (address, params) in [
            ("github.get_issue", json!({"owner": bad, "repo": "web", "number": 1})),
            ("github.get_issue", json!({"owner": "acme", "repo": bad, "number": 1})),
            ("sentry.get_issue", json!({"organization": bad, "issue_id": "1"})),
            ("sentry.get_issue", json!({"organization": "acme", "issue_id": bad})),
            ("sentry.get_event", json!({"organization": "acme", "issue_id": "1", "event_id": bad})),
            ("slack.read_thread", json!({"channel": bad, "thread_ts": "1.1"})),
            ("linear.get_issue", json!({"issue": bad})),
        ] {
            assert!(!errors(address, params).is_empty(), "{address} {bad:?}");
        }
    }
    assert!(errors("github.get_issue", json!({"owner": "acme", "repo": ".github", "number": 1})).is_empty());
}

/// The commands of a guide, each as the action and the parameters that the client would send.
fn commands(guide: &str) -> Vec<(String, Value)> {
    let lines = guide.lines().filter_map(|line| line.strip_prefix("countersign actions run "));
    lines
        .map(|line| {
            let words = words(line);
            let pairs = words.windows(2).filter(|pair| pair[0] == "--param").map(|pair| pair[1].as_str());
            let params = pairs.map(|pair| match pair.split_once(":=") {
                Some((name, json)) if !name.contains('=') => {
                    (name.to_owned(), serde_json::from_str(json).unwrap())
                }
                _ => pair.split_once('=').map(|(name, text)| (name.to_owned(), json!(text))).unwrap(),
            });
            (words[0].clone(), Value::Object(params.collect()))
        })
        .collect()
}

/// The words of a command, with quotes as a shell parses them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            (c, _) => word.push(c),
        }
    }
    words.push(word);
    words
}

#[test]
fn every_command_in_a_guide_is_valid_and_every_integration_shows_each_action() {
    let registry = builtin();
    for source in registry.sources() {
        let guide = registry.guide(source.slug()).unwrap();
        let shown = commands(&guide);
        for (address, params) in &shown {
            assert_eq!(errors(address, params.clone()), Vec::<String>::new(), "{address} {params}");
        }
        if !source.definitions().iter().any(|definition| definition.needs_connection) {
            continue;
        }
        for definition in source.definitions() {
            let address = definition.address.to_string();
            assert!(shown.iter().any(|(known, _)| *known == address), "{address} is not in its guide");
        }
    }
}
