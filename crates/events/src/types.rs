//! What the data of each event type of our own looks like: the JSON Schema that is published.

use model::EventType;
use serde_json::{Map, Value, json};

/// JSON Schema 2020-12 with the data of each type under `$defs`, by the type's name.
pub fn schema() -> Value {
    let defs: Map<String, Value> =
        EventType::ALL.iter().map(|one| (one.as_str().to_owned(), data_schema(*one))).collect();
    let known: Vec<Value> = EventType::ALL
        .iter()
        .map(|one| {
            json!({
                "if": { "properties": { "type": { "const": one.as_str() } } },
                "then": { "properties": { "data": { "$ref": format!("#/$defs/{}", one.as_str()) } } },
            })
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Event",
        "description": "A CloudEvent as Countersign tells it. Types that are not named here belong to applications.",
        "type": "object",
        "required": ["specversion", "id", "source", "type", "time", "eventid", "depth", "data"],
        "properties": {
            "specversion": { "const": "1.0" },
            "id": { "type": "string" },
            "source": { "type": "string", "description": "`/countersign`, or the application that published it." },
            "type": { "type": "string" },
            "subject": { "type": "string", "description": "What it is about, for example an invocation's id." },
            "time": { "type": "string", "format": "date-time" },
            "datacontenttype": { "const": "application/json" },
            "eventid": { "type": "string", "description": "Our id of it, whoever named it." },
            "depth": { "type": "integer", "description": "How many events one after the other led to it." },
            "originchain": { "type": "string", "description": "The automations on the way, with commas between." },
            "space": { "type": "string" },
            "session": { "type": "string" },
        },
        "allOf": known,
        "$defs": defs,
    })
}

/// The schema of one type's data.
fn data_schema(event_type: EventType) -> Value {
    let id = json!({ "type": "string" });
    let status = json!({ "type": "string", "description": "How the invocation ended." });
    let (required, rest) = match event_type {
        EventType::ApprovalRequested => (
            json!({ "invocation": id, "action": id, "risk": { "type": "string" }, "agent": { "type": "string" } }),
            json!({ "expires_at": { "type": ["string", "null"], "format": "date-time" } }),
        ),
        EventType::ApprovalGiven => {
            (json!({ "invocation": id, "action": id, "votes": { "type": "integer" } }), json!({}))
        }
        EventType::ActionExpired
        | EventType::ActionReconciled
        | EventType::ActionDenied
        | EventType::ActionQuarantined
        | EventType::ActionExecuted => (
            json!({ "invocation": id, "receipt": id, "action": id, "status": status }),
            json!({ "error": { "type": ["string", "null"], "description": "The class of what went wrong." } }),
        ),
        EventType::GrantRequested => {
            (json!({ "request": id, "action": id, "agent": { "type": "string" } }), json!({}))
        }
        EventType::GrantAnswered => (
            json!({
                "request": id, "action": id, "agent": { "type": "string" },
                "status": { "enum": ["granted", "denied"] }, "by": id,
            }),
            json!({}),
        ),
        EventType::ConnectorHarvested => (
            json!({
                "connector": id, "news": { "type": "integer" }, "drifted": { "type": "integer" },
                "failed": { "type": "boolean" },
            }),
            json!({}),
        ),
        EventType::ConnectorToolDrifted => (
            json!({ "connector": id, "tool": { "type": "string" }, "what": { "type": "string" } }),
            json!({}),
        ),
        EventType::WebhookDisabled | EventType::WebhookTest => {
            (json!({ "webhook": id, "reason": { "type": "string" } }), json!({}))
        }
        EventType::Notification => (
            json!({ "title": { "type": "string" }, "body": { "type": "string" }, "level": { "type": "string" } }),
            json!({}),
        ),
    };
    let names = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut properties = names(&required);
    let required: Vec<String> = properties.keys().cloned().collect();
    properties.extend(names(&rest));
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use super::schema;

    #[test]
    fn the_published_schema_is_the_one_of_this_code() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
        expect_test::expect_file!["../../../schemas/event.schema.json"].assert_eq(&text);
    }
}
