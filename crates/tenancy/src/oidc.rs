//! The identity provider: where a person's browser is sent to prove who they are, and what it says when they are back.
//!
//! The code flow with PKCE (`OpenID` Connect Core 3.1, RFC 9700). We are its client and never a provider ourselves. What a
//! browser must bring back is kept in a cookie of that same browser, so nothing is stored for somebody who never returns.

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
/// What a provider says about itself is asked for again after this.
const KNOWN_FOR: Duration = Duration::from_secs(60 * 60);
/// A key that nobody knows makes us ask for the keys again, but no more often than this.
const KEYS_AGAIN: Duration = Duration::from_secs(60);

/// What the operator says about the provider.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What people know it as: `Acme`.
    pub name: String,
    /// Exactly as the provider writes it.
    pub issuer: String,
    pub client_id: String,
    /// Absent for a public client.
    pub client_secret: Option<SecretString>,
    /// Where browsers come back to.
    pub redirect: Url,
    /// Take addresses for verified although the provider does not say so, as for a directory the operator runs.
    pub trust_email: bool,
}

/// Why somebody was not signed in.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The provider does not answer, or not as one does.
    #[error("the identity provider: {0}")]
    Provider(String),
    /// What came back was not begun in this browser, or too long ago.
    #[error("what came back was not begun in this browser")]
    NotBegun,
    /// The provider, or the person there, said no.
    #[error("the identity provider said no")]
    Refused,
    /// What the provider gave does not prove who somebody is.
    #[error("the proof is not valid: {0}")]
    Proof(String),
}

/// A sign-in that was begun.
pub struct Begun {
    /// Where the person goes.
    pub url: Url,
    /// What their browser keeps until they are back.
    pub kept: Kept,
}

/// What a browser keeps while its person is away.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    state: String,
    nonce: String,
    verifier: String,
    /// The page to go on with.
    pub to: String,
}

/// What came back with the person.
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
    /// Over a client that may reach it. Nothing is asked yet.
    pub fn new(settings: Settings, egress: Egress) -> Self {
        Self { settings: Arc::new(settings), egress, known: Arc::default() }
    }

    /// What people know it as.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// Begins a sign-in that goes on at `to`.
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

    /// Finishes a sign-in: who the provider says it is.
    pub async fn finish(&self, kept: Kept, came_back: CameBack) -> Result<Identity, Error> {
        if came_back.state.is_empty() || came_back.state != kept.state {
            return Err(Error::NotBegun);
        }
        // Another provider's answer, slipped in for this one's (RFC 9207).
        if came_back.iss.is_some_and(|iss| iss != self.settings.issuer) {
            return Err(Error::Proof("it comes from another issuer".to_owned()));
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
        // Its own words could repeat what was sent, so they are not told.
        exchange.request_async(&Courier(&self.egress)).await.map_err(|error| match error {
            oauth2::RequestTokenError::ServerResponse(_) => Error::Refused,
            oauth2::RequestTokenError::Request(error) => Error::Provider(error.to_string()),
            _ => Error::Provider("its answer to the code was not understood".to_owned()),
        })
    }

    async fn userinfo(&self, endpoint: Url, access_token: &str) -> Result<proof::Claims, Error> {
        let mut bearer = HeaderValue::try_from(format!("Bearer {access_token}"))
            .map_err(|_| Error::Proof("its token is not one".to_owned()))?;
        bearer.set_sensitive(true);
        self.get(endpoint, HeaderMap::from_iter([(header::AUTHORIZATION, bearer)])).await
    }

    /// What the provider says about itself, no older than that.
    async fn known(&self, age: Duration) -> Result<Arc<Known>, Error> {
        let mut kept = self.known.lock().await;
        if let Some(known) = kept.as_ref().filter(|known| known.at.elapsed() < age) {
            return Ok(known.clone());
        }
        let issuer = self.settings.issuer.trim_end_matches('/');
        let address = format!("{issuer}/.well-known/openid-configuration");
        let address = address.parse().map_err(|_| Error::Provider("its issuer is no address".to_owned()))?;
        let metadata: Metadata = self.get(address, HeaderMap::new()).await?;
        if metadata.issuer != self.settings.issuer {
            return Err(Error::Provider(format!(
                "it calls itself {}, which COUNTERSIGN_OIDC_ISSUER does not",
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
            .map_err(|_| Error::Provider("its answer was not understood".to_owned()))
    }
}

/// Whether nothing can be overheard on the way: https, or this very machine.
pub fn is_safe(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

/// Carries the library's request through our client.
struct Courier<'a>(&'a Egress);

impl<'c> AsyncHttpClient<'c> for Courier<'_> {
    type Error = egress::Error;
    type Future = futures::future::BoxFuture<'c, Result<HttpResponse, egress::Error>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let url = head.uri.to_string().parse::<Url>();
            let url = url.map_err(|_| egress::Error::Refused { reason: "it is no address".to_owned() })?;
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
