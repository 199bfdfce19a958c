//! Every limit of events: their size, how many are handled at once, how long they are kept and waited for.

/// Single events.
pub mod event {
    /// The largest data of one event, in bytes of JSON.
    pub const MOST_BYTES: usize = 64 << 10;
    /// The longest type, in characters.
    pub const LONGEST: usize = 200;
    /// Maximum number of events in a chain.
    pub const DEEPEST: u8 = 8;
}

/// Relaying events.
pub mod relay {
    use std::time::Duration;

    /// How many orgs a notice names. Beyond that, every reader checks.
    pub const MOST_NAMED: usize = 100;
    /// How many orgs are relayed at once.
    pub const AT_ONCE: usize = 4;
    /// The first wait for open transactions before checking again.
    pub const FIRST_WAIT: Duration = Duration::from_millis(2);
    /// The longest wait for open transactions before checking again.
    pub const LONGEST_WAIT: Duration = Duration::from_millis(50);
    /// A transaction that is open longer than this is logged.
    pub const LONG: Duration = Duration::from_secs(10);
    /// How long to rest after relaying. Each round costs commits and a dozen round trips, however much it relays, so
    /// under load many events share one; the first after a silence is relayed at once.
    pub const REST: Duration = Duration::from_millis(50);
}

/// Reading events.
pub mod log {
    use std::time::Duration;

    /// The shortest time between two notices to the relay.
    pub const TELL_EVERY: Duration = Duration::from_millis(10);
    /// How long a reader relies on notices. Long, because many readers wait at once and each check queries the
    /// database; after a lost connection every reader checks.
    pub const LOOK_AGAIN: Duration = Duration::from_secs(10);
}

/// Streams in Redis.
pub mod stream {
    /// About how many events a stream holds.
    pub const LENGTH: usize = 1_000;
    /// A stream is deleted when its org had no event for this long, in seconds.
    pub const SILENCE_S: u64 = 24 * 60 * 60;
}

/// Followers, of which one process at a time is active.
pub mod follow {
    use std::time::Duration;

    /// How long a process may be silent before another takes over.
    pub const LEASE: Duration = Duration::from_millis(2_500);
    /// How often an idle process renews its lease, and how often the others check it.
    pub const BEAT: Duration = Duration::from_millis(1_000);
    /// How long a follower pauses after reading. Related events often come a moment later, and each read costs a
    /// commit.
    pub const REST: Duration = Duration::from_millis(200);
    /// How many events are read at once.
    pub const BATCH: usize = 500;
}

/// Consumer groups.
pub mod groups {
    /// How many events of the log are read at once to find those that match a filter.
    pub const LOOKED_AT: usize = 500;
    /// How often a consumer tries to move its group forward.
    pub const TRIES: usize = 20;
    /// The longest error of a consumer that is kept, in characters.
    pub const MOST_ERROR_CHARS: usize = 2_000;
}

/// Webhooks and their deliveries.
pub mod webhooks {
    use std::time::Duration;

    /// The most webhooks of one org.
    pub const MOST_WEBHOOKS: usize = 50;
    /// The most event types one webhook may name.
    pub const MOST_TYPES: usize = 50;
    /// The longest address of a webhook, in bytes.
    pub const LONGEST_URL: usize = 2_000;
    /// How long both secrets sign after a rotation.
    pub const ROTATION: Duration = Duration::from_secs(24 * 60 * 60);
    /// How long an attempt may take before another is made in its place. Longer than any request.
    pub const LEASE: Duration = Duration::from_secs(60);
    /// The shortest wait before checking for deliveries again.
    pub const SOON: Duration = Duration::from_millis(500);
    /// How long no delivery may succeed before a webhook is disabled.
    pub const PATIENCE: Duration = Duration::from_secs(5 * 24 * 60 * 60);
    /// How long deliveries are kept.
    pub const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    /// The length of our secrets. The standard says 24 to 64 bytes.
    pub const SECRET_BYTES: usize = 32;
    /// How far a sender's clock may differ from ours, in seconds.
    pub const TOLERANCE_S: u64 = 5 * 60;
    /// How often a delivery is tried.
    pub const MOST_ATTEMPTS: u8 = 10;
}
