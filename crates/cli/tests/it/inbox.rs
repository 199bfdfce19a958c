//! The inbox: what a person is shown, what an answer is bound to, and the exit codes.

use cli::Exit;
use serde_json::{Value, json};

use crate::stub::{
    GRANT, INVOCATION, ORG, REQUEST, SESSION, SUBJECT, Stub, USER, grant_request, invocation, problem,
};

const VOTE: &str = "apr_0192f0c1d2e37a4b8c5d6e7f80910a23";

fn vote(verdict: &str) -> Value {
    json!({
        "id": VOTE, "user": USER, "name": "Ada", "verdict": verdict, "extent": "once", "channel": "web",
        "note": "fine", "at": "2026-11-15T02:03:00Z",
    })
}

fn approval() -> Value {
    let mut view = invocation("pending");
    view["params"] = json!({ "team": "ENG", "labels": ["a", "b"], "title": "x\u{202e}\u{1b}[2J" });
    view["expires_at"] = "2026-11-15T02:07:00Z".into();
    let shown = json!({
        "version": "countersign/shown/v1", "salt": "00112233445566778899aabbccddeeff", "org": ORG,
        "invocation": INVOCATION, "subject": SUBJECT, "action": view["action"],
        "description": "Creates an issue.", "risk": "R2", "params": view["params"],
        "hidden": [{ "pointer": "/title", "characters": 9, "rule": "the name of the field" }],
        "destinations": [{
            "source": "linear", "address": "https://api.linear.app/graphql", "account": "acme-bot (version 3)",
        }],
        "proposer": {
            "agent": "triage-bot", "session": SESSION, "opened_by": "Grace", "started_by": null, "automation": null,
        },
        "reason": "customers cannot sign in", "why": ["writes ask a person", "the space is amber"],
        "only_once": "a band asked for it", "changed": [], "edits": [], "diff": "/catalog/linear",
        "preview": {
            "summary": "an issue in ENG", "changes": [{ "field": "title", "before": "old", "after": "new" }],
            "basis": [{ "name": "state", "value": "open" }],
        },
        "undo": "delete the issue",
        "read_before": [{ "action": "sentry.get_issue", "times": 2, "untrusted": true }],
        "earlier": {
            "approved": 12, "denied": 1,
            "last": { "name": "Ada", "verdict": "denied", "note": "fine", "at": "2026-11-15T02:03:00Z" },
        },
    });
    json!({
        "kind": "approval", "invocation": view, "why": ["writes ask a person", "the space is amber"],
        "votes_needed": 2, "votes": [vote("approved")], "undo": "delete the issue",
        "history": { "approved": 12, "denied": 1, "last": vote("denied") }, "description": "Creates an issue.",
        "only_once": "a band asked for it", "shown": shown,
    })
}

/// The digest of what is shown, as the verifiers of receipts compute it.
fn digest() -> String {
    receipt::canonical::digest(&receipt::canonical::to_bytes(&approval()["shown"]).unwrap())
}

#[tokio::test]
async fn a_list_says_what_each_item_waits_for() {
    let unknown = json!({ "kind": "unknown", "invocation": invocation("unknown") });
    let mut request = grant_request("pending");
    request["kind"] = "grant_request".into();
    let page = json!({ "items": [approval(), unknown, request] });
    let stub = Stub::answering([(200, page.to_string()), (200, page.to_string())]).await;
    // Without a terminal there is no screen: the command without a subcommand prints the list.
    for arguments in [&["inbox", "list"][..], &["inbox"]] {
        let outcome = stub.run(arguments).await;
        assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
        for text in ["approval", "1 of 2", "outcome", "grant", REQUEST, INVOCATION, "linear.add_comment"] {
            assert!(outcome.out.contains(text), "{text}: {}", outcome.out);
        }
    }
    assert_eq!(stub.asked()[0].line, "GET /v1/inbox");
}

#[tokio::test]
async fn an_item_is_shown_with_everything_a_person_decides_by() {
    let stub = Stub::once(200, approval()).await;
    let outcome = stub.run(&["inbox", "show", INVOCATION]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    for text in [
        "action     linear.create_issue",
        "votes      1 of 2 required",
        "Ada approved (once, via web)",
        "PARAMETERS",
        "labels[1]  \"b\"",
        "title      \"x\\u{202e}\\u{1b}[2J\"",
        "warning    2 invisible characters",
        "an issue in ENG",
        "- \"old\"",
        "+ \"new\"",
        "an approval counts only while the target stays like this:",
        "state  \"open\"",
        "the space is amber",
        "·  only a single approval is possible: a band asked for it",
        "undo       delete the issue",
        "12 approved, 1 denied",
        "Creates an issue.",
        "org_rule  four eyes",
        "agent      triage-bot",
        "Grace",
        "reason",
        "customers cannot sign in",
        "HIDDEN VALUES",
        "/title  9 characters, hidden because of: the name of the field",
        "https://api.linear.app/graphql as acme-bot (version 3)",
        "sentry.get_issue: 2 times, may contain text by strangers",
        "see what changed in the definition at /catalog/linear",
        &digest(),
    ] {
        assert!(outcome.out.contains(text), "`{text}` is not in:\n{}", outcome.out);
    }
    assert!(!outcome.out.contains(['\u{1b}', '\u{202e}']));
    assert_eq!(stub.asked()[0].line, format!("GET /v1/inbox/{INVOCATION}"));
}

#[tokio::test]
async fn a_request_for_a_grant_is_found_in_the_list() {
    let mut request = grant_request("pending");
    request["kind"] = "grant_request".into();
    let first = json!({ "items": [approval()], "next_cursor": "c1" });
    let second = json!({ "items": [request] });
    let pages =
        [(200, first.to_string()), (200, second.to_string()), (200, json!({ "items": [] }).to_string())];
    let stub = Stub::answering(pages).await;
    let outcome = stub.run(&["inbox", "show", REQUEST]).await;
    assert!(outcome.out.contains("10 calls within 2h 00m"), "{}", outcome.out);
    assert_eq!(stub.asked()[1].line, "GET /v1/inbox?limit=100&cursor=c1");
    assert_eq!(stub.run(&["inbox", "show", REQUEST]).await.exit, Exit::NotFound);
}

#[tokio::test]
async fn a_yes_is_bound_to_what_was_shown() {
    let done = (200, invocation("succeeded").to_string());
    let stub = Stub::answering([(200, approval().to_string()), done.clone(), done.clone(), done]).await;
    let outcome = stub.run(&["inbox", "approve", INVOCATION, "--note", "ok"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.err.contains("labels[1]  \"b\""), "shown before it is answered: {}", outcome.err);
    assert!(outcome.out.contains("succeeded") && !outcome.out.contains("labels"), "{}", outcome.out);
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, format!("POST /v1/invocations/{INVOCATION}/approve?wait=10000ms"));
    let body = json!({ "shown_digest": digest(), "extent": "once", "note": "ok", "channel": "cli" });
    assert_eq!(asked.body, body);

    let digest = ["--digest", "sha256:1f", "--wait", "0s"];
    let grant = ["inbox", "approve", INVOCATION, "--grant", "--calls", "10", "--for", "2h", "--org"];
    stub.run(&[&grant[..], &digest].concat()).await;
    let asked = &stub.asked()[2];
    assert_eq!(asked.line, format!("POST /v1/invocations/{INVOCATION}/approve?wait=0ms"));
    assert_eq!(asked.body["grant"], json!({ "scope": "org", "max_calls": 10, "lifetime_s": 7_200 }));
    assert_eq!((&asked.body["extent"], &asked.body["shown_digest"]), (&json!("grant"), &json!("sha256:1f")));

    stub.run(&[&["inbox", "approve", INVOCATION, "--always"][..], &digest].concat()).await;
    assert_eq!(stub.asked()[3].body["extent"], "always");
}

#[tokio::test]
async fn how_a_yes_ends_is_the_exit_code() {
    let approve = ["inbox", "approve", INVOCATION, "--digest", "sha256:1f", "--json"];
    for (status, answer, exit) in [
        (202, invocation("pending"), Exit::Pending),
        (202, invocation("executing"), Exit::Pending),
        (200, invocation("failed"), Exit::ActionFailed),
        (200, invocation("unknown"), Exit::Unknown),
        (403, problem(403, "forbidden"), Exit::Denied),
        (409, problem(409, "already_answered"), Exit::Conflict),
        (410, problem(410, "expired"), Exit::NotFound),
        (500, problem(500, "bug"), Exit::Unknown),
    ] {
        let stub = Stub::once(status, answer.clone()).await;
        let outcome = stub.run(&approve).await;
        assert_eq!(outcome.exit, exit, "{status}");
        assert_eq!(outcome.out, format!("{answer}\n"));
    }
}

#[tokio::test]
async fn no_needs_a_reason_and_an_outcome_needs_evidence() {
    let denied = (200, invocation("denied").to_string());
    let known = (200, invocation("succeeded").to_string());
    let stub = Stub::answering([(200, approval().to_string()), denied, known]).await;
    let outcome = stub.run(&["inbox", "deny", INVOCATION, "--reason", "not now"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, format!("POST /v1/invocations/{INVOCATION}/deny"));
    assert_eq!(asked.body, json!({ "shown_digest": digest(), "reason": "not now", "channel": "cli" }));

    let outcome = stub.run(&["inbox", "reconcile", INVOCATION, "succeeded", "--evidence", "ENG-42"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let asked = &stub.asked()[2];
    assert_eq!(asked.line, format!("POST /v1/invocations/{INVOCATION}/reconcile"));
    assert_eq!(asked.body, json!({ "outcome": "succeeded", "evidence": "ENG-42" }));
}

#[tokio::test]
async fn requests_for_grants_are_given_or_refused() {
    let granted = (200, grant_request("granted").to_string());
    let denied = (200, grant_request("denied").to_string());
    let stub = Stub::answering([granted, denied]).await;
    let outcome = stub.run(&["inbox", "answer", REQUEST, "--give", "--calls", "5"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let asked = &stub.asked()[0];
    assert_eq!(asked.line, format!("POST /v1/grant-requests/{REQUEST}/answer"));
    assert_eq!(asked.body, json!({ "give": true, "max_calls": 5, "note": "" }));
    let outcome = stub.run(&["inbox", "answer", REQUEST, "--refuse", "--note", "no"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert_eq!(stub.asked()[1].body, json!({ "give": false, "note": "no" }));
}

#[tokio::test]
async fn grants_are_listed_given_and_taken_back() {
    let grant = json!({
        "id": GRANT, "action": "linear.add_comment", "session": SESSION, "max_calls": 10, "used_calls": 3,
        "state": "active", "expires_at": "2026-11-15T02:07:00Z", "created_by": USER,
        "created_at": "2026-11-15T02:02:00Z", "reason": "r",
    });
    let page = json!({ "items": [grant] });
    let answers = [(200, page.to_string()), (201, grant.to_string()), (200, grant.to_string())];
    let stub = Stub::answering(answers).await;
    let outcome = stub.run(&["grants", "list"]).await;
    assert!(outcome.out.contains("3 of 10") && outcome.out.contains("active"), "{}", outcome.out);
    let outcome =
        stub.run(&["grants", "give", "linear.add_comment", "--session", SESSION, "--for", "1h"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let body = json!({
        "action": "linear.add_comment", "session": SESSION, "max_calls": 25, "lifetime_s": 3_600, "reason": "",
    });
    assert_eq!((stub.asked()[1].line.as_str(), &stub.asked()[1].body), ("POST /v1/grants", &body));
    assert_eq!(stub.run(&["grants", "revoke", GRANT]).await.exit, Exit::Done);
    assert_eq!(stub.asked()[2].line, format!("DELETE /v1/grants/{GRANT}"));
}

#[tokio::test]
async fn an_org_says_how_it_approves() {
    let org = json!({ "slug": "acme", "name": "Acme", "approval_quorum": 2, "approval_four_eyes": true, "receipts_kept_days": 180, "time_zone": "Africa/Kigali" });
    let stub =
        Stub::answering([(200, org.to_string()), (200, org.to_string()), (200, org.to_string())]).await;
    let outcome = stub.run(&["org", "show"]).await;
    assert!(outcome.out.contains("quorum     2 ("), "{}", outcome.out);
    stub.run(&["org", "set", "--quorum", "2", "--four-eyes", "true"]).await;
    let asked = &stub.asked()[1];
    assert_eq!(asked.line, "PATCH /v1/org");
    assert_eq!(asked.body, json!({ "approval_quorum": 2, "approval_four_eyes": true }));
    let outcome = stub.run(&["org", "set", "--time-zone", "Africa/Kigali"]).await;
    assert!(outcome.out.contains("time zone  Africa/Kigali"), "{}", outcome.out);
    assert_eq!(stub.asked()[2].body, json!({ "time_zone": "Africa/Kigali" }));
}

#[tokio::test]
async fn a_corrected_parameter_is_sent_with_the_others_and_the_item_is_shown_again() {
    let item = approval().to_string();
    let view = approval()["invocation"].to_string();
    let stub = Stub::answering([(200, item.clone()), (200, view), (200, item)]).await;
    let outcome =
        stub.run(&["inbox", "edit", INVOCATION, "--param", "title=Right", "--note", "misleading"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.out.contains("PARAMETERS") && outcome.err.contains("Nothing is approved yet"));
    let asked = stub.asked();
    assert_eq!(asked[1].line, format!("POST /v1/invocations/{INVOCATION}/edit"));
    let sent = &asked[1].body;
    assert_eq!((&sent["params"]["title"], &sent["note"]), (&json!("Right"), &json!("misleading")));
    assert_eq!(sent["params"]["labels"], json!(["a", "b"]));
    assert_eq!(sent["shown_digest"], digest());
    let stub = Stub::answering([(200, approval().to_string())]).await;
    let outcome = stub.run(&["inbox", "edit", INVOCATION]).await;
    assert!(outcome.err.contains("--params or --param"), "{}", outcome.err);
}
