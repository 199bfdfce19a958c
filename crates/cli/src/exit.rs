//! With which code the process ends, so that a script knows what to do without reading a sentence.

use std::process::ExitCode;

use api::Problem;
use model::{ErrorClass, RunStatus, Status};

/// The codes in words, for help texts.
pub const EXIT_CODES: &str = "\
Exit codes:
   0  done; or, for `receipts verify`, the receipt is genuine
   1  the receipt is not genuine, or something unexpected happened
   2  the command, its input or its parameters are wrong
   3  denied: by policy, by a person, by the role of the token, or nobody answered in time; or the run was cancelled
   4  not finished yet: it waits for a person or is being executed
   5  there is no such thing, or none this token may know of
   6  conflict: the idempotency key was used for something else, or the state forbids it
   7  rate limited: later it may go through
   8  the action failed at its target, or the run failed, and it is known what happened
   9  outcome unknown: it may have happened; do not repeat it without looking
  10  the gateway cannot be reached, cannot serve now, or does not accept the token";

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Not verified, or something unexpected.
    Failed = 1,
    /// The command or its input is wrong.
    Usage = 2,
    /// It may not happen.
    Denied = 3,
    /// It has not ended yet.
    Pending = 4,
    /// There is no such thing.
    NotFound = 5,
    /// It clashes with what is there.
    Conflict = 6,
    /// Too much at once.
    RateLimited = 7,
    /// The target refused or broke.
    ActionFailed = 8,
    /// Nobody can tell whether it happened.
    Unknown = 9,
    /// No answer from the gateway that could be used.
    Unreachable = 10,
}

impl Exit {
    /// How a command ends that tells of an invocation.
    pub const fn of_status(status: Status) -> Self {
        match status {
            Status::Succeeded | Status::Skipped => Self::Done,
            Status::Pending | Status::Approved | Status::Executing => Self::Pending,
            Status::Denied | Status::Quarantined | Status::Expired => Self::Denied,
            Status::Failed | Status::Reverted => Self::ActionFailed,
            Status::Unknown => Self::Unknown,
        }
    }

    /// How a command ends that tells of a run, and why that did not succeed.
    pub fn of_run(status: RunStatus, class: Option<&str>) -> Self {
        match status {
            RunStatus::Succeeded => Self::Done,
            RunStatus::Pending | RunStatus::Running | RunStatus::Waiting => Self::Pending,
            RunStatus::Cancelled => Self::Denied,
            RunStatus::Failed | RunStatus::TimedOut => match class {
                Some("denied" | "expired") => Self::Denied,
                Some("outcome_unknown") => Self::Unknown,
                Some("invalid_inputs") => Self::Usage,
                _ => Self::ActionFailed,
            },
        }
    }

    /// How a command ends that was answered with a problem.
    pub fn of_problem(problem: &Problem) -> Self {
        let unknown = ErrorClass::OutcomeUnknown.as_str();
        if problem.class.as_deref() == Some(unknown) || problem.code == unknown {
            return Self::Unknown;
        }
        match problem.status {
            401 | 407 => Self::Unreachable,
            403 => Self::Denied,
            404 | 410 => Self::NotFound,
            409 | 412 => Self::Conflict,
            429 => Self::RateLimited,
            400..=499 => Self::Usage,
            // A class is only given for what the target or the way to it did; without one it is the gateway.
            500..=599 if problem.class.is_some() => Self::ActionFailed,
            500..=599 => Self::Unreachable,
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_documented_and_no_other() {
        let documented: Vec<u8> =
            EXIT_CODES.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
        assert_eq!(documented, (0..=Exit::Unreachable as u8).collect::<Vec<_>>());
    }

    #[test]
    fn problems_end_as_the_table_says() {
        let exit = |status, class: Option<&str>, code: &str| {
            let class = class.map(str::to_owned);
            Exit::of_problem(&Problem { status, class, code: code.to_owned(), ..Problem::default() })
        };
        for (status, class, code, expected) in [
            (401, None, "unauthenticated", Exit::Unreachable),
            (403, None, "denied", Exit::Denied),
            (404, None, "not_found", Exit::NotFound),
            (409, None, "idempotency_conflict", Exit::Conflict),
            (422, None, "invalid_params", Exit::Usage),
            (429, None, "rate_limited", Exit::RateLimited),
            (502, Some("permanent"), "action_failed", Exit::ActionFailed),
            (502, Some("outcome_unknown"), "action_failed", Exit::Unknown),
            (409, None, "outcome_unknown", Exit::Unknown),
            (503, None, "unavailable", Exit::Unreachable),
        ] {
            assert_eq!(exit(status, class, code), expected, "{status} {code}");
        }
    }

    #[test]
    fn only_what_is_over_and_well_ends_with_zero() {
        for status in Status::ALL {
            let well = matches!(status, Status::Succeeded | Status::Skipped);
            assert_eq!(Exit::of_status(status) == Exit::Done, well, "{status:?}");
            assert_eq!(Exit::of_status(status) == Exit::Pending, !status.is_terminal(), "{status:?}");
        }
    }

    #[test]
    fn a_run_ends_with_zero_only_when_it_succeeded() {
        for status in RunStatus::ALL.iter().copied() {
            let exit = Exit::of_run(status, None);
            assert_eq!(exit == Exit::Done, status == RunStatus::Succeeded, "{status:?}");
            assert_eq!(exit == Exit::Pending, !status.is_terminal(), "{status:?}");
        }
        let failed = |class| Exit::of_run(RunStatus::Failed, Some(class));
        assert_eq!(failed("denied"), Exit::Denied);
        assert_eq!(failed("expired"), Exit::Denied);
        assert_eq!(failed("outcome_unknown"), Exit::Unknown);
        assert_eq!(failed("invalid_inputs"), Exit::Usage);
        assert_eq!(failed("loop"), Exit::ActionFailed);
    }
}
