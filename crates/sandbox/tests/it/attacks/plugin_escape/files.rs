//! Files outside, by every path that leads to them.

use super::{
    fixture::{Control, Fixture, LANDLOCK, NAMESPACES, SECCOMP, USER, fixture, judge},
    scene::Scene,
};

const READING: Control = Control::Off(&[NAMESPACES]);
const WRITING: Control = Control::Off(&[NAMESPACES, LANDLOCK]);
const PRIVATE: Control = Control::Off(&[NAMESPACES, USER]);
const OTHERS: Control = Control::Off(&[NAMESPACES, USER, LANDLOCK]);
const AS_ROOT: Control = Control::RootOff(&[SECCOMP, USER, LANDLOCK]);

const READ: &[Fixture] = &[
    fixture("many ..", READING, "print(open('../' * 40 + '@outside@/secret'[1:]).read())"),
    fixture("absolute path", READING, "print(open('@outside@/secret').read())"),
    fixture("long path", READING, "print(open('/.' * 1500 + '@outside@/secret').read())"),
    fixture("percent-encoded, and cut with NUL", Control::None("no program decodes them"), "\
for path in ['/%2e%2e@outside@/secret', '..%2f' * 9 + '@outside@/secret', '@read@/text\\0/../../secret']:
    try: print(open(path).read())
    except (OSError, ValueError) as error: print(error)"),
    fixture(".. of an open folder", READING, "\
root = os.open('/', os.O_PATH)
for step in range(9): root = os.open('..', os.O_PATH, dir_fd=root)
print(os.read(os.open('@outside@/secret'[1:], os.O_RDONLY, dir_fd=root), 99))"),
    fixture("symlink in the scratch folder", READING, "\
here = folder()
os.symlink('@outside@/secret', here + '/link')
print(open(here + '/link').read())"),
    fixture("symlink in a folder to write", READING, "\
os.symlink('@outside@', '@write@/link')
print(open('@write@/link/secret').read())"),
    fixture("relative symlink in a folder to write", READING, "\
os.symlink('../secret', '@write@/link')
print(open('@write@/link').read())"),
    fixture("/proc/self/root", READING, "print(open('/proc/self/root@outside@/secret').read())"),
    fixture("/proc/self/cwd", READING, "print(open('/proc/self/cwd/../../..@outside@/secret').read())"),
    fixture("/proc/1/root", Control::None("it needs all that the first process of the machine may"),
        "print(open('/proc/1/root@outside@/secret').read())"),
    fixture("roots and folders of all processes", OTHERS, "\
for process in processes():
    for link in ['root', 'cwd', 'fd/0', 'fd/3']:
        for path in ['', '@outside@/secret', '/secret']:
            try: print(os.read(os.open('/proc/%s/%s%s' % (process, link, path), os.O_RDONLY | os.O_NONBLOCK), 99))
            except OSError: pass
        if process == '@victim@': break"),
    fixture("a key that only the gateway's user may read", PRIVATE, "print(open('@key@').read())"),
    fixture("another tenant's folder", READING, "print(open('@other@/note').read(), os.listdir('@other@'))"),
    fixture("/sys", READING, "print(os.listdir('/sys'), 'ESCAPED' if os.listdir('/sys') else '')"),
    fixture("/dev has five devices", READING, "\
known = {'null', 'zero', 'full', 'random', 'urandom', 'fd', 'stdin', 'stdout', 'stderr', 'shm'}
more = set(os.listdir('/dev')) - known
if more: escaped(more)"),
    fixture("terminals and other devices", READING, "\
for name in ['ptmx', 'tty', 'console', 'mem', 'kmsg', 'fuse', 'kvm', 'vda', 'sda', 'loop0', 'net/tun', 'vhost-vsock']:
    try: escaped(name, os.open('/dev/' + name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError as error: print(name, error)
    try: escaped(name, os.open('/dev/pts/' + name, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError as error: pass"),
    fixture("/proc/kcore, /proc/kmsg", Control::RootOff(&[USER, NAMESPACES, LANDLOCK]), "\
tried(lambda: os.open('/proc/kcore', os.O_RDONLY), lambda: os.open('/proc/kmsg', os.O_RDONLY | os.O_NONBLOCK))"),
];

const WRITE: &[Fixture] = &[
    fixture("a file that everybody may write", WRITING, "open('@outside@/untouched', 'w').write('x')"),
    fixture("a new file outside", WRITING, "open('@outside@/new', 'w').write('x')"),
    fixture("hard link of a file outside", WRITING,
        "tried(lambda: os.link('@outside@/untouched', '@write@/hard'))"),
    fixture("hard link of a file to read", WRITING, "\
os.link('@read@/text', '@write@/hard')
open('@write@/hard', 'w').write('x')"),
    fixture("rename of a file to read", WRITING, "os.rename('@read@/text', '@read@/other')"),
    fixture("rename of a folder to read", WRITING, "os.rename('@read@', '@outside@/moved')"),
    fixture("append to a file to read", WRITING, "open('@read@/text', 'a').write('x')"),
    fixture("truncate a file to read", WRITING, "os.truncate('@read@/text', 0)"),
    fixture("mode of a file to read", OTHERS, "os.chmod('@read@/text', 0o777)"),
    fixture("a file to read, opened again for writing", WRITING, "\
file = os.open('@read@/text', os.O_RDONLY)
os.write(os.open('/proc/self/fd/%d' % file, os.O_WRONLY), b'x')"),
    fixture("delete a file to read", WRITING, "os.unlink('@read@/text')"),
    fixture("symlink swapped against a folder to write", WRITING, "\
os.mkdir('@write@/real'); os.mkdir('@write@/a')
until = time.monotonic() + 1
other = os.fork()
while time.monotonic() < until:
    try:
        if other == 0:
            os.rename('@write@/a', '@write@/b'); os.symlink('@outside@', '@write@/a')
            os.unlink('@write@/a'); os.rename('@write@/b', '@write@/a')
        else:
            open('@write@/a/raced', 'w').write('x')
    except OSError: pass
if other == 0: os._exit(0)
os.waitpid(other, 0)"),
    fixture("the running program", Control::None("the kernel refuses it for a running program"), "\
tried(lambda: open('/proc/self/exe', 'r+b'), lambda: open('/proc/1/exe', 'r+b'), lambda: open(sys.executable, 'r+b'))"),
    fixture("the system's folders", Control::None("without the guard it would change this machine"), "\
for path in ['/x', '/usr/x', '/usr/bin/x', '/etc/x', '/etc/passwd', '/dev/x', '/proc/x', '/old/x', '/new/x', '/lib/x']:
    tried(lambda: open(path, 'a'), lambda: os.mkdir(path + 'y'))
tried(lambda: os.rename('/usr', '/usr2'), lambda: os.rename('/usr/bin/true', '/usr/bin/x'), lambda: os.rmdir('/etc'))"),
    fixture("settings of the kernel", Control::RootOff(&[USER, NAMESPACES, LANDLOCK]), "\
for name in ['sys/kernel/core_pattern', 'sys/kernel/modprobe', 'sys/vm/overcommit_memory', 'sysrq-trigger']:
    tried(lambda: os.open('/proc/' + name, os.O_WRONLY))"),
    fixture("remount for writing", AS_ROOT, "reach('mount', 0, b'@read@', 0, 0x1020, 0)"),
    fixture("unmount", AS_ROOT, "reach('umount2', b'@read@', 2)"),
    fixture("bind over a folder", AS_ROOT, "reach('mount', b'/tmp', b'@read@', 0, 0x1000, 0)"),
    fixture("device node", AS_ROOT, "\
here = folder()
tried(lambda: os.mknod(here + '/null', stat.S_IFCHR | 0o666, os.makedev(1, 3)))"),
    fixture("setuid programs of the system", READING, "\
import subprocess
for program in [['su', '-c', 'id -u'], ['mount', '--bind', '/tmp', '@read@'], ['passwd', '-S'], ['newgrp', 'root']]:
    try: out = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, timeout=20).stdout.split()
    except (OSError, subprocess.TimeoutExpired): out = []
    if b'0' in out: escaped(program)
if not os.statvfs('/usr/bin').f_flag & os.ST_NOSUID: escaped('setuid counts')
if call('prctl', 39, 0, 0, 0, 0)[0] != 1: escaped('new privileges are possible')"),
    fixture("setuid program left behind in a folder to write", Control::None("no layer can be taken off: none looks at the mode of a file"), "\
file = os.open('@write@/left', os.O_CREAT | os.O_RDWR, 0o6755)
for set in [lambda: os.chmod('@write@/left', 0o6755), lambda: os.fchmod(file, 0o4755)]:
    try: set()
    except OSError: pass
if os.stat('@write@/left').st_mode & 0o6000: escaped('%o' % os.stat('@write@/left').st_mode)"),
];

#[tokio::test]
async fn files_outside_cannot_be_read() {
    judge("files read", &Scene::new(), READ).await;
}

#[tokio::test]
async fn files_outside_cannot_be_written() {
    judge("files written", &Scene::new(), WRITE).await;
}
