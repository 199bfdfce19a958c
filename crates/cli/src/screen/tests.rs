//! The screen, drawn in memory and read as text.

use api::{ApprovalItem, InboxItem};
use expect_test::expect_file;
use jiff::Timestamp;
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};
use serde_json::{Value, json};

use super::{
    model::{Effect, Measured, Message, Model},
    view::view,
};
use crate::inbox::{Key, reply::Reply};

const GUIDE: &str = include_str!("../../../../docs/inbox.md");

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_794_708_120 + second).unwrap()
}

fn id(prefix: &str, number: u8) -> String {
    format!("{prefix}_0192f0c1d2e37a4b8c5d6e7f809100{number:02x}")
}

fn vote(name: &str, verdict: &str, note: &str) -> Value {
    json!({
        "id": id("apr", 1), "user": id("usr", 1), "name": name, "verdict": verdict, "extent": "once",
        "channel": "web", "note": note, "at": at(-90).to_string(),
    })
}

fn invocation(number: u8, action: &str, params: Value) -> Value {
    json!({
        "id": id("inv", number), "session": id("ses", 1), "agent": "triage-bot", "action": action, "risk": "R2",
        "status": "pending", "mode": "require_approval",
        "decision": {
            "mode": "require_approval", "mode_source": "inferred", "reason": "writes ask a person",
            "guardrails": [{
                "guardrail": "band", "from": "allow", "to": "require_approval",
                "reason": "the space is amber: writes need a person",
            }],
            "gates": [{ "gate": "capability", "verdict": "pass", "reason": "" }], "quarantined": false,
        },
        "params": params, "dry_run": false, "attempts": 0,
        "subject_digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "requested_at": at(-48).to_string(), "expires_at": at(252).to_string(),
    })
}

fn approval(number: u8, action: &str, params: Value) -> Value {
    json!({
        "kind": "approval", "invocation": invocation(number, action, params),
        "why": ["writes ask a person", "the space is amber: writes need a person"],
        "votes_needed": 1, "votes": [], "undo": "the issue is archived; its number stays used",
        "history": { "approved": 12, "denied": 1, "last": vote("Ada", "approved", "") },
        "description": "Creates an issue in a team.",
    })
}

fn issue() -> Value {
    approval(
        1,
        "linear.create_issue",
        json!({
            "team_id": "team-1", "title": "Login fails with SSO", "priority": 2, "labels": ["bug", "auth"],
            "description": "Since 14:02 every SSO login ends in a 500.\nSeen by three customers.",
        }),
    )
}

fn preview() -> Value {
    json!({
        "summary": "one issue in team ENG",
        "changes": [{ "field": "issue", "before": null, "after": "Login fails with SSO" }],
        "basis": [],
    })
}

fn hostile() -> Value {
    let params = json!({
        "ansi": "\u{1b}[2J\u{1b}[1;31mAPPROVED\u{1b}[0m",
        "link": "\u{1b}]8;;https://evil.example\u{1b}\\the docs\u{1b}]8;;\u{7}",
        "bidi": "delete \u{202e}gnihton\u{202c}",
        "zero": "pay\u{200b}pal\u{feff}.com",
        "tags": "ok\u{e0073}\u{e0065}\u{e006e}\u{e0064}",
        "pad": format!("hello{}and delete everything", " ".repeat(1 << 20)),
        "row\nrisk  R0": "two\nlines\nANSWERS BEFORE",
    });
    let mut item = approval(2, "slack.send_message", params);
    item["invocation"]["agent"] = "bot\u{202e}\u{1b}[31m".into();
    item
}

fn item(value: Value) -> InboxItem {
    serde_json::from_value(value).unwrap()
}

/// The document about a listed approval.
fn document(listed: &Value) -> Value {
    let invocation = &listed["invocation"];
    let preview = if invocation["id"] == id("inv", 1) { preview() } else { Value::Null };
    json!({
        "version": "countersign/shown/v1", "salt": "00112233445566778899aabbccddeeff",
        "org": id("org", 1), "invocation": invocation["id"], "subject": invocation["subject_digest"],
        "action": invocation["action"], "description": listed["description"], "risk": invocation["risk"],
        "params": invocation["params"], "hidden": [],
        "destinations": [{
            "source": "linear", "address": "https://api.linear.app/graphql", "account": "acme-bot (version 3)",
        }],
        "proposer": {
            "agent": invocation["agent"], "session": invocation["session"], "opened_by": "Ada",
            "started_by": null, "automation": null,
        },
        "reason": "three customers cannot sign in", "why": listed["why"], "only_once": listed["only_once"],
        "changed": listed.get("changed").cloned().unwrap_or(json!([])), "edits": [], "diff": null, "preview": preview,
        "undo": listed["undo"],
        "read_before": [{ "action": "sentry.get_issue", "times": 2, "untrusted": true }],
        "earlier": {
            "approved": listed["history"]["approved"], "denied": listed["history"]["denied"],
            "last": { "name": "Ada", "verdict": "approved", "note": "", "at": at(-90).to_string() },
        },
    })
}

/// A listed approval, opened.
fn opened(mut listed: Value) -> Box<ApprovalItem> {
    listed["shown"] = document(&listed);
    match item(listed) {
        InboxItem::Approval(item) => item,
        other => panic!("{other:?}"),
    }
}

fn model_of(items: impl IntoIterator<Item = Value>) -> Model {
    let items: Vec<Value> = items.into_iter().collect();
    let mut model = Model::new("https://gateway.example/".to_owned(), at(0));
    model.update(Message::Inbox(Ok((items.iter().cloned().map(item).collect(), false))));
    for listed in items.into_iter().filter(|listed| listed["kind"] == "approval") {
        let opened = opened(listed);
        model.update(Message::Opened(opened.invocation.id, Ok(opened)));
    }
    model
}

/// Draws the model as the event loop does, and returns the screen as text.
fn screen(model: &mut Model, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    for _ in 0..2 {
        let mut measured = Measured::default();
        terminal.draw(|frame| measured = view(frame, model)).unwrap();
        model.measure(measured);
    }
    let buffer = terminal.backend().buffer();
    let rows = buffer.content().chunks(usize::from(width));
    let rows = rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
    let text = rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n");
    let hidden = text.chars().filter(|c| *c != '\n' && crate::visible::is_hidden(*c)).count();
    assert_eq!(hidden, 0, "{text:?}");
    text
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let keys = keys.chars().map(|c| match c {
        '\n' => KeyCode::Enter,
        '\u{1b}' => KeyCode::Esc,
        '\t' => KeyCode::Tab,
        '\u{8}' => KeyCode::Backspace,
        c => KeyCode::Char(c),
    });
    keys.flat_map(|key| model.update(Message::Key(KeyEvent::new(key, KeyModifiers::NONE)))).collect()
}

fn sent(effects: Vec<Effect>) -> Reply {
    match effects.into_iter().next() {
        Some(Effect::Send(reply)) => *reply,
        other => panic!("nothing was sent: {other:?}"),
    }
}

fn quorum() -> Value {
    let params = json!({ "owner": "acme", "repo": "shop", "number": 7, "sha": "9".repeat(40) });
    let mut item = approval(2, "github.merge_pull_request", params);
    item["invocation"]["risk"] = "R3".into();
    item["votes_needed"] = 2.into();
    item["votes"] = json!([vote("Ada", "approved", "checked with the release team")]);
    item["undo"] = Value::Null;
    item["only_once"] = "what is hard to undo is never answered in advance".into();
    item
}

fn unknown() -> Value {
    let mut view =
        invocation(3, "slack.send_message", json!({ "channel": "C0GENERAL", "text": "Deploy is done" }));
    view["status"] = "unknown".into();
    view["attempts"] = 1.into();
    view["expires_at"] = Value::Null;
    view["error"] = json!({ "class": "outcome_unknown", "message": "the connection was lost", "sent": true });
    json!({ "kind": "unknown", "invocation": view, "undo": "delete the message" })
}

fn asked_grant() -> Value {
    json!({
        "kind": "grant_request", "id": id("grq", 1), "session": id("ses", 1), "agent": "triage-bot",
        "action": "linear.add_comment", "max_calls": 10, "lifetime_s": 7_200, "status": "pending",
        "reason": "I will answer the ten issues of the release one by one.",
        "requested_at": at(-30).to_string(), "expires_at": at(270).to_string(),
    })
}

/// The screens of docs/inbox.md. `UPDATE_EXPECT=1` rewrites them.
#[test]
fn the_guide_shows_the_screens_as_they_are() {
    let all = || [issue(), quorum_two(), unknown(), asked_grant()];
    let mut screens = Vec::new();
    screens.push(("empty", screen(&mut model_of([]), 80, 24)));
    screens.push(("pending", screen(&mut model_of([issue()]), 80, 24)));
    screens.push(("wide", screen(&mut model_of(all()), 140, 40)));
    let mut model = model_of([hostile()]);
    screens.push(("hostile", screen(&mut model, 80, 30)));
    screens.push(("quorum", screen(&mut model_of([quorum()]), 80, 24)));
    screens.push(("unknown", screen(&mut model_of([unknown()]), 80, 24)));
    let mut model = model_of(all());
    screen(&mut model, 80, 24);
    press(&mut model, "a");
    screens.push(("confirm", screen(&mut model, 80, 24)));
    press(&mut model, "ng");
    screens.push(("grant", screen(&mut model, 80, 24)));
    press(&mut model, "\u{1b}dnot before the release");
    screens.push(("deny", screen(&mut model, 80, 24)));
    press(&mut model, "\u{1b}?");
    screens.push(("help", screen(&mut model, 80, 24)));
    press(&mut model, "q");
    let problem = "Already answered: the invocation is already denied (already_answered, 409) · nothing is left to do; \
                   see the invocation for the result"
        .to_owned();
    model.update(Message::Answered(Key::Invocation(id("inv", 1).parse().unwrap()), Err(problem)));
    screens.push(("late", screen(&mut model, 80, 24)));

    let mut guide = GUIDE.to_owned();
    for (name, text) in screens {
        let mark = format!("<!-- screen: {name} -->\n```text\n");
        let begin =
            guide.find(&mark).unwrap_or_else(|| panic!("docs/inbox.md has no screen {name}")) + mark.len();
        let end = begin + guide[begin..].find("```").unwrap();
        guide.replace_range(begin..end, &format!("{text}\n"));
    }
    expect_file!["../../../../docs/inbox.md"].assert_eq(&guide);
}

fn quorum_two() -> Value {
    let mut item = quorum();
    item["invocation"]["agent"] = "release-bot".into();
    item
}

#[test]
fn what_is_hostile_is_seen_and_not_obeyed() {
    let mut model = model_of([hostile()]);
    let text = screen(&mut model, 140, 60);
    for expected in [
        "\\u{1b}[2J\\u{1b}[1;31mAPPROVED",
        "\\u{1b}]8;;https://evil.example",
        "\\u{202e}gnihton",
        "pay\\u{200b}pal\\u{feff}.com",
        "\\u{e0073}\\u{e0065}",
        "hello⟨1048576 blanks⟩and delete everything",
        "\"row\\nrisk  R0\"",
        "invisible characters",
    ] {
        assert!(text.contains(expected), "`{expected}` is not in:\n{text}");
    }
    // The second line of a value is below the value, never in the column of names.
    let line = text.lines().find(|line| line.contains("ANSWERS BEFORE\"")).unwrap();
    let column = line.split('│').next_back().unwrap();
    assert!(column.starts_with("     "), "{line}");
    press(&mut model, "a");
    screen(&mut model, 80, 24);
}

#[test]
fn every_size_is_drawn_without_a_panic() {
    let all = [hostile(), quorum_two(), unknown(), asked_grant()];
    for (width, height) in [(1, 1), (5, 3), (20, 6), (40, 10), (80, 24), (110, 12), (300, 90)] {
        for keys in ["", "?", "a", "d", "jjr", "jjjg", "j\u{1b}a"] {
            let mut model = model_of(all.clone());
            press(&mut model, keys);
            screen(&mut model, width, height);
        }
    }
}

#[test]
fn a_yes_is_asked_for_once_more_and_bound_to_what_was_shown() {
    let mut model = model_of([issue()]);
    screen(&mut model, 80, 24);
    assert!(press(&mut model, "y").is_empty(), "no approval without a dialog");
    assert!(press(&mut model, "an").is_empty() && model.dialog.is_none());
    let Reply::Approve { request, .. } = sent(press(&mut model, "ay")) else { panic!() };
    let shown = receipt::canonical::to_bytes(&document(&issue())).unwrap();
    assert_eq!(request.shown_digest, receipt::canonical::digest(&shown));
    assert_eq!(json!(request)["extent"], "once");
    assert_eq!(json!(request)["channel"], "cli");
    assert!(press(&mut model, "ay").is_empty(), "the answer is already being sent");

    let mut model = model_of([issue()]);
    let Reply::Approve { request, .. } = sent(press(&mut model, "Ay")) else { panic!() };
    assert_eq!(json!(request)["extent"], "always");
}

#[test]
fn a_grant_has_bounds_that_are_checked() {
    let mut model = model_of([issue()]);
    assert!(press(&mut model, "g\u{8}\u{8}0\n").is_empty(), "zero calls are not valid bounds");
    assert!(model.dialog.as_ref().unwrap().wrong.is_some());
    let Reply::Approve { request, .. } = sent(press(&mut model, "\u{8}7\t\u{8}\u{8}\u{8}2h\t \n")) else {
        panic!()
    };
    assert_eq!(json!(request)["grant"], json!({ "scope": "org", "max_calls": 7, "lifetime_s": 7_200 }));

    let mut model = model_of([asked_grant()]);
    assert!(press(&mut model, "g0\n").is_empty(), "a hundred is more than requested");
    let Reply::Grant { request, .. } = sent(press(&mut model, "\u{8}\u{8}\u{8}5\n")) else { panic!() };
    assert_eq!(json!(request), json!({ "give": true, "max_calls": 5, "lifetime_s": 7_200, "note": "" }));
}

#[test]
fn a_no_needs_a_reason_and_letters_in_it_are_no_commands() {
    let mut model = model_of([issue()]);
    assert!(press(&mut model, "d\n").is_empty());
    assert!(model.dialog.as_ref().unwrap().wrong.is_some());
    let Reply::Deny { request, .. } = sent(press(&mut model, "quay AAA\n")) else { panic!() };
    assert_eq!(request.reason, "quay AAA");
}

#[test]
fn an_unknown_outcome_is_reconciled_and_nothing_else() {
    let mut model = model_of([unknown()]);
    assert!(press(&mut model, "ay").is_empty() && model.dialog.is_none());
    assert!(model.notice.as_ref().unwrap().bad);
    let Reply::Reconcile { request, .. } = sent(press(&mut model, "rfit is not in the channel\n")) else {
        panic!()
    };
    assert_eq!(json!(request), json!({ "outcome": "failed", "evidence": "it is not in the channel" }));
}

#[test]
fn what_is_answered_only_once_offers_no_more() {
    let mut model = model_of([quorum()]);
    press(&mut model, "A");
    assert!(model.dialog.is_none());
    assert!(model.notice.as_ref().unwrap().text.contains("never answered in advance"));
}

#[test]
fn what_is_pasted_is_never_a_command() {
    let mut model = model_of([issue()]);
    assert!(model.update(Message::Paste("ay".to_owned())).is_empty());
    assert!(model.dialog.is_none());
    press(&mut model, "d");
    model.update(Message::Paste("because\nof \u{1b}[31mthis".to_owned()));
    let Reply::Deny { request, .. } = sent(press(&mut model, "\n")) else { panic!() };
    assert_eq!(request.reason, "because of  [31mthis");
}

#[test]
fn the_same_item_stays_chosen_and_a_dialog_keeps_its_own() {
    let mut model = model_of([issue(), quorum_two()]);
    press(&mut model, "a");
    let fresh = vec![item(asked_grant()), item(issue()), item(quorum_two())];
    model.update(Message::Inbox(Ok((fresh, false))));
    assert_eq!(model.selected, 1);
    // Another person answers the item while the dialog is open.
    model.update(Message::Inbox(Ok((vec![item(asked_grant()), item(quorum_two())], false))));
    assert!(model.dialog_is_late());
    assert!(model.notice.as_ref().unwrap().text.contains("answered by another person"));
    assert!(screen(&mut model, 80, 24).contains("No longer pending"));
    let reply = sent(press(&mut model, "y"));
    assert_eq!(reply.key(), Key::Invocation(id("inv", 1).parse().unwrap()), "never another item");
}

#[test]
fn what_was_answered_here_is_not_said_to_be_answered_by_somebody_else() {
    let mut model = model_of([issue(), quorum_two()]);
    let key = sent(press(&mut model, "ay")).key();
    model.update(Message::Answered(key, Ok("linear.create_issue succeeded".to_owned())));
    model.update(Message::Inbox(Ok((vec![item(quorum_two())], false))));
    assert_eq!(model.notice.as_ref().unwrap().text, "linear.create_issue succeeded");
}

#[test]
fn a_list_that_moves_under_the_finger_is_not_answered() {
    let mut model = model_of([issue(), quorum_two()]);
    model.update(Message::Inbox(Ok((vec![item(quorum_two())], false))));
    press(&mut model, "a");
    assert!(model.dialog.is_none());
    model.update(Message::Tick(at(2)));
    press(&mut model, "a");
    assert!(model.dialog.is_some());
}

#[test]
fn lines_that_were_not_seen_are_told_before_a_yes() {
    let mut model = model_of([issue()]);
    screen(&mut model, 80, 16);
    press(&mut model, "a");
    assert!(screen(&mut model, 80, 16).contains("Not shown yet"));
    press(&mut model, "n");
    for _ in 0..10 {
        press(&mut model, " ");
        screen(&mut model, 80, 16);
    }
    press(&mut model, "a");
    assert!(!screen(&mut model, 80, 16).contains("Not shown yet"));
}

#[test]
fn an_outage_is_shown_and_old_items_are_marked() {
    let mut model = model_of([issue()]);
    model.update(Message::Inbox(Err("cannot reach the gateway".to_owned())));
    model.update(Message::Tick(at(30)));
    model.update(Message::Inbox(Err("cannot reach the gateway".to_owned())));
    assert!(screen(&mut model, 80, 24).contains("outdated by 30s: cannot reach the gateway"));
    model.update(Message::Inbox(Ok((vec![], false))));
    assert!(!screen(&mut model, 80, 24).contains("cannot reach"));
}

#[test]
fn an_item_is_opened_once_and_only_where_somebody_stays() {
    let mut model = Model::new(String::new(), at(0));
    let count =
        |effects: Vec<Effect>| effects.iter().filter(|effect| matches!(effect, Effect::Open(_))).count();
    model.update(Message::Inbox(Ok((vec![item(issue()), item(quorum_two())], false))));
    assert_eq!(count(model.update(Message::Tick(at(0)))), 0);
    assert_eq!(count(model.update(Message::Tick(at(1)))), 1);
    assert_eq!(count(model.update(Message::Tick(at(2)))), 0);
    press(&mut model, "j");
    assert_eq!(count(model.update(Message::Tick(at(3)))), 0);
    press(&mut model, "k");
    assert_eq!(count(model.update(Message::Tick(at(4)))), 0);
}

#[test]
fn the_list_is_fetched_again_and_again_but_never_twice_at_once() {
    let mut model = Model::new(String::new(), at(0));
    let fetches = |effects: Vec<Effect>| effects.iter().any(|effect| matches!(effect, Effect::FetchInbox));
    assert!(fetches(model.update(Message::Tick(at(0)))));
    assert!(!fetches(model.update(Message::Tick(at(9)))), "the first request is not finished");
    model.update(Message::Inbox(Ok((vec![], false))));
    assert!(fetches(model.update(Message::Tick(at(10)))));
    model.update(Message::Inbox(Ok((vec![], false))));
    assert!(!fetches(model.update(Message::Tick(at(11)))));
    assert!(fetches(press(&mut model, "R")));
    assert!(matches!(press(&mut model, "q")[..], [Effect::Quit]));
}
