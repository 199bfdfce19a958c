//! Parts of the kernel that no program needs. The arguments do no harm: it is seen whether the kernel looks at them.

use super::{
    fixture::{Control, Fixture, LANDLOCK, NAMESPACES, SECCOMP, USER, fixture, judge},
    scene::Scene,
};

const ANY: Control = Control::Off(&[SECCOMP]);
/// For root in the namespaces of the sandbox, where none of it reaches this machine.
const AS_ROOT: Control = Control::RootOff(&[SECCOMP, USER, LANDLOCK]);
const OTHERS: Control = Control::Off(&[NAMESPACES, SECCOMP, USER, LANDLOCK]);

const SURFACE: &[Fixture] = &[
    fixture("mount", ANY, "reach('mount', 0, 0, 0, 0, 0)"),
    fixture("unmount", ANY, "reach('umount2', 0, 0xffff)"),
    fixture(
        "new interface of mounts",
        ANY,
        "\
reach('open_tree', -1, 0, 0); reach('mount_setattr', -1, 0, 0, 0, 0); reach('fsconfig', -1, 9, 0, 0, 0)",
    ),
    fixture(
        "new file systems",
        AS_ROOT,
        "\
reach('fsopen', 1, 0); reach('fsmount', -1, 0, 0); reach('fspick', -1, 1, 0); reach('move_mount', -1, 1, -1, 1, 0)",
    ),
    fixture("pivot_root", AS_ROOT, "reach('pivot_root', 1, 1)"),
    fixture("chroot", ANY, "reach('chroot', 1)"),
    fixture("chroot and ..", AS_ROOT, "here = folder(); os.chroot(here); escaped(os.listdir('/'))"),
    fixture("unshare: a new user namespace", ANY, "reach('unshare', 0x10000000)"),
    fixture("unshare: files and IPC", AS_ROOT, "reach('unshare', 0x00020000); reach('unshare', 0x08000000)"),
    fixture("setns", ANY, "reach('setns', -1, 0)"),
    fixture(
        "setns by its own links",
        AS_ROOT,
        "\
for name in ['mnt', 'net', 'uts']: reach('setns', os.open('/proc/self/ns/' + name, os.O_RDONLY), 0)",
    ),
    fixture(
        "clone with a user namespace",
        ANY,
        "\
done, error = call('clone', 0x10000000 | 17, 0, 0, 0, 0)
if done == 0: os._exit(0)
if done > 0: escaped(done)",
    ),
    fixture(
        "clone with each namespace",
        AS_ROOT,
        "\
for flag in [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]:
    done, error = call('clone', flag | 17, 0, 0, 0, 0)
    if done == 0: os._exit(0)
    if done > 0: escaped(hex(flag))",
    ),
    fixture("clone3", ANY, "reach('clone3', 0, 0)"),
    fixture(
        "clone3 with a user namespace",
        ANY,
        "\
arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
done, error = call('clone3', ctypes.addressof(arguments), 88)
if done == 0: os._exit(0)
if done > 0: escaped(done)",
    ),
    fixture("ptrace", ANY, "reach('ptrace', 16, -1, 0, 0)"),
    fixture("ptrace of a process outside", OTHERS, "reach('ptrace', 0x4206, @victim@, 0, 0)"),
    fixture(
        "memory by process_vm_readv",
        ANY,
        "\
for name in ['process_vm_readv', 'process_vm_writev']: reach(name, os.getpid(), 0, 0, 0, 0, 0)",
    ),
    fixture(
        "descriptors by pidfd_getfd",
        ANY,
        "reach('pidfd_getfd', -1, 0, 0); reach('process_madvise', -1, 0, 0, 0, 0)",
    ),
    fixture(
        "signal by pidfd",
        Control::Off(&[NAMESPACES, LANDLOCK, USER]),
        "\
reach('pidfd_send_signal', os.pidfd_open(@victim@), 0, 0, 0)",
    ),
    fixture("kcmp", ANY, "reach('kcmp', os.getpid(), os.getpid(), 0, 0, 0)"),
    fixture("bpf", AS_ROOT, "reach('bpf', 999, 0, 0)"),
    fixture("perf_event_open", ANY, "reach('perf_event_open', 0, 0, -1, -1, 0)"),
    fixture(
        "io_uring",
        ANY,
        "\
reach('io_uring_setup', 1, 0); reach('io_uring_enter', -1, 0, 0, 0, 0, 0); reach('io_uring_register', -1, 0, 0, 0)",
    ),
    fixture("userfaultfd", ANY, "reach('userfaultfd', 1)"),
    fixture(
        "keys",
        ANY,
        "reach('keyctl', 0, -3, 0); reach('add_key', 0, 0, 0, 0, 0); reach('request_key', 0, 0, 0, 0)",
    ),
    fixture("fanotify", ANY, "reach('fanotify_init', 0x200, 0)"),
    fixture(
        "files by handles",
        ANY,
        "\
reach('open_by_handle_at', -1, 0, 0); reach('name_to_handle_at', -1, 0, 0, 0, 0)",
    ),
    fixture("device nodes", ANY, "reach('mknodat', -1, 0, 0o20666, 259)"),
    fixture(
        "modules",
        AS_ROOT,
        "\
reach('init_module', 0, 0, 1); reach('finit_module', -1, 1, 0); reach('delete_module', 1, 0)",
    ),
    fixture("another kernel", AS_ROOT, "reach('kexec_load', 0, 9999, 0, 0)"),
    fixture("reboot", AS_ROOT, "reach('reboot', 0, 0, 0, 0)"),
    fixture("swap, accounting", AS_ROOT, "reach('swapon', 1, 0); reach('acct', 1)"),
    fixture("quotas", ANY, "reach('quotactl', 0, 1, 0, 0)"),
    fixture("messages of the kernel", AS_ROOT, "reach('syslog', 10, 0, 0)"),
    fixture("name of the machine", AS_ROOT, "reach('sethostname', 1, -1); reach('setdomainname', 1, -1)"),
    fixture("the clock, by settimeofday", AS_ROOT, "reach('settimeofday', 0, 0)"),
    fixture("the clock, by clock_settime", ANY, "reach('clock_settime', 0, 1)"),
    fixture("the speed of the clock", ANY, "reach('clock_adjtime', 0, 1); reach('adjtimex', 1)"),
    fixture("vhangup", AS_ROOT, "reach('vhangup')"),
    fixture("typing into a terminal", ANY, "reach('ioctl', -1, 0x5412, 0)"),
    fixture("typing, with the number in the lower half only", ANY, "reach('ioctl', -1, 0x7fff00005412, 0)"),
    fixture("pasting into a terminal", ANY, "reach('ioctl', -1, 0x541c, 0)"),
    fixture(
        "the filter holds under another personality",
        ANY,
        "\
call('personality', 8); reach('keyctl', 0, -3, 0); call('personality', 0x0400000); reach('keyctl', 0, -3, 0)",
    ),
    fixture(
        "the filter holds after exec, in threads and in children",
        ANY,
        "\
import threading
thread = threading.Thread(target=lambda: reach('keyctl', 0, -3, 0)); thread.start(); thread.join()
if os.fork() == 0: reach('keyctl', 0, -3, 0); os._exit(0)
os.wait()",
    ),
    fixture(
        "priorities of the machine",
        Control::None("the kernel refuses it to an ordinary user"),
        "\
tried(lambda: os.nice(-5), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
tried(lambda: open('/proc/self/oom_score_adj', 'w').write('-1000'))",
    ),
];

#[cfg(target_arch = "x86_64")]
const OTHER_NUMBERS: &[Fixture] = &[
    fixture("old calls of this processor", ANY, "reach('iopl', 0); reach('ioperm', 0, 0, 0); reach('modify_ldt', 0, 0, 0); reach('mknod', 0, 0o20666, 259)"),
    fixture("numbers of x32", ANY, "\
for name in N:
    if name not in ['gettid', 'memfd_create', 'socketpair', 'prctl', 'personality', 'pidfd_open', 'pidfd_send_signal']:
        if name[:3] not in ['shm', 'msg'] and name not in ['clone', 'ioctl', 'socket']: reach(0x40000000 | N[name], -1, 0, 0, 0, 0)
reach(0x40000000 | N['socket'], 2, 1, 0); reach(0x40000000 | N['ioctl'], -1, 0x5412, 0)
reach(0x40000000 | N['clone'], 0x10000000 | 17, 0, 0, 0, 0)
for number in range(512, 548): reach(0x40000000 | number, -1, -1, -1, -1, -1)"),
    fixture("32-bit system calls", ANY, "\
import mmap
# push rbx; mov eax, 310 (unshare); mov ebx, CLONE_NEWUSER; int 0x80; pop rbx; ret
code = b'\\x53\\xb8' + (310).to_bytes(4, 'little') + b'\\xbb' + (0x10000000).to_bytes(4, 'little') + b'\\xcd\\x80\\x5b\\xc3'
if os.fork() == 0:
    page = mmap.mmap(-1, 4096, prot=7); page.write(code)
    done = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    escaped(done)
    os._exit(0)
ended = os.wait()[1]
# Without the filter, a kernel without 32-bit programs sends SIGSEGV.
if ended == signal.SIGSEGV or ended == signal.SIGSEGV | 128: print('ABSENT')"),
];

#[tokio::test]
async fn parts_of_the_kernel_are_out_of_reach() {
    judge("kernel", &Scene::new(), SURFACE).await;
}

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn other_numbers_of_system_calls_are_no_way_around() {
    judge("other numbers", &Scene::new(), OTHER_NUMBERS).await;
}
