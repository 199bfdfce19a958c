//! Every limit of the process towards the outside: requests, answers, logs, and how much is redacted.
//!
//! Settings for operators are in [`config::Limits`](crate::config::Limits).

/// Outbound HTTP.
pub mod egress {
    use std::time::Duration;

    /// The largest answer that is read unless the caller says otherwise, in bytes.
    pub const DEFAULT_BODY_CAP: usize = 4 * 1024 * 1024;
    /// The most redirects that are followed.
    pub const MAX_REDIRECTS: usize = 3;
    /// How long connecting may take.
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
    /// How long an unused connection is kept. Shorter than common servers keep one: a request written to a connection that is
    /// just being closed may or may not have arrived.
    pub const IDLE_TIMEOUT: Duration = Duration::from_secs(15);
    /// How long resolving a name may take. A name server that does not answer must not use up the timeout of a call.
    pub const RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);
}

/// Redis.
pub mod redis {
    use std::time::Duration;

    /// How long one call may take.
    ///
    /// Redis answers in less than a millisecond, but this process may be busy. With a shorter time, a flood of requests
    /// could keep this process busy, and then each gateway would count alone.
    pub const CALL_TIMEOUT: Duration = Duration::from_secs(1);
    /// After a failure, how long no call is made, in milliseconds. Then one call checks and the others wait for its result, so
    /// an unavailable Redis delays one request per second, not every one.
    pub const REST_MS: i64 = 1_000;
    /// How many counters a process has of its own, for times when Redis is unavailable. Keys beyond them are counted together.
    pub const MOST_KEYS: usize = 50_000;
}

/// Redaction.
pub mod redact {
    /// A longer text is redacted as a whole where known values are searched: that takes about twenty times its size.
    pub const MAX_KNOWN_TEXT_BYTES: usize = 8 << 20;
    /// How much of the values that callers name as secret is searched for.
    pub const MAX_NAMED_BYTES: usize = 16 << 10;
    /// Shorter values are not searched for: they would blank ordinary words.
    pub const MIN_SECRET_BYTES: usize = 8;
    /// How long a secret must still be once its separators are removed.
    pub const MIN_NEEDLE_BYTES: usize = 6;
    /// How much one call may unpack. Beyond it a compressed run is redacted unseen.
    pub const UNPACK_BYTES: usize = 2 << 20;
    /// How many compressed runs one call may unpack.
    pub const UNPACK_RUNS: usize = 64;
    /// A longer log line is cut; the rest could hold half a secret at the cut.
    pub const MAX_LINE_BYTES: usize = 1 << 20;
}

/// Periods of statistics.
pub mod period {
    /// The longest period that is counted, in days.
    pub const MOST_DAYS: i64 = 92;
}

/// Filters.
pub mod filter {
    /// The most conditions of one filter.
    pub const MOST_CONDITIONS: usize = 64;
    /// The deepest filter.
    pub const DEEPEST: usize = 8;
    /// The longest text in a condition, in bytes.
    pub const LONGEST_TEXT: usize = 1_024;
    /// The longest pattern in a condition, in bytes.
    pub const LONGEST_PATTERN: usize = 256;
    /// The most values in one condition.
    pub const MOST_VALUES: usize = 100;
    /// The most problems that are reported about one filter.
    pub const MOST_COMPLAINTS: usize = 20;
    /// The longest pointer to a problem, in bytes.
    pub const LONGEST_POINTER: usize = 1_024;
    /// How many paths of an event the index covers. An event with more is matched against each filter.
    pub const MOST_PLACES: usize = 2_000;
    /// How many keys one filter may have in the index. A filter with more alternatives is stored by its type alone.
    pub const MOST_KEYS: usize = 128;
}

/// Paths in events.
pub mod path {
    /// The deepest path.
    pub const DEEPEST: usize = 16;
}
