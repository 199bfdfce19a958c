//! Every limit of policy.

/// Grants and requests for them.
pub mod grants {
    use std::time::Duration;

    /// The most calls one grant allows.
    pub const MOST_CALLS: u32 = 10_000;
    /// The longest a grant lasts.
    pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    /// How long a grant request stays pending.
    pub const REQUEST_WAITS: Duration = Duration::from_secs(24 * 60 * 60);
    /// How long an expired grant is still shown.
    pub const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    /// Maximum number of pending requests of one session.
    pub const MOST_WAITING: i64 = 10;
}
