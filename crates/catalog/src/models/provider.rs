//! A provider that an organization has added: a server, how it is called, and its models.

use jiff::Timestamp;
use model::{
    ActionAddress, ActionDefinition, ActionName, EffectClass, Labels, ModelProviderId, Risk, SourceSlug,
    UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::{Price, Probed, price, source::SOURCE};
use crate::{connector::Auth, limits::models::TIMEOUT_MS};

/// The form of requests and replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// Anthropic's Messages: also of Bedrock and Azure.
    AnthropicMessages,
    /// Chat Completions: most servers.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AnthropicMessages, Self::OpenaiChat, Self::OpenaiResponses];

    /// The word for it, as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "anthropic_messages",
            Self::OpenaiChat => "openai_chat",
            Self::OpenaiResponses => "openai_responses",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.as_str() == text)
    }

    /// The path below the base URL.
    pub(super) const fn path(self) -> &'static [&'static str] {
        match self {
            Self::AnthropicMessages => &["messages"],
            Self::OpenaiChat => &["chat", "completions"],
            Self::OpenaiResponses => &["responses"],
        }
    }
}

/// The name of the field for the limit of output tokens, on the wire of Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapField {
    /// OpenAI's name.
    MaxCompletionTokens,
    /// The earlier name, which compatible servers use.
    MaxTokens,
}

/// What a server takes to make a model answer in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSupport {
    /// The schema itself.
    JsonSchema,
    /// That the answer must be JSON; the schema is told in words.
    JsonObject,
    /// Nothing; the schema is told in words.
    None,
}

/// How a server differs from others that speak the same wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quirks {
    pub cap_field: CapField,
    pub schema: SchemaSupport,
    /// Whether it can decode strictly by a small schema.
    pub strict: bool,
    /// Whether it is told to cache the prompt.
    pub caches: bool,
    /// Whether it is asked for its reasoning, encrypted, to be given back.
    pub encrypts_reasoning: bool,
    /// Whether what it says a call cost is believed.
    pub reports_cost: bool,
    /// Whether it cuts a prompt that is too long without saying so.
    pub cuts_prompts: bool,
}

impl Quirks {
    /// Those of the vendor whose wire it is.
    pub const fn of(wire: Wire) -> Self {
        Self {
            cap_field: CapField::MaxCompletionTokens,
            schema: SchemaSupport::JsonSchema,
            strict: true,
            caches: matches!(wire, Wire::AnthropicMessages),
            encrypts_reasoning: matches!(wire, Wire::OpenaiResponses),
            reports_cost: false,
            cuts_prompts: false,
        }
    }
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name at the provider.
    pub name: String,
    /// How many tokens it can read and write together.
    pub context: u64,
    /// How many tokens it can write.
    pub max_output: u64,
    /// Prices that come before those of the bundled table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// A provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    pub id: ModelProviderId,
    /// The second part of its address, `model.<slug>`.
    pub slug: ActionName,
    pub wire: Wire,
    /// Where the paths of the wire begin: `https://api.anthropic.com/v1`.
    pub base_url: Url,
    pub auth: Auth,
    pub models: Vec<Model>,
    pub quirks: Quirks,
    /// Whether data that is not public may be sent to it.
    pub may_see_private: bool,
    /// Whether its tokens cost nothing, as on a machine of one's own.
    pub is_free: bool,
    pub enabled: bool,
    /// What it could do when it was saved.
    pub probed: Option<Probed>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

impl Provider {
    /// Scheme, host and port of its calls.
    pub fn origin(&self) -> String {
        self.base_url.origin().ascii_serialization()
    }

    /// One of its models.
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }

    /// `model.<slug>`.
    pub fn address(&self) -> ActionAddress {
        ActionAddress { source: source_slug(), action: self.slug.clone() }
    }

    /// The prices of a model and where they are from; `None` if nobody knows.
    pub fn price_of(&self, name: &str) -> Option<(Price, PriceBasis)> {
        if self.is_free {
            return Some((
                Price { input: 0, output: 0, cache_read: None, cache_write: None, tiers: vec![] },
                PriceBasis::Free,
            ));
        }
        let own = self.model(name).and_then(|model| model.price.clone());
        let own = own.map(|price| (price, PriceBasis::Organization));
        own.or_else(|| price::known(name).map(|known| (known.price(), PriceBasis::Table)))
    }

    /// The models whose own price is below that of the bundled table; of others, those that cost nothing.
    pub fn below_table(&self) -> Vec<&str> {
        let is_below = |model: &&Model| {
            let known = price::known(&model.name).map(price::Known::price);
            let is_below = |own: &Price| match &known {
                Some(known) => own.is_below(known),
                None => own.input == 0 || own.output == 0,
            };
            model.price.as_ref().is_some_and(is_below)
        };
        self.models.iter().filter(is_below).map(|model| model.name.as_str()).collect()
    }

    /// The action by which it is called.
    pub fn definition(&self) -> ActionDefinition {
        let names: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
        ActionDefinition {
            address: self.address(),
            description: format!("Asks a model of `{}` for the next message of a conversation.", self.slug),
            input_schema: input_schema(&names),
            output_schema: None,
            risk: Risk::R1,
            effect: EffectClass::Read,
            // A provider that may not see private data is somebody outside.
            labels: Labels { reads_untrusted: true, reads_private: false, sends_out: !self.may_see_private },
            recipients: vec![],
            capabilities: vec!["model:use".to_owned()],
            undo: None,
            verifies: false,
            previews: false,
            needs_connection: self.auth.secret().is_some(),
            key_fields: vec![],
            timeout_ms: TIMEOUT_MS,
        }
    }
}

/// Where a price is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceBasis {
    /// The provider told what the call cost.
    Reported,
    /// The organization set the price.
    Organization,
    /// The bundled table.
    Table,
    /// The provider is free.
    Free,
    /// The provider did not tell the tokens, so what was reserved counts.
    Assumed,
}

impl PriceBasis {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Organization => "organization",
            Self::Table => "table",
            Self::Free => "free",
            Self::Assumed => "assumed",
        }
    }
}

pub(super) fn source_slug() -> SourceSlug {
    SOURCE.parse().expect("a constant slug is valid")
}

fn input_schema(models: &[&str]) -> Value {
    let digest = json!({ "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" });
    let number = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["model", "prompt", "tools", "format", "max_output_tokens"],
        "properties": {
            "model": { "enum": models },
            "prompt": {
                "description": "What the model is asked, by the digest of its stored parts.",
                "type": "object",
                "additionalProperties": false,
                "required": ["digest", "messages", "bytes"],
                "properties": { "digest": digest, "messages": number, "bytes": number },
            },
            "tools": {
                "type": "object",
                "additionalProperties": false,
                "required": ["digest", "count"],
                "properties": { "digest": digest, "count": number },
            },
            "format": { "enum": ["text", "schema"] },
            "max_output_tokens": { "type": "integer", "minimum": 1, "maximum": u32::MAX },
        },
    })
}
