//! The official MCP SDKs against the real binary. Started by `scripts/mcp-sdks`.
//!
//! `sdks -- NAME PROGRAM [ARGUMENT …] -- NAME …`: each program is an agent of `examples/agents`, and the last word of
//! its name is the protocol version that it must negotiate. It sends a request to one gateway, a person approves at
//! another, and a worker performs it; then the policy denies a request, and the agent must be told so. The target
//! counts.

use std::{
    process::{ExitCode, Output, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use serde_json::json;
use testkit::{Agent, Deployment, Finding, Options, Person, Report, Size, Waiting, fakes::FakeLinear};
use tokio::process::Command;

const TOKEN: &str = "lin_api_sdks";
const PATIENCE: Duration = Duration::from_secs(60);

/// One agent: its name here, and its command.
struct Trial {
    name: String,
    command: Vec<String>,
}

fn trials(arguments: impl Iterator<Item = String>) -> Vec<Trial> {
    let mut trials: Vec<Trial> = Vec::new();
    let mut begins = false;
    for argument in arguments {
        if argument == "--" {
            begins = true;
        } else if std::mem::take(&mut begins) {
            trials.push(Trial { name: argument, command: vec![] });
        } else if let Some(last) = trials.last_mut() {
            last.command.push(argument);
        }
    }
    trials
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let trials = trials(std::env::args().skip(1));
    let linear = FakeLinear::start(TOKEN).await;
    linear.put_issue("11111111-1111-4111-8111-111111111111", "Something that was there");
    let env = vec![("COUNTERSIGN_LINEAR_URL".to_owned(), linear.url())];
    let options = Options { env, engine: Some(vec![]), ..Options::default() };
    let deployment = Deployment::start(options).await?;
    let mut worker = deployment.worker()?;
    worker.launch(&[]).await?;
    let mut other = deployment.another_gateway()?;
    other.launch().await?;
    let person = deployment.owner().at(&other.url);
    deployment.connect_source("linear", TOKEN).await?;
    let mut report = Report::new(Size::Ci);
    for trial in &trials {
        let before = linear.effects().values().sum::<u64>();
        let since = Instant::now();
        let found = try_out(&deployment, &person, trial).await;
        let effects = linear.effects().values().sum::<u64>() - before;
        let problem = found.err().map(|error| format!("{error:#}"));
        report.add(Finding {
            bar: trial.name.clone(),
            figure: since.elapsed().as_secs_f64(),
            unit: "seconds".to_owned(),
            // The target's count decides: one effect, for the one call that a person approved.
            pass: problem.is_none() && effects == 1,
            details: vec![("effects".to_owned(), json!(effects)), ("problem".to_owned(), json!(problem))],
        });
    }
    Ok(report.finish())
}

/// Once with a person who approves, once against a rule that denies.
async fn try_out(deployment: &Deployment, person: &Person, trial: &Trial) -> anyhow::Result<()> {
    deployment.rule("linear.create_issue", "require_approval").await?;
    let agent = deployment.agent(&trial.name).await?;
    let (output, agreed) = tokio::join!(run(deployment, trial, &agent), agree(person, &agent));
    let (said, complaint) = texts(&output?);
    agreed.with_context(|| format!("nothing to agree to; it said {said} {complaint}"))?;
    let version = trial.name.rsplit(' ').next().unwrap_or_default();
    let connected = format!("connected, protocol {version}");
    for expected in
        [&connected, "countersign__await", "Something that was there", "is waiting for approval", "created: "]
    {
        anyhow::ensure!(said.contains(expected), "`{expected}` is missing: {said} {complaint}");
    }
    anyhow::ensure!(
        said.lines().last().is_some_and(|line| line.contains(&trial.name)),
        "not what was asked for: {said}"
    );
    deployment.rule("linear.create_issue", "deny").await?;
    let refused = run(deployment, trial, &agent).await?;
    let (said, complaint) = texts(&refused);
    anyhow::ensure!(!refused.status.success(), "it was denied and did not notice: {said}");
    anyhow::ensure!(complaint.contains("denied"), "it does not say that it was denied: {complaint}");
    Ok(())
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

async fn run(deployment: &Deployment, trial: &Trial, agent: &Agent) -> anyhow::Result<Output> {
    let (program, arguments) = trial.command.split_first().context("no program")?;
    let running = Command::new(program)
        .args(arguments)
        .arg(&trial.name)
        .env("COUNTERSIGN_URL", &deployment.url)
        .env("COUNTERSIGN_TOKEN", &agent.token)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    Ok(tokio::time::timeout(PATIENCE, running).await.context("it did not end in time")??)
}

/// Approves the request of this agent.
async fn agree(person: &Person, agent: &Agent) -> anyhow::Result<()> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        let inbox = person.inbox().await?;
        let items = inbox.iter().map(|item| &item["invocation"]);
        if let Some(found) = items.into_iter().find(|found| found["session"] == agent.session.as_str()) {
            let (status, answer) = person.approve(&Waiting::of(found)?, "30s").await?;
            anyhow::ensure!(status == 200, "the yes was answered with {status}: {answer}");
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    anyhow::bail!("the inbox stayed empty")
}
