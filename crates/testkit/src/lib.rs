//! What tests share: stand-ins for outside services.
pub mod fakes;
