//! SSRF through connectors: an admin, or a document, names an address that leads to our own network. A server there
//! must receive nothing. With the guard open it is reached.

use std::time::Duration;

use catalog::{
    CallContext,
    connector::{Auth, Connector, Kind, Sources},
};
use model::{ConnectorId, UserId};
use platform::egress::{Egress, EgressPolicy};
use testkit::{Door, INSIDE, LOOPBACK};
use uuid::Uuid;

use crate::support::context;

fn kinds(address: &str) -> Vec<Kind> {
    let mcp = Kind::parse("mcp", address, None);
    let openapi = Kind::parse("openapi", address, None);
    // An invalid address is refused before any request is made.
    mcp.into_iter().chain(openapi).collect()
}

fn through(policy: EgressPolicy) -> anyhow::Result<CallContext> {
    Ok(CallContext { egress: Egress::new(policy)?, timeout: Duration::from_secs(5), ..context("k") })
}

/// Asks the server at an address for its tools, as each kind of connector. Returns whether any of them got a response.
async fn ask(address: &str, ctx: &CallContext) -> bool {
    let mut answered = false;
    for kind in kinds(address) {
        let connector = Connector {
            id: ConnectorId::from_uuid(Uuid::from_u128(7)),
            slug: "inside".parse().unwrap(),
            kind,
            auth: Auth::None,
            enabled: true,
            server: None,
            last_harvested_at: None,
            last_error: None,
            created_by: UserId::from_uuid(Uuid::nil()),
            created_at: jiff::Timestamp::UNIX_EPOCH,
        };
        let source = Sources::default().of(ctx.org, &connector, &[]);
        let asked = tokio::time::timeout(Duration::from_secs(20), source.harvest(ctx)).await;
        answered |= matches!(asked, Ok(Ok(_)));
    }
    answered
}

#[tokio::test]
async fn no_address_of_a_connector_leads_inside() -> anyhow::Result<()> {
    let (door, door6) = (Door::open("0.0.0.0:0", None).await?, Door::open("[::1]:0", None).await?);
    let ctx = through(EgressPolicy::default())?;
    let mut tried = 0;
    let mut wrong = Vec::new();
    for host in LOOPBACK.iter().chain(&INSIDE) {
        for (scheme, port) in [("http", door.port), ("https", door.port), ("http", door6.port)] {
            tried += 1;
            let before = door.came() + door6.came();
            let answered = ask(&format!("{scheme}://{host}:{port}/mcp"), &ctx).await;
            if answered || door.came() + door6.came() != before {
                wrong.push(format!("{scheme}://{host}"));
            }
        }
    }
    testkit::tried(
        7,
        "an address inside, in many spellings, as MCP server and as document",
        tried,
        wrong.len(),
    );
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn no_redirect_of_a_connector_leads_inside() -> anyhow::Result<()> {
    let inside = Door::open("127.0.0.1:0", None).await?;
    // The server itself may be reached; the target of its redirect may not.
    let ctx = through(EgressPolicy { allow: vec!["127.0.0.2/32".parse()?] })?;
    let mut wrong = Vec::new();
    let mut sent = 0;
    for host in LOOPBACK {
        let onward = format!("http://{host}:{}/mcp", inside.port);
        let server = Door::open("127.0.0.2:0", Some(onward)).await?;
        let answered = ask(&format!("http://127.0.0.2:{}/mcp", server.port), &ctx).await;
        sent += usize::from(server.came() > 0);
        if answered || inside.came() != 0 {
            wrong.push(host);
        }
    }
    testkit::tried(7, "a redirect inside, in many spellings", LOOPBACK.len(), wrong.len());
    anyhow::ensure!(sent == LOOPBACK.len(), "only {sent} servers received a request");
    anyhow::ensure!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[tokio::test]
async fn control_with_the_guard_open_the_listener_is_reached() -> anyhow::Result<()> {
    let door = Door::open("0.0.0.0:0", None).await?;
    let ctx = through(EgressPolicy::open())?;
    let mut reached = 0;
    for host in LOOPBACK {
        let before = door.came();
        ask(&format!("http://{host}:{}/mcp", door.port), &ctx).await;
        reached += usize::from(door.came() > before);
    }
    testkit::tried(7, "control: reached with the guard open", reached, 0);
    anyhow::ensure!(reached >= 15, "only {reached} spellings reach the server without the guard");
    Ok(())
}
