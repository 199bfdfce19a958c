//! The user a server runs as: PostgreSQL refuses to run as root.

use std::{
    fs, io,
    os::unix::{fs::chown, process::CommandExt as _},
    path::Path,
    process::Command,
};

use anyhow::Context as _;

/// Whether this process runs as root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The user of another process: `postgres` where this one runs as root, otherwise the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum User {
    Same,
    Other { uid: u32, gid: u32 },
}

impl User {
    /// Whom PostgreSQL runs as.
    pub(crate) fn of_postgres() -> anyhow::Result<Self> {
        if !is_root() {
            return Ok(Self::Same);
        }
        let users = fs::read_to_string("/etc/passwd").context("reading /etc/passwd")?;
        find(&users, "postgres").context(
            "PostgreSQL does not run as root, and the user `postgres` does not exist; type: useradd --system postgres",
        )
    }

    /// Gives a file or folder to the user.
    pub(crate) fn own(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Same => Ok(()),
            Self::Other { uid, gid } => chown(path, Some(uid), Some(gid)),
        }
    }

    /// Has a command run as the user.
    pub(crate) fn run(self, command: &mut Command) {
        if let Self::Other { uid, gid } = self {
            command.uid(uid).gid(gid);
        }
    }
}

fn find(users: &str, name: &str) -> Option<User> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then_some(())?;
        let mut fields = fields.skip(1);
        Some(User::Other { uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_the_whole_name() {
        let users =
            "root:x:0:0::/root:/bin/sh\npostgres2:x:7:7::/:/bin/sh\npostgres:x:104:109:a:/var:/bin/bash\n";
        assert_eq!(find(users, "postgres"), Some(User::Other { uid: 104, gid: 109 }));
        assert_eq!(find(users, "post"), None);
    }
}
