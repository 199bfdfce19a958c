//! Definitions as bombs: each is parsed and checked as it arrives in a request, in a process with little memory, time
//! and stack. Its problems are reported in few, short, plain lines.

use std::time::Duration;

use automation::{Known, Problem, check};
use jiff::Timestamp;
use serde_json::{Value, json};
use testkit::{caged, tried, try_each};

use crate::{
    attacks::bombs::inputs::changes::{crons, mutated},
    attacks::bombs::inputs::definitions::written,
    attacks::bombs::inputs::schemas::doublings,
};

/// The time limit for one definition of at most 256 KB, in an unoptimised build.
const SOON: Duration = Duration::from_millis(1_500);
const MEBIBYTES: usize = 512;

struct Org;

impl Known for Org {
    fn input_schema(&self, address: &str) -> Option<Value> {
        (address == "slack.send_message").then(|| {
            json!({ "type": "object", "properties": { "channel": {}, "text": {} }, "required": ["channel", "text"],
                "additionalProperties": false })
        })
    }

    fn addresses(&self) -> Vec<String> {
        (0..1_000)
            .map(|n| format!("source{n}.list_things"))
            .chain(["slack.send_message".to_owned()])
            .collect()
    }
}

fn is_clean(problems: &[Problem]) -> Result<(), String> {
    let plain = |text: &str, most: usize| {
        let odd = |c: char| {
            c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        text.chars().count() <= most && !text.chars().any(odd)
    };
    let all = problems.iter().all(|problem| {
        plain(&problem.pointer, 500)
            && plain(&problem.message, 500)
            && problem.suggestion.as_deref().is_none_or(|near| plain(near, 500))
    });
    let few = (1..=50).contains(&problems.len());
    if all && few {
        Ok(())
    } else {
        Err(format!("{} problems, or not plain: {:.300}", problems.len(), format!("{problems:?}")))
    }
}

/// Parses a definition as a server does, and checks it.
fn read(text: &str) -> Result<(), String> {
    let now: Timestamp = "2026-11-15T09:00:00Z".parse().unwrap();
    let Ok(source) = serde_json::from_str::<Value>(text) else { return Ok(()) };
    match check(&source, &Org, now) {
        Ok(_) => Ok(()),
        Err(problems) => is_clean(&problems),
    }
}

#[test]
#[ignore = "needs the limits of a child process; started by the next test"]
fn in_a_cage() {
    for (what, inputs) in [
        ("definitions that are written to be dear", written()),
        ("definitions with odd schedules", crons()),
        ("definitions with a part changed", mutated(1_500)),
    ] {
        let trial = try_each(SOON, &inputs, |text| read(text));
        tried(10, what, trial.tried, trial.wrong.len());
        assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
    }
}

#[test]
fn no_definition_takes_more_than_its_share() {
    let run = caged("attacks::bombs::definitions::in_a_cage", MEBIBYTES, 300);
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let last = out.lines().rfind(|line| line.starts_with("trying")).unwrap_or_default();
    assert!(run.status.success(), "{}, {last}\n{err:.6000}", run.status);
}

#[test]
#[ignore = "kills its process; started as a child process by the control below"]
fn control_of_references() {
    // The schema of inputs is compiled and used without the check of its cost.
    let schema = doublings(60);
    let validator = jsonschema::options().offline().build(&schema).unwrap();
    assert!(validator.is_valid(&json!({ "a": [] })));
}

#[test]
fn control_a_schema_that_is_not_weighed_never_ends() {
    let run = caged("attacks::bombs::definitions::control_of_references", MEBIBYTES, 4);
    assert!(run.status.code().is_none(), "not ended by a signal: {}", run.status);
    tried(10, "control: schemas that hold an unguarded thread", 1, 0);
}
