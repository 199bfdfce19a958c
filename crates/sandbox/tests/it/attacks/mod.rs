//! Attacks, each with a control in which its guard is off and the attack succeeds. `abuse/run` counts them.

mod plugin_escape;
