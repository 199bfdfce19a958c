//! The mapper, statements and their evaluation. The value that Cedar judges must be the value that is sent.

use expect_test::{Expect, expect};
use jiff::{Timestamp, tz::TimeZone};
use model::{ActionDefinition, EffectClass, Labels, Mode, Risk, RiskBand, SessionId, UserId};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    check::schema,
    shape::{Inexpressible, decimal, express},
    *,
};
use crate::facts::{FactValue, FactValues};

pub(crate) fn action(address: &str, input_schema: Value) -> ActionDefinition {
    ActionDefinition {
        address: address.parse().unwrap(),
        description: String::new(),
        input_schema,
        output_schema: None,
        risk: Risk::R2,
        effect: EffectClass::Once,
        labels: Labels { sends_out: true, ..Labels::default() },
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 30_000,
    }
}

pub(crate) fn transfer() -> ActionDefinition {
    let amount = json!({ "type": "integer" });
    let properties =
        json!({ "amount_cents": amount, "currency": { "type": "string" }, "note": { "type": "string" } });
    let required = ["amount_cents", "currency"];
    action("bank.transfer", json!({ "type": "object", "properties": properties, "required": required }))
}

fn who() -> Requester<'static> {
    Requester {
        session: Some(SessionId::from_uuid(Uuid::from_u128(7))),
        automation: None,
        space: "production",
        band: RiskBand::Green,
        agent: "triage",
        is_unattended: true,
        opened_by: Some(UserId::from_uuid(Uuid::from_u128(8))),
    }
}

pub(crate) fn stored(text: &str) -> Stored {
    let statement = Statement::parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    Stored { statement, version: 1, is_observing: false }
}

/// The names of the policies that hold, with their modes.
fn held(
    policies: &[&str],
    definition: &ActionDefinition,
    params: &Value,
    history: &[(&str, i64)],
) -> Vec<String> {
    let policies = PolicySet::new(policies.iter().map(|text| stored(text)).collect());
    let history: FactValues =
        history.iter().map(|(name, value)| ((*name).to_owned(), FactValue::Number(*value))).collect();
    let at = "2026-11-18T10:30:00Z".parse::<Timestamp>().unwrap();
    let answer = policies.answer(&Question {
        definition,
        requester: who(),
        params: Some(params),
        history: &history,
        now: Moment::of(at, &TimeZone::UTC),
        is_builtin: true,
        asked: Mode::Allow,
    });
    let words = answer.held.iter().map(|held| {
        let error = held.error.as_ref().map(|error| format!(" ({error})")).unwrap_or_default();
        format!("{} {}{error}", held.stored.statement.name, held.stored.statement.mode.as_str())
    });
    words.collect()
}

const CAP: &str = r#"@id("cap") @mode("deny") @why("At most 5 000 an hour")
forbid (principal, action == Action::"bank.transfer", resource)
when { context.input.currency == "EUR" && context.history.spent + context.input.amount_cents > 500000 };"#;

#[test]
fn a_cap_holds_at_its_first_cent_too_much_and_when_it_cannot_be_computed() {
    let ask = |amount: Value, spent: i64| {
        held(&[CAP], &transfer(), &json!({ "amount_cents": amount, "currency": "EUR" }), &[("spent", spent)])
    };
    assert!(ask(json!(80_000), 420_000).is_empty());
    assert_eq!(ask(json!(80_001), 420_000), ["cap deny"]);
    assert_eq!(ask(json!(i64::MAX), 1), ["cap deny (a number gets too large)"]);
    let huge = ["cap deny (the parameter `/amount_cents` has a value that policies cannot express)"];
    assert_eq!(ask(json!(u64::MAX), 0), huge);
    assert_eq!(ask(json!(1e30), 0), huge);
    assert_eq!(ask(json!("80000"), 0), huge);
    assert!(ask(json!(80_000.0), 420_000).is_empty(), "the same number, written as a float");
    // Without the value of its fact it holds, and where it does not look, it does not.
    let euros = json!({ "amount_cents": 1, "currency": "EUR" });
    assert_eq!(held(&[CAP], &transfer(), &euros, &[]), ["cap deny (a field that it reads is missing)"]);
    let other = action("bank.read", json!({}));
    assert!(held(&[CAP], &other, &json!({}), &[]).is_empty());
}

#[test]
fn every_policy_that_holds_is_named_and_the_strictest_is_last() {
    let deny = r#"@id("a-deny") forbid (principal, action in Action::"does:sends_out", resource);"#;
    let ask = r#"@id("z-ask") @mode("ask") forbid (principal in Space::"production", action in [Action::"risk:R2"], resource)
        when { principal.unattended && context.now.hour == 10 && context.now.weekday == 3 && context.asked == "allow" };"#;
    let not = r#"@id("not") forbid (principal in Space::"staging", action, resource);"#;
    let all = held(&[deny, ask, not], &transfer(), &json!({ "amount_cents": 1, "currency": "EUR" }), &[]);
    assert_eq!(all, ["z-ask require_approval", "a-deny deny"]);
}

#[test]
fn hosts_and_text_are_read_from_every_parameter() {
    let note = |note: &str| json!({ "amount_cents": 1, "currency": "EUR", "note": note });
    let outside = r#"@id("outside") forbid (principal, action, resource)
        unless { ["acme.example"].containsAll(context.domains) };"#;
    let word = r#"@id("word") forbid (principal, action, resource) when { context.text like "*wire it*" };"#;
    for (text, expected) in [
        ("to ada@acme.example", 0),
        ("see https://ACME.example/x, thanks @ada", 0),
        ("to eve@evil.example", 1),
        ("see https://user:pw@evil.example:8443/x", 1),
        ("//evil.example/x", 1),
        (r"https:\\evil.example/x", 1),
        ("HTTPS:/evil.example/x", 1),
        ("https:evil.example/x", 1),
        ("https://acme.example@evil.example/x", 1),
        ("http://localhost/x", 1),
        ("ada@acme.example.evil.example", 1),
        ("ada@acmе.example", 1), // a Cyrillic letter
    ] {
        assert_eq!(held(&[outside], &transfer(), &note(text), &[]).len(), expected, "{text}");
    }
    assert_eq!(held(&[word], &transfer(), &note("please wire it now"), &[]).len(), 1);
}

#[test]
fn what_is_inside_of_json_never_becomes_an_entity_or_an_extension() {
    let only = r#"@id("only") forbid (principal, action, resource) unless { context.input.note == "fine" };"#;
    let properties = json!({ "note": { "type": "string" } });
    let definition =
        action("bank.note", json!({ "type": "object", "properties": properties, "required": ["note"] }));
    for hostile in [
        json!({ "__entity": { "type": "Session", "id": "x" } }),
        json!({ "__extn": { "fn": "decimal", "arg": "1.0" } }),
        json!({ "__expr": "\"fine\"" }),
        json!(["fine"]),
        json!(null),
    ] {
        let found = held(&[only], &definition, &json!({ "note": hostile }), &[]);
        assert_eq!(found.len(), 1, "{hostile}");
    }
    assert!(held(&[only], &definition, &json!({ "note": "fine" }), &[]).is_empty());
}

fn shape_of(schema: Value, expect: &Expect) {
    let fields = of_schema(&schema);
    let lines = paths(&fields).into_iter().map(|(path, field)| {
        format!("{path}{}: {}", if field.is_required { "" } else { "?" }, field.shape.name())
    });
    expect.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_schema_becomes_what_cedar_can_say_and_the_rest_is_absent() {
    shape_of(
        json!({
            "type": "object",
            "required": ["title", "count", "labels", "items", "maybe", "kind", "choice"],
            "properties": {
                "title": { "type": "string" }, "count": { "type": "integer" }, "price": { "type": "number" },
                "is_open": { "type": "boolean" }, "labels": { "type": "array", "items": { "type": "string" } },
                "items": { "type": "array", "items": { "type": "object", "properties": {} } },
                "maybe": { "type": ["string", "null"] }, "kind": { "enum": ["a", "b"] }, "one": { "const": "x" },
                "choice": { "oneOf": [{ "const": "merge", "description": "…" }, { "const": "squash" }] },
                "or_null": { "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }] },
                "union": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                "both": { "type": ["string", "integer"] }, "any": {}, "map": { "type": "object" },
                "combined": { "allOf": [{ "type": "string" }] },
                "narrow": { "type": "string", "allOf": [{ "maxLength": 3 }] },
                "__entity": { "type": "string" }, "loop": { "$ref": "#/$defs/Loop" },
            },
            "$defs": {
                "Place": { "type": "object", "required": ["city"], "properties": { "city": { "type": "string" } } },
                "Loop": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Loop" }, "n": { "type": "integer" } } },
            },
        }),
        &expect![[r#"
            choice: String
            count: Long
            is_open?: Bool
            items_count: Long
            kind: String
            labels: Set<String>
            labels_count: Long
            loop?: record
            loop.n?: Long
            loop.next?: record
            loop.next.n?: Long
            loop.next.next?: record
            loop.next.next.n?: Long
            maybe?: String
            narrow?: String
            one?: String
            or_null?: record
            or_null.city: String
            price?: decimal
            title: String"#]],
    );
    shape_of(json!({}), &expect![""]);
    shape_of(json!({ "$ref": "#" }), &expect![""]);
}

#[test]
fn numbers_are_rounded_away_from_zero() {
    for (number, expected) in [
        (json!(12.123_456), Some("12.1235")),
        (json!(-12.123_456), Some("-12.1235")),
        (json!(0.000_000_1), Some("0.0001")),
        (json!(12), Some("12.0000")),
        (json!(1.5), Some("1.5000")),
        (json!(922_337_203_685_477.5), Some("922337203685477.5000")),
        (json!(922_337_203_685_478i64), None),
        (json!(1e300), None),
        (json!(5e-324), Some("0.0001")),
    ] {
        let Value::Number(found) = &number else { unreachable!() };
        assert_eq!(decimal(found).as_deref(), expected, "{number}");
    }
}

fn problems(text: &str) -> Vec<String> {
    let problems = match Statement::parse(text) {
        Err(problems) => problems,
        Ok(statement) => {
            let (transfer, merge) = (
                transfer(),
                action(
                    "github.merge",
                    json!({ "type": "object", "properties": {
                "method": { "type": "string" }, "pull": { "type": "integer" } }, "required": ["pull"] }),
                ),
            );
            let facts = [("spent".to_owned(), true), ("green".to_owned(), false)].into();
            let catalog =
                Catalog { actions: vec![&transfer, &merge], facts, spaces: vec!["production".to_owned()] };
            check(&statement, &catalog)
        }
    };
    let words = problems.into_iter().map(|problem| {
        let at = problem.place.map(|place| format!("{}:{}+{} ", place.line, place.column, place.length));
        let help = problem.help.map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{}{}{help}", at.unwrap_or_default(), problem.message)
    });
    words.collect()
}

#[test]
fn what_is_wrong_with_a_policy_is_told_with_its_place() {
    assert!(problems(CAP).is_empty(), "{:?}", problems(CAP));
    let with = |condition: &str| {
        format!(
            "@id(\"x\") forbid (principal, action == Action::\"github.merge\", resource) when {{ {condition} }};"
        )
    };
    for (text, expected) in [
        (r#"@id("x") permit (principal, action, resource);"#.to_owned(), "write `forbid`"),
        (r#"forbid (principal, action, resource);"#.to_owned(), "needs a name"),
        (
            r#"@id("x") @tier("1") forbid (principal, action, resource);"#.to_owned(),
            "unknown annotation `@tier`",
        ),
        (
            r#"@id("x") @mode("maybe") forbid (principal, action, resource);"#.to_owned(),
            "\"ask\" or \"deny\"",
        ),
        (
            r#"@id("x") @approvers("2") forbid (principal, action, resource);"#.to_owned(),
            "needs `@mode(\"ask\")`",
        ),
        (
            r#"@id("x") @mode("ask") @approvers("0") forbid (principal, action, resource);"#.to_owned(),
            "from 1 to 10",
        ),
        (r#"@id("X y") forbid (principal, action, resource);"#.to_owned(), "a name has"),
        (
            "@id(\"x\") @why(\"a\u{202e}b\") forbid (principal, action, resource);".to_owned(),
            "ordinary characters",
        ),
        (
            r#"@id("x") forbid (principal, action == Action::"github.merg", resource);"#.to_owned(),
            "did you mean `github.merge`",
        ),
        (
            r#"@id("x") forbid (principal in Space::"prod", action, resource);"#.to_owned(),
            "the space `prod` does not exist",
        ),
        (with("context.input.method == \"squash\""), "method"),
        (with("context.input.pul == 1"), "pul"),
        (with("context.input.pull > 1.0"), ""),
        (with("context.input.pull == \"1\""), ""),
        (with("context.history.spend > 1"), "the fact `spend` does not exist"),
        (with("context.history.green > 1"), ""),
        (with("context == context"), "`context` must be followed"),
        (with("context.history has spent && context.history == context.history"), "name of a fact"),
        (with("context.imput.pull == 1"), "imput"),
        ("@id(\"x\") forbid (principal, action, resource) when { ".to_owned(), "unexpected"),
    ] {
        let found = problems(&text);
        assert!(!found.is_empty(), "{text}");
        assert!(found.iter().any(|problem| problem.contains(expected)), "{text}: {found:?}");
    }
    let optional =
        with("context.input has method && context.input.method == \"squash\" && context.history.green");
    assert!(problems(&optional).is_empty(), "{:?}", problems(&optional));
}

#[test]
fn places_count_lines_and_utf16_units() {
    let text =
        "// 👍\n@id(\"x\")\nforbid (principal, action, resource)\nwhen { \"👍\" == context.input.nope };";
    let found = problems(text);
    assert!(found.iter().any(|problem| problem.starts_with("4:")), "{found:?}");
}

#[test]
fn a_text_is_split_into_its_policies() {
    let text = "// first; with a semicolon\n@id(\"a;b\") forbid (principal, action, resource); /* */\n@id(\"b\") forbid(principal,action,resource) when { \"\\\";\" == \"x\" };\n// the end\n";
    let parts: Vec<&str> = split(text).into_iter().map(str::trim).collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    assert!(parts[0].starts_with("// first") && parts[1].ends_with("};"));
    assert_eq!(split("@id(\"a\") forbid (principal, action, resource)").len(), 1);
    assert!(split("  // nothing\n").is_empty());
}

#[test]
fn limits_of_facts_are_found_for_people() {
    let statement = Statement::parse(CAP).unwrap();
    assert_eq!(statement.reads.limits, [("spent".to_owned(), 500_000)].into());
    assert_eq!(statement.reads.names(), ["input", "history"]);
}

/// Schemas, each with a value that it allows.
fn schema_and_value() -> impl Strategy<Value = (Value, Value)> {
    let scalar = prop_oneof![
        any::<String>().prop_map(|text| (json!({ "type": "string" }), json!(text))),
        any::<i64>().prop_map(|number| (json!({ "type": "integer" }), json!(number))),
        any::<bool>().prop_map(|truth| (json!({ "type": "boolean" }), json!(truth))),
        (-1e9..1e9).prop_map(|number| (json!({ "type": "number" }), json!(number))),
        Just((json!({ "type": ["string", "null"] }), Value::Null)),
        Just((json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }), json!({ "__entity": 1 }))),
    ];
    scalar.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(("[a-z_]{1,9}", inner.clone(), any::<bool>(), any::<bool>()), 0..4)
                .prop_map(|fields| {
                    let (mut properties, mut required, mut value) = (json!({}), vec![], json!({}));
                    for (name, (schema, inner), is_required, is_there) in fields {
                        if properties.get(&name).is_some() {
                            continue;
                        }
                        if is_required {
                            required.push(name.clone());
                        }
                        if is_required || is_there {
                            value[name.clone()] = inner;
                        }
                        properties[name] = schema;
                    }
                    (json!({ "type": "object", "properties": properties, "required": required }), value)
                }),
            (inner, 0usize..3).prop_map(|((schema, value), count)| {
                (json!({ "type": "array", "items": schema }), Value::Array(vec![value; count]))
            }),
        ]
    })
}

proptest! {
    /// What the mapper says of a schema and what it makes of a value agree: Cedar's own check of types accepts each.
    #[test]
    fn every_value_has_the_type_that_its_schema_says((input, params) in schema_and_value()) {
        let whole = json!({ "type": "object", "properties": { "it": input }, "required": ["it"] });
        let definition = action("bank.transfer", whole);
        let catalog = Catalog { actions: vec![&definition], ..Catalog::default() };
        let types = cedar_policy::Schema::from_json_value(schema(&[&definition], &catalog)).unwrap();
        let fields = of_schema(&definition.input_schema);
        let value = match express(&fields, &json!({ "it": params })) {
            Ok(value) => value,
            Err(Inexpressible(at)) => panic!("{at} of {params}"),
        };
        let text = |text: &str| cedar_policy::RestrictedExpression::new_string(text.to_owned());
        let whole = cedar_policy::RestrictedExpression::new_long(1);
        let record = |pairs: Vec<(String, cedar_policy::RestrictedExpression)>| {
            cedar_policy::RestrictedExpression::new_record(pairs).unwrap()
        };
        let now = ["hour", "minute", "weekday"].map(|name| (name.to_owned(), whole.clone()));
        let now = now.into_iter().chain([("date".to_owned(), text(""))]).collect();
        let context = cedar_policy::Context::from_pairs([
            ("input".to_owned(), value),
            ("text".to_owned(), text("")),
            ("domains".to_owned(), cedar_policy::RestrictedExpression::new_set([])),
            ("now".to_owned(), record(now)),
            ("history".to_owned(), record(vec![])),
            ("asked".to_owned(), text("allow")),
        ]).unwrap();
        let uid = |kind: &str, id: &str| format!("{kind}::\"{id}\"").parse::<cedar_policy::EntityUid>().unwrap();
        let request = cedar_policy::Request::new(
            uid("Session", "s"), uid("Action", "bank.transfer"), uid("Source", "bank"), context, Some(&types),
        );
        prop_assert!(request.is_ok(), "{:?}", request.err());
    }

    /// Whatever the amount and what was spent, the cap holds exactly where the sum is beyond it or cannot be computed.
    #[test]
    fn the_cap_agrees_with_arithmetic(amount in any::<i64>(), spent in 0i64..i64::MAX) {
        let found = held(&[CAP], &transfer(), &json!({ "amount_cents": amount, "currency": "EUR" }), &[("spent", spent)]);
        let beyond = spent.checked_add(amount).is_none_or(|sum| sum > 500_000);
        prop_assert_eq!(!found.is_empty(), beyond);
    }
}

#[test]
fn a_schema_without_an_end_has_a_shape_with_one() {
    let list = json!({ "$defs": { "A": { "type": "array", "items": { "$ref": "#/$defs/A" } } },
        "type": "object", "properties": { "x": { "$ref": "#/$defs/A" }, "y": { "type": "string" } } });
    let names = |schema: &Value| of_schema(schema).into_keys().collect::<Vec<_>>();
    assert_eq!(names(&list), ["x_count", "y"]);
    let union = json!({ "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/A" }] } },
        "type": "object", "properties": { "x": { "$ref": "#/$defs/A" }, "y": { "type": "string" } } });
    assert_eq!(names(&union), ["y"], "and before long");
    let record = json!({ "$defs": { "A": { "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } } } },
        "type": "object", "properties": { "x": { "$ref": "#/$defs/A" } } });
    assert_eq!(names(&record), ["x"]);
    let mut deep = json!({ "type": "string" });
    for _ in 0..60 {
        deep = json!({ "anyOf": [deep, { "type": "null" }] });
    }
    assert!(of_schema(&json!({ "type": "object", "properties": { "x": deep } })).is_empty());
}

#[test]
fn a_text_that_nests_too_deep_is_refused_and_the_deepest_allowed_one_is_read_on_a_small_stack() {
    let refused = |condition: &str| {
        let text = format!("@id(\"deep\") forbid (principal, action, resource) when {{ {condition} }};");
        Statement::parse(&text).err().map(|problems| problems[0].message.clone()).unwrap_or_default()
    };
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}true{}", open.repeat(depth), close.repeat(depth));
    assert!(refused(&nested("(", ")", 4_500)).contains("brackets must nest"));
    assert!(refused(&nested("[", "]", 4_500)).contains("brackets must nest"));
    assert!(refused(&nested("if true then ", " else true", 1_001)).contains("at most 10240 bytes"));
    assert!(refused(&format!("true{}", "&&true".repeat(600))).contains("too many operators"));
    assert!(refused(&format!("context{}", ".a".repeat(1_200))).contains("too many operators"));
    // Strings and comments are no code.
    let quiet = format!("context.text == \"{}\" // {}\n", "(".repeat(500), ".".repeat(2_000));
    assert_eq!(refused(&quiet), "");
    let worst = [
        nested("(", ")", 63),
        nested("if true then ", " else true", 400),
        format!("true{}", "&&true".repeat(499)),
        format!("1{} == 2", "+1".repeat(990)),
        format!("{}true", "!".repeat(4)),
    ];
    assert!(refused(&format!("//\r{}", nested("(", ")", 4_500))).contains("brackets must nest"));
    let compared = (0..60).fold("1 > 1".to_owned(), |inner, _| format!("({inner}) == true"));
    assert_eq!(refused(&compared), "", "and before long");
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let checked = small.spawn(move || {
        for condition in worst {
            let text = format!("@id(\"deep\") forbid (principal, action, resource) when {{ {condition} }};");
            let statement = Statement::parse(&text).unwrap();
            let transfer = transfer();
            let catalog = Catalog { actions: vec![&transfer], ..Catalog::default() };
            drop(check(&statement, &catalog));
            let set = PolicySet::new(vec![Stored { statement, version: 1, is_observing: false }]);
            drop(set.clone());
        }
    });
    checked.unwrap().join().unwrap();
}
