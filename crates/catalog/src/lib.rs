//! stub
mod source;
pub use source::*;
