//! Sources that call a service with the organization's credential. Each has its own folder, with everything that people
//! need to set it up.
//!
//! To add one: create its folder with an [`Integration`], and list it in [`ALL`].

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

/// The data that people and programs need to set up an integration.
pub struct Integration {
    /// The first part of its addresses, and the provider of its connections.
    pub slug: &'static str,
    /// The name of the service.
    pub title: &'static str,
    /// The URL of the public service.
    pub default_url: &'static str,
    /// The environment variable for another URL, for a self-hosted service.
    pub url_variable: &'static str,
    /// The environment variable in which people usually keep a token of this service.
    pub token_variable: &'static str,
    /// The page on which a token is created.
    pub token_url: &'static str,
    /// Which token to create there, in one or two sentences.
    pub token_hint: &'static str,
    /// Creates the source for a service at this URL.
    pub(crate) source: fn(Url) -> Result<Source, Error>,
}

impl std::fmt::Debug for Integration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.slug)
    }
}

/// The URLs of the integrations' services: the public ones, unless overridden.
#[derive(Debug, Clone, Default)]
pub struct SourceUrls {
    others: BTreeMap<&'static str, Url>,
}

impl SourceUrls {
    /// Overrides the URL of one integration.
    #[must_use]
    pub fn with(mut self, integration: &Integration, url: Url) -> Self {
        self.others.insert(integration.slug, url);
        self
    }

    /// The URL of an integration's service.
    pub fn of(&self, integration: &Integration) -> Url {
        let public = || Url::parse(integration.default_url).expect("a constant URL parses");
        self.others.get(integration.slug).cloned().unwrap_or_else(public)
    }
}

/// The sources of all integrations.
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
