//! `countersign serve`: the gateway, and the small chores every gateway does.

use std::{future::Future, time::Duration};

use anyhow::Context as _;
use gateway::App;
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
    let shutdown = Shutdown::default();
    let app = Wiring::new(config)?.app(shutdown.clone()).await?;
    let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
    tracing::info!(%listen, docs = %format!("http://{listen}/docs"), "ready");

    chores(&app, recovery_interval);
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
    let (pipeline, ledger, db, world) = (&app.pipeline, &app.ledger, &app.db, &app.world);
    let p = pipeline.clone();
    every(&app.shutdown, recovery_interval, "recovering executions", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.recover().await.map(drop)?) }
    });
    let p = pipeline.clone();
    every(&app.shutdown, recovery_interval, "seeing to what is overdue", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.sweep().await.map(drop)?) }
    });
    let p = pipeline.clone();
    every(&app.shutdown, Duration::from_secs(3_600), "asking connectors whose timer was lost", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.sweep_connectors().await.map(drop)?) }
    });
    let grants = app.grants.clone();
    every(&app.shutdown, Duration::from_secs(3_600), "sweeping grants", move || {
        let grants = grants.clone();
        async move { Ok(grants.sweep().await.map(drop)?) }
    });
    let p = pipeline.clone();
    every(&app.shutdown, Duration::from_secs(600), "purging idempotency keys", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.purge_keys().await.map(drop)?) }
    });
    let events = app.events.clone();
    app.shutdown.spawn(async move { events.relay().await });
    let p = pipeline.clone();
    app.shutdown.spawn(async move { p.follow_for_webhooks().await });
    let p = pipeline.clone();
    every(&app.shutdown, recovery_interval, "handing over overdue deliveries", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.sweep_deliveries().await.map(drop)?) }
    });
    let p = pipeline.clone();
    every(&app.shutdown, Duration::from_secs(3_600), "forgetting old deliveries", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.webhooks().purge().await.map(drop)?) }
    });
    let (events, clock) = (app.events.clone(), world.clock.clone());
    every(&app.shutdown, Duration::from_secs(3_600), "dropping old events", move || {
        let (events, before) = (events.clone(), clock.now() - EVENTS_KEPT);
        async move { Ok(events.drop_before(before).await.map(drop)?) }
    });
    notices(app);
    let ledger = ledger.clone();
    every(&app.shutdown, Duration::from_secs(60), "taking up the newest signing key", move || {
        let ledger = ledger.clone();
        async move { Ok(ledger.refresh_key().await?) }
    });
    let (db, world) = (db.clone(), world.clone());
    every(&app.shutdown, Duration::from_secs(6 * 60 * 60), "making partitions", move || {
        let (db, world) = (db.clone(), world.clone());
        async move { Ok(db.ensure_partitions(world.clock.now()).await.map(drop)?) }
    });
}

/// Tells people what waits for them.
fn notices(app: &App) {
    let p = app.pipeline.clone();
    app.shutdown.spawn(async move { p.follow_for_notices().await });
    let p = app.pipeline.clone();
    every(&app.shutdown, Duration::from_secs(2), "sending notices", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.send_notices().await.map(drop)?) }
    });
    let p = app.pipeline.clone();
    every(&app.shutdown, Duration::from_secs(600), "forgetting clicks", move || {
        let pipeline = p.clone();
        async move { Ok(pipeline.purge_clicks().await.map(drop)?) }
    });
}

/// Does a chore now and then again and again, until told to stop. A failure is logged and tried again next time.
fn every<F, W>(shutdown: &Shutdown, interval: Duration, what: &'static str, mut work: W)
where
    W: FnMut() -> F + Send + 'static,
    F: Future<Output = anyhow::Result<()>> + Send,
{
    let stop = shutdown.clone();
    shutdown.spawn(async move {
        let mut ticks = tokio::time::interval(interval);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.begun() => return,
                _ = ticks.tick() => {}
            }
            if let Err(error) = work().await {
                tracing::error!(error = format!("{error:#}"), "{what}");
            }
        }
    });
}
