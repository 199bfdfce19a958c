//! The file system of a program: a new root, on which nothing exists but what is bound there.

use std::{
    ffi::CString,
    fs, io,
    os::{
        fd::{AsRawFd as _, OwnedFd},
        unix::fs::symlink,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{FileType, Mode, OFlags, ResolveFlags, fstat, mkdirat, open, openat, openat2, stat},
    mount::{
        MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_change,
        mount_remount, move_mount, open_tree, unmount,
    },
    process::{chdir, pivot_root},
};

use crate::policy::Policy;

const NEW: &str = "/new";
const OLD: &str = "/old";
/// The programs and libraries of the system.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];
/// What programs expect of /etc: nothing there is private, and nothing names this machine.
const ETC: [&str; 6] =
    ["ld.so.cache", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "alternatives", "localtime"];
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// The name of the program's user.
const PEOPLE: &str = "sandbox";
const MOST_FILES: u64 = 50_000;

/// Builds the new root in this mount namespace. `user` will own the scratch folder.
///
/// The old root stays at `/old`, because a new `/proc` can only be mounted where an old one is.
pub(crate) fn build(policy: &Policy, user: u32) -> Result<(), String> {
    let at = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| format!("{what}: {error}")
    };
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(|error| at("mounts")(error.into()))?;
    let base = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", "/tmp", "tmpfs", base, c"mode=755,size=4m").map_err(|error| at("tmpfs")(error.into()))?;
    fs::create_dir("/tmp/new").map_err(at("/new"))?;
    fs::create_dir("/tmp/old").map_err(at("/old"))?;
    pivot_root("/tmp", "/tmp/old").map_err(|error| at("pivot_root")(error.into()))?;
    chdir("/").map_err(|error| at("/")(error.into()))?;
    mount("tmpfs", NEW, "tmpfs", base, c"mode=755,size=4m").map_err(|error| at("tmpfs")(error.into()))?;
    for path in SYSTEM {
        system(Path::new(path)).map_err(at(path))?;
    }
    etc(user).map_err(at("/etc"))?;
    devices().map_err(at("/dev"))?;
    scratch(policy, user).map_err(at("scratch"))?;
    fs::create_dir(new(Path::new("/proc"))).map_err(at("/proc"))?;
    let read = policy.read.iter().map(|path| (path.clone(), Access::Read));
    let write = policy.write.iter().map(|path| (path.clone(), Access::Write));
    let mut folders: Vec<(PathBuf, Access)> = read.chain(write).collect();
    // What contains others comes first.
    folders.sort_by_key(|(path, access)| (path.components().count(), *access == Access::Write));
    for (path, access) in &folders {
        bind(path, *access).map_err(|error| not_bound(path, &error))?;
    }
    if let Some(program) = policy.command.first() {
        let path = Path::new(program);
        let is_there = |known: &Path| path.starts_with(known);
        if !folders.iter().any(|(known, _)| is_there(known))
            && !SYSTEM.iter().any(|known| is_there(Path::new(known)))
        {
            bind(path, Access::Read).map_err(|error| not_bound(path, &error))?;
        }
    }
    Ok(())
}

/// Mounts what shows the processes of the new namespace, and leaves the old root behind. In a process of that namespace.
pub(crate) fn enter() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    // Processes only: nothing of the machine. Where a container forbids even that, there is none.
    let _ = mount("proc", "/new/proc", "proc", flags, c"hidepid=2,subset=pid");
    mount_remount(NEW, MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV, "")?;
    unmount(OLD, UnmountFlags::DETACH)?;
    chdir(NEW)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/tmp")?)
}

fn not_bound(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.raw_os_error() {
        Some(libc::ELOOP) => format!("{path} is a link or lies behind one. Declare where it leads"),
        Some(libc::ENOENT) => format!("{path} does not exist"),
        _ => format!("{path}: {error}"),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Reading, of what only the operator may write.
    System,
    Read,
    Write,
}

fn new(path: &Path) -> PathBuf {
    Path::new(NEW).join(path.strip_prefix("/").unwrap_or(path))
}

fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// A folder of the system: bound, or the same link.
fn system(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(old(path)) {
        Err(_) => Ok(()),
        Ok(found) if found.is_symlink() => symlink(fs::read_link(old(path))?, new(path)),
        Ok(_) => bind(path, Access::System),
    }
}

/// Makes a file or a folder of the old root visible at the same path.
///
/// Links of the system are followed within the old root. Those of a policy's paths are not: whoever may write there could have
/// left one. In the new root no link is followed at all, and nothing is made inside a folder of the old root.
fn bind(path: &Path, access: Access) -> io::Result<()> {
    let read_only = if access == Access::Write { 0 } else { libc::MOUNT_ATTR_RDONLY };
    attach(path, access, read_only | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV)
}

fn attach(path: &Path, access: Access, attributes: u64) -> io::Result<()> {
    let resolve = match access {
        Access::System => ResolveFlags::IN_ROOT,
        Access::Read | Access::Write => ResolveFlags::IN_ROOT | ResolveFlags::NO_SYMLINKS,
    };
    let from = openat2(folder(OLD)?, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), resolve)?;
    let is_folder = FileType::from_raw_mode(fstat(&from)?.st_mode) == FileType::Directory;
    let to = place(path, is_folder)?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(&from, "", flags)?;
    set_attributes(&tree, attributes)?;
    let at = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    Ok(move_mount(&tree, "", &to, "", at)?)
}

/// The place of a path in the new root, made where it is missing and ours.
fn place(path: &Path, is_folder: bool) -> io::Result<OwnedFd> {
    let mut here = folder(NEW)?;
    let ours = [fstat(&here)?.st_dev, device("/new/tmp"), device("/new/dev/shm")];
    let mut parts = path.components().skip(1).peekable();
    while let Some(part) = parts.next() {
        let name = part.as_os_str();
        let makes_folder = is_folder || parts.peek().is_some();
        if ours.contains(&fstat(&here)?.st_dev) {
            let made = if makes_folder {
                mkdirat(&here, name, Mode::from_raw_mode(0o755))
            } else {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
                openat(&here, name, flags, Mode::from_raw_mode(0o644)).map(drop)
            };
            match made {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        here = openat2(&here, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), resolve)?;
    }
    Ok(here)
}

fn folder(path: &str) -> io::Result<OwnedFd> {
    Ok(open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// The device of a path, or that of nothing.
fn device(path: &str) -> u64 {
    stat(path).map_or(0, |found| found.st_dev)
}

fn etc(user: u32) -> io::Result<()> {
    fs::create_dir(new(Path::new("/etc")))?;
    for name in ETC {
        let path = Path::new("/etc").join(name);
        if fs::symlink_metadata(old(&path)).is_ok() {
            // A link whose target is missing is left out.
            let _ = bind(&path, Access::System);
        }
    }
    let person = format!("{PEOPLE}:x:{user}:{user}::/tmp:/bin/sh\n");
    fs::write(new(Path::new("/etc/passwd")), person)?;
    fs::write(new(Path::new("/etc/group")), format!("{PEOPLE}:x:{user}:\n"))?;
    fs::write(new(Path::new("/etc/hosts")), "127.0.0.1 localhost\n")
}

fn devices() -> io::Result<()> {
    let dev = new(Path::new("/dev"));
    fs::create_dir(&dev)?;
    for name in DEVICES {
        attach(
            &Path::new("/dev").join(name),
            Access::System,
            libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC,
        )?;
    }
    for (name, target) in [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")]
    {
        symlink(target, dev.join(name))?;
    }
    Ok(())
}

fn scratch(policy: &Policy, user: u32) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    for (path, size) in [("/tmp", policy.limits.scratch), ("/dev/shm", policy.limits.scratch / 4)] {
        let to = new(Path::new(path));
        fs::create_dir(&to)?;
        let options = format!("mode=700,size={size},nr_inodes={MOST_FILES},uid={user},gid={user}");
        let options = CString::new(options).map_err(io::Error::other)?;
        mount("tmpfs", &to, "tmpfs", flags, options.as_c_str())?;
    }
    Ok(())
}

/// Sets attributes of a mount and of all mounts below it.
#[expect(unsafe_code, reason = "neither rustix nor libc has a function for this system call")]
fn set_attributes(tree: &OwnedFd, attributes: u64) -> io::Result<()> {
    let wanted = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: the path is empty and ends with NUL, the structure lives until the call returns, and its size is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
