//! What the attacks aim at: files, processes and listeners outside the sandbox, all made for one test.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    net::{Ipv4Addr, TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt as _,
        unix::{
            fs::{MetadataExt as _, PermissionsExt as _},
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
};

use sandbox::Policy;

use super::fixture::program;
use crate::cage::Cage;

/// Each scene has a tenant of its own, because processes are counted per tenant.
static SCENES: AtomicU64 = AtomicU64::new(0);

pub(super) struct Scene {
    pub(super) dir: PathBuf,
    pub(super) canary: String,
    pub(super) tenant: u64,
    /// Whether this test may choose users.
    pub(super) root: bool,
    names: BTreeMap<&'static str, String>,
    before: BTreeMap<PathBuf, (u32, Vec<u8>)>,
    victim: Child,
}

impl Scene {
    pub(super) fn new() -> Self {
        let number = u64::from(std::process::id()) * 100 + SCENES.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("countersign-escape-{number}"));
        let canary = format!("canary-{}", number * 7919);
        furnish(&dir, &canary);
        // A process with secrets in its environment, its arguments and its descriptors.
        let victim = Command::new("/bin/sh")
            .args(["-c", "while :; do sleep 600; done", &canary])
            .env("COUNTERSIGN_CANARY", &canary)
            .stdin(fs::File::open(dir.join("secret")).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut names = listeners(&dir, &canary, number);
        for (name, path) in
            [("outside", ""), ("key", "key/master"), ("read", "read"), ("write", "write"), ("other", "other")]
        {
            names.insert(name, dir.join(path).display().to_string().trim_end_matches('/').to_owned());
        }
        names.insert("victim", victim.id().to_string());
        names.insert("number", number.to_string());
        names.insert("small", (number % 1_000_000_000).to_string());
        let root = rustix::process::geteuid().is_root();
        let mut scene = Self { dir, canary, tenant: number, root, names, before: BTreeMap::new(), victim };
        scene.before = scene.files();
        scene
    }

    /// Replaces the names in a script.
    pub(super) fn fill(&self, script: &str) -> String {
        self.names
            .iter()
            .fold(script.to_owned(), |script, (name, value)| script.replace(&format!("@{name}@"), value))
    }

    /// A sandbox for a script, which may read one folder and write another.
    pub(super) fn cage(&self, script: &str) -> Cage {
        let mut cage = Cage::python(&program(self, script));
        self.furnish(&mut cage.policy);
        cage
    }

    fn furnish(&self, policy: &mut Policy) {
        policy.tenant = self.tenant;
        policy.read = vec![self.dir.join("read")];
        policy.write = vec![self.dir.join("write")];
    }

    /// Mode and content of everything that a program must not change.
    fn files(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        let mut left = vec![self.dir.clone()];
        while let Some(path) = left.pop() {
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_dir() && path != self.dir.join("write") {
                left.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            }
            let content = if about.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            found.insert(path, (about.mode(), content));
        }
        found
    }

    /// A file outside that is not as it was, or no longer there, or new. Or the victim has ended.
    pub(super) fn changed(&self) -> Option<String> {
        let now = self.files();
        if now != self.before {
            let mut all = now.keys().chain(self.before.keys());
            let changed = all.find(|path| now.get(*path) != self.before.get(*path))?;
            return Some(format!("{} changed", changed.display()));
        }
        let running = fs::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap_or_default();
        let goes_on = running.contains(" S ") || running.contains(" R ") || running.contains(" D ");
        (!goes_on).then(|| "a process outside was stopped".to_owned())
    }

    /// Makes the files as they were, and empties the folder that may be written.
    pub(super) fn repair(&self) {
        let write = self.dir.join("write");
        for entry in fs::read_dir(&write).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = if path.is_dir() && !path.is_symlink() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
        if self.changed().is_none() {
            return;
        }
        for path in self.files().keys().filter(|path| !self.before.contains_key(*path)) {
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        }
        for (path, (mode, content)) in &self.before {
            if mode & libc::S_IFMT == libc::S_IFDIR {
                fs::create_dir_all(path).unwrap();
            }
            if mode & libc::S_IFMT == libc::S_IFREG {
                fs::write(path, content).unwrap();
            }
            if matches!(mode & libc::S_IFMT, libc::S_IFREG | libc::S_IFDIR) {
                open_to(path, mode & 0o7777);
            }
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The files: everybody may use them, so that nothing but the sandbox keeps a program away.
fn furnish(dir: &Path, canary: &str) {
    for (path, mode) in [("", 0o777), ("read", 0o777), ("write", 0o777), ("other", 0o777), ("key", 0o700)] {
        fs::create_dir_all(dir.join(path)).unwrap();
        open_to(&dir.join(path), mode);
    }
    for (path, content, mode) in [
        ("secret", canary, 0o666),
        ("untouched", "untouched", 0o666),
        ("key/master", canary, 0o600),
        ("other/note", canary, 0o666),
        ("read/text", "to read", 0o666),
    ] {
        fs::write(dir.join(path), content).unwrap();
        open_to(&dir.join(path), mode);
    }
}

pub(super) fn open_to(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Listeners of each kind, which tell the canary to everybody who comes.
fn listeners(dir: &Path, canary: &str, number: u64) -> BTreeMap<&'static str, String> {
    let mut names = BTreeMap::new();
    let tcp = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    names.insert("port", tcp.local_addr().unwrap().port().to_string());
    let udp = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    names.insert("udp", udp.local_addr().unwrap().port().to_string());
    names.insert("own", own_address());
    let at = dir.join("socket");
    let pathname = UnixListener::bind(&at).unwrap();
    open_to(&at, 0o777);
    let name = format!("countersign-escape-{number}");
    names.insert("abstract", name.clone());
    let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).unwrap()).unwrap();
    // Threads that wait for ever end with the test.
    let text = canary.to_owned();
    std::thread::spawn(move || {
        tcp.incoming().flatten().for_each(|mut stream| drop(stream.write_all(text.as_bytes())));
    });
    for listener in [pathname, hidden] {
        let text = canary.to_owned();
        std::thread::spawn(move || {
            listener.incoming().flatten().for_each(|mut stream| drop(stream.write_all(text.as_bytes())));
        });
    }
    let text = canary.to_owned();
    std::thread::spawn(move || {
        while let Ok((_, from)) = udp.recv_from(&mut [0; 64]) {
            let _ = udp.send_to(text.as_bytes(), from);
        }
    });
    names
}

/// The address that this machine has besides the loopback, if it has one. Nothing is sent.
fn own_address() -> String {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let found = socket.connect(("198.51.100.1", 9)).and_then(|()| socket.local_addr());
    found.map_or_else(|_| "127.0.0.2".to_owned(), |address| address.ip().to_string())
}
