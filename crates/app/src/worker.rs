//! `countersign worker`: performs what the engine hands over. Several may run; the engine and the leases keep them apart.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context as _;
use clap::Args;
use platform::{config::Config, shutdown::Shutdown};
use restate_sdk::prelude::{Endpoint, HttpServer};
use tokio::net::{TcpListener, TcpSocket};

use crate::{
    neighbour::Neighbour,
    serve::{chores, start_log, stop_when_told},
    wire::Wiring,
};

/// How long a worker lets what is under way end. Longer than an action may take; what is cut off is recovered.
const DRAIN: Duration = Duration::from_secs(60);
/// How often a worker asks whether the engine still knows it.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Where to listen for the engine. Workers of one machine may share an address.
    #[arg(long, env = "COUNTERSIGN_WORKER_LISTEN", default_value = "127.0.0.1:9080")]
    listen: SocketAddr,
    /// Where the engine finds this worker, or the balancer before several; `http://<listen>` when not given.
    #[arg(long, env = "COUNTERSIGN_WORKER_ADVERTISE")]
    advertise: Option<String>,
    /// The engine's admin address, where the worker registers itself.
    #[arg(long, env = "COUNTERSIGN_RESTATE_ADMIN_URL")]
    admin_url: String,
}

/// Works until SIGTERM or Ctrl-C, then lets what is under way end.
pub(crate) async fn work(worker: Worker) -> anyhow::Result<()> {
    start_log()?;
    let config = Config::from_environment()?;
    let recovery_interval = config.limits.recovery_interval;
    let shutdown = Shutdown::default();
    let app = Wiring::new(config)?.app(shutdown.clone()).await?;
    let listener = listen(worker.listen).with_context(|| format!("listening on {}", worker.listen))?;
    stop_when_told(&shutdown);
    chores(&app, recovery_interval);
    let endpoint = automation::bind(pipeline::bind(Endpoint::builder(), &app.pipeline), &app.automations);
    let server = HttpServer::new(endpoint.build());
    let stop = shutdown.clone();
    // Not among the tasks that are drained: it ends when the engine has let go of its connections.
    let serving = server.serve_with_cancel(listener, async move { stop.begun().await });
    let url = worker.advertise.unwrap_or_else(|| format!("http://{}", worker.listen));
    let (stop, engine, admin) = (shutdown.clone(), Neighbour::new()?, worker.admin_url);
    shutdown.spawn(async move { stay_registered(&engine, (&admin, &url), &stop).await });
    serving.await;
    if !shutdown.drain(DRAIN).await {
        tracing::warn!("stopping while work is under way; another process recovers it");
    }
    app.db.close().await;
    Ok(())
}

/// Listens on an address that other workers of this machine may listen on as well: the kernel shares connections out,
/// and those of one that died go to the others.
fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    Ok(socket.listen(1_024)?)
}

/// Sees to it that the engine knows this worker: one that lost its data has forgotten its workers as well, and what was
/// approved would wait for ever.
async fn stay_registered(engine: &Neighbour, (admin, url): (&str, &str), stop: &Shutdown) {
    register(engine, (admin, url), stop).await;
    while !stop.has_begun() {
        tokio::select! {
            () = stop.begun() => return,
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
        // An engine that is away is asked again; only one that answers can have forgotten.
        let own = url.trim_end_matches('/');
        if engine.workers(admin).await.is_ok_and(|known| !known.iter().any(|worker| worker == own)) {
            tracing::warn!("the engine has forgotten this worker");
            register(engine, (admin, url), stop).await;
        }
    }
}

/// Tells the engine where this worker is, until it has understood. Telling it again is harmless.
async fn register(engine: &Neighbour, (admin, url): (&str, &str), stop: &Shutdown) {
    for wait_ms in [100, 200, 500, 1_000].into_iter().chain(std::iter::repeat(2_000)) {
        match engine.register_worker(admin, url).await {
            Ok(()) => {
                tracing::info!(%url, "ready: the engine knows this worker");
                return;
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "the engine does not know this worker yet")
            }
        }
        tokio::select! {
            () = stop.begun() => return,
            () = tokio::time::sleep(Duration::from_millis(wait_ms)) => {}
        }
    }
}
