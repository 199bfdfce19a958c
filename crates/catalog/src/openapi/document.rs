//! Reads an OpenAPI document: each operation becomes an offer, or is listed with the reason why it cannot be called.
//!
//! INVARIANT: nothing is fetched because a document asks for it. An operation that refers to something outside its
//! document cannot be called.
//! INVARIANT: the result depends only on the content of a document, not on the order in which it is written.

use std::collections::{BTreeMap, BTreeSet};

use http::HeaderName;
use model::Digest;
use serde_json::{Map, Value, json};
use url::Url;

use super::{
    request::{Param, Piece, Place, Request, Style, may_be_set, segments},
    schema::{Converter, Direction},
};
use crate::{
    connector::{Hints, MOST_TOOLS, Offer, harmless},
    limits::openapi::{INPUT_BYTES, MOST_HOPS, MOST_NAME, MOST_PARAMS, MOST_WORDS, OUTPUT_BYTES},
};

const METHODS: [&str; 8] = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];

/// The content of a document.
#[derive(Debug, PartialEq)]
pub(super) struct Document {
    /// The name that the service reports, and where it is called if that is not where its document is.
    pub(super) server: Option<String>,
    pub(super) offers: Vec<Offer>,
    /// The operations that cannot be called, and why.
    pub(super) unusable: Vec<(String, String)>,
}

/// The settings with which a document is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    /// The URL of the document.
    pub(super) document: &'a Url,
    /// The URL for calls. It overrides the one in the document.
    pub(super) base: Option<&'a Url>,
    /// The header that carries the credential.
    pub(super) header: Option<&'a str>,
}

pub(super) fn read(bytes: &[u8], setting: Setting<'_>) -> Result<Document, String> {
    let root: Value = serde_json::from_slice(bytes)
        .map_err(|_| "the document is not JSON; one in YAML must be converted first".to_owned())?;
    let version = root["openapi"].as_str().unwrap_or_default();
    let is_30 = version.starts_with("3.0.");
    if !is_30 && !version.starts_with("3.1.") {
        return Err("the document is not OpenAPI 3.0 or 3.1".to_owned());
    }
    let paths = root["paths"].as_object().ok_or("the document has no paths")?;
    let reader = Reader { root: &root, is_30, setting };
    let mut found: BTreeMap<String, Result<Offer, String>> = BTreeMap::new();
    for (path, item) in paths.iter().filter(|(path, _)| !path.starts_with("x-")) {
        for (name, offer) in reader.path(path, item) {
            // One more than the limit is kept, to show that there were more.
            if found.len() > MOST_TOOLS && !found.contains_key(&name) {
                continue;
            }
            let taken = found.insert(name.clone(), offer);
            if taken.is_some() {
                found.insert(name, Err("two operations of the document have this name".to_owned()));
            }
        }
    }
    let mut document = Document { server: None, offers: vec![], unusable: vec![] };
    for (name, offer) in found {
        match offer {
            Ok(offer) => document.offers.push(offer),
            Err(why) => document.unusable.push((name, why)),
        }
    }
    document.server = server(&root, &document.offers, setting.document);
    Ok(document)
}

/// The name that the service reports, and where it is called if that is not where its document is.
fn server(root: &Value, offers: &[Offer], document: &Url) -> Option<String> {
    let info = &root["info"];
    let mut name: String = info["title"].as_str()?.chars().take(100).collect();
    if let Some(version) = info["version"].as_str() {
        name.extend([" "].into_iter().chain([version]).flat_map(str::chars).take(40));
    }
    let bases = offers.iter().filter_map(|offer| offer.request.as_ref()?["base"].as_str()?.parse().ok());
    let elsewhere: BTreeSet<String> = bases
        .filter(|base: &Url| base.origin() != document.origin())
        .map(|base| base.origin().ascii_serialization())
        .collect();
    let elsewhere: Vec<String> = elsewhere.into_iter().take(3).collect();
    if !elsewhere.is_empty() {
        name.push_str(&format!(", called at {}", elsewhere.join(", ")));
    }
    Some(name)
}

struct Reader<'a> {
    root: &'a Value,
    is_30: bool,
    setting: Setting<'a>,
}

/// One operation with its location in the document.
struct Operation<'a> {
    path: &'a str,
    method: &'static str,
    item: &'a Value,
    it: &'a Value,
}

/// A parameter as the document declares it, with the place where it is sent.
struct Declared<'p> {
    place: &'p str,
    name: &'p str,
    param: &'p Value,
}

/// The result of converting the parameters and the body of an operation.
#[derive(Default)]
struct Taken {
    properties: Map<String, Value>,
    required: Vec<String>,
    params: BTreeMap<String, Param>,
    body: Option<String>,
    key_header: Option<String>,
}

impl<'a> Reader<'a> {
    /// The operations at a path.
    fn path(&self, path: &'a str, item: &'a Value) -> Vec<(String, Result<Offer, String>)> {
        let item = match self.follow(item) {
            Ok(item) => item,
            Err(why) => return vec![(name_of("any", path, &Value::Null), Err(why))],
        };
        let operations = METHODS.into_iter().filter_map(|method| {
            let it = item.get(method).filter(|it| it.is_object())?;
            let offer = self.operation(&Operation { path, method, item, it });
            Some((name_of(method, path, it), offer))
        });
        operations.collect()
    }

    fn operation(&self, operation: &Operation<'a>) -> Result<Offer, String> {
        let Operation { path, method, it, .. } = *operation;
        if matches!(method, "options" | "trace") {
            return Err(format!("{} is not called", method.to_uppercase()));
        }
        let mut input = Converter::new(self.root, self.is_30, Direction::Sent, INPUT_BYTES);
        let mut taken = Taken::default();
        self.body(operation, &mut input, &mut taken)?;
        self.parameters(operation, &mut input, &mut taken)?;
        let mut input_schema =
            json!({ "type": "object", "properties": taken.properties, "additionalProperties": false });
        if !taken.required.is_empty() {
            taken.required.sort();
            input_schema["required"] = json!(taken.required);
        }
        let defs = input.defs()?;
        if !defs.is_empty() {
            input_schema["$defs"] = defs.into();
        }
        let request = Request {
            method: method.to_uppercase(),
            base: self.base(operation)?,
            path: path.to_owned(),
            params: taken.params,
            body: taken.body,
            key_header: taken.key_header,
        };
        Ok(Offer {
            name: name_of(method, path, it),
            title: it["summary"].as_str().map(|words| words.chars().take(200).collect()),
            description: description(it),
            input_schema,
            output_schema: self.output(it),
            hints: Hints {
                read_only: matches!(method, "get" | "head").then_some(true),
                destructive: (method == "delete").then_some(true),
                ..Hints::default()
            },
            request: serde_json::to_value(request).ok(),
        })
    }

    /// Resolves a value that may be a reference.
    fn follow(&self, mut value: &'a Value) -> Result<&'a Value, String> {
        for _ in 0..MOST_HOPS {
            let Some(target) = value.get("$ref") else { return Ok(value) };
            let pointer = target.as_str().and_then(|target| target.strip_prefix('#'));
            let pointer = pointer.ok_or("it refers to another document")?;
            value = self.root.pointer(pointer).ok_or("it refers to something that does not exist")?;
        }
        Err("its references lead nowhere".to_owned())
    }

    /// The URL of the service: the one set for the connector, or else that of the closest server in the document.
    fn base(&self, operation: &Operation<'a>) -> Result<Url, String> {
        if let Some(base) = self.setting.base {
            return Ok(base.clone());
        }
        let places = [operation.it, operation.item, self.root];
        let server = places.into_iter().find_map(|place| place["servers"].get(0));
        let document = self.setting.document;
        let text = server.map_or_else(|| Ok("/".to_owned()), server_url)?;
        let base = document.join(&text).map_err(|_| "the URL of its server is invalid".to_owned())?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err("the URL of its server is not http or https".to_owned());
        }
        if document.scheme() == "https" && base.scheme() == "http" {
            return Err("its server uses http, although the document uses https".to_owned());
        }
        let bare = base.username().is_empty() && base.password().is_none();
        if !bare || base.query().is_some() || base.fragment().is_some() {
            return Err("the URL of its server has a query, a fragment or credentials".to_owned());
        }
        Ok(base)
    }

    fn body(
        &self,
        operation: &Operation<'a>,
        input: &mut Converter<'a>,
        taken: &mut Taken,
    ) -> Result<(), String> {
        let Some(body) = operation.it.get("requestBody") else { return Ok(()) };
        let body = self.follow(body)?;
        let is_required = body["required"] == true;
        let media =
            if matches!(operation.method, "get" | "head") { None } else { json_media(&body["content"]) };
        let Some((media, content)) = media else {
            return if is_required { Err("its body is not JSON".to_owned()) } else { Ok(()) };
        };
        let schema = content.get("schema").map_or(Ok(Value::Bool(true)), |schema| input.schema(schema))?;
        taken.properties.insert("body".to_owned(), described(schema, body));
        if is_required {
            taken.required.push("body".to_owned());
        }
        taken.body = Some(media.to_owned());
        Ok(())
    }

    fn parameters(
        &self,
        operation: &Operation<'a>,
        input: &mut Converter<'a>,
        taken: &mut Taken,
    ) -> Result<(), String> {
        let mut params = BTreeMap::new();
        // A parameter of the operation replaces the one of the whole path.
        for place in [operation.item, operation.it] {
            for param in place["parameters"].as_array().into_iter().flatten() {
                let param = self.follow(param)?;
                let text =
                    |field: &str| param[field].as_str().ok_or("a parameter of it has no name or place");
                params.insert((text("in")?, text("name")?), param);
            }
        }
        if params.len() > MOST_PARAMS {
            return Err(format!("it has more than {MOST_PARAMS} parameters"));
        }
        let mut in_order: Vec<_> = params.into_iter().collect();
        // Path parameters come first, so that they keep their names.
        in_order.sort_by_key(|((place, _), _)| {
            ["path", "query", "header"].iter().position(|known| known == place)
        });
        for ((place, name), param) in in_order {
            self.parameter(Declared { place, name, param }, input, taken)?;
        }
        check_path(operation.path, &taken.params)
    }

    fn parameter(
        &self,
        Declared { place, name, param }: Declared<'_>,
        input: &mut Converter<'a>,
        taken: &mut Taken,
    ) -> Result<(), String> {
        let is_required = param["required"] == true || place == "path";
        let Some((place, style)) = written(place, param) else {
            // An optional parameter is left out; without a required one the operation cannot be called.
            let why = format!("its parameter `{name}` cannot be expressed");
            return if is_required { Err(why) } else { Ok(()) };
        };
        if place == Place::Header {
            if name.eq_ignore_ascii_case("idempotency-key") {
                taken.key_header = Some(name.to_owned());
                return Ok(());
            }
            let header =
                HeaderName::try_from(name).map_err(|_| format!("`{name}` is not a valid header name"))?;
            let is_ours = self.setting.header.is_some_and(|ours| ours.eq_ignore_ascii_case(name));
            if is_ours || !may_be_set(&header) {
                return Ok(());
            }
        }
        let prefix = if place == Place::Header { "header" } else { "query" };
        let free = [name.to_owned(), format!("{prefix}_{name}")];
        let property = free.into_iter().find(|property| !taken.properties.contains_key(property));
        let property = property.ok_or_else(|| format!("several of its parameters are called `{name}`"))?;
        let json = json_media(&param["content"]).map(|(_, content)| content);
        let schema = json
            .unwrap_or(param)
            .get("schema")
            .map_or(Ok(Value::Bool(true)), |schema| input.schema(schema))?;
        taken.properties.insert(property.clone(), described(schema, param));
        if is_required {
            taken.required.push(property.clone());
        }
        taken.params.insert(property, Param { place, name: name.to_owned(), style });
        Ok(())
    }

    /// The schema of a successful result, if it stays within the limits.
    fn output(&self, it: &'a Value) -> Option<Value> {
        let responses = it["responses"].as_object()?;
        let went_well = responses.iter().find(|(status, _)| status.starts_with('2'))?.1;
        let (_, content) = json_media(&self.follow(went_well).ok()?["content"])?;
        let mut output = Converter::new(self.root, self.is_30, Direction::Received, OUTPUT_BYTES);
        let body = output.schema(content.get("schema")?).ok()?;
        let mut schema = json!({
            "type": "object",
            "properties": { "untrusted": { "const": true }, "status": { "type": "integer" }, "body": body },
            "required": ["untrusted", "status", "body"],
        });
        let defs = output.defs().ok()?;
        if !defs.is_empty() {
            schema["$defs"] = defs.into();
        }
        harmless(&schema).ok().map(|()| schema)
    }
}

/// The URL of a server, with the default values of its variables.
fn server_url(server: &Value) -> Result<String, String> {
    let mut url = server["url"].as_str().ok_or("its server has no address")?.to_owned();
    for (name, variable) in server["variables"].as_object().into_iter().flatten() {
        url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
    }
    if url.contains(['{', '}']) {
        Err("its server has variables without a default".to_owned())
    } else {
        Ok(url)
    }
}

/// Where and how a parameter is written, if it uses one of the supported styles.
fn written(place: &str, param: &Value) -> Option<(Place, Style)> {
    let style = param["style"].as_str();
    let is_json = param.get("content").is_some();
    match (place, style) {
        ("query", _) if is_json => json_media(&param["content"]).map(|_| (Place::Query, Style::Json)),
        _ if is_json => None,
        ("path", None | Some("simple")) => Some((Place::Path, Style::Plain)),
        ("header", None | Some("simple")) => Some((Place::Header, Style::Plain)),
        ("query", None | Some("form")) if param["explode"] == false => Some((Place::Query, Style::Commas)),
        ("query", None | Some("form")) => Some((Place::Query, Style::Plain)),
        ("query", Some("deepObject")) => Some((Place::Query, Style::Deep)),
        _ => None,
    }
}

/// Checks that the names in a path are exactly its parameters.
fn check_path(path: &str, params: &BTreeMap<String, Param>) -> Result<(), String> {
    let segments = segments(path)?;
    let pieces = segments.iter().flatten();
    let named: BTreeSet<&str> = pieces
        .filter_map(|piece| match piece {
            Piece::Name(name) => Some(*name),
            Piece::Text(_) => None,
        })
        .collect();
    let in_path = params.values().filter(|param| param.place == Place::Path);
    let given: BTreeSet<&str> = in_path.map(|param| param.name.as_str()).collect();
    if named == given { Ok(()) } else { Err("its path and its parameters do not match".to_owned()) }
}

/// The JSON content, preferably that of `application/json`.
fn json_media(content: &Value) -> Option<(&str, &Value)> {
    let content = content.as_object()?;
    let essence = |media: &str| media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let exact = content.iter().find(|(media, _)| essence(media) == "application/json");
    let any = || content.iter().find(|(media, _)| essence(media).ends_with("+json"));
    let wild =
        || content.iter().find(|(media, _)| matches!(essence(media).as_str(), "*/*" | "application/*"));
    if let Some((media, content)) = exact.or_else(any) {
        return Some((media, content));
    }
    wild().map(|(_, content)| ("application/json", content))
}

/// A schema with the description of its parameter or body, unless it has its own.
fn described(schema: Value, beside: &Value) -> Value {
    let Some(words) = beside["description"].as_str() else { return schema };
    match schema {
        Value::Object(mut schema) => {
            let words = words.chars().take(MOST_WORDS / 4).collect::<String>();
            schema.entry("description").or_insert_with(|| words.into());
            schema.into()
        }
        other => other,
    }
}

fn description(it: &Value) -> String {
    let (summary, longer) = (it["summary"].as_str(), it["description"].as_str());
    let words = match (summary, longer) {
        (Some(summary), Some(longer)) if !longer.starts_with(summary) => format!("{summary}\n\n{longer}"),
        (summary, longer) => longer.or(summary).unwrap_or_default().to_owned(),
    };
    let deprecated = if it["deprecated"] == true { "Deprecated. " } else { "" };
    deprecated.chars().chain(words.trim().chars()).take(MOST_WORDS).collect()
}

/// The name of an operation: its `operationId`, or its method and path.
fn name_of(method: &str, path: &str, it: &Value) -> String {
    if let Some(id) = it["operationId"].as_str().filter(|id| !id.trim().is_empty()) {
        return id.trim().chars().take(200).collect();
    }
    let mut name = method.to_owned();
    for word in path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        name.push('_');
        name.push_str(&word.to_ascii_lowercase());
    }
    if name.len() > MOST_NAME {
        // A truncated name could be that of another operation, so it ends with a digest of method and path.
        let digest = Digest::of_bytes(format!("{method} {path}").as_bytes());
        let tail: String = digest.as_bytes().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        name.truncate(MOST_NAME - tail.len() - 1);
        name = format!("{name}_{tail}");
    }
    name
}

#[cfg(test)]
mod tests;
