//! Finding out what a server can do, when it is saved: one call of a tool and one answer in a schema. What the server refuses
//! is tried in the next simpler form.

use jiff::Timestamp;
use model::ErrorClass;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    CapField, Message, Model, Prompt, Provider, Quirks, Reply, SchemaSupport, ToolText, Wire,
    source::{Ask, send},
};
use crate::{CallContext, SourceError};

/// Room for a model that thinks before it answers.
const MOST_TOKENS: u64 = 2_048;

/// What a server could do when it was saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probed {
    pub at: Timestamp,
    /// The model that was asked.
    pub model: String,
    pub calls_tools: bool,
    pub answers_in_schema: bool,
    /// Why it could not be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Asks the first model of a provider; returns what it can do, and the quirks it needs.
pub async fn probe(provider: &Provider, ctx: &CallContext, now: Timestamp) -> (Probed, Quirks) {
    let Some(model) = provider.models.first() else {
        let error = Some("the provider has no models".to_owned());
        let nothing =
            Probed { at: now, model: String::new(), calls_tools: false, answers_in_schema: false, error };
        return (nothing, provider.quirks);
    };
    let mut probing = Probing { provider: provider.clone(), model, ctx };
    // One limit for all calls together: a person waits.
    let found = match tokio::time::timeout(ctx.timeout, probing.all()).await {
        Ok(found) => found,
        Err(_) => Err(SourceError::sent(
            ErrorClass::Transient,
            format!("the provider did not answer within {} s", ctx.timeout.as_secs()),
        )),
    };
    if found.is_err() {
        probing.provider.quirks = provider.quirks;
    }
    let (calls_tools, answers_in_schema, error) = match found {
        Ok((tools, schema)) => (tools, schema, None),
        Err(error) => (false, false, Some(error.message)),
    };
    (
        Probed { at: now, model: model.name.clone(), calls_tools, answers_in_schema, error },
        probing.provider.quirks,
    )
}

struct Probing<'a> {
    provider: Provider,
    model: &'a Model,
    ctx: &'a CallContext,
}

impl Probing<'_> {
    async fn all(&mut self) -> Result<(bool, bool), SourceError> {
        let calls_tools = self.tools().await?;
        Ok((calls_tools, self.schema().await?))
    }

    async fn ask(&self, prompt: &Prompt) -> Result<Reply, SourceError> {
        let ask = Ask {
            prompt,
            model: &self.model.name,
            max_output_tokens: MOST_TOKENS.min(self.model.max_output),
            quirks: &self.provider.quirks,
        };
        send(&self.provider, &ask, self.ctx).await
    }

    /// Whether the model calls a tool. A server that cannot be told tools at all refuses; that is an answer too.
    async fn tools(&mut self) -> Result<bool, SourceError> {
        let prompt = with_tool();
        let mut reply = self.ask(&prompt).await;
        if is_refused(&reply) && self.provider.wire == Wire::OpenaiChat {
            let given = self.provider.quirks.cap_field;
            self.provider.quirks.cap_field = match given {
                CapField::MaxCompletionTokens => CapField::MaxTokens,
                CapField::MaxTokens => CapField::MaxCompletionTokens,
            };
            reply = self.ask(&prompt).await;
            if is_refused(&reply) {
                self.provider.quirks.cap_field = given;
            }
        }
        if is_refused(&reply) && (self.provider.quirks.caches || self.provider.quirks.encrypts_reasoning) {
            let given = self.provider.quirks;
            self.provider.quirks.caches = false;
            self.provider.quirks.encrypts_reasoning = false;
            reply = self.ask(&prompt).await;
            if is_refused(&reply) {
                self.provider.quirks = given;
            }
        }
        match reply {
            Ok(reply) => Ok(reply.calls.iter().any(|call| call.name == "note" && call.params.is_some())),
            // The schema is asked without a tool, and says whether it can be used at all.
            Err(error) if error.class == ErrorClass::Invalid => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn schema(&mut self) -> Result<bool, SourceError> {
        let given = self.provider.quirks;
        let forms = [(given.schema, given.strict), (given.schema, false), (SchemaSupport::JsonObject, false)];
        for (schema, strict) in forms {
            self.provider.quirks.schema = schema;
            self.provider.quirks.strict = strict;
            let reply = self.ask(&in_schema()).await;
            if !is_refused(&reply) {
                return Ok(fits(&reply?));
            }
        }
        self.provider.quirks.schema = SchemaSupport::None;
        Ok(fits(&self.ask(&in_schema()).await?))
    }
}

fn is_refused(reply: &Result<Reply, SourceError>) -> bool {
    matches!(reply, Err(error) if error.class == ErrorClass::Invalid)
}

fn word() -> Value {
    json!({
        "type": "object",
        "properties": { "word": { "type": "string", "description": "One word." } },
        "required": ["word"],
        "additionalProperties": false,
    })
}

fn with_tool() -> Prompt {
    Prompt {
        system: "You test a connection. Use the tool.".to_owned(),
        messages: vec![Message::User { text: "Call the tool `note` with the word `ready`.".to_owned() }],
        tools: vec![ToolText {
            name: "note".to_owned(),
            description: "Notes a word.".to_owned(),
            schema: word(),
        }],
        ..Prompt::default()
    }
}

fn in_schema() -> Prompt {
    Prompt {
        system: "You test a connection. Answer in JSON.".to_owned(),
        messages: vec![Message::User { text: "Answer with the word `ready`.".to_owned() }],
        schema: Some(word()),
        ..Prompt::default()
    }
}

fn fits(reply: &Reply) -> bool {
    serde_json::from_str::<Value>(&reply.text)
        .is_ok_and(|answer| answer.get("word").is_some_and(Value::is_string))
}
