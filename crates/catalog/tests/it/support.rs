//! Helpers shared by the tests of all sources: a context, and a source whose calls are validated first.

use std::{sync::Arc, time::Duration};

use catalog::{
    Action, Call, CallContext, Credential, Outcome, Preview, Registry, SourceError, SourceUrls, Undone,
    Verification, integrations,
};
use model::OrgId;
use platform::egress::{Egress, EgressPolicy};
use serde_json::Value;
use uuid::Uuid;

pub(crate) const TOKEN: &str = "lin_api_0123456789";

/// A context whose HTTP client may reach loopback.
pub(crate) fn context(key: &str) -> CallContext {
    let policy = EgressPolicy { allow: vec!["127.0.0.0/8".parse().unwrap()] };
    CallContext {
        org: OrgId::from_uuid(Uuid::from_u128(1)),
        key: key.parse().unwrap(),
        credential: Some(Credential { token: TOKEN.to_owned().into() }),
        timeout: Duration::from_secs(10),
        egress: Egress::new(policy).unwrap(),
        workspace: None,
        payloads: Default::default(),
    }
}

/// The registry with one service at this URL; the others keep their public URLs.
pub(crate) fn registry(service: &str, url: &str) -> Registry {
    let integration = integrations::ALL.into_iter().find(|known| known.slug == service).unwrap();
    let urls = SourceUrls::default().with(integration, url.parse().unwrap());
    Registry::builtin(&urls).unwrap()
}

/// One action and the parameters of a call, which must match the action's schema.
pub(crate) struct Subject {
    pub(crate) action: Arc<Action>,
    pub(crate) call: Call,
}

impl Subject {
    pub(crate) fn new(registry: &Registry, address: &str, params: Value) -> Self {
        let address: model::ActionAddress = address.parse().unwrap();
        let action = registry.resolve(&address).unwrap_or_else(|| panic!("{address}"));
        assert_eq!(action.validate(&params), Ok(()), "{address}");
        Self { action, call: Call { action: address.action, params } }
    }

    #[expect(clippy::disallowed_methods, reason = "what a source sends is what these tests are about")]
    pub(crate) async fn execute(&self, ctx: &CallContext) -> Result<Outcome, SourceError> {
        self.action.source.execute(&self.call, ctx).await
    }

    pub(crate) async fn lookup(&self, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        self.action.source.lookup(&self.call, ctx).await
    }

    pub(crate) async fn preview(&self, ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        self.action.source.preview(&self.call, ctx).await
    }

    pub(crate) async fn verify(
        &self,
        done: &Outcome,
        ctx: &CallContext,
    ) -> Result<Verification, SourceError> {
        self.action.source.verify(&self.call, done, ctx).await
    }

    pub(crate) async fn rollback(&self, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        self.action.source.rollback(&self.call, done, ctx).await
    }
}

/// The actions of a source, one per line: what people rely on when they write rules.
pub(crate) fn table(source: &str) -> String {
    let registry = Registry::builtin(&SourceUrls::default()).unwrap();
    let own = registry.actions().filter(|action| action.definition.address.source.as_str() == source);
    let line = |action: &Arc<Action>| {
        let it = &action.definition;
        let undo = if it.undo.is_some() { " undo" } else { "" };
        let verifies = if it.verifies { " verifies" } else { "" };
        let previews = if it.previews { " previews" } else { "" };
        let (risk, effect, capability) = (it.risk.as_str(), it.effect.as_str(), it.capabilities.join(" "));
        format!("{} {risk} {effect} [{capability}]{undo}{verifies}{previews}", it.address)
    };
    own.map(line).collect::<Vec<_>>().join("\n")
}
