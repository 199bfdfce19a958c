//! A program in a sandbox, and what came of it.

use std::{collections::BTreeMap, path::PathBuf, process::Stdio, time::Duration};

use sandbox::{Error, Layer, Limits, Network, Policy, Sandbox, Started};
use tokio::{io::AsyncReadExt as _, process::Child};

/// Longer than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Cage {
    pub(crate) policy: Policy,
}

pub(crate) struct Came {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
}

impl Cage {
    /// A shell that runs a script.
    pub(crate) fn shell(script: &str) -> Self {
        Self::of(&["/bin/sh", "-c", script])
    }

    pub(crate) fn python(script: &str) -> Self {
        Self::of(&["/usr/bin/python3", "-c", script])
    }

    pub(crate) fn of(command: &[&str]) -> Self {
        let policy = Policy {
            command: command.iter().map(|&part| part.to_owned()).collect(),
            env: BTreeMap::from([("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())]),
            read: Vec::new(),
            write: Vec::new(),
            network: Network::None,
            limits: Limits::CALL,
            tenant: 7,
            without: [].into(),
        };
        Self { policy }
    }

    /// The same without a layer: a control.
    pub(crate) fn without(mut self, layers: &[Layer]) -> Self {
        self.policy.without.extend(layers);
        self
    }

    pub(crate) fn spawn(&self) -> Result<(Child, Sandbox), Error> {
        let launcher = PathBuf::from(env!("CARGO_BIN_EXE_sandbox_launcher"));
        let (mut command, sandbox) = Sandbox::new(&self.policy, Some(launcher))?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn()?;
        Ok((child, sandbox))
    }

    pub(crate) async fn start(&self) -> Result<(Child, Started), Error> {
        let (child, sandbox) = self.spawn()?;
        let started = tokio::task::spawn_blocking(|| sandbox.wait()).await.expect("no panic")?;
        Ok((child, started))
    }

    /// Runs it to its end.
    pub(crate) async fn run(&self) -> Result<Came, Error> {
        let (mut child, started) = self.start().await?;
        let mut out = Vec::new();
        let (mut stdout, mut stderr) =
            (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let ended = tokio::time::timeout(PATIENCE, async {
            let mut errors = Vec::new();
            let _ = tokio::join!(stdout.read_to_end(&mut out), stderr.read_to_end(&mut errors));
            out.extend(errors);
            child.wait().await
        });
        let status = ended.await.expect("it ends in time")?;
        drop(started);
        Ok(Came { code: status.code(), out: String::from_utf8_lossy(&out).into_owned() })
    }
}
