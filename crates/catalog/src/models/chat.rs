//! The wire of Chat Completions, which most servers speak.

use serde_json::{Map, Value, json};

use super::{
    Message, Reply, Stop, ToolCall, Usage,
    failure::Unreadable,
    price::Cost,
    provider::{CapField, SchemaSupport},
    reply::{Ids, text, tokens, tool_name},
    source::Ask,
};

/// The body of a request.
pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(ask.model));
    let cap = match ask.quirks.cap_field {
        CapField::MaxCompletionTokens => "max_completion_tokens",
        CapField::MaxTokens => "max_tokens",
    };
    body.insert(cap.to_owned(), json!(ask.max_output_tokens));
    let system = ask.system();
    let system = (!system.is_empty()).then(|| json!({ "role": "system", "content": system }));
    let messages = system.into_iter().chain(ask.prompt.messages.iter().flat_map(messages));
    body.insert("messages".to_owned(), messages.collect());
    if !ask.prompt.tools.is_empty() {
        let tools = ask.prompt.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "function": { "name": tool.name, "description": tool.description, "parameters": tool.wire_schema() },
            })
        });
        body.insert("tools".to_owned(), tools.collect());
        if ask.prompt.must_answer {
            body.insert("tool_choice".to_owned(), json!("none"));
        }
    }
    if let Some(format) = format(ask) {
        body.insert("response_format".to_owned(), format);
    }
    Value::Object(body)
}

fn format(ask: &Ask<'_>) -> Option<Value> {
    ask.prompt.schema.as_ref()?;
    match (ask.quirks.schema, ask.wire_schema()) {
        (SchemaSupport::JsonSchema, Some(schema)) => {
            let strict = ask.is_strict();
            let named = json!({ "name": "answer", "strict": strict, "schema": schema });
            Some(json!({ "type": "json_schema", "json_schema": named }))
        }
        (SchemaSupport::JsonSchema | SchemaSupport::JsonObject, _) => Some(json!({ "type": "json_object" })),
        (SchemaSupport::None, _) => None,
    }
}

fn messages(message: &Message) -> Vec<Value> {
    match message {
        Message::User { text } => vec![json!({ "role": "user", "content": text })],
        Message::Reply { raw } => vec![raw.clone()],
        Message::Results { results } => (results.iter())
            .map(|result| {
                json!({ "role": "tool", "tool_call_id": result.id, "content": result.for_wires_without_errors() })
            })
            .collect(),
    }
}

/// The reply in an answer.
pub(super) fn reply(answer: &Value, mut ids: Ids) -> Result<Reply, Unreadable> {
    let message =
        answer.pointer("/choices/0/message").filter(|message| message.is_object()).ok_or(Unreadable)?;
    let mut calls = Vec::new();
    let mut replayed = Vec::new();
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let (id, name) = (ids.take(text(call, "/id")), tool_name(text(call, "/function/name")));
        let arguments = text(call, "/function/arguments");
        let params = params_of(arguments);
        // Broken arguments that are given back end the conversation for good on some servers.
        let arguments = if params.is_some() && !arguments.trim().is_empty() { arguments } else { "{}" };
        let mut again = kept(call);
        again.insert("id".to_owned(), json!(id));
        again.insert("type".to_owned(), json!("function"));
        again.insert("function".to_owned(), json!({ "name": name, "arguments": arguments }));
        replayed.push(Value::Object(again));
        calls.push(ToolCall { id, name, params });
    }
    let said = text(message, "/content");
    let refused = message.get("refusal").is_some_and(Value::is_string);
    let mut raw = kept(message);
    raw.insert("role".to_owned(), json!("assistant"));
    raw.insert("content".to_owned(), json!(said));
    if replayed.is_empty() {
        raw.remove("tool_calls");
    } else {
        raw.insert("tool_calls".to_owned(), Value::Array(replayed));
    }
    let usage = answer.get("usage").filter(|usage| usage.is_object());
    let has_output = !said.is_empty() || !calls.is_empty();
    Ok(Reply {
        text: said.to_owned(),
        stop: stop(text(answer, "/choices/0/finish_reason"), refused, !calls.is_empty()),
        calls,
        usage: usage.and_then(self::usage).filter(|usage| usage.is_credible(has_output)),
        raw: Value::Object(raw),
        model: answer.get("model").and_then(Value::as_str).map(str::to_owned),
        request_id: None,
        reported_cost: usage.and_then(reported),
    })
}

/// The fields that are given back: some servers want their reasoning and their signatures, and some refuse empty fields.
fn kept(part: &Value) -> Map<String, Value> {
    let is_empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let fields = part.as_object().into_iter().flatten().filter(|(_, value)| !is_empty(value));
    // The number of a call in a stream.
    fields.filter(|(name, _)| *name != "index").map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The parameters of a call; no text stands for none.
pub(super) fn params_of(arguments: &str) -> Option<Value> {
    if arguments.trim().is_empty() {
        return Some(json!({}));
    }
    serde_json::from_str(arguments).ok().filter(Value::is_object)
}

fn stop(reason: &str, refused: bool, has_calls: bool) -> Stop {
    match reason {
        "content_filter" => Stop::Refused,
        _ if refused => Stop::Refused,
        "length" => Stop::Length,
        // Some servers say `stop` beside calls.
        _ if has_calls => Stop::Calls,
        _ => Stop::Done,
    }
}

/// `prompt_tokens` are with those of the cache.
fn usage(usage: &Value) -> Option<Usage> {
    let cache_read = tokens(usage, "/prompt_tokens_details/cached_tokens").unwrap_or_default();
    let cache_write = tokens(usage, "/prompt_tokens_details/cache_write_tokens").unwrap_or_default();
    Some(Usage {
        input: tokens(usage, "/prompt_tokens")?.saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        output: tokens(usage, "/completion_tokens")?,
    })
}

/// What the provider took, with what another one took behind it from an account of the same customer.
fn reported(usage: &Value) -> Option<Cost> {
    let own = Cost::of_usd(usage.get("cost")?)?;
    let behind = usage.pointer("/cost_details/upstream_inference_cost").and_then(Cost::of_usd);
    let brings_own_key = usage.get("is_byok").and_then(Value::as_bool).unwrap_or_default();
    match behind.filter(|_| brings_own_key) {
        Some(behind) => Some(Cost { nano_usd: own.nano_usd.saturating_add(behind.nano_usd) }),
        None => Some(own),
    }
}
