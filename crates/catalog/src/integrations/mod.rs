//! Sources that speak to a service with the org's credential, each in a folder of its own with what people need to set it up.
//!
//! To add one: write its folder with an [`Integration`], and name it in [`ALL`].

pub mod github;
pub mod linear;
pub mod sentry;
pub mod slack;

use std::{collections::BTreeMap, sync::Arc};

use url::Url;

pub use self::{github::GITHUB, linear::LINEAR, sentry::SENTRY, slack::SLACK};
use crate::{ActionSource, registry::Error};

/// Every integration of this build, in the order in which people see them.
pub static ALL: [&Integration; 4] = [&LINEAR, &SLACK, &SENTRY, &GITHUB];

/// A source that is part of the program, for the registry.
pub(crate) type Source = Box<dyn ActionSource>;

/// What people and programs must know to set up an integration.
pub struct Integration {
    /// The first half of its addresses, and the provider of its connections.
    pub slug: &'static str,
    /// The name of the service.
    pub title: &'static str,
    /// Where the public service is.
    pub default_url: &'static str,
    /// The environment variable that names another address, for a self-hosted service.
    pub url_variable: &'static str,
    /// The environment variable in which people usually keep a token of this service.
    pub token_variable: &'static str,
    /// The page on which a token is made.
    pub token_url: &'static str,
    /// Which token to make there, in a sentence or two.
    pub token_hint: &'static str,
    /// The source, for a service at this address.
    pub(crate) source: fn(Url) -> Result<Source, Error>,
}

impl std::fmt::Debug for Integration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.slug)
    }
}

/// Where the integrations find their services: the public ones, unless told otherwise.
#[derive(Debug, Clone, Default)]
pub struct SourceUrls {
    others: BTreeMap<&'static str, Url>,
}

impl SourceUrls {
    /// These addresses, with another one for one integration.
    #[must_use]
    pub fn with(mut self, integration: &Integration, url: Url) -> Self {
        self.others.insert(integration.slug, url);
        self
    }

    /// Where an integration finds its service.
    pub fn of(&self, integration: &Integration) -> Url {
        let public = || Url::parse(integration.default_url).expect("a constant URL parses");
        self.others.get(integration.slug).cloned().unwrap_or_else(public)
    }
}

/// Every integration's source.
pub(crate) fn sources(urls: &SourceUrls) -> impl Iterator<Item = Result<Arc<dyn ActionSource>, Error>> {
    ALL.iter().map(|integration| Ok(Arc::from((integration.source)(urls.of(integration))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_descriptor_is_complete_and_leads_somewhere() {
        for integration in ALL {
            let name = integration.slug;
            assert!(SourceUrls::default().of(integration).has_host(), "{name}");
            assert_eq!(integration.url_variable, format!("COUNTERSIGN_{}_URL", name.to_uppercase()));
            assert!(Url::parse(integration.token_url).is_ok_and(|url| url.scheme() == "https"), "{name}");
            assert!(integration.token_hint.ends_with('.') && !integration.title.is_empty(), "{name}");
            assert!(!integration.token_variable.is_empty(), "{name}");
        }
    }
}
