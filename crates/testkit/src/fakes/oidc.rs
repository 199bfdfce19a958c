//! An identity provider: metadata, keys, codes with PKCE, ID tokens, and every way to forge one.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ed25519_dalek::{Signer as _, SigningKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tenancy::oidc::Settings;
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

const CLIENT: &str = "countersign";
const SECRET: &str = "a-client-secret-of-the-provider";

/// What is wrong with the ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lie {
    Unsigned,
    /// Signed with a shared secret, which is the public key.
    SignedWithPublicKey,
    SignedByAnotherKey,
    ForAnotherClient,
    ForSeveralClients,
    GivenToAnotherClient,
    ByAnotherIssuer,
    Over,
    NotYet,
    OfAnotherSignIn,
    WithoutNonce,
    Missing,
    AboutNobody,
    UserinfoOfSomebodyElse,
}

impl Lie {
    /// All variants.
    pub const ALL: [Self; 14] = [
        Self::Unsigned,
        Self::SignedWithPublicKey,
        Self::SignedByAnotherKey,
        Self::ForAnotherClient,
        Self::ForSeveralClients,
        Self::GivenToAnotherClient,
        Self::ByAnotherIssuer,
        Self::Over,
        Self::NotYet,
        Self::OfAnotherSignIn,
        Self::WithoutNonce,
        Self::Missing,
        Self::AboutNobody,
        Self::UserinfoOfSomebodyElse,
    ];
}

/// A person known to the provider.
#[derive(Debug, Clone)]
pub struct Known {
    pub subject: String,
    pub email: String,
    pub verified: bool,
}

/// The provider. It stops when dropped.
pub struct FakeOidc {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

struct Shared {
    issuer: String,
    state: Mutex<World>,
}

struct World {
    /// The request of each code: challenge, nonce, redirect URL, and the person who approved.
    codes: BTreeMap<String, ([String; 3], Known)>,
    /// The person of each access token.
    tokens: BTreeMap<String, Known>,
    key: SigningKey,
    key_number: u8,
    lie: Option<Lie>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeOidc {
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let world = World {
            codes: BTreeMap::new(),
            tokens: BTreeMap::new(),
            key: SigningKey::from_bytes(&[1; 32]),
            key_number: 1,
            lie: None,
        };
        let shared = Arc::new(Shared { issuer: format!("http://{address}"), state: Mutex::new(world) });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(shared.clone());
        let serving = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, shared, serving })
    }

    /// The gateway's settings for this provider.
    pub fn settings(&self, redirect: Url) -> Settings {
        Settings {
            name: "Fake".to_owned(),
            issuer: format!("http://{}", self.address),
            client_id: CLIENT.to_owned(),
            client_secret: Some(SECRET.to_owned().into()),
            redirect,
            trust_email: false,
        }
    }

    /// Sets what is wrong with ID tokens from now on, if anything.
    pub fn lie(&self, lie: Option<Lie>) {
        self.shared.world().lie = lie;
    }

    /// Signs with another key from now on.
    pub fn rotate(&self) {
        let mut world = self.shared.world();
        world.key_number += 1;
        world.key = SigningKey::from_bytes(&[world.key_number; 32]);
    }

    /// Approves the sign-in at this URL and returns the query of the redirect.
    pub fn say_yes(&self, sent_to: &Url, known: Known) -> anyhow::Result<String> {
        let asked: BTreeMap<_, _> = sent_to.query_pairs().into_owned().collect();
        let of =
            |name: &str| asked.get(name).cloned().ok_or_else(|| anyhow::anyhow!("no {name} in {sent_to}"));
        anyhow::ensure!(of("client_id")? == CLIENT && of("response_type")? == "code", "{sent_to}");
        anyhow::ensure!(
            of("code_challenge_method")? == "S256" && of("scope")?.contains("openid"),
            "{sent_to}"
        );
        let wanted = [of("code_challenge")?, of("nonce")?, of("redirect_uri")?];
        let mut world = self.shared.world();
        let code = format!("code-{}", world.codes.len());
        world.codes.insert(code.clone(), (wanted, known));
        Ok(format!("code={code}&state={}", of("state")?))
    }
}

impl Drop for FakeOidc {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn metadata(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let issuer = &shared.issuer;
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
    }))
}

async fn keys(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let world = shared.world();
    let public = URL_SAFE_NO_PAD.encode(world.key.verifying_key().as_bytes());
    let kid = format!("key-{}", world.key_number);
    Json(
        json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": public, "kid": kid, "use": "sig", "alg": "EdDSA" }] }),
    )
}

async fn token(State(shared): State<Arc<Shared>>, headers: HeaderMap, form: String) -> Response {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let refuse = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{SECRET}")));
    if headers.get("authorization").is_none_or(|sent| sent != basic.as_str()) {
        return refuse("invalid_client");
    }
    let of = |name: &str| form.get(name).cloned().unwrap_or_default();
    let mut world = shared.world();
    // A code is valid once.
    let Some(([challenge, nonce, redirect], known)) = world.codes.remove(&of("code")) else {
        return refuse("invalid_grant");
    };
    let answered = URL_SAFE_NO_PAD.encode(Sha256::digest(of("code_verifier").as_bytes()));
    if answered != challenge || of("redirect_uri") != redirect || of("grant_type") != "authorization_code" {
        return refuse("invalid_grant");
    }
    let access = format!("access-{}", world.tokens.len());
    world.tokens.insert(access.clone(), known.clone());
    let mut answer = json!({ "access_token": access, "token_type": "Bearer", "expires_in": 60 });
    if world.lie != Some(Lie::Missing) {
        answer["id_token"] = prove(&world, &shared.issuer, &known, &nonce).into();
    }
    Json(answer).into_response()
}

async fn userinfo(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let world = shared.world();
    let sent = headers.get("authorization").and_then(|sent| sent.to_str().ok()).unwrap_or_default();
    let Some(known) = sent.strip_prefix("Bearer ").and_then(|token| world.tokens.get(token)) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let subject =
        if world.lie == Some(Lie::UserinfoOfSomebodyElse) { "somebody-else" } else { &known.subject };
    Json(json!({ "sub": subject, "email": known.email, "email_verified": known.verified })).into_response()
}

/// The ID token, with its defect.
fn prove(world: &World, issuer: &str, known: &Known, nonce: &str) -> String {
    let lie = world.lie;
    let is = |one: Lie| lie == Some(one);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let mut claims = json!({
        "iss": if is(Lie::ByAnotherIssuer) { "https://evil.example" } else { issuer },
        "sub": if is(Lie::AboutNobody) { "" } else { &known.subject },
        "aud": if is(Lie::ForAnotherClient) { "another" } else { CLIENT },
        "iat": now,
        "exp": if is(Lie::Over) { now - 120 } else { now + 300 },
        "nonce": if is(Lie::OfAnotherSignIn) { "another" } else { nonce },
    });
    if is(Lie::ForSeveralClients) {
        claims["aud"] = json!([CLIENT, "another"]);
    }
    if is(Lie::GivenToAnotherClient) {
        claims["azp"] = json!("another");
    }
    if is(Lie::NotYet) {
        claims["nbf"] = json!(now + 600);
    }
    if is(Lie::WithoutNonce) {
        claims.as_object_mut().map(|claims| claims.remove("nonce"));
    }
    let algorithm = match lie {
        Some(Lie::Unsigned) => "none",
        Some(Lie::SignedWithPublicKey) => "HS256",
        _ => "EdDSA",
    };
    let header = json!({ "alg": algorithm, "typ": "JWT", "kid": format!("key-{}", world.key_number) });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = match lie {
        Some(Lie::Unsigned) => Vec::new(),
        Some(Lie::SignedWithPublicKey) => {
            let mut mac = Hmac::<Sha256>::new_from_slice(world.key.verifying_key().as_bytes())
                .unwrap_or_else(|_| unreachable!("any length will do"));
            mac.update(signed.as_bytes());
            mac.finalize().into_bytes().to_vec()
        }
        Some(Lie::SignedByAnotherKey) => {
            SigningKey::from_bytes(&[99; 32]).sign(signed.as_bytes()).to_bytes().to_vec()
        }
        _ => world.key.sign(signed.as_bytes()).to_bytes().to_vec(),
    };
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}
