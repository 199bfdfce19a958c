//! Every limit of automations: how much a definition may contain, how often runs may start, how long to wait.
//!
//! Limits on single fields of a definition are in its schema (`definition/`), where authors see them.

/// Definitions and their problems.
pub mod definition {
    /// The most problems that are reported about one definition.
    pub const MOST_PROBLEMS: usize = 50;
    /// The longest text of a problem, in characters. It may repeat names that strangers chose.
    pub const LONGEST_TOLD: usize = 400;
    /// The largest definition, in bytes of JSON.
    pub const MOST_BYTES: usize = 256 * 1024;
    /// The deepest config of a step, in levels.
    pub const DEEPEST: usize = 16;
    /// How much is compared to find a suggestion: for each name, the product of both lengths.
    pub const MOST_COMPARED: usize = 3 << 18;
    /// The longest name that a suggestion is searched for. A longer one was not mistyped.
    pub const LONGEST_ASKED: usize = 130;
    /// The most steps an outlook considers: more than a definition may have.
    pub const MOST_STEPS: usize = 100;
    /// The longest path of an input mapping, in characters.
    pub const LONGEST: usize = 200;
}

/// Inputs of a run.
pub mod inputs {
    /// The largest inputs, in bytes of JSON.
    pub const MOST_BYTES: usize = 256 * 1024;
}

/// Templates of a run.
pub mod template {
    use std::time::Duration;

    use catalog::template::Bounds;

    /// The limits of one template. Most take microseconds; the rest of the time is a reserve for a busy machine.
    pub const BOUNDS: Bounds = Bounds { data: 16 << 20, output: 1 << 20, time: Duration::from_millis(500) };
}

/// Schedules.
pub mod schedule {
    use std::time::Duration;

    use jiff::SignedDuration;

    /// The most schedules of a definition that are described.
    pub const MOST_SCHEDULES: usize = 20;
    /// The longest cron expression, in bytes.
    pub const LONGEST_CRON: usize = 200;
    /// How many of the next times of a schedule are shown.
    pub const SHOWN: usize = 5;
    /// How often a search restarts after a day that its time zone skipped, or after a time that is not due.
    pub const SEARCHES: usize = 8;
    /// A fire that is less late than this is performed late; a later one counts as missed.
    ///
    /// Clocks may be wrong by an hour in either direction: a fire that a slow clock delayed by an hour looks two hours
    /// late to a fast clock, and it may really be late in addition.
    pub const LATE: SignedDuration = SignedDuration::from_hours(3);
    /// How long after its due time a schedule is assumed to have lost its timer.
    pub const LOST_AFTER: Duration = Duration::from_secs(60);
    /// How long a schedule whose automation is stopped waits before it looks again.
    pub const LOOK_AGAIN: Duration = Duration::from_secs(10);
    /// How many schedules one sweep handles. The next sweep finds the rest.
    pub const SWEEP: i32 = 500;
    /// How many due times are visited one by one to find the last one that passed.
    pub const MOST_PASSED: usize = 2_000;
}

/// Starting runs.
pub mod dispatch {
    use std::time::Duration;

    /// How long a run's session may last. It ends with the run.
    pub const SESSION: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    /// The most runs of one automation that may be queued.
    pub const MOST_QUEUED: i64 = 10_000;
    /// How long after it was recorded a run that has not started is submitted again.
    pub const RESUBMIT_AFTER: Duration = Duration::from_secs(10);
    /// The longest run of the fast lane, in milliseconds, without waiting for people.
    pub const FAST_MS: f64 = 10_000.0;
    /// The longest run of the medium lane, in milliseconds, without waiting for people.
    pub const MEDIUM_MS: f64 = 300_000.0;
}

/// Automations that start each other.
pub mod guard {
    use std::time::Duration;

    /// How many runs of an automation its own runs may cause in a minute.
    pub const MOST_A_MINUTE: i64 = 20;
    /// The period of `MOST_A_MINUTE`.
    pub const MINUTE: Duration = Duration::from_secs(60);
    /// How often an automation may occur in its own chain of causes.
    pub const MOST_TIMES: usize = 2;
    /// How long the effects of a run are remembered.
    pub const REMEMBERED: Duration = Duration::from_secs(60 * 60);
    /// The most names of a payload that are compared.
    pub const MOST_NAMED: usize = 256;
    /// The most names of a result that are remembered.
    pub const MOST_MADE: usize = 32;
    /// The deepest place in a payload or result where names are searched.
    pub const DEEPEST: usize = 8;
}

/// Performing runs.
pub mod run {
    use std::time::Duration;

    /// How long one call of the engine goes on. After that the call ends, and the engine calls again.
    pub const PATIENCE: Duration = Duration::from_secs(20);
    /// How long after it should have continued a run is checked.
    pub const LOOK_AFTER: Duration = Duration::from_secs(60);
    /// How long a run that was woken too early waits before it checks again.
    pub const AGAIN: Duration = Duration::from_secs(5);
    /// How long to wait before asking again about an invocation that another process performs.
    pub const UNDER_WAY: Duration = Duration::from_secs(1);
    /// How long a step waits that cannot ask people because too many requests wait already.
    pub const PLACES_TAKEN: Duration = Duration::from_secs(30);
    /// How long a step waits that was stopped, before it looks again.
    pub const STOPPED: Duration = Duration::from_secs(10);
    /// How long a step may take before its start is recorded.
    pub const SOON: Duration = Duration::from_millis(150);
    /// The shortest wait between two attempts of a step.
    pub const SHORTEST: Duration = Duration::from_secs(2);
    /// The longest wait between two attempts of a step.
    pub const LONGEST: Duration = Duration::from_secs(300);
}

/// Steps that a model performs.
pub mod agent {
    use std::time::Duration;

    /// The most turns of a step.
    pub const MOST_TURNS: u8 = 50;
    /// The most output tokens of one answer.
    pub const MOST_OUTPUT_TOKENS: u32 = 16_000;
    /// The fewest output tokens that an answer is asked for with what is left of a budget.
    pub const FEWEST_OUTPUT_TOKENS: u64 = 512;
    /// The budget of a step that says nothing about it.
    pub const USUAL_BUDGET_USD: f64 = 0.5;
    /// The most actions that a model can use in a step.
    pub const MOST_TOOLS: usize = 64;
    /// The most bytes of the goal and the tools together.
    pub const MOST_FIXED_BYTES: usize = 64 << 10;
    /// The most bytes of the context.
    pub const MOST_CONTEXT_BYTES: usize = 512 << 10;
    /// The most calls of one turn that are performed; the others are answered with an error.
    pub const MOST_CALLS: usize = 8;
    /// The most calls that one reply can want. Every one of them needs an answer.
    pub const MOST_WANTED: usize = 64;
    /// How many reads of one turn are performed at the same time.
    pub const AT_ONCE: usize = 4;
    /// The most bytes of a result that the model is shown.
    pub const MOST_RESULT_BYTES: usize = 32 << 10;
    /// The part of the context of a model, in percent, from which the oldest results are cleared.
    pub const CLEAR_FROM: u64 = 70;
    /// How many of the newest messages with results are never cleared.
    pub const NEVER_CLEARED: usize = 3;
    /// How often an answer that does not fit goes back to the model.
    pub const MOST_CORRECTIONS: usize = 2;
    /// The most problems of an answer that the model is told.
    pub const MOST_PROBLEMS: usize = 10;
    /// How often a provider that fails is asked for the same turn.
    pub const MOST_ASKS: i16 = 6;
    /// How often the same failing call is made.
    pub const MOST_SAME_FAILURES: usize = 3;
    /// How often the same denied call is made.
    pub const MOST_SAME_DENIALS: usize = 2;
    /// The first wait before a provider is asked again; it doubles.
    pub const FIRST_WAIT: Duration = Duration::from_secs(2);
    /// The longest wait before a provider is asked again.
    pub const LONGEST_WAIT: Duration = Duration::from_secs(600);
    /// The longest name and id of a call, in characters. Both are from the model.
    pub const LONGEST_NAME: usize = 130;
}

/// Things worth checking in a definition.
pub mod worth {
    use jiff::SignedDuration;

    /// The most that are told.
    pub const MOST_FOUND: usize = 50;
    /// A schedule with less time between two starts is told.
    pub const OFTEN: SignedDuration = SignedDuration::from_mins(15);
}

/// Storing and showing runs.
pub mod keep {
    use std::time::Duration;

    /// How many runs one sweep handles. The next sweep finds the rest.
    pub const SWEEP: i32 = 200;
    /// How long runs are kept.
    pub const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
    /// How many runs are deleted at a time.
    pub const PURGED: i32 = 5_000;
    /// How many of an automation's runs are shown with it.
    pub const RECENT: i64 = 20;
}

/// Authoring in words.
pub(crate) mod authoring {
    use std::time::Duration;

    /// How often the model is asked.
    pub(crate) const MOST_TURNS: u32 = 12;
    /// So many definitions may be proposed that cannot be saved.
    pub(crate) const MOST_ROUNDS: u32 = 4;
    /// Models that it is told of.
    pub(crate) const MOST_MODELS: usize = 20;
    /// So many calls of one reply are answered.
    pub(crate) const MOST_CALLS: usize = 8;
    /// The most that one proposal may cost: 0.25 USD.
    pub(crate) const MOST_NANO_USD: u64 = 250_000_000;
    /// How long one reply may be.
    pub(crate) const MOST_OUTPUT_TOKENS: u64 = 4_000;
    /// How long all its replies may take together.
    pub(crate) const LONGEST: Duration = Duration::from_secs(240);
    /// So many actions are found.
    pub(crate) const MOST_FOUND: usize = 12;
    /// So many problems are told at once.
    pub(crate) const MOST_PROBLEMS: usize = 10;
    /// The most questions, and the most gaps.
    pub(crate) const MOST_SAID: usize = 10;
    /// The most characters of a note, a question or a gap.
    pub(crate) const MOST_NOTES: usize = 1_000;
}
