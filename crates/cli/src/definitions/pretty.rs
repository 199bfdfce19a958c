//! A definition as people write it: indented, with the most important fields first.

use serde_json::Value;

/// The order of fields at every level: what something is comes before how it is configured. The gateway keeps no order.
const FIRST: [&str; 17] = [
    "schema_version",
    "name",
    "goal",
    "step_id",
    "type",
    "action",
    "when",
    "output_as",
    "event_type",
    "cron",
    "timezone",
    "inputs",
    "triggers",
    "plan",
    "config",
    "execution",
    "metadata",
];

pub(crate) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_by_key(|name| (rank(name), name.as_str()));
            let parts = names.into_iter().filter_map(|name| Some((Some(name), fields.get(name)?)));
            block('{', '}', parts, depth, out);
        }
        Value::Array(items) if !items.is_empty() => {
            block('[', ']', items.iter().map(|item| (None, item)), depth, out);
        }
        plain => out.push_str(&plain.to_string()),
    }
}

fn rank(name: &str) -> usize {
    FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len())
}

fn block<'v>(
    open: char,
    close: char,
    parts: impl Iterator<Item = (Option<&'v String>, &'v Value)>,
    depth: usize,
    out: &mut String,
) {
    out.push(open);
    for (index, (name, value)) in parts.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(name) = name {
            out.push_str(&format!("{}: ", Value::from(name.as_str())));
        }
        write(value, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn important_fields_come_first_and_nothing_is_lost() {
        let definition = json!({
            "plan": [{ "config": { "text": "a \"b\"\n", "channel": "C1" }, "action": "slack.send_message",
                       "step_id": "tell" }],
            "triggers": [], "metadata": {}, "goal": "", "name": "Digest", "schema_version": "1.0",
            "execution": { "timeout_seconds": 120, "on_failure": [] },
        });
        let text = pretty(&definition);
        expect![[r#"
            {
              "schema_version": "1.0",
              "name": "Digest",
              "goal": "",
              "triggers": [],
              "plan": [
                {
                  "step_id": "tell",
                  "action": "slack.send_message",
                  "config": {
                    "channel": "C1",
                    "text": "a \"b\"\n"
                  }
                }
              ],
              "execution": {
                "on_failure": [],
                "timeout_seconds": 120
              },
              "metadata": {}
            }
        "#]]
        .assert_eq(&text);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), definition);
    }
}
