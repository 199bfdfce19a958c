//! Values stay where their parameters are.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

fn request(path: &str) -> Request {
    serde_json::from_value(json!({
        "method": "POST", "base": "https://api.example/v1/", "path": path, "body": "application/json",
        "key_header": "Idempotency-Key",
        "params": {
            "id": { "in": "path", "name": "id" },
            "limit": { "in": "query", "name": "page[limit]" },
            "tags": { "in": "query", "name": "tag" },
            "ids": { "in": "query", "name": "ids", "style": "commas" },
            "filter": { "in": "query", "name": "filter", "style": "deep" },
            "where": { "in": "query", "name": "where", "style": "json" },
            "trace": { "in": "header", "name": "X-Trace" },
            "sneaky": { "in": "header", "name": "Authorization" },
        },
    }))
    .unwrap()
}

fn check(path: &str, params: Value, expected: Expect) {
    let said = match request(path).build(&params, "inv_1") {
        Ok(built) => {
            let extra = built.headers.get("x-trace").map(|value| value.to_str().unwrap().to_owned());
            let more = [extra, built.body.map(|body| body.to_string())].into_iter().flatten();
            std::iter::once(format!("{} {}", built.method, built.url))
                .chain(more)
                .collect::<Vec<_>>()
                .join(" ")
        }
        Err(error) => {
            assert!(!error.sent);
            format!("{:?}: {}", error.class, error.message)
        }
    };
    expected.assert_eq(&said);
}

#[test]
fn each_value_goes_where_its_parameter_is() {
    check(
        "/pets/{id}",
        json!({ "id": 7, "tags": ["a&b", "c"], "limit": 10, "trace": "t", "body": { "a": [1, null] } }),
        expect![[
            r#"POST https://api.example/v1/pets/7?tag=a%26b&tag=c&page%5Blimit%5D=10 t {"a":[1,null]}"#
        ]],
    );
    check(
        "/pets/{id}:feed/",
        json!({ "id": "x y", "ids": [1, 2], "filter": { "a": true, "b&": "c=d", "n": null }, "where": { "q": "?" } }),
        expect![
            "POST https://api.example/v1/pets/x%20y:feed/?ids=1%2C2&filter%5Ba%5D=true&filter%5Bb%26%5D=c%3Dd&where=%7B%22q%22%3A%22%3F%22%7D"
        ],
    );
    check("/", json!({}), expect!["POST https://api.example/v1/"]);
    let built = request("/x").build(&json!({ "body": "" }), "inv_1").unwrap();
    assert_eq!(built.headers["idempotency-key"], "inv_1");
    assert_eq!(built.headers["content-type"], "application/json");
    assert!(request("/x").build(&json!({}), "inv_1").unwrap().headers.get("content-type").is_none());
}

#[test]
fn no_value_leaves_its_segment() {
    for (value, encoded) in [
        ("a/b", "a%2Fb"),
        ("%2e%2e", "%252e%252e"),
        ("%2e%2e%2fadmin", "%252e%252e%252fadmin"),
        ("a?admin=true", "a%3Fadmin=true"),
        ("a#b", "a%23b"),
        ("...", "..."),
        ("a%00", "a%2500"),
        ("ä", "%C3%A4"),
        ("@evil.example", "@evil.example"),
        ("http://evil.example", "http:%2F%2Fevil.example"),
        ("{id}", "%7Bid%7D"),
    ] {
        let built = request("/pets/{id}/toys").build(&json!({ "id": value }), "k").unwrap();
        assert_eq!(built.url.as_str(), format!("https://api.example/v1/pets/{encoded}/toys"), "{value}");
    }
    for value in ["", ".", "..", "../x", "x/..", "a/../../b", "..\\x", "a\nb", "a\0b"] {
        let refused = request("/pets/{id}/toys").build(&json!({ "id": value }), "k").unwrap_err();
        assert!(!refused.sent, "{value:?}");
    }
    // Both parts are harmless alone.
    assert!(request("/pets/.{id}").build(&json!({ "id": "." }), "k").is_err());
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_sent() {
    check("/pets/{id}", json!({}), expect!["Invalid: the part `id` of the path is missing"]);
    check("/pets/{id}", json!({ "id": null }), expect!["Invalid: `id` must be a single value"]);
    check("/pets/{id}", json!({ "id": ["a"] }), expect!["Invalid: `id` must be a single value"]);
    check("/x", json!({ "other": 1 }), expect!["Invalid: the operation has no parameter `other`"]);
    check("/x", json!({ "limit": { "a": 1 } }), expect!["Invalid: `limit` must be a single value"]);
    check(
        "/x",
        json!({ "ids": ["a,b"] }),
        expect!["Invalid: a value of `ids` contains a comma, which is the separator"],
    );
    check("/x", json!({ "filter": { "a": {} } }), expect!["Invalid: `filter` must be a single value"]);
    check(
        "/x",
        json!({ "trace": "a\r\nHost: b" }),
        expect!["Invalid: the value of `trace` cannot be in a header"],
    );
    check(
        "/x",
        json!({ "sneaky": "Bearer x" }),
        expect!["Invalid: the operation cannot be called as described"],
    );
}

#[test]
fn a_template_is_a_path_and_nothing_else() {
    for fine in ["/", "/pets", "/pets/", "/pets/{id}", "/a.b/{x}.{y}", "/v1/ops/{id}:cancel", "/a(b='{c}')"] {
        assert!(segments(fine).is_ok(), "{fine}");
    }
    for odd in [
        "",
        "pets",
        "//evil.example",
        "/a//b",
        "/..",
        "/a/../b",
        "/./a",
        "/a?b=c",
        "/a#b",
        "/a%2e%2e",
        "/a\\b",
        "/{",
        "/{}",
        "/{a{b}}",
        "/a}b",
        "/a b",
        "/ä",
        "/{a}/..",
    ] {
        assert!(segments(odd).is_err(), "{odd}");
    }
}

#[test]
fn headers_with_a_meaning_of_their_own_are_not_for_callers() {
    for name in [
        "authorization",
        "host",
        "cookie",
        "cookie2",
        "content-length",
        "transfer-encoding",
        "x-forwarded-for",
        "x-http-method-override",
        "accept-encoding",
        "proxy-authorization",
        "x-original-url",
        "idempotency-key",
    ] {
        assert!(!may_be_set(&name.parse().unwrap()), "{name}");
    }
    for name in ["x-trace", "if-match", "range", "x-api-version"] {
        assert!(may_be_set(&name.parse().unwrap()), "{name}");
    }
}
