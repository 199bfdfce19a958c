//! One tool of a connector: what its server says now, what a person accepted, and the resulting action.

use jiff::Timestamp;
use model::{ActionAddress, ActionDefinition, ActionName, Digest, Drift, EffectClass, Labels, Risk, UserId};

use super::{
    Connector,
    offer::{Offer, without_words},
};

use crate::limits::connector::CALL_TIMEOUT_MS;

/// A tool with its history.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The server's name for the tool.
    pub name: String,
    /// The second part of its address, or why it cannot be called.
    pub action: Result<ActionName, String>,
    /// The offer as it was last seen.
    pub offer: Offer,
    pub shape_hash: String,
    pub text_hash: String,
    pub first_seen_at: Timestamp,
    /// When the server stopped listing it.
    pub gone_at: Option<Timestamp>,
    pub reviewed: Option<Reviewed>,
    /// The risk that a reviewer set. It overrides the server's claims.
    pub risk: Option<Risk>,
    /// The effect class that a reviewer set.
    pub effect: Option<EffectClass>,
    pub note: String,
    /// The address and the authentication of its connector, in one text.
    pub destination: String,
}

/// The version that a person accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    pub offer: Offer,
    pub shape_hash: String,
    pub text_hash: String,
    /// The destination at that time; `None` if it is not known.
    pub destination: Option<String>,
    pub by: UserId,
    pub at: Timestamp,
}

/// A person's review of a tool.
#[derive(Debug, Clone)]
pub struct Review {
    /// The hashes of what the person saw: of shape and destination ([`Tool::seen_hash`]), and of the text.
    pub seen_hash: String,
    pub text_hash: String,
    /// `None` keeps the value that was set before; if there is none, the server's claims now count as accepted.
    pub risk: Option<Risk>,
    /// `None` keeps the value that was set before, if it was set for this shape; otherwise the action is never
    /// repeated.
    pub effect: Option<EffectClass>,
    pub note: String,
    pub by: UserId,
}

impl Tool {
    /// Whether a person has reviewed the tool as it is now.
    pub fn drift(&self) -> Drift {
        match &self.reviewed {
            None => Drift::NeverReviewed,
            Some(reviewed) if reviewed.shape_hash == self.shape_hash && !self.has_moved() => Drift::None,
            Some(_) => Drift::Changed,
        }
    }

    /// Whether the connector's address or authentication is not the one that the reviewer saw.
    pub fn has_moved(&self) -> bool {
        let seen = self.reviewed.as_ref().map(|reviewed| reviewed.destination.as_deref());
        seen.is_some_and(|seen| seen != Some(&self.destination))
    }

    /// The hash of the shape and the destination: what a reviewer sees and confirms.
    pub fn seen_hash(&self) -> String {
        Digest::of_bytes(format!("{} {}", self.shape_hash, self.destination).as_bytes()).to_string()
    }

    /// Whether only its text changed. Agents continue to see the text that was accepted.
    pub fn is_reworded(&self) -> bool {
        self.drift() == Drift::None
            && self.reviewed.as_ref().is_some_and(|reviewed| reviewed.text_hash != self.text_hash)
    }

    /// The risk that a reviewer set, or else the one that the server claims. Until a person has accepted the current
    /// shape, it is at least R2.
    pub fn risk(&self) -> Risk {
        let said = self.risk.unwrap_or_else(|| claimed_risk(&self.offer));
        if self.drift() == Drift::None { said } else { said.max(Risk::R2) }
    }

    /// The action that this tool is for an organization; `None` if it cannot be called.
    pub(crate) fn definition(&self, connector: &Connector) -> Option<ActionDefinition> {
        let action = self.action.as_ref().ok().filter(|_| self.gone_at.is_none())?.clone();
        let drift = self.drift();
        let accepted = self.reviewed.as_ref().map(|reviewed| &reviewed.offer);
        let current = accepted.filter(|_| drift == Drift::None);
        let risk = self.risk();
        let scope = if risk <= Risk::R1 { "read" } else { "write" };
        Some(ActionDefinition {
            description: accepted.map_or_else(
                || {
                    format!(
                        "A tool of the connector `{}` that nobody has reviewed: its own words are not shown, and every \
                         call waits for a person.",
                        connector.slug
                    )
                },
                |accepted| accepted.description.clone(),
            ),
            // The schema that the server has now, without its text unless that was accepted.
            input_schema: current
                .map_or_else(|| without_words(&self.offer.input_schema), |offer| offer.input_schema.clone()),
            output_schema: current.and_then(|offer| offer.output_schema.clone()),
            address: ActionAddress { source: connector.slug.clone(), action },
            risk,
            // The reviewer set it for this shape; nothing is known about another one.
            effect: self.effect.filter(|_| drift == Drift::None).unwrap_or(EffectClass::Once),
            // The parameters are sent to an outside server, and the server can respond with anything.
            labels: Labels { reads_untrusted: true, reads_private: false, sends_out: true },
            recipients: vec![],
            capabilities: vec![format!("{}:{scope}", connector.slug)],
            undo: None,
            verifies: false,
            previews: false,
            needs_connection: connector.auth.secret().is_some(),
            key_fields: vec![],
            timeout_ms: CALL_TIMEOUT_MS,
        })
    }
}

/// The risk that follows from the server's claims. A tool that claims both is destructive, and so is one that claims
/// nothing: that is the protocol's default.
pub(crate) fn claimed_risk(offer: &Offer) -> Risk {
    // Of an HTTP operation we know the method; the server claims nothing.
    let by_method = offer.request.is_some();
    match (offer.hints.destructive, offer.hints.read_only) {
        (Some(true), _) => Risk::R3,
        (_, Some(true)) => Risk::R1,
        (Some(false), _) => Risk::R2,
        (None, _) if by_method => Risk::R2,
        (None, _) => Risk::R3,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::connector::offer::Hints;

    #[test]
    fn a_tool_is_destructive_unless_its_server_says_otherwise() {
        let claimed = |destructive, read_only| {
            let hints = Hints { destructive, read_only, ..Hints::default() };
            let offer = json!({ "name": "x", "input_schema": {} });
            let offer = serde_json::from_value::<Offer>(offer).unwrap();
            claimed_risk(&Offer { hints, ..offer })
        };
        let (yes, no) = (Some(true), Some(false));
        for (destructive, read_only, risk) in [
            (yes, yes, Risk::R3),
            (yes, None, Risk::R3),
            (None, yes, Risk::R1),
            (no, yes, Risk::R1),
            (no, None, Risk::R2),
            (no, no, Risk::R2),
            (None, no, Risk::R3),
            (None, None, Risk::R3),
        ] {
            assert_eq!(claimed(destructive, read_only), risk, "{destructive:?} {read_only:?}");
        }
    }
}
