//! Commands that the operator declared: who may use them, and how they run in the sandbox.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
    process::Stdio,
    sync::Arc,
};

use model::{Digest, ErrorClass, OrgId};
use platform::egress::Egress;
use rmcp::transport::TokioChildProcess;
use sandbox::{Limits, Network, Policy, Sandbox, Started};
use serde::{Deserialize, Serialize};
use tokio::{sync::Semaphore, task::JoinHandle};

use super::network;
use crate::{
    SourceError,
    limits::mcp::{MIB, proxy::MOST_OF_ALL},
};

/// A program that speaks MCP over its standard streams, declared by the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its whole environment; nothing is inherited.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Which organizations may connect it.
    #[serde(default)]
    pub organizations: Organizations,
    /// Files and folders that it may read, besides the programs and libraries of the system.
    #[serde(default)]
    pub read: Vec<PathBuf>,
    /// Folders that it may also write. All organizations that may use the command share them.
    #[serde(default)]
    pub write: Vec<PathBuf>,
    /// Hosts that it may connect to: `api.example.com`, `api.example.com:8443`, `*.example.com`. The port is 443 if none is
    /// given.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Memory of each of its processes, in MiB.
    #[serde(default)]
    pub memory_mib: Option<u64>,
}

/// Organizations that may use a command; none if it does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Organizations {
    /// All of them.
    All(All),
    /// Those with these ids.
    These(BTreeSet<OrgId>),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum All {
    All,
}

impl Default for Organizations {
    fn default() -> Self {
        Self::These(BTreeSet::new())
    }
}

impl Organizations {
    /// Every organization.
    pub const ALL: Self = Self::All(All::All);

    fn include(&self, org: OrgId) -> bool {
        match self {
            Self::All(_) => true,
            Self::These(these) => these.contains(&org),
        }
    }
}

/// The declared commands. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Commands {
    declared: Arc<BTreeMap<String, Command>>,
    /// Places for connections through the proxy, of all commands of this process.
    connections: Arc<Semaphore>,
    /// The binary that makes the sandbox. `None` for this one.
    launcher: Option<PathBuf>,
}

impl Default for Commands {
    fn default() -> Self {
        Self::new(BTreeMap::new(), None)
    }
}

/// A running command. It ends when this is dropped.
pub(super) struct Running {
    _started: Started,
    network: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(network) = &self.network {
            network.abort();
        }
    }
}

impl Commands {
    /// Commands by their names, and the binary that makes the sandbox if it is not this one.
    pub fn new(declared: BTreeMap<String, Command>, launcher: Option<PathBuf>) -> Self {
        Self { declared: Arc::new(declared), connections: Arc::new(Semaphore::new(MOST_OF_ALL)), launcher }
    }

    /// The digest of all that is declared about a command; `None` if it is not declared.
    ///
    /// But for the organizations: that another one may use it changes nothing for this one.
    pub(super) fn digest(&self, name: &str, org: OrgId) -> Option<Digest> {
        let command = self.find(name, org)?.clone();
        Digest::of_canonical(&Command { organizations: Organizations::default(), ..command }).ok()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// The command, if the operator declared it for this organization.
    pub(super) fn find(&self, name: &str, org: OrgId) -> Option<&Command> {
        self.declared.get(name).filter(|command| command.organizations.include(org))
    }

    /// Starts a command in the sandbox, for one organization.
    pub(super) async fn start(
        &self,
        name: &str,
        org: OrgId,
        egress: &Egress,
    ) -> Result<(TokioChildProcess, Running), SourceError> {
        let refused = |message: String| SourceError::not_sent(ErrorClass::Permanent, message);
        let declared = self.find(name, org).ok_or_else(|| refused(not_declared(name)))?;
        let failed = |error: &sandbox::Error| not_started(name, org, error);
        let (command, sandbox) = Sandbox::new(&policy(declared, tenant(name, org)), self.launcher.clone())
            .map_err(|error| failed(&error))?;
        // Set on the builder, which otherwise passes on our own stderr: output of a third-party program does not belong
        // in our log.
        let (child, _) = TokioChildProcess::builder(command)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&sandbox::Error::Io(error)))?;
        let waited = tokio::task::spawn_blocking(|| sandbox.wait()).await;
        let mut started = waited
            .unwrap_or_else(|_| Err(sandbox::Error::Io(io::ErrorKind::Interrupted.into())))
            .map_err(|error| failed(&error))?;
        let network = started.listener.take().map(|listener| {
            spawn(network::serve(listener, declared.hosts.clone(), egress.clone(), self.connections.clone()))
        });
        Ok((child, Running { _started: started, network }))
    }
}

#[expect(clippy::disallowed_methods, reason = "it ends with the program, which nobody waits for at shutdown")]
fn spawn(serving: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(serving)
}

/// Paths and settings of this machine are for the operator, not for the admins of organizations.
fn not_started(name: &str, org: OrgId, error: &sandbox::Error) -> SourceError {
    tracing::warn!(command = name, %org, %error, "a declared command could not be started");
    let class = match error {
        sandbox::Error::Refused(_) => ErrorClass::Permanent,
        sandbox::Error::Io(_) => ErrorClass::Transient,
    };
    SourceError::not_sent(
        class,
        format!("the command `{name}` could not be started; the gateway's log says why"),
    )
}

/// What people are told about a command that they may not use, whether it exists or not.
pub(crate) fn not_declared(name: &str) -> String {
    format!("the operator has not declared a command `{name}` for this organization")
}

impl Command {
    /// What is wrong with the declaration, as far as that can be seen without starting it.
    pub fn check(&self) -> Result<(), String> {
        if self.memory_mib.is_some_and(|mib| mib < LEAST_MIB) {
            return Err(format!("`memory_mib` is less than {LEAST_MIB}"));
        }
        if let Some(host) = self.hosts.iter().find(|host| !network::is_host(host)) {
            return Err(format!(
                "the host `{host}` is not like `api.example.com`, `api.example.com:8443` or `*.example.com`"
            ));
        }
        policy(self, 0).check()
    }
}

/// Less than any interpreter needs.
const LEAST_MIB: u64 = 16;

fn policy(declared: &Command, tenant: u64) -> Policy {
    let memory = declared.memory_mib.map_or(Limits::SERVICE.memory, |mib| mib.saturating_mul(MIB));
    Policy {
        command: declared.command.clone(),
        env: declared.env.clone(),
        read: declared.read.clone(),
        write: declared.write.clone(),
        network: if declared.hosts.is_empty() { Network::None } else { Network::OnePort },
        limits: Limits { memory, ..Limits::SERVICE },
        tenant,
        without: BTreeSet::new(),
    }
}

/// A number for a command of an organization, from which its user follows.
fn tenant(name: &str, org: OrgId) -> u64 {
    let digest = Digest::of_bytes(format!("{org} {name}").as_bytes()).to_string();
    let hex = digest.rsplit(':').next().unwrap_or_default();
    u64::from_str_radix(hex.get(..16).unwrap_or_default(), 16).unwrap_or_default()
}
