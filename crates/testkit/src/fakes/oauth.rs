//! An authorization server for a [`FakeMcp`]: metadata, registration, codes with PKCE, tokens that expire and rotate.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{net::TcpListener, task::JoinHandle};

use super::mcp::FakeMcp;

/// How long an access token lasts, in seconds.
pub const TOKEN_LIFETIME: u64 = 3_600;

/// The server. It stops when dropped.
pub struct FakeOAuth {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

struct Shared {
    base: String,
    mcp: super::mcp::Guarded,
    state: Mutex<World>,
}

#[derive(Default)]
struct World {
    /// The request of each code: challenge, client, redirect URL, resource.
    codes: BTreeMap<String, [String; 4]>,
    /// The valid refresh token.
    refresh: Option<String>,
    made: u64,
    renewals: u64,
    refuses_renewals: bool,
    /// The token endpoint, if it is elsewhere.
    token_endpoint: Option<String>,
}

type Pairs = BTreeMap<String, String>;

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates new tokens; the previous ones become invalid.
    fn tokens(&self, world: &mut World) -> Value {
        world.made += 1;
        let (access, refresh) = (format!("access-{}", world.made), format!("refresh-{}", world.made));
        self.mcp.set_token(&access);
        world.refresh = Some(refresh.clone());
        json!({
            "access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": TOKEN_LIFETIME,
        })
    }
}

impl FakeOAuth {
    /// Starts a server that protects an MCP server, which from then on accepts only its tokens and names it.
    pub async fn before(mcp: &FakeMcp) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let base = format!("http://{address}");
        let guarded = mcp.guarded();
        guarded.set_token("nobody has this yet");
        guarded.set_authorization_server(&base);
        let shared = Arc::new(Shared { base, mcp: guarded, state: Mutex::default() });
        let router = Router::new()
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/register", post(register))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            // As valid as the other one: only a client that did not check the metadata sends a code here.
            .route("/elsewhere", post(token))
            .with_state(shared.clone());
        let serving = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        Ok(Self { address, shared, serving })
    }

    /// The URL of the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The number of renewals.
    pub fn renewals(&self) -> u64 {
        self.shared.world().renewals
    }

    /// Refuses all renewals from now on.
    pub fn refuse_renewals(&self) {
        self.shared.world().refuses_renewals = true;
    }

    /// Announces another token endpoint.
    pub fn take_codes_at(&self, url: &str) {
        self.shared.world().token_endpoint = Some(url.to_owned());
    }

    /// Approves the authorization at this URL and returns the redirect.
    pub async fn allow(&self, authorize_url: &str) -> anyhow::Result<String> {
        let url: url::Url = authorize_url.parse()?;
        let pairs: Pairs = url.query_pairs().into_owned().collect();
        let answer = authorize(State(self.shared.clone()), Query(pairs)).await;
        let location = answer.headers().get(LOCATION).and_then(|to| to.to_str().ok());
        location.map(ToOwned::to_owned).ok_or_else(|| anyhow::anyhow!("refused: {}", answer.status()))
    }
}

impl Drop for FakeOAuth {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn metadata(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let base = &shared.base;
    let token_endpoint = shared.world().token_endpoint.clone().unwrap_or_else(|| format!("{base}/token"));
    Json(json!({
        "issuer": base, "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": token_endpoint, "registration_endpoint": format!("{base}/register"),
        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    }))
}

async fn register(Json(request): Json<Value>) -> (StatusCode, Json<Value>) {
    let answer = json!({ "client_id": "client-1", "redirect_uris": request["redirect_uris"] });
    (StatusCode::CREATED, Json(answer))
}

async fn authorize(State(shared): State<Arc<Shared>>, Query(asked): Query<Pairs>) -> Response {
    let get = |name: &str| asked.get(name).cloned().unwrap_or_default();
    if get("response_type") != "code" || get("code_challenge_method") != "S256" || get("resource").is_empty()
    {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let mut world = shared.world();
    world.made += 1;
    let code = format!("code-{}", world.made);
    let kept = [get("code_challenge"), get("client_id"), get("redirect_uri"), get("resource")];
    world.codes.insert(code.clone(), kept);
    let back = url::Url::parse_with_params(
        &get("redirect_uri"),
        [("code", code.as_str()), ("state", &get("state")), ("iss", &shared.base)],
    );
    match back {
        Ok(back) => (StatusCode::FOUND, [(LOCATION, back.to_string())]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn token(State(shared): State<Arc<Shared>>, form: String) -> Response {
    let asked: Pairs = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let get = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let refused = || (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    let mut world = shared.world();
    let granted = match get("grant_type").as_str() {
        "authorization_code" => {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(get("code_verifier")));
            let given = [challenge, get("client_id"), get("redirect_uri"), get("resource")];
            world.codes.remove(&get("code")) == Some(given)
        }
        "refresh_token" => {
            world.renewals += 1;
            !world.refuses_renewals && world.refresh.as_ref() == Some(&get("refresh_token"))
        }
        _ => false,
    };
    if granted { Json(shared.tokens(&mut world)).into_response() } else { refused() }
}
