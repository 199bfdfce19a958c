//! Every command is documented, and no secret can be an argument.

use std::{io, sync::mpsc};

use clap::{CommandFactory as _, Parser as _};
use cli::{Completions, Console, EXIT_CODES, Exit};

use crate::stub::{INVOCATION, REQUEST, Root, Streams};

fn walk(command: &clap::Command, path: &str, seen: &mut Vec<String>) {
    for child in command.get_subcommands().filter(|child| child.get_name() != "help") {
        let path = format!("{path} {}", child.get_name());
        assert!(child.get_about().is_some(), "{path} does not say what it does");
        let help = child.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains("countersign "), "{path} has no example");
        walk(child, &path, seen);
        seen.push(path);
    }
}

#[test]
fn every_command_says_what_it_does_and_shows_an_example() {
    Root::command().debug_assert();
    let mut seen = Vec::new();
    walk(&Root::command(), "countersign", &mut seen);
    assert!(seen.len() > 30, "{seen:?}");
    // docs/CLI.md names each command.
    let docs = include_str!("../../../../docs/CLI.md");
    let missing: Vec<_> = seen.iter().filter(|path| !docs.contains(path.as_str())).collect();
    assert!(missing.is_empty(), "docs/CLI.md does not mention {missing:?}");
    let codes = EXIT_CODES.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    for line in codes {
        assert!(docs.contains(line.trim()), "docs/CLI.md lacks the exit code `{line}`");
    }
}

#[test]
fn tokens_and_credentials_are_no_arguments() {
    for bad in [
        vec!["countersign", "--token", "csn_api_x", "whoami"],
        vec!["countersign", "whoami", "--token", "csn_api_x"],
        vec!["countersign", "connections", "add", "linear", "lin_api_x"],
        vec!["countersign", "secrets", "set", "name", "value"],
        vec!["countersign", "receipts", "verify", "r.json"],
        vec!["countersign", "receipts", "verify", "r.json", "--keys", "k", "--key", "k"],
        vec!["countersign", "spaces", "set", "spc_0192f0c1d2e37a4b8c5d6e7f80910a1e"],
        vec!["countersign", "rules", "set", "a.b", "maybe"],
        vec!["countersign", "actions", "run", "not an action"],
        vec!["countersign", "actions", "run", "a.b", "--wait", "1", "--no-wait"],
        // A denial without a reason, an outcome without evidence, a missing answer, an unknown scope.
        vec!["countersign", "inbox", "deny", INVOCATION],
        vec!["countersign", "inbox", "reconcile", INVOCATION, "succeeded"],
        vec!["countersign", "inbox", "answer", REQUEST],
        vec!["countersign", "inbox", "answer", REQUEST, "--give", "--refuse"],
        vec!["countersign", "inbox", "approve", INVOCATION, "--grant", "--always"],
        vec!["countersign", "inbox", "approve", INVOCATION, "--org"],
        vec!["countersign", "inbox", "approve", REQUEST],
        vec!["countersign", "grants", "give", "a.b"],
        vec!["countersign", "org", "set"],
        // A state and a number of days that do not exist, nothing to try, a folder for no starter, values for no folder.
        vec!["countersign", "policies", "apply", "folder", "--state", "off"],
        vec!["countersign", "policies", "backtest", "folder", "--days", "31"],
        vec!["countersign", "policies", "backtest"],
        vec!["countersign", "policies", "starters", "--into", "folder"],
        vec!["countersign", "policies", "starters", "spending-cap", "--set", "limit=1"],
    ] {
        let error = Root::try_parse_from(&bad).err().unwrap_or_else(|| panic!("{bad:?} was taken"));
        assert_eq!(error.exit_code(), 2, "{bad:?}");
    }
}

#[tokio::test]
async fn exit_codes_are_explained() {
    let outcome = Streams::default().run("http://127.0.0.1:1", &["exit-codes"]).await;
    assert_eq!((outcome.exit, outcome.out), (Exit::Done, format!("{EXIT_CODES}\n")));
    let help = Root::try_parse_from(["countersign", "help", "exit-codes"]).err().unwrap().to_string();
    assert!(help.contains("9  outcome unknown"), "{help}");
}

/// Forwards everything that is written.
struct Hand(mpsc::Sender<Vec<u8>>);

impl io::Write for Hand {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn shells_get_completions_of_the_whole_root() {
    #[derive(clap::Parser)]
    struct Typed {
        #[command(flatten)]
        completions: Completions,
    }
    for shell in ["bash", "zsh", "fish"] {
        let typed = Typed::parse_from(["completions", shell]);
        let (sender, receiver) = mpsc::channel();
        let mut console = Console::new(io::empty(), Hand(sender), io::sink());
        assert_eq!(cli::completions(&typed.completions, Root::command(), &mut console), Exit::Done);
        drop(console);
        let script = String::from_utf8(receiver.iter().flatten().collect()).unwrap();
        assert!(script.contains("receipts") && script.contains("countersign"), "{shell}");
    }
}
