//! Detectors: what the safety gate looks for in parameters.

use model::ActionDefinition;
use platform::redact::{Redactor, find_hidden_unicode};
use regex::Regex;
use serde_json::Value;

use super::{
    paths,
    recipients::Recipients,
    settings::{Gates, OwnDetector},
};
use crate::facts;

/// A request as detectors see it.
#[derive(Debug, Clone, Copy)]
pub struct Inspected<'a> {
    pub definition: &'a ActionDefinition,
    pub params: &'a Value,
}

/// Looks for one thing in parameters.
pub trait Detector {
    fn name(&self) -> &str;

    /// What was found and where, for people. It goes into receipts, so it repeats nothing of what was found.
    fn finding(&self, of: Inspected<'_>) -> Option<String>;
}

impl Gates {
    /// What all detectors find that find something: whoever releases it should know everything. This is their list, in order.
    pub fn inspect(&self, of: Inspected<'_>, redactor: &Redactor) -> Option<String> {
        let recipients = Recipients(self.allowed.as_ref());
        let built_in: [&dyn Detector; 3] = [&HiddenUnicode, &Credentials(redactor), &recipients];
        let own = self.patterns.iter().map(|pattern| pattern as &dyn Detector);
        let found = built_in.into_iter().chain(own).filter_map(|detector| {
            let found = detector.finding(of)?;
            Some(format!("detector `{}`: {found}", detector.name()))
        });
        let found: Vec<String> = found.collect();
        (!found.is_empty()).then(|| found.join("; "))
    }
}

/// Characters that nobody sees, or that change the direction of a text.
struct HiddenUnicode;

impl Detector for HiddenUnicode {
    fn name(&self) -> &'static str {
        "hidden-unicode"
    }

    fn finding(&self, of: Inspected<'_>) -> Option<String> {
        let (pointer, character) = find_hidden_unicode(of.params)?;
        let code = u32::from(character);
        Some(format!("an invisible or direction-changing character (U+{code:04X}) at `{pointer}`"))
    }
}

/// Credentials, by their format.
struct Credentials<'a>(&'a Redactor);

impl Detector for Credentials<'_> {
    fn name(&self) -> &'static str {
        "credentials"
    }

    fn finding(&self, of: Inspected<'_>) -> Option<String> {
        let kind = self.0.contains_credential(of.params)?;
        Some(format!("something that looks like a credential ({kind})"))
    }
}

/// A pattern of the organization.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) detector: OwnDetector,
    pub(super) pattern: Regex,
}

impl Detector for Pattern {
    fn name(&self) -> &str {
        &self.detector.name
    }

    fn finding(&self, of: Inspected<'_>) -> Option<String> {
        let OwnDetector { of: actions, why, .. } = &self.detector;
        if !actions.is_empty() && !facts::is_of(actions, of.definition) {
            return None;
        }
        let place = paths::first(of.params, &|text| self.pattern.is_match(text))?;
        Some(format!("found at `{place}`: {why}"))
    }
}
