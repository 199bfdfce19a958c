//! PostgreSQL: its data directory, its command, and scripts run as its superuser.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context as _, bail, ensure};

use crate::{
    Authentication, Program, Server,
    command::isolated,
    probe,
    programs::{is_program, major},
    secret::write_secret,
    user::User,
};

/// The script that creates the roles and the database of the product.
pub const ROLES: &str = include_str!("../../../deploy/roles.sql");

/// Settings of one PostgreSQL server.
#[derive(Debug, Clone)]
pub struct Postgres {
    /// `postgres` itself, with `initdb` beside it.
    pub program: Program,
    /// Its data is in `data` below it. Where this process runs as root, the folder belongs to the user `postgres`.
    pub folder: PathBuf,
    pub port: u16,
    /// Who may connect as the superuser `postgres`. It counts only when the data directory is new.
    pub authentication: Authentication,
    /// Whether a commit survives a power failure. Without it PostgreSQL is faster, so nothing measured then counts.
    pub durable: bool,
}

/// The major version of PostgreSQL that created the data below a folder; none where there is no data.
pub fn made_by(folder: &Path) -> Option<u32> {
    let version = fs::read_to_string(folder.join("data/PG_VERSION")).ok()?;
    Some(major(version.trim()))
}

impl Postgres {
    /// Where its data is.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Runs a script as the superuser of the running server.
    pub fn run_script(&self, script: &str) -> anyhow::Result<()> {
        let psql = self.program.path.with_file_name("psql");
        let psql = if is_program(&psql) { psql } else { PathBuf::from("psql") };
        let mut command = isolated(&psql, Path::new("/"));
        command
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", "postgres", "-d", "postgres", "-f", "-"])
            .env("PGOPTIONS", "-c client_min_messages=warning")
            .envs(self.authentication.password().map(|password| ("PGPASSWORD", password)))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().context("starting psql; it is in the package postgresql-client")?;
        let mut input = child.stdin.take().context("psql has no standard input")?;
        // psql ends early at an error in the script, and then says why.
        let written = input.write_all(script.as_bytes());
        drop(input);
        let Output { status, stderr, .. } = child.wait_with_output().context("waiting for psql")?;
        ensure!(status.success(), "psql failed: {}", String::from_utf8_lossy(&stderr).trim());
        written.context("sending a script to psql")
    }

    /// Creates the folder, with the rights its user needs.
    fn make_folder(&self, user: User) -> anyhow::Result<()> {
        let folder = &self.folder;
        let making = || format!("creating {}", folder.display());
        if let Some(above) = folder.parent() {
            // Its user must be able to pass through.
            fs::DirBuilder::new().recursive(true).mode(0o755).create(above).with_context(making)?;
        }
        if !folder.is_dir() {
            fs::DirBuilder::new().mode(0o700).create(folder).with_context(making)?;
        }
        user.own(folder).with_context(making)
    }

    /// Runs `initdb` for a data directory.
    fn initialize(&self, data: &Path, user: User) -> anyhow::Result<()> {
        let mut command = isolated(&self.program.path.with_file_name("initdb"), &self.folder);
        command.args(["-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "-D"]).arg(data);
        if !self.durable {
            command.arg("--no-sync");
        }
        let secret = self.folder.join("password");
        match &self.authentication {
            Authentication::Trust => command.arg("--auth=trust"),
            Authentication::Password(password) => {
                let writing = || format!("writing {}", secret.display());
                write_secret(&secret, password).with_context(writing)?;
                user.own(&secret).with_context(writing)?;
                command.arg("--auth=scram-sha-256").arg(format!("--pwfile={}", secret.display()))
            }
        };
        user.run(&mut command);
        let ran = command.output();
        let _ = fs::remove_file(&secret);
        let Output { status, stderr, .. } = match ran {
            Ok(output) => output,
            Err(error) if user != User::Same => bail!(
                "PostgreSQL runs as the user `postgres`, who cannot reach {} ({error}); chmod a+x the folders above it, \
                 or choose another one",
                self.folder.display()
            ),
            Err(error) => return Err(error).context("starting initdb"),
        };
        ensure!(status.success(), "initdb failed: {}", String::from_utf8_lossy(&stderr).trim());
        Ok(())
    }
}

impl Server for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn ports(&self) -> Vec<u16> {
        vec![self.port]
    }

    /// INVARIANT: a data directory gets its name only when it is complete. `initdb` writes `PG_VERSION` early, so one
    /// that was killed leaves what looks like data.
    fn prepare(&self) -> anyhow::Result<()> {
        if made_by(&self.folder).is_some() {
            return Ok(());
        }
        let user = User::of_postgres()?;
        self.make_folder(user)?;
        let unfinished = self.folder.join("unfinished");
        let _ = fs::remove_dir_all(&unfinished);
        self.initialize(&unfinished, user)?;
        let data = self.data();
        fs::rename(unfinished, &data).with_context(|| format!("creating {}", data.display()))
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = isolated(&self.program.path, &self.folder);
        command.arg("-D").arg(self.data());
        let port = format!("port={}", self.port);
        // No socket: its path may be too long, and its folder may not be writable.
        for setting in [
            "listen_addresses=127.0.0.1",
            &port,
            "unix_socket_directories=",
            "max_connections=600",
            "shared_buffers=256MB",
        ] {
            command.args(["-c", setting]);
        }
        let state = if self.durable { "on" } else { "off" };
        for name in ["fsync", "synchronous_commit", "full_page_writes"] {
            command.arg("-c").arg(format!("{name}={state}"));
        }
        command.env("LC_ALL", "C.UTF-8");
        User::of_postgres()?.run(&mut command);
        Ok(command)
    }

    fn is_ready(&self) -> bool {
        probe::postgres(self.port)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::command::arguments;

    fn postgres(program: &str, folder: &Path) -> Postgres {
        let program = Program { path: program.into(), version: "15.18".to_owned() };
        let authentication = Authentication::Trust;
        Postgres { program, folder: folder.to_owned(), port: 5400, authentication, durable: true }
    }

    #[test]
    fn a_server_is_durable_unless_told_otherwise() {
        let mut server = postgres("/usr/bin/postgres", Path::new("/p"));
        let common = "-D /p/data -c listen_addresses=127.0.0.1 -c port=5400 -c unix_socket_directories= \
                      -c max_connections=600 -c shared_buffers=256MB";
        assert_eq!(
            arguments(&server.command().unwrap()).join(" "),
            format!("{common} -c fsync=on -c synchronous_commit=on -c full_page_writes=on")
        );
        server.durable = false;
        assert_eq!(
            arguments(&server.command().unwrap()).join(" "),
            format!("{common} -c fsync=off -c synchronous_commit=off -c full_page_writes=off")
        );
    }

    /// A folder that everybody can pass through, with a program `initdb` in it. It is removed with this value.
    struct Fake(PathBuf);

    impl Fake {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("local-servers-{name}-{}", std::process::id()));
            fs::create_dir(&folder).unwrap();
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
            Self(folder)
        }

        /// Its arguments are written down; then `PG_VERSION` appears, as early as the real one makes it.
        fn initdb(&self, end: &str) -> Postgres {
            let script = "#!/bin/sh\nfor a; do [ \"$last\" = -D ] && data=$a; last=$a; done\n\
                          mkdir \"$data\" || exit 3\necho \"$@\" >\"$data/arguments\"\necho 15 >\"$data/PG_VERSION\"\n";
            let path = self.0.join("initdb");
            fs::write(&path, format!("{script}{end}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            postgres(self.0.join("postgres").to_str().unwrap(), &self.0.join("cluster"))
        }
    }

    impl Drop for Fake {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_half_made_data_directory_never_gets_its_name() {
        let fake = Fake::new("half");
        for end in ["echo no space >&2; exit 1", "kill -KILL $$"] {
            let server = fake.initdb(end);
            let error = server.prepare().unwrap_err().to_string();
            assert!(error.starts_with("initdb failed"), "{error}");
            assert!(!server.data().exists());
            assert_eq!(made_by(&server.folder), None);
        }
        let server = fake.initdb("exit 0");
        server.prepare().unwrap();
        assert_eq!(made_by(&server.folder), Some(15));
        assert!(!server.folder.join("unfinished").exists());

        // What exists is not made again.
        fake.initdb("exit 1").prepare().unwrap();
    }

    #[test]
    fn a_password_reaches_initdb_in_a_file_that_goes_afterwards() {
        let fake = Fake::new("password");
        let mut server = fake.initdb("tail -c +10 \"${a#--pwfile=}\" >\"$data/read\"");
        server.authentication = Authentication::Password("s3cret-and-more".to_owned());
        server.durable = false;
        server.prepare().unwrap();
        let written = fs::read_to_string(server.data().join("arguments")).unwrap();
        assert!(written.contains("--no-sync --auth=scram-sha-256 --pwfile="), "{written}");
        assert!(!written.contains("s3cret"), "{written}");
        assert_eq!(fs::read_to_string(server.data().join("read")).unwrap(), "d-more\n", "from the file");
        assert!(!server.folder.join("password").exists());
    }
}
