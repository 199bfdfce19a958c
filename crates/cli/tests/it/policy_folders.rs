//! Folders with policies: checked, tested, compared with what is saved, and applied.

use cli::Exit;
use serde_json::{Value, json};

use crate::{
    automations::Folder,
    policies::{TEXT, fact, new_fact, page, policy},
    stub::{CHANGE, Stub, problem, proposed},
};

fn case(name: &str) -> Value {
    json!({ "name": name, "request": { "action": "slack.send_message", "params": {}, "history": { "sent": 20 } },
            "expect": "deny" })
}

/// The case as the gateway has it.
fn saved_case(name: &str) -> Value {
    let mut case = case(name);
    case["request"]["unattended"] = false.into();
    case["updated_at"] = "2026-11-18T08:00:00Z".into();
    case
}

fn checked(name: &str, text: &str) -> Value {
    json!({ "name": name, "text": text, "mode": "deny", "why": "", "reads": ["history"], "facts": ["sent"],
            "actions": [], "in_scope": 1_200 })
}

fn fine(policies: &[Value]) -> (u16, String) {
    (200, json!({ "ok": true, "problems": [], "policies": policies, "cases": [] }).to_string())
}

/// A folder with a policy, a fact and a case.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write_text("cap.cedar", TEXT);
    folder.write_text(".cap.cedar.swp.cedar", "hidden");
    folder.write_text("facts.json", &json!([new_fact("sent")]).to_string());
    folder.write_text("cases.json", &json!([case("over")]).to_string());
    folder
}

fn lines(stub: &Stub) -> Vec<String> {
    stub.asked().into_iter().map(|asked| asked.line).collect()
}

#[tokio::test]
async fn problems_are_shown_with_their_places() {
    let folder = folder("check");
    folder.write_text("other.cedar", "forbid");
    let problems = json!([
        { "policy": "cap", "index": 0, "severity": "error", "message": "no field `x\u{1b}[2J`\nok", "help": "use `y`",
          "line": 3, "column": 8, "length": 1 },
        { "index": 1, "severity": "warning", "message": "never holds" },
        { "policy": "sent", "severity": "error", "message": "no such action" },
        { "policy": "theirs", "severity": "error", "message": "of the organization" },
    ]);
    let answer =
        json!({ "ok": false, "problems": problems, "policies": [checked("cap", TEXT)], "cases": [] });
    let stub = Stub::answering([(200, answer.to_string()), (200, answer.to_string())]).await;
    let dir = folder.path("");
    let dir = dir.trim_end_matches('/');
    let outcome = stub.run(&["policies", "check", dir]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    let expected = format!(
        "{dir}/cap.cedar:3:8: error: no field `x\\u{{1b}}[2J`\\nok (use `y`)\n{dir}/other.cedar: warning: never \
         holds\n{dir}/facts.json: error: fact `sent`: no such action\nerror: fact `theirs`: of the organization\ncap: \
         deny, applies to 1,200 actions\n"
    );
    assert_eq!(outcome.out, expected);
    let asked = stub.asked().remove(0);
    assert_eq!(asked.line, "POST /v1/policies/check");
    let body = json!({ "policies": [{ "text": TEXT }, { "text": "forbid" }], "facts": [new_fact("sent")], "cases": [],
                       "alone": false, "actions": [] });
    assert_eq!(asked.body, body);
    let outcome = stub.run(&["policies", "check", dir, "--json"]).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Usage, format!("{answer}\n")));
}

#[tokio::test]
async fn warnings_are_no_errors_and_each_file_is_read_once() {
    let folder = folder("check-warnings");
    let warning =
        json!({ "index": 0, "severity": "warning", "message": "always holds", "line": 1, "column": 1 });
    let answer =
        json!({ "ok": true, "problems": [warning], "policies": [checked("cap", TEXT)], "cases": [] });
    let stub = Stub::once(200, answer).await;
    let file = folder.path("cap.cedar");
    let outcome = stub.run(&["policies", "check", &file, &file]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.out.starts_with(&format!("{file}:1:1: warning: always holds\n")), "{}", outcome.out);
    let asked = stub.asked().remove(0);
    assert_eq!(
        (asked.body["policies"].as_array().unwrap().len(), asked.body["facts"][0]["name"].as_str()),
        (1, Some("sent"))
    );
}

#[tokio::test]
async fn files_that_cannot_be_read_are_refused_before_anything_is_asked() {
    let stub = Stub::answering([]).await;
    for (name, text) in [
        ("facts.json", "{}".to_owned()),
        ("facts.json", "[{\"name\": \"a\", \"name\": \"b\"}]".to_owned()),
        ("facts.json", json!([new_fact("a"), new_fact("a")]).to_string()),
        ("cases.json", json!([case("")]).to_string()),
        ("cases.json", json!([{ "name": "x\u{202e}", "expect": "maybe" }]).to_string()),
        ("actions.json", "[7]".to_owned()),
    ] {
        let folder = folder("unreadable");
        folder.write_text(name, &text);
        let outcome = stub.run(&["policies", "test", &folder.path("")]).await;
        assert_eq!(outcome.exit, Exit::Usage, "{name} {text}");
        assert!(!outcome.err.contains('\u{202e}'), "{}", outcome.err);
    }
    let empty = Folder::new("no-policies");
    for command in ["test", "diff", "apply", "check"] {
        assert_eq!(stub.run(&["policies", command, &empty.path("")]).await.exit, Exit::Usage, "{command}");
        assert_eq!(stub.run(&["policies", command, "/does/not/exist"]).await.exit, Exit::Usage, "{command}");
    }
    assert!(stub.asked().is_empty());
}

#[tokio::test]
async fn cases_are_run_against_the_folder_alone() {
    let folder = folder("test");
    folder.write_text("actions.json", &json!([{ "address": "bank.pay", "input_schema": {} }]).to_string());
    let case = |name: &str, passed: bool, got: Value, held: Value, problem: Value| json!({ "name": name, "passed": passed, "expected": "deny", "got": got, "held": held, "problem": problem });
    let failed = json!({ "ok": false, "problems": [], "policies": [checked("cap", TEXT)], "cases": [
        case("over", true, json!("deny"), json!(["cap"]), Value::Null),
        case("under", false, json!("allow"), json!([]), Value::Null),
        case("both\n", false, json!("require_approval"), json!(["a\u{1b}", "b"]), Value::Null),
        case("gone", false, Value::Null, json!([]), json!("the action does not exist")),
    ] });
    let invalid = json!({ "ok": false, "policies": [], "cases": [],
                          "problems": [{ "index": 0, "severity": "error", "message": "unexpected end" }] });
    let stub = Stub::answering([(200, failed.to_string()), (200, invalid.to_string()), fine(&[])]).await;
    let dir = folder.path("");
    let outcome = stub.run(&["policies", "test", &dir]).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Failed, "1 of 4 cases passed\n"));
    let expected = "ok      over\nFAILED  under: expected deny, got allow, held no policy\nFAILED  both\\n: expected \
                    deny, got require_approval, held a\\u{1b}, b\nFAILED  gone: expected deny, could not be run: the \
                    action does not exist\n";
    assert_eq!(outcome.out, expected);
    let body = stub.asked().remove(0).body;
    assert_eq!((&body["alone"], &body["cases"][0]["name"]), (&json!(true), &json!("over")));
    assert_eq!(body["actions"][0]["address"], "bank.pay");
    assert_eq!(body["policies"].as_array().unwrap().len(), 1, "hidden files are not read");

    let outcome = stub.run(&["policies", "test", &dir]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.out.contains("cap.cedar: error: unexpected end"), "{}", outcome.out);
    assert_eq!(stub.run(&["policies", "test", &dir, "--json"]).await.exit, Exit::Done);
}

#[tokio::test]
async fn the_difference_to_what_is_saved_is_shown_for_each_policy_and_fact() {
    let folder = folder("diff");
    let old = TEXT.replace(">= 20", ">= 30\u{202e}");
    let mut wider = fact("sent");
    wider["within"] = "1h".into();
    let saved = || {
        [
            fine(&[checked("cap", TEXT), checked("new", "@id(\"new\")")]),
            page(&[wider.clone()]),
            page(&[policy("cap", &old, "enforced"), policy("gone\u{1b}", TEXT, "enforced")]),
            page(&[saved_case("over")]),
        ]
    };
    let stub = Stub::answering(saved().into_iter().chain(saved())).await;
    let dir = folder.path("");
    let outcome = stub.run(&["policies", "diff", &dir]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    for line in [
        "-when { context.history.sent >= 30\\u{202e} };",
        "+when { context.history.sent >= 20 };",
        "--- nothing",
        "+@id(\"new\")",
        "-  \"within\": \"1h\"",
        "+  \"within\": \"10m\"",
    ] {
        assert!(outcome.out.lines().any(|shown| shown == line), "{line}: {}", outcome.out);
    }
    assert!(!outcome.out.contains("over"), "the case is the same: {}", outcome.out);
    let expected = "policy gone\\u{1b}: not in the folder; `apply` does not delete it\npolicy new: new\n";
    assert_eq!(outcome.err, expected);
    let expected = ["POST /v1/policies/check", "GET /v1/facts", "GET /v1/policies", "GET /v1/policy-cases"];
    assert_eq!(lines(&stub), expected);

    let outcome = stub.run(&["policies", "diff", &dir, "--json"]).await;
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    let changes: Vec<_> =
        shown["items"].as_array().unwrap().iter().map(|item| item["change"].as_str().unwrap()).collect();
    assert_eq!(changes, ["changed", "missing", "new", "changed", "unchanged"]);
}

#[tokio::test]
async fn everything_is_saved_in_order_and_what_waits_stops_nothing() {
    let folder = folder("apply");
    folder.write_text("facts.json", &json!([new_fact("same"), new_fact("sent")]).to_string());
    folder.write_text("cases.json", &json!([case("over"), case("same")]).to_string());
    let ok = || (200, "{}".to_owned());
    let stub = Stub::answering([
        fine(&[checked("cap", TEXT), checked("same", TEXT), checked("last", "@id(\"last\")")]),
        page(&[fact("same")]),
        page(&[policy("cap", "old", "observing"), policy("same", &format!("\n{TEXT}\n"), "enforced")]),
        page(&[saved_case("same")]),
        ok(),
        proposed(),
        ok(),
        ok(),
    ])
    .await;
    let outcome = stub.run(&["policies", "apply", &folder.path("")]).await;
    let expected = format!(
        "fact same: unchanged\nfact sent: saved\npolicy cap: waits for a second owner as {CHANGE}\npolicy same: \
         unchanged\npolicy last: saved\ncase over: saved\ncase same: unchanged\n"
    );
    assert_eq!((outcome.exit, outcome.out.as_str(), outcome.err), (Exit::Pending, "", expected));
    let asked = stub.asked();
    assert_eq!(asked[0].body["cases"].as_array().unwrap().len(), 2);
    assert_eq!(
        lines(&stub)[4..],
        ["PUT /v1/facts/sent", "PUT /v1/policies/cap", "PUT /v1/policies/last", "PUT /v1/policy-cases/over"]
    );
    // A policy keeps its state, and a new one is enforced.
    assert_eq!(asked[5].body, json!({ "text": TEXT, "state": "observing" }));
    assert_eq!(asked[6].body, json!({ "text": "@id(\"last\")", "state": "enforced" }));
}

#[tokio::test]
async fn a_policy_that_old_cases_refuse_is_saved_after_the_new_cases() {
    let folder = folder("apply-again");
    let ok = || (200, "{}".to_owned());
    let refused = || (422, problem(422, "case_failed").to_string());
    let answers = |last: (u16, String)| {
        let known = [fine(&[checked("cap", TEXT)]), page(&[fact("sent")]), page(&[]), page(&[])];
        known.into_iter().chain([refused(), ok(), last])
    };
    let stub = Stub::answering(answers(ok()).chain(answers(refused()))).await;
    let command = ["policies", "apply", &folder.path(""), "--state", "observing", "--json"];
    let outcome = stub.run(&command).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Done, ""));
    let change =
        |kind: &str, name: &str, change: &str| json!({ "kind": kind, "name": name, "change": change });
    let items = [
        change("fact", "sent", "unchanged"),
        change("case", "over", "saved"),
        change("policy", "cap", "saved"),
    ];
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).unwrap(), json!({ "items": items }));
    let puts = ["PUT /v1/policies/cap", "PUT /v1/policy-cases/over", "PUT /v1/policies/cap"];
    assert_eq!(lines(&stub)[4..], puts);
    assert_eq!(stub.asked()[4].body["state"], "observing");

    let outcome = stub.run(&command).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("case_failed"), "{}", outcome.err);
    let shown: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(
        (&shown["items"][2]["change"], &shown["items"][2]["problem"]["code"]),
        (&json!("failed"), &json!("case_failed"))
    );
}

#[tokio::test]
async fn nothing_is_saved_if_the_check_finds_something_and_a_failure_says_what_is_left() {
    let folder = folder("apply-refused");
    let dir = folder.path("");
    let case = json!({ "name": "over", "passed": false, "expected": "deny", "got": "allow", "held": [] });
    let failed = json!({ "ok": false, "problems": [], "policies": [checked("cap", TEXT)], "cases": [case] });
    let stub = Stub::answering([
        (200, failed.to_string()),
        fine(&[checked("cap", TEXT), checked("cap", TEXT)]),
        fine(&[checked("cap", TEXT)]),
        page(&[]),
        page(&[]),
        page(&[]),
        (403, problem(403, "denied").to_string()),
    ])
    .await;
    let outcome = stub.run(&["policies", "apply", &dir]).await;
    assert_eq!(outcome.exit, Exit::Failed);
    assert_eq!(outcome.err, "FAILED  over: expected deny, got allow, held no policy\nnothing was saved\n");

    let outcome = stub.run(&["policies", "apply", &dir]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("policy `cap` is defined twice"), "{}", outcome.err);

    let outcome = stub.run(&["policies", "apply", &dir]).await;
    assert_eq!(outcome.exit, Exit::Denied);
    assert!(outcome.err.starts_with("fact sent: not saved\nerror: "), "{}", outcome.err);
    assert!(outcome.err.ends_with("not saved: policy cap, case over\n"), "{}", outcome.err);
    assert_eq!(stub.asked().len(), 7);
}
