//! MCP servers as sources: listing their tools, and calling them. The only module besides `gateway/mcp` that uses rmcp.
//!
//! Before every call the server is asked for its tools again, and the call is not made if the tool is no longer the one
//! that was decided about: a server cannot show one tool and be called as another. Calls that wait at the same time
//! share one such request.
//!
//! INVARIANT: every failure before the call itself is sent has `sent: false`.
//! INVARIANT: every response, event and message of a server is read only up to a limit.

mod answer;
mod client;
mod command;
mod http;
mod network;
pub mod oauth;

use std::sync::Arc;

use async_trait::async_trait;
use model::{Destination, SourceSlug};

use crate::{
    ActionSource, Call, CallContext, Outcome, SourceError,
    connector::{Auth, Connector, Harvest, Kind, Pins, Tool},
    declared,
};
pub use client::{Changes, Clients};
use client::{Key, Peer, Place, Server};
pub use command::{All, Command, Commands, Organizations};

/// One connected MCP server.
pub struct McpSource {
    clients: Clients,
    slug: SourceSlug,
    key: Key,
    place: Place,
    destination: Destination,
    auth: Auth,
    pins: Pins,
}

impl McpSource {
    /// A source for a server with its known tools.
    pub(crate) fn new(clients: Clients, org: model::OrgId, connector: &Connector, tools: &[Tool]) -> Self {
        let (place, destination) = match &connector.kind {
            Kind::Stdio { command } => {
                let digest = clients.command_digest(command, org);
                let destination = Destination { kind: "stdio", command: digest, ..Destination::NATIVE };
                (Place::Command(command.clone()), destination)
            }
            Kind::Mcp { url } | Kind::OpenApi { document: url, .. } => {
                (Place::Url(url.as_str().into()), declared::destination("mcp", url))
            }
        };
        let destination = Destination { auth: Some(connector.auth.to_string()), ..destination };
        Self {
            clients,
            slug: connector.slug.clone(),
            key: Key { org, connector: connector.id, opened_by: None },
            place,
            destination,
            auth: connector.auth.clone(),
            pins: Pins::new(tools, ("tool", "server")),
        }
    }

    async fn peer(&self, ctx: &CallContext) -> Result<Arc<Peer>, SourceError> {
        let credential = self.auth.credential(ctx)?;
        let opened_by = credential.map(|token| model::Digest::of_bytes(token.as_bytes()));
        let key = Key { opened_by, ..self.key };
        self.clients.peer(Server { key, place: &self.place, auth: &self.auth }, ctx).await
    }
}

#[async_trait]
impl ActionSource for McpSource {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        self.destination.clone()
    }

    async fn harvest(&self, ctx: &CallContext) -> Result<Harvest, SourceError> {
        let peer = self.peer(ctx).await?;
        let offers = peer.offers().await?;
        Ok(Harvest { server: peer.server(), offers: offers.to_vec(), unusable: vec![] })
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        let pin = self.pins.of(&call.action)?;
        let peer = self.peer(ctx).await.map_err(SourceError::before_effect)?;
        let offers = peer.offers().await.map_err(SourceError::before_effect)?;
        pin.among(&offers)?;
        peer.call(pin.name, &call.params, ctx.timeout).await
    }
}
