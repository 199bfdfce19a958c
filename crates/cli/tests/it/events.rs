//! Following events, and groups with their dead letters.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::Stub;

const EVENT: &str = "evt_0192f0c1d2e37a4b8c5d6e7f80910a31";

fn event(id: &str, data: &Value) -> Value {
    json!({ "specversion": "1.0", "id": id, "eventid": id, "source": "/drive", "type": "drive.file_added",
            "time": "2026-11-15T09:00:00Z", "depth": 0, "data": data })
}

#[tokio::test]
async fn the_newest_events_are_a_line_each_and_nothing_in_them_can_draw() {
    let hostile = json!({ "name": "a\u{202e}b\u{1b}[2J" });
    let page = json!({ "items": [event(EVENT, &hostile)], "last": EVENT });
    let stub = Stub::once(200, page).await;
    let outcome =
        stub.run(&["events", "tail", "--no-follow", "-n", "5", "--type", "drive.*", "--type", "x.y"]).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.contains(EVENT) && outcome.out.contains("drive.file_added"), "{}", outcome.out);
    assert!(!outcome.out.contains(['\u{202e}', '\u{1b}']), "{:?}", outcome.out);
    assert_eq!(outcome.out.lines().count(), 1);
    assert_eq!(stub.asked()[0].line, "GET /v1/events?type=drive.*%2Cx.y&limit=5");
}

#[tokio::test]
async fn with_json_each_event_is_one_line() {
    let items = [event(EVENT, &json!({ "n": 1 })), event(EVENT, &json!({ "n": 2 }))];
    let stub = Stub::once(200, json!({ "items": items, "last": EVENT })).await;
    let outcome = stub.run(&["events", "tail", "--no-follow", "--json"]).await;
    let read: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, items);
}

#[tokio::test]
async fn dead_letters_are_listed_and_handed_out_again() {
    let letter = json!({ "eventid": EVENT, "event": event(EVENT, &json!({})), "attempts": 10,
                         "error": "no such file", "dead_at": "2026-11-15T09:00:00Z" });
    let stub = Stub::once(200, json!({ "items": [letter] })).await;
    let listed = stub.run(&["events", "dlq", "indexer"]).await;
    assert!(listed.out.contains("no such file") && listed.out.contains("drive.file_added"), "{}", listed.out);
    let stub = Stub::once(200, json!({ "count": 1 })).await;
    let revived = stub.run(&["events", "dlq", "indexer", "--revive", EVENT]).await;
    assert_eq!(revived.exit, Exit::Done);
    assert_eq!(stub.asked()[0].line, "POST /v1/event-groups/indexer/dead-letters/revive");
    assert_eq!(stub.asked()[0].body, json!({ "events": [EVENT] }));
}

#[tokio::test]
async fn a_filter_that_is_no_json_is_not_sent() {
    let stub = Stub::once(200, json!({})).await;
    let outcome = stub.run(&["events", "group", "indexer", "--filter", "type=x"]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Usage, 0));
}
