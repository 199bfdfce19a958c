//! Places where `chaos/run` kills the process, to prove that nothing is lost or doubled there.
//!
//! Only debug builds have them: in a release build a point is an empty function.

/// A point at which a process can be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// An approval is committed; the engine does not know of it.
    BeforeSubmit,
    /// The request is decided; nothing is recorded.
    BeforeClaim,
    /// The claim is committed; nothing was sent.
    AfterClaim,
    /// The target has answered; nothing is recorded.
    AfterAnswer,
    /// The target has answered a part of a batch; nothing is recorded, and the next part has not started.
    InsideBatch,
    /// The settlement is committed; nobody was notified.
    AfterSettle,
    /// An effect that failed verification is about to be undone, or was just undone, and nothing is recorded.
    InsideRollback,
    /// Some values are encrypted with the new data key, and others are not.
    InsideRotation,
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
            Self::InsideRotation => "inside-rotation",
        }
    }
}

/// Ends the process by SIGKILL if `COUNTERSIGN_FAULT` names this point, exactly as `kill -9` from outside would.
#[cfg(debug_assertions)]
#[expect(
    clippy::disallowed_methods,
    reason = "chaos/run names the point in the environment; debug builds only"
)]
pub fn point(point: Point) {
    if std::env::var("COUNTERSIGN_FAULT").is_ok_and(|wanted| wanted == point.as_str()) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal is delivered before the call returns to user space; this is never reached.
        std::process::abort();
    }
}

/// Nothing, in a release build.
#[cfg(not(debug_assertions))]
pub const fn point(_point: Point) {}
