//! The real servers: started on ports of their own, killed, started again, stopped. Shared servers are not touched.
//!
//! PostgreSQL, Redis and Restate must be installed: `scripts/services up` does it.

mod servers;
mod services;

use std::{
    env, fs,
    net::{Ipv4Addr, TcpListener},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use local_servers::{Program, programs};

/// How many ports a test gets.
const PORTS: u16 = 5;

/// A folder and ports of one test. The folder is removed with this value.
struct Place {
    folder: PathBuf,
    ports: Vec<u16>,
}

impl Place {
    /// Ports from 18000 to 20000: below those of outgoing connections, and beside those that other tests take. Each test is
    /// a process of its own, and begins where no other one does.
    fn new(name: &str) -> Self {
        let process = std::process::id();
        // PostgreSQL's own user has to pass through.
        let folder = Path::new("/var/tmp").join(format!("local-servers-{name}-{process}"));
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let row = u16::try_from(process % 400).unwrap();
        let rows = (0..400).map(|next| 18_000 + (row + next) % 400 * PORTS);
        let mut rows = rows.map(|first| (first..first + PORTS).collect::<Vec<u16>>());
        let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
        let ports = rows.find(|ports| ports.iter().all(free)).expect("free ports");
        Self { folder, ports }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test that runs outside of the product")]
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder in which `scripts/services` has npm install Restate.
fn npm() -> PathBuf {
    let services = variable("COUNTERSIGN_SERVICES_DIR")
        .or_else(|| variable("HOME").map(|home| home.join(".cache/countersign/services")));
    services.expect("HOME is set").join("npm")
}

fn restate_program() -> Program {
    let file = variable("COUNTERSIGN_RESTATE_SERVER");
    programs::restate(file.as_deref(), &npm()).expect("Restate is installed: scripts/services up restate")
}
