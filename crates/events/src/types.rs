//! Event types: syntax, selection, and the published JSON Schema of the data of the gateway's own types.

use model::EventType;
use serde_json::{Map, Value, json};

use crate::limits::event::LONGEST;

/// Whether a text is a type: at least two words of lowercase letters, digits and `_`, separated by dots.
pub fn is_type(text: &str) -> bool {
    text.contains('.') && are_words(text)
}

/// Whether a text selects types: one type, or a prefix such as `action.*`.
pub fn is_wanted(text: &str) -> bool {
    text.strip_suffix(".*").map_or_else(|| is_type(text), are_words)
}

/// Whether a type is selected; an empty list selects all.
pub fn is_among(wanted: &[String], event_type: &str) -> bool {
    let is_meant = |wanted: &String| match wanted.strip_suffix('*') {
        Some(beginning) => event_type.starts_with(beginning),
        None => wanted == event_type,
    };
    wanted.is_empty() || wanted.iter().any(is_meant)
}

fn are_words(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    text.len() <= LONGEST && text.split('.').all(is_word)
}

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
        "description": "An event in the CloudEvents format. Other types are published by applications.",
        "type": "object",
        "required": ["specversion", "id", "source", "type", "time", "eventid", "depth", "data"],
        "properties": {
            "specversion": { "const": "1.0" },
            "id": { "type": "string" },
            "source": { "type": "string", "description": "`/countersign`, or the application that published it." },
            "type": { "type": "string" },
            "subject": { "type": "string", "description": "Subject, for example the ID of an invocation." },
            "time": { "type": "string", "format": "date-time" },
            "datacontenttype": { "const": "application/json" },
            "eventid": { "type": "string", "description": "The gateway's own ID of the event." },
            "depth": { "type": "integer", "description": "Number of events in the chain that led to this one." },
            "originchain": { "type": "string", "description": "The automations in that chain, separated by commas." },
            "space": { "type": "string" },
            "session": { "type": "string" },
        },
        "allOf": known,
        "$defs": defs,
    })
}

/// The schema of one type's data.
fn data_schema(event_type: EventType) -> Value {
    let (required, rest) = fields(event_type);
    let names = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut properties = names(&required);
    let required: Vec<String> = properties.keys().cloned().collect();
    properties.extend(names(&rest));
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}

/// What changed, if something is asked again.
fn changed() -> Value {
    let description = "What changed, if it is asked again.";
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

/// Who saw which hidden values, corrected which parameters, or decided about what was quarantined.
fn by_person(event_type: EventType) -> Value {
    let id = json!({ "type": "string" });
    let places = json!({ "type": "array", "items": id, "description": "JSON pointers into the parameters." });
    match event_type {
        EventType::ActionReleased => json!({ "invocation": id, "action": id, "by": id, "released_as": id }),
        EventType::ActionDiscarded => json!({ "invocation": id, "action": id, "by": id, "reason": id }),
        _ => json!({ "invocation": id, "action": id, "by": id, "places": places }),
    }
}

/// The required and the optional fields of a type's data.
fn fields(event_type: EventType) -> (Value, Value) {
    let id = json!({ "type": "string" });
    let status = json!({ "type": "string", "description": "Final status of the invocation." });
    match event_type {
        EventType::ApprovalRequested => (
            json!({ "invocation": id, "action": id, "risk": { "type": "string" }, "agent": { "type": "string" } }),
            json!({ "expires_at": { "type": ["string", "null"], "format": "date-time" }, "changed": changed() }),
        ),
        EventType::ApprovalGiven => {
            (json!({ "invocation": id, "action": id, "votes": { "type": "integer" } }), json!({}))
        }
        EventType::ApprovalRevealed
        | EventType::ActionEdited
        | EventType::ActionReleased
        | EventType::ActionDiscarded => (by_person(event_type), json!({})),
        EventType::ActionExpired
        | EventType::ActionReconciled
        | EventType::ActionDenied
        | EventType::ActionQuarantined
        | EventType::ActionExecuted => (
            json!({ "invocation": id, "receipt": id, "action": id, "status": status }),
            json!({ "error": { "type": ["string", "null"], "description": "Class of the failure." } }),
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
        EventType::RunStarted
        | EventType::RunWaiting
        | EventType::RunSucceeded
        | EventType::RunFailed
        | EventType::RunCancelled => of_run(),
        EventType::PasskeyAdded | EventType::PasskeyRemoved => {
            (json!({ "passkey": id, "user": id, "by": id }), json!({}))
        }
        EventType::OrgChanged
        | EventType::ChangeRecorded
        | EventType::ChangeProposed
        | EventType::ChangeAnswered => of_authority(event_type, &id),
        EventType::Notification => (
            json!({ "title": { "type": "string" }, "body": { "type": "string" }, "level": { "type": "string" } }),
            json!({}),
        ),
    }
}

/// The required and the optional fields about a run.
fn of_run() -> (Value, Value) {
    let id = json!({ "type": "string" });
    (
        json!({
            "run": id, "automation": id, "name": { "type": "string" }, "number": { "type": "integer" },
            "status": { "type": "string" },
        }),
        json!({
            "step": { "type": "string", "description": "The step that is waiting or failed." },
            "invocation": { "type": "string", "description": "The invocation that needs approval." },
            "error": { "type": "string", "description": "Class of the failure." },
        }),
    )
}

/// The fields of events about settings and changes of authority.
fn of_authority(event_type: EventType, id: &Value) -> (Value, Value) {
    match event_type {
        EventType::OrgChanged => {
            (json!({ "by": id, "before": org_settings(), "after": org_settings() }), json!({}))
        }
        EventType::ChangeRecorded => (
            json!({ "id": id, "change": id, "subject": id }),
            json!({ "by": { "type": ["string", "null"], "description": "The person, unless it was the operator." } }),
        ),
        EventType::ChangeProposed => (
            json!({ "id": id, "change": id, "subject": id, "by": id, "loosens": { "type": "string" } }),
            json!({}),
        ),
        _ => (json!({ "id": id, "status": { "type": "string" }, "by": id }), json!({})),
    }
}

/// The settings of an organization.
fn org_settings() -> Value {
    json!({
        "type": "object",
        "required": [
            "approval_quorum", "approval_four_eyes", "approval_passkey", "receipts_kept_days", "legal_hold", "time_zone",
            "loosening", "model_nano_usd_per_day", "model_tokens_per_day",
        ],
        "properties": {
            "approval_quorum": { "type": "integer" },
            "approval_four_eyes": { "type": "boolean" },
            "approval_passkey": { "type": "boolean" },
            "receipts_kept_days": { "type": "integer" },
            "legal_hold": { "type": "boolean" },
            "time_zone": { "type": "string" },
            "model_nano_usd_per_day": { "type": ["integer", "null"] },
            "model_tokens_per_day": { "type": ["integer", "null"] },
            "loosening": { "enum": ["one", "two_people"] },
        },
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_among, is_type, is_wanted, schema};

    #[test]
    fn types_are_words_with_dots_and_a_star_stands_for_all_that_begin_so() {
        for good in ["action.executed", "drive.file_added", "a.b.c2"] {
            assert!(is_type(good) && is_wanted(good), "{good}");
        }
        for bad in ["", "action", "Action.Executed", "a..b", "a.", ".a", "a b.c", "a.2", "a.*.b", "*"] {
            assert!(!is_type(bad) && !is_wanted(bad), "{bad}");
        }
        let wanted = ["action.*".to_owned(), "grant.requested".to_owned()];
        assert!(is_wanted(&wanted[0]) && !is_type(&wanted[0]));
        for (event_type, meant) in [
            ("action.executed", true),
            ("grant.requested", true),
            ("grant.answered", false),
            ("actions.x", false),
        ] {
            assert_eq!(is_among(&wanted, event_type), meant, "{event_type}");
        }
        assert!(is_among(&[], "anything.at_all"));
    }

    #[test]
    fn the_published_schema_is_the_one_of_this_code() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
        expect_test::expect_file!["../../../schemas/event.schema.json"].assert_eq(&text);
    }
}
