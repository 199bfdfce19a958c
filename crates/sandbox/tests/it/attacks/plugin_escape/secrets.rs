//! Secrets of the gateway and the launcher: environment, arguments, descriptors, memory.

use std::fs;

use rustix::io::{FdFlags, fcntl_setfd};

use super::{
    fixture::{Control, Fixture, LANDLOCK, LIMITS, NAMESPACES, USER, fixture, judge},
    scene::Scene,
};

const OTHERS: Control = Control::Off(&[NAMESPACES, USER, LANDLOCK]);

const SECRETS: &[Fixture] = &[
    fixture("environment of the starter", Control::Bare, "\
more = set(os.environ) - {'PATH', 'HOME', 'TMPDIR', 'LC_CTYPE'}
if more: escaped(more)"),
    fixture("environment at the start", Control::Bare, "\
names = {entry.split(b'=')[0] for entry in open('/proc/self/environ', 'rb').read().split(b'\\0')[:-1]}
if names - {b'PATH', b'HOME', b'TMPDIR'}: escaped(names)"),
    fixture("environments of all processes", OTHERS, "\
for process in processes():
    try: print(open('/proc/%s/environ' % process).read())
    except OSError: pass"),
    fixture("arguments of all processes", Control::Off(&[NAMESPACES]), "\
own = str(os.getpid())
for process in processes():
    if process == own: continue
    try: print(open('/proc/%s/cmdline' % process).read())
    except OSError: pass"),
    fixture("the starter's arguments, by its number", Control::Off(&[NAMESPACES]), "\
print(open('/proc/@victim@/cmdline').read())"),
    fixture("descriptors of another process", OTHERS, "print(open('/proc/@victim@/fd/0').read())"),
    fixture("memory of another process", OTHERS, "\
for line in open('/proc/@victim@/maps'):
    if '[stack]' in line:
        start, end = [int(part, 16) for part in line.split()[0].split('-')]
        memory = os.open('/proc/@victim@/mem', os.O_RDONLY)
        print(os.pread(memory, end - start, start).count(b'canary') and 'ESCAPED')"),
    fixture("a file that the starter had open", Control::Bare, "\
for number in range(3, 2000):
    try: print(os.pread(number, 99, 0))
    except OSError: pass"),
    fixture("descriptors besides the three streams", Control::Bare, "\
for number in range(3, 2000):
    try: escaped(number, os.fstat(number))
    except OSError: pass
for name in os.listdir('/proc/self/fd'):
    # The listing itself is one of them.
    if int(name) > 3: escaped(name, os.readlink('/proc/self/fd/' + name))"),
    fixture("the launcher's socket", Control::None("the launcher closes it whatever the layers are"), "\
for number in [0, 1, 2, 3, 4, 5]:
    try:
        other = socket.socket(fileno=os.dup(number))
        other.send(b'{\"failed\":{\"error\":\"forged\"}}\\n')
        escaped(number)
    except OSError as error: print(error)"),
    fixture("core dump", Control::Off(&[LIMITS]), "\
import resource
if resource.getrlimit(resource.RLIMIT_CORE)[1] not in (0, 1): escaped(resource.getrlimit(resource.RLIMIT_CORE))
here = folder(); os.chdir(here)
if os.fork() == 0: os.abort()
os.wait()
if os.listdir(here): escaped(os.listdir(here))"),
    fixture("a program of the machine that takes core dumps",
        Control::None("the setting of this machine decides whether there is one"), "\
import resource
# With a limit of 0 the kernel still starts the program that `core_pattern` names; with 1 it does not.
if resource.getrlimit(resource.RLIMIT_CORE)[0] != 1: escaped('it would be started')"),
    fixture("keys of the gateway", Control::None("by default no key is there"), "\
print(open('/proc/keys').read(), reach('keyctl', 0, -3, 0))"),
];

#[tokio::test]
async fn secrets_are_not_passed_on() {
    let scene = Scene::new();
    // As if the gateway had left many files open for its children.
    let secret = fs::File::open(scene.dir.join("secret")).unwrap();
    let kept: Vec<_> = (0..200).map(|_| secret.try_clone().unwrap()).collect();
    for file in &kept {
        fcntl_setfd(file, FdFlags::empty()).unwrap();
    }
    judge("secrets", &scene, SECRETS).await;
}
