//! `countersign worker`: executes what Restate schedules. Several can run; Restate and the leases keep them apart.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context as _;
use clap::Args;
use platform::{config::Config, shutdown::Shutdown};
use restate_sdk::{
    endpoint::Builder,
    prelude::{Endpoint, HttpServer},
};
use tokio::net::{TcpListener, TcpSocket};

use crate::{
    deployment::{Watch, mirrors},
    internal_http::InternalHttp,
    serve::{metrics_listener, serve_metrics, start_background_tasks, start_log, stop_on_signal},
};

/// How long a worker waits for work in progress at shutdown. Longer than the timeout of an action; the rest is recovered.
const DRAIN: Duration = Duration::from_secs(60);
/// How often a worker checks that Restate still has it registered.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Address to listen on for Restate; workers of one machine can share it
    #[arg(long, env = "COUNTERSIGN_WORKER_LISTEN", default_value = "127.0.0.1:9080")]
    listen: SocketAddr,
    /// URL where Restate reaches this worker or its load balancer [default: `http://<listen>`]
    #[arg(long, env = "COUNTERSIGN_WORKER_ADVERTISE")]
    advertise: Option<String>,
    /// Admin URL of Restate, where the worker registers itself
    #[arg(long, env = "COUNTERSIGN_RESTATE_ADMIN_URL")]
    admin_url: String,
    /// Public key of Restate, as `publickeyv1_…`; several are separated by commas. Requests that none of them signed are
    /// refused [default: every request is answered]
    #[arg(long, env = "COUNTERSIGN_RESTATE_IDENTITY_KEY", value_name = "KEY", value_delimiter = ',')]
    identity_key: Vec<String>,
}

/// Runs until SIGTERM or Ctrl-C, then lets work in progress finish.
pub(crate) async fn work(worker: Worker) -> anyhow::Result<()> {
    start_log()?;
    let config = Config::from_environment()?;
    let endpoint = endpoint(&worker.identity_key)?;
    let metrics = metrics_listener(&config).await?;
    let recovery_interval = config.limits.recovery_interval;
    let shutdown = Shutdown::default();
    let watch = Watch::new(&config);
    stop_on_signal(&shutdown);
    let mirrors = mirrors(&config)?;
    let Some(app) = watch.begin(&config, (None, &mirrors), &shutdown).await? else { return Ok(()) };
    let listener = listen(worker.listen).with_context(|| {
        format!("listening on {} failed. Choose another address with --listen", worker.listen)
    })?;
    watch.keep_watching(&app, mirrors);
    start_background_tasks(&app, recovery_interval);
    serve_metrics(&app, metrics);
    let endpoint = pipeline::bind(endpoint, &app.pipeline);
    let endpoint = oversight::bind(endpoint, &app.oversight);
    let endpoint = automation::bind(endpoint, &app.automations);
    let server = HttpServer::new(endpoint.build());
    let stop = shutdown.clone();
    // Not one of the drained tasks: it ends when Restate has closed its connections.
    let serving = server.serve_with_cancel(listener, async move { stop.begun().await });
    let url = worker.advertise.unwrap_or_else(|| format!("http://{}", worker.listen));
    let (stop, engine, admin) = (shutdown.clone(), InternalHttp::new()?, worker.admin_url);
    shutdown.spawn(async move { stay_registered(&engine, &admin, &url, &stop).await });
    serving.await;
    if !shutdown.drain(DRAIN).await {
        tracing::warn!("stopping with work in progress; another process recovers it");
    }
    app.db.close().await;
    Ok(())
}

/// An endpoint that answers what one of these keys signed, or everyone if there is no key.
fn endpoint(keys: &[String]) -> anyhow::Result<Builder> {
    let mut endpoint = Endpoint::builder();
    // An empty variable counts as not set.
    for key in keys.iter().map(|key| key.trim()).filter(|key| !key.is_empty()) {
        endpoint = endpoint.identity_key(key).context(
            "COUNTERSIGN_RESTATE_IDENTITY_KEY is not valid: expected publickeyv1_…, which Restate logs when it starts",
        )?;
    }
    Ok(endpoint)
}

/// Listens on an address that other workers of this machine may share: the kernel distributes new connections among the
/// workers that are alive.
fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    Ok(socket.listen(1_024)?)
}

/// Keeps this worker registered: a Restate that lost its data has lost its workers too, and approved actions would wait
/// forever.
async fn stay_registered(engine: &InternalHttp, admin: &str, url: &str, stop: &Shutdown) {
    register(engine, admin, url, stop).await;
    while !stop.has_begun() {
        tokio::select! {
            () = stop.begun() => return,
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
        // Only a Restate that answers can have lost the registration; one that is unavailable is asked again later.
        let own = url.trim_end_matches('/');
        if engine.workers(admin).await.is_ok_and(|known| !known.iter().any(|worker| worker == own)) {
            tracing::warn!("Restate no longer has this worker registered; registering again");
            register(engine, admin, url, stop).await;
        }
    }
}

/// Registers this worker at Restate, and retries until it succeeds. Registering twice is harmless.
async fn register(engine: &InternalHttp, admin: &str, url: &str, stop: &Shutdown) {
    for wait_ms in [100, 200, 500, 1_000].into_iter().chain(std::iter::repeat(2_000)) {
        match engine.register_worker(admin, url).await {
            Ok(()) => {
                tracing::info!(%url, "ready: registered at Restate");
                return;
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "registering at Restate failed; retrying")
            }
        }
        tokio::select! {
            () = stop.begun() => return,
            () = tokio::time::sleep(Duration::from_millis(wait_ms)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_checked_before_anything_starts() {
        let keys = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let valid = "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f";
        for text in [valid, &format!("{valid}, {valid}"), ""] {
            assert!(endpoint(&keys(text)).is_ok(), "{text}");
        }
        for text in ["w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f", "publickeyv1_", "publickeyv1_0OIl"] {
            assert!(endpoint(&keys(text)).is_err(), "{text}");
        }
    }
}
