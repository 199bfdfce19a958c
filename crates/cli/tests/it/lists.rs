//! Lists, and the ways in which paging could go on forever.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{Stub, USER};

fn member(name: &str) -> Value {
    json!({ "user": USER, "email": "a@example.com", "name": name, "role": "member", "kind": "person",
        "joined_at": "2026-11-18T08:00:00Z" })
}

#[tokio::test]
async fn one_page_is_printed_as_it_came() {
    let exact = json!({ "items": [member("Ada")], "next_cursor": "n" }).to_string().replace(':', ": ");
    let stub = Stub::answering([(200, exact.clone())]).await;
    let outcome = stub.run(&["members", "list", "--limit", "1", "--cursor", "a b&c", "--json"]).await;
    assert_eq!((outcome.exit, outcome.out, outcome.err.as_str()), (Exit::Done, format!("{exact}\n"), ""));
    assert_eq!(stub.asked()[0].line, "GET /v1/members?limit=1&cursor=a+b%26c");
}

#[tokio::test]
async fn all_pages_become_one_document() {
    let page = |name: &str, next: Option<&str>| {
        let mut page = json!({ "items": [member(name)] });
        if let Some(next) = next {
            page["next_cursor"] = next.into();
        }
        (200, page.to_string())
    };
    let stub = Stub::answering([page("one", Some("c1")), page("two", Some("c2")), page("three", None)]).await;
    let outcome = stub.run(&["members", "list", "--all", "--json"]).await;
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(shown, json!({ "items": [member("one"), member("two"), member("three")] }));
    let lines: Vec<_> = stub.asked().into_iter().map(|asked| asked.line).collect();
    assert_eq!(lines, ["GET /v1/members", "GET /v1/members?cursor=c1", "GET /v1/members?cursor=c2"]);
}

#[tokio::test]
async fn a_gateway_that_names_the_same_page_again_is_not_followed() {
    let page = (200, json!({ "items": [member("again")], "next_cursor": "c" }).to_string());
    let stub = Stub::answering([page.clone(), page.clone(), page]).await;
    let outcome = stub.run(&["members", "list", "--all"]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Done, 2));
}

#[tokio::test]
async fn a_name_cannot_draw_a_row_of_its_own() {
    let page = json!({ "items": [member("Eve\nusr_1  boss@example.com  Boss  owner\u{202e}")] });
    let stub = Stub::once(200, page).await;
    let outcome = stub.run(&["members", "list"]).await;
    assert_eq!(outcome.out.lines().count(), 2, "{}", outcome.out);
    assert!(outcome.out.contains("Eve\\nusr_1  boss@example.com  Boss  owner\\u{202e}"), "{}", outcome.out);
}

#[tokio::test]
async fn activity_is_asked_for_with_every_filter_and_shown_as_a_table() {
    let item = json!({
        "id": "inv_0199a9b20d9f7c23a5b10a4f2b7c9d01", "session": "ses_0199a9b20d9f7c23a5b10a4f2b7c9d02", "space": "main",
        "agent": "triage\u{202e}", "action": "linear.create_issue", "risk": "R2", "status": "failed", "mode": "allow",
        "mode_source": "org_rule", "dry_run": false, "attempts": 3, "params_line": "{\"title\": \"x\"}",
        "error": { "class": "transient", "message": "the target answered 503", "sent": true },
        "requested_at": "2026-11-15T09:00:00.5Z"
    });
    let page = json!({ "items": [item], "next_cursor": "c", "searched_until": "2026-11-01T00:00:00Z" });
    let stub = Stub::once(200, page).await;
    let asked = [
        "activity",
        "a b",
        "--source",
        "linear",
        "--status",
        "failed,unknown",
        "--since",
        "2026-11-15T09:00:00Z",
    ];
    let outcome = stub.run(&asked).await;
    let line =
        "GET /v1/invocations?source=linear&status=failed%2Cunknown&q=a+b&since=2026-11-15T09%3A00%3A00Z";
    assert_eq!(stub.asked()[0].line, line);
    let shown = outcome.out.lines().nth(1).unwrap_or_default();
    for cell in [
        "2026-11-15T09:00:0",
        "main",
        "triage\\u{202e}",
        "R2",
        "failed",
        "{\"title\": \"x\"}",
        "the target answered 503",
    ] {
        assert!(shown.contains(cell), "{cell}: {}", outcome.out);
    }
    assert!(outcome.err.contains("--cursor c"), "{}", outcome.err);
}

#[tokio::test]
async fn an_empty_list_leaves_stdout_empty() {
    let stub = Stub::once(200, json!({ "items": [] })).await;
    let outcome = stub.run(&["rules", "list"]).await;
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", "no results\n"));
}
