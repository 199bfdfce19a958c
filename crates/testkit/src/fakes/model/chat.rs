//! Chat Completions, with the rules of compatible servers where they are stricter.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};
use serde_json::{Value, json};

use super::{
    super::stage::Seen,
    checks::{self, list, text_of},
    dialect::{Dialect, NeutralRequest, Reply, Thoughts, Tokens, Wire, with_id},
    script::{End, Failure},
};

const FIELDS: [&str; 21] = [
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "parallel_tool_calls",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "temperature",
    "tool_choice",
    "tools",
    "top_p",
    "verbosity",
];

const CREATED: u64 = 1_767_225_600;

pub(super) static DIALECT: Dialect = Dialect {
    wire: Wire::Chat,
    path: "/v1/chat/completions",
    id_header: "x-request-id",
    call_prefix: "call_",
    is_authorized,
    read,
    check,
    thought: |_, _| Ok(None),
    body,
    usage,
    failure,
    listed,
};

/// Azure takes the key in a header of its own.
fn is_authorized(seen: &Seen, key: &str) -> bool {
    is_bearer(seen, key) || seen.header("api-key") == key
}

pub(super) fn is_bearer(seen: &Seen, key: &str) -> bool {
    seen.header("authorization").strip_prefix("Bearer ") == Some(key)
}

fn read(body: &Value) -> NeutralRequest {
    let messages = list(&body["messages"]);
    let newest = messages.rsplit(|message| message["role"] == "assistant").next().unwrap_or_default();
    let results = newest.iter().filter(|message| message["role"] == "tool");
    NeutralRequest {
        wire: Wire::Chat,
        model: text_of(&body["model"]),
        system: checks::text_by(messages, &["system", "developer"]),
        last_user: checks::last_user(messages),
        results: results.map(|message| text_of(&message["content"])).collect(),
        tools: checks::offered(body, "/function/name"),
        has_schema: body["response_format"]["type"] == "json_schema",
        turns: messages.iter().filter(|message| message["role"] == "assistant").count(),
        max_tokens: cap(body, "max_completion_tokens").or_else(|| cap(body, "max_tokens")),
    }
}

fn cap(body: &Value, field: &str) -> Option<u64> {
    body[field].as_u64().filter(|cap| *cap > 0)
}

fn check(seen: &Seen, _: &Thoughts) -> anyhow::Result<()> {
    let body = &seen.body;
    checks::envelope(seen, &FIELDS)?;
    let caps = [cap(body, "max_completion_tokens"), cap(body, "max_tokens")];
    let count = caps.iter().flatten().count();
    ensure!(count == 1, "one of `max_completion_tokens` and `max_tokens` is required, {count} are given");
    check_tools(body)?;
    check_response_format(&body["response_format"])?;
    check_messages(checks::required_list(body, "messages")?)
}

fn check_tools(body: &Value) -> anyhow::Result<()> {
    let tools = checks::optional_list(body, "tools")?;
    if tools.is_empty() {
        for field in ["tools", "tool_choice", "parallel_tool_calls"] {
            ensure!(body[field].is_null(), "`{field}` is only allowed with tools");
        }
    }
    let mut names = BTreeSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let place = format!("tools.{at}");
        checks::fields(tool, &place, &["type", "function"])?;
        ensure!(tool["type"] == "function", "{place}: the type must be function");
        let function = &tool["function"];
        checks::fields(function, &place, &["name", "description", "parameters", "strict"])?;
        let name = checks::tool_name(&function["name"], &place)?;
        ensure!(names.insert(name), "{place}: the name `{name}` is not unique");
        ensure!(function["parameters"].is_object(), "{place}: `parameters` must be a schema");
        checks::optional_bool(&function["strict"], &format!("{place}.strict"))?;
    }
    check_choice(body)
}

/// Also for Responses.
pub(super) fn check_choice(body: &Value) -> anyhow::Result<()> {
    checks::optional_bool(&body["parallel_tool_calls"], "parallel_tool_calls")?;
    let choice = &body["tool_choice"];
    if choice["type"] == "function" {
        return Ok(());
    }
    checks::optional_word(choice, "tool_choice", &["auto", "none", "required"])
}

fn check_response_format(format: &Value) -> anyhow::Result<()> {
    if format.is_null() {
        return Ok(());
    }
    let place = "response_format";
    if format["type"] != "json_schema" {
        checks::fields(format, place, &["type"])?;
        ensure!(format["type"] == "text" || format["type"] == "json_object", "{place}: the type is unknown");
        return Ok(());
    }
    checks::fields(format, place, &["type", "json_schema"])?;
    let schema = &format["json_schema"];
    checks::fields(schema, place, &["name", "description", "schema", "strict"])?;
    check_named_schema(schema, place)
}

/// A schema with a name. Also for Responses.
pub(super) fn check_named_schema(schema: &Value, place: &str) -> anyhow::Result<()> {
    checks::tool_name(&schema["name"], place)?;
    ensure!(schema["schema"].is_object(), "{place}: `schema` is required");
    checks::optional_bool(&schema["strict"], &format!("{place}: `strict`"))
}

fn check_messages(messages: &[Value]) -> anyhow::Result<()> {
    let mut calls: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let place = format!("messages.{at}");
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            checks::fields(message, &place, &["role", "tool_call_id", "content"])?;
            checks::settle(&mut calls, &message["tool_call_id"], &place)?;
            checks::text(&message["content"], &place, &["text"])?;
            continue;
        }
        ensure!(calls.is_empty(), "{place}: before it, the calls {calls:?} need a `tool` message each");
        match role {
            "system" | "developer" | "user" => {
                checks::fields(message, &place, &["role", "content", "name"])?;
                checks::visible_text(&message["content"], &place, &["text"])?;
            }
            "assistant" => calls = check_assistant(&place, message)?,
            _ => bail!("{place}: the role {} is unknown", message["role"]),
        }
    }
    ensure!(calls.is_empty(), "the calls {calls:?} need a `tool` message each");
    Ok(())
}

/// Returns the IDs of the calls.
fn check_assistant<'a>(place: &str, message: &'a Value) -> anyhow::Result<Vec<&'a str>> {
    checks::fields(message, place, &["role", "content", "refusal", "tool_calls", "name"])?;
    let (content, calls) = (&message["content"], list(&message["tool_calls"]));
    let has_calls = !message["tool_calls"].is_null();
    ensure!(!has_calls || !calls.is_empty(), "{place}: `tool_calls` must not be empty");
    if !content.is_null() {
        checks::text(content, place, &["text", "refusal"])?;
    }
    let says_something = has_calls || content.is_string() || content.is_array();
    ensure!(
        says_something || message["refusal"].is_string(),
        "{place}: `content` or `tool_calls` is required"
    );
    let mut ids = Vec::new();
    for call in calls {
        checks::fields(call, place, &["id", "type", "function"])?;
        ensure!(call["type"] == "function", "{place}: the type of a call must be function");
        let function = &call["function"];
        checks::fields(function, place, &["name", "arguments"])?;
        checks::tool_name(&function["name"], place)?;
        // vLLM parses the arguments of every earlier call, so broken ones fail each further request.
        let arguments = function["arguments"].as_str().unwrap_or_default();
        let parsed = serde_json::from_str::<Value>(arguments);
        ensure!(parsed.is_ok(), "{place}: the arguments {} are not JSON in a string", function["arguments"]);
        let id = call["id"].as_str().unwrap_or_default();
        ensure!(!id.is_empty(), "{place}: every call needs an id");
        ids.push(id);
    }
    Ok(ids)
}

fn body(reply: &Reply) -> Value {
    let draft = &reply.draft;
    let refusal = matches!(draft.end, End::Refusal).then_some("I cannot help with that.");
    let mut message =
        json!({"role": "assistant", "content": draft.text, "refusal": refusal, "annotations": []});
    if !draft.calls.is_empty() {
        let calls = reply.calls().map(|(id, call)| {
            let function = json!({"name": call.name, "arguments": call.arguments()});
            with_id(json!({"type": "function", "function": function}), "id", id)
        });
        message["tool_calls"] = Value::Array(calls.collect());
    }
    let finish_reason = match draft.end {
        End::Cut => "length",
        _ if draft.calls.is_empty() => "stop",
        _ => "tool_calls",
    };
    let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason});
    json!({
        "id": format!("chatcmpl-{:04}", reply.number), "object": "chat.completion", "created": CREATED,
        "model": reply.model, "choices": [choice], "service_tier": "default",
    })
}

fn usage(tokens: &Tokens) -> Value {
    json!({
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input.saturating_add(tokens.output),
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": 0},
    })
}

/// Also for Responses.
pub(super) fn failure(failure: &Failure, _: &str) -> Value {
    let message = &failure.message;
    json!({"error": {"message": message, "type": failure.kind, "code": failure.code, "param": null}})
}

/// Also for Responses.
pub(super) fn listed(id: &str) -> Value {
    json!({"id": id, "object": "model", "created": CREATED, "owned_by": "fake"})
}
