//! Programs that use all they can: processes, memory, disk, processor, output. Each is bounded, also without its guard.

use std::time::Duration;

use sandbox::{Limits, Policy};
use tokio::io::AsyncReadExt as _;

use super::{
    fixture::{Control, Fixture, LANDLOCK, LIMITS, NAMESPACES, SECCOMP, Tally, fixture, judge},
    outlive::{end, processes_of},
    scene::Scene,
};

const LIMIT: Control = Control::Off(&[LIMITS]);
const SIZE: Control = Control::Off(&[NAMESPACES]);
const MIB: u64 = 1 << 20;

fn little_memory(policy: &mut Policy) {
    policy.limits.memory = 200 * MIB;
}

fn service(policy: &mut Policy) {
    policy.limits = Limits { memory: 200 * MIB, ..Limits::SERVICE };
}

fn little_time(policy: &mut Policy) {
    policy.limits.cpu_seconds = Some(1);
}

const PROCESSES: &[Fixture] = &[
    fixture(
        "fork bomb",
        LIMIT,
        "\
made = []
try:
    while len(made) < 300:
        child = os.fork()
        if child == 0: time.sleep(60); os._exit(0)
        made.append(child)
except OSError as error: print(error)
if len(made) > 100: escaped(len(made))
for child in made: os.kill(child, 9)
for child in made: os.wait()",
    ),
    fixture(
        "thread bomb",
        LIMIT,
        "\
import threading
threading.stack_size(1 << 16); over = threading.Event(); made = []
try:
    while len(made) < 300:
        thread = threading.Thread(target=over.wait); thread.start(); made.append(thread)
except RuntimeError as error: print(error)
if len(made) > 100: escaped(len(made))
over.set()",
    ),
    fixture(
        "children that nobody waits for",
        LIMIT,
        "\
made = 0
try:
    while made < 300:
        if os.fork() == 0: os._exit(0)
        made += 1
except OSError as error: print(error)
if made > 100: escaped(made)",
    ),
    fixture(
        "descriptors",
        LIMIT,
        "\
made = []
try:
    while len(made) < 300: made.append(os.open('/dev/null', os.O_RDONLY))
except OSError as error: print(error)
if len(made) > 256: escaped(len(made))",
    ),
    fixture(
        "limits raised again",
        Control::None("the kernel refuses to raise a limit"),
        "\
import resource
for name in ['AS', 'NPROC', 'NOFILE', 'FSIZE', 'CPU', 'CORE', 'MEMLOCK', 'MSGQUEUE']:
    which = getattr(resource, 'RLIMIT_' + name)
    now = resource.getrlimit(which)[1]
    try:
        resource.setrlimit(which, (now + 1, now + 1)); escaped(name)
    except (OSError, ValueError) as error: print(error)
    if now == resource.RLIM_INFINITY: escaped('no limit', name)",
    ),
    fixture(
        "processor time, deaf to signals",
        LIMIT,
        "\
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
if os.fork() == 0:
    while time.process_time() < 3: pass
    escaped(time.process_time()); os._exit(0)
print(os.wait())",
    )
    .with(little_time),
    fixture(
        "locked memory",
        LIMIT,
        "\
page = ctypes.create_string_buffer(1 << 20)
if LIBC.mlock(page, 1 << 20) == 0: escaped('locked')",
    ),
    fixture(
        "message queues",
        Control::Off(&[LIMITS, LANDLOCK, SECCOMP]),
        "\
if LIBC.mq_open(b'/escape-@small@', 0o102, 0o600, None) >= 0:
    LIBC.mq_unlink(b'/escape-@small@'); escaped('a queue')
else: print(errno.errorcode.get(ctypes.get_errno()))",
    ),
];

const MEMORY: &[Fixture] = &[
    fixture("memory of its own", LIMIT, "much = bytearray(300 << 20); escaped(len(much))")
        .with(little_memory),
    fixture("memory of its own, of a service", LIMIT, "much = bytearray(300 << 20); escaped(len(much))")
        .with(service),
    fixture(
        "shared memory",
        LIMIT,
        "\
import mmap
much = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): much[at] = 1
escaped(len(much))",
    )
    .with(little_memory),
    fixture(
        "shared memory of a service",
        Control::Off(&[LIMITS, SECCOMP]),
        "\
import mmap
kept = []
for part in range(5):
    much = mmap.mmap(-1, 60 << 20); kept.append(much)
    for at in range(0, 60 << 20, 4096): much[at] = 1
escaped(len(kept) * 60, 'MiB')",
    )
    .with(service),
    fixture(
        "a shared mapping of zeroes",
        Control::Off(&[LIMITS, SECCOMP, LANDLOCK]),
        "\
import mmap
file, kept = os.open('/dev/zero', os.O_RDWR), []
for part in range(5):
    much = mmap.mmap(file, 60 << 20); kept.append(much)
    for at in range(0, 60 << 20, 4096): much[at] = 1
escaped(len(kept) * 60, 'MiB')",
    )
    .with(service),
    fixture(
        "a stack that grows",
        Control::Off(&[SECCOMP]),
        "\
LIBC.mmap.restype = ctypes.c_void_p
at = LIBC.mmap(None, ctypes.c_size_t(1 << 20), 3, 0x122, -1, ctypes.c_long(0))
if at not in (None, 2**64 - 1): escaped('a stack')
print(errno.errorcode.get(ctypes.get_errno()))",
    )
    .with(service),
    fixture(
        "semaphores",
        Control::Off(&[SECCOMP]),
        "\
if LIBC.semget(0, 1000, 0o1600) >= 0: escaped('semaphores')
print(errno.errorcode.get(ctypes.get_errno()))",
    ),
    fixture(
        "files in memory",
        Control::Off(&[LIMITS, SECCOMP]),
        "\
kept, block, size = [], bytes(1 << 20), 0
while size < 300:
    done, error = call('memfd_create', b'x', 0)
    if done < 0: break
    kept.append(done)
    try:
        for part in range(60): size += os.write(done, block) >> 20
    except OSError as error: print(error); break
if size >= 300: escaped(size, 'MiB')",
    )
    .with(little_memory),
    fixture(
        "segments of System V",
        Control::Off(&[LIMITS, SECCOMP]),
        "\
LIBC.shmat.restype = ctypes.c_void_p; LIBC.shmdt.argtypes = [ctypes.c_void_p]
kept, size = [], 0
while size < 300:
    segment = LIBC.shmget(0, ctypes.c_size_t(60 << 20), 0o1600)
    if segment < 0: break
    kept.append(segment)
    at = LIBC.shmat(segment, None, 0)
    if at in (None, 2**64 - 1): break
    ctypes.memset(at, 1, 60 << 20); LIBC.shmdt(at); size += 60
if size >= 300: escaped(size, 'MiB')
for segment in kept: LIBC.shmctl(segment, 0, 0)",
    )
    .with(little_memory),
];

const DISK: &[Fixture] = &[
    fixture("scratch folder filled", SIZE, "\
here, size, block = folder(), 0, bytes(1 << 20)
try:
    for part in range(10):
        with open(here + '/%d' % part, 'wb', 0) as file:
            for each in range(10): size += file.write(block) >> 20
except OSError as error: print(error)
import shutil; shutil.rmtree(here)
if size > 70: escaped(size, 'MiB')"),
    fixture("/dev/shm filled", SIZE, "\
size, block, path = 0, bytes(1 << 20), '/dev/shm/escape-@number@'
try:
    with open(path, 'wb', 0) as file:
        for part in range(40): size += file.write(block) >> 20
except OSError as error: print(error)
os.unlink(path)
if size > 20: escaped(size, 'MiB')"),
    fixture("more files than there may be", SIZE, "\
here, made = '/dev/shm/escape-files-@number@', 0
os.mkdir(here)
try:
    while made < 50100: os.close(os.open(here + '/%d' % made, os.O_CREAT)); made += 1
except OSError as error: print(error)
if made > 50000: escaped(made)
for each in range(made): os.unlink(here + '/%d' % each)
os.rmdir(here)"),
    fixture("a huge file", LIMIT, "\
file = os.open('@write@/huge', os.O_CREAT | os.O_RDWR)
for size in [70 << 20, 1 << 40]:
    tried(lambda: os.ftruncate(file, size), lambda: os.posix_fallocate(file, 0, 70 << 20), lambda: os.pwrite(file, b'x', size))
    os.ftruncate(file, 0)"),
];

#[tokio::test]
async fn processes_and_time_are_limited() {
    judge("processes and time", &Scene::new(), PROCESSES).await;
}

#[tokio::test]
async fn memory_is_limited() {
    judge("memory", &Scene::new(), MEMORY).await;
}

#[tokio::test]
async fn disk_is_limited() {
    judge("disk", &Scene::new(), DISK).await;
}

/// Output that nobody reads, that nobody can read, and that has no end: the program waits or goes on, and ends with us.
#[tokio::test]
async fn output_ends_with_the_reader() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    let endless = "\
block = b'x' * 65536
while True:
    try: os.write(1, block)
    except OSError: pass";
    for read in [None, Some(0_usize), Some(8 << 20)] {
        let (mut child, started) = scene.cage(endless).start().await.unwrap();
        let mut stdout = child.stdout.take();
        let mut got = 0;
        if let (Some(most), Some(stdout)) = (read, stdout.as_mut()) {
            let mut bytes = vec![0; 65536];
            while got < most {
                got += stdout.read(&mut bytes).await.unwrap();
            }
        }
        if read.is_none() {
            drop(stdout.take());
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        let before = processes_of(&scene).len();
        drop(started);
        let ended = tokio::time::timeout(Duration::from_secs(60), child.wait()).await;
        let left = end(&scene).await;
        let wrong = ended.is_err() || before == 0 || left > 0;
        tally.tried(&format!("- output, read {read:?}: {got} bytes, {before} ran, {left} left"), wrong);
    }
    tally.report("output");
}
