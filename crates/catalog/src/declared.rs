//! A source built from declared actions. Only this module maps the name of a built-in action to its functions.

use std::{borrow::Cow, collections::BTreeMap};

use async_trait::async_trait;
use model::{ActionDefinition, ActionName, Destination, EffectClass, ErrorClass, SourceSlug};
use serde::de::DeserializeOwned;
use url::{Position, Url};

use crate::{
    ActionSource, Call, CallContext, Outcome, Preview, SourceError, Undone, Verification,
    define::{At, Declared, Functions},
    registry::Error,
};

/// The data that the functions of a source share.
pub(crate) trait Service: Send + Sync + 'static {
    /// Where its calls go.
    fn destination(&self) -> Destination;
}

/// A source without data works on this machine.
impl Service for () {
    fn destination(&self) -> Destination {
        Destination::NATIVE
    }
}

/// An integration calls a service at this URL.
impl Service for Url {
    fn destination(&self) -> Destination {
        destination("integration", self)
    }
}

/// A destination with an address.
pub(crate) fn destination(kind: &'static str, url: &Url) -> Destination {
    Destination {
        kind,
        origin: Some(url.origin().ascii_serialization()),
        path: Some(url[Position::BeforePath..Position::AfterQuery].to_owned()),
        ..Destination::NATIVE
    }
}

/// A source defined in code. `S` is the data that its functions share.
pub(crate) struct DeclaredSource<S> {
    slug: SourceSlug,
    guide: Option<&'static str>,
    service: S,
    definitions: Vec<ActionDefinition>,
    functions: BTreeMap<ActionName, Functions<S>>,
}

impl<S: Service> DeclaredSource<S> {
    /// A source without actions.
    pub(crate) fn new(slug: &str, service: S) -> Result<Self, Error> {
        let slug = slug.parse().map_err(Error::Slug)?;
        Ok(Self { slug, guide: None, service, definitions: Vec::new(), functions: BTreeMap::new() })
    }

    /// Sets the guide of the source.
    pub(crate) fn guide(mut self, guide: &'static str) -> Self {
        self.guide = Some(guide);
        self
    }

    /// Adds an action.
    pub(crate) fn with<P>(mut self, declared: Declared<S, P>) -> Result<Self, Error>
    where
        P: DeserializeOwned + Send + 'static,
    {
        let (definition, functions) = declared.finish(&self.slug)?;
        let address = definition.address.clone();
        if self.functions.insert(address.action.clone(), functions).is_some() {
            return Err(Error::Duplicate(address.to_string()));
        }
        self.definitions.push(definition);
        Ok(self)
    }

    fn functions(&self, call: &Call) -> Result<&Functions<S>, SourceError> {
        let unknown = || SourceError::invalid(format!("unknown action `{}.{}`", self.slug, call.action));
        self.functions.get(&call.action).ok_or_else(unknown)
    }

    fn at<'a>(&'a self, ctx: &'a CallContext) -> At<'a, S> {
        At { service: &self.service, ctx }
    }

    /// The error for an action that has no lookup function.
    fn no_lookup(&self, call: &Call) -> SourceError {
        let definition = self.definitions.iter().find(|known| known.address.action == call.action);
        if definition.is_some_and(|known| known.effect == EffectClass::Read) {
            return SourceError::not_sent(ErrorClass::Permanent, "reads are repeated, not looked up");
        }
        let message = format!("`{}.{}` cannot be looked up afterwards", self.slug, call.action);
        SourceError::not_sent(ErrorClass::OutcomeUnknown, message)
    }
}

#[async_trait]
impl<S: Service> ActionSource for DeclaredSource<S> {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    fn destination(&self) -> Destination {
        self.service.destination()
    }

    fn guide(&self) -> Option<Cow<'_, str>> {
        self.guide.map(Cow::Borrowed)
    }

    fn definitions(&self) -> &[ActionDefinition] {
        &self.definitions
    }

    async fn execute(&self, call: &Call, ctx: &CallContext) -> Result<Outcome, SourceError> {
        (self.functions(call)?.execute)(self.at(ctx), call).await
    }

    async fn preview(&self, call: &Call, ctx: &CallContext) -> Result<Option<Preview>, SourceError> {
        match &self.functions(call)?.preview {
            Some(preview) => preview(self.at(ctx), call).await.map(Some),
            None => Ok(None),
        }
    }

    async fn verify(
        &self,
        call: &Call,
        done: &Outcome,
        ctx: &CallContext,
    ) -> Result<Verification, SourceError> {
        match &self.functions(call)?.verify {
            Some(verify) => verify(self.at(ctx), call, done).await,
            None => Ok(Verification::Unchecked),
        }
    }

    async fn rollback(&self, call: &Call, done: &Outcome, ctx: &CallContext) -> Result<Undone, SourceError> {
        match &self.functions(call)?.undo {
            Some(undo) => undo(self.at(ctx), call, done).await,
            None => Ok(Undone::NotPossible(format!("`{}` cannot be undone", call.action))),
        }
    }

    async fn lookup(&self, call: &Call, ctx: &CallContext) -> Result<Option<Outcome>, SourceError> {
        match &self.functions(call)?.lookup {
            Some(lookup) => lookup(self.at(ctx), call).await,
            None => Err(self.no_lookup(call)),
        }
    }
}
