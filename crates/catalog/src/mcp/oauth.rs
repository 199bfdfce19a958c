//! OAuth tokens for a server, from the authorization server that it names: a person is sent there and returns with a
//! code, which is exchanged for tokens; these are renewed when they expire.
//!
//! Discovery, registration, PKCE, the resource and the exchange are implemented by rmcp. This module ensures that every
//! request passes the guard, and that what was started with one authorization server is never finished or renewed with
//! another one, because a server may name a different one in between.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use model::ErrorClass;
use platform::egress::{Egress, Request};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, AuthorizationRequest, AuthorizationSession,
    CredentialStore, OAuthClientConfig, OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest, StateStore,
    StoredAuthorizationState, StoredCredentials,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use url::Url;

use crate::{
    SourceError,
    limits::oauth::{LONGEST, MARGIN, MOST_BYTES},
};

/// The name that an authorization server shows to the person.
const CLIENT_NAME: &str = "Countersign";

/// A started authorization: the URL for the person, and the data that is kept until they return.
pub struct Begun {
    pub url: String,
    /// The redirect returns it with the person.
    pub state: SecretString,
    /// The data that [`finish`] needs; to be stored encrypted.
    pub kept: SecretString,
}

/// The parameters of the redirect with which the person returned.
pub struct CameBack<'a> {
    pub state: &'a str,
    pub code: &'a str,
    /// The issuer of the code, if the authorization server reports it.
    pub issuer: Option<&'a str>,
}

/// An authorization server, and our client registration there.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Party {
    issuer: Option<String>,
    token_endpoint: String,
    client_id: String,
    client_secret: Option<String>,
    redirect_uri: String,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    party: Party,
    state: StoredAuthorizationState,
}

/// Tokens as they are stored, encrypted, as the connector's secret.
#[derive(Serialize, Deserialize)]
pub struct TokenSet {
    party: Party,
    credentials: StoredCredentials,
    access_token: String,
    /// When the access token expires, in seconds since the Unix epoch; `None` if the server did not say.
    expires_at: Option<i64>,
}

impl TokenSet {
    /// Parses what [`finish`] and [`renew`] returned; `None` for anything else, such as a token that was entered by
    /// hand.
    pub fn parse(text: &SecretString) -> Option<Self> {
        serde_json::from_str(text.expose_secret()).ok()
    }

    /// The token for calls.
    pub fn access_token(&self) -> SecretString {
        SecretString::from(self.access_token.clone())
    }

    /// Whether the token is valid for long enough to be used.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now + MARGIN < Timestamp::from_second(end).unwrap_or(Timestamp::MAX))
    }

    fn of(party: Party, credentials: StoredCredentials, now: Timestamp) -> Result<SecretString, SourceError> {
        // Through JSON, because the types of the token belong to a library that we do not name.
        let answer = serde_json::to_value(&credentials.token_response).unwrap_or_default();
        let access_token =
            answer["access_token"].as_str().ok_or_else(|| refused("it gave no token"))?.to_owned();
        let lifetime = answer["expires_in"].as_i64();
        let expires_at = lifetime.map(|seconds| now.as_second().saturating_add(seconds));
        let set = Self { party, credentials, access_token, expires_at };
        let text = serde_json::to_string(&set).map_err(|_| refused("its tokens cannot be kept"))?;
        Ok(SecretString::from(text))
    }
}

/// Finds the authorization server of a server, registers a client there, and returns the URL for the person.
pub async fn begin(egress: &Egress, server: &Url, redirect_uri: &str) -> Result<Begun, SourceError> {
    let (mut manager, metadata) = manager(egress, server).await?;
    let states = Arc::new(One::<StoredAuthorizationState>::default());
    manager.set_state_store(Shared(states.clone()));
    let party = |client_id: String, client_secret| Party {
        issuer: metadata.issuer.clone(),
        token_endpoint: metadata.token_endpoint.clone(),
        client_id,
        client_secret,
        redirect_uri: redirect_uri.to_owned(),
    };
    let scopes = manager.select_initial_scopes(&[]).await;
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let client =
        manager.register_client(CLIENT_NAME, redirect_uri, &scopes).await.map_err(|error| failed(&error))?;
    let request = AuthorizationRequest::new(redirect_uri).with_scopes(scopes.iter().copied());
    let request = request.with_preregistered_client(&client.client_id);
    let request = match &client.client_secret {
        Some(secret) => request.with_client_secret(secret),
        None => request,
    };
    let session = AuthorizationSession::new(manager, request).await.map_err(|(_, error)| failed(&error))?;
    let state =
        states.0.lock().await.take().ok_or_else(|| refused("the authorization could not be started"))?;
    let token = SecretString::from(state.csrf_token.clone());
    let kept = Kept { party: party(client.client_id, client.client_secret), state };
    let kept = serde_json::to_string(&kept).map_err(|_| refused("the authorization could not be started"))?;
    Ok(Begun { url: session.auth_url, state: token, kept: SecretString::from(kept) })
}

/// Exchanges the code that the person returned with for tokens. Returns the token set, to be stored as a secret.
pub async fn finish(
    egress: &Egress,
    server: &Url,
    kept: &SecretString,
    came_back: &CameBack<'_>,
    now: Timestamp,
) -> Result<SecretString, SourceError> {
    let Kept { party, state } = serde_json::from_str(kept.expose_secret())
        .map_err(|_| refused("the stored authorization cannot be read"))?;
    let mut manager = same_party(egress, server, &party).await?;
    manager.set_state_store(Shared(Arc::new(One(Mutex::new(Some(state))))));
    let credentials = Arc::new(One::<StoredCredentials>::default());
    manager.set_credential_store(Shared(credentials.clone()));
    let CameBack { state, code, issuer } = came_back;
    manager
        .exchange_code_for_token_with_issuer(code, state, *issuer)
        .await
        .map_err(|error| failed(&error))?;
    let credentials = credentials.0.lock().await.take().ok_or_else(|| refused("it gave no token"))?;
    TokenSet::of(party, credentials, now)
}

/// Renews expired tokens. Returns the token set that replaces them.
pub async fn renew(
    egress: &Egress,
    server: &Url,
    set: TokenSet,
    now: Timestamp,
) -> Result<SecretString, SourceError> {
    let mut manager = same_party(egress, server, &set.party).await?;
    let credentials = Arc::new(One(Mutex::new(Some(set.credentials))));
    manager.set_credential_store(Shared(credentials.clone()));
    manager.refresh_token().await.map_err(|error| failed(&error))?;
    let credentials = credentials.0.lock().await.take().ok_or_else(|| refused("it gave no token"))?;
    TokenSet::of(set.party, credentials, now)
}

async fn manager(
    egress: &Egress,
    server: &Url,
) -> Result<(AuthorizationManager, AuthorizationMetadata), SourceError> {
    let http = Arc::new(GuardedOAuth(egress.clone().confidential().with_body_cap(MOST_BYTES)));
    let made = AuthorizationManager::new_with_oauth_http_client(server.as_str(), http).await;
    let mut manager = made.map_err(|error| failed(&error))?;
    let found = manager.resolve_metadata().await.map_err(|error| failed(&error))?;
    if !found.source.is_discovered() {
        return Err(refused("the server names no authorization server"));
    }
    manager.set_metadata(found.metadata.clone());
    Ok((manager, found.metadata))
}

/// A manager for the same authorization server as before, as the same client: a code or a token is sent to no other.
async fn same_party(
    egress: &Egress,
    server: &Url,
    party: &Party,
) -> Result<AuthorizationManager, SourceError> {
    let (mut manager, metadata) = manager(egress, server).await?;
    if metadata.issuer != party.issuer || metadata.token_endpoint != party.token_endpoint {
        return Err(refused(
            "the server names a different authorization server; authorize the connector again",
        ));
    }
    let mut config = OAuthClientConfig::new(&party.client_id, &party.redirect_uri);
    if let Some(secret) = &party.client_secret {
        config = config.with_client_secret(secret);
    }
    manager.configure_client(config).map_err(|error| failed(&error))?;
    Ok(manager)
}

/// The error for a failed authorization, without the other side's own message.
fn failed(error: &AuthError) -> SourceError {
    let (class, message) = match error {
        AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_) => (
            ErrorClass::Auth,
            "the authorization has expired; ask an admin to authorize this connector again",
        ),
        AuthError::TokenRefreshFailed(_) => {
            (ErrorClass::Auth, "the token expired and could not be renewed; the next call tries again")
        }
        AuthError::TokenExchangeFailed(_) => (ErrorClass::Auth, "the authorization server refused the code"),
        AuthError::RegistrationFailed(_) => {
            (ErrorClass::Auth, "the authorization server does not support dynamic client registration")
        }
        AuthError::PkceUnsupported => {
            (ErrorClass::Auth, "the authorization server does not support PKCE with S256")
        }
        AuthError::AuthorizationServerMismatch { .. } => {
            (ErrorClass::Auth, "the response came from another authorization server")
        }
        _ => (ErrorClass::Auth, "the authorization server is unreachable or its response is invalid"),
    };
    SourceError::not_sent(class, message)
}

fn refused(message: &str) -> SourceError {
    SourceError::not_sent(ErrorClass::Auth, message)
}

/// The guarded HTTP client with the interface that rmcp's authorization requires.
struct GuardedOAuth(Egress);

impl OAuthHttpClient for GuardedOAuth {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let (head, body) = request.request.into_parts();
            // Only reads follow redirects here, whatever the request asks for: a body may contain a code or a token.
            let request = Request {
                method: head.method,
                url: head.uri.to_string().parse::<Url>()?,
                headers: head.headers,
                body: (!body.is_empty()).then(|| body.into()),
                timeout: LONGEST,
            };
            let answer = self.0.send(request).await?;
            let mut response = http::Response::new(answer.body.to_vec());
            *response.status_mut() = answer.status;
            *response.headers_mut() = answer.headers;
            Ok(response)
        })
    }
}

/// Storage for one value, which rmcp writes or deletes.
struct One<T>(Mutex<Option<T>>);

impl<T> Default for One<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

struct Shared<T>(Arc<One<T>>);

#[async_trait]
impl StateStore for Shared<StoredAuthorizationState> {
    async fn save(&self, _: &str, state: StoredAuthorizationState) -> Result<(), AuthError> {
        *self.0.0.lock().await = Some(state);
        Ok(())
    }

    async fn load(&self, csrf_token: &str) -> Result<Option<StoredAuthorizationState>, AuthError> {
        Ok(self.0.0.lock().await.clone().filter(|state| state.csrf_token == csrf_token))
    }

    async fn delete(&self, _: &str) -> Result<(), AuthError> {
        *self.0.0.lock().await = None;
        Ok(())
    }
}

#[async_trait]
impl CredentialStore for Shared<StoredCredentials> {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.0.0.lock().await.clone())
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        *self.0.0.lock().await = Some(credentials);
        Ok(())
    }

    async fn clear(&self) -> Result<(), AuthError> {
        *self.0.0.lock().await = None;
        Ok(())
    }
}
