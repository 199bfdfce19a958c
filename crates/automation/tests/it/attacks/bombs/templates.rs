//! Templates as bombs: a few bytes that would take all memory, all time or the whole stack. Each is checked and
//! rendered in a process with little of any, and every error is short and repeats none of the input.

use std::time::Duration;

use catalog::template::{self, Bounds, TemplateError};
use minijinja::{Environment, value::Serde};
use serde_json::{Map, Value, json};
use testkit::{caged, tried, try_each};

use crate::attacks::bombs::inputs::templates::{made_up, written};

/// The time limit for one template, in an unoptimised build. Rendering may use 0.05 s of it.
const SOON: Duration = Duration::from_millis(1_500);
const BOUNDS: Bounds = Bounds { data: 256 * 1024, output: 1 << 20, time: Duration::from_millis(50) };
const MEBIBYTES: usize = 512;

/// Data that makes templates expensive, each within its limit: long, wide, deep, or growing when its case changes.
fn data() -> Vec<(&'static str, Map<String, Value>)> {
    let word = |word: &str, bytes: usize| Value::from(word.repeat(bytes / word.len()));
    let deep = (0..100)
        .fold(json!(1), |inner, level| if level % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) });
    let map: Map<String, Value> = (0..100).map(|n| (format!("k{n}"), json!(n))).collect();
    let small = json!({ "l": [3, 1, 2], "m": [1, 2], "ll": [[1], [2]], "s": "ab c", "t": "b", "deep": { "a": [1] }, "map": map, "n": 7,
        "when": "2026-11-15T09:30:00Z", "words": ["x", "y"] });
    let mut all = vec![("small", small.clone())];
    let mut with = |name, fields: Value| {
        let mut data = small.clone();
        fields.as_object().unwrap().iter().for_each(|(name, field)| data[name] = field.clone());
        all.push((name, data));
    };
    let mut other = vec![json!(1); 55_000];
    other.push(json!(2));
    with("long lists", json!({ "l": vec![1; 55_001], "m": other }));
    with("a list of 100 000", json!({ "l": vec![0; 100_000] }));
    with("long texts", json!({ "s": word("a", 120_000), "t": word("a", 120_000) }));
    with("wide", json!({ "ll": vec![vec![0; 300]; 300], "words": vec![word("x", 100); 300] }));
    with("deep", json!({ "deep": deep, "l": vec![deep; 100] }));
    with("text that grows", json!({ "s": word("ŉΐﬃ", 60_000), "t": word("\u{202e}\u{0}\"\\", 60_000) }));
    all.into_iter().map(|(name, data)| (name, data.as_object().unwrap().clone())).collect()
}

/// An error is for the author of the template: one short line.
fn is_clean(error: &TemplateError) -> Result<(), String> {
    let told = error.to_string();
    let dirty =
        told.len() > 200 || told.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
    if dirty {
        Err(format!("a refusal of {} bytes: {:?}", told.len(), told.chars().take(80).collect::<String>()))
    } else {
        Ok(())
    }
}

fn fill(source: &str, data: &Map<String, Value>) -> Result<(), String> {
    if let Err(error) = template::check(source) {
        is_clean(&error)?;
    }
    match template::render(source, data, BOUNDS) {
        Ok(filled) if filled.to_string().len() > 8 * BOUNDS.output => {
            Err("more came out than may".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) => is_clean(&error),
    }
}

#[test]
#[ignore = "needs the limits of a child process; started by the next test"]
fn in_a_cage() {
    let data = data();
    let small = data[0].1.clone();
    let mut inputs = Vec::new();
    for (name, source) in written() {
        // A template that is refused without data is refused with any data.
        let kinds = if template::check(&source).is_ok() { &data[..] } else { &data[..1] };
        let kinds = if name.contains("loop") { kinds } else { &kinds[..kinds.len().min(4)] };
        for (kind, data) in kinds {
            inputs.push((format!("{name}, {kind}"), (source.clone(), data)));
        }
    }
    let trial = try_each(SOON, &inputs, |(source, data)| fill(source, data));
    tried(10, "templates that are written to grow", trial.tried, trial.wrong.len());
    assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
    let inputs: Vec<(String, String)> = made_up(1_500);
    let filled = inputs.iter().filter(|(_, source)| template::render(source, &small, BOUNDS).is_ok()).count();
    assert!(filled > 100, "only {filled} of the random templates render: the others show little");
    let trial = try_each(SOON, &inputs, |source| fill(source, &small));
    tried(10, "templates that are made up", trial.tried, trial.wrong.len());
    assert!(trial.wrong.is_empty(), "{:#?}", trial.wrong);
}

#[test]
fn no_template_takes_more_than_its_share() {
    let run = caged("attacks::bombs::templates::in_a_cage", MEBIBYTES, 300);
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let last = out.lines().rfind(|line| line.starts_with("trying")).unwrap_or_default();
    assert!(run.status.success(), "{}, {last}\n{}", run.status, &err[err.len().saturating_sub(4_000)..]);
}

/// The engine with its own limits and none of ours.
fn unguarded(source: &str) {
    let mut environment = Environment::new();
    environment.set_fuel(Some(20_000));
    let mut other = vec![1; 100_000];
    other.push(2);
    let data = json!({ "l": vec![1; 100_001], "m": other });
    let work = || environment.template_from_str(source).unwrap().render(Serde(&data)).map(drop);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, work);
        let _ = thread.unwrap().join();
    });
}

#[test]
#[ignore = "kills its process; started as a child process by the control below"]
fn control_of_memory() {
    unguarded(&format!("{{{{ [{}]|length }}}}", "l|sort,".repeat(1_100)));
}

#[test]
#[ignore = "kills its process; started as a child process by the control below"]
fn control_of_time() {
    unguarded("{% for x in l %}{% if l == m %}{% endif %}{% endfor %}");
}

#[test]
#[ignore = "kills its process; started as a child process by the control below"]
fn control_of_the_stack() {
    // Longer than a template may be: that limit is one of the guards.
    unguarded(&format!("{{{{ l{} }}}}", ".a".repeat(40_000)));
}

#[test]
fn control_the_engine_alone_dies() {
    // The causes of death: the allocator (with a message), the kernel (without one), the stack (with a message).
    let tests = [
        ("control_of_memory", 60, "memory allocation"),
        ("control_of_time", 4, ""),
        ("control_of_the_stack", 60, "overflowed its stack"),
    ];
    for (test, seconds, last_words) in tests {
        let run = caged(&format!("attacks::bombs::templates::{test}"), MEBIBYTES, seconds);
        assert!(run.status.code().is_none(), "{test}: not ended by a signal: {}", run.status);
        assert!(String::from_utf8_lossy(&run.stderr).contains(last_words), "{test}: {run:?}");
    }
    tried(10, "control: templates that kill the engine alone", tests.len(), 0);
}
