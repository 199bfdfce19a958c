//! Declaring actions in code: the definition, the parameters and the functions of an action in one place.
//!
//! `Define::write(…).takes::<P>().execute(f)` declares a complete action. `verify`, `undo`, `preview` and `lookup` add
//! further functions, and the definition that callers see follows from which of them are given.

use std::{future::Future, marker::PhantomData, pin::Pin};

use model::{ActionAddress, ActionDefinition, EffectClass, Labels, Risk, SourceSlug};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::{
    Call, CallContext, Outcome, Preview, SourceError, Undone, Verification, limits, registry::Error,
};

/// The arguments of an action's function besides its parameters.
pub(crate) struct At<'a, S = Url> {
    /// Data shared by all calls of the source: for an integration, the URL of the service.
    pub(crate) service: &'a S,
    pub(crate) ctx: &'a CallContext,
}

impl<S> Clone for At<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for At<'_, S> {}

/// The future that an action's function returns.
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, SourceError>> + Send + 'a>>;

/// An async function of a call and its parameters.
pub(crate) trait Function<'a, S: 'a, P, T>: Send + Sync + 'static {
    fn call(&self, at: At<'a, S>, wanted: P) -> Answer<'a, T>;
}

impl<'a, S, P, T, F, Fut> Function<'a, S, P, T> for F
where
    S: 'a,
    F: Fn(At<'a, S>, P) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, SourceError>> + Send + 'a,
{
    fn call(&self, at: At<'a, S>, wanted: P) -> Answer<'a, T> {
        Box::pin(self(at, wanted))
    }
}

/// An async function of a call, its parameters and its outcome.
pub(crate) trait FunctionAfter<'a, S: 'a, P, T>: Send + Sync + 'static {
    fn call(&self, at: At<'a, S>, wanted: P, done: &'a Outcome) -> Answer<'a, T>;
}

impl<'a, S, P, T, F, Fut> FunctionAfter<'a, S, P, T> for F
where
    S: 'a,
    F: Fn(At<'a, S>, P, &'a Outcome) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, SourceError>> + Send + 'a,
{
    fn call(&self, at: At<'a, S>, wanted: P, done: &'a Outcome) -> Answer<'a, T> {
        Box::pin(self(at, wanted, done))
    }
}

type Erased<S, T> = Box<dyn for<'a> Fn(At<'a, S>, &'a Call) -> Answer<'a, T> + Send + Sync>;
type ErasedAfter<S, T> = Box<dyn for<'a> Fn(At<'a, S>, &'a Call, &'a Outcome) -> Answer<'a, T> + Send + Sync>;

/// The functions of one action, with the type of its parameters erased.
pub(crate) struct Functions<S> {
    pub(crate) execute: Erased<S, Outcome>,
    pub(crate) preview: Option<Erased<S, Preview>>,
    pub(crate) verify: Option<ErasedAfter<S, Verification>>,
    pub(crate) undo: Option<ErasedAfter<S, Undone>>,
    pub(crate) lookup: Option<Erased<S, Option<Outcome>>>,
}

/// The first part of a declaration: what the action is.
#[derive(Debug, Clone)]
pub(crate) struct Define {
    action: &'static str,
    description: &'static str,
    risk: Risk,
    effect: EffectClass,
    labels: Labels,
    recipients: &'static [&'static str],
    capability: Option<&'static str>,
    needs_connection: bool,
}

impl Define {
    /// An action that reads data written by people in the organization or by strangers.
    pub(crate) const fn read(action: &'static str, description: &'static str) -> Self {
        Self {
            action,
            description,
            risk: Risk::R1,
            effect: EffectClass::Read,
            labels: Labels { reads_untrusted: true, reads_private: true, sends_out: false },
            recipients: &[],
            capability: Some("read"),
            needs_connection: true,
        }
    }

    /// An action that changes something.
    pub(crate) const fn write(action: &'static str, effect: EffectClass, description: &'static str) -> Self {
        let labels = Labels { reads_untrusted: false, reads_private: false, sends_out: false };
        let read = Self::read(action, description);
        Self { risk: Risk::R2, effect, labels, capability: Some("write"), ..read }
    }

    pub(crate) const fn risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
        self
    }

    pub(crate) const fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Marks a write as giving back what is at the target, which others may have written.
    pub(crate) const fn gives_back(mut self) -> Self {
        self.labels.reads_untrusted = true;
        self.labels.reads_private = true;
        self
    }

    /// Marks the action as sending data to people or services outside the organization.
    pub(crate) const fn sends_out(mut self) -> Self {
        self.labels.sends_out = true;
        self
    }

    /// The parameters that name who gets it, as dotted paths: `input.channel`.
    pub(crate) const fn recipients(mut self, recipients: &'static [&'static str]) -> Self {
        self.recipients = recipients;
        self
    }

    pub(crate) const fn capability(mut self, capability: Option<&'static str>) -> Self {
        self.capability = capability;
        self
    }

    /// Marks the action as working without a credential.
    pub(crate) const fn native(mut self) -> Self {
        self.needs_connection = false;
        self
    }

    /// Sets the type of the parameters. The input schema is generated from it.
    pub(crate) fn takes<P: JsonSchema>(self) -> Takes<P> {
        let schema = schemars::schema_for!(P).to_value();
        Takes { define: self, schema, params: PhantomData }
    }
}

/// A declaration with its parameters, still without the function that performs the action.
pub(crate) struct Takes<P> {
    define: Define,
    schema: Value,
    params: PhantomData<fn(P)>,
}

impl<P: DeserializeOwned + Send + 'static> Takes<P> {
    /// Sets the function that performs the action.
    pub(crate) fn execute<S, F>(self, execute: F) -> Declared<S, P>
    where
        S: Send + Sync + 'static,
        F: for<'a> Function<'a, S, P, Outcome>,
    {
        let functions =
            Functions { execute: erased(execute), preview: None, verify: None, undo: None, lookup: None };
        Declared { define: self.define, schema: self.schema, undo: None, functions, params: PhantomData }
    }
}

/// A complete action.
pub(crate) struct Declared<S, P> {
    define: Define,
    schema: Value,
    undo: Option<&'static str>,
    functions: Functions<S>,
    params: PhantomData<fn(P)>,
}

impl<S, P> Declared<S, P>
where
    S: Send + Sync + 'static,
    P: DeserializeOwned + Send + 'static,
{
    /// Sets a preview for approvers that needs only the parameters.
    pub(crate) fn describe(mut self, describe: fn(&P) -> Preview) -> Self {
        let preview = boxed(move |_: At<'_, S>, call| {
            let preview = params(call).map(|wanted| describe(&wanted));
            Box::pin(std::future::ready(preview))
        });
        self.functions.preview = Some(preview);
        self
    }

    /// Sets a preview for approvers that has to query the service.
    pub(crate) fn preview<F: for<'a> Function<'a, S, P, Preview>>(mut self, preview: F) -> Self {
        self.functions.preview = Some(erased(preview));
        self
    }

    /// Sets the check whether the effect is as requested.
    pub(crate) fn verify<F: for<'a> FunctionAfter<'a, S, P, Verification>>(mut self, verify: F) -> Self {
        self.functions.verify = Some(erased_after(verify));
        self
    }

    /// Sets the function that undoes the effect; `how` describes the undo to people. Recovery may call it twice.
    pub(crate) fn undo<F: for<'a> FunctionAfter<'a, S, P, Undone>>(
        mut self,
        how: &'static str,
        undo: F,
    ) -> Self {
        self.undo = Some(how);
        self.functions.undo = Some(erased_after(undo));
        self
    }

    /// Sets the function that finds out whether an earlier call with the same idempotency key had its effect; `None`
    /// proves that it had none.
    pub(crate) fn lookup<F: for<'a> Function<'a, S, P, Option<Outcome>>>(mut self, lookup: F) -> Self {
        self.functions.lookup = Some(erased(lookup));
        self
    }

    /// Returns the definition that callers see, and the functions behind it.
    pub(crate) fn finish(self, source: &SourceSlug) -> Result<(ActionDefinition, Functions<S>), Error> {
        let action = self.define.action.parse().map_err(Error::Slug)?;
        let address = ActionAddress { source: source.clone(), action };
        let is_checkable = self.define.effect == EffectClass::Checkable;
        if is_checkable != self.functions.lookup.is_some() {
            return Err(Error::Lookup(address));
        }
        let capabilities = self.define.capability.map(|verb| format!("{source}:{verb}"));
        let definition = ActionDefinition {
            address,
            description: self.define.description.to_owned(),
            input_schema: self.schema,
            output_schema: None,
            risk: self.define.risk,
            effect: self.define.effect,
            labels: self.define.labels,
            recipients: self.define.recipients.iter().map(ToString::to_string).collect(),
            capabilities: capabilities.into_iter().collect(),
            undo: self.undo.map(str::to_owned),
            verifies: self.functions.verify.is_some(),
            previews: self.functions.preview.is_some(),
            needs_connection: self.define.needs_connection,
            key_fields: Vec::new(),
            timeout_ms: limits::ACTION_TIMEOUT_MS,
        };
        Ok((definition, self.functions))
    }
}

fn erased<S, P, T, F>(function: F) -> Erased<S, T>
where
    S: Send + Sync + 'static,
    P: DeserializeOwned + Send + 'static,
    T: Send + 'static,
    F: for<'a> Function<'a, S, P, T>,
{
    boxed(move |at, call| match params(call) {
        Ok(wanted) => function.call(at, wanted),
        Err(error) => Box::pin(std::future::ready(Err(error))),
    })
}

fn erased_after<S, P, T, F>(function: F) -> ErasedAfter<S, T>
where
    S: Send + Sync + 'static,
    P: DeserializeOwned + Send + 'static,
    T: Send + 'static,
    F: for<'a> FunctionAfter<'a, S, P, T>,
{
    boxed_after(move |at, call, done| match params(call) {
        Ok(wanted) => function.call(at, wanted, done),
        Err(error) => Box::pin(std::future::ready(Err(error))),
    })
}

/// Boxes a closure. The bound makes the compiler infer a closure that is valid for every lifetime.
fn boxed<S, T, F>(function: F) -> Erased<S, T>
where
    F: for<'a> Fn(At<'a, S>, &'a Call) -> Answer<'a, T> + Send + Sync + 'static,
{
    Box::new(function)
}

fn boxed_after<S, T, F>(function: F) -> ErasedAfter<S, T>
where
    F: for<'a> Fn(At<'a, S>, &'a Call, &'a Outcome) -> Answer<'a, T> + Send + Sync + 'static,
{
    Box::new(function)
}

/// Parses the parameters of a call. They have been validated before, but a mismatch is still refused.
fn params<P: DeserializeOwned>(call: &Call) -> Result<P, SourceError> {
    serde_json::from_value(call.params.clone())
        .map_err(|_| SourceError::invalid("the parameters do not match this action"))
}
