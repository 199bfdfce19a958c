//! Places where `chaos/run` kills the process, to prove that nothing is lost or doubled there.
//!
//! Without the feature `faults` a point is an empty function: a released binary has no such places.

/// Where a process can be made to die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A person's yes is committed; the engine does not know of it.
    BeforeSubmit,
    /// The request is decided; nothing is recorded.
    BeforeClaim,
    /// The claim is committed; nothing was sent.
    AfterClaim,
    /// The target has answered; nothing about it is recorded.
    AfterAnswer,
    /// A part of a batch was answered; nothing about it is recorded, and the next part is not begun.
    InsideBatch,
    /// The settlement is committed; nobody was told.
    AfterSettle,
    /// A refuted effect is about to be undone, or was just undone, and nothing about it is recorded.
    InsideRollback,
}

impl Point {
    /// The name the harness uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeSubmit => "before-submit",
            Self::BeforeClaim => "before-claim",
            Self::AfterClaim => "after-claim",
            Self::AfterAnswer => "after-answer",
            Self::InsideBatch => "inside-batch",
            Self::AfterSettle => "after-settle",
            Self::InsideRollback => "inside-rollback",
        }
    }
}

/// Dies by SIGKILL if the harness asked for this point, exactly as `kill -9` from outside would.
#[cfg(feature = "faults")]
#[expect(
    clippy::disallowed_methods,
    reason = "the harness speaks through the environment, in builds for it alone"
)]
pub fn point(point: Point) {
    if std::env::var("COUNTERSIGN_FAULT").is_ok_and(|wanted| wanted == point.as_str()) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal is delivered before the call returns to user space; this is never reached.
        std::process::abort();
    }
}

/// Nothing, in every build but the harness's.
#[cfg(not(feature = "faults"))]
pub const fn point(_point: Point) {}
