//! Two documents as they occur in practice, and what hostile ones try.

use expect_test::{Expect, expect};

use super::*;
use crate::schema;

const PETSTORE: &str = include_str!("../../../tests/fixtures/petstore-3.0.json");
const ORDERS: &str = include_str!("../../../tests/fixtures/orders-3.1.json");

fn reading(text: &str, base: Option<&str>) -> Result<Document, String> {
    let document = "https://docs.example/specs/openapi.json".parse().unwrap();
    let base = base.map(|base| base.parse().unwrap());
    read(text.as_bytes(), Setting { document: &document, base: base.as_ref(), header: Some("api_key") })
}

fn offer(text: &str, name: &str) -> Offer {
    let found = reading(text, None).unwrap().offers.into_iter().find(|offer| offer.name == name);
    found.unwrap_or_else(|| panic!("{name}"))
}

/// One line for each operation: how it is called and with which properties, or why it cannot be called.
fn check(text: &str, expected: Expect) {
    let document = reading(text, None).unwrap();
    let mut lines = vec![format!("{:?}", document.server)];
    for offer in document.offers {
        let request: Request = serde_json::from_value(offer.request.clone().unwrap()).unwrap();
        let properties: Vec<_> = offer.input_schema["properties"].as_object().unwrap().keys().collect();
        let risk = crate::connector::claimed_risk(&offer);
        lines.push(format!(
            "{}: {risk:?} {} {}{} {properties:?} of which {} {}",
            offer.name,
            request.method,
            request.base,
            request.path,
            offer.input_schema.get("required").unwrap_or(&Value::Null),
            request.body.unwrap_or_default(),
        ));
        // Every offered schema compiles.
        assert!(schema::compile(&offer.input_schema).is_ok(), "{}", offer.input_schema);
        assert!(offer.output_schema.is_none_or(|output| schema::compile(&output).is_ok()), "{}", offer.name);
    }
    lines.extend(document.unusable.into_iter().map(|(name, why)| format!("{name}: no, {why}")));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_petstore_of_3_0() {
    check(
        PETSTORE,
        expect![[r#"
        Some("Petstore 1.0.17")
        addPet: R2 POST https://docs.example/api/v3/pet ["body"] of which ["body"] application/json
        deletePet: R3 DELETE https://docs.example/api/v3/pet/{petId} ["petId", "query_petId"] of which ["petId"] 
        findPetsByStatus: R1 GET https://docs.example/api/v3/pet/findByStatus ["fields", "status"] of which null 
        getPetById: R1 GET https://docs.example/api/v3/pet/{petId} ["petId"] of which ["petId"] 
        get_store_inventory: R1 GET https://docs.example/api/v3/store/inventory/ [] of which null 
        updatePet: R2 PUT https://docs.example/api/v3/pet ["body"] of which ["body"] application/json
        loginUser: no, its parameter `sid` cannot be expressed
        options_user_login: no, OPTIONS is not called
        uploadFile: no, its body is not JSON"#]],
    );
}

#[test]
fn orders_of_3_1() {
    check(
        ORDERS,
        expect![[r#"
            Some("Orders 2026-01, called at https://eu.orders.example, https://write.orders.example")
            orders.create: R2 POST https://eu.orders.example/v2/orders ["body"] of which ["body"] application/vnd.orders+json
            orders.get: R1 GET https://eu.orders.example/v2/orders/{id} ["id"] of which ["id"] 
            orders.list: R1 GET https://eu.orders.example/v2/orders ["filter", "query", "X-Trace"] of which null 
            orders.pay: R2 POST https://eu.orders.example/v2/orders/{id}/payment ["body", "id"] of which ["body","id"] application/json
            orders.update: R2 PATCH https://write.orders.example//orders/{id} ["body", "id"] of which ["id"] application/merge-patch+json
            any_orders_id_label: no, it refers to another document
            search: no, it refers to another document"#]],
    );
}

#[test]
fn parameters_are_checked_as_the_document_says() {
    for (text, name, params, fits) in [
        (PETSTORE, "addPet", json!({ "body": { "name": "a", "photoUrls": [] } }), true),
        (PETSTORE, "addPet", json!({ "body": { "name": "a" } }), false),
        (
            PETSTORE,
            "addPet",
            json!({ "body": { "name": "a", "photoUrls": [], "category": { "id": null } } }),
            true,
        ),
        (PETSTORE, "addPet", json!({}), false),
        (PETSTORE, "addPet", json!({ "body": { "name": "a", "photoUrls": [] }, "other": 1 }), false),
        (PETSTORE, "getPetById", json!({ "petId": 5 }), true),
        (PETSTORE, "getPetById", json!({ "petId": "../5" }), false),
        (ORDERS, "orders.pay", json!({ "id": "x", "body": { "kind": "card", "token": "t" } }), true),
        (ORDERS, "orders.pay", json!({ "id": "x", "body": { "kind": "invoice", "days": 0 } }), false),
        (
            ORDERS,
            "orders.create",
            json!({ "body": { "items": ["first", { "sku": "a", "count": 1 }] } }),
            true,
        ),
        (ORDERS, "orders.create", json!({ "body": { "items": ["first", { "count": 1 }] } }), false),
        (ORDERS, "orders.update", json!({ "id": "ord_1", "body": { "note": null } }), true),
        (ORDERS, "orders.update", json!({ "id": "ord_1", "body": { "other": null } }), false),
        (ORDERS, "orders.list", json!({ "query": { "and": ["a", { "and": [] }] } }), true),
    ] {
        let checker = schema::compile(&offer(text, name).input_schema).unwrap();
        assert_eq!(schema::check(&checker, &params).is_ok(), fits, "{name} {params}");
    }
}

fn changed(place: &str, value: Value) -> String {
    let mut document: Value = serde_json::from_str(PETSTORE).unwrap();
    let (parent, name) = place.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap()[name] = value;
    document.to_string()
}

#[test]
fn words_are_no_drift_and_everything_else_is() {
    let (add, get) =
        (offer(PETSTORE, "addPet").shape().unwrap(), offer(PETSTORE, "getPetById").shape().unwrap());
    for (what, text) in [
        ("title", changed("/info/title", json!("Other"))),
        ("summary", changed("/paths/~1pet/post/summary", json!("Other"))),
        ("example", changed("/components/schemas/Pet/properties/name/example", json!("other"))),
        ("extension", changed("/components/schemas/Pet/x-order", json!(1))),
    ] {
        assert_eq!(offer(&text, "addPet").shape().unwrap(), add, "{what}");
    }
    for (what, text) in [
        ("server", changed("/servers", json!([{ "url": "https://evil.example" }]))),
        ("server of the operation", changed("/paths/~1pet/post/servers", json!([{ "url": "/v4" }]))),
        ("a field more", changed("/components/schemas/Pet/properties/bcc", json!({ "type": "string" }))),
        ("required", changed("/components/schemas/Pet/required", json!(["name"]))),
        ("deep", changed("/components/schemas/Category/properties/id/type", json!("string"))),
        (
            "media type",
            changed(
                "/components/requestBodies/Pet/content",
                json!({ "application/x+json": { "schema": { "$ref": "#/components/schemas/Pet" } } }),
            ),
        ),
    ] {
        assert_ne!(offer(&text, "addPet").shape().unwrap(), add, "{what}");
    }
    let mut moved: Value = serde_json::from_str(PETSTORE).unwrap();
    let item = moved["paths"].as_object_mut().unwrap().remove("/pet/{petId}").unwrap();
    moved["paths"]["/admin/{petId}"] = item;
    assert_ne!(offer(&moved.to_string(), "getPetById").shape().unwrap(), get, "path");
}

fn one(document: Value) -> String {
    let mut all = json!({ "openapi": "3.1.0", "info": { "title": "T" }, "paths": {} });
    all.as_object_mut().unwrap().extend(document.as_object().unwrap().clone());
    match reading(&all.to_string(), None) {
        Err(why) => format!("no: {why}"),
        Ok(Document { offers, unusable, .. }) => {
            let bases = offers
                .iter()
                .map(|offer| offer.request.as_ref().unwrap()["base"].as_str().unwrap().to_owned());
            bases.chain(unusable.into_iter().map(|(_, why)| why)).collect::<Vec<_>>().join("; ")
        }
    }
}

#[test]
fn a_server_is_an_address_and_nothing_less_safe_than_the_document() {
    for (url, expected) in [
        (json!("/v1"), "https://docs.example/v1"),
        (json!("v1"), "https://docs.example/specs/v1"),
        (json!("https://api.example"), "https://api.example/"),
        (json!("https://169.254.169.254/"), "https://169.254.169.254/"),
        (json!("http://api.example"), "its server uses http, although the document uses https"),
        (json!("file:///etc/passwd"), "the URL of its server is not http or https"),
        (json!("ftp://api.example"), "the URL of its server is not http or https"),
        (json!("javascript:alert(1)"), "the URL of its server is not http or https"),
        (
            json!("https://user:pw@api.example"),
            "the URL of its server has a query, a fragment or credentials",
        ),
        (json!("https://api.example/?a=b"), "the URL of its server has a query, a fragment or credentials"),
        (json!("https://{host}/"), "its server has variables without a default"),
        (json!(5), "its server has no address"),
    ] {
        let document = json!({ "servers": [{ "url": url }], "paths": { "/a": { "get": {} } } });
        assert_eq!(one(document), expected, "{url}");
    }
    let base = reading(ORDERS, Some("http://127.0.0.1:1/x")).unwrap();
    assert!(
        base.offers.iter().all(|offer| offer.request.as_ref().unwrap()["base"] == "http://127.0.0.1:1/x")
    );
}

#[test]
fn odd_operations_are_refused_with_the_reason() {
    let path_param = json!([{ "name": "id", "in": "path", "schema": {} }]);
    for (paths, expected) in [
        (json!({ "/a/{id}": { "get": {} } }), "its path and its parameters do not match"),
        (
            json!({ "/a": { "get": { "parameters": path_param } } }),
            "its path and its parameters do not match",
        ),
        (json!({ "/a/../b": { "get": {} } }), "its path has a part that is empty or only dots"),
        (json!({ "//evil.example/x": { "get": {} } }), "its path has a part that is empty or only dots"),
        (json!({ "/a?b=c": { "get": {} } }), "its path has characters that are not part of a path"),
        (json!({ "/a#b": { "get": {} } }), "its path has characters that are not part of a path"),
        (json!({ "/a/%2e%2e/b": { "get": {} } }), "its path has characters that are not part of a path"),
        (
            json!({ "/a": { "get": { "operationId": "x" }, "post": { "operationId": "x" } } }),
            "two operations of the document have this name",
        ),
        (
            json!({ "/a-b": { "get": {} }, "/a/b": { "get": {} } }),
            "two operations of the document have this name",
        ),
        (
            json!({ "/a": { "get": { "parameters": [{ "$ref": "http://169.254.169.254/p" }] } } }),
            "it refers to another document",
        ),
        (
            json!({ "/a": { "get": { "parameters": [{ "$ref": "#/paths/~1a/get/parameters/0" }] } } }),
            "its references lead nowhere",
        ),
        (
            json!({ "/a": { "get": { "parameters": [{ "in": "query" }] } } }),
            "a parameter of it has no name or place",
        ),
        (
            json!({ "/a": { "get": { "parameters": [{ "in": "query", "name": "q", "required": true, "style": "spaceDelimited" }] } } }),
            "its parameter `q` cannot be expressed",
        ),
        (
            json!({ "/a": { "get": { "requestBody": { "required": true, "content": { "application/json": {} } } } } }),
            "its body is not JSON",
        ),
        (json!({ "/a": { "trace": {} } }), "TRACE is not called"),
    ] {
        assert_eq!(one(json!({ "paths": paths })), expected, "{paths}");
    }
}

#[test]
fn what_is_no_document_is_refused() {
    for text in [
        "",
        "openapi: 3.0.0\npaths: {}",
        "[]",
        "{}",
        r#"{"swagger":"2.0","paths":{}}"#,
        r#"{"openapi":"3.2.0","paths":{}}"#,
        r#"{"openapi":"4.0.0","paths":{}}"#,
        r#"{"openapi":"3.1.0"}"#,
    ] {
        assert!(reading(text, None).is_err(), "{text}");
    }
    assert!(reading(&"[".repeat(100_000), None).is_err());
}

#[test]
fn a_document_cannot_grow_in_our_hands() {
    // Each of many operations refers to one large component, and components to each other.
    let large: Map<String, Value> =
        (0..2_000).map(|n| (format!("field_{n}"), json!({ "type": "string" }))).collect();
    let chain: Map<String, Value> = (0..500)
        .map(|n| {
            let next = json!({ "$ref": format!("#/components/schemas/c{}", n + 1) });
            (format!("c{n}"), json!({ "properties": { "a": next, "b": next } }))
        })
        .chain([("c500".to_owned(), json!({})), ("large".to_owned(), json!({ "properties": large }))])
        .collect();
    let body = |name: &str| {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        json!({ "post": { "requestBody": { "content": { "application/json": { "schema": schema } } } } })
    };
    let paths: Map<String, Value> = (0..700).map(|n| (format!("/p{n}"), body("large"))).collect();
    let document = |paths: Value| {
        json!({ "openapi": "3.0.0", "paths": paths, "components": { "schemas": chain } }).to_string()
    };
    let many = reading(&document(paths.into()), None).unwrap();
    assert_eq!((many.offers.len(), many.unusable.len()), (0, MOST_TOOLS + 1));
    let deep = reading(&document(json!({ "/a": body("c0") })), None).unwrap();
    assert_eq!(deep.offers.len(), 0, "{:?}", deep.unusable);
}

#[test]
fn long_names_are_cut_without_becoming_those_of_others() {
    let long = "/very".repeat(30);
    let (one, other) =
        (name_of("get", &format!("{long}/a"), &json!({})), name_of("get", &format!("{long}/b"), &json!({})));
    assert_ne!(one, other);
    assert_eq!((one.len(), other.len()), (MOST_NAME, MOST_NAME));
    assert_eq!(name_of("get", "/Pets/{petId}.json", &json!({})), "get_pets_petid_json");
    assert_eq!(name_of("get", "/x", &json!({ "operationId": " listX " })), "listX");
}
