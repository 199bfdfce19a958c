//! `countersign serve`: the gateway, and the small chores every gateway does.

use std::{future::Future, time::Duration};

use anyhow::Context as _;
use gateway::App;
use ledger::mirror::Mirror;
use platform::{
    config::{self, Config},
    shutdown::{Shutdown, signalled},
    telemetry,
};
use tokio::net::TcpListener;

use crate::wire::Wiring;

/// How long events are kept.
const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Serves until SIGTERM or Ctrl-C, then lets what is under way end.
pub(crate) async fn serve() -> anyhow::Result<()> {
    start_log()?;
    let config = Config::from_environment()?;
    let listen = config.listen;
    let recovery_interval = config.limits.recovery_interval;
    let mirrors = Mirror::parse_list(config.ledger_mirrors.as_deref().unwrap_or_default())
        .context("COUNTERSIGN_LEDGER_MIRRORS")?;
    let shutdown = Shutdown::default();
    let app = Wiring::new(config)?.app(shutdown.clone()).await?;
    let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
    tracing::info!(%listen, docs = %format!("http://{listen}/docs"), "ready");

    chores(&app, recovery_interval);
    mirror(&app, mirrors);
    stop_when_told(&shutdown);
    let limits = gateway::Limits::default();
    gateway::serve(listener, gateway::router(app.clone()), limits, shutdown.clone()).await?;
    if !shutdown.drain(limits.drain).await {
        tracing::warn!("stopping while work is under way; another gateway recovers it");
    }
    app.db.close().await;
    Ok(())
}

/// Starts the log as the environment says.
pub(crate) fn start_log() -> anyhow::Result<()> {
    let format = match config::variable("COUNTERSIGN_LOG_FORMAT").as_deref() {
        Some("text") => telemetry::Format::Text,
        _ => telemetry::Format::Json,
    };
    telemetry::start_log(&config::variable("RUST_LOG").unwrap_or_else(|| "info".to_owned()), format)?;
    Ok(())
}

/// Begins the end on SIGTERM or Ctrl-C.
pub(crate) fn stop_when_told(shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        tokio::select! {
            () = signalled() => tracing::info!("told to stop; letting what is under way end"),
            () = stop.begun() => {}
        }
        stop.begin();
    });
}

/// Recovery, telling, house-keeping and keys. Every gateway does all of them; each is harmless to do twice.
pub(crate) fn chores(app: &App, recovery_interval: Duration) {
    every(app, recovery_interval, "recovering executions", |app| async move {
        Ok(app.pipeline.recover().await.map(drop)?)
    });
    every(app, recovery_interval, "seeing to what is overdue", |app| async move {
        Ok(app.pipeline.sweep().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "asking connectors whose timer was lost", |app| async move {
        Ok(app.pipeline.sweep_connectors().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "sweeping grants", |app| async move {
        Ok(app.grants.sweep().await.map(drop)?)
    });
    every(app, Duration::from_secs(600), "purging idempotency keys", |app| async move {
        Ok(app.pipeline.purge_keys().await.map(drop)?)
    });
    let events = app.events.clone();
    app.shutdown.spawn(async move { events.relay().await });
    let p = app.pipeline.clone();
    app.shutdown.spawn(async move { p.follow_for_webhooks().await });
    every(app, recovery_interval, "handing over overdue deliveries", |app| async move {
        Ok(app.pipeline.sweep_deliveries().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "forgetting old deliveries", |app| async move {
        Ok(app.pipeline.webhooks().purge().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "dropping old events", |app| async move {
        Ok(app.events.drop_before(app.world.clock.now() - EVENTS_KEPT).await.map(drop)?)
    });
    let (ledger, stop) = (app.ledger.clone(), app.shutdown.clone());
    app.shutdown.spawn(async move { ledger.keep_sequencing(&stop).await });
    every(app, Duration::from_secs(3_600), "erasing receipts' bodies", |app| async move {
        for (org, days) in app.tenancy.receipt_periods().await? {
            app.ledger.erase_overdue(org, days).await?;
        }
        Ok(())
    });
    notices(app);
    runs(app, recovery_interval);
    every(app, Duration::from_secs(60), "taking up the newest signing key", |app| async move {
        Ok(app.ledger.refresh_key().await?)
    });
    every(app, Duration::from_secs(6 * 60 * 60), "making partitions", |app| async move {
        Ok(app.db.ensure_partitions(app.world.clock.now()).await.map(drop)?)
    });
}

/// Gives each mirror the newest checkpoints. Each by itself: one that hangs does not keep the others from theirs.
fn mirror(app: &App, mirrors: Vec<Mirror>) {
    for mirror in mirrors {
        let (ledger, stop) = (app.ledger.clone(), app.shutdown.clone());
        app.shutdown.spawn(async move { ledger.keep_mirroring(&mirror, &stop).await });
    }
}

/// Starts what events start, and looks after runs and schedules that nobody carries.
fn runs(app: &App, recovery_interval: Duration) {
    let automations = app.automations.clone();
    app.shutdown.spawn(async move { automations.follow_events().await });
    every(app, recovery_interval, "looking after runs", |app| async move {
        Ok(app.automations.sweep_runs().await.map(drop)?)
    });
    every(app, recovery_interval, "looking after schedules", |app| async move {
        Ok(app.automations.sweep_schedules().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "forgetting old runs", |app| async move {
        Ok(app.automations.purge_runs().await.map(drop)?)
    });
}

/// Tells people what waits for them.
fn notices(app: &App) {
    let p = app.pipeline.clone();
    app.shutdown.spawn(async move { p.follow_for_notices().await });
    every(app, Duration::from_secs(2), "sending notices", |app| async move {
        Ok(app.pipeline.send_notices().await.map(drop)?)
    });
    every(app, Duration::from_secs(600), "forgetting clicks", |app| async move {
        Ok(app.pipeline.purge_clicks().await.map(drop)?)
    });
}

/// Does a chore now and then again and again, until told to stop. A failure is logged and tried again next time.
fn every<F, W>(app: &App, interval: Duration, what: &'static str, work: W)
where
    W: Fn(App) -> F + Send + 'static,
    F: Future<Output = anyhow::Result<()>> + Send,
{
    let (app, stop) = (app.clone(), app.shutdown.clone());
    app.shutdown.clone().spawn(async move {
        let mut ticks = tokio::time::interval(interval);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.begun() => return,
                _ = ticks.tick() => {}
            }
            if let Err(error) = work(app.clone()).await {
                tracing::error!(error = format!("{error:#}"), "{what}");
            }
        }
    });
}
