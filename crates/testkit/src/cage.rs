//! Inputs that could kill a process, tried in one that may be killed: so much memory, the stack a blocking thread has, and
//! a name on paper before each, so that whoever dies says of what.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

/// What a blocking thread of the server has.
const STACK: usize = 2 << 20;

/// Runs an ignored test of this binary in a process of its own, which may not have more memory and time of a processor than that.
pub fn caged(test: &str, mebibytes: usize, seconds: usize) -> Output {
    let binary = std::env::current_exe().expect("the path of this test");
    let limits = format!("ulimit -c 0; ulimit -v {}; ulimit -t {seconds}; exec \"$@\"", mebibytes * 1_024);
    // A heap per thread would be counted whether it is used or not.
    let run = Command::new("sh")
        .args(["-c", &limits, "cage"])
        .arg(binary)
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .expect("sh runs");
    let told = String::from_utf8_lossy(&run.stdout);
    for line in told.lines().filter(|line| line.starts_with("abuse-") || line.starts_with("slowest")) {
        println!("{line}");
    }
    run
}

/// What came of trying.
#[derive(Debug, Default)]
pub struct Trial {
    pub tried: usize,
    /// What took too long, panicked, or was answered badly.
    pub wrong: Vec<String>,
}

/// Gives each input to `work` on a thread with a small stack. Wrong is what takes longer than `soon`, panics, or is
/// complained about by `work`.
pub fn try_each<T: Sync>(
    soon: Duration,
    inputs: &[(String, T)],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Trial {
    let mut trial = Trial::default();
    let (mut slowest, mut slowest_name) = (Duration::ZERO, "");
    for (name, input) in inputs {
        println!("trying {name}");
        let start = Instant::now();
        let ended = thread::scope(|scope| {
            let run = || {
                let ended = catch_unwind(AssertUnwindSafe(|| work(input)));
                (ended, on_the_processor())
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            thread.expect("a thread").join()
        });
        let (ended, worked) = ended.map_or((None, None), |(ended, worked)| (Some(ended), worked));
        let took = worked.unwrap_or_else(|| start.elapsed());
        trial.tried += 1;
        if took > slowest {
            (slowest, slowest_name) = (took, name);
        }
        match ended {
            Some(Ok(Ok(()))) if took <= soon => {}
            Some(Ok(Ok(()))) => trial.wrong.push(format!("{name}: took {took:?}")),
            Some(Ok(Err(why))) => trial.wrong.push(format!("{name}: {why}")),
            _ => trial.wrong.push(format!("{name}: panicked")),
        }
    }
    println!("slowest {slowest:?}: {slowest_name}");
    trial
}

/// How long this thread has worked: other work on the machine plays no part in it. Linux only; elsewhere the clock must do.
fn on_the_processor() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
