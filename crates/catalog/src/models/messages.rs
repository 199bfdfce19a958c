//! The wire of Anthropic's Messages API.

use serde_json::{Map, Value, json};

use super::{
    Message, Reply, Stop, ToolCall, Usage,
    failure::Unreadable,
    provider::SchemaSupport,
    reply::{Ids, text, tokens, tool_name},
    source::Ask,
};

/// The body of a request.
pub(super) fn request(ask: &Ask<'_>) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(ask.model));
    body.insert("max_tokens".to_owned(), json!(ask.max_output_tokens));
    let system = ask.system();
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system));
    }
    body.insert("messages".to_owned(), Value::Array(messages(&ask.prompt.messages)));
    if ask.quirks.caches {
        body.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
    if !ask.prompt.tools.is_empty() {
        let tools = ask.prompt.tools.iter().map(
            |tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.wire_schema() }),
        );
        body.insert("tools".to_owned(), tools.collect());
        if ask.prompt.must_answer {
            body.insert("tool_choice".to_owned(), json!({ "type": "none" }));
        }
    }
    if let Some(schema) = ask.wire_schema()
        && ask.quirks.schema == SchemaSupport::JsonSchema
    {
        body.insert(
            "output_config".to_owned(),
            json!({ "format": { "type": "json_schema", "schema": schema } }),
        );
    }
    Value::Object(body)
}

/// Messages with alternating roles: results, and text that follows them, are one message that begins with the results.
fn messages(all: &[Message]) -> Vec<Value> {
    let mut written: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in all {
        let (role, blocks) = match message {
            Message::User { text } if text.trim().is_empty() => continue,
            Message::User { text } => ("user", vec![json!({ "type": "text", "text": text })]),
            Message::Reply { raw } => ("assistant", raw.as_array().cloned().unwrap_or_default()),
            Message::Results { results } => {
                let results = results.iter().map(|result| {
                    json!({
                        "type": "tool_result",
                        "tool_use_id": result.id,
                        "content": result.text,
                        "is_error": result.is_error,
                    })
                });
                ("user", results.collect())
            }
        };
        match written.last_mut() {
            Some((last, content)) if *last == role => content.extend(blocks),
            _ => written.push((role, blocks)),
        }
    }
    written.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

/// The reply in an answer.
pub(super) fn reply(answer: &Value, mut ids: Ids) -> Result<Reply, Unreadable> {
    let blocks = answer.get("content").and_then(Value::as_array).ok_or(Unreadable)?;
    // A text block without text is refused when it is given back.
    let is_blank = |block: &Value| text(block, "/type") == "text" && text(block, "/text").trim().is_empty();
    let mut raw: Vec<Value> = blocks.iter().filter(|block| !is_blank(block)).cloned().collect();
    let mut calls = Vec::new();
    let mut said = String::new();
    for block in &mut raw {
        match text(block, "/type") {
            "text" => said.push_str(text(block, "/text")),
            "tool_use" => {
                let params = block.get("input").filter(|input| input.is_object()).cloned();
                let (id, name) = (ids.take(text(block, "/id")), tool_name(text(block, "/name")));
                if let Some(block) = block.as_object_mut() {
                    // A server that gets broken parameters or ids back would refuse the whole conversation.
                    block.insert("input".to_owned(), params.clone().unwrap_or_else(|| json!({})));
                    block.insert("id".to_owned(), json!(id));
                    block.insert("name".to_owned(), json!(name));
                }
                calls.push(ToolCall { id, name, params });
            }
            _ => {}
        }
    }
    if raw.last().is_none_or(|last| text(last, "/type").ends_with("thinking")) {
        // No message may be empty, or end with thoughts.
        raw.push(json!({ "type": "text", "text": "(no answer)" }));
    }
    let has_output = !said.is_empty() || !calls.is_empty();
    Ok(Reply {
        text: said,
        stop: stop(text(answer, "/stop_reason"), !calls.is_empty()),
        calls,
        usage: answer.get("usage").and_then(usage).filter(|usage| usage.is_credible(has_output)),
        raw: Value::Array(raw),
        model: answer.get("model").and_then(Value::as_str).map(str::to_owned),
        request_id: None,
        reported_cost: None,
    })
}

fn stop(reason: &str, has_calls: bool) -> Stop {
    match reason {
        "max_tokens" => Stop::Length,
        "model_context_window_exceeded" => Stop::Context,
        "refusal" => Stop::Refused,
        "pause_turn" => Stop::Paused,
        _ if has_calls => Stop::Calls,
        _ => Stop::Done,
    }
}

/// `input_tokens` are without those of the cache.
fn usage(usage: &Value) -> Option<Usage> {
    Some(Usage {
        input: tokens(usage, "/input_tokens")?,
        cache_read: tokens(usage, "/cache_read_input_tokens").unwrap_or_default(),
        cache_write: tokens(usage, "/cache_creation_input_tokens").unwrap_or_default(),
        output: tokens(usage, "/output_tokens")?,
    })
}
