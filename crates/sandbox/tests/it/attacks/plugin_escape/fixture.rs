//! A program that tries one thing, and the judgement of what came of it.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use sandbox::{Layer, Policy};

use super::{numbers, scene::Scene};
use crate::cage::Cage;

/// Writes a line that is seen although the test passes.
macro_rules! say {
    ($($text:tt)*) => {
        let _ = writeln!(std::io::stderr(), $($text)*);
    };
}
pub(super) use say;

const PRELUDE: &str = include_str!("prelude.py");
/// Short names for the tables.
pub(super) const NAMESPACES: Layer = Layer::Namespaces;
pub(super) const LANDLOCK: Layer = Layer::Landlock;
pub(super) const SECCOMP: Layer = Layer::Seccomp;
pub(super) const LIMITS: Layer = Layer::Limits;
pub(super) const USER: Layer = Layer::User;

/// How it is shown that the script can succeed at all.
#[derive(Clone, Copy)]
pub(super) enum Control {
    /// The same without these layers.
    Off(&'static [Layer]),
    /// The same, but only root may do it at all.
    RootOff(&'static [Layer]),
    /// The same program without a sandbox, started by the test itself.
    Bare,
    /// There is none, for this reason.
    None(&'static str),
}

/// A Python script. It escaped if it prints `ESCAPED` or the canary, or if a file outside changed. `@name@` in it is
/// replaced with what the scene has under that name.
#[derive(Clone, Copy)]
pub(super) struct Fixture {
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    pub(super) control: Control,
    pub(super) policy: fn(&mut Policy),
}

pub(super) const fn fixture(name: &'static str, control: Control, script: &'static str) -> Fixture {
    Fixture { name, script, control, policy: |_| () }
}

impl Fixture {
    pub(super) const fn with(mut self, policy: fn(&mut Policy)) -> Self {
        self.policy = policy;
        self
    }
}

/// The whole program of a script: it prints `ENDED` when it came to its end.
pub(super) fn program(scene: &Scene, script: &str) -> String {
    // The first line tells its processes from those of other scenes.
    let mut program = format!("# @outside@/\n{}", PRELUDE.replace("@numbers@", &numbers::dictionary()));
    for line in script.lines() {
        program.push_str("    ");
        program.push_str(line);
        program.push('\n');
    }
    program.push_str(
        "try:\n    main()\nexcept (OSError, MemoryError, EOFError) as error:\n    print('refused:', error)\n",
    );
    program.push_str("print('ENDED', flush=True)\n");
    scene.fill(&program)
}

/// What a group of fixtures came to.
#[derive(Default)]
pub(super) struct Tally {
    tried: usize,
    wrong: Vec<String>,
    controls: usize,
    idle: Vec<String>,
}

impl Tally {
    pub(super) fn tried(&mut self, what: &str, escaped: bool) {
        self.tried += 1;
        if escaped {
            self.wrong.push(what.to_owned());
        }
    }

    pub(super) fn control(&mut self, what: &str, succeeded: bool) {
        self.controls += 1;
        if !succeeded {
            self.idle.push(what.to_owned());
        }
    }

    /// Prints what `abuse/run` reads.
    pub(super) fn report(self, check: &str) {
        say!(r#"abuse-9 {{"check":"{check}","tried":{},"wrong":{}}}"#, self.tried, self.wrong.len());
        if self.controls > 0 {
            let (controls, idle) = (self.controls, self.idle.len());
            say!(
                r#"abuse-9 {{"check":"control: {check} with layers off","tried":{controls},"wrong":{idle}}}"#
            );
        }
        let (wrong, idle) = (self.wrong.join("\n"), self.idle.join("\n"));
        assert!(
            wrong.is_empty() && idle.is_empty(),
            "{check}: got out, or did not get to its end:\n{wrong}\ncontrols that did nothing:\n{idle}"
        );
    }
}

/// Runs each fixture in the sandbox, and its control.
pub(super) async fn judge(check: &str, scene: &Scene, fixtures: &[Fixture]) {
    let mut tally = Tally::default();
    for fixture in fixtures {
        let came = inside(scene, fixture, &[]).await;
        let changed = scene.changed();
        let escaped = got_out(scene, &came) || !came.contains("ENDED") || changed.is_some();
        tally.tried(&format!("- {}: {came} {changed:?}", fixture.name), escaped);
        scene.repair();
        let came = match fixture.control {
            Control::Off(layers) => inside(scene, fixture, layers).await,
            Control::RootOff(layers) if scene.root => inside(scene, fixture, layers).await,
            Control::Bare => bare(scene, fixture.script),
            Control::None(why) => {
                say!("no control for `{}`: {why}", fixture.name);
                continue;
            }
            Control::RootOff(_) => {
                say!("no control for `{}`: the kernel refuses it to an ordinary user", fixture.name);
                continue;
            }
        };
        // What this kernel was built without cannot succeed.
        if !came.contains("ABSENT") {
            let succeeded = got_out(scene, &came) || scene.changed().is_some();
            tally.control(&format!("- {}: {came}", fixture.name), succeeded);
        }
        scene.repair();
    }
    tally.report(check);
}

pub(super) fn got_out(scene: &Scene, came: &str) -> bool {
    came.contains("ESCAPED") || came.contains(&scene.canary)
}

/// What a fixture prints in the sandbox, less the layers left out.
async fn inside(scene: &Scene, fixture: &Fixture, without: &[Layer]) -> String {
    let mut cage = scene.cage(fixture.script).without(without);
    if without.contains(&NAMESPACES) && !scene.root {
        // Then all processes of this user count, and there may be more of them than the limit.
        cage = cage.without(&[LIMITS]);
    }
    (fixture.policy)(&mut cage.policy);
    printed(&cage).await
}

pub(super) async fn printed(cage: &Cage) -> String {
    match cage.run().await {
        Ok(came) => format!("{} (exit code {:?})", came.out.trim().replace('\n', " | "), came.code),
        Err(error) => format!("not started: {error}"),
    }
}

/// What it prints without a sandbox.
fn bare(scene: &Scene, script: &str) -> String {
    let mut command = Command::new("/usr/bin/python3");
    command
        .args(["-c", &program(scene, script)])
        .env("COUNTERSIGN_CANARY", &scene.canary)
        .stdin(Stdio::null());
    let output = command.output().expect("python3 runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
