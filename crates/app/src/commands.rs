//! The server commands: `dev`, `serve`, `worker`, `migrate`, `doctor`, `init`, `invite`, `restored`, `master-key`,
//! `signing-key`. All other commands belong to the crate `cli`.

use std::process::ExitCode;

use anyhow::Context as _;
use changes::{Author, Recorder};
use clap::{Args, Parser, Subcommand};
use model::Role;
use platform::{config, db, telemetry};
use secrecy::ExposeSecret as _;
use tenancy::{Founding, NewMember};

use crate::{
    dev::{self, Dev},
    doctor::{self, Doctor},
    master_key::{self, Rotate},
    prepare::{self, Commands},
    restored::{self, Restored},
    serve,
    wire::Wiring,
    worker::{self, Worker},
};

/// A gateway for what AI agents do: policy, approvals, exactly-once execution and signed receipts
#[derive(Debug, Parser)]
#[command(name = "countersign", version, about, arg_required_else_help = true, after_help = cli::EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    global: cli::Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything on this machine: servers, gateway, worker and a demo organization
    #[command(after_help = "Examples:
  countersign dev
  countersign dev --dir /tmp/try --port 9000 --json
  countersign dev --redis-url redis://127.0.0.1:6379

PostgreSQL, Redis and Restate are started on loopback. Nothing is installed; a missing program is reported with the
command that installs it.")]
    Dev(Box<Dev>),
    /// Check the installation and print the command that fixes each problem
    #[command(after_help = "Examples:
  countersign doctor
  countersign doctor --json

The exit code is 0 if every check passes, otherwise 1. `doctor` checks the deployment that the environment variables
name; without them, the deployment of `countersign dev`.")]
    Doctor(Doctor),
    /// Run the gateway
    #[command(after_help = "Example:
  COUNTERSIGN_LISTEN=0.0.0.0:7878 countersign serve")]
    Serve,
    /// Run a worker, which executes approved actions and automation runs
    #[command(after_help = "Example:
  COUNTERSIGN_RESTATE_ADMIN_URL=http://restate:9070 countersign worker --listen 0.0.0.0:9080 --advertise http://workers:9080

Several workers can run at once, also on the same address.")]
    Worker(Worker),
    /// Migrate the database schema, as the owner role
    #[command(after_help = "Example:
  COUNTERSIGN_OWNER_DATABASE_URL=postgres://countersign_owner@db/countersign countersign migrate

Create the database roles first: psql -f deploy/roles.sql")]
    Migrate,
    /// Create an organization with its owner, a first space and the owner's token
    #[command(after_help = "Example:
  countersign init --org acme --name 'Acme Inc.' --email ada@acme.example --owner Ada

The token is shown once.")]
    Init(Init),
    /// Invite a person as the operator, for example an owner who has lost their token
    #[command(after_help = "Example:
  countersign invite --org acme --email ada@acme.example --name Ada --role owner

Prints a link that is shown once and valid for seven days. The invitation is recorded.")]
    Invite(Invite),
    /// Say what happened to the database: a backup was restored, it was copied, or a standby took over
    #[command(after_help = "Examples:
  countersign restored
  countersign restored --confirm --reason 'restored the backup of 03:00 after the disk failed'
  countersign restored --nothing-lost --reason 'the synchronous standby took over'

Without a choice it tells the state of the deployment and what would be ended. After --confirm every organization is
stopped, what was open is `unknown` or expired, all tokens and sessions have ended, and owners resume.")]
    Restored(Restored),
    /// Manage the master key, which encrypts stored secrets
    #[command(
        subcommand,
        after_help = "Examples:
  countersign master-key create --id 2026-11 > master.key
  countersign master-key rotate"
    )]
    MasterKey(MasterKey),
    /// Manage the signing key, which signs receipts
    #[command(
        subcommand,
        after_help = "Example:
  countersign signing-key rotate"
    )]
    SigningKey(SigningKey),
    /// Install MCP servers as declared commands, which run in a sandbox
    #[command(
        subcommand,
        after_help = "Example:
  countersign commands prepare time --pip mcp-server-time==2026.10.19 --dir /srv/commands"
    )]
    Commands(Commands),
    /// Print the completion script for a shell
    Completions(cli::Completions),
    #[command(flatten)]
    Client(Box<cli::Command>),
}

#[derive(Debug, Args)]
struct Init {
    /// Slug of the organization: lower-case letters, digits and hyphens
    #[arg(long)]
    org: String,
    /// Name of the organization [default: the slug]
    #[arg(long)]
    name: Option<String>,
    /// E-mail address of the owner
    #[arg(long)]
    email: String,
    /// Name of the owner [default: the e-mail address]
    #[arg(long)]
    owner: Option<String>,
}

#[derive(Debug, Args)]
struct Invite {
    /// Slug of the organization
    #[arg(long)]
    org: String,
    /// E-mail address
    #[arg(long)]
    email: String,
    /// Full name [default: the e-mail address]
    #[arg(long)]
    name: Option<String>,
    /// Role: member, admin or owner. For a member of the organization, the role that they have
    #[arg(long, value_parser = cli::role())]
    role: Role,
}

#[derive(Debug, Subcommand)]
enum MasterKey {
    /// Create a master key and print it, for `COUNTERSIGN_MASTER_KEY`
    #[command(after_help = "Example:
  countersign master-key create --id 2026-11 > master.key

To replace a key: put the new one first and keep the old one (COUNTERSIGN_MASTER_KEY=new:…,old:…), restart every process
one after the other, then run `countersign master-key rotate`.")]
    Create {
        /// Name of the key, stored with every secret that it encrypts
        #[arg(long, default_value = "k1")]
        id: String,
    },
    /// Encrypt everything again under the first key of `COUNTERSIGN_MASTER_KEY`, while gateways and workers run
    #[command(after_help = "Examples:
  countersign master-key rotate
  countersign master-key rotate --reason 'yearly rotation' --json

It refuses to begin while a connected process lacks the new key. If it is interrupted, run it again: it goes on where it
stopped. Afterwards the older keys decrypt nothing; remove them and restart every process.")]
    Rotate(Rotate),
}

#[derive(Debug, Subcommand)]
enum SigningKey {
    /// Replace the signing key; receipts signed with older keys stay valid
    #[command(after_help = "Example:
  countersign signing-key rotate")]
    Rotate,
}

pub(crate) async fn run(arguments: Arguments) -> ExitCode {
    let json = arguments.global.json;
    let done = match arguments.command {
        Command::Client(command) => return cli::run(*command, &arguments.global).await,
        Command::Completions(which) => {
            let root = <Arguments as clap::CommandFactory>::command();
            return cli::completions(&which, root, &mut cli::Console::of_process()).into();
        }
        Command::Dev(arguments) => Box::pin(dev::dev(*arguments, json)).await,
        Command::Doctor(arguments) => return doctor::doctor(arguments, json).await,
        Command::Serve => serve::serve().await,
        Command::Worker(worker) => worker::work(worker).await,
        Command::Migrate => migrate().await,
        Command::Init(init) => create_org(init, json).await,
        Command::Invite(invite) => invite_person(invite, json).await,
        Command::Commands(command) => prepare::run(command),
        Command::Restored(command) => restored::restored(command, json).await,
        Command::MasterKey(MasterKey::Create { id }) => master_key::create(&id),
        Command::MasterKey(MasterKey::Rotate(command)) => master_key::rotate(command, json).await,
        Command::SigningKey(SigningKey::Rotate) => rotate_signing_key(json).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// Prints an error with its causes.
#[expect(clippy::print_stderr, reason = "this is the end of the program, and a person reads it")]
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    eprintln!("countersign: {error:#}");
    ExitCode::FAILURE
}

#[expect(clippy::print_stdout, reason = "the result of a command goes to standard output")]
pub(crate) fn say(text: impl std::fmt::Display) {
    println!("{text}");
}

async fn migrate() -> anyhow::Result<()> {
    let url = config::owner_database_url()?;
    let mut owner = db::connect_owner(url.expose_secret()).await?;
    let failed = "migrating the database failed. Check that the roles of deploy/roles.sql exist";
    db::migrate(&mut owner).await.context(failed)?;
    say("database schema is up to date");
    Ok(())
}

async fn create_org(init: Init, json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let wiring = Wiring::new(config::Config::from_environment()?)?;
    let founding = Founding {
        name: init.name.unwrap_or_else(|| init.org.clone()),
        owner_name: init.owner.unwrap_or_else(|| init.email.clone()),
        slug: init.org,
        owner_email: init.email,
    };
    let failed = "creating the organization failed. If the database is new, run `countersign migrate` first";
    let ledger = wiring.ledger().await.context(failed)?;
    let recorder = Recorder::new(wiring.world.clone(), ledger.key(), None);
    let created = wiring.tenancy(recorder).found(founding).await.context(failed)?;
    let token = created.token.reveal();
    if json {
        let (org, owner, space) = (created.org, created.owner, created.space);
        say(serde_json::json!({ "org": org, "owner": owner, "space": space, "token": token }));
    } else {
        say(format!("org     {}\nowner   {}\nspace   {} (main)", created.org, created.owner, created.space));
        say(format!(
            "token   {token}\n\nThe token is shown only once. Save it, then set it:\n  export COUNTERSIGN_TOKEN=…"
        ));
    }
    Ok(())
}

async fn invite_person(invite: Invite, json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let wiring = Wiring::new(config::Config::from_environment()?)?;
    let failed = "inviting failed";
    let ledger = wiring.ledger().await.context(failed)?;
    let tenancy = wiring.tenancy(Recorder::new(wiring.world.clone(), ledger.key(), None));
    let org = tenancy.org_of_slug(&invite.org).await.context(failed)?;
    let name = invite.name.unwrap_or_else(|| invite.email.clone());
    let new = NewMember { email: invite.email, name, role: invite.role };
    let (invitation, token) = tenancy.invite(&Author::operator(org), new).await.context(failed)?;
    let link = wiring.config.public_url.as_ref().and_then(|url| url.join("/join").ok()).map(|mut link| {
        link.set_fragment(Some(token.reveal()));
        link.to_string()
    });
    if json {
        let token = token.reveal();
        say(serde_json::json!({ "invitation": invitation.id, "link": link, "token": token }));
    } else {
        say(link.as_deref().unwrap_or_else(|| token.reveal()));
    }
    Ok(())
}

async fn rotate_signing_key(json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let ledger = Wiring::new(config::Config::from_environment()?)?.ledger().await?;
    let keyid = ledger.rotate_key().await.context("rotating the signing key failed")?;
    if json {
        say(serde_json::json!({ "keyid": keyid }));
    } else {
        say(format!(
            "signing key {keyid} is in use within a minute; the previous key expires in ten minutes"
        ));
    }
    Ok(())
}
