//! Slow clients are disconnected, and a shutdown lets requests in progress finish.

use std::time::Duration;

use platform::shutdown::Shutdown;
use testkit::TestApp;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::{Instant, timeout},
};

async fn listening(head: Duration) -> anyhow::Result<(TestApp, std::net::SocketAddr, Shutdown)> {
    let app = TestApp::start().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let limits = gateway::Limits { head, ..gateway::Limits::default() };
    let shutdown = app.app.shutdown.clone();
    let serving = gateway::serve(listener, gateway::router(app.app.clone()), limits, shutdown.clone());
    shutdown.spawn(async move { drop(serving.await) });
    Ok((app, address, shutdown))
}

/// Reads until the server closes the connection; returns how long that took.
async fn until_closed(stream: &mut TcpStream) -> anyhow::Result<Duration> {
    let since = Instant::now();
    let mut rest = Vec::new();
    let _ = timeout(Duration::from_secs(60), stream.read_to_end(&mut rest)).await?;
    Ok(since.elapsed())
}

#[tokio::test]
async fn a_client_that_never_finishes_its_head_is_let_go() -> anyhow::Result<()> {
    let (_app, address, shutdown) = listening(Duration::from_millis(300)).await?;
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").await?;
    assert!(until_closed(&mut stream).await? < Duration::from_secs(30));
    shutdown.begin();
    Ok(())
}

#[tokio::test]
async fn a_connection_that_falls_silent_after_a_request_is_let_go() -> anyhow::Result<()> {
    let (_app, address, shutdown) = listening(Duration::from_millis(300)).await?;
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await?;
    assert!(until_closed(&mut stream).await? < Duration::from_secs(30));
    shutdown.begin();
    Ok(())
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let body = format!(r#"{{"action":"data.transform","params":{{"template":"{}"}}}}"#, "a".repeat(2 << 20));
    let refused = app.invoke_raw(&agent, body, None).await?;
    assert_eq!((refused.status.as_u16(), refused.body["code"].as_str()), (413, Some("too_large")));
    Ok(())
}

#[tokio::test]
async fn once_told_to_stop_it_accepts_nobody_and_says_it_is_not_ready() -> anyhow::Result<()> {
    let (app, address, shutdown) = listening(Duration::from_secs(5)).await?;
    shutdown.begin();
    let unready = app.send(axum::http::Method::GET, "/readyz", "", None).await?;
    assert_eq!(unready.status.as_u16(), 503);
    for _ in 0..100 {
        if TcpStream::connect(address).await.is_err() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    anyhow::bail!("the server still accepts connections")
}
