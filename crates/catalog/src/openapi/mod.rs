//! HTTP services with an OpenAPI document as sources: their operations become actions.
//!
//! Before every call the document is read again, and the call is not made if the operation is no longer the one that
//! was decided about. Calls that wait at the same time share one such request.
//!
//! INVARIANT: every failure before the call itself is sent has `sent: false`.
//! INVARIANT: a credential is sent only to an origin that an admin named: that of the base URL, or of the document.

mod document;
mod request;
mod schema;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use model::{ConnectorId, Destination, Digest, ErrorClass, OrgId, SourceSlug};
use moka::future::Cache;
use platform::egress::Response;
use serde_json::{Value, json};
use url::Url;

use crate::{
    ActionSource, Call, CallContext, Outcome, SourceError,
    connector::{Auth, Connector, Harvest, Looks, Pins, Tool},
    declared,
    limits::openapi::{IDLE, MOST_DOCUMENT, READ_TIMEOUT},
    wire::{self, Wire},
};
use document::{Document, Setting};
use request::Request;

/// The location of a service.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The URL of its document.
    pub document: Url,
    /// The URL for calls. It overrides the one in the document.
    pub base: Option<Url>,
}

/// The documents that this process has read recently. Cheap to clone.
#[derive(Clone)]
pub struct Documents {
    kept: Cache<Key, Arc<Reading>>,
}

/// The key of a document: its owner, and the settings and the credential it was read with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    org: OrgId,
    connector: ConnectorId,
    place: Place,
    header: Option<String>,
    read_with: Option<Digest>,
}

#[derive(Default)]
struct Reading {
    looks: Looks<Arc<Document>>,
    /// The result of parsing the last bytes, so that the same bytes are not parsed again.
    last: Mutex<Option<(Digest, Arc<Document>)>>,
}

impl Default for Documents {
    fn default() -> Self {
        Self { kept: Cache::builder().max_capacity(200).time_to_idle(IDLE).build() }
    }
}

/// One connected HTTP service.
pub struct OpenApiSource {
    documents: Documents,
    slug: SourceSlug,
    org: OrgId,
    connector: ConnectorId,
    place: Place,
    auth: Auth,
    pins: Pins,
}

impl OpenApiSource {
    /// A source for a service with its known operations.
    pub(crate) fn new(
        documents: Documents,
        org: OrgId,
        place: Place,
        connector: &Connector,
        tools: &[Tool],
    ) -> Self {
        Self {
            documents,
            slug: connector.slug.clone(),
            org,
            connector: connector.id,
            place,
            auth: connector.auth.clone(),
            pins: Pins::new(tools, ("operation", "document")),
        }
    }

    /// The current document. If this fails, the call itself was not made.
    async fn document(&self, ctx: &CallContext) -> Result<Arc<Document>, SourceError> {
        let credential = self.auth.credential(ctx)?;
        let key = Key {
            org: self.org,
            connector: self.connector,
            place: self.place.clone(),
            header: self.auth.header().map(ToOwned::to_owned),
            read_with: credential.map(|token| Digest::of_bytes(token.as_bytes())),
        };
        let reading = self.documents.kept.get_with(key, async { Arc::default() }).await;
        // At most half of the call's time, including the wait for other callers: a timeout here proves that the call
        // was never sent, which a timeout imposed from outside could not.
        let limit = READ_TIMEOUT.min(ctx.timeout / 2);
        let look = reading.looks.look(self.read(&reading, ctx));
        let late = || SourceError::not_sent(ErrorClass::Timeout, "reading the document timed out");
        let found = tokio::time::timeout(limit, look).await.unwrap_or_else(|_| Err(late()));
        found.map_err(SourceError::before_effect)
    }

    async fn read(&self, reading: &Reading, ctx: &CallContext) -> Result<Arc<Document>, SourceError> {
        let mut response = self.fetch(ctx, HeaderMap::new()).await?;
        // A public document needs no credential. If the calls go to another origin, the credential is not meant for the
        // host of the document.
        let is_elsewhere =
            self.place.base.as_ref().is_some_and(|base| base.origin() != self.place.document.origin());
        let is_refused = matches!(response.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        if is_refused && !is_elsewhere && self.auth != Auth::None {
            let mut headers = HeaderMap::new();
            self.authenticate(&mut headers, ctx)?;
            response = self.fetch(ctx, headers).await?;
        }
        if response.status != StatusCode::OK {
            let status = response.status.as_u16();
            let class = wire::class_of(response.status);
            return Err(SourceError::sent(
                class,
                format!("the server answered {status} to the request for the document"),
            ));
        }
        let digest = Digest::of_bytes(&response.body);
        let kept = || reading.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().as_ref().filter(|(of, _)| *of == digest) {
            return Ok(found.clone());
        }
        let setting = Setting {
            document: &self.place.document,
            base: self.place.base.as_ref(),
            header: self.auth.header(),
        };
        let found = document::read(&response.body, setting)
            .map_err(|why| SourceError::sent(ErrorClass::Permanent, why))?;
        let found = Arc::new(found);
        *kept() = Some((digest, found.clone()));
        Ok(found)
    }

    async fn fetch(&self, ctx: &CallContext, mut headers: HeaderMap) -> Result<Response, SourceError> {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let egress = ctx.egress.clone().with_body_cap(MOST_DOCUMENT);
        let ctx = CallContext { egress, timeout: READ_TIMEOUT.min(ctx.timeout), ..ctx.clone() };
        let wire = Wire::new(&ctx, &self.place.document);
        let asked = wire.send(Method::GET, self.place.document.clone(), headers, None).await;
        asked.map_err(|mut error| {
            error.message = format!("the document cannot be read: {}", error.message);
            error
        })
    }

    /// Adds the credential to the headers.
    fn authenticate(&self, headers: &mut HeaderMap, ctx: &CallContext) -> Result<(), SourceError> {
        let Some(token) = self.auth.credential(ctx)? else { return Ok(()) };
        match &self.auth {
            Auth::None => {}
            Auth::Header { header, .. } => {
                let name: HeaderName =
                    header.parse().map_err(|_| SourceError::invalid("the name of the header is invalid"))?;
                headers.insert(name, wire::secret_header(token)?);
            }
            Auth::Bearer { .. } | Auth::OAuth { .. } => {
                headers.insert(AUTHORIZATION, wire::secret_header(&format!("Bearer {token}"))?);
            }
        }
        Ok(())
    }

    /// Whether an admin named the origin to which a credential would be sent.
    fn is_named(&self, url: &Url) -> bool {
        let named = [Some(&self.place.document), self.place.base.as_ref()];
        named.into_iter().flatten().any(|named| named.origin() == url.origin())
    }

    /// The request of an operation, if it is still the one that was decided about.
    async fn request(&self, call: &Call, ctx: &CallContext) -> Result<Request, SourceError> {
        let pin = self.pins.of(&call.action)?;
        let document = self.document(ctx).await?;
        let request = pin.among(&document.offers)?.request.clone();
        request.and_then(|request| serde_json::from_value(request).ok()).ok_or_else(|| pin.changed())
    }
}

#[async_trait]
impl ActionSource for OpenApiSource {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        // The URL of each operation is part of its shape, and so of the definition.
        let named = self.place.base.as_ref().unwrap_or(&self.place.document);
        Destination { auth: Some(self.auth.to_string()), ..declared::destination("openapi", named) }
    }

    async fn harvest(&self, ctx: &CallContext) -> Result<Harvest, SourceError> {
        let document = self.document(ctx).await?;
        Ok(Harvest {
            server: document.server.clone(),
            offers: document.offers.clone(),
            unusable: document.unusable.clone(),
        })
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        // Created first, because its deadline is that of the whole call.
        let wire = Wire::new(ctx, &self.place.document);
        let request = self.request(call, ctx).await?;
        let mut built = request.build(&call.params, &ctx.key.to_string())?;
        if self.auth != Auth::None && !self.is_named(&built.url) {
            let message = "the document has its operations called at another host than its own; before a credential \
                           is sent there, an admin must set it as the connector's base address";
            return Err(SourceError::not_sent(ErrorClass::Auth, message));
        }
        self.authenticate(&mut built.headers, ctx)?;
        let response = wire.send(built.method, built.url, built.headers, built.body.as_ref()).await?;
        if !response.status.is_success() {
            let class = wire::class_of(response.status);
            return Err(wire.refused(&format!("`{}`", self.slug), &response, class));
        }
        Ok(Outcome::new(output(&response)))
    }
}

/// The response of a service. It is marked as untrusted, because anybody may have written it.
fn output(response: &Response) -> Value {
    let status = response.status.as_u16();
    let media = response.headers.get(CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let is_json = media.to_ascii_lowercase().contains("json");
    let parsed = || serde_json::from_slice(&response.body).ok().filter(|_: &Value| is_json);
    let text = || std::str::from_utf8(&response.body).ok().map(Value::from);
    if response.body.is_empty() {
        return json!({ "untrusted": true, "status": status, "body": null });
    }
    match parsed().or_else(text) {
        Some(body) => json!({ "untrusted": true, "status": status, "body": body }),
        // Agents read text. For anything else they get the media type and the size.
        None => json!({
            "untrusted": true, "status": status, "body": null,
            "media_type": media, "bytes": response.body.len(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(media: &'static str, body: &'static [u8], expected: Expect) {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media))]);
        let response = Response { status: StatusCode::CREATED, headers, body: body.into() };
        expected.assert_eq(&output(&response).to_string());
    }

    #[test]
    fn an_answer_is_json_or_text_or_described() {
        check(
            "application/problem+json",
            br#"{"a":1}"#,
            expect![[r#"{"untrusted":true,"status":201,"body":{"a":1}}"#]],
        );
        check("application/json", b"{no", expect![[r#"{"untrusted":true,"status":201,"body":"{no"}"#]]);
        check("text/plain", b"1", expect![[r#"{"untrusted":true,"status":201,"body":"1"}"#]]);
        check("text/plain", b"", expect![[r#"{"untrusted":true,"status":201,"body":null}"#]]);
        check(
            "image/png",
            b"\xff\xd8",
            expect![[r#"{"untrusted":true,"status":201,"body":null,"media_type":"image/png","bytes":2}"#]],
        );
    }
}
