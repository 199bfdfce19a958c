//! The session's actions as tools.

use std::sync::Arc;

use model::{ActionAddress, ActionDefinition, EffectClass, Mode, Risk};
use pipeline::AvailableAction;
use rmcp::{
    ErrorData,
    model::{JsonObject, ListToolsResult, MetaObject, Tool, ToolAnnotations},
};
use serde_json::{Value, json};

use super::{
    call,
    names::{LONGEST, name_of, plain},
    visit::{Visit, failed},
};

/// How many tools one page holds. Many clients read the first page only, so it is a long one.
const PAGE: usize = 500;

/// One page: what the session could do now, by name, after the one that the cursor names. What is denied, or whose source
/// nobody connected, is not offered; asking for it all the same is answered, and recorded, by the pipeline.
pub(crate) async fn list(visit: &Visit, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
    if cursor.is_some_and(|cursor| cursor.len() > LONGEST || !cursor.is_ascii()) {
        return Err(ErrorData::invalid_params("`cursor` is the `nextCursor` of an earlier page", None));
    }
    let available = visit.app.pipeline.available(visit.org, visit.session).await.map_err(failed)?;
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

/// The action a tool's name stands for. A name that could be read in two ways is looked up, and stands for nothing if
/// more than one action has it.
pub(crate) async fn address_of(visit: &Visit, name: &str) -> Result<Option<ActionAddress>, pipeline::Error> {
    if let Some(address) = plain(name) {
        return Ok(Some(address));
    }
    let available = visit.app.pipeline.available(visit.org, visit.session).await?;
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
    if found.decision.mode == Mode::RequireApproval {
        description.push_str(
            "\n\nA person must agree to each call; calling asks for it, and the answer takes its time.",
        );
    }
    let mut meta = MetaObject::new();
    meta.0.insert("countersign/action".to_owned(), json!(definition.address));
    meta.0.insert("countersign/risk".to_owned(), json!(definition.risk));
    meta.0.insert("countersign/mode".to_owned(), json!(found.decision.mode));
    // No output schema: clients throw away an answer that does not fit it, and with it the id of what waits. See
    // docs/DECISIONS.md.
    Tool::new(name, description, Arc::new(input_schema(&definition.input_schema)))
        .with_annotations(annotations(definition))
        .with_meta(meta)
}

/// The schema of the parameters; the protocol wants it to say that they are an object.
fn input_schema(schema: &Value) -> JsonObject {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| json!("object"));
    schema
}

/// Hints for clients, from what we or an admin said about the action, never from what its server claims.
fn annotations(definition: &ActionDefinition) -> ToolAnnotations {
    let labels = definition.labels;
    ToolAnnotations::with_title(definition.address.to_string())
        .read_only(definition.risk <= Risk::R1)
        .destructive(definition.risk >= Risk::R3)
        // Each call is an invocation of its own, so a repeat has no further effect only where there is none, or where its
        // key is made from the parameters. That the target honours keys does not help here.
        .idempotent(definition.effect == EffectClass::Read || !definition.key_fields.is_empty())
        .open_world(definition.needs_connection || labels.sends_out || labels.reads_untrusted)
}
