//! Schemas as bombs: cheap to send, expensive to compile or to check. The process survives, nothing takes long, and the
//! tools next to a bomb can be called.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use catalog::{Action, ActionSource, Call, CallContext, Outcome, SourceError};
use model::{ActionDefinition, Destination, Drift, EffectClass, ErrorClass, Labels, Risk, SourceSlug};
use serde_json::{Map, Value, json};

/// The time limit for compiling a schema, or for checking a value, in a build without optimization.
const SOON: Duration = Duration::from_millis(1_500);

struct Nothing(SourceSlug);

#[async_trait]
impl ActionSource for Nothing {
    fn slug(&self) -> &SourceSlug {
        &self.0
    }

    fn destination(&self) -> Destination {
        Destination::NATIVE
    }

    async fn execute(&self, _: &Call, _: &CallContext) -> Result<Outcome, SourceError> {
        Err(SourceError::not_sent(ErrorClass::Permanent, "nothing"))
    }
}

fn action(schema: Value) -> Result<Action, catalog::Error> {
    let definition = ActionDefinition {
        address: "bomb.go".parse().unwrap(),
        description: String::new(),
        input_schema: schema,
        output_schema: None,
        risk: Risk::R2,
        effect: EffectClass::Once,
        labels: Labels::default(),
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 1_000,
    };
    Action::new(Arc::new(Nothing("bomb".parse().unwrap())), definition, Drift::None)
}

/// A schema that refers back to itself in two ways at each level.
fn twofold() -> Value {
    json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/n" } },
        "$defs": { "n": { "anyOf": [
            { "type": "array", "items": { "$ref": "#/$defs/n" } },
            { "type": "array", "items": { "$ref": "#/$defs/n" }, "maxItems": 3 },
        ] } },
    })
}

fn nested_list(depth: usize) -> Value {
    json!({ "a": (0..depth).fold(json!(1), |inner, _| json!([inner])) })
}

/// Schemas, each with a value that makes checking it expensive.
fn bombs() -> Vec<(String, Value, Value)> {
    let mut bombs = Vec::new();
    for depth in [8, 16, 20, 24, 28] {
        bombs.push((format!("two ways back, {depth} deep"), twofold(), nested_list(depth)));
    }
    for (name, pattern) in [
        ("nested quantifiers", "^(a+)+$"),
        ("alternation", "^(a|aa)+$"),
        ("many optionals", "^(a?){50}a{50}$"),
        ("counted", "(a{1000}){1000}"),
        ("classes", "^([a-zA-Z]+)*[0-9]$"),
        ("look-ahead", "^(?=a)b"),
        ("back reference", "^(a)\\1$"),
    ] {
        let schema =
            json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": pattern } } });
        bombs.push((format!("pattern: {name}"), schema, json!({ "a": format!("{}!", "a".repeat(50_000)) })));
    }
    let wide: Map<String, Value> =
        (0..2_000).map(|n| (format!("f{n}"), json!({ "type": "integer" }))).collect();
    let values: Map<String, Value> = (0..2_000).map(|n| (format!("f{n}"), json!("x"))).collect();
    bombs.push((
        "two thousand wrong fields".to_owned(),
        json!({ "type": "object", "properties": wide }),
        values.into(),
    ));
    let branches: Vec<Value> = (0..500).map(|n| json!({ "required": [format!("f{n}")] })).collect();
    bombs.push((
        "five hundred alternatives".to_owned(),
        json!({ "type": "object", "oneOf": branches }),
        json!({}),
    ));
    bombs.push((
        "unique items".to_owned(),
        json!({ "type": "object", "properties": { "a": { "uniqueItems": true } } }),
        json!({ "a": (0..5_000).map(|n| json!({ "n": n })).collect::<Vec<_>>() }),
    ));
    bombs.push(("itself".to_owned(), json!({ "$ref": "#" }), json!({})));
    let ring = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } });
    bombs.push(("a ring of references".to_owned(), ring, json!({})));
    bombs
}

/// References that multiply, or form long chains, without ever leading back, and references that lead back twice to the
/// same part of a value.
fn references() -> Vec<(String, Value, Value)> {
    let mut bombs = Vec::new();
    let defs = |count: usize, one: &dyn Fn(usize) -> Value| {
        let mut defs: Map<String, Value> = (0..count).map(|n| (format!("d{n}"), one(n))).collect();
        defs.insert(format!("d{count}"), json!({ "type": "array" }));
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs })
    };
    let next = |n: usize| json!({ "$ref": format!("#/$defs/d{}", n + 1) });
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for count in [10, 20, 30, 60] {
            let doubled = defs(count, &|n| json!({ keyword: [next(n), next(n)] }));
            bombs.push((format!("{count} doublings by {keyword}"), doubled, nested_list(3)));
        }
        for depth in [8, 16, 24, 60] {
            let back = json!({ "items": { "$ref": "#/$defs/n" } });
            let twice = json!({ "allOf": [{ keyword: [back, { "allOf": [back, false] }] }, back] });
            let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/n" } }, "$defs": { "n": twice } });
            bombs.push((format!("{depth} levels, each seen twice by {keyword}"), schema, nested_list(depth)));
        }
    }
    for count in [100, 1_000, 5_000] {
        bombs.push((format!("a chain of {count} references"), defs(count, &next), nested_list(3)));
    }
    let ids = json!({ "$id": "http://x/r", "$defs": { "a": { "$id": "b", "$defs": { "n": { "allOf": [{ "$ref": "#/$defs/n" }, { "$ref": "#/$defs/n" }] } }, "$ref": "#/$defs/n" } }, "$ref": "b" });
    bombs.push(("names of its own inside".to_owned(), ids, json!({})));
    for pattern in ["\\w{30}", "[\\p{L}\\p{N}]{9}", "(a|b|c){90}"] {
        let many: Map<String, Value> = (0..2_000).map(|n| (format!("{pattern}{n}"), json!({}))).collect();
        bombs.push((
            format!("2 000 patterns {pattern}"),
            json!({ "type": "object", "patternProperties": many }),
            json!({ "a": 1 }),
        ));
    }
    let many: Vec<Value> = (0..3_000)
        .map(|n| json!({ "anyOf": [{ "$ref": "#" }, { "$ref": format!("#/allOf/{n}") }] }))
        .collect();
    bombs.push((
        "3 000 references to the whole".to_owned(),
        json!({ "type": "object", "allOf": many }),
        json!({}),
    ));
    bombs
}

/// Compiles each schema and checks its value with it. A schema that does not compile is refused, which is fine.
fn try_all(check: &str, bombs: Vec<(String, Value, Value)>) {
    let inputs: Vec<_> = bombs.into_iter().map(|(name, schema, value)| (name, (schema, value))).collect();
    let trial = testkit::try_each(SOON, &inputs, |(schema, value)| {
        let _ = action(schema.clone()).map(|action| action.validate(value));
        Ok(())
    });
    testkit::tried(10, check, trial.tried, trial.wrong.len());
    assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
}

#[test]
#[ignore = "run by another test, in a process with limited memory and time"]
fn in_a_cage() {
    try_all("schemas whose references multiply", references());
}

#[test]
fn no_reference_takes_the_memory_or_the_stack() {
    let run = testkit::caged("attacks::bombs::in_a_cage", 512, 120);
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let last = out.lines().rfind(|line| line.starts_with("trying")).unwrap_or_default();
    assert!(run.status.success(), "{}, {last}\n{err}", run.status);
}

#[test]
fn no_schema_makes_us_work_for_long() {
    try_all("schemas that are dear to compile or to check", bombs());
}

#[test]
fn control_explaining_without_the_guard_takes_ever_longer() {
    // What the guard prevents: collecting every error of a schema that refers to itself through alternatives.
    let validator = jsonschema::options().build(&twofold()).unwrap();
    let time = |depth: usize| {
        let start = Instant::now();
        assert!(validator.iter_errors(&nested_list(depth)).count() > 0);
        start.elapsed()
    };
    // The shortest of many runs: the first one is cold, and other work on the machine may slow down any of them.
    let short = (0..20).map(|_| time(6)).min().unwrap_or_default();
    let long = time(14);
    testkit::tried(10, "control: levels that each double the work", 8, 0);
    assert!(long > short * 20, "{short:?} for 6 levels, {long:?} for 14");
}
