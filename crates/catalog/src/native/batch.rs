//! The source `batch`: several actions that succeed or fail together.
//!
//! The source itself does nothing. The pipeline decides about the parts together, performs them in order, and undoes
//! them in reverse order if one fails.

use std::borrow::Cow;

use async_trait::async_trait;
use model::{ActionDefinition, Destination, EffectClass, ErrorClass, Labels, Risk, SourceSlug};
use serde_json::json;

use crate::{ActionSource, Call, CallContext, Outcome, SourceError, limits, registry::Error};

const GUIDE: &str = "# batch\n\nSeveral actions that succeed or fail together. `batch.run` takes `parts`, each with an \
`action` and its `params`. Policy decides about all parts together (the strictest mode applies), and people approve \
them together. The parts are executed in order, and undone in reverse order if one fails. The result lists every part: \
`succeeded`, `failed`, `unknown`, `undone`, `not_undone` or `not_begun`.\n";

pub(crate) struct Batch {
    slug: SourceSlug,
    definitions: Vec<ActionDefinition>,
}

impl Batch {
    pub(crate) fn new() -> Result<Self, Error> {
        let definition = ActionDefinition {
            address: "batch.run".parse().map_err(Error::Slug)?,
            description: "Performs several actions in order; if one fails, those before it are undone."
                .to_owned(),
            input_schema: json!({
                "type": "object",
                "required": ["parts"],
                "additionalProperties": false,
                "properties": {
                    "parts": {
                        "description": "What to do, in order.",
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 20,
                        "items": {
                            "type": "object",
                            "required": ["action"],
                            "additionalProperties": false,
                            "properties": {
                                "action": { "type": "string", "description": "`source.action`", "maxLength": 130 },
                                "params": { "type": "object", "description": "As its input schema says." },
                            },
                        },
                    },
                },
            }),
            output_schema: None,
            risk: Risk::R0,
            // The action alone changes nothing; with its parts it has the effect class that follows from them.
            effect: EffectClass::Read,
            labels: Labels::default(),
            recipients: vec![],
            capabilities: vec![],
            undo: Some("the parts that can be undone are undone in reverse when one fails".to_owned()),
            verifies: false,
            previews: false,
            needs_connection: false,
            key_fields: vec![],
            timeout_ms: limits::ACTION_TIMEOUT_MS,
        };
        Ok(Self { slug: "batch".parse().map_err(Error::Slug)?, definitions: vec![definition] })
    }
}

#[async_trait]
impl ActionSource for Batch {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        Destination::NATIVE
    }

    fn guide(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(GUIDE))
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, _: &Call, _: &CallContext) -> Result<Outcome, SourceError> {
        Err(SourceError::not_sent(ErrorClass::Permanent, "a batch is performed part by part"))
    }
}
