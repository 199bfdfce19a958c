//! Automations: files are validated, saved and compared; runs are started; tokens are shown once.

use std::{fs, path::PathBuf};

use cli::Exit;
use serde_json::{Value, json};

use crate::{
    runs::{RUN, run},
    stub::{Asked, SPACE, Streams, Stub, USER, problem},
};

const AUTOMATION: &str = "aut_0192f0c1d2e37a4b8c5d6e7f80910a40";
const TRIGGER: &str = "trg_0192f0c1d2e37a4b8c5d6e7f80910a42";
const AT: &str = "2026-11-15T02:02:00Z";
const TOKEN_OF_HOOK: &str = "csn_hook_c2VjcmV0";

pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("countersign-cli-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, definition: &Value) -> String {
        self.write_text(name, &definition.to_string())
    }

    pub(crate) fn write_text(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn definition(name: &str) -> Value {
    json!({ "schema_version": "1.0", "name": name,
            "plan": [{ "step_id": "tell", "action": "slack.send_message", "config": { "text": "hi" } }] })
}

fn automation(name: &str, version: i32, status: &str) -> Value {
    let config = json!({ "cron": "0 9 * * 1-5", "timezone": "Africa/Kigali" });
    json!({
        "id": AUTOMATION, "name": name, "goal": "", "status": status, "space": SPACE, "version": version, "runs": 3,
        "triggers": [{ "id": TRIGGER, "type": "schedule", "config": config, "enabled": true, "next_at": AT }],
        "created_by": USER, "created_at": AT, "updated_at": AT,
    })
}

fn detail(name: &str, version: i32) -> Value {
    let mut detail = automation(name, version, "active");
    detail["definition"] = definition(name);
    detail
}

fn hook(signing_secret: Option<&str>) -> Value {
    let mut hook =
        json!({ "trigger": TRIGGER, "path": format!("/v1/hooks/{TRIGGER}"), "token": TOKEN_OF_HOOK });
    if let Some(secret) = signing_secret {
        hook["signing_secret"] = secret.into();
    }
    hook
}

fn ok(answer: &Value) -> (u16, String) {
    (200, answer.to_string())
}

fn valid() -> (u16, String) {
    let step = json!({ "step_id": "tell", "action": "slack.send_message", "mode": "require_approval",
                       "reason": "writes are asked" });
    ok(&json!({ "valid": true, "problems": [], "steps": [step] }))
}

fn invalid() -> (u16, String) {
    ok(&json!({ "valid": false, "problems": [
        { "pointer": "/plan/0/action", "message": "there is no slack.sendmessage",
          "suggestion": "slack.send_message\u{1b}[2J" },
        { "pointer": "/goal", "message": "is too long" },
        { "pointer": "", "message": "is not all of it" },
    ] }))
}

fn page(items: &[Value]) -> (u16, String) {
    ok(&json!({ "items": items }))
}

fn lines(asked: &[Asked]) -> Vec<&str> {
    asked.iter().map(|asked| asked.line.as_str()).collect()
}

#[tokio::test]
async fn files_become_new_automations_versions_or_nothing() {
    let folder = Folder::new("apply");
    let files =
        ["new", "changed", "same"].map(|name| folder.write(&format!("{name}.json"), &definition(name)));
    let known = [automation("changed", 3, "active"), automation("same", 7, "active")];
    let stub = Stub::answering([
        valid(),
        valid(),
        valid(),
        page(&known),
        (201, detail("new", 1).to_string()),
        ok(&detail("changed", 4)),
        ok(&detail("same", 7)),
    ])
    .await;
    let outcome =
        stub.run(&["automations", "apply", &files[0], &files[1], &files[2], "--space", SPACE]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, ""), "{}", outcome.err);
    let said: Vec<&str> = outcome.err.lines().collect();
    assert_eq!(
        said,
        [
            format!("{}: created: new ({AUTOMATION})", files[0]),
            format!("{}: version 4 saved: changed ({AUTOMATION})", files[1]),
            format!("{}: unchanged: same ({AUTOMATION})", files[2]),
        ]
    );
    let asked = stub.asked();
    let patch = format!("PATCH /v1/automations/{AUTOMATION}");
    let validate = "POST /v1/automations/validate";
    let list = "GET /v1/automations?limit=100";
    assert_eq!(
        lines(&asked),
        [validate, validate, validate, list, "POST /v1/automations", patch.as_str(), patch.as_str()]
    );
    assert_eq!(asked[0].body, json!({ "definition": definition("new") }));
    assert_eq!(asked[4].body, json!({ "definition": definition("new"), "space": SPACE }));
    assert_eq!(asked[5].body, json!({ "definition": definition("changed"), "from_version": 3 }));
}

#[tokio::test]
async fn nothing_is_saved_when_one_file_is_not_valid() {
    let folder = Folder::new("invalid");
    let (good, bad) =
        (folder.write("good.json", &definition("good")), folder.write("bad.json", &definition("bad")));
    let stub = Stub::answering([valid(), invalid()]).await;
    let outcome = stub.run(&["automations", "apply", &good, &bad]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Usage, ""));
    let expected = format!(
        "{bad}:/plan/0/action  there is no slack.sendmessage (did you mean `slack.send_message\\u{{1b}}[2J`?)\n\
         {bad}:/goal  is too long\n{bad}  is not all of it\nnothing was saved\n"
    );
    assert_eq!(outcome.err, expected);
    assert_eq!(stub.asked().len(), 2, "only validated");
    // The control: the same files are saved once both are valid.
    let saved = [(201, detail("good", 1).to_string()), (201, detail("bad", 1).to_string())];
    let stub = Stub::answering([valid(), valid(), page(&[])].into_iter().chain(saved)).await;
    assert_eq!(stub.run(&["automations", "apply", &good, &bad]).await.exit, Exit::Done);
    assert_eq!(stub.asked().len(), 5);
}

#[tokio::test]
async fn files_that_would_undo_each_other_or_are_no_json_are_refused() {
    let folder = Folder::new("twice");
    let (a, b) = (folder.write("a.json", &definition("x")), folder.write("b.json", &definition("x")));
    let stub = Stub::answering([valid(), valid()]).await;
    let outcome = stub.run(&["automations", "apply", &a, &b]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("both define `x`"), "{}", outcome.err);
    fs::write(folder.path("c.json"), r#"{"name": "x", "name": "y"}"#).unwrap();
    for bad in [vec![a.as_str(), a.as_str()], vec![&folder.path("c.json")], vec![&folder.path("none.json")]] {
        let stub = Stub::answering([]).await;
        let outcome = stub.run(&[&["automations", "apply"], bad.as_slice()].concat()).await;
        assert_eq!((outcome.exit, stub.asked().len()), (Exit::Usage, 0), "{bad:?}: {}", outcome.err);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_saved_stops_the_rest_and_what_was_saved_is_told() {
    let folder = Folder::new("stop");
    let files = ["one", "two", "three"].map(|name| folder.write(&format!("{name}.json"), &definition(name)));
    let mut first = detail("one", 1);
    first["new_tokens"] = json!([hook(None)]);
    let script = || {
        let known = page(&[automation("two", 3, "active")]);
        let saved = [(201, first.to_string()), (409, problem(409, "version_conflict").to_string())];
        [valid(), valid(), valid(), known].into_iter().chain(saved)
    };
    let arguments = ["automations", "apply", &files[0], &files[1], &files[2]];
    let stub = Stub::answering(script()).await;
    let outcome = stub.run(&arguments).await;
    assert_eq!(outcome.exit, Exit::Conflict);
    assert!(outcome.out.contains(TOKEN_OF_HOOK), "a created token is not lost: {}", outcome.out);
    assert!(outcome.err.contains(&format!("not saved: {}, {}", files[1], files[2])), "{}", outcome.err);
    let stub = Stub::answering(script()).await;
    let outcome = stub.run(&[arguments.as_slice(), &["--json"]].concat()).await;
    let document: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(document["items"][0]["automation"]["new_tokens"][0]["token"], TOKEN_OF_HOOK);
    assert_eq!(document["items"][1]["change"], "failed");
    assert_eq!(document["items"][1]["problem"]["code"], "version_conflict");
}

#[tokio::test]
async fn a_new_webhook_is_told_with_its_address_and_how_to_try_it() {
    let mut made = detail("hooked", 1);
    made["new_tokens"] = json!([hook(None)]);
    let streams =
        Streams { input: r#"{"schema_version":"1.0","name":"hooked","plan":[]}"#, ..Streams::default() };
    let stub = Stub::answering([valid(), page(&[]), (201, made.to_string())]).await;
    let outcome = streams.run(&stub.url, &["automations", "apply", "-"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    let address = format!("{}/v1/hooks/{TRIGGER}", stub.url);
    assert!(outcome.out.contains(TOKEN_OF_HOOK) && outcome.out.contains(&address), "{}", outcome.out);
    assert!(outcome.err.contains("curl -H @-") && outcome.err.contains(&address), "{}", outcome.err);
    assert!(!outcome.err.contains("c2VjcmV0"), "the token is data, so it is not on stderr: {}", outcome.err);
}

#[tokio::test]
async fn a_rotated_token_alone_goes_to_stdout() {
    for (secret, expected) in
        [(None, format!("{TOKEN_OF_HOOK}\n")), (Some("whsec_x"), format!("{TOKEN_OF_HOOK}\nwhsec_x\n"))]
    {
        let stub = Stub::once(200, hook(secret)).await;
        let outcome = stub.run(&["automations", "rotate", TRIGGER]).await;
        assert_eq!((outcome.exit, outcome.out), (Exit::Done, expected), "{}", outcome.err);
        assert!(!outcome.err.contains("c2VjcmV0"), "{}", outcome.err);
        assert_eq!(lines(&stub.asked()), [format!("POST /v1/triggers/{TRIGGER}/rotate")]);
    }
}

#[tokio::test]
async fn validate_says_what_is_wrong_or_what_policy_would_say() {
    let folder = Folder::new("validate");
    let file = folder.write("a.json", &definition("a"));
    let stub = Stub::answering([invalid()]).await;
    let outcome = stub.run(&["automations", "validate", &file]).await;
    assert_eq!((outcome.exit, outcome.out.lines().count()), (Exit::Usage, 3), "{}", outcome.out);
    let stub = Stub::answering([valid()]).await;
    let outcome = stub.run(&["automations", "validate", &file]).await;
    assert_eq!(outcome.exit, Exit::Done);
    assert!(outcome.out.contains("require_approval") && outcome.out.contains("writes are asked"));
    let stub = Stub::answering([invalid()]).await;
    let outcome = stub.run(&["automations", "validate", &file, "--json"]).await;
    let document: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(document["items"][0]["validation"]["problems"][1]["pointer"], "/goal");
    assert_eq!(outcome.exit, Exit::Usage);
}

#[tokio::test]
async fn what_is_exported_is_applied_without_a_change() {
    let folder = Folder::new("export");
    let file = folder.path("digest.json");
    let stub = Stub::answering([page(&[automation("digest", 2, "active")]), ok(&detail("digest", 2))]).await;
    let outcome = stub.run(&["automations", "export", "digest", "--output", &file]).await;
    assert_eq!((outcome.exit, outcome.out.as_str()), (Exit::Done, ""), "{}", outcome.err);
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("{\n  \"schema_version\": \"1.0\",\n  \"name\": \"digest\""), "{written}");
    let known = || page(&[automation("digest", 2, "active")]);
    let stub = Stub::answering([valid(), known(), ok(&detail("digest", 2))]).await;
    let outcome = stub.run(&["automations", "diff", &file]).await;
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", "unchanged\n"));
    let stub = Stub::answering([valid(), known(), ok(&detail("digest", 2))]).await;
    stub.run(&["automations", "apply", &file]).await;
    assert_eq!(stub.asked()[2].body["definition"], definition("digest"));
}

#[tokio::test]
async fn diff_shows_what_apply_would_change() {
    let folder = Folder::new("diff");
    let mut changed = definition("digest");
    changed["plan"][0]["config"]["text"] = "hello\u{202e}".into();
    let file = folder.write("digest.json", &changed);
    let known = || page(&[automation("digest", 2, "active")]);
    let stub = Stub::answering([valid(), known(), ok(&detail("digest", 2))]).await;
    let outcome = stub.run(&["automations", "diff", &file]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.out.starts_with(&format!("--- digest, version 2\n+++ {file}\n@@ ")), "{}", outcome.out);
    let changes: Vec<&str> =
        outcome.out.lines().skip(2).filter(|line| line.starts_with(['+', '-'])).map(str::trim).collect();
    assert_eq!(changes, [r#"-        "text": "hi""#, r#"+        "text": "hello\u202e""#]);
    assert!(!outcome.out.contains('\u{1b}'), "no colours in a pipe");
    let archived = page(&[automation("digest", 2, "archived")]);
    let stub = Stub::answering([valid(), archived]).await;
    let outcome = stub.run(&["automations", "diff", &file]).await;
    assert!(outcome.err.contains("the automation would be created"), "an archived name can be reused");
}

#[tokio::test]
async fn a_name_is_looked_for_on_every_page() {
    let first = json!({ "items": [automation("other", 1, "active")], "next_cursor": "c" });
    let stub = Stub::answering([
        ok(&first),
        page(&[automation("digest", 1, "archived"), automation("digest", 2, "active")]),
        ok(&detail("digest", 2)),
    ])
    .await;
    let outcome = stub.run(&["automations", "show", "digest"]).await;
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert!(outcome.out.contains("0 9 * * 1-5 Africa/Kigali") && outcome.out.contains("slack.send_message"));
    let one = format!("GET /v1/automations/{AUTOMATION}");
    let pages = ["GET /v1/automations?limit=100", "GET /v1/automations?limit=100&cursor=c"];
    assert_eq!(lines(&stub.asked()), [pages[0], pages[1], one.as_str()]);
    let stub = Stub::answering([page(&[automation("digest", 2, "active")])]).await;
    let outcome = stub.run(&["automations", "show", "digestt"]).await;
    assert_eq!(outcome.exit, Exit::NotFound);
    assert!(outcome.err.contains("did you mean `digest`?"), "{}", outcome.err);
}

#[tokio::test]
async fn each_command_asks_for_what_it_says() {
    let version = json!({ "version": 2, "saved_by": USER, "saved_at": AT, "definition": {}, "changes": [
        { "op": "replace", "path": "/goal", "value": "x" } ] });
    let (one, status) = (format!("/v1/automations/{AUTOMATION}"), |word: &str| json!({ "status": word }));
    for (arguments, answer, line, body, shown) in [
        (
            vec!["list"],
            page(&[automation("a", 1, "active")]),
            "GET /v1/automations".to_owned(),
            Value::Null,
            "0 9 *",
        ),
        (vec!["show", AUTOMATION], ok(&detail("a", 1)), format!("GET {one}"), Value::Null, "\"plan\""),
        (vec!["pause", AUTOMATION], ok(&detail("a", 1)), format!("PATCH {one}"), status("paused"), ""),
        (vec!["resume", AUTOMATION], ok(&detail("a", 1)), format!("PATCH {one}"), status("active"), ""),
        (vec!["archive", AUTOMATION], ok(&detail("a", 1)), format!("PATCH {one}"), status("archived"), ""),
        (
            vec!["versions", AUTOMATION],
            page(&[version]),
            format!("GET {one}/versions"),
            Value::Null,
            "replace /goal",
        ),
    ] {
        let stub = Stub::answering([answer]).await;
        let outcome = stub.run(&[&["automations"], arguments.as_slice()].concat()).await;
        assert_eq!(outcome.exit, Exit::Done, "{arguments:?}: {}", outcome.err);
        let asked = stub.asked().remove(0);
        assert_eq!((asked.line, asked.body), (line, body), "{arguments:?}");
        assert!(outcome.out.contains(shown), "{arguments:?}: {}", outcome.out);
    }
}

#[tokio::test]
async fn a_run_is_started_with_its_inputs_and_followed_on_request() {
    let start =
        ["automations", "run", AUTOMATION, "--input", "since=today", "--input", "limit:=5", "--key", "k1"];
    let accepted = || (202, run("pending", 1, &json!([])).to_string());
    let stub = Stub::answering([accepted()]).await;
    let outcome = stub.run(&start).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Done, format!("{RUN}\n")), "{}", outcome.err);
    let asked = stub.asked().remove(0);
    assert_eq!(asked.line, format!("POST /v1/automations/{AUTOMATION}/runs"));
    assert_eq!(asked.body, json!({ "inputs": { "since": "today", "limit": 5 } }));
    assert_eq!(asked.key.as_deref(), Some("k1"));

    let over = || ok(&run("failed", 2, &json!([])));
    for (flag, shown) in [("--watch", "run failed"), ("--wait", "✗ Morning digest #12")] {
        let stub = Stub::answering([accepted(), over()]).await;
        let outcome = stub.run(&[start.as_slice(), &[flag]].concat()).await;
        assert_eq!(outcome.exit, Exit::ActionFailed, "{}", outcome.err);
        assert!(outcome.out.contains(shown), "{flag}: {}", outcome.out);
        assert_eq!(lines(&stub.asked())[1], format!("GET /v1/runs/{RUN}"));
    }
    let stub = Stub::answering([accepted(), over()]).await;
    let outcome = stub.run(&[start.as_slice(), &["--wait", "--json"]].concat()).await;
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).unwrap()["status"], "failed");
}

#[tokio::test]
async fn nobody_knows_whether_a_run_started_when_the_answer_is_no_answer() {
    for command in [["automations", "run", AUTOMATION], ["runs", "rerun", RUN]] {
        let stub = Stub::answering([(200, "<html>".to_owned())]).await;
        let outcome = stub.run(&command).await;
        assert_eq!(outcome.exit, Exit::Unknown, "{command:?}");
        assert!(outcome.err.contains("countersign runs list"), "{}", outcome.err);
    }
}
