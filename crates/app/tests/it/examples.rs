//! Every example in a help text, and every command in a ```` ```sh ```` block of README.md and docs/, is run as a person
//! would run it: by a shell, with the real binary, against a real gateway, a worker, an engine and the fakes.
//!
//! Placeholders such as `inv_0199…` become ids of a prepared organization (`prepared.rs`). An example that cannot be run
//! is listed in [`NOT_RUN`] with the reason; both lists may only shrink.

mod prepared;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use prepared::Prepared;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_countersign");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Examples that are not run, by how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("countersign dev", "starts servers on fixed ports; crates/app/tests/it/dev.rs runs it"),
    ("countersign restored --confirm", "ends every token; chaos/run F9 runs it"),
    ("COUNTERSIGN_LISTEN=0.0.0.0:7878 countersign serve", "does not end, and needs a fixed port"),
    ("COUNTERSIGN_RESTATE_ADMIN_URL=http://restate:9070", "does not end, and needs a second machine"),
    ("COUNTERSIGN_OWNER_DATABASE_URL=postgres://countersign_owner@db", "needs a second machine"),
    ("countersign connectors authorize", "needs a browser"),
    (
        "countersign connectors review example",
        "needs a server of its own; crates/gateway/tests/it/mcp reviews one",
    ),
    ("countersign automations run 'Weekly report'", "needs two approvals; examples/automations.sh runs it"),
    ("countersign commands prepare", "installs packages; scripts/mcp-servers runs it"),
    ("sudo apt-get", "installs packages"),
    ("git clone", "names no repository"),
    ("cargo build", "CI has built the program"),
    ("scripts/web build", "CI has built the web pages"),
    (".ci/run", "runs these tests"),
    ("just", "needs a clone of the repository"),
];

/// Examples whose exit code is not 0, by how they begin.
const EXPECTED: &[(&str, i32, &str)] = &[
    (
        "countersign actions run slack.send_message --param channel=C0GENERAL --param text=hi --no-wait",
        4,
        "pending",
    ),
    ("countersign actions request", 4, "a person has not answered yet"),
    ("countersign actions status inv_0199… --wait 60", 0, ""),
    ("countersign actions status", 4, "the prepared invocation and request are pending"),
    ("countersign artifacts get", 5, "no prepared result is large enough to be an artifact"),
    ("countersign connectors review docs search", 0, ""),
    ("countersign connectors review docs wipe", 0, ""),
    ("countersign connectors review docs --accept", 0, ""),
    ("countersign connectors review docs", 4, "without a terminal, tools are left to review"),
    ("countersign connectors review pets", 4, "without a terminal, tools are left to review"),
    ("countersign policies compare --remove", 1, "without the cap, more is let through"),
    ("countersign eval authoring", 1, "the scripted model always answers the same"),
    ("countersign inbox reconcile", 6, "the outcome of the prepared invocation is known"),
    ("countersign org set --passkey", 6, "nobody in the organization has a passkey"),
    ("countersign passkeys confirm", 5, "nobody in the organization has a passkey"),
    ("countersign passkeys remove", 5, "nobody in the organization has a passkey"),
    ("countersign events tail -n 100 --no-follow", 0, ""),
    ("countersign events tail", 124, "follows until it is stopped"),
];

/// The result of `doctor` depends on the programs of the machine.
const DEPENDS_ON_THE_MACHINE: &str = "countersign doctor";

#[tokio::test]
async fn every_example_runs() -> anyhow::Result<()> {
    let examples = examples();
    assert!(examples.len() > 150, "the examples were not found: {}", examples.len());
    for (start, _) in NOT_RUN {
        assert!(
            examples.iter().any(|one| one.starts_with(start)),
            "NOT_RUN lists `{start}`, which is no example"
        );
    }
    for (start, ..) in EXPECTED {
        assert!(
            examples.iter().any(|one| one.starts_with(start)),
            "EXPECTED lists `{start}`, which is no example"
        );
    }
    let prepared = Prepared::start().await?;
    let mut wrong = Vec::new();
    for example in examples {
        if NOT_RUN.iter().any(|(start, _)| example.starts_with(start)) {
            continue;
        }
        let expected =
            EXPECTED.iter().find(|(start, ..)| example.starts_with(start)).map_or(0, |(_, code, _)| *code);
        let (code, output) = prepared.run(&example).await?;
        if code != expected && !(example.starts_with(DEPENDS_ON_THE_MACHINE) && code == 1) {
            wrong.push(format!("$ {example}\n  exit code {code}, expected {expected}\n{output}"));
        }
    }
    assert!(wrong.is_empty(), "{} examples failed:\n\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// All examples, in the order of the help texts and the docs, each once.
fn examples() -> Vec<String> {
    let mut found = Vec::new();
    help(&mut Vec::new(), &mut found);
    let mut pages = vec![PathBuf::from(ROOT).join("README.md")];
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).expect("docs/").flatten().map(|entry| entry.path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    for page in pages {
        found.extend(commands(&fs::read_to_string(page).expect("a page")));
    }
    let mut seen = BTreeSet::new();
    found.retain(|example| seen.insert(example.clone()));
    found
}

/// The examples of a command and its subcommands, as `countersign help` prints them.
fn help(path: &mut Vec<String>, found: &mut Vec<String>) {
    let output = Command::new(BINARY).arg("help").args(&*path).output().expect("countersign help");
    let text = String::from_utf8(output.stdout).expect("text");
    let section = |title: &str| {
        let lines = text.lines().skip_while(move |line| line.trim_end() != title).skip(1);
        lines.take_while(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = [section("Examples:"), section("Example:")].concat();
    found.extend(joined(lines.iter().map(|line| line.trim())));
    for line in section("Commands:") {
        let Some(name) = line.strip_prefix("  ").filter(|line| !line.starts_with(' ')) else { continue };
        let name = name.split_whitespace().next().unwrap_or_default();
        if name != "help" {
            path.push(name.to_owned());
            help(path, found);
            path.pop();
        }
    }
}

/// The commands in the shell blocks of a page.
fn commands(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in page.lines().map(str::trim) {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside => lines.push(line.split(" # ").next().unwrap_or_default().trim_end()),
            _ => {}
        }
    }
    joined(lines.into_iter().filter(|line| !line.is_empty() && !line.starts_with('#')))
}

/// Joins the lines of a command: a backslash and a variable continue on the next line, an open quote up to the closing one,
/// a file that is written in place up to its end, and a `case` belongs to the command whose exit code it examines.
fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut commands = Vec::new();
    let mut open = String::new();
    for line in lines {
        if line.starts_with("case $?") {
            open = commands.pop().unwrap_or_default() + "\n";
        }
        if let Some(start) = line.strip_suffix('\\') {
            open.push_str(start);
            continue;
        }
        open.push_str(line);
        let is_file = open.contains("<<'EOF'") && line != "EOF";
        let is_quoted = open.matches('\'').count() % 2 == 1 && !open.contains("<<'EOF'");
        // A variable is for the next line.
        let is_assignment = line.split_once("=$(").is_some_and(|(name, _)| !name.contains(' '));
        if is_file || is_quoted || is_assignment || (open.contains("case $?") && line != "esac") {
            open.push('\n');
        } else {
            commands.push(std::mem::take(&mut open));
        }
    }
    commands
}
