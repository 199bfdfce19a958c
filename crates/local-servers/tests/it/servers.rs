//! Each server by itself, as `countersign dev` and trials start it.

use std::{
    fs::File,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use local_servers::{Authentication, Postgres, ROLES, Redis, Restate, Server, programs};
use rustix::process::{Pid, Signal, kill_process};

use crate::{Place, restate_program};

/// A busy machine starts several at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server. It is killed with this value.
struct Running<'a> {
    server: &'a dyn Server,
    place: &'a Place,
    child: Child,
}

impl<'a> Running<'a> {
    fn start(server: &'a dyn Server, place: &'a Place) -> Self {
        server.prepare().unwrap();
        let mut running = Self { server, place, child: Self::spawn(server, place) };
        running.wait();
        running
    }

    fn spawn(server: &dyn Server, place: &Place) -> Child {
        let log = File::options().create(true).append(true).open(place.folder.join("log")).unwrap();
        let mut command = server.command().unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
    }

    fn wait(&mut self) {
        let begun = Instant::now();
        while !self.server.is_ready() {
            let log = || std::fs::read_to_string(self.place.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "{} was not ready: {}", self.server.name(), log());
            if self.child.try_wait().unwrap().is_some() {
                // PostgreSQL's orphaned processes hold its shared memory for a moment.
                thread::sleep(Duration::from_millis(100));
                self.child = Self::spawn(self.server, self.place);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn end(&mut self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        let status = self.child.wait().unwrap();
        assert!(signal == Signal::KILL || status.success(), "{} ended with {status}", self.server.name());
        assert!(!self.server.is_ready(), "{} still answers", self.server.name());
    }

    /// Killed, started again over the same data, stopped.
    fn lives_again(mut self, stop: Signal, look: impl Fn()) {
        self.end(Signal::KILL);
        self.server.prepare().unwrap();
        self.child = Self::spawn(self.server, self.place);
        self.wait();
        look();
        self.end(stop);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn postgres(place: &Place, authentication: Authentication) -> Postgres {
    let program = programs::postgres(None).expect("PostgreSQL is installed: scripts/services up postgres");
    let (folder, port) = (place.folder.join("above/postgres"), place.ports[0]);
    Postgres { program, folder, port, authentication, durable: true }
}

#[test]
fn postgres_keeps_its_data_when_it_is_killed() {
    let place = Place::new("postgres");
    let server = postgres(&place, Authentication::Trust);
    let running = Running::start(&server, &place);
    server.run_script(ROLES).unwrap();
    server.run_script("CREATE TABLE kept (id int); INSERT INTO kept VALUES (7);").unwrap();
    let error = server.run_script("SELECT nothing FROM nowhere;").unwrap_err().to_string();
    assert!(error.contains("nowhere"), "{error}");
    running.lives_again(Signal::INT, || {
        server.run_script("SELECT 1 / (SELECT count(*) FROM kept WHERE id = 7);").unwrap()
    });
}

#[test]
fn postgres_with_a_password_lets_nobody_in_without_it() {
    let place = Place::new("password");
    let mut server = postgres(&place, Authentication::Password("let-me-in".to_owned()));
    let known = server.clone();
    let mut running = Running::start(&known, &place);
    server.run_script("SELECT 1;").unwrap();
    server.authentication = Authentication::Trust;
    assert!(server.run_script("SELECT 1;").is_err(), "without a password");
    running.end(Signal::INT);
}

#[test]
fn redis_starts_again_after_a_kill() {
    let place = Place::new("redis");
    let program = programs::redis().expect("Redis is installed: scripts/services up redis");
    let (folder, port) = (place.folder.join("redis"), place.ports[0]);
    let authentication = Authentication::Password("let-me-in".to_owned());
    let server = Redis { program, folder, port, authentication };
    let stranger = Redis { authentication: Authentication::Trust, ..server.clone() };
    Running::start(&server, &place)
        .lives_again(Signal::TERM, || assert!(!stranger.is_ready(), "without a password"));
}

#[test]
fn restate_starts_again_after_a_kill() {
    let place = Place::new("restate");
    let [ingress_port, admin_port, node_port, ..] = place.ports[..] else { panic!("too few ports") };
    let more = vec![("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE".to_owned(), "128 MiB".to_owned())];
    let (program, folder) = (restate_program(), place.folder.join("restate"));
    let server = Restate { program, folder, ingress_port, admin_port, node_port, partitions: 1, more };
    Running::start(&server, &place)
        .lives_again(Signal::TERM, || assert!(server.folder.join("data").is_dir()));
}
