//! Attacks on automations with hostile definitions and templates.

mod attacks;
