//! The folder of `countersign dev`: data, keys, tokens, logs, and the ids of running processes.
//!
//! INVARIANT: a file with a secret is created with mode 0600 and written atomically, so no other user can read it and a
//! crash leaves no partial file.

use std::{
    fs::{self, File, OpenOptions},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use platform::{World, config::variable, seal::Keyring};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::programs::is_root;

/// A folder of `countersign dev`, whether or not it exists yet.
#[derive(Debug, Clone)]
pub(crate) struct Place(PathBuf);

/// A folder that is locked by this process until it ends.
pub(crate) struct Held {
    place: Place,
    /// The kernel releases the lock with the process, however the process ends.
    _lock: File,
}

/// The addresses of everything, stored for `countersign doctor`. They contain passwords, so there is no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) database_url: String,
    pub(crate) owner_database_url: String,
    pub(crate) redis_url: String,
    pub(crate) restate_ingress_url: String,
    pub(crate) restate_admin_url: String,
    pub(crate) listen: String,
    pub(crate) master_key_file: PathBuf,
}

/// The passwords of the servers that `dev` starts. Without them every user of this machine could do anything in
/// PostgreSQL, with the rights of the user that runs it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Passwords {
    pub(crate) superuser: String,
    pub(crate) owner: String,
    pub(crate) service: String,
    pub(crate) redis: String,
}

impl Place {
    /// The given folder, or the default.
    pub(crate) fn new(told: Option<&Path>) -> anyhow::Result<Self> {
        let dir = match told {
            Some(told) => std::path::absolute(told).context("reading the folder's name")?,
            // As root, PostgreSQL runs as its own user, which cannot access root's home directory.
            None if is_root() => PathBuf::from("/var/lib/countersign/dev"),
            None => {
                let share = variable("XDG_DATA_HOME").map(PathBuf::from);
                let home = || variable("HOME").map(|home| Path::new(&home).join(".local/share"));
                let share = share.or_else(home).context("there is no HOME; name a folder with --dir")?;
                share.join("countersign/dev")
            }
        };
        Ok(Self(dir))
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.0
    }

    /// The path of a file or folder in this folder.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The folder in which npm installs Restate.
    pub(crate) fn npm(&self) -> PathBuf {
        self.at("npm")
    }

    /// The settings that the last `dev` in this folder wrote.
    pub(crate) fn settings(&self) -> Option<Settings> {
        read(&self.at("settings.json")).ok().flatten()
    }

    /// Locks the folder for this process, and creates the parts that are missing.
    pub(crate) fn hold(&self) -> anyhow::Result<Held> {
        let dir = self.dir();
        // PostgreSQL's own user must be able to traverse the folder, but not to list it.
        let mode = if is_root() { 0o711 } else { 0o700 };
        let making = || format!("making the folder {}; choose another with --dir", dir.display());
        fs::DirBuilder::new().recursive(true).mode(mode).create(dir).with_context(making)?;
        for name in ["logs", "run", "redis", "restate", "workspaces"] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(self.at(name)).with_context(making)?;
        }
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(self.at("lock"));
        let lock = lock.with_context(making)?;
        if lock.try_lock().is_err() {
            bail!(
                "another `countersign dev` is running in {}; stop it, or name another --dir",
                dir.display()
            );
        }
        Ok(Held { place: self.clone(), _lock: lock })
    }
}

impl std::ops::Deref for Held {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

impl Held {
    pub(crate) fn keep_settings(&self, settings: &Settings) -> anyhow::Result<()> {
        write_secret(&self.at("settings.json"), &serde_json::to_string_pretty(settings)?)
    }

    /// The passwords of this folder's servers, created at the first use.
    pub(crate) fn passwords(&self) -> anyhow::Result<Passwords> {
        let path = self.at("passwords.json");
        if let Some(kept) = read(&path)? {
            return Ok(kept);
        }
        let made = Passwords { superuser: random(), owner: random(), service: random(), redis: random() };
        write_secret(&path, &serde_json::to_string_pretty(&made)?)?;
        Ok(made)
    }

    /// The file with the master key, created at the first use.
    pub(crate) fn master_key_file(&self) -> anyhow::Result<PathBuf> {
        let path = self.at("master.key");
        if !path.exists() {
            let key = Keyring::generate("dev", &World::system().dice);
            write_secret(&path, key.expose_secret())?;
        }
        Ok(path)
    }
}

/// Writes a file that only its owner can read, atomically.
pub(crate) fn write_secret(path: &Path, text: &str) -> anyhow::Result<()> {
    local_servers::write_secret(path, text).with_context(|| format!("writing {}", path.display()))
}

/// The content of such a file, if it exists.
pub(crate) fn read_secret(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    let Some(text) = read_secret(path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).with_context(|| format!("reading {}", path.display()))
}

/// Sixteen random bytes in characters that need no escaping in SQL, in a URL or in a settings file.
fn random() -> String {
    let mut bytes = [0; 16];
    World::system().dice.fill(&mut bytes);
    hex::encode(bytes)
}
