//! Commands for stdio connectors, declared by the operator in a JSON file.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context as _, ensure};
use catalog::mcp::Command;

/// Reads and checks the file that `COUNTERSIGN_STDIO_SERVERS` names.
pub(crate) fn declared(path: &Path) -> anyhow::Result<BTreeMap<String, Command>> {
    let text = std::fs::read(path)
        .with_context(|| format!("reading {} (COUNTERSIGN_STDIO_SERVERS) failed", path.display()))?;
    parse(&text).with_context(|| format!("{} (COUNTERSIGN_STDIO_SERVERS) is invalid", path.display()))
}

fn parse(text: &[u8]) -> anyhow::Result<BTreeMap<String, Command>> {
    let commands: BTreeMap<String, Command> = serde_json::from_slice(text).context(
        r#"expected {"name": {"command": ["/path/of/program", "argument"], "env": {"NAME": "value"}, "organizations": "all"}}"#,
    )?;
    for (name, command) in &commands {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let length = 1..=64;
        ensure!(
            length.contains(&name.len()) && name.chars().all(plain),
            "the name {name:?} is invalid. Use 1 to 64 letters, digits, `-`, `_` or `.`"
        );
        let program = command
            .command
            .first()
            .with_context(|| format!("`{name}` has no program. Add its absolute path to `command`"))?;
        // The environment is not inherited, so there is no PATH: libc would search default folders for a bare name.
        ensure!(
            Path::new(program).is_absolute(),
            "the program of `{name}` must be an absolute path, because PATH is not inherited"
        );
        command.check().map_err(|why| anyhow::anyhow!("`{name}` is invalid: {why}"))?;
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use catalog::mcp::Organizations;

    use super::*;

    #[test]
    fn a_command_that_could_not_be_started_is_refused() {
        let good =
            parse(br#"{"search": {"command": ["/usr/bin/search", "--quiet"], "env": {"A": "b"}}}"#).unwrap();
        assert_eq!(good["search"].command, ["/usr/bin/search", "--quiet"]);
        assert_eq!(good["search"].organizations, Organizations::default());
        let wide = br#"{"search": {"command": ["/x"], "organizations": "all", "read": ["/usr"], "hosts": ["*.a.example:8443"]}}"#;
        assert_eq!(parse(wide).unwrap()["search"].organizations, Organizations::ALL);
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
            r#"{"a": {"command": ["/x"], "read": ["usr"]}}"#,
            r#"{"a": {"command": ["/x"], "write": ["/tmp"]}}"#,
            r#"{"a": {"command": ["/x/../y"]}}"#,
            r#"{"a": {"command": ["/x"], "memory_mib": 0}}"#,
            r#"{"a": {"command": ["/x"], "hosts": ["https://a.example.com"]}}"#,
            r#"{"a": {"command": ["/x"], "hosts": ["a.example.com:0"]}}"#,
            r#"{"a": {"command": ["/x"], "organizations": "some"}}"#,
        ] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
