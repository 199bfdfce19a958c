//! Programs that want to go on when they should have ended, and that want to end others.

use std::{fs, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt as _;

use super::{
    fixture::{Control, Fixture, LIMITS, NAMESPACES, Tally, fixture, judge},
    scene::Scene,
};

/// How a program is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The starter lets go.
    LetGo,
    /// The launcher is killed, while the starter holds on.
    LauncherKilled,
    /// Both are dropped, the launcher first.
    Dropped,
}

/// Each says `ready` when it has done what should save it.
const OUTLIVING: &[(&str, &str)] = &[
    (
        "daemon",
        "\
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3): os.close(number)
        time.sleep(600)
    os._exit(0)
time.sleep(0.1); print('ready', flush=True); time.sleep(600)",
    ),
    (
        "deaf to all signals",
        "\
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
os.fork(); print('ready', flush=True)
while True: time.sleep(600)",
    ),
    (
        "signals blocked",
        "\
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); os.fork(); print('ready', flush=True)
while True: time.sleep(600)",
    ),
    (
        "children that nobody waits for",
        "\
for child in range(30):
    if os.fork() == 0: os._exit(0)
print('ready', flush=True); time.sleep(600)",
    ),
    (
        "stopped",
        "\
child = os.fork()
if child == 0: os.kill(os.getpid(), signal.SIGSTOP)
print('ready', flush=True); os.kill(os.getpid(), signal.SIGSTOP); time.sleep(600)",
    ),
    (
        "a chain of children",
        "\
print('ready', flush=True)
until = time.monotonic() + 600
while time.monotonic() < until:
    # The parent ends and the child goes on, except for the first one, whose end is the end of all.
    if os.fork() == 0:
        for turn in range(5):
            time.sleep(0.01)
            if os.fork(): os._exit(0)
        os._exit(0)
    time.sleep(0.05)
    try: os.waitpid(-1, os.WNOHANG)
    except OSError: pass",
    ),
    (
        "does not end with its parent",
        "\
call('prctl', 1, 0, 0, 0, 0); print('ready', flush=True)
while True: time.sleep(600)",
    ),
    (
        "does not end with its parent, by exec in a thread",
        "\
import threading
# What was said about the parent's end is forgotten when another thread than the first one starts a program.
script = 'echo ready; while :; do sleep 600; done'
threading.Thread(target=lambda: os.execv('/bin/sh', ['sh', '-c', script, '@outside@/'])).start()
time.sleep(600)",
    ),
    (
        "kills everybody first",
        "\
try: os.kill(-1, 9)
except OSError: pass
try: os.killpg(0, 0)
except OSError: pass
for number in range(2, 70000):
    try: number != os.getpid() and os.kill(number, 9)
    except OSError: pass
print('ready', flush=True); time.sleep(600)",
    ),
];

const ENDING_OTHERS: &[Fixture] = &[
    fixture(
        "end a process outside",
        Control::Off(&[NAMESPACES, super::fixture::LANDLOCK, super::fixture::USER]),
        "\
tried(lambda: os.kill(@victim@, 0))",
    ),
    fixture(
        "end everybody, and the launcher",
        Control::None("without the guard it would end this test"),
        "\
tried(lambda: os.kill(@victim@, 9))
for number in [-1, *range(1, 70000)]:
    try: number != os.getpid() and os.kill(number, 9)
    except OSError: pass",
    ),
    fixture(
        "its parent is nobody it knows",
        Control::Off(&[NAMESPACES]),
        "\
if os.getppid() > 1: escaped(os.getppid())
if os.getpid() > 3: escaped(os.getpid())",
    ),
    fixture(
        "signals through a pipe's owner",
        Control::None("it is seen whether the victim lives"),
        "\
import fcntl
for number in range(3):
    try:
        fcntl.fcntl(number, fcntl.F_SETOWN, @victim@); fcntl.fcntl(number, 10, signal.SIGKILL)
        fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError as error: print(error)",
    ),
];

#[tokio::test]
async fn nobody_outside_can_be_ended() {
    judge("ending others", &Scene::new(), ENDING_OTHERS).await;
}

#[tokio::test]
async fn nothing_outlives_its_sandbox() {
    let mut tally = Tally::default();
    for (name, script) in OUTLIVING {
        for how in [End::LetGo, End::LauncherKilled, End::Dropped] {
            let left = outlived(script, how, &[]).await;
            tally.tried(&format!("- {name}, {how:?}: {left:?} went on"), left != Ok(0));
        }
    }
    // What has no namespace of processes around it goes on. Without it, all processes of a user are counted.
    for (name, script) in
        OUTLIVING.iter().filter(|(name, _)| ["daemon", "deaf to all signals"].contains(name))
    {
        let left = outlived(script, End::LetGo, &[NAMESPACES, LIMITS]).await;
        tally.control(&format!("- {name}: {left:?} went on"), left.is_ok_and(|left| left > 0));
    }
    tally.report("outliving");
}

/// How many processes of a program went on after its end.
async fn outlived(script: &str, how: End, without: &[sandbox::Layer]) -> Result<usize, String> {
    let scene = Scene::new();
    let cage = scene.cage(script).without(without);
    let (mut child, started) = cage.start().await.map_err(|error| error.to_string())?;
    let mut ready = [0; 5];
    let stdout = child.stdout.as_mut().expect("a pipe");
    let read = tokio::time::timeout(Duration::from_secs(60), stdout.read_exact(&mut ready)).await;
    if !matches!(read, Ok(Ok(_))) || ready != *b"ready" {
        return Err(format!("not ready: {ready:?}"));
    }
    match how {
        End::LetGo => {
            drop(started);
            let _ = tokio::time::timeout(Duration::from_secs(60), child.wait()).await;
        }
        End::LauncherKilled => {
            child.start_kill().map_err(|error| error.to_string())?;
            let _ = child.wait().await;
            let left = end(&scene).await;
            drop(started);
            return Ok(left);
        }
        End::Dropped => {
            drop(child);
            drop(started);
        }
    }
    Ok(end(&scene).await)
}

/// The programs of a scene that run: their scripts contain the canary's folder.
pub(super) fn processes_of(scene: &Scene) -> Vec<Pid> {
    let (mark, victim) = (format!("escape-{}/", scene.tenant), scene.canary.as_bytes());
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let contains = |text: &[u8]| line.windows(text.len()).any(|part| part == text);
        let number = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        if let Some(number) = number.filter(|_| contains(mark.as_bytes()) && !contains(victim)) {
            found.push(number);
        }
    }
    found
}

/// Waits until the programs of a scene have ended. Those that do not are ended, and counted.
pub(super) async fn end(scene: &Scene) -> usize {
    // A killed process needs a moment, on a busy machine a long one; what went on is still there after it.
    let mut left = processes_of(scene);
    for _ in 0..60 {
        if left.is_empty() {
            return 0;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        left = processes_of(scene);
    }
    for process in &left {
        let _ = kill_process(*process, Signal::KILL);
    }
    left.len()
}
