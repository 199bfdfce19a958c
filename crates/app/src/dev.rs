//! `countersign dev`: everything on this machine, with one command.
//!
//! Parts: `place` is the folder with all data; `ports` is a range of consecutive ports; `fleet` is the set of processes
//! that were started; `servers` starts PostgreSQL, Redis and Restate; `demo` creates something to try. Flow: check for
//! missing programs and ports in use, before anything is started; servers; roles, database, schema; fakes; gateway and
//! worker; organization and session; then wait for a signal to stop.
//!
//! INVARIANT: nothing is installed, no port is used that another process listens on, and only processes that were
//! started here are stopped. Not here: production. Restate's admin interface has no authentication, so everyone on this
//! machine can use it.

mod demo;
mod fleet;
mod place;
mod plan;
mod ports;
mod servers;
mod summary;

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use catalog::integrations;
use clap::Args;
use local_servers::Redis;
use platform::config::variable;
use tokio::{
    net::TcpStream,
    process::Command,
    signal::unix::{Signal, SignalKind, signal},
};

use crate::internal_http::InternalHttp;
use demo::{FAKE_TOKEN, Owner};
use fleet::Fleet;
use place::Held;
pub(crate) use place::{Place, Settings};
use plan::Plan;
pub(crate) use ports::{Ports, is_free};
use summary::{Access, Summary};

const PATIENCE: Duration = Duration::from_secs(60);
/// The fakes that the demo organization is connected to.
const CONNECTED: [&str; 2] = [integrations::LINEAR.slug, integrations::SLACK.slug];

#[derive(Debug, Args)]
pub(crate) struct Dev {
    /// Folder for data, keys, tokens and logs [default: ~/.local/share/countersign/dev]
    #[arg(long, env = "COUNTERSIGN_DEV_DIR")]
    dir: Option<PathBuf>,
    /// Port of the gateway; the next ports are used too
    #[arg(long, default_value_t = 7878, value_parser = clap::value_parser!(u16).range(1024..=65000))]
    port: u16,
    /// Do not start the fakes of the integrations; sources then reach the real services
    #[arg(long)]
    no_fakes: bool,
    /// Slug of the demo organization; created if it does not exist
    #[arg(long, default_value = "demo", value_parser = slug)]
    org: String,
    /// Use this PostgreSQL, as a superuser, instead of starting one
    #[arg(long, value_name = "URL", env = "COUNTERSIGN_DEV_POSTGRES_URL", hide_env_values = true)]
    postgres_url: Option<String>,
    /// Use this Redis instead of starting one
    #[arg(long, value_name = "URL", env = "COUNTERSIGN_DEV_REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    /// Use this Restate instead of starting one; it must be able to reach the loopback address of this machine
    #[arg(long, value_name = "URL", requires = "restate_admin_url")]
    restate_ingress_url: Option<String>,
    /// Admin URL of that Restate
    #[arg(long, value_name = "URL", requires = "restate_ingress_url")]
    restate_admin_url: Option<String>,
    /// Path of `restate-server`, if it is neither on PATH nor in the folder
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_RESTATE_SERVER")]
    restate_server: Option<PathBuf>,
}

/// Starts everything, and stops what it started on Ctrl-C, SIGTERM or when the terminal is closed.
pub(crate) async fn dev(arguments: Dev, json: bool) -> anyhow::Result<()> {
    let mut stop = Stop::listen()?;
    let held = Place::new(arguments.dir.as_deref())?.hold()?;
    let mut fleet = Fleet::new(&held);
    let lived = tokio::select! {
        () = stop.told() => Ok(()),
        ended = live(&arguments, &held, &mut fleet, json) => Err(ended),
    };
    if fleet.pids().next().is_some() {
        let why = if lived.is_err() { "an error occurred; " } else { "" };
        note(format!("{why}stopping all processes that were started here; press Ctrl-C again to kill them"));
    }
    tokio::select! {
        () = fleet.stop() => {}
        () = stop.told() => fleet.kill().await,
    }
    lived
}

/// Returns only after an error.
async fn live(arguments: &Dev, held: &Held, fleet: &mut Fleet, json: bool) -> anyhow::Error {
    match start(arguments, held, fleet).await {
        Ok(summary) if json => print(&summary.json()),
        Ok(summary) => print(&summary.text()),
        Err(error) => return error,
    }
    fleet.one_ended().await
}

async fn start(arguments: &Dev, held: &Held, fleet: &mut Fleet) -> anyhow::Result<Summary> {
    let begun = Instant::now();
    fleet.stop_leftovers().await?;
    let plan = Plan::make(arguments, held).await?;
    let http = InternalHttp::new()?;
    let settings = start_servers(&plan, held, fleet, &http).await?;
    held.keep_settings(&settings)?;
    if let Some(fakes) = &plan.fakes {
        start_fakes(fakes, plan.ports, fleet).await?;
    }

    let token = demo::owner_token(held, &arguments.org, own(&settings, &plan, held)?).await?;
    start_own(&plan, held, fleet, &http, &settings).await?;
    let gateway = plan.ports.url("gateway");
    let owner = Owner::new(held, &arguments.org, http, &gateway, token);
    owner.check().await?;
    if plan.fakes.is_some() {
        for source in CONNECTED {
            owner.connect(source).await?;
        }
    }
    let session = owner.open_session().await?;
    note(format!("everything is ready after {:.1} s", begun.elapsed().as_secs_f32()));
    Ok(Summary::new(arguments, &plan, held, fleet, Access { owner, session }))
}

/// Starts the three servers and migrates the schema. All three start at once; PostgreSQL takes longest.
async fn start_servers(
    plan: &Plan,
    held: &Held,
    fleet: &mut Fleet,
    http: &InternalHttp,
) -> anyhow::Result<Settings> {
    let begun = Instant::now();
    let (ports, passwords) = (plan.ports, held.passwords()?);
    let restate = plan.restate.start.as_ref();
    let restate = restate.map(|program| servers::start_restate(fleet, held, program, ports)).transpose()?;
    let redis = plan.redis.start.as_ref();
    let redis = redis.map(|program| servers::start_redis(fleet, held, program, ports)).transpose()?;
    let mut superuser = plan.postgres.told.clone().unwrap_or_default();
    if let Some(program) = &plan.postgres.start {
        superuser = servers::start_postgres(fleet, held, program, ports).await?;
    }
    let database = servers::prepare(&superuser, plan.postgres.start.is_some(), &passwords).await?;
    ready("postgres", begun, &plan.postgres.at(ports.address("postgres")));

    let redis_url = redis.as_ref().map(Redis::url).or_else(|| plan.redis.told.clone()).unwrap_or_default();
    match &redis {
        Some(redis) => servers::wait(fleet, redis).await?,
        None => servers::check_redis(&redis_url).await?,
    }
    ready("redis", begun, &plan.redis.at(ports.address("redis")));
    let (ingress, admin) = plan.restate_urls();
    match &restate {
        Some(restate) => servers::wait(fleet, restate).await?,
        None => servers::check_restate(http, &ingress, &admin).await?,
    }
    ready("restate", begun, &plan.restate.at(ports.address("restate ingress")));
    Ok(Settings {
        database_url: database.service_url,
        owner_database_url: database.owner_url,
        redis_url,
        restate_ingress_url: ingress,
        restate_admin_url: admin,
        listen: ports.address("gateway").to_string(),
        master_key_file: held.master_key_file()?,
    })
}

async fn start_fakes(fakes: &Path, ports: Ports, fleet: &mut Fleet) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut command = Command::new(fakes);
    command.args(["--token", FAKE_TOKEN]);
    for integration in integrations::ALL {
        let slug = integration.slug;
        command.arg(format!("--{slug}-port")).arg(ports.of(slug).to_string());
    }
    fleet.start("fakes", &mut command)?;
    for integration in integrations::ALL {
        fleet.ready("fakes", PATIENCE, async || listens(ports, integration.slug).await).await?;
    }
    let titles = integrations::ALL.map(|integration| integration.title);
    ready("fakes", begun, &format!("stand-ins for {}", titles.join(", ")));
    Ok(())
}

/// Starts the gateway and the worker, which are this same program.
async fn start_own(
    plan: &Plan,
    held: &Held,
    fleet: &mut Fleet,
    http: &InternalHttp,
    settings: &Settings,
) -> anyhow::Result<()> {
    let begun = Instant::now();
    let (ports, admin) = (plan.ports, &settings.restate_admin_url);
    fleet.start("gateway", own(settings, plan, held)?.arg("serve"))?;
    let mut worker = own(settings, plan, held)?;
    worker.args(["worker", "--listen", &ports.address("worker").to_string(), "--admin-url", admin]);
    fleet.start("worker", &mut worker)?;
    let gateway = ports.url("gateway");
    let is_ready = async || http.is_well(&format!("{gateway}/readyz")).await;
    fleet.ready("gateway", PATIENCE, is_ready).await?;
    ready("gateway", begun, &gateway);
    // Restate may still have the worker of an earlier run registered, so check that this worker listens as well.
    let worker = ports.url("worker");
    let known = async || http.workers(admin).await.is_ok_and(|workers| workers.contains(&worker));
    fleet.ready("worker", PATIENCE, async || listens(ports, "worker").await && known().await).await?;
    ready("worker", begun, &worker);
    Ok(())
}

/// A command of this program with the settings of this folder and none from the environment, which may name a
/// production deployment.
fn own(settings: &Settings, plan: &Plan, held: &Held) -> anyhow::Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("finding this program")?);
    command.env_clear();
    for name in ["PATH", "HOME", "LANG", "TZ", "RUST_LOG", "RUST_BACKTRACE"] {
        if let Some(value) = variable(name) {
            command.env(name, value);
        }
    }
    command
        .env("COUNTERSIGN_DATABASE_URL", &settings.database_url)
        .env("COUNTERSIGN_REDIS_URL", &settings.redis_url)
        .env("COUNTERSIGN_RESTATE_INGRESS_URL", &settings.restate_ingress_url)
        .env("COUNTERSIGN_LISTEN", &settings.listen)
        .env("COUNTERSIGN_PUBLIC_URL", plan.ports.web())
        .env("COUNTERSIGN_MASTER_KEY_FILE", &settings.master_key_file)
        .env("COUNTERSIGN_WORKSPACE_ROOT", held.at("workspaces"))
        .env("COUNTERSIGN_ARTIFACTS", artifacts(held)?)
        .env("COUNTERSIGN_LOG_FORMAT", "text");
    let stdio = held.at("stdio.json");
    if stdio.exists() {
        command.env("COUNTERSIGN_STDIO_SERVERS", stdio);
    }
    if plan.fakes.is_some() {
        command.env("COUNTERSIGN_EGRESS_ALLOW", "127.0.0.1/32");
        for integration in integrations::ALL {
            command.env(integration.url_variable, plan.ports.url(integration.slug));
        }
    }
    Ok(command)
}

/// The directory for results that are too large for a receipt, as a URL.
fn artifacts(held: &Held) -> anyhow::Result<String> {
    let directory = held.at("artifacts");
    std::fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    let directory = directory.canonicalize().context("finding the directory for artifacts")?;
    let url = url::Url::from_file_path(&directory).ok();
    Ok(url.with_context(|| format!("{} is no path for an address", directory.display()))?.into())
}

async fn listens(ports: Ports, name: &str) -> bool {
    TcpStream::connect(ports.address(name)).await.is_ok()
}

fn ready(name: &str, begun: Instant, at: &str) {
    note(format!("{name:<10} ready  {:>5.1} s  {at}", begun.elapsed().as_secs_f32()));
}

/// Prints a progress message. A closed pipe is not an error: the servers must be stopped even if nobody reads the
/// messages.
fn note(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn print(text: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

fn slug(text: &str) -> Result<String, String> {
    let fine = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let good = !text.is_empty() && text.chars().all(fine);
    good.then(|| text.to_owned()).ok_or_else(|| "lower-case letters, digits and hyphens".to_owned())
}

/// The signals that stop `dev`. They are handled from the start: a signal that arrives while servers start must not
/// leave them running.
struct Stop([Signal; 3]);

impl Stop {
    fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("listening for signals");
        Ok(Self([
            listen(SignalKind::interrupt())?,
            listen(SignalKind::terminate())?,
            listen(SignalKind::hangup())?,
        ]))
    }

    async fn told(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
