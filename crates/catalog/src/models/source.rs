//! The source of model calls: one for each provider. A call names its prompt by digest; the bytes are in the call's context.

use std::sync::Arc;

use async_trait::async_trait;
use http::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use model::{ActionDefinition, Destination, Digest, Drift, ErrorClass, SourceSlug};
use platform::egress::Response;
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Model, Parts, Prompt, Provider, Quirks, Reply, Wire, chat, failure, messages, price,
    provider::{PriceBasis, SchemaSupport, source_slug},
    reply::Ids,
    responses, schema,
};
use crate::{
    Action, ActionSource, Call, CallContext, Error, Outcome, Payload, SourceError, connector::Auth, declared,
    limits::models::MOST_ANSWER_BYTES, wire,
};

/// The first part of the address of every provider.
pub const SOURCE: &str = "model";

/// The parameters of a model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallParams {
    pub model: String,
    pub prompt: PromptName,
    pub tools: ToolsName,
    pub format: Format,
    pub max_output_tokens: u64,
}

/// A prompt by its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptName {
    pub digest: Digest,
    pub messages: usize,
    pub bytes: usize,
}

/// Tools by their digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolsName {
    pub digest: Digest,
    pub count: usize,
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any text.
    Text,
    /// JSON that fits the schema of the prompt.
    Schema,
}

/// The parameters of a call with this prompt.
pub fn describe(prompt: &Prompt, parts: &Parts, model: &str, max_output_tokens: u64) -> CallParams {
    CallParams {
        model: model.to_owned(),
        prompt: PromptName { digest: parts.digest, messages: prompt.messages.len(), bytes: parts.bytes },
        tools: ToolsName { digest: parts.tools, count: prompt.tools.len() },
        format: if prompt.schema.is_some() { Format::Schema } else { Format::Text },
        max_output_tokens,
    }
}

/// One question to a model.
pub(super) struct Ask<'a> {
    pub(super) prompt: &'a Prompt,
    pub(super) model: &'a str,
    pub(super) max_output_tokens: u64,
    pub(super) quirks: &'a Quirks,
}

impl Ask<'_> {
    /// The system text; with the schema in words where the server does not take it.
    pub(super) fn system(&self) -> String {
        let told = self.prompt.schema.as_ref().filter(|_| self.wire_schema().is_none());
        match told {
            None => self.prompt.system.clone(),
            Some(schema) => format!(
                "{}\n\nAnswer with one JSON value and nothing else. It must fit this JSON Schema:\n{schema}",
                self.prompt.system
            ),
        }
    }

    /// The schema, if the server takes it.
    pub(super) fn wire_schema(&self) -> Option<Value> {
        let schema =
            self.prompt.schema.as_ref().filter(|_| self.quirks.schema == SchemaSupport::JsonSchema)?;
        schema::for_wire(schema)
    }

    pub(super) fn is_strict(&self) -> bool {
        self.quirks.strict && self.prompt.schema.as_ref().is_some_and(schema::is_closed)
    }
}

/// A provider as a source.
struct ModelSource {
    slug: SourceSlug,
    provider: Provider,
}

/// The action by which a provider is called. An admin added the provider, so nobody has to review it.
pub fn action(provider: &Provider) -> Result<Action, Error> {
    let source = Arc::new(ModelSource { slug: source_slug(), provider: provider.clone() });
    Action::new(source, provider.definition(), Drift::None)
}

#[async_trait]
impl ActionSource for ModelSource {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        let auth = Some(self.provider.auth.to_string());
        Destination { auth, ..declared::destination("model", &self.provider.base_url) }
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &[]
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        let params: CallParams = serde_json::from_value(call.params.clone())
            .map_err(|_| SourceError::invalid("the parameters do not match a model call"))?;
        let prompt = Prompt::assemble(params.prompt.digest, &ctx.payloads).ok_or_else(|| {
            SourceError::not_sent(ErrorClass::NotFound, "the prompt with this digest is not stored any more")
        })?;
        // People and policies decided by these numbers, and money was reserved by them.
        let is_as_told = prompt
            .parts()
            .is_ok_and(|parts| describe(&prompt, &parts, &params.model, params.max_output_tokens) == params);
        if !is_as_told {
            return Err(SourceError::invalid("the parameters do not describe the prompt that they name"));
        }
        let model = self.provider.model(&params.model).ok_or_else(|| {
            SourceError::invalid(format!("`{}` is not a model of this provider", params.model))
        })?;
        let ask = Ask {
            prompt: &prompt,
            model: &model.name,
            max_output_tokens: params.max_output_tokens.min(model.max_output),
            quirks: &self.provider.quirks,
        };
        let reply = send(&self.provider, &ask, ctx).await?;
        self.check_whole(&reply, params.prompt.bytes)?;
        Ok(self.outcome(model, &params, &reply))
    }
}

impl ModelSource {
    /// A server that cuts prompts silently says only by the number of its tokens that it did.
    fn check_whole(&self, reply: &Reply, bytes: usize) -> Result<(), SourceError> {
        let Some(usage) = reply.usage.filter(|_| self.provider.quirks.cuts_prompts) else { return Ok(()) };
        if usage.whole_input().saturating_mul(10) >= Prompt::estimate(bytes).saturating_mul(6) {
            return Ok(());
        }
        let message = format!(
            "the provider read {} tokens of a prompt with about {}: it cut the prompt; give the model a larger context there",
            usage.whole_input(),
            Prompt::estimate(bytes),
        );
        Err(SourceError::sent(ErrorClass::ContextExceeded, message))
    }

    fn outcome(&self, model: &Model, params: &CallParams, reply: &Reply) -> Outcome {
        // It was parsed from JSON, so it can be written as JSON.
        let bytes = serde_json::to_vec(reply).unwrap_or_default();
        let digest = Digest::of_bytes(&bytes);
        let mut output = reply.summary(digest);
        if let Some(fields) = output.as_object_mut() {
            fields.insert("cost".to_owned(), self.cost(model, params, reply));
        }
        Outcome { payload: Some(Payload { digest, bytes }), ..Outcome::new(output) }
    }

    /// What the call cost: what the provider says if it is believed; or by the organization's price of the model that was asked;
    /// or by the dearer one of it and the model that answered. `null` if nobody knows: that is not zero.
    fn cost(&self, asked: &Model, params: &CallParams, reply: &Reply) -> Value {
        let told = |nano: price::Nano, basis: PriceBasis| json!({ "nano_usd": nano, "basis": basis, "price_version": price::version() });
        if let Some(cost) = reply.reported_cost.filter(|_| self.provider.quirks.reports_cost) {
            return told(cost.nano_usd, PriceBasis::Reported);
        }
        let own = self.provider.price_of(&asked.name);
        let answered = reply.model.as_deref().and_then(|name| self.provider.price_of(name));
        let is_own = own.as_ref().is_some_and(|(_, basis)| *basis != PriceBasis::Table);
        let prices = own.into_iter().chain(answered.filter(|_| !is_own));
        let costs = prices.map(|(price, basis)| match reply.usage {
            Some(usage) => (price.cost(&usage), basis),
            None => (
                price.most(Prompt::estimate(params.prompt.bytes), params.max_output_tokens),
                PriceBasis::Assumed,
            ),
        });
        match costs.max_by_key(|(nano, _)| *nano) {
            Some((nano, basis)) => told(nano, basis),
            None => Value::Null,
        }
    }
}

/// Asks a provider once.
pub(super) async fn send(
    provider: &Provider,
    ask: &Ask<'_>,
    ctx: &CallContext,
) -> Result<Reply, SourceError> {
    let egress = ctx.egress.clone().confidential().with_body_cap(MOST_ANSWER_BYTES);
    let ctx = CallContext { egress, ..ctx.clone() };
    let wire = wire::Wire::new(&ctx, &provider.base_url);
    let body = match provider.wire {
        Wire::AnthropicMessages => messages::request(ask),
        Wire::OpenaiChat => chat::request(ask),
        Wire::OpenaiResponses => responses::request(ask),
    };
    let url = wire.url(provider.wire.path())?;
    let response = wire.send(Method::POST, url, headers(provider, &ctx)?, Some(&body)).await?;
    if !response.status.is_success() {
        return Err(failure::of_answer(&wire, &response));
    }
    let answer = wire::json("the provider", &response)?;
    if answer.get("status").and_then(Value::as_str) == Some("failed")
        || answer.get("error").is_some_and(Value::is_object)
    {
        return Err(failure::of_answer(&wire, &response));
    }
    let ids = Ids::of(ask.prompt);
    let reply = match provider.wire {
        Wire::AnthropicMessages => messages::reply(&answer, ids),
        Wire::OpenaiChat => chat::reply(&answer, ids),
        Wire::OpenaiResponses => responses::reply(&answer, ids),
    };
    let mut reply = reply.map_err(|failure::Unreadable| {
        SourceError::sent(ErrorClass::Permanent, "the provider's answer is not a reply of this wire")
    })?;
    reply.request_id = request_id(&response);
    Ok(reply.without_nul())
}

fn headers(provider: &Provider, ctx: &CallContext) -> Result<HeaderMap, SourceError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    if provider.wire == Wire::AnthropicMessages {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    let token = ctx.credential.as_ref().map(|credential| credential.token.expose_secret());
    match (&provider.auth, token) {
        (Auth::None, _) => {}
        (Auth::Header { header, .. }, Some(token)) => {
            let name = HeaderName::try_from(header).map_err(|_| {
                SourceError::not_sent(ErrorClass::Auth, "the header of the credential is invalid")
            })?;
            headers.insert(name, wire::secret_header(token)?);
        }
        (Auth::Bearer { .. } | Auth::OAuth { .. }, Some(token)) => {
            headers.insert(AUTHORIZATION, wire::secret_header(&format!("Bearer {token}"))?);
        }
        (_, None) => {
            let message = "this provider has no credential yet; ask an admin to set its secret";
            return Err(SourceError::not_sent(ErrorClass::Auth, message));
        }
    }
    Ok(headers)
}

fn request_id(response: &Response) -> Option<String> {
    let header = |name: &str| response.headers.get(name)?.to_str().ok();
    let id = header("request-id").or_else(|| header("x-request-id"))?;
    Some(id.chars().filter(char::is_ascii_graphic).take(100).collect())
}
