//! The identity provider: redirecting a person's browser to it, and checking its response.
//!
//! The authorization code flow with PKCE (`OpenID` Connect Core 3.1, RFC 9700). The gateway is a client, never a
//! provider. The state of a sign-in is kept in a cookie of the browser, so nothing is stored for people who never
//! return.

mod proof;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use http::{HeaderMap, HeaderValue, Method, header};
use jsonwebtoken::jwk::JwkSet;
use oauth2::{
    AsyncHttpClient, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, Scope, StandardRevocableToken, StandardTokenResponse, TokenResponse as _, TokenUrl,
    basic::{
        BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
    },
};
use platform::egress::{self, Egress, Request};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::Mutex;
use url::Url;

use crate::Identity;

const LONGEST: Duration = Duration::from_secs(10);
/// The provider's metadata is fetched again after this time.
const KNOWN_FOR: Duration = Duration::from_secs(60 * 60);
/// An unknown key causes the keys to be fetched again, but not more often than this.
const KEYS_AGAIN: Duration = Duration::from_secs(60);

/// The operator's settings for the provider.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Display name, for example `Acme`.
    pub name: String,
    /// The issuer, exactly as the provider writes it.
    pub issuer: String,
    pub client_id: String,
    /// The client secret; absent for a public client.
    pub client_secret: Option<SecretString>,
    /// The redirect URL.
    pub redirect: Url,
    /// Accept e-mail addresses that the provider does not mark as verified, for example of a directory that the
    /// operator runs.
    pub trust_email: bool,
}

/// Why a sign-in failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The provider is unavailable, or its response is invalid.
    #[error("the identity provider: {0}")]
    Provider(String),
    /// The sign-in was not started in this browser, or has expired.
    #[error("the sign-in was not started in this browser")]
    NotBegun,
    /// The provider or the person refused.
    #[error("the identity provider refused the sign-in")]
    Refused,
    /// The provider's response does not prove the person's identity.
    #[error("the sign-in response is invalid: {0}")]
    Proof(String),
}

/// A started sign-in.
pub struct Begun {
    /// The URL to redirect the browser to.
    pub url: Url,
    /// The content of the browser's cookie.
    pub kept: Kept,
}

/// The state of a sign-in, kept in a cookie.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    state: String,
    nonce: String,
    verifier: String,
    /// The page to show afterwards.
    pub to: String,
}

/// The parameters of the provider's redirect.
#[derive(Debug, Clone)]
pub struct CameBack {
    pub code: String,
    pub state: String,
    pub iss: Option<String>,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
}

struct Known {
    metadata: Metadata,
    keys: JwkSet,
    at: Instant,
}

/// The provider. Cheap to clone.
#[derive(Clone)]
pub struct Provider {
    settings: Arc<Settings>,
    egress: Egress,
    known: Arc<Mutex<Option<Arc<Known>>>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct WithIdToken {
    id_token: Option<String>,
}

impl ExtraTokenFields for WithIdToken {}

type Tokens = StandardTokenResponse<WithIdToken, BasicTokenType>;
type CodeClient = Client<
    BasicErrorResponse,
    Tokens,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

impl Provider {
    /// Creates a provider over an HTTP client. Nothing is fetched yet.
    pub fn new(settings: Settings, egress: Egress) -> Self {
        Self { settings: Arc::new(settings), egress, known: Arc::default() }
    }

    /// The display name.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// Starts a sign-in that continues at `to`.
    pub async fn begin(&self, to: String) -> Result<Begun, Error> {
        let known = self.known(KNOWN_FOR).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let nonce = CsrfToken::new_random();
        let (url, state) = self
            .client(&known.metadata)
            .authorize_url(CsrfToken::new_random)
            .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .add_extra_param("nonce", nonce.secret())
            .set_pkce_challenge(challenge)
            .url();
        let kept = Kept {
            state: state.into_secret(),
            nonce: nonce.into_secret(),
            verifier: verifier.into_secret(),
            to,
        };
        Ok(Begun { url, kept })
    }

    /// Finishes a sign-in and returns the identity.
    pub async fn finish(&self, kept: Kept, came_back: CameBack) -> Result<Identity, Error> {
        if came_back.state.is_empty() || came_back.state != kept.state {
            return Err(Error::NotBegun);
        }
        // The response may come from another provider (mix-up attack, RFC 9207).
        if came_back.iss.is_some_and(|iss| iss != self.settings.issuer) {
            return Err(Error::Proof("it came from another issuer".to_owned()));
        }
        if came_back.error.is_some() || came_back.code.is_empty() {
            return Err(Error::Refused);
        }
        let mut known = self.known(KNOWN_FOR).await?;
        let tokens = self.exchange(&known.metadata, came_back.code, kept.verifier).await?;
        let id_token = tokens.extra_fields().id_token.as_deref();
        let id_token = id_token.ok_or_else(|| Error::Proof("there is no id_token".to_owned()))?;
        if !proof::names_key(&known.keys, id_token)? {
            known = self.known(KEYS_AGAIN).await?;
        }
        let claims = proof::verify(&known.keys, id_token, &self.settings, &kept.nonce)?;
        let claims = match (&claims.email, &known.metadata.userinfo_endpoint) {
            (None, Some(endpoint)) => {
                let told = self.userinfo(endpoint.clone(), tokens.access_token().secret()).await?;
                claims.with_userinfo(told)?
            }
            _ => claims,
        };
        Ok(claims.into_identity(&self.settings))
    }

    fn client(&self, metadata: &Metadata) -> CodeClient {
        let Settings { client_id, client_secret, redirect, .. } = &*self.settings;
        let client = Client::new(ClientId::new(client_id.clone()))
            .set_auth_uri(AuthUrl::from_url(metadata.authorization_endpoint.clone()))
            .set_token_uri(TokenUrl::from_url(metadata.token_endpoint.clone()))
            .set_redirect_uri(RedirectUrl::from_url(redirect.clone()));
        match client_secret {
            Some(secret) => client.set_client_secret(ClientSecret::new(secret.expose_secret().to_owned())),
            None => client,
        }
    }

    async fn exchange(&self, metadata: &Metadata, code: String, verifier: String) -> Result<Tokens, Error> {
        let client = self.client(metadata);
        let exchange = client
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier));
        // The provider's message could contain what was sent, so it is not passed on.
        exchange.request_async(&Courier(&self.egress)).await.map_err(|error| match error {
            oauth2::RequestTokenError::ServerResponse(_) => Error::Refused,
            oauth2::RequestTokenError::Request(error) => Error::Provider(error.to_string()),
            _ => Error::Provider("the token response is invalid".to_owned()),
        })
    }

    async fn userinfo(&self, endpoint: Url, access_token: &str) -> Result<proof::Claims, Error> {
        let mut bearer = HeaderValue::try_from(format!("Bearer {access_token}"))
            .map_err(|_| Error::Proof("the access token is invalid".to_owned()))?;
        bearer.set_sensitive(true);
        self.get(endpoint, HeaderMap::from_iter([(header::AUTHORIZATION, bearer)])).await
    }

    /// The provider's metadata and keys, not older than `age`.
    async fn known(&self, age: Duration) -> Result<Arc<Known>, Error> {
        let mut kept = self.known.lock().await;
        if let Some(known) = kept.as_ref().filter(|known| known.at.elapsed() < age) {
            return Ok(known.clone());
        }
        let issuer = self.settings.issuer.trim_end_matches('/');
        let address = format!("{issuer}/.well-known/openid-configuration");
        let address = address.parse().map_err(|_| Error::Provider("the issuer is not a URL".to_owned()))?;
        let metadata: Metadata = self.get(address, HeaderMap::new()).await?;
        if metadata.issuer != self.settings.issuer {
            return Err(Error::Provider(format!(
                "its issuer is {}, which differs from COUNTERSIGN_OIDC_ISSUER",
                metadata.issuer
            )));
        }
        let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.jwks_uri];
        if let Some(open) = endpoints.into_iter().chain(&metadata.userinfo_endpoint).find(|url| !is_safe(url))
        {
            return Err(Error::Provider(format!("{} is not https", open.host_str().unwrap_or("an address"))));
        }
        let keys = self.get(metadata.jwks_uri.clone(), HeaderMap::new()).await?;
        let known = Arc::new(Known { metadata, keys, at: Instant::now() });
        *kept = Some(known.clone());
        Ok(known)
    }

    async fn get<T: DeserializeOwned>(&self, url: Url, headers: HeaderMap) -> Result<T, Error> {
        let request = Request { method: Method::GET, url, headers, body: None, timeout: LONGEST };
        let answer = self.egress.send(request).await.map_err(|error| Error::Provider(error.to_string()))?;
        if !answer.status.is_success() {
            return Err(Error::Provider(format!("it answered {}", answer.status.as_u16())));
        }
        serde_json::from_slice(&answer.body)
            .map_err(|_| Error::Provider("its response is invalid".to_owned()))
    }
}

/// Whether a URL is safe from eavesdropping: https, or this machine.
pub fn is_safe(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

/// Sends the library's requests through the guarded HTTP client.
struct Courier<'a>(&'a Egress);

impl<'c> AsyncHttpClient<'c> for Courier<'_> {
    type Error = egress::Error;
    type Future = futures::future::BoxFuture<'c, Result<HttpResponse, egress::Error>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let url = head.uri.to_string().parse::<Url>();
            let url = url.map_err(|_| egress::Error::Refused { reason: "it is not a URL".to_owned() })?;
            let request = Request {
                method: head.method,
                url,
                headers: head.headers,
                body: Some(body.into()),
                timeout: LONGEST,
            };
            let answer = self.0.send(request).await?;
            let mut response = HttpResponse::new(answer.body.to_vec());
            *response.status_mut() = answer.status;
            *response.headers_mut() = answer.headers;
            Ok(response)
        })
    }
}
