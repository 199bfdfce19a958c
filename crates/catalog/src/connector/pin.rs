//! What was decided about: a tool may be called only while it still is what it was then.

use std::collections::HashMap;

use model::{ActionName, ErrorClass};

use super::{Offer, Tool};
use crate::SourceError;

/// The tools of one connector, as they were when an action was made of each.
pub(crate) struct Pins {
    /// What their origin calls them, and what it is itself: for messages.
    words: (&'static str, &'static str),
    /// What each action is called there, and its shape.
    tools: HashMap<ActionName, (String, String)>,
}

/// One of them.
pub(crate) struct Pin<'a> {
    pub(crate) name: &'a str,
    shape: &'a str,
    what: &'static str,
}

impl Pins {
    /// `words` are such as "tool" and "server".
    pub(crate) fn new(tools: &[Tool], words: (&'static str, &'static str)) -> Self {
        let tools = tools.iter().filter_map(|tool| {
            Some((tool.action.clone().ok()?, (tool.name.clone(), tool.shape_hash.clone())))
        });
        Self { words, tools: tools.collect() }
    }

    /// The one an action was made of.
    pub(crate) fn of(&self, action: &ActionName) -> Result<Pin<'_>, SourceError> {
        let (what, whose) = self.words;
        let (name, shape) = self.tools.get(action).ok_or_else(|| {
            SourceError::not_sent(ErrorClass::NotFound, format!("the {whose} no longer has this {what}"))
        })?;
        Ok(Pin { name, shape, what })
    }
}

impl Pin<'_> {
    /// It, as it is offered now, if its shape is still the same.
    pub(crate) fn among<'o>(&self, offers: &'o [Offer]) -> Result<&'o Offer, SourceError> {
        let offer = offers.iter().find(|offer| offer.name == self.name);
        offer
            .filter(|offer| offer.shape().is_ok_and(|now| now.to_string() == self.shape))
            .ok_or_else(|| self.changed())
    }

    /// Why it is not called.
    pub(crate) fn changed(&self) -> SourceError {
        let message = format!(
            "the {} changed since this was decided; a person must review it before it is called",
            self.what
        );
        SourceError::not_sent(ErrorClass::Conflict, message)
    }
}
