//! Helpers shared by the tests of attacks.

use serde_json::{Value, json};

/// Prints what an attack tried and what went wrong, on a line that `abuse/run` reads.
#[expect(clippy::print_stdout, reason = "`abuse/run` reads these lines")]
pub fn tried(attack: u8, check: &str, tried: usize, wrong: usize) {
    println!("abuse-{attack} {}", json!({"check": check, "tried": tried, "wrong": wrong}));
}

/// Every location in a value, as JSON pointers; that of the whole value is empty.
pub fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, String::new(), &mut found);
    found
}

fn collect(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(at.clone());
            for (name, field) in fields {
                collect(field, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            found.push(at.clone());
            for (number, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{number}"), found);
            }
        }
        _ => found.push(at),
    }
}
