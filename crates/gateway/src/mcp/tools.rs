//! The session's actions as tools.

use std::sync::Arc;

use model::{
    ActionAddress, ActionDefinition, EffectClass, Mode, Risk,
    tool_name::{LONGEST, name_of, plain},
};
use oversight::AvailableAction;
use pipeline::MAX_REASON_CHARS;
use rmcp::{
    ErrorData,
    model::{JsonObject, ListToolsResult, MetaObject, Tool, ToolAnnotations},
};
use serde_json::{Value, json};

use super::{
    call,
    visit::{Visit, failed},
};

/// Number of tools on a page. Many clients read only the first page, so it is large.
const PAGE: usize = 500;

/// Lists the tools that the session can use now, sorted by name, after the cursor. Denied actions and actions of
/// sources that are not connected are not listed; a call of one is answered, and recorded, by the pipeline.
pub(crate) async fn list(visit: &Visit, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
    if cursor.is_some_and(|cursor| cursor.len() > LONGEST || !cursor.is_ascii()) {
        return Err(ErrorData::invalid_params(
            "`cursor` must be the `nextCursor` of the previous page",
            None,
        ));
    }
    let available = visit.app.oversight.available(visit.org, visit.session).await.map_err(failed)?;
    let connected = |address: &ActionAddress| {
        let source = available.sources.iter().find(|source| source.slug == address.source.as_str());
        source.is_some_and(|source| source.connected)
    };
    let offered = available
        .actions
        .iter()
        .filter(|found| found.decision.mode != Mode::Deny && connected(&found.action.definition.address));
    let mut named: Vec<_> =
        offered.map(|found| (name_of(&found.action.definition.address), Some(found))).collect();
    named.push((call::AWAIT.to_owned(), None));
    named.sort_by(|(one, _), (other, _)| one.cmp(other));
    named.retain(|(name, _)| cursor.is_none_or(|cursor| name.as_str() > cursor));
    let more = named.len() > PAGE;
    named.truncate(PAGE);
    let next = named.last().filter(|_| more).map(|(name, _)| name.clone());
    let tools = named.into_iter().map(|(name, found)| match found {
        Some(found) => tool(name, found),
        None => call::await_tool(),
    });
    let mut page = ListToolsResult::with_all_items(tools.collect());
    page.next_cursor = next;
    Ok(page)
}

/// The action with a tool's name. An ambiguous name is looked up; `None` if several actions have it.
pub(crate) async fn address_of(visit: &Visit, name: &str) -> Result<Option<ActionAddress>, oversight::Error> {
    if let Some(address) = plain(name) {
        return Ok(Some(address));
    }
    let available = visit.app.oversight.available(visit.org, visit.session).await?;
    let mut found = available
        .actions
        .iter()
        .map(|found| &found.action.definition.address)
        .filter(|address| name_of(address) == name);
    Ok(found.next().filter(|_| found.next().is_none()).cloned())
}

fn tool(name: String, found: &AvailableAction) -> Tool {
    let definition = &found.action.definition;
    let mut description = definition.description.clone();
    let mut schema = input_schema(&catalog::allowing_references(&definition.input_schema));
    if is_batch(definition) || found.decision.mode == Mode::RequireApproval {
        add_reason(&mut schema);
    }
    if is_batch(definition) {
        description.push_str("\n\nNeeds a person's approval if one of its actions does.");
    } else if found.decision.mode == Mode::RequireApproval {
        description.push_str(
            "\n\nEach call needs a person's approval. Calling this tool requests it; the answer can take a while.",
        );
    }
    let mut meta = MetaObject::new();
    meta.0.insert("countersign/action".to_owned(), json!(definition.address));
    meta.0.insert("countersign/risk".to_owned(), json!(definition.risk));
    meta.0.insert("countersign/mode".to_owned(), json!(found.decision.mode));
    // No output schema: clients discard a result that does not match it, and with it the ID of a pending invocation.
    // See docs/DECISIONS.md.
    Tool::new(name, description, Arc::new(schema)).with_annotations(annotations(definition)).with_meta(meta)
}

/// The schema of the parameters. The protocol requires `"type": "object"`.
fn input_schema(schema: &Value) -> JsonObject {
    let mut schema = schema.clone();
    forget_headers(&mut schema);
    let mut fields = schema.as_object().cloned().unwrap_or_default();
    fields.entry("type").or_insert_with(|| json!("object"));
    fields
}

/// Adds the argument in which an agent says why it wants the action.
fn add_reason(schema: &mut JsonObject) {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        let said = "Why you want this, in one sentence. The person who approves it reads it.";
        properties.insert(
            call::REASON.to_owned(),
            json!({ "type": "string", "maxLength": MAX_REASON_CHARS, "description": said }),
        );
    }
}

/// A schema may ask clients to repeat an argument in an HTTP header, which proxies may log. Such a request of a
/// connected server is not passed on to clients of the gateway.
fn forget_headers(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // An object here is the schema of a parameter with this name.
            fields.retain(|name, value| name != "x-mcp-header" || value.is_object());
            fields.values_mut().for_each(forget_headers);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_headers),
        _ => {}
    }
}

/// Whether the action is a batch: its own definition is harmless, but its parts may be anything.
fn is_batch(definition: &ActionDefinition) -> bool {
    definition.address.to_string() == "batch.run"
}

/// Hints for clients, derived from the gateway's or the reviewer's classification, never from the claims of the
/// server.
fn annotations(definition: &ActionDefinition) -> ToolAnnotations {
    let labels = definition.labels;
    let hints = ToolAnnotations::with_title(definition.address.to_string());
    if is_batch(definition) {
        return hints.read_only(false).destructive(true).idempotent(false).open_world(true);
    }
    hints
        .read_only(definition.risk <= Risk::R1)
        .destructive(definition.risk >= Risk::R3)
        // Each call is a separate invocation. A repeat has no further effect only if the action has no effect, or if
        // its key is derived from the parameters. Idempotency keys of the target do not help here.
        .idempotent(definition.effect == EffectClass::Read || !definition.key_fields.is_empty())
        .open_world(definition.needs_connection || labels.sends_out || labels.reads_untrusted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(address: &str, risk: Risk, effect: EffectClass) -> [bool; 4] {
        let definition = ActionDefinition {
            address: address.parse().unwrap(),
            description: String::new(),
            input_schema: json!({}),
            output_schema: None,
            risk,
            effect,
            labels: model::Labels::default(),
            recipients: vec![],
            capabilities: vec![],
            undo: None,
            verifies: false,
            previews: false,
            needs_connection: risk > Risk::R0,
            key_fields: vec![],
            timeout_ms: 1,
        };
        let hints = annotations(&definition);
        [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint]
            .map(|hint| hint.expect("every hint is given"))
    }

    #[test]
    fn hints_follow_from_risk_and_a_batch_is_never_called_harmless() {
        let [read, keyed, once] = [EffectClass::Read, EffectClass::Keyed, EffectClass::Once];
        assert_eq!(hints("a.b", Risk::R0, read), [true, false, true, false]);
        assert_eq!(hints("a.b", Risk::R1, read), [true, false, true, true]);
        assert_eq!(hints("a.b", Risk::R2, keyed), [false, false, false, true]);
        assert_eq!(hints("a.b", Risk::R3, once), [false, true, false, true]);
        assert_eq!(hints("a.b", Risk::R4, once), [false, true, false, true]);
        assert_eq!(hints("batch.run", Risk::R0, read), [false, true, false, true]);
    }

    #[test]
    fn schemas_say_that_they_are_objects_and_ask_for_no_headers() {
        let schema = json!({
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "x-mcp-header": { "type": "string" },
                "deep": { "anyOf": [{ "properties": { "key": { "x-mcp-header": 7 } } }] },
            },
            "x-mcp-header": "All",
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "region": { "type": "string" },
                "x-mcp-header": { "type": "string" },
                "deep": { "anyOf": [{ "properties": { "key": {} } }] },
            },
        });
        assert_eq!(Value::Object(input_schema(&schema)), expected);
        assert_eq!(Value::Object(input_schema(&json!(true))), json!({ "type": "object" }));
    }
}
