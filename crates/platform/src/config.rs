//! Configuration: read once from the environment, checked before anything starts.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use ipnet::IpNet;
use secrecy::SecretString;

/// A setting is missing or wrong; the message says which and what to write.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It must be set.
    #[error("{name} is not set: {hint}")]
    Missing {
        /// The variable.
        name: &'static str,
        /// What to put there.
        hint: &'static str,
    },
    /// It cannot be read.
    #[error("{name} is not valid: expected {expected}")]
    Invalid {
        /// The variable.
        name: &'static str,
        /// What would be.
        expected: &'static str,
    },
    /// A file it names cannot be read.
    #[error("reading the file that {name} names")]
    File {
        /// The variable.
        name: &'static str,
        #[source]
        source: std::io::Error,
    },
}

/// Everything `countersign serve` needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// PostgreSQL as the service role.
    pub database_url: SecretString,
    /// Too few and requests queue; too many and PostgreSQL swaps work for waiting. Two per core is a good start.
    pub database_connections: u32,
    /// Redis. While it is away, limits are open and everything else works.
    pub redis_url: SecretString,
    /// The engine's ingress, where approved work is handed over.
    pub engine_url: String,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where people reach the gateway, as their browsers write it. Without it no connector is authorized by OAuth.
    pub public_url: Option<url::Url>,
    /// Master keys, newest first, as `name:base64` separated by commas. The first one wraps; all of them open.
    pub master_keys: SecretString,
    /// Which cell this is: two characters that stand in every token it makes.
    pub cell: String,
    /// Where the `files` source works, one directory per org. Without it that source refuses.
    pub workspace_root: Option<PathBuf>,
    /// Networks outside the public internet that may be reached, for self-hosted services.
    pub egress_allow: Vec<IpNet>,
    /// The file that declares the commands that connectors may be, as JSON.
    pub stdio_servers: Option<PathBuf>,
    /// The mail server, as `smtps://user:password@host:465`; without it nobody is told by mail.
    pub smtp_url: Option<SecretString>,
    /// Who mails come from.
    pub mail_from: Option<String>,
    /// Where checkpoints of the ledger are kept as well: places separated by commas.
    pub ledger_mirrors: Option<String>,
    /// Where results are kept that are too large for a receipt; without it they are not.
    pub artifacts: Option<String>,
    /// Who proves who people are.
    pub oidc: Option<Oidc>,
    /// Where the integrations live.
    pub urls: Urls,
    /// What one session may do.
    pub limits: Limits,
}

/// An identity provider that signs people in.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// What the button says: `Acme`.
    pub name: String,
    /// The issuer, exactly as the provider writes it.
    pub issuer: String,
    pub client_id: String,
    /// Absent for a public client.
    pub client_secret: Option<SecretString>,
    /// Take addresses for verified although the provider does not say so.
    pub trust_email: bool,
}

impl Oidc {
    fn from_environment() -> Result<Option<Self>, Error> {
        let Some(issuer) = variable("COUNTERSIGN_OIDC_ISSUER") else { return Ok(None) };
        if issuer.parse::<url::Url>().ok().is_none_or(|url| !url.has_host()) {
            let expected = "the provider's issuer, such as https://login.example";
            return Err(Error::Invalid { name: "COUNTERSIGN_OIDC_ISSUER", expected });
        }
        let client_id = variable("COUNTERSIGN_OIDC_CLIENT_ID").ok_or(Error::Missing {
            name: "COUNTERSIGN_OIDC_CLIENT_ID",
            hint: "write the id under which the provider knows this gateway",
        })?;
        Ok(Some(Self {
            name: variable("COUNTERSIGN_OIDC_NAME").unwrap_or_else(|| "your identity provider".to_owned()),
            issuer,
            client_id,
            client_secret: secret("COUNTERSIGN_OIDC_CLIENT_SECRET", "COUNTERSIGN_OIDC_CLIENT_SECRET_FILE")?,
            trust_email: parsed("COUNTERSIGN_OIDC_TRUST_EMAIL", false, "`true` or `false`")?,
        }))
    }
}

/// Base addresses of the integrations; `None` means the public one.
#[derive(Debug, Clone, Default)]
pub struct Urls {
    pub linear: Option<String>,
    pub sentry: Option<String>,
    pub slack: Option<String>,
    pub github: Option<String>,
}

/// Bounds on what one session may do, and on how long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Invocations a minute. Lower protects targets from a looping agent; higher suits batch work.
    pub invocations_per_minute: u32,
    /// Invocations that may wait for a person at once. Higher floods approvers.
    pub pending_per_session: u32,
    /// The longest one call to a target may take, whatever its action says. An execution holds its lease for as many
    /// calls as it may make, so shorter also recovers sooner; too short makes slow targets end as `unknown`.
    pub action_timeout: Duration,
    /// How long an execution may go unsettled before somebody else recovers it, beyond the action's own limits.
    /// Shorter recovers sooner, and risks two recoveries at work; the lease's epoch keeps that harmless.
    pub lease_margin: Duration,
    /// How often each process looks for executions whose process died.
    pub recovery_interval: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            invocations_per_minute: 60,
            pending_per_session: 10,
            action_timeout: Duration::from_secs(30),
            lease_margin: Duration::from_secs(15),
            recovery_interval: Duration::from_secs(5),
        }
    }
}

/// One variable of the environment; empty counts as not set.
#[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A variable, or the content of the file that `<name>_FILE` names, for secrets that are mounted.
pub fn secret(name: &'static str, file: &'static str) -> Result<Option<SecretString>, Error> {
    if let Some(value) = variable(name) {
        return Ok(Some(SecretString::from(value)));
    }
    let Some(path) = variable(file) else { return Ok(None) };
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { name: file, source })?;
    Ok(Some(SecretString::from(text.trim())))
}

fn required(name: &'static str, file: &'static str, hint: &'static str) -> Result<SecretString, Error> {
    secret(name, file)?.ok_or(Error::Missing { name, hint })
}

fn parsed<T: std::str::FromStr>(name: &'static str, default: T, expected: &'static str) -> Result<T, Error> {
    match variable(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| Error::Invalid { name, expected }),
    }
}

/// PostgreSQL as the owner role, for `migrate` alone.
pub fn owner_database_url() -> Result<SecretString, Error> {
    required(
        "COUNTERSIGN_OWNER_DATABASE_URL",
        "COUNTERSIGN_OWNER_DATABASE_URL_FILE",
        "write postgres://countersign_owner:…@host/countersign; the role is made by deploy/roles.sql",
    )
}

/// Where checkpoints of the ledger are kept as well.
pub fn ledger_mirrors() -> Option<String> {
    variable("COUNTERSIGN_LEDGER_MIRRORS")
}

fn public_url() -> Result<Option<url::Url>, Error> {
    let Some(text) = variable("COUNTERSIGN_PUBLIC_URL") else { return Ok(None) };
    let url = text.parse::<url::Url>().ok();
    let url =
        url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.path() == "/");
    let invalid = Error::Invalid {
        name: "COUNTERSIGN_PUBLIC_URL",
        expected: "https://gateway.example, without a path",
    };
    url.map(Some).ok_or(invalid)
}

impl Config {
    /// Reads and checks the environment.
    pub fn from_environment() -> Result<Self, Error> {
        let egress_allow = variable("COUNTERSIGN_EGRESS_ALLOW").unwrap_or_default();
        let egress_allow =
            egress_allow.split(',').map(str::trim).filter(|net| !net.is_empty()).map(str::parse);
        let cell = variable("COUNTERSIGN_CELL").unwrap_or_else(|| "00".to_owned());
        if cell.len() != 2 || !cell.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(Error::Invalid { name: "COUNTERSIGN_CELL", expected: "two letters or digits" });
        }
        Ok(Self {
            database_url: required(
                "COUNTERSIGN_DATABASE_URL",
                "COUNTERSIGN_DATABASE_URL_FILE",
                "write postgres://countersign_service:…@host/countersign; the role is made by deploy/roles.sql",
            )?,
            database_connections: parsed("COUNTERSIGN_DATABASE_CONNECTIONS", 16, "a whole number")?,
            redis_url: required(
                "COUNTERSIGN_REDIS_URL",
                "COUNTERSIGN_REDIS_URL_FILE",
                "write redis://host:6379",
            )?,
            engine_url: variable("COUNTERSIGN_RESTATE_INGRESS_URL").ok_or(Error::Missing {
                name: "COUNTERSIGN_RESTATE_INGRESS_URL",
                hint: "write http://host:8080, the ingress of Restate",
            })?,
            listen: parsed(
                "COUNTERSIGN_LISTEN",
                SocketAddr::from(([127, 0, 0, 1], 7878)),
                "an address such as 127.0.0.1:7878",
            )?,
            public_url: public_url()?,
            master_keys: required(
                "COUNTERSIGN_MASTER_KEY",
                "COUNTERSIGN_MASTER_KEY_FILE",
                "make one with `countersign key` and keep it safe: nothing sealed opens without it",
            )?,
            cell,
            workspace_root: variable("COUNTERSIGN_WORKSPACE_ROOT").map(PathBuf::from),
            egress_allow: egress_allow.collect::<Result<_, _>>().map_err(|_| Error::Invalid {
                name: "COUNTERSIGN_EGRESS_ALLOW",
                expected: "networks such as 10.1.0.0/16, separated by commas",
            })?,
            stdio_servers: variable("COUNTERSIGN_STDIO_SERVERS").map(PathBuf::from),
            smtp_url: secret("COUNTERSIGN_SMTP_URL", "COUNTERSIGN_SMTP_URL_FILE")?,
            mail_from: variable("COUNTERSIGN_MAIL_FROM"),
            ledger_mirrors: ledger_mirrors(),
            artifacts: variable("COUNTERSIGN_ARTIFACTS"),
            oidc: Oidc::from_environment()?,
            urls: Urls {
                linear: variable("COUNTERSIGN_LINEAR_URL"),
                sentry: variable("COUNTERSIGN_SENTRY_URL"),
                slack: variable("COUNTERSIGN_SLACK_URL"),
                github: variable("COUNTERSIGN_GITHUB_URL"),
            },
            limits: Limits::from_environment()?,
        })
    }
}

impl Limits {
    fn from_environment() -> Result<Self, Error> {
        let default = Self::default();
        let millis = |name, default: Duration| {
            let default = u64::try_from(default.as_millis()).unwrap_or(u64::MAX);
            parsed(name, default, "milliseconds").map(Duration::from_millis)
        };
        Ok(Self {
            invocations_per_minute: parsed(
                "COUNTERSIGN_INVOCATIONS_PER_MINUTE",
                default.invocations_per_minute,
                "a whole number",
            )?,
            pending_per_session: parsed(
                "COUNTERSIGN_PENDING_PER_SESSION",
                default.pending_per_session,
                "a whole number",
            )?,
            action_timeout: millis("COUNTERSIGN_ACTION_TIMEOUT_MS", default.action_timeout)?,
            lease_margin: millis("COUNTERSIGN_LEASE_MARGIN_MS", default.lease_margin)?,
            recovery_interval: millis("COUNTERSIGN_RECOVERY_INTERVAL_MS", default.recovery_interval)?,
        })
    }
}
