//! Configuration: read once from the environment, checked before anything starts.

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use ipnet::IpNet;
use secrecy::SecretString;

/// A setting is missing or wrong; the message says which and what to write.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The variable is required.
    #[error("{name} is not set: {hint}")]
    Missing {
        /// The variable.
        name: &'static str,
        /// What to set it to.
        hint: &'static str,
    },
    /// The value is invalid.
    #[error("{name} is not valid: expected {expected}")]
    Invalid {
        /// The variable.
        name: &'static str,
        /// The expected form.
        expected: &'static str,
    },
    /// The file it names cannot be read.
    #[error("reading the file that {name} names")]
    File {
        /// The variable.
        name: &'static str,
        #[source]
        source: std::io::Error,
    },
}

/// How many requests without a token one network address may send in a minute, unless the operator says otherwise.
pub const PUBLIC_PER_MINUTE: NonZeroU32 = NonZeroU32::new(600).unwrap();

/// The configuration of `countersign serve`.
#[derive(Debug, Clone)]
pub struct Config {
    /// URL of PostgreSQL, with the service role.
    pub database_url: SecretString,
    /// Maximum number of database connections. Too few make requests queue, too many make PostgreSQL slow. Two per
    /// core is a good start.
    pub database_connections: u32,
    /// URL of Redis. While it is unavailable, each process counts rate limits alone, and everything else works.
    pub redis_url: SecretString,
    /// URL of the engine's ingress, to which approved work is submitted.
    pub engine_url: String,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Address to serve metrics on; without it they are not served.
    pub metrics_listen: Option<SocketAddr>,
    /// How many requests without a token one network address may send in a minute.
    pub public_per_minute: NonZeroU32,
    /// Networks of the proxies in front of the gateway. What others say about the address of a client is not believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Public URL of the gateway. Without it connectors cannot be authorized by OAuth.
    pub public_url: Option<url::Url>,
    /// The program that compares policies: a name or a path.
    pub solver: String,
    /// Master keys, newest first, as `name:base64` separated by commas. All of them decrypt; the first one encrypts after a
    /// rotation.
    pub master_keys: SecretString,
    /// The name of this deployment. A database that another deployment used is recognized by it.
    pub deployment: String,
    /// Whether a standby that takes over has everything that the primary had.
    pub lossless_failover: bool,
    /// The cell: two characters that are part of every token it creates.
    pub cell: String,
    /// Directory of the `files` source, with one subdirectory per organization. Without it that source is
    /// unavailable.
    pub workspace_root: Option<PathBuf>,
    /// Networks outside the public internet that may be reached, for self-hosted services. Credentials are sent without
    /// encryption only there.
    pub egress_allow: Vec<IpNet>,
    /// JSON file that declares the commands that connectors may run.
    pub stdio_servers: Option<PathBuf>,
    /// The mail server, as `smtps://user:password@host:465`; without it no e-mail is sent.
    pub smtp_url: Option<SecretString>,
    /// Sender address of e-mails.
    pub mail_from: Option<String>,
    /// Mirrors for checkpoints of the ledger, separated by commas.
    pub ledger_mirrors: Option<String>,
    /// Storage for results that are too large for a receipt; without it they are not stored.
    pub artifacts: Option<String>,
    /// The identity provider.
    pub oidc: Option<Oidc>,
    /// Limits of a session.
    pub limits: Limits,
}

/// An identity provider that signs people in.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// Name on the sign-in button, for example `Acme`.
    pub name: String,
    /// The issuer, exactly as the provider writes it.
    pub issuer: String,
    pub client_id: String,
    /// The client secret; absent for a public client.
    pub client_secret: Option<SecretString>,
    /// Accept e-mail addresses that the provider does not mark as verified.
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

fn deployment() -> Result<String, Error> {
    let name = variable("COUNTERSIGN_DEPLOYMENT").unwrap_or_else(|| "main".to_owned());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    if name.len() > 100 || !name.bytes().all(is_plain) {
        let expected = "letters, digits, hyphens, dots and underscores, such as `production`";
        return Err(Error::Invalid { name: "COUNTERSIGN_DEPLOYMENT", expected });
    }
    Ok(name)
}

fn lossless_failover() -> Result<bool, Error> {
    match variable("COUNTERSIGN_FAILOVER").as_deref() {
        None | Some("confirm") => Ok(false),
        Some("lossless") => Ok(true),
        Some(_) => Err(Error::Invalid { name: "COUNTERSIGN_FAILOVER", expected: "`confirm` or `lossless`" }),
    }
}

/// Limits of a session, and timeouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Invocations per minute. A lower value protects targets from a looping agent; a higher value suits batch work.
    pub invocations_per_minute: u32,
    /// The same of all sessions that one person opened or of all runs of one automation, of a space, and of an organization.
    /// `None` sets no limit.
    pub opener_per_minute: Option<u32>,
    pub space_per_minute: Option<u32>,
    pub org_per_minute: Option<u32>,
    /// Maximum number of a session's requests that wait for a person. A higher value can flood approvers.
    pub pending_per_session: u32,
    /// The same, of all sessions that one person opened, or of all runs of one automation.
    pub pending_per_opener: u32,
    /// The same, of an organization. The last fifth is kept for those with few requests that wait.
    pub pending_per_org: u32,
    /// Maximum duration of one call to a target, whatever its action says. An execution holds its lease for the
    /// maximum number of calls, so a shorter timeout also speeds up recovery; too short a timeout makes slow targets
    /// end as `unknown`.
    pub action_timeout: Duration,
    /// The same for one call to a language model, which may think for minutes.
    pub model_timeout: Duration,
    /// How long an execution may stay unsettled, beyond the action's own limits, before another process recovers it.
    /// A shorter time speeds up recovery, but two recoveries may run at once; the epoch of the lease keeps that
    /// harmless.
    pub lease_margin: Duration,
    /// How often each process checks for executions whose process died.
    pub recovery_interval: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            invocations_per_minute: 60,
            opener_per_minute: None,
            space_per_minute: None,
            org_per_minute: None,
            pending_per_session: 10,
            pending_per_opener: 50,
            pending_per_org: 500,
            action_timeout: Duration::from_secs(30),
            model_timeout: Duration::from_secs(300),
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

fn metrics_listen() -> Result<Option<SocketAddr>, Error> {
    let name = "COUNTERSIGN_METRICS_LISTEN";
    let address = variable(name).map(|text| text.parse()).transpose();
    address.map_err(|_| Error::Invalid { name, expected: "an address such as 127.0.0.1:9464" })
}

fn networks(name: &'static str) -> Result<Vec<IpNet>, Error> {
    let text = variable(name).unwrap_or_default();
    let networks = text.split(',').map(str::trim).filter(|network| !network.is_empty()).map(str::parse);
    let expected = "networks such as 10.1.0.0/16, separated by commas";
    networks.collect::<Result<_, _>>().map_err(|_| Error::Invalid { name, expected })
}

/// URL of PostgreSQL with the owner role, only for `migrate`.
pub fn owner_database_url() -> Result<SecretString, Error> {
    required(
        "COUNTERSIGN_OWNER_DATABASE_URL",
        "COUNTERSIGN_OWNER_DATABASE_URL_FILE",
        "write postgres://countersign_owner:…@host/countersign; the role is made by deploy/roles.sql",
    )
}

/// Mirrors for checkpoints of the ledger.
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
            metrics_listen: metrics_listen()?,
            public_per_minute: parsed(
                "COUNTERSIGN_PUBLIC_PER_MINUTE",
                PUBLIC_PER_MINUTE,
                "a whole number greater than 0",
            )?,
            trusted_proxies: networks("COUNTERSIGN_TRUSTED_PROXIES")?,
            public_url: public_url()?,
            solver: variable("COUNTERSIGN_SOLVER").unwrap_or_else(|| "cvc5".to_owned()),
            master_keys: required(
                "COUNTERSIGN_MASTER_KEY",
                "COUNTERSIGN_MASTER_KEY_FILE",
                "create one with `countersign master-key create` and keep it safe: stored secrets cannot be decrypted without it",
            )?,
            cell,
            deployment: deployment()?,
            lossless_failover: lossless_failover()?,
            workspace_root: variable("COUNTERSIGN_WORKSPACE_ROOT").map(PathBuf::from),
            egress_allow: networks("COUNTERSIGN_EGRESS_ALLOW")?,
            stdio_servers: variable("COUNTERSIGN_STDIO_SERVERS").map(PathBuf::from),
            smtp_url: secret("COUNTERSIGN_SMTP_URL", "COUNTERSIGN_SMTP_URL_FILE")?,
            mail_from: variable("COUNTERSIGN_MAIL_FROM"),
            ledger_mirrors: ledger_mirrors(),
            artifacts: variable("COUNTERSIGN_ARTIFACTS"),
            oidc: Oidc::from_environment()?,
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
        let count = |name, default| parsed(name, default, "a whole number");
        let some = |name| variable(name).map(|_| parsed(name, 0, "a whole number")).transpose();
        Ok(Self {
            invocations_per_minute: count(
                "COUNTERSIGN_INVOCATIONS_PER_MINUTE",
                default.invocations_per_minute,
            )?,
            opener_per_minute: some("COUNTERSIGN_INVOCATIONS_PER_MINUTE_AND_OPENER")?,
            space_per_minute: some("COUNTERSIGN_INVOCATIONS_PER_MINUTE_AND_SPACE")?,
            org_per_minute: some("COUNTERSIGN_INVOCATIONS_PER_MINUTE_AND_ORG")?,
            pending_per_session: count("COUNTERSIGN_PENDING_PER_SESSION", default.pending_per_session)?,
            pending_per_opener: count("COUNTERSIGN_PENDING_PER_OPENER", default.pending_per_opener)?,
            pending_per_org: count("COUNTERSIGN_PENDING_PER_ORG", default.pending_per_org)?,
            action_timeout: millis("COUNTERSIGN_ACTION_TIMEOUT_MS", default.action_timeout)?,
            model_timeout: millis("COUNTERSIGN_MODEL_TIMEOUT_MS", default.model_timeout)?,
            lease_margin: millis("COUNTERSIGN_LEASE_MARGIN_MS", default.lease_margin)?,
            recovery_interval: millis("COUNTERSIGN_RECOVERY_INTERVAL_MS", default.recovery_interval)?,
        })
    }
}
