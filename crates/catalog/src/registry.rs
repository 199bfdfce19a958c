//! The built-in sources, with every definition loaded, hashed and compiled once.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use model::{ActionAddress, ActionDefinition, CanonicalError, Digest, Drift, SlugError, SourceSlug};
use serde_json::Value;

use crate::{
    ActionSource, FieldError,
    integrations::{self, SourceUrls},
    native::{batch::Batch, data, files},
    schema::{self, Checker},
};

/// Why the catalog cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A name in a definition is invalid.
    #[error("reading the name of a source or an action")]
    Slug(#[source] SlugError),
    /// A schema does not compile.
    #[error("compiling the input schema of `{address}`")]
    Schema {
        address: ActionAddress,
        #[source]
        source: Box<jsonschema::ValidationError<'static>>,
    },
    /// A definition has no canonical form.
    #[error("hashing a definition")]
    Hash(#[source] CanonicalError),
    /// A checkable action has no lookup, or an action of another effect class has one.
    #[error("`{0}` must have a lookup if its effect is checkable, and none otherwise")]
    Lookup(ActionAddress),
    /// Two sources have the same slug, or two actions the same address.
    #[error("`{0}` is defined twice")]
    Duplicate(String),
}

/// One action, ready to be called.
pub struct Action {
    /// The source that performs the action.
    pub source: Arc<dyn ActionSource>,
    pub definition: ActionDefinition,
    /// The hash of the definition. Approvals are bound to it.
    pub hash: Digest,
    /// Whether a person has reviewed the action as it is now. Built-in actions were reviewed with the program.
    pub drift: Drift,
    /// The parts of a batch, in order; empty for every other action.
    pub parts: Vec<Arc<Action>>,
    checker: Arc<Checker>,
}

impl Action {
    /// Compiles and hashes a definition.
    pub fn new(
        source: Arc<dyn ActionSource>,
        definition: ActionDefinition,
        drift: Drift,
    ) -> Result<Self, Error> {
        let checker = schema::compile(&schema::allowing_references(&definition.input_schema))
            .map_err(|source| Error::Schema { address: definition.address.clone(), source })?;
        let hash = definition.hash().map_err(Error::Hash)?;
        Ok(Self { source, definition, hash, drift, parts: vec![], checker: Arc::new(checker) })
    }

    /// Includes a shape in the hash: a change that the definition does not show, for example of the request that a call
    /// becomes, then changes the hash too and invalidates approvals.
    pub(crate) fn pinned(mut self, shape: &str) -> Result<Self, CanonicalError> {
        self.hash = Digest::of_canonical(&(&self.definition, shape))?;
        Ok(self)
    }

    /// Checks parameters against the input schema. The errors never contain a value.
    pub fn validate(&self, params: &Value) -> Result<(), Vec<FieldError>> {
        schema::check(&self.checker, params)
    }

    /// The references to secrets in parameters. One where the schema does not ask for a password is an error.
    pub fn references(&self, params: &Value) -> Result<Vec<schema::Reference>, Vec<FieldError>> {
        schema::references::find(&self.definition.input_schema, params)
    }

    /// This action with parts. The hash covers all of them, so a change of any part changes it.
    pub fn of_parts(
        &self,
        definition: ActionDefinition,
        parts: Vec<Arc<Action>>,
    ) -> Result<Self, CanonicalError> {
        let hashes: Vec<_> = parts.iter().map(|part| part.hash).collect();
        let hash = Digest::of_canonical(&(&definition, hashes))?;
        Ok(Self {
            source: self.source.clone(),
            definition,
            hash,
            parts,
            drift: self.drift,
            checker: self.checker.clone(),
        })
    }
}

/// The built-in sources. Immutable once built, so it is shared without a lock.
#[derive(Default)]
pub struct Registry {
    sources: BTreeMap<SourceSlug, Arc<dyn ActionSource>>,
    actions: BTreeMap<ActionAddress, Arc<Action>>,
}

impl Registry {
    /// A registry with every source that is defined in code.
    pub fn builtin(urls: &SourceUrls) -> Result<Self, Error> {
        let mut registry = Self::default();
        for source in integrations::sources(urls) {
            registry.add(source?)?;
        }
        registry.add(Arc::new(Batch::new()?))?;
        registry.add(Arc::new(data::source()?))?;
        registry.add(Arc::new(files::source()?))?;
        Ok(registry)
    }

    /// Adds a source with all its actions. An existing source or action cannot be replaced.
    pub fn add(&mut self, source: Arc<dyn ActionSource>) -> Result<(), Error> {
        let slug = source.slug().clone();
        if self.sources.contains_key(&slug) {
            return Err(Error::Duplicate(slug.to_string()));
        }
        for definition in source.definitions() {
            let address = definition.address.clone();
            let action = Action::new(source.clone(), definition.clone(), Drift::None)?;
            if address.source != slug || self.actions.contains_key(&address) {
                return Err(Error::Duplicate(address.to_string()));
            }
            self.actions.insert(address, Arc::new(action));
        }
        self.sources.insert(slug, source);
        Ok(())
    }

    /// The action at an address.
    pub fn resolve(&self, address: &ActionAddress) -> Option<Arc<Action>> {
        self.actions.get(address).cloned()
    }

    /// Every action, sorted by address.
    pub fn actions(&self) -> impl Iterator<Item = &Arc<Action>> {
        self.actions.values()
    }

    /// Every source, sorted by slug.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<dyn ActionSource>> {
        self.sources.values()
    }

    /// The text an agent should read before using a source: the written guide, or one generated from the definitions.
    pub fn guide(&self, slug: &SourceSlug) -> Option<String> {
        let source = self.sources.get(slug)?;
        let made = || guide_of(slug, source.definitions().iter());
        Some(source.guide().map_or_else(made, |guide| guide.into_owned()))
    }
}

/// Generates a guide from definitions.
pub(crate) fn guide_of<'a>(
    slug: &SourceSlug,
    definitions: impl Iterator<Item = &'a ActionDefinition>,
) -> String {
    let mut guide = format!("# {slug}\n");
    for definition in definitions {
        // Writing to a string cannot fail.
        let _ = write!(
            guide,
            "\n## `{}`\n\n{} Risk {}.\n",
            definition.address,
            definition.description,
            definition.risk.as_str()
        );
        let properties = definition.input_schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
            let _ = writeln!(guide, "- `{name}`: {about}");
        }
    }
    guide
}
