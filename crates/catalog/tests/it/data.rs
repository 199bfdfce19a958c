//! Untrusted templates, and messages in the app.

use catalog::{Registry, SourceUrls};
use model::ErrorClass;
use serde_json::{Value, json};

use crate::support::{Subject, context};

fn registry() -> Registry {
    Registry::builtin(&SourceUrls::default()).unwrap()
}

async fn transform(template: &str, data: Value) -> Result<Value, String> {
    let subject = Subject::new(&registry(), "data.transform", json!({"template": template, "data": data}));
    let done = subject.execute(&context("k")).await;
    done.map(|done| done.output["result"].clone()).map_err(|error| {
        assert_eq!((error.class, error.sent), (ErrorClass::Invalid, false));
        error.message
    })
}

#[tokio::test]
async fn one_expression_keeps_its_type_and_anything_else_is_text() {
    let data = json!({"n": 3, "name": "Ada", "items": [{"id": 1}, {"id": 2}], "none": null});
    for (template, result) in [
        ("{{ n }}", json!(3)),
        (" {{ name }} ", json!("Ada")),
        ("{{ items }}", json!([{"id": 1}, {"id": 2}])),
        ("{{ none }}", json!(null)),
        ("{{ n > 2 and name == 'Ada' }}", json!(true)),
        ("{{ items | length + 1 }}", json!(3)),
        ("{{ {'a': [n, name]} }}", json!({"a": [3, "Ada"]})),
        ("{{ items[0].id }}", json!(1)),
        ("n={{ n }}", json!("n=3")),
        ("{% for item in items %}{{ item.id }},{% endfor %}", json!("1,2,")),
        ("{% if n == 3 %}three{% else %}other{% endif %}", json!("three")),
        ("{{ missing | default('x') }}", json!("x")),
        ("{{ name | upper }}-{{ name | lower | replace('a', 'o') }}", json!("ADA-odo")),
        ("{{ [1, 'b'] | join('/') }}", json!("1/b")),
        ("{{ items | tojson }}!", json!("[{\"id\":1},{\"id\":2}]!")),
        ("{{ -1 | abs }}", json!(1)),
    ] {
        assert_eq!(transform(template, data.clone()).await, Ok(result), "{template}");
    }
}

#[tokio::test]
async fn what_is_missing_or_not_listed_is_an_error() {
    for template in [
        "{{ missing }}",
        "{% if missing %}x{% endif %}",
        "{{ a.b.c }}",
        "{% set a = 'x' %}{{ a }}",
        "{{ 'a' * 100000 }}",
        "{{ 2 ** 100 }}",
        "{{ 'a' ~ 'b' }}",
        "{{ range(10) }}",
        "{{ a.items() }}",
        "{{ a | map(attribute='x') }}",
        "{{ a | safe }}",
        "{{ a | urlencode }}",
        "{% macro m() %}x{% endmacro %}",
        "{% include 'x' %}",
        "{% filter upper %}x{% endfilter %}",
        "{% with x = 1 %}{{ x }}{% endwith %}",
        "{% for x in a recursive %}{{ loop(x) }}{% endfor %}",
        "{{ unclosed",
    ] {
        assert!(transform(template, json!({"a": {"b": {}}})).await.is_err(), "{template}");
    }
}

#[tokio::test]
async fn no_template_can_grow_or_run_without_end() {
    let big = "x".repeat(60_000);
    let many: Vec<u32> = (0..3000).collect();
    let data = json!({"big": big, "many": many});
    let additions = vec!["big"; 18].join(" + ");
    for template in [
        "{{ big }}{{ big }}".to_owned(),
        "{{ [big, big] }}".to_owned(),
        "{{ [big, big] | join }}".to_owned(),
        "{{ [big, big] | tojson | length }}".to_owned(),
        "{{ big | replace('x', 'yyyyyyyyyy') | length }}".to_owned(),
        "{{ big | replace('', 'yyyyyyyyyy') | length }}".to_owned(),
        format!("{{{{ ({additions}) | length }}}}"),
        "{% for a in many %}{% for b in many %}{% endfor %}{% endfor %}".to_owned(),
    ] {
        assert!(transform(&template, data.clone()).await.is_err(), "{template}");
    }
    let huge = json!({"a": "x".repeat(300_000)});
    assert_eq!(transform("{{ 1 }}", huge).await, Err("the data is too large".to_owned()));
}

#[tokio::test]
async fn an_error_repeats_no_data() {
    let error = transform("{{ a.b.c }}", json!({"a": {"secret": "hunter2"}})).await.unwrap_err();
    assert!(!error.contains("hunter2") && !error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_notice_is_announced_by_whoever_settles_the_call() {
    let params = json!({"title": "Done", "body": "All of it", "level": "warning"});
    let subject = Subject::new(&registry(), "data.notify", params);
    let done = subject.execute(&context("k")).await.unwrap();
    let announced = done.announce.unwrap();
    assert_eq!((&*announced.title, &*announced.body, announced.level), ("Done", "All of it", "warning"));
    assert_eq!(done.undo, None);
    let preview = subject.preview(&context("k")).await.unwrap().unwrap();
    assert_eq!(preview.summary, "Shows “Done” to people of the org");
}
