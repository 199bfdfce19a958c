//! The HTTP server, with limits on time and connections.

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use axum::{Router, http::Request};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use platform::shutdown::Shutdown;
use tokio::{net::TcpListener, sync::Semaphore};
use tower::ServiceExt as _;

/// The network address at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Limits of time and of connections.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the head of a request, and for an idle connection. `axum::serve` has no such limit, so a client that sends
    /// one byte a minute would hold its connection forever. The limit is longer than clients and load balancers keep
    /// idle connections (60 to 90 s): they must close first, or a request is sometimes sent into a connection that is
    /// being closed, and fails.
    pub head: Duration,
    /// Maximum number of open connections. Further ones wait to be accepted.
    pub connections: usize,
    /// How long requests in progress may take to finish when the process stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: Duration::from_secs(120), connections: 10_000, drain: Duration::from_secs(30) }
    }
}

/// Serves until shutdown, then lets requests in progress finish.
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
        let (stream, peer) = tokio::select! {
            () = shutdown.begun() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of file descriptors, or the client has disconnected: neither is a reason to stop serving.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // Small responses must not wait for the acknowledgement of earlier ones (Nagle's algorithm).
        let _ = stream.set_nodelay(true);
        let service = router.clone().map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            request
        });
        let service = TowerToHyperService::new(service);
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_headers(64)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        shutdown.spawn(async move {
            // A client that disconnects early is not an error.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish before the shutdown");
    }
    Ok(())
}
