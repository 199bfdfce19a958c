//! A small MCP server to connect: over its standard streams, or with `--listen ADDRESS` over Streamable HTTP at `/mcp`.
//!
//! `add` computes, `note` stores a line (in the file that `NOTES` names), and `learn` adds the tool `shout` to the server and announces it, to show what
//! happens when a server changes.

use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    net::SocketAddr,
    os::fd::{AsFd, BorrowedFd},
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context as _, bail};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
    },
    service::{RequestContext, SubscriptionContext, SubscriptionSink},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};

fn main() -> ExitCode {
    // Tests have no gateway whose binary could make the sandbox.
    if let Some(ended) = sandbox::launch_if_asked() {
        return ended;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run() -> anyhow::Result<()> {
    let server = Server::default();
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => speak(server).await,
        (Some("--listen"), Some(address)) => {
            listen(server, address.parse().with_context(|| format!("`{address}` is no address"))?).await
        }
        _ => bail!("usage: mcp_server [--listen ADDRESS]"),
    }
}

/// Serves over the standard streams, until they end.
async fn speak(server: Server) -> anyhow::Result<()> {
    let (input, output) = (io::stdin(), io::stdout());
    let serving = server.serve((stream(input.as_fd())?, stream(output.as_fd())?)).await?;
    serving.waiting().await?;
    Ok(())
}

fn stream(of: BorrowedFd<'_>) -> anyhow::Result<tokio::fs::File> {
    Ok(tokio::fs::File::from_std(std::fs::File::from(of.try_clone_to_owned()?)))
}

/// Serves over HTTP, until it is stopped. Prints the URL.
async fn listen(server: Server, address: SocketAddr) -> anyhow::Result<()> {
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener =
        tokio::net::TcpListener::bind(address).await.with_context(|| format!("listening on {address}"))?;
    writeln!(io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    let router = axum::Router::new().nest_service("/mcp", service);
    let stop = async { drop(tokio::signal::ctrl_c().await) };
    Ok(axum::serve(listener, router).with_graceful_shutdown(stop).await?)
}

#[derive(Clone, Default)]
struct Server(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    notes: Vec<String>,
    can_shout: bool,
    /// The subscribers to changes of the tools.
    listeners: Vec<SubscriptionSink>,
}

impl Server {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tools(&self) -> Vec<Value> {
        let text =
            json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
        let number = json!({ "type": "number" });
        let mut tools = vec![
            json!({
                "name": "add", "description": "Adds two numbers.", "annotations": { "readOnlyHint": true },
                "inputSchema": {
                    "type": "object", "properties": { "a": number, "b": number }, "required": ["a", "b"],
                },
            }),
            json!({ "name": "note", "description": "Keeps a line of text.", "inputSchema": text }),
            json!({
                "name": "learn", "description": "Gives this server a tool it does not have.",
                "inputSchema": { "type": "object" },
            }),
        ];
        if self.known().can_shout {
            tools.push(json!({ "name": "shout", "description": "Says it louder.", "inputSchema": text }));
        }
        tools
    }

    /// Keeps a line: in the file that `NOTES` names, or in memory. While there is a file `NOTES.hold`, there is no answer.
    async fn note(&self, text: &str) -> io::Result<String> {
        let kept = {
            let mut known = self.known();
            known.notes.push(text.to_owned());
            known.notes.len()
        };
        if let Some(file) = platform::config::variable("NOTES").map(PathBuf::from) {
            let held = file.with_extension("hold").exists();
            let mut file = OpenOptions::new().append(true).create(true).open(file)?;
            writeln!(file, "{text}")?;
            if held {
                std::future::pending::<()>().await;
            }
        }
        Ok(format!("kept {kept}"))
    }

    /// Adds the tool `shout` and notifies the subscribers.
    async fn learn(&self, context: &RequestContext<RoleServer>) -> String {
        let listeners = {
            let mut known = self.known();
            known.can_shout = true;
            known.listeners.clone()
        };
        for listener in &listeners {
            // A subscriber that has disconnected needs no notification.
            drop(listener.notify_tool_list_changed().await);
        }
        if listeners.is_empty() {
            // A client of an older version is notified without a subscription.
            drop(context.peer.notify_tool_list_changed().await);
        }
        "learnt to shout".to_owned()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        info.server_info = Implementation::new("example", env!("CARGO_PKG_VERSION"));
        info
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.known().listeners.push(context.sink().clone());
        context.cancelled().await;
        self.known().listeners.retain(|listener| listener.id() != context.sink().id());
        Ok(())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<Tool>, _> = self.tools().into_iter().map(serde_json::from_value).collect();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = Value::Object(request.arguments.unwrap_or_default());
        let text = given["text"].as_str().unwrap_or_default();
        let said = match &*request.name {
            "add" => {
                let number = |name: &str| given[name].as_f64().unwrap_or_default();
                (number("a") + number("b")).to_string()
            }
            "note" => {
                self.note(text).await.map_err(|error| ErrorData::internal_error(error.to_string(), None))?
            }
            "learn" => self.learn(&context).await,
            "shout" if self.known().can_shout => text.to_uppercase(),
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(said)]).into())
    }
}
