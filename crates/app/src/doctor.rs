//! `countersign doctor`: one line per check, with the command that fixes a failed one.
//!
//! `doctor` checks the deployment that the environment names. Without one, it checks the deployment in the folder of
//! `countersign dev`, and without that, whether `dev` could start.
//!
//! INVARIANT: nothing is changed, except for an empty object that is written to each mirror and deleted again. No secret
//! is printed: addresses are shown as host and port.

mod deployment;

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde::Serialize;

use crate::{
    commands::say,
    dev::{Place, Ports},
    programs::{self, Program},
};

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Folder of `countersign dev`
    #[arg(long, env = "COUNTERSIGN_DEV_DIR")]
    dir: Option<PathBuf>,
    /// Port of the gateway of `countersign dev`; the ports after it are used too
    #[arg(long, default_value_t = 7878, value_parser = clap::value_parser!(u16).range(1024..=65000))]
    port: u16,
    /// Path of `restate-server`, if it is neither on PATH nor in the folder
    #[arg(long, value_name = "FILE", env = "COUNTERSIGN_RESTATE_SERVER")]
    restate_server: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Not required here, or could not be checked.
    Note,
    Failed,
}

#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    detail: String,
    /// The command that fixes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Ok, detail: detail.into(), next: None }
    }

    fn note(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Note, detail: detail.into(), next: None }
    }

    /// Every failure comes with the command that fixes it.
    fn failed(name: &'static str, detail: impl Into<String>, next: impl Into<String>) -> Self {
        Self { name, state: State::Failed, detail: detail.into(), next: Some(next.into()) }
    }

    fn line(&self) -> String {
        let state = match self.state {
            State::Ok => "ok",
            State::Note => "-",
            State::Failed => "FAILED",
        };
        let next = self.next.as_ref().map(|next| format!("; run: {next}")).unwrap_or_default();
        format!("{state:<7} {:<16} {}{next}", self.name, self.detail)
    }
}

pub(crate) async fn doctor(arguments: Doctor, json: bool) -> ExitCode {
    let checks = match examine(&arguments).await {
        Ok(checks) => checks,
        Err(error) => return crate::commands::report(&error),
    };
    let failed = checks.iter().filter(|check| check.state == State::Failed).count();
    if json {
        say(serde_json::json!({ "ok": failed == 0, "checks": checks }));
    } else {
        let verdict = match failed {
            0 => "all checks passed".to_owned(),
            1 => "1 check failed".to_owned(),
            many => format!("{many} checks failed"),
        };
        let lines: Vec<String> = checks.iter().map(Check::line).collect();
        // In one write: a reader such as `head` may close the pipe after the first line.
        say(format!("{}\n\n{verdict}", lines.join("\n")));
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn examine(arguments: &Doctor) -> anyhow::Result<Vec<Check>> {
    let place = Place::new(arguments.dir.as_deref())?;
    let named = deployment::Named::find(&place);
    let mut checks = vec![Check::note("checking", named.whose(&place))];
    let servers = match &named {
        deployment::Named::Nothing => Vec::new(),
        deployment::Named::Deployment(named) => named.examine().await,
    };
    checks.extend(programs(arguments, &place, &servers).await);
    if matches!(named, deployment::Named::Nothing) {
        checks.push(ports(arguments.port));
    }
    checks.extend(servers);
    Ok(checks)
}

/// The programs that `dev` starts. They are not required if the servers run elsewhere.
async fn programs(arguments: &Doctor, place: &Place, servers: &[Check]) -> Vec<Check> {
    let answers = |name: &str| servers.iter().any(|check| check.name == name && check.state == State::Ok);
    let told = arguments.restate_server.as_deref();
    let least = [programs::POSTGRES_AT_LEAST, programs::REDIS_AT_LEAST, 1];
    let found = [
        ("postgres", "PostgreSQL", programs::postgres(None).await, programs::apt("postgresql")),
        ("redis-server", "Redis", programs::redis().await, programs::apt("redis-server")),
        (
            "restate-server",
            "Restate",
            programs::restate(told, &place.npm()).await,
            programs::npm(&place.npm()),
        ),
    ];
    let mut checks: Vec<Check> = (found.into_iter().zip(least))
        .map(|((name, server, found, next), least)| program(name, found, least, answers(server), next))
        .collect();
    checks.push(match programs::fakes() {
        Some(path) => Check::ok("fakes", path.display().to_string()),
        None => Check::note(
            "fakes",
            "not installed; for demo services run: cargo build -p countersign-testkit --bin fakes",
        ),
    });
    checks
}

fn program(name: &'static str, found: Option<Program>, least: u32, answers: bool, next: String) -> Check {
    let detail = match found {
        Some(found) if found.major() >= least => {
            return Check::ok(name, format!("{} at {}", found.version, found.path.display()));
        }
        Some(found) => format!("{} at {} is older than {least}", found.version, found.path.display()),
        None => "not installed".to_owned(),
    };
    if answers {
        return Check::note(name, format!("{detail}; not required, because a server answers"));
    }
    Check::failed(name, detail, next)
}

fn ports(first: u16) -> Check {
    let ports = Ports::from(first);
    let taken = ports.all_taken();
    if taken.is_empty() {
        return Check::ok("ports", format!("{first} and the ports after it are free"));
    }
    let taken: Vec<String> = taken.iter().map(|(name, port)| format!("{port} ({name})")).collect();
    let free = ports.next_free().map_or(0, |free| free.of("gateway"));
    let detail = format!("already in use: {}", taken.join(", "));
    Check::failed("ports", detail, format!("countersign dev --port {free}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_fails_only_if_no_server_answers() {
        let next = || "apt-get install -y redis-server".to_owned();
        let missing = program("redis-server", None, 7, false, next());
        assert_eq!(missing.state, State::Failed);
        assert_eq!(
            missing.line(),
            "FAILED  redis-server     not installed; run: apt-get install -y redis-server"
        );
        assert_eq!(program("redis-server", None, 7, true, next()).state, State::Note);
        let old = Program { path: "/usr/bin/redis-server".into(), version: "6.2.1".to_owned() };
        assert_eq!(program("redis-server", Some(old), 7, false, next()).state, State::Failed);
    }
}
