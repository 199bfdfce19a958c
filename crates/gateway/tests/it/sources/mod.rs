//! Sources: the catalog, connectors, OAuth, OpenAPI.

pub(crate) mod catalog;
pub(crate) mod connectors;
pub(crate) mod oauth;
pub(crate) mod openapi;
mod references;
