//! Commands that connectors may be, declared by the operator in a file of JSON.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context as _, ensure};
use catalog::mcp::Command;

/// Reads and checks the file that `COUNTERSIGN_STDIO_SERVERS` names.
pub(crate) fn declared(path: &Path) -> anyhow::Result<BTreeMap<String, Command>> {
    let text = std::fs::read(path)
        .with_context(|| format!("reading {}, which COUNTERSIGN_STDIO_SERVERS names", path.display()))?;
    parse(&text).with_context(|| format!("in {}, which COUNTERSIGN_STDIO_SERVERS names", path.display()))
}

fn parse(text: &[u8]) -> anyhow::Result<BTreeMap<String, Command>> {
    let commands: BTreeMap<String, Command> = serde_json::from_slice(text).context(
        r#"expected {"name": {"command": ["/path/of/program", "argument"], "env": {"NAME": "value"}}}"#,
    )?;
    for (name, command) in &commands {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let length = 1..=64;
        ensure!(
            length.contains(&name.len()) && name.chars().all(plain),
            "a name has 1 to 64 letters, digits, `-`, `_` or `.`: {name:?}"
        );
        let program = command.command.first().with_context(|| format!("`{name}` has no program"))?;
        // Nothing is inherited, so there is no search path either: a bare name would find whatever libc looks at.
        ensure!(
            Path::new(program).is_absolute(),
            "the program of `{name}` must be an absolute path: nothing is inherited, PATH neither"
        );
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_started_is_refused_at_the_start() {
        let good =
            parse(br#"{"search": {"command": ["/usr/bin/search", "--quiet"], "env": {"A": "b"}}}"#).unwrap();
        assert_eq!(good["search"].command, ["/usr/bin/search", "--quiet"]);
        assert!(parse(b"{}").unwrap().is_empty());
        for bad in [
            "",
            "[]",
            r#"{"a": {}}"#,
            r#"{"a": {"command": []}}"#,
            r#"{"a": {"command": ["search"]}}"#,
            r#"{"a": {"command": "search"}}"#,
            r#"{"a": {"command": ["/x"], "cwd": "/"}}"#,
            r#"{"": {"command": ["/x"]}}"#,
            r#"{"a b": {"command": ["/x"]}}"#,
        ] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
