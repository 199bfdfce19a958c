//! What a model is asked. A prompt is stored in parts, each message once, so that a long conversation is not stored again with
//! every turn; its digest is that of the list of the digests of its parts.

use std::collections::HashMap;

use model::Digest;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Stored bytes by their digest.
pub type Payloads = HashMap<Digest, Vec<u8>>;

/// What a model is asked, in no provider's form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prompt {
    /// What the model is for. No data of strangers goes here.
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Vec<ToolText>,
    /// JSON Schema that the answer has to fit.
    pub schema: Option<Value>,
    /// Whether the model has to answer instead of calling one of the tools. They stay, because the conversation speaks of them.
    pub must_answer: bool,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// Text from our side.
    User { text: String },
    /// A reply of the model, in the form of its wire.
    Reply { raw: Value },
    /// The results of all calls of the reply before, in the order of the calls.
    Results { results: Vec<ToolResult> },
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolResult {
    /// The id that the provider gave the call.
    pub id: String,
    pub text: String,
    pub is_error: bool,
}

impl ToolResult {
    /// The text for wires that cannot mark a result as an error.
    pub(super) fn for_wires_without_errors(&self) -> String {
        if self.is_error { format!("Error: {}", self.text) } else { self.text.clone() }
    }
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolText {
    /// At most 64 of `A-Z`, `a-z`, `0-9`, `_` and `-`.
    pub name: String,
    pub description: String,
    pub schema: Value,
}

/// What some provider refuses at the top of a tool's schema.
const NOT_AT_THE_TOP: [&str; 6] = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"];

impl ToolText {
    /// The schema as all providers take it: an object, without alternatives at its top. The call is checked by the whole one.
    pub(super) fn wire_schema(&self) -> Value {
        let mut schema = self.schema.clone();
        let Some(fields) = schema.as_object_mut() else { return json!({ "type": "object" }) };
        for name in NOT_AT_THE_TOP {
            fields.remove(name);
        }
        fields.insert("type".to_owned(), json!("object"));
        schema
    }
}

/// A prompt in its stored parts.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The digest of the list, which names the prompt.
    pub digest: Digest,
    /// The digest of the tools alone.
    pub tools: Digest,
    /// The list and everything in it.
    pub payloads: Payloads,
    /// The size of all parts together.
    pub bytes: usize,
}

/// The list of a prompt's parts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    system: Digest,
    tools: Digest,
    schema: Option<Digest>,
    messages: Vec<Digest>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    must_answer: bool,
}

/// The digests in a stored list.
pub fn parts_of(list: &[u8]) -> Option<Vec<Digest>> {
    let List { system, tools, schema, messages, .. } = serde_json::from_slice(list).ok()?;
    Some([system, tools].into_iter().chain(schema).chain(messages).collect())
}

impl Prompt {
    /// The prompt in parts, for storing.
    pub fn parts(&self) -> serde_json::Result<Parts> {
        let mut payloads = Payloads::new();
        let mut bytes = 0;
        let mut put = |part: Vec<u8>| {
            let digest = Digest::of_bytes(&part);
            bytes += part.len();
            payloads.insert(digest, part);
            digest
        };
        let tools = put(serde_json::to_vec(&self.tools)?);
        let list = List {
            system: put(serde_json::to_vec(&self.system)?),
            tools,
            schema: self.schema.as_ref().map(serde_json::to_vec).transpose()?.map(&mut put),
            messages: (self.messages.iter())
                .map(|message| serde_json::to_vec(message).map(&mut put))
                .collect::<Result<_, _>>()?,
            must_answer: self.must_answer,
        };
        let list = serde_json::to_vec(&list)?;
        let digest = Digest::of_bytes(&list);
        payloads.insert(digest, list);
        Ok(Parts { digest, tools, payloads, bytes })
    }

    /// The prompt with this digest; `None` if a part is missing, or is not what its digest says.
    pub fn assemble(digest: Digest, payloads: &Payloads) -> Option<Self> {
        let List { system, tools, schema, messages, must_answer } = read(digest, payloads)?;
        Some(Self {
            system: read(system, payloads)?,
            tools: read(tools, payloads)?,
            schema: match schema {
                Some(schema) => Some(read(schema, payloads)?),
                None => None,
            },
            messages: messages.into_iter().map(|one| read(one, payloads)).collect::<Option<_>>()?,
            must_answer,
        })
    }

    /// A guess at its tokens, rather too high than too low.
    pub fn estimate(bytes: usize) -> u64 {
        u64::try_from(bytes.div_ceil(3)).unwrap_or(u64::MAX)
    }
}

fn read<T: DeserializeOwned>(digest: Digest, payloads: &Payloads) -> Option<T> {
    let bytes = payloads.get(&digest).filter(|bytes| Digest::of_bytes(bytes) == digest)?;
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt() -> Prompt {
        Prompt {
            system: "Sort issues.".to_owned(),
            messages: vec![
                Message::User { text: "Here are three.".to_owned() },
                Message::Reply { raw: json!([{ "type": "text", "text": "One moment" }]) },
                Message::Results { results: vec![] },
            ],
            tools: vec![],
            schema: Some(json!({ "type": "object" })),
            must_answer: false,
        }
    }

    #[test]
    fn a_tool_is_told_in_a_schema_that_all_providers_take() {
        let tool =
            |schema| ToolText { name: String::new(), description: String::new(), schema }.wire_schema();
        let all = tool(json!({ "properties": { "a": { "anyOf": [] } }, "anyOf": [{ "required": ["a"] }] }));
        assert_eq!(all, json!({ "type": "object", "properties": { "a": { "anyOf": [] } } }));
        assert_eq!(tool(json!(true)), json!({ "type": "object" }));
    }

    #[test]
    fn a_prompt_is_put_together_from_its_parts_and_from_nothing_else() {
        let prompt = prompt();
        let parts = prompt.parts().unwrap();
        assert_eq!(Prompt::assemble(parts.digest, &parts.payloads), Some(prompt.clone()));
        let mut longer = prompt;
        longer.messages.push(Message::User { text: "More.".to_owned() });
        let more = longer.parts().unwrap();
        let new = more.payloads.keys().filter(|digest| !parts.payloads.contains_key(digest)).count();
        assert_eq!(new, 2, "the message and the list");
        for digest in parts_of(&parts.payloads[&parts.digest]).unwrap() {
            let mut damaged = parts.payloads.clone();
            damaged.get_mut(&digest).unwrap().push(b' ');
            assert_eq!(Prompt::assemble(parts.digest, &damaged), None, "changed bytes");
            damaged.remove(&digest);
            assert_eq!(Prompt::assemble(parts.digest, &damaged), None, "missing bytes");
        }
    }
}
