//! The client commands, one file per resource.

mod actions;
mod activity;
mod agents;
mod automations;
mod conduct;
mod connectors;
mod events;
mod flows;
mod gates;
mod grants;
mod inbox;
mod invocation;
mod models;
mod notifiers;
mod organization;
mod policies;
mod proof;
mod rules;
mod runs;
mod sessions;
mod vault;
mod webhooks;

use api::MeView;
use clap::Subcommand;

use self::{
    organization::{invitations, members, org, passkeys, spaces, tokens},
    proof::{artifacts, changes, ledger, receipts},
};
use crate::{Context, error::Error, eval, exit, exit::Exit, table};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the user or session of the current token
    #[command(after_help = "Examples:
  countersign whoami
  countersign whoami --json")]
    Whoami,
    /// List, describe and run actions
    #[command(
        subcommand,
        after_help = "Examples:
  countersign actions list
  countersign actions run linear.list_issues --param team_key=ENG"
    )]
    Actions(actions::Actions),
    /// Search the invocations of all agents of the organization
    #[command(after_help = "Examples:
  countersign activity --status failed,unknown --since 2026-11-15T09:00:00Z
  countersign activity ENG-42 --source linear
  countersign activity --run run_0199… --all --json

Each page searches a limited number of invocations, so a page can be short or empty although more follow.")]
    Activity(activity::Activity),
    /// Review pending requests, and approve or deny them
    #[command(after_help = "Examples:
  countersign inbox            # full screen on a terminal, a list in a pipe
  countersign inbox list --json
  countersign inbox show inv_0199…
  countersign inbox approve inv_0199…")]
    Inbox(inbox::Inbox),
    /// List, give and revoke grants: permissions for a number of calls within a time
    #[command(
        subcommand,
        after_help = "Examples:
  countersign grants list
  countersign grants give linear.add_comment --session ses_0199… --calls 10 --for 2h"
    )]
    Grants(grants::Grants),
    /// List and set rules: which actions are allowed, need approval or are denied
    #[command(
        subcommand,
        after_help = "Examples:
  countersign rules list
  countersign rules set linear.create_issue require_approval"
    )]
    Rules(rules::Rules),
    /// Check, test, backtest and save policies as text, which ask or deny
    #[command(
        subcommand,
        after_help = "Examples:
  countersign policies list
  countersign policies test my-policies
  countersign policies apply my-policies --state observing"
    )]
    Policies(policies::Policies),
    /// List, save and delete facts: numbers about the past that policies read
    #[command(
        subcommand,
        after_help = "Examples:
  countersign facts list
  countersign facts set facts.json"
    )]
    Facts(policies::Facts),
    /// Show and replace the gate settings: recipients, detectors, purposes, spaces of sources, and flows of data
    #[command(
        subcommand,
        after_help = "Examples:
  countersign gates show
  countersign gates apply gates.json --why 'a list of recipients'"
    )]
    Gates(gates::Gates),
    /// List, store and revoke consents: who agreed to which purpose
    #[command(
        subcommand,
        after_help = "Examples:
  countersign consents list --purpose newsletter
  countersign consents give newsletter ada@example.com"
    )]
    Consents(gates::Consents),
    /// Open and end sessions of agents
    #[command(
        subcommand,
        after_help = "Examples:
  countersign sessions create --agent triage-bot
  countersign sessions list"
    )]
    Sessions(sessions::Sessions),
    /// Store the credentials of sources, so that agents do not need them
    #[command(
        subcommand,
        after_help = "Examples:
  countersign connections list
  countersign connections add linear --from-env LINEAR_API_KEY"
    )]
    Connections(vault::Connections),
    /// Connect MCP servers and OpenAPI services, and review their tools
    #[command(
        subcommand,
        after_help = "Examples:
  countersign connectors add docs --mcp https://mcp.example.com/mcp --bearer docs-token
  countersign connectors review docs"
    )]
    Connectors(connectors::Connectors),
    /// Add providers of language models, and test them
    #[command(
        subcommand,
        after_help = "Examples:
  countersign models add anthropic --secret anthropic-key --model claude-sonnet-5-5
  countersign models list"
    )]
    Models(models::Models),
    /// Save, run and manage automations
    #[command(
        subcommand,
        after_help = "Examples:
  countersign automations apply digest.json
  countersign automations run 'Morning digest' --watch"
    )]
    Automations(automations::Automations),
    /// Measure how well a model of the organization does a task
    #[command(
        subcommand,
        after_help = "Examples:
  countersign eval authoring --provider anthropic"
    )]
    Eval(eval::Eval),
    /// List, watch, cancel and rerun runs of automations
    #[command(
        subcommand,
        after_help = "Examples:
  countersign runs list --status waiting
  countersign runs watch run_0199…"
    )]
    Runs(runs::Runs),
    /// Follow, publish and replay events
    #[command(
        subcommand,
        after_help = "Examples:
  countersign events tail
  countersign events groups
  countersign events replay indexer --from 2026-11-15T09:00:00Z"
    )]
    Events(events::Events),
    /// Send notifications about pending approvals to Slack or e-mail
    #[command(
        subcommand,
        after_help = "Examples:
  countersign notifiers list
  countersign notifiers add --slack C024BE91L"
    )]
    Notifiers(notifiers::Notifiers),
    /// Link Slack users to members
    #[command(
        subcommand,
        after_help = "Examples:
  countersign slack people
  countersign slack link U024BE7LH usr_0199…"
    )]
    Slack(notifiers::Slack),
    /// Store secrets that actions can use and nobody can read
    #[command(
        subcommand,
        after_help = "Examples:
  countersign secrets list
  countersign secrets set db-password --from-file ./password"
    )]
    Secrets(vault::Secrets),
    /// Send signed events to URLs of the organization
    #[command(
        subcommand,
        after_help = "Examples:
  countersign webhooks add https://hooks.example.com/countersign > webhook.secret
  countersign webhooks test whk_0199…"
    )]
    Webhooks(webhooks::Webhooks),
    /// List and change spaces and their risk bands
    #[command(
        subcommand,
        after_help = "Examples:
  countersign spaces list
  countersign spaces create production --name Production --band amber"
    )]
    Spaces(spaces::Spaces),
    /// Show and change the settings of the organization
    #[command(
        subcommand,
        after_help = "Examples:
  countersign org show
  countersign org set --quorum 2 --four-eyes true"
    )]
    Org(org::Org),
    /// List and remove members, and add service accounts
    #[command(
        subcommand,
        after_help = "Examples:
  countersign members list
  countersign members add-service 'deploy pipeline'"
    )]
    Members(members::Members),
    /// Invite people, and list and withdraw invitations
    #[command(
        subcommand,
        after_help = "Examples:
  countersign invitations create ada@example.com --name 'Ada L.' --role admin
  countersign invitations list"
    )]
    Invitations(invitations::Invitations),
    /// Join an organization with an invitation, and print your first token
    Join(invitations::Join),
    /// List, confirm and remove passkeys
    #[command(
        subcommand,
        after_help = "Examples:
  countersign passkeys list
  countersign passkeys confirm psk_0199…
  countersign passkeys remove psk_0199…"
    )]
    Passkeys(passkeys::Passkeys),
    /// List, create and revoke API tokens
    #[command(
        subcommand,
        after_help = "Examples:
  countersign tokens list
  countersign tokens create ci --lifetime 30d"
    )]
    Tokens(tokens::Tokens),
    /// List, save and verify receipts
    #[command(
        subcommand,
        after_help = "Examples:
  countersign receipts list
  countersign receipts verify receipt.json --keys keys.json"
    )]
    Receipts(receipts::Receipts),
    /// Stop the organization, a space, a source, an agent or an automation
    #[command(after_help = "Examples:
  countersign stop --agent support-triage --reason 'it sends the same message again and again'
  countersign stop --source sentry --dry-run

Without an option, the whole organization is stopped. When the command returns, nothing in the scope begins any more,
reads included; what was under way ends. Approved requests rest and keep their expiry, runs wait, and schedules follow
their policy for missed times.")]
    Stop(conduct::Stop),
    /// Resume what was stopped
    #[command(after_help = "Examples:
  countersign resume --agent support-triage --reason 'the prompt is fixed'
  countersign resume --reason 'all clear'")]
    Resume(conduct::Resume),
    /// List what is stopped or in a dry run
    #[command(after_help = "Examples:
  countersign stopped")]
    Stopped,
    /// List agents and what they did lately
    #[command(
        subcommand,
        after_help = "Examples:
  countersign agents list
  countersign agents show support-triage"
    )]
    Agents(agents::Agents),
    /// List, save and export records of changes: who changed what anyone may do
    #[command(
        subcommand,
        after_help = "Examples:
  countersign changes list --change rule.
  countersign changes show chg_0199…
  countersign changes export --out changes.ndjson"
    )]
    Changes(changes::Changes),
    /// Download results that are too large for a receipt
    #[command(
        subcommand,
        after_help = "Examples:
  countersign artifacts get sha256:9f86d0… -o result.json"
    )]
    Artifacts(artifacts::Artifacts),
    /// Save checkpoints, download and audit the log of all receipts
    #[command(
        subcommand,
        after_help = "Examples:
  countersign ledger checkpoint --out monday.checkpoint
  countersign ledger fetch log
  countersign ledger audit log --keys keys.json --against monday.checkpoint"
    )]
    Ledger(ledger::Ledger),
    /// Print the exit codes
    #[command(name = "exit-codes", long_about = exit::EXIT_CODES, after_help = "Examples:
  countersign help exit-codes")]
    ExitCodes,
}

pub(crate) async fn run(command: Command, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Command::Whoami => whoami(cx).await,
        Command::Actions(command) => actions::run(command, cx).await,
        Command::Activity(wanted) => activity::run(wanted, cx).await,
        Command::Inbox(command) => inbox::run(command, cx).await,
        Command::Grants(command) => grants::run(command, cx).await,
        Command::Org(command) => org::run(command, cx).await,
        Command::Rules(command) => rules::run(command, cx).await,
        Command::Policies(command) => policies::run(command, cx).await,
        Command::Facts(command) => policies::run_facts(command, cx).await,
        Command::Gates(command) => gates::run_gates(command, cx).await,
        Command::Consents(command) => gates::run_consents(command, cx).await,
        Command::Sessions(command) => sessions::run(command, cx).await,
        Command::Connections(command) => vault::run_connections(command, cx).await,
        Command::Connectors(command) => connectors::run(command, cx).await,
        Command::Models(command) => models::run(command, cx).await,
        Command::Eval(command) => eval::run(command, cx).await,
        Command::Automations(command) => automations::run(command, cx).await,
        Command::Runs(command) => runs::run(command, cx).await,
        Command::Events(command) => events::run(command, cx).await,
        Command::Notifiers(command) => notifiers::run_notifiers(command, cx).await,
        Command::Slack(command) => notifiers::run_slack(command, cx).await,
        Command::Secrets(command) => vault::run_secrets(command, cx).await,
        Command::Webhooks(command) => webhooks::run(command, cx).await,
        Command::Spaces(command) => spaces::run(command, cx).await,
        Command::Members(command) => members::run(command, cx).await,
        Command::Invitations(command) => invitations::run(command, cx).await,
        Command::Join(arguments) => invitations::join(arguments, cx).await,
        Command::Passkeys(command) => passkeys::run(command, cx).await,
        Command::Tokens(command) => tokens::run(command, cx).await,
        Command::Receipts(command) => receipts::run(command, cx).await,
        Command::Stop(arguments) => conduct::stop(arguments, cx).await,
        Command::Resume(arguments) => conduct::resume(arguments, cx).await,
        Command::Stopped => conduct::stopped(cx).await,
        Command::Agents(command) => agents::run(command, cx).await,
        Command::Changes(command) => changes::run(command, cx).await,
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
            ("org name", me.org_name),
            ("user", me.user.map(|user| user.to_string())),
            ("name", me.name),
            ("email", me.email),
            ("role", me.role.map(|role| role.as_str().to_owned())),
            ("session", me.session.map(|session| session.to_string())),
        ];
        table::pairs(pairs, wide)
    })
}
