//! A gateway on loopback that checks the token, answers from a script and records the requests; and a console whose
//! streams can be read afterwards.

use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::{Arc, Mutex},
};

use api::Plain;
use axum::{
    Router,
    body::{Bytes, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use clap::Parser;
use cli::{Command, Console, Exit, Global};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

pub(crate) const TOKEN: &str = "csn_api_stub";
pub(crate) const SESSION: &str = "ses_0192f0c1d2e37a4b8c5d6e7f80910a1f";
pub(crate) const INVOCATION: &str = "inv_0192f0c1d2e37a4b8c5d6e7f80910a1c";
pub(crate) const RECEIPT: &str = "rcp_0192f0c1d2e37a4b8c5d6e7f80910a1b";
pub(crate) const REQUEST: &str = "grq_0192f0c1d2e37a4b8c5d6e7f80910a21";
pub(crate) const GRANT: &str = "grt_0192f0c1d2e37a4b8c5d6e7f80910a22";
pub(crate) const USER: &str = "usr_0192f0c1d2e37a4b8c5d6e7f80910a20";
pub(crate) const SPACE: &str = "spc_0192f0c1d2e37a4b8c5d6e7f80910a1e";
pub(crate) const CHANGE: &str = "pch_0192f0c1d2e37a4b8c5d6e7f80910a23";
pub(crate) const ORG: &str = "org_0192f0c1d2e37a4b8c5d6e7f80910a1d";

/// The root a binary would have.
#[derive(Parser)]
#[command(name = "countersign")]
pub(crate) struct Root {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A request as it was received.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// Method, path and query.
    pub(crate) line: String,
    pub(crate) body: Value,
    pub(crate) key: Option<String>,
    pub(crate) token: Option<String>,
}

type Script = Arc<Mutex<(VecDeque<(u16, String)>, Vec<Asked>)>>;

/// The stub of the gateway; it stops when dropped.
pub(crate) struct Stub {
    pub(crate) url: String,
    script: Script,
    _tasks: JoinSet<()>,
}

impl Stub {
    /// A stub that gives these answers in order.
    pub(crate) async fn answering(answers: impl IntoIterator<Item = (u16, String)>) -> Self {
        let script: Script = Arc::new(Mutex::new((answers.into_iter().collect(), Vec::new())));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(script.clone());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, script, _tasks: tasks }
    }

    pub(crate) async fn once(status: u16, answer: Value) -> Self {
        Self::answering([(status, answer.to_string())]).await
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.script.lock().unwrap().1.clone()
    }

    /// Runs `countersign <arguments>` against this gateway.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Outcome {
        Streams::default().run(&self.url, arguments).await
    }
}

async fn answer(State(script): State<Script>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body: Bytes = to_bytes(body, 1 << 20).await.unwrap();
    let text = |name: &str| head.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    if !body.is_empty() {
        assert_eq!(text("content-type").as_deref(), Some("application/json"));
    }
    let asked = Asked {
        line: format!("{} {}", head.method, head.uri),
        body: if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() },
        key: text("idempotency-key"),
        token: text("authorization"),
    };
    let mut script = script.lock().unwrap();
    let public = asked.line.contains("/.well-known/");
    let known = asked.token == Some(format!("Bearer {TOKEN}"));
    script.1.push(asked);
    let (status, body) = if public || known {
        script.0.pop_front().expect("another scripted answer")
    } else {
        (401, problem(401, "unauthenticated").to_string())
    };
    let kind = if status < 400 { "application/json" } else { "application/problem+json" };
    // Every answer has a `Location` header; only a client that follows redirects would go there.
    let headers = [(header::CONTENT_TYPE, kind), (header::LOCATION, "/elsewhere")];
    let mut response = (StatusCode::from_u16(status).unwrap(), headers, body.clone()).into_response();
    if (status, body) == proposed() {
        response.headers_mut().insert("countersign-proposed", header::HeaderValue::from_static(CHANGE));
    }
    response
}

/// The answer to a change that waits for a second owner.
pub(crate) fn proposed() -> (u16, String) {
    (202, json!({ "id": CHANGE, "status": "waiting" }).to_string())
}

/// The exit code and the output of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The environment of a command: stdin, whether it is a terminal, and the token.
pub(crate) struct Streams {
    pub(crate) input: &'static str,
    pub(crate) terminal: bool,
    pub(crate) token: Option<&'static str>,
}

impl Default for Streams {
    fn default() -> Self {
        Self { input: "", terminal: false, token: Some(TOKEN) }
    }
}

impl Streams {
    pub(crate) async fn run(&self, url: &str, arguments: &[&str]) -> Outcome {
        let arguments = [&["countersign", "--url", url], arguments].concat();
        let mut root = Root::try_parse_from(arguments).unwrap_or_else(|error| panic!("{error}"));
        root.global.token = self.token.map(|token| Plain(token.to_owned()));
        let (out, err) = (Sink::default(), Sink::default());
        let mut console = Console::new(self.input.as_bytes(), out.clone(), err.clone());
        console.input_is_terminal = self.terminal;
        console.out_is_terminal = self.terminal;
        console.err_is_terminal = self.terminal;
        let exit = cli::run_on(root.command, &root.global, &mut console).await;
        Outcome { exit, out: out.text(), err: err.text() }
    }
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn problem(status: u16, code: &str) -> Value {
    json!({
        "type": format!("/problems/{code}"), "title": "It did not work", "status": status, "code": code,
        "detail": "because", "hint": "try something else",
    })
}

pub(crate) const SUBJECT: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

pub(crate) fn me() -> (u16, String) {
    (200, json!({ "org": ORG, "session": SESSION }).to_string())
}

pub(crate) fn invocation(status: &str) -> Value {
    json!({
        "id": INVOCATION, "session": SESSION, "agent": "triage-bot", "action": "linear.create_issue", "risk": "R2",
        "status": status, "mode": "require_approval",
        "decision": {
            "mode": "require_approval", "mode_source": "org_rule", "reason": "four eyes",
            "guardrails": [], "gates": [], "quarantined": false,
        },
        "params": {}, "dry_run": false, "attempts": 1, "subject_digest": SUBJECT,
        "requested_at": "2026-11-15T02:02:00Z",
    })
}

pub(crate) fn grant_request(status: &str) -> Value {
    json!({
        "id": REQUEST, "session": SESSION, "agent": "triage-bot", "action": "linear.add_comment", "max_calls": 10,
        "lifetime_s": 7_200, "reason": "triage", "status": status, "requested_at": "2026-11-15T02:02:00Z",
        "expires_at": "2026-11-15T02:07:00Z",
    })
}
