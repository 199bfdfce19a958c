//! Policies and facts that are saved: lists, texts, deletion, reports, backtests and starters.

use std::fs;

use cli::Exit;
use serde_json::{Value, json};

use crate::{
    automations::Folder,
    stub::{CHANGE, Streams, Stub, USER, problem, proposed},
};

const AT: &str = "2026-11-18T08:00:00Z";
pub(crate) const TEXT: &str = "@id(\"cap\") @mode(\"deny\")\nforbid (principal, action, resource)\nwhen { context.history.sent >= 20 };";

pub(crate) fn policy(name: &str, text: &str, state: &str) -> Value {
    json!({
        "id": "pol_0192f0c1d2e37a4b8c5d6e7f80910a50", "name": name, "text": text, "state": state, "version": 3,
        "mode": "require_approval", "approvers": 2, "why": "Too much\u{202e}", "reads": ["history", "input"],
        "facts": ["sent"], "limits": { "sent": 20 }, "set_by": USER, "updated_at": AT,
    })
}

pub(crate) fn new_fact(name: &str) -> Value {
    json!({ "name": name, "kind": "count", "of": ["slack.send_message"], "within": "10m", "per": "session" })
}

pub(crate) fn fact(name: &str) -> Value {
    let mut fact = new_fact(name);
    let more = json!({
        "id": "fct_0192f0c1d2e37a4b8c5d6e7f80910a51", "state": "counted", "words": "number of slack.send_message",
        "sees_since": AT, "complete": true, "used_by": ["cap"], "set_by": USER, "updated_at": AT,
    });
    fact.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fact
}

pub(crate) fn page(items: &[Value]) -> (u16, String) {
    (200, json!({ "items": items }).to_string())
}

#[tokio::test]
async fn policies_and_facts_are_listed() {
    let stub = Stub::answering([page(&[policy("cap", TEXT, "observing")]), page(&[fact("sent")])]).await;
    let outcome = stub.run(&["policies", "list"]).await;
    for cell in
        ["cap", "require_approval (2 people)", "observing", "input, history.sent", "Too much\\u{202e}", AT]
    {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    let outcome = stub.run(&["facts", "list"]).await;
    for cell in ["sent", "number of slack.send_message", AT, "yes", "cap"] {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    let lines: Vec<String> = stub.asked().into_iter().map(|asked| asked.line).collect();
    assert_eq!(lines, ["GET /v1/policies", "GET /v1/facts"]);
}

#[tokio::test]
async fn a_text_is_printed_and_cannot_draw() {
    let answer =
        || page(&[policy("other", TEXT, "enforced"), policy("cap", "// a\u{1b}[2J\nforbid", "enforced")]);
    let stub = Stub::answering([answer(), answer(), answer()]).await;
    let outcome = stub.run(&["policies", "show", "cap"]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, "// a\\u{1b}[2J\nforbid\n"));
    let outcome = stub.run(&["policies", "show", "cap", "--json"]).await;
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!((&shown["name"], &shown["version"]), (&json!("cap"), &json!(3)));
    let outcome = stub.run(&["policies", "show", "absent\u{1b}"]).await;
    assert_eq!(outcome.exit, Exit::NotFound);
    assert!(outcome.err.contains("policy `absent\\u{1b}` not found"), "{}", outcome.err);
}

#[tokio::test]
async fn policies_and_facts_are_deleted_or_wait() {
    let in_use = || (409, problem(409, "fact_in_use").to_string());
    let stub = Stub::answering([(204, String::new()), proposed(), (204, String::new()), in_use()]).await;
    let outcome = stub.run(&["policies", "delete", "a/b"]).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Done, "deleted policy a/b\n"));
    let outcome = stub.run(&["policies", "delete", "cap"]).await;
    assert_eq!(outcome.exit, Exit::Pending);
    assert!(outcome.err.contains(CHANGE), "{}", outcome.err);
    assert_eq!(stub.run(&["facts", "delete", "sent"]).await.exit, Exit::Done);
    assert_eq!(stub.run(&["facts", "delete", "sent"]).await.exit, Exit::Conflict);
    let lines: Vec<String> = stub.asked().into_iter().map(|asked| asked.line).collect();
    assert_eq!(
        lines,
        [
            "DELETE /v1/policies/a%2Fb",
            "DELETE /v1/policies/cap",
            "DELETE /v1/facts/sent",
            "DELETE /v1/facts/sent"
        ]
    );
}

#[tokio::test]
async fn facts_of_a_file_are_saved_and_one_that_waits_stops_no_other() {
    let folder = Folder::new("facts-set");
    let file = folder.write_text("facts.json", &json!([new_fact("one"), new_fact("two")]).to_string());
    let ok = || (200, fact("two").to_string());
    let stub = Stub::answering([proposed(), ok(), ok()]).await;
    let outcome = stub.run(&["facts", "set", &file]).await;
    assert_eq!(outcome.exit, Exit::Pending);
    let expected = format!("fact one: waits for a second owner as {CHANGE}\nfact two: saved\n");
    assert_eq!((outcome.out.as_str(), outcome.err), ("", expected));
    assert_eq!(stub.asked()[1].line, "PUT /v1/facts/two");
    assert_eq!(stub.asked()[1].body["kind"], "count");

    let file = folder.write_text("fact.json", &new_fact("one").to_string());
    let outcome = stub.run(&["facts", "set", &file, "--json"]).await;
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(shown, json!({ "items": [{ "kind": "fact", "name": "one", "change": "saved" }] }));

    let mut bad = new_fact("x\u{1b}");
    bad["within_days"] = 3.into();
    for text in [json!([new_fact("a"), new_fact("a")]), json!([new_fact("")]), bad, json!([7])] {
        let file = folder.write_text("bad.json", &text.to_string());
        let outcome = stub.run(&["facts", "set", &file]).await;
        assert_eq!((outcome.exit, stub.asked().len()), (Exit::Usage, 3), "{text}");
        assert!(!outcome.err.contains('\u{1b}'), "{}", outcome.err);
    }
}

#[tokio::test]
async fn reports_say_what_observing_policies_would_have_done() {
    let action = json!({ "action": "slack.send_message", "would_ask": 0, "would_deny": 3, "examples": ["inv_1", "inv_2"] });
    let report = json!({ "name": "cap", "since": AT, "held": 44, "would_ask": 0, "would_deny": 3,
                         "already_stricter": 41, "by_action": [action] });
    let stub = Stub::answering([page(&[report]), page(&[])]).await;
    let outcome = stub.run(&["policies", "reports", "--days", "30"]).await;
    for cell in ["WOULD DENY", "44", "41", "slack.send_message", "inv_1, inv_2"] {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    assert_eq!(stub.asked()[0].line, "GET /v1/policies/reports?days=30");
    let outcome = stub.run(&["policies", "reports"]).await;
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", "no policy is observing\n"));
    assert_eq!(stub.asked()[1].line, "GET /v1/policies/reports?days=7");
}

fn result() -> Value {
    let counts = json!({ "allow": 1_000, "require_approval": 200, "deny": 34 });
    let example =
        json!({ "invocation": "inv_1\u{1b}", "before": "allow", "after": "deny", "policies": ["cap"] });
    let action = json!({ "action": "bank.transfer", "newly_allowed": 412, "newly_asked": 57, "newly_denied": 3,
                         "examples": [example] });
    json!({
        "from": AT, "to": AT, "invocations": 1_234, "incomplete": 1, "before": counts, "after": counts,
        "newly_allowed": 412, "newly_asked": 57, "newly_denied": 3, "days": [], "actions": [action],
    })
}

fn stream(lines: &[Value]) -> (u16, String) {
    (200, lines.iter().map(|line| format!("{line}\n")).collect())
}

#[tokio::test]
async fn a_backtest_shows_its_progress_and_then_its_result() {
    let folder = Folder::new("backtest");
    let file = folder.write_text("cap.cedar", TEXT);
    folder.write_text("facts.json", &json!([new_fact("sent")]).to_string());
    let lines = [
        json!({ "progress": { "done": 500, "of": 1_234 } }),
        json!({ "progress": { "done": 1_234, "of": 1_234 } }),
        json!({ "result": result() }),
    ];
    let stub = Stub::answering([stream(&lines), stream(&lines), stream(&lines)]).await;
    let outcome = stub.run(&["policies", "backtest", &file, "--remove", "old"]).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Done, ""));
    let said = "In the last 30 days this would have let 412 run without asking, asked about 57 more, and denied 3 more \
                (of 1,234 invocations).\nThe result is not exact for 1 invocation: ";
    assert!(outcome.out.starts_with(said), "{}", outcome.out);
    for cell in ["NEWLY ALLOWED", "bank.transfer", "inv_1\\u{1b}", "deny", "cap"] {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    let asked = stub.asked().remove(0);
    assert_eq!(asked.line, "POST /v1/policies/backtest");
    assert_eq!(
        asked.body,
        json!({ "days": 30, "policies": [{ "text": TEXT }], "remove": ["old"], "facts": [new_fact("sent")] })
    );

    let outcome = stub.run(&["policies", "backtest", &folder.path(""), "--json"]).await;
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).unwrap(), result());
    let streams = Streams { terminal: true, ..Streams::default() };
    let outcome = streams.run(&stub.url, &["policies", "backtest", "--remove", "old", "--days", "1"]).await;
    assert!(outcome.err.contains("500 of 1,234 invocations decided again"), "{:?}", outcome.err);
    assert!(outcome.out.starts_with("In the last day "), "{}", outcome.out);
}

#[tokio::test]
async fn a_backtest_that_fails_ends_as_its_problem_says() {
    let progress = json!({ "progress": { "done": 1, "of": 2 } });
    let failed = [progress.clone(), json!({ "problem": problem(503, "unavailable") })];
    let stub = Stub::answering([
        stream(&failed),
        stream(&[progress]),
        (200, "<html>".to_owned()),
        (422, problem(422, "invalid_request").to_string()),
    ])
    .await;
    let command = ["policies", "backtest", "--remove", "old"];
    let outcome = stub.run(&[&command[..], &["--json"]].concat()).await;
    assert_eq!(outcome.exit, Exit::Unreachable);
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).unwrap(), problem(503, "unavailable"));
    assert!(outcome.err.contains("It did not work: because (unavailable, 503)"), "{}", outcome.err);
    let outcome = stub.run(&command).await;
    assert_eq!(outcome.exit, Exit::Failed);
    assert!(outcome.err.contains("ended without a result"), "{}", outcome.err);
    assert_eq!(stub.run(&command).await.exit, Exit::Failed);
    assert_eq!(stub.run(&command).await.exit, Exit::Usage);
    // An empty folder holds no change.
    let folder = Folder::new("backtest-empty");
    let outcome = stub.run(&["policies", "backtest", &folder.path("")]).await;
    assert_eq!((outcome.exit, stub.asked().len()), (Exit::Usage, 4));
}

fn starter() -> Value {
    let mut fact = new_fact("spent");
    fact["kind"] = "sum".into();
    fact["of"] = json!(["{{action}}"]);
    fact["field"] = "input.{{amount}}".into();
    let request =
        json!({ "action": "bank.transfer", "params": { "amount": 1 }, "history": { "spent": "{{limit}}" } });
    json!({
        "name": "cap", "title": "Cap\u{202e}", "about": "# Cap\n", "text": "@id(\"cap\") // {{limit}} [{{names}}]\n",
        "needs": [
            { "name": "action", "label": "Action", "kind": "action", "default": "bank.transfer" },
            { "name": "amount", "label": "Field", "kind": "field", "default": "amount_cents" },
            { "name": "limit", "label": "Limit", "kind": "integer", "default": 500 },
            { "name": "names", "label": "Names", "kind": "list", "default": ["a", "b"] },
        ],
        "facts": [fact],
        "cases": [{ "name": "over", "request": request, "expect": "deny" }],
        "actions": [{ "address": "bank.transfer", "input_schema": {} }],
    })
}

#[tokio::test]
async fn a_starter_is_shown_and_written_into_a_folder() {
    let folder = Folder::new("starters");
    let answers: Vec<_> = (0..6).map(|_| page(&[starter()])).collect();
    let stub = Stub::answering(answers).await;
    let outcome = stub.run(&["policies", "starters"]).await;
    assert!(outcome.out.contains("cap") && outcome.out.contains("Cap\\u{202e}"), "{}", outcome.out);
    let outcome = stub.run(&["policies", "starters", "cap"]).await;
    assert!(outcome.out.contains("amount_cents") && outcome.out.contains("{{limit}}"), "{}", outcome.out);

    let into = folder.path("new/cap");
    let write = ["policies", "starters", "cap", "--into", &into];
    let outcome = stub.run(&[&write[..], &["--set", "limit=7", "--set", "names=x\", y"]].concat()).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let read = |name: &str| fs::read_to_string(format!("{into}/{name}")).unwrap();
    let json = |name: &str| serde_json::from_str::<Value>(&read(name)).unwrap();
    assert_eq!(read("policy.cedar"), "@id(\"cap\") // 7 [\"x\\\"\", \"y\"]\n");
    let facts = json("facts.json");
    assert_eq!(
        (&facts[0]["of"], &facts[0]["field"]),
        (&json!(["bank.transfer"]), &json!("input.amount_cents"))
    );
    assert_eq!(json("cases.json")[0]["request"]["history"], json!({ "spent": 7 }));
    assert_eq!(json("actions.json")[0]["address"], "bank.transfer");
    assert!(outcome.err.contains("adapt cases.json"), "{}", outcome.err);

    // What is there already is not overwritten.
    let outcome = stub.run(&write).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("policy.cedar already exists"), "{}", outcome.err);
    let outcome = stub.run(&[&write[..], &["--set", "limti=7"]].concat()).await;
    assert!(outcome.err.contains("It needs: action, amount, limit, names"), "{}", outcome.err);
    let outcome = stub.run(&["policies", "starters", "capp"]).await;
    assert_eq!(outcome.exit, Exit::NotFound);
    assert!(outcome.err.contains("did you mean `cap`?"), "{}", outcome.err);
}
