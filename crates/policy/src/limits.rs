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
}

/// Requests that wait for a person.
pub mod places {
    /// While fewer requests wait, the inbox needs no turns.
    pub const CALM: i64 = 20;
    /// An opener with fewer requests that wait may use the reserve.
    pub const FEW: i64 = 5;
    /// One part in so many of an organization's places is kept for openers with few requests that wait.
    pub const RESERVE: u32 = 5;
}

/// How long people look at what they approve.
pub mod pace {
    /// The most characters of a short document, and of a medium one.
    pub const SHORT: i32 = 300;
    pub const MEDIUM: i32 = 1_500;
    /// What a quick reader reads in a second; three times as fast as most people.
    pub const CHARACTERS_PER_SECOND: f64 = 60.0;
    /// How many approvals tell a habit.
    pub const ENOUGH: i64 = 5;
}

/// Waiting after denials.
pub mod cool_down {
    use std::time::Duration;

    /// After so many denials it begins.
    pub const DENIALS: usize = 3;
    /// How long the first one lasts; each further one twice as long.
    pub const FIRST: Duration = Duration::from_secs(60);
    /// The longest.
    pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
}
