//! The inbox as a full-screen program: shows pending items, sends answers, and updates when others answer.
//!
//! `model` is the state and how keys and responses change it; `dialog` confirms an answer before it is sent; `layout`
//! arranges details in lines; `view` draws; `terminal` is the loop with the real terminal and gateway. Only `terminal` does
//! I/O, so the rest is tested in memory.
//!
//! INVARIANT: an answer applies to the item its dialog was opened for, even if the list changes meanwhile.

mod dialog;
mod layout;
mod model;
mod terminal;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use layout::{display_width, fit, wrap};
pub(crate) use terminal::run;
