//! The HTTP client for the gateway: one request, one response or one error.

use std::time::Duration;

use api::{MeView, Plain, Problem};
use model::SessionId;
use reqwest::{
    Method, Url,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::error::Error;

const TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Many times the size of a page of a hundred invocations with their results.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// The longest line of a streamed response. Its last line holds the whole result.
const MAX_LINE_BYTES: usize = 16 << 20;
/// Longer than any request without a stream, so that only a stream that has stopped reaches it.
const MAX_SILENCE: Duration = Duration::from_secs(300);
/// The longest a streamed response may take.
const STREAM_TIMEOUT: Duration = Duration::from_secs(3_600);

/// Longer than other requests, because the gateway gives a target up to a minute.
pub(crate) const INVOKE_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    http: reqwest::Client,
    base: Url,
    token: Option<Plain>,
    reason: Option<HeaderValue>,
}

/// A request that is being built.
pub(crate) struct Call<'a> {
    client: &'a Client,
    method: Method,
    url: Url,
    body: Option<Vec<u8>>,
    key: Option<String>,
    timeout: Duration,
}

/// A successful response, unparsed.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(&self.text)
            .map_err(|error| Error::InvalidResponse { status: self.status, detail: error.to_string() })
    }
}

impl Client {
    pub(crate) fn new(url: &str, token: Option<Plain>) -> Result<Self, Error> {
        // The HTTP stack looks for a process-wide provider. An error only says that there already is one.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        #[expect(
            clippy::disallowed_methods,
            reason = "the client talks to the one gateway its user named, which may well be on loopback"
        )]
        let http = reqwest::Client::builder()
            // A proxy would see the token if the gateway is reached without TLS.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(MAX_SILENCE)
            .user_agent(concat!("countersign-cli/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::Setup)?;
        Ok(Self { http, base: base(url)?, token, reason: None })
    }

    /// The same client, which gives a reason for the changes it makes.
    pub(crate) fn giving(self, reason: Option<&str>) -> Result<Self, Error> {
        let header = |reason: &str| HeaderValue::from_bytes(reason.as_bytes());
        let reason = reason.map(header).transpose();
        let reason = reason.map_err(|_| Error::usage("--why must be one line of text"))?;
        Ok(Self { reason, ..self })
    }

    /// Base URL of the gateway.
    pub(crate) fn address(&self) -> String {
        self.base.to_string()
    }

    /// Whether the token would cross a network without encryption.
    pub(crate) fn exposes_token(&self) -> bool {
        let here = match self.base.host_str() {
            Some("localhost") => true,
            Some(host) => {
                let host = host.trim_start_matches('[').trim_end_matches(']');
                host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
            }
            None => false,
        };
        self.token.is_some() && self.base.scheme() == "http" && !here
    }

    pub(crate) fn get(&self, path: &[&str]) -> Result<Call<'_>, Error> {
        self.call(Method::GET, path)
    }

    /// A request without a body.
    pub(crate) fn post(&self, path: &[&str]) -> Result<Call<'_>, Error> {
        self.call(Method::POST, path)
    }

    pub(crate) fn delete(&self, path: &[&str]) -> Result<Call<'_>, Error> {
        self.call(Method::DELETE, path)
    }

    /// A request with a body.
    pub(crate) fn send_body(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<Call<'_>, Error> {
        let body = serde_json::to_vec(body).map_err(|error| Error::usage(error.to_string()))?;
        Ok(Call { body: Some(body), ..self.call(method, path)? })
    }

    /// The named session, or the session of the token.
    pub(crate) async fn session(&self, named: Option<SessionId>) -> Result<String, Error> {
        if let Some(session) = named {
            return Ok(session.to_string());
        }
        let me: MeView = self.get(&["v1", "me"])?.send().await?.parse()?;
        me.session.map(|session| session.to_string()).ok_or_else(|| {
            Error::usage(
                "no session given, and the token belongs to a person. Name a session with --session (`countersign sessions list`)",
            )
        })
    }

    fn call(&self, method: Method, path: &[&str]) -> Result<Call<'_>, Error> {
        // Such a segment would be removed, and the request would go to the collection instead of one item.
        if let Some(bad) = path.iter().find(|segment| matches!(**segment, "" | "." | "..")) {
            return Err(Error::usage(format!("`{bad}` is not a valid name")));
        }
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| {
                Error::usage("the URL of the gateway cannot have a path. Set --url or COUNTERSIGN_URL")
            })?
            .pop_if_empty()
            .extend(path);
        Ok(Call { client: self, method, url, body: None, key: None, timeout: TIMEOUT })
    }
}

impl Call<'_> {
    pub(crate) fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// The idempotency key.
    pub(crate) fn key(mut self, key: Option<&str>) -> Self {
        self.key = key.map(str::to_owned);
        self
    }

    pub(crate) fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sends the request. Every status but 2xx is an error.
    pub(crate) async fn send(self) -> Result<Answer, Error> {
        let (status, body) = self.send_for_bytes().await?;
        let text = String::from_utf8(body)
            .map_err(|_| Error::InvalidResponse { status, detail: "the response is not UTF-8".to_owned() })?;
        Ok(Answer { status, text })
    }

    /// As [`Self::send`], for a response that is not text.
    pub(crate) async fn send_for_bytes(self) -> Result<(u16, Vec<u8>), Error> {
        read(self.open().await?).await
    }

    /// As [`Self::send`], for a response whose lines are read while the gateway still works on it.
    pub(crate) async fn send_for_lines(
        self,
        mut on_line: impl FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut response = self.timeout(STREAM_TIMEOUT).open().await?;
        let status = response.status();
        if !status.is_success() || proposed(&response).is_some() {
            return read(response).await.map(drop);
        }
        let mut lines = Lines { status: status.as_u16(), line: Vec::new() };
        while let Some(chunk) = response.chunk().await.map_err(|error| Error::Lost(error.without_url()))? {
            lines.push(&chunk, &mut on_line)?;
        }
        // The last line may lack its end.
        lines.push(b"\n", &mut on_line)
    }

    async fn open(self) -> Result<reqwest::Response, Error> {
        let (client, origin) = (self.client, self.client.base.to_string());
        let mut request = client.http.request(self.method, self.url).timeout(self.timeout);
        if let Some(token) = &client.token {
            request = request.header(AUTHORIZATION, bearer(token)?);
        }
        if let Some(key) = self.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(reason) = &client.reason {
            request = request.header("countersign-reason", reason);
        }
        if let Some(body) = self.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        request.send().await.map_err(|source| {
            if source.is_connect() {
                // The message already names the URL of the gateway; the library would add the whole path.
                Error::Unreachable { url: origin, source: source.without_url() }
            } else {
                Error::Lost(source.without_url())
            }
        })
    }
}

/// The beginning of a line of which the rest has not arrived yet.
struct Lines {
    status: u16,
    line: Vec<u8>,
}

impl Lines {
    fn push(
        &mut self,
        chunk: &[u8],
        on_line: &mut impl FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let invalid = |detail: String| Error::InvalidResponse { status: self.status, detail };
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + part.len() > MAX_LINE_BYTES {
                return Err(invalid(format!("a line is longer than {MAX_LINE_BYTES} bytes")));
            }
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8(line).map_err(|_| invalid("a line is not UTF-8".to_owned()))?;
                if !line.trim().is_empty() {
                    on_line(line.trim())?;
                }
            }
        }
        Ok(())
    }
}

/// The ID of the change that waits for a second owner, if that is the answer.
fn proposed(response: &reqwest::Response) -> Option<String> {
    response.headers().get("countersign-proposed").and_then(|id| id.to_str().ok()).map(str::to_owned)
}

async fn read(mut response: reqwest::Response) -> Result<(u16, Vec<u8>), Error> {
    let status = response.status();
    let invalid = |detail: String| Error::InvalidResponse { status: status.as_u16(), detail };
    if status.is_redirection() {
        let to =
            response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("an unknown address");
        return Err(invalid(format!(
            "redirects are not followed, because the token would be sent to {to}. Set --url to the final URL"
        )));
    }
    if let Some(id) = proposed(&response) {
        return Err(Error::Proposed { id });
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| Error::Lost(error.without_url()))? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(invalid(format!("the response is larger than {MAX_ANSWER_BYTES} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    if status.is_success() {
        return Ok((status.as_u16(), body));
    }
    let text = String::from_utf8(body).map_err(|_| invalid("the response is not UTF-8".to_owned()))?;
    match serde_json::from_str::<Problem>(&text) {
        // The HTTP status decides, not the `status` in the body.
        Ok(problem) => {
            Err(Error::Problem { problem: Box::new(Problem { status: status.as_u16(), ..problem }), text })
        }
        Err(_) => Err(invalid(text.chars().take(200).collect())),
    }
}

fn bearer(token: &Plain) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.0)).map_err(|_| {
        Error::usage("the token contains invalid characters. Check COUNTERSIGN_TOKEN or the token file")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

fn base(text: &str) -> Result<Url, Error> {
    let wrong = |why: &str| {
        Error::usage(format!(
            "the URL of the gateway {why}. Set --url or COUNTERSIGN_URL, for example https://gateway.example"
        ))
    };
    let url: Url = text.parse().map_err(|_| wrong("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("must not contain a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("must not have a query or a fragment"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base: &str, path: &[&str]) -> Result<String, Error> {
        Client::new(base, None)?.get(path).map(|call| call.url.to_string())
    }

    #[test]
    fn names_stay_one_segment_of_the_path() {
        assert_eq!(url("http://h", &["v1", "me"]).unwrap(), "http://h/v1/me");
        assert_eq!(url("http://h/gate/", &["v1", "me"]).unwrap(), "http://h/gate/v1/me");
        assert_eq!(
            url("http://h", &["v1", "secrets", "a/../b?c#d"]).unwrap(),
            "http://h/v1/secrets/a%2F..%2Fb%3Fc%23d"
        );
        for bad in ["", ".", ".."] {
            assert!(url("http://h", &["v1", "secrets", bad]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_stream_is_cut_into_lines_of_bounded_length() {
        let mut lines = Lines { status: 200, line: Vec::new() };
        let mut seen = Vec::new();
        for chunk in ["{\"a\"", ":1}\n\n{\"b\":2}\r\n{\"c", "\":\"ü\"}", "\n"] {
            let mut keep = |line: &str| {
                seen.push(line.to_owned());
                Ok(())
            };
            lines.push(chunk.as_bytes(), &mut keep).unwrap();
        }
        assert_eq!(seen, ["{\"a\":1}", "{\"b\":2}", "{\"c\":\"ü\"}"]);
        assert!(lines.push(b"\xff\n", &mut |_| Ok(())).is_err(), "not UTF-8");
        lines.push(&vec![b'x'; MAX_LINE_BYTES], &mut |_| Ok(())).unwrap();
        assert!(lines.push(b"x", &mut |_| Ok(())).is_err(), "too long");
    }

    #[test]
    fn addresses_that_would_leak_or_mislead_are_refused() {
        for bad in ["h", "ftp://h", "file:///x", "http://u:p@h", "http://h/?q", "http://h/#f"] {
            assert!(Client::new(bad, None).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_token_in_the_clear_is_noticed_beyond_loopback_only() {
        let exposes = |url: &str| Client::new(url, Some(Plain("t".to_owned()))).unwrap().exposes_token();
        assert!(
            exposes("http://10.0.0.1")
                && exposes("http://gateway.example")
                && exposes("http://localhost.example")
        );
        for fine in
            ["http://127.0.0.1:7878", "http://localhost:1", "http://[::1]:2", "https://gateway.example"]
        {
            assert!(!exposes(fine), "{fine}");
        }
    }
}
