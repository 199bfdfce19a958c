//! The filter of system calls: what no program needs that only computes, reads, writes and talks to its parent.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use crate::policy::Network;

/// System calls of the 32-bit interface on 64-bit registers have this bit, and would pass a filter without it.
const X32: i64 = 0x4000_0000;
/// Numbers that exist in that interface only.
const X32_ONLY: std::ops::RangeInclusive<i64> = 512..=547;
/// Kinds of namespaces that a new process could have.
const NEW_NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET)
    .cast_unsigned() as u64;

// Not every libc knows these.
const FCHMODAT2: libc::c_long = 452;
const QUOTACTL_FD: libc::c_long = 443;
const KEXEC_FILE_LOAD: libc::c_long = if cfg!(target_arch = "x86_64") { 320 } else { 294 };
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;
/// The option of a TCP socket that makes the kernel speak TLS.
const TCP_ULP: u64 = 31;

/// Refused with EPERM, whatever the arguments.
const REFUSED: &[libc::c_long] = &[
    // Mounts, namespaces, other processes.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Memory that no limit of a process counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Parts of the kernel with a long list of past holes.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // The machine itself.
    libc::SYS_mknodat,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    KEXEC_FILE_LOAD,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// The filters, ready to be applied between fork and exec.
pub(crate) struct Filters {
    refused: BpfProgram,
    absent: BpfProgram,
}

impl Filters {
    pub(crate) fn new(network: Network, counts_reserved: bool) -> Result<Self, String> {
        let text = |error: seccompiler::BackendError| error.to_string();
        let arch: TargetArch = std::env::consts::ARCH.try_into().map_err(text)?;
        let compile = |rules, errno: i32| -> Result<BpfProgram, String> {
            let refuse = SeccompAction::Errno(errno.cast_unsigned());
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(text)?;
            filter.try_into().map_err(text)
        };
        let mut absent = BTreeMap::new();
        // Their flags are in memory, where a filter cannot read them; without them, libc uses `clone` and `openat`.
        add(&mut absent, libc::SYS_clone3, &[]);
        add(&mut absent, libc::SYS_openat2, &[]);
        let refused = rules(network, counts_reserved).map_err(text)?;
        Ok(Self { refused: compile(refused, libc::EPERM)?, absent: compile(absent, libc::ENOSYS)? })
    }

    /// From here on, for this process and all that it starts.
    pub(crate) fn apply(&self) -> Result<(), Error> {
        apply_filter(&self.absent)?;
        apply_filter(&self.refused)
    }
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

type Conditions = Result<Vec<SeccompCondition>, seccompiler::BackendError>;

fn rules(network: Network, counts_reserved: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    for &call in REFUSED {
        add(&mut rules, call, &[]);
    }
    for number in X32_ONLY {
        rules.insert(number | X32, Vec::new());
    }
    let mut refuse = |call, conditions: Conditions| -> Result<(), seccompiler::BackendError> {
        add(&mut rules, call, &[SeccompRule::new(conditions?)?]);
        Ok(())
    };
    // A process in new namespaces: each of the bits.
    for bit in (0..u64::BITS).map(|bit| 1_u64 << bit).filter(|bit| NEW_NAMESPACES & bit != 0) {
        refuse(libc::SYS_clone, [has(0, bit)].into_iter().collect())?;
    }
    // Typing into the terminal of somebody else.
    for request in [TIOCSTI, TIOCLINUX] {
        refuse(libc::SYS_ioctl, [compare(1, SeccompCmpOp::Eq, request)].into_iter().collect())?;
    }
    // Shared memory without a file counts only where reserved address space does.
    if !counts_reserved {
        let shared = [bits(3, libc::MAP_ANONYMOUS), bits(3, libc::MAP_SHARED)];
        refuse(libc::SYS_mmap, shared.into_iter().collect())?;
        refuse(libc::SYS_mmap, [bits(3, libc::MAP_GROWSDOWN)].into_iter().collect())?;
    }
    for (call, conditions) in setuid_files() {
        refuse(call, conditions)?;
    }
    for (call, conditions) in sockets(network) {
        refuse(call, conditions)?;
    }
    Ok(rules)
}

/// Files that run as their owner: in a folder outside, they would outlive the sandbox.
fn setuid_files() -> Vec<(libc::c_long, Conditions)> {
    let mut all = Vec::new();
    for mode in [libc::S_ISUID, libc::S_ISGID] {
        let argument = |number| has(number, u64::from(mode));
        all.push((libc::SYS_fchmod, [argument(1)].into_iter().collect()));
        all.push((libc::SYS_fchmodat, [argument(2)].into_iter().collect()));
        all.push((FCHMODAT2, [argument(2)].into_iter().collect()));
        // The mode counts only if a file is made.
        for flag in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
            all.push((libc::SYS_openat, [bits(2, flag), argument(3)].into_iter().collect()));
            #[cfg(target_arch = "x86_64")]
            all.push((libc::SYS_open, [bits(1, flag), argument(2)].into_iter().collect()));
        }
        #[cfg(target_arch = "x86_64")]
        {
            all.push((libc::SYS_chmod, [argument(1)].into_iter().collect()));
            all.push((libc::SYS_creat, [argument(1)].into_iter().collect()));
        }
    }
    all
}

/// Sockets but those between the program's own processes, and, with one port, streams of TCP.
fn sockets(network: Network) -> Vec<(libc::c_long, Conditions)> {
    let family = |family: libc::c_int| compare(0, SeccompCmpOp::Ne, u64::from(family.cast_unsigned()));
    let unix = || family(libc::AF_UNIX);
    let mut all = vec![(libc::SYS_socketpair, [unix()].into_iter().collect())];
    if network == Network::None {
        all.push((libc::SYS_socket, [unix()].into_iter().collect()));
        return all;
    }
    let others = [unix(), family(libc::AF_INET), family(libc::AF_INET6)];
    all.push((libc::SYS_socket, others.into_iter().collect()));
    // Every type but a stream. The upper bits are flags.
    for kind in (0..16).filter(|kind| *kind != libc::SOCK_STREAM) {
        let kind = u64::from(kind.cast_unsigned());
        let is_kind = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(0xf), kind);
        all.push((libc::SYS_socket, [unix(), is_kind].into_iter().collect()));
    }
    let upper = [
        compare(1, SeccompCmpOp::Eq, u64::from(libc::IPPROTO_TCP.cast_unsigned())),
        compare(2, SeccompCmpOp::Eq, TCP_ULP),
    ];
    all.push((libc::SYS_setsockopt, upper.into_iter().collect()));
    let protocol = |number: libc::c_int| compare(2, SeccompCmpOp::Ne, u64::from(number.cast_unsigned()));
    let others = [unix(), protocol(0), protocol(libc::IPPROTO_TCP)];
    all.push((libc::SYS_socket, others.into_iter().collect()));
    all
}

type Condition = Result<SeccompCondition, seccompiler::BackendError>;

fn compare(argument: u8, how: SeccompCmpOp, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)
}

/// An argument has this bit.
fn has(argument: u8, bit: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(bit), bit)
}

fn bits(argument: u8, flags: libc::c_int) -> Condition {
    has(argument, u64::from(flags.cast_unsigned()))
}

/// Adds rules for a call, under both of its numbers. Without a rule, the call matches whatever its arguments are.
fn add(rules: &mut Rules, call: libc::c_long, more: &[SeccompRule]) {
    rules.entry(call).or_default().extend_from_slice(more);
    if cfg!(target_arch = "x86_64") {
        rules.entry(call | X32).or_default().extend_from_slice(more);
    }
}
