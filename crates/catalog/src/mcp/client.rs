//! Connections to MCP servers, which are kept and shared, and the requests over them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use model::{ConnectorId, Digest, ErrorClass, OrgId};
use moka::future::Cache;
use platform::shutdown::Shutdown;
use rmcp::{
    ClientHandler, RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest,
        Implementation, ListToolsRequest, PaginatedRequestParams, ProtocolVersion, ServerResult,
        SubscriptionFilter,
    },
    service::{
        ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, NotificationContext,
        PeerRequestOptions, RunningService, ServiceError,
    },
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    answer,
    command::{Commands, Running},
    http::{GuardedHttp, sent},
};
use crate::{
    CallContext, Outcome, SourceError,
    connector::{Auth, Hints, Looks, MOST_TOOLS, Offer},
    limits::mcp::{IDLE, LIST_TIMEOUT, MOST_EVENT_BYTES, MOST_PAGES},
    wire,
};

/// The key of a connection: its owner, and the credential it was opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) org: OrgId,
    pub(super) connector: ConnectorId,
    /// The digest of the credential. A different credential has a different connection.
    pub(super) opened_by: Option<Digest>,
}

/// A server with its location and its authentication.
#[derive(Clone, Copy)]
pub(super) struct Server<'a> {
    pub(super) key: Key,
    pub(super) place: &'a Place,
    pub(super) auth: &'a Auth,
}

/// The location of a server.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Url(Arc<str>),
    Command(String),
}

/// A session, or why there is none, and the program that it is with.
type Begun = (Result<RunningService<RoleClient, Handler>, ClientInitializeError>, Option<Running>);

/// The connections of this process. Cheap to clone.
#[derive(Clone)]
pub struct Clients {
    peers: Cache<(Key, String), Arc<Peer>>,
    commands: Commands,
    changes: Option<Changes>,
}

/// The channel to which changed tools of a server are reported.
#[derive(Clone)]
pub struct Changes {
    pub tell: mpsc::UnboundedSender<(OrgId, ConnectorId)>,
    /// Ends the subscriptions.
    pub shutdown: Shutdown,
}

impl Default for Clients {
    fn default() -> Self {
        Self::new(Commands::default(), None)
    }
}

impl Clients {
    /// Clients with the commands that the operator declared, and the channel for changed tools.
    pub fn new(commands: Commands, changes: Option<Changes>) -> Self {
        let peers: Cache<(Key, String), Arc<Peer>> =
            Cache::builder().max_capacity(1_000).time_to_idle(IDLE).build();
        if let Some(changes) = changes.as_ref().filter(|_| !commands.is_empty()) {
            // The cache lets go of what is idle when it is used, and an idle gateway does not use it.
            let (peers, stop) = (peers.clone(), changes.shutdown.clone());
            changes.shutdown.spawn(async move {
                loop {
                    tokio::select! {
                        () = stop.begun() => return,
                        () = tokio::time::sleep(IDLE) => peers.run_pending_tasks().await,
                    }
                }
            });
        }
        Self { peers, commands, changes }
    }

    /// The digest of all that is declared about a command; `None` if it is not declared.
    pub(super) fn command_digest(&self, name: &str, org: OrgId) -> Option<Digest> {
        self.commands.digest(name, org)
    }

    /// Whether the operator declared a command with this name for this organization.
    pub fn has_command(&self, name: &str, org: OrgId) -> bool {
        self.commands.find(name, org).is_some()
    }

    /// The connection to a server; opened now if there is no live one.
    pub(super) async fn peer(&self, server: Server<'_>, ctx: &CallContext) -> Result<Arc<Peer>, SourceError> {
        let where_to = match server.place {
            Place::Url(url) => url.to_string(),
            Place::Command(name) => name.clone(),
        };
        let kept = (server.key, where_to);
        if let Some(peer) = self.peers.get(&kept).await {
            if !peer.service.is_closed() {
                return Ok(peer);
            }
            self.peers.invalidate(&kept).await;
        }
        let connecting = self.peers.try_get_with(kept, async {
            let connected = tokio::time::timeout(LIST_TIMEOUT, self.connect(server, ctx)).await;
            let late = || SourceError::not_sent(ErrorClass::Timeout, "the server did not answer in time");
            connected.unwrap_or_else(|_| Err(late())).map(Arc::new)
        });
        connecting.await.map_err(|error| (*error).clone())
    }

    async fn connect(&self, server: Server<'_>, ctx: &CallContext) -> Result<Peer, SourceError> {
        // If a server does not know the newest version, the older protocol is used.
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let (service, running) = match self.begin(server, ctx, newest).await? {
            // A server that reports incompatible versions gets the older protocol too.
            (Err(ClientInitializeError::NoCompatibleProtocolVersion { .. }), _) => {
                self.begin(server, ctx, ClientLifecycleMode::Initialize).await?
            }
            begun => begun,
        };
        let service = service.map_err(|error| not_connected(&error))?;
        if let Some(changes) = &self.changes {
            changes.listen((server.key.org, server.key.connector), &service);
        }
        Ok(Peer { service, _running: running, looks: Looks::default() })
    }

    async fn begin(
        &self,
        server: Server<'_>,
        ctx: &CallContext,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Begun, SourceError> {
        let handler =
            Handler { whose: (server.key.org, server.key.connector), changes: self.changes.clone() };
        Ok(match server.place {
            Place::Url(url) => {
                let config = config(url.clone(), server.auth, ctx)?;
                let http = GuardedHttp::new(ctx.egress.clone());
                let transport = StreamableHttpClientTransport::with_client(http, config);
                (Box::pin(handler.serve_with_lifecycle(transport, lifecycle)).await, None)
            }
            Place::Command(name) => {
                let (transport, running) =
                    Box::pin(self.commands.start(name, server.key.org, &ctx.egress)).await?;
                (Box::pin(handler.serve_with_lifecycle(transport, lifecycle)).await, Some(running))
            }
        })
    }
}

fn config(
    url: Arc<str>,
    auth: &Auth,
    ctx: &CallContext,
) -> Result<StreamableHttpClientTransportConfig, SourceError> {
    use secrecy::ExposeSecret as _;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url)
        .max_sse_event_size(MOST_EVENT_BYTES)
        .reinit_on_expired_session(true);
    let Some(credential) = &ctx.credential else { return Ok(config) };
    let token = credential.token.expose_secret();
    config = match auth {
        Auth::Header { header, .. } => {
            let name =
                header.parse().map_err(|_| SourceError::invalid("the name of the header is invalid"))?;
            config.custom_headers(HashMap::from([(name, wire::secret_header(token)?)]))
        }
        _ => config.auth_header(token.to_owned()),
    };
    Ok(config)
}

/// The error for a failed connection, without the server's own message.
fn not_connected(error: &(dyn std::error::Error + 'static)) -> SourceError {
    let class = super::http::class_in(error).unwrap_or(ErrorClass::Transient);
    let what = match class {
        ErrorClass::Auth => "the server refused the credential",
        ErrorClass::Permanent => "the server's address is not allowed, or the server does not speak MCP",
        _ => "the server is unreachable or does not speak MCP",
    };
    SourceError::not_sent(class, what)
}

impl Changes {
    /// Subscribes to changes of the tools, if the server reports them only to subscribers, for as long as the
    /// connection lasts.
    fn listen(&self, whose: (OrgId, ConnectorId), service: &RunningService<RoleClient, Handler>) {
        let by_subscription =
            service.peer_info().is_some_and(|info| info.protocol_version >= ProtocolVersion::V_2026_07_28);
        if !by_subscription {
            return;
        }
        let (peer, tell, stop) = (service.peer().clone(), self.tell.clone(), self.shutdown.clone());
        let listening = async move {
            let wanted = SubscriptionFilter::builder().tools_list_changed().build();
            // A server without subscriptions is asked again before each call, as every server is.
            let Ok(mut told) = peer.listen(wanted).await else { return };
            while let Ok(Some(_)) = told.next().await {
                if tell.send(whose).is_err() {
                    return;
                }
            }
        };
        self.shutdown.spawn(async move {
            tokio::select! {
                () = stop.begun() => {}
                () = listening => {}
            }
        });
    }
}

/// Handles the messages that a server sends on its own: only that its tools changed. A server cannot make requests to
/// us.
struct Handler {
    whose: (OrgId, ConnectorId),
    changes: Option<Changes>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("countersign", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        if let Some(changes) = &self.changes {
            // The send fails only when the process stops and nothing receives any more.
            let _ = changes.tell.send(self.whose);
        }
    }
}

/// One connection.
pub(super) struct Peer {
    service: RunningService<RoleClient, Handler>,
    /// The program, if it is one.
    _running: Option<Running>,
    looks: Looks<Arc<[Offer]>>,
}

impl Peer {
    /// The name and version that the server reports.
    pub(super) fn server(&self) -> Option<String> {
        let info = self.service.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(format!("{} {}", server.name, server.version).chars().take(200).collect())
    }

    /// The tools, from a listing that began after this call. Callers that wait meanwhile share the next listing.
    pub(super) async fn offers(&self) -> Result<Arc<[Offer]>, SourceError> {
        let look = async {
            let listed = tokio::time::timeout(LIST_TIMEOUT, self.list()).await.unwrap_or_else(|_| {
                let message =
                    format!("the server did not list its tools within {} s", LIST_TIMEOUT.as_secs());
                Err(SourceError::sent(ErrorClass::Timeout, message))
            });
            listed.map(Arc::from)
        };
        self.looks.look(look).await
    }

    async fn list(&self) -> Result<Vec<Offer>, SourceError> {
        let (mut offers, mut cursor) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            let page = match self.ask(request, LIST_TIMEOUT).await? {
                ServerResult::ListToolsResult(page) => page,
                _ => return Err(unreadable()),
            };
            offers.extend(page.tools.into_iter().map(offer));
            // One more than the limit is kept, to show that there were more.
            if offers.len() > MOST_TOOLS {
                offers.truncate(MOST_TOOLS + 1);
                return Ok(offers);
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(offers);
            }
        }
        Err(SourceError::sent(ErrorClass::Permanent, "the server's list of tools does not end"))
    }

    /// Calls a tool, once.
    pub(super) async fn call(
        &self,
        name: &str,
        params: &Value,
        timeout: Duration,
    ) -> Result<Outcome, SourceError> {
        let mut request = CallToolRequestParams::new(name.to_owned());
        request.arguments = params.as_object().cloned();
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
        match self.ask(request, timeout).await? {
            ServerResult::CallToolResult(result) => answer::outcome(&result),
            ServerResult::InputRequiredResult(_) => {
                let message = "the server asked for more input, which is not supported";
                Err(SourceError::sent(ErrorClass::Invalid, message))
            }
            ServerResult::CreateTaskResult(_) => {
                let message = "the server turned the call into a task of its own; its outcome is unknown";
                Err(SourceError::sent(ErrorClass::Permanent, message))
            }
            _ => Err(unreadable()),
        }
    }

    async fn ask(&self, request: ClientRequest, timeout: Duration) -> Result<ServerResult, SourceError> {
        let options = PeerRequestOptions::with_timeout(timeout);
        let asked = self.service.send_request_with_option(request, options).await.map_err(failed)?;
        asked.await_response().await.map_err(failed)
    }
}

fn unreadable() -> SourceError {
    SourceError::sent(ErrorClass::Permanent, "the response of the server does not match the request")
}

/// The failure of a request as a [`SourceError`]. A request that is not provably unsent counts as sent.
fn failed(error: ServiceError) -> SourceError {
    match error {
        ServiceError::McpError(error) => {
            let class = match error.code.0 {
                -32602 => ErrorClass::Invalid,
                -32601 => ErrorClass::NotFound,
                _ => ErrorClass::Permanent,
            };
            let words: String = error.message.chars().filter(|c| !c.is_control()).collect();
            SourceError::sent(class, format!("the server answered with an error: {words}"))
        }
        ServiceError::Timeout { timeout } => {
            let message = format!("no answer from the server within {} s", timeout.as_secs());
            SourceError::sent(ErrorClass::Timeout, message)
        }
        ServiceError::TransportSend(error) => {
            let class = super::http::class_in(&*error.error).unwrap_or(ErrorClass::Transient);
            let message = match class {
                ErrorClass::Auth => "the server refused the credential",
                _ => "the connection to the server failed",
            };
            SourceError { class, sent: sent(&*error.error), message: message.to_owned(), retry_after: None }
        }
        _ => SourceError::sent(ErrorClass::Transient, "the connection to the server was lost"),
    }
}

fn offer(tool: rmcp::model::Tool) -> Offer {
    let hints = tool.annotations.as_ref();
    let object = |schema: Arc<rmcp::model::JsonObject>| Value::Object(Arc::unwrap_or_clone(schema));
    Offer {
        title: tool.title.or_else(|| hints.and_then(|hints| hints.title.clone())),
        description: tool.description.unwrap_or_default().into_owned(),
        hints: hints.map_or_else(Hints::default, |hints| Hints {
            read_only: hints.read_only_hint,
            destructive: hints.destructive_hint,
            idempotent: hints.idempotent_hint,
            open_world: hints.open_world_hint,
        }),
        name: tool.name.into_owned(),
        input_schema: object(tool.input_schema),
        output_schema: tool.output_schema.map(object),
        request: None,
    }
}
