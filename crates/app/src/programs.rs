//! Finds the programs of the three servers on this machine, and the commands that install missing ones.

use std::path::{Path, PathBuf};

use local_servers::programs;
pub(crate) use local_servers::{
    Program, is_root,
    programs::{POSTGRES_AT_LEAST, REDIS_AT_LEAST, RESTATE_VERSION, major},
};

/// The command that installs a Debian package.
pub(crate) fn apt(package: &str) -> String {
    format!("{}apt-get install -y {package}", if is_root() { "" } else { "sudo " })
}

/// The command that installs Restate into a folder.
pub(crate) fn npm(folder: &Path) -> String {
    // --ignore-scripts: the install script of a dependency reports the installation to its vendor.
    format!(
        "npm install --ignore-scripts --no-audit --no-fund --prefix {} @restatedev/restate-server@{RESTATE_VERSION}",
        folder.display()
    )
}

/// The server `postgres` with `initdb` in the same folder: this major version, or the newest.
pub(crate) async fn postgres(wanted: Option<u32>) -> Option<Program> {
    blocking(move || programs::postgres(wanted)).await
}

/// `redis-server` or `valkey-server`.
pub(crate) async fn redis() -> Option<Program> {
    blocking(programs::redis).await
}

/// `restate-server`: at the given path, in npm's folder, or on PATH.
pub(crate) async fn restate(told: Option<&Path>, npm: &Path) -> Option<Program> {
    let (told, npm) = (told.map(Path::to_owned), npm.to_owned());
    blocking(move || programs::restate(told.as_deref(), &npm)).await
}

/// Runs each program with `--version`, which blocks.
async fn blocking(find: impl FnOnce() -> Option<Program> + Send + 'static) -> Option<Program> {
    tokio::task::spawn_blocking(find).await.ok().flatten()
}

/// The fakes of outside services, which are built into the same folder as this program.
pub(crate) fn fakes() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name("fakes");
    programs::is_program(&path).then_some(path)
}
