//! The numbers of system calls on this processor.

macro_rules! calls {
    ($($name:ident)*) => { &[$((stringify!($name), libc::$name)),*] };
}

const CALLS: &[(&str, libc::c_long)] = calls![
    SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_unshare SYS_setns SYS_mount_setattr
    SYS_move_mount SYS_open_tree SYS_fsopen SYS_fsconfig SYS_fsmount SYS_fspick SYS_ptrace
    SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_pidfd_open SYS_pidfd_getfd
    SYS_pidfd_send_signal SYS_kcmp SYS_bpf SYS_perf_event_open SYS_io_uring_setup SYS_userfaultfd
    SYS_add_key SYS_request_key SYS_keyctl SYS_fanotify_init SYS_name_to_handle_at
    SYS_open_by_handle_at SYS_mknodat SYS_init_module SYS_finit_module SYS_delete_module
    SYS_kexec_load SYS_reboot SYS_swapon SYS_acct SYS_quotactl SYS_syslog SYS_sethostname
    SYS_setdomainname SYS_settimeofday SYS_clock_settime SYS_clock_adjtime SYS_adjtimex SYS_vhangup
    SYS_clone SYS_clone3 SYS_ioctl SYS_personality SYS_socket SYS_socketpair SYS_prctl
    SYS_memfd_create SYS_shmget SYS_shmat SYS_shmdt SYS_shmctl SYS_msgget SYS_msgctl SYS_gettid
    SYS_io_uring_enter SYS_io_uring_register
];
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[(&str, libc::c_long)] = calls![SYS_iopl SYS_ioperm SYS_modify_ldt SYS_mknod];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CALLS: &[(&str, libc::c_long)] = &[];

/// As a Python dictionary, by their names.
pub(super) fn dictionary() -> String {
    let entries = CALLS
        .iter()
        .chain(OLD_CALLS)
        .map(|(name, number)| format!("'{}': {number}", name.trim_start_matches("SYS_")));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}
