//! Anthropic Messages.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};
use serde_json::{Value, json};

use super::{
    super::stage::Seen,
    checks::{self, list, text_of},
    dialect::{Dialect, NeutralRequest, Reply, Thoughts, Tokens, Wire, with_id},
    script::{End, Failure},
};

const VERSION: &str = "2023-06-01";

const FIELDS: [&str; 14] = [
    "cache_control",
    "inference_geo",
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "thinking",
    "tool_choice",
    "tools",
];

pub(super) static DIALECT: Dialect = Dialect {
    wire: Wire::Messages,
    path: "/v1/messages",
    id_header: "request-id",
    call_prefix: "toolu_",
    is_authorized,
    read,
    check,
    thought,
    body,
    usage,
    failure,
    listed,
};

fn is_authorized(seen: &Seen, key: &str) -> bool {
    seen.header("x-api-key") == key
}

fn read(body: &Value) -> NeutralRequest {
    let messages = list(&body["messages"]);
    let last = messages.last().map(|message| list(&message["content"])).unwrap_or_default();
    let results = last.iter().filter(|block| block["type"] == "tool_result");
    NeutralRequest {
        wire: Wire::Messages,
        model: text_of(&body["model"]),
        system: text_of(&body["system"]),
        last_user: checks::last_user(messages),
        results: results.map(|block| text_of(&block["content"])).collect(),
        tools: checks::offered(body, "/name"),
        has_schema: body["output_config"]["format"]["type"] == "json_schema",
        turns: messages.iter().filter(|message| message["role"] == "assistant").count(),
        max_tokens: body["max_tokens"].as_u64(),
    }
}

fn check(seen: &Seen, thoughts: &Thoughts) -> anyhow::Result<()> {
    let version = seen.header("anthropic-version");
    ensure!(version == VERSION, "the header `anthropic-version` is {version:?} instead of {VERSION}");
    let body = &seen.body;
    for sampling in ["temperature", "top_p", "top_k"] {
        ensure!(body.get(sampling).is_none(), "`{sampling}` is not supported by this model");
    }
    checks::envelope(seen, &FIELDS)?;
    ensure!(body["max_tokens"].as_u64().is_some_and(|cap| cap > 0), "`max_tokens` is required");
    if !body["system"].is_null() {
        checks::visible_text(&body["system"], "system", &["text"])?;
    }
    check_tools(body)?;
    check_output_config(&body["output_config"])?;
    check_messages(checks::required_list(body, "messages")?, thoughts)
}

fn check_tools(body: &Value) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    for (at, tool) in checks::optional_list(body, "tools")?.iter().enumerate() {
        let place = format!("tools.{at}");
        let allowed = ["type", "name", "description", "input_schema", "strict", "cache_control"];
        checks::fields(tool, &place, &allowed)?;
        checks::optional_word(&tool["type"], &format!("{place}.type"), &["custom"])?;
        checks::optional_bool(&tool["strict"], &format!("{place}.strict"))?;
        let name = checks::tool_name(&tool["name"], &place)?;
        ensure!(names.insert(name), "{place}: the name `{name}` is not unique");
        let is_object = tool["input_schema"]["type"] == "object";
        ensure!(is_object, "{place}: `input_schema` must be the schema of an object");
    }
    let choice = &body["tool_choice"];
    ensure!(choice.is_null() || !names.is_empty(), "`tool_choice` is only allowed with `tools`");
    checks::optional_word(&choice["type"], "tool_choice.type", &["auto", "any", "tool", "none"])
}

fn check_output_config(config: &Value) -> anyhow::Result<()> {
    if config.is_null() {
        return Ok(());
    }
    checks::fields(config, "output_config", &["effort", "format"])?;
    let format = &config["format"];
    if format.is_null() {
        return Ok(());
    }
    checks::fields(format, "output_config.format", &["type", "schema"])?;
    let is_schema = format["type"] == "json_schema" && format["schema"].is_object();
    ensure!(is_schema, "`output_config.format` must be {{type: json_schema, schema}}");
    Ok(())
}

fn check_messages(messages: &[Value], thoughts: &Thoughts) -> anyhow::Result<()> {
    let mut calls: Vec<&str> = Vec::new();
    let mut ids = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        let place = format!("messages.{at}");
        checks::fields(message, &place, &["role", "content"])?;
        let is_user = at.is_multiple_of(2);
        let role = if is_user { "user" } else { "assistant" };
        ensure!(message["role"] == role, "{place}: roles must alternate, beginning with user");
        let content = &message["content"];
        match content {
            Value::String(text) => ensure!(!text.trim().is_empty(), "{place}: the content is empty"),
            _ => ensure!(!list(content).is_empty(), "{place}: the content is empty or not a list"),
        }
        if is_user {
            check_user(&place, list(content), std::mem::take(&mut calls))?;
        } else {
            calls = check_assistant(&place, content, thoughts)?;
            for id in &calls {
                ensure!(ids.insert(*id), "{place}: `tool_use` ids must be unique, {id} is not");
            }
        }
    }
    ensure!(!messages.len().is_multiple_of(2), "the last message must be from the user");
    Ok(())
}

/// The message must begin with one result of each call.
fn check_user(place: &str, blocks: &[Value], mut calls: Vec<&str>) -> anyhow::Result<()> {
    let count = blocks.iter().take_while(|block| block["type"] == "tool_result").count();
    let (results, others) = blocks.split_at(count);
    for result in results {
        let allowed = ["type", "tool_use_id", "content", "is_error", "cache_control"];
        checks::fields(result, place, &allowed)?;
        checks::settle(&mut calls, &result["tool_use_id"], place)?;
        checks::optional_bool(&result["is_error"], &format!("{place}: `is_error`"))?;
        if !result["content"].is_null() {
            checks::text(&result["content"], place, &["text"])?;
        }
    }
    let at_start = "must begin with one `tool_result` of each call of the previous message";
    ensure!(calls.is_empty(), "{place} {at_start}; {calls:?} have none");
    for block in others {
        ensure!(block["type"] != "tool_result", "{place} {at_start}; one comes after other content");
        check_text(place, block)?;
    }
    Ok(())
}

/// Returns the IDs of the calls.
fn check_assistant<'a>(place: &str, content: &'a Value, thoughts: &Thoughts) -> anyhow::Result<Vec<&'a str>> {
    let mut calls = Vec::new();
    for block in list(content) {
        match block["type"].as_str() {
            Some("tool_use") => {
                checks::tool_name(&block["name"], place)?;
                ensure!(block["input"].is_object(), "{place}: the `input` of a call must be an object");
                let id = block["id"].as_str().unwrap_or_default();
                ensure!(checks::is_name(id), "{place}: the id {} of a call is invalid", block["id"]);
                calls.push(id);
            }
            Some("thinking" | "redacted_thinking") => thoughts.check_issued(block)?,
            _ => check_text(place, block)?,
        }
    }
    let text = text_of(content);
    let anchor = calls.first().copied().unwrap_or(&text);
    thoughts.check_present(anchor, list(content).first())?;
    Ok(calls)
}

fn check_text(place: &str, block: &Value) -> anyhow::Result<()> {
    if block["type"] != "text" {
        bail!("{place}: blocks of type {} are not allowed here", block["type"])
    }
    let is_visible = block["text"].as_str().is_some_and(|text| !text.trim().is_empty());
    ensure!(is_visible, "{place}: text blocks must not be empty");
    Ok(())
}

fn thought(number: u64, _: &Value) -> anyhow::Result<Option<Value>> {
    let signature = format!("EqFake{number:06}+/w==");
    Ok(Some(json!({"type": "thinking", "thinking": "A tool may help.", "signature": signature})))
}

fn body(reply: &Reply) -> Value {
    let draft = &reply.draft;
    let mut content: Vec<Value> = reply.thought.iter().cloned().collect();
    content.extend(draft.text.iter().map(|text| json!({"type": "text", "text": text})));
    content.extend(reply.calls().map(|(id, call)| {
        with_id(json!({"type": "tool_use", "name": call.name, "input": call.input()}), "id", id)
    }));
    let stop_reason = match draft.end {
        End::Cut => "max_tokens",
        End::Refusal => "refusal",
        End::ContextExceeded => "model_context_window_exceeded",
        _ if draft.calls.is_empty() => "end_turn",
        _ => "tool_use",
    };
    let stop_details = match draft.end {
        End::Refusal => json!({"type": "refusal", "category": "cyber", "explanation": null}),
        _ => Value::Null,
    };
    json!({
        "id": format!("msg_{:04}", reply.number), "type": "message", "role": "assistant", "model": reply.model,
        "content": content, "stop_reason": stop_reason, "stop_sequence": null, "stop_details": stop_details,
    })
}

fn usage(tokens: &Tokens) -> Value {
    json!({
        "input_tokens": tokens.input.saturating_sub(tokens.cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": tokens.output,
        "service_tier": "standard",
    })
}

fn failure(failure: &Failure, request_id: &str) -> Value {
    let details = failure.code.map(|code| json!({"error_code": code}));
    let error = json!({"type": failure.kind, "message": failure.message, "details": details});
    json!({"type": "error", "error": error, "request_id": request_id})
}

fn listed(id: &str) -> Value {
    json!({
        "type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z",
        "max_input_tokens": 200_000, "max_tokens": 64_000,
    })
}
