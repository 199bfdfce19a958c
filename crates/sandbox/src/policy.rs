//! What a program in the sandbox may use.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// A program, and what it may use. Nothing else exists for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The program, as an absolute path, and its arguments.
    pub command: Vec<String>,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// Files and folders that it may read and run, besides the programs and libraries of the system.
    pub read: Vec<PathBuf>,
    /// Folders that it may also write.
    pub write: Vec<PathBuf>,
    pub network: Network,
    pub limits: Limits,
    /// Whom it runs for: each has a user of its own, if the gateway may choose users.
    pub tenant: u64,
    /// Layers to leave out, for tests. A launcher that was built for release refuses it.
    #[serde(default)]
    pub without: BTreeSet<Layer>,
}

/// The network of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// None, and no sockets but those of its own processes.
    None,
    /// One port on its own loopback, behind which the starter of the sandbox answers.
    OnePort,
}

/// The most that a program may use.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Memory of each process, in bytes.
    pub memory: u64,
    /// Whether reserved address space counts as memory. Stricter, but engines such as that of Node.js reserve much.
    pub counts_reserved: bool,
    /// Processes and threads of the tenant's user.
    pub processes: u64,
    /// Files that a process has open.
    pub open_files: u64,
    /// The size of a file, in bytes.
    pub file: u64,
    /// All files in its scratch folder together, in bytes.
    pub scratch: u64,
    /// Seconds of processor time of each process. `None` for a program that stays.
    pub cpu_seconds: Option<u64>,
}

/// A layer of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Its own mounts, processes and network.
    Namespaces,
    /// Landlock.
    Landlock,
    /// The filter of system calls.
    Seccomp,
    /// Limits of memory, processes, files and time.
    Limits,
    /// The user of its own.
    User,
}

impl Limits {
    /// For a program that stays and answers calls.
    pub const SERVICE: Self = Self {
        memory: 1_024 * MIB,
        counts_reserved: false,
        processes: 256,
        open_files: 1_024,
        file: 256 * MIB,
        scratch: 256 * MIB,
        cpu_seconds: None,
    };

    /// For a program that answers one call.
    pub const CALL: Self = Self {
        memory: 1_024 * MIB,
        counts_reserved: true,
        processes: 64,
        open_files: 256,
        file: 64 * MIB,
        scratch: 64 * MIB,
        cpu_seconds: Some(60),
    };
}

impl Policy {
    /// What is wrong with the policy itself.
    pub fn check(&self) -> Result<(), String> {
        let program = PathBuf::from(self.command.first().ok_or("there is no program")?);
        for path in self.read.iter().chain(&self.write).chain([&program]) {
            let plain =
                path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
            if !path.is_absolute() || !plain || path == Path::new("/") {
                return Err(format!("{} is no absolute path below /", path.display()));
            }
        }
        for path in self.read.iter().chain(&self.write) {
            let own = ["/proc", "/dev", "/sys", "/etc/passwd", "/etc/group", "/etc/hosts"];
            if path == Path::new("/tmp") || own.iter().any(|own| path.starts_with(own)) {
                return Err(format!("{} is the sandbox's own", path.display()));
            }
        }
        if !cfg!(debug_assertions) && !self.without.is_empty() {
            return Err("layers can be left out in tests only".to_owned());
        }
        Ok(())
    }

    pub(crate) fn has(&self, layer: Layer) -> bool {
        !self.without.contains(&layer)
    }
}
