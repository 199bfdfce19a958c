//! The limit of routes that need no token, over real connections.

use std::{net::SocketAddr, num::NonZeroU32, time::Duration};

use gateway::{App, Public};
use ipnet::IpNet;
use testkit::{TestApp, http_client};
use tokio::net::TcpListener;

/// A public route, and how many requests of it are allowed here.
const PATH: &str = "/v1/signin";
const PER_MINUTE: u32 = 3;

async fn listening(test: &TestApp, trusted: &[&str]) -> anyhow::Result<SocketAddr> {
    let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse()).collect::<Result<_, _>>()?;
    let per_minute = NonZeroU32::new(PER_MINUTE).unwrap();
    let public = Public::new(test.app.world.clock.clone(), per_minute, trusted);
    let app = App { public, ..test.app.clone() };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, shutdown) = (listener.local_addr()?, app.shutdown.clone());
    let serving =
        gateway::serve(listener, gateway::router(app), gateway::Limits::default(), shutdown.clone());
    shutdown.spawn(async move { drop(serving.await) });
    Ok(address)
}

/// The status of a request that claims to come from an address.
async fn from(server: SocketAddr, address: &str) -> anyhow::Result<u16> {
    let request = http_client()?.get(format!("http://{server}{PATH}")).header("x-forwarded-for", address);
    Ok(request.send().await?.status().as_u16())
}

#[tokio::test]
async fn an_address_that_asks_too_often_is_told_to_wait() -> anyhow::Result<()> {
    let test = TestApp::start().await?;
    let server = listening(&test, &[]).await?;
    let http = http_client()?;
    let get = async |path: &str| http.get(format!("http://{server}{path}")).send().await;
    for _ in 0..PER_MINUTE {
        assert_eq!(get(PATH).await?.status(), 200);
    }
    let refused = get(PATH).await?;
    assert_eq!(refused.status(), 429);
    let wait: u64 = refused.headers()["retry-after"].to_str()?.parse()?;
    assert!((1..=60).contains(&wait), "{wait}");
    let problem: serde_json::Value = refused.json().await?;
    assert_eq!(problem["code"], "rate_limited");

    assert_eq!(get("/v1/ledger/checkpoints").await?.status(), 429, "all public routes count together");
    assert_eq!(get("/healthz").await?.status(), 200, "probes are not limited");
    assert_eq!(get("/readyz").await?.status(), 200, "probes are not limited");
    let me = http.get(format!("http://{server}/v1/me")).bearer_auth(&test.owner_token).send().await?;
    assert_eq!(me.status(), 200, "who brings a token is not limited");
    test.advance(Duration::from_secs(60));
    assert_eq!(get(PATH).await?.status(), 200, "the next minute");
    Ok(())
}

#[tokio::test]
async fn a_forged_address_does_not_evade_the_limit() -> anyhow::Result<()> {
    let test = TestApp::start().await?;
    let server = listening(&test, &["10.0.0.0/8"]).await?;
    let mut answers = Vec::new();
    for number in 0..PER_MINUTE + 2 {
        answers.push(from(server, &format!("198.51.100.{number}")).await?);
    }
    assert_eq!(answers, [200, 200, 200, 429, 429]);
    Ok(())
}

#[tokio::test]
async fn control_a_trusted_proxy_tells_its_clients_apart() -> anyhow::Result<()> {
    let test = TestApp::start().await?;
    let server = listening(&test, &["127.0.0.0/8"]).await?;
    for number in 0..PER_MINUTE + 2 {
        assert_eq!(from(server, &format!("198.51.100.{number}")).await?, 200);
    }
    for _ in 0..PER_MINUTE {
        assert_eq!(from(server, "2001:db8::1").await?, 200);
    }
    assert_eq!(from(server, "2001:db8::2").await?, 429, "the same network of 64 bits");
    assert_eq!(from(server, "2001:db8:0:1::1").await?, 200);
    Ok(())
}
