//! HTTP services with an OpenAPI document: their operations become actions.

use async_trait::async_trait;
use model::{ErrorClass, SourceSlug};

use crate::{
    ActionSource, Call, CallContext, Outcome, SourceError,
    connector::{Connector, Tool},
};

/// One connected HTTP service.
pub struct OpenApiSource {
    slug: SourceSlug,
}

impl OpenApiSource {
    /// A service with the operations it is known to have.
    pub(crate) fn new(connector: &Connector, _tools: &[Tool]) -> Self {
        Self { slug: connector.slug.clone() }
    }
}

#[async_trait]
impl ActionSource for OpenApiSource {
    fn slug(&self) -> &SourceSlug {
        &self.slug
    }

    async fn execute(&self, _call: &Call, _ctx: &CallContext) -> Result<Outcome, SourceError> {
        Err(SourceError::not_sent(ErrorClass::Permanent, "not built yet"))
    }
}
