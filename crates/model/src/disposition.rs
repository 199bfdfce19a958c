//! What may be done about an error. Every crate's error answers this; only the gateway turns it into HTTP.

/// How a caller should treat a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// The request itself is wrong; send another one.
    Invalid,
    /// The caller did not prove who it is.
    Unauthenticated,
    /// The caller may not do this.
    Denied,
    /// There is no such thing, or none the caller may know of.
    NotFound,
    /// The request clashes with what is already there.
    Conflict,
    /// It was there, and its time is over.
    Gone,
    /// Too much at once; later it may go through.
    Busy,
    /// Something this process depends on failed; the same request may go through later.
    Retry,
    /// Something outside refused for good.
    Terminal,
    /// Our own mistake.
    Bug,
}
