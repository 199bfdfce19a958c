//! The commands that run it: `dev`, `serve`, `worker`, `migrate`, `doctor`, `init`, `key`, `rotate-key`. The others are the
//! client's.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use platform::{World, config, db, seal::Keyring, telemetry};
use secrecy::ExposeSecret as _;
use tenancy::Founding;

use crate::{
    dev::{self, Dev},
    doctor::{self, Doctor},
    serve,
    wire::Wiring,
    worker::{self, Worker},
};

/// A gateway for what agents do: propose, decide, countersign, do once, prove.
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
    /// Run everything on this machine: servers, gateway, worker, and something to try.
    #[command(
        after_help = "Starts PostgreSQL, Redis and Restate on loopback, installs nothing, and says what is missing.\n\nExamples:\n  countersign dev\n  countersign dev --dir /tmp/try --port 9000 --json\n  countersign dev --redis-url redis://127.0.0.1:6379"
    )]
    Dev(Box<Dev>),
    /// Say what is there, what is missing, and what to type next.
    #[command(
        after_help = "Ends with 0 when all is well and with 1 otherwise. Without settings in the environment it looks at what `countersign dev` would need, or did start.\n\nExamples:\n  countersign doctor\n  countersign doctor --json"
    )]
    Doctor(Doctor),
    /// Run the gateway.
    #[command(after_help = "Example:\n  COUNTERSIGN_LISTEN=0.0.0.0:7878 countersign serve")]
    Serve,
    /// Perform what was approved, as the engine hands it over.
    #[command(
        after_help = "Several may run, also on one address.\n\nExample:\n  COUNTERSIGN_RESTATE_ADMIN_URL=http://restate:9070 countersign worker --listen 0.0.0.0:9080 --advertise http://workers:9080"
    )]
    Worker(Worker),
    /// Bring the database's schema up to date, as the owner role.
    #[command(
        after_help = "The roles must exist: psql -f deploy/roles.sql\n\nExample:\n  COUNTERSIGN_OWNER_DATABASE_URL=postgres://countersign_owner@db/countersign countersign migrate"
    )]
    Migrate,
    /// Found an org: its owner, a first space, and the owner's token, shown once.
    #[command(
        after_help = "Example:\n  countersign init --org acme --name 'Acme Inc.' --email ada@acme.example --owner Ada"
    )]
    Init(Init),
    /// Make a master key, to be kept as `COUNTERSIGN_MASTER_KEY`.
    #[command(
        after_help = "To rotate, put a new one first and keep the old ones: COUNTERSIGN_MASTER_KEY=new:…,old:…\n\nExample:\n  countersign key --id 2026-11 > master.key"
    )]
    Key {
        /// A name for the key, stored with everything it wraps.
        #[arg(long, default_value = "k1")]
        id: String,
    },
    /// Make a new key for signing receipts; what older keys signed stays valid.
    #[command(after_help = "Example:\n  countersign rotate-key")]
    RotateKey,
    /// Write the completions for a shell.
    Completions(cli::Completions),
    #[command(flatten)]
    Client(Box<cli::Command>),
}

#[derive(Debug, Args)]
struct Init {
    /// The org's slug: lower-case letters, digits and hyphens.
    #[arg(long)]
    org: String,
    /// The org's name; the slug when not given.
    #[arg(long)]
    name: Option<String>,
    /// The owner's e-mail address.
    #[arg(long)]
    email: String,
    /// The owner's name; the address when not given.
    #[arg(long)]
    owner: Option<String>,
}

/// Runs a command and says how it ended.
pub(crate) async fn run(arguments: Arguments) -> ExitCode {
    let json = arguments.global.json;
    let done = match arguments.command {
        Command::Client(command) => return cli::run(*command, &arguments.global).await,
        Command::Completions(which) => {
            let whole = <Arguments as clap::CommandFactory>::command();
            return cli::completions(&which, whole, &mut cli::Console::of_process()).into();
        }
        Command::Dev(arguments) => Box::pin(dev::dev(*arguments, json)).await,
        Command::Doctor(arguments) => return doctor::doctor(arguments, json).await,
        Command::Serve => serve::serve().await,
        Command::Worker(worker) => worker::work(worker).await,
        Command::Migrate => migrate().await,
        Command::Init(init) => found(init, json).await,
        Command::Key { id } => make_key(&id),
        Command::RotateKey => rotate_key(json).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// Says what went wrong, with its causes.
#[expect(clippy::print_stderr, reason = "this is the end of the program, and a person reads it")]
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    eprintln!("countersign: {error:#}");
    ExitCode::FAILURE
}

#[expect(clippy::print_stdout, reason = "what a command answers goes to standard output")]
pub(crate) fn say(text: impl std::fmt::Display) {
    println!("{text}");
}

async fn migrate() -> anyhow::Result<()> {
    let url = config::owner_database_url()?;
    let mut owner = db::connect_owner(url.expose_secret()).await?;
    db::migrate(&mut owner).await.context("do the roles exist? see deploy/roles.sql")?;
    say("the schema is up to date");
    Ok(())
}

async fn found(init: Init, json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let wiring = Wiring::new(config::Config::from_environment()?)?;
    let founding = Founding {
        name: init.name.unwrap_or_else(|| init.org.clone()),
        owner_name: init.owner.unwrap_or_else(|| init.email.clone()),
        slug: init.org,
        owner_email: init.email,
    };
    let founded =
        wiring.tenancy.found(founding).await.context("founding the org; was the database migrated?")?;
    wiring.ledger().await.context("making the first signing key")?;
    let token = founded.token.reveal();
    if json {
        let (org, owner, space) = (founded.org, founded.owner, founded.space);
        say(serde_json::json!({ "org": org, "owner": owner, "space": space, "token": token }));
    } else {
        say(format!("org     {}\nowner   {}\nspace   {} (main)", founded.org, founded.owner, founded.space));
        say(format!(
            "token   {token}\n\nThe token is shown this once. Keep it, then:\n  export COUNTERSIGN_TOKEN=…"
        ));
    }
    Ok(())
}

fn make_key(id: &str) -> anyhow::Result<()> {
    anyhow::ensure!(!id.is_empty() && !id.contains([':', ',']), "a key's name has no colon and no comma");
    say(Keyring::generate(id, &World::system().dice).expose_secret());
    Ok(())
}

async fn rotate_key(json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let ledger = Wiring::new(config::Config::from_environment()?)?.ledger().await?;
    let keyid = ledger.rotate_key().await.context("rotating the signing key")?;
    if json {
        say(serde_json::json!({ "keyid": keyid }));
    } else {
        say(format!("receipts are signed by {keyid} within a minute; older keys run out in ten"));
    }
    Ok(())
}
