//! The launcher: this binary, started again with [`ARGUMENT`]. It makes the sandbox, starts the program in it and waits.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener},
    os::{
        fd::{AsFd as _, AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd},
        unix::net::UnixStream,
    },
    process::{Command, ExitCode},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::Mode,
    io::{FdFlags, fcntl_setfd},
    net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg},
    pipe::{PipeFlags, pipe_with},
    process::{
        Pid, PidfdFlags, Signal, WaitOptions, getegid, geteuid, pidfd_open, pidfd_send_signal, waitpid,
    },
    thread::{CapabilitySet, UnshareFlags, capabilities, set_no_new_privs},
};

use crate::{
    init::{self, Lines},
    policy::{Layer, Network, Policy},
    root,
    start::{Answer, CONTROL, MOST_POLICY_BYTES, read_message},
    walls::{Walls, become_user, give_up_capabilities},
};

/// The argument that makes a binary the launcher.
pub const ARGUMENT: &str = "__sandbox";
/// What may be in the way of user namespaces.
const HINT: &str = "Allow them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, \
                    kernel.apparmor_restrict_unprivileged_userns, RestrictNamespaces of systemd, or the seccomp and \
                    AppArmor profiles of the container)";
/// The user inside a user namespace; outside, it is the gateway's own.
const NOBODY: u32 = 65_534;
/// The users of tenants on a machine where the gateway may choose: 2^29 numbers that are nobody's.
const FIRST_USER: u32 = 0x4000_0000;
const USERS: u64 = 1 << 29;
/// Users of a container that are somebody's.
const RESERVED: u64 = 10_000;

/// Becomes the launcher if this process was started as one. To be called first in `main`, before there are threads.
pub fn launch_if_asked() -> Option<ExitCode> {
    (std::env::args_os().nth(1)? == ARGUMENT).then(launch)
}

fn launch() -> ExitCode {
    // The descriptor was passed on by `start`. Without it, somebody typed the argument.
    let control = match rustix::fs::fstat(borrowed(CONTROL)) {
        Ok(_) => UnixStream::from(owned(CONTROL)),
        Err(_) => {
            let _ = writeln!(io::stderr(), "`{ARGUMENT}` is not for people: the gateway starts it");
            return ExitCode::from(2);
        }
    };
    match started(&control) {
        Ok(first) => wait(&first, &control),
        Err(error) => {
            let _ = tell(&control, &Answer::Failed { error }, None);
            ExitCode::FAILURE
        }
    }
}

#[expect(unsafe_code, reason = "a descriptor with a known number is taken over from the parent")]
pub(crate) fn owned(number: i32) -> OwnedFd {
    // SAFETY: `fstat` said that it is open, and nothing else in this process uses it.
    unsafe { OwnedFd::from_raw_fd(number) }
}

#[expect(unsafe_code, reason = "a descriptor with a known number is taken over from the parent")]
fn borrowed(number: i32) -> BorrowedFd<'static> {
    // SAFETY: it is only asked whether it is open.
    unsafe { BorrowedFd::borrow_raw(number) }
}

/// The program, started in a sandbox, as its first process.
fn started(control: &UnixStream) -> Result<First, String> {
    let text = |error: io::Error| error.to_string();
    fcntl_setfd(control, FdFlags::CLOEXEC).map_err(|error| text(error.into()))?;
    let message = read_message(control, MOST_POLICY_BYTES).map_err(text)?;
    let policy: Policy = serde_json::from_slice(&message).map_err(|error| error.to_string())?;
    policy.check()?;
    close_all_but_control()?;
    // What the gateway inherited is not for the sandbox: its files are readable, and it is the first to go without memory.
    rustix::process::umask(Mode::from_raw_mode(0o022));
    fs::write("/proc/self/oom_score_adj", "1000").map_err(text)?;
    let isolated = policy.has(Layer::Namespaces);
    let user = user(policy.tenant)?;
    let inside = if isolated { separate(user)? } else { user.unwrap_or(NOBODY) };
    let listener = match policy.network {
        Network::OnePort if isolated => {
            raise_loopback().map_err(|error| format!("loopback: {error}"))?;
            Some(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(text)?)
        }
        _ => None,
    };
    if isolated {
        root::build(&policy, inside)?;
    }
    let command = command(&policy, listener.as_ref())?;
    let walls = Walls::new(&policy, Some(inside))?;
    let first = fork(&policy, (command, walls), listener.as_ref())?;
    // From here on the launcher only waits, as a user who may nothing, without the pipes of the program.
    let null = fs::OpenOptions::new().read(true).write(true).open("/dev/null").map_err(text)?;
    init::let_go_of_streams(&null)?;
    match user.filter(|_| policy.has(Layer::User)) {
        Some(user) => become_user(user).map_err(text)?,
        None => give_up_capabilities().map_err(text)?,
    }
    set_no_new_privs(true).map_err(|error| text(error.into()))?;
    tell(control, &Answer::Started, listener.as_ref().map(TcpListener::as_fd)).map_err(text)?;
    Ok(first)
}

fn command(policy: &Policy, listener: Option<&TcpListener>) -> Result<Command, String> {
    let (program, arguments) = policy.command.split_first().ok_or("there is no program")?;
    let mut env = policy.env.clone();
    if let Some(listener) = listener {
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            env.insert(name.to_owned(), format!("http://127.0.0.1:{port}"));
        }
        // Node.js asks for it.
        env.insert("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned());
    }
    for name in ["HOME", "TMPDIR"] {
        env.entry(name.to_owned()).or_insert_with(|| "/tmp".to_owned());
    }
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(env);
    if !policy.has(Layer::Namespaces) {
        command.current_dir("/");
    }
    Ok(command)
}

/// The tenant's own user; `None` if this process has no other than its own, which is not root.
pub(crate) fn user(tenant: u64) -> Result<Option<u32>, String> {
    let chosen = capabilities(None).is_ok_and(|sets| {
        let needed = CapabilitySet::SYS_ADMIN | CapabilitySet::SETUID | CapabilitySet::SETGID;
        sets.effective.contains(needed)
    });
    if !chosen && !geteuid().is_root() {
        return Ok(None);
    }
    if !chosen {
        let text = "the gateway runs as root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID, so that a program would be root \
                    too. Run the gateway as an ordinary user, or give it these capabilities";
        return Err(text.to_owned());
    }
    let wanted = FIRST_USER + u32::try_from(tenant % USERS).unwrap_or_default();
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    // In a container there may be 65 536 users.
    let ranges = map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().ok());
        let (first, _, count) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some((first, count))
    });
    let (first, count) = ranges.max_by_key(|(_, count)| *count).unwrap_or_default();
    if (first..first + count).contains(&u64::from(wanted)) {
        return Ok(Some(wanted));
    }
    let left = count.checked_sub(RESERVED).filter(|left| *left > 0);
    let other = left.and_then(|left| u32::try_from(first + RESERVED + tenant % left).ok());
    other.map(Some).ok_or_else(|| format!("there are fewer than {RESERVED} users here (/proc/self/uid_map)"))
}

/// New namespaces for this process and its children. Gives back the user that the program has inside.
fn separate(user: Option<u32>) -> Result<u32, String> {
    let all = UnshareFlags::NEWNS
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWCGROUP;
    if let Some(user) = user {
        unshare(all).map_err(|error| format!("namespaces: {error}"))?;
        return Ok(user);
    }
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    unshare(all | UnshareFlags::NEWUSER).map_err(|error| format!("user namespaces: {error}. {HINT}"))?;
    // With AppArmor's restriction, they can be made and not used.
    let write = |path: &str, line: String| {
        fs::write(path, line).map_err(|error| format!("user namespaces: {path}: {error}. {HINT}"))
    };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("{NOBODY} {uid} 1"))?;
    write("/proc/self/gid_map", format!("{NOBODY} {gid} 1"))?;
    Ok(NOBODY)
}

#[expect(
    unsafe_code,
    reason = "`unshare` could take away the table of descriptors, which is not asked for here"
)]
fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: the descriptors stay shared.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

#[expect(unsafe_code, reason = "nobody has a safe function for this ioctl")]
fn raise_loopback() -> io::Result<()> {
    let socket = rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::DGRAM, None)?;
    let mut request = libc::ifreq {
        ifr_name: [0; libc::IFNAMSIZ],
        ifr_ifru: libc::__c_anonymous_ifr_ifru {
            ifru_flags: i16::try_from(libc::IFF_UP | libc::IFF_RUNNING).unwrap_or_default(),
        },
    };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = libc::c_char::from_ne_bytes([*from]);
    }
    // SAFETY: the structure is complete and lives until the call returns.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Closes what was inherited, but for the three streams and the control socket.
#[expect(unsafe_code, reason = "rustix has no function for this system call")]
fn close_all_but_control() -> Result<(), String> {
    let first = (CONTROL + 1).cast_unsigned();
    // SAFETY: this process has opened nothing but the control socket.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
    if done == 0 { Ok(()) } else { Err(format!("close_range: {}", io::Error::last_os_error())) }
}

/// Forks the first process of the sandbox, and waits until it has started the program.
#[expect(unsafe_code, reason = "the first process of the sandbox goes on with this program")]
fn fork(
    policy: &Policy,
    (command, walls): (Command, Walls),
    listener: Option<&TcpListener>,
) -> Result<First, String> {
    let text = |error: rustix::io::Errno| error.to_string();
    let (theirs_alive, alive) = pipe_with(PipeFlags::CLOEXEC).map_err(text)?;
    let (why, theirs_why) = pipe_with(PipeFlags::CLOEXEC).map_err(text)?;
    // SAFETY: the launcher has one thread, so that the child may do whatever a process may do.
    let forked = unsafe { libc::fork() };
    match forked {
        -1 => Err(io::Error::last_os_error().to_string()),
        0 => {
            // What is the launcher's alone. This process never comes back to those who own them.
            drop((alive, why, owned(CONTROL)));
            drop(listener.map(|listener| owned(listener.as_raw_fd())));
            let lines = Lines { alive: theirs_alive, why: theirs_why };
            let code = init::run(policy, command, walls, lines);
            // SAFETY: what the parent wants done at its exit must not be done twice.
            unsafe { libc::_exit(code) }
        }
        id => {
            drop((theirs_alive, theirs_why));
            let id = Pid::from_raw(id).ok_or("the first process has no number")?;
            let ended = pidfd_open(id, PidfdFlags::empty()).map_err(text)?;
            let first = First { id, ended, _alive: alive };
            let mut said = String::new();
            fs::File::from(why).read_to_string(&mut said).map_err(|error| error.to_string())?;
            // What failed first is told first.
            said.lines().next().map_or(Ok(first), |why| Err(why.to_owned()))
        }
    }
}

/// The first process of the sandbox.
struct First {
    id: Pid,
    /// Can be read when it has ended.
    ended: OwnedFd,
    /// It looks at the other end before it starts anything.
    _alive: OwnedFd,
}

impl Drop for First {
    fn drop(&mut self) {
        let _ = pidfd_send_signal(&self.ended, Signal::KILL);
    }
}

/// Until the program ends, or the gateway does. When the first process ends, so does everything in its namespace.
fn wait(first: &First, control: &UnixStream) -> ExitCode {
    loop {
        let mut watched = [
            PollFd::new(&first.ended, PollFlags::IN),
            PollFd::new(control, PollFlags::IN | PollFlags::RDHUP),
        ];
        if poll(&mut watched, None).is_err() {
            continue;
        }
        if watched[0].revents().is_empty() && pidfd_send_signal(&first.ended, Signal::KILL).is_err() {
            return ExitCode::FAILURE;
        }
        loop {
            match waitpid(Some(first.id), WaitOptions::empty()) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(Some((_, status))) => {
                    let code = status.exit_status().and_then(|code| u8::try_from(code).ok());
                    return code.map_or(ExitCode::FAILURE, ExitCode::from);
                }
                _ => return ExitCode::FAILURE,
            }
        }
    }
}

/// Answers the gateway, and gives it the descriptor of the one port.
fn tell(control: &UnixStream, answer: &Answer, listener: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut more = SendAncillaryBuffer::new(&mut space);
    let descriptors: Vec<BorrowedFd<'_>> = listener.into_iter().collect();
    if !descriptors.is_empty() {
        more.push(SendAncillaryMessage::ScmRights(&descriptors));
    }
    sendmsg(control, &[io::IoSlice::new(&line)], &mut more, SendFlags::NOSIGNAL)?;
    Ok(())
}
