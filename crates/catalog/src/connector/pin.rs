//! Pins the tools that were decided about: a tool may be called only while it is still what it was then.

use std::collections::HashMap;

use model::{ActionName, ErrorClass};

use super::{Offer, Tool};
use crate::SourceError;

/// The tools of one connector, as they were when their actions were created.
pub(crate) struct Pins {
    /// The words for a tool and for its origin, for messages.
    words: (&'static str, &'static str),
    /// The name at the origin and the hash of the shape, by action.
    tools: HashMap<ActionName, (String, String)>,
}

/// One pinned tool.
pub(crate) struct Pin<'a> {
    pub(crate) name: &'a str,
    shape: &'a str,
    what: &'static str,
}

impl Pins {
    /// `words` are for example "tool" and "server".
    pub(crate) fn new(tools: &[Tool], words: (&'static str, &'static str)) -> Self {
        let tools = tools.iter().filter_map(|tool| {
            Some((tool.action.clone().ok()?, (tool.name.clone(), tool.shape_hash.clone())))
        });
        Self { words, tools: tools.collect() }
    }

    /// The tool that an action was created from.
    pub(crate) fn of(&self, action: &ActionName) -> Result<Pin<'_>, SourceError> {
        let (what, whose) = self.words;
        let (name, shape) = self.tools.get(action).ok_or_else(|| {
            SourceError::not_sent(ErrorClass::NotFound, format!("the {whose} no longer has this {what}"))
        })?;
        Ok(Pin { name, shape, what })
    }
}

impl Pin<'_> {
    /// The current offer of the tool, if its shape is still the same.
    pub(crate) fn among<'o>(&self, offers: &'o [Offer]) -> Result<&'o Offer, SourceError> {
        let offer = offers.iter().find(|offer| offer.name == self.name);
        offer
            .filter(|offer| offer.shape().is_ok_and(|now| now.to_string() == self.shape))
            .ok_or_else(|| self.changed())
    }

    /// The error for a tool that is no longer what was decided about.
    pub(crate) fn changed(&self) -> SourceError {
        let message = format!(
            "the {} changed since this was decided; a person must review it before it is called",
            self.what
        );
        SourceError::not_sent(ErrorClass::Conflict, message)
    }
}
