//! Listening, with a limit on everything a client can make us wait for.

use std::{io, sync::Arc, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use platform::shutdown::Shutdown;
use tokio::{net::TcpListener, sync::Semaphore};

/// How long clients may take, and how many there may be.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For a request's head, and for the silence before the next request on a connection. `axum::serve` has no such
    /// limit, so a client that sends one byte a minute would hold its connection for ever. It is longer than clients and
    /// balancers keep a silent connection (60 to 90 s): who closes first must be they, or now and then a request is sent
    /// into a connection that is just being closed, and fails.
    pub head: Duration,
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// How long requests under way may take to end when the process is told to stop.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: Duration::from_secs(120), connections: 10_000, drain: Duration::from_secs(30) }
    }
}

/// Serves until told to stop, then lets requests under way end.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: Shutdown,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { break };
        let stream = tokio::select! {
            () = shutdown.begun() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of file descriptors, or the client is gone already: neither is a reason to stop serving.
                Err(error) => {
                    tracing::warn!(%error, "accepting a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // Small answers must not wait for the acknowledgement of the ones before them.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_headers(64)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        shutdown.spawn(async move {
            // A client that breaks off is its own business.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not end in time");
    }
    Ok(())
}
