//! Guarantees to third parties: vectors that must verify forever, and tampered logs that must be detected.

mod attacks;
mod changes;
mod log;
mod made;
mod passkeys;
mod vectors;
