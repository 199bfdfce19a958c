//! The wire of Chat Completions, which most servers speak.

use serde_json::{Map, Value, json};

use super::{
    Message, Reply, Stop, ToolCall, Usage,
    failure::Unreadable,
    price::Cost,
    provider::{CapField, SchemaSupport},
    reply::{Ids, text, tokens},
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
                "function": { "name": tool.name, "description": tool.description, "parameters": tool.schema },
            })
        });
        body.insert("tools".to_owned(), tools.collect());
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
    let message = answer.pointer("/choices/0/message").and_then(Value::as_object).ok_or(Unreadable)?;
    let message = Value::Object(message.clone());
    let mut calls = Vec::new();
    let mut replayed = Vec::new();
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let (id, name) = (ids.take(text(call, "/id")), text(call, "/function/name"));
        let arguments = text(call, "/function/arguments");
        let params = params_of(arguments);
        // Broken arguments that are given back end the conversation for good on some servers.
        let arguments = if params.is_some() && !arguments.is_empty() { arguments } else { "{}" };
        replayed.push(json!({
            "id": id, "type": "function", "function": { "name": name, "arguments": arguments },
        }));
        calls.push(ToolCall { id, name: name.to_owned(), params });
    }
    let said = text(&message, "/content");
    let refused = message.get("refusal").is_some_and(Value::is_string);
    let mut raw = json!({ "role": "assistant", "content": said });
    if !replayed.is_empty()
        && let Some(raw) = raw.as_object_mut()
    {
        raw.insert("tool_calls".to_owned(), Value::Array(replayed));
    }
    let usage = answer.get("usage").filter(|usage| usage.is_object());
    Ok(Reply {
        text: said.to_owned(),
        stop: stop(text(answer, "/choices/0/finish_reason"), refused, !calls.is_empty()),
        calls,
        usage: usage.map(self::usage),
        raw,
        model: answer.get("model").and_then(Value::as_str).map(str::to_owned),
        request_id: None,
        reported_cost: usage.and_then(|usage| Cost::of_usd(usage.get("cost")?)),
    })
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
fn usage(usage: &Value) -> Usage {
    let cache_read = tokens(usage, "/prompt_tokens_details/cached_tokens");
    let cache_write = tokens(usage, "/prompt_tokens_details/cache_write_tokens");
    Usage {
        input: tokens(usage, "/prompt_tokens").saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        output: tokens(usage, "/completion_tokens"),
    }
}
