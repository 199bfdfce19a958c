//! Values that a policy would judge differently from what is sent: entities and extensions of Cedar inside of JSON, large and
//! negative numbers, duplicate keys, unions, Unicode, depth. The target records what it gets; read by this file and not by
//! the product, nothing that the policies forbid may be in it.

use platform::config::Limits;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeMcp, tool},
};

use crate::{
    policies::policy,
    sources::connectors::{add, review},
};

/// What may not be sent.
const POLICIES: [&str; 8] = [
    r#"@id("text") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has text && context.input.text == "evil" };"#,
    r#"@id("maybe") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has maybe && context.input.maybe == "evil" };"#,
    r#"@id("amount") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has amount && context.input.amount > 100 };"#,
    r#"@id("price") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has price && context.input.price.greaterThan(decimal("100.0")) };"#,
    r#"@id("flag") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has flag && context.input.flag };"#,
    r#"@id("list") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has list && context.input.list.contains("evil") };"#,
    r#"@id("nested") forbid (principal, action == Action::"bank.send", resource)
        when { context.input has nested && context.input.nested has to && context.input.nested.to == "evil" };"#,
    r#"@id("domains") forbid (principal, action == Action::"bank.send", resource)
        when { context.domains.contains("evil.example") };"#,
];

/// Whether the target got what the policies forbid.
fn is_forbidden(got: &Value) -> bool {
    let above = |field: &str| got[field].as_f64().is_some_and(|number| number > 100.0);
    let lists = || got["list"].as_array().is_some_and(|items| items.iter().any(|item| item == "evil"));
    got["text"] == "evil"
        || got["maybe"] == "evil"
        || got["nested"]["to"] == "evil"
        || got["flag"] == true
        || above("amount")
        || above("price")
        || lists()
        || names_host(got)
}

/// Whether a text holds an address of the host, as a browser or a mail program would read it.
fn names_host(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let text = text.to_lowercase().replace('\\', "/");
            ["@evil.example", "//evil.example", "http:evil.example", "https:evil.example", "http:/evil.example"]
                .iter()
                .any(|mark| text.contains(mark) && !text.contains("evil.example.org"))
        }
        Value::Array(items) => items.iter().any(names_host),
        Value::Object(fields) => fields.values().any(names_host),
        _ => false,
    }
}

/// Spellings of a value in JSON that may be read as the text `evil`, or as something else than they are.
const TEXTS: [&str; 22] = [
    r#""evil""#,
    r#""\u0065vil""#,
    r#""\u0065\u0076\u0069\u006c""#,
    r#""ev\u0069l""#,
    r#""evil ""#,
    r#""Evil""#,
    r#""evil\u0000""#,
    r#""evil\n""#,
    r#""\ufeffevil""#,
    r#""e\u0301vil""#,
    "\"\u{ff45}vil\"",
    r#""\ud83d\ude00evil""#,
    r#""\udead""#,
    r#"{"__entity": {"type": "Session", "id": "fine"}}"#,
    r#"{"__extn": {"fn": "decimal", "arg": "1.0"}}"#,
    r#"{"__expr": "\"fine\""}"#,
    r#"{"type": "String", "value": "fine"}"#,
    r#"["evil"]"#,
    r#"[["evil"]]"#,
    "null",
    "true",
    "0",
];

const NUMBERS: [&str; 30] = [
    "101", "101.0", "1.01e2", "1010e-1", "1E3", "100", "100.0", "1e2", "-101", "-0", "0", "100.00001", "100.0000000000001",
    "99.99999", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e300", "1e400", "-1e300", "5e-324",
    "922337203685477.5807", "922337203685477.5808", r#""101""#, "[101]", r#"{"__extn": {"fn": "decimal", "arg": "1.0"}}"#,
];

const HOSTS: [&str; 16] = [
    "to eve@evil.example",
    "to EVE@EVIL.EXAMPLE",
    "<eve@evil.example>",
    "https://evil.example/x",
    "HTTPS://Evil.Example:8443/x?y",
    "https://user:pw@evil.example/x",
    "https://acme.example@evil.example/",
    "//evil.example/x",
    r"https:\\\\evil.example\\x",
    r"\\\\evil.example\\share",
    "http:evil.example",
    "http:/evil.example",
    "see[1](https://evil.example)",
    "mailto:eve@evil.example?subject=x",
    "a@evil.example,b@acme.example",
    "evil.example.org is another host: https://evil.example.org",
];

/// The bodies: each spelling in each field, alone, beside a harmless value of the same name, and deep inside.
fn bodies() -> Vec<String> {
    let mut bodies = Vec::new();
    let mut add = |field: &str, value: &str, fine: &str| {
        bodies.push(format!(r#"{{"{field}": {value}}}"#));
        bodies.push(format!(r#"{{"{field}": {value}, "{field}": {fine}}}"#));
        bodies.push(format!(r#"{{"{field}": {fine}, "{field}": {value}}}"#));
        let escaped = field.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
        bodies.push(format!(r#"{{"{escaped}": {value}}}"#));
        bodies.push(format!(r#"{{"{escaped}": {fine}, "{field}": {value}}}"#));
    };
    for value in TEXTS {
        for field in ["text", "maybe"] {
            add(field, value, r#""fine""#);
        }
        add("list", &format!("[\"fine\", {value}]"), r#"["fine"]"#);
        add("nested", &format!(r#"{{"to": {value}}}"#), r#"{"to": "fine"}"#);
        add("nested", &format!(r#"{{"to": "fine", "more": {{"to": {value}}}}}"#), r#"{"to": "fine"}"#);
        add("flag", value, "false");
    }
    for value in NUMBERS {
        for field in ["amount", "price"] {
            add(field, value, "1");
        }
    }
    for host in HOSTS {
        bodies.push(format!(r#"{{"text": "{host}"}}"#));
        bodies.push(format!(r#"{{"other": [{{"deep": "{host}"}}]}}"#));
    }
    bodies
}

fn schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "text": text, "maybe": { "type": ["string", "null"] }, "amount": { "type": "integer" }, "price": { "type": "number" },
        "flag": { "type": "boolean" }, "list": { "type": "array", "items": text },
        "nested": { "type": "object", "properties": { "to": text } },
        "union": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
    })
}

#[tokio::test]
async fn the_value_that_is_judged_is_the_value_that_is_sent() -> anyhow::Result<()> {
    let limits = Limits { invocations_per_minute: 1_000_000, ..Limits::default() };
    let app = TestApp::with(catalog::SourceUrls::default(), limits).await?;
    let bank = FakeMcp::start(vec![tool("send", schema())], None).await?;
    add(&app, "bank", &bank, json!({ "kind": "none" })).await?;
    let reviewed = review(&app, "bank", "send", json!({ "risk": "R2", "effect": "once" })).await?;
    anyhow::ensure!(reviewed.status == StatusCode::OK, "{}", reviewed.text);
    app.rule("bank.send", "allow").await?;
    for text in POLICIES {
        policy(&app, text).await?;
    }
    let agent = app.agent().await?;
    let (bodies, mut sent, mut denied) = (bodies(), 0, 0);
    let (mut wrong, mut examples) = (0, Vec::new());
    for body in &bodies {
        let before = bank.calls("send").len();
        let whole = format!(r#"{{"action": "bank.send", "params": {body}}}"#);
        let answered = app.invoke_raw(&agent, whole, None).await?;
        denied += usize::from(answered.status == StatusCode::FORBIDDEN);
        let calls = bank.calls("send");
        sent += calls.len() - before;
        if calls.get(before..).unwrap_or_default().iter().any(is_forbidden) {
            wrong += 1;
            examples.push(body.clone());
        }
    }
    assert!(bodies.len() >= 900, "{}", bodies.len());
    assert!(sent >= 60 && denied >= 60, "sent {sent}, denied {denied}: most were never judged");
    assert_eq!(wrong, 0, "{examples:#?}");
    testkit::tried(16, "values aimed at the reader of policies", bodies.len(), wrong);
    Ok(())
}

/// With Cedar's own reader of JSON, what is judged is another value than what the target gets.
#[test]
fn cedars_own_reader_takes_an_agents_json_for_something_else() -> anyhow::Result<()> {
    use cedar_policy::{Authorizer, Context, Decision, Entities, PolicySet, Request};
    let judges = |condition: &str, input: &Value| -> anyhow::Result<bool> {
        let text = format!("permit (principal, action, resource) when {{ {condition} }};");
        let policies: PolicySet = text.parse()?;
        let Ok(context) = Context::from_json_value(json!({ "input": input }), None) else { return Ok(false) };
        let uid = |text: &str| text.parse::<cedar_policy::EntityUid>();
        let (one, action, other) = (uid("Session::\"s\"")?, uid("Action::\"bank.send\"")?, uid("Source::\"bank\"")?);
        let request = Request::new(one, action, other, context, None)?;
        Ok(Authorizer::new().is_authorized(&request, &policies, &Entities::empty()).decision() == Decision::Allow)
    };
    let mut fooled = 0;
    for field in ["text", "maybe", "price", "amount"] {
        let entity = json!({ field: { "__entity": { "type": "Session", "id": "fine" } } });
        fooled += usize::from(judges(&format!("context.input.{field} == Session::\"fine\""), &entity)?);
        let decimal = json!({ field: { "__extn": { "fn": "decimal", "arg": "1.0" } } });
        let low = format!("context.input.{field}.lessThan(decimal(\"100.0\"))");
        fooled += usize::from(judges(&low, &decimal)?);
    }
    assert_eq!(fooled, 8, "an object is sent, and an entity or a small number was judged");
    testkit::tried(16, "control: judged by Cedar's own reader", fooled, 0);
    Ok(())
}
