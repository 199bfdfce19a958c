//! The program `services`, with all three servers in a place of their own.

use std::{
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, getsid, kill_process};

use crate::{Place, npm, restate_program};

/// A place whose servers are stopped with this value, also when the test fails.
struct Shared(Place);

impl Shared {
    fn command(&self, arguments: &[&str]) -> Command {
        let Place { folder, ports } = &self.0;
        let mut command = Command::new(env!("CARGO_BIN_EXE_services"));
        command
            .args(arguments)
            .env("COUNTERSIGN_SERVICES_DIR", folder)
            .env("COUNTERSIGN_PG_DIR", folder.join("pg"))
            .env_remove("COUNTERSIGN_PG_DURABLE")
            .env_remove("COUNTERSIGN_RESTATE_VERSION");
        let names = ["PG", "REDIS", "RESTATE_INGRESS", "RESTATE_ADMIN", "RESTATE_NODE"];
        for (name, port) in names.into_iter().zip(ports) {
            command.env(format!("COUNTERSIGN_{name}_PORT"), port.to_string());
        }
        command
    }

    /// Its output, and whether it succeeded. A server that inherited standard output would keep this waiting.
    fn call(&self, arguments: &[&str]) -> (bool, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = [String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap()].concat();
        (status.success(), text)
    }

    fn pids(&self) -> Vec<Pid> {
        let table = self.call(&["status"]).1;
        let pids = table.lines().skip(1).filter_map(|line| line.split_whitespace().nth(2)?.parse().ok());
        pids.filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let _ = self.command(&["down"]).output();
    }
}

#[test]
fn services_start_outlive_the_command_and_stop() {
    let shared = Shared(Place::new("services"));
    // As installed, because nothing is installed here.
    assert!(restate_program().path.exists());
    symlink(npm(), shared.0.folder.join("npm")).unwrap();
    assert_eq!(shared.call(&["missing"]), (true, String::new()));
    assert!(!shared.call(&["status"]).0, "nothing runs yet");

    let (up, said) = shared.call(&["up"]);
    assert!(up, "{said}");
    assert_eq!(said.matches(" is up at 127.0.0.1:").count(), 3, "{said}");
    let (up, table) = shared.call(&["status"]);
    assert!(up, "{table}");
    let first = shared.pids();
    assert_eq!(first.len(), 3, "{table}");
    for pid in &first {
        assert_eq!(getsid(Some(*pid)).ok(), Some(*pid), "a session of its own");
    }
    assert!(shared.call(&["up"]).0, "starting twice is harmless");
    assert_eq!(shared.pids(), first);

    for pid in &first {
        kill_process(*pid, Signal::KILL).unwrap();
    }
    wait_until(|| shared.pids().is_empty());
    let (up, said) = shared.call(&["up", "--fast"]);
    assert!(up, "{said}");
    let (up, said) = shared.call(&["up", "postgres"]);
    assert!(!up && said.contains("fsync off"), "nobody measures a PostgreSQL that forgets: {said}");

    let (down, said) = shared.call(&["down"]);
    assert!(down && said.matches(" stopped").count() == 3, "{said}");
    assert_eq!(shared.pids(), []);
    let (down, said) = shared.call(&["down", "redis"]);
    assert!(down && said.contains("redis is not running"), "{said}");
}

#[test]
fn a_taken_port_an_unknown_name_and_a_missing_program_are_told() {
    let shared = Shared(Place::new("refused"));
    let other = std::net::TcpListener::bind(("127.0.0.1", shared.0.ports[1])).unwrap();
    let (up, said) = shared.call(&["up", "redis"]);
    assert!(!up && said.contains(&format!("redis: port {} is already in use", shared.0.ports[1])), "{said}");
    drop(other);
    let (up, said) = shared.call(&["up", "mysql"]);
    assert!(!up && said.contains("unknown service `mysql`"), "{said}");
    let (fine, said) = shared.call(&["missing", "restate"]);
    assert!(fine && said.starts_with("npm @restatedev/restate-server@"), "{said}");
    let (up, said) = shared.call(&["up", "restate"]);
    assert!(!up && said.contains("restate: not installed"), "{said}");
    assert!(!shared.call(&["sideways"]).0);
}

#[test]
fn exports_name_every_server() {
    let shared = Shared(Place::new("exports"));
    symlink(npm(), shared.0.folder.join("npm")).unwrap();
    let (_, lines) = shared.call(&["env"]);
    let names: Vec<&str> =
        lines.lines().filter_map(|line| line.strip_prefix("export ")?.split('=').next()).collect();
    assert_eq!(
        names,
        [
            "COUNTERSIGN_RESTATE_SERVER",
            "COUNTERSIGN_OWNER_DATABASE_URL",
            "COUNTERSIGN_DATABASE_URL",
            "COUNTERSIGN_REDIS_URL",
            "COUNTERSIGN_RESTATE_INGRESS_URL",
            "COUNTERSIGN_RESTATE_ADMIN_URL"
        ]
    );
    let database = format!("postgres://countersign_owner:owner@127.0.0.1:{}/countersign", shared.0.ports[0]);
    assert!(lines.contains(&database), "{lines}");
    assert!(Path::new(lines.lines().next().unwrap().split('=').nth(1).unwrap()).exists());
}

fn wait_until(so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "not in time");
        thread::sleep(Duration::from_millis(20));
    }
}
