//! The inbox as a screen: read what waits, answer it, see at once when somebody else was faster.
//!
//! Cast: `model` is everything the screen knows and how a key or an answer changes it; `dialog` is the question that is
//! put before anything is sent; `paper` lays a sheet out in lines; `view` draws; `terminal` is the loop with the real
//! terminal and the real gateway. Only the last one does I/O, so the rest is tested on a screen in memory.
//!
//! INVARIANT: an answer is bound to the item its dialog was opened for, whatever the list does meanwhile.

mod dialog;
mod model;
mod paper;
mod terminal;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use paper::{fit, wide, wrap};
pub(crate) use terminal::run;
