//! Files that hold a secret.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

/// Writes a file with mode 0600. It gets its name only when it is complete, so a crash leaves no half of it.
pub fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let _ = fs::remove_file(&unfinished);
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&unfinished)?;
    file.write_all(text.trim_end().as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(unfinished, path)
}
