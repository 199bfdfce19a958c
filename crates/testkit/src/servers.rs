//! Addresses of PostgreSQL, Redis and Restate: those that `scripts/services env` exports, or its defaults.

use platform::config::variable;

use crate::Relay;

/// Addresses of the servers that tests and trials use.
#[derive(Debug, Clone)]
pub struct Servers {
    owner_url: String,
    service_url: String,
    /// Redis.
    pub redis_url: String,
    /// Restate, to which work is submitted.
    pub ingress_url: String,
}

impl Servers {
    /// From the environment.
    pub fn find() -> Self {
        let or = |name: &str, default: &str| variable(name).unwrap_or_else(|| default.to_owned());
        Self {
            owner_url: or(
                "COUNTERSIGN_OWNER_DATABASE_URL",
                "postgres://countersign_owner:owner@127.0.0.1:54329/countersign",
            ),
            service_url: or(
                "COUNTERSIGN_DATABASE_URL",
                "postgres://countersign_service:service@127.0.0.1:54329/countersign",
            ),
            redis_url: or("COUNTERSIGN_REDIS_URL", "redis://127.0.0.1:63799"),
            ingress_url: or("COUNTERSIGN_RESTATE_INGRESS_URL", "http://127.0.0.1:58080"),
        }
    }

    /// The same with another PostgreSQL, which asks for no password.
    #[must_use]
    pub fn with_postgres(mut self, port: u16) -> Self {
        self.owner_url = format!("postgres://countersign_owner@127.0.0.1:{port}/countersign");
        self.service_url = format!("postgres://countersign_service@127.0.0.1:{port}/countersign");
        self
    }

    /// The same with a relay in front of PostgreSQL for the service role, which is the role of the product.
    pub fn behind(mut self, relay: &Relay) -> anyhow::Result<Self> {
        self.service_url = relay.before(&self.service_url)?;
        Ok(self)
    }

    /// A database on that server, as the owner role.
    pub fn owner_url(&self, database: &str) -> String {
        on(&self.owner_url, database)
    }

    /// A database on that server, as the service role.
    pub fn service_url(&self, database: &str) -> String {
        on(&self.service_url, database)
    }
}

fn on(url: &str, database: &str) -> String {
    let base = url.rsplit_once('/').map_or(url, |(base, _)| base);
    format!("{base}/{database}")
}
