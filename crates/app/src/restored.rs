//! `countersign restored`: the operator says what happened to the database, and nothing happens twice.

use anyhow::Context as _;
use changes::Author;
use clap::Args;
use gateway::App;
use ledger::mirror::Mirror;
use model::{Conduct, ConductScope, OrgId};
use platform::{
    config::Config,
    db::deployment::{self, State},
    shutdown::Shutdown,
    telemetry,
};
use policy::NewConduct;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::{
    commands::say,
    deployment::{last_epoch, longer, mirrors, remembered},
    wire::Wiring,
};

#[derive(Debug, Args)]
pub(crate) struct Restored {
    /// A backup was restored, or the database was copied: end what was open, and stop every organization
    #[arg(long, conflicts_with = "nothing_lost", requires = "reason")]
    confirm: bool,
    /// Nothing was lost: a standby with synchronous replication took over, or the cluster was upgraded
    #[arg(long, requires = "reason")]
    nothing_lost: bool,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) async fn restored(command: Restored, json: bool) -> anyhow::Result<()> {
    let _ = telemetry::start_log("warn", telemetry::Format::Text);
    let config = Config::from_environment()?;
    let mut conn = deployment::connect(config.database_url.expose_secret()).await?;
    let (known, state) = deployment::look(&mut conn, &config.deployment).await?;
    let (name, mirrors) = (config.deployment.clone(), mirrors(&config)?);
    let app = Wiring::unguarded(config)?.app(Shutdown::default()).await?;
    let reason = command.reason.unwrap_or_default();
    if command.confirm {
        let Some(last) = last_epoch(&app, &known, 0).await else {
            anyhow::bail!(
                "Redis does not answer, so nobody can tell which epochs this deployment had. Start it and repeat this"
            );
        };
        let epoch = known.epoch.max(last) + 1;
        // Also where the operator knows better than the database: if this is interrupted, nothing goes on.
        deployment::hold(&mut conn, "`countersign restored --confirm` is not finished; run it again").await?;
        let orgs = end_all(&app, epoch, &reason).await?;
        anyhow::ensure!(
            last_epoch(&app, &known, epoch).await.is_some(),
            "Redis does not answer, so it would not remember epoch {epoch}. Start it and repeat this"
        );
        deployment::settle(&mut conn, &name, epoch).await?;
        let words = format!(
            "epoch {epoch} begins. Every organization is stopped; its owners review what may have happened and resume.\n\
             All tokens and sessions ended: people sign in with the identity provider, or the operator makes a link with \
             `countersign invite`."
        );
        tell(json, &json!({ "state": "current", "epoch": epoch, "orgs": orgs }), &words);
    } else if command.nothing_lost {
        match remembered(&app, &known).await {
            None => anyhow::bail!(
                "Redis does not answer, so nobody can tell whether something was lost; repeat this"
            ),
            Some(before) if before > known.log_size => {
                anyhow::bail!("something was lost: {}. Use --confirm", longer(before, known.log_size));
            }
            Some(_) => {}
        }
        for mirror in &mirrors {
            let lost =
                || format!("the mirror {} shows that something was lost; use --confirm", mirror.name());
            app.ledger.compare(mirror).await.with_context(lost)?;
        }
        tracing::warn!(reason, "the operator says that nothing was lost");
        deployment::settle(&mut conn, &name, known.epoch).await?;
        let words = "nothing was lost; gateways and workers go on";
        tell(json, &json!({ "state": "current", "epoch": known.epoch }), words);
    } else {
        show(&app, (&state, known.epoch), &mirrors, json).await?;
    }
    Ok(())
}

/// Ends what was open in every organization. Each step can be repeated: until the deployment is settled, no gateway and
/// no worker gets a connection.
async fn end_all(app: &App, epoch: i32, reason: &str) -> anyhow::Result<Vec<Value>> {
    let mut all = Vec::new();
    for (org, _) in app.tenancy.receipt_periods().await? {
        let ended = end_open(app, org, (epoch, reason)).await;
        all.push(ended.with_context(|| format!("ending what was open in {org}"))?);
    }
    app.ledger.begin_epoch(epoch).await?;
    // Last, because ending what was open is told as events too, and nothing shall start from them.
    app.events.skip_all().await?;
    Ok(all)
}

fn tell(json: bool, document: &Value, words: &str) {
    if json {
        say(document);
    } else {
        say(words);
    }
}

/// Stops an organization and ends what was open in it, in this order: from the first step on nothing can be claimed.
async fn end_open(app: &App, org: OrgId, (epoch, reason): (i32, &str)) -> anyhow::Result<Value> {
    let by = Author::operator(org).because(Some(reason));
    let why = "The database was restored or copied. Review what may have happened (Activity, outcome unknown), rules, members \
               and passkeys, then resume.";
    let stop = NewConduct {
        scope: ConductScope::Org,
        name: String::new(),
        conduct: Conduct::Halted,
        reason: why.to_owned(),
    };
    app.conducts.set(&by, stop).await?;
    let frozen = app.pipeline.freeze(org).await?;
    let mut ended = json!({
        "epoch": epoch,
        "unknown": frozen.unknown,
        "expired": frozen.expired,
        "runs": app.automations.freeze(org).await?,
        "grants": app.grants.revoke_all(&by).await?,
        "webhook_tokens": app.automations.revoke_all_tokens(&by).await?,
        "deliveries": app.pipeline.webhooks().records().give_up(org).await?,
    });
    let (credentials, sessions) = app.tenancy.end_all_access(&by, ended.clone()).await?;
    (ended["credentials"], ended["sessions"]) = (credentials.into(), sessions.into());
    ended["org"] = json!(org);
    Ok(ended)
}

/// The state of the deployment, and what `--confirm` would end.
async fn show(
    app: &App,
    (found, epoch): (&State, i32),
    mirrors: &[Mirror],
    json: bool,
) -> anyhow::Result<()> {
    let (state, why) = match found {
        State::Current => ("current", None),
        State::New => ("new", None),
        State::Held(held) => (held.code(), Some(held.to_string())),
    };
    let mut behind = Vec::new();
    for mirror in mirrors {
        if let Err(error) = app.ledger.compare(mirror).await {
            behind.push(format!("{}: {:#}", mirror.name(), anyhow::Error::from(error)));
        }
    }
    let mut orgs = Vec::new();
    let mut lines = vec![match &why {
        None => format!("epoch {epoch}: the database is the one that this deployment used before"),
        Some(why) => format!("held: {why}"),
    }];
    lines.extend(behind.iter().map(|line| format!("mirror {line}")));
    for (org, _) in app.tenancy.receipt_periods().await? {
        let (open, runs) = (app.pipeline.count_open(org).await?, app.automations.count_open(org).await?);
        lines.push(format!(
            "{org}: {} approved or being executed (may have happened), {} waiting for an answer, {} runs",
            open.unknown, open.expired, runs
        ));
        orgs.push(json!({ "org": org, "unknown": open.unknown, "expired": open.expired, "runs": runs }));
    }
    if why.is_some() {
        lines.push(
            "A backup was restored, or this is a copy: countersign restored --confirm --reason TEXT\n\
             Nothing was lost (a synchronous standby took over, an upgrade): countersign restored --nothing-lost --reason TEXT"
                .to_owned(),
        );
    }
    tell(
        json,
        &json!({ "state": state, "why": why, "epoch": epoch, "mirrors": behind, "orgs": orgs }),
        &lines.join("\n"),
    );
    Ok(())
}
