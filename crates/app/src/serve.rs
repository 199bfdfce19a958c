//! `countersign serve`: the gateway and its background tasks.

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

use crate::deployment::{Watch, mirrors};

/// Connections of those who collect metrics.
const METRICS_CONNECTIONS: usize = 16;
const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Serves until SIGTERM or Ctrl-C, then lets requests in progress finish.
pub(crate) async fn serve() -> anyhow::Result<()> {
    start_log()?;
    let config = Config::from_environment()?;
    let listen = config.listen;
    let recovery_interval = config.limits.recovery_interval;
    let mirrors = mirrors(&config)?;
    let metrics = metrics_listener(&config).await?;
    let shutdown = Shutdown::default();
    let watch = Watch::new(&config);
    let listener = TcpListener::bind(listen).await.with_context(|| {
        format!("listening on {listen} failed. Stop the other process or set COUNTERSIGN_LISTEN")
    })?;
    let listener = listener.into_std()?;
    stop_on_signal(&shutdown);
    let Some(app) = watch.begin(&config, (Some(&listener), &mirrors), &shutdown).await? else {
        return Ok(());
    };
    let listener = TcpListener::from_std(listener)?;
    tracing::info!(%listen, docs = %format!("http://{listen}/docs"), "ready");

    start_background_tasks(&app, recovery_interval);
    watch.keep_watching(&app, mirrors.clone());
    mirror(&app, mirrors);
    serve_metrics(&app, metrics);
    let limits = gateway::Limits::default();
    gateway::serve(listener, gateway::router(app.clone()), limits, shutdown.clone()).await?;
    if !shutdown.drain(limits.drain).await {
        tracing::warn!("stopping with work in progress; another gateway recovers it");
    }
    app.db.close().await;
    Ok(())
}

/// Listens for whoever collects metrics, if the operator named an address.
pub(crate) async fn metrics_listener(config: &Config) -> anyhow::Result<Option<TcpListener>> {
    let Some(listen) = config.metrics_listen else { return Ok(None) };
    let listener = TcpListener::bind(listen).await.with_context(|| {
        format!("listening on {listen} failed. Stop the other process or set COUNTERSIGN_METRICS_LISTEN")
    })?;
    Ok(Some(listener))
}

/// Serves metrics until the process stops.
pub(crate) fn serve_metrics(app: &App, listener: Option<TcpListener>) {
    let (Some(listener), Some(metrics)) = (listener, app.metrics.clone()) else { return };
    let limits = gateway::Limits { connections: METRICS_CONNECTIONS, ..gateway::Limits::default() };
    let serving = gateway::serve(listener, gateway::metrics_router(metrics), limits, app.shutdown.clone());
    app.shutdown.spawn(async move {
        if let Err(error) = serving.await {
            tracing::error!(%error, "serving metrics failed");
        }
    });
}

pub(crate) fn start_log() -> anyhow::Result<()> {
    let format = match config::variable("COUNTERSIGN_LOG_FORMAT").as_deref() {
        Some("text") => telemetry::Format::Text,
        _ => telemetry::Format::Json,
    };
    telemetry::start_log(&config::variable("RUST_LOG").unwrap_or_else(|| "info".to_owned()), format)?;
    Ok(())
}

/// Starts the shutdown on SIGTERM or Ctrl-C.
pub(crate) fn stop_on_signal(shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        tokio::select! {
            () = signalled() => tracing::info!("stopping; waiting for work in progress"),
            () = stop.begun() => {}
        }
        stop.begin();
    });
}

/// Recovery, event relay, cleanup and keys. Every process runs all of them; each is safe to run twice.
pub(crate) fn start_background_tasks(app: &App, recovery_interval: Duration) {
    every(app, recovery_interval, "recovering executions", |app| async move {
        Ok(app.pipeline.recover().await.map(drop)?)
    });
    every(app, recovery_interval, "expiring overdue invocations", |app| async move {
        Ok(app.pipeline.approvals().sweep().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "refreshing connectors whose timer was lost", |app| async move {
        Ok(app.oversight.sweep_connectors().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "expiring grants", |app| async move {
        Ok(app.grants.sweep().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting old shown documents", |app| async move {
        Ok(app.pipeline.approvals().purge_documents().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting what was quarantined long ago", |app| async move {
        Ok(app.pipeline.approvals().purge_quarantined().await.map(drop)?)
    });
    every(app, Duration::from_secs(600), "deleting old idempotency keys", |app| async move {
        Ok(app.pipeline.purge_keys().await.map(drop)?)
    });
    every(app, Duration::from_secs(60), "filling new facts", |app| async move {
        Ok(app.pipeline.fill_facts().await?)
    });
    // Asks the database nothing while nothing was written.
    every(app, Duration::from_secs(2), "adding up entries of facts", |app| async move {
        Ok(app.pipeline.add_up_facts().await?)
    });
    every(app, Duration::from_secs(3_600), "deleting old prompts and replies of models", |app| async move {
        Ok(app.pipeline.purge_payloads().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting old entries of facts", |app| async move {
        Ok(app.pipeline.purge_fact_entries().await.map(drop)?)
    });
    let events = app.events.clone();
    app.shutdown.spawn(async move { events.relay().await });
    let webhooks = app.pipeline.webhooks();
    app.shutdown.spawn(async move { webhooks.follow().await });
    every(app, recovery_interval, "resuming overdue deliveries", |app| async move {
        Ok(app.pipeline.webhooks().sweep().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting old deliveries", |app| async move {
        Ok(app.pipeline.webhooks().records().purge().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting old events", |app| async move {
        Ok(app.events.drop_before(app.world.clock.now() - EVENTS_KEPT).await.map(drop)?)
    });
    let (ledger, stop) = (app.ledger.clone(), app.shutdown.clone());
    app.shutdown.spawn(async move { ledger.keep_sequencing(&stop).await });
    every(
        app,
        Duration::from_secs(3_600),
        "erasing what is older than its organization keeps it",
        |app| async move {
            for (org, days) in app.tenancy.receipt_periods().await? {
                if let Some(days) = days {
                    app.ledger.erase_overdue(org, days).await?;
                }
            }
            Ok(())
        },
    );
    notices(app);
    runs(app, recovery_interval);
    every(app, Duration::from_secs(60), "loading the newest signing key", |app| async move {
        Ok(app.ledger.refresh_key().await?)
    });
    every(app, Duration::from_secs(6 * 60 * 60), "creating partitions", |app| async move {
        Ok(app.db.ensure_partitions(app.world.clock.now()).await.map(drop)?)
    });
}

/// Sends the newest checkpoints to each mirror, in a task of its own: a mirror that hangs does not delay the others.
fn mirror(app: &App, mirrors: Vec<Mirror>) {
    for mirror in mirrors {
        let (ledger, stop) = (app.ledger.clone(), app.shutdown.clone());
        app.shutdown.spawn(async move { ledger.keep_mirroring(&mirror, &stop).await });
    }
}

/// Starts runs for events, and resumes runs and schedules that no worker has.
fn runs(app: &App, recovery_interval: Duration) {
    let automations = app.automations.clone();
    app.shutdown.spawn(async move { automations.follow_events().await });
    every(app, recovery_interval, "resuming runs", |app| async move {
        Ok(app.automations.sweep_runs().await.map(drop)?)
    });
    every(app, recovery_interval, "resuming schedules", |app| async move {
        Ok(app.automations.sweep_schedules().await.map(drop)?)
    });
    every(app, Duration::from_secs(3_600), "deleting old runs", |app| async move {
        Ok(app.automations.purge_runs().await.map(drop)?)
    });
}

/// Sends notifications about pending approvals.
fn notices(app: &App) {
    let notify = app.notify.clone();
    app.shutdown.spawn(async move { notify.follow().await });
    every(app, Duration::from_secs(2), "sending notifications", |app| async move {
        Ok(app.notify.send_due().await.map(drop)?)
    });
    every(app, Duration::from_secs(600), "deleting old Slack clicks", |app| async move {
        Ok(app.notify.purge_clicks().await.map(drop)?)
    });
}

/// Runs a task now and then at every interval, until shutdown. A failure is logged; the next interval retries.
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
