//! Two tenants at the same time: neither sees anything of the other.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use tokio::io::AsyncReadExt as _;

use super::{
    fixture::{Control, Fixture, LANDLOCK, NAMESPACES, Tally, USER, fixture, got_out, printed},
    outlive::processes_of,
    scene::Scene,
};

/// The other tenant: it leaves something of each kind, and takes it away when it is told to end.
const NEIGHBOUR: &str = "\
paths = ['/tmp/neighbour-@number@', '/dev/shm/neighbour-@number@']
for path in paths:
    open(path, 'w').write('@canary@'); os.chmod(path, 0o666)
hidden = socket.socket(socket.AF_UNIX); hidden.bind('\\0neighbour-@number@'); hidden.listen()
seen = socket.socket(socket.AF_UNIX); seen.bind('/tmp/neighbour-socket-@number@'); seen.listen()
os.chmod('/tmp/neighbour-socket-@number@', 0o777); paths.append('/tmp/neighbour-socket-@number@')
segment = LIBC.shmget(@small@, 4096, 0o1666); queue = LIBC.msgget(@small@, 0o1666)
def over(*_):
    for path in paths: os.unlink(path)
    LIBC.shmctl(segment, 0, 0); LIBC.msgctl(queue, 0, 0); os._exit(0)
signal.signal(signal.SIGTERM, over)
print('ready', flush=True)
time.sleep(120)";

const SEEING: &[Fixture] = &[
    fixture("files in /tmp", Control::Off(&[NAMESPACES]), "print(open('/tmp/neighbour-@number@').read())"),
    fixture(
        "files in /dev/shm",
        Control::Off(&[NAMESPACES]),
        "print(open('/dev/shm/neighbour-@number@').read())",
    ),
    fixture(
        "any file in /tmp and /dev/shm",
        Control::Off(&[NAMESPACES]),
        "\
more = set(os.listdir('/tmp') + os.listdir('/dev/shm')) - {os.path.basename('@outside@')}
if more: escaped(len(more))",
    ),
    fixture(
        "processes",
        Control::Off(&[NAMESPACES]),
        "\
if len(processes()) > 1: escaped(len(processes()))",
    ),
    fixture(
        "scratch folder through its processes",
        Control::Off(&[NAMESPACES, USER, LANDLOCK]),
        "\
for process in processes():
    try: print(open('/proc/%s/root/tmp/neighbour-@number@' % process).read())
    except OSError: pass",
    ),
    fixture(
        "abstract Unix socket",
        Control::Off(&[NAMESPACES, LANDLOCK]),
        "\
s = socket.socket(socket.AF_UNIX); s.connect('\\0neighbour-@number@'); escaped('connected')",
    ),
    fixture(
        "Unix socket in /tmp",
        Control::Off(&[NAMESPACES]),
        "\
s = socket.socket(socket.AF_UNIX); s.connect('/tmp/neighbour-socket-@number@'); escaped('connected')",
    ),
    fixture(
        "list of Unix sockets",
        Control::Off(&[NAMESPACES]),
        "\
if 'neighbour' in open('/proc/net/unix').read(): escaped('listed')",
    ),
    fixture(
        "shared memory of System V",
        Control::None("no program in a sandbox can make one"),
        "\
if LIBC.shmget(@small@, 4096, 0) >= 0: escaped('a segment')",
    ),
    fixture(
        "message queues of System V",
        Control::None("no program in a sandbox can make one"),
        "\
if LIBC.msgget(@small@, 0) >= 0: escaped('a queue')",
    ),
    fixture(
        "name of the machine's control groups",
        Control::None("it depends on the machine"),
        "\
for line in open('/proc/self/cgroup'):
    if line.strip().rsplit(':', 1)[1] not in ('/', ''): escaped(line)",
    ),
];

#[tokio::test]
async fn tenants_do_not_see_each_other() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    beside_a_neighbour(&scene, &mut tally, true).await;
    beside_a_neighbour(&scene, &mut tally, false).await;
    tally.report("tenants");
}

/// Runs the fixtures while the neighbour runs: all guarded, or all controls.
async fn beside_a_neighbour(scene: &Scene, tally: &mut Tally, guarded: bool) {
    let script = NEIGHBOUR.replace("@canary@", &scene.canary);
    let mut neighbour = scene.cage(&script);
    // As a different organization has a different user.
    neighbour.policy.tenant += 1 << 20;
    if !guarded {
        neighbour = neighbour.without(&[NAMESPACES, USER, LANDLOCK]);
    }
    let (mut child, started) = neighbour.start().await.unwrap();
    let mut ready = [0; 5];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).await.unwrap();
    let program = child.id();
    for fixture in SEEING {
        let layers = match fixture.control {
            _ if guarded => &[],
            Control::Off(layers) => layers,
            _ => continue,
        };
        let came = printed(&scene.cage(fixture.script).without(layers)).await;
        let out = format!("- {}: {came}", fixture.name);
        if guarded {
            tally.tried(&out, got_out(scene, &came) || !came.contains("ENDED"));
        } else {
            tally.control(&out, got_out(scene, &came));
        }
    }
    assert!(program.is_some(), "the neighbour ran until now");
    if !guarded {
        // Its script contains the canary, as that of the victim does; it is the launcher's only child.
        for process in children(program.unwrap_or_default()) {
            let _ = kill_process(process, Signal::TERM);
        }
        let _ = tokio::time::timeout(Duration::from_secs(20), child.wait()).await;
    }
    drop(started);
    let _ = tokio::time::timeout(Duration::from_secs(20), child.wait()).await;
    assert_eq!(processes_of(scene).len(), 0);
}

fn children(parent: u32) -> Vec<rustix::process::Pid> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let all = std::fs::read_to_string(path).unwrap_or_default();
    all.split_whitespace().filter_map(|pid| rustix::process::Pid::from_raw(pid.parse().ok()?)).collect()
}
