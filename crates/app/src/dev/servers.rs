//! PostgreSQL, Redis and Restate for `countersign dev`: started on loopback below its folder, or used where told.

use std::{
    fs,
    os::unix::fs::{DirBuilderExt as _, chown},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use platform::{
    db::{self, cluster},
    redis,
};
use secrecy::SecretString;
use tokio::process::Command;
use url::Url;

use super::{
    fleet::Fleet,
    place::{Held, Passwords, write_secret},
    ports::Ports,
};
use crate::{
    neighbour::Neighbour,
    programs::{self, Program},
};

const DATABASE: &str = "countersign";
/// The first start on a slow disk, with everything else starting beside it.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whom a process runs as.
#[derive(Debug, Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

/// The addresses of the database for each role.
pub(crate) struct Database {
    pub(crate) owner_url: String,
    pub(crate) service_url: String,
}

/// Starts PostgreSQL, after making its data where there is none; gives back the superuser's address.
pub(crate) async fn start_postgres(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<String> {
    let (folder, password) = (held.at("postgres"), held.passwords()?.superuser);
    let user = postgres_user()?;
    make_cluster(&folder, program, user, &password).await?;
    let port = ports.of("postgres");
    let mut command = as_user(&program.path, user, &folder);
    command.arg("-D").arg(folder.join("data"));
    // No socket: its path may be too long, and whoever connects there needs no password.
    let settings = [
        "listen_addresses=127.0.0.1",
        &format!("port={port}"),
        "unix_socket_directories=",
        "max_connections=100",
    ];
    for setting in settings {
        command.args(["-c", setting]);
    }
    fleet.start("postgres", &mut command)?;
    let url = format!("postgres://postgres:{password}@127.0.0.1:{port}/postgres");
    fleet.ready("postgres", PATIENCE, async || cluster::connect(&url).await.is_ok()).await?;
    Ok(url)
}

/// Makes a data directory. It gets its name only when it is whole.
async fn make_cluster(
    folder: &Path,
    program: &Program,
    user: Option<User>,
    password: &str,
) -> anyhow::Result<()> {
    if folder.join("data/PG_VERSION").exists() {
        return Ok(());
    }
    let own = |path: &Path| match user {
        Some(User { uid, gid }) => chown(path, Some(uid), Some(gid)),
        None => Ok(()),
    };
    let making = || format!("making {}", folder.display());
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(making)?;
    own(folder).with_context(making)?;
    let (unfinished, secret) = (folder.join("unfinished"), folder.join("password"));
    let _ = fs::remove_dir_all(&unfinished);
    write_secret(&secret, password)?;
    own(&secret).with_context(making)?;
    let mut command = as_user(&program.path.with_file_name("initdb"), user, folder);
    command.args(["-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--auth=scram-sha-256"]);
    command.arg("-D").arg(&unfinished).arg(format!("--pwfile={}", secret.display()));
    let made = command.kill_on_drop(true).output().await;
    let _ = fs::remove_file(&secret);
    let made = made.with_context(|| match user {
        Some(_) => format!(
            "PostgreSQL runs as the user `postgres`, who must be able to pass through to {}; chmod a+x the folders \
             above it, or choose another with --dir",
            folder.display()
        ),
        None => "running initdb".to_owned(),
    })?;
    ensure!(made.status.success(), "initdb failed:\n{}", String::from_utf8_lossy(&made.stderr));
    fs::rename(unfinished, folder.join("data")).with_context(making)
}

fn as_user(program: &Path, user: Option<User>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some(User { uid, gid }) = user {
        command.uid(uid).gid(gid);
    }
    command
}

/// PostgreSQL refuses to run as root; anyone else runs it as themselves.
fn postgres_user() -> anyhow::Result<Option<User>> {
    if !programs::is_root() {
        return Ok(None);
    }
    let known = fs::read_to_string("/etc/passwd").context("reading who the users are")?;
    let found = known.lines().find_map(|line| {
        let mut fields = line.strip_prefix("postgres:")?.split(':').skip(1);
        Some(User { uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    });
    let missing =
        "PostgreSQL does not run as root, and there is no user `postgres`; type: useradd --system postgres";
    found.context(missing).map(Some)
}

/// Makes roles, database and schema. On a server of our own, passwords are set to ours; on another one, a role that
/// exists keeps its password, because somebody may be using it.
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

/// Starts Redis; gives back its address.
pub(crate) fn start_redis(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<String> {
    let (folder, port, password) = (held.at("redis"), ports.of("redis"), held.passwords()?.redis);
    let settings = folder.join("redis.conf");
    // In a file, because arguments stand in process lists. Nothing in Redis is a source of truth, so nothing is
    // written to disk.
    let text = format!(
        "bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave \"\"\nappendonly no\ndaemonize no\n"
    );
    write_secret(&settings, &text)?;
    fleet.start("redis", Command::new(&program.path).arg(settings).current_dir(folder))?;
    Ok(format!("redis://:{password}@127.0.0.1:{port}"))
}

/// Waits until Redis answers.
pub(crate) async fn redis_ready(fleet: &mut Fleet, url: &str) -> anyhow::Result<()> {
    fleet.ready("redis", PATIENCE, async || redis::version(url).await.is_ok()).await
}

/// A Redis that somebody else runs.
pub(crate) async fn check_redis(url: &str) -> anyhow::Result<()> {
    let version = redis::version(url).await.context("asking the Redis that --redis-url names")?;
    let least = programs::REDIS_AT_LEAST;
    ensure!(programs::major(&version) >= least, "Redis there is {version}, and {least} or newer is needed");
    Ok(())
}

/// Starts Restate.
pub(crate) fn start_restate(
    fleet: &mut Fleet,
    held: &Held,
    program: &Program,
    ports: Ports,
) -> anyhow::Result<()> {
    let folder: PathBuf = held.at("restate");
    let mut command = Command::new(&program.path);
    command
        .args(["--no-logo", "--listen-mode", "tcp", "--node-name", "countersign"])
        .args(["--default-num-partitions", "4"])
        .arg("--base-dir")
        .arg(folder.join("data"))
        .args(["--bind-address", &ports.address("restate node").to_string()])
        .args(["--advertised-address", &format!("{}/", ports.url("restate node"))])
        .env("RESTATE_INGRESS__BIND_ADDRESS", ports.address("restate ingress").to_string())
        .env("RESTATE_ADMIN__BIND_ADDRESS", ports.address("restate admin").to_string())
        .env("RESTATE_LOG_DISABLE_ANSI_CODES", "true")
        .env("RESTATE_DISABLE_TELEMETRY", "true")
        .env("DO_NOT_TRACK", "1")
        .current_dir(folder);
    fleet.start("restate", &mut command)
}

/// Waits until Restate takes orders.
pub(crate) async fn restate_ready(
    fleet: &mut Fleet,
    neighbour: &Neighbour,
    ingress: &str,
    admin: &str,
) -> anyhow::Result<()> {
    fleet.ready("restate", PATIENCE, async || restate_is_well(neighbour, ingress, admin).await).await
}

/// A Restate that somebody else runs.
pub(crate) async fn check_restate(neighbour: &Neighbour, ingress: &str, admin: &str) -> anyhow::Result<()> {
    if !restate_is_well(neighbour, ingress, admin).await {
        bail!("Restate does not answer at {ingress} and {admin}, which were told");
    }
    Ok(())
}

async fn restate_is_well(neighbour: &Neighbour, ingress: &str, admin: &str) -> bool {
    neighbour.is_well(&format!("{}/health", admin.trim_end_matches('/'))).await
        && neighbour.is_well(&format!("{}/restate/health", ingress.trim_end_matches('/'))).await
}
