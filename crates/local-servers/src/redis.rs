//! Redis or Valkey, which keeps nothing on disk.

use std::{fs, os::unix::fs::DirBuilderExt as _, path::PathBuf, process::Command};

use anyhow::Context as _;

use crate::{Authentication, Program, Server, command::isolated, probe, secret::write_secret};

/// Settings of one Redis server.
#[derive(Debug, Clone)]
pub struct Redis {
    pub program: Program,
    /// Its working directory, and the place of its configuration file.
    pub folder: PathBuf,
    pub port: u16,
    pub authentication: Authentication,
}

impl Redis {
    /// Its address, with the password.
    pub fn url(&self) -> String {
        match self.authentication.password() {
            Some(password) => format!("redis://:{password}@127.0.0.1:{}", self.port),
            None => format!("redis://127.0.0.1:{}", self.port),
        }
    }

    fn configuration(&self) -> PathBuf {
        self.folder.join("redis.conf")
    }
}

impl Server for Redis {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn ports(&self) -> Vec<u16> {
        vec![self.port]
    }

    fn prepare(&self) -> anyhow::Result<()> {
        let folder = &self.folder;
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .with_context(|| format!("creating {}", folder.display()))?;
        if let Some(password) = self.authentication.password() {
            // In a file, because arguments are visible in the list of processes.
            let path = self.configuration();
            write_secret(&path, &format!("requirepass {password}"))
                .with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = isolated(&self.program.path, &self.folder);
        if self.authentication.password().is_some() {
            command.arg(self.configuration());
        }
        command.args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--daemonize", "no"]);
        // Nothing in Redis is a source of truth, so nothing is written to disk.
        command.args(["--save", "", "--appendonly", "no", "--dir"]).arg(&self.folder);
        Ok(command)
    }

    fn is_ready(&self) -> bool {
        probe::redis(self.port, self.authentication.password())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::arguments;

    fn redis(authentication: Authentication) -> Redis {
        let program = Program { path: "/usr/bin/redis-server".into(), version: "7.0.15".to_owned() };
        Redis { program, folder: "/r".into(), port: 6400, authentication }
    }

    #[test]
    fn a_command_line_never_holds_the_password() {
        let open = redis(Authentication::Trust);
        let expected = "--bind 127.0.0.1 --port 6400 --daemonize no --save  --appendonly no --dir /r";
        assert_eq!(arguments(&open.command().unwrap()).join(" "), expected);
        assert_eq!(open.url(), "redis://127.0.0.1:6400");

        let closed = redis(Authentication::Password("s3cret".to_owned()));
        assert_eq!(arguments(&closed.command().unwrap()).join(" "), format!("/r/redis.conf {expected}"));
        assert_eq!(closed.url(), "redis://:s3cret@127.0.0.1:6400");
        assert!(!format!("{closed:?} {:?}", closed.command().unwrap()).contains("s3cret"));
    }
}
