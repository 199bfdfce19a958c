//! Inputs that could kill a process, tried in a process with limited memory, time and stack. The name of each input is
//! printed first, so that a crash shows its cause.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

/// The stack of a blocking thread of the server, in bytes.
const STACK: usize = 2 << 20;

/// Runs an ignored test of this binary in a process of its own, with limits for memory and processor time.
pub fn caged(test: &str, mebibytes: usize, seconds: usize) -> Output {
    let binary = std::env::current_exe().expect("the path of this test binary");
    let limits = format!("ulimit -c 0; ulimit -v {}; ulimit -t {seconds}; exec \"$@\"", mebibytes * 1_024);
    // With one heap per thread, memory would count towards the limit whether it is used or not.
    let run = Command::new("sh")
        .args(["-c", &limits, "cage"])
        .arg(binary)
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .expect("sh can be started");
    let told = String::from_utf8_lossy(&run.stdout);
    for line in told.lines().filter(|line| line.starts_with("abuse-") || line.starts_with("slowest")) {
        println!("{line}");
    }
    run
}

/// The result of trying inputs.
#[derive(Debug, Default)]
pub struct Trial {
    pub tried: usize,
    /// Inputs that took too long, panicked, or got a wrong answer.
    pub wrong: Vec<String>,
}

/// Gives each input to `work` on a thread with a small stack. An input fails if it takes longer than `soon`, panics, or
/// `work` returns a complaint.
pub fn try_each<T: Sync>(
    soon: Duration,
    inputs: &[(String, T)],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Trial {
    let mut trial = Trial::default();
    let (mut slowest, mut slowest_name) = (Duration::ZERO, "");
    for (name, input) in inputs {
        println!("trying {name}");
        let (ended, mut took) = measure(|| work(input));
        // Other work on the machine can only add to a measurement, so the smallest of three counts.
        for _ in 0..2 {
            if took > soon {
                took = took.min(measure(|| work(input)).1);
            }
        }
        trial.tried += 1;
        if took > slowest {
            (slowest, slowest_name) = (took, name);
        }
        match ended {
            Some(Ok(())) if took <= soon || took <= soon.mul_f64(slowness()) => {}
            Some(Ok(())) => trial.wrong.push(format!("{name}: took {took:?}")),
            Some(Err(why)) => trial.wrong.push(format!("{name}: {why}")),
            None => trial.wrong.push(format!("{name}: panicked")),
        }
    }
    println!("slowest {slowest:?}: {slowest_name}");
    trial
}

/// Runs something on a thread with a small stack. Returns its result, or `None` if it panicked, and its processor time.
fn measure<R: Send>(work: impl Fn() -> R + Sync) -> (Option<R>, Duration) {
    let start = Instant::now();
    let ended = thread::scope(|scope| {
        let run = || (catch_unwind(AssertUnwindSafe(&work)).ok(), on_the_processor());
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be started").join()
    });
    let (ended, worked) = ended.unwrap_or_default();
    (ended, worked.unwrap_or_else(|| start.elapsed()))
}

/// How much slower the processor is now than when the limits were chosen; at least 1. Other work on the same core or
/// machine slows down every instruction, which is not a property of the input.
fn slowness() -> f64 {
    /// The time that the same work took then.
    const USUAL: Duration = Duration::from_millis(60);
    let data = vec![7_u8; 1 << 20];
    let thread = thread::spawn(move || {
        let mut sum = 0_u64;
        for round in 0..4_u64 {
            for byte in &data {
                sum = sum.wrapping_mul(31).wrapping_add(u64::from(*byte) ^ round);
            }
        }
        (std::hint::black_box(sum), on_the_processor())
    });
    let took = thread.join().ok().and_then(|(_, worked)| worked).unwrap_or_default();
    (took.as_secs_f64() / USUAL.as_secs_f64()).max(1.0)
}

/// The processor time of this thread, which other work on the machine does not change. Linux only; elsewhere the clock
/// is used.
fn on_the_processor() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
