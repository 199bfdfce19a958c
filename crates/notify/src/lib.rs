//! Notifications: people learn in Slack, where they can answer, and by mail that something waits for them.
//!
//! Flow: event → [`Notify::follow`] (a notice per notifier) → [`Notify::send_due`] (claimed, sent, retried) → a click comes
//! back to [`Notify::receive_click`] → `pipeline::Approvals` → event → the message is updated.
//!
//! INVARIANT: a message shows what is true when it is sent; after a change it is read again, so the last state wins.
//! Not here: what an approval does (`pipeline`), and the inbox (`oversight`).
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable
    )
)]

mod click;
mod delivery;
mod error;
mod mail;
mod message;
mod notices;
mod notifiers;
mod parts;
mod slack;
mod store;

pub use click::Click;
pub use error::Error;
pub use mail::Mail;
pub use notifiers::{Kind, NewNotifier, Notifier, SlackPerson};
pub use parts::{Notify, Outlets, Parts};
