//! Language models: what one is asked and what it replies, over three wires, and the providers that an organization has added.
//!
//! Parts: a [`Provider`] is a server with its models; a [`Prompt`] is what a model is asked, in no provider's form; a [`Reply`] is
//! what it said. `messages`, `chat` and `responses` write and read the three wires. The differences between servers of one wire
//! are data ([`Quirks`]), and a [`probe`] finds out which of them a server has.
//!
//! INVARIANT: what was decided is what is sent. A call names its prompt by digest, and the source refuses bytes with another one.
//! INVARIANT: a reply is given back to its model as it came: signatures in it break if anything is changed.

mod chat;
mod failure;
mod messages;
mod preset;
mod price;
mod probe;
mod prompt;
mod provider;
mod reply;
mod responses;
mod schema;
mod source;
pub mod store;

pub use preset::{PRESETS, Preset, preset};
pub use price::{Cost, Nano, Price, Tier, known as known_model, version as price_version};
pub use probe::{Probed, probe};
pub use prompt::{Message, Parts, Payloads, Prompt, ToolResult, ToolText, parts_of};
pub use provider::{CapField, Model, PriceBasis, Provider, Quirks, SchemaSupport, Wire};
pub use reply::{Reply, Stop, ToolCall, Usage};
pub use source::{CallParams, Format, PromptName, SOURCE, ToolsName, action, describe};
