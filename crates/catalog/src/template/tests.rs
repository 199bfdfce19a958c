//! What templates can do, and what is refused.

use serde_json::json;

use super::*;

const SMALL: Bounds = Bounds { data: 4_096, output: 1_024, time: Duration::from_millis(500) };

fn filled(source: &str) -> Result<serde_json::Value, TemplateError> {
    let data = json!({
        "name": "Ada Lovelace", "when": "2026-11-15T09:30:00Z", "nothing": null, "list": [3, 1, 2],
        "long": "x".repeat(1_000),
    });
    render(source, data.as_object().unwrap(), SMALL)
}

#[test]
fn each_filter_does_what_it_says() {
    for (source, expected) in [
        ("{{ when | date }}", json!("2026-11-15")),
        ("{{ when | date('%H:%M on %d %b') }}", json!("09:30 on 15 Nov")),
        ("{{ name | slugify }}", json!("ada-lovelace")),
        ("{{ name | truncate(3) }}", json!("Ada…")),
        ("{{ name | truncate }}", json!("Ada Lovelace")),
        ("{{ list | sort }}", json!([1, 2, 3])),
        ("{{ list | reverse }}", json!([2, 1, 3])),
        ("{{ nothing }}", json!(null)),
        ("[{{ nothing }}]", json!("[]")),
        ("{{ list is sequence and name is string and nothing is none }}", json!(true)),
    ] {
        assert_eq!(filled(source).unwrap(), expected, "{source}");
    }
}

#[test]
fn what_is_not_listed_or_grows_too_large_is_refused() {
    for source in [
        "{{ name | pprint }}",
        "{{ name is odd }}",
        "{{ _private }}",
        "{{ name._private }}",
        "{{ 'a' * 9999999 }}",
        "{% set a = 1 %}",
        "{{ range(9) }}",
        "{{ long ~ long }}",
        "{{ long | replace('x', long) }}",
        "{{ [long, long] | join }}",
        "{{ when | date(long) }}",
        "{{ name | date }}",
        "{{ missing }}",
    ] {
        assert!(filled(source).is_err(), "{source}");
    }
}

#[test]
fn what_a_template_uses_is_known_before_it_is_filled() {
    let names = |source: &str| check(source).unwrap().names.into_iter().collect::<Vec<_>>();
    assert_eq!(names("{{ inputs.since }} {{ issues.nodes | length }}"), ["inputs.since", "issues.nodes"]);
    assert_eq!(names("{% for one in issues.nodes %}{{ one.title }}{% endfor %}"), ["issues.nodes"]);
    assert!(check("{{ a }}").unwrap().typed && !check("{{ a }}!").unwrap().typed);
    assert!(check(&"x".repeat(MAX_SOURCE + 1)).is_err());
}
