//! The plan of `countersign dev`, made before anything starts: which programs, on which ports, and what is missing.

use std::{fs, net::SocketAddr, path::PathBuf};

use anyhow::bail;
use catalog::integrations;

use super::{
    Dev, note,
    place::{Held, Place},
    ports::Ports,
};
use crate::programs::{self, Program};

/// One of the three servers: started here, or used at a given address.
pub(crate) struct Server {
    pub(crate) start: Option<Program>,
    pub(crate) told: Option<String>,
}

impl Server {
    /// The address, for people. An address from the command line may hold a password and is not repeated.
    pub(crate) fn at(&self, started: SocketAddr) -> String {
        match &self.start {
            Some(program) => format!("{started} ({} {})", program.path.display(), program.version),
            None => "at the given address".to_owned(),
        }
    }
}

pub(crate) struct Plan {
    pub(crate) ports: Ports,
    pub(crate) postgres: Server,
    pub(crate) redis: Server,
    pub(crate) restate: Server,
    restate_admin: Option<String>,
    /// The path of the fakes' program, if fakes are wanted and it exists.
    pub(crate) fakes: Option<PathBuf>,
}

impl Plan {
    /// Finds programs and checks ports. Everything missing or in use is reported at once, with the commands to type.
    pub(crate) async fn make(arguments: &Dev, held: &Held) -> anyhow::Result<Self> {
        let ports = Ports::from(arguments.port);
        let mut missing = Vec::new();
        let mut server = |told: &Option<String>, found: Option<Program>, name: &str, next: String| {
            if told.is_none() && found.is_none() {
                missing.push(format!("  {name:<18} {next}"));
            }
            Server { start: found.filter(|_| told.is_none()), told: told.clone() }
        };
        let (name, found, next) = postgres(held).await;
        let postgres = server(&arguments.postgres_url, found, &name, next);
        let redis = programs::redis().await.filter(|found| found.major() >= programs::REDIS_AT_LEAST);
        let redis = server(&arguments.redis_url, redis, "Redis 7 or newer", programs::apt("redis-server"));
        let found = programs::restate(arguments.restate_server.as_deref(), &held.npm()).await;
        let restate = server(&arguments.restate_ingress_url, found, "Restate", programs::npm(&held.npm()));
        if !missing.is_empty() {
            bail!(
                "required programs are missing. Install them with these commands, then start again:\n{}",
                missing.join("\n")
            );
        }
        let plan = Self {
            ports,
            postgres,
            redis,
            restate,
            restate_admin: arguments.restate_admin_url.clone(),
            fakes: fakes(arguments),
        };
        plan.check_ports()?;
        Ok(plan)
    }

    /// The ingress and the admin address of Restate.
    pub(crate) fn restate_urls(&self) -> (String, String) {
        let or = |told: &Option<String>, name| told.clone().unwrap_or_else(|| self.ports.url(name));
        (or(&self.restate.told, "restate ingress"), or(&self.restate_admin, "restate admin"))
    }

    fn check_ports(&self) -> anyhow::Result<()> {
        let mut names = vec!["gateway", "worker"];
        names.extend(self.postgres.start.iter().map(|_| "postgres"));
        names.extend(self.redis.start.iter().map(|_| "redis"));
        if self.restate.start.is_some() {
            names.extend(["restate ingress", "restate admin", "restate node"]);
        }
        if self.fakes.is_some() {
            names.extend(integrations::ALL.map(|integration| integration.slug));
        }
        let taken = self.ports.taken(&names);
        if taken.is_empty() {
            return Ok(());
        }
        let taken: Vec<String> = taken.iter().map(|(name, port)| format!("{port} ({name})")).collect();
        let free = self.ports.next_free().map_or(0, |free| free.of("gateway"));
        bail!(
            "port {} is already in use. Stop the other process, or run `countersign dev --port {free}`",
            taken.join(", ")
        )
    }
}

/// PostgreSQL of the version that created the data. The name and the command are used if it is not installed.
async fn postgres(place: &Place) -> (String, Option<Program>, String) {
    let made = fs::read_to_string(place.at("postgres/data/PG_VERSION")).ok();
    let made = made.map(|version| programs::major(version.trim()));
    let found = programs::postgres(made).await;
    let found = found.filter(|found| found.major() >= programs::POSTGRES_AT_LEAST);
    match made {
        Some(made) => (format!("PostgreSQL {made}"), found, programs::apt(&format!("postgresql-{made}"))),
        None => ("PostgreSQL 15+".to_owned(), found, programs::apt("postgresql")),
    }
}

fn fakes(arguments: &Dev) -> Option<PathBuf> {
    let found = programs::fakes().filter(|_| !arguments.no_fakes);
    if found.is_none() && !arguments.no_fakes {
        note(
            "fakes      not beside this program, so no source is connected; to get them: cargo build -p countersign-testkit --bin fakes",
        );
    }
    found
}
