//! Responses, without stored state: every request has the whole conversation.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};
use serde_json::{Value, json};

use super::{
    super::stage::Seen,
    chat,
    checks::{self, list, text_of},
    dialect::{Dialect, NeutralRequest, Reply, Thoughts, Tokens, Wire, with_id},
    script::End,
};

const FIELDS: [&str; 21] = [
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "parallel_tool_calls",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "truncation",
];

const ENCRYPTED: &str = "reasoning.encrypted_content";

pub(super) static DIALECT: Dialect = Dialect {
    wire: Wire::Responses,
    path: "/v1/responses",
    id_header: "x-request-id",
    call_prefix: "call_",
    is_authorized: chat::is_bearer,
    read,
    check,
    thought,
    body,
    usage,
    failure: chat::failure,
    listed: chat::listed,
};

fn kind(item: &Value) -> &str {
    item["type"].as_str().unwrap_or("message")
}

fn is_assistant(item: &Value) -> bool {
    matches!(kind(item), "function_call" | "reasoning") || item["role"] == "assistant"
}

/// The answers in a conversation. Each has one or more items.
fn answers(input: &[Value]) -> impl Iterator<Item = &[Value]> {
    let parts = input.chunk_by(|before, after| is_assistant(before) == is_assistant(after));
    parts.filter(|items| items.first().is_some_and(is_assistant))
}

fn read(body: &Value) -> NeutralRequest {
    let input = list(&body["input"]);
    let system = [text_of(&body["instructions"]), checks::text_by(input, &["system", "developer"])];
    let newest = input.rsplit(is_assistant).next().unwrap_or_default();
    let results = newest.iter().filter(|item| kind(item) == "function_call_output");
    NeutralRequest {
        wire: Wire::Responses,
        model: text_of(&body["model"]),
        system: system.join("\n").trim().to_owned(),
        last_user: body["input"].as_str().map_or_else(|| checks::last_user(input), ToOwned::to_owned),
        results: results.map(|item| text_of(&item["output"])).collect(),
        tools: checks::offered(body, "/name"),
        has_schema: body["text"]["format"]["type"] == "json_schema",
        turns: answers(input).count(),
        max_tokens: body["max_output_tokens"].as_u64(),
    }
}

fn check(seen: &Seen, thoughts: &Thoughts) -> anyhow::Result<()> {
    let body = &seen.body;
    checks::envelope(seen, &FIELDS)?;
    ensure!(body["store"] == false, "`store` must be false");
    let cap = &body["max_output_tokens"];
    ensure!(cap.is_null() || cap.as_u64().is_some_and(|cap| cap > 0), "`max_output_tokens` is invalid");
    ensure!(
        body["instructions"].is_null() || body["instructions"].is_string(),
        "`instructions` is not a string"
    );
    check_tools(body)?;
    check_format(&body["text"])?;
    match &body["input"] {
        Value::String(text) => ensure!(!text.trim().is_empty(), "`input` is empty"),
        _ => check_input(checks::required_list(body, "input")?, thoughts)?,
    }
    Ok(())
}

fn check_tools(body: &Value) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    for (at, tool) in checks::optional_list(body, "tools")?.iter().enumerate() {
        let place = format!("tools.{at}");
        checks::fields(tool, &place, &["type", "name", "description", "parameters", "strict"])?;
        ensure!(tool["type"] == "function", "{place}: the type must be function");
        for field in ["parameters", "strict"] {
            ensure!(tool.get(field).is_some(), "{place}: `{field}` is required");
        }
        let name = checks::tool_name(&tool["name"], &place)?;
        ensure!(names.insert(name), "{place}: the name `{name}` is not unique");
        let parameters = &tool["parameters"];
        ensure!(parameters.is_null() || parameters.is_object(), "{place}: `parameters` must be a schema");
        checks::optional_bool(&tool["strict"], &format!("{place}.strict"))?;
    }
    chat::check_choice(body)
}

fn check_format(text: &Value) -> anyhow::Result<()> {
    if text.is_null() {
        return Ok(());
    }
    checks::fields(text, "text", &["format", "verbosity"])?;
    let (format, place) = (&text["format"], "text.format");
    if format["type"] != "json_schema" {
        return checks::optional_word(&format["type"], "text.format.type", &["text", "json_object"]);
    }
    checks::fields(format, place, &["type", "name", "description", "schema", "strict"])?;
    chat::check_named_schema(format, place)
}

fn check_input(input: &[Value], thoughts: &Thoughts) -> anyhow::Result<()> {
    let mut calls: Vec<&str> = Vec::new();
    for (at, item) in input.iter().enumerate() {
        let place = format!("input.{at}");
        match kind(item) {
            "message" => check_message(item, &place)?,
            "reasoning" => thoughts.check_issued(item)?,
            "function_call" => {
                checks::fields(item, &place, &["type", "id", "call_id", "name", "arguments", "status"])?;
                checks::tool_name(&item["name"], &place)?;
                ensure!(item["arguments"].is_string(), "{place}: `arguments` must be a string");
                let id = item["call_id"].as_str().unwrap_or_default();
                ensure!(!id.is_empty(), "{place}: `call_id` is required");
                calls.push(id);
            }
            "function_call_output" => {
                checks::fields(item, &place, &["type", "id", "call_id", "output", "status"])?;
                checks::settle(&mut calls, &item["call_id"], &place)?;
                checks::text(&item["output"], &place, &["input_text"])?;
            }
            other => bail!("{place}: items of type {other} are not allowed"),
        }
    }
    ensure!(calls.is_empty(), "the calls {calls:?} have no `function_call_output`");
    for items in answers(input) {
        check_thought(items, thoughts)?;
    }
    Ok(())
}

fn check_message(item: &Value, place: &str) -> anyhow::Result<()> {
    checks::fields(item, place, &["type", "id", "role", "content", "status"])?;
    match item["role"].as_str() {
        Some("assistant") => checks::text(&item["content"], place, &["output_text", "refusal"]),
        Some("user" | "system" | "developer") => {
            checks::visible_text(&item["content"], place, &["input_text"])
        }
        _ => bail!("{place}: the role {} is unknown", item["role"]),
    }
}

fn check_thought(answer: &[Value], thoughts: &Thoughts) -> anyhow::Result<()> {
    let first_call = answer.iter().find_map(|item| item["call_id"].as_str());
    let anchor = first_call.map_or_else(|| checks::text_by(answer, &["assistant"]), ToOwned::to_owned);
    let is_first = answer.first().filter(|item| kind(item) == "reasoning");
    thoughts.check_present(&anchor, is_first)
}

fn thought(number: u64, body: &Value) -> anyhow::Result<Option<Value>> {
    let is_included = list(&body["include"]).iter().any(|included| included == ENCRYPTED);
    ensure!(is_included, "without `{ENCRYPTED}` in `include`, reasoning cannot be sent back");
    Ok(Some(json!({
        "type": "reasoning", "id": format!("rs_{number:04}"), "summary": [],
        "encrypted_content": format!("gAAAAAFake{number:06}=="),
    })))
}

fn body(reply: &Reply) -> Value {
    let (draft, number) = (&reply.draft, reply.number);
    let is_cut = matches!(draft.end, End::Cut);
    let status = if is_cut { "incomplete" } else { "completed" };
    let message = |content: Value| {
        let id = format!("msg_{number:04}");
        json!({"type": "message", "id": id, "role": "assistant", "status": status, "content": [content]})
    };
    let mut output: Vec<Value> = reply.thought.iter().cloned().collect();
    if matches!(draft.end, End::Refusal) {
        output.push(message(json!({"type": "refusal", "refusal": "I cannot help with that."})));
    }
    if let Some(text) = &draft.text {
        output.push(message(json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})));
    }
    output.extend(reply.calls().enumerate().map(|(at, (id, call))| {
        let item = json!({
            "type": "function_call", "id": format!("fc_{number:04}_{at}"), "status": status,
            "name": call.name, "arguments": call.arguments(),
        });
        with_id(item, "call_id", id)
    }));
    json!({
        "id": format!("resp_{number:04}"), "object": "response", "created_at": 1_767_225_600, "status": status,
        "error": null, "incomplete_details": is_cut.then(|| json!({"reason": "max_output_tokens"})),
        "model": reply.model, "output": output, "store": false, "previous_response_id": null,
    })
}

fn usage(tokens: &Tokens) -> Value {
    json!({
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cached},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens.input.saturating_add(tokens.output),
    })
}
