//! Restate, the durable execution engine.

use std::{fs, os::unix::fs::DirBuilderExt as _, path::PathBuf, process::Command};

use anyhow::Context as _;

use crate::{Program, Server, command::isolated, probe};

/// The health check of Restate's admin address.
pub const ADMIN_HEALTH: &str = "/health";
/// The health check of Restate's ingress address.
pub const INGRESS_HEALTH: &str = "/restate/health";

/// Settings of one Restate server.
#[derive(Debug, Clone)]
pub struct Restate {
    pub program: Program,
    /// Its data is in `data` below it.
    pub folder: PathBuf,
    /// Where work is handed over.
    pub ingress_port: u16,
    /// Where workers register.
    pub admin_port: u16,
    /// Where its nodes talk to each other.
    pub node_port: u16,
    /// The number of partitions. It counts only when the data directory is new.
    pub partitions: u16,
    /// Further settings of Restate, as its environment takes them. They win over those above.
    pub more: Vec<(String, String)>,
}

impl Server for Restate {
    fn name(&self) -> &'static str {
        "restate"
    }

    fn ports(&self) -> Vec<u16> {
        vec![self.ingress_port, self.admin_port, self.node_port]
    }

    fn prepare(&self) -> anyhow::Result<()> {
        let folder = &self.folder;
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| format!("creating {}", folder.display()))
    }

    fn command(&self) -> anyhow::Result<Command> {
        let node = loopback(self.node_port);
        let mut command = isolated(&self.program.path, &self.folder);
        command
            .args(["--no-logo", "--listen-mode", "tcp", "--node-name", "countersign"])
            .args(["--bind-address", &node, "--advertised-address", &format!("http://{node}/")])
            .args(["--default-num-partitions", &self.partitions.to_string(), "--base-dir"])
            .arg(self.folder.join("data"))
            .env("RESTATE_INGRESS__BIND_ADDRESS", loopback(self.ingress_port))
            .env("RESTATE_ADMIN__BIND_ADDRESS", loopback(self.admin_port))
            .env("RESTATE_LOG_DISABLE_ANSI_CODES", "true")
            .env("RESTATE_DISABLE_TELEMETRY", "true")
            .env("DO_NOT_TRACK", "1")
            // A killed server leaves temporary files; here they go with its folder.
            .env("TMPDIR", &self.folder)
            .envs(self.more.iter().cloned());
        Ok(command)
    }

    fn is_ready(&self) -> bool {
        probe::http(self.admin_port, ADMIN_HEALTH) && probe::http(self.ingress_port, INGRESS_HEALTH)
    }
}

fn loopback(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::arguments;

    #[test]
    fn a_command_names_every_port_and_takes_further_settings() {
        let program = Program { path: "/npm/restate-server".into(), version: "1.7.12".to_owned() };
        let more = vec![("RESTATE_LOG_FILTER".to_owned(), "warn".to_owned())];
        let server = Restate {
            program,
            folder: "/e".into(),
            ingress_port: 1,
            admin_port: 2,
            node_port: 3,
            partitions: 4,
            more,
        };
        let command = server.command().unwrap();
        assert_eq!(
            arguments(&command).join(" "),
            "--no-logo --listen-mode tcp --node-name countersign --bind-address 127.0.0.1:3 --advertised-address \
             http://127.0.0.1:3/ --default-num-partitions 4 --base-dir /e/data"
        );
        let of =
            |name: &str| command.get_envs().find(|(known, _)| *known == name).and_then(|(_, value)| value);
        assert_eq!(of("RESTATE_INGRESS__BIND_ADDRESS").unwrap(), "127.0.0.1:1");
        assert_eq!(of("RESTATE_ADMIN__BIND_ADDRESS").unwrap(), "127.0.0.1:2");
        assert_eq!(of("RESTATE_LOG_FILTER").unwrap(), "warn");
        assert_eq!(of("DO_NOT_TRACK").unwrap(), "1");
        assert_eq!(server.ports(), [1, 2, 3]);
    }
}
