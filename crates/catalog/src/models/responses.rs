//! The wire of OpenAI's Responses API.

use serde_json::{Map, Value, json};

use super::{
    Message, Reply, Stop, ToolCall, Usage,
    chat::params_of,
    failure::Unreadable,
    provider::SchemaSupport,
    reply::{Ids, text, tokens, tool_name},
    source::Ask,
};

/// The body of a request. Nothing of it is stored at the provider.
pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(ask.model));
    body.insert("store".to_owned(), json!(false));
    body.insert("max_output_tokens".to_owned(), json!(ask.max_output_tokens));
    let system = ask.system();
    if !system.is_empty() {
        body.insert("instructions".to_owned(), json!(system));
    }
    body.insert("input".to_owned(), ask.prompt.messages.iter().flat_map(items).collect());
    if ask.quirks.encrypts_reasoning {
        body.insert("include".to_owned(), json!(["reasoning.encrypted_content"]));
    }
    if !ask.prompt.tools.is_empty() {
        let tools = ask.prompt.tools.iter().map(|tool| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.wire_schema(), "strict": false,
            })
        });
        body.insert("tools".to_owned(), tools.collect());
        if ask.prompt.must_answer {
            body.insert("tool_choice".to_owned(), json!("none"));
        }
    }
    if let Some(format) = format(ask) {
        body.insert("text".to_owned(), json!({ "format": format }));
    }
    Value::Object(body)
}

fn format(ask: &Ask<'_>) -> Option<Value> {
    ask.prompt.schema.as_ref()?;
    match (ask.quirks.schema, ask.wire_schema()) {
        (SchemaSupport::JsonSchema, Some(schema)) => {
            let strict = ask.is_strict();
            Some(json!({ "type": "json_schema", "name": "answer", "strict": strict, "schema": schema }))
        }
        (SchemaSupport::JsonSchema | SchemaSupport::JsonObject, _) => Some(json!({ "type": "json_object" })),
        (SchemaSupport::None, _) => None,
    }
}

fn items(message: &Message) -> Vec<Value> {
    match message {
        Message::User { text } => vec![json!({ "role": "user", "content": text })],
        Message::Reply { raw } => raw.as_array().cloned().unwrap_or_default(),
        Message::Results { results } => (results.iter())
            .map(|result| {
                json!({
                    "type": "function_call_output",
                    "call_id": result.id,
                    "output": result.for_wires_without_errors(),
                })
            })
            .collect(),
    }
}

/// The reply in an answer.
pub(super) fn reply(answer: &Value, mut ids: Ids) -> Result<Reply, Unreadable> {
    let output = answer.get("output").and_then(Value::as_array).ok_or(Unreadable)?;
    let mut raw: Vec<Value> = output.iter().filter(|item| is_replayable(item)).cloned().collect();
    let (mut said, mut calls, mut refused) = (String::new(), Vec::new(), false);
    let lacks_reasoning = raw.len() < output.len();
    for item in &mut raw {
        if lacks_reasoning && let Some(item) = item.as_object_mut() {
            // By its id, the provider would look for the reasoning before it, which it has not stored.
            item.remove("id");
        }
        match text(item, "/type") {
            "message" => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    said.push_str(text(part, "/text"));
                    refused |= text(part, "/type") == "refusal";
                }
            }
            "function_call" => {
                let (id, name) = (ids.take(text(item, "/call_id")), tool_name(text(item, "/name")));
                let arguments = text(item, "/arguments");
                let params = params_of(arguments);
                let is_blank = arguments.trim().is_empty();
                if let Some(item) = item.as_object_mut() {
                    item.insert("call_id".to_owned(), json!(id));
                    item.insert("name".to_owned(), json!(name));
                    if params.is_none() || is_blank {
                        item.insert("arguments".to_owned(), json!("{}"));
                    }
                }
                calls.push(ToolCall { id, name, params });
            }
            _ => {}
        }
    }
    let has_output = !said.is_empty() || !calls.is_empty();
    Ok(Reply {
        text: said,
        stop: stop(answer, refused, !calls.is_empty()),
        calls,
        usage: answer.get("usage").and_then(usage).filter(|usage| usage.is_credible(has_output)),
        raw: Value::Array(raw),
        model: answer.get("model").and_then(Value::as_str).map(str::to_owned),
        request_id: None,
        reported_cost: None,
    })
}

fn stop(answer: &Value, refused: bool, has_calls: bool) -> Stop {
    match (text(answer, "/status"), text(answer, "/incomplete_details/reason")) {
        ("incomplete", "content_filter") => Stop::Refused,
        ("incomplete", _) => Stop::Length,
        _ if refused => Stop::Refused,
        _ if has_calls => Stop::Calls,
        _ => Stop::Done,
    }
}

/// Reasoning that is not encrypted in the answer is stored nowhere, so it cannot be given back.
fn is_replayable(item: &Value) -> bool {
    text(item, "/type") != "reasoning" || item.get("encrypted_content").is_some_and(Value::is_string)
}

/// `input_tokens` are with those of the cache.
fn usage(usage: &Value) -> Option<Usage> {
    let cache_read = tokens(usage, "/input_tokens_details/cached_tokens").unwrap_or_default();
    let cache_write = tokens(usage, "/input_tokens_details/cache_write_tokens").unwrap_or_default();
    Some(Usage {
        input: tokens(usage, "/input_tokens")?.saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        output: tokens(usage, "/output_tokens")?,
    })
}
