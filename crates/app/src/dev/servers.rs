//! PostgreSQL, Redis and Restate for `countersign dev`: started on loopback with data in its folder, or used at a given
//! address.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use local_servers::{ADMIN_HEALTH, Authentication, INGRESS_HEALTH, Postgres, Redis, Restate, Server};
use platform::{
    db::{self, cluster},
    redis,
};
use secrecy::SecretString;
use url::Url;

use super::{
    fleet::Fleet,
    place::{Held, Passwords},
    ports::Ports,
};
use crate::{
    internal_http::InternalHttp,
    programs::{self, Program},
};

const DATABASE: &str = "countersign";
/// Enough for the first start on a slow disk, while everything else starts as well.
const PATIENCE: Duration = Duration::from_secs(120);

/// The URLs of the database for each role.
pub(crate) struct Database {
    pub(crate) owner_url: String,
    pub(crate) service_url: String,
}

/// Starts PostgreSQL, after creating its data if there is none; returns the superuser's URL.
pub(crate) async fn start_postgres(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<String> {
    let (port, password) = (ports.of("postgres"), held.passwords()?.superuser);
    let server = Postgres {
        program: program.clone(),
        folder: held.at("postgres"),
        port,
        authentication: Authentication::Password(password.clone()),
        durable: true,
    };
    let preparing = server.clone();
    let prepared = tokio::task::spawn_blocking(move || preparing.prepare()).await?;
    prepared.context("creating PostgreSQL's data; --dir names another folder")?;
    fleet.start(server.name(), &mut server.command()?.into())?;
    wait(fleet, &server).await?;
    Ok(format!("postgres://postgres:{password}@127.0.0.1:{port}/postgres"))
}

/// Waits until a server that was started here is ready.
pub(crate) async fn wait(fleet: &mut Fleet, server: &(impl Server + Clone + 'static)) -> anyhow::Result<()> {
    let is_ready = async || {
        let server = server.clone();
        tokio::task::spawn_blocking(move || server.is_ready()).await.unwrap_or(false)
    };
    fleet.ready(server.name(), PATIENCE, is_ready).await
}

/// Creates roles, database and schema. On a server that was started here, passwords are set to ours; on another one, an
/// existing role keeps its password, because others may use it.
pub(crate) async fn prepare(superuser: &str, ours: bool, kept: &Passwords) -> anyhow::Result<Database> {
    let mut conn = cluster::connect(superuser).await.context("is the address one of a superuser?")?;
    let server = cluster::look(&mut conn).await?;
    ensure!(
        programs::major(&server.version) >= programs::POSTGRES_AT_LEAST,
        "PostgreSQL there is {}, and {} or newer is needed",
        server.version,
        programs::POSTGRES_AT_LEAST
    );
    let passwords = cluster::Passwords {
        owner: SecretString::from(kept.owner.clone()),
        service: SecretString::from(kept.service.clone()),
    };
    cluster::prepare(&mut conn, &passwords).await?;
    if ours {
        cluster::set_passwords(&mut conn, &passwords).await?;
    }
    let database = Database {
        owner_url: as_role(superuser, "countersign_owner", &kept.owner)?,
        service_url: as_role(superuser, "countersign_service", &kept.service)?,
    };
    for url in [&database.owner_url, &database.service_url] {
        cluster::connect(url).await.context(
            "the roles of Countersign exist there with passwords this folder does not know, and are left alone; leave \
             out --postgres-url to get a server of your own",
        )?;
    }
    let mut owner = db::connect_owner(&database.owner_url).await?;
    db::migrate(&mut owner).await?;
    Ok(database)
}

fn as_role(superuser: &str, role: &str, password: &str) -> anyhow::Result<String> {
    let mut url: Url = superuser.parse().context("reading the address of PostgreSQL")?;
    let set = url.set_username(role).and_then(|()| url.set_password(Some(password)));
    set.map_err(|()| anyhow::anyhow!("the address of PostgreSQL names no host"))?;
    url.set_path(DATABASE);
    Ok(url.into())
}

pub(crate) fn start_redis(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<Redis> {
    let server = Redis {
        program: program.clone(),
        folder: held.at("redis"),
        port: ports.of("redis"),
        authentication: Authentication::Password(held.passwords()?.redis),
    };
    server.prepare()?;
    fleet.start(server.name(), &mut server.command()?.into())?;
    Ok(server)
}

/// Checks a Redis that was not started here.
pub(crate) async fn check_redis(url: &str) -> anyhow::Result<()> {
    let version = redis::version(url).await.context("asking the Redis that --redis-url names")?;
    let least = programs::REDIS_AT_LEAST;
    ensure!(programs::major(&version) >= least, "Redis there is {version}, and {least} or newer is needed");
    Ok(())
}

pub(crate) fn start_restate(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<Restate> {
    let server = Restate {
        program: program.clone(),
        folder: held.at("restate"),
        ingress_port: ports.of("restate ingress"),
        admin_port: ports.of("restate admin"),
        node_port: ports.of("restate node"),
        partitions: 4,
        more: Vec::new(),
    };
    server.prepare()?;
    fleet.start(server.name(), &mut server.command()?.into())?;
    Ok(server)
}

/// Checks a Restate that was not started here.
pub(crate) async fn check_restate(http: &InternalHttp, ingress: &str, admin: &str) -> anyhow::Result<()> {
    for (url, path) in [(admin, ADMIN_HEALTH), (ingress, INGRESS_HEALTH)] {
        if !http.is_well(&format!("{}{path}", url.trim_end_matches('/'))).await {
            bail!("Restate does not answer at {url}, which was told");
        }
    }
    Ok(())
}
