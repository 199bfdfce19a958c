//! What is known about the servers that people use: data, so that adding one needs a name and a secret.

use super::{CapField, Quirks, SchemaSupport, Wire};

/// A server that people use.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name by which people choose it.
    pub name: &'static str,
    pub title: &'static str,
    pub wire: Wire,
    /// Where its paths begin; empty where each customer has another one.
    pub base_url: &'static str,
    /// The header of its credential, if it is not `Authorization: Bearer`.
    pub header: Option<&'static str>,
    /// Whether it is called with a credential.
    pub needs_secret: bool,
    /// Whether its tokens cost nothing.
    pub is_free: bool,
    pub quirks: Quirks,
    /// What a person has to know, in one sentence.
    pub hint: &'static str,
}

const MESSAGES: Quirks = Quirks::of(Wire::AnthropicMessages);
const CHAT: Quirks = Quirks::of(Wire::OpenaiChat);
const RESPONSES: Quirks = Quirks::of(Wire::OpenaiResponses);
const COMPATIBLE: Quirks = Quirks { cap_field: CapField::MaxTokens, strict: false, ..CHAT };

/// All of them, in the order in which people see them.
pub const PRESETS: [Preset; 9] = [
    Preset {
        name: "anthropic",
        title: "Anthropic",
        wire: Wire::AnthropicMessages,
        base_url: "https://api.anthropic.com/v1",
        header: Some("x-api-key"),
        needs_secret: true,
        is_free: false,
        quirks: MESSAGES,
        hint: "Create an API key in the Anthropic console.",
    },
    Preset {
        name: "openai",
        title: "OpenAI",
        wire: Wire::OpenaiResponses,
        base_url: "https://api.openai.com/v1",
        header: None,
        needs_secret: true,
        is_free: false,
        quirks: RESPONSES,
        hint: "Create an API key of a project on the OpenAI platform.",
    },
    Preset {
        name: "azure",
        title: "Azure OpenAI",
        wire: Wire::OpenaiChat,
        base_url: "",
        header: Some("api-key"),
        needs_secret: true,
        is_free: false,
        quirks: CHAT,
        hint: "The URL is `https://RESOURCE.openai.azure.com/openai/v1`, and a model is the name of a deployment.",
    },
    Preset {
        name: "azure_claude",
        title: "Claude on Azure",
        wire: Wire::AnthropicMessages,
        base_url: "",
        header: Some("x-api-key"),
        needs_secret: true,
        is_free: false,
        quirks: MESSAGES,
        hint: "The URL is `https://RESOURCE.services.ai.azure.com/anthropic/v1`.",
    },
    Preset {
        name: "bedrock",
        title: "Amazon Bedrock",
        wire: Wire::AnthropicMessages,
        base_url: "",
        header: None,
        needs_secret: true,
        is_free: false,
        quirks: Quirks { caches: false, ..MESSAGES },
        hint: "The URL is `https://bedrock-mantle.REGION.api.aws/anthropic/v1`, with a Bedrock API key.",
    },
    Preset {
        name: "openrouter",
        title: "OpenRouter",
        wire: Wire::OpenaiChat,
        base_url: "https://openrouter.ai/api/v1",
        header: None,
        needs_secret: true,
        is_free: false,
        quirks: Quirks { reports_cost: true, cap_field: CapField::MaxTokens, ..CHAT },
        hint: "Its answers say what they cost, which is believed.",
    },
    Preset {
        name: "ollama",
        title: "Ollama",
        wire: Wire::OpenaiChat,
        base_url: "http://127.0.0.1:11434/v1",
        header: None,
        needs_secret: false,
        is_free: true,
        quirks: Quirks { cuts_prompts: true, ..COMPATIBLE },
        hint: "The operator must allow its network (COUNTERSIGN_EGRESS_ALLOW); give the model a context of 32k or more.",
    },
    Preset {
        name: "vllm",
        title: "vLLM",
        wire: Wire::OpenaiChat,
        base_url: "",
        header: None,
        needs_secret: false,
        is_free: true,
        quirks: COMPATIBLE,
        hint: "Start it with --enable-auto-tool-choice and --tool-call-parser, or its models cannot call tools.",
    },
    Preset {
        name: "compatible",
        title: "Another compatible server",
        wire: Wire::OpenaiChat,
        base_url: "",
        header: None,
        needs_secret: false,
        is_free: false,
        quirks: Quirks { schema: SchemaSupport::JsonSchema, ..COMPATIBLE },
        hint: "Any server that speaks Chat Completions.",
    },
];

/// The preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn every_preset_is_complete() {
        for preset in &PRESETS {
            let name = preset.name;
            assert!(preset.hint.ends_with('.') && !preset.title.is_empty(), "{name}");
            assert!(preset.base_url.is_empty() || Url::parse(preset.base_url).is_ok(), "{name}");
            assert!(preset.header.is_none() || preset.needs_secret, "{name}");
            assert!(!preset.is_free || !preset.quirks.reports_cost, "{name}");
        }
    }
}
