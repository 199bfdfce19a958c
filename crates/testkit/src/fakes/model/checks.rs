//! Reading and checking JSON, for all wires.

use anyhow::{bail, ensure};
use serde_json::Value;

use super::super::stage::Seen;

/// The longest name of a tool.
const MAX_NAME: usize = 64;
/// The longest text that is quoted in a complaint, in characters.
const MAX_QUOTE: usize = 300;

/// Checks what all wires have in common: JSON, the allowed top-level fields, a model, and no stream.
pub(super) fn envelope(seen: &Seen, allowed: &[&str]) -> anyhow::Result<()> {
    let kind = seen.header("content-type");
    ensure!(kind.starts_with("application/json"), "the content type is {kind:?} instead of application/json");
    fields(&seen.body, "the request", allowed)?;
    ensure!(seen.body["model"].as_str().is_some_and(|model| !model.is_empty()), "`model` is required");
    ensure!(seen.body["stream"] != true, "the fake does not stream");
    Ok(())
}

/// Fails if a value is not an object or has other fields.
pub(super) fn fields(value: &Value, place: &str, allowed: &[&str]) -> anyhow::Result<()> {
    let Some(object) = value.as_object() else { bail!("{place} is not an object") };
    if let Some(unknown) = object.keys().find(|field| !allowed.contains(&field.as_str())) {
        bail!("{place} has the unknown field `{unknown}`")
    }
    Ok(())
}

/// The items of an optional list.
pub(super) fn optional_list<'a>(body: &'a Value, field: &str) -> anyhow::Result<&'a [Value]> {
    let value = &body[field];
    ensure!(value.is_null() || value.is_array(), "`{field}` is not a list");
    Ok(list(value))
}

/// The items of a list that must not be empty.
pub(super) fn required_list<'a>(body: &'a Value, field: &str) -> anyhow::Result<&'a [Value]> {
    let items = optional_list(body, field)?;
    ensure!(!items.is_empty(), "`{field}` is required and must not be empty");
    Ok(items)
}

/// The name of a tool, in a definition or a call.
pub(super) fn tool_name<'a>(value: &'a Value, place: &str) -> anyhow::Result<&'a str> {
    let name = value.as_str().unwrap_or_default();
    ensure!(is_name(name) && name.len() <= MAX_NAME, "{place}: the tool name {value} is invalid");
    Ok(name)
}

/// Whether a text is not empty and has only letters, digits, `_` and `-`.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}

/// Fails unless a value is text: a string, or a list of blocks of these types.
pub(super) fn text(value: &Value, place: &str, types: &[&str]) -> anyhow::Result<()> {
    let is_block = |block: &Value| {
        let is_allowed = block["type"].as_str().is_some_and(|kind| types.contains(&kind));
        is_allowed && (block["text"].is_string() || block["refusal"].is_string())
    };
    let is_text = match value {
        Value::String(_) => true,
        Value::Array(blocks) => blocks.iter().all(is_block),
        _ => false,
    };
    ensure!(is_text, "{place}: the content is neither a string nor a list of {types:?}");
    Ok(())
}

/// Fails unless a value is text that is not blank.
pub(super) fn visible_text(value: &Value, place: &str, types: &[&str]) -> anyhow::Result<()> {
    text(value, place, types)?;
    ensure!(!text_of(value).trim().is_empty(), "{place}: the content is empty");
    Ok(())
}

/// Fails unless a value is missing or one of these strings.
pub(super) fn optional_word(value: &Value, place: &str, words: &[&str]) -> anyhow::Result<()> {
    let is_allowed = value.is_null() || value.as_str().is_some_and(|word| words.contains(&word));
    ensure!(is_allowed, "{place} is {value} instead of one of {words:?}");
    Ok(())
}

/// Fails unless a value is missing or true or false.
pub(super) fn optional_bool(value: &Value, place: &str) -> anyhow::Result<()> {
    ensure!(value.is_null() || value.is_boolean(), "{place} is {value} instead of true or false");
    Ok(())
}

/// Takes the call with this ID off the calls without a result.
pub(super) fn settle(open: &mut Vec<&str>, id: &Value, place: &str) -> anyhow::Result<()> {
    let Some(found) = open.iter().position(|call| id == call) else {
        bail!("{place}: the result belongs to {id}, but the calls without a result are {open:?}")
    };
    open.remove(found);
    Ok(())
}

/// The items of a list; none if it is something else.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The text of a string, or of a list of blocks.
pub(super) fn text_of(content: &Value) -> String {
    match content.as_str() {
        Some(text) => text.to_owned(),
        None => {
            let texts: Vec<&str> = list(content).iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
    }
}

/// The text of all messages with one of these roles.
pub(super) fn text_by(messages: &[Value], roles: &[&str]) -> String {
    let said =
        messages.iter().filter(|message| message["role"].as_str().is_some_and(|it| roles.contains(&it)));
    let texts: Vec<String> = said.map(|message| text_of(&message["content"])).collect();
    texts.join("\n")
}

/// The last text of the user.
pub(super) fn last_user(messages: &[Value]) -> String {
    let said = messages.iter().rev().filter(|message| message["role"] == "user");
    said.map(|message| text_of(&message["content"])).find(|text| !text.is_empty()).unwrap_or_default()
}

/// The names of the tools, by a pointer into each tool; none if the model may not choose any.
pub(super) fn offered(body: &Value, name: &str) -> Vec<String> {
    let choice = &body["tool_choice"];
    if choice == "none" || choice["type"] == "none" {
        return Vec::new();
    }
    let names = list(&body["tools"]).iter().filter_map(|tool| tool.pointer(name)?.as_str());
    names.map(ToOwned::to_owned).collect()
}

/// A text, cut at a length that fits into a complaint.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
