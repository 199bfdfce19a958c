//! Checks of a deployment: whether its servers answer, and whether database, keys and mirrors are usable.

use std::{
    net::SocketAddr,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use catalog::{
    integrations::{self, Integration},
    mcp::Organizations,
};
use http::Method;
use ledger::mirror::Mirror;
use platform::{
    config::{self, variable},
    db::cluster::{self, Schema},
    redis,
    seal::Keyring,
};
use secrecy::{ExposeSecret as _, SecretString};
use url::{Host, Url};

use super::Check;
use crate::{
    dev::{Place, Settings, is_free},
    internal_http::InternalHttp,
    programs, stdio,
};

/// The deployment to check.
pub(super) enum Named {
    /// None yet: the question is whether `dev` could start.
    Nothing,
    Deployment(Box<Deployment>),
}

/// The settings of a deployment, as far as they are set.
pub(super) struct Deployment {
    database_url: Option<SecretString>,
    owner_database_url: Option<SecretString>,
    redis_url: Option<SecretString>,
    ingress_url: Option<String>,
    admin_url: Option<String>,
    worker_listen: Option<String>,
    /// Whether workers answer only what Restate signed.
    signed: bool,
    listen: Option<String>,
    master_key: anyhow::Result<Option<SecretString>>,
    master_key_file: Option<PathBuf>,
    stdio_servers: Option<PathBuf>,
    mirrors: Option<String>,
    /// The command that starts it, if it belongs to `dev`.
    dev: Option<String>,
}

impl Named {
    /// The deployment in the environment, else the one in the folder of `dev`.
    pub(super) fn find(place: &Place) -> Self {
        let names = ["COUNTERSIGN_DATABASE_URL", "COUNTERSIGN_REDIS_URL", "COUNTERSIGN_RESTATE_INGRESS_URL"];
        let file = |name: &str| variable(&format!("{name}_FILE"));
        if names.iter().any(|name| variable(name).or_else(|| file(name)).is_some()) {
            return Self::Deployment(Box::new(Deployment::of_environment()));
        }
        match place.settings() {
            Some(settings) => Self::Deployment(Box::new(Deployment::of_dev(settings, place))),
            None => Self::Nothing,
        }
    }

    pub(super) fn whose(&self, place: &Place) -> String {
        let dir = place.dir().display();
        match self {
            Self::Nothing => format!("requirements of `countersign dev`; {dir} is empty"),
            Self::Deployment(named) if named.dev.is_some() => format!("`countersign dev` in {dir}"),
            Self::Deployment(_) => "the deployment in the environment variables".to_owned(),
        }
    }
}

impl Deployment {
    fn of_environment() -> Self {
        let secret = |name, file| config::secret(name, file).ok().flatten();
        Self {
            database_url: secret("COUNTERSIGN_DATABASE_URL", "COUNTERSIGN_DATABASE_URL_FILE"),
            owner_database_url: config::owner_database_url().ok(),
            redis_url: secret("COUNTERSIGN_REDIS_URL", "COUNTERSIGN_REDIS_URL_FILE"),
            ingress_url: variable("COUNTERSIGN_RESTATE_INGRESS_URL"),
            admin_url: variable("COUNTERSIGN_RESTATE_ADMIN_URL"),
            worker_listen: variable("COUNTERSIGN_WORKER_LISTEN"),
            signed: variable("COUNTERSIGN_RESTATE_IDENTITY_KEY").is_some(),
            listen: variable("COUNTERSIGN_LISTEN"),
            master_key: config::secret("COUNTERSIGN_MASTER_KEY", "COUNTERSIGN_MASTER_KEY_FILE")
                .map_err(Into::into),
            master_key_file: variable("COUNTERSIGN_MASTER_KEY_FILE").map(PathBuf::from),
            stdio_servers: variable("COUNTERSIGN_STDIO_SERVERS").map(PathBuf::from),
            mirrors: config::ledger_mirrors(),
            dev: None,
        }
    }

    fn of_dev(settings: Settings, place: &Place) -> Self {
        let key = std::fs::read_to_string(&settings.master_key_file).context("reading the master key failed");
        Self {
            database_url: Some(settings.database_url.into()),
            owner_database_url: Some(settings.owner_database_url.into()),
            redis_url: Some(settings.redis_url.into()),
            ingress_url: Some(settings.restate_ingress_url),
            admin_url: Some(settings.restate_admin_url),
            worker_listen: None,
            signed: false,
            listen: Some(settings.listen),
            master_key: key.map(|key| Some(SecretString::from(key.trim()))),
            master_key_file: Some(settings.master_key_file),
            stdio_servers: Some(place.dir().join("stdio.json")).filter(|file| file.exists()),
            mirrors: None,
            dev: Some(format!("countersign dev --dir {}", place.dir().display())),
        }
    }

    pub(super) async fn examine(&self) -> Vec<Check> {
        let mut checks = self.postgres().await;
        checks.push(self.redis().await);
        match InternalHttp::new() {
            Ok(http) => {
                checks.extend(self.restate(&http).await);
                checks.push(self.gateway(&http).await);
            }
            Err(error) => checks.push(Check::failed("HTTP", format!("{error:#}"), "countersign doctor")),
        }
        checks.push(self.master_key());
        if self.dev.is_none() {
            checks.extend(proxy());
        }
        checks.extend(self.stdio_servers.as_deref().map(stdio_servers));
        checks.push(sandbox(self.stdio_servers.is_some()).await);
        if self.dev.is_none() {
            checks.extend(integrations::ALL.into_iter().filter_map(integration));
        }
        checks.extend(mirrors(self.mirrors.as_deref().unwrap_or_default()).await);
        checks
    }

    /// The command that starts a server.
    fn up(&self, otherwise: &str) -> String {
        self.dev.clone().unwrap_or_else(|| otherwise.to_owned())
    }

    async fn postgres(&self) -> Vec<Check> {
        let name = "PostgreSQL";
        let Some(url) = &self.database_url else {
            let next = "export COUNTERSIGN_DATABASE_URL=postgres://countersign_service:…@host/countersign";
            return vec![Check::failed(name, "COUNTERSIGN_DATABASE_URL is not set", next)];
        };
        let (url, at) = (url.expose_secret(), place_of(url.expose_secret()));
        let server = async { cluster::look(&mut cluster::connect(url).await?).await }.await;
        let server = match server {
            Ok(server) => server,
            Err(error) => {
                let detail = format!("connection to {at} failed: {:#}", anyhow::Error::new(error));
                return vec![Check::failed(name, detail, self.up(&format!("pg_isready {}", isready(url))))];
            }
        };
        let least = programs::POSTGRES_AT_LEAST;
        let old = programs::major(&server.version) < least;
        let mut checks = vec![if old {
            let detail = format!("{} at {at} is older than {least}", server.version);
            Check::failed(name, detail, programs::apt("postgresql"))
        } else {
            Check::ok(name, format!("{} answers at {at}", server.version))
        }];
        checks.push(if server.missing_roles.is_empty() {
            Check::ok("roles", cluster::ROLES.join(", "))
        } else {
            let missing = server.missing_roles.join(", ");
            Check::failed("roles", format!("missing: {missing}"), "psql -d postgres -f deploy/roles.sql")
        });
        checks.push(self.schema().await);
        checks
    }

    async fn schema(&self) -> Check {
        let Some(url) = &self.owner_database_url else {
            let why = "not checked, because only the owner role can read it; set COUNTERSIGN_OWNER_DATABASE_URL to check it";
            return Check::note("schema", why);
        };
        let url = url.expose_secret();
        let found = async { cluster::schema(&mut cluster::connect(url).await?).await }.await;
        match found {
            Ok(Schema::Current) => Check::ok("schema", "up to date"),
            Ok(Schema::Behind(count)) => {
                Check::failed("schema", format!("{count} migrations behind"), self.up("countersign migrate"))
            }
            Ok(Schema::Foreign(version)) => {
                let detail = format!("migration {version} failed or is newer than this program");
                Check::failed("schema", detail, "countersign --version")
            }
            Err(error) => {
                let detail =
                    format!("reading it at {} failed: {:#}", place_of(url), anyhow::Error::new(error));
                Check::failed("schema", detail, self.up("psql -d postgres -c '\\password countersign_owner'"))
            }
        }
    }

    async fn redis(&self) -> Check {
        let name = "Redis";
        let Some(url) = &self.redis_url else {
            let next = "export COUNTERSIGN_REDIS_URL=redis://host:6379";
            return Check::failed(name, "COUNTERSIGN_REDIS_URL is not set", next);
        };
        let (url, least) = (url.expose_secret(), programs::REDIS_AT_LEAST);
        let at = place_of(url);
        match redis::version(url).await {
            Ok(version) if programs::major(&version) >= least => {
                Check::ok(name, format!("{version} answers at {at}"))
            }
            Ok(version) => {
                let detail = format!("{version} at {at} is older than {least}");
                Check::failed(name, detail, programs::apt("redis-server"))
            }
            Err(error) => {
                let detail = format!("does not answer at {at}: {:#}", anyhow::Error::new(error));
                Check::failed(name, detail, self.up("redis-server"))
            }
        }
    }

    async fn restate(&self, http: &InternalHttp) -> Vec<Check> {
        let name = "Restate";
        let start = self.up("restate-server");
        let mut checks = Vec::new();
        checks.push(match &self.ingress_url {
            None => Check::failed(
                name,
                "COUNTERSIGN_RESTATE_INGRESS_URL is not set",
                "export COUNTERSIGN_RESTATE_INGRESS_URL=http://host:8080",
            ),
            Some(url) if http.is_well(&join(url, "restate/health")).await => {
                Check::ok(name, format!("ingress answers at {}", place_of(url)))
            }
            Some(url) => {
                Check::failed(name, format!("ingress does not answer at {}", place_of(url)), start.clone())
            }
        });
        let Some(url) = &self.admin_url else {
            let next = "export COUNTERSIGN_RESTATE_ADMIN_URL=http://host:9070";
            checks.push(Check::failed("Restate admin", "COUNTERSIGN_RESTATE_ADMIN_URL is not set", next));
            return checks;
        };
        if !http.is_well(&join(url, "health")).await {
            checks.push(Check::failed(
                "Restate admin",
                format!("does not answer at {}", place_of(url)),
                start,
            ));
            return checks;
        }
        checks.push(Check::ok("Restate admin", format!("answers at {}", place_of(url))));
        match http.workers(url).await {
            Ok(workers) if !workers.is_empty() => {
                checks.push(Check::ok("worker", format!("registered: {}", workers.join(", "))));
                checks.extend(self.worker_identity(&workers));
            }
            Ok(_) => {
                let detail = "none is registered, so approved actions are not executed";
                checks.push(Check::failed("worker", detail, self.up("countersign worker")));
            }
            Err(error) => {
                checks.push(Check::failed("worker", format!("{error:#}"), self.up("countersign worker")));
            }
        }
        checks
    }

    /// Whether others than Restate can call the workers. On loopback, that is everyone on this machine.
    fn worker_identity(&self, workers: &[String]) -> Option<Check> {
        let name = "worker identity";
        if self.signed {
            return Some(Check::ok(name, "a worker with this setting answers only what Restate signed"));
        }
        let listen = self.worker_listen.as_ref().map(|listen| format!("http://{listen}"));
        let open = workers.iter().chain(&listen).find(|url| !is_loopback(url))?;
        let detail = format!(
            "everyone who reaches {} can call the worker; set COUNTERSIGN_RESTATE_IDENTITY_KEY",
            place_of(open)
        );
        Some(Check::note(name, detail))
    }

    /// The gateway answers at its address, or the port is free.
    async fn gateway(&self, http: &InternalHttp) -> Check {
        let name = "gateway";
        let listen = self.listen.as_deref().unwrap_or("127.0.0.1:7878");
        let Ok(address) = listen.parse::<SocketAddr>() else {
            let next = "export COUNTERSIGN_LISTEN=127.0.0.1:7878";
            return Check::failed(name, "COUNTERSIGN_LISTEN is not an address with a port", next);
        };
        let mut asked = address;
        if asked.ip().is_unspecified() {
            asked.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        let ready = http.call(Method::GET, &format!("http://{asked}/readyz"), None, None).await;
        match ready {
            Ok(answer) if answer.is_success() => Check::ok(name, format!("ready at http://{asked}")),
            Ok(answer) if answer.body["database"].is_boolean() => {
                let detail = format!("answers at http://{asked} but is not ready: {}", answer.body);
                Check::failed(name, detail, format!("curl -s http://{asked}/readyz"))
            }
            _ if is_free(address.port()) => match &self.dev {
                Some(dev) => Check::failed(name, format!("not running at http://{asked}"), dev.clone()),
                None => Check::ok(name, format!("{address} is free; `countersign serve` will listen there")),
            },
            _ => {
                let detail = format!("another process listens on {address}");
                Check::failed(name, detail, "COUNTERSIGN_LISTEN=127.0.0.1:7979 countersign serve")
            }
        }
    }

    fn master_key(&self) -> Check {
        let name = "master key";
        let make = "(umask 077 && countersign master-key create > master.key) && export COUNTERSIGN_MASTER_KEY_FILE=$PWD/master.key";
        let key = match &self.master_key {
            Ok(Some(key)) => key,
            Ok(None) => return Check::failed(name, "COUNTERSIGN_MASTER_KEY is not set", make),
            Err(error) => return Check::failed(name, format!("{error:#}"), make),
        };
        if let Err(error) = Keyring::parse(key) {
            return Check::failed(name, error.to_string(), make);
        }
        let Some(file) = &self.master_key_file else {
            return Check::ok(name, "set and valid");
        };
        let mode = std::fs::metadata(file).map_or(0, |found| found.permissions().mode());
        if mode & 0o077 != 0 {
            let detail = format!("{} is readable by other users", file.display());
            return Check::failed(name, detail, format!("chmod 600 {}", file.display()));
        }
        Check::ok(name, format!("set and valid, in {}", file.display()))
    }
}

/// With https, a proxy stands in front of the gateway.
fn proxy() -> Option<Check> {
    let name = "proxy";
    if let Some(networks) = variable("COUNTERSIGN_TRUSTED_PROXIES") {
        return Some(Check::ok(name, format!("believed if it comes from {networks}")));
    }
    variable("COUNTERSIGN_PUBLIC_URL").filter(|url| url.starts_with("https://"))?;
    let detail =
        "all clients count as one network address; set COUNTERSIGN_TRUSTED_PROXIES to the proxy's network";
    Some(Check::note(name, detail))
}

/// The address of a self-hosted service, where the environment names one.
fn integration(known: &Integration) -> Option<Check> {
    let given = variable(known.url_variable)?;
    Some(match given.parse::<Url>() {
        Ok(url) if url.has_host() => Check::ok(known.title, format!("at {url}")),
        _ => {
            let next = format!("export {}={}", known.url_variable, known.default_url);
            Check::failed(known.title, format!("{} is not a URL", known.url_variable), next)
        }
    })
}

/// Whether this machine can make a sandbox, which only commands need.
async fn sandbox(is_needed: bool) -> Check {
    let name = "sandbox";
    let offers = sandbox::offers(None).await;
    let said = |offer: &sandbox::Offer| format!("{}: {}", offer.piece, offer.found);
    match offers.iter().find(|offer| !offer.works) {
        None => Check::ok(name, offers.iter().map(said).collect::<Vec<_>>().join("; ")),
        Some(missing) if is_needed => Check::failed(name, said(missing), "countersign help doctor"),
        Some(missing) => Check::ok(name, format!("not possible, and not needed: {}", said(missing))),
    }
}

/// The commands for stdio connectors: whether the file is valid and each program exists.
fn stdio_servers(file: &Path) -> Check {
    let name = "stdio servers";
    let commands = match stdio::declared(file) {
        Ok(commands) => commands,
        Err(error) => {
            return Check::failed(name, format!("{error:#}"), format!("${{EDITOR:-vi}} {}", file.display()));
        }
    };
    let mode = |path: &Path| std::fs::metadata(path).ok().map(|found| found.permissions().mode());
    // The environment of a command may hold credentials.
    let knows = commands.values().any(|command| !command.env.is_empty());
    if knows && mode(file).is_some_and(|mode| mode & 0o077 != 0) {
        let detail = format!("{} is readable by other users", file.display());
        return Check::failed(name, detail, format!("chmod 600 {}", file.display()));
    }
    for (command, declared) in &commands {
        let program = declared.command.first().map(Path::new).unwrap_or_else(|| Path::new(""));
        if mode(program).is_none_or(|mode| mode & 0o111 == 0) {
            let detail = format!("`{command}`: no program at {}", program.display());
            return Check::failed(name, detail, format!("ls -l {}", program.display()));
        }
    }
    let unused = commands.iter().find(|(_, command)| command.organizations == Organizations::default());
    if let Some((unused, _)) = unused {
        let detail = format!("no organization may use `{unused}`: it has no `organizations`");
        return Check::failed(name, detail, format!("${{EDITOR:-vi}} {}", file.display()));
    }
    let names: Vec<&str> = commands.keys().map(String::as_str).collect();
    Check::ok(name, if names.is_empty() { "none declared".to_owned() } else { names.join(", ") })
}

async fn mirrors(addresses: &str) -> Vec<Check> {
    let name = "ledger mirror";
    let mirrors = match Mirror::parse_list(addresses) {
        Ok(mirrors) => mirrors,
        Err(error) => {
            let next = "export COUNTERSIGN_LEDGER_MIRRORS=file:///mnt/mirror";
            return vec![Check::failed(name, format!("{:#}", anyhow::Error::new(error)), next)];
        }
    };
    let mut checks = Vec::new();
    for mirror in mirrors {
        let place = mirror.name();
        checks.push(match mirror.probe().await {
            Ok(()) => Check::ok(name, format!("{place} is writable")),
            Err(error) => {
                let detail = format!("{place} is not writable: {:#}", anyhow::Error::new(error));
                let next = match place.split_once("://") {
                    Some(("git", clone)) => format!("git -C {clone} push --dry-run origin HEAD"),
                    Some(("file", directory)) => format!("ls -ld {directory}"),
                    _ => "env | grep -o '^AWS_[A-Z_]*'".to_owned(),
                };
                Check::failed(name, detail, next)
            }
        });
    }
    checks
}

/// Host and port of an address. The rest may hold a password and is not shown.
fn place_of(url: &str) -> String {
    let Ok(url) = url.parse::<Url>() else { return "an invalid address".to_owned() };
    let host = url.host_str().unwrap_or("this machine").to_owned();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

fn is_loopback(url: &str) -> bool {
    match url.parse::<Url>().ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// Arguments for `pg_isready` that name the same server.
fn isready(url: &str) -> String {
    let Ok(url) = url.parse::<Url>() else { return String::new() };
    format!("-h {} -p {}", url.host_str().unwrap_or("localhost"), url.port().unwrap_or(5432))
}

fn join(url: &str, path: &str) -> String {
    format!("{}/{path}", url.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn a_worker_that_others_can_call_is_reported() {
        let deployment = |listen: Option<&str>, signed| Deployment {
            database_url: None,
            owner_database_url: None,
            redis_url: None,
            ingress_url: None,
            admin_url: None,
            worker_listen: listen.map(str::to_owned),
            signed,
            listen: None,
            master_key: Ok(None),
            master_key_file: None,
            stdio_servers: None,
            mirrors: None,
            dev: None,
        };
        let state = |listen, signed, url: &str| {
            deployment(listen, signed).worker_identity(&[url.to_owned()]).map(|check| check.state)
        };
        let (inside, outside) = ("http://127.0.0.1:9080", "http://worker:9080");
        assert_eq!(state(None, false, inside), None);
        assert_eq!(state(None, false, outside), Some(State::Note));
        assert_eq!(state(Some("0.0.0.0:9080"), false, inside), Some(State::Note));
        assert_eq!(state(Some("0.0.0.0:9080"), true, outside), Some(State::Ok));
    }

    #[test]
    fn only_host_and_port_of_an_address_are_shown() {
        for (url, shown) in [
            ("postgres://countersign_service:s3cret@db.example:5433/countersign", "db.example:5433"),
            ("postgres://countersign_service:s3cret@db.example/countersign?password=s3cret", "db.example"),
            ("redis://:s3cret@127.0.0.1:6379/0", "127.0.0.1:6379"),
            ("not an address with s3cret", "an invalid address"),
        ] {
            assert_eq!(place_of(url), shown);
        }
    }
}
