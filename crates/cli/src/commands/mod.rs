//! Everything that can be typed, one file per resource.

mod actions;
mod activity;
mod artifacts;
mod automations;
mod connectors;
mod events;
mod grants;
mod inbox;
mod invocation;
mod ledger;
mod members;
mod notifiers;
mod org;
mod passkeys;
mod receipts;
mod rules;
mod runs;
mod sessions;
mod spaces;
mod tokens;
mod vault;
mod verify;
mod webhooks;

use api::MeView;
use clap::Subcommand;

use crate::{Context, error::Error, exit, exit::Exit, table};

/// The client's commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say for whom the token speaks
    #[command(after_help = "Examples:
  countersign whoami
  countersign whoami --json")]
    Whoami,
    /// Find out what can be done, and do it
    #[command(
        subcommand,
        after_help = "Examples:
  countersign actions list
  countersign actions run linear.list_issues --param team=ENG"
    )]
    Actions(actions::Actions),
    /// What every agent of the org asked for, and what became of it
    #[command(after_help = "Examples:
  countersign activity --status failed,unknown --since 2026-11-15T09:00:00Z
  countersign activity ENG-42 --source linear
  countersign activity --run run_0199… --all --json

A page looks through a bounded number of invocations. One that found few, or none, may still say that there is more.")]
    Activity(activity::Activity),
    /// What waits for a person: read it, answer it
    #[command(after_help = "Examples:
  countersign inbox            (a screen to read and answer, on a terminal; a list in a pipe)
  countersign inbox list --json
  countersign inbox show inv_0199…
  countersign inbox approve inv_0199…")]
    Inbox(inbox::Inbox),
    /// Standing permissions: so many calls, or so long
    #[command(
        subcommand,
        after_help = "Examples:
  countersign grants list
  countersign grants give linear.add_comment --session ses_0199… --calls 10 --for 2h"
    )]
    Grants(grants::Grants),
    /// Decide in advance what is allowed, asked or denied
    #[command(
        subcommand,
        after_help = "Examples:
  countersign rules list
  countersign rules set linear.create_issue require_approval"
    )]
    Rules(rules::Rules),
    /// Open and end agents' working periods
    #[command(
        subcommand,
        after_help = "Examples:
  countersign sessions create --agent triage-bot
  countersign sessions list"
    )]
    Sessions(sessions::Sessions),
    /// Give the gateway the credentials agents must not hold
    #[command(
        subcommand,
        after_help = "Examples:
  countersign connections list
  countersign connections add linear --from-env LINEAR_API_KEY"
    )]
    Connections(vault::Connections),
    /// Servers of the org: connect them, and review their tools
    #[command(
        subcommand,
        after_help = "Examples:
  countersign connectors add docs --mcp https://mcp.example.com/mcp --bearer docs-token
  countersign connectors review docs"
    )]
    Connectors(connectors::Connectors),
    /// Saved work: definitions in files, what starts them, and starting them
    #[command(
        subcommand,
        after_help = "Examples:
  countersign automations apply digest.json
  countersign automations run 'Morning digest' --watch"
    )]
    Automations(automations::Automations),
    /// What automations did, and do: list, watch, cancel, run again
    #[command(
        subcommand,
        after_help = "Examples:
  countersign runs list --status waiting
  countersign runs watch run_0199…"
    )]
    Runs(runs::Runs),
    /// What happened, as it happens; publish, and share out in groups
    #[command(
        subcommand,
        after_help = "Examples:
  countersign events tail
  countersign events groups
  countersign events replay indexer --from 2026-11-15T09:00:00Z"
    )]
    Events(events::Events),
    /// Where people are told what waits for them
    #[command(
        subcommand,
        after_help = "Examples:
  countersign notifiers list
  countersign notifiers add --slack C024BE91L"
    )]
    Notifiers(notifiers::Notifiers),
    /// Who is who in Slack
    #[command(
        subcommand,
        after_help = "Examples:
  countersign slack people
  countersign slack link U024BE7LH usr_0199…"
    )]
    Slack(notifiers::Slack),
    /// Keep values that actions may use and nobody may read
    #[command(
        subcommand,
        after_help = "Examples:
  countersign secrets list
  countersign secrets set db-password --from-file ./password"
    )]
    Secrets(vault::Secrets),
    /// Have events sent to addresses of the org, signed
    #[command(
        subcommand,
        after_help = "Examples:
  countersign webhooks add https://hooks.example.com/countersign > webhook.secret
  countersign webhooks test whk_0199…"
    )]
    Webhooks(webhooks::Webhooks),
    /// Areas of the org, and how careful each is
    #[command(
        subcommand,
        after_help = "Examples:
  countersign spaces list
  countersign spaces create production --name Production --band amber"
    )]
    Spaces(spaces::Spaces),
    /// How the org approves what is hard to undo
    #[command(
        subcommand,
        after_help = "Examples:
  countersign org show
  countersign org set --quorum 2 --four-eyes true"
    )]
    Org(org::Org),
    /// People of the org
    #[command(
        subcommand,
        after_help = "Examples:
  countersign members list
  countersign members add ada@example.com --name 'Ada L.' --role admin"
    )]
    Members(members::Members),
    /// What people sign their yes with
    #[command(
        subcommand,
        after_help = "Examples:
  countersign passkeys list
  countersign passkeys remove psk_0199…"
    )]
    Passkeys(passkeys::Passkeys),
    /// Keys of people and programs to the API
    #[command(
        subcommand,
        after_help = "Examples:
  countersign tokens list
  countersign tokens create ci --lifetime 30d"
    )]
    Tokens(tokens::Tokens),
    /// Signed accounts of what happened: list, save, verify
    #[command(
        subcommand,
        after_help = "Examples:
  countersign receipts list
  countersign receipts verify receipt.json --keys keys.json"
    )]
    Receipts(receipts::Receipts),
    /// What was too large for a receipt, by the digest in it
    #[command(
        subcommand,
        after_help = "Examples:
  countersign artifacts get sha256:9f86d0… -o result.json"
    )]
    Artifacts(artifacts::Artifacts),
    /// The log of all receipts: keep its checkpoints, fetch it, audit it
    #[command(
        subcommand,
        after_help = "Examples:
  countersign ledger checkpoint --out monday.checkpoint
  countersign ledger fetch log
  countersign ledger audit log --keys keys.json --against monday.checkpoint"
    )]
    Ledger(ledger::Ledger),
    /// Explain the exit codes
    #[command(name = "exit-codes", long_about = exit::EXIT_CODES, after_help = "Examples:
  countersign help exit-codes")]
    ExitCodes,
}

/// Does it.
pub(crate) async fn run(command: Command, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Command::Whoami => whoami(cx).await,
        Command::Actions(command) => actions::run(command, cx).await,
        Command::Activity(wanted) => activity::run(wanted, cx).await,
        Command::Inbox(command) => inbox::run(command, cx).await,
        Command::Grants(command) => grants::run(command, cx).await,
        Command::Org(command) => org::run(command, cx).await,
        Command::Rules(command) => rules::run(command, cx).await,
        Command::Sessions(command) => sessions::run(command, cx).await,
        Command::Connections(command) => vault::run_connections(command, cx).await,
        Command::Connectors(command) => connectors::run(command, cx).await,
        Command::Automations(command) => automations::run(command, cx).await,
        Command::Runs(command) => runs::run(command, cx).await,
        Command::Events(command) => events::run(command, cx).await,
        Command::Notifiers(command) => notifiers::run_notifiers(command, cx).await,
        Command::Slack(command) => notifiers::run_slack(command, cx).await,
        Command::Secrets(command) => vault::run_secrets(command, cx).await,
        Command::Webhooks(command) => webhooks::run(command, cx).await,
        Command::Spaces(command) => spaces::run(command, cx).await,
        Command::Members(command) => members::run(command, cx).await,
        Command::Passkeys(command) => passkeys::run(command, cx).await,
        Command::Tokens(command) => tokens::run(command, cx).await,
        Command::Receipts(command) => receipts::run(command, cx).await,
        Command::Artifacts(command) => artifacts::run(command, cx).await,
        Command::Ledger(command) => ledger::run(command, cx).await,
        Command::ExitCodes => {
            cx.console.data(exit::EXIT_CODES)?;
            Ok(Exit::Done)
        }
    }
}

async fn whoami(cx: &mut Context<'_>) -> Result<Exit, Error> {
    let answer = cx.client()?.get(&["v1", "me"])?.send().await?;
    cx.show(&answer, |me: MeView, wide| {
        let pairs = vec![
            ("org", Some(me.org.to_string())),
            ("org's name", me.org_name),
            ("user", me.user.map(|user| user.to_string())),
            ("name", me.name),
            ("email", me.email),
            ("role", me.role.map(|role| role.as_str().to_owned())),
            ("session", me.session.map(|session| session.to_string())),
        ];
        table::pairs(pairs, wide)
    })
}
