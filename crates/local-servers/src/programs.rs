//! Where the programs of the three servers are on this machine, and which version of each is used.

use std::{
    env, fs,
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The version of Restate that this product is tested with.
pub const RESTATE_VERSION: &str = "1.7.12";
/// What the migrations need.
pub const POSTGRES_AT_LEAST: u32 = 15;
/// What the scripts for limits need.
pub const REDIS_AT_LEAST: u32 = 7;

/// How long a program may take to tell its version.
const TIMEOUT: Duration = Duration::from_secs(10);

/// An installed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub path: PathBuf,
    /// As the program tells it, for example `15.18`.
    pub version: String,
}

impl Program {
    /// The first number of the version.
    pub fn major(&self) -> u32 {
        major(&self.version)
    }

    fn new(path: PathBuf) -> Option<Self> {
        let version = version(&path)?;
        Some(Self { path, version })
    }
}

/// The first number of a version.
pub fn major(version: &str) -> u32 {
    version.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The server `postgres`, with `initdb` beside it: of this major version, or the newest one installed.
pub fn postgres(wanted: Option<u32>) -> Option<Program> {
    let mut folders = Vec::new();
    // Debian and Red Hat keep several versions side by side and put none of them on the path.
    for (above, prefix) in [("/usr/lib/postgresql", ""), ("/usr", "pgsql-")] {
        let entries = fs::read_dir(above).into_iter().flatten().flatten();
        let versions = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
        folders.extend(versions.map(|entry| entry.path().join("bin")));
    }
    folders.extend(path_folders());
    let complete =
        |folder: &PathBuf| ["postgres", "initdb"].iter().all(|name| is_program(&folder.join(name)));
    let found =
        folders.into_iter().filter(complete).filter_map(|folder| Program::new(folder.join("postgres")));
    choose(found, wanted)
}

/// The newest of these programs that has the wanted major version; the first one where several are equal.
fn choose(found: impl Iterator<Item = Program>, wanted: Option<u32>) -> Option<Program> {
    let fitting = found.filter(|program| wanted.is_none_or(|wanted| program.major() == wanted));
    fitting.reduce(|best, next| if next.major() > best.major() { next } else { best })
}

/// The server `redis-server`, or Valkey's.
pub fn redis() -> Option<Program> {
    Program::new(on_path("redis-server").or_else(|| on_path("valkey-server"))?)
}

/// The server `restate-server`: this file, or the one that npm installed below a folder, or the one on the path.
pub fn restate(file: Option<&Path>, npm: &Path) -> Option<Program> {
    Program::new(match file {
        Some(file) => is_program(file).then(|| file.to_owned())?,
        None => restate_of_npm(npm).or_else(restate_on_path)?,
    })
}

/// The file `restate-server` that npm installed below a folder. npm puts it into a package per platform; the script that
/// npm puts on the path would stand between us and the process id.
pub fn restate_of_npm(folder: &Path) -> Option<PathBuf> {
    packaged(&folder.join("node_modules/@restatedev"))
}

/// The version of Restate that npm installed below a folder.
pub fn restate_version_of_npm(folder: &Path) -> Option<String> {
    let manifest = folder.join("node_modules/@restatedev/restate-server/package.json");
    let manifest = fs::read_to_string(manifest).ok()?;
    let (_, rest) = manifest.split_once("\"version\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

fn restate_on_path() -> Option<PathBuf> {
    let found = on_path("restate-server")?.canonicalize().ok()?;
    let package = found.ancestors().find(|folder| folder.ends_with("@restatedev/restate-server"));
    let Some(package) = package else { return Some(found) };
    packaged(package.parent()?).or_else(|| packaged(&package.join("node_modules/@restatedev")))
}

fn packaged(scope: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(scope).ok()?.flatten();
    let platforms =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("restate-server-"));
    platforms.map(|entry| entry.path().join("bin/restate-server")).find(|path| is_program(path))
}

#[expect(clippy::disallowed_methods, reason = "this is where programs are looked for, not configuration")]
fn path_folders() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    path_folders().into_iter().map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// Whether a file can be executed.
pub fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The first word of `--version` that begins like one: `postgres (PostgreSQL) 15.18`, `Redis server v=7.0.15`,
/// `restate-server 1.7.12`.
fn version(path: &Path) -> Option<String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let begun = Instant::now();
    // What is told fits into a pipe, so it can be read afterwards.
    while child.try_wait().ok()?.is_none() {
        if begun.elapsed() > TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let mut said = Vec::new();
    child.stdout.take()?.read_to_end(&mut said).ok()?;
    read_version(&String::from_utf8_lossy(&said))
}

fn read_version(said: &str) -> Option<String> {
    let words = said.split_whitespace().map(|word| word.trim_start_matches("v="));
    words.filter(|word| word.starts_with(|letter: char| letter.is_ascii_digit())).map(str::to_owned).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_programs_say_them() {
        for (said, version, first) in [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "15.18", 15),
            ("postgres (PostgreSQL) 18beta1", "18beta1", 18),
            ("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64", "7.0.15", 7),
            ("Valkey server v=8.1.0 sha=0:0", "8.1.0", 8),
            ("restate-server 1.7.12 (abc 2026-10-01)", "1.7.12", 1),
        ] {
            let read = read_version(said).unwrap();
            assert_eq!((read.as_str(), major(&read)), (version, first), "{said}");
        }
        assert_eq!(read_version("no number here"), None);
    }

    #[test]
    fn the_version_that_made_the_data_is_used_and_otherwise_the_newest() {
        let installed = ["15.18", "9.6", "17.2", "17.10"].map(|version| Program {
            path: format!("/usr/lib/postgresql/{version}").into(),
            version: version.to_owned(),
        });
        let chosen = |wanted| choose(installed.iter().cloned(), wanted).map(|program| program.version);
        assert_eq!(chosen(None).as_deref(), Some("17.2"));
        assert_eq!(chosen(Some(15)).as_deref(), Some("15.18"));
        assert_eq!(chosen(Some(16)), None);
    }

    #[test]
    fn restate_is_found_behind_the_packages_of_npm() {
        let folder = env::temp_dir().join(format!("local-servers-npm-{}", std::process::id()));
        let scope = folder.join("node_modules/@restatedev");
        let (binary, wrapper) = (scope.join("restate-server-linux-x64/bin"), scope.join("restate-server"));
        for folder in [&binary, &wrapper] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(wrapper.join("package.json"), "{ \"name\": \"x\", \"version\": \"1.7.12\", \"bin\": {} }")
            .unwrap();
        assert_eq!(restate_of_npm(&folder), None, "only the wrapper is there");
        let binary = binary.join("restate-server");
        fs::write(&binary, "#!/bin/sh\n[ \"$*\" = --version ] && echo restate-server 1.7.12\n").unwrap();
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(restate_of_npm(&folder), Some(binary.clone()));
        assert_eq!(restate_version_of_npm(&folder).as_deref(), Some("1.7.12"));
        let expected = Program { path: binary, version: "1.7.12".to_owned() };
        assert_eq!(restate(None, &folder), Some(expected));
        fs::remove_dir_all(folder).unwrap();
    }
}
