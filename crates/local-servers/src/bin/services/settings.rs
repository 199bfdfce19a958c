//! Where the shared servers are: their ports and folders, from the environment.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use local_servers::{
    Authentication, Postgres, Program, Redis, Restate, Server, is_root, made_by,
    programs::{self, POSTGRES_AT_LEAST, REDIS_AT_LEAST, RESTATE_VERSION},
};

/// One of the three servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Postgres,
    Redis,
    Restate,
}

impl Name {
    pub(crate) const ALL: [Self; 3] = [Self::Postgres, Self::Redis, Self::Restate];

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        match Self::ALL.into_iter().find(|name| name.text() == text) {
            Some(name) => Ok(name),
            None => bail!("unknown service `{text}`: postgres, redis, restate"),
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Redis => "redis",
            Self::Restate => "restate",
        }
    }
}

/// Ports and folders of the shared servers.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Everything except PostgreSQL's data is below it.
    pub(crate) folder: PathBuf,
    postgres_folder: PathBuf,
    postgres_port: u16,
    redis_port: u16,
    ingress_port: u16,
    admin_port: u16,
    node_port: u16,
    restate_version: String,
    /// Whether a commit survives a power failure: always, unless somebody asks for speed in tests.
    pub(crate) durable: bool,
}

impl Settings {
    pub(crate) fn from_environment() -> anyhow::Result<Self> {
        let folder = match variable("COUNTERSIGN_SERVICES_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => {
                let home = variable("HOME").context("HOME is not set; set COUNTERSIGN_SERVICES_DIR")?;
                Path::new(&home).join(".cache/countersign/services")
            }
        };
        let folder = std::path::absolute(folder).context("reading COUNTERSIGN_SERVICES_DIR")?;
        let postgres_port = port("COUNTERSIGN_PG_PORT", 54329)?;
        let postgres_folder = match variable("COUNTERSIGN_PG_DIR") {
            Some(folder) => std::path::absolute(folder).context("reading COUNTERSIGN_PG_DIR")?,
            // PostgreSQL runs as a user of its own then, who cannot look into root's home.
            None if is_root() => PathBuf::from(format!("/var/tmp/countersign-0/pg-{postgres_port}")),
            None => folder.join(format!("pg-{postgres_port}")),
        };
        Ok(Self {
            folder,
            postgres_folder,
            postgres_port,
            redis_port: port("COUNTERSIGN_REDIS_PORT", 63799)?,
            ingress_port: port("COUNTERSIGN_RESTATE_INGRESS_PORT", 58080)?,
            admin_port: port("COUNTERSIGN_RESTATE_ADMIN_PORT", 59070)?,
            node_port: port("COUNTERSIGN_RESTATE_NODE_PORT", 55122)?,
            restate_version: variable("COUNTERSIGN_RESTATE_VERSION")
                .unwrap_or_else(|| RESTATE_VERSION.to_owned()),
            durable: match variable("COUNTERSIGN_PG_DURABLE").as_deref() {
                None | Some("on") => true,
                Some("off") => false,
                Some(other) => bail!("COUNTERSIGN_PG_DURABLE is `{other}`; write `on` or `off`"),
            },
        })
    }

    /// PostgreSQL, of the version that made its data.
    fn postgres_program(&self) -> Option<Program> {
        let made = made_by(&self.postgres_folder);
        programs::postgres(made).filter(|found| found.major() >= POSTGRES_AT_LEAST)
    }

    fn redis_program() -> Option<Program> {
        programs::redis().filter(|found| found.major() >= REDIS_AT_LEAST)
    }

    fn restate_program(&self) -> Option<Program> {
        let path = programs::restate_of_npm(&self.npm())?;
        let version = programs::restate_version_of_npm(&self.npm())?;
        (version == self.restate_version).then_some(Program { path, version })
    }

    pub(crate) fn postgres(&self) -> anyhow::Result<Postgres> {
        Ok(Postgres {
            program: self.postgres_program().context(NOT_INSTALLED)?,
            folder: self.postgres_folder.clone(),
            port: self.postgres_port,
            authentication: Authentication::Trust,
            durable: self.durable,
        })
    }

    /// The server of this name, ready to be started.
    pub(crate) fn server(&self, name: Name) -> anyhow::Result<Box<dyn Server>> {
        Ok(match name {
            Name::Postgres => Box::new(self.postgres()?),
            Name::Redis => {
                let (program, folder) =
                    (Self::redis_program().context(NOT_INSTALLED)?, self.server_folder(name));
                let authentication = Authentication::Trust;
                Box::new(Redis { program, folder, port: self.redis_port, authentication })
            }
            Name::Restate => Box::new(Restate {
                program: self.restate_program().context(NOT_INSTALLED)?,
                folder: self.server_folder(name),
                ingress_port: self.ingress_port,
                admin_port: self.admin_port,
                node_port: self.node_port,
                partitions: 4,
                more: Vec::new(),
            }),
        })
    }

    /// Whether a running server accepts work.
    pub(crate) fn is_ready(&self, name: Name) -> bool {
        self.server(name).is_ok_and(|server| server.is_ready())
    }

    /// The folder with the log and the data of a server.
    pub(crate) fn server_folder(&self, name: Name) -> PathBuf {
        match name {
            Name::Postgres => self.postgres_folder.clone(),
            Name::Redis => self.folder.join(format!("redis-{}", self.redis_port)),
            Name::Restate => self.folder.join(format!("restate-{}", self.ingress_port)),
        }
    }

    pub(crate) fn log(&self, name: Name) -> PathBuf {
        self.server_folder(name).join(format!("{}.log", name.text()))
    }

    /// The file with the process id. PostgreSQL writes its own.
    pub(crate) fn pid_file(&self, name: Name) -> PathBuf {
        let folder = self.server_folder(name);
        match name {
            Name::Postgres => folder.join("data/postmaster.pid"),
            Name::Redis | Name::Restate => folder.join(format!("{}.pid", name.text())),
        }
    }

    /// What the command line of the server contains, and no other one. Redis replaces its own by its address.
    pub(crate) fn mark(&self, name: Name) -> String {
        match name {
            Name::Postgres | Name::Restate => self.server_folder(name).join("data").display().to_string(),
            Name::Redis => format!("127.0.0.1:{}", self.redis_port),
        }
    }

    pub(crate) fn address(&self, name: Name) -> String {
        match name {
            Name::Postgres => format!("127.0.0.1:{}", self.postgres_port),
            Name::Redis => format!("127.0.0.1:{}", self.redis_port),
            Name::Restate => format!("127.0.0.1:{} (admin {})", self.ingress_port, self.admin_port),
        }
    }

    /// Where npm installs Restate.
    pub(crate) fn npm(&self) -> PathBuf {
        self.folder.join("npm")
    }

    /// `export` lines with the addresses of the servers.
    pub(crate) fn exports(&self) -> String {
        let (postgres, redis) = (self.address(Name::Postgres), self.address(Name::Redis));
        let database = |role: &str| format!("postgres://countersign_{role}@{postgres}/countersign");
        let mut lines = vec![
            ("COUNTERSIGN_OWNER_DATABASE_URL", database("owner:owner")),
            ("COUNTERSIGN_DATABASE_URL", database("service:service")),
            ("COUNTERSIGN_REDIS_URL", format!("redis://{redis}")),
            ("COUNTERSIGN_RESTATE_INGRESS_URL", format!("http://127.0.0.1:{}", self.ingress_port)),
            ("COUNTERSIGN_RESTATE_ADMIN_URL", format!("http://127.0.0.1:{}", self.admin_port)),
        ];
        // For trials that start and kill a Restate of their own; only where it is installed.
        if let Some(program) = programs::restate_of_npm(&self.npm()) {
            lines.insert(0, ("COUNTERSIGN_RESTATE_SERVER", quoted(&program.display().to_string())));
        }
        lines.iter().map(|(name, value)| format!("export {name}={value}\n")).collect()
    }

    /// What must be installed first: lines of `apt PACKAGE` and `npm PACKAGE`.
    pub(crate) fn missing(&self, names: &[Name]) -> String {
        let missing = names.iter().filter_map(|name| match name {
            Name::Postgres if self.postgres_program().is_some() => None,
            Name::Postgres => Some(match made_by(&self.postgres_folder) {
                Some(made) => format!("apt postgresql-{made}\n"),
                None => "apt postgresql\n".to_owned(),
            }),
            Name::Redis => Self::redis_program().is_none().then(|| "apt redis-server\n".to_owned()),
            Name::Restate if self.restate_program().is_some() => None,
            Name::Restate => Some(format!("npm @restatedev/restate-server@{}\n", self.restate_version)),
        });
        missing.collect()
    }
}

const NOT_INSTALLED: &str = "not installed; `scripts/services up` installs it";

/// A value for a shell. Most need no quotes.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._@:+-".contains(letter);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn port(name: &str, default: u16) -> anyhow::Result<u16> {
    match variable(name) {
        None => Ok(default),
        Some(text) => text.parse().with_context(|| format!("{name} is `{text}`; write a port number")),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this program does not link platform, which reads configuration elsewhere"
)]
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_a_shell_are_quoted_where_needed() {
        assert_eq!(quoted("/a/@b/c-1.2"), "/a/@b/c-1.2");
        assert_eq!(quoted("/it's here"), "'/it'\\''s here'");
    }
}
