//! The request that a call of an operation becomes: as it is reviewed, and as it is sent.
//!
//! INVARIANT: a value of the caller stays where its parameter is: one segment of the path, one value of the query, one
//! line of a header. It cannot address another place or choose another method.

use std::collections::{BTreeMap, HashMap};

use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;

use crate::SourceError;

/// How an operation is called. It is part of an offer's shape, so every change in it is drift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) method: String,
    /// The URL of the service.
    pub(super) base: Url,
    /// The path below `base`, with the names of parameters in braces.
    pub(super) path: String,
    /// Where each property of the parameters is sent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) params: BTreeMap<String, Param>,
    /// The media type of the property `body`, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<String>,
    /// The header in which the target accepts our idempotency key. Callers cannot set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key_header: Option<String>,
}

/// Where one property is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Param {
    #[serde(rename = "in")]
    pub(super) place: Place,
    /// The service's name for it.
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Style::is_plain")]
    pub(super) style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Place {
    Path,
    Query,
    Header,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Style {
    /// A single value; for a list the name is repeated with each item.
    #[default]
    Plain,
    /// A list is one value, separated by commas.
    Commas,
    /// An object is `name[field]` for each of its fields.
    Deep,
    /// As JSON.
    Json,
}

impl Style {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// A request without authentication.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Value>,
}

/// One segment of a path: texts and names of parameters in order.
type Segment<'a> = Vec<Piece<'a>>;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// The segments of a path template. Anything that could mean more than a path is refused.
pub(super) fn segments(path: &str) -> Result<Vec<Segment<'_>>, String> {
    let inner = path.strip_prefix('/').ok_or("its path does not begin with `/`")?;
    let parts: Vec<&str> = inner.split('/').collect();
    let last = parts.len() - 1;
    let parsed = parts.into_iter().enumerate().map(|(number, part)| match part {
        // A service may distinguish `/pets` and `/pets/`.
        "" if number == last => Ok(vec![]),
        "" | "." | ".." => Err("its path has a part that is empty or only dots".to_owned()),
        part => pieces(part),
    });
    parsed.collect()
}

fn pieces(part: &str) -> Result<Segment<'_>, String> {
    let odd = || "its path has characters that are not part of a path".to_owned();
    let (mut pieces, mut rest) = (Vec::new(), part);
    while !rest.is_empty() {
        let (text, after) = match rest.split_once('{') {
            Some((text, after)) => (text, Some(after)),
            None => (rest, None),
        };
        let is_plain = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') || "!$&'()*+,;=:@".contains(c)
        };
        if !text.chars().all(is_plain) {
            return Err(odd());
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        rest = match after {
            None => "",
            Some(after) => {
                let (name, after) = after.split_once('}').ok_or_else(odd)?;
                if name.is_empty() || name.contains('{') {
                    return Err(odd());
                }
                pieces.push(Piece::Name(name));
                after
            }
        };
    }
    Ok(pieces)
}

impl Request {
    /// Builds the request for these parameters.
    pub(super) fn build(&self, params: &Value, key: &str) -> Result<Built, SourceError> {
        let none = Map::new();
        let params = params.as_object().unwrap_or(&none);
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, */*;q=0.5"));
        let (mut in_path, mut pairs) = (HashMap::new(), Vec::new());
        for (property, value) in params {
            let Some(param) = self.params.get(property) else {
                if property == "body" && self.body.is_some() {
                    continue;
                }
                return Err(SourceError::invalid(format!("the operation has no parameter `{property}`")));
            };
            match param.place {
                Place::Path => drop(in_path.insert(param.name.as_str(), scalar(property, value)?)),
                Place::Query => pairs.extend(query(param, property, value)?),
                Place::Header => insert(&mut headers, param, property, value)?,
            }
        }
        if let Some(name) = &self.key_header {
            let name: HeaderName = name.parse().map_err(|_| unusable())?;
            headers.insert(name, HeaderValue::from_str(key).map_err(|_| unusable())?);
        }
        let body = self.body.as_ref().and_then(|media| Some((media, params.get("body")?)));
        if let Some((media, _)) = body {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(media).map_err(|_| unusable())?);
        }
        Ok(Built {
            method: self.method.parse().map_err(|_| unusable())?,
            url: self.url(&in_path, &pairs)?,
            headers,
            body: body.map(|(_, body)| body.clone()),
        })
    }

    fn url(&self, values: &HashMap<&str, String>, pairs: &[(String, String)]) -> Result<Url, SourceError> {
        let mut parts = Vec::new();
        for segment in segments(&self.path).map_err(|_| unusable())? {
            let mut part = String::new();
            for piece in &segment {
                match piece {
                    Piece::Text(text) => part.push_str(text),
                    Piece::Name(name) => {
                        let value = values.get(name).ok_or_else(|| {
                            SourceError::invalid(format!("the part `{name}` of the path is missing"))
                        })?;
                        part.push_str(one_segment(name, value)?);
                    }
                }
            }
            if matches!(part.as_str(), "." | "..") {
                return Err(SourceError::invalid("a parameter cannot be part of a path"));
            }
            parts.push(part);
        }
        let mut url = self.base.clone();
        // Each part is encoded as exactly one segment, whatever characters it contains.
        url.path_segments_mut().map_err(|()| unusable())?.pop_if_empty().extend(&parts);
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Ok(url)
    }
}

/// Checks that a value can be one segment. Some servers decode a path before they look for `..` in it, so a value that
/// would lead out of the path there is refused here, although it would be sent encoded.
fn one_segment<'a>(name: &str, value: &'a str) -> Result<&'a str, SourceError> {
    let climbs = value.split(['/', '\\']).any(|part| matches!(part, "." | ".."));
    if value.is_empty() || climbs || value.chars().any(char::is_control) {
        return Err(SourceError::invalid(format!("the value of `{name}` cannot be part of a path")));
    }
    Ok(value)
}

fn unusable() -> SourceError {
    SourceError::invalid("the operation cannot be called as described")
}

fn scalar(property: &str, value: &Value) -> Result<String, SourceError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(is) => Ok(is.to_string()),
        _ => Err(SourceError::invalid(format!("`{property}` must be a single value"))),
    }
}

/// The values of a list, separated by commas. No value may contain a comma.
fn with_commas(property: &str, items: &[Value]) -> Result<String, SourceError> {
    let texts: Result<Vec<String>, SourceError> = items.iter().map(|item| scalar(property, item)).collect();
    let texts = texts?;
    if texts.iter().any(|text| text.contains(',')) {
        return Err(SourceError::invalid(format!(
            "a value of `{property}` contains a comma, which is the separator"
        )));
    }
    Ok(texts.join(","))
}

fn query(param: &Param, property: &str, value: &Value) -> Result<Vec<(String, String)>, SourceError> {
    let name = || param.name.clone();
    Ok(match (param.style, value) {
        (Style::Json, value) => vec![(name(), value.to_string())],
        (_, Value::Null) => vec![],
        (Style::Plain, Value::Array(items)) => {
            let pairs: Result<_, SourceError> =
                items.iter().map(|item| Ok((name(), scalar(property, item)?))).collect();
            pairs?
        }
        (Style::Commas, Value::Array(items)) => vec![(name(), with_commas(property, items)?)],
        (Style::Deep, Value::Object(fields)) => {
            let pairs: Result<_, SourceError> = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(field, value)| Ok((format!("{}[{field}]", param.name), scalar(property, value)?)))
                .collect();
            pairs?
        }
        (_, value) => vec![(name(), scalar(property, value)?)],
    })
}

fn insert(headers: &mut HeaderMap, param: &Param, property: &str, value: &Value) -> Result<(), SourceError> {
    let text = match value {
        Value::Null => return Ok(()),
        Value::Array(items) => with_commas(property, items)?,
        value => scalar(property, value)?,
    };
    let refused = |_| SourceError::invalid(format!("the value of `{property}` cannot be in a header"));
    let text = HeaderValue::from_str(&text).map_err(refused)?;
    let name = HeaderName::try_from(&param.name).ok().filter(may_be_set).ok_or_else(unusable)?;
    headers.insert(name, text);
    Ok(())
}

/// Whether a caller may set a header. Refused are headers that have a meaning for the transport, for proxies or for
/// authentication, and headers that turn the request into a different one.
pub(super) fn may_be_set(name: &HeaderName) -> bool {
    let name = name.as_str();
    let begins =
        ["accept", "content-", "cookie", "forwarded", "proxy-", "sec-", "x-forwarded-", "x-original-"];
    !begins.iter().any(|begin| name.starts_with(begin)) && !RESERVED.contains(&name)
}

const RESERVED: [&str; 22] = [
    "authorization",
    "connection",
    "date",
    "expect",
    "host",
    "idempotency-key",
    "keep-alive",
    "max-forwards",
    "origin",
    "referer",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-real-ip",
    "x-rewrite-url",
];

#[cfg(test)]
mod tests;
