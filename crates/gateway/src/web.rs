//! The web app: its built files, which are embedded in the program, with a strict content security policy.
//!
//! Every path outside the API returns the page, which routes by itself.

use std::borrow::Cow;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};

use crate::problem::Answer;

/// Scripts, styles and data are loaded only from the gateway; framing and inline scripts are forbidden. The policy is
/// a file, because the development server of the web app uses it too.
const POLICY: &str = include_str!("../../../ui/policy.txt").trim_ascii();
const PAGE: &str = "index.html";
/// Prefixes of the API. An unknown path below them is an error, not a page.
const NOT_PAGES: [&str; 6] = ["v1", "mcp", "docs", ".well-known", "metrics", "assets"];
const NOT_BUILT: &str = "<!doctype html><meta charset=\"utf-8\"><title>Countersign</title>\
    <p>This gateway was built without the web app. Run <code>scripts/web build</code>, then build the program again.\n";

/// A file of the web app.
struct File {
    content: Cow<'static, [u8]>,
    digest: [u8; 32],
}

#[cfg(feature = "ui")]
#[derive(rust_embed::Embed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Built;

#[cfg(feature = "ui")]
fn built(path: &str) -> Option<File> {
    let found = Built::get(path)?;
    Some(File { digest: found.metadata.sha256_hash(), content: found.data })
}

#[cfg(not(feature = "ui"))]
const fn built(_: &str) -> Option<File> {
    None
}

/// The response to a path that is not a route.
pub(crate) async fn show(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    answer(built, &method, uri.path(), &headers)
}

fn answer(
    files: impl Fn(&str) -> Option<File>,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Answer::no_route().into_response();
    }
    let name = path.trim_start_matches('/');
    if name != PAGE && files(name).is_some() {
        return file(&files, name, headers);
    }
    let first = name.split('/').next().unwrap_or_default();
    if NOT_PAGES.contains(&first) || !takes_pages(headers) {
        return Answer::no_route().into_response();
    }
    if files(PAGE).is_none() {
        return with_policy(
            (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT)
                .into_response(),
        );
    }
    with_policy(file(&files, PAGE, headers))
}

/// Whether the client wants a page. Programs get a problem document instead.
fn takes_pages(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.contains("text/html")
}

fn file(files: &impl Fn(&str) -> Option<File>, name: &str, headers: &HeaderMap) -> Response {
    let encoded = encodings(headers)
        .find_map(|(encoding, ending)| files(&format!("{name}{ending}")).map(|file| (Some(encoding), file)));
    let Some((encoding, File { content, digest })) = encoded.or_else(|| files(name).map(|file| (None, file)))
    else {
        return Answer::no_route().into_response();
    };
    let tag = format!("\"{}\"", hex::encode(&digest[..16]));
    // File names of assets contain a hash of their content.
    let lasting =
        if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { content.into_response() };
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    said.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    said.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        said.insert(header::ETAG, tag);
    }
    if let Some(encoding) = encoding {
        said.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// The compressed encodings that the client accepts, smallest first.
fn encodings(headers: &HeaderMap) -> impl Iterator<Item = (&'static str, &'static str)> {
    let accept =
        headers.get(header::ACCEPT_ENCODING).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let taken: Vec<_> =
        accept.split(',').map(|each| each.split(';').next().unwrap_or_default().trim()).collect();
    let known = [("br", ".br"), ("gzip", ".gz")].into_iter();
    known.filter(|(encoding, _)| taken.contains(encoding)).collect::<Vec<_>>().into_iter()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json" | "webmanifest") => "application/json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn with_policy(mut response: Response) -> Response {
    let policies = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in policies {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(name: &str) -> Option<File> {
        let content: &[u8] = match name {
            "index.html" => b"page",
            "assets/a-1.js" => b"script",
            "assets/a-1.js.br" => b"packed",
            "icon.svg" => b"icon",
            _ => return None,
        };
        let mut digest = [0; 32];
        digest[..content.len()].copy_from_slice(content);
        Some(File { content: content.into(), digest })
    }

    fn get(path: &str, pairs: &[(HeaderName, &'static str)]) -> Response {
        let pair =
            |(name, value): &(HeaderName, &'static str)| (name.clone(), HeaderValue::from_static(value));
        answer(files, &Method::GET, path, &pairs.iter().map(pair).collect())
    }

    #[test]
    fn every_page_is_the_page_under_the_policy_and_nothing_else_is() {
        let html = [(header::ACCEPT, "text/html,*/*;q=0.8")];
        for path in ["/", "/inbox", "/inbox/inv_0199", "/index.html"] {
            let page = get(path, &html);
            assert_eq!(page.status(), StatusCode::OK, "{path}");
            assert_eq!(page.headers()[header::CONTENT_SECURITY_POLICY], POLICY);
            assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        }
        for path in ["/v1/nothing", "/mcp", "/.well-known/x", "/assets/gone.js", "/metrics/x"] {
            assert_eq!(get(path, &html).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(get("/inbox", &[]).status(), StatusCode::NOT_FOUND, "a program gets a problem");
        assert_eq!(answer(files, &Method::POST, "/inbox", &HeaderMap::new()).status(), StatusCode::NOT_FOUND);
        let nothing = answer(|_| None, &Method::GET, "/", &get("/", &html).headers().clone());
        assert_eq!(nothing.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn a_file_comes_packed_is_kept_and_is_not_sent_twice() {
        let plain = get("/assets/a-1.js", &[]);
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(plain.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert!(plain.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        let packed = get("/assets/a-1.js", &[(header::ACCEPT_ENCODING, "gzip, br;q=1")]);
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "br");
        let gzip = get("/assets/a-1.js", &[(header::ACCEPT_ENCODING, "gzip")]);
        assert!(!gzip.headers().contains_key(header::CONTENT_ENCODING), "there is no such form");
        let tag = "\"69636f6e000000000000000000000000\"";
        assert_eq!(get("/icon.svg", &[]).headers()[header::ETAG], tag);
        assert_eq!(get("/icon.svg", &[(header::IF_NONE_MATCH, tag)]).status(), StatusCode::NOT_MODIFIED);
    }
}
