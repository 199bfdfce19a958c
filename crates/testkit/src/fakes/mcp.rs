//! An MCP server whose tools a test can change at any time, and which counts calls.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Request, State},
    http::{StatusCode, header::AUTHORIZATION},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::get,
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// The behaviour of a tool.
#[derive(Debug, Clone, Default)]
pub enum Manner {
    /// Returns its arguments.
    #[default]
    Echo,
    /// Returns this result.
    Result(Value),
    /// Performs the effect, and responds after every timeout.
    Late(Duration),
}

/// The server. It stops when dropped.
pub struct FakeMcp {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    older: bool,
    state: Mutex<World>,
}

#[derive(Default)]
struct World {
    tools: Vec<Value>,
    manners: BTreeMap<String, Manner>,
    calls: BTreeMap<String, Vec<Value>>,
    lists: u64,
    /// After this many more listings the tools become these.
    turn: Option<(u64, Vec<Value>)>,
    token: Option<String>,
    /// The authorization server it names.
    authorization_server: Option<String>,
}

/// What an authorization server changes in a server that it protects.
#[derive(Clone)]
pub struct Guarded(Arc<Shared>);

impl Guarded {
    /// Accepts only this token from now on.
    pub fn set_token(&self, token: &str) {
        self.0.world().token = Some(token.to_owned());
    }

    /// Sets the authorization server.
    pub fn set_authorization_server(&self, url: &str) {
        self.0.world().authorization_server = Some(url.to_owned());
    }
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeMcp {
    /// Starts a server with these tools, as in `tools/list`, for clients with the token.
    pub async fn start(tools: Vec<Value>, token: Option<&str>) -> anyhow::Result<Self> {
        Self::serve(TcpListener::bind("127.0.0.1:0").await?, tools, token)
    }

    /// Starts a server on the caller's socket.
    pub fn serve(listener: TcpListener, tools: Vec<Value>, token: Option<&str>) -> anyhow::Result<Self> {
        let shared = Shared::default();
        shared.world().token = token.map(ToOwned::to_owned);
        Self::serve_shared(listener, tools, shared)
    }

    /// Starts a server with the protocol before 2026-07-28, with sessions.
    pub fn serve_older(listener: TcpListener, tools: Vec<Value>) -> anyhow::Result<Self> {
        Self::serve_shared(listener, tools, Shared { older: true, ..Shared::default() })
    }

    fn serve_shared(listener: TcpListener, tools: Vec<Value>, shared: Shared) -> anyhow::Result<Self> {
        let shared = Arc::new(shared);
        shared.world().tools = tools;
        let address = listener.local_addr()?;
        let handler = Handler(shared.clone());
        let service = StreamableHttpService::new(
            move || Ok(handler.clone()),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default().with_json_response(true),
        );
        let resource = format!("http://{address}/mcp");
        let named = shared.clone();
        let protected = move || {
            let server = named.world().authorization_server.clone();
            std::future::ready(match server {
                Some(server) => {
                    Json(json!({ "resource": resource, "authorization_servers": [server] })).into_response()
                }
                None => StatusCode::NOT_FOUND.into_response(),
            })
        };
        let router = Router::new()
            .nest_service("/mcp", service)
            .route("/.well-known/oauth-protected-resource/mcp", get(protected))
            .layer(middleware::from_fn_with_state(shared.clone(), check_token));
        let serving = tokio::spawn(async move {
            use axum::serve::ListenerExt as _;
            let listener = listener.tap_io(|io| drop(io.set_nodelay(true)));
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, shared, serving })
    }

    /// The URL of the server.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// For an authorization server that protects this server.
    pub fn guarded(&self) -> Guarded {
        Guarded(self.shared.clone())
    }

    /// Changes the tools.
    pub fn set_tools(&self, tools: Vec<Value>) {
        self.shared.world().tools = tools;
    }

    /// Changes the tools after this many more listings.
    pub fn turn_after(&self, lists: u64, tools: Vec<Value>) {
        self.shared.world().turn = Some((lists, tools));
    }

    /// Sets the behaviour of a tool.
    pub fn behave(&self, tool: &str, manner: Manner) {
        self.shared.world().manners.insert(tool.to_owned(), manner);
    }

    /// The arguments of each call of a tool.
    pub fn calls(&self, tool: &str) -> Vec<Value> {
        self.shared.world().calls.get(tool).cloned().unwrap_or_default()
    }

    /// The number of calls.
    pub fn called(&self) -> usize {
        self.shared.world().calls.values().map(Vec::len).sum()
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of listings.
    pub fn lists(&self) -> u64 {
        self.shared.world().lists
    }
}

impl Drop for FakeMcp {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A tool as in `tools/list`, with an object of these properties as its input.
pub fn tool(name: &str, properties: Value) -> Value {
    json!({
        "name": name,
        "description": format!("Does {name}."),
        "inputSchema": { "type": "object", "properties": properties },
    })
}

async fn check_token(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let sent = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = shared.world().token.clone().filter(|_| !request.uri().path().starts_with("/.well-known/"));
    match &token {
        Some(token) if sent != Some(&format!("Bearer {token}")) => StatusCode::UNAUTHORIZED.into_response(),
        _ => next.run(request).await,
    }
}

#[derive(Clone)]
struct Handler(Arc<Shared>);

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        info.server_info = Implementation::new("fake", "1.0");
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        if self.0.older {
            return Cow::Borrowed(&[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25]);
        }
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut world = self.0.world();
        world.lists += 1;
        let listed = world.tools.clone();
        if let Some((left, tools)) = world.turn.take() {
            if left <= 1 {
                world.tools = tools;
            } else {
                world.turn = Some((left - 1, tools));
            }
        }
        drop(world);
        let tools: Result<Vec<Tool>, _> = listed.into_iter().map(serde_json::from_value).collect();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = Value::Object(request.arguments.unwrap_or_default());
        let name = request.name.to_string();
        let manner = {
            let mut world = self.0.world();
            world.calls.entry(name.clone()).or_default().push(given.clone());
            world.manners.get(&name).cloned().unwrap_or_default()
        };
        let result = match manner {
            Manner::Echo => CallToolResult::success(vec![ContentBlock::text(given.to_string())]),
            Manner::Result(result) => serde_json::from_value(result)
                .map_err(|error| ErrorData::internal_error(error.to_string(), None))?,
            Manner::Late(delay) => {
                tokio::time::sleep(delay).await;
                CallToolResult::success(vec![ContentBlock::text("done")])
            }
        };
        Ok(result.into())
    }
}
