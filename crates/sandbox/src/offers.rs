//! What this machine offers for a sandbox.

use std::{fs, path::PathBuf, process::Stdio};

use crate::{
    launcher,
    policy::{Limits, Network, Policy},
    start::{Error, Sandbox},
};

/// One piece, and whether it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub piece: &'static str,
    /// What was found.
    pub found: String,
    pub works: bool,
}

/// Starts a program in a sandbox of each kind, and says what was found.
pub async fn offers(launcher: Option<PathBuf>) -> Vec<Offer> {
    let mut all =
        vec![Offer { piece: "kernel", found: read("/proc/sys/kernel/osrelease"), works: true }, users()];
    for (piece, network) in
        [("without network", Network::None), ("with the network through the gateway", Network::OnePort)]
    {
        let tried = trial(network, launcher.clone()).await;
        all.push(match tried {
            Ok(()) => Offer { piece, found: "a program was started".to_owned(), works: true },
            Err(error) => Offer { piece, found: error.to_string(), works: false },
        });
    }
    all
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn users() -> Offer {
    let (found, works) = match launcher::user(0) {
        Ok(Some(_)) => ("each command of each organization has its own".to_owned(), true),
        Ok(None) => ("the gateway's own, in a user namespace, because it is not root".to_owned(), true),
        Err(error) => (error, false),
    };
    Offer { piece: "users", found, works }
}

async fn trial(network: Network, launcher: Option<PathBuf>) -> Result<(), Error> {
    let policy = Policy {
        command: vec!["/usr/bin/true".to_owned()],
        env: std::collections::BTreeMap::new(),
        read: Vec::new(),
        write: Vec::new(),
        network,
        limits: Limits::CALL,
        tenant: 0,
        without: std::collections::BTreeSet::new(),
    };
    let (mut command, sandbox) = Sandbox::new(&policy, launcher)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    drop(command);
    let started = tokio::task::spawn_blocking(|| sandbox.wait())
        .await
        .map_err(|_| Error::Refused("the wait was interrupted".to_owned()))??;
    let status = child.wait().await?;
    drop(started);
    if status.success() { Ok(()) } else { Err(Error::Refused(format!("/usr/bin/true ended with {status}"))) }
}
