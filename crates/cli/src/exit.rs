//! Exit codes, so that scripts can decide without parsing text.

use std::process::ExitCode;

use api::Problem;
use model::{ErrorClass, RunStatus, Status};

/// The exit codes, for help texts.
pub const EXIT_CODES: &str = "\
Exit codes:
   0  success; for `receipts verify`, the receipt is genuine
   1  unexpected error; a case failed (`policies test`); the receipt is not genuine (`receipts verify`)
   2  invalid command, input or parameters
   3  denied by policy, a person or the role of the token; expired; or the run was cancelled
   4  in progress: waiting for an approval or executing
   5  not found, or not visible to this token
   6  conflict: the idempotency key was used for another request, or the state does not allow it
   7  rate limit exceeded; retry later
   8  the action or the run failed, and its outcome is known
   9  outcome unknown: it may have happened; check before you repeat it
  10  the gateway is unreachable or unavailable, or does not accept the token";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Denied = 3,
    Pending = 4,
    NotFound = 5,
    Conflict = 6,
    RateLimited = 7,
    ActionFailed = 8,
    Unknown = 9,
    /// No usable response from the gateway.
    Unreachable = 10,
}

impl Exit {
    /// The exit code for an invocation.
    pub const fn of_status(status: Status) -> Self {
        match status {
            Status::Succeeded | Status::Skipped => Self::Done,
            Status::Pending | Status::Approved | Status::Executing => Self::Pending,
            Status::Denied | Status::Quarantined | Status::Expired => Self::Denied,
            Status::Failed | Status::Reverted => Self::ActionFailed,
            Status::Unknown => Self::Unknown,
        }
    }

    /// The exit code for a run; `class` says why it failed.
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

    /// The exit code for a problem document.
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
            // A problem has a class only if the target failed; otherwise the gateway failed.
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
