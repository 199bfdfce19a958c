//! What a source can do: addresses, risk, effect class, and the definition that carries them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CanonicalError, Digest};

/// Why a text is not a slug or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SlugError {
    /// A source slug or action name has other characters or another length.
    #[error("use 1 to 64 of a-z, 0-9, `_` and `-`, starting with a letter")]
    Characters,
    /// An address lacks its dot.
    #[error("an address is `source.action`, for example `linear.create_issue`")]
    NoDot,
}

// ASCII only, so that no two slugs can look alike.
fn is_slug(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_lowercase())
        && text.len() <= 64
        && bytes.all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

macro_rules! slugs {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(String);

        impl $name {
            /// The text of it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = SlugError;

            fn from_str(text: &str) -> Result<Self, SlugError> {
                if is_slug(text) { Ok(Self(text.to_owned())) } else { Err(SlugError::Characters) }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

slugs! {
    /// Names a source; unique in the org and never changes.
    SourceSlug;
    /// Names an action within its source.
    ActionName;
}

/// `source.action`. The address never says of what kind the source is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionAddress {
    /// The origin of the action.
    pub source: SourceSlug,
    /// The action within it.
    pub action: ActionName,
}

/// The source whose actions ask language models, one for each provider.
const MODELS: &str = "model";

impl ActionAddress {
    /// Whether it asks a language model.
    pub fn is_model(&self) -> bool {
        self.source.as_str() == MODELS
    }

    /// What a credential is for and what a circuit breaker pauses: the source; of models, each provider by itself.
    pub fn target(&self) -> String {
        if self.is_model() { self.to_string() } else { self.source.to_string() }
    }
}

impl fmt::Display for ActionAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.source, self.action)
    }
}

impl FromStr for ActionAddress {
    type Err = SlugError;

    fn from_str(text: &str) -> Result<Self, SlugError> {
        let (source, action) = text.split_once('.').ok_or(SlugError::NoDot)?;
        Ok(Self { source: source.parse()?, action: action.parse()? })
    }
}

impl Serialize for ActionAddress {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ActionAddress {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// How much can go wrong. Ordered: a higher tier is never treated more leniently than a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Risk {
    /// Computes only.
    R0,
    /// Reads.
    R1,
    /// Writes; can be checked and undone, or is small.
    R2,
    /// Hard to undo.
    R3,
    /// Destructive.
    R4,
}

impl Risk {
    /// Every tier, in order.
    pub const ALL: [Self; 5] = [Self::R0, Self::R1, Self::R2, Self::R3, Self::R4];

    /// The tier as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::R0 => "R0",
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::R3 => "R3",
            Self::R4 => "R4",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == text)
    }
}

/// Whether a repeat is harmless. Said by us or by the operator, never by a remote server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Has no effect; repeat at will.
    Read,
    /// The target honours our idempotency key; a repeat is the same effect.
    Keyed,
    /// `lookup` can tell whether it happened; repeat only after it said no.
    Checkable,
    /// Neither: never repeated once it may have been sent.
    Once,
}

impl EffectClass {
    /// The class as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Keyed => "keyed",
            Self::Checkable => "checkable",
            Self::Once => "once",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Read, Self::Keyed, Self::Checkable, Self::Once]
            .into_iter()
            .find(|class| class.as_str() == text)
    }
}

/// Whether a person has seen the definition as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// Reviewed as it is, or part of this program.
    None,
    /// It changed since it was reviewed.
    Changed,
    /// Nobody ever reviewed it.
    NeverReviewed,
}

/// What kind of data an action touches. MCP clients see part of it as `openWorldHint`; the guardrail
/// `flow` combines it with what was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Labels {
    /// Its result holds text that strangers may have written.
    pub reads_untrusted: bool,
    /// Its result holds data that is not public.
    pub reads_private: bool,
    /// It carries data to somebody outside the org.
    pub sends_out: bool,
}

/// What one action does, takes and gives back. Its hash is part of every approval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionDefinition {
    /// `source.action`.
    pub address: ActionAddress,
    /// One sentence or a few, for agents and approvers.
    pub description: String,
    /// JSON Schema 2020-12 of the parameters.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of the result, where it is known.
    pub output_schema: Option<Value>,
    /// How much can go wrong.
    pub risk: Risk,
    /// Whether a repeat is harmless.
    pub effect: EffectClass,
    /// What kind of data it touches.
    pub labels: Labels,
    /// Where the parameters say who gets what is sent out, as dotted paths: `input.channel`. Empty where nobody knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<String>,
    /// What a session must hold, for example `linear:write`.
    pub capabilities: Vec<String>,
    /// How it is undone, in words for an approver; `None` where it cannot be.
    pub undo: Option<String>,
    /// Whether the source checks after the effect that it took hold.
    pub verifies: bool,
    /// Whether the source can show what would happen.
    pub previews: bool,
    /// Whether an org must have connected the source with a credential first.
    pub needs_connection: bool,
    /// Parameters from which a key is derived when the caller gives none; empty means none is derived.
    pub key_fields: Vec<String>,
    /// How long one try may take.
    pub timeout_ms: u64,
}

impl ActionDefinition {
    /// SHA-256 over the canonical form: two definitions share it only if they are the same in every field.
    pub fn hash(&self) -> Result<Digest, CanonicalError> {
        Digest::of_canonical(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_lower_case_ascii_with_one_dot() {
        assert!("linear.create_issue".parse::<ActionAddress>().is_ok());
        for bad in
            ["linear", "linear.", ".x", "Linear.x", "linear.x.y", "línear.x", "linear.create issue", "1a.b"]
        {
            assert!(bad.parse::<ActionAddress>().is_err(), "{bad}");
        }
    }
}
