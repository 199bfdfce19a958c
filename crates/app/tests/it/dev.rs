//! `countersign dev` as a person runs it: everything starts, an invocation waits and is approved, everything is
//! stopped.
//!
//! The test needs the programs of the three servers and its own ports; it neither uses nor stops servers that are
//! already running. Restate is searched for where `scripts/services` installs it.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use http::{HeaderMap, HeaderValue, Method, header};
use platform::{
    Dice,
    config::variable,
    egress::{Egress, EgressPolicy, Request},
};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use testkit::ROWS;

/// The first start creates a database and everything else, on a machine that also runs other tests.
const START: Duration = Duration::from_secs(150);
const STOP: Duration = Duration::from_secs(90);
const BINARY: &str = env!("CARGO_BIN_EXE_countersign");

#[tokio::test]
async fn dev_starts_everything_and_leaves_nothing_behind() {
    let folder = Folder::new();
    let first = folder.dev();
    assert_eq!(first.processes.len(), if first.ready["fakes"].is_null() { 5 } else { 6 });
    assert!(folder.doctor(), "doctor finds no problem while dev runs");
    assert!(!folder.command(&["dev"]).status().unwrap().success(), "a second dev is refused");
    approve_what_waits(&first).await;
    let (owner, session) = (first.ready["owner_token"].clone(), first.ready["session_token"].clone());
    first.stop();
    folder.is_quiet();
    assert!(!folder.doctor(), "doctor reports that nothing runs");

    // The second start finds the same organization, and is then killed.
    let second = folder.dev();
    assert_eq!(second.ready["owner_token"], owner, "the organization is the same");
    assert_ne!(second.ready["session_token"], session, "the session is new");
    second.signal(Signal::KILL);
    drop(second);

    // The third start first stops the processes that the second left behind.
    let third = folder.dev();
    approve_what_waits(&third).await;
    third.stop();
    folder.is_quiet();
}

/// Requests to write a file, which waits for an approval; approves what is shown; checks the file.
async fn approve_what_waits(dev: &Dev) {
    let invoke = format!("/v1/sessions/{}/actions/invoke", text(&dev.ready["session"]));
    let wanted =
        json!({ "action": "files.write_text", "params": { "path": "note.txt", "text": "countersigned" } });
    let (status, asked) = dev.call("session_token", Method::POST, &invoke, Some(wanted)).await;
    assert_eq!((status, &asked["status"]), (202, &json!("pending")), "{asked}");

    let opened = format!("/v1/inbox/{}", text(&asked["id"]));
    let (status, item) = dev.call("owner_token", Method::GET, &opened, None).await;
    assert_eq!(status, 200, "it is not in the inbox: {item}");
    let approve = format!("/v1/invocations/{}/approve?wait=30s", text(&asked["id"]));
    let yes = json!({ "shown_digest": testkit::shown_digest(&item).unwrap() });
    let (status, done) = dev.call("owner_token", Method::POST, &approve, Some(yes)).await;
    assert_eq!((status, &done["status"]), (200, &json!("succeeded")), "{done}");
    assert!(text(&done["receipt"]).starts_with("rcp_"), "{done}");
    let orgs = fs::read_dir(Path::new(text(&dev.ready["dir"])).join("workspaces")).unwrap().flatten();
    let written = orgs.map(|org| fs::read_to_string(org.path().join("note.txt")).unwrap_or_default());
    assert_eq!(written.collect::<Vec<_>>(), ["countersigned"]);
}

/// A separate folder and range of ports. The folder is removed on drop.
struct Folder {
    dir: PathBuf,
    port: u16,
}

/// A running `dev`, and its output when it was ready.
struct Dev {
    child: Child,
    ready: Value,
    processes: Vec<Pid>,
}

impl Folder {
    fn new() -> Self {
        let mut bytes = [0; 8];
        Dice::system().fill(&mut bytes);
        // Not below the target directory: PostgreSQL's user may have no access to it.
        let dir = std::env::temp_dir().join(format!("countersign-dev-{}", u64::from_be_bytes(bytes)));
        let count = (ROWS.end - ROWS.start) / 12;
        let row = |two: &[u8]| ROWS.start + u16::from_be_bytes([two[0], two[1]]) % count * 12;
        let mut rows = bytes.windows(2).map(row);
        let is_free = |first: &u16| (*first..first + 11).all(free);
        Self { dir, port: rows.find(is_free).expect("eleven free ports in a row") }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments).arg("--json").arg("--dir").arg(&self.dir);
        command.args(["--port", &self.port.to_string()]);
        // The servers and keys of other tests must not be found.
        command.env_clear().env("PATH", variable("PATH").unwrap_or_default());
        if let Some(restate) = restate() {
            command.env("COUNTERSIGN_RESTATE_SERVER", restate);
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts `dev` and waits until it reports that it is ready.
    fn dev(&self) -> Dev {
        let log = self.dir.with_extension("log");
        let mut command = self.command(&["dev"]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(File::create(&log).unwrap()).spawn().expect("countersign");
        let out = child.stdout.take().expect("a pipe");
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let _ = BufReader::new(out).read_line(&mut line);
            let _ = tell.send(line);
        });
        let line = told.recv_timeout(START).unwrap_or_default();
        let ready: Value = serde_json::from_str(&line).unwrap_or_default();
        let processes = ready["processes"].as_array().into_iter().flatten();
        let processes = processes
            .map(|process| Pid::from_raw(i32::try_from(process["pid"].as_i64().unwrap()).unwrap()).unwrap())
            .collect();
        let dev = Dev { child, ready, processes };
        assert!(dev.ready.is_object(), "dev is not ready: {}", fs::read_to_string(&log).unwrap_or_default());
        dev
    }

    fn doctor(&self) -> bool {
        self.command(&["doctor"]).status().expect("countersign").success()
    }

    /// Checks that no process listens on any of the ports.
    fn is_quiet(&self) {
        let taken: Vec<u16> = (self.port..self.port + 11).filter(|port| !free(*port)).collect();
        assert!(taken.is_empty(), "ports still in use: {taken:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
        let _ = fs::remove_file(self.dir.with_extension("log"));
    }
}

impl Dev {
    async fn call(&self, token: &str, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut headers = HeaderMap::new();
        let bearer = format!("Bearer {}", text(&self.ready[token]));
        headers.insert(header::AUTHORIZATION, HeaderValue::from_str(&bearer).unwrap());
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let url = format!("{}{path}", text(&self.ready["gateway"])).parse().unwrap();
        let body = body.map(|body| body.to_string().into());
        let allow = vec!["127.0.0.1/32".parse().unwrap()];
        let request = Request { method, url, headers, body, timeout: STOP };
        let answer = Egress::new(EgressPolicy { allow }).unwrap().send(request).await.expect("an answer");
        (answer.status.as_u16(), serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).expect("dev is running");
    }

    /// Stops `dev`, and checks that every process it started has ended.
    fn stop(mut self) {
        self.signal(Signal::TERM);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < STOP, "dev did not stop");
            std::thread::sleep(Duration::from_millis(50));
        };
        assert!(status.success(), "{status}");
        for pid in &self.processes {
            assert!(
                test_kill_process(*pid).is_err(),
                "{pid:?} of {} is still running",
                self.ready["processes"]
            );
        }
    }
}

impl Drop for Dev {
    /// A test that failed must not leave servers running.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let failing = std::thread::panicking();
            if failing {
                self.signal(Signal::TERM);
            }
            let _ = self.child.wait();
        }
    }
}

/// Where `scripts/services` installs Restate; `None` if it is on the `PATH`.
fn restate() -> Option<PathBuf> {
    if let Some(told) = variable("COUNTERSIGN_RESTATE_SERVER") {
        return Some(told.into());
    }
    let services = variable("COUNTERSIGN_SERVICES_DIR").map(PathBuf::from);
    let services = services
        .or_else(|| variable("HOME").map(|home| Path::new(&home).join(".cache/countersign/services")));
    let packages = fs::read_dir(services?.join("npm/node_modules/@restatedev")).ok()?;
    packages.flatten().map(|package| package.path().join("bin/restate-server")).find(|file| file.is_file())
}

fn free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("expected a text, found {value}"))
}
