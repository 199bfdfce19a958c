//! Where the programs of the three servers are on this machine, and what to type for those that are missing.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use platform::config::variable;
use tokio::process::Command;

/// The version of Restate that was tried with this program.
pub(crate) const RESTATE_VERSION: &str = "1.7.12";
/// What the migrations need.
pub(crate) const POSTGRES_AT_LEAST: u32 = 15;
/// What the limits' scripts need.
pub(crate) const REDIS_AT_LEAST: u32 = 7;

/// A program that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// As it says itself, for example `15.18`.
    pub(crate) version: String,
}

impl Program {
    /// The first number of the version.
    pub(crate) fn major(&self) -> u32 {
        major(&self.version)
    }
}

/// The first number of a version.
pub(crate) fn major(version: &str) -> u32 {
    version.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Whether this process is root's.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// What to type to get a package of the system.
pub(crate) fn apt(package: &str) -> String {
    format!("{}apt-get install -y {package}", if is_root() { "" } else { "sudo " })
}

/// What to type to get Restate, below a folder.
pub(crate) fn npm(folder: &Path) -> String {
    // Without scripts: one of its dependencies would report the installation to its maker. Without an audit and a plea
    // for funds: neither is about what was asked for.
    format!(
        "npm install --ignore-scripts --no-audit --no-fund --prefix {} @restatedev/restate-server@{RESTATE_VERSION}",
        folder.display()
    )
}

/// The server `postgres`, with `initdb` beside it: of this major version, or the newest there is.
pub(crate) async fn postgres(wanted: Option<u32>) -> Option<Program> {
    let mut folders = Vec::new();
    // Debian and Red Hat keep several versions side by side and put none of them on the path.
    for (above, prefix) in [("/usr/lib/postgresql", ""), ("/usr", "pgsql-")] {
        let entries = fs::read_dir(above).into_iter().flatten().flatten();
        let versions = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
        folders.extend(versions.map(|entry| entry.path().join("bin")));
    }
    folders.extend(path_folders());
    let mut best: Option<Program> = None;
    for folder in folders {
        let path = folder.join("postgres");
        if !(is_program(&path) && is_program(&folder.join("initdb"))) {
            continue;
        }
        let Some(version) = version(&path).await else { continue };
        let found = Program { path, version };
        let fits = wanted.is_none_or(|wanted| found.major() == wanted);
        if fits && best.as_ref().is_none_or(|best| found.major() > best.major()) {
            best = Some(found);
        }
    }
    best
}

/// The server `redis-server`, or Valkey's.
pub(crate) async fn redis() -> Option<Program> {
    let path = on_path("redis-server").or_else(|| on_path("valkey-server"))?;
    let version = version(&path).await?;
    Some(Program { path, version })
}

/// The server `restate-server`: where one was told, below the folder that npm filled, or on the path.
pub(crate) async fn restate(told: Option<&Path>, npm: &Path) -> Option<Program> {
    let path = match told {
        Some(told) => is_program(told).then(|| told.to_owned())?,
        None => packaged(&npm.join("node_modules/@restatedev")).or_else(restate_on_path)?,
    };
    let version = version(&path).await?;
    Some(Program { path, version })
}

/// The stand-ins for outside services, which are built beside this program.
pub(crate) fn fakes() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name("fakes");
    is_program(&path).then_some(path)
}

/// npm puts the binary into a package per platform. Its wrapper would stand between us and the process id, and is
/// looked behind.
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

fn path_folders() -> Vec<PathBuf> {
    std::env::split_paths(&variable("PATH").unwrap_or_default()).collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    path_folders().into_iter().map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The first word of `--version` that begins like one: `postgres (PostgreSQL) 15.18`, `Redis server v=7.0.15`,
/// `restate-server 1.7.12`.
async fn version(path: &Path) -> Option<String> {
    let output = Command::new(path).arg("--version").kill_on_drop(true).output();
    let output = tokio::time::timeout(Duration::from_secs(10), output).await.ok()?.ok()?;
    read_version(&String::from_utf8_lossy(&output.stdout))
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
}
